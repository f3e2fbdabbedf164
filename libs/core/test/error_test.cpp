#include <gomkit/core/error.hpp>

#include <gtest/gtest.h>

namespace gomkit::core {
namespace {

TEST(Error, ExitCodesFollowFromCodes) {
    const std::pair<Code, int> table[] = {
        {Code::CannotOpen, 3},    {Code::CannotRead, 3},     {Code::CannotWrite, 5},   {Code::LimitExceeded, 6}, {Code::Malformed, 1},
        {Code::Truncated, 1},     {Code::NotThisFormat, 1},  {Code::Unsupported, 4},   {Code::CannotConvert, 4}, {Code::InvalidOutput, 7},
        {Code::Usage, 2},         {Code::Internal, 7},       {Code::OutOfMemory, 7},   {Code::Interrupted, 130},
    };
    for (const auto& [code, expected] : table) {
        EXPECT_EQ(exit_code(code), expected) << name(code);
    }
}

TEST(Error, NamesAreTheEnumerators) {
    EXPECT_STREQ(name(Code::CannotOpen), "CannotOpen");
    EXPECT_STREQ(name(Code::LimitExceeded), "LimitExceeded");
    EXPECT_STREQ(name(Code::Interrupted), "Interrupted");
    EXPECT_EQ(static_cast<int>(Code::CannotConvert), 501);
}

TEST(Error, TextHasOnlyThePiecesThatThereAre) {
    Error error;
    error.code = Code::Malformed;
    error.what = "wrong";
    EXPECT_EQ(to_string(error), "error Malformed: wrong");
    error.place.file = "a b.gom";
    EXPECT_EQ(to_string(error), "a b.gom: error Malformed: wrong");
    error.expected = "2";
    EXPECT_EQ(to_string(error), "a b.gom: error Malformed: wrong: expected 2");
    error.found = "1";
    error.cure = "repair it";
    error.notes = {"while reading X", "while reading Y"};
    error.place.part = "MSH0[3].VB0";
    error.place.byte = 17;
    EXPECT_EQ(to_string(error),
              "a b.gom: error Malformed: MSH0[3].VB0 (byte 17): wrong: found 1, expected 2; while reading X; while reading Y (repair it)");
}

TEST(Error, PlacesNameByteAndLine) {
    Place place;
    EXPECT_EQ(to_string(place), "");
    place.byte = 5;
    EXPECT_EQ(to_string(place), "byte 5");
    place.line = TextPos{3, 9};
    EXPECT_EQ(to_string(place), "byte 5, line 3, column 9");
    place.byte.reset();
    place.part = "Meshes";
    EXPECT_EQ(to_string(place), "Meshes, line 3, column 9");
}

TEST(Error, TextCannotDriveATerminal) {
    Error error;
    error.place.file = "\x1b[31m\xff";
    error.what = "a\nb";
    EXPECT_EQ(to_string(error), "\\x1b[31m\\xff: error Internal: a\\x0ab");
}

}  // namespace
}  // namespace gomkit::core

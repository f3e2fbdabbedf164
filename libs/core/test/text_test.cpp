#include <gomkit/core/text.hpp>

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace gomkit::core {
namespace {

using namespace std::string_literals;

TEST(Text, AcceptsWellFormedUtf8) {
    for (const std::string& text : {""s, "abc"s, "\xC2\x80"s, "\xDF\xBF"s, "\xE0\xA0\x80"s, "\xED\x9F\xBF"s, "\xEE\x80\x80"s, "\xEF\xBF\xBF"s,
                                    "\xF0\x90\x80\x80"s, "\xF4\x8F\xBF\xBF"s, "\xE6\x97\xA5\xE6\x9C\xAC"s, "\xF0\x9F\x98\x80"s}) {
        EXPECT_EQ(find_text_fault(text), TextFault::None) << printable(text);
    }
}

TEST(Text, RefusesWhatIsNotUtf8AndSaysWhere) {
    // Unicode 15, table 3-7: stray and missing continuations, overlong forms, surrogates, beyond U+10FFFF.
    for (const std::string& bad : {"\x80"s, "\xBF"s, "\xC0\x80"s, "\xC1\xBF"s, "\xC2"s, "\xC2\x41"s, "\xE0\x9F\xBF"s, "\xE0\xA0"s, "\xED\xA0\x80"s,
                                   "\xED\xBF\xBF"s, "\xF0\x8F\xBF\xBF"s, "\xF0\x90\x80"s, "\xF4\x90\x80\x80"s, "\xF5\x80\x80\x80"s, "\xFF"s, "\xFE"s}) {
        std::size_t at = 99;
        EXPECT_EQ(find_text_fault("ab" + bad, &at), TextFault::InvalidUtf8) << printable(bad);
        EXPECT_EQ(at, 2u);
    }
}

TEST(Text, RefusesControlCharacters) {
    for (const std::string& bad : {"\0"s, "\n"s, "\x1F"s, "\x7F"s}) {
        std::size_t at = 99;
        EXPECT_EQ(find_text_fault("\xE6\x97\xA5" + bad, &at), TextFault::ControlCharacter);
        EXPECT_EQ(at, 3u);
    }
}

TEST(Text, CleaningLeavesGoodTextAlone) {
    bool changed = false;
    EXPECT_EQ(clean_text("\xE6\x97\xA5 x", &changed), "\xE6\x97\xA5 x");
    EXPECT_FALSE(changed);
}

TEST(Text, CleaningReplacesWhatCannotStay) {
    const std::pair<std::string, std::string> table[] = {
        {"\xEF\xBB\xBFx", "x"},                     // BOM
        {"x\xEF\xBB\xBF", "x\xEF\xBB\xBF"},         // not at the start: a character like others
        {"\xEF\xBB\xBF\xEF\xBB\xBFx", "x"},
        {"a\xFF\xFE" "b", "a\xEF\xBF\xBD\xEF\xBF\xBD" "b"},   // two sequences that begin nothing
        {"a\xE2\x82" "b", "a\xEF\xBF\xBD" "b"},               // one that was cut short
        {"\xF0\x9F\x98", "\xEF\xBF\xBD"},
        {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},  // a surrogate: its first byte begins something, with the second nothing
        {"\xFF" "a\xFF", "\xEF\xBF\xBD" "a\xEF\xBF\xBD"},
        {"a\nb\x7F", "a_b_"},
        {"a\0b"s, "a_b"},
    };
    for (const auto& [in, out] : table) {
        bool changed = false;
        EXPECT_EQ(clean_text(in, &changed), out) << printable(in);
        EXPECT_EQ(changed, in != out);
        EXPECT_EQ(find_text_fault(clean_text(in)), TextFault::None);
    }
}

TEST(Text, BytesOrderNames) {
    EXPECT_TRUE(byte_less("Root/Arm-L", "Root/Arm/Hand"));
    EXPECT_TRUE(byte_less("a", "ab"));
    EXPECT_FALSE(byte_less("ab", "a"));
    EXPECT_FALSE(byte_less("a", "a"));
    EXPECT_TRUE(byte_less("", "a"));
    EXPECT_TRUE(byte_less("z", "\xC3\xA4"));  // unsigned bytes
    EXPECT_FALSE(byte_less("B", "A"));
}

TEST(Text, NumbersAreTheShortestThatReadBack) {
    EXPECT_EQ(number_text(0.1), "0.1");
    EXPECT_EQ(number_text(0.1f), "0.1");
    EXPECT_EQ(number_text(1.0), "1");
    EXPECT_EQ(number_text(-0.5f), "-0.5");
    EXPECT_EQ(number_text(static_cast<double>(0.1f)), "0.10000000149011612");
    EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "inf");
    EXPECT_EQ(number_text(-std::numeric_limits<float>::infinity()), "-inf");
    EXPECT_EQ(number_text(std::nan("")), "nan");
    EXPECT_EQ(number_text(-std::nan("")), "nan");
}

TEST(Text, HexIsLowerCase) {
    const std::uint8_t bytes[] = {0x00, 0xAB, 0xFF};
    EXPECT_EQ(hex_text(bytes, 3), "00abff");
    EXPECT_EQ(hex_text(bytes, 0), "");
}

TEST(Text, PrintableTextCannotDriveATerminal) {
    EXPECT_EQ(printable("a\x1b[2J"), "a\\x1b[2J");
    EXPECT_EQ(printable("\xC2\x9B" "2J"), "\\xc2\\x9b" "2J");  // CSI as one character
    EXPECT_EQ(printable("\xC2\xA0"), "\xC2\xA0");
    EXPECT_EQ(printable("\xFFz"), "\\xffz");
    EXPECT_EQ(printable("\xE6\x97\xA5"), "\xE6\x97\xA5");
}

TEST(Text, ReadsCodePage932) {
    bool changed = false;
    // "\x83\x8B" is U+30EB, "\xB1" the half-width U+FF71, "\x81\x60" U+FF5E as Windows has it, "\x87\x40" U+2460 (NEC row 13).
    EXPECT_EQ(from_cp932("a\x83\x8B\xB1\\", &changed), "a\xE3\x83\xAB\xEF\xBD\xB1\\");
    EXPECT_EQ(from_cp932("\x81\x60\x87\x40", &changed), "\xEF\xBD\x9E\xE2\x91\xA0");
    EXPECT_FALSE(changed);
    EXPECT_EQ(from_cp932("x\x83", &changed), "x\xEF\xBF\xBD");
    EXPECT_TRUE(changed);
    // The second byte of a broken pair is read again.
    EXPECT_EQ(from_cp932("\x83\x20z"), "\xEF\xBF\xBD z");
}

TEST(Text, ReadsCodePage1252) {
    bool changed = false;
    // Euro sign U+20AC, o with diaeresis U+00F6, Z with caron U+017D.
    EXPECT_EQ(from_cp1252("a\x80\xF6\x8E~", &changed), "a\xE2\x82\xAC\xC3\xB6\xC5\xBD~");
    EXPECT_FALSE(changed);
    EXPECT_EQ(from_cp1252("\x81", &changed), "\xEF\xBF\xBD");
    EXPECT_TRUE(changed);
}

}  // namespace
}  // namespace gomkit::core

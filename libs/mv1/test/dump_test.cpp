#include "dump.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sample.hpp"

namespace gomkit::mv1 {
namespace {

std::string dumped(std::string_view part) {
    const auto text = dump(encode(test::make_sample().doc), "x.mv1", part, {});
    return text ? *text : "error: " + text.error().what;
}

TEST(Dump, NamesFieldsAndWhatTheyMean) {
    const std::string all = dumped("");
    EXPECT_EQ(all.substr(0, 21), "00000000  4d 56 31 31");
    const auto has = [&](const char* piece) { return all.find(piece) != std::string::npos; };
    EXPECT_TRUE(has("frame[1].Name"));
    EXPECT_TRUE(has("'Body'"));
    EXPECT_TRUE(has("texture[0].ColorFilePath"));
    EXPECT_TRUE(has("'tex\\skin.png'"));
    EXPECT_TRUE(has("keySet[1].key[1]"));
    EXPECT_TRUE(has("frame[1].position[0]"));
    EXPECT_TRUE(has("list[0].triangle[1]"));
}

TEST(Dump, APartIsThatPartAndWhatLiesBelow) {
    const std::string part = dumped("mesh[1]");
    EXPECT_NE(part.find("mesh[1].vertex[2]"), std::string::npos);
    EXPECT_EQ(part.find("mesh[0]"), std::string::npos);
    EXPECT_EQ(dumped("mesh[7]"), "error: the file has no such part");
    const std::string one = dumped("frame[0].Translate");
    EXPECT_NE(one.find("0 10 0"), std::string::npos);
    EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 1);
}

}  // namespace
}  // namespace gomkit::mv1

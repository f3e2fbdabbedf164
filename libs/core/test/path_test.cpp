#include <gomkit/core/path.hpp>

#include <string>

#include <gtest/gtest.h>

namespace gomkit::core {
namespace {

using namespace std::string_literals;

struct Row {
    std::string path;
    bool absolute;
    std::string normal;
    std::string base;
    std::string stored;
};

TEST(Path, TableOfWhatSourcesName) {
    const Row rows[] = {
        {"", false, "", "", ""},
        {"a.png", false, "a.png", "a.png", "a.png"},
        {"tex/a.png", false, "tex/a.png", "a.png", "tex/a.png"},
        {"tex\\a.png", false, "tex/a.png", "a.png", "tex/a.png"},
        {".\\tex//sub\\./a.png", false, "tex/sub/a.png", "a.png", "tex/sub/a.png"},
        {"..\\a.png", false, "../a.png", "a.png", "a.png"},
        {"..\\..\\tex/a.png", false, "../../tex/a.png", "a.png", "a.png"},
        {"tex/../a.png", false, "a.png", "a.png", "a.png"},
        {"tex/../../a.png", false, "../a.png", "a.png", "a.png"},
        {"a/b/../../c.png", false, "c.png", "c.png", "c.png"},
        {"..", false, "..", "", ""},
        {"../", false, "..", "", ""},
        {".", false, "", "", ""},
        {"tex/", false, "tex", "", "tex"},
        {"tex/..", false, "", "", ""},
        {"...", false, "...", "...", "..."},
        {"tex./a.png.", false, "tex./a.png.", "a.png.", "tex./a.png."},
        {"/home/u/a.png", true, "home/u/a.png", "a.png", "a.png"},
        {"\\a.png", true, "a.png", "a.png", "a.png"},
        {"C:\\Users\\x\\a.png", true, "Users/x/a.png", "a.png", "a.png"},
        {"c:/x/../a.png", true, "a.png", "a.png", "a.png"},
        {"C:a.png", true, "a.png", "a.png", "a.png"},
        {"C:", true, "", "", ""},
        {"C:\\", true, "", "", ""},
        {"\\\\server\\share\\a.png", true, "server/share/a.png", "a.png", "a.png"},
        {"//server/share/a.png", true, "server/share/a.png", "a.png", "a.png"},
        {"\\\\?\\C:\\a.png", true, "?/C:/a.png", "a.png", "a.png"},
        {"file:///C:/x/a.png", true, "C:/x/a.png", "a.png", "a.png"},
        {"http://x/a.png", true, "x/a.png", "a.png", "a.png"},
        {"\xE9\xA1\x94/\xE8\x82\x8C.png", false, "\xE9\xA1\x94/\xE8\x82\x8C.png", "\xE8\x82\x8C.png", "\xE9\xA1\x94/\xE8\x82\x8C.png"},
        {"D:\\\xE9\xA1\x94\\\xE8\x82\x8C.png", true, "\xE9\xA1\x94/\xE8\x82\x8C.png", "\xE8\x82\x8C.png", "\xE8\x82\x8C.png"},
        {" a b .png", false, " a b .png", " a b .png", " a b .png"},
        {"a:b.png", true, "b.png", "b.png", "b.png"},
        {"ab:c.png", false, "ab:c.png", "ab:c.png", "ab:c.png"},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(is_absolute_path(row.path), row.absolute) << row.path;
        EXPECT_EQ(normalised_path(row.path), row.normal) << row.path;
        EXPECT_EQ(source_base_name(row.path), row.base) << row.path;
        EXPECT_EQ(stored_path(row.path), row.stored) << row.path;
    }
}

TEST(Path, StoredPathsStayInsideOrAreEmpty) {
    for (const std::string& path : {"..\\..\\x"s, "C:\\..\\x"s, "a/../../../etc/passwd"s, "/../x"s, "//"s, ".."s, "./.."s, "\\\\a\\..\\..\\b"s,
                                    "C:C:x"s, "file://..//x"s}) {
        const std::string stored = stored_path(path);
        EXPECT_TRUE(stored.empty() || is_inside_path(stored)) << path << " -> " << stored;
        EXPECT_EQ(stored_path(stored), stored) << path;
    }
}

TEST(Path, OnlySafePathsAreInside) {
    for (const char* good : {"a", "a/b.png", "a b", "...", "a..b", ".hidden"}) {
        EXPECT_TRUE(is_inside_path(good)) << good;
    }
    for (const std::string& bad : {""s, "/a"s, "a/"s, "a//b"s, "./a"s, "a/."s, ".."s, "../a"s, "a/../b"s, "a/.."s, "a\\b"s, "C:a"s, "c:/a"s, "\\a"s,
                                   "a\0b"s, "file://a"s}) {
        EXPECT_FALSE(is_inside_path(bad)) << bad;
    }
}

}  // namespace
}  // namespace gomkit::core

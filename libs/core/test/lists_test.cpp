#include <gomkit/core/lists.hpp>

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace gomkit::core {
namespace {

TEST(Lists, KeepTheOrderOfWhatIsVisitedForEachNumber) {
    const std::pair<std::uint32_t, char> all[] = {{2, 'a'}, {0, 'b'}, {2, 'c'}, {2, 'd'}, {0, 'e'}};
    const Lists<char> lists(4, [&](const auto& visit) {
        for (const auto& [number, letter] : all) {
            visit(number, letter);
        }
    });
    const auto text = [&](std::uint32_t number) { return std::string(lists.of(number).begin(), lists.of(number).end()); };
    EXPECT_EQ(text(0), "be");
    EXPECT_EQ(text(1), "");
    EXPECT_EQ(text(2), "acd");
    EXPECT_EQ(text(3), "");
}

}  // namespace
}  // namespace gomkit::core

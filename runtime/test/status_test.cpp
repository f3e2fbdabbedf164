#include "gomkit/runtime/status.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace gomkit::runtime {
namespace {

TEST(Status, EveryValueHasItsOwnNameAndSentence) {
    std::set<std::string> names, messages;
    int named = 0;
    for (unsigned v = 0; v < 1000; ++v) {
        const auto status = static_cast<Status>(v);
        if (std::string(name(status)) == "Unknown") {
            EXPECT_STREQ(message(status), "unknown status");
            EXPECT_STREQ(source(status), "");
            continue;
        }
        ++named;
        names.insert(name(status));
        messages.insert(message(status));
        EXPECT_NE(std::string(message(status)).back(), '.');
    }
    EXPECT_EQ(static_cast<std::size_t>(named), names.size());
    EXPECT_EQ(names.size(), messages.size());
    EXPECT_EQ(named, 68);  // as many as status.hpp lists
    EXPECT_STREQ(name(Status::BadKeyTime), "BadKeyTime");
    EXPECT_STREQ(name(Status::Ok), "Ok");
}

TEST(Status, LimitsHaveNames) {
    std::set<std::string> names;
    for (unsigned v = 0; v <= static_cast<unsigned>(LimitId::MorphVertices); ++v) names.insert(name(static_cast<LimitId>(v)));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(LimitId::MorphVertices) + 1);
    EXPECT_EQ(names.count("unknown"), 0U);
    EXPECT_STREQ(name(static_cast<LimitId>(99)), "unknown");
}

}  // namespace
}  // namespace gomkit::runtime

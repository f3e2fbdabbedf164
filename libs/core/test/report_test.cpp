#include <gomkit/core/report.hpp>

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace gomkit::core {
namespace {

TEST(Report, FillsInArgumentsAndTheFile) {
    Report report("hero.fbx");
    report.add(IssueId::IO_TEXTURE_MISSING, {}, {{"path", "a.png"}});
    ASSERT_EQ(report.issues().size(), 1u);
    EXPECT_EQ(report.issues()[0].text, "texture 'a.png' was not found; the model keeps its path");
    EXPECT_EQ(report.issues()[0].place.file, "hero.fbx");
    EXPECT_EQ(to_string(report.issues()[0]),
              "hero.fbx: warning IO_TEXTURE_MISSING: texture 'a.png' was not found; the model keeps its path "
              "(put the file beside the model, or name its folder with --texture-path)");
    EXPECT_TRUE(report.has(IssueId::IO_TEXTURE_MISSING));
    EXPECT_FALSE(report.has(IssueId::CONV_LOST));
    EXPECT_FALSE(report.has_errors());
}

TEST(Report, ArgumentsAreNotExpandedAgain) {
    Report report;
    report.add(IssueId::IO_TEXTURE_MISSING, {}, {{"path", "{path}"}});
    EXPECT_EQ(report.issues()[0].text, "texture '{path}' was not found; the model keeps its path");
}

TEST(Report, ManyOfOneKindFoldButAreCounted) {
    Report report({}, 100, 3);
    for (int i = 0; i < 10; ++i) {
        report.add(IssueId::IO_TEXTURE_MISSING, {}, {{"path", std::to_string(i)}});
    }
    ASSERT_EQ(report.issues().size(), 3u);
    EXPECT_EQ(report.issues()[2].count, 8u);
    EXPECT_EQ(report.count(Severity::Warning), 10u);
    EXPECT_FALSE(report.truncated());
    EXPECT_NE(to_string(report.issues()[2]).find("[and 7 more like it]"), std::string::npos);
}

TEST(Report, BeyondTheMaximumOnlyCountsGoOn) {
    Report report({}, 1);
    report.add(IssueId::IO_TEXTURE_MISSING, {}, {});
    report.add(IssueId::CONV_LOST, {}, {});
    EXPECT_EQ(report.issues().size(), 1u);
    EXPECT_TRUE(report.truncated());
    EXPECT_EQ(report.count(Severity::Warning), 2u);
}

TEST(Report, MergingKeepsOrderCountsAndLosses) {
    Report a("a");
    a.add(IssueId::IO_TEXTURE_MISSING, {}, {});
    a.add_loss("lights", 1);
    Report b("b");
    b.add(IssueId::CONV_LOST, {}, {});
    b.add_loss("lights", 2);
    b.add_loss("cameras", 0);
    a.merge(b);
    ASSERT_EQ(a.issues().size(), 2u);
    EXPECT_EQ(a.issues()[1].place.file, "b");
    EXPECT_EQ(a.count(Severity::Warning), 2u);
    ASSERT_EQ(a.losses().size(), 1u);
    EXPECT_EQ(a.losses()[0].count, 3u);
    EXPECT_TRUE(a.has(IssueId::CONV_LOST));
}

TEST(Issues, AreFoundByNameAndComplete) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < static_cast<std::size_t>(IssueId::Count); ++i) {
        const IssueInfo& row = info(static_cast<IssueId>(i));
        EXPECT_EQ(static_cast<std::size_t>(row.id), i);
        EXPECT_EQ(find_issue(row.name), &row);
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_STRNE(row.text, "") << row.name;
    }
    EXPECT_EQ(find_issue("NO_SUCH_ISSUE"), nullptr);
    EXPECT_EQ(find_issue(""), nullptr);
}

}  // namespace
}  // namespace gomkit::core

// The rules themselves are tested by tests/conformance; here is how the checker reports.
#include "check.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "rules.hpp"
#include "sample.hpp"
#include "source_dir.hpp"

namespace gomkit::gom {
namespace {

using namespace test;
using core::IssueId;

TEST(Check, FoldsManyFindingsOfOneKind) {
    Document d = sample();
    d.parts[1].vertices.assign(20'000, vertex(0, 0, 0));
    for (Vertex& v : d.parts[1].vertices) {
        v.normal[2] = 2;
    }
    core::Report report;
    check(encode(d), "a.gom", {}, report);
    EXPECT_EQ(report.count(core::Severity::Warning), 20'000u);
    EXPECT_EQ(report.issues().size(), 8u);
    EXPECT_EQ(report.issues()[0].place.part, "MSH0[1].VB0.vertex[0].normal");
    EXPECT_EQ(report.issues()[7].count, 20'000u - 7);
    EXPECT_EQ(report.issues()[0].text, "the normal has the length 2 instead of 1");
}

TEST(Check, CanonicalFindingsOnRequestOnly) {
    Document d = sample();
    d.parts[0].vertices[0].uv[0] = -0.0f;
    const core::Bytes bytes = encode(d);
    EXPECT_TRUE(check_bytes(bytes, false).issues().empty());
    const core::Report asked = check_bytes(bytes, true);
    ASSERT_EQ(asked.issues().size(), 1u);
    EXPECT_EQ(asked.issues()[0].id, IssueId::GOM_NEGATIVE_ZERO);
    EXPECT_EQ(asked.issues()[0].place.file, "a.gom");
}

TEST(Check, GoesOnAfterAnError) {
    core::Bytes bytes = encode(sample());
    patch(bytes, chunk_at(bytes, "SKEL") + 16 + 28 + 12, 0.5f);
    patch(bytes, chunk_at(bytes, "IB0") + 32, 99u);
    patch(bytes, chunk_at(bytes, "CLP0", 1) + 16 + 12, 3u);
    const core::Report report = check_bytes(bytes);
    EXPECT_TRUE(report.has(IssueId::GOM_MATRIX_COLUMN));
    EXPECT_TRUE(report.has(IssueId::GOM_INDEX_RANGE));
    EXPECT_TRUE(report.has(IssueId::GOM_INTERPOLATION));
    EXPECT_EQ(report.issues().size(), 3u);
}

TEST(Check, TableElsewhereIsADisagreement) {
    core::Bytes bytes = encode(sample());
    const std::size_t str0 = chunk_at(bytes, "STR0");
    // The four bytes before the offset say CTBL, inside the text of STR0.
    const std::size_t inside = str0 + 16 + 4 + 4 * 11 + 32;
    std::memcpy(bytes.data() + inside - 16, "CTBL", 4);
    patch(bytes, 64, std::uint64_t{inside});
    const core::Report report = check_bytes(bytes, false);
    EXPECT_TRUE(report.has(IssueId::GOM_TABLE_DISAGREES));
}

TEST(Check, EveryRowHasARequirementAndText) {
    for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(IssueId::Count); ++i) {
        const core::IssueInfo& row = core::info(static_cast<IssueId>(i));
        if (std::string(row.name).rfind("GOM_", 0) == 0) {
            EXPECT_NE(row.requirement[0], '\0') << row.name;
            EXPECT_NE(row.text[0], '\0') << row.name;
        }
    }
}

// The table of a format's page lists the rows of its family in gom.def, no more and no fewer.
void expect_listed(const std::string& family, const char* name) {
    std::ifstream file(source_dir() + "/docs/formats/" + name);
    const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::size_t count = 0;
    for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(IssueId::Count); ++i) {
        const core::IssueInfo& row = core::info(static_cast<IssueId>(i));
        if (std::string(row.name).rfind(family, 0) == 0) {
            ++count;
            std::string line = "| " + std::string(row.name) + " | ";
            line += std::string(core::name(row.severity)) + " | " + row.requirement + " | " + row.text + " |\n";
            EXPECT_NE(page.find(line), std::string::npos) << line;
        }
    }
    std::size_t listed = 0;
    for (std::size_t at = page.find("\n| " + family); at != std::string::npos; at = page.find("\n| " + family, at + 1)) {
        ++listed;
    }
    EXPECT_GT(count, 0u);
    EXPECT_EQ(listed, count);
}

TEST(Check, PagesListEveryFinding) {
    expect_listed("GOM_", "gom.md");
    expect_listed("MTA_", "mta.md");
}

TEST(Rules, BindIdentityHasItsTolerances) {
    const auto off_by = [](std::size_t element, double off, double scale) {
        Matrixd m;
        m.m[element] += off;
        double found = 0;
        const bool identity = is_bind_identity(m, scale, &found);
        EXPECT_NEAR(found, std::fabs(off), 1e-12);
        return identity;
    };
    EXPECT_TRUE(off_by(0, 0.99e-5, 10));
    EXPECT_FALSE(off_by(0, -1.01e-5, 10));
    EXPECT_FALSE(off_by(6, 1.01e-5, 10));
    EXPECT_TRUE(off_by(13, -9.9e-5, 10));
    EXPECT_FALSE(off_by(13, 1.01e-4, 10));
    EXPECT_FALSE(off_by(12, 1.01e-5, 1));
    Matrixd broken;
    broken.m[5] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(is_bind_identity(broken, 1));
}

TEST(Rules, MapPaths) {
    for (const char* good : {"a", "a.png", "tex/a.png", "...", "a..b/c", "C", "1:x"}) {
        EXPECT_EQ(map_path_problem(good), nullptr) << good;
    }
    for (const char* bad : {"", "/a", "a/", "a//b", ".", "..", "a/./b", "../a", "a/..", "a\\b", "C:a", "z:/a"}) {
        EXPECT_NE(map_path_problem(bad), nullptr) << bad;
    }
}

TEST(Rules, PathComponents) {
    std::string_view suffix;
    EXPECT_TRUE(is_component_of("A", "A"));
    EXPECT_TRUE(is_component_of("50%25%2Fleft", "50%/left"));
    EXPECT_TRUE(is_component_of("A~2", "A", &suffix));
    EXPECT_EQ(suffix, "2");
    EXPECT_TRUE(is_component_of("A~2", "A~2", &suffix));
    EXPECT_EQ(suffix, "");
    EXPECT_TRUE(is_component_of("A~2~10", "A~2", &suffix));
    EXPECT_EQ(suffix, "10");
    for (const char* bad : {"", "B", "a", "A~", "A~0", "A~1", "A~02", "A~x", "A~2x", "AB", "A/B", "A~-2"}) {
        EXPECT_FALSE(is_component_of(bad, "A")) << bad;
    }
    EXPECT_FALSE(is_component_of("50%/left", "50%/left"));
}

}  // namespace
}  // namespace gomkit::gom

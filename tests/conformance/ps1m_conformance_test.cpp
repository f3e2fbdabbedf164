// Every file of tests/conformance/ps1m through the decoder and the checker. The files and their expected findings are made from the page
// by make_ps1m_cases.py, without any of our code.
#include <algorithm>
#include <string>

#include "conformance.hpp"
#include "decode.hpp"
#include "encode.hpp"

namespace gomkit::ps1 {
namespace {

using namespace conformance;

std::vector<File> files(const char* folder) { return files_of("ps1m", folder); }

core::Report run_check(std::span<const std::byte> bytes, bool canonical = false) {
    core::Report report("", 10'000, 10'000);
    check(bytes, "", canonical, report);
    return report;
}

void expect_report(const File& f) {
    SCOPED_TRACE(f.path.filename().string());
    const core::Report report = run_check(f.bytes.bytes());
    expect_findings(f, report);
    const auto document = decode(f.bytes.bytes(), "file.ps1m");
    EXPECT_EQ(document.has_value(), f.report.at("reads")) << (document ? "" : core::to_string(document.error()));
    if (!document) {
        // The decoder's one error is among the checker's findings, and at the same place.
        const auto found = found_findings(report);
        EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const Finding& i) {
            return document.error().notes.front() == "rule " + std::get<0>(i) && document.error().place.part == std::get<2>(i) && document.error().place.byte == std::get<3>(i);
        })) << core::to_string(document.error());
        EXPECT_EQ(document.error().place.file, "file.ps1m");
    }
}

TEST(Ps1mConformance, GoodFilesHaveNoFinding) {
    const auto all = files("good");
    EXPECT_GE(all.size(), 14u);
    for (const File& f : all) {
        EXPECT_TRUE(f.report.at("issues").empty()) << f.path;
        expect_report(f);
        EXPECT_EQ(run_check(f.bytes.bytes(), true).issues().empty(), f.report.at("canonical")) << f.path;
    }
}

TEST(Ps1mConformance, BadFilesHaveExactlyTheirFindings) {
    const auto all = files("bad");
    EXPECT_GE(all.size(), 55u);
    for (const File& f : all) {
        expect_report(f);
    }
}

// covers PS1M-WRITE-2, PS1M-FILE-3
TEST(Ps1mConformance, WhatIsReadIsWrittenAgain) {
    for (const char* folder : {"good", "bad"}) {
        for (const File& f : files(folder)) {
            if (!f.report.at("reads")) {
                continue;
            }
            SCOPED_TRACE(f.path.filename().string());
            const auto document = decode(f.bytes.bytes(), "file.ps1m");
            ASSERT_TRUE(document.has_value());
            const core::Bytes again = encode(*document);
            EXPECT_TRUE(*decode(again, "again") == *document);
            EXPECT_FALSE(run_check(again, true).has(core::IssueId::PS1_NOT_CANONICAL));
            EXPECT_FALSE(run_check(again).has(core::IssueId::PS1_RESERVED) && f.path.stem() == "padding_everywhere");
            if (f.report.at("canonical")) {
                EXPECT_TRUE(same_bytes(again, f.bytes.bytes()));
            }
        }
    }
}

TEST(Ps1mConformance, EveryCodeOccurs) {
    // On request only, or a finding of reading into a model and of writing, which have their tests in libs/ps1/test.
    expect_every_issue("ps1m", {"bad"}, "PS1_", 20,
                       {"PS1_NOT_CANONICAL", "PS1_READ_FPS", "PS1_COLLAPSED", "PS1_BIND_SCALE", "PS1_CLAMPED", "PS1_FITTED", "PS1_TURNED", "PS1_UV_CLAMPED",
                        "PS1_SLOT_SHARED", "PS1_CLIP_RENAMED", "PS1_HELD", "PS1_FIT", "PS1_BUDGET", "PS1_DECIMATED",
                        "PS1_SLOT_UNTEXTURED", "PS1_NOT_REDUCED", "PS1_AUTORIG", "PS1_TIM", "PS1_TIM_SHARED", "PS1_TIM_NONE",
                        "PS1_SEAMS", "PS1_SEAM_GAP", "PS1_SEAM_STRETCH", "PS1_IK_TABLE", "PS1_IK_NAMES", "PS1_LATHE", "PS1_LATHE_SKIPPED"});
}

TEST(Ps1mConformance, MakerGivesTheSameBytes) { expect_maker_reproduces("ps1m", 140); }

}  // namespace
}  // namespace gomkit::ps1

// Every file of tests/conformance/km3 through the decoder, strict and lenient, and the checker. The files and their expected findings
// are made from the page by make_km3_cases.py, without any of our code.
// covers KM3-NUM-2, KM3-RANGE-6, KM3-WEIGHT-3, KM3-UV-1, KM3-EXT-4

#include <algorithm>
#include <string>

#include <gomkit/km3/km3.hpp>

#include "check.hpp"
#include "conformance.hpp"
#include "decode.hpp"
#include "encode.hpp"

namespace gomkit::km3 {
namespace {

using namespace conformance;

std::vector<File> files(const char* folder) { return files_of("km3", folder); }

core::Report run_check(std::span<const std::byte> bytes, bool canonical = false) {
    core::Report report("", 10'000, 10'000);
    codec::CheckOptions options;
    options.canonical = canonical;
    check(bytes, "", options, report);
    return report;
}

core::Result<Document> run_decode(std::span<const std::byte> bytes, bool strict) {
    DecodeOptions options;
    options.strict = strict;
    return decode(bytes, "file.km3", options);
}

bool allows(const core::Report& report, bool strict) {
    return std::none_of(report.issues().begin(), report.issues().end(), [&](const core::Issue& i) {
        return i.severity == core::Severity::Error || (strict && is_strict_error(i.id));
    });
}

void expect_report(const File& f) {
    SCOPED_TRACE(f.path.filename().string());
    const core::Report report = run_check(f.bytes.bytes());
    expect_findings(f, report);
    for (const bool strict : {false, true}) {
        const bool good = f.report.at(strict ? "strict" : "lenient");
        const auto document = run_decode(f.bytes.bytes(), strict);
        EXPECT_EQ(document.has_value(), good) << (document ? "" : core::to_string(document.error()));
        EXPECT_EQ(allows(report, strict), good);
        if (!document) {
            // The decoder's one error is among the checker's findings, and at the same place.
            const core::Error& error = document.error();
            const bool same = std::any_of(report.issues().begin(), report.issues().end(), [&](const core::Issue& i) {
                return error.notes.front() == std::string("rule ") + core::info(i.id).name && (i.place.byte == error.place.byte || i.id == core::IssueId::KM3_NULL || i.id == core::IssueId::KM3_CYCLE);
            });
            EXPECT_TRUE(same) << core::to_string(error);
            EXPECT_EQ(error.code == core::Code::LimitExceeded, report.has(core::IssueId::KM3_LIMIT));
        }
    }
}

TEST(Km3Conformance, GoodFilesHaveNoFinding) {
    const auto all = files("good");
    EXPECT_GE(all.size(), 18u);
    for (const File& f : all) {
        EXPECT_TRUE(f.report.at("issues").empty()) << f.path;
        expect_report(f);
        EXPECT_TRUE(run_check(f.bytes.bytes(), true).issues().empty()) << f.path;
    }
}

TEST(Km3Conformance, BadFilesHaveExactlyTheirFindings) {
    const auto all = files("bad");
    EXPECT_GE(all.size(), 80u);
    for (const File& f : all) {
        expect_report(f);
        // Of what a strict reader refuses only names stay as they are when a lenient one writes the file again.
        const core::Report now = run_check(f.bytes.bytes(), true);
        if (f.report.at("lenient") && !f.report.at("strict") && !now.has(core::IssueId::KM3_NAME)) {
            EXPECT_TRUE(now.has(core::IssueId::KM3_NOT_CANONICAL)) << f.path;
        }
    }
}

TEST(Km3Conformance, GoodFilesAreReproducedToTheByte) {
    for (const File& f : files("good")) {
        SCOPED_TRACE(f.path.filename().string());
        const auto document = run_decode(f.bytes.bytes(), true);
        ASSERT_TRUE(document.has_value());
        const core::Bytes again = encode(*document);
        EXPECT_EQ(encoded_size(*document), again.size());
        EXPECT_TRUE(same_bytes(again, f.bytes.bytes()));
    }
}

// By way of the model, as `convert` has it. covers KM3-WRITE-3, KM3-NORM-4
TEST(Km3Conformance, GoodFilesAreReproducedThroughTheModel) {
    const codec::Codec km3 = make_codec();
    for (const File& f : files("good")) {
        SCOPED_TRACE(f.path.filename().string());
        core::Report report;
        auto model = km3.read(f.bytes.bytes(), "file.km3", {}, report);
        ASSERT_TRUE(model.has_value());
        const auto again = km3.write(std::move(*model), {}, report);
        ASSERT_TRUE(again.has_value()) << core::to_string(again.error());
        EXPECT_TRUE(same_bytes(*again, f.bytes.bytes()));
        EXPECT_TRUE(report.losses().empty());
    }
}

TEST(Km3Conformance, WhatALenientReaderTakesBecomesCanonical) {
    const codec::Codec km3 = make_codec();
    std::size_t twins = 0;
    for (const File& f : files("bad")) {
        if (!f.report.at("lenient")) {
            continue;
        }
        SCOPED_TRACE(f.path.filename().string());
        const auto document = run_decode(f.bytes.bytes(), false);
        ASSERT_TRUE(document.has_value());
        const core::Bytes once = encode(*document);
        const core::Report left = run_check(once, true);
        for (const core::Issue& i : left.issues()) {
            // What only the source can mend stays.
            EXPECT_TRUE(i.id == core::IssueId::KM3_NAME || i.id == core::IssueId::KM3_60000 || i.id == core::IssueId::KM3_TYPE || i.id == core::IssueId::KM3_NID)
                << core::to_string(i);
        }
        const auto back = run_decode(once, false);
        ASSERT_TRUE(back.has_value());
        EXPECT_EQ(encode(*back), once);
        if (f.report.contains("twin")) {
            ++twins;
            EXPECT_TRUE(same_bytes(once, load_file(format_folder("km3") / std::string(f.report.at("twin"))).bytes()));
        }
    }
    EXPECT_GE(twins, 18u);
}

TEST(Km3Conformance, EveryCodeOccurs) {
    // On request only, or a finding of reading into a model and of writing, which have their tests in libs/km3/test.
    expect_every_issue("km3", {"good", "bad"}, "KM3_", 25,
                       {"KM3_NOT_CANONICAL", "KM3_QUAD_BENT", "KM3_NO_AREA", "KM3_FIT", "KM3_MOVED", "KM3_CRACKED", "KM3_TEXTURE_RENAMED",
                        "KM3_NORMALS_SIGN"});
}

// Every prefix and every file with bytes changed gives the readers one answer, and nothing reads past a block of exactly its size.
TEST(Km3Conformance, ReadersAgreeOnDamagedFiles) {
    Random random(12345);
    const auto all_agree = [](std::span<const std::byte> bytes) {
        const core::Report report = run_check(bytes);
        bool good = true;
        for (const bool strict : {false, true}) {
            const auto document = run_decode(bytes, strict);
            good = good && document.has_value() == allows(report, strict);
        }
        return good;
    };
    for (const File& f : files("good")) {
        SCOPED_TRACE(f.path.filename().string());
        const bool full = f.path.stem() == "chain" || f.path.stem() == "example";
        ASSERT_NO_FATAL_FAILURE(expect_agreement_on_damage(f.bytes.bytes(), full ? 1 : 13, full ? 6000 : 500, random, all_agree));
    }
}

TEST(Km3Conformance, MakerGivesTheSameBytes) { expect_maker_reproduces("km3", 200); }

}  // namespace
}  // namespace gomkit::km3

// Every file of tests/conformance/gom and mta through the three readers of its format: the run-time's verify, the strict decoder and the
// checker. The files and their expected findings are made from the pages by make_gom_cases.py and make_mta_cases.py, without any of our code.
// covers GOM-FLAG-5, GOM-LIMIT-3, GOM-OLD-1, MTA-HDR-1, MTA-HDR-2, MTA-CHUNK-1, MTA-CHUNK-2, MTA-BONE-1

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <gomkit/runtime/model_view.hpp>
#include <gomkit/runtime/motion_view.hpp>

#include "canonical.hpp"
#include "check.hpp"
#include "conformance.hpp"
#include "decode.hpp"
#include "encode.hpp"

namespace gomkit::gom {
namespace {

using namespace conformance;

template <class View>
runtime::Status verify_as(std::span<const std::byte> bytes, runtime::ErrorInfo& info) {
    View view;
    return runtime::verify(bytes, {}, view, &info);
}

/// One of the two formats.
struct Format {
    const char* name;                 ///< folder, extension, and the maker's name
    const char* prefix;               ///< of the issues that this format's files must show, all of them
    std::size_t good, bad, lenient, issues, all;   ///< how many files and issues there are at least
    decltype(&gom::decode) decode;
    decltype(&gom::check) check;
    decltype(&verify_as<runtime::ModelView>) verify;
};

void PrintTo(const Format& format, std::ostream* out) { *out << format.name; }

const Format kFormats[] = {
    {"gom", "GOM_", 20, 250, 15, 120, 700, decode, check, verify_as<runtime::ModelView>},
    {"mta", "MTA_", 10, 100, 6, 8, 250, decode_motion, check_motion, verify_as<runtime::MotionView>},
};

class Conformance : public ::testing::TestWithParam<Format> {
protected:
    const Format& format() const { return GetParam(); }
    std::vector<File> files(const char* folder) const { return files_of(format().name, folder); }
    core::Report run_check(std::span<const std::byte> bytes) const;
    core::Result<Document> run_decode(std::span<const std::byte> bytes, bool lenient, core::Report& report) const;
    bool verifies(std::span<const std::byte> bytes, std::string* why = nullptr) const;
    void expect_report(const File& f) const;
};

core::Report Conformance::run_check(std::span<const std::byte> bytes) const {
    core::Report report("", 1000, 1000);
    codec::CheckOptions options;
    options.canonical = true;
    format().check(bytes, "", options, report);
    return report;
}

core::Result<Document> Conformance::run_decode(std::span<const std::byte> bytes, bool lenient, core::Report& report) const {
    DecodeOptions options;
    options.lenient = lenient;
    return format().decode(bytes, "file.gom", options, report);
}

bool Conformance::verifies(std::span<const std::byte> bytes, std::string* why) const {
    runtime::ErrorInfo info;
    const runtime::Status status = format().verify(bytes, info);
    if (why != nullptr) {
        *why = std::string(runtime::message(status)) + " " + info.part;
    }
    return status == runtime::Status::Ok;
}

bool has_load_error(const core::Report& report) {
    return std::any_of(report.issues().begin(), report.issues().end(),
                       [](const core::Issue& i) { return i.severity == core::Severity::Error && !is_checker_only(i.id); });
}

void Conformance::expect_report(const File& f) const {
    SCOPED_TRACE(f.path.filename().string());
    const bool loads = f.report.at("loads");
    const core::Report report = run_check(f.bytes.bytes());
    expect_findings(f, report);
    EXPECT_TRUE(std::all_of(report.issues().begin(), report.issues().end(), [](const core::Issue& i) { return i.count == 1; }));
    EXPECT_EQ(!has_load_error(report), loads);

    core::Report doubts;
    const core::Result<Document> document = run_decode(f.bytes.bytes(), false, doubts);
    EXPECT_EQ(document.has_value(), loads) << (document ? "" : core::to_string(document.error()));
    std::string why;
    EXPECT_EQ(verifies(f.bytes.bytes(), &why), loads) << why;
    if (!document) {
        // The decoder's one error is among the checker's: the note names the rule.
        ASSERT_FALSE(document.error().notes.empty());
        const std::string rule = document.error().notes.front().substr(std::strlen("rule "));
        const bool same = std::any_of(report.issues().begin(), report.issues().end(),
                                      [&](const core::Issue& i) { return rule == core::info(i.id).requirement; });
        EXPECT_TRUE(same) << core::to_string(document.error());
        EXPECT_EQ(document.error().code == core::Code::LimitExceeded, report.has(core::IssueId::GOM_LIMIT));
    }
}

TEST_P(Conformance, GoodFilesHaveNoFinding) {
    const auto all = files("good");
    EXPECT_GE(all.size(), format().good);
    for (const File& f : all) {
        EXPECT_TRUE(f.report.at("issues").empty()) << f.path;
        expect_report(f);
    }
}

TEST_P(Conformance, GoodFilesAreReproducedToTheByte) {
    for (const File& f : files("good")) {
        SCOPED_TRACE(f.path.filename().string());
        core::Report doubts;
        core::Result<Document> document = run_decode(f.bytes.bytes(), false, doubts);
        ASSERT_TRUE(document.has_value());
        EXPECT_TRUE(doubts.issues().empty());
        for (const bool settle : {false, true}) {
            if (settle) {
                canonicalise(*document);
            }
            const core::Bytes again = encode(*document);
            EXPECT_EQ(encoded_size(*document), again.size());
            EXPECT_TRUE(same_bytes(again, f.bytes.bytes())) << (settle ? "after canonicalise" : "as decoded");
        }
    }
}

TEST_P(Conformance, BadFilesHaveExactlyTheirFindings) {
    const auto all = files("bad");
    EXPECT_GE(all.size(), format().bad);
    for (const File& f : all) {
        expect_report(f);
    }
}

TEST_P(Conformance, ValidBadFilesBecomeCanonical) {
    for (const File& f : files("bad")) {
        if (!f.report.at("loads")) {
            continue;
        }
        SCOPED_TRACE(f.path.filename().string());
        core::Report doubts;
        core::Result<Document> document = run_decode(f.bytes.bytes(), true, doubts);
        ASSERT_TRUE(document.has_value()) << core::to_string(document.error());
        canonicalise(*document);
        document->validation_flags &= compute_validation_flags(*document);
        const core::Bytes once = encode(*document);
        const core::Report report = run_check(once);
        for (const core::Issue& i : report.issues()) {
            // What only the source can mend may stay; everything that is the writer's to settle is settled.
            EXPECT_EQ(i.severity == core::Severity::Warning || i.id == core::IssueId::GOM_BONE_SUFFIX, true) << core::to_string(i);
        }
        core::Result<Document> back = run_decode(once, false, doubts);
        ASSERT_TRUE(back.has_value()) << core::to_string(back.error());
        EXPECT_EQ(encode(*back), once);
        canonicalise(*back);
        EXPECT_EQ(encode(*back), once);
    }
}

TEST_P(Conformance, LenientFilesReadAsTheirTwins) {
    const auto all = files("lenient");
    EXPECT_GE(all.size(), format().lenient);
    for (const File& f : all) {
        SCOPED_TRACE(f.path.filename().string());
        const bool accepted = f.report.at("strict") == "accepted";
        core::Report unused;
        EXPECT_EQ(run_decode(f.bytes.bytes(), false, unused).has_value(), accepted);
        EXPECT_EQ(!has_load_error(run_check(f.bytes.bytes())), accepted);
        EXPECT_EQ(verifies(f.bytes.bytes()), accepted);

        core::Report report;
        core::Result<Document> document = run_decode(f.bytes.bytes(), true, report);
        ASSERT_TRUE(document.has_value()) << core::to_string(document.error());
        std::vector<std::string> warnings;
        for (const core::Issue& i : report.issues()) {
            warnings.emplace_back(core::info(i.id).name);
        }
        std::vector<std::string> expected = f.report.at("warnings");
        std::sort(warnings.begin(), warnings.end());
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(warnings, expected);

        canonicalise(*document);
        EXPECT_TRUE(same_bytes(encode(*document), load_file(format_folder(format().name) / std::string(f.report.at("contents"))).bytes()));
    }
}

// Lenient reading takes every valid file as strict reading does.
TEST_P(Conformance, LenientAgreesOnValidFiles) {
    for (const char* folder : {"good", "bad"}) {
        for (const File& f : files(folder)) {
            core::Report a, b;
            const auto strict = run_decode(f.bytes.bytes(), false, a);
            const auto lenient = run_decode(f.bytes.bytes(), true, b);
            if (strict) {
                ASSERT_TRUE(lenient.has_value()) << f.path << core::to_string(lenient.error());
                EXPECT_EQ(encode(*strict), encode(*lenient)) << f.path;
            }
        }
    }
}

// Every issue of the format's own is made by some file; only the ones that a writer makes about its source have their test in codec_test.
TEST_P(Conformance, EveryIssueOccurs) {
    expect_every_issue(format().name, {"good", "bad", "lenient"}, format().prefix, format().issues, {"GOM_FLAG_DROPPED"});
}

// Every prefix and every file with a byte changed, in a heap block of exactly its size, gives the three readers one answer.
TEST_P(Conformance, ReadersAgreeOnDamagedFiles) {
    Random random(12345);
    const auto all_agree = [this](std::span<const std::byte> bytes) {
        core::Report unused;
        const bool v = verifies(bytes);
        const auto d = run_decode(bytes, false, unused);
        const core::Report report = run_check(bytes);
        EXPECT_EQ(v, d.has_value()) << (d ? "" : core::to_string(d.error()));
        EXPECT_EQ(v, !has_load_error(report));
        return v == d.has_value() && v == !has_load_error(report);
    };
    for (const File& f : files("good")) {
        SCOPED_TRACE(f.path.filename().string());
        const bool full = f.path.stem() == "full";
        ASSERT_NO_FATAL_FAILURE(expect_agreement_on_damage(f.bytes.bytes(), full ? 1 : 37, full ? 6000 : 300, random, all_agree));
    }
}

TEST_P(Conformance, MakerGivesTheSameBytes) { expect_maker_reproduces(format().name, format().all); }

INSTANTIATE_TEST_SUITE_P(All, Conformance, ::testing::ValuesIn(kFormats), [](const auto& chosen) { return std::string(chosen.param.name); });

}  // namespace
}  // namespace gomkit::gom

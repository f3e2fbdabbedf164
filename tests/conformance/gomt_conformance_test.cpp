// Every file of tests/conformance/gomt through the text reader and the text checker. The files and their expected findings are made
// from the page by make_gomt_cases.py, without any of our code; so are the binary twins.
// covers GOMT-LEX-5, GOMT-LEX-6, GOMT-LEX-7, GOMT-FIELD-5, GOMT-FIELD-6, GOMT-FLOAT-1, GOMT-OLD-1, GOMT-CANON-1, GOMT-TWIN-1

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "canonical.hpp"
#include "check.hpp"
#include "conformance.hpp"
#include "decode.hpp"
#include "encode.hpp"
#include "text_check.hpp"
#include "text_read.hpp"
#include "text_write.hpp"

namespace gomkit::gom {
namespace {

using namespace conformance;

std::vector<File> files(const char* folder) { return files_of("gomt", folder); }

/// (line, column, id, severity, path), sorted.
using Row = std::tuple<std::uint32_t, std::uint32_t, std::string, std::string, std::string>;

std::vector<Row> expected_rows(const nlohmann::json& report, bool canonical) {
    std::vector<Row> out;
    for (const auto& i : report.at("issues")) {
        if (canonical || i.at("severity") != "canonical") {
            out.emplace_back(i.at("line"), i.at("column"), i.at("id"), i.at("severity"), i.at("path"));
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<Row> found_rows(const core::Report& report) {
    std::vector<Row> out;
    for (const core::Issue& i : report.issues()) {
        EXPECT_EQ(i.count, 1u);
        EXPECT_EQ(i.text.find('?'), std::string::npos) << i.text;   // an argument that the row's text names is missing
        const core::TextPos at = i.place.line.value_or(core::TextPos{});
        out.emplace_back(at.line, at.column, core::info(i.id).name, core::name(i.severity), i.place.part);
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::string text(const std::vector<Row>& rows) {
    std::string out;
    for (const auto& [line, column, id, severity, path] : rows) {
        out += "  " + std::to_string(line) + ":" + std::to_string(column) + " " + severity + " " + id + " " + path + "\n";
    }
    return out.empty() ? "  none\n" : out;
}

core::Report run_check(std::span<const std::byte> bytes, bool canonical = true) {
    core::Report report("", 10'000, 10'000);
    codec::CheckOptions options;
    options.canonical = canonical;
    check_text(bytes, "file.gomt", options, report);
    return report;
}

core::Result<TextDocument> run_read(std::span<const std::byte> bytes, bool lenient, core::Report& report) {
    DecodeOptions options;
    options.lenient = lenient;
    return read_text(bytes, "file.gomt", options, report);
}

/// As a converter writes it in binary.
core::Bytes binary_of(TextDocument read) {
    canonicalise(read.document);
    const std::uint32_t bits = compute_validation_flags(read.document);
    read.document.validation_flags = read.has_flags ? read.document.validation_flags & bits : bits;
    return encode(read.document);
}

bool has_load_error(const core::Report& report) {
    return std::any_of(report.issues().begin(), report.issues().end(),
                       [](const core::Issue& i) { return i.severity == core::Severity::Error && !is_checker_only(i.id); });
}

void expect_report(const File& f) {
    for (const bool canonical : {true, false}) {
        const core::Report report = run_check(f.bytes.bytes(), canonical);
        const auto expected = expected_rows(f.report, canonical);
        const auto found = found_rows(report);
        EXPECT_TRUE(expected == found) << "expected\n" << text(expected) << "found\n" << text(found);
    }
}

/// A refusal says where, names the rule, and is one of the checker's findings, at the same place.
void expect_refusal(const File& f, const core::Error& error) {
    const core::Report report = run_check(f.bytes.bytes());
    ASSERT_FALSE(error.notes.empty());
    ASSERT_TRUE(error.place.line.has_value());
    EXPECT_FALSE(error.place.byte.has_value());
    const std::string rule = error.notes.front().substr(std::strlen("rule "));
    const bool same = std::any_of(report.issues().begin(), report.issues().end(), [&](const core::Issue& i) {
        return rule == core::info(i.id).requirement && i.place.line == error.place.line && i.place.part == error.place.part;
    });
    EXPECT_TRUE(same) << core::to_string(error);
    EXPECT_FALSE(error.what.empty());
    EXPECT_FALSE(error.cure.empty());
    EXPECT_EQ(error.what.find('{'), std::string::npos) << error.what;
}

TEST(GomtConformance, GoodFilesHaveTheirFindings) {
    const auto all = files("good");
    EXPECT_GE(all.size(), 25u);
    for (const File& f : all) {
        SCOPED_TRACE(f.path.filename().string());
        expect_report(f);
    }
}

// covers GOMT-CANON-2, GOMT-CANON-3, GOMT-CANON-4, GOMT-CANON-5, GOMT-CANON-6, GOMT-CANON-7, GOMT-CANON-8, GOMT-CANON-9, GOMT-TWIN-2
TEST(GomtConformance, GoodFilesAndTheirTwinsMakeEachOther) {
    std::size_t canonical = 0;
    for (const File& f : files("good")) {
        SCOPED_TRACE(f.path.filename().string());
        const core::FileBytes twin = load_file(fs::path(f.path).replace_extension(".gom"));
        core::Report doubts;
        for (const bool lenient : {false, true}) {
            core::Result<TextDocument> read = run_read(f.bytes.bytes(), lenient, doubts);
            ASSERT_TRUE(read.has_value()) << core::to_string(read.error());
            const core::Bytes binary = binary_of(std::move(*read));
            EXPECT_TRUE(same_bytes(binary, twin.bytes()));
        }
        EXPECT_TRUE(doubts.issues().empty());
        if (!f.report.at("issues").empty()) {
            continue;
        }
        ++canonical;
        const auto document = decode(twin.bytes(), "", {}, doubts);
        ASSERT_TRUE(document.has_value());
        const auto written = write_text(*document, 1u << 24);
        ASSERT_TRUE(written.has_value());
        const std::string_view a(reinterpret_cast<const char*>(written->data()), written->size());
        const std::string_view b(reinterpret_cast<const char*>(f.bytes.bytes().data()), f.bytes.bytes().size());
        EXPECT_EQ(a, b);
    }
    EXPECT_GE(canonical, 6u);
}

TEST(GomtConformance, BadFilesHaveExactlyTheirFindings) {
    const auto all = files("bad");
    EXPECT_GE(all.size(), 250u);
    for (const File& f : all) {
        SCOPED_TRACE(f.path.filename().string());
        expect_report(f);
        for (const bool lenient : {false, true}) {
            core::Report doubts;
            const auto read = run_read(f.bytes.bytes(), lenient, doubts);
            const bool loads = f.report.at("loads");
            const bool old = lenient && f.path.stem().string() == "entry3_no_slots";
            EXPECT_EQ(read.has_value(), loads || old) << (read ? "" : core::to_string(read.error()));
            if (!read) {
                expect_refusal(f, read.error());
            }
        }
    }
}

TEST(GomtConformance, TheEarlierGenerationReadsAsItsTwin) {
    const auto all = files("old");
    EXPECT_GE(all.size(), 6u);
    for (const File& f : all) {
        SCOPED_TRACE(f.path.filename().string());
        expect_report(f);
        core::Report report;
        const auto strict = run_read(f.bytes.bytes(), false, report);
        ASSERT_FALSE(strict.has_value());
        expect_refusal(f, strict.error());
        auto lenient = run_read(f.bytes.bytes(), true, report);
        ASSERT_TRUE(lenient.has_value()) << core::to_string(lenient.error());
        std::vector<std::string> warnings;
        for (const core::Issue& i : report.issues()) {
            warnings.emplace_back(core::info(i.id).name);
            EXPECT_TRUE(i.place.line.has_value());
        }
        std::vector<std::string> expected = f.report.at("warnings");
        std::sort(warnings.begin(), warnings.end());
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(warnings, expected);
        const core::Bytes binary = binary_of(std::move(*lenient));
        const core::FileBytes twin = load_file(fs::path(f.path).replace_extension(".gom"));
        EXPECT_TRUE(same_bytes(binary, twin.bytes()));
    }
}

TEST(GomtConformance, EveryIssueOccurs) {
    expect_every_issue("gomt", {"good", "bad", "old"}, "GOMT_", 20);
}

// A file that was cut off is refused wherever the cut is, read strictly or not.
TEST(GomtConformance, NoBeginningOfAFileIsAFile) {
    const core::FileBytes full = load_file(format_folder("gomt") / "good" / "full.gomt");
    const std::size_t end = full.bytes().size() - 1;   // without the last line's end it is a file still
    for (std::size_t size = 0; size < end; ++size) {
        const core::Bytes cut(full.bytes().begin(), full.bytes().begin() + static_cast<std::ptrdiff_t>(size));
        core::Report unused;
        ASSERT_FALSE(run_read(cut, false, unused).has_value()) << size;
        ASSERT_FALSE(run_read(cut, true, unused).has_value()) << size;
        ASSERT_TRUE(has_load_error(run_check(cut, false))) << size;
    }
}

// Files with bytes changed, in a heap block of exactly their size: reader and checker give one answer, and what is read is written
// as a text that reads back.
TEST(GomtConformance, ReaderAndCheckerAgreeOnDamagedFiles) {
    Random random(4711);
    std::size_t accepted = 0;
    for (const File& f : files("good")) {
        SCOPED_TRACE(f.path.filename().string());
        for (int i = 0; i < 300; ++i) {
            core::Bytes changed(f.bytes.bytes().begin(), f.bytes.bytes().end());
            static constexpr char kValues[] = "0123456789-.,={}[]\"\\/ \neu\x7f\xff";
            for (std::uint32_t k = 1 + random.next() % 2; k > 0; --k) {
                changed[random.next() % changed.size()] = static_cast<std::byte>(kValues[random.next() % (sizeof(kValues) - 1)]);
            }
            core::Report unused;
            auto read = run_read(changed, false, unused);
            const core::Report report = run_check(changed);
            ASSERT_EQ(read.has_value(), !has_load_error(report))
                << "round " << i << ": " << (read ? text(found_rows(report)) : core::to_string(read.error()));
            if (read) {
                ++accepted;
                const core::Bytes binary = binary_of(*read);
                const auto document = decode(binary, "", {}, unused);
                ASSERT_TRUE(document.has_value());
                const auto written = write_text(*document, 1u << 24);
                ASSERT_TRUE(written.has_value());
                auto again = run_read(*written, false, unused);
                ASSERT_TRUE(again.has_value()) << core::to_string(again.error());
                ASSERT_TRUE(binary_of(std::move(*again)) == binary);
            }
        }
    }
    EXPECT_GE(accepted, 500u);
}

TEST(GomtConformance, MakerGivesTheSameBytes) { expect_maker_reproduces("gomt", 600); }

}  // namespace
}  // namespace gomkit::gom

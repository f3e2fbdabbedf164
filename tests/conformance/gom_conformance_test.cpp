// Every file of tests/conformance/gom and mta through the three readers of its format: the run-time's verify, the strict decoder and the
// checker. The files and their expected findings are made from the pages by make_gom_cases.py and make_mta_cases.py, without any of our code.
// covers GOM-FLAG-5, GOM-LIMIT-3, GOM-OLD-1, MTA-HDR-1, MTA-HDR-2, MTA-CHUNK-1, MTA-CHUNK-2, MTA-BONE-1

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <gomkit/core/file.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/runtime/model_view.hpp>
#include <gomkit/runtime/motion_view.hpp>

#include "canonical.hpp"
#include "check.hpp"
#include "decode.hpp"
#include "encode.hpp"

namespace gomkit::gom {
namespace {

namespace fs = std::filesystem;

template <class View>
runtime::Status verify_as(std::span<const std::byte> bytes, runtime::ErrorInfo& info) {
    View view;
    return runtime::verify(bytes, {}, view, &info);
}

/// One of the two formats.
struct Format {
    const char* name;                 ///< folder, extension, and the maker's name
    const char* prefix;               ///< of the issues that this format's files must show, all of them
    std::size_t good, bad, lenient, issues, made;   ///< how many files and issues there are at least
    decltype(&gom::decode) decode;
    decltype(&gom::check) check;
    decltype(&verify_as<runtime::ModelView>) verify;
};

void PrintTo(const Format& format, std::ostream* out) { *out << format.name; }

const Format kFormats[] = {
    {"gom", "GOM_", 20, 250, 15, 120, 1000, decode, check, verify_as<runtime::ModelView>},
    {"mta", "MTA_", 10, 100, 6, 8, 500, decode_motion, check_motion, verify_as<runtime::MotionView>},
};

struct File {
    fs::path path;
    core::FileBytes bytes;
    nlohmann::json report;
};

class Conformance : public ::testing::TestWithParam<Format> {
protected:
    const Format& format() const { return GetParam(); }
    fs::path root() const { return fs::path(GOMKIT_SOURCE_DIR) / "tests" / "conformance" / format().name; }
    std::vector<File> files(const char* folder) const;
    core::Report run_check(std::span<const std::byte> bytes) const;
    core::Result<Document> run_decode(std::span<const std::byte> bytes, bool lenient, core::Report& report) const;
    bool verifies(std::span<const std::byte> bytes, std::string* why = nullptr) const;
    void expect_report(const File& f) const;
};

std::vector<File> Conformance::files(const char* folder) const {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(root() / folder)) {
        if (entry.path().extension() == "." + std::string(format().name)) {
            paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    std::vector<File> out;
    for (const fs::path& path : paths) {
        auto bytes = core::read_file(path.string(), 1u << 24);
        EXPECT_TRUE(bytes.has_value()) << path;
        std::ifstream text(fs::path(path).replace_extension(".report.json"));
        out.push_back(File{path, std::move(*bytes), nlohmann::json::parse(text, nullptr, false)});
        EXPECT_FALSE(out.back().report.is_discarded()) << path;
    }
    return out;
}

/// (id, severity, part, byte), sorted: the order of findings is not fixed.
using Finding = std::tuple<std::string, std::string, std::string, std::uint64_t>;

std::vector<Finding> expected_findings(const nlohmann::json& report) {
    std::vector<Finding> out;
    for (const auto& i : report.at("issues")) {
        out.emplace_back(i.at("id"), i.at("severity"), i.at("part"), i.at("byte"));
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<Finding> found_findings(const core::Report& report) {
    std::vector<Finding> out;
    for (const core::Issue& i : report.issues()) {
        EXPECT_EQ(i.count, 1u);
        EXPECT_EQ(i.text.find('?'), std::string::npos) << i.text;   // an argument that the row's text names is missing
        out.emplace_back(core::info(i.id).name, core::name(i.severity), i.place.part, i.place.byte.value_or(~0ull));
    }
    std::sort(out.begin(), out.end());
    return out;
}

std::string text(const std::vector<Finding>& findings) {
    std::string out;
    for (const auto& [id, severity, part, byte] : findings) {
        out += "  " + severity + " " + id + " " + part + " (byte " + std::to_string(byte) + ")\n";
    }
    return out.empty() ? "  none\n" : out;
}

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
    const auto expected = expected_findings(f.report);
    const auto found = found_findings(report);
    EXPECT_TRUE(expected == found) << "expected\n" << text(expected) << "found\n" << text(found);
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
            ASSERT_EQ(again.size(), f.bytes.bytes().size());
            EXPECT_EQ(encoded_size(*document), again.size());
            EXPECT_TRUE(std::equal(again.begin(), again.end(), f.bytes.bytes().begin())) << (settle ? "after canonicalise" : "as decoded");
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
        const core::Bytes bytes = encode(*document);
        auto twin = core::read_file((root() / std::string(f.report.at("contents"))).string(), 1u << 24);
        ASSERT_TRUE(twin.has_value());
        EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), twin->bytes().begin(), twin->bytes().end()));
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
    std::set<std::string> seen{"GOM_FLAG_DROPPED"};
    for (const char* folder : {"good", "bad"}) {
        for (const File& f : files(folder)) {
            for (const auto& i : f.report.at("issues")) {
                seen.insert(i.at("id"));
            }
        }
    }
    for (const File& f : files("lenient")) {
        for (const auto& w : f.report.at("warnings")) {
            seen.insert(w);
        }
    }
    std::size_t count = 0;
    for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(core::IssueId::Count); ++i) {
        const std::string name = core::info(static_cast<core::IssueId>(i)).name;
        if (name.rfind(format().prefix, 0) == 0) {
            ++count;
            EXPECT_TRUE(seen.count(name) != 0) << name << " occurs in no file";
        }
    }
    EXPECT_GE(count, format().issues);
}

// Every prefix and every file with a byte changed, in a heap block of exactly its size, gives the three readers one answer.
TEST_P(Conformance, ReadersAgreeOnDamagedFiles) {
    std::uint32_t random = 12345;
    const auto next = [&random] {
        random = random * 1664525u + 1013904223u;
        return random >> 8;
    };
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
        const auto bytes = f.bytes.bytes();
        const bool full = f.path.stem() == "full";
        for (std::size_t size = 0; size < bytes.size(); size += full ? 1 : 37) {
            const core::Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
            ASSERT_TRUE(all_agree(cut)) << "the first " << size << " bytes";
        }
        for (int i = 0; i < (full ? 6000 : 300); ++i) {
            core::Bytes changed(bytes.begin(), bytes.end());
            const std::size_t at = next() % changed.size();
            static constexpr std::uint8_t kValues[] = {0, 1, 2, 3, 0x7F, 0x80, 0xFF};
            changed[at] = std::byte{kValues[next() % std::size(kValues)]};
            if (next() % 2 == 0) {
                changed[next() % changed.size()] = std::byte{static_cast<std::uint8_t>(next())};
            }
            ASSERT_TRUE(all_agree(changed)) << "byte " << at << " changed in round " << i;
        }
    }
}

// covers the rule that rerunning the maker gives the same bytes
TEST_P(Conformance, MakerGivesTheSameBytes) {
    const fs::path folder = fs::temp_directory_path() / (std::string(format().name) + "_conformance_" + std::to_string(std::hash<std::string>{}(::testing::TempDir())));
    const fs::path maker = root().parent_path() / ("make_" + std::string(format().name) + "_cases.py");
    fs::remove_all(folder);
    const std::string command = "python3 -B '" + maker.string() + "' '" + folder.string() + "' > /dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
    std::size_t count = 0;
    for (const fs::path& from : {root(), folder}) {
        const fs::path other = from == folder ? root() : folder;
        for (const auto& entry : fs::recursive_directory_iterator(from)) {
            if (!entry.is_regular_file()) {
                continue;
            }
            ++count;
            const fs::path twin = other / fs::relative(entry.path(), from);
            ASSERT_TRUE(fs::exists(twin)) << twin;
            auto a = core::read_file(entry.path().string(), 1u << 24);
            auto b = core::read_file(twin.string(), 1u << 24);
            ASSERT_TRUE(a.has_value() && b.has_value());
            EXPECT_TRUE(std::equal(a->bytes().begin(), a->bytes().end(), b->bytes().begin(), b->bytes().end())) << entry.path();
        }
    }
    EXPECT_GT(count, format().made);
    fs::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(All, Conformance, ::testing::ValuesIn(kFormats), [](const auto& chosen) { return std::string(chosen.param.name); });

}  // namespace
}  // namespace gomkit::gom

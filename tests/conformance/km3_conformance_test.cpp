// Every file of tests/conformance/km3 through the decoder, strict and lenient, and the checker. The files and their expected findings
// are made from the page by make_km3_cases.py, without any of our code.
// covers KM3-NUM-2, KM3-RANGE-6, KM3-WEIGHT-3, KM3-UV-1, KM3-EXT-4

#include <algorithm>
#include <cstdlib>
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
#include <gomkit/km3/km3.hpp>

#include "check.hpp"
#include "decode.hpp"
#include "encode.hpp"

namespace gomkit::km3 {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = fs::path(GOMKIT_SOURCE_DIR) / "tests" / "conformance" / "km3";

struct File {
    fs::path path;
    core::FileBytes bytes;
    nlohmann::json report;
};

std::vector<File> files(const char* folder) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(kRoot / folder)) {
        if (entry.path().extension() == ".km3") {
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

using Finding = std::tuple<std::string, std::string, std::string, std::uint64_t>;

std::string text(const std::vector<Finding>& findings) {
    std::string out;
    for (const auto& [id, severity, part, byte] : findings) {
        out += "  " + severity + " " + id + " " + part + " (byte " + std::to_string(byte) + ")\n";
    }
    return out.empty() ? "  none\n" : out;
}

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
    std::vector<Finding> expected;
    for (const auto& i : f.report.at("issues")) {
        expected.emplace_back(i.at("id"), i.at("severity"), i.at("part"), i.at("byte"));
    }
    std::vector<Finding> found;
    for (const core::Issue& i : report.issues()) {
        EXPECT_EQ(i.text.find('?'), std::string::npos) << i.text;   // an argument that the row's text names is missing
        found.emplace_back(core::info(i.id).name, core::name(i.severity), i.place.part, i.place.byte.value_or(~0ull));
    }
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    EXPECT_TRUE(expected == found) << "expected\n" << text(expected) << "found\n" << text(found);
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
        EXPECT_TRUE(std::equal(again.begin(), again.end(), f.bytes.bytes().begin(), f.bytes.bytes().end()));
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
        EXPECT_TRUE(std::equal(again->begin(), again->end(), f.bytes.bytes().begin(), f.bytes.bytes().end()));
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
            const auto twin = core::read_file((kRoot / std::string(f.report.at("twin"))).string(), 1u << 24);
            ASSERT_TRUE(twin.has_value());
            EXPECT_TRUE(std::equal(once.begin(), once.end(), twin->bytes().begin(), twin->bytes().end()));
        }
    }
    EXPECT_GE(twins, 18u);
}

TEST(Km3Conformance, EveryCodeOccurs) {
    std::set<std::string> seen{"KM3_NOT_CANONICAL"};
    // Findings of reading into a model and of writing have their tests in libs/km3/test.
    const std::set<std::string> elsewhere{"KM3_QUAD_BENT", "KM3_NO_AREA", "KM3_FIT", "KM3_MOVED", "KM3_CRACKED", "KM3_TEXTURE_RENAMED", "KM3_NORMALS_SIGN"};
    for (const char* folder : {"good", "bad"}) {
        for (const File& f : files(folder)) {
            for (const auto& i : f.report.at("issues")) {
                seen.insert(i.at("id"));
            }
        }
    }
    std::size_t count = 0;
    for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(core::IssueId::Count); ++i) {
        const std::string name = core::info(static_cast<core::IssueId>(i)).name;
        if (name.rfind("KM3_", 0) == 0 && elsewhere.count(name) == 0) {
            ++count;
            EXPECT_TRUE(seen.count(name) != 0) << name << " occurs in no file";
        }
    }
    EXPECT_EQ(count, 26u);
}

// Every prefix and every file with bytes changed gives the readers one answer, and nothing reads past a block of exactly its size.
TEST(Km3Conformance, ReadersAgreeOnDamagedFiles) {
    std::uint32_t random = 12345;
    const auto next = [&random] {
        random = random * 1664525u + 1013904223u;
        return random >> 8;
    };
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
        const auto bytes = f.bytes.bytes();
        const bool full = f.path.stem() == "chain" || f.path.stem() == "example";
        for (std::size_t size = 0; size < bytes.size(); size += full ? 1 : 13) {
            const core::Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
            ASSERT_TRUE(all_agree(cut)) << "the first " << size << " bytes";
        }
        for (int i = 0; i < (full ? 6000 : 500) && !bytes.empty(); ++i) {
            core::Bytes changed(bytes.begin(), bytes.end());
            const std::size_t at = next() % changed.size();
            static constexpr std::uint8_t kValues[] = {0, 1, 2, 3, 4, 0x10, 0x7F, 0x80, 0xFF};
            changed[at] = std::byte{kValues[next() % std::size(kValues)]};
            if (next() % 2 == 0) {
                changed[next() % changed.size()] = std::byte{static_cast<std::uint8_t>(next())};
            }
            ASSERT_TRUE(all_agree(changed)) << "byte " << at << " changed in round " << i;
        }
    }
}

TEST(Km3Conformance, MakerGivesTheSameBytes) {
    const fs::path folder = fs::temp_directory_path() / ("km3_conformance_" + std::to_string(std::hash<std::string>{}(::testing::TempDir())));
    const fs::path maker = kRoot.parent_path() / "make_km3_cases.py";
    fs::remove_all(folder);
    const std::string command = "python3 -B '" + maker.string() + "' '" + folder.string() + "' > /dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
    std::size_t count = 0;
    for (const fs::path& root : {kRoot, folder}) {
        const fs::path other = root == kRoot ? folder : kRoot;
        for (const auto& entry : fs::recursive_directory_iterator(root)) {
            if (!entry.is_regular_file()) {
                continue;
            }
            ++count;
            const fs::path twin = other / fs::relative(entry.path(), root);
            ASSERT_TRUE(fs::exists(twin)) << twin;
            auto a = core::read_file(entry.path().string(), 1u << 24);
            auto b = core::read_file(twin.string(), 1u << 24);
            ASSERT_TRUE(a.has_value() && b.has_value());
            EXPECT_TRUE(std::equal(a->bytes().begin(), a->bytes().end(), b->bytes().begin(), b->bytes().end())) << entry.path();
        }
    }
    EXPECT_GT(count, 300u);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace gomkit::km3

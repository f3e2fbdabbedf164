// Every file of tests/conformance/ps1m through the decoder and the checker. The files and their expected findings are made from the page
// by make_ps1m_cases.py, without any of our code.
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

#include "decode.hpp"
#include "encode.hpp"

namespace gomkit::ps1 {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = fs::path(GOMKIT_SOURCE_DIR) / "tests" / "conformance" / "ps1m";

struct File {
    fs::path path;
    core::FileBytes bytes;
    nlohmann::json report;
};

std::vector<File> files(const char* folder) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(kRoot / folder)) {
        if (entry.path().extension() == ".ps1m") {
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
    check(bytes, "", canonical, report);
    return report;
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
    const auto document = decode(f.bytes.bytes(), "file.ps1m");
    EXPECT_EQ(document.has_value(), f.report.at("reads")) << (document ? "" : core::to_string(document.error()));
    if (!document) {
        // The decoder's one error is among the checker's findings, and at the same place.
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
                EXPECT_TRUE(std::equal(again.begin(), again.end(), f.bytes.bytes().begin(), f.bytes.bytes().end()));
            }
        }
    }
}

TEST(Ps1mConformance, EveryCodeOccurs) {
    std::set<std::string> seen{"PS1_NOT_CANONICAL"};   // on request only
    for (const File& f : files("bad")) {
        for (const auto& i : f.report.at("issues")) {
            seen.insert(i.at("id"));
        }
    }
    for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(core::IssueId::Count); ++i) {
        const std::string name = core::info(static_cast<core::IssueId>(i)).name;
        if (name.rfind("PS1_", 0) == 0) {
            EXPECT_TRUE(seen.count(name) != 0) << name << " occurs in no file";
        }
    }
}

TEST(Ps1mConformance, MakerGivesTheSameBytes) {
    const fs::path folder = fs::temp_directory_path() / ("ps1m_conformance_" + std::to_string(std::hash<std::string>{}(::testing::TempDir())));
    const fs::path maker = kRoot.parent_path() / "make_ps1m_cases.py";
    fs::remove_all(folder);
    const std::string command = "python3 -B '" + maker.string() + "' '" + folder.string() + "' > /dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
    for (const fs::path& root : {kRoot, folder}) {
        const fs::path other = root == kRoot ? folder : kRoot;
        for (const auto& entry : fs::recursive_directory_iterator(root)) {
            if (!entry.is_regular_file()) {
                continue;
            }
            const fs::path twin = other / fs::relative(entry.path(), root);
            ASSERT_TRUE(fs::exists(twin)) << twin;
            auto a = core::read_file(entry.path().string(), 1u << 24);
            auto b = core::read_file(twin.string(), 1u << 24);
            ASSERT_TRUE(a.has_value() && b.has_value());
            EXPECT_TRUE(std::equal(a->bytes().begin(), a->bytes().end(), b->bytes().begin(), b->bytes().end())) << entry.path();
        }
    }
    fs::remove_all(folder);
}

}  // namespace
}  // namespace gomkit::ps1

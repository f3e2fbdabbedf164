#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <gomkit/core/file.hpp>
#include <gomkit/core/report.hpp>

#include "source_dir.hpp"

/// What the tests over tests/conformance/<format> have in common. A format's name is that of its folder, of the extension of its files
/// and of their maker, make_<format>_cases.py.
namespace gomkit::conformance {

namespace fs = std::filesystem;

struct File {
    fs::path path;
    core::FileBytes bytes;
    nlohmann::json report;       ///< what it must give, from the .report.json beside it
};

inline fs::path format_folder(const std::string& format) { return fs::path(source_dir()) / "tests" / "conformance" / format; }

inline core::FileBytes load_file(const fs::path& path) {
    auto bytes = core::read_file(path.string(), 1u << 24);
    EXPECT_TRUE(bytes.has_value()) << path;
    return bytes ? std::move(*bytes) : core::FileBytes(core::Bytes{});
}

/// The files of a folder such as "good", by name.
inline std::vector<File> files_of(const std::string& format, const std::string& folder) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(format_folder(format) / folder)) {
        if (entry.path().extension() == "." + format) {
            paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    std::vector<File> out;
    for (const fs::path& path : paths) {
        std::ifstream text(fs::path(path).replace_extension(".report.json"));
        out.push_back(File{path, load_file(path), nlohmann::json::parse(text, nullptr, false)});
        EXPECT_FALSE(out.back().report.is_discarded()) << path;
    }
    return out;
}

inline bool same_bytes(std::span<const std::byte> a, std::span<const std::byte> b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

/// (id, severity, part, byte) of binary formats; sorted, since the order of findings is not fixed.
using Finding = std::tuple<std::string, std::string, std::string, std::uint64_t>;

inline std::vector<Finding> expected_findings(const nlohmann::json& report) {
    std::vector<Finding> out;
    for (const auto& i : report.at("issues")) {
        out.emplace_back(i.at("id"), i.at("severity"), i.at("part"), i.at("byte"));
    }
    std::sort(out.begin(), out.end());
    return out;
}

inline std::vector<Finding> found_findings(const core::Report& report) {
    std::vector<Finding> out;
    for (const core::Issue& i : report.issues()) {
        EXPECT_EQ(i.text.find('?'), std::string::npos) << i.text;   // an argument that the row's text names is missing
        out.emplace_back(core::info(i.id).name, core::name(i.severity), i.place.part, i.place.byte.value_or(~0ull));
    }
    std::sort(out.begin(), out.end());
    return out;
}

inline std::string listed(const std::vector<Finding>& findings) {
    std::string out;
    for (const auto& [id, severity, part, byte] : findings) {
        out += "  " + severity + " " + id + " " + part + " (byte " + std::to_string(byte) + ")\n";
    }
    return out.empty() ? "  none\n" : out;
}

inline void expect_findings(const File& f, const core::Report& report) {
    const auto expected = expected_findings(f.report);
    const auto found = found_findings(report);
    EXPECT_TRUE(expected == found) << "expected\n" << listed(expected) << "found\n" << listed(found);
}

/// Every id that begins with `prefix` is an issue or a warning of some file in the folders, or one of `elsewhere`, which have their
/// test in other places. `least`: how many the files must show.
inline void expect_every_issue(const std::string& format, std::initializer_list<const char*> folders, std::string_view prefix, std::size_t least,
                               const std::set<std::string>& elsewhere = {}) {
    std::set<std::string> seen;
    for (const char* folder : folders) {
        for (const File& f : files_of(format, folder)) {
            for (const auto& i : f.report.value("issues", nlohmann::json::array())) {
                seen.insert(i.at("id"));
            }
            for (const auto& w : f.report.value("warnings", nlohmann::json::array())) {
                seen.insert(w);
            }
        }
    }
    std::size_t count = 0;
    for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(core::IssueId::Count); ++i) {
        const std::string name = core::info(static_cast<core::IssueId>(i)).name;
        if (name.starts_with(prefix) && elsewhere.count(name) == 0) {
            ++count;
            EXPECT_TRUE(seen.count(name) != 0) << name << " occurs in no file";
        }
    }
    EXPECT_GE(count, least);
}

/// The same numbers on every system.
class Random {
public:
    explicit Random(std::uint32_t seed) : state_(seed) {}
    std::uint32_t next() {
        state_ = state_ * 1664525u + 1013904223u;
        return state_ >> 8;
    }

private:
    std::uint32_t state_;
};

/// agree(bytes) holds for every `step`th beginning of a file and for `rounds` copies of it with a byte or two changed, each in a heap
/// block of exactly its size.
template <class Agree>
void expect_agreement_on_damage(std::span<const std::byte> bytes, std::size_t step, int rounds, Random& random, Agree&& agree) {
    for (std::size_t size = 0; size < bytes.size(); size += step) {
        const core::Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        ASSERT_TRUE(agree(cut)) << "the first " << size << " bytes";
    }
    for (int i = 0; i < rounds && !bytes.empty(); ++i) {
        core::Bytes changed(bytes.begin(), bytes.end());
        const std::size_t at = random.next() % changed.size();
        static constexpr std::uint8_t kValues[] = {0, 1, 2, 3, 4, 0x10, 0x7F, 0x80, 0xFF};
        changed[at] = std::byte{kValues[random.next() % std::size(kValues)]};
        if (random.next() % 2 == 0) {
            changed[random.next() % changed.size()] = std::byte{static_cast<std::uint8_t>(random.next())};
        }
        ASSERT_TRUE(agree(changed)) << "byte " << at << " changed in round " << i;
    }
}

/// Rerunning the maker gives the same files, at least `least` of them, with the same bytes.
inline void expect_maker_reproduces(const std::string& format, std::size_t least) {
    const fs::path root = format_folder(format);
    const fs::path made = fs::temp_directory_path() / (format + "_conformance_" + std::to_string(::getpid()));
    const fs::path maker = root.parent_path() / ("make_" + format + "_cases.py");
    fs::remove_all(made);
    const std::string command = "python3 -B '" + maker.string() + "' '" + made.string() + "' > /dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
    const auto list = [](const fs::path& folder) {
        std::set<fs::path> out;
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.is_regular_file()) {
                out.insert(fs::relative(entry.path(), folder));
            }
        }
        return out;
    };
    const std::set<fs::path> files = list(root);
    EXPECT_GE(files.size(), least);
    EXPECT_EQ(files, list(made));
    for (const fs::path& file : files) {
        if (fs::exists(made / file)) {
            EXPECT_TRUE(same_bytes(load_file(root / file).bytes(), load_file(made / file).bytes())) << file;
        }
    }
    fs::remove_all(made);
}

}  // namespace gomkit::conformance

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sample.hpp"
#include "source_dir.hpp"

namespace gomkit::mv1::test {

std::vector<std::pair<std::string, core::FileBytes>> corpus_files() {
    const char* variable = std::getenv("GOMKIT_CORPUS");
    const std::filesystem::path folder =
        (variable != nullptr ? std::filesystem::path(variable) : std::filesystem::path(source_dir()) / ".." / "shared" / "corpus") / "mv1";
    std::vector<std::pair<std::string, core::FileBytes>> out;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        if (entry.path().extension() == ".mv1") {
            auto bytes = core::read_file(entry.path().string(), 1u << 30);
            if (bytes) {
                out.emplace_back(entry.path().filename().string(), std::move(*bytes));
            }
        }
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return out;
}

}  // namespace gomkit::mv1::test

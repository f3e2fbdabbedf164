// Runs a fuzz target over stored inputs, for compilers without libFuzzer and for every test run: replay FOLDER_OR_FILE...
// A file is given in a heap block of exactly its size, so that a sanitizer sees the first byte read past it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
    namespace fs = std::filesystem;
    std::vector<fs::path> files;
    for (int i = 1; i < argc; ++i) {
        if (fs::is_directory(argv[i])) {
            for (const auto& entry : fs::recursive_directory_iterator(argv[i])) {
                if (entry.is_regular_file() && entry.path().extension() != ".json") {
                    files.push_back(entry.path());
                }
            }
        } else if (fs::is_regular_file(argv[i])) {
            files.emplace_back(argv[i]);
        } else {
            std::fprintf(stderr, "replay: %s does not exist\n", argv[i]);
            return 1;
        }
    }
    std::sort(files.begin(), files.end());
    if (files.empty()) {
        std::fprintf(stderr, "replay: no inputs\n");
        return 1;
    }
    for (const fs::path& file : files) {
        std::ifstream in(file, std::ios::binary);
        const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
        const auto block = std::make_unique<std::uint8_t[]>(bytes.size());
        if (!bytes.empty()) {
            std::memcpy(block.get(), bytes.data(), bytes.size());
        }
        std::fprintf(stderr, "%s\n", file.string().c_str());   // before the run: it names the input that crashes
        LLVMFuzzerTestOneInput(block.get(), bytes.size());
    }
    std::printf("%zu inputs\n", files.size());
    return 0;
}

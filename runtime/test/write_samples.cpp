// Usage: gomkit_runtime_samples FOLDER
#include <cstdio>
#include <fstream>
#include <string>

#include "sample.hpp"

int main(int argc, char** argv) {
    using namespace gomkit::runtime::test;
    if (argc != 2) {
        std::fputs("usage: gomkit_runtime_samples FOLDER\n", stderr);
        return 2;
    }
    const auto write = [&](const char* name, const Builder& b) {
        std::ofstream out(std::string(argv[1]) + "/" + name, std::ios::binary);
        out.write(reinterpret_cast<const char*>(b.bytes.data()), static_cast<std::streamsize>(b.bytes.size()));
        return out.good();
    };
    const bool good =
        write("sample.gom", sample()) && write("least.gom", least()) &&
        write("skeleton.gom", skeleton_only({{-1, {"Root", "Root"}}, {0, {"A/B", "Root/A%2FB"}}, {0, {"A/B", "Root/A%2FB~2"}}}));
    return good ? 0 : 5;
}

// Usage: gomkit_runtime_samples FOLDER
#include <cstdio>
#include <fstream>
#include <string>

#include "clip_maker.hpp"

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
    // Keys in every channel, a root that walks and turns.
    const MadeClip walk{
        "walk",
        1.5F,
        0,
        3,
        {{0, {{0.0F, {0, 1, 0}}, {1.5F, {1, 1, 2}}}, {{0.0F, {}}, {1.5F, about({0, 1, 0}, 1)}}, {}},
         {2, {}, {{0.25F, about({1, 0, 0}, 0.5)}, {1.0F, about({0, 0, 1}, 2)}}, {{0.5F, {1, 2, 1}}, {0.75F, {2, 1, 1}}}}}};
    const bool motions = write("sample.mta", sample_motion()) && write("least.mta", least_motion()) &&
                         write("walk.mta", make_motion(kSampleSignature, {walk}));
    const bool good =
        motions && write("sample.gom", sample()) && write("morph.gom", morph_sample()) && write("least.gom", least()) &&
        write("skeleton.gom", skeleton_only({{-1, {"Root", "Root"}}, {0, {"A/B", "Root/A%2FB"}}, {0, {"A/B", "Root/A%2FB~2"}}}));
    return good ? 0 : 5;
}

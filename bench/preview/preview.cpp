// Pictures a second of a PS1M, beside the PNG of one of them, which is the baseline: what a preview costs anyway.
//
//   bench_preview FILE.ps1m [FILE.tim] [--benchmark_...]
//
// tests/oracle/ps1_character.py makes a figure of 1,000 triangles. Counters, of CPU time: per_second, pictures of 320 x 240 (posing, projecting, lighting, drawing); times_png, the time of one
// as a multiple of the baseline's.
#include <benchmark/benchmark.h>

#include <time.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <gomkit/core/file.hpp>
#include <gomkit/image/image.hpp>
#include <gomkit/ps1/preview.hpp>

namespace {

using namespace gomkit;

constexpr std::uint32_t kPictures = 64;   // of one call, so that reading the file does not count

// CPU time of this thread.
double seconds_of(const std::function<void()>& work) {
    timespec a{}, b{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    work();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    return static_cast<double>(b.tv_sec - a.tv_sec) + 1e-9 * static_cast<double>(b.tv_nsec - a.tv_nsec);
}

image::Image first_picture(const ps1::Preview& preview, int width, int height) {
    image::Image out{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const std::uint16_t pixel = preview.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(preview.width) + static_cast<std::size_t>(x)];
            const auto [red, green, blue] = ps1::channels_of(pixel);
            out.rgba.insert(out.rgba.end(), {red, green, blue, 0xFF});
        }
    }
    return out;
}

void run(benchmark::State& state, const core::FileBytes& model, const ps1::PreviewOptions& options) {
    double drawing = 0, baseline = 0;
    std::uint64_t pictures = 0, written = 0;
    for (auto _ : state) {
        ps1::Preview preview;
        drawing += seconds_of([&] { preview = std::move(*ps1::preview(model.bytes(), "bench", options)); });
        pictures += kPictures;
        const image::Image picture = first_picture(preview, options.width, options.height);
        baseline += seconds_of([&] { benchmark::DoNotOptimize(image::write_png(picture)); });
        ++written;
    }
    const double one = drawing / static_cast<double>(pictures);
    state.counters["per_second"] = 1 / one;
    state.counters["times_png"] = one / (baseline / static_cast<double>(written));
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (argc < 2 || argc > 3) {
        std::fprintf(stderr, "usage: bench_preview FILE.ps1m [FILE.tim]\n");
        return 2;
    }
    const auto model = core::read_file(argv[1], 1u << 30);
    const auto texture = argc == 3 ? core::read_file(argv[2], 1u << 30) : core::FileBytes();
    if (!model || !texture) {
        std::fprintf(stderr, "%s\n", core::to_string(model ? texture.error() : model.error()).c_str());
        return 1;
    }
    ps1::PreviewOptions options;
    options.contact_sheet = kPictures;
    if (const auto tried = ps1::preview(model->bytes(), argv[1], options); !tried) {
        std::fprintf(stderr, "%s\n", core::to_string(tried.error()).c_str());
        return 1;
    }
    benchmark::RegisterBenchmark("preview/white", [&](benchmark::State& state) { run(state, *model, options); });
    ps1::PreviewOptions textured = options;
    if (argc == 3) {
        textured.textures.assign(3, {texture->bytes(), argv[2], 0, 0, {}});
        benchmark::RegisterBenchmark("preview/textured", [&](benchmark::State& state) { run(state, *model, textured); });
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

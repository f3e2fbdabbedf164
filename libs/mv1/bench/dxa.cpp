// Decoding of .mv1 files, beside memcpy of what they decode to, which is the baseline.
//
//   bench_dxa FILE.mv1... [--benchmark_...]
//
// Counters, of CPU time: bytes_per_second of decoded data; times_memcpy, the decoder's speed as a multiple of the baseline's. "kept": all files one after the
// other into memory that is held until all are done, as a program loads them; "reused": each file into memory that the one before has given back, which is
// the cache's for small files.
#include <benchmark/benchmark.h>

#include <time.h>

#include <cstdio>
#include <vector>

#include <gomkit/core/file.hpp>

#include "dxa.hpp"

namespace {

using namespace gomkit;

constexpr std::size_t kMagicSize = 4;   // "MV11", before the block

// CPU time of this thread.
double now() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct File {
    core::FileBytes stored;
    core::Bytes decoded;
};

// Seconds for all files, each made bytes by `make`.
template <class Make>
double seconds_of(const std::vector<File>& files, bool kept, const Make& make) {
    std::vector<core::Bytes> all(files.size());
    const double begin = now();
    for (std::size_t i = 0; i < files.size(); ++i) {
        core::Bytes& out = all[kept ? i : 0];
        out = core::Bytes();
        out = make(files[i]);
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    return now() - begin;
}

void run(benchmark::State& state, const std::vector<File>& files, bool kept) {
    double decoding = 0, copying = 0, bytes = 0;
    for (const File& file : files) {
        bytes += static_cast<double>(file.decoded.size());
    }
    double rounds = 0;
    for (auto _ : state) {
        decoding += seconds_of(files, kept, [](const File& file) { return *mv1::dxa_decode(file.stored.bytes().subspan(kMagicSize), kMagicSize, {}); });
        copying += seconds_of(files, kept, [](const File& file) { return core::Bytes(file.decoded.begin(), file.decoded.end()); });
        ++rounds;
    }
    state.counters["bytes_per_second"] = bytes * rounds / decoding;
    state.counters["times_memcpy"] = copying / decoding;
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_dxa FILE.mv1...\n");
        return 2;
    }
    std::vector<File> files;
    for (int i = 1; i < argc; ++i) {
        auto stored = core::read_file(argv[i], 1u << 30);
        if (!stored || stored->bytes().size() < kMagicSize) {
            std::fprintf(stderr, "%s: %s\n", argv[i], stored ? "no .mv1" : core::to_string(stored.error()).c_str());
            return 1;
        }
        auto decoded = mv1::dxa_decode(stored->bytes().subspan(kMagicSize), kMagicSize, {});
        if (!decoded) {
            std::fprintf(stderr, "%s: %s\n", argv[i], core::to_string(decoded.error()).c_str());
            return 1;
        }
        files.push_back({std::move(*stored), std::move(*decoded)});
    }
    benchmark::RegisterBenchmark("dxa_decode/kept", [&](benchmark::State& state) { run(state, files, true); });
    benchmark::RegisterBenchmark("dxa_decode/reused", [&](benchmark::State& state) { run(state, files, false); });
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

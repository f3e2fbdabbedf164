// verify() against memcpy of the same bytes in the same process. The counter "of_memcpy" is verify's throughput divided by memcpy's.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <vector>

#include "../test/sample.hpp"
#include "gomkit/runtime/runtime.hpp"

namespace {

using namespace gomkit::runtime;

// One skinned part of 100,000 vertices and 200,000 triangles, over 64 bones in one chain.
std::vector<std::uint8_t> big_file() {
    constexpr std::uint32_t kVertices = 100'000, kIndices = 600'000, kBones = 64;
    test::Builder b;
    test::header(b);
    std::vector<std::string> names;
    std::string path;
    for (std::uint32_t i = 0; i < kBones; ++i) {
        path += i == 0 ? "b" : "/b";
        names.push_back(path);
    }
    test::strings(b, names);
    b.begin("MATL", "MATL");
    b.u32(1);
    test::material(b, "slot[0]", 0xFFFFFFFF, 0xFFFFFFFF);
    b.end();
    b.begin("SKEL", "SKEL");
    b.u32(kBones);
    for (std::uint32_t i = 0; i < kBones; ++i) b.i32(static_cast<std::int32_t>(i) - 1);
    for (std::uint32_t i = 0; i < kBones; ++i) b.u32(0);
    for (std::uint32_t i = 0; i < kBones; ++i) b.u32(i);
    for (std::uint32_t i = 0; i < kBones; ++i) b.matrix("m", 0, 1, 0);
    b.end();
    b.begin("MSH0", "MSH0");
    for (const std::uint32_t v : {0xFFFFFFFFU, 1U, kVertices, kIndices, kBones, 0U, 0U, 0U}) b.u32(v);
    b.begin("VB0", "VB0");
    for (const std::uint32_t v : {kVertices, 72U, 1U, 0U}) b.u32(v);
    for (std::uint32_t i = 0; i < kVertices; ++i) {
        for (std::uint32_t k = 0; k < 12; ++k) b.f32(static_cast<float>((i * 7 + k * 3) % 1000) * 0.001F);
        for (std::uint32_t k = 0; k < 4; ++k) b.u16((i + k) % kBones);
        const float w = static_cast<float>(i % 100) * 0.005F;
        for (const float v : {1.0F - w, w * 0.5F, w * 0.25F, w * 0.25F}) b.f32(v);
    }
    b.end();
    b.begin("IB0", "IB0");
    for (const std::uint32_t v : {kIndices, 4U, 0U, 0U}) b.u32(v);
    for (std::uint32_t i = 0; i < kIndices; ++i) b.u32(i * 31 % kVertices);
    b.end();
    b.begin("SUB0", "SUB0");
    for (const std::uint32_t v : {1U, 0U, 0U, kIndices}) b.u32(v);
    b.end();
    b.begin("IBND", "IBND");
    b.u32(kBones);
    for (std::uint32_t i = 0; i < kBones; ++i) b.matrix("m", 0, -static_cast<float>(i), 0);
    b.end();
    b.end_padded();
    test::table(b);
    return b.bytes;
}

const std::vector<std::uint8_t>& bytes() {
    static const std::vector<std::uint8_t> file = big_file();
    return file;
}

using Clock = std::chrono::steady_clock;
double seconds_of(auto&& work) {
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The two take turns, so that whatever else the machine does hits both.
void verify_of_memcpy(benchmark::State& state) {
    const test::ExactBlock file(bytes());
    const test::ExactBlock copy(bytes());
    auto* to = const_cast<std::byte*>(copy.bytes().data());
    ModelView view;
    std::vector<double> verify_seconds, copy_seconds;
    for (auto _ : state) {
        copy_seconds.push_back(seconds_of([&] {
            std::memcpy(to, file.bytes().data(), file.bytes().size());
            benchmark::ClobberMemory();
        }));
        const double s = seconds_of([&] {
            if (verify(file.bytes(), Limits{}, view, nullptr) != Status::Ok) state.SkipWithError("the file was refused");
            benchmark::ClobberMemory();
        });
        verify_seconds.push_back(s);
        state.SetIterationTime(s);
    }
    const auto median = [](std::vector<double>& v) {
        std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
        return v[v.size() / 2];
    };
    const double v = median(verify_seconds), c = median(copy_seconds);
    const double gigabytes = static_cast<double>(bytes().size()) * 1e-9;
    state.counters["verify_GB/s"] = gigabytes / v;
    state.counters["memcpy_GB/s"] = gigabytes / c;
    state.counters["of_memcpy"] = c / v;
}
BENCHMARK(verify_of_memcpy)->UseManualTime()->MinTime(1.0);

void sha256_path(benchmark::State& state, Sha256Path path) {
    for (auto _ : state) {
        Sha256 hash(path);
        hash.update(std::span<const std::uint8_t>(bytes()));
        benchmark::DoNotOptimize(hash.finish());
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes().size()));
}
BENCHMARK_CAPTURE(sha256_path, portable, Sha256Path::Portable);
BENCHMARK_CAPTURE(sha256_path, hardware, Sha256Path::Hardware);

template <double (*kFunction)(double)>
void elementary(benchmark::State& state) {
    double x = 0.1;
    for (auto _ : state) {
        benchmark::DoNotOptimize(kFunction(x));
        x += 0.000013;
        if (x > 0.99) x = 0.1;
    }
}
BENCHMARK(elementary<exact::sin>);
BENCHMARK(elementary<exact::acos>);
BENCHMARK(elementary<exact::log>);

}  // namespace

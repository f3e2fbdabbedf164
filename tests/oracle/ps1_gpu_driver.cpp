// Draws polygons for ps1_gpu_test.py. stdin: the number of polygons, the processor's memory (1 MiB), then for each polygon little-endian words: area left, top, right, bottom,
// offset x, y, dithering, texture window (4 times 5 bits: masks, offsets), texture page word, number of words, the packet. stdout: the memory.
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "gpu.hpp"

static_assert(std::endian::native == std::endian::little);

namespace {

template <class T>
bool get(std::vector<T>& out) {
    return std::fread(out.data(), sizeof(T), out.size(), stdin) == out.size();
}

}  // namespace

int main() {
    using namespace gomkit::ps1;
    std::vector<std::uint32_t> count(1);
    std::vector<std::uint16_t> memory(std::size_t{kVramWidth} * kVramHeight);
    if (!get(count) || !get(memory)) {
        return 1;
    }
    Gpu gpu;
    for (std::size_t i = 0; i < memory.size(); ++i) {
        gpu.vram.set(static_cast<int>(i % kVramWidth), static_cast<int>(i / kVramWidth), memory[i]);
    }
    std::vector<std::uint32_t> head(10);
    for (std::uint32_t n = 0; n < count[0]; ++n) {
        if (!get(head)) {
            return 1;
        }
        const auto number = [&head](std::size_t i) { return static_cast<int>(head[i]); };
        const auto five = [&head](unsigned shift) { return static_cast<std::uint8_t>(head[7] >> shift & 31); };
        gpu.state = {number(0), number(1), number(2), number(3), number(4), number(5), head[6] != 0, {five(0), five(5), five(10), five(15)}, static_cast<std::uint16_t>(head[8])};
        std::vector<std::uint32_t> packet(head[9]);
        if (!get(packet) || !gpu.draw(packet)) {
            return 1;
        }
    }
    for (std::size_t i = 0; i < memory.size(); ++i) {
        memory[i] = gpu.vram.at(static_cast<int>(i % kVramWidth), static_cast<int>(i / kVramWidth));
    }
    return std::fwrite(memory.data(), 2, memory.size(), stdout) == memory.size() ? 0 : 1;
}

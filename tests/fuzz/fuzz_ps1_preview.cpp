// Pictures of arbitrary PS1M files, textures of arbitrary TIMs and pixels: none crashes, every triangle is accounted for, and the same file gives the same picture.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

#include <gomkit/ps1/preview.hpp>

#include "gpu.hpp"
#include "read.hpp"
#include "tim_write.hpp"

namespace {

void require(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "fuzz_ps1_preview: %s\n", what);
        std::abort();
    }
}

/// The bytes as the pixels of a picture, from the third on: the TIM made of it is read and says the same.
void make_page(std::span<const std::uint8_t> bytes) {
    const std::size_t width = bytes.size() < 6 ? 0 : std::size_t{1} + bytes[0] % 16u, height = bytes.size() < 6 ? 0 : (bytes.size() - 2) / 4 / width;
    if (height == 0) {
        return;
    }
    const auto depth = static_cast<std::uint8_t>(bytes[0] / 16 % 3);
    const auto page = gomkit::ps1::page_of(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), bytes.subspan(2), depth, bytes[0] >= 128);
    require(page.texels.size() == gomkit::ps1::kPageSide * gomkit::ps1::kPageSide, "the page is not full");
    const gomkit::core::Bytes file = gomkit::ps1::write_tim(page, {640, 0}, {640, 256});
    const auto tim = gomkit::ps1::read_tim(file, "fuzz");
    require(tim.has_value() && tim->depth == depth, "the TIM is not read");
    gomkit::ps1::Gpu gpu;
    (void)gomkit::ps1::upload(*tim, file, gpu.vram);
    require((gpu.vram.at(640, 0) & (0xFFFFu >> (16 - 16 / gomkit::ps1::texels_per_halfword(depth)))) == page.texels[0], "the first texel is another");
}

void upload(std::span<const std::byte> bytes) {
    const auto tim = gomkit::ps1::read_tim(bytes, "fuzz");
    if (!tim) {
        return;
    }
    gomkit::ps1::Gpu gpu;
    const gomkit::ps1::TexturePlace place = gomkit::ps1::upload(*tim, bytes, gpu.vram);
    const std::uint32_t corners[] = {0x25000000u, 0u, std::uint32_t{place.clut} << 16, 32u, std::uint32_t{place.page} << 16 | 255u, 32u << 16, 255u << 8};
    require(gpu.draw(corners).has_value(), "the packet is none");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gomkit;
    const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
    if (!ps1::has_magic(bytes)) {
        upload(bytes);
        make_page(std::span(data, size));
        return 0;
    }
    ps1::PreviewOptions options;
    options.width = 64;
    options.height = 48;
    options.yaw = static_cast<std::int32_t>(size % 4096);
    options.flat = size % 2 != 0;
    options.time_seconds = static_cast<double>(size % 999);
    const auto first = ps1::preview(bytes, "fuzz", options);
    const auto second = ps1::preview(bytes, "fuzz", options);
    require(first.has_value() == second.has_value() && (!first || first->pixels == second->pixels), "the picture changed");
    if (first) {
        const ps1::PreviewCounts& c = first->frames.front().counts;
        require(c.triangles == c.drawn + c.culled + c.behind + c.too_far + c.rejected && c.clipped <= c.drawn, "a triangle is lost");
    }
    return 0;
}

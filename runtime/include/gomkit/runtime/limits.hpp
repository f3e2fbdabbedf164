#pragma once
// How much a loader is willing to take from one file (gom.md 8).

#include <cstdint>

namespace gomkit::runtime {

// All limits are inclusive. The defaults are those of gom.md 8. Exceeding one is Status::LimitExceeded, raised before anything
// else is checked about the item that exceeds it.
struct Limits {
    std::uint64_t max_bones = 4096;
    std::uint64_t max_vertices = 10'000'000;  // over all parts of the file
    std::uint64_t max_indices = 30'000'000;   // over all parts of the file
    std::uint64_t max_submeshes = 65'535;     // over all parts of the file
    std::uint64_t max_mesh_parts = 65'535;
    std::uint64_t max_material_slots = 65'535;
    std::uint64_t max_clips = 1024;
    std::uint64_t max_tracks_per_clip = 8192;
    std::uint64_t max_keys_per_clip = 1'000'000;  // over all tracks and channels of the clip
    std::uint64_t max_morph_channels = 8192;
    std::uint64_t max_morph_shapes = 65'535;          // of all channels
    std::uint64_t max_morph_vertices = 30'000'000;    // over all shapes of all parts
    std::uint64_t max_strings = 1'000'000;
    std::uint64_t max_string_bytes = 64ULL << 20;  // STR0's data, and all strings at different offsets, NULs included
    std::uint64_t max_file_bytes = 4ULL << 30;     // more than 4 GiB has no effect: the format ends there
    std::uint64_t max_text_nesting = 32;           // open brackets of the text form; the run-time does not use it

    friend constexpr bool operator==(const Limits&, const Limits&) = default;

    // A sixteenth of the defaults, for small machines and for bytes from strangers.
    [[nodiscard]] static constexpr Limits small() noexcept;

    // What the format can express at most.
    [[nodiscard]] static constexpr Limits large() noexcept;
};

constexpr Limits Limits::small() noexcept {
    Limits l;
    l.max_bones = 256;
    l.max_vertices = 625'000;
    l.max_indices = 1'875'000;
    l.max_submeshes = 4096;
    l.max_mesh_parts = 4096;
    l.max_material_slots = 4096;
    l.max_clips = 64;
    l.max_tracks_per_clip = 512;
    l.max_keys_per_clip = 62'500;
    l.max_morph_channels = 512;
    l.max_morph_shapes = 4096;
    l.max_morph_vertices = 1'875'000;
    l.max_strings = 62'500;
    l.max_string_bytes = 4ULL << 20;
    l.max_file_bytes = 256ULL << 20;
    l.max_text_nesting = 16;
    return l;
}

constexpr Limits Limits::large() noexcept {
    constexpr std::uint64_t kMax32 = 0xFFFF'FFFFULL;
    Limits l;
    l.max_bones = 65'536;  // a vertex holds its bone as u16
    l.max_vertices = kMax32;
    l.max_indices = kMax32;
    l.max_submeshes = kMax32;
    l.max_mesh_parts = kMax32;
    l.max_material_slots = 0x7FFF'FFFFULL;  // a submesh holds its slot as i32
    l.max_clips = kMax32;
    l.max_tracks_per_clip = kMax32;
    l.max_keys_per_clip = kMax32;
    l.max_morph_channels = kMax32;
    l.max_morph_shapes = kMax32;
    l.max_morph_vertices = kMax32;
    l.max_strings = kMax32;
    l.max_string_bytes = kMax32;
    l.max_file_bytes = 4ULL << 30;
    l.max_text_nesting = 1024;
    return l;
}

}  // namespace gomkit::runtime

#include "scene.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "layout.hpp"

namespace gomkit::ps1 {
namespace {

constexpr Matrix3s16 kLight{{{-1800, -2600, -2400}, {0, 0, 0}, {0, 0, 0}}};
constexpr Matrix3s16 kLightColour{{{1700, 0, 0}, {1700, 0, 0}, {1700, 0, 0}}};
constexpr Vec3s32 kBackColour{52 << 4, 52 << 4, 56 << 4};
constexpr std::array<std::uint8_t, 3> kClearColour{28, 32, 48};

constexpr std::uint32_t kColourBits = 0xFFFFFF;

std::uint32_t command(std::uint8_t bits) { return std::uint32_t{bits} << 24; }

/// As a white texture would show it (GPU-SCENE-3).
std::uint32_t on_white(std::uint32_t colour) {
    std::uint32_t out = 0;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        out |= std::min(255u, (31 * (colour >> shift & 0xFF)) >> 4) << shift;
    }
    return out;
}

std::uint32_t flag_bits(std::initializer_list<unsigned> bits) {
    std::uint32_t out = 0;
    for (const unsigned bit : bits) {
        out |= 1u << bit;
    }
    return out;
}

void count_flags(std::uint32_t flag, PreviewCounts& counts) {
    counts.sums_overflowed += (flag & flag_bits({30, 29, 28, 27, 26, 25, 16, 15})) != 0;
    counts.positions_limited += (flag & flag_bits({24, 23, 22})) != 0;
    counts.depths_limited += (flag & flag_bits({18})) != 0;
    counts.divisions_overflowed += (flag & flag_bits({17})) != 0;
    counts.screens_limited += (flag & flag_bits({14, 13})) != 0;
}

}  // namespace

Scene::Scene(const Document& document, const Camera& camera, const TexturePlaces& textures, bool flat)
    : document_(document), camera_(camera), view_(view_of(camera)), textures_(textures), flat_(flat) {}

PreviewCounts Scene::draw(Gpu& gpu, std::span<const Placement> world) {
    PreviewCounts counts;
    counts.triangles = document_.triangles.size();
    place_bones(world);
    project(counts);
    table_.clear();
    for (const Triangle& triangle : document_.triangles) {
        insert(triangle, counts);
    }
    gpu.state = {};
    gpu.state.right = camera_.width - 1;
    gpu.state.bottom = camera_.height - 1;
    gpu.state.dither = true;
    gpu.clear(0, 0, camera_.width, camera_.height, kClearColour);
    table_.traverse([&](std::span<const std::uint32_t> words) {
        const Drawn drawn = gpu.draw(words).value_or(Drawn{});
        if (drawn.triangles == 0) {
            ++counts.rejected;
        } else {
            ++counts.drawn;
            counts.clipped += drawn.inside != drawn.covered;
        }
    });
    return counts;
}

void Scene::place_bones(std::span<const Placement> world) {
    bones_.clear();
    for (const Placement& bone : world) {
        const Placement placed = compose(view_, bone);
        Gte gte;
        gte.rt = placed.r;
        gte.tr = placed.t;
        gte.llm = mul_matrix0(kLight, placed.r);
        gte.lcm = kLightColour;
        gte.bk = kBackColour;
        gte.ofx = camera_.width / 2 * 65536;
        gte.ofy = camera_.height / 2 * 65536;
        gte.h = camera_.h;
        bones_.push_back(gte);
    }
}

void Scene::project(PreviewCounts& counts) {
    points_.clear();
    for (const Vertex& vertex : document_.vertices) {
        Gte& gte = bones_[vertex.bone];
        gte.v[0] = vertex.position;
        gte.execute(gte_command::kRtps);
        count_flags(gte.flag, counts);
        const std::uint32_t colour = flat_ ? 0 : lit(vertex.bone, vertex.normal);
        points_.push_back({gte.sxy[2], gte.sz[3], colour});
    }
}

std::uint32_t Scene::lit(std::uint8_t bone, const Vec3s16& normal) const {
    Gte gte = bones_[bone];
    gte.v[0] = normal;
    gte.execute(gte_command::kNcs);
    return gte.rgb[2] & kColourBits;
}

void Scene::insert(const Triangle& triangle, PreviewCounts& counts) {
    std::array<const Projected*, 3> p{};
    std::array<std::size_t, 3> corner{0, 1, 2};
    Gte gte;
    for (std::size_t i = 0; i < 3; ++i) {
        p[i] = &points_[triangle.vertices[i]];
        gte.sxy[i] = p[i]->screen;
    }
    gte.execute(gte_command::kNclip);
    if (gte.mac[0] <= 0) {
        if ((triangle.flags & layout::kDoubleSided) == 0) {
            ++counts.culled;
            return;
        }
        std::swap(corner[1], corner[2]);
    }
    if (p[0]->z == 0 || p[1]->z == 0 || p[2]->z == 0) {
        ++counts.behind;
        return;
    }
    const std::size_t place = (std::size_t{p[0]->z} + p[1]->z + p[2]->z) >> 5;
    if (place >= OrderingTable::kPlaces) {
        ++counts.too_far;
        return;
    }
    const TexturePlace* texture = triangle.texture < textures_.size() && textures_[triangle.texture] ? &*textures_[triangle.texture] : nullptr;
    const std::uint32_t face = flat_ ? lit(triangle.bone, triangle.normal) : 0;
    const auto code = static_cast<std::uint8_t>(gpu_command::kPolygon | (flat_ ? 0 : gpu_command::kGouraud) | (texture != nullptr ? gpu_command::kTextured : 0));
    std::array<std::uint32_t, gpu_command::kMostWords> words{};
    std::size_t size = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Projected& point = *p[corner[i]];
        if (i == 0 || !flat_) {
            const std::uint32_t colour = flat_ ? face : point.colour;
            words[size++] = (texture != nullptr ? colour : on_white(colour)) | (i == 0 ? command(code) : 0);
        }
        words[size++] = static_cast<std::uint16_t>(point.screen[0]) | std::uint32_t{static_cast<std::uint16_t>(point.screen[1])} << 16;
        if (texture != nullptr) {
            const Vertex& vertex = document_.vertices[triangle.vertices[corner[i]]];
            const std::uint32_t high = i == 0 ? texture->clut : i == 1 ? texture->page : 0;
            words[size++] = vertex.u | std::uint32_t{vertex.v} << 8 | high << 16;
        }
    }
    table_.insert(place, {words.data(), size});
}

}  // namespace gomkit::ps1

#include "atlas.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <gomkit/runtime/math.hpp>

#include "nearest_triangle.hpp"
#include "slots.hpp"
#include "tim.hpp"

namespace gomkit::ps1::lathe {
namespace {

namespace exact = runtime::exact;
using model::Vec2;
using model::Vec3;
using Colour = std::array<std::uint8_t, 4>;

constexpr double kReach = 0.08;              // of the height
constexpr double kOnBorder = 1e-6;           // of a picture's side: rounding beyond it
constexpr Colour kUntouched{90, 90, 90, 255};

struct Swatch {
    Rectangle texels;
    Colour colour;
};
constexpr Swatch kSwatches[] = {{{128, 128, 64, 16}, {236, 196, 160, 255}},    // skin
                                {{192, 128, 64, 16}, {245, 245, 250, 255}}};   // underwear

std::uint8_t byte_of(double value) { return static_cast<std::uint8_t>(exact::floor(std::clamp(value, 0.0, 255.0) + 0.5)); }

double folded(double t) { return !std::isfinite(t) ? 0 : t >= -kOnBorder && t <= 1 + kOnBorder ? t : t - exact::floor(t); }

/// The two pixels of a row or column that a coordinate lies between, and how far from the first.
struct Between {
    std::size_t first, second;
    double part;
};
Between between(double t, std::uint32_t side) {
    const double last = side - 1.0;
    const double at = std::clamp(folded(t) * side - 0.5, 0.0, last);
    const double first = exact::floor(at);
    return {static_cast<std::size_t>(first), static_cast<std::size_t>(std::min(first + 1, last)), at - first};
}

class Baker {
public:
    Baker(double height, const model::Model& model) : height_(height), model_(model), page_{kPageSide, kPageSide, {}} {
        for (std::size_t i = 0; i < kPageSide * kPageSide; ++i) {
            page_.rgba.insert(page_.rgba.end(), kUntouched.begin(), kUntouched.end());
        }
        for (const Swatch& swatch : kSwatches) {
            fill(swatch.texels, [&](std::size_t, std::size_t) { return swatch.colour; });
        }
    }

    core::Result<Atlas> run(std::span<const Replaced> parts, const codec::OpenPicture& open) {
        for (const Replaced& part : parts) {
            if (auto opened = read_pictures(part, open); !opened) {
                return core::Fault(std::move(opened.error()));
            }
            draw(part);
        }
        Atlas out{std::move(page_), {}};
        for (const auto& [texture, picture] : pictures_) {
            out.pictures.push_back(texture);
        }
        return out;
    }

private:
    core::Result<void> read_pictures(const Replaced& part, const codec::OpenPicture& open) {
        for (const Replaced::Look& look : part.looks) {
            const auto texture = picture_index(model_, look.material.value);
            if (!texture || pictures_.contains(*texture)) {
                continue;
            }
            auto picture = open(model_.textures[*texture]);
            if (!picture) {
                picture.error().notes.push_back("while drawing the bodies' texture");
                return core::Fault(std::move(picture.error()));
            }
            pictures_.emplace(*texture, std::move(*picture));
        }
        return {};
    }

    template <class ColourOf>
    void fill(const Rectangle& texels, const ColourOf& colour_of) {
        const auto width = static_cast<std::size_t>(texels.width);
        const auto height = static_cast<std::size_t>(texels.height);
        for (std::size_t j = 0; j < height; ++j) {
            for (std::size_t i = 0; i < width; ++i) {
                const Colour colour = colour_of(i, j);
                const std::size_t texel = (static_cast<std::size_t>(texels.v) + j) * kPageSide + static_cast<std::size_t>(texels.u) + i;
                std::copy(colour.begin(), colour.end(), page_.rgba.begin() + static_cast<std::ptrdiff_t>(4 * texel));
            }
        }
    }

    /// Texels lie on the body where its own coordinates have their middles (PS1M-LATHE-3).
    void draw(const Replaced& part) {
        const NearestTriangle nearest(part.triangles);
        const std::vector<Ring> rings = rings_of_rows(part);
        std::vector<Vec2> around;
        const auto last = static_cast<std::size_t>(part.shape.texels.width) - 1;
        for (std::size_t i = 0; i <= last; ++i) {
            const double angle = 2 * kPi * static_cast<double>(i % last) / static_cast<double>(last);
            around.push_back({exact::cos(angle), exact::sin(angle)});
        }
        fill(part.shape.texels, [&](std::size_t i, std::size_t j) {
            const Ring& ring = rings[j];
            const auto hit = nearest.find({ring.x + ring.rx * around[i].x, ring.y, ring.z + ring.rz * around[i].y}, kReach * height_);
            return hit ? colour_at(part.looks[hit->triangle], hit->weights) : kUntouched;
        });
    }

    static std::vector<Ring> rings_of_rows(const Replaced& part) {
        std::vector<Ring> out;
        const std::size_t rows = part.profile.size() - 1;
        const double last = part.shape.texels.height - 1;
        for (double j = 0; j <= last; ++j) {
            const double at = (1 - j / last) * static_cast<double>(rows);
            const std::size_t row = std::min(static_cast<std::size_t>(at), rows - 1);
            const double t = at - static_cast<double>(row);
            const Ring& a = part.profile[row];
            const Ring& b = part.profile[row + 1];
            out.push_back({a.y + (b.y - a.y) * t, a.x + (b.x - a.x) * t, a.z + (b.z - a.z) * t, a.rx + (b.rx - a.rx) * t, a.rz + (b.rz - a.rz) * t});
        }
        return out;
    }

    [[nodiscard]] Colour colour_at(const Replaced::Look& look, const std::array<double, 3>& weights) const {
        if (const auto texture = picture_index(model_, look.material.value)) {
            return sample(pictures_.at(*texture), look.uvs[0] * weights[0] + look.uvs[1] * weights[1] + look.uvs[2] * weights[2]);
        }
        const Vec3 plain = look.material.value < model_.materials.size() ? model_.materials[look.material.value].diffuse : model::Material{}.diffuse;
        return {byte_of(255 * plain.x), byte_of(255 * plain.y), byte_of(255 * plain.z), 255};
    }

    double height_;
    const model::Model& model_;
    codec::Picture page_;
    std::map<std::uint32_t, codec::Picture> pictures_;      // by their numbers in Model::textures
};

}  // namespace

core::Result<Atlas> bake(std::span<const Replaced> parts, double height, const model::Model& model, const codec::OpenPicture& open) { return Baker(height, model).run(parts, open); }

std::array<std::uint8_t, 4> sample(const codec::Picture& picture, const Vec2& uv) {
    const Between x = between(uv.x, picture.width);
    const Between y = between(uv.y, picture.height);
    std::array<double, 3> sums{};
    double alpha = 0;
    for (const auto& [row, of_row] : {std::pair{y.first, 1 - y.part}, std::pair{y.second, y.part}}) {
        for (const auto& [column, of_column] : {std::pair{x.first, 1 - x.part}, std::pair{x.second, x.part}}) {
            const std::uint8_t* pixel = picture.rgba.data() + 4 * (row * picture.width + column);
            const double weight = of_row * of_column * pixel[3];
            alpha += weight;
            for (std::size_t c = 0; c < 3; ++c) {
                sums[c] += weight * pixel[c];
            }
        }
    }
    if (!(alpha > 0)) {
        return {};
    }
    return {byte_of(sums[0] / alpha), byte_of(sums[1] / alpha), byte_of(sums[2] / alpha), byte_of(alpha)};
}

}  // namespace gomkit::ps1::lathe

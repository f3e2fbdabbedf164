#include "gomkit/runtime/morph_job.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "cast.hpp"
#include "gomkit/runtime/layout.hpp"
#include "gomkit/runtime/sample_job.hpp"
#include "streams.hpp"

namespace gomkit::runtime {
namespace detail {
namespace {

constexpr std::size_t kVectorSize = 12;

// The factor of a shape at a weight (GOM-MORPH-2): linear between its neighbours in the list of the channel's weights and 0, which go
// on beyond the list's ends.
double morph_factor(const ModelView& model, std::uint32_t channel, std::uint32_t shape, double w) noexcept {
    const std::uint32_t count = model.morph_shape_count(channel);
    std::uint32_t below = 0;  // shapes with weights below 0: where 0 stands in the list
    while (below < count && model.morph_shape_weight(channel, below) < 0.0F) ++below;
    const auto entry = [&](std::uint32_t i) {
        return i == below ? 0.0 : static_cast<double>(model.morph_shape_weight(channel, i < below ? i : i - 1));
    };
    // The pair in use is entries i and i + 1.
    std::uint32_t i = 0;
    while (i + 1 < count && w >= entry(i + 1)) ++i;
    const std::uint32_t own = shape < below ? shape : shape + 1;
    const double a = entry(i), b = entry(i + 1);
    if (own == i) return (b - w) / (b - a);
    return own == i + 1 ? (w - a) / (b - a) : 0.0;
}

// The sums over a run of vertices that fits on the stack.
class Block {
public:
    static constexpr std::size_t kVertices = 512;

    Block(std::size_t first, std::size_t count) noexcept : first_(first), count_(count) {}

    void add(const MorphShapeView& shape, double factor) noexcept {
        const std::byte* vertices = shape.vertex_bytes().data();
        const std::byte* positions = shape.position_bytes().data();
        const std::byte* normals = shape.normal_bytes().data();
        for (std::size_t i = lower_bound(vertices, shape.vertex_count()); i < shape.vertex_count(); ++i) {
            const std::size_t v = std::size_t{load_le<std::uint32_t>(vertices + 4 * i)} - first_;
            if (v >= count_) break;
            if (!touched_[v]) {
                touched_[v] = true;
                for (std::size_t k = 0; k < 6; ++k) sums_[v][k] = 0.0;
            }
            for (std::size_t k = 0; k < 3; ++k) {
                sums_[v][k] += factor * static_cast<double>(load_le<float>(positions + kVectorSize * i + 4 * k));
                sums_[v][3 + k] += factor * static_cast<double>(load_le<float>(normals + kVectorSize * i + 4 * k));
            }
        }
    }

    void move(const InputStream& in, const OutputStream& out) const noexcept {
        for (std::size_t v = 0; v < count_; ++v) {
            Vec3f p;
            std::memcpy(&p, in.bytes.data() + (first_ + v) * in.stride, kVectorSize);
            if (touched_[v]) p = narrow(widen(p) + sum(v, 0));
            std::memcpy(out.bytes.data() + (first_ + v) * out.stride, &p, kVectorSize);
        }
    }

    void turn(const InputStream& in, const OutputStream& out) const noexcept {
        for (std::size_t v = 0; v < count_; ++v) {
            Vec3f n;
            std::memcpy(&n, in.bytes.data() + (first_ + v) * in.stride, kVectorSize);
            if (touched_[v]) {
                const Vec3d moved = widen(n) + sum(v, 3);
                const double size = length(moved);
                n = size == 0.0 ? Vec3f{} : narrow(moved / size);
            }
            std::memcpy(out.bytes.data() + (first_ + v) * out.stride, &n, kVectorSize);
        }
    }

private:
    [[nodiscard]] Vec3d sum(std::size_t v, std::size_t first) const noexcept {
        return {sums_[v][first], sums_[v][first + 1], sums_[v][first + 2]};
    }

    // The first of the ascending vertices that is not below this block.
    [[nodiscard]] std::size_t lower_bound(const std::byte* vertices, std::size_t count) const noexcept {
        std::size_t low = 0;
        while (low < count) {
            const std::size_t middle = low + (count - low) / 2;
            if (load_le<std::uint32_t>(vertices + 4 * middle) < first_)
                low = middle + 1;
            else
                count = middle;
        }
        return low;
    }

    std::size_t first_, count_;
    bool touched_[kVertices] = {};
    double sums_[kVertices][6];  // of position and normal offsets, where touched_
};

// Of one channel in one clip, at a time that the loop rule has settled.
float weight_at(const MorphTrackView& track, float time) noexcept {
    std::uint32_t low = 0, high = track.key_count();  // the first key behind `time`
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (track.key(middle).time_seconds <= time)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return track.key(0).weight;
    const MorphKey a = track.key(low - 1);
    if (low == track.key_count()) return a.weight;
    const MorphKey b = track.key(low);
    const double t = (static_cast<double>(time) - static_cast<double>(a.time_seconds)) /
                     (static_cast<double>(b.time_seconds) - static_cast<double>(a.time_seconds));
    return static_cast<float>(static_cast<double>(a.weight) +
                              (static_cast<double>(b.weight) - static_cast<double>(a.weight)) * t);
}

}  // namespace
}  // namespace detail

Status default_morph_weights(const ModelView& model, std::span<float> out) noexcept {
    if (out.size() != model.morph_channel_count()) return Status::WrongSize;
    for (std::uint32_t i = 0; i < model.morph_channel_count(); ++i) out[i] = model.morph_channel(i).default_weight;
    return Status::Ok;
}

Status MorphSampleJob::validate() const noexcept {
    if (model == nullptr) return Status::BadArgument;
    if (output.size() != model->morph_channel_count()) return Status::WrongSize;
    if (!detail::is_finite(time_seconds)) return Status::NonFinite;
    if (clip == nullptr) return Status::Ok;
    for (const MorphTrackView track : clip->morph_tracks())
        if (track.channel() >= model->morph_channel_count()) return Status::BadMorphChannel;
    return Status::Ok;
}

Status MorphSampleJob::run() const noexcept {
    if (const Status status = validate(); status != Status::Ok) return status;
    if (const Status status = default_morph_weights(*model, output); status != Status::Ok) return status;
    if (clip == nullptr) return Status::Ok;
    const float time = clip_time(*clip, time_seconds);
    for (const MorphTrackView track : clip->morph_tracks())
        if (track.key_count() != 0) output[track.channel()] = detail::weight_at(track, time);
    return Status::Ok;
}

void MorphJob::read_part() noexcept {
    positions = normals = {};
    if (std::endian::native != std::endian::little || part == nullptr || part->vertex_count() == 0) return;
    namespace vf01 = layout::vf01;
    positions = {part->vertex_bytes().subspan(vf01::kPosition), vf01::kSize};
    normals = {part->vertex_bytes().subspan(vf01::kNormal), vf01::kSize};
}

Status MorphJob::validate() const noexcept {
    using namespace detail;
    if (model == nullptr || part == nullptr) return Status::BadArgument;
    if (weights.size() != model->morph_channel_count()) return Status::WrongSize;
    for (const float weight : weights)
        if (!is_finite(weight)) return Status::NonFinite;
    if (part->vertex_count() == 0) return Status::Ok;
    for (const Status status : {check(positions, out_positions, kVectorSize, part->vertex_count()),
                                check(normals, out_normals, kVectorSize, part->vertex_count())})
        if (status != Status::Ok) return status;
    for (const MorphShapeView shape : part->morphs())
        if (shape.channel() >= model->morph_channel_count() ||
            shape.shape() >= model->morph_shape_count(shape.channel()))
            return Status::BadMorphChannel;
    return Status::Ok;
}

Status MorphJob::run() const noexcept {
    using namespace detail;
    if (const Status status = validate(); status != Status::Ok) return status;
    const std::size_t count = part->vertex_count();
    for (std::size_t first = 0; first < count; first += Block::kVertices) {
        Block block(first, std::min(count - first, Block::kVertices));
        for (const MorphShapeView shape : part->morphs()) {
            const double weight = static_cast<double>(weights[shape.channel()]);
            const double factor = weight == 0.0 ? 0.0 : morph_factor(*model, shape.channel(), shape.shape(), weight);
            if (factor != 0.0) block.add(shape, factor);
        }
        if (!out_positions.bytes.empty()) block.move(positions, out_positions);
        if (!out_normals.bytes.empty()) block.turn(normals, out_normals);
    }
    return Status::Ok;
}

}  // namespace gomkit::runtime

#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <gomkit/core/parallel.hpp>
#include <gomkit/pass/measure_skeleton.hpp>

namespace gomkit::km3 {
namespace {

using model::Mat4;
using model::Vec3;

constexpr double kNoticed = 0.01;
constexpr double kExact = 1e-7;                        // moved: what float32 weights leave
constexpr double kTurn = 0.7653668647301796;           // 2 sin(45 degrees / 2): how far a point at distance 1 from the axis goes
constexpr std::uint64_t kMostFrames = 20'000;

class Measurer {
public:
    Measurer(const MeasureInput& input, const model::Model& model, const model::Skeleton& skeleton, unsigned jobs)
        : in_(input), model_(model), skeleton_(skeleton), jobs_(jobs) {}

    Measured run() {
        weights();
        out_.poses = 1 + 6 * static_cast<std::uint64_t>(in_.units.size());
        turns();
        clips();
        const double all = static_cast<double>(in_.written.size()) * static_cast<double>(out_.poses);
        out_.rms = all > 0 ? std::sqrt(squares_ / all) : 0.0;
        return out_;
    }

private:
    using Written = MeasureInput::Written;

    [[nodiscard]] std::span<const BoneWeight> before(std::uint32_t vertex) const {
        const auto& first = in_.fit->first;
        return std::span(in_.fit->weights).subspan(first[vertex], first[vertex + 1] - first[vertex]);
    }
    [[nodiscard]] const Vec3* images(std::uint32_t vertex) const { return in_.images.data() + in_.fit->first[vertex]; }

    void weights() {
        out_.vertices = in_.points.size();
        double sum = 0;
        for (std::size_t i = 0; i < in_.written.size();) {
            const std::uint32_t vertex = in_.written[i].vertex;
            double most = 0;
            const std::size_t begin = i;
            for (; i < in_.written.size() && in_.written[i].vertex == vertex; ++i) {
                const auto w = before(vertex);
                const double m = moved(w.data(), w.size(), in_.written[i].envelope);
                most = std::max(most, m);
                bool same_place = true;
                for (std::size_t k = 0; k < w.size(); ++k) {
                    const Vec3 off = images(vertex)[k] - in_.points[vertex];
                    same_place = same_place && dot(off, off) <= 1e-24 * std::max(1.0, dot(in_.points[vertex], in_.points[vertex]));
                }
                if (m > kExact || !same_place) {
                    inexact_.push_back(static_cast<std::uint32_t>(i));
                }
            }
            out_.cracked += i - begin > 1 ? 1u : 0u;
            out_.over += most > kNoticed ? 1u : 0u;
            out_.most_moved = std::max(out_.most_moved, most);
            sum += most;
        }
        out_.mean_moved = out_.vertices != 0 ? sum / static_cast<double>(out_.vertices) : 0.0;
    }

    [[nodiscard]] bool is_below(std::int64_t unit, std::int64_t above) const {
        while (unit > above) {
            unit = in_.units[static_cast<std::size_t>(unit)].parent;
        }
        return unit == above;
    }

    /// Turning a unit by R about its head h moves p to p + (p - h)(R - 1), so the difference of two weightings is one vector times (R - 1).
    void turns() {
        std::vector<std::int32_t> turned;
        for (const std::uint32_t i : inexact_) {
            const Written& w = in_.written[i];
            const auto source = before(w.vertex);
            turned.clear();
            const auto with_ancestors = [&](std::int32_t unit) {
                for (; unit >= 0 && std::find(turned.begin(), turned.end(), unit) == turned.end(); unit = in_.units[static_cast<std::size_t>(unit)].parent) {
                    turned.push_back(unit);
                }
            };
            for (const BoneWeight& b : source) {
                with_ancestors(static_cast<std::int32_t>(b.unit));
            }
            with_ancestors(static_cast<std::int32_t>(w.envelope.unit));
            with_ancestors(w.envelope.other);
            const Vec3& p = in_.points[w.vertex];
            const double own = static_cast<double>(w.envelope.own);
            for (const std::int32_t unit : turned) {
                const Vec3& head = in_.units[static_cast<std::size_t>(unit)].head;
                Vec3 difference;
                for (std::size_t k = 0; k < source.size(); ++k) {
                    if (is_below(source[k].unit, unit)) {
                        difference += (images(w.vertex)[k] - head) * source[k].weight;
                    }
                }
                double share = is_below(w.envelope.unit, unit) ? own : 0.0;
                share += w.envelope.other >= 0 && is_below(w.envelope.other, unit) ? 1 - own : 0.0;
                difference += (p - head) * -share;
                const double x = difference.x * difference.x;
                const double y = difference.y * difference.y;
                const double z = difference.z * difference.z;
                for (const double squared : {y + z, z + x, x + y}) {
                    add(kTurn * kTurn * squared, 2);
                }
            }
        }
    }

    void add(double squared, double times) {
        out_.most = std::max(out_.most, std::sqrt(squared));
        squares_ += squared * times;
    }

    void clips() {
        const double fps = model_.source.fps > 0 ? model_.source.fps : 30;
        struct Frame {
            std::size_t clip;
            double time;
            double most = 0;
            double squares = 0;
        };
        double wanted = 0;
        for (const model::Clip& clip : model_.clips) {
            wanted += std::floor(clip.duration * fps) + 2;
        }
        const double step = std::max(1.0, wanted / static_cast<double>(kMostFrames)) / fps;
        std::vector<Frame> frames;
        for (std::size_t c = 0; c < model_.clips.size(); ++c) {
            const double duration = model_.clips[c].duration;
            for (std::uint64_t k = 0; static_cast<double>(k) * step < duration; ++k) {
                frames.push_back({c, static_cast<double>(k) * step});
            }
            frames.push_back({c, duration});
        }
        out_.poses += frames.size();
        if (inexact_.empty()) {
            return;
        }
        std::vector<Mat4> back(skeleton_.bones.size());
        for (std::size_t b = 0; b < back.size(); ++b) {
            static_cast<void>(inverse_affine(skeleton_.bones[b].bind_model, back[b]));   // a flat bone keeps the identity
        }
        core::parallel_for(frames.size(), jobs_, [&](std::size_t f) {
            Frame& frame = frames[f];
            const std::vector<Mat4> bones = pass::bone_matrices(model_, skeleton_, &model_.clips[frame.clip], frame.time);
            std::vector<Mat4> units(in_.units.size());
            for (std::size_t u = 0; u < units.size(); ++u) {
                if (in_.units[u].bone >= 0) {
                    const auto bone = static_cast<std::size_t>(in_.units[u].bone);
                    units[u] = back[bone] * bones[bone];
                }
            }
            for (const std::uint32_t i : inexact_) {
                const Written& w = in_.written[i];
                const auto source = before(w.vertex);
                Vec3 difference;
                for (std::size_t k = 0; k < source.size(); ++k) {
                    difference += transform_point(images(w.vertex)[k], units[source[k].unit]) * source[k].weight;
                }
                const Vec3& p = in_.points[w.vertex];
                const double own = static_cast<double>(w.envelope.own);
                difference += transform_point(p, units[w.envelope.unit]) * -own;
                if (w.envelope.other >= 0) {
                    difference += transform_point(p, units[static_cast<std::size_t>(w.envelope.other)]) * -(1 - own);
                }
                const double squared = dot(difference, difference);
                frame.most = std::max(frame.most, squared);
                frame.squares += squared;
            }
        });
        for (const Frame& frame : frames) {
            out_.most = std::max(out_.most, std::sqrt(frame.most));
            squares_ += frame.squares;
        }
    }

    const MeasureInput& in_;
    const model::Model& model_;
    const model::Skeleton& skeleton_;
    unsigned jobs_;
    Measured out_;
    double squares_ = 0;
    core::LargeVector<std::uint32_t> inexact_;   ///< into written: those that any pose can show
};

}  // namespace

Measured measure(const MeasureInput& input, const model::Model& model, const model::Skeleton& skeleton, unsigned jobs) {
    return Measurer(input, model, skeleton, jobs).run();
}

}  // namespace gomkit::km3

#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <gomkit/fbx/fbx.hpp>
#include <gomkit/gom/gom.hpp>
#include <gomkit/runtime/model_view.hpp>
#include <gomkit_test/fbx_writer.hpp>

/// From a written scene to a verified GOM, and a poser that follows gom.md 1 literally. Only for tests; the run-time library's own
/// sampling is another matter.
namespace gomkit::fbx::test {

namespace writer = gomkit::testing::fbx;
using runtime::Mat4d;
using runtime::Vec3d;

struct Converted {
    core::Report report;
    std::vector<std::byte> bytes;
    std::unique_ptr<std::byte[]> aligned;
    runtime::ModelView view;
};

/// One unit is one metre, so that numbers can be read.
inline writer::Scene metre_scene() {
    writer::Scene scene;
    scene.settings.unit_scale_factor = 100;
    scene.settings.original_unit_scale_factor = 100;
    return scene;
}

/// What goes on before and after the keys: 'K' slope, 'R' repeat, 'A' repeat relative, 'M' mirror.
inline writer::Curve extrapolated(writer::Curve curve, char before, char after, int count = -1) {
    const auto add = [&](const char* name, char mode) {
        writer::Element e;
        e.name = name;
        writer::Element type;
        type.name = "Type";
        type.values.emplace_back(static_cast<std::int32_t>(mode));
        writer::Element repetition;
        repetition.name = "Repetition";
        repetition.values.emplace_back(static_cast<std::int32_t>(count));
        e.children = {type, repetition};
        curve.extra.children.push_back(e);
    };
    if (before != 0) {
        add("Pre-Extrapolation", before);
    }
    if (after != 0) {
        add("Post-Extrapolation", after);
    }
    return curve;
}

/// The text of the first finding of that id; "" where there is none.
inline std::string text_of(const core::Report& report, core::IssueId id) {
    for (const core::Issue& issue : report.issues()) {
        if (issue.id == id) {
            return issue.text;
        }
    }
    return {};
}

/// As a verified GOM; findings are added to `report`.
inline Converted to_gom(model::Model model, const codec::WriteOptions& options = {}, core::Report report = core::Report()) {
    Converted out;
    out.report = std::move(report);
    auto bytes = gom::make_codec().write(std::move(model), options, out.report);
    if (!bytes) {
        ADD_FAILURE() << core::to_string(bytes.error());
        return out;
    }
    out.bytes = std::move(*bytes);
    // new[] of bytes is aligned for any fundamental type, which on the machines we test is 16.
    out.aligned = std::make_unique<std::byte[]>(out.bytes.size());
    std::memcpy(out.aligned.get(), out.bytes.data(), out.bytes.size());
    runtime::ErrorInfo info;
    EXPECT_EQ(runtime::verify({out.aligned.get(), out.bytes.size()}, {}, out.view, &info), runtime::Status::Ok);
    return out;
}

inline Converted convert_bytes(const std::vector<std::byte>& fbx, const codec::WriteOptions& options = {}, const codec::ReadOptions& read = {}) {
    core::Report report;
    auto model = make_codec().read(fbx, "test.fbx", read, report);
    if (!model) {
        ADD_FAILURE() << core::to_string(model.error());
        Converted out;
        out.report = std::move(report);
        return out;
    }
    return to_gom(std::move(*model), options, std::move(report));
}

inline Converted convert(const writer::Scene& scene, codec::WriteOptions options = {}, int version = 7400) {
    return convert_bytes(writer::write_binary(scene, version), options);
}

inline int find_bone(const runtime::ModelView& view, std::string_view path) {
    for (std::uint32_t i = 0; i < view.bone_count(); ++i) {
        if (view.bone_path(i) == path) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

/// boneModel of every bone from the keys at `time`, which must be key times; without a clip at bind.
inline std::vector<Mat4d> bone_models(const runtime::ModelView& view, int clip = -1, double time = 0) {
    std::vector<Mat4d> local;
    for (std::uint32_t i = 0; i < view.bone_count(); ++i) {
        local.push_back(runtime::matrix_cast<double>(view.bind_local(i)));
    }
    if (clip >= 0) {
        for (const runtime::TrackView& track : view.clip(static_cast<std::uint32_t>(clip)).tracks()) {
            runtime::Transformd t = runtime::decompose(local[track.bone_index()]);
            const auto last_before = [&](std::uint32_t count, auto&& key) {
                std::uint32_t at = 0;
                while (at + 1 < count && static_cast<double>(key(at + 1).time_seconds) <= time + 1e-6) {
                    ++at;
                }
                return at;
            };
            const auto wide = [](const runtime::Vec3f& v) {
                return Vec3d{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
            };
            if (track.translation_count() != 0) {
                t.translation = wide(track.translation(last_before(track.translation_count(), [&](std::uint32_t k) { return track.translation(k); })).value);
            }
            if (track.rotation_count() != 0) {
                const runtime::Quatf q = track.rotation(last_before(track.rotation_count(), [&](std::uint32_t k) { return track.rotation(k); })).value;
                t.rotation = runtime::normalized(runtime::Quatd{static_cast<double>(q.x), static_cast<double>(q.y),
                                                                static_cast<double>(q.z), static_cast<double>(q.w)});
            }
            if (track.scale_count() != 0) {
                t.scale = wide(track.scale(last_before(track.scale_count(), [&](std::uint32_t k) { return track.scale(k); })).value);
            }
            local[track.bone_index()] = runtime::to_matrix(t);
        }
    }
    for (std::uint32_t i = 0; i < view.bone_count(); ++i) {
        if (view.bone_parent(i) >= 0) {
            local[i] = local[i] * local[static_cast<std::size_t>(view.bone_parent(i))];
        }
    }
    return local;
}

/// Positions of a part in model space.
inline std::vector<Vec3d> posed(const runtime::ModelView& view, std::uint32_t part_index, int clip = -1, double time = 0) {
    const runtime::MeshPartView part = view.part(part_index);
    const std::vector<Mat4d> models = bone_models(view, clip, time);
    const Mat4d gbtm = runtime::matrix_cast<double>(part.geometry_to_model());
    std::vector<Vec3d> out;
    for (std::uint32_t i = 0; i < part.vertex_count(); ++i) {
        const runtime::Vertex v = part.vertex(i);
        const Vec3d p{static_cast<double>(v.position[0]), static_cast<double>(v.position[1]), static_cast<double>(v.position[2])};
        Vec3d skinned = p;
        if (part.is_skinned()) {
            skinned = {0, 0, 0};
            for (int k = 0; k < 4; ++k) {
                const Mat4d palette = runtime::matrix_cast<double>(part.inverse_bind(v.bone_index[k])) * models[v.bone_index[k]];
                skinned += transform_point(p, palette) * static_cast<double>(v.bone_weight[k]);
            }
        }
        out.push_back(transform_point(skinned, gbtm));
    }
    return out;
}

/// Distance from `point` to the nearest of `points`.
inline double nearest(const std::vector<Vec3d>& points, const Vec3d& point) {
    double best = 1e300;
    for (const Vec3d& p : points) {
        best = std::fmin(best, length(p - point));
    }
    return best;
}

struct Box {
    Vec3d min{1e300, 1e300, 1e300};
    Vec3d max{-1e300, -1e300, -1e300};
};
inline Box box_of(const std::vector<Vec3d>& points) {
    Box b;
    for (const Vec3d& p : points) {
        b.min = {std::fmin(b.min.x, p.x), std::fmin(b.min.y, p.y), std::fmin(b.min.z, p.z)};
        b.max = {std::fmax(b.max.x, p.x), std::fmax(b.max.y, p.y), std::fmax(b.max.z, p.z)};
    }
    return b;
}

}  // namespace gomkit::fbx::test

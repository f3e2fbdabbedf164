#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

#include "document.hpp"
#include "import.hpp"
#include "links.hpp"
#include "options.hpp"
#include "packing.hpp"

namespace gomkit::mv1 {

/// Where a frame of the file comes from.
struct FrameSource {
    model::NodeId node;
    std::vector<std::uint32_t> instances;   ///< what is drawn in it
};

/// What the steps of an export share.
struct Export {
    const model::Model& model;
    const codec::WriteOptions& options;
    core::Report& report;
    Options own;
    double unit = 1;                                               ///< metres
    Document doc = {};
    Links links = {};
    std::vector<FrameSource> sources{};                             ///< per frame
    std::vector<std::uint32_t> frame_of{};                          ///< per node
    std::vector<std::vector<std::uint32_t>> bones_of_instance{};    ///< skin bone of each cluster, then that of points without a bone
    std::vector<std::vector<std::vector<std::uint32_t>>> shapes_of_instance{};   ///< numbers in the frame, per channel and shape
    bool default_material = false;
    std::uint64_t lost_uv_sets = 0;
    std::uint64_t lost_color_sets = 0;
    std::uint64_t lost_morph_tracks = 0;
    Packing packing = {};

    /// From the model's space to the file's: half a turn is its own inverse.
    template <class T>
    [[nodiscard]] T from_space(const T& v) const {
        return own.faces_back ? turn(v) : v;
    }
    [[nodiscard]] model::Vec3 from_point(const model::Vec3& v) const { return from_space(v) / unit; }
};

[[nodiscard]] inline float to_float(double v) { return static_cast<float>(v) + 0.0f; }
[[nodiscard]] inline std::array<float, 3> to_floats(const model::Vec3& v) { return {to_float(v.x), to_float(v.y), to_float(v.z)}; }

[[nodiscard]] inline bool is_skinned(const model::Mesh& mesh) { return mesh.skin && !mesh.skin->clusters.empty(); }
[[nodiscard]] inline bool is_usable(const model::Influence& in) { return in.weight > 0 && std::isfinite(in.weight); }
/// Positions of a skinned mesh are stored in its frame's space, as bind poses are read from them.
[[nodiscard]] model::Mat4 skin_placement(const model::MeshInstance& instance);

/// One skin bone for each bone and matrix, sorted by frame (MV1-WRITE-10, MV1-WRITE-18).
void export_skin_bones(Export& ex);
/// The vertices, meshes, lists and shapes of a frame. Errors: LimitExceeded.
[[nodiscard]] core::Result<void> export_frame_meshes(Export& ex, std::uint32_t frame);
/// Point, spot and directional lights, one a frame, as DxLib's own import of FBX has them (MV1-WRITE-25); frames keep those that they have.
void export_lights(Export& ex);
void export_clip(Export& ex, const model::Clip& clip);

}  // namespace gomkit::mv1

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

#include "document.hpp"
#include "links.hpp"

namespace gomkit::mv1 {

/// Metres of one unit of the file, which names none: what DxLib's FBX importer takes over unscaled (MV1-SPACE-2).
inline constexpr double kUnitMeters = 0.01;
/// Clip times a second (MV1-CLIP-1).
inline constexpr double kFps = 30;

/// The model a document means. The caller adds Mv1Extras::buffer. Errors: LimitExceeded. What is doubtful goes to the report, what a
/// Model cannot hold to Mv1Extras::held.
[[nodiscard]] core::Result<model::Model> import(const Document& document, const codec::ReadOptions& options, core::Report& report);

/// What a document has that a Model has no place for and a writer of .mv1 can give back (kept.hpp), by kind.
[[nodiscard]] std::vector<model::HeldContent> held_by(const Document& document);

/// A shape of a frame in one of the meshes that the frame became.
struct MorphOfShape {
    std::uint32_t shape = 0;                 ///< number in the frame
    model::MeshId mesh;
    std::uint32_t channel = 0;               ///< into Mesh::morphs
};

/// What the steps of an import share.
struct Import {
    const Document& doc;
    const Links& links;
    const codec::ReadOptions& options;
    core::Report& report;
    model::Model model;
    std::vector<model::NodeId> node_of;      ///< per frame
    std::uint64_t changed_texts = 0;
    std::vector<std::vector<MorphOfShape>> morphs;   ///< per frame


    /// A string of the file, clean.
    std::string name(std::uint32_t offset);
    void hold(const char* kind, std::uint64_t count);
};

void import_materials(Import& in);
void import_meshes(Import& in);
core::Result<void> import_clips(Import& in);

[[nodiscard]] inline model::Vec3 wide3(const std::array<float, 3>& v) { return {wide(v[0]), wide(v[1]), wide(v[2])}; }

// The file's space to the model's: half a turn about Y, since DxLib's models face -Z, and metres.
[[nodiscard]] inline model::Vec3 turn(const model::Vec3& v) { return {0 - v.x, v.y, 0 - v.z}; }
[[nodiscard]] inline model::Vec3 to_point(const model::Vec3& v) { return turn(v) * kUnitMeters; }
[[nodiscard]] inline model::Quat turn(const model::Quat& q) { return {0 - q.x, q.y, 0 - q.z, q.w}; }
/// A matrix (row vectors) seen from the model's space on both sides.
[[nodiscard]] model::Mat4 turn(const model::Mat4& m);

/// The axes of a RotateOrder, from first to last (MV1-POSE-1).
inline constexpr std::size_t kAxisOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};

/// p * R(first) * R(second) * R(third), as the quaternion that rotates p so.
[[nodiscard]] model::Quat euler(double x, double y, double z, std::int32_t order);
/// A frame's rotation at rest (MV1-POSE-2), and with Euler keys in a clip (MV1-POSE-3), in the file's space.
[[nodiscard]] model::Quat rest_rotation(const Frame& frame);
[[nodiscard]] model::Quat clip_rotation(const Frame& frame, const model::Quat& rotate, std::int32_t order);

}  // namespace gomkit::mv1

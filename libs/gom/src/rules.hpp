#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document.hpp"

/// What the page defines as a value, and reader, writer and checker need alike.
namespace gomkit::gom {

using Matrixd = runtime::Mat4<double>;

/// True when `component` is the escaped `name`, alone or followed by '~' and a number of at least 2 without leading zeros
/// (GOM-SKEL-4). `suffix` (may be null) receives the number's digits, empty where there is none.
[[nodiscard]] bool is_component_of(std::string_view component, std::string_view name, std::string_view* suffix = nullptr);

/// True when `path` is the parent's path, '/' and a component of `name`; without a parent, the component alone.
[[nodiscard]] bool is_path_of(std::string_view path, const std::string_view* parent_path, std::string_view name,
                              std::string_view* suffix = nullptr);

/// True for the chunks that a GOM may have and an MTA may not (MTA-CHUNK-2).
[[nodiscard]] bool is_model_chunk(std::uint32_t fourcc);

/// The order of slots in a file (GOM-MATL-6): by name, then numbers, then maps; none is last.
[[nodiscard]] bool slot_less(const MaterialSlot& a, const MaterialSlot& b);

/// The slot of meshes without a material (GOM-MATL-11).
[[nodiscard]] MaterialSlot default_slot();

/// Why a loader must not open a map path (GOM-MATL-4), or nullptr when it is fine.
[[nodiscard]] const char* map_path_problem(std::string_view path);

/// BND0 as GOM-BND0-4 has it.
struct Bounds {
    std::array<float, 3> min{};
    std::array<float, 3> max{};
    std::array<float, 3> center{};
    float radius = 0;
};
[[nodiscard]] Bounds compute_bounds(std::span<const Vertex> vertices);

/// The stored matrix in double, with the last column that a reader goes on with (CONV-MAT-3).
[[nodiscard]] Matrixd read_matrix(const Matrix& stored);

/// boneModel at bind, for parents in any order without cycles.
[[nodiscard]] std::vector<Matrixd> bind_models(std::span<const Matrix> bind_locals, std::span<const std::int32_t> parents);

/// Whether a palette matrix at bind counts as the identity (validation bit 0). `off` (may be null) receives the largest
/// difference of an element.
[[nodiscard]] bool is_bind_identity(const Matrixd& palette, double translation_scale, double* off = nullptr);

/// max(1, largest absolute translation component of all bind models).
[[nodiscard]] double translation_scale(std::span<const Matrixd> models);

/// Whether the influences are sorted by weight descending, then bone ascending (validation bit 1).
[[nodiscard]] inline bool influences_sorted(const Vertex& v) {
    for (int i = 0; i < 3; ++i) {
        if (v.weight[i] < v.weight[i + 1] || (v.weight[i] == v.weight[i + 1] && v.bone[i] > v.bone[i + 1])) {
            return false;
        }
    }
    return true;
}

/// In double, in stored order (gom.md 13).
[[nodiscard]] inline double weight_sum(const Vertex& v) {
    return static_cast<double>(v.weight[0]) + static_cast<double>(v.weight[1]) + static_cast<double>(v.weight[2]) +
           static_cast<double>(v.weight[3]);
}

/// In double (CONV-QUAT-2).
[[nodiscard]] double quaternion_length(const std::array<float, 4>& q);

/// Whether a writer would negate `q` (GOM-CLP0-14); `before` is the channel's key before it, its own sign settled, or nullptr.
[[nodiscard]] bool wrong_sign(const std::array<float, 4>& q, const std::array<float, 4>* before);

}  // namespace gomkit::gom

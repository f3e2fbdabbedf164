#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "document.hpp"
#include "finding.hpp"

/// The variable blocks of a file in numbers (docs/spec/mv1.md, blocks). Each reader takes exactly its block from the front of
/// `bytes` and says how long it is; with `out` null it only measures. Findings are about the block itself: it passes the end of the
/// bytes, or has a type that does not exist. Nothing is reserved before the bytes for it were seen.
namespace gomkit::mv1 {

struct Weight {
    std::uint16_t slot = 0;   ///< of the frame's palette
    double weight = 0;
};

/// Positions and what hangs on them; normals with their tangents.
struct FrameVertices {
    std::vector<std::array<double, 3>> positions;
    std::vector<std::uint32_t> weight_first;        ///< position count + 1 offsets into `weights`; empty: no weights are stored
    std::vector<Weight> weights;                    ///< as stored, before the loader gives the rest to the last one
    std::vector<std::array<double, 3>> normals;     ///< empty: the loader makes them
    std::vector<std::array<double, 3>> tangents;
    std::vector<std::array<double, 3>> binormals;
    std::uint32_t over_60000 = 0;                   ///< 16-bit positions above the largest legal step
};
[[nodiscard]] Checked<std::size_t> read_frame_blob(const Frame& frame, std::span<const std::byte> bytes, FrameVertices* out);

struct MeshVertices {
    std::vector<std::uint32_t> position;
    std::vector<std::uint32_t> normal;              ///< empty: none stored
    std::vector<std::array<std::uint8_t, 4>> diffuse;    ///< r g b a; one for all, or one a vertex
    std::vector<std::array<std::uint8_t, 4>> specular;
    std::vector<std::array<double, 2>> uvs;         ///< all sets of a vertex together
    std::vector<bool> no_outline;                   ///< empty: no bits are stored
};
[[nodiscard]] Checked<std::size_t> read_mesh_blob(const Mesh& mesh, std::span<const std::byte> bytes, MeshVertices* out);

struct ListIndices {
    std::vector<std::uint16_t> palette;             ///< types 1 and 2
    std::uint16_t max_bones = 0;                    ///< type 3
    std::vector<std::uint32_t> vertices;            ///< mesh vertices
    std::vector<std::uint32_t> indices;             ///< into `vertices`
};
[[nodiscard]] Checked<std::size_t> read_list_blob(const TriangleList& list, std::span<const std::byte> bytes, ListIndices* out);

enum class KeyType : std::int8_t { QuaternionX = 0, Vector = 1, Matrix4x4 = 2, Matrix3x3 = 3, Flat = 4, Linear = 5, Blend = 6, Quaternion = 7 };
enum class DataType : std::int8_t {
    Rotate = 0, RotateX = 1, RotateY = 2, RotateZ = 3, Scale = 5, ScaleX = 6, ScaleY = 7, ScaleZ = 8,
    Translate = 10, TranslateX = 11, TranslateY = 12, TranslateZ = 13, Matrix4x4 = 15, Matrix3x3 = 17, Shape = 18, Other = 20,
};

struct Keys {
    std::uint16_t shape = 0;                        ///< DataType::Shape: number inside the target frame
    std::uint32_t components = 0;                   ///< per key; 0: a type without payload
    std::vector<double> times;
    std::vector<double> values;                     ///< components * times.size()
    [[nodiscard]] std::size_t size() const { return times.size(); }
};
[[nodiscard]] Checked<std::size_t> read_key_block(const KeySet& set, std::span<const std::byte> bytes, Keys* out);

/// Bytes that DxLib takes memory for (MV1-COUNT-1): of a key block's times and values, and of the vertices of a list of type 3.
/// The blocks are sound.
[[nodiscard]] std::uint64_t expanded_size(const KeySet& set);
[[nodiscard]] std::uint64_t free_list_size(const TriangleList& list);

/// Numbers per key of a type; 0 for those that carry none.
[[nodiscard]] std::uint32_t key_components(std::int8_t type);

}  // namespace gomkit::mv1

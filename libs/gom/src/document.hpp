#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gomkit/pass/render_mesh.hpp>
#include <gomkit/runtime/math.hpp>

/// A GOM or MTA file in memory, in the format's own words and order, with the stored float32 values. Strings stand in place of
/// STR0 ids; none is nullopt. What is derived (STR0, BND0, CTBL, counts) is not stored: encode makes it.
namespace gomkit::gom {

using Vertex = pass::RenderVertex;
using Matrix = runtime::Mat4<float>;

struct MaterialSlot {
    std::optional<std::string> name;
    std::array<float, 3> kd{1, 1, 1};
    std::array<float, 3> ks{0.04f, 0.04f, 0.04f};
    std::array<float, 3> ke{0, 0, 0};
    float shininess = 32;
    float opacity = 1;
    std::array<std::optional<std::string>, 4> maps;   ///< diffuse, normal, specular, emissive
    bool operator==(const MaterialSlot&) const = default;
};

struct Bone {
    std::int32_t parent = -1;
    std::string name;
    std::string path;
    Matrix bind_local;
};

struct Submesh {
    std::uint32_t material = 0;
    std::uint32_t index_start = 0;
    std::uint32_t index_count = 0;
};

using Morph = pass::RenderMorph;                      ///< its channel is the file's (Document::morph_channels)

struct Part {
    std::optional<std::string> name;
    core::LargeVector<Vertex> vertices;
    core::LargeVector<std::uint32_t> indices;
    std::vector<Submesh> submeshes;
    std::vector<Matrix> inverse_bind;                 ///< one a bone; empty: unskinned
    std::optional<Matrix> geometry_to_model;          ///< GBTM
    std::vector<Morph> morphs;                        ///< MRPH, by channel and shape
};

struct VectorKey {
    float time = 0;
    std::array<float, 3> value{};
};
struct QuatKey {
    float time = 0;
    std::array<float, 4> value{0, 0, 0, 1};           ///< x y z w
};

struct WeightKey {
    float time = 0;
    std::array<float, 1> value{};
};

struct Track {
    std::uint32_t bone = 0;
    std::vector<VectorKey> translation;
    std::vector<QuatKey> rotation;
    std::vector<VectorKey> scale;
};

struct MorphTrack {
    std::uint32_t channel = 0;
    std::vector<WeightKey> keys;
};

struct Clip {
    std::string name;
    float duration = 0;
    std::int32_t root_bone = -1;
    bool has_root_motion = false;
    bool loop = false;
    std::vector<Track> tracks;
    std::vector<MorphTrack> morph_tracks;             ///< MRPA, by channel
};

struct MorphChannel {
    std::string name;
    float default_weight = 0;
    std::vector<float> shapes;                        ///< the weight of each
};

using Signature = std::array<std::uint8_t, 32>;

struct Document {
    /// Set: the contents of an MTA, which has clips only. It is the signature of the skeleton that they were made for; their bones
    /// are positions in its path order.
    std::optional<Signature> motion_of;
    std::array<std::uint8_t, 32> source_hash{};
    std::optional<std::string> converter_version;
    std::uint32_t validation_flags = 0;
    std::vector<MaterialSlot> materials;
    std::vector<Bone> bones;
    std::vector<MorphChannel> morph_channels;         ///< MRPC, by name
    std::vector<Part> parts;
    std::vector<Clip> clips;
};

}  // namespace gomkit::gom

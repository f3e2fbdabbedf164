#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gomkit/codec/codec.hpp>
#include <gomkit/kit/input.hpp>

namespace gomkit::kit {

struct InfoRequest {
    Input input;
    codec::ReadOptions read;
    std::vector<std::string> texture_folders;  ///< further folders to look in for pictures
};

struct MorphShapeInfo {
    std::string name;
    double weight = 1;             ///< at which it is reached in full
    std::uint64_t vertices = 0;    ///< that it moves; points of a source file, vertices of a GOM
};

struct MorphInfo {
    std::string name;
    double default_weight = 0;
    std::vector<MorphShapeInfo> shapes;  ///< more than one: in-betweens
};

struct MeshInfo {
    std::string name;
    std::uint64_t vertices = 0;    ///< points of a source file, vertices of a GOM
    std::uint64_t triangles = 0;
    std::vector<std::string> materials;  ///< by slot; "" for the default material
    std::uint32_t bones = 0;       ///< that influence it; 0: not skinned
    std::vector<std::string> uv_sets;    ///< by name
    std::vector<std::string> color_sets;
    std::vector<MorphInfo> morphs; ///< blend shape channels
};

struct TextureInfo {
    std::string path;              ///< as a conversion would write it
    std::string file;              ///< where it was found; "" when it was not
    bool embedded = false;         ///< its content lies in the source file
};

struct BoneInfo {
    std::string path;
    std::int32_t parent = -1;      ///< index of the parent bone; -1: none
};

struct MorphTrackInfo {
    std::string mesh;              ///< the first that is placed of those that have the channel
    std::string channel;
    std::uint64_t keys = 0;
};

struct ClipInfo {
    std::string name;
    double duration = 0;           ///< seconds
    double source_start = 0;       ///< the source's time that became 0, seconds
    std::uint64_t tracks = 0;
    std::uint64_t keys = 0;        ///< of all bones' channels
    std::vector<MorphTrackInfo> morph_tracks;  ///< animated weights
};

struct LightInfo {
    model::Light light;
    std::string node;              ///< the path of its node
    model::Vec3 position;          ///< metres, model space, at rest
    model::Vec3 direction;         ///< likewise where it shines; unit length
};

struct CameraInfo {
    model::Camera camera;
    std::string node;
    model::Vec3 position;
    model::Vec3 forward;
    model::Vec3 up;
};

struct PropertiesInfo {
    std::string node;              ///< the path of the node that has them
    std::vector<model::UserProperty> properties;
};

struct InfoResponse {
    std::string format;            ///< codec id
    std::string version;           ///< what the format says of itself, "7400 binary"
    model::SourceInfo source;
    std::optional<model::Vec3> bounds_min;  ///< metres, model space, bind pose; empty without vertices
    std::optional<model::Vec3> bounds_max;
    std::vector<MeshInfo> meshes;
    std::vector<model::Material> materials; ///< `textures` index `textures` below
    std::vector<TextureInfo> textures;
    std::vector<BoneInfo> bones;   ///< sorted by path
    std::vector<LightInfo> lights;
    std::vector<CameraInfo> cameras;
    std::vector<PropertiesInfo> properties;
    std::string signature;         ///< 64 hex digits; "" without a skeleton; of a motion that of the skeleton it was made for
    std::vector<ClipInfo> clips;
    std::string converter_version; ///< of a GOM or a motion; "" otherwise
    bool motion = false;           ///< a motion file: there is nothing but `clips` and `signature`
};

/// What a file holds. What a conversion to GOM would have to leave out is in the report's losses. Errors: those of reading.
[[nodiscard]] core::Result<InfoResponse> info(const codec::Registry& registry, const InfoRequest& request, core::Report& report);

}  // namespace gomkit::kit

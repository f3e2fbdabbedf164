#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gomkit/codec/codec.hpp>
#include <gomkit/kit/input.hpp>

namespace gomkit::kit {

struct PoseRequest {
    Input input;                          ///< the model, of any format that can be read
    std::vector<Input> motions;           ///< files whose clips may be posed too; their signature must be the model's
    codec::ReadOptions read;
    std::optional<std::string> clip;      ///< none: the bind pose
    float time_seconds = 0;               ///< in the clip
    bool rest = false;                    ///< in place of a clip: the source's default transforms
};

/// One mesh part, skinned. Model space: left-handed, Y up, front +Z, metres.
struct PosedPart {
    std::string name;                                  ///< "" for none
    std::vector<std::array<float, 3>> positions;
    std::vector<std::array<float, 3>> normals;         ///< one a position, unit length
    std::vector<std::array<float, 2>> uvs;             ///< one a position, v down
    std::vector<std::uint32_t> indices;                ///< triangles, clockwise seen from outside
};

struct PosedBone {
    std::string path;
    std::int32_t parent = -1;             ///< index of the parent bone; -1: none
    std::array<float, 16> model{};        ///< bone space to model space, row-major, row vectors
};

struct PoseResponse {
    std::string clip;                     ///< "" for the bind or rest pose
    float time_seconds = 0;               ///< as asked for
    std::vector<PosedPart> parts;
    std::vector<PosedBone> bones;
};

/// What a game would show: the model is brought to GOM (a GOM is taken as it is) and posed by the run-time library. Errors: those of
/// reading and converting; Usage for a clip that is not there; CannotConvert for motions of another skeleton (the notes list the bones that
/// differ where the file has them, which an MTA has not) and clips of one name.
[[nodiscard]] core::Result<PoseResponse> pose(const codec::Registry& registry, const PoseRequest& request, core::Report& report);

/// The parts as a Wavefront OBJ: an object each, texture coordinates v up, numbers that read back to the same floats. Space and units
/// are those of PosedPart, which a comment says.
[[nodiscard]] std::string obj_text(const PoseResponse& pose);

}  // namespace gomkit::kit

#pragma once

#include <string>
#include <vector>

#include <gomkit/codec/codec.hpp>
#include <gomkit/kit/input.hpp>

namespace gomkit::kit {

struct DiffRequest {
    Input a;
    Input b;
    codec::ReadOptions read;
    /// Numbers x and y are equal when |x - y| <= tolerance * max(1, |x|, |y|).
    double tolerance = 1e-6;
};

struct Difference {
    std::string place;  ///< "skeleton.bone[Root/Arm].bindLocal"
    std::string what;   ///< "only in A", "differs", "12 triangles differ, most by 0.25"
    std::string a;      ///< the values, where there are single ones
    std::string b;
};

struct DiffResponse {
    std::vector<Difference> differences;  ///< skeleton, meshes, materials, clips, the format's own; within each in A's order
};

/// The differences in meaning of two models, which may be of different formats: both are first brought to what a GOM holds, as a
/// conversion with default options does. Bones are matched by path, meshes, materials and clips by name; the order of vertices,
/// triangles and materials does not count. Where one is a motion only clips and signatures are compared, with bones matched by path if the
/// other has the skeleton of that signature, else by position. What a format keeps beyond that (Codec::facts) is compared where both are of that
/// one. Errors: those of reading and converting; their place names the file.
[[nodiscard]] core::Result<DiffResponse> diff(const codec::Registry& registry, const DiffRequest& request, core::Report& report);

}  // namespace gomkit::kit

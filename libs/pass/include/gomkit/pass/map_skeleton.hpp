#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>
#include <gomkit/model/skeleton.hpp>

namespace gomkit::pass {

struct MapOptions {
    /// Removed from the front of every path component and name of both sides before they are compared; empty: nothing.
    std::string strip_prefix;
    core::Limits limits;
};

/// Which bone of a motion (source) moves which bone of a model (target). Indices are those of the skeletons' bones.
struct SkeletonMap {
    model::Skeleton source;
    model::Skeleton target;
    std::vector<std::int32_t> target_of_source;  ///< per source bone, -1: none
    std::vector<std::int32_t> source_of_target;  ///< per target bone, -1: none
    std::vector<bool> animated;                  ///< per source bone: some clip of the source moves it
    std::uint32_t by_path = 0;                   ///< pairs found by path
    std::uint32_t by_name = 0;                   ///< pairs found by name
    /// Names that a bone without counterpart has and that would fit, had they not several holders on one side.
    std::vector<std::string> ambiguous;
};

/// Pairs the bones: first those with one path, then, of the bones left over, those whose name no other bone of either side has. Where the
/// source has no bone at all (only plain nodes are animated), its animated nodes and those above them count as bones.
/// Errors: CannotConvert when no pair is found (naming bones of both sides); those of model::build_skeleton.
[[nodiscard]] core::Result<SkeletonMap> map_skeleton(const model::Model& source, const model::Model& target, const MapOptions& options);

/// Lists what has no counterpart: source bones that move (RETARGET_BONE_LOST) or do not (RETARGET_BONE_UNUSED), target bones
/// (RETARGET_BONE_STILL), names with several holders (RETARGET_NAME_TWICE). `target_file` is for the text only.
void report_unmatched(const SkeletonMap& map, const std::string& target_file, core::Report& report);

}  // namespace gomkit::pass

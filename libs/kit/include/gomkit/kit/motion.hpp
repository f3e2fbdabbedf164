#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gomkit/kit/input.hpp>
#include <gomkit/pass/reduce_keys.hpp>
#include <gomkit/pass/root_motion.hpp>
#include <gomkit/pass/select_clips.hpp>

namespace gomkit::kit {

/// Which part of a model is written.
enum class SaveMode : std::uint8_t {
    Full,
    Mesh,  ///< without clips
    Anim,  ///< skeleton and clips, without meshes and materials
};

/// What happens to the animation of one conversion, in this order (docs/formats/motion.md, docs/formats/clips.md).
struct MotionOptions {
    std::string strip_prefix;                   ///< removed from the front of bone names, of added files too; empty: nothing
    /// Motions only: the clips are mapped onto this model's skeleton, retargeted where the rest poses differ, and bear its signature.
    std::optional<Input> skeleton;
    std::vector<Input> add_clips;               ///< files whose clips join the model's, mapped onto its skeleton in the same way
    pass::ClipSelection selection;              ///< clips to cut, to keep and to loop
    pass::RootMotionOptions root_motion;
    std::string root_motion_output;             ///< file for the motion taken out, .json or .csv; empty: none
    std::optional<pass::ReduceOptions> reduce;  ///< none: every key stays
    SaveMode save = SaveMode::Full;
    bool split_clips = false;                   ///< motions only: one file a clip, "x.<clip>.mta"
};

/// The name of a clip's own file: "dir/x.mta" and "Walk" give "dir/x.Walk.mta". Control characters, / \ : * ? " < > | % and a
/// dot at the start are percent-encoded.
[[nodiscard]] std::string split_clip_path(const std::string& output, const std::string& extension, const std::string& clip);

}  // namespace gomkit::kit

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// A part of a clip, from the clip's start.
struct ClipTimes {
    double begin = 0;      ///< seconds, or frames at the source file's frame rate
    double end = 0;
    bool frames = false;   ///< begin and end are frames
};

/// A clip to be cut out of another: --clip-range NEW=OLD:a..b.
struct ClipRange {
    std::string name;     ///< of the new clip
    std::string source;   ///< of the clip it is cut from: its whole name, or what follows the last '|' where that is unique
    ClipTimes times;
};

/// What is cut off clips: --trim CLIP, --trim CLIP:a..b.
struct ClipTrim {
    std::string clips;                ///< pattern of the clips
    std::optional<ClipTimes> times;   ///< what is left of them; none: all but the time at begin and end in which nothing moves
};

/// Reads "NEW=OLD:a..b". NEW ends at the first '=', OLD at the last ':'. a and b are decimal numbers, in seconds, or both with an `f`
/// behind them in frames. Errors: Usage, saying which part is wrong.
[[nodiscard]] core::Result<ClipRange> parse_clip_range(std::string_view text);

/// Reads "CLIP" or "CLIP:a..b", a and b as above; CLIP ends at the last ':' where ".." follows it. Errors: Usage, likewise.
[[nodiscard]] core::Result<ClipTrim> parse_clip_trim(std::string_view text);

/// Whether `name`, or what follows the last '|' in it, is what `pattern` says: '*' stands for any characters, also none, '?' for one.
[[nodiscard]] bool matches_clip(std::string_view pattern, std::string_view name);

struct ClipSelection {
    std::vector<ClipRange> ranges;        ///< clips to add
    std::vector<ClipTrim> trims;          ///< what to cut off them and the others, one after the other
    std::vector<std::string> clips;       ///< patterns of the clips to keep; none: all
    std::vector<std::string> loops;       ///< patterns of the clips that loop

    [[nodiscard]] bool empty() const { return ranges.empty() && trims.empty() && clips.empty() && loops.empty(); }
};

/// Adds the clips of `ranges`, cuts what `trims` says (CLIP_TRIMMED where still time was cut off), marks those of `loops` (CLIP_LOOP_OPEN where one does not close), and removes those that `clips` does
/// not name (docs/formats/clips.md). Nameless clips and those of one name are named as writers name them first (CLIP_RENAMED).
/// Bones stay bones, also those that only a removed clip moved, so that the skeleton does not depend on the selection.
/// Errors: Usage for a pattern that names no clip, an unknown or ambiguous source, a name that is taken, a range beyond its clip
/// or frames of a source without frame rate; those of build_skeleton(). The model is unchanged then, names aside.
[[nodiscard]] core::Result<void> select_clips(model::Model& model, const ClipSelection& selection, const core::Limits& limits,
                                              core::Report& report);

/// Gives the clips the names that a writer would give them: a nameless one is `clip`, further ones of one name are numbered (CLIP_RENAMED).
void name_clips(model::Model& model, core::Report& report);

/// Removes all clips as select_clips() removes some: every bone stays one.
[[nodiscard]] core::Result<void> remove_clips(model::Model& model, const core::Limits& limits);

/// Removes all meshes and what only they use, materials, textures and morph tracks (CLIP_SHAPES_LOST); every bone stays one.
[[nodiscard]] core::Result<void> remove_meshes(model::Model& model, const core::Limits& limits, core::Report& report);

}  // namespace gomkit::pass

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <gomkit/codec/codec.hpp>

#include "seams.hpp"
#include "vram_plan.hpp"

/// What only a written PS1M can be asked for (docs/formats/ps1m.md).
namespace gomkit::ps1 {

struct TimOptions {
    VramWish where;
    bool dither = false;
};

struct Options {
    double scale = 1;                        ///< factor on all lengths; 1 makes a metre 4096
    bool fit = false;                        ///< make the scale smaller where a length would not fit
    std::optional<std::uint32_t> fps;        ///< frames a second that were asked for
    std::optional<std::uint32_t> max_bones;  ///< leaves are collapsed into their parents until so many are left
    std::optional<std::uint32_t> triangles;  ///< the mesh is decimated to so many
    std::optional<bool> keep_root_motion;    ///< do not hold the trunk in place; none: hold it, but for a model that is a PS1M already
    bool share_slots = false;                ///< textures beyond the third go into the last slot
    bool ik = false;                         ///< write an IK table, of bones found by their names
    bool autorig = false;                    ///< the model has no bones: make the biped's
    bool lathe = false;                      ///< bodies of rings in place of the biped's mesh
    std::optional<Seams> seams_asked;        ///< what becomes of triangles between bones
    std::optional<TimOptions> tim;           ///< write a TIM of each slot's picture beside the model
    bool compat = false;                     ///< as the original converter does, its defects included

    [[nodiscard]] Seams seams() const { return seams_asked.value_or(lathe ? Seams::Cut : Seams::Keep); }
    [[nodiscard]] std::uint32_t rate() const { return fps.value_or(15); }
};

[[nodiscard]] std::vector<codec::FormatOption> format_options();
[[nodiscard]] Options options_of(const codec::FormatValues& values);
/// Errors: Usage for options that have no meaning without each other, or together.
[[nodiscard]] core::Result<void> check_together(const codec::FormatValues& values);

/// Whether a PS1M that is written with these may stay as it is.
[[nodiscard]] bool may_stay(const Options& own, pass::NormalMode normals);

[[nodiscard]] std::vector<codec::Step> steps(const codec::WriteOptions& options, bool same_format);

}  // namespace gomkit::ps1

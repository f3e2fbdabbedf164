#pragma once

#include <cstdint>
#include <optional>

namespace gomkit::ps1 {

/// What only PS1M has to choose when it is written (docs/formats/ps1m.md).
struct WriteChoices {
    double scale = 1;                        ///< factor on all lengths; 1 makes a metre 4096
    bool fit = false;                        ///< make the scale smaller where a length would not fit
    std::uint32_t fps = 15;                  ///< frames a second, 1 to 65535
    std::optional<std::uint32_t> max_bones;  ///< 1 to 64; leaves are collapsed into their parents until so many are left
    std::optional<std::uint32_t> triangles;  ///< 1 to 8192; the mesh is decimated to so many
    bool keep_root_motion = false;           ///< do not hold the trunk in place
    bool share_slots = false;                ///< textures beyond the third go into the last slot
    bool compat = false;                     ///< as the original converter does, its defects included
};

}  // namespace gomkit::ps1

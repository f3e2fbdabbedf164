#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "document.hpp"
#include "fixed.hpp"

/// Poses as the console computes them (docs/spec/ps1m.md 4 to 6), to the bit. Documents are those that decode() takes.
namespace gomkit::ps1 {

/// Where a clip stands: frame `frame`, and `subframe` of 256 on the way to the next one.
struct PlayPosition {
    std::size_t frame = 0;
    std::int32_t subframe = 0;   ///< 0 to 255
    friend bool operator==(const PlayPosition&, const PlayPosition&) = default;
};

/// One display frame further at `hz` of them a second (PS1M-PLAY-1). The clip has at least one frame.
void advance(PlayPosition& position, const Clip& clip, std::int32_t hz);

/// q0 to q1 by t of 256, on the nearer side, as a matrix (PS1M-POSE-1, PS1M-POSE-2).
[[nodiscard]] Matrix3s16 blended_rotation(const Rotation& q0, const Rotation& q1, std::int32_t t);

/// Placements of all bones relative to their parents (PS1M-POSE-3). The last frame blends into the first.
[[nodiscard]] std::vector<Placement> local_pose(const Document& document, const Clip& clip, const PlayPosition& position);

/// The same in model space (PS1M-POSE-4).
[[nodiscard]] std::vector<Placement> world_pose(const Document& document, std::span<const Placement> local);

/// Carries what was changed in `world` on to the descendants (PS1M-POSE-5); `modified` has one entry a bone.
void refresh_pose(const Document& document, std::span<const Placement> local, const std::vector<bool>& modified, std::span<Placement> world);

/// The chain's effector in model space.
[[nodiscard]] Vec3s32 effector(const IkChain& chain, std::span<const Placement> world);

/// Turns the chain's bones so that the effector reaches `target`, and marks them in `modified` (PS1M-IK-3). The chain has both bones.
void solve_chain(const IkChain& chain, const Vec3s32& target, std::span<Placement> world, std::vector<bool>& modified);

/// The rotation that takes unit vector a to unit vector b (PS1M-IK-2).
[[nodiscard]] Matrix3s16 rotation_between(const Vec3s32& a, const Vec3s32& b);

}  // namespace gomkit::ps1

#pragma once

#include <cstdint>

#include "document.hpp"

namespace gomkit::gom {

/// Settles what a writer guarantees beyond the bytes (gom.md 20): slots sorted and merged, submeshes joined one a slot, bones
/// sorted by path and all that names them renumbered, influences in order, clips sorted by name and tracks by bone, empty tracks
/// and identity placements dropped, no -0, last columns exact, quaternion signs. Weights and quaternions are normalised again
/// only where they are off by more than 1e-6. Vertices, their order, the order of parts and validation_flags stay. Idempotent.
void canonicalise(Document& document);

/// The six bits of validationFlags that are true of the Document (gom.md 15).
[[nodiscard]] std::uint32_t compute_validation_flags(const Document& document);

}  // namespace gomkit::gom

#pragma once

#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// Whether something that was normalised became a direction: the vector of nothing stays 0 0 0, and of what is not finite no number.
[[nodiscard]] inline bool is_unit(const model::Vec3& v) {
    const double squared = dot(v, v);
    return squared > 0.25 && squared < 4;
}

/// What a shape adds to a normal that is computed anew; nothing where there is none before or after it, for want of area.
[[nodiscard]] inline model::Vec3 change_of(const model::Vec3& before, const model::Vec3& after) {
    return is_unit(before) && is_unit(after) ? after - before : model::Vec3{};
}

}  // namespace gomkit::pass

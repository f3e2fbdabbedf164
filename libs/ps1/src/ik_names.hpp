#pragma once

#include <optional>

#include <gomkit/core/report.hpp>

#include "document.hpp"
#include "rig.hpp"

namespace gomkit::ps1 {

/// The IK table of a rig whose bones are called as arms and legs are (PS1M-IK-4); nullopt where no chain has both of its bones. `unit`: of a metre.
/// What was found is told. `compat`: names as the original takes them, which knows no `LeftArm` and no `arm.L`.
[[nodiscard]] std::optional<IkTable> ik_by_names(const Rig& rig, double unit, bool compat, core::Report& report);

}  // namespace gomkit::ps1

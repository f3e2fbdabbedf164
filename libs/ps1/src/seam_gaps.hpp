#pragma once

#include <gomkit/core/report.hpp>

#include "motion.hpp"
#include "rig.hpp"

namespace gomkit::ps1 {

/// Tells of the first 100 clips in which seams open how far its seams open at most: copies of one place apart, and edges between two bones longer than at bind; in exact numbers over
/// frames_to_measure() (PS1M-SEAM-5).
void report_seams(const Rig& rig, const Motion& motion, unsigned jobs, core::Report& report);

}  // namespace gomkit::ps1

#pragma once
// gomkit run-time: loads GOM and MTA from memory without copying them, plays, blends and skins. Standard library only, no exceptions, no
// RTTI, no heap, no I/O, no globals. gomkit_runtime.h is the same for C.

#include "gomkit/runtime/blend_job.hpp"
#include "gomkit/runtime/bytes.hpp"
#include "gomkit/runtime/file_view.hpp"
#include "gomkit/runtime/layout.hpp"
#include "gomkit/runtime/limits.hpp"
#include "gomkit/runtime/math.hpp"
#include "gomkit/runtime/model_view.hpp"
#include "gomkit/runtime/morph_job.hpp"
#include "gomkit/runtime/motion_view.hpp"
#include "gomkit/runtime/palette_job.hpp"
#include "gomkit/runtime/player.hpp"
#include "gomkit/runtime/pose.hpp"
#include "gomkit/runtime/root_motion_job.hpp"
#include "gomkit/runtime/sample_job.hpp"
#include "gomkit/runtime/sha256.hpp"
#include "gomkit/runtime/simd_path.hpp"
#include "gomkit/runtime/skin_job.hpp"
#include "gomkit/runtime/status.hpp"

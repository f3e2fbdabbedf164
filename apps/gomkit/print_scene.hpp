#pragma once

#include <string>

#include <gomkit/kit/info.hpp>

#include "print_json.hpp"

/// The lights, cameras and user properties of a file, for `info`.
[[nodiscard]] std::string scene_text(const gomkit::kit::InfoResponse& info);
/// The same, as members of `document`.
void add_scene_json(Json& document, const gomkit::kit::InfoResponse& info);

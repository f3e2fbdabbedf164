#pragma once

#include <functional>
#include <string>

#include "names.hpp"
#include "scene.hpp"

namespace gomkit::fbx {

/// A property of an element.
[[nodiscard]] codec::ElementProperty property_of(const ufbx_prop& prop, const Names& names);

/// Codec::elements: ids are those that `check` names.
[[nodiscard]] core::Result<void> elements(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions& options,
                                          bool with_properties, const std::function<void(const codec::Element&)>& visit);

}  // namespace gomkit::fbx

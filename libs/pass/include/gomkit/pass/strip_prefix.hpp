#pragma once

#include <cstdint>
#include <string_view>

#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// `name` without `prefix` in front (compared byte by byte; "mixamorig:"). A name that is nothing but the prefix stays.
[[nodiscard]] inline std::string_view without_prefix(std::string_view name, std::string_view prefix) {
    return name.size() > prefix.size() && name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

/// Removes `prefix` from the front of every node's name, and from the names of mesh instances, which are their nodes'. Bone paths are
/// made from names later on and follow. Nodes with a stored path (a GOM's bones) stay as they are, since names and paths of a GOM are
/// what signatures depend on; map_skeleton looks past a prefix on either side without changing anything. Returns how many nodes were
/// renamed. Reports STRIP_PREFIX_UNUSED when no node has the prefix, STRIP_PREFIX_STORED when bones of a GOM have it and keep it. An
/// empty prefix does nothing.
std::uint64_t strip_prefix(model::Model& model, std::string_view prefix, core::Report& report);

}  // namespace gomkit::pass

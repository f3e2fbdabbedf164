#pragma once

#include <cstddef>
#include <functional>

namespace gomkit::core {

/// Calls body(0) ... body(count - 1), each once, on at most `jobs` threads (0 or 1: in order, on this thread). Bodies write to
/// slots of their own index only, so results never depend on `jobs`. An exception of a body is rethrown here.
void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& body);

}  // namespace gomkit::core

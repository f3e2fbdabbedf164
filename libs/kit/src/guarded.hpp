#pragma once

#include <exception>
#include <new>
#include <string>

#include <gomkit/core/error.hpp>

namespace gomkit::kit {

/// Runs `body` and turns whatever it throws into an Error about `file`: the one place where exceptions end.
template <class Body>
auto guarded(const std::string& file, Body&& body) -> decltype(body()) {
    core::Place place;
    place.file = file;
    try {
        return body();
    } catch (const std::bad_alloc&) {
        return core::fail(core::Code::OutOfMemory, place, "the memory does not suffice", {}, {}, "use smaller --limits or fewer --jobs");
    } catch (const std::exception& e) {
        return core::fail(core::Code::Internal, place, "an internal error, please report it", e.what());
    } catch (...) {
        return core::fail(core::Code::Internal, place, "an internal error, please report it");
    }
}

}  // namespace gomkit::kit

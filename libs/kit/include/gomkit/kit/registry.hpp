#pragma once

#include <string>

#include <gomkit/codec/codec.hpp>

namespace gomkit::kit {

// Threads. Every function of kit may be called from several threads at the same time, also with one registry, which nothing changes.
// A request, a response and a report belong to one call at a time; what they share (streams, side files, callbacks) must bear it. Two calls
// must not write the same file: give them to one convert_all(), which sees to that. kit_test "Threads" holds this.

/// All formats of this build, in the order in which a file's first bytes are tried.
[[nodiscard]] codec::Registry make_registry();

/// What this build is made of.
struct Versions {
    std::string gomkit;        ///< "0.1.0"
    int output_revision = 0;   ///< grows when the bytes written for some input change
    std::string compiler;      ///< "g++ 12.2.0"
    bool with_fbx = false;
    std::string ufbx;          ///< "" without FBX
    std::string mikktspace;    ///< of the crate mikktspace-sys; "external" when built from sources of the packager
};

[[nodiscard]] Versions versions();

}  // namespace gomkit::kit

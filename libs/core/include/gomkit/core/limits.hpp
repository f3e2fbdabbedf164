#pragma once

#include <cstdint>

#include <gomkit/runtime/limits.hpp>

namespace gomkit::core {

/// Limits of every loader. The run-time's (bones, vertices, strings, ...; docs/spec/gom.md) and those that only the tools need.
/// None is unlimited; all are inclusive.
struct Limits : runtime::Limits {
    std::uint64_t max_memory_bytes = 8ull << 30;   ///< what a source's own structures may take while it is read
    std::uint32_t max_nodes = 1'000'000;           ///< scene nodes of a source file
    std::uint32_t max_node_depth = 100'000;        ///< nesting of scene nodes

    static constexpr Limits make_default() { return Limits{}; }
    static constexpr Limits make_small() {
        Limits l{};
        static_cast<runtime::Limits&>(l) = runtime::Limits::small();
        l.max_memory_bytes = 512ull << 20;
        l.max_nodes = 65'536;
        l.max_node_depth = 4'096;
        return l;
    }
    static constexpr Limits make_large() {
        Limits l{};
        static_cast<runtime::Limits&>(l) = runtime::Limits::large();
        l.max_memory_bytes = 64ull << 30;
        l.max_nodes = 16'000'000;
        return l;
    }
};

}  // namespace gomkit::core

#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <gomkit/core/error.hpp>
#include <gomkit/core/limits.hpp>

namespace gomkit::gom {

/// Bytes as the run-time library wants them, aligned to 16: the caller's own where they are, else a copy.
class AlignedBytes {
public:
    explicit AlignedBytes(std::span<const std::byte> bytes);
    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

private:
    struct Delete {
        void operator()(std::byte* p) const;
    };
    std::unique_ptr<std::byte[], Delete> copy_;
    std::span<const std::byte> bytes_;
};

/// That finished output is a valid GOM, by readers that share nothing with the writer: the run-time library's verify and the
/// checker. A failure is InvalidOutput with the finding. (A decode would add nothing: it accepts exactly what the checker calls
/// valid, which the tests prove.)
[[nodiscard]] core::Result<void> prove(std::span<const std::byte> bytes, const core::Limits& limits);

/// The same of an MTA.
[[nodiscard]] core::Result<void> prove_motion(std::span<const std::byte> bytes, const core::Limits& limits);

}  // namespace gomkit::gom

#pragma once
// SHA-256 (FIPS 180-4): skeleton signatures and source hashes.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gomkit::runtime {

// How the compression function is computed. All give the same digest.
enum class Sha256Path : std::uint8_t {
    Auto,      // the fastest the CPU has
    Portable,  // plain integer C++
    Hardware,  // x86 SHA extensions; where the CPU has none, Portable
};

// Whether Sha256Path::Hardware differs from Portable on this CPU and in this build.
[[nodiscard]] bool sha256_has_hardware() noexcept;

// Hash of a stream. finish() gives the digest and starts anew. Not to be shared between threads.
class Sha256 {
public:
    explicit Sha256(Sha256Path path = Sha256Path::Auto) noexcept;

    void update(std::span<const std::byte> bytes) noexcept;
    void update(std::span<const std::uint8_t> bytes) noexcept;
    [[nodiscard]] std::array<std::uint8_t, 32> finish() noexcept;

private:
    void reset() noexcept;
    void compress(const std::uint8_t* blocks, std::size_t block_count) noexcept;

    std::uint32_t state_[8];
    std::uint64_t byte_count_ = 0;
    std::uint8_t buffer_[64];
    std::uint32_t buffered_ = 0;
    Sha256Path path_;  // Auto until there is enough to hash for asking the CPU to pay off
};

// Digest of one span.
[[nodiscard]] std::array<std::uint8_t, 32> sha256(std::span<const std::byte> bytes) noexcept;
[[nodiscard]] std::array<std::uint8_t, 32> sha256(std::span<const std::uint8_t> bytes) noexcept;

}  // namespace gomkit::runtime

#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>

#include <gtest/gtest.h>

#include <gomkit/image/image.hpp>

/// Files written out byte by byte, for formats whose readers nothing here writes for.
namespace gomkit::image {

inline core::Bytes bytes_of(std::initializer_list<int> values) {
    core::Bytes out;
    std::transform(values.begin(), values.end(), std::back_inserter(out), [](int v) { return static_cast<std::byte>(v); });
    return out;
}

inline core::Bytes operator+(core::Bytes a, const core::Bytes& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// What was read, its error as text otherwise.
inline std::vector<std::uint8_t> pixels_of(const core::Bytes& bytes, const char* file, std::uint32_t width, std::uint32_t height) {
    const auto read = read_image(bytes, file);
    EXPECT_TRUE(read.has_value()) << core::to_string(read.error());
    EXPECT_TRUE(!read || (read->width == width && read->height == height));
    return read ? read->rgba : std::vector<std::uint8_t>{};
}

inline core::Error error_of(const core::Bytes& bytes, const char* file, const ImageLimits& limits = {}) {
    const auto read = read_image(bytes, file, limits);
    EXPECT_FALSE(read.has_value());
    return read ? core::Error{} : read.error();
}

/// Reads every prefix in a block of exactly its size, and the file with each byte changed. Prefixes of at least `known` bytes end too early.
inline void read_damaged(const core::Bytes& bytes, const char* file, std::size_t known) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto block = std::make_unique<std::byte[]>(size);
        std::copy_n(bytes.begin(), size, block.get());
        const auto read = read_image({block.get(), size}, file);
        ASSERT_FALSE(read.has_value()) << size;
        ASSERT_EQ(read.error().code, size < known ? core::Code::NotThisFormat : core::Code::Truncated) << size;
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        for (const int bits : {0x01, 0x41, 0x80, 0xFF}) {
            core::Bytes changed = bytes;
            changed[i] ^= static_cast<std::byte>(bits);
            (void)read_image(changed, file);
        }
    }
}

}  // namespace gomkit::image

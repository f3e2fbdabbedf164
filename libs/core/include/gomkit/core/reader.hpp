#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gomkit/core/error.hpp>

namespace gomkit::core {

/// Little-endian cursor over bytes that knows where it is. Reading past the end sets `failed()` and yields zeros, so a run of
/// fields is read first and tested once. Offsets in messages are relative to the file: `base` is the file offset of bytes[0].
class Reader {
public:
    Reader() = default;
    explicit Reader(std::span<const std::byte> bytes, std::uint64_t base = 0) : bytes_(bytes), base_(base) {}

    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    [[nodiscard]] std::size_t position() const { return position_; }
    [[nodiscard]] std::size_t left() const { return bytes_.size() - position_; }
    [[nodiscard]] std::uint64_t file_offset() const { return base_ + position_; }
    [[nodiscard]] bool failed() const { return failed_; }

    void seek(std::size_t position) {
        if (position > bytes_.size()) {
            failed_ = true;
        } else {
            position_ = position;
        }
    }
    void skip(std::size_t count) {
        if (count > left()) {
            failed_ = true;
        } else {
            position_ += count;
        }
    }

    template <class T>
    [[nodiscard]] T get() {
        static_assert(std::is_arithmetic_v<T>);
        T value{};
        if (sizeof(T) > left()) {
            failed_ = true;
            return value;
        }
        std::byte raw[sizeof(T)];
        std::memcpy(raw, bytes_.data() + position_, sizeof(T));
        if constexpr (std::endian::native == std::endian::big) {
            for (std::size_t i = 0; i < sizeof(T) / 2; ++i) {
                std::swap(raw[i], raw[sizeof(T) - 1 - i]);
            }
        }
        std::memcpy(&value, raw, sizeof(T));
        position_ += sizeof(T);
        return value;
    }
    [[nodiscard]] std::uint8_t u8() { return get<std::uint8_t>(); }
    [[nodiscard]] std::uint16_t u16() { return get<std::uint16_t>(); }
    [[nodiscard]] std::uint32_t u32() { return get<std::uint32_t>(); }
    [[nodiscard]] std::uint64_t u64() { return get<std::uint64_t>(); }
    [[nodiscard]] std::int32_t i32() { return get<std::int32_t>(); }
    [[nodiscard]] float f32() { return get<float>(); }

    /// True when `count` items of `item_bytes` each are still there; overflow-safe. Ask before reserving memory.
    [[nodiscard]] bool has(std::uint64_t count, std::uint64_t item_bytes) const {
        return item_bytes == 0 || count <= left() / item_bytes;
    }
    /// The next `count` bytes, or an empty span and failed().
    [[nodiscard]] std::span<const std::byte> take(std::size_t count) {
        if (count > left()) {
            failed_ = true;
            return {};
        }
        const auto result = bytes_.subspan(position_, count);
        position_ += count;
        return result;
    }

private:
    std::span<const std::byte> bytes_;
    std::uint64_t base_ = 0;
    std::size_t position_ = 0;
    bool failed_ = false;
};

/// Little-endian appender.
class Writer {
public:
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    void reserve(std::size_t size) { bytes_.reserve(size); }

    template <class T>
    void put(T value) {
        static_assert(std::is_arithmetic_v<T>);
        std::byte raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        if constexpr (std::endian::native == std::endian::big) {
            for (std::size_t i = 0; i < sizeof(T) / 2; ++i) {
                std::swap(raw[i], raw[sizeof(T) - 1 - i]);
            }
        }
        bytes_.insert(bytes_.end(), raw, raw + sizeof(T));
    }
    void u16(std::uint16_t v) { put(v); }
    void u32(std::uint32_t v) { put(v); }
    void u64(std::uint64_t v) { put(v); }
    void i32(std::int32_t v) { put(v); }
    void f32(float v) { put(v); }
    void raw(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
    void text(std::string_view s) { raw(std::as_bytes(std::span(s.data(), s.size()))); }
    void zeros(std::size_t count) { bytes_.resize(bytes_.size() + count); }
    /// Zero bytes up to the next multiple of `alignment` of the size so far.
    void align(std::size_t alignment) { zeros((alignment - bytes_.size() % alignment) % alignment); }
    /// Overwrites an earlier u32 or u64.
    template <class T>
    void patch(std::size_t offset, T value) {
        Writer w;
        w.put(value);
        std::memcpy(bytes_.data() + offset, w.bytes_.data(), sizeof(T));
    }
    [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }
    [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

private:
    std::vector<std::byte> bytes_;
};

}  // namespace gomkit::core

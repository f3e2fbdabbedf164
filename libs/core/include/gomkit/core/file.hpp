#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gomkit/core/error.hpp>

namespace gomkit::core {

using Bytes = std::vector<std::byte>;

/// A file's bytes, 16-byte aligned; big files are memory-mapped where the system allows. Movable; the bytes live as long as it.
class FileBytes {
public:
    FileBytes() = default;
    explicit FileBytes(Bytes owned);
    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

private:
    friend Result<FileBytes> read_file(const std::string&, std::uint64_t);
    std::shared_ptr<const void> keep_;
    std::span<const std::byte> bytes_;
};

/// Reads a whole file. Paths are UTF-8. Errors: CannotOpen (missing, a folder, not permitted), CannotRead, LimitExceeded when
/// it is larger than `max_bytes`.
[[nodiscard]] Result<FileBytes> read_file(const std::string& path, std::uint64_t max_bytes);

/// Writes `bytes` to a temporary file in `path`'s folder and renames it into place, so that `path` is either what it was or
/// complete. Nothing is left behind on failure. A link is followed, and what it points to is replaced. What is no ordinary file (a
/// device, a pipe) is written to as it is. Errors: CannotWrite.
[[nodiscard]] Result<void> write_file_atomically(const std::string& path, std::span<const std::byte> bytes);

/// While it lives no write_file_atomically() runs in any thread; making it waits for those that do. For leaving the process without
/// a temporary file being left behind.
class WritePause {
public:
    WritePause();

private:
    std::unique_lock<std::mutex> gate_;
    std::unique_lock<std::shared_mutex> writers_;
};

/// True when both name the same existing file (links followed).
[[nodiscard]] bool same_file(const std::string& a, const std::string& b);
[[nodiscard]] bool is_folder(const std::string& path);
[[nodiscard]] bool exists(const std::string& path);

/// What follows the last separator.
[[nodiscard]] std::string_view base_name(std::string_view path);
/// What stands before the last separator; "." when there is none.
[[nodiscard]] std::string folder_of(std::string_view path);
/// Lower-case ASCII extension without the dot; "" when there is none.
[[nodiscard]] std::string extension_of(std::string_view path);

}  // namespace gomkit::core

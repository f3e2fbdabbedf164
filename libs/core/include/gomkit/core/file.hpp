#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
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
/// complete. Nothing is left behind on failure. A link is followed, and what it points to is replaced or, when nothing is there,
/// made. What is no ordinary file (a device, a pipe) is written to as it is. Errors: CannotWrite.
[[nodiscard]] Result<void> write_file_atomically(const std::string& path, std::span<const std::byte> bytes);

/// Whether a file could be made in the folder of `path`, as far as its parts show; links are followed. Errors: CannotWrite when a
/// part of the path is missing, is no folder or cannot be looked into.
[[nodiscard]] Result<void> check_output_folder(const std::string& path);

/// What a user can do about an error number of the system that came from making or writing a file; "" when there is nothing to say.
[[nodiscard]] const char* write_cure(int error);

/// Several files that are written together: no WritePause begins while it lives, so that a process that leaves during one leaves
/// before the first file or after the last. Only to be held by the thread that made it; may be nested.
class WriteGroup {
public:
    WriteGroup();
    ~WriteGroup();
    WriteGroup(const WriteGroup&) = delete;
    WriteGroup& operator=(const WriteGroup&) = delete;
};

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
/// What tells an existing file from all others, whatever its names are.
struct FileId {
    std::uint64_t device = 0;
    std::uint64_t number = 0;
    auto operator<=>(const FileId&) const = default;
};
/// nullopt when there is no such file (links followed).
[[nodiscard]] std::optional<FileId> file_id(const std::string& path);
/// One spelling for the file that would be written at `path`, whether it exists or not: absolute, links followed.
[[nodiscard]] std::string identity_of(const std::string& path);
[[nodiscard]] bool is_folder(const std::string& path);
/// True for an ordinary file (links followed).
[[nodiscard]] bool is_regular_file(const std::string& path);
[[nodiscard]] bool exists(const std::string& path);

/// What follows the last separator.
[[nodiscard]] std::string_view base_name(std::string_view path);
/// What stands before the last separator; "." when there is none.
[[nodiscard]] std::string folder_of(std::string_view path);
/// Lower-case ASCII extension without the dot; "" when there is none.
[[nodiscard]] std::string extension_of(std::string_view path);

}  // namespace gomkit::core

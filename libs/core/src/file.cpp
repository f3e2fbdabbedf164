#include <gomkit/core/file.hpp>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gomkit::core {
namespace {

std::string system_text(int error) { return std::generic_category().message(error); }

Place file_place(const std::string& path) {
    Place place;
    place.file = path;
    return place;
}

// A file descriptor that is closed on the way out.
struct Descriptor {
    int fd = -1;
    explicit Descriptor(int f) : fd(f) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd >= 0) {
            ::close(fd);
        }
    }
};

// `writers` is held shared while a temporary file exists. Whoever wants it passes `gate` first, so that a steady stream of writers
// cannot keep a WritePause waiting.
struct WriteLocks {
    std::mutex gate;
    std::shared_mutex writers;
};

WriteLocks& write_locks() {
    static WriteLocks locks;
    return locks;
}

// A thread's share of `writers`, taken once however many groups it has open.
struct WriteShare {
    int depth = 0;
    std::shared_lock<std::shared_mutex> lock;
};

WriteShare& write_share() {
    thread_local WriteShare share;
    return share;
}

// Where a link at the end of `path` leads, also when nothing is there; nullopt and errno for a loop.
std::optional<std::string> follow_links(const std::string& path) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    if (!error) {
        return real.string();
    }
    std::string at = path;
    for (int step = 0; step < 40; ++step) {
        struct stat status {};
        if (::lstat(at.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) {
            return at;
        }
        const std::filesystem::path link = std::filesystem::read_symlink(at, error);
        if (error) {
            errno = error.value();
            return std::nullopt;
        }
        at = link.is_absolute() ? link.string() : folder_of(at) + "/" + link.string();
    }
    errno = ELOOP;
    return std::nullopt;
}

// `path` is how the user named what is now `target`.
Result<void> check_folder(const std::string& path, const std::string& target) {
    const std::string folder = folder_of(target);
    struct stat status {};
    const int error = ::stat(folder.c_str(), &status) == 0 ? 0 : errno;
    if (error == 0 && S_ISDIR(status.st_mode)) {
        return {};
    }
    std::string part = folder;  // the part of the path that is in the way
    while ((error == ENOTDIR) && ::stat(part.c_str(), &status) != 0 && part != "." && part != "/") {
        part = folder_of(part);
    }
    if (error == 0 || error == ENOTDIR) {
        return fail(Code::CannotWrite, file_place(path), "'" + part + "' in the output's path is a file, not a folder");
    }
    if (error == ENOENT) {
        return fail(Code::CannotWrite, file_place(path), "the output's folder '" + folder + "' does not exist", {}, {}, "make it first");
    }
    return fail(Code::CannotWrite, file_place(path), "cannot use the output's folder '" + folder + "'", system_text(error), {}, write_cure(error));
}

// 0 or errno.
int write_all(int fd, std::span<const std::byte> bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t put = ::write(fd, bytes.data() + done, bytes.size() - done);
        if (put >= 0) {
            done += static_cast<std::size_t>(put);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

int write_directly(const std::string& path, std::span<const std::byte> bytes) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return file.fd < 0 ? errno : write_all(file.fd, bytes);
}

// A new, empty file in `folder` with the permissions that new files get here; -1 and errno when there is none to be had. The name
// is short, so that an output whose own name is as long as the file system allows still works.
int make_temporary(const std::string& folder, std::string& path) {
    static std::atomic<std::uint32_t> counter{0};
    for (int attempt = 0; attempt < 1000; ++attempt) {
        path = folder + "/.gomkit-" + std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1)) + ".tmp";
        const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

}  // namespace

FileBytes::FileBytes(Bytes owned) {
    auto keep = std::make_shared<const Bytes>(std::move(owned));
    bytes_ = *keep;
    keep_ = keep;
}

Result<FileBytes> read_file(const std::string& path, std::uint64_t max_bytes) {
    if (path.empty()) {
        return fail(Code::CannotOpen, {}, "cannot open '', which is no file name", {}, {}, "name a file");
    }
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.fd < 0) {
        const int error = errno;
        return fail(Code::CannotOpen, file_place(path), "cannot open the file", system_text(error), {},
                    error == ENOENT ? "check the path" : "");
    }
    struct stat status {};
    if (::fstat(file.fd, &status) != 0) {
        return fail(Code::CannotRead, file_place(path), "cannot read the file", system_text(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        return fail(Code::CannotOpen, file_place(path), "is a folder, not a file", {}, {}, "name a file in it");
    }
    const auto too_large = [&](std::uint64_t size) {
        return fail(Code::LimitExceeded, file_place(path), "the file is too large", std::to_string(size) + " bytes",
                    "at most " + std::to_string(max_bytes) + " bytes");
    };
    if (S_ISREG(status.st_mode)) {
        const auto size = static_cast<std::uint64_t>(status.st_size);
        if (size > max_bytes) {
            return too_large(size);
        }
        if (size == 0) {
            return FileBytes(Bytes{});
        }
        // A mapped file that another program cuts short kills the reader, so files of the usual size are copied.
        constexpr std::uint64_t kMapFrom = 256u << 20;
        void* address = size < kMapFrom ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
        if (address != MAP_FAILED) {
            FileBytes result;
            result.keep_ = std::shared_ptr<const void>(address, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
            result.bytes_ = {static_cast<const std::byte*>(address), size};
            return result;
        }
    }
    Bytes bytes;
    constexpr std::size_t kBlock = 1u << 20;
    if (S_ISREG(status.st_mode)) {
        bytes.reserve(static_cast<std::size_t>(status.st_size) + kBlock);
    }
    for (;;) {
        const std::size_t old = bytes.size();
        bytes.resize(old + kBlock);
        const ssize_t got = ::read(file.fd, bytes.data() + old, kBlock);
        if (got < 0) {
            if (errno == EINTR) {
                bytes.resize(old);
                continue;
            }
            return fail(Code::CannotRead, file_place(path), "cannot read the file", system_text(errno));
        }
        bytes.resize(old + static_cast<std::size_t>(got));
        if (bytes.size() > max_bytes) {
            return too_large(bytes.size());
        }
        if (got == 0) {
            return FileBytes(std::move(bytes));
        }
    }
}

const char* write_cure(int error) {
    switch (error) {
        case EACCES:
        case EPERM:
        case EROFS: return "check the folder's permissions";
        case ENOSPC:
        case EDQUOT: return "free some space on the disk";
        case ENAMETOOLONG: return "use a shorter name";
        case EFBIG: return "raise the limit on the size of files (ulimit -f)";
        case ELOOP: return "remove the links that lead in a circle";
        default: return "";
    }
}

Result<void> check_output_folder(const std::string& path) {
    const auto target = follow_links(path);
    if (!target) {
        const int error = errno;
        return fail(Code::CannotWrite, file_place(path), "cannot follow the link", system_text(error), {}, write_cure(error));
    }
    return check_folder(path, *target);
}

Result<void> write_file_atomically(const std::string& path, std::span<const std::byte> bytes) {
    const auto cannot = [&](const char* what, int error) {
        return fail(Code::CannotWrite, file_place(path), what, system_text(error), {}, write_cure(error));
    };
    if (is_folder(path)) {
        return fail(Code::CannotWrite, file_place(path), "the output is an existing folder", {}, {}, "name a file in it");
    }
    const auto followed = follow_links(path);
    if (!followed) {
        return cannot("cannot follow the link", errno);
    }
    const std::string& target = *followed;
    if (base_name(target).empty()) {
        return fail(Code::CannotWrite, file_place(path), "the output has no file name", {}, {}, "name a file");
    }
    const std::string folder = folder_of(target);
    if (auto usable = check_folder(path, target); !usable) {
        return usable;
    }
    struct stat old {};
    const bool replaces = ::stat(target.c_str(), &old) == 0;
    if (replaces && !S_ISREG(old.st_mode)) {
        const int error = write_directly(target, bytes);
        return error == 0 ? Result<void>() : cannot("cannot write the output", error);
    }
    const WriteGroup writing;
    std::string temporary;
    Descriptor file(make_temporary(folder, temporary));
    if (file.fd < 0) {
        return cannot("cannot make a file in the output's folder", errno);
    }
    int error = write_all(file.fd, bytes);
    if (error == 0 && replaces && ::fchmod(file.fd, old.st_mode & 07777) != 0 && errno != EPERM) {
        error = errno;  // a replaced file keeps its permissions, where the file system has any
    }
    if (::close(std::exchange(file.fd, -1)) != 0 && error == 0) {
        error = errno;  // network file systems report a full disk only here
    }
    if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) {
        error = errno;
    }
    if (error != 0) {
        ::unlink(temporary.c_str());
        return cannot("cannot write the output", error);
    }
    return {};
}

WriteGroup::WriteGroup() {
    WriteShare& share = write_share();
    if (share.depth == 0) {
        const std::lock_guard<std::mutex> gate(write_locks().gate);
        share.lock = std::shared_lock<std::shared_mutex>(write_locks().writers);
    }
    ++share.depth;
}

WriteGroup::~WriteGroup() {
    WriteShare& share = write_share();
    if (--share.depth == 0) {
        share.lock = {};
    }
}

WritePause::WritePause() : gate_(write_locks().gate), writers_(write_locks().writers) {}

bool same_file(const std::string& a, const std::string& b) {
    std::error_code error;
    return std::filesystem::equivalent(a, b, error) && !error;
}

std::optional<FileId> file_id(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        return std::nullopt;
    }
    return FileId{static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

std::string identity_of(const std::string& path) {
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(follow_links(path).value_or(path), error);
    const std::filesystem::path real = error ? absolute : std::filesystem::weakly_canonical(absolute, error);
    return error ? path : real.string();
}

bool is_regular_file(const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
}

bool is_folder(const std::string& path) {
    std::error_code error;
    return std::filesystem::is_directory(path, error);
}

bool exists(const std::string& path) {
    std::error_code error;
    return std::filesystem::exists(path, error);
}

std::string_view base_name(std::string_view path) {
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string folder_of(std::string_view path) {
    const std::size_t slash = path.find_last_of('/');
    if (slash == std::string_view::npos) {
        return ".";
    }
    return std::string(slash == 0 ? "/" : path.substr(0, slash));
}

std::string extension_of(std::string_view path) {
    const std::string_view name = base_name(path);
    const std::size_t dot = name.find_last_of('.');
    if (dot == std::string_view::npos || dot == 0) {
        return {};
    }
    std::string out(name.substr(dot + 1));
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') {
            c = static_cast<char>(c - 'A' + 'a');
        }
    }
    return out;
}

}  // namespace gomkit::core

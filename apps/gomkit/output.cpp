#include "output.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gomkit/core/file.hpp>

#include "progress_line.hpp"

namespace {

int first_error = 0;

void remember_error() {
    if (first_error == 0) {
        first_error = errno != 0 ? errno : EIO;
    }
}

}  // namespace

void prepare_streams() {
    // Opened the wrong way round on purpose: writing to a stdout that was closed must still fail.
    for (const int fd : {0, 1, 2}) {
        if (::fcntl(fd, F_GETFD) == -1 && errno == EBADF) {
            static_cast<void>(::open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY));
        }
    }
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing it
}

void print_result(std::string_view text) {
    ProgressLine::wipe();
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
        remember_error();
    }
}

gomkit::core::Result<void> write_stdout(const std::string& name, std::span<const std::byte> bytes) {
    ProgressLine::wipe();
    std::fflush(stdout);
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t put = ::write(1, bytes.data() + done, bytes.size() - done);
        if (put >= 0) {
            done += static_cast<std::size_t>(put);
        } else if (errno != EINTR) {
            const int error = errno;
            gomkit::core::Place place;
            place.file = name;
            return gomkit::core::fail(gomkit::core::Code::CannotWrite, place, "cannot write the output", std::generic_category().message(error), {},
                                      gomkit::core::write_cure(error));
        }
    }
    return {};
}

gomkit::core::Result<void> write_result(const std::string& output, std::span<const std::byte> bytes, std::span<const std::string> inputs) {
    if (std::any_of(inputs.begin(), inputs.end(), [&](const std::string& input) { return gomkit::core::same_file(input, output); })) {
        gomkit::core::Place place;
        place.file = output;
        return gomkit::core::fail(gomkit::core::Code::CannotWrite, place, "the output is the input itself", {}, {}, "choose another name with -o");
    }
    return is_stdout(output) ? write_stdout(output, bytes) : gomkit::core::write_file_atomically(output, bytes);
}

bool is_stdout(const std::string& path) {
    for (const char* name : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
        if (path == name) {
            return true;
        }
    }
    struct stat file {};
    struct stat out {};
    return ::stat(path.c_str(), &file) == 0 && ::fstat(1, &out) == 0 && !S_ISCHR(file.st_mode) && file.st_dev == out.st_dev &&
           file.st_ino == out.st_ino;
}

void print_error_line(std::string_view line) {
    ProgressLine::wipe();
    std::fflush(stdout);
    std::string text(line);
    text += '\n';
    std::fwrite(text.data(), 1, text.size(), stderr);
}

int finish_output(int code) {
    ProgressLine::wipe();
    if (std::fflush(stdout) != 0) {
        remember_error();
    }
    if (first_error == 0) {
        return code;
    }
    if (first_error != EPIPE) {  // whoever reads a pipe may stop when they have seen enough
        print_error_line("gomkit: error CannotWrite: cannot write to stdout: found " + std::generic_category().message(first_error));
    }
    return code > 5 ? code : 5;
}

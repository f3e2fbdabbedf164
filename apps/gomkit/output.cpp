#include "output.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

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
}

void print_result(std::string_view text) {
    ProgressLine::wipe();
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) {
        remember_error();
    }
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

#include "signals.hpp"

#include <csignal>
#include <system_error>
#include <thread>

#include <pthread.h>
#include <unistd.h>

#include <gomkit/core/file.hpp>

void watch_signals() {
    sigset_t watched;
    sigemptyset(&watched);
    bool any = false;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction now {};
        if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) {
            sigaddset(&watched, signal);
            any = true;
        }
    }
    if (!any || ::pthread_sigmask(SIG_BLOCK, &watched, nullptr) != 0) {
        return;
    }
    // A thread that waits, not a handler: it may take locks, and so it can wait for the temporary files to be gone.
    // Where no thread can be had the signals end the process as they do any other.
    try {
        std::thread([watched] {
            int signal = 0;
            if (::sigwait(&watched, &signal) == 0) {
                const gomkit::core::WritePause nothing_half_written;
                constexpr char kMessage[] = "\ngomkit: error Interrupted: interrupted\n";
                static_cast<void>(!::write(2, kMessage + 1, sizeof kMessage - 2));
                ::_exit(128 + signal);
            }
        }).detach();
    } catch (const std::system_error&) {
        ::pthread_sigmask(SIG_UNBLOCK, &watched, nullptr);
    }
}

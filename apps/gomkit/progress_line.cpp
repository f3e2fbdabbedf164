#include "progress_line.hpp"

#include <chrono>
#include <cstdio>
#include <system_error>

#include <unistd.h>

#include <gomkit/core/text.hpp>

namespace {

std::mutex current_mutex;
ProgressLine* current = nullptr;

void wipe_terminal() {
    std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
}

}  // namespace

ProgressLine::ProgressLine(bool wanted) {
    if (wanted && ::isatty(2) == 1) {
        {
            const std::lock_guard<std::mutex> lock(current_mutex);
            current = this;
        }
        try {
            ticker_ = std::thread([this] { run(); });
        } catch (const std::system_error&) {  // no thread to be had: no line
            const std::lock_guard<std::mutex> lock(current_mutex);
            current = nullptr;
        }
    }
}

ProgressLine::~ProgressLine() {
    if (!ticker_.joinable()) {
        return;
    }
    wipe();
    {
        const std::lock_guard<std::mutex> lock(current_mutex);
        current = nullptr;
    }
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    ticker_.join();
    if (shown_) {
        wipe_terminal();
    }
}

void ProgressLine::show(const std::string& file, std::string_view stage) {
    if (ticker_.joinable()) {
        const std::lock_guard<std::mutex> lock(mutex_);
        text_ = gomkit::core::printable(file) + ": " + std::string(stage);
    }
}

void ProgressLine::wipe() {
    const std::lock_guard<std::mutex> lock(current_mutex);
    if (current == nullptr) {
        return;
    }
    const std::lock_guard<std::mutex> own(current->mutex_);
    if (current->shown_) {
        wipe_terminal();
        current->shown_ = false;
    }
}

void ProgressLine::run() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(300), [this] { return stop_; })) {
        if (!text_.empty()) {
            std::fprintf(stderr, "\r\x1b[K%.100s", text_.c_str());
            std::fflush(stderr);
            shown_ = true;
        }
    }
}

#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

/// One line on stderr that says what is being done, for work that takes longer than a moment. Only on a terminal.
class ProgressLine {
public:
    explicit ProgressLine(bool wanted);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// May be called from any thread.
    void show(const std::string& file, std::string_view stage);
    /// Takes the line off the terminal, so that something else can be printed; it comes back with the next tick.
    static void wipe();

private:
    void run();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::string text_;
    bool stop_ = false;
    bool shown_ = false;
    std::thread ticker_;
};

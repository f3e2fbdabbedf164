#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gomkit::core {

/// How a long piece of work talks to whoever waits for it. Both members may be empty. They may be called from several threads
/// at once when the work runs on several.
struct Progress {
    /// The work on `file` enters a stage ("reading", "writing").
    std::function<void(const std::string& file, std::string_view stage)> stage;
    /// Asked between stages; true stops the work with Code::Interrupted before anything more is written.
    std::function<bool()> cancelled;

    void enter(const std::string& file, std::string_view name) const {
        if (stage) {
            stage(file, name);
        }
    }
    [[nodiscard]] bool is_cancelled() const { return cancelled && cancelled(); }
};

}  // namespace gomkit::core

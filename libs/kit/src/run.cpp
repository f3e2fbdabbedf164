#include "run.hpp"

namespace gomkit::kit {

Run::Run(std::span<const ConvertRequest> requests) {
    for (const ConvertRequest& request : requests) {
        for (const std::string& path : files_to_read(request)) {
            add(path, "an input");
        }
        for (const std::string& path : request.reserved) {
            add(path, "another file");
        }
        for (const std::string& path : files_to_write(request)) {
            add_output(path);
        }
    }
}

void Run::add(const std::string& path, const std::string& role) {
    roles_.try_emplace(core::identity_of(path), role);
    const auto id = core::is_regular_file(path) ? core::file_id(path) : std::nullopt;
    if (id) {
        existing_.try_emplace(*id, role);
    }
}

void Run::add_output(const std::string& path) {
    add(path, "an output");
    const std::lock_guard<std::mutex> lock(mutex_);
    outputs_.insert(core::identity_of(path));
}

std::string Run::role_of(const std::string& path) const {
    if (const auto it = roles_.find(core::identity_of(path)); it != roles_.end()) {
        return it->second;
    }
    const auto id = core::file_id(path);
    const auto it = id ? existing_.find(*id) : existing_.end();
    return it == existing_.end() ? std::string() : it->second;
}

bool Run::is_made_here(const std::string& path) const {
    const std::string identity = core::identity_of(path);
    const std::lock_guard<std::mutex> lock(mutex_);
    return outputs_.contains(identity) || made_.contains(identity);
}

const Run::Hash* Run::claimed(const std::string& identity) const {
    const auto it = claims_.find(identity);
    return it == claims_.end() ? nullptr : &it->second;
}

void Run::set_made(const std::string& identity, bool made) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (made) {
        made_.insert(identity);
    } else {
        made_.erase(identity);
    }
}

}  // namespace gomkit::kit

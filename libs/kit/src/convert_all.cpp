#include <map>
#include <mutex>

#include <gomkit/core/parallel.hpp>
#include <gomkit/kit/convert.hpp>

namespace gomkit::kit {

void convert_all(const codec::Registry& registry, std::span<const ConvertRequest> requests, unsigned jobs, std::size_t max_issues,
                 const core::Progress& progress, const std::function<void(std::size_t, const ConvertOutcome&)>& done) {
    std::mutex mutex;
    std::map<std::size_t, ConvertOutcome> waiting;  // finished, but one before them is not
    std::size_t next = 0;
    core::parallel_for(requests.size(), jobs, [&](std::size_t i) {
        ConvertOutcome outcome{core::Report(requests[i].input.path, max_issues), ConvertResponse{}};
        outcome.result = convert(registry, requests[i], outcome.report, progress);
        const std::lock_guard<std::mutex> lock(mutex);
        waiting.emplace(i, std::move(outcome));
        for (auto it = waiting.find(next); it != waiting.end(); it = waiting.find(next)) {
            done(next, it->second);
            waiting.erase(it);
            ++next;
        }
    });
}

}  // namespace gomkit::kit

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>

#include <gomkit/core/parallel.hpp>

#include "conversion.hpp"

namespace gomkit::kit {
namespace {

struct Prepared {
    ConvertOutcome outcome;
    Work work;
};

// Conversions are prepared in any order and committed in that of the requests, by one thread at a time.
class Line {
public:
    Line(std::size_t count, unsigned jobs) : count_(count), ahead_(2 * std::max<std::size_t>(1, jobs)) {}

    // The next one to prepare. Waits when too many lie finished in memory; the one that they wait for never does.
    std::size_t start() {
        std::unique_lock<std::mutex> lock(mutex_);
        const std::size_t i = started_++;
        moved_.wait(lock, [&] { return i < next_ + ahead_; });
        return i;
    }

    void finish(std::size_t i, Prepared&& prepared, const std::function<void(std::size_t, Prepared&)>& commit) {
        std::unique_lock<std::mutex> lock(mutex_);
        waiting_.emplace(i, std::move(prepared));
        if (committing_) {
            return;  // whoever does will come to this one
        }
        committing_ = true;
        for (auto it = waiting_.find(next_); it != waiting_.end(); it = waiting_.find(next_)) {
            Prepared mine = std::move(it->second);
            waiting_.erase(it);
            lock.unlock();
            commit(next_, mine);
            lock.lock();
            ++next_;
            moved_.notify_all();
        }
        committing_ = false;
    }

    // Something was thrown: nobody is to wait any longer.
    void give_up() {
        const std::lock_guard<std::mutex> lock(mutex_);
        next_ = count_;
        moved_.notify_all();
    }

private:
    std::size_t count_;
    std::size_t ahead_;
    std::mutex mutex_;
    std::condition_variable moved_;
    std::map<std::size_t, Prepared> waiting_;
    std::size_t started_ = 0;
    std::size_t next_ = 0;  // to be committed; only the thread that commits changes it
    bool committing_ = false;
};

}  // namespace

void convert_all(const codec::Registry& registry, std::span<const ConvertRequest> requests, unsigned jobs, std::size_t max_issues,
                 const core::Progress& progress, const std::function<void(std::size_t, const ConvertOutcome&)>& done) {
    Run run(requests);
    Line line(requests.size(), jobs);
    const auto commit_one = [&](std::size_t i, Prepared& prepared) {
        if (prepared.outcome.result) {
            prepared.outcome.result = commit(requests[i], run, prepared.work, prepared.outcome.report, progress);
        }
        prepared.work = {};
        done(i, prepared.outcome);
    };
    core::parallel_for(requests.size(), jobs, [&](std::size_t) {
        try {
            const std::size_t i = line.start();
            Prepared prepared{{core::Report(requests[i].input.path, max_issues), ConvertResponse{}}, {}};
            if (auto ready = prepare(registry, requests[i], run, prepared.work, prepared.outcome.report, progress); !ready) {
                prepared.outcome.result = core::Fault(std::move(ready.error()));
            }
            line.finish(i, std::move(prepared), commit_one);
        } catch (...) {
            line.give_up();
            throw;
        }
    });
}

}  // namespace gomkit::kit

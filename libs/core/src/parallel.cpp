#include <gomkit/core/parallel.hpp>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

namespace gomkit::core {

void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& body) {
    if (jobs <= 1 || count <= 1) {
        for (std::size_t i = 0; i < count; ++i) {
            body(i);
        }
        return;
    }
    // More threads than the machine has cores are made when they are asked for: --jobs 4 must be testable anywhere.
    const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, jobs);
    tbb::task_arena arena(static_cast<int>(jobs));
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) { body(i); }, tbb::simple_partitioner()); });
}

}  // namespace gomkit::core

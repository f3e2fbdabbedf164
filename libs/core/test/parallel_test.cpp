#include <gomkit/core/parallel.hpp>

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace gomkit::core {
namespace {

TEST(Parallel, CallsEachOnceWhateverTheThreads) {
    for (const unsigned jobs : {0u, 1u, 2u, 7u}) {
        std::vector<std::atomic<int>> calls(1000);
        parallel_for(calls.size(), jobs, [&](std::size_t i) { ++calls[i]; });
        for (const auto& count : calls) {
            EXPECT_EQ(count, 1);
        }
    }
    parallel_for(0, 4, [](std::size_t) { FAIL(); });
}

TEST(Parallel, OneJobKeepsTheOrder) {
    std::vector<std::size_t> order;
    parallel_for(5, 1, [&](std::size_t i) { order.push_back(i); });
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(Parallel, ExceptionsComeBack) {
    for (const unsigned jobs : {1u, 4u}) {
        EXPECT_THROW(parallel_for(100, jobs, [](std::size_t i) { if (i == 50) throw std::runtime_error("x"); }), std::runtime_error);
    }
}

}  // namespace
}  // namespace gomkit::core

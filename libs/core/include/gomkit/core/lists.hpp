#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace gomkit::core {

/// Elements by a number that each of them has, in the order in which they are visited.
template <class T>
class Lists {
public:
    Lists() = default;
    /// `each(visit)` calls visit(number, element) for every element, twice over in the same order; numbers are below `numbers`.
    template <class Each>
    Lists(std::size_t numbers, const Each& each) : first_(numbers + 1) {
        each([&](std::uint32_t number, const T&) { ++first_[number + 1]; });
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        elements_.resize(first_.back());
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        each([&](std::uint32_t number, const T& element) { elements_[next[number]++] = element; });
    }

    [[nodiscard]] std::span<const T> of(std::uint32_t number) const {
        return std::span(elements_).subspan(first_[number], first_[number + 1] - first_[number]);
    }

private:
    std::vector<std::size_t> first_;  // of each number, in elements_
    std::vector<T> elements_;
};

}  // namespace gomkit::core

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu.hpp"

namespace gomkit::ps1 {

/// Packets by depth, as the console links them (GPU-SCENE-4): the farthest place first, in one place the newest first.
class OrderingTable {
public:
    static constexpr std::size_t kPlaces = 4096;

    void clear() {
        first_.fill(kNone);
        packets_.clear();
    }
    /// place is below kPlaces.
    void insert(std::size_t place, std::span<const std::uint32_t> words) {
        Packet packet;
        std::copy(words.begin(), words.end(), packet.words.begin());
        packet.size = words.size();
        packet.next = first_[place];
        first_[place] = static_cast<std::uint32_t>(packets_.size());
        packets_.push_back(packet);
    }
    /// Calls draw(words) for each packet in the order of drawing.
    template <class Draw>
    void traverse(Draw&& draw) const {
        for (std::size_t place = kPlaces; place-- > 0;) {
            for (std::uint32_t i = first_[place]; i != kNone; i = packets_[i].next) {
                draw(std::span<const std::uint32_t>(packets_[i].words.data(), packets_[i].size));
            }
        }
    }

private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    struct Packet {
        std::array<std::uint32_t, gpu_command::kMostWords> words{};
        std::size_t size = 0;
        std::uint32_t next = kNone;
    };
    std::array<std::uint32_t, kPlaces> first_ = [] {
        std::array<std::uint32_t, kPlaces> none{};
        none.fill(kNone);
        return none;
    }();
    std::vector<Packet> packets_;
};

}  // namespace gomkit::ps1

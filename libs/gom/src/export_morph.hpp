#pragma once

#include <cstdint>
#include <vector>

#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

#include "document.hpp"

namespace gomkit::gom {

/// The blend shape channels of a file (GOM-MRPC-7), and what of a model goes into which.
class MorphChannels {
public:
    /// None: weights have nothing to move.
    MorphChannels() = default;
    /// Names what the instances' meshes have; says where a name had to be another one (MORPH_RENAMED).
    MorphChannels(const model::Model& model, core::Report& report);

    /// The shapes of a part made of the instance, with the file's channels and in the file's order.
    [[nodiscard]] std::vector<Morph> written(std::vector<Morph>&& morphs, std::size_t instance) const;
    /// The clip's weights. Where a channel has more than one track, which only equal ones of a GOM have, the first.
    [[nodiscard]] std::vector<MorphTrack> tracks(const model::Clip& clip) const;
    /// How many of the model's tracks move a channel that is not in the file. Those of a GOM's channel, one for each part, are one.
    [[nodiscard]] std::uint64_t lost_tracks(const model::Model& model) const;

    [[nodiscard]] std::vector<MorphChannel> take() { return std::move(channels_); }

private:
    struct Place {
        std::uint32_t channel = model::kNoIndex;   ///< of the file
        std::vector<std::uint32_t> shapes;         ///< of each of the model's; kNoIndex: left out
    };
    void add(const model::MorphChannel& channel, bool stored, core::Report& report, Place& place);
    void number(const model::Model& model, core::Report& report);
    void sort();

    std::vector<MorphChannel> channels_;
    std::vector<std::uint32_t> owner_;             ///< instance of each channel
    std::vector<std::vector<Place>> of_instance_;
    std::vector<std::vector<std::uint32_t>> instances_of_mesh_;
};

}  // namespace gomkit::gom

#pragma once
// Blend shapes (docs/spec/morph.md 4): weights of all channels at a time of a clip, and what they make of a part's vertices.
//
//     std::vector<float> weights(model.morph_channel_count());        // one a channel; any memory will do
//     MorphSampleJob{.model = &model, .clip = &clip, .time_seconds = t, .output = weights}.run();
//     weights[model.find_morph_channel("Smile")] = 0.8F;              // the game's own, over the clip's
//     MorphJob job{.model = &model, .part = &part, .weights = weights};
//     job.read_part();
//     job.out_positions = output_stream(std::span(positions));
//     job.out_normals = output_stream(std::span(normals));
//     job.run();                                                      // then SkinJob, with these as its input
//
// Results depend on the file, the weights and the input alone, bit by bit. A part without shapes (MeshPartView::morph_count() 0)
// needs none of this.

#include <cstddef>
#include <cstdint>
#include <span>

#include "gomkit/runtime/model_view.hpp"
#include "gomkit/runtime/skin_job.hpp"
#include "gomkit/runtime/status.hpp"

namespace gomkit::runtime {

// Every channel's default weight. `out` has exactly morph_channel_count() elements, else Status::WrongSize.
[[nodiscard]] Status default_morph_weights(const ModelView& model, std::span<float> out) noexcept;

struct MorphSampleJob {
    const ModelView* model = nullptr;
    const ClipView* clip = nullptr;  // of that model; null: the default weights
    float time_seconds = 0;          // before the loop rule; finite
    std::span<float> output = {};    // morph_channel_count() elements

    // BadArgument: no model. WrongSize: output. NonFinite: time_seconds. BadMorphChannel: the clip is another model's.
    [[nodiscard]] Status validate() const noexcept;
    // validate(), then writes all of output. On failure nothing is written. O(log keys) a track.
    [[nodiscard]] Status run() const noexcept;
};

struct MorphJob {
    const ModelView* model = nullptr;
    const MeshPartView* part = nullptr;    // of that model
    std::span<const float> weights = {};   // morph_channel_count() elements, finite

    // Of the part's vertices, in geometry space.
    InputStream positions = {};  // f32[3]
    InputStream normals = {};    // f32[3]

    // As in SkinJob: an empty output is not computed; an output may be its own input; any other overlap gives unspecified numbers.
    OutputStream out_positions = {};  // f32[3]
    OutputStream out_normals = {};    // f32[3]

    // Fills the input streams from the part, read in place (on little-endian hosts; elsewhere they stay empty, which validate() refuses).
    void read_part() noexcept;

    // BadArgument: no model or part, an input missing, an output's stride. WrongSize: weights, or a stream shorter than its stride and the
    // part's vertex_count() ask for. NonFinite: a weight. BadMorphChannel: the part is another model's.
    [[nodiscard]] Status validate() const noexcept;
    // validate(), then writes the outputs: all vertices, those that no shape moves as they are. On failure nothing is written.
    [[nodiscard]] Status run() const noexcept;
};

}  // namespace gomkit::runtime

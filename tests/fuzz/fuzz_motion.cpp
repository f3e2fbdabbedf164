// Any bytes as a motion: verify() must neither crash nor hang, and what it accepts must be readable, be sampled on a small model, and
// give its root motion.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "../../runtime/test/sample_motion.hpp"
#include "../../runtime/test/touch.hpp"
#include "gomkit/runtime/runtime.hpp"

namespace {

using namespace gomkit::runtime;

void require(bool good) {
    if (!good) std::abort();
}

// Root, Arm, Hand: the model all motions are played on.
struct Model {
    Model() : file(test::sample().bytes) {
        require(verify(file.bytes(), {}, view, nullptr) == Status::Ok);
        bind.resize(view.bone_count());
        require(bind_pose(view, bind) == Status::Ok);
    }
    test::ExactBlock file;
    ModelView view;
    std::vector<BoneLocal> bind;
};

void play(const Model& model, const ClipView& clip) {
    SampleContext context;
    const test::Memory memory(SampleContext::required_bytes(model.view, clip));
    const Status bound = context.bind(model.view, clip, model.bind, memory.bytes());
    bool fits = true;
    for (const TrackView track : clip.tracks()) fits &= track.bone_index() < model.view.bone_count();
    require(bound == (fits ? Status::Ok : Status::BadBoneIndex));
    RootMotionContext root;
    const Status rooted = root.bind(model.view, clip);
    require(rooted == Status::Ok || rooted == Status::BadBoneIndex);
    const float end = clip.duration_seconds();
    std::vector<BoneLocal> pose(model.bind.size()), again(model.bind.size());
    float before = 0;
    for (const float time : {0.0F, end * 0.3F, end, end * 0.6F, -0.1F, end * 1.5F, -1e6F, 3e38F}) {
        if (!std::isfinite(time)) continue;
        if (bound == Status::Ok) {
            const SampleJob job{.context = &context, .time_seconds = time, .output = pose};
            require(job.run() == Status::Ok);
            const SampleJob twice{.context = &context, .time_seconds = time, .output = again};
            require(twice.run() == Status::Ok);
            require(std::memcmp(pose.data(), again.data(), pose.size() * sizeof(BoneLocal)) == 0);
        }
        if (rooted == Status::Ok) {
            GroundMotion delta;
            const RootMotionJob job{.context = &root, .from_seconds = before, .to_seconds = time, .pose = pose, .delta = &delta};
            const Status moved = job.run();
            require(moved == Status::Ok || moved == Status::BadArgument);
            require(std::fabs(delta.yaw_y * delta.yaw_y + delta.yaw_w * delta.yaw_w - 1.0) < 1e-6);
        }
        before = time;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Model model;
    const test::ExactBlock block({data, size});
    MotionView view;
    ErrorInfo info;
    const Status status = verify(block.bytes(), Limits{}, view, &info);
    require(status == info.status && view.is_empty() == (status != Status::Ok) && info.part[sizeof(info.part) - 1] == '\0');
    if (status == Status::Ok) {
        // Kept by the optimiser through the volatile store.
        [[maybe_unused]] volatile std::uint64_t sink = test::Touch::everything(view);
        const MotionView* motions[] = {&view};
        MatchError error;
        require(match(model.view, motions, &error) == error.info.status && error.info.byte_offset <= size);
        std::uint32_t index = 0;
        for (const ClipView clip : view.clips()) {
            require(view.clip(index).byte_offset() == clip.byte_offset() && view.find_clip(clip.name()) == index);
            if (++index <= 16) play(model, clip);
        }
    } else {
        require(info.byte_offset <= size);
    }
    // Other limits must only ever add LimitExceeded, and bones beyond them.
    const Status strict = verify(block.bytes(), Limits::small(), view, nullptr);
    require(strict == status || strict == Status::LimitExceeded || strict == Status::BadBoneIndex);
    return 0;
}

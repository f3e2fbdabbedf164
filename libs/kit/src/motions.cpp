#include "motions.hpp"

#include <utility>

#include <gomkit/core/text.hpp>

#include "load.hpp"
#include "model_math.hpp"

namespace gomkit::kit {
namespace {

using core::Code;

const std::string* parent_path(const model::Skeleton& skeleton, const model::SkeletonBone& bone) {
    return bone.parent < 0 ? nullptr : &skeleton.bones[static_cast<std::size_t>(bone.parent)].path;
}

}  // namespace

std::vector<std::string> bone_differences(const NamedSkeleton& a, const NamedSkeleton& b, std::size_t most) {
    std::vector<std::string> lines;
    std::size_t rest = 0;
    const auto add = [&](std::string line) {
        if (lines.size() < most) {
            lines.push_back(std::move(line));
        } else {
            ++rest;
        }
    };
    const auto only_in = [](const model::SkeletonBone& bone, const NamedSkeleton& side) {
        return "bone '" + bone.path + "' is only in '" + side.file + "'";
    };
    // Both are sorted by path.
    auto x = a.skeleton.bones.begin();
    auto y = b.skeleton.bones.begin();
    while (x != a.skeleton.bones.end() || y != b.skeleton.bones.end()) {
        if (y == b.skeleton.bones.end() || (x != a.skeleton.bones.end() && core::byte_less(x->path, y->path))) {
            add(only_in(*x++, a));
        } else if (x == a.skeleton.bones.end() || core::byte_less(y->path, x->path)) {
            add(only_in(*y++, b));
        } else {
            const std::string* p = parent_path(a.skeleton, *x);
            const std::string* q = parent_path(b.skeleton, *y);
            if ((p == nullptr) != (q == nullptr) || (p != nullptr && *p != *q)) {
                const auto shown = [](const std::string* path) { return path == nullptr ? std::string("no parent") : "the parent '" + *path + "'"; };
                add("bone '" + x->path + "' has " + shown(p) + " in '" + a.file + "' and " + shown(q) + " in '" + b.file + "'");
            }
            ++x;
            ++y;
        }
    }
    if (rest != 0) {
        lines.push_back("and " + std::to_string(rest) + " more bones");
    }
    return lines;
}

MotionTarget::MotionTarget(model::Model& model, NamedSkeleton skeleton)
    : model_(&model), skeleton_(std::move(skeleton)), signature_(signature_text(skeleton_.skeleton)) {
    for (const model::Clip& clip : model.clips) {
        file_of_clip_.emplace(clip.name.empty() ? "clip" : clip.name, skeleton_.file);   // as it will be written
    }
}

core::Result<MotionTarget> MotionTarget::of(model::Model& model, std::string file, const core::Limits& limits) {
    core::Result<model::Skeleton> skeleton = skeleton_of(model, file, limits);
    if (!skeleton) {
        return core::Fault(std::move(skeleton.error()));
    }
    return MotionTarget(model, NamedSkeleton{std::move(file), std::move(*skeleton)});
}

core::Result<void> MotionTarget::check_signature(const model::Model& motion, const std::string& file) const {
    if (skeleton_.skeleton.bones.empty()) {
        return core::fail(Code::CannotConvert, file_place(file), "no motion applies to '" + skeleton_.file + "', which has no skeleton", {}, {},
                          "name the model that the motion was made for");
    }
    const std::string signature = signature_text(motion, {});
    if (signature == signature_) {
        return {};
    }
    return core::fail(Code::CannotConvert, file_place(file), "the motion was made for another skeleton than that of '" + skeleton_.file + "'",
                      "signature " + signature, signature_, "use a motion made for this skeleton, or convert the motion's source again with it");
}

core::Result<void> MotionTarget::check_bones(const model::Model& motion, const std::string& file) const {
    const std::size_t count = skeleton_.skeleton.bones.size();
    const auto refuse = [&](std::size_t clip, const std::string& field, std::uint32_t found) {
        core::Place place = file_place(file);
        place.part = "CLP0[" + std::to_string(clip) + "]." + field;
        return core::fail(Code::CannotConvert, place, "the motion names a bone that '" + skeleton_.file + "' does not have", std::to_string(found),
                          "less than " + std::to_string(count), "the motion is damaged: convert it again");
    };
    for (std::size_t i = 0; i < motion.clips.size(); ++i) {
        const model::Clip& clip = motion.clips[i];
        if (clip.root.valid() && clip.root.value >= count) {
            return refuse(i, "rootBoneIndex", clip.root.value);
        }
        for (std::size_t t = 0; t < clip.tracks.size(); ++t) {
            if (clip.tracks[t].node.value >= count) {
                return refuse(i, "track[" + std::to_string(t) + "].boneIndex", clip.tracks[t].node.value);
            }
        }
    }
    return {};
}

core::Result<void> MotionTarget::check_names(const model::Model& motion, const std::string& file) const {
    for (const model::Clip& clip : motion.clips) {
        if (const auto it = file_of_clip_.find(clip.name); it != file_of_clip_.end()) {
            return core::fail(Code::CannotConvert, file_place(file), "clip '" + clip.name + "' is in '" + it->second + "' already", {}, {},
                              "give the clips different names and convert again");
        }
    }
    return {};
}

core::Result<void> MotionTarget::add(model::Model&& motion, const std::string& file) {
    if (!motion.mta) {
        return core::fail(Code::NotThisFormat, file_place(file), "this is not a motion file", {}, {}, "convert it to a motion (.mta) first");
    }
    if (core::Result<void> fits = check_signature(motion, file); !fits) {
        return fits;
    }
    if (core::Result<void> fits = check_bones(motion, file); !fits) {
        return fits;
    }
    if (core::Result<void> fits = check_names(motion, file); !fits) {
        return fits;
    }
    const auto node_of = [&](model::NodeId position) { return position.valid() ? skeleton_.skeleton.bones[position.value].node : model::NodeId{}; };
    for (model::Clip& clip : motion.clips) {
        clip.root = node_of(clip.root);
        for (model::Track& track : clip.tracks) {
            track.node = node_of(track.node);
        }
        file_of_clip_.emplace(clip.name, file);
        model_->clips.push_back(std::move(clip));
    }
    motion.clips.clear();
    return {};
}

}  // namespace gomkit::kit

#include "diff_parts.hpp"

namespace gomkit::kit {

void diff_skeleton(const DiffSide& a, const DiffSide& b, Differences& out) {
    const auto paths = [](const model::Skeleton& skeleton) {
        std::vector<std::string> list;
        for (const model::SkeletonBone& bone : skeleton.bones) {
            list.push_back(bone.path);
        }
        return list;
    };
    for (const Pair& pair : pair_up(paths(a.skeleton), paths(b.skeleton))) {
        const std::string place = "skeleton.bone[" + pair.name + "]";
        if (pair.a < 0 || pair.b < 0) {
            out.only_in(pair.a < 0 ? 'B' : 'A', place);
            continue;
        }
        const model::SkeletonBone& bone_a = a.skeleton.bones[static_cast<std::size_t>(pair.a)];
        const model::SkeletonBone& bone_b = b.skeleton.bones[static_cast<std::size_t>(pair.b)];
        out.text(place + ".name", bone_a.name, bone_b.name);
        out.matrix(place + ".bindLocal", bone_a.bind_local, bone_b.bind_local);
    }
}

}  // namespace gomkit::kit

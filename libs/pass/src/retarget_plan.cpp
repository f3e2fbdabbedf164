#include "retarget_plan.hpp"

#include <algorithm>
#include <cmath>

#include <gomkit/pass/measure_skeleton.hpp>
#include <gomkit/pass/nearest_rotation.hpp>

#include "fold.hpp"

namespace gomkit::pass {
namespace {

using model::Mat4;
using model::Quat;
using model::Transform;
using model::Vec3;

// Directions agree exactly within 1 degree, roughly within 10; skeletons agree when this share of their length does.
constexpr double kCosExact = 0.99984769515639127;
constexpr double kCosRough = 0.98480775301220802;
constexpr double kShareExact = 0.98;
constexpr double kShareRough = 0.90;

// Turns below this (sine of the half angle) are rounding.
constexpr double kNoTurn = 1e-5;
// Corrections below this are not worth new keys: 0.01 degrees.
constexpr double kNoCorrection = 1e-4;
// Shares of the height: a bone shorter than this has no direction; a root's translation varies from here on; ends this near to the
// lowest one count as feet.
constexpr double kShortest = 1e-4;
constexpr double kVaries = 1e-3;
constexpr double kFootHeight = 0.01;
// Ratios this near to 1 are 1.
constexpr double kNoRatio = 1e-4;
// Several children tell a bone's turn about its main direction from 10 degrees apart on (squared sine).
constexpr double kApart = 0.03;

Vec3 signs_of(const Vec3& v) { return {v.x < 0 ? -1.0 : 1.0, v.y < 0 ? -1.0 : 1.0, v.z < 0 ? -1.0 : 1.0}; }

// The same matrix as a product whose scale has the given signs, where that is possible.
Transform with_signs(Transform t, const Vec3& wanted) {
    const Vec3 turn = multiply(signs_of(t.scale), wanted);
    if (turn.x * turn.y * turn.z < 0) {
        return t;
    }
    if (turn.x < 0 || turn.y < 0) {  // half a turn about the axis whose sign stays
        const Quat half = turn.x > 0 ? Quat{1, 0, 0, 0} : turn.y > 0 ? Quat{0, 1, 0, 0} : Quat{0, 0, 1, 0};
        t.rotation = then(half, t.rotation);
        t.scale = multiply(t.scale, turn);
    }
    return t;
}

bool is_small(const Quat& q, double limit) { return length(Vec3{q.x, q.y, q.z}) <= limit; }

// The smallest rotation that turns one unit vector into another.
Quat shortest_arc(const Vec3& a, const Vec3& b) {
    const Vec3 middle = a + b;
    if (dot(middle, middle) < 1e-12) {  // opposite: half a turn about any axis across
        const Vec3 least = std::fabs(a.x) <= std::fabs(a.y) && std::fabs(a.x) <= std::fabs(a.z) ? Vec3{1, 0, 0}
                           : std::fabs(a.y) <= std::fabs(a.z)                                    ? Vec3{0, 1, 0}
                                                                                                  : Vec3{0, 0, 1};
        const Vec3 axis = normalized(cross(a, least));
        return {axis.x, axis.y, axis.z, 0};
    }
    const Vec3 h = normalized(middle);
    const Vec3 axis = cross(a, h);
    return normalized(Quat{axis.x, axis.y, axis.z, dot(a, h)});
}

struct Direction {
    std::size_t child = 0;
    Vec3 target;         // unit, model space at bind
    Vec3 source;         // unit, model space in the reference pose
    double weight = 0;   // the target's length
};

// The rotation that brings all target directions nearest to the source's.
Quat best_fit(const std::vector<Direction>& directions) {
    model::Mat4 products;
    for (std::size_t r = 0; r < 3; ++r) {
        products.m[5 * r] = 0;
    }
    for (const Direction& d : directions) {
        const double a[3] = {d.target.x, d.target.y, d.target.z};
        const double b[3] = {d.source.x, d.source.y, d.source.z};
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t c = 0; c < 3; ++c) {
                products.m[4 * r + c] += d.weight * a[r] * b[c];
            }
        }
    }
    const Quat q = nearest_rotation(products).value_or(Quat{});
    return q.w < 0 ? -q : q;
}

// The rotation that turns a bone's target directions into the source's: exact for the longest child, and for the others as far as
// they are told apart.
Quat fit(const std::vector<Direction>& directions) {
    const auto longest = std::max_element(directions.begin(), directions.end(),
                                          [](const Direction& a, const Direction& b) { return a.weight < b.weight; });
    const bool apart = std::any_of(directions.begin(), directions.end(), [&](const Direction& d) {
        const Vec3 t = cross(d.target, longest->target);
        const Vec3 s = cross(d.source, longest->source);
        return dot(t, t) > kApart && dot(s, s) > kApart;
    });
    return apart ? best_fit(directions) : shortest_arc(longest->target, longest->source);
}

class Planner {
public:
    Planner(const Rig& source, const Rig& target, const SkeletonMap& map, const std::vector<BoneTracks>& clips)
        : source_(source), target_(target), map_(map), clips_(clips) {}

    Plan run() {
        find_chains();
        find_travellers();
        find_ratio();
        find_rule();
        find_axes();
        return std::move(plan_);
    }

private:
    [[nodiscard]] std::size_t count() const { return target_.bones.size(); }
    [[nodiscard]] const Rig::Bone& s(std::int32_t bone) const { return source_.bones[static_cast<std::size_t>(bone)]; }
    [[nodiscard]] const Rig::Bone& t(std::int32_t bone) const { return target_.bones[static_cast<std::size_t>(bone)]; }

    void find_chains() {
        plan_.pairs.resize(count());
        for (std::size_t i = 0; i < count(); ++i) {
            PairPlan& pair = plan_.pairs[i];
            pair.source = map_.source_of_target[i];
            const std::int32_t parent = target_.bones[i].parent;
            if (parent >= 0) {
                const PairPlan& above = plan_.pairs[static_cast<std::size_t>(parent)];
                pair.anchor = above.source >= 0 ? parent : above.anchor;
                pair.anchor_source = above.source >= 0 ? above.source : above.anchor_source;
            }
            if (pair.source < 0) {
                continue;
            }
            std::vector<bool> on_anchor_chain(source_.bones.size());
            for (std::int32_t b = pair.anchor_source; b >= 0; b = s(b).parent) {
                on_anchor_chain[static_cast<std::size_t>(b)] = true;
            }
            std::int32_t meeting = pair.source;
            for (; meeting >= 0 && !on_anchor_chain[static_cast<std::size_t>(meeting)]; meeting = s(meeting).parent) {
                pair.up.push_back(static_cast<std::uint32_t>(meeting));
            }
            for (std::int32_t b = pair.anchor_source; b != meeting && b >= 0; b = s(b).parent) {
                pair.down.push_back(static_cast<std::uint32_t>(b));
            }
            pair.direct = parent == pair.anchor && pair.down.empty() && pair.up.size() == 1 && s(pair.source).parent == pair.anchor_source;
        }
    }

    // Whether some clip changes the bone's own translation.
    [[nodiscard]] bool varies(std::size_t bone) const {
        const std::int32_t parent = source_.bones[bone].parent;
        const double size = parent >= 0 && s(parent).size > 0 ? s(parent).size : 1;
        const double limit = kVaries * source_.height;
        return std::any_of(clips_.begin(), clips_.end(), [&](const BoneTracks& clip) {
            const model::Track* track = clip.of_bone[bone];
            return track != nullptr && std::any_of(track->translation.begin(), track->translation.end(), [&](const model::Key<Vec3>& key) {
                return length(key.value - track->translation.front().value) * size > limit;
            });
        });
    }

    void find_travellers() {
        std::vector<bool> moved(source_.bones.size());
        for (std::size_t b = 0; b < moved.size(); ++b) {
            moved[b] = varies(b);
        }
        for (PairPlan& pair : plan_.pairs) {
            if (pair.source >= 0) {
                pair.travels = pair.anchor < 0 || (plan_.pairs[static_cast<std::size_t>(pair.anchor)].travels &&
                                                   std::any_of(pair.up.begin(), pair.up.end(), [&](std::uint32_t b) { return moved[b]; }));
            }
        }
    }

    // Has a bone whose length counts: from its anchor to itself, on both sides.
    [[nodiscard]] bool has_length(std::size_t i) const {
        const PairPlan& pair = plan_.pairs[i];
        return pair.source >= 0 && pair.anchor >= 0 && !pair.travels && pair.down.empty();
    }

    // How much longer the model's legs are: along the chains that end lowest, up to where the trunk begins (the first bone from the root
    // with several paired children), without the bone that only leads sideways from there to the leg. A chain that is all trunk counts whole.
    void find_ratio() {
        std::vector<std::uint32_t> children(count());
        for (const PairPlan& pair : plan_.pairs) {
            if (pair.source >= 0 && pair.anchor >= 0) {
                ++children[static_cast<std::size_t>(pair.anchor)];
            }
        }
        std::vector<bool> trunk(count());
        double lowest = 0;
        bool any = false;
        for (std::size_t i = 0; i < count(); ++i) {
            const std::int32_t anchor = plan_.pairs[i].anchor;
            trunk[i] = anchor < 0 || (trunk[static_cast<std::size_t>(anchor)] && children[static_cast<std::size_t>(anchor)] == 1);
            if (children[i] == 0 && has_length(i)) {
                lowest = any ? std::min(lowest, target_.bones[i].origin.y) : target_.bones[i].origin.y;
                any = true;
            }
        }
        double source_length = 0;
        double target_length = 0;
        for (std::size_t i = 0; i < count(); ++i) {
            if (children[i] != 0 || !has_length(i) || target_.bones[i].origin.y > lowest + kFootHeight * target_.height) {
                continue;
            }
            for (std::size_t b = i; has_length(b); b = static_cast<std::size_t>(plan_.pairs[b].anchor)) {
                const PairPlan& pair = plan_.pairs[b];
                if (b != i && !trunk[i] && trunk[static_cast<std::size_t>(pair.anchor)]) {
                    break;
                }
                target_length += length(target_.bones[b].origin - t(pair.anchor).origin);
                source_length += length(s(pair.source).origin - s(pair.anchor_source).origin);
            }
        }
        const double ratio = source_length > 0 && target_length > 0 ? target_length / source_length : 1;
        plan_.size_ratio = std::fabs(ratio - 1) <= kNoRatio || !std::isfinite(ratio) ? 1 : ratio;
    }

    // Per bone: where its paired children lie.
    [[nodiscard]] std::vector<std::vector<Direction>> directions(bool same_axes) const {
        std::vector<std::vector<Direction>> out(count());
        for (std::size_t i = 0; i < count(); ++i) {
            if (!has_length(i)) {
                continue;
            }
            const PairPlan& pair = plan_.pairs[i];
            const Rig::Bone& parent = t(pair.anchor);
            const Vec3 to = target_.bones[i].origin - parent.origin;
            Vec3 from = s(pair.source).origin - s(pair.anchor_source).origin;
            if (length(to) < kShortest * target_.height || length(from) < kShortest * source_.height) {
                continue;
            }
            if (same_axes) {
                from = rotate(parent.turn, rotate(conjugate(s(pair.anchor_source).turn), from));
            }
            out[static_cast<std::size_t>(pair.anchor)].push_back({i, normalized(to), normalized(from), length(to)});
        }
        return out;
    }

    struct Agreement {
        bool exact = true;
        bool rough = true;
        bool known = false;
    };

    [[nodiscard]] Agreement agreement(bool same_axes) const {
        double total = 0;
        double exact = 0;
        double rough = 0;
        for (const std::vector<Direction>& family : directions(same_axes)) {
            for (const Direction& d : family) {
                const double cosine = dot(d.target, d.source);
                total += d.weight;
                exact += cosine >= kCosExact ? d.weight : 0;
                rough += cosine >= kCosRough ? d.weight : 0;
            }
        }
        return {exact >= kShareExact * total, rough >= kShareRough * total, total > 0};
    }

    void find_rule() {
        const Agreement posture = agreement(false);
        const Agreement axes = agreement(true);
        // Where no skin says how the motion's bones are bound, its rest may be any frame, and its axes tell more.
        const bool bound = std::any_of(plan_.pairs.begin(), plan_.pairs.end(),
                                       [&](const PairPlan& pair) { return pair.source >= 0 && s(pair.source).bound; });
        if (!posture.known) {
            plan_.rule = bound ? RetargetRule::SamePosture : RetargetRule::SameAxes;
        } else if (posture.exact) {
            plan_.rule = RetargetRule::SamePosture;
        } else if (axes.exact || (axes.rough && !bound)) {
            plan_.rule = RetargetRule::SameAxes;
        } else if (posture.rough) {
            plan_.rule = RetargetRule::SamePosture;
        } else if (axes.rough) {
            plan_.rule = RetargetRule::SameAxes;
        } else {
            plan_.rule = RetargetRule::Corrected;
        }
    }

    void find_axes() {
        const bool same_axes = plan_.rule == RetargetRule::SameAxes;
        std::vector<std::vector<Direction>> families = directions(same_axes);
        std::vector<Quat> bend(count());  // from the model's bind pose to the motion's posture, in model space
        for (std::size_t i = 0; i < count(); ++i) {
            PairPlan& pair = plan_.pairs[i];
            if (pair.source < 0) {
                continue;
            }
            if (pair.anchor >= 0) {
                bend[i] = bend[static_cast<std::size_t>(pair.anchor)];
            }
            std::vector<Direction>& family = families[i];
            if (!family.empty()) {
                for (Direction& d : family) {
                    d.target = rotate(bend[i], d.target);
                }
                const Quat more = fit(family);
                if (!is_small(more, kNoCorrection)) {
                    bend[i] = runtime::normalized(then(bend[i], more));
                }
            }
            const Quat reference = same_axes ? target_.bones[i].turn : s(pair.source).turn;
            const Quat axes = runtime::normalized(then(then(target_.bones[i].turn, bend[i]), conjugate(reference)));
            pair.axes = is_small(axes, kNoTurn) ? Quat{} : axes;
        }
    }

    const Rig& source_;
    const Rig& target_;
    const SkeletonMap& map_;
    const std::vector<BoneTracks>& clips_;
    Plan plan_;
};

bool changes_scale(const std::vector<model::Key<Vec3>>& keys, const Vec3& rest) {
    return moves(keys) || (!keys.empty() && !near(keys.front().value, rest));
}

// `signs`: which a bone's scale should have; empty: those of its rest.
Rig make_rig(const model::Model& model, const model::Skeleton& skeleton, const std::vector<Vec3>& signs) {
    std::vector<bool> bound(model.nodes.size(), model.gom.has_value());
    for (const model::Mesh& mesh : model.meshes) {
        if (mesh.skin) {
            for (const model::Cluster& cluster : mesh.skin->clusters) {
                if (cluster.bone.valid()) {
                    bound[cluster.bone.value] = true;
                }
            }
        }
    }
    Rig out;
    out.height = skeleton_height(skeleton);
    out.bones.reserve(skeleton.bones.size());
    for (const model::SkeletonBone& source : skeleton.bones) {
        Rig::Bone bone;
        bone.parent = source.parent;
        const Transform& rest = model.nodes[source.node.value].rest;
        bone.rest = source.folded ? model::apply_fold(rest, source.fold) : rest;
        const Vec3 wanted = out.bones.size() < signs.size() ? signs[out.bones.size()] : signs_of(bone.rest.scale);
        bone.bind = with_signs(runtime::decompose(source.bind_local), wanted);
        bone.signs = signs.empty() ? wanted : signs_of(bone.bind.scale);
        bone.origin = {source.bind_model.m[12], source.bind_model.m[13], source.bind_model.m[14]};
        bone.bound = bound[source.node.value];
        const Vec3 size{std::fabs(bone.rest.scale.x), std::fabs(bone.rest.scale.y), std::fabs(bone.rest.scale.z)};
        const double largest = std::max({size.x, size.y, size.z});
        bone.size = largest - std::min({size.x, size.y, size.z}) <= kNoTurn * largest ? largest : 0;
        bone.turn = bone.bind.rotation;
        if (bone.parent >= 0) {
            const Rig::Bone& parent = out.bones[static_cast<std::size_t>(bone.parent)];
            bone.above = multiply(parent.above, parent.signs);
            bone.turn = runtime::normalized(then(mirrored(bone.bind.rotation, bone.above), parent.turn));
            bone.size *= parent.size;
        }
        out.bones.push_back(bone);
    }
    return out;
}

}  // namespace

Rig make_rig(const model::Model& model, const model::Skeleton& skeleton) { return make_rig(model, skeleton, {}); }

Rig make_rig(const model::Model& model, const SkeletonMap& map, const Rig& source) {
    std::vector<Vec3> signs;
    for (std::size_t i = 0; i < map.target.bones.size(); ++i) {
        const Vec3 own = signs_of(model.nodes[map.target.bones[i].node.value].rest.scale);
        const std::int32_t s = map.source_of_target[i];
        signs.push_back(s >= 0 ? source.bones[static_cast<std::size_t>(s)].signs : own);
    }
    return make_rig(model, map.target, signs);
}

BoneTracks bone_tracks(const Rig& rig, const model::Skeleton& skeleton, const model::Clip& clip) {
    BoneTracks out;
    out.of_bone.resize(skeleton.bones.size());
    out.of_node.resize(skeleton.bones.size());
    out.turns.resize(skeleton.bones.size());
    out.scales.resize(skeleton.bones.size());
    out.stored.reserve(clip.tracks.size());
    for (const model::Track& track : clip.tracks) {
        const std::int32_t index = skeleton.bone_of_node[track.node.value];
        if (index < 0) {
            ++out.unused;
            continue;
        }
        const auto b = static_cast<std::size_t>(index);
        const model::SkeletonBone& bone = skeleton.bones[b];
        out.of_node[b] = out.of_bone[b] = &track;
        out.turns[b] = moves(track.rotation);
        if (!bone.folded) {
            out.scales[b] = changes_scale(track.scale, rig.bones[b].rest.scale);
            continue;
        }
        model::Track folded = track;
        for (auto& key : folded.translation) {
            key.value = fold_translation(key.value, bone);
        }
        for (auto& key : folded.rotation) {
            key.value = fold_rotation(key.value, bone);
        }
        for (auto& key : folded.scale) {
            key.value = fold_scale(key.value, bone);
        }
        out.scales[b] = changes_scale(folded.scale, rig.bones[b].rest.scale);
        out.stored.push_back(std::move(folded));
        out.of_bone[b] = &out.stored.back();
    }
    return out;
}

Plan make_plan(const Rig& source, const Rig& target, const SkeletonMap& map, const std::vector<BoneTracks>& clips) {
    return Planner(source, target, map, clips).run();
}

}  // namespace gomkit::pass

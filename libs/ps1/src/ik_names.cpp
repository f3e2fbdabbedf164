#include "ik_names.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "quantise.hpp"

namespace gomkit::ps1 {
namespace {

using model::Vec3;

enum class Role { UpperArm, Forearm, Hand, Thigh, Calf, Foot, None };
enum class Side { Left, Right, None };

struct Part {
    Role role = Role::None;
    Side side = Side::None;
    bool doubtful = false;       ///< the collar bone in most rigs: an upper arm only where nothing else is
};

constexpr std::string_view kSeparators = "_.- ";

std::string lower_case(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}
bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// What a bone of a side is called without it.
Role role_of(std::string_view name) {
    constexpr std::pair<std::string_view, Role> kWords[] = {
        {"upperarm", Role::UpperArm}, {"upper_arm", Role::UpperArm}, {"shoulder", Role::UpperArm}, {"forearm", Role::Forearm}, {"lowerarm", Role::Forearm}, {"hand", Role::Hand},
        {"thigh", Role::Thigh},       {"upleg", Role::Thigh},        {"upperleg", Role::Thigh},    {"calf", Role::Calf},       {"shin", Role::Calf},        {"lowerleg", Role::Calf},
        {"leg", Role::Calf},          {"foot", Role::Foot}};
    for (const auto& [word, role] : kWords) {
        if (contains(name, word)) {
            return role;
        }
    }
    return Role::None;
}

Part original_part(std::string_view name) {
    const bool left = name.starts_with("l_") || name.ends_with("_l");
    const bool right = name.starts_with("r_") || name.ends_with("_r");
    return {role_of(name), left ? Side::Left : right ? Side::Right : Side::None, false};
}

Side side_of(std::string_view word) { return word == "l" || word == "left" ? Side::Left : word == "r" || word == "right" ? Side::Right : Side::None; }

/// The side is a word of the name, as in `arm.L` and `Bip01 L UpperArm`, or the name begins or ends with it, as `LeftArm` does.
Part part_of(std::string_view name) {
    name = name.substr(name.find_last_of(":|") + 1);   // "mixamorig:LeftArm"; npos + 1 is 0
    Side side = Side::None;
    std::string rest;
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t end = std::min(name.find_first_of(kSeparators, at), name.size());
        const std::string_view word = name.substr(at, end - at);
        const Side found = side == Side::None ? side_of(word) : Side::None;
        side = found != Side::None ? found : side;
        rest += found != Side::None ? std::string_view() : word;
        at = end + 1;
    }
    std::string_view word = rest;
    for (const std::string_view end : {std::string_view("left"), std::string_view("right")}) {
        if (side == Side::None && (word.starts_with(end) || word.ends_with(end))) {
            side = side_of(end);
            word.starts_with(end) ? word.remove_prefix(end.size()) : word.remove_suffix(end.size());
        }
    }
    const Role role = word == "arm" ? Role::UpperArm : role_of(word);
    return {role, side, role == Role::UpperArm && contains(word, "shoulder")};
}

class TableMaker {
public:
    TableMaker(const Rig& rig, double unit, bool compat) : rig_(rig), unit_(unit), compat_(compat) {
        for (const RigBone& bone : rig.bones) {
            names_.push_back(lower_case(bone.name));
            const bool twist = contains(names_.back(), "twist");
            parts_.push_back(twist ? Part{} : compat ? original_part(names_.back()) : part_of(names_.back()));
        }
    }

    std::optional<IkTable> run() {
        IkTable out;
        std::int32_t hip = -1;
        bool found = false;
        for (std::size_t c = 0; c < out.chains.size(); ++c) {
            const bool arm = c < 2;
            IkChain& chain = out.chains[c];
            chain = chain_of(c % 2 == 0 ? Side::Left : Side::Right, arm);
            if (chain.upper >= 0) {
                hip = found ? common_ancestor(hip, chain.upper) : chain.upper;
                found = true;
            }
        }
        if (!found) {
            return std::nullopt;
        }
        out.hip = static_cast<std::int8_t>(std::max(hip, 0));
        out.head = head();
        const model::Quat turned = out.head < 0 ? model::Quat{} : rig_.bones[static_cast<std::size_t>(out.head)].rotation;
        out.head_forward = to_file(rotate(conjugate(turned), kFront), kUnit);
        return out;
    }

private:
    static constexpr Vec3 kFront{0, 0, 1};

    [[nodiscard]] std::int8_t first(Role role, Side side) const {
        for (const bool doubtful : {false, true}) {
            for (std::size_t b = 0; b < parts_.size(); ++b) {
                if (parts_[b].role == role && parts_[b].side == side && parts_[b].doubtful == doubtful) {
                    return static_cast<std::int8_t>(b);
                }
            }
        }
        return -1;
    }

    [[nodiscard]] IkChain chain_of(Side side, bool arm) const {
        IkChain out;
        out.upper = first(arm ? Role::UpperArm : Role::Thigh, side);
        out.lower = first(arm ? Role::Forearm : Role::Calf, side);
        if (out.upper < 0 || out.lower < 0) {
            return {};
        }
        out.end = first(arm ? Role::Hand : Role::Foot, side);
        const RigBone& upper = rig_.bones[static_cast<std::size_t>(out.upper)];
        const RigBone& lower = rig_.bones[static_cast<std::size_t>(out.lower)];
        Vec3 end = transform_point(lower.origin + (lower.origin - upper.origin), lower.to_bone);
        if (out.end >= 0) {
            const RigBone& bone = rig_.bones[static_cast<std::size_t>(out.end)];
            end = compat_ ? bone.translation : transform_point(bone.origin, lower.to_bone);
        }
        out.end_local = to_file(end, unit_);
        out.pole = to_file(arm ? -kFront : kFront, kUnit);
        return out;
    }

    [[nodiscard]] std::int32_t common_ancestor(std::int32_t a, std::int32_t b) const {
        while (a != b) {   // parents have the lower numbers
            std::int32_t& deeper = a > b ? a : b;
            deeper = rig_.bones[static_cast<std::size_t>(deeper)].parent;
            if (deeper < 0) {
                return -1;
            }
        }
        return a;
    }

    [[nodiscard]] std::int8_t head() const {
        const auto is_head = [](const std::string& name) { return contains(name, "head") && !contains(name, "twist") && !contains(name, "headtop") && !contains(name, "hair"); };
        const auto at = std::find_if(names_.begin(), names_.end(), is_head);
        return at == names_.end() ? std::int8_t{-1} : static_cast<std::int8_t>(at - names_.begin());
    }

    const Rig& rig_;
    double unit_;
    bool compat_;
    std::vector<std::string> names_;     // lower case
    std::vector<Part> parts_;
};

void tell(const Rig& rig, const IkTable& table, core::Report& report) {
    const auto name = [&](std::int8_t bone) { return "'" + rig.bones[static_cast<std::size_t>(bone)].name + "'"; };
    constexpr std::array kChains{"left arm", "right arm", "left leg", "right leg"};
    std::string chains;
    for (std::size_t c = 0; c < kChains.size(); ++c) {
        const IkChain& chain = table.chains[c];
        chains += (c == 0 ? "" : ", ") + std::string(kChains[c]);
        chains += chain.upper < 0 ? std::string(" none") : " " + name(chain.upper) + " " + name(chain.lower) + (chain.end < 0 ? std::string() : " " + name(chain.end));
    }
    report.add(core::IssueId::PS1_IK_TABLE, {}, {{"chains", chains}, {"hip", rig.bones[static_cast<std::size_t>(table.hip)].name}, {"head", table.head < 0 ? "none" : name(table.head)}});
}

}  // namespace

std::optional<IkTable> ik_by_names(const Rig& rig, double unit, bool compat, core::Report& report) {
    const std::optional<IkTable> out = TableMaker(rig, unit, compat).run();
    if (out) {
        tell(rig, *out, report);
    } else {
        report.add(core::IssueId::PS1_IK_NAMES, {});
    }
    return out;
}

}  // namespace gomkit::ps1

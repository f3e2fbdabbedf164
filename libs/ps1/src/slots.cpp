#include "slots.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gomkit/model/texture_name.hpp>

#include "layout.hpp"

namespace gomkit::ps1 {
namespace {

std::optional<std::uint8_t> named_slot(std::string_view material) {
    constexpr std::string_view kPrefix = "slot_";
    if (material.substr(0, kPrefix.size()) != kPrefix || material.size() == kPrefix.size()) {
        return std::nullopt;
    }
    const char digit = material[kPrefix.size()];
    const bool more_digits = material.size() > kPrefix.size() + 1 && material[kPrefix.size() + 1] >= '0' && material[kPrefix.size() + 1] <= '9';
    return digit >= '0' && digit < static_cast<char>('0' + layout::kTextureSlots) && !more_digits ? std::optional(static_cast<std::uint8_t>(digit - '0')) : std::nullopt;
}

using Taken = std::array<bool, layout::kTextureSlots>;

/// The first slot that is free; kTextureSlots: none is.
std::size_t free_slot(const Taken& taken) { return static_cast<std::size_t>(std::find(taken.begin(), taken.end(), false) - taken.begin()); }

/// The path of a material's picture, "" for none.
std::string picture(const model::Model& model, std::size_t material) {
    const auto index = picture_index(model, material);
    return index ? model::written_name(model.textures[*index]) : std::string();
}

/// Materials without a picture take a slot where there is none.
void place_plain(const model::Model& model, const std::vector<std::size_t>& plain, const Taken& taken, std::vector<std::uint8_t>& slots,
                 core::Report& report) {
    if (plain.empty()) {
        return;
    }
    const std::size_t free = free_slot(taken);
    const auto slot = static_cast<std::uint8_t>(free < taken.size() ? free : 0);
    std::string list;
    for (const std::size_t m : plain) {
        slots[m] = slot;
        list += (list.empty() ? "" : ", ") + (m < model.materials.size() ? "'" + model.materials[m].name + "'" : std::string("no material"));
    }
    if (free == taken.size()) {
        report.add(core::IssueId::PS1_SLOT_UNTEXTURED, {}, {{"count", std::to_string(plain.size())}, {"slot", std::to_string(slot)}, {"materials", list}});
    }
}

}  // namespace

std::optional<std::uint32_t> picture_index(const model::Model& model, std::size_t material) {
    if (material >= model.materials.size()) {
        return std::nullopt;
    }
    const std::uint32_t texture = model.materials[material].textures[0];
    return texture < model.textures.size() && !model::written_name(model.textures[texture]).empty() ? std::optional(texture) : std::nullopt;
}

core::Result<std::vector<std::uint8_t>> texture_slots(const model::Model& model, const Rig& rig, bool share, core::Report& report) {
    std::vector<std::uint8_t> out(model.materials.size() + 1, 0);
    Taken taken{};
    std::vector<bool> named(out.size(), false);
    for (std::size_t m = 0; m < model.materials.size(); ++m) {
        if (const auto slot = named_slot(model.materials[m].name)) {
            out[m] = *slot;
            named[m] = true;
            taken[*slot] = true;
        }
    }
    std::map<std::string, std::uint8_t> slot_of;
    std::vector<std::string> without;
    std::vector<std::size_t> plain;   // materials without a picture
    std::vector<bool> seen(out.size(), false);
    for (const RigTriangle& triangle : rig.triangles) {
        const std::size_t m = triangle.material.valid() ? triangle.material.value : model.materials.size();
        if (seen[m] || named[m]) {
            continue;
        }
        seen[m] = true;
        std::string path = picture(model, m);
        if (path.empty()) {
            plain.push_back(m);
            continue;
        }
        const auto known = slot_of.find(path);
        if (known != slot_of.end()) {
            out[m] = known->second;
            continue;
        }
        const std::size_t free = free_slot(taken);
        out[m] = static_cast<std::uint8_t>(std::min(free, taken.size() - 1));
        if (free == taken.size()) {
            without.push_back(path);
        } else {
            taken[free] = true;
        }
        slot_of.emplace(std::move(path), out[m]);
    }
    place_plain(model, plain, taken, out, report);
    if (without.empty()) {
        return out;
    }
    std::string list;
    for (const std::string& path : without) {
        list += (list.empty() ? "'" : ", '") + path + "'";
    }
    if (!share) {
        return core::fail(core::Code::CannotConvert, {}, "the console has three texture slots", std::to_string(slot_of.size()) + " pictures, no slot is left for " + list, {},
                          "draw the pictures on at most three pages, or give --ps1-share-slots, with which the rest shares slot 2");
    }
    report.add(core::IssueId::PS1_SLOT_SHARED, {}, {{"count", std::to_string(without.size())}, {"textures", list}});
    return out;
}

bool same_picture(const model::Texture& a, const model::Texture& b) { return model::written_name(a) == model::written_name(b); }

SlotPictures slot_pictures(const model::Model& model, const Rig& rig, const std::vector<std::uint8_t>& slots) {
    SlotPictures out;
    std::vector<bool> seen(model.materials.size(), false);
    for (const RigTriangle& triangle : rig.triangles) {
        const std::size_t m = triangle.material.valid() ? triangle.material.value : model.materials.size();
        const auto index = picture_index(model, m);
        if (!index || seen[m]) {
            continue;
        }
        seen[m] = true;
        std::vector<std::uint32_t>& shown = out[slots[m]];
        const bool known = std::any_of(shown.begin(), shown.end(), [&](std::uint32_t other) { return same_picture(model.textures[other], model.textures[*index]); });
        if (!known) {
            shown.push_back(*index);
        }
    }
    return out;
}

}  // namespace gomkit::ps1

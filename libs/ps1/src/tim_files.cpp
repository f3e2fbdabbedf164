#include "tim_files.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <gomkit/core/path.hpp>
#include <gomkit/core/text.hpp>
#include <gomkit/model/texture_name.hpp>

#include "tim_write.hpp"

namespace gomkit::ps1 {
namespace {

using model::source_name;

/// "skin/body.png" becomes "body.tim", or "body~2.tim" when that is taken.
std::string file_name(const model::Texture& texture, std::set<std::string>& taken) {
    const std::string base = core::clean_text(core::source_base_name(source_name(texture)));
    std::string stem = base.substr(0, base.find_last_of('.'));
    if (stem.find_first_not_of('.') == std::string::npos) {
        stem = "texture";
    }
    std::string out = stem;
    for (unsigned n = 2; !taken.insert(out).second; ++n) {
        out = stem + "~" + std::to_string(n);
    }
    return out + ".tim";
}

std::string text_of(VramPoint at) { return std::to_string(at.x) + "," + std::to_string(at.y); }

/// As the console's manuals write it: 0x008A.
std::string word(std::uint16_t value) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string out = "0x";
    for (const int shift : {12, 8, 4, 0}) {
        out += kDigits[value >> shift & 15];
    }
    return out;
}

std::string list_of(const model::Model& model, const std::vector<std::uint32_t>& textures) {
    std::string out;
    for (std::size_t i = 1; i < textures.size(); ++i) {
        out += (out.empty() ? "'" : ", '") + source_name(model.textures[textures[i]]) + "'";
    }
    return out;
}

void tell(std::size_t slot, const std::string& file, const model::Texture& texture, const PagedTexture& page, VramPoint at, VramPoint palette, core::Report& report) {
    const bool direct = page.palette.empty();
    report.add(core::IssueId::PS1_TIM, {},
               {{"slot", std::to_string(slot)}, {"file", file}, {"texture", source_name(texture)}, {"bits", std::to_string(16 / texels_per_halfword(page.depth))},
                {"colours", direct ? std::string() : ", " + std::to_string(page.colours) + (page.colours == 1 ? " colour in " : " colours in ") + std::to_string(page.palette.size()) + " entries"},
                {"page", word(page_word(at, page.depth))}, {"place", text_of(at)},
                {"palette", direct ? std::string() : ", CLUT " + word(clut_word(palette)) + " (at " + text_of(palette) + ")"}});
}

}  // namespace

core::Result<std::vector<bool>> write_tims(const model::Model& model, const SlotPictures& slots, const TimOptions& own, const codec::WriteOptions& options, core::Report& report) {
    if (!options.open_picture || !options.write_beside) {
        return core::fail(core::Code::Usage, {}, "--ps1-tim writes files beside the output, which is no ordinary file", {}, {}, "name a file with -o, or leave --ps1-tim out");
    }
    const VramPlan plan = plan_vram(own.where);
    std::set<std::string> taken;
    std::vector<bool> held(model.textures.size(), false);
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
        if (slots[slot].empty()) {
            continue;
        }
        const model::Texture& texture = model.textures[slots[slot].front()];
        const auto& at = plan.pages[slot];
        if (!at) {
            return core::fail(core::Code::CannotConvert, {}, "the console's memory has no page left for the texture of slot " + std::to_string(slot), "'" + source_name(texture) + "', " +
                              std::to_string(page_width(own.where.depth)) + " x 256 halfwords", "a free place from " + text_of(own.where.first) + " on",
                              "give an earlier --vram, a --clut out of the way, or fewer bits with --ps1-tim");
        }
        auto picture = options.open_picture(texture);
        if (!picture) {
            picture.error().notes.push_back("while making the TIM of slot " + std::to_string(slot));
            return core::Fault(std::move(picture.error()));
        }
        const PagedTexture page = page_of(picture->width, picture->height, picture->rgba, own.where.depth, own.dither);
        const std::string file = file_name(texture, taken);
        if (slots[slot].size() > 1) {
            report.add(core::IssueId::PS1_TIM_SHARED, {},
                       {{"slot", std::to_string(slot)}, {"count", std::to_string(slots[slot].size())}, {"texture", source_name(texture)}, {"others", list_of(model, slots[slot])}});
        }
        tell(slot, file, texture, page, *at, plan.palettes[slot], report);
        options.write_beside(file, write_tim(page, *at, plan.palettes[slot]), texture);
        std::transform(model.textures.begin(), model.textures.end(), held.begin(), held.begin(), [&texture](const model::Texture& t, bool before) { return before || same_picture(t, texture); });
    }
    if (std::find(held.begin(), held.end(), true) == held.end()) {
        report.add(core::IssueId::PS1_TIM_NONE, {});
    }
    return held;
}

}  // namespace gomkit::ps1

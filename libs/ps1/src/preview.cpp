#include "preview.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <gomkit/core/text.hpp>
#include <gomkit/ps1/preview.hpp>

#include "camera.hpp"
#include "decode.hpp"
#include "layout.hpp"
#include "quantise.hpp"
#include "scene.hpp"
#include "tim_write.hpp"

namespace gomkit::ps1 {
namespace {

core::Fault usage(const std::string& file, std::string what, std::string found, std::string expected, std::string cure) {
    core::Place place;
    place.file = file;
    return core::fail(core::Code::Usage, place, std::move(what), std::move(found), std::move(expected), std::move(cure));
}

core::Result<void> check_options(const std::string& file, const PreviewOptions& options) {
    if (options.width < kLeastPreviewSide || options.width > kMostPreviewWidth || options.height < kLeastPreviewSide || options.height > kMostPreviewHeight) {
        return usage(file, "the console cannot show this size", std::to_string(options.width) + "x" + std::to_string(options.height), "16x16 to 640x480", "choose another size");
    }
    if (options.contact_sheet > kMostPreviewFrames) {
        return usage(file, "too many pictures on one sheet", std::to_string(options.contact_sheet), "at most 256", "ask for fewer");
    }
    if (!(options.time_seconds >= 0 && options.time_seconds <= 1e6)) {
        return usage(file, "the time is not one of a clip", {}, "0 to 1000000 seconds", "give seconds since the clip's start");
    }
    if (options.textures.size() > TexturePlaces{}.size()) {
        return usage(file, "too many textures", std::to_string(options.textures.size()), "at most 3", "the console has the slots 0 to 2");
    }
    return {};
}

core::Result<const Clip*> find_clip(const Document& document, const std::string& file, const std::optional<std::string>& name) {
    constexpr std::size_t kMostNamed = 20;
    std::string known;
    for (std::size_t c = 0; c < document.clips.size(); ++c) {
        const std::string text = clip_text(document.clips[c]);
        if (!name || text == *name) {
            return &document.clips[c];
        }
        if (c < kMostNamed) {
            known += (c == 0 ? "one of: " : ", ") + text;
        }
    }
    if (document.clips.size() > kMostNamed) {
        known += " and " + std::to_string(document.clips.size() - kMostNamed) + " more";
    }
    return usage(file, "there is no clip '" + *name + "'", {}, known, {});
}

/// What a texture puts into memory.
struct Upload {
    TexturePlace place;
    std::vector<std::pair<const char*, TimBlock>> blocks;
};

core::Fault misplaced(const std::string& file, std::string what, const TimBlock& block, std::string expected, const char* cure) {
    core::Place place;
    place.file = file;
    return core::fail(core::Code::CannotConvert, place, std::move(what), std::to_string(block.x) + ", " + std::to_string(block.y), std::move(expected), cure);
}

/// A picture as the TIM that lies where the game has the slot's (GPU-PICTURE-4).
core::Bytes tim_of(const PreviewTexture& texture, std::size_t slot) {
    const VramWish wish;
    const VramPlan plan = plan_vram(wish);
    return write_tim(page_of(texture.width, texture.height, texture.rgba, wish.depth, false), plan.pages[slot].value_or(wish.first), plan.palettes[slot]);
}

core::Result<Upload> upload(const PreviewTexture& texture, std::size_t slot, Vram& vram) {
    const core::Bytes made = texture.tim.empty() && !texture.rgba.empty() ? tim_of(texture, slot) : core::Bytes{};
    const std::span<const std::byte> bytes = made.empty() ? texture.tim : std::span<const std::byte>(made);
    auto tim = read_tim(bytes, texture.file);
    if (!tim) {
        core::Error error = std::move(tim.error());
        if (error.code == core::Code::NotThisFormat) {
            error.what = "this is no texture";
            error.expected = "a TIM, PNG, JPEG, TGA or BMP";
            error.cure = "save the picture as PNG, or make the TIM again";
        }
        return core::Fault(std::move(error));
    }
    Upload out{upload(*tim, bytes, vram), {{"the texture", tim->pixels}}};
    if (tim->palette) {
        out.blocks.emplace_back("the palette", *tim->palette);
    }
    return out;
}

/// Whether both put different halfwords at one place.
bool disagree(const TimBlock& a, const Vram& in_a, const TimBlock& b, const Vram& in_b) {
    for (int y = std::max(a.y, b.y); y < std::min(a.y + a.height, b.y + b.height); ++y) {
        for (int x = std::max(a.x, b.x); x < std::min(a.x + a.width, b.x + b.width); ++x) {
            if (in_a.at(x, y) != in_b.at(x, y)) {
                return true;
            }
        }
    }
    return false;
}

core::Result<TexturePlaces> load_textures(const PreviewOptions& options, Vram& vram) {
    struct Earlier {
        const std::string& file;
        TimBlock block;
    };
    std::vector<Earlier> earlier;
    TexturePlaces places;
    for (std::size_t slot = 0; slot < options.textures.size(); ++slot) {
        const std::string& file = options.textures[slot].file;
        const Vram before = vram;
        const auto loaded = upload(options.textures[slot], slot, vram);
        if (!loaded) {
            return core::Fault(loaded.error());
        }
        for (const auto& [what, block] : loaded->blocks) {
            if (block.meets(options.width, options.height)) {
                return misplaced(file, std::string(what) + " lies in the picture", block, "outside of " + std::to_string(options.width) + " x " + std::to_string(options.height),
                                 "move it to the right of the frame buffers, for example to 640, 0");
            }
            for (const Earlier& other : earlier) {
                if (disagree(other.block, before, block, vram)) {
                    return misplaced(file, std::string(what) + " lies on that of '" + other.file + "'", block, "a place of its own", "move one of the two in the console's memory");
                }
            }
        }
        for (const auto& [what, block] : loaded->blocks) {
            earlier.push_back({file, block});
        }
        places[slot] = loaded->place;
    }
    return places;
}

/// Copies the picture at (0, 0) to cell `index` of a grid.
void copy_picture(const Vram& vram, const PreviewOptions& options, std::size_t index, std::size_t columns, Preview& out) {
    const int left = static_cast<int>(index % columns) * options.width;
    const int top = static_cast<int>(index / columns) * options.height;
    for (int y = 0; y < options.height; ++y) {
        for (int x = 0; x < options.width; ++x) {
            out.pixels[static_cast<std::size_t>(top + y) * static_cast<std::size_t>(out.width) + static_cast<std::size_t>(left + x)] = vram.at(x, y) & 0x7FFFu;
        }
    }
}

}  // namespace

PlayPosition position_after(const Clip& clip, std::uint64_t display_frames) {
    if (clip.frames.size() < 2) {
        return {};
    }
    const std::uint64_t subframes = display_frames * (std::uint64_t{clip.fps} * 256 / kDisplayHz);
    return {static_cast<std::size_t>(subframes / 256 % clip.frames.size()), static_cast<std::int32_t>(subframes % 256)};
}

std::uint64_t display_frames_of(const Clip& clip) {
    const std::uint64_t step = std::uint64_t{clip.fps} * 256 / kDisplayHz;
    return clip.frames.size() < 2 || step == 0 ? 0 : (clip.frames.size() * 256 + step - 1) / step;
}

core::Result<Preview> preview(std::span<const std::byte> bytes, const std::string& file, const PreviewOptions& options) {
    if (auto good = check_options(file, options); !good) {
        return core::Fault(std::move(good.error()));
    }
    const auto document = decode(bytes, file);
    if (!document) {
        return core::Fault(document.error());
    }
    const auto clip = find_clip(*document, file, options.clip);
    if (!clip) {
        return core::Fault(clip.error());
    }
    Gpu gpu;
    const auto textures = load_textures(options, gpu.vram);
    if (!textures) {
        return core::Fault(textures.error());
    }
    const Camera camera = framing_camera(*document, **clip, options.pitch, options.yaw, options.width, options.height);
    if (4 * camera.h < options.width / 2) {
        const std::string scale = core::number_text(rounded_down(camera.fits_at));
        return core::fail(core::Code::CannotConvert, core::Place{file, {}, std::nullopt, std::nullopt}, "the model is too large to be seen whole: the console draws nothing beyond a depth of 43690",
                          {}, {}, "convert this PS1M to another one with --scale " + scale + ", or its source with a scale that much smaller");
    }
    Scene scene(*document, camera, *textures, options.flat);

    const std::size_t count = std::max<std::size_t>(1, options.contact_sheet);
    std::size_t columns = 1;
    while (columns * columns < count) {
        ++columns;
    }
    Preview out;
    out.clip = clip_text(**clip);
    out.width = static_cast<int>(columns) * options.width;
    out.height = static_cast<int>((count + columns - 1) / columns) * options.height;
    out.pixels.resize(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height));
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t at = options.contact_sheet == 0 ? static_cast<std::uint64_t>(std::floor(options.time_seconds * kDisplayHz + 0.5)) : i * display_frames_of(**clip) / count;
        const PlayPosition position = position_after(**clip, at);
        const PreviewCounts counts = scene.draw(gpu, world_pose(*document, local_pose(*document, **clip, position)));
        out.frames.push_back({static_cast<double>(at) / kDisplayHz, position.frame, position.subframe, counts});
        copy_picture(gpu.vram, options, i, columns, out);
    }
    return out;
}

}  // namespace gomkit::ps1

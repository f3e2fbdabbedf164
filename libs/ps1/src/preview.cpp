#include "preview.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <gomkit/ps1/preview.hpp>

#include "camera.hpp"
#include "decode.hpp"
#include "picture_texture.hpp"
#include "scene.hpp"
#include "tim.hpp"

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
    std::string known;
    for (const Clip& clip : document.clips) {
        if (!name || clip_name(clip) == *name) {
            return &clip;
        }
        known += (known.empty() ? "one of: " : ", ") + clip_name(clip);
    }
    return usage(file, "there is no clip '" + *name + "'", {}, known, {});
}

core::Result<TexturePlaces> load_textures(const PreviewOptions& options, Vram& vram) {
    TexturePlaces places;
    for (std::size_t slot = 0; slot < options.textures.size(); ++slot) {
        const PreviewTexture& texture = options.textures[slot];
        if (texture.tim.empty() && !texture.rgba.empty()) {
            places[slot] = upload(page_of(texture.width, texture.height, texture.rgba), slot, vram);
            continue;
        }
        const auto tim = read_tim(texture.tim, texture.file);
        if (!tim) {
            return core::Fault(tim.error());
        }
        if (tim->pixels.meets(options.width, options.height) || (tim->palette && tim->palette->meets(options.width, options.height))) {
            core::Place place;
            place.file = texture.file;
            return core::fail(core::Code::CannotConvert, place, "the texture lies in the picture",
                              std::to_string(tim->pixels.x) + ", " + std::to_string(tim->pixels.y), "outside of " + std::to_string(options.width) + " x " + std::to_string(options.height),
                              "move the TIM to the right of the frame buffers, for example to 640, 0");
        }
        places[slot] = upload(*tim, texture.tim, vram);
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

bool is_ps1m(std::span<const std::byte> bytes) {
    constexpr std::byte kMagic[] = {std::byte{'P'}, std::byte{'S'}, std::byte{'1'}, std::byte{'M'}};
    return bytes.size() >= 4 && std::equal(std::begin(kMagic), std::end(kMagic), bytes.begin());
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
    Scene scene(*document, camera, *textures, options.flat);

    const std::size_t count = std::max<std::size_t>(1, options.contact_sheet);
    std::size_t columns = 1;
    while (columns * columns < count) {
        ++columns;
    }
    Preview out;
    out.clip = clip_name(**clip);
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

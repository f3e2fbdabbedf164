#include <gomkit/kit/preview.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <gomkit/ps1/preview.hpp>

#include "guarded.hpp"
#include "load.hpp"
#include "pictures.hpp"

namespace gomkit::kit {
namespace {

/// Degrees as the console's angle, 4096 a turn.
std::int32_t console_angle(double degrees) {
    const double turns = degrees / 360;
    return static_cast<std::int32_t>(std::floor((turns - std::floor(turns)) * 4096 + 0.5));
}

image::Image to_image(const ps1::Preview& preview) {
    image::Image out;
    out.width = static_cast<std::uint32_t>(preview.width);
    out.height = static_cast<std::uint32_t>(preview.height);
    out.rgba.reserve(preview.pixels.size() * 4);
    for (const std::uint16_t pixel : preview.pixels) {
        const auto [red, green, blue] = ps1::channels_of(pixel);
        out.rgba.insert(out.rgba.end(), {red, green, blue, 0xFF});
    }
    return out;
}

PreviewPicture to_picture(const ps1::PreviewFrame& f) {
    const ps1::PreviewCounts& c = f.counts;
    return {f.time_seconds, f.frame, static_cast<std::uint32_t>(f.subframe), c.triangles, c.drawn, c.culled, c.behind, c.too_far, c.rejected, c.clipped,
            c.sums_overflowed, c.positions_limited, c.depths_limited, c.divisions_overflowed, c.screens_limited};
}

/// One of the two, with its file's name.
struct Texture {
    std::string file;
    core::FileBytes tim;
    image::Image picture;
};

core::Result<Texture> read_texture(const Input& input, const core::Limits& limits) {
    auto bytes = read_input(input, limits);
    if (!bytes) {
        return core::Fault(std::move(bytes.error()));
    }
    Texture texture{input.path, {}, {}};
    if (!image::is_image(bytes->bytes(), input.path)) {
        texture.tim = std::move(*bytes);
        return texture;
    }
    auto picture = read_picture(bytes->bytes(), input.path, limits);
    if (!picture) {
        return core::Fault(std::move(picture.error()));
    }
    texture.picture = std::move(*picture);
    return texture;
}

}  // namespace

core::Result<PreviewResponse> preview(const codec::Registry& registry, const PreviewRequest& request) {
    return guarded(request.input.path, [&]() -> core::Result<PreviewResponse> {
        const auto loaded = load(registry, request.input, request.limits);
        if (!loaded) {
            return core::Fault(loaded.error());
        }
        if (std::string_view(loaded->codec->id) != "ps1m") {
            return core::fail(core::Code::Unsupported, file_place(request.input.path), std::string("there is no preview of ") + loaded->codec->name + " files", {}, "a PS1M",
                              "convert the model to .ps1m first");
        }
        if (!std::isfinite(request.yaw_degrees) || !std::isfinite(request.pitch_degrees.value_or(0))) {
            return core::fail(core::Code::Usage, file_place(request.input.path), "an angle of the camera is no number");
        }
        ps1::PreviewOptions options;
        std::vector<Texture> textures;
        for (const Input& input : request.textures) {
            auto texture = read_texture(input, request.limits);
            if (!texture) {
                return core::Fault(std::move(texture.error()));
            }
            textures.push_back(std::move(*texture));
        }
        for (const Texture& texture : textures) {
            options.textures.push_back({texture.tim.bytes(), texture.file, texture.picture.width, texture.picture.height, texture.picture.rgba});
        }
        options.clip = request.clip;
        options.time_seconds = request.time_seconds;
        options.width = static_cast<int>(std::min<std::uint32_t>(request.width, 1u << 20));
        options.height = static_cast<int>(std::min<std::uint32_t>(request.height, 1u << 20));
        options.contact_sheet = request.contact_sheet;
        options.yaw = console_angle(request.yaw_degrees);
        if (request.pitch_degrees) {
            options.pitch = console_angle(*request.pitch_degrees);
        }
        options.flat = request.flat;
        PreviewResponse response;
        response.report.set_file(request.input.path);
        codec::CheckOptions how;
        how.limits = request.limits;
        loaded->codec->check(loaded->bytes.bytes(), request.input.path, how, response.report);
        auto made = ps1::preview(loaded->bytes.bytes(), request.input.path, options);
        if (!made) {
            return core::Fault(std::move(made.error()));
        }
        response.clip = made->clip;
        for (const ps1::PreviewFrame& frame : made->frames) {
            response.pictures.push_back(to_picture(frame));
        }
        response.image = to_image(*made);
        return response;
    });
}

}  // namespace gomkit::kit

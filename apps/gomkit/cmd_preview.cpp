#include <charconv>
#include <memory>

#include <fmt/format.h>

#include <gomkit/core/file.hpp>
#include <gomkit/core/text.hpp>
#include <gomkit/kit/preview.hpp>

#include "common.hpp"
#include "output.hpp"
#include "print_json.hpp"
#include "print_text.hpp"

namespace kit = gomkit::kit;
namespace core = gomkit::core;

namespace {

struct Options {
    CommonOptions common;
    std::string input;
    std::vector<std::string> textures;
    std::string clip;
    double time = 0;
    std::string size = "320x240";
    std::uint32_t contact_sheet = 0;
    double yaw = 0;
    double pitch = 0;
    bool flat = false;
    bool has_clip = false;
    bool has_time = false;
    bool has_pitch = false;
    std::string output;
};

// The members of PreviewPicture that count something, as --json and the text name them.
struct Count {
    std::uint64_t kit::PreviewPicture::*member;
    const char* json;
    const char* text;
};
constexpr Count kTriangles[] = {{&kit::PreviewPicture::drawn, "drawn", "drawn"},
                                {&kit::PreviewPicture::culled, "culled", "culled"},
                                {&kit::PreviewPicture::behind, "behind", "behind the eye"},
                                {&kit::PreviewPicture::too_far, "tooFar", "too far"},
                                {&kit::PreviewPicture::rejected, "rejected", "rejected"},
                                {&kit::PreviewPicture::clipped, "clipped", "clipped"}};
constexpr Count kOverflows[] = {{&kit::PreviewPicture::sums_overflowed, "sums", "vertices overflow"},
                                {&kit::PreviewPicture::positions_limited, "positions", "vertices out of range"},
                                {&kit::PreviewPicture::depths_limited, "depths", "depths out of range"},
                                {&kit::PreviewPicture::divisions_overflowed, "divisions", "vertices too near"},
                                {&kit::PreviewPicture::screens_limited, "screens", "points far outside"}};

bool read_size(const std::string& text, std::uint32_t& width, std::uint32_t& height) {
    const char* end = text.data() + text.size();
    const auto [x, first] = std::from_chars(text.data(), end, width);
    if (first != std::errc{} || x == end || *x != 'x') {
        return false;
    }
    const auto [rest, second] = std::from_chars(x + 1, end, height);
    return second == std::errc{} && rest == end;
}

core::Result<kit::PreviewRequest> request_of(const Options& o) {
    if (o.has_time && o.contact_sheet != 0) {
        return usage("--contact-sheet shows the whole clip, and --time was given", "leave one of them out");
    }
    if (core::extension_of(o.output) != "png" && !is_stdout(o.output)) {
        return usage("a preview is written as .png, not as '" + o.output + "'", "end the name with .png");
    }
    if (o.common.json && is_stdout(o.output)) {
        return usage("--json and the picture cannot both go to stdout", "choose a file with -o");
    }
    kit::PreviewRequest request;
    request.input = kit::Input(o.input);
    for (const std::string& texture : o.textures) {
        request.textures.emplace_back(texture);
    }
    request.limits = o.common.limits_chosen();
    if (o.has_clip) {
        request.clip = o.clip;
    }
    request.time_seconds = o.time;
    if (!read_size(o.size, request.width, request.height)) {
        return usage("--size must be WIDTHxHEIGHT, not '" + o.size + "'", "for example --size 320x240");
    }
    request.contact_sheet = o.contact_sheet;
    request.yaw_degrees = o.yaw;
    if (o.has_pitch) {
        request.pitch_degrees = o.pitch;
    }
    request.flat = o.flat;
    return request;
}

core::Result<kit::PreviewResponse> draw(const Context& context, const Options& o) {
    const auto request = request_of(o);
    if (!request) {
        return core::Fault(request.error());
    }
    auto preview = kit::preview(context.registry, *request);
    if (preview) {
        std::vector<std::string> inputs = o.textures;
        inputs.push_back(o.input);
        if (auto written = write_result(o.output, gomkit::image::write_png(preview->image), inputs); !written) {
            return core::Fault(std::move(written.error()));
        }
    }
    return preview;
}

void add_preview_json(Json& document, const Options& o, const kit::PreviewResponse& preview) {
    document["output"] = o.output;
    document["clip"] = preview.clip;
    document["width"] = preview.image.width;
    document["height"] = preview.image.height;
    document["pictures"] = Json::array();
    for (const kit::PreviewPicture& p : preview.pictures) {
        Json picture{{"time", p.time_seconds}, {"frame", p.frame}, {"subframe", p.subframe}, {"triangles", p.triangles}};
        for (const Count& count : kTriangles) {
            picture[count.json] = p.*count.member;
        }
        picture["overflows"] = Json::object();
        for (const Count& count : kOverflows) {
            picture["overflows"][count.json] = p.*count.member;
        }
        document["pictures"].push_back(std::move(picture));
    }
}

std::string preview_text(const Options& o, const kit::PreviewResponse& preview) {
    const kit::PreviewPicture& first = preview.pictures.front();
    std::string text = core::printable(o.output) + ": clip '" + core::printable(preview.clip) + "', ";
    text += o.contact_sheet != 0 ? amount(preview.pictures.size(), "picture", "pictures")
                                 : fmt::format("{:.3f} s (frame {} + {}/256)", first.time_seconds, first.frame, first.subframe);
    std::uint64_t triangles = 0;
    for (const kit::PreviewPicture& p : preview.pictures) {
        triangles += p.triangles;
    }
    text += ": " + amount(triangles, "triangle", "triangles");
    for (const std::span<const Count> counts : {std::span<const Count>(kTriangles), std::span<const Count>(kOverflows)}) {
        for (const Count& count : counts) {
            std::uint64_t sum = 0;
            for (const kit::PreviewPicture& p : preview.pictures) {
                sum += p.*count.member;
            }
            text += sum == 0 ? "" : fmt::format(", {} {}", sum, count.text);
        }
    }
    return text + "\n";
}

int run_preview(const Context& context, const Options& o) {
    const auto preview = draw(context, o);
    const int code = preview ? 0 : core::exit_code(preview.error().code);
    if (o.common.json) {
        Json document = json_document(code, preview ? std::vector<core::Error>{} : std::vector<core::Error>{preview.error()},
                                      preview ? std::vector<const core::Report*>{&preview->report} : std::vector<const core::Report*>{});
        if (preview) {
            add_preview_json(document, o, *preview);
        }
        print_result(json_text(document));
    } else if (!preview) {
        print_error(preview.error());
    } else {
        print_issues(preview->report, o.common);
        if (!o.common.quiet && !is_stdout(o.output)) {
            print_result(preview_text(o, *preview));
        }
    }
    return code;
}

}  // namespace

void add_preview(CLI::App& app, Context& context) {
    auto o = std::make_shared<Options>();
    CLI::App* command = add_command(app, "preview", "draw a PlayStation model as the console does, to the pixel",
                                    "  gomkit preview hero.ps1m -o hero.png --clip walk --time 0.4\n"
                                    "  gomkit preview hero.ps1m --texture hero.tim -o walk.png --clip walk --contact-sheet 8\n"
                                    "  gomkit preview model.bin -o side.png --yaw 90 --size 640x480");
    add_file(*command, "FILE", o->input, "the model, a PS1M");
    command->add_option("-o,--output", o->output, "the picture to write")->option_text("OUT.png")->required()->check(not_empty);
    add_repeated(*command, "--texture", o->textures, "FILE", "the texture of slot 0 as TIM, PNG, JPEG, TGA or BMP, given again those of 1 and 2 (white)");
    const auto* clip = command->add_option("--clip", o->clip, "the clip (the first one)")->option_text("NAME")->check(not_empty);
    const auto* time = command->add_option("--time", o->time, "seconds since the clip's start (0)")->option_text("S")->check(number_from(0, 1000000));
    command->add_option("--contact-sheet", o->contact_sheet, "N pictures over the clip, side by side")->option_text("N")->check(whole_number_from(1, 256));
    command->add_option("--size", o->size, "pixels of a picture, 16x16 to 640x480 (320x240)")->option_text("WxH");
    command->add_option("--yaw", o->yaw, "turn the camera around the model: 0 its front, 90 its left side (0)")->option_text("DEGREES")->check(number_from(-360, 360));
    const auto* pitch = command->add_option("--pitch", o->pitch, "lift the camera (17.6, the game's)")->option_text("DEGREES")->check(number_from(-90, 90));
    command->add_flag("--flat", o->flat, "one colour a triangle instead of Gouraud shading");
    add_limits(*command, o->common);
    add_json(*command, o->common);
    command->add_flag("-q,--quiet", o->common.quiet, "print errors only");
    command->callback([o, clip, time, pitch, &context] {
        o->has_clip = clip->count() != 0;
        o->has_time = time->count() != 0;
        o->has_pitch = pitch->count() != 0;
        context.exit_code = run_preview(context, *o);
    });
}

#include "options.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <gomkit/core/text.hpp>
#include <gomkit/runtime/math.hpp>

#include "biped.hpp"
#include "gpu.hpp"
#include "layout.hpp"

namespace gomkit::ps1 {
namespace {

bool is_whole(std::string_view text, double most) {
    const double value = core::parse_number(text).value_or(0);
    return value >= 1 && value <= most && runtime::exact::floor(value) == value;
}
bool is_rate(std::string_view text) { return is_whole(text, 65535); }
bool is_bone_count(std::string_view text) { return is_whole(text, layout::kMostBones); }
bool is_triangle_count(std::string_view text) { return is_whole(text, layout::kMostVertices); }

/// "640,256"
std::optional<VramPoint> point_of(std::string_view text) {
    const std::size_t comma = text.find(',');
    const auto coordinate = [](std::string_view digits, int end) -> std::optional<std::uint16_t> {
        const bool whole = !digits.empty() && digits.size() <= 4 && digits.find_first_not_of("0123456789") == std::string_view::npos;
        const double value = whole ? core::parse_number(digits).value_or(end) : end;
        return value < end ? std::optional(static_cast<std::uint16_t>(value)) : std::nullopt;
    };
    const auto x = coordinate(text.substr(0, comma), kVramWidth);
    const auto y = comma == std::string_view::npos ? std::nullopt : coordinate(text.substr(comma + 1), kVramHeight);
    return x && y ? std::optional(VramPoint{*x, *y}) : std::nullopt;
}
bool is_page(std::string_view text) {
    const auto at = point_of(text);
    return at && at->x % 64 == 0 && at->y % kPageSide == 0;
}
bool is_palette(std::string_view text) {
    const auto at = point_of(text);
    return at && at->x % 16 == 0;
}

constexpr const char* kTim = "--ps1-tim";
constexpr const char* kVram = "--vram";
constexpr const char* kClut = "--clut";
constexpr const char* kDither = "--ps1-tim-dither";

std::optional<TimOptions> tim_of(const codec::FormatValues& values) {
    const auto bits = codec::text_of(values, kTim, "none");
    if (bits == "none") {
        return std::nullopt;
    }
    TimOptions out;
    out.where.depth = bits == "4" ? 0 : bits == "8" ? 1 : kDirectDepth;
    out.where.first = point_of(codec::text_of(values, kVram)).value_or(kFirstPage);
    out.where.palettes = point_of(codec::text_of(values, kClut));
    out.dither = codec::is_on(values, kDither);
    return out;
}

std::optional<std::uint32_t> count_of(const codec::FormatValues& values, std::string_view name) {
    const double value = codec::number_of(values, name, 0);
    return value > 0 ? std::optional(static_cast<std::uint32_t>(value)) : std::nullopt;
}

}  // namespace

std::vector<codec::FormatOption> format_options() {
    return {
        {.name = "--scale", .value = "F", .help = "multiply all lengths, 1 making a metre 4096 (1)", .accepts = codec::is_usual_number, .expected = codec::kUsualNumber},
        {.name = "--fit", .help = "take the largest scale at which all lengths fit, where --scale is too large"},
        {.name = "--ps1-fps", .value = "N", .help = "frames a second of clips (15)", .accepts = is_rate, .expected = "a whole number from 1 to 65535"},
        {.name = "--ps1-max-bones", .value = "N", .help = "collapse the least important leaves until N bones are left (an error above 64)", .accepts = is_bone_count,
         .expected = "a whole number from 1 to 64"},
        {.name = "--ps1-triangles", .value = "N", .help = "reduce the mesh to about N triangles, or as few as the borders between texture slots allow (an error above 8192)", .accepts = is_triangle_count,
         .expected = "a whole number from 1 to 8192"},
        {.name = "--ps1-root-motion", .choices = {"keep", "hold"}, .help = "travel of the character: leave it, or hold it in place (hold; a PS1M's: keep)"},
        {.name = kTim, .choices = {"4", "8", "16", "none"}, .help = "write a TIM of so many bits a texel beside the model for the picture of each texture slot (none)"},
        {.name = kVram, .value = "X,Y", .help = "where TIMs begin in the console's memory: each lies at the next place outside the frame buffers (640,0)", .accepts = is_page,
         .expected = "two whole numbers, X a multiple of 64 below 1024, Y 0 or 256"},
        {.name = kClut, .value = "X,Y", .help = "where the palette of slot 0 lies, those of slots 1 and 2 below (640,256, 640,257 and 640,259)", .accepts = is_palette,
         .expected = "two whole numbers, X a multiple of 16 below 1024, Y below 512"},
        {.name = kDither, .help = "dither where a TIM's palette has not enough colours"},
        {.name = "--ps1-share-slots", .help = "pictures beyond the third share the last texture slot (an error)"},
        {.name = "--ps1-ik", .help = "write the table for inverse kinematics, its arms, legs and head found by the bones' names (only --autorig does)"},
        {.name = "--ps1-seams", .choices = {"keep", "cut", "split"},
         .help = "triangles between bones: let them stretch, cut them at the joints so that each part has one bone, or give each whole one to one bone (keep; cut with --autorig-body lathe)"},
        {.name = "--autorig", .help = "give a standing figure without bones eleven of them, and the clips idle, walk, run, wave and punch"},
        {.name = "--autorig-body", .choices = {"mesh", "lathe"}, .help = "with --autorig: the figure's mesh, or bodies of rings around the bones, but for head and hands (mesh)"},
        {.name = "--ps1-compat", .help = "repeat the defects of the original converter; not with --fit"},
    };
}

Options options_of(const codec::FormatValues& values) {
    Options out;
    out.scale = codec::number_of(values, "--scale", out.scale);
    out.fit = codec::is_on(values, "--fit");
    out.fps = count_of(values, "--ps1-fps");
    out.max_bones = count_of(values, "--ps1-max-bones");
    out.triangles = count_of(values, "--ps1-triangles");
    if (const auto motion = codec::text_of(values, "--ps1-root-motion"); !motion.empty()) {
        out.keep_root_motion = motion == "keep";
    }
    out.share_slots = codec::is_on(values, "--ps1-share-slots");
    out.tim = tim_of(values);
    out.autorig = codec::is_on(values, "--autorig");
    out.ik = codec::is_on(values, "--ps1-ik");
    out.lathe = codec::text_of(values, "--autorig-body") == "lathe";
    const auto seams = codec::text_of(values, "--ps1-seams");
    if (!seams.empty()) {
        out.seams_asked = seams == "cut" ? Seams::Cut : seams == "split" ? Seams::Split : Seams::Keep;
    }
    out.compat = codec::is_on(values, "--ps1-compat");
    return out;
}

core::Result<void> check_together(const codec::FormatValues& values) {
    const Options own = options_of(values);
    const std::optional<TimOptions>& tim = own.tim;
    const auto fault = [](std::string what, std::string expected, std::string cure) { return core::fail(core::Code::Usage, {}, std::move(what), {}, std::move(expected), std::move(cure)); };
    if (own.compat && own.fit) {
        return fault("--fit makes the model smaller, and --ps1-compat limits numbers instead", {}, "leave one of them out");
    }
    if (own.lathe && !own.autorig) {
        return fault("--autorig-body shapes what --autorig makes", {}, "give --autorig too, or leave --autorig-body out");
    }
    if (own.autorig && own.max_bones.value_or(biped::kBones) < biped::kBones) {
        return core::fail(core::Code::Usage, {}, "--autorig makes eleven bones", "--ps1-max-bones " + std::to_string(*own.max_bones), "at least 11", "leave --ps1-max-bones out");
    }
    for (const char* name : {kVram, kClut, kDither}) {
        if (!tim && values.contains(name)) {
            return fault(std::string(name) + " is about TIM files, and none is written", {}, "give --ps1-tim 4, 8 or 16 too");
        }
    }
    if (tim && tim->where.depth == kDirectDepth) {
        for (const char* name : {kClut, kDither}) {
            if (values.contains(name)) {
                return fault(std::string(name) + " is about palettes, and a TIM of 16 bits has none", {}, "leave it out, or give --ps1-tim 4 or 8");
            }
        }
    }
    if (tim && tim->where.palettes && !palettes_fit(*tim->where.palettes, tim->where.depth)) {
        return fault("--clut " + std::string(codec::text_of(values, kClut)) + " is no place for three palettes", "three rows of " + std::to_string(palette_width(tim->where.depth)) +
                     " halfwords within 1024 x 512 and outside of the frame buffers, 640 x 240", "give another place, for example 640,256");
    }
    return {};
}

bool may_stay(const Options& own, pass::NormalMode normals) {
    const Options plain;
    return own.scale == plain.scale && !own.fps && !own.max_bones && !own.triangles && !own.autorig && own.seams() == plain.seams() && !own.compat && own.keep_root_motion.value_or(true) &&
           normals == pass::NormalMode::Keep;
}

std::vector<codec::Step> steps(const codec::WriteOptions& options, bool same_format) {
    const Options own = options_of(options.format);
    if (same_format && may_stay(own, options.normals)) {
        return {{"meshes", "the file as it is where nothing changes, else made anew"}};
    }
    const bool keep = own.keep_root_motion.value_or(same_format);
    std::vector<codec::Step> out{codec::triangulate_step(), codec::normals_step(options.normals)};
    if (own.autorig) {
        out.push_back({"autorig", "a biped's bones by height, its clips and its inverse kinematics table"});
    }
    out.push_back({"bones", own.max_bones ? "collapse leaves until " + std::to_string(*own.max_bones) + " are left" : std::string("all, at most 64")});
    out.push_back({"weights", "the bone with the largest weight"});
    if (own.seams() != Seams::Keep) {
        out.push_back({"seams", std::string(own.seams() == Seams::Cut ? "triangles between bones are cut at the joints, then " : "") + "each triangle follows one bone"});
    }
    if (own.lathe) {
        out.push_back({"body", "rings around the bones in place of the mesh, but for head and hands"});
    }
    if (own.triangles) {
        out.push_back({"decimate", "to " + std::to_string(*own.triangles) + " triangles"});
    }
    if (own.share_slots) {
        out.push_back({"slots", "pictures beyond the third share slot 2"});
    }
    if (own.tim) {
        out.push_back({"tim", "a TIM of " + std::to_string(16 / texels_per_halfword(own.tim->where.depth)) + " bits a texel for the picture of each slot" + (own.lathe ? ", that of slot 0 drawn for the bodies" : "")});
    }
    if (own.ik && !own.autorig) {
        out.push_back({"ik", "the table for inverse kinematics, by the bones' names"});
    }
    out.push_back({"clips", std::to_string(own.rate()) + " frames a second" + (keep ? "" : own.compat ? ", every bone that moves held in place" : ", the trunk held in place")});
    const std::string unit = same_format ? "lengths times " : own.compat ? "a unit of the source is 4096 times " : "a metre is 4096 times ";
    out.push_back({"space", unit + core::number_text(own.scale) + (own.compat ? ", limited to the range; scales of bones stay in vertices" : own.fit ? ", or less where that does not fit" : "")});
    return out;
}

}  // namespace gomkit::ps1

#include "options.hpp"

#include <string>
#include <string_view>

#include <gomkit/core/text.hpp>
#include <gomkit/runtime/math.hpp>

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
    if (own.ik && !own.autorig) {
        out.push_back({"ik", "the table for inverse kinematics, by the bones' names"});
    }
    out.push_back({"clips", std::to_string(own.rate()) + " frames a second" + (keep ? "" : own.compat ? ", every bone that moves held in place" : ", the trunk held in place")});
    const std::string unit = same_format ? "lengths times " : own.compat ? "a unit of the source is 4096 times " : "a metre is 4096 times ";
    out.push_back({"space", unit + core::number_text(own.scale) + (own.compat ? ", limited to the range; scales of bones stay in vertices" : own.fit ? ", or less where that does not fit" : "")});
    return out;
}

}  // namespace gomkit::ps1

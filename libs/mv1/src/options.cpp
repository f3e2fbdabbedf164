#include "options.hpp"

#include <gomkit/core/text.hpp>

#include "import.hpp"

namespace gomkit::mv1 {

std::vector<codec::FormatOption> format_options() {
    return {
        {.name = "--mv1-fps", .value = "N", .help = "clip times count N a second (30)", .accepts = codec::is_usual_number, .expected = codec::kUsualNumber},
        {.name = "--facing", .choices = {"-z", "+z"}, .help = "where the model's front looks (-z, as DxLib's importer has it)"},
        {.name = "--out-unit", .value = "M", .choices = {"metres", "source"}, .help = "a unit is the source's, a metre, or M metres (source)", .accepts = codec::is_usual_number,
         .expected = codec::kUsualNumber},
        {.name = "--mv1-normals", .choices = {"f32", "s16", "s8"}, .help = "how normals are stored (f32)"},
        {.name = "--mv1-positions", .choices = {"f32", "u16"}, .help = "how positions are stored; u16: in 60,000 steps of each frame's box (f32)"},
        {.name = "--mv1-weights", .choices = {"u16", "u8"}, .help = "how weights of bones are stored (u16)"},
        {.name = "--mv1-anim", .choices = {"f32", "u16"}, .help = "how values of keys are stored; times stay what they are (f32)"},
        {.name = "--emissive-zero", .help = "no material gives light of its own"},
    };
}

Options options_of(const codec::FormatValues& values) {
    Options out;
    out.fps = codec::number_of(values, "--mv1-fps", out.fps);
    out.faces_back = codec::text_of(values, "--facing") != "+z";
    out.unit_meters = codec::text_of(values, "--out-unit") == "metres" ? 1 : codec::number_of(values, "--out-unit", out.unit_meters);
    const std::string_view normals = codec::text_of(values, "--mv1-normals");
    out.normals = normals == "s16" ? NormalType::S16 : normals == "s8" ? NormalType::S8 : NormalType::F32;
    out.packs_positions = codec::text_of(values, "--mv1-positions") == "u16";
    out.packs_weights = codec::text_of(values, "--mv1-weights") == "u8";
    out.packs_keys = codec::text_of(values, "--mv1-anim") == "u16";
    out.emissive_zero = codec::is_on(values, "--emissive-zero");
    return out;
}

bool may_stay(const Options& own, pass::NormalMode normals) {
    Options plain;
    if (own.unit_meters == kUnitMeters) {
        plain.unit_meters = kUnitMeters;   // the unit that it has
    }
    return own == plain && normals == pass::NormalMode::Keep;
}

std::vector<codec::Step> steps(const codec::WriteOptions& options, bool same_format) {
    const Options own = options_of(options.format);
    if (same_format && may_stay(own, options.normals)) {
        return {{"meshes", "the file as it is where nothing changes, else made anew"}};
    }
    std::vector<codec::Step> out{codec::triangulate_step(),
                                 {"weights", own.packs_weights ? "all influences, 8-bit" : "all influences, 16-bit"},
                                 codec::normals_step(options.normals)};
    if (own.emissive_zero) {
        out.push_back({"materials", "no light of their own"});
    }
    out.push_back({"space", std::string("facing ") + (own.faces_back ? "-Z" : "+Z") + ", a unit is " +
                                (own.unit_meters > 0 ? core::number_text(own.unit_meters) + " m" : std::string("the source's")) + ", " +
                                core::number_text(own.fps) + " units of time a second"});
    std::string packed;
    const auto add = [&](bool is_packed, const char* what) { packed += is_packed ? (packed.empty() ? "" : ", ") + std::string(what) : ""; };
    add(own.packs_positions, "positions in 16 bits");
    add(own.normals == NormalType::S16, "normals in 16 bits");
    add(own.normals == NormalType::S8, "normals in 8 bits");
    add(own.packs_keys, "keys in 16 bits");
    if (!packed.empty()) {
        out.push_back({"packing", packed});
    }
    return out;
}

}  // namespace gomkit::mv1

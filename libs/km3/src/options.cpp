#include "options.hpp"

namespace gomkit::km3 {

std::vector<codec::FormatOption> format_options() {
    return {
        {.name = "--km3-normals", .choices = {"inward", "outward"}, .help = "where normals point (as in a KM3 source, else outward)"},
        {.name = "--km3-quads", .help = "join pairs of triangles that lie in one plane"},
        {.name = "--km3-weights", .choices = {"on", "off"}, .help = "blend between unit and parent, or follow the unit wholly (on)"},
        {.name = "--scale", .value = "F", .help = "multiply all lengths, 1 being a millimetre (1)", .accepts = codec::is_usual_number, .expected = codec::kUsualNumber},
    };
}

Options options_of(const codec::FormatValues& values) {
    Options out;
    const std::string_view normals = codec::text_of(values, "--km3-normals");
    out.normals = normals == "inward" ? Normals::Inward : normals == "outward" ? Normals::Outward : Normals::Source;
    out.quads = codec::is_on(values, "--km3-quads");
    out.weights = codec::text_of(values, "--km3-weights", codec::kOn) == codec::kOn;
    out.scale = codec::number_of(values, "--scale", out.scale);
    return out;
}

// Weights and normals that are to be made anew are not the stored ones.
bool may_stay(const Options& own, pass::NormalMode normals) { return own.weights && !own.quads && normals == pass::NormalMode::Keep; }

std::vector<codec::Step> steps(const codec::WriteOptions& options, bool same_format) {
    const Options own = options_of(options.format);
    if (same_format && may_stay(own, options.normals)) {
        return {{"meshes", "keep vertices as they are"}};
    }
    return {codec::triangulate_step(),
            {"weights", own.weights ? "at most a unit and its parent a vertex" : "one unit a vertex"},
            codec::normals_step(options.normals),
            {"units", std::string("one for each bone; a new one at 60,000 vertices") + (own.quads ? ", pairs of flat triangles joined" : "")}};
}

}  // namespace gomkit::km3

#include "options.hpp"

#include <gomkit/core/text.hpp>

namespace gomkit::mv1 {

std::vector<codec::FormatOption> format_options() {
    return {
        {.name = "--mv1-fps", .value = "N", .help = "clip times count N a second (30)", .accepts = codec::is_positive_number, .expected = codec::kPositiveNumber},
        {.name = "--facing", .choices = {"-z", "+z"}, .help = "where the model's front looks (-z, as DxLib's importer has it)"},
        {.name = "--out-unit", .value = "M", .choices = {"metres", "source"}, .help = "a unit is the source's, a metre, or M metres (source)", .accepts = codec::is_positive_number,
         .expected = codec::kPositiveNumber},
    };
}

Options options_of(const codec::FormatValues& values) {
    Options out;
    out.fps = codec::number_of(values, "--mv1-fps", out.fps);
    out.faces_back = codec::text_of(values, "--facing") != "+z";
    out.unit_meters = codec::text_of(values, "--out-unit") == "metres" ? 1 : codec::number_of(values, "--out-unit", out.unit_meters);
    return out;
}

std::vector<codec::Step> steps(const codec::WriteOptions& options, bool same_format) {
    if (same_format) {
        return {{"meshes", "the file as it is where nothing changes, else made anew"}};
    }
    const Options own = options_of(options.format);
    return {codec::triangulate_step(),
            {"weights", "all influences, 16-bit"},
            codec::normals_step(options.normals),
            {"space", std::string("facing ") + (own.faces_back ? "-Z" : "+Z") + ", a unit is " +
                          (own.unit_meters > 0 ? core::number_text(own.unit_meters) + " m" : std::string("the source's")) + ", " +
                          core::number_text(own.fps) + " units of time a second"}};
}

}  // namespace gomkit::mv1

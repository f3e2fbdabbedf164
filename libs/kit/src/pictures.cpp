#include "pictures.hpp"

#include <gomkit/core/file.hpp>
#include <gomkit/model/texture_name.hpp>

#include "load.hpp"

namespace gomkit::kit {

core::Result<image::Image> read_picture(std::span<const std::byte> bytes, const std::string& file, const core::Limits& limits) {
    image::ImageLimits most;
    most.max_pixels = limits.max_memory_bytes / 128;   // what a picture may have by default, where the rest is by default too
    return image::read_image(bytes, file, most);
}

core::Result<image::Image> read_picture_of(const model::Texture& texture, const core::Limits& limits, std::vector<std::string>& opened) {
    const std::string& name = model::source_name(texture);
    if (!texture.content.empty()) {
        return read_picture(texture.content, name, limits);
    }
    if (texture.found.empty()) {
        return core::fail(core::Code::CannotOpen, file_place(name), "the picture was not found", {}, {}, "put the file beside the model, or name its folder with --texture-path");
    }
    const auto bytes = core::read_file(texture.found, limits.max_file_bytes);
    if (!bytes) {
        return core::Fault(bytes.error());
    }
    opened.push_back(texture.found);
    return read_picture(bytes->bytes(), texture.found, limits);
}

}  // namespace gomkit::kit

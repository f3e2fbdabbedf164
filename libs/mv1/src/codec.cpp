#include <gomkit/mv1/mv1.hpp>

#include <utility>

#include "check.hpp"
#include "decode.hpp"
#include "dump.hpp"
#include "import.hpp"

namespace gomkit::mv1 {
namespace {

bool probe(std::span<const std::byte> bytes, std::string_view) { return is_mv1(bytes); }

core::Result<model::Model> read(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions& options,
                                core::Report& report) {
    Checked<core::Bytes> buffer = unpack(bytes, options.limits);
    if (!buffer) {
        return core::Fault(to_error(buffer.error(), file));
    }
    const Checked<Document> document = decode_buffer(*buffer, options.limits);
    if (!document) {
        return core::Fault(to_error(document.error(), file));
    }
    core::Result<model::Model> model = import(*document, options, report);
    if (model) {
        model->mv1->buffer = std::move(*buffer);
    }
    return model;
}

}  // namespace

codec::Codec make_codec() {
    codec::Codec c;
    c.id = "mv1";
    c.name = "DxLib model";
    c.extensions = {"mv1"};
    c.kept = {"meshes with normals, tangents, vertex colours and UV sets",
              "skinning with any number of influences",
              "frames with bind pose and rest pose",
              "materials and the paths of their textures",
              "animation clips (translation, rotation, scale)"};
    c.lost = {"morph targets", "physics", "lights", "toon and sphere maps", "texture layers beyond the first", "blend modes and alpha tests"};
    c.probe = probe;
    c.read = read;
    c.check = check;
    c.dump = dump;
    return c;
}

}  // namespace gomkit::mv1

#include "encode.hpp"

#include <algorithm>
#include <span>

#include "struct_io.hpp"

namespace gomkit::mv1 {

core::Bytes encode_buffer(const Document& document) {
    core::Bytes out(document.size);
    const auto put = [&](Offset at, std::span<const std::byte> bytes) {
        if (bytes.empty() || at > out.size() || bytes.size() > out.size() - at) {
            return;   // empty arrays may point anywhere
        }
        std::copy(bytes.begin(), bytes.end(), out.begin() + static_cast<std::ptrdiff_t>(at));
    };
    core::Writer header;
    FieldWriter header_writer(header);
    fields(document.header, header_writer);
    put(0, header.bytes());
    const auto one = [&](const auto& s, bool old_frame = false) {
        core::Writer w;
        FieldWriter writer(w, old_frame);
        fields(s, writer);
        put(s.at, w.bytes());
    };
    each_array(document, [&](const char*, const auto& elements, std::uint32_t size) {
        for (const auto& s : elements) {
            one(s, size == sizes::kOldFrame);
        }
    });
    if (document.shape) {
        one(*document.shape);
    }
    if (document.physics) {
        one(*document.physics);
    }
    put(document.header.draw_table, document.draw_table);
    put(document.header.matrix_table, document.matrix_table);
    put(document.header.string_buffer, document.strings);
    core::Writer palette;
    for (const Offset o : document.frame_use_skin_bones) {
        palette.u32(o);
    }
    put(document.header.frame_use_skin_bone, palette.bytes());
    for (const Frame& f : document.frames) {
        put(f.position_data, f.blob);
    }
    for (const Mesh& m : document.meshes) {
        put(m.vertex_data, m.blob);
    }
    for (const TriangleList& l : document.lists) {
        put(l.data, l.blob);
    }
    for (const KeySet& k : document.key_sets) {
        put(k.key_data, k.blob);
    }
    for (const Loose& l : document.loose) {
        put(l.at, l.bytes);
    }
    return out;
}

core::Bytes encode(const Document& document, DxaSearch search) {
    const core::Bytes buffer = encode_buffer(document);
    core::Bytes out(buffer.begin(), buffer.begin() + 4);
    const core::Bytes block = dxa_encode(std::span(buffer).subspan(4), search);
    out.insert(out.end(), block.begin(), block.end());
    return out;
}

}  // namespace gomkit::mv1

#include "dump.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <gomkit/core/text.hpp>

#include "blobs.hpp"
#include "decode.hpp"
#include "links.hpp"
#include "struct_io.hpp"

namespace gomkit::mv1 {
namespace {

using core::number_text;

bool below(std::string_view path, std::string_view root) {
    return path.substr(0, root.size()) == root && (path.size() == root.size() || path[root.size()] == '.' || path[root.size()] == '[');
}

class Dumper {
public:
    Dumper(const Document& d, std::span<const std::byte> buffer, std::string_view part) : d_(d), buffer_(buffer), part_(part) {}

    std::string run() {
        one("header", d_.header, 0);
        table("changeDrawMaterialTable", d_.header.draw_table, d_.draw_table.size());
        table("changeMatrixTable", d_.header.matrix_table, d_.matrix_table.size());
        for (std::size_t i = 0; i < d_.frame_use_skin_bones.size(); ++i) {
            line(d_.header.frame_use_skin_bone + 4 * i, 4, element("frameUseSkinBone", i), std::to_string(d_.frame_use_skin_bones[i]));
        }
        if (d_.shape) {
            one("shapeHeader", *d_.shape, d_.shape->at);
        }
        if (d_.physics) {
            one("physicsHeader", *d_.physics, d_.physics->at);
        }
        each_array(d_, [&](const char* kind, const auto& elements, std::uint32_t size) {
            for (std::size_t i = 0; i < elements.size(); ++i) {
                const std::string path = element(kind, i);
                if (wanted(path)) {
                    one(path, elements[i], elements[i].at, size == sizes::kOldFrame);
                    block(path, elements[i]);
                }
            }
        });
        strings();
        for (const Loose& l : d_.loose) {
            line(l.at, l.bytes.size(), "loose", "");
        }
        return std::move(out_);
    }

private:
    [[nodiscard]] bool wanted(std::string_view path) const { return part_.empty() || below(path, part_) || below(part_, path); }

    void line(std::uint64_t offset, std::uint64_t size, const std::string& path, std::string_view value) {
        if (!part_.empty() && !below(path, part_)) {
            return;
        }
        std::string text;
        for (unsigned i = 8; i-- > 0;) {
            text += "0123456789abcdef"[offset >> (4 * i) & 15];
        }
        text += "  ";
        for (std::uint64_t i = 0; i < size && i < 16; ++i) {
            const auto b = static_cast<std::uint8_t>(buffer_[static_cast<std::size_t>(offset + i)]);
            text += (i > 0 ? " " : "") + core::hex_text(&b, 1);
        }
        text += size > 16 ? " +" + std::to_string(size - 16) : std::string();
        pad(text, 64);
        text += path;
        pad(text, 104);
        out_ += text + core::printable(value) + "\n";
    }
    static void pad(std::string& text, std::size_t column) {
        text += text.size() < column ? std::string(column - text.size(), ' ') : std::string("  ");
    }

    template <class T>
    static std::uint64_t width(const T& v) {
        if constexpr (std::is_arithmetic_v<T>) {
            return sizeof(T);
        } else if constexpr (requires { v.size(); }) {
            std::uint64_t sum = 0;
            for (const auto& item : v) {
                sum += width(item);
            }
            return sum;
        } else {
            return std::is_same_v<T, Layer> ? sizes::kLayer : sizes::kChange;
        }
    }
    template <class T>
    static std::string value(const T& v) {
        if constexpr (std::is_same_v<T, float>) {
            return number_text(v);
        } else if constexpr (std::is_arithmetic_v<T>) {
            return std::to_string(v);
        } else {
            std::string text;
            for (const auto& item : v) {
                text += (text.empty() ? "" : " ") + value(item);
            }
            return text;
        }
    }

    template <class S>
    void one(const std::string& path, const S& s, std::uint64_t at, bool old_frame = false) {
        if (!wanted(path)) {
            return;
        }
        const auto visit = [&](const char* name, const auto& v, Kind kind = Kind::Plain) {
            using T = std::remove_cvref_t<decltype(v)>;
            if (old_frame && is_new_frame_field(name)) {
                return;
            }
            const std::string field = path + "." + name;
            if constexpr (std::is_same_v<T, Change>) {
                line(at, sizes::kChange, field, "word " + std::to_string(v.target) + ", fill " + std::to_string(v.fill) + ", bit " + std::to_string(v.check_bit) +
                                        ", size " + std::to_string(v.size));
            } else if constexpr (std::is_same_v<T, std::array<Layer, 8>>) {
                for (std::size_t i = 0; i < v.size(); ++i) {
                    line(at + sizes::kLayer * i, sizes::kLayer, field + "[" + std::to_string(i) + "]",
                         "texture " + std::to_string(v[i].texture) + ", blend " + std::to_string(v[i].blend_type));
                }
            } else {
                std::string shown = value(v);
                if constexpr (std::is_same_v<T, std::uint32_t>) {
                    const bool is_none = v == 0 && std::string_view(name) != "Name";
                    shown += kind == Kind::String && !is_none ? " '" + text(d_, v) + "'" : kind == Kind::Pointer && v == 0 ? " (none)" : "";
                }
                line(at, width(v), field, shown);
            }
            at += width(v);
        };
        fields(s, visit);
    }

    void table(const std::string& path, Offset at, std::size_t size) {
        for (std::size_t i = 0; i < size; i += 16) {
            line(at + i, std::min<std::size_t>(16, size - i), path + "[" + std::to_string(i / 4) + "]", "");
        }
    }

    static std::string numbers(std::span<const double> values) {
        std::string text;
        for (const double v : values) {
            text += (text.empty() ? "" : " ") + number_text(v);
        }
        return text;
    }

    // What a block holds, one line a thing; the bytes are those of the block's begin, since things are packed.
    template <class S>
    void block(const std::string&, const S&) {}
    void block(const std::string& path, const Frame& f) {
        FrameVertices v;
        static_cast<void>(read_frame_blob(f, f.blob, &v));
        for (std::size_t i = 0; i < v.positions.size(); ++i) {
            std::string text = numbers(v.positions[i]);
            for (std::uint32_t w = v.weight_first.empty() ? 0 : v.weight_first[i]; !v.weight_first.empty() && w < v.weight_first[i + 1]; ++w) {
                text += "  bone " + std::to_string(v.weights[w].slot) + " " + number_text(v.weights[w].weight);
            }
            line(f.position_data, 0, path + ".position[" + std::to_string(i) + "]", text);
        }
        for (std::size_t i = 0; i < v.normals.size(); ++i) {
            std::string text = numbers(v.normals[i]);
            text += v.tangents.empty() ? "" : "  tangent " + numbers(v.tangents[i]) + "  binormal " + numbers(v.binormals[i]);
            line(f.position_data, 0, path + ".normal[" + std::to_string(i) + "]", text);
        }
    }
    void block(const std::string& path, const Mesh& m) {
        MeshVertices v;
        static_cast<void>(read_mesh_blob(m, m.blob, &v));
        for (std::size_t i = 0; i < v.position.size(); ++i) {
            std::string text = "position " + std::to_string(v.position[i]) + (v.normal.empty() ? "" : "  normal " + std::to_string(v.normal[i]));
            const std::size_t c = v.diffuse.size() == 1 ? 0 : i;
            text += "  diffuse " + value(v.diffuse[c]) + "  specular " + value(v.specular[c]);
            for (std::size_t s = 0; s < m.uv_set_num; ++s) {
                text += "  uv " + numbers(v.uvs[i * m.uv_set_num + s]);
            }
            text += !v.no_outline.empty() && v.no_outline[i] ? "  no outline" : "";
            line(m.vertex_data, 0, path + ".vertex[" + std::to_string(i) + "]", text);
        }
    }
    void block(const std::string& path, const TriangleList& l) {
        ListIndices v;
        static_cast<void>(read_list_blob(l, l.blob, &v));
        if (!v.palette.empty()) {
            std::string text;
            for (const std::uint16_t slot : v.palette) {
                text += (text.empty() ? "" : " ") + std::to_string(slot);
            }
            line(l.data, 0, path + ".bones", text);
        }
        for (std::size_t i = 0; i + 2 < v.indices.size(); i += 3) {
            line(l.data, 0, path + ".triangle[" + std::to_string(i / 3) + "]",
                 std::to_string(v.vertices[v.indices[i]]) + " " + std::to_string(v.vertices[v.indices[i + 1]]) + " " +
                     std::to_string(v.vertices[v.indices[i + 2]]));
        }
    }
    void block(const std::string& path, const KeySet& k) {
        Keys v;
        static_cast<void>(read_key_block(k, k.blob, &v));
        for (std::size_t i = 0; i < v.size(); ++i) {
            line(k.key_data, 0, path + ".key[" + std::to_string(i) + "]",
                 "time " + number_text(v.times[i]) + "  value " + numbers(std::span(v.values).subspan(i * v.components, v.components)));
        }
    }

    void strings() {
        for (std::size_t at = 0; at < d_.strings.size();) {
            const std::string_view raw = raw_string(d_, static_cast<std::uint32_t>(at));
            line(d_.header.string_buffer + at, raw.size(), "string[" + std::to_string(at) + "]", text(d_, static_cast<std::uint32_t>(at)));
            at = (at + raw.size() + 4) / 4 * 4;
        }
    }

    const Document& d_;
    std::span<const std::byte> buffer_;
    std::string_view part_;
    std::string out_;
};

}  // namespace

core::Result<std::string> dump(std::span<const std::byte> bytes, const std::string& file, std::string_view part,
                               const codec::ReadOptions& options) {
    const Checked<core::Bytes> buffer = unpack(bytes, options.limits);
    if (!buffer) {
        return core::Fault(to_error(buffer.error(), file));
    }
    const Checked<Document> document = decode_buffer(*buffer, options.limits);
    if (!document) {
        return core::Fault(to_error(document.error(), file));
    }
    std::string out = Dumper(*document, *buffer, part).run();
    if (out.empty()) {
        return core::fail(core::Code::Usage, core::Place{file, std::string(part), {}, {}}, "the file has no such part");
    }
    return out;
}

}  // namespace gomkit::mv1

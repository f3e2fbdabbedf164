#include "blobs.hpp"

#include <string>

#include <gomkit/core/reader.hpp>

namespace gomkit::mv1 {
namespace {

using core::IssueId;
using core::Reader;

constexpr double kTwoPi = 6.283185307179586476925286766559;
constexpr double kPi = 3.1415926535897932384626433832795;

tl::unexpected<Finding> past_end(const char* what) {
    return broken(IssueId::MV1_BLOCK_SIZE, {}, what, "the end of the data", "the bytes that its counts ask for", core::Code::Truncated);
}

tl::unexpected<Finding> bad_flag(const char* what, unsigned found, const char* expected) {
    return broken(IssueId::MV1_BLOCK_TYPE, {}, what, std::to_string(found), expected);
}

std::uint32_t get_index(Reader& in, unsigned bytes) { return bytes == 1 ? in.u8() : bytes == 2 ? in.u16() : in.u32(); }

double power_of_ten(unsigned exponent) {
    double out = 1;
    for (unsigned i = 0; i < exponent; ++i) {
        out *= 10;
    }
    return out;
}

// The pair of bytes in front of 16-bit times or keys.
struct Packing {
    double min = 0;
    double unit = 0;
};
Packing get_packing(Reader& in) {
    const unsigned low = in.u8();
    const unsigned step = in.u8();
    Packing out;
    if ((low & 0x80u) == 0) {
        const double size = power_of_ten(low & 0x1Fu);
        out.min = (low & 0x20u) != 0 ? 1 / size : size;
        out.min = (low & 0x40u) != 0 ? -out.min : out.min;
    }
    const double size = power_of_ten(step >> 4 & 7u);
    out.unit = (step & 0x80u) != 0 ? (step & 0xFu) / size : (step & 0xFu) * size;
    return out;
}

}  // namespace

Checked<std::size_t> read_frame_blob(const Frame& frame, std::span<const std::byte> bytes, FrameVertices* out) {
    if (frame.position_num == 0) {
        return std::size_t{0};
    }
    Reader in(bytes);
    const auto positions = static_cast<std::uint32_t>(frame.position_num);
    const bool packed = (frame.vert_flag & 0x04u) != 0;
    std::array<double, 3> low{};
    std::array<double, 3> width{};
    for (std::size_t c = 0; packed && c < 3; ++c) {
        low[c] = static_cast<double>(in.f32());
        width[c] = static_cast<double>(in.f32());
    }
    const std::uint32_t position_bytes = packed ? 6 : 12;
    if (in.failed() || !in.has(positions, position_bytes)) {
        return past_end("positions");
    }
    if (out == nullptr) {
        in.skip(std::size_t{positions} * position_bytes);
    } else {
        out->positions.resize(positions);
        for (auto& p : out->positions) {
            for (std::size_t c = 0; c < 3; ++c) {
                if (packed) {
                    const std::uint16_t q = in.u16();
                    out->over_60000 += q > 60000 ? 1u : 0u;
                    p[c] = low[c] + q * width[c] / 60000.0;
                } else {
                    p[c] = static_cast<double>(in.f32());
                }
            }
        }
    }
    if ((frame.vert_flag & 0x08u) == 0) {
        const bool wide_index = (frame.vert_flag & 0x10u) != 0;
        const bool wide_weight = (frame.vert_flag & 0x20u) != 0;
        const std::uint32_t end = wide_index ? 0xFFFF : 0xFF;
        if (out != nullptr) {
            out->weight_first.reserve(std::size_t{positions} + 1);
            out->weight_first.push_back(0);
        }
        for (std::uint32_t i = 0; i < positions && !in.failed(); ++i) {
            for (std::uint32_t k = 0; k < frame.max_bone_blend_num; ++k) {
                const std::uint32_t slot = get_index(in, wide_index ? 2 : 1);
                if (in.failed() || slot == end) {
                    break;
                }
                const double weight = wide_weight ? in.u16() / 65535.0 : in.u8() / 255.0;
                if (out != nullptr) {
                    out->weights.push_back({static_cast<std::uint16_t>(slot), weight});
                }
            }
            if (out != nullptr) {
                out->weight_first.push_back(static_cast<std::uint32_t>(out->weights.size()));
            }
        }
        if (in.failed()) {
            return past_end("weights");
        }
    }
    const unsigned type = frame.vert_flag & 3u;
    if (type != 0) {
        const bool with_tangents = (frame.vert_flag & 0x40u) != 0;
        const auto normals = static_cast<std::uint32_t>(frame.normal_num);
        const std::uint32_t item = (type == 1 ? 1u : type == 2 ? 2u : 4u) * (with_tangents ? 9u : 3u);
        if (!in.has(normals, item)) {
            return past_end("normals");
        }
        if (out == nullptr) {
            in.skip(std::size_t{normals} * item);
        } else {
            const auto component = [&] {
                return type == 1 ? in.get<std::int8_t>() / 127.0 : type == 2 ? in.get<std::int16_t>() / 32767.0 : static_cast<double>(in.f32());
            };
            const auto vector = [&](std::vector<std::array<double, 3>>& to) {
                std::array<double, 3> v{};
                for (double& c : v) {
                    c = component();
                }
                to.push_back(v);
            };
            for (std::uint32_t i = 0; i < normals; ++i) {
                vector(out->normals);
                if (with_tangents) {
                    vector(out->tangents);
                    vector(out->binormals);
                }
            }
        }
    }
    return in.position();
}

Checked<std::size_t> read_mesh_blob(const Mesh& mesh, std::span<const std::byte> bytes, MeshVertices* out) {
    Reader in(bytes);
    const auto count = static_cast<std::uint32_t>(mesh.vertex_num);
    const auto flag = static_cast<std::uint32_t>(mesh.vert_flag);
    const auto colors = [&](std::uint32_t n) {
        for (std::uint32_t i = 0; i < n && !in.failed(); ++i) {
            for (auto* to : out == nullptr ? std::array<std::vector<std::array<std::uint8_t, 4>>*, 2>{} : std::array{&out->diffuse, &out->specular}) {
                const std::uint8_t b = in.u8();
                const std::uint8_t g = in.u8();
                const std::uint8_t r = in.u8();
                const std::uint8_t a = in.u8();
                if (to != nullptr) {
                    to->push_back({r, g, b, a});
                }
            }
        }
    };
    if (count == 0) {
        return std::size_t{0};
    }
    if ((flag & 3u) == 0) {
        return bad_flag("the type of the position indices", 0, "1, 2 or 3");
    }
    if ((flag & 0x20u) != 0) {
        colors(1);
    }
    const auto width = [](std::uint32_t type) { return type == 1 ? 1u : type == 2 ? 2u : 4u; };
    const auto indices = [&](std::uint32_t type, std::vector<std::uint32_t>* to) {
        if (!in.has(count, width(type))) {
            return false;
        }
        if (to == nullptr) {
            in.skip(std::size_t{count} * width(type));
            return true;
        }
        to->resize(count);
        for (std::uint32_t& i : *to) {
            i = get_index(in, width(type));
        }
        return true;
    };
    if (!indices(flag & 3u, out == nullptr ? nullptr : &out->position)) {
        return past_end("position indices");
    }
    if ((flag >> 2 & 3u) != 0 && !indices(flag >> 2 & 3u, out == nullptr ? nullptr : &out->normal)) {
        return past_end("normal indices");
    }
    if ((flag & 0x20u) == 0) {
        if (!in.has(count, 8)) {
            return past_end("vertex colours");
        }
        colors(count);
    }
    const std::uint64_t pairs = std::uint64_t{count} * mesh.uv_set_num;
    const bool packed = (flag & 0x10u) != 0;
    if (!in.has(pairs, packed ? 4 : 8)) {
        return past_end("texture coordinates");
    }
    if (out == nullptr) {
        in.skip(static_cast<std::size_t>(pairs) * (packed ? 4 : 8));
    } else {
        out->uvs.resize(static_cast<std::size_t>(pairs));
        for (auto& uv : out->uvs) {
            for (double& c : uv) {
                c = packed ? in.u16() / 65535.0 : static_cast<double>(in.f32());
            }
        }
    }
    if ((flag & 0x40u) != 0) {
        const std::span<const std::byte> bits = in.take((std::size_t{count} + 7) / 8);
        for (std::uint32_t i = 0; out != nullptr && i < count && !bits.empty(); ++i) {
            out->no_outline.push_back((std::to_integer<unsigned>(bits[i / 8]) >> (i % 8) & 1u) != 0);
        }
    }
    if (in.failed()) {
        return past_end("outline bits or colours");
    }
    return in.position();
}

Checked<std::size_t> read_list_blob(const TriangleList& list, std::span<const std::byte> bytes, ListIndices* out) {
    Reader in(bytes);
    if (list.vertex_type > 3) {
        return bad_flag("the vertex type", list.vertex_type, "0 to 3");
    }
    const unsigned vertex_width = list.flag & 3u;
    const unsigned index_width = list.flag >> 2 & 3u;
    if (vertex_width == 3 || index_width == 3) {
        return bad_flag("the index width", 3, "0, 1 or 2");
    }
    if (list.vertex_type == 1 || list.vertex_type == 2) {
        const std::uint16_t count = in.u16();
        if (!in.has(count, 2)) {
            return past_end("bones of a list");
        }
        for (std::uint16_t i = 0; i < count; ++i) {
            const std::uint16_t slot = in.u16();
            if (out != nullptr) {
                out->palette.push_back(slot);
            }
        }
    } else if (list.vertex_type == 3) {
        const std::uint16_t bones = in.u16();
        if (out != nullptr) {
            out->max_bones = bones;
        }
    }
    const auto take = [&](std::uint32_t count, unsigned width, std::vector<std::uint32_t>* to) {
        if (in.failed() || !in.has(count, 1u << width)) {
            return false;
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t v = get_index(in, 1u << width);
            if (to != nullptr) {
                to->push_back(v);
            }
        }
        return true;
    };
    if (!take(list.vertex_num, vertex_width, out == nullptr ? nullptr : &out->vertices)) {
        return past_end("mesh vertices of a list");
    }
    if (!take(list.index_num, index_width, out == nullptr ? nullptr : &out->indices)) {
        return past_end("indices");
    }
    return in.position();
}

std::uint32_t key_components(std::int8_t type) {
    switch (static_cast<KeyType>(type)) {
        case KeyType::Linear: return 1;
        case KeyType::Vector: return 3;
        case KeyType::QuaternionX:
        case KeyType::Quaternion: return 4;
        case KeyType::Matrix4x4: return 12;
        default: return 0;
    }
}

Checked<std::size_t> read_key_block(const KeySet& set, std::span<const std::byte> bytes, Keys* out) {
    const std::uint32_t components = key_components(set.type);
    if (out != nullptr) {
        out->components = components;
    }
    if (components == 0) {
        return std::size_t{0};
    }
    Reader in(bytes);
    const unsigned flag = set.flag;
    const bool is_packed = (flag & 0x100u) != 0;
    if (is_packed && static_cast<KeyType>(set.type) == KeyType::Matrix4x4) {
        return bad_flag("the flag for 16-bit keys of matrices", flag, "clear");
    }
    if (set.data_type == static_cast<std::int8_t>(DataType::Shape)) {
        const std::uint16_t shape = in.u16();
        if (out != nullptr) {
            out->shape = shape;
        }
    }
    std::uint32_t count = 1;
    if ((flag & 0x001u) == 0) {
        count = (flag & 0x002u) != 0 ? in.u8() : (flag & 0x004u) != 0 ? in.u16() : in.u32();
    }
    if (in.failed() || !in.has(count, components * (is_packed ? 2u : 4u))) {
        return past_end("keys");
    }
    if (out != nullptr) {
        out->times.assign(count, 0);
        out->values.resize(std::size_t{count} * components);
    }
    if ((flag & 0x001u) == 0) {
        if ((flag & 0x008u) != 0) {
            const double start = (flag & 0x010u) != 0 ? in.u16() : (flag & 0x020u) != 0 ? 0.0 : static_cast<double>(in.f32());
            const double step = (flag & 0x040u) != 0 ? in.u16() : static_cast<double>(in.f32());
            for (std::uint32_t i = 0; out != nullptr && i < count; ++i) {
                out->times[i] = start + i * step;
            }
        } else {
            const bool packed_times = (flag & 0x080u) != 0;
            const Packing packing = packed_times ? get_packing(in) : Packing{};
            if (!in.has(count, packed_times ? 2 : 4)) {
                return past_end("key times");
            }
            for (std::uint32_t i = 0; i < count; ++i) {
                const double time = packed_times ? in.u16() * packing.unit + packing.min : static_cast<double>(in.f32());
                if (out != nullptr) {
                    out->times[i] = time;
                }
            }
        }
    }
    Packing packing;
    if (is_packed && (flag & 0x600u) == 0) {
        packing = get_packing(in);
    } else if (is_packed) {
        packing.unit = kTwoPi / 65535.0;
        packing.min = (flag & 0x400u) != 0 ? 0 : -kPi;
    }
    if (!in.has(count, components * (is_packed ? 2u : 4u))) {
        return past_end("keys");
    }
    for (std::size_t i = 0; i < std::size_t{count} * components; ++i) {
        const double v = is_packed ? in.u16() * packing.unit + packing.min : static_cast<double>(in.f32());
        if (out != nullptr) {
            out->values[i] = v;
        }
    }
    if (in.failed()) {
        return past_end("keys");
    }
    return in.position();
}

std::uint64_t expanded_size(const KeySet& set) {
    Keys keys;
    static_cast<void>(read_key_block(set, set.blob, &keys));
    const std::uint64_t times = (set.flag & 0x009u) == 0 ? keys.size() : 0;
    return 4 * (times + keys.values.size());
}

std::uint64_t free_list_size(const TriangleList& list) {
    const std::uint16_t max_bones = Reader(list.blob).u16();
    const std::uint64_t vertex = 32 + std::uint64_t{8} * max_bones;   // 64 for four bones
    return list.vertex_num * ((vertex + 15) / 16 * 16);
}

}  // namespace gomkit::mv1

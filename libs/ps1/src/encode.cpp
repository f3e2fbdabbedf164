#include "encode.hpp"

#include "layout.hpp"

namespace gomkit::ps1 {
namespace {

namespace lay = layout;

class Out {
public:
    void u8(unsigned v) { bytes.push_back(static_cast<std::byte>(v & 0xFF)); }
    void u16(std::size_t v) {
        u8(static_cast<unsigned>(v));
        u8(static_cast<unsigned>(v >> 8));
    }
    void u32(std::size_t v) {
        u16(v);
        u16(v >> 16);
    }
    void s8(int v) { u8(static_cast<unsigned>(v)); }
    void s16(int v) { u16(static_cast<std::uint16_t>(v)); }
    void vector(const Vec3s16& v) {
        for (const std::int16_t c : v) {
            s16(c);
        }
    }
    void align() {
        while (bytes.size() % 4 != 0) {
            u8(0);
        }
    }
    core::Bytes bytes;
};

}  // namespace

core::Bytes encode(const Document& d) {
    const std::size_t frame = lay::kRotationSize * (d.bones.size() + d.slots);
    const std::size_t vertices = lay::header::kSize;
    const std::size_t triangles = vertices + lay::kVertexSize * d.vertices.size();
    const std::size_t bones = triangles + lay::kTriangleSize * d.triangles.size();
    const std::size_t clips = (bones + lay::kBoneSize * d.bones.size() + 3) / 4 * 4;
    const std::size_t first_frame = clips + lay::kClipSize * d.clips.size();
    std::size_t end = first_frame;
    for (const Clip& clip : d.clips) {
        end += frame * clip.frames.size();
    }
    const auto take = [&end](std::size_t count, std::size_t size) {
        const std::size_t at = end;
        end += count * size;
        return count == 0 ? 0 : at;
    };
    const std::size_t ik = take(d.ik ? 1 : 0, lay::kIkSize);
    const std::size_t edges = take(d.edges.size(), lay::kEdgeSize);
    const std::size_t quads = take(d.quads.size(), lay::kQuadSize);

    Out out;
    out.bytes.reserve(end);
    for (const char c : {'P', 'S', '1', 'M'}) {
        out.u8(static_cast<unsigned>(c));
    }
    for (const std::size_t count : {d.vertices.size(), d.triangles.size(), d.bones.size(), d.clips.size(), std::size_t{d.slots}, d.edges.size()}) {
        out.u16(count);
    }
    for (const std::size_t at : {vertices, triangles, bones, clips, ik, edges, quads}) {
        out.u32(at);
    }
    out.u16(d.quads.size());
    out.u16(0);
    for (const Vertex& v : d.vertices) {
        out.vector(v.position);
        out.u8(v.bone);
        out.u8(0);
        out.vector(v.normal);
        out.u8(v.u);
        out.u8(v.v);
    }
    for (const Triangle& t : d.triangles) {
        for (const std::uint16_t v : t.vertices) {
            out.u16(v);
        }
        out.u8(t.bone);
        out.u8(t.texture);
        out.vector(t.normal);
        out.u8(t.flags);
        out.u8(0);
    }
    for (const Bone& b : d.bones) {
        out.s8(b.parent);
        out.u8(b.flags);
        out.u8(b.slot);
        out.u8(0);
        for (const std::uint16_t v : {b.vertex_start, b.vertex_count, b.triangle_start, b.triangle_count}) {
            out.u16(v);
        }
        out.vector(b.translation);
    }
    out.align();
    std::size_t at = first_frame;
    for (const Clip& clip : d.clips) {
        for (const char c : clip.name) {
            out.u8(static_cast<unsigned char>(c));
        }
        out.u16(clip.frames.size());
        out.u16(clip.fps);
        out.u32(at);
        at += frame * clip.frames.size();
    }
    for (const Clip& clip : d.clips) {
        for (const Frame& f : clip.frames) {
            for (const Rotation& q : f.rotations) {
                for (const std::int16_t c : q) {
                    out.s16(c);
                }
            }
            for (const Vec3s16& t : f.translations) {
                out.vector(t);
                out.u16(0);
            }
        }
    }
    if (d.ik) {
        out.s8(d.ik->hip);
        out.s8(d.ik->head);
        out.u16(0);
        out.vector(d.ik->head_forward);
        out.u16(0);
        for (const IkChain& chain : d.ik->chains) {
            out.s8(chain.upper);
            out.s8(chain.lower);
            out.s8(chain.end);
            out.u8(0);
            out.vector(chain.end_local);
            out.vector(chain.pole);
        }
    }
    for (const auto& edge : d.edges) {
        out.u16(edge[0]);
        out.u16(edge[1]);
    }
    for (const Quad& quad : d.quads) {
        for (const std::uint16_t v : quad.corners) {
            out.u16(v);
        }
        for (const std::uint16_t t : quad.triangles) {
            out.u16(t);
        }
    }
    return std::move(out.bytes);
}

}  // namespace gomkit::ps1

#include "encode.hpp"

#include <gomkit/core/reader.hpp>

#include "layout.hpp"

namespace gomkit::ps1 {
namespace {

namespace lay = layout;

void put(core::Writer& w, const Vec3s16& v) {
    for (const std::int16_t c : v) {
        w.put(c);
    }
}

std::size_t frame_size(const Document& d) { return lay::kRotationSize * (d.bones.size() + d.slots); }

}  // namespace

SectionSizes section_sizes(const Document& d) {
    SectionSizes out;
    out.vertices = lay::kVertexSize * d.vertices.size();
    out.triangles = lay::kTriangleSize * d.triangles.size();
    out.bones = (lay::kBoneSize * d.bones.size() + 3) / 4 * 4;
    out.clips = lay::kClipSize * d.clips.size();
    for (const Clip& clip : d.clips) {
        out.frames += frame_size(d) * clip.frames.size();
    }
    out.ik = d.ik ? lay::kIkSize : 0;
    out.edges = lay::kEdgeSize * d.edges.size();
    out.quads = lay::kQuadSize * d.quads.size();
    return out;
}

std::size_t SectionSizes::file() const { return lay::header::kSize + vertices + triangles + bones + clips + frames + ik + edges + quads; }

core::Bytes encode(const Document& d) {
    const SectionSizes sizes = section_sizes(d);
    const std::size_t vertices = lay::header::kSize;
    const std::size_t triangles = vertices + sizes.vertices;
    const std::size_t bones = triangles + sizes.triangles;
    const std::size_t clips = bones + sizes.bones;
    const std::size_t first_frame = clips + sizes.clips;
    std::size_t end = first_frame + sizes.frames;
    const auto take = [&end](std::size_t size) {
        const std::size_t at = end;
        end += size;
        return size == 0 ? 0 : at;
    };
    const std::size_t ik = take(sizes.ik);
    const std::size_t edges = take(sizes.edges);
    const std::size_t quads = take(sizes.quads);

    core::Writer out;
    out.reserve(end);
    out.text(layout::kMagicText);
    for (const std::size_t count : {d.vertices.size(), d.triangles.size(), d.bones.size(), d.clips.size(), std::size_t{d.slots}, d.edges.size()}) {
        out.u16(static_cast<std::uint16_t>(count));
    }
    for (const std::size_t at : {vertices, triangles, bones, clips, ik, edges, quads}) {
        out.u32(static_cast<std::uint32_t>(at));
    }
    out.u16(static_cast<std::uint16_t>(d.quads.size()));
    out.zeros(2);
    for (const Vertex& v : d.vertices) {
        put(out, v.position);
        out.put(v.bone);
        out.zeros(1);
        put(out, v.normal);
        out.put(v.u);
        out.put(v.v);
    }
    for (const Triangle& t : d.triangles) {
        for (const std::uint16_t v : t.vertices) {
            out.u16(v);
        }
        out.put(t.bone);
        out.put(t.texture);
        put(out, t.normal);
        out.put(t.flags);
        out.zeros(1);
    }
    for (const Bone& b : d.bones) {
        out.put(b.parent);
        out.put(b.flags);
        out.put(b.slot);
        out.zeros(1);
        for (const std::uint16_t v : {b.vertex_start, b.vertex_count, b.triangle_start, b.triangle_count}) {
            out.u16(v);
        }
        put(out, b.translation);
    }
    out.align(4);
    std::size_t at = first_frame;
    for (const Clip& clip : d.clips) {
        out.text({clip.name.data(), clip.name.size()});
        out.u16(static_cast<std::uint16_t>(clip.frames.size()));
        out.u16(clip.fps);
        out.u32(static_cast<std::uint32_t>(at));
        at += frame_size(d) * clip.frames.size();
    }
    for (const Clip& clip : d.clips) {
        for (const Frame& f : clip.frames) {
            for (const Rotation& q : f.rotations) {
                for (const std::int16_t c : q) {
                    out.put(c);
                }
            }
            for (const Vec3s16& t : f.translations) {
                put(out, t);
                out.zeros(2);
            }
        }
    }
    if (d.ik) {
        out.put(d.ik->hip);
        out.put(d.ik->head);
        out.zeros(2);
        put(out, d.ik->head_forward);
        out.zeros(2);
        for (const IkChain& chain : d.ik->chains) {
            out.put(chain.upper);
            out.put(chain.lower);
            out.put(chain.end);
            out.zeros(1);
            put(out, chain.end_local);
            put(out, chain.pole);
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
    return out.take();
}

}  // namespace gomkit::ps1

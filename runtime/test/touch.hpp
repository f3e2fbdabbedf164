#pragma once
// Reads everything a ModelView or a MotionView gives: after verify() said Ok, nothing of it may leave the bytes.

#include <cstdint>
#include <cstring>

#include "gomkit/runtime/runtime.hpp"

namespace gomkit::runtime::test {

class Touch {
public:
    // A number that depends on every byte seen, so that no read can be left out.
    static std::uint64_t everything(const ModelView& view) {
        Touch t;
        t.file(view);
        t.model(view);
        return t.sum_;
    }
    static std::uint64_t everything(const MotionView& view) {
        Touch t;
        t.file(view);
        for (const std::uint8_t b : view.skeleton_signature()) t.number(b);
        return t.sum_;
    }

private:
    void number(std::uint64_t v) { sum_ = sum_ * 31 + v; }
    void real(float v) {
        std::uint32_t b;
        std::memcpy(&b, &v, 4);
        number(b);
    }
    void text(std::string_view s) {
        for (const char c : s) number(static_cast<unsigned char>(c));
    }
    void raw(std::span<const std::byte> bytes) {
        for (const std::byte b : bytes) number(static_cast<unsigned>(b));
    }
    void matrix(const Mat4f& m) {
        for (const float v : m.m) real(v);
    }
    void vector(const Vec3f& v) {
        real(v.x);
        real(v.y);
        real(v.z);
    }

    void part(const MeshPartView& p) {
        text(p.name());
        raw(p.vertex_bytes());
        raw(p.index_bytes());
        raw(p.inverse_bind_bytes());
        for (std::uint32_t i = 0; i < p.vertex_count(); ++i) {
            const Vertex v = p.vertex(i);
            real(v.position[0]);
            real(v.bone_weight[3]);
            for (const std::uint16_t bone : v.bone_index)
                if (p.is_skinned()) matrix(p.inverse_bind(bone));
        }
        for (std::uint32_t i = 0; i < p.index_count(); ++i) real(p.vertex(p.index(i)).position[1]);
        for (const std::uint32_t i : p.indices32()) number(i);
        for (const std::uint16_t i : p.indices16()) number(i);
        for (std::uint32_t i = 0; i < p.submesh_count(); ++i) {
            const SubmeshView s = p.submesh(i);
            for (std::uint32_t k = 0; k < s.index_count; ++k) number(p.index(s.index_start + k));
            number(s.material_index);
        }
        vector(p.bounds().aabb_min);
        vector(p.bounds().aabb_max);
        vector(p.bounds().sphere_center);
        real(p.bounds().sphere_radius);
        matrix(p.geometry_to_model());
        for (const MorphShapeView s : p.morphs()) {
            number(s.channel() + s.shape());
            raw(s.position_bytes());
            raw(s.normal_bytes());
            for (std::uint32_t i = 0; i < s.vertex_count(); ++i) {
                real(p.vertex(s.vertex(i)).position[2]);
                vector(s.position(i));
                vector(s.normal(i));
            }
        }
    }

    void track(const TrackView& t) {
        number(t.bone_index());
        raw(t.translation_bytes());
        raw(t.rotation_bytes());
        raw(t.scale_bytes());
        for (std::uint32_t i = 0; i < t.translation_count(); ++i) vector(t.translation(i).value);
        for (std::uint32_t i = 0; i < t.rotation_count(); ++i) real(t.rotation(i).value.w);
        for (std::uint32_t i = 0; i < t.scale_count(); ++i) real(t.scale(i).time_seconds);
    }

    void file(const FileView& view) {
        text(view.converter_version());
        for (const std::uint8_t b : view.source_hash()) number(b);
        number(view.validation_flags());
        number(view.chunk_table_offset() + view.chunk_table_count());
        for (std::uint32_t i = 0; i < view.string_count(); ++i) text(view.string(i));
        std::uint32_t index = 0;
        for (const ClipView c : view.clips()) {
            text(c.name());
            number(c.flags());
            number(view.clip(index++).byte_offset());
            for (const TrackView t : c.tracks()) {
                track(t);
                track(c.track_at(t.byte_offset()));
            }
            for (const MorphTrackView t : c.morph_tracks()) {
                number(t.channel());
                for (std::uint32_t i = 0; i < t.key_count(); ++i) real(t.key(i).time_seconds + t.key(i).weight);
            }
        }
    }

    void model(const ModelView& view) {
        for (std::uint32_t i = 0; i < view.material_count(); ++i) {
            const MaterialView m = view.material(i);
            text(m.name);
            text(m.diffuse_map);
            text(m.normal_map);
            text(m.specular_map);
            text(m.emissive_map);
            vector(m.diffuse);
            vector(m.specular);
            vector(m.emissive);
            real(m.opacity);
        }
        for (std::uint32_t i = 0; i < view.bone_count(); ++i) {
            const BoneView b = view.bone(i);
            text(b.name);
            text(b.path);
            number(static_cast<std::uint32_t>(b.parent));
            matrix(b.bind_local);
        }
        raw(view.bind_local_bytes());
        for (std::uint32_t i = 0; i < view.morph_channel_count(); ++i) {
            const MorphChannelView c = view.morph_channel(i);
            text(c.name);
            number(view.find_morph_channel(c.name));
            for (std::uint32_t k = 0; k < c.shape_count; ++k) real(view.morph_shape_weight(i, k) + c.default_weight);
        }
        std::uint32_t index = 0;
        for (const MeshPartView p : view.parts()) {
            part(p);
            number(view.part(index++).byte_offset());
        }
        for (const std::uint8_t b : view.skeleton_signature()) number(b);
    }

    std::uint64_t sum_ = 0;
};

}  // namespace gomkit::runtime::test

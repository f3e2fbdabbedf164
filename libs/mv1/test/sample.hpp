#pragma once

#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <gomkit/core/file.hpp>
#include <gomkit/core/reader.hpp>

#include "assemble.hpp"
#include "blobs.hpp"
#include "document.hpp"
#include "encode.hpp"
#include "links.hpp"

/// A small model with one of everything: two frames "Root" and "Body" (its child), a skinned square and an unskinned triangle in
/// Body, a light, a shape, a rigid body pair with a joint, one clip.
namespace gomkit::mv1::test {

struct Sample {
    Document doc;
    Links links;
};

inline Sample make_sample() {
    Sample s;
    Document& d = s.doc;
    Links& l = s.links;
    d.header.is_string_utf8 = 1;
    d.frames.resize(2);
    d.frames[0].name = add_string(d, "Root");
    d.frames[1].name = add_string(d, "Body");
    for (Frame& f : d.frames) {
        f.flag = 1;
        f.smoothing_angle = 1.5208f;
        f.vert_flag = 0x08;
    }
    d.frames[0].translate = {0, 10, 0};
    Frame& body = d.frames[1];
    body.translate = {0, -10, 0};
    // Five positions: a square, and one more for the triangle; two weights for the first, one for the others.
    body.position_num = 5;
    body.normal_num = 1;
    body.max_bone_blend_num = 4;
    body.vert_flag = 3 | 0x20;   // f32 normals, 16-bit weights, f32 positions, 8-bit bones
    core::Writer w;
    for (const float v : {0.f, 0.f, 0.f, 100.f, 0.f, 0.f, 100.f, 100.f, 0.f, 0.f, 100.f, 0.f, 50.f, 150.f, 0.f}) {
        w.f32(v);
    }
    w.put(std::uint8_t{0});
    w.u16(32767);
    w.put(std::uint8_t{1});
    w.u16(32767);
    w.put(std::uint8_t{255});
    for (int i = 0; i < 4; ++i) {
        w.put(std::uint8_t{0});
        w.u16(65535);
        w.put(std::uint8_t{255});
    }
    for (const float v : {0.f, 0.f, -1.f}) {
        w.f32(v);
    }
    body.blob = w.take();

    d.materials.resize(1);
    d.toons.resize(1);
    d.materials[0].name = add_string(d, "Skin");
    d.materials[0].diffuse = {1, 0.5f, 0.25f, 0.75f};
    d.materials[0].specular = {0.1f, 0.2f, 0.3f, 1};
    d.materials[0].power = 20;
    d.materials[0].diffuse_layer_num = 1;
    d.materials[0].diffuse_layer[0].texture = 0;
    d.textures.resize(1);
    d.textures[0].name = add_string(d, "Skin picture");
    d.textures[0].color_path = add_string(d, "tex\\skin.png");
    d.textures[0].bump_length = 0.1f;
    d.textures[0].filter = 2;
    d.textures[0].flag = 4;
    d.lights.resize(1);
    d.lights[0].name = add_string(d, "Lamp");

    // Mesh 0: the square, skinned; mesh 1: a triangle, not.
    d.meshes.resize(2);
    d.lists.resize(2);
    for (std::size_t m = 0; m < 2; ++m) {
        const std::uint32_t n = m == 0 ? 4 : 3;
        d.meshes[m].vertex_num = static_cast<std::int32_t>(n);
        d.meshes[m].vert_flag = 1 | 1 << 2 | 0x20;
        d.meshes[m].uv_set_num = 1;
        d.meshes[m].back_culling = 1;
        core::Writer v;
        v.u32(0xFF336699);   // common colour: B 0x99, G 0x66, R 0x33, A 0xFF
        v.u32(0);
        for (std::uint32_t i = 0; i < n; ++i) {
            v.put(static_cast<std::uint8_t>(i + (m == 0 ? 0 : 2)));
        }
        v.zeros(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            v.f32(static_cast<float>(i) / 4);
            v.f32(0.5f);
        }
        d.meshes[m].blob = v.take();
        d.lists[m].vertex_type = m == 0 ? 1 : 0;
        d.lists[m].vertex_num = static_cast<std::uint16_t>(n);
        d.lists[m].index_num = m == 0 ? 6 : 3;
        core::Writer t;
        if (m == 0) {
            t.u16(2);
            t.u16(0);
            t.u16(1);
        }
        for (std::uint32_t i = 0; i < n; ++i) {
            t.put(static_cast<std::uint8_t>(i));
        }
        const std::vector<std::uint8_t> square{0, 2, 1, 0, 3, 2};
        const std::vector<std::uint8_t> triangle{0, 1, 2};
        for (const std::uint8_t i : m == 0 ? square : triangle) {
            t.put(i);
        }
        d.lists[m].blob = t.take();
    }
    d.meshes[0].shape = 1;
    d.skin_bones.resize(2);
    for (std::size_t b = 0; b < 2; ++b) {
        d.skin_bones[b].bone_frame = static_cast<std::int32_t>(b);
        d.skin_bones[b].model_local = {1, 0, 0, 0, 0, 1, 0, b == 0 ? -10.f : 0.f, 0, 0, 1, 0};
        d.skin_bones[b].is_translate_only = 1;
    }

    d.shape.emplace();
    d.frame_shapes.resize(1);
    d.shapes.resize(1);
    d.shapes[0].name = add_string(d, "Smile");
    d.shape_meshes.resize(1);
    d.shape_vertices.resize(1);
    d.shape_vertices[0].target_vertex = 2;
    d.shape_vertices[0].position = {0, 5, 0};
    d.physics.emplace();
    d.physics->gravity = -9.8f;
    d.rigids.resize(2);
    d.joints.resize(1);
    d.rigids[0].name = add_string(d, "A");
    d.rigids[1].name = add_string(d, "B");
    d.joints[0].name = add_string(d, "J");

    // One clip of 30 frames: Root moves along X and Body turns about Z by an Euler key pair.
    d.anim_sets.resize(1);
    d.anim_sets[0].name = add_string(d, "Walk");
    d.anim_sets[0].max_time = 30;
    d.anims.resize(2);
    d.anims[0].target_frame = 0;
    d.anims[1].target_frame = 1;
    d.anims[0].max_time = d.anims[1].max_time = 30;
    d.key_sets.resize(3);
    d.key_sets[0].type = 1;
    d.key_sets[0].data_type = 10;
    d.key_sets[0].flag = 0x002;
    core::Writer k;
    k.put(std::uint8_t{2});
    for (const float v : {0.f, 30.f, 0.f, 10.f, 0.f, 60.f, 10.f, 30.f}) {
        k.f32(v);
    }
    d.key_sets[0].blob = k.take();
    d.key_sets[1].type = 5;
    d.key_sets[1].data_type = 3;
    d.key_sets[1].flag = 0x002 | 0x008 | 0x020 | 0x040 | 0x100 | 0x400;
    core::Writer r;
    r.put(std::uint8_t{2});
    r.u16(30);      // step; the start is 0
    r.u16(0);
    r.u16(16384);   // a quarter of 2 pi, as near as it gets: 90.0014 degrees over the limit of 90 would blend matrices
    d.key_sets[1].blob = r.take();
    d.key_sets[2].type = 5;
    d.key_sets[2].data_type = 18;
    d.key_sets[2].flag = 0x001;
    core::Writer shape_key;
    shape_key.u16(0);
    shape_key.f32(1);
    d.key_sets[2].blob = shape_key.take();

    l.frame_parent = {kNone, 0};
    l.frame_meshes = {{0, 0}, {0, 2}};
    l.frame_skin_bones = {{0, 1}, {1, 1}};
    l.frame_palette = {{0, 0}, {0, 2}};
    l.palette = {0, 1};
    l.frame_light = {0, kNone};
    l.frame_shapes = {{0, 0}, {0, 1}};
    l.mesh_frame = {1, 1};
    l.mesh_material = {0, 0};
    l.mesh_lists = {{0, 1}, {1, 1}};
    l.skin_bone_driver = {0, 1};
    l.material_toon = {0};
    l.set_anims = {{0, 2}};
    l.anim_key_sets = {{0, 1}, {1, 2}};
    l.shape_meshes = {{0, 1}};
    l.shape_mesh_target = {0};
    l.shape_mesh_vertices = {{0, 1}};
    l.rigid_frame = {0, 1};
    l.joint_a = {0};
    l.joint_b = {1};
    assemble(d, l, {});
    return s;
}

/// A change to the sample before it is written.
template <class F>
core::Bytes sample_buffer(F change) {
    Sample s = make_sample();
    change(s.doc);
    return encode_buffer(s.doc);
}

/// Files of the corpus, or none where it is not there.
std::vector<std::pair<std::string, core::FileBytes>> corpus_files();

}  // namespace gomkit::mv1::test

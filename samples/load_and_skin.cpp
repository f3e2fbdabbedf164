// Loads a .gom, samples a clip at a time, skins every part on the CPU and prints where each part then is.
//
//     load_and_skin hero.gom                  the bind pose
//     load_and_skin hero.gom walk 0.5         half a second into the clip

#include <gomkit/runtime/runtime.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "file_bytes.hpp"

namespace grt = gomkit::runtime;

namespace {

int fail(const char* what, grt::Status status) {
    std::fprintf(stderr, "%s: %s\n", what, grt::message(status));
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2 && argc != 4) {
        std::fputs("usage: load_and_skin FILE.gom [CLIP SECONDS]\n", stderr);
        return 2;
    }

    // 1. Read and verify. The view then reads the bytes in place: they must stay.
    AlignedBytes file;
    if (!read_file(argv[1], file)) {
        std::fprintf(stderr, "%s: cannot be read\n", argv[1]);
        return 1;
    }
    grt::ModelView model;
    grt::ErrorInfo error;
    if (const grt::Status s = grt::verify(file.span(), grt::Limits{}, model, &error); s != grt::Status::Ok) {
        std::fprintf(stderr, "%s: %s (%s, byte %llu)\n", argv[1], grt::message(s), error.part,
                     static_cast<unsigned long long>(error.byte_offset));
        return 1;
    }
    std::printf("%u bones, %u parts, %u materials, %u clips\n", model.bone_count(), model.part_count(), model.material_count(),
                model.clip_count());

    // 2. The pose: where every bone stands relative to its parent, and how far every blend shape is reached.
    std::vector<grt::BoneLocal> bind(model.bone_count());
    if (const grt::Status s = grt::bind_pose(model, bind); s != grt::Status::Ok) return fail("bind pose", s);
    std::vector<grt::BoneLocal> pose = bind;
    std::vector<float> weights(model.morph_channel_count());
    if (const grt::Status s = grt::default_morph_weights(model, weights); s != grt::Status::Ok) return fail("blend shapes", s);
    if (argc == 4) {
        const grt::ClipView clip = model.clip(model.find_clip(argv[2]));
        if (clip.name().empty()) {
            std::fprintf(stderr, "%s has no clip '%s'\n", argv[1], argv[2]);
            return 1;
        }
        AlignedBytes memory(grt::SampleContext::required_bytes(model, clip));
        grt::SampleContext context;
        if (const grt::Status s = context.bind(model, clip, bind, memory.span()); s != grt::Status::Ok) return fail("clip", s);
        const auto time = static_cast<float>(std::atof(argv[3]));
        const grt::SampleJob job{.context = &context, .time_seconds = time, .output = pose};
        if (const grt::Status s = job.run(); s != grt::Status::Ok) return fail("sample", s);
        const grt::MorphSampleJob shapes{.model = &model, .clip = &clip, .time_seconds = time, .output = weights};
        if (const grt::Status s = shapes.run(); s != grt::Status::Ok) return fail("blend shapes", s);
    }

    // 3. From bone to model space.
    std::vector<grt::Mat4d> bone_to_model(model.bone_count());
    const grt::LocalToModelJob to_model{.model = &model, .locals = pose, .bone_to_model = bone_to_model};
    if (const grt::Status s = to_model.run(); s != grt::Status::Ok) return fail("bones", s);

    // 4. Each part: its palette, then its vertices. A game that skins on the GPU stops at the palette.
    for (const grt::MeshPartView part : model.parts()) {
        std::vector<grt::Mat4f> palette(grt::palette_size(part));
        const grt::PaletteJob make_palette{
            .part = &part, .bone_to_model = bone_to_model, .space = grt::PaletteSpace::Model, .palette = palette};
        if (const grt::Status s = make_palette.run(); s != grt::Status::Ok) return fail("palette", s);

        std::vector<grt::Vec3f> positions(part.vertex_count()), normals(part.vertex_count());
        grt::SkinJob skin;
        skin.read_part(part);
        if (part.morph_count() != 0) {
            // Blend shapes first, into the same memory.
            grt::MorphJob shapes{.model = &model, .part = &part, .weights = weights};
            shapes.read_part();
            shapes.out_positions = grt::output_stream(std::span(positions));
            shapes.out_normals = grt::output_stream(std::span(normals));
            if (const grt::Status s = shapes.run(); s != grt::Status::Ok) return fail("blend shapes", s);
            skin.positions = {shapes.out_positions.bytes, shapes.out_positions.stride};
            skin.normals = {shapes.out_normals.bytes, shapes.out_normals.stride};
        }
        skin.palette = palette;
        skin.out_positions = grt::output_stream(std::span(positions));
        skin.out_normals = grt::output_stream(std::span(normals));
        if (const grt::Status s = skin.run(); s != grt::Status::Ok) return fail("skin", s);

        grt::Vec3f low = positions[0], high = positions[0];  // a part has at least one vertex
        for (const grt::Vec3f& p : positions) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        std::printf("%.*s: %u vertices, x %.3f to %.3f, y %.3f to %.3f, z %.3f to %.3f metres\n",
                    static_cast<int>(part.name().size()), part.name().data(), part.vertex_count(), static_cast<double>(low.x),
                    static_cast<double>(high.x), static_cast<double>(low.y), static_cast<double>(high.y),
                    static_cast<double>(low.z), static_cast<double>(high.z));
    }
    return 0;
}

// Draws hero.gom with DxLib: plays its clips one after the other, skins on the CPU, draws with textures. Put it into a DxLib project, add
// the run-time's folder to the include path and link its library; hero.gom and hero.png lie where the program is started.
//
// GOM's space is DxLib's 3D space: left-handed, Y up, row vectors, front faces clockwise. So nothing is flipped; a unit is a metre.

#include <DxLib.h>
#include <gomkit/runtime/runtime.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "file_bytes.hpp"

namespace grt = gomkit::runtime;

namespace {

// What is drawn of one part: vertices and indices as DxLib wants them.
struct Part {
    std::vector<VERTEX3D> vertices;
    std::vector<unsigned int> indices;
    std::vector<grt::Mat4f> palette;
};

Part make_part(const grt::MeshPartView& view) {
    Part part;
    part.palette.resize(grt::palette_size(view));
    for (std::uint32_t i = 0; i < view.vertex_count(); ++i) {
        const grt::Vertex from = view.vertex(i);
        VERTEX3D to{};
        to.dif = GetColorU8(255, 255, 255, 255);
        to.u = from.uv0[0];
        to.v = from.uv0[1];
        part.vertices.push_back(to);
    }
    for (std::uint32_t i = 0; i < view.index_count(); ++i) part.indices.push_back(view.index(i));
    return part;
}

// Positions and normals of this frame, written straight into DxLib's vertices.
bool skin(const grt::MeshPartView& view, const std::vector<grt::Mat4d>& bone_to_model, Part& part) {
    const grt::PaletteJob palette{
        .part = &view, .bone_to_model = bone_to_model, .space = grt::PaletteSpace::Model, .palette = part.palette};
    if (palette.run() != grt::Status::Ok) return false;
    const std::span<VERTEX3D> vertices(part.vertices);
    grt::SkinJob job;
    job.read_part(view);
    job.palette = part.palette;
    job.out_positions = grt::output_stream(vertices, offsetof(VERTEX3D, pos));
    job.out_normals = grt::output_stream(vertices, offsetof(VERTEX3D, norm));
    return job.run() == grt::Status::Ok;
}

COLOR_F color(const grt::Vec3f& c, float alpha) { return GetColorF(c.x, c.y, c.z, alpha); }

MATERIALPARAM make_material(const grt::MaterialView& from) {
    MATERIALPARAM to{};
    to.Diffuse = color(from.diffuse, from.opacity);
    to.Ambient = to.Diffuse;
    to.Specular = color(from.specular, 0);
    to.Emissive = color(from.emissive, 0);
    to.Power = from.shininess;
    return to;
}

// A path out of a file is a stranger's: only what lies beside or below the model is opened.
bool is_harmless(const std::string& path) {
    if (path.empty() || path.front() == '/' || path.find('\\') != std::string::npos || path.find(':') != std::string::npos)
        return false;
    return ("/" + path + "/").find("/../") == std::string::npos;
}

int load_picture(std::string_view path) {
    const std::string name(path);
    const int graph = is_harmless(name) ? LoadGraph(name.c_str()) : -1;
    return graph < 0 ? DX_NONE_GRAPH : graph;
}

MATRIX to_dxlib(const grt::Mat4d& from) {
    MATRIX to;
    for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t c = 0; c < 4; ++c) to.m[r][c] = static_cast<float>(from.m[4 * r + c]);
    return to;
}

bool run() {
    AlignedBytes file;
    grt::ModelView model;
    if (!read_file("hero.gom", file) || grt::verify(file.span(), grt::Limits{}, model, nullptr) != grt::Status::Ok) return false;
    AlignedBytes memory(grt::Player::required_bytes(model, {}));
    grt::Player player;
    if (player.init(model, {}, memory.span()) != grt::Status::Ok) return false;
    player.set_takes_root_motion(true);

    std::vector<Part> parts;
    for (const grt::MeshPartView part : model.parts()) parts.push_back(make_part(part));
    std::vector<MATERIALPARAM> materials;
    std::vector<int> pictures;
    for (std::uint32_t i = 0; i < model.material_count(); ++i) {
        materials.push_back(make_material(model.material(i)));
        pictures.push_back(load_picture(model.material(i).diffuse_map));
    }

    SetDrawScreen(DX_SCREEN_BACK);
    SetUseZBuffer3D(TRUE);
    SetWriteZBuffer3D(TRUE);
    SetUseBackCulling(TRUE);
    SetMaterialUseVertDifColor(FALSE);
    SetMaterialUseVertSpcColor(FALSE);

    std::vector<grt::Mat4d> bone_to_model(model.bone_count());
    grt::GroundMotion character_to_world;
    std::uint32_t next_clip = 0;
    double clip_seconds = 0;
    LONGLONG before = GetNowHiPerformanceCount();  // microseconds
    while (ProcessMessage() == 0 && CheckHitKey(KEY_INPUT_ESCAPE) == 0) {
        const LONGLONG now = GetNowHiPerformanceCount();
        const auto seconds = static_cast<float>(now - before) * 1e-6F;
        before = now;

        // A clip for five seconds, then the next, faded over.
        clip_seconds -= static_cast<double>(seconds);
        if (clip_seconds <= 0 && player.clip_count() != 0) {
            if (player.play(next_clip, {.fade_seconds = 0.3F, .repeat = grt::Repeat::Loop}) != grt::Status::Ok) return false;
            next_clip = (next_clip + 1) % player.clip_count();
            clip_seconds = 5;
        }
        if (player.update(seconds) != grt::Status::Ok) return false;
        character_to_world = player.root_motion_delta() * character_to_world;
        const grt::LocalToModelJob to_model{.model = &model, .locals = player.pose(), .bone_to_model = bone_to_model};
        if (to_model.run() != grt::Status::Ok) return false;

        // After SetDrawScreen and ClearDrawScreen DxLib's camera is set anew each frame. The character faces +Z, so look from there.
        ClearDrawScreen();
        SetCameraNearFar(0.1F, 100.0F);
        SetCameraPositionAndTarget_UpVecY(VGet(0.8F, 1.4F, 3.5F), VGet(0.0F, 0.9F, 0.0F));
        const MATRIX world = to_dxlib(grt::to_matrix(character_to_world));
        SetTransformToWorld(&world);
        std::size_t index = 0;
        for (const grt::MeshPartView view : model.parts()) {
            Part& part = parts[index++];
            if (!skin(view, bone_to_model, part)) return false;
            for (std::uint32_t i = 0; i < view.submesh_count(); ++i) {
                const grt::SubmeshView submesh = view.submesh(i);
                SetMaterialParam(materials[submesh.material_index]);
                DrawPolygon32bitIndexed3D(part.vertices.data(), static_cast<int>(part.vertices.size()),
                                          part.indices.data() + submesh.index_start, static_cast<int>(submesh.index_count / 3),
                                          pictures[submesh.material_index], FALSE);
            }
        }
        ScreenFlip();
    }
    return true;
}

}  // namespace

int WINAPI WinMain(HINSTANCE, HINSTANCE, LPSTR, int) {
    ChangeWindowMode(TRUE);
    SetMainWindowText("gomkit");
    SetGraphMode(960, 720, 32);
    if (DxLib_Init() != 0) return 1;
    const bool good = run();
    DxLib_End();
    return good ? 0 : 1;
}

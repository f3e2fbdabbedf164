// Writes the sample character: make_hero FOLDER [--dump FILE.json]
// FOLDER gets hero.fbx (binary 7400) and hero.png. The dump holds the mesh and each clip's frames for render_hero.py.
#include "hero_body.hpp"
#include "hero_motion.hpp"
#include "png_writer.hpp"

#include "gomkit_test/fbx_writer.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <string_view>

namespace {

namespace fbx = gomkit::testing::fbx;

fbx::Vec3 vec3(hero::Vec v) { return {v.x, v.y, v.z}; }

fbx::Curve curve_of(const hero::KeyedChannel& channel, const hero::KeyedClip& clip) {
    fbx::Curve curve;
    const auto [low, high] = std::minmax_element(channel.values.begin(), channel.values.end());
    const std::size_t count = *low == *high ? 1 : channel.values.size();
    for (std::size_t k = 0; k < count; ++k) {
        fbx::Key key;
        key.time = fbx::ticks_at_frame(static_cast<std::int64_t>(k) * clip.frames_per_key, hero::kFramesPerSecond);
        key.value = channel.values[k];
        key.interpolation = count == 1 ? fbx::Interpolation::Linear : fbx::Interpolation::CubicUser;
        key.left_slope = key.right_slope = channel.slopes[k];
        curve.keys.push_back(key);
    }
    return curve;
}

fbx::Scene make_scene(const hero::Body& body, const std::vector<hero::KeyedClip>& clips) {
    fbx::Scene scene;
    scene.creator = "gomkit make_hero";
    scene.settings.time_span_stop = fbx::ticks_at_frame(clips.front().frame_count, hero::kFramesPerSecond);

    std::vector<fbx::NodeRef> bones;
    for (const hero::BoneInfo& b : hero::kBones) {
        const bool root = b.parent == hero::kBoneCount;
        const hero::Vec offset = root ? b.position : b.position - hero::kBones[b.parent].position;
        bones.push_back(fbx::add_bone(scene, b.name, root ? fbx::NodeRef{} : bones[b.parent],
                                      {hero::rounded(offset.x), hero::rounded(offset.y), hero::rounded(offset.z)}));
    }

    fbx::Mesh mesh;
    mesh.name = "Hero";
    for (const hero::Vec p : body.points) {
        mesh.points.push_back(vec3(p));
    }
    fbx::Layer<fbx::Vec3> normals;
    fbx::Layer<fbx::Vec2> uv;
    uv.name = "UVMap";
    uv.reference = fbx::Reference::IndexToDirect;
    normals.reference = fbx::Reference::IndexToDirect;
    const auto index_of = [](auto& layer, const auto& value, auto& known) {
        const auto [it, is_new] = known.emplace(value, static_cast<std::int32_t>(layer.values.size()));
        if (is_new) {
            layer.values.push_back(value);
        }
        layer.indices.push_back(it->second);
    };
    std::map<fbx::Vec3, std::int32_t> known_normals;
    std::map<fbx::Vec2, std::int32_t> known_uvs;
    for (const auto& polygon : body.polygons) {
        std::vector<std::int32_t> corners;
        for (const hero::Corner& c : polygon) {
            corners.push_back(c.point);
            index_of(normals, vec3(c.normal), known_normals);
            index_of(uv, fbx::Vec2{c.u, c.v}, known_uvs);
        }
        mesh.polygons.push_back(std::move(corners));
    }
    mesh.normals.push_back(std::move(normals));
    mesh.uvs.push_back(std::move(uv));
    mesh.materials.emplace();

    fbx::Skin skin;
    for (std::size_t b = 0; b < hero::kBoneCount; ++b) {
        fbx::Cluster cluster;
        cluster.name = hero::kBones[b].name;
        cluster.bone = bones[b];
        for (std::size_t p = 0; p < body.points.size(); ++p) {
            for (const auto& [bone, weight] : body.influences[p]) {
                if (bone == b) {
                    cluster.indexes.push_back(static_cast<std::int32_t>(p));
                    cluster.weights.push_back(weight);
                }
            }
        }
        skin.clusters.push_back(std::move(cluster));
    }
    mesh.skins.push_back(std::move(skin));

    const fbx::MaterialRef material = fbx::add_material(scene, "HeroMaterial", {1, 1, 1});
    scene[material].specular = fbx::Vec3{0.08, 0.08, 0.08};
    scene[material].shininess = 12.0;
    scene[material].ambient = fbx::Vec3{1, 1, 1};
    fbx::add_texture(scene, material, "DiffuseColor", "hero.png", "hero.png");
    const fbx::NodeRef node = fbx::add_mesh_node(scene, "Hero", fbx::add_mesh(scene, std::move(mesh)), {}, {material});
    fbx::bind_to_current_pose(scene, node);
    scene.poses.push_back(fbx::bind_pose_of(scene, node));

    for (const hero::KeyedClip& clip : clips) {
        const fbx::LayerRef layer =
            fbx::add_stack(scene, clip.name, 0, static_cast<double>(clip.frame_count) / hero::kFramesPerSecond);
        for (std::size_t b = 0; b < hero::kBoneCount; ++b) {
            const auto& r = clip.rotation[b];
            fbx::animate(scene, layer, bones[b], "Lcl Rotation", {}, curve_of(r[0], clip), curve_of(r[1], clip),
                         curve_of(r[2], clip));
        }
        const auto& t = clip.hips_translation;
        fbx::animate(scene, layer, bones[hero::Hips], "Lcl Translation", *scene[bones[hero::Hips]].translation,
                     curve_of(t[0], clip), curve_of(t[1], clip), curve_of(t[2], clip));
    }
    return scene;
}

class Json {
public:
    void raw(std::string_view s) { text += s; }
    void number(double v) {
        char buffer[64];
        const auto end = std::to_chars(buffer, buffer + sizeof(buffer), v).ptr;
        text.append(buffer, end);
        text += ',';
    }
    void close(std::string_view s)  // drops the last comma
    {
        if (!text.empty() && text.back() == ',') {
            text.pop_back();
        }
        text += s;
    }
    std::string text;
};

std::string dump(const hero::Body& body, const std::vector<hero::KeyedClip>& clips) {
    Json j;
    j.raw("{\"points\":[");
    for (const hero::Vec p : body.points) {
        for (const double v : {p.x, p.y, p.z}) {
            j.number(v);
        }
    }
    j.close("],\n\"corners\":[");  // point, u, v, normal per corner, three corners a triangle
    for (const auto& polygon : body.polygons) {
        for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
            for (const std::size_t i : {std::size_t{0}, k, k + 1}) {
                const hero::Corner& c = polygon[i];
                for (const double v : {static_cast<double>(c.point), c.u, c.v, c.normal.x, c.normal.y, c.normal.z}) {
                    j.number(v);
                }
            }
        }
    }
    j.close("],\n\"weights\":[");  // point, bone, weight
    for (std::size_t p = 0; p < body.points.size(); ++p) {
        for (const auto& [bone, weight] : body.influences[p]) {
            j.number(static_cast<double>(p));
            j.number(static_cast<double>(bone));
            j.number(weight);
        }
    }
    j.close("],\n\"bones\":[");
    for (const hero::BoneInfo& b : hero::kBones) {
        j.raw("{\"name\":\"" + std::string(b.name) +
              "\",\"parent\":" + (b.parent == hero::kBoneCount ? "-1" : std::to_string(b.parent)) + ",\"position\":[");
        for (const double v : {b.position.x, b.position.y, b.position.z}) {
            j.number(v);
        }
        j.close("]},");
    }
    j.close("],\n\"clips\":{");  // per frame: Euler angles of every bone, then the hips' translation
    for (const hero::KeyedClip& clip : clips) {
        j.raw("\"" + clip.name + "\":[");
        for (int frame = 0; frame <= clip.frame_count; ++frame) {
            j.raw("[");
            for (const auto& bone : clip.rotation) {
                for (const hero::KeyedChannel& c : bone) {
                    j.number(hero::evaluate(c, clip, frame));
                }
            }
            for (const hero::KeyedChannel& c : clip.hips_translation) {
                j.number(hero::evaluate(c, clip, frame));
            }
            j.close("],");
        }
        j.close("],");
    }
    j.close("}}\n");
    return j.text;
}

int run(const std::vector<std::string>& arguments) {
    if (arguments.empty() || (arguments.size() != 1 && (arguments.size() != 3 || arguments[1] != "--dump"))) {
        std::cerr << "usage: make_hero FOLDER [--dump FILE.json]\n";
        return 2;
    }
    const hero::Body body = hero::make_body();
    const std::vector<hero::KeyedClip> clips = hero::make_clips();
    const std::vector<std::byte> file = fbx::write_binary(make_scene(body, clips), 7400);
    const std::vector<std::byte> png = hero::encode_png(body.texture, hero::kTextureSize, hero::kTextureSize);
    fbx::write_file(arguments[0] + "/hero.fbx", file);
    fbx::write_file(arguments[0] + "/hero.png", png);
    if (arguments.size() == 3) {
        std::ofstream(arguments[2]) << dump(body, clips);
    }
    std::size_t triangles = 0;
    for (const auto& polygon : body.polygons) {
        triangles += polygon.size() - 2;
    }
    std::cout << hero::kBoneCount << " bones, " << body.points.size() << " points, " << triangles << " triangles, " << file.size()
              << " + " << png.size() << " bytes\n";
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(std::vector<std::string>(argv + 1, argv + argc));
    } catch (const std::exception& e) {
        std::cerr << "make_hero: " << e.what() << '\n';
        return 1;
    }
}

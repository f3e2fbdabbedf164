#include "links.hpp"

#include <algorithm>
#include <utility>

#include <gomkit/core/text.hpp>

#include "blobs.hpp"
#include "fields.hpp"

namespace gomkit::mv1 {
namespace {

using core::IssueId;
using Done = Checked<void>;

// Where the elements of one array are.
class Places {
public:
    template <class T>
    explicit Places(const std::vector<T>& elements) {
        for (std::size_t i = 0; i < elements.size(); ++i) {
            at_.emplace_back(elements[i].at, static_cast<std::uint32_t>(i));
        }
        std::sort(at_.begin(), at_.end());
    }
    [[nodiscard]] std::uint32_t find(Offset at) const {
        const auto it = std::lower_bound(at_.begin(), at_.end(), std::pair{at, std::uint32_t{0}});
        return it != at_.end() && it->first == at ? it->second : kNone;
    }

private:
    std::vector<std::pair<Offset, std::uint32_t>> at_;
};

class Linker {
public:
    explicit Linker(const Document& d)
        : d_(d), frames_(d.frames), materials_(d.materials), lights_(d.lights), meshes_(d.meshes), skin_bones_(d.skin_bones), lists_(d.lists),
          toons_(d.toons), frame_shapes_(d.frame_shapes), shapes_(d.shapes), shape_meshes_(d.shape_meshes), shape_vertices_(d.shape_vertices),
          rigids_(d.rigids), key_sets_(d.key_sets), anims_(d.anims) {}

    Checked<Links> run() {
        for (auto step : {&Linker::indices, &Linker::strings, &Linker::palette, &Linker::frames, &Linker::parents, &Linker::meshes,
                          &Linker::drivers, &Linker::materials, &Linker::lights, &Linker::shapes, &Linker::animations, &Linker::physics}) {
            if (Done done = (this->*step)(); !done) {
                return tl::unexpected(std::move(done.error()));
            }
        }
        return std::move(out_);
    }

private:
    static tl::unexpected<Finding> bad_pointer(std::string part, Offset found, const char* expected) {
        return broken(IssueId::MV1_POINTER, std::move(part), "the offset leads to nothing of its kind", std::to_string(found), expected);
    }

    Done pointer(const std::string& part, Offset at, const Places& places, const char* expected, bool may_be_null, std::uint32_t& out) {
        out = at == 0 ? kNone : places.find(at);
        if (out == kNone && !(at == 0 && may_be_null)) {
            return bad_pointer(part, at, expected);
        }
        return {};
    }

    Done run_of(const std::string& part, Offset first, std::int64_t count, const Places& places, std::size_t size, const char* expected, Run& out) {
        out = {};
        if (count == 0) {
            return {};
        }
        const std::uint32_t index = places.find(first);
        if (index == kNone) {
            return bad_pointer(part, first, expected);
        }
        if (count < 0 || static_cast<std::uint64_t>(count) > size - index) {
            return broken(IssueId::MV1_RUN, part, "the run leaves its array", std::to_string(count) + " from " + std::to_string(index),
                          "at most " + std::to_string(size - index));
        }
        out = {index, static_cast<std::uint32_t>(count)};
        return {};
    }

    Done index_of(const char* kind, const std::string& part, std::int64_t index, std::size_t size) {
        if (index < 0 || static_cast<std::uint64_t>(index) >= size) {
            return broken(IssueId::MV1_INDEX, part, std::string("the number of a ") + kind, std::to_string(index), "below " + std::to_string(size));
        }
        return {};
    }

    template <class T>
    Done own_index(const char* kind, const std::vector<T>& elements) {
        for (std::size_t i = 0; i < elements.size(); ++i) {
            if (elements[i].index != static_cast<std::int64_t>(i)) {
                return broken(IssueId::MV1_INDEX, element(kind, i) + ".Index", "the element's own number", std::to_string(elements[i].index),
                              std::to_string(i));
            }
        }
        return {};
    }
    Done indices() {
        Done done;
        each_array(d_, [&](const char* kind, const auto& elements, std::uint32_t) {
            using Element = typename std::remove_cvref_t<decltype(elements)>::value_type;
            if constexpr (Chained<Element> || std::is_same_v<Element, Anim>) {
                done = done ? own_index(kind, elements) : done;
            }
        });
        return done;
    }

    Done string(const std::string& part, std::uint32_t offset) {
        if (offset >= d_.strings.size()) {
            return broken(IssueId::MV1_STRING, part, "the string begins outside the pool", std::to_string(offset),
                          "below " + std::to_string(d_.strings.size()));
        }
        if (offset >= last_nul_) {
            return broken(IssueId::MV1_STRING, part, "the string has no end", std::to_string(offset), "a NUL before the pool ends");
        }
        return {};
    }
    template <class T>
    Done names(const char* kind, const std::vector<T>& elements) {
        for (std::size_t i = 0; i < elements.size(); ++i) {
            if (Done done = string(element(kind, i) + ".Name", elements[i].name); !done) {
                return done;
            }
        }
        return {};
    }
    Done strings() {
        const auto last = std::find(d_.strings.rbegin(), d_.strings.rend(), std::byte{0});
        last_nul_ = static_cast<std::size_t>(last.base() - d_.strings.begin());   // one behind it
        Done done;
        each_array(d_, [&](const char* kind, const auto& elements, std::uint32_t) {
            if constexpr (Named<typename std::remove_cvref_t<decltype(elements)>::value_type>) {
                done = done ? names(kind, elements) : done;
            }
        });
        for (std::size_t i = 0; done && i < d_.textures.size(); ++i) {
            done = string(element("texture", i) + ".ColorFilePath", d_.textures[i].color_path);
            done = done ? string(element("texture", i) + ".AlphaFilePath", d_.textures[i].alpha_path) : done;
        }
        return done;
    }

    Done palette() {
        for (std::size_t i = 0; i < d_.frame_use_skin_bones.size(); ++i) {
            std::uint32_t bone = 0;
            if (Done done = pointer(element("FrameUseSkinBone", i), d_.frame_use_skin_bones[i], skin_bones_, "a skin bone", false, bone); !done) {
                return done;
            }
            out_.palette.push_back(bone);
        }
        return {};
    }

    Done frames() {
        const std::size_t count = d_.frames.size();
        out_.frame_parent.resize(count);
        out_.frame_meshes.resize(count);
        out_.frame_skin_bones.resize(count);
        out_.frame_palette.resize(count);
        out_.frame_light.resize(count);
        out_.frame_shapes.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const Frame& f = d_.frames[i];
            const std::string part = element("frame", i);
            Done done = pointer(part + ".Parent", f.parent, frames_, "a frame", true, out_.frame_parent[i]);
            done = done ? run_of(part + ".Mesh", f.mesh, f.mesh_num, meshes_, d_.meshes.size(), "a mesh", out_.frame_meshes[i]) : done;
            done = done ? run_of(part + ".SkinBone", f.skin_bone, f.skin_bone_num, skin_bones_, d_.skin_bones.size(), "a skin bone",
                                 out_.frame_skin_bones[i])
                        : done;
            done = done ? pointer(part + ".Light", f.light, lights_, "a light", true, out_.frame_light[i]) : done;
            if (!done) {
                return done;
            }
            if (f.use_skin_bone_num != 0) {
                const std::uint64_t from = std::uint64_t{f.use_skin_bone} - d_.header.frame_use_skin_bone;
                const std::size_t size = d_.frame_use_skin_bones.size();
                if (f.use_skin_bone < d_.header.frame_use_skin_bone || from % 4 != 0 || from / 4 >= size) {
                    return bad_pointer(part + ".UseSkinBone", f.use_skin_bone, "an entry of FrameUseSkinBone");
                }
                const auto first = static_cast<std::uint32_t>(from / 4);
                if (f.use_skin_bone_num < 0 || static_cast<std::uint64_t>(f.use_skin_bone_num) > size - first) {
                    return broken(IssueId::MV1_RUN, part + ".UseSkinBone", "the run leaves its array", std::to_string(f.use_skin_bone_num),
                                  "at most " + std::to_string(size - first));
                }
                out_.frame_palette[i] = {first, static_cast<std::uint32_t>(f.use_skin_bone_num)};
            }
            if (f.rotate_order < 0 || f.rotate_order > 5) {
                return broken(IssueId::MV1_BLOCK_TYPE, part + ".RotateOrder", "the rotation order", std::to_string(f.rotate_order), "0 to 5");
            }
        }
        return {};
    }

    Done parents() {
        // 0 not seen, 1 on the way up, 2 known to end.
        std::vector<std::uint8_t> state(d_.frames.size());
        std::vector<std::uint32_t> way;
        for (std::uint32_t i = 0; i < d_.frames.size(); ++i) {
            way.clear();
            std::uint32_t at = i;
            while (at != kNone && state[at] == 0) {
                state[at] = 1;
                way.push_back(at);
                at = out_.frame_parent[at];
            }
            if (at != kNone && state[at] == 1) {
                return broken(IssueId::MV1_CYCLE, element("frame", at) + ".Parent", "a frame is its own ancestor");
            }
            for (const std::uint32_t f : way) {
                state[f] = 2;
            }
        }
        return {};
    }

    Done meshes() {
        out_.mesh_frame.resize(d_.meshes.size());
        out_.mesh_material.resize(d_.meshes.size());
        out_.mesh_lists.resize(d_.meshes.size());
        for (std::size_t i = 0; i < d_.meshes.size(); ++i) {
            const Mesh& m = d_.meshes[i];
            const std::string part = element("mesh", i);
            Done done = pointer(part + ".Container", m.container, frames_, "a frame", false, out_.mesh_frame[i]);
            done = done ? pointer(part + ".Material", m.material, materials_, "a material", true, out_.mesh_material[i]) : done;
            done = done ? run_of(part + ".TriangleList", m.list, m.list_num, lists_, d_.lists.size(), "a triangle list", out_.mesh_lists[i]) : done;
            if (!done) {
                return done;
            }
            const Run& of_frame = out_.frame_meshes[out_.mesh_frame[i]];
            if (i < of_frame.first || i - of_frame.first >= of_frame.count) {
                return broken(IssueId::MV1_RUN, part + ".Container", "the mesh is not in the run of its frame", std::to_string(i),
                              std::to_string(of_frame.count) + " from " + std::to_string(of_frame.first));
            }
            const Run& run = out_.mesh_lists[i];
            for (std::uint32_t l = run.first; l < run.first + run.count; ++l) {
                if (d_.lists[l].container != m.at) {
                    return broken(IssueId::MV1_RUN, element("list", l) + ".Container", "the list is in the run of another mesh",
                                  std::to_string(d_.lists[l].container), std::to_string(m.at));
                }
            }
        }
        return {};
    }

    Done drivers() {
        out_.skin_bone_driver.assign(d_.skin_bones.size(), kNone);
        for (std::size_t f = 0; f < d_.frames.size(); ++f) {
            const Run& run = out_.frame_skin_bones[f];
            for (std::uint32_t b = run.first; b < run.first + run.count; ++b) {
                if (out_.skin_bone_driver[b] != kNone) {
                    return broken(IssueId::MV1_RUN, element("skinBone", b), "the skin bone is in the runs of two frames", std::to_string(f),
                                  std::to_string(out_.skin_bone_driver[b]));
                }
                out_.skin_bone_driver[b] = static_cast<std::uint32_t>(f);
            }
        }
        for (std::size_t b = 0; b < d_.skin_bones.size(); ++b) {
            if (Done done = index_of("frame", element("skinBone", b) + ".BoneFrame", d_.skin_bones[b].bone_frame, d_.frames.size()); !done) {
                return done;
            }
            if (out_.skin_bone_driver[b] == kNone) {
                out_.skin_bone_driver[b] = static_cast<std::uint32_t>(d_.skin_bones[b].bone_frame);
            }
        }
        return {};
    }

    Done texture(const std::string& part, std::int32_t index) {
        return index < 0 ? Done{} : index_of("texture", part, index, d_.textures.size());
    }
    Done layers(const std::string& part, std::int32_t count, const std::array<Layer, 8>& layers) {
        if (count < 0 || count > 8) {
            return broken(IssueId::MV1_COUNT, part, "the number of layers", std::to_string(count), "0 to 8");
        }
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            if (Done done = texture(part + "[" + std::to_string(i) + "].Texture", layers[i].texture); !done) {
                return done;
            }
        }
        return {};
    }
    Done materials() {
        for (std::size_t i = 0; i < d_.materials.size(); ++i) {
            const Material& m = d_.materials[i];
            const std::string part = element("material", i);
            std::uint32_t toon = kNone;
            Done done = layers(part + ".DiffuseLayer", m.diffuse_layer_num, m.diffuse_layer);
            done = done ? layers(part + ".SpecularLayer", m.specular_layer_num, m.specular_layer) : done;
            done = done ? layers(part + ".NormalLayer", m.normal_layer_num, m.normal_layer) : done;
            done = done ? pointer(part + ".ToonInfo", m.toon, toons_, "toon data", true, toon) : done;
            if (done && toon != kNone) {
                const Toon& t = d_.toons[toon];
                done = texture(part + ".ToonInfo.DiffuseGradTexture", t.diffuse_grad_texture);
                done = done ? texture(part + ".ToonInfo.SpecularGradTexture", t.specular_grad_texture) : done;
                done = done && t.enable_sphere_map != 0 ? texture(part + ".ToonInfo.SphereMapTexture", t.sphere_map_texture) : done;
            }
            if (!done) {
                return done;
            }
            out_.material_toon.push_back(toon);
        }
        return {};
    }

    Done lights() {
        for (std::size_t i = 0; i < d_.lights.size(); ++i) {
            if (Done done = index_of("frame", element("light", i) + ".FrameIndex", d_.lights[i].frame_index, d_.frames.size()); !done) {
                return done;
            }
        }
        return {};
    }

    Done shapes() {
        for (std::size_t i = 0; i < d_.frames.size(); ++i) {
            std::uint32_t entry = kNone;
            Done done = pointer(element("frame", i) + ".FrameShape", d_.frames[i].frame_shape, frame_shapes_, "an entry of FrameShape", true, entry);
            if (done && entry != kNone) {
                done = run_of(element("frameShape", entry) + ".Shape", d_.frame_shapes[entry].shape, d_.frame_shapes[entry].shape_num, shapes_,
                              d_.shapes.size(), "a shape", out_.frame_shapes[i]);
            }
            if (!done) {
                return done;
            }
        }
        out_.shape_meshes.resize(d_.shapes.size());
        for (std::size_t i = 0; i < d_.shapes.size(); ++i) {
            std::uint32_t container = kNone;
            const std::string part = element("shape", i);
            Done done = pointer(part + ".Container", d_.shapes[i].container, frames_, "a frame", false, container);
            done = done ? run_of(part + ".Mesh", d_.shapes[i].mesh, d_.shapes[i].mesh_num, shape_meshes_, d_.shape_meshes.size(), "a shape mesh",
                                 out_.shape_meshes[i])
                        : done;
            if (!done) {
                return done;
            }
        }
        out_.shape_mesh_target.resize(d_.shape_meshes.size());
        out_.shape_mesh_vertices.resize(d_.shape_meshes.size());
        for (std::size_t i = 0; i < d_.shape_meshes.size(); ++i) {
            const ShapeMesh& m = d_.shape_meshes[i];
            const std::string part = element("shapeMesh", i);
            Done done = pointer(part + ".TargetMesh", m.target_mesh, meshes_, "a mesh", false, out_.shape_mesh_target[i]);
            if (done && m.is_press == 0) {
                done = run_of(part + ".Vertex", m.vertex, m.vertex_num, shape_vertices_, d_.shape_vertices.size(), "a shape vertex",
                              out_.shape_mesh_vertices[i]);
            }
            if (!done) {
                return done;
            }
        }
        return {};
    }

    Done animations() {
        out_.set_anims.resize(d_.anim_sets.size());
        for (std::size_t i = 0; i < d_.anim_sets.size(); ++i) {
            const AnimSet& s = d_.anim_sets[i];
            if (Done done = run_of(element("animSet", i) + ".Anim", s.anim, s.anim_num, anims_, d_.anims.size(), "an animation", out_.set_anims[i]);
                !done) {
                return done;
            }
        }
        out_.anim_key_sets.resize(d_.anims.size());
        for (std::size_t i = 0; i < d_.anims.size(); ++i) {
            const Anim& a = d_.anims[i];
            const std::string part = element("anim", i);
            Done done = index_of("frame", part + ".TargetFrameIndex", a.target_frame, d_.frames.size());
            done = done ? run_of(part + ".KeySet", a.key_set, a.key_set_num, key_sets_, d_.key_sets.size(), "a key set", out_.anim_key_sets[i]) : done;
            if (!done) {
                return done;
            }
            if (a.rotate_order < 0 || a.rotate_order > 5) {
                return broken(IssueId::MV1_BLOCK_TYPE, part + ".RotateOrder", "the rotation order", std::to_string(a.rotate_order), "0 to 5");
            }
        }
        return {};
    }

    Done physics() {
        for (std::size_t i = 0; i < d_.rigids.size(); ++i) {
            std::uint32_t frame = kNone;
            if (Done done = pointer(element("rigid", i) + ".TargetFrame", d_.rigids[i].target_frame, frames_, "a frame", true, frame); !done) {
                return done;
            }
            out_.rigid_frame.push_back(frame);
        }
        for (std::size_t i = 0; i < d_.joints.size(); ++i) {
            std::uint32_t a = kNone;
            std::uint32_t b = kNone;
            Done done = pointer(element("joint", i) + ".RigidBodyA", d_.joints[i].rigid_a, rigids_, "a rigid body", true, a);
            done = done ? pointer(element("joint", i) + ".RigidBodyB", d_.joints[i].rigid_b, rigids_, "a rigid body", true, b) : done;
            if (!done) {
                return done;
            }
            out_.joint_a.push_back(a);
            out_.joint_b.push_back(b);
        }
        return {};
    }

    const Document& d_;
    Places frames_, materials_, lights_, meshes_, skin_bones_, lists_, toons_, frame_shapes_, shapes_, shape_meshes_, shape_vertices_, rigids_,
        key_sets_, anims_;
    std::size_t last_nul_ = 0;
    Links out_;
};

template <class Range>
Done all_below(const std::string& part, const char* what, const Range& values, std::uint64_t limit) {
    for (const auto v : values) {
        if (v >= limit) {
            return broken(IssueId::MV1_INDEX, part, what, std::to_string(v), "below " + std::to_string(limit));
        }
    }
    return {};
}

}  // namespace

Checked<Links> link(const Document& document) { return Linker(document).run(); }

Checked<void> verify_blocks(const Document& d, const Links& links) {
    for (std::size_t i = 0; i < d.frames.size(); ++i) {
        FrameVertices v;
        if (const auto size = read_frame_blob(d.frames[i], d.frames[i].blob, &v); !size) {
            return tl::unexpected(size.error());
        }
        for (const Weight& w : v.weights) {
            if (w.slot >= links.frame_palette[i].count) {
                return broken(IssueId::MV1_INDEX, element("frame", i) + ".weights", "the palette slot of a weight", std::to_string(w.slot),
                              "below " + std::to_string(links.frame_palette[i].count));
            }
        }
    }
    for (std::size_t i = 0; i < d.meshes.size(); ++i) {
        MeshVertices v;
        if (const auto size = read_mesh_blob(d.meshes[i], d.meshes[i].blob, &v); !size) {
            return tl::unexpected(size.error());
        }
        const Frame& f = d.frames[links.mesh_frame[i]];
        const std::string part = element("mesh", i) + ".VertexData";
        Done done = all_below(part, "a position index", v.position, static_cast<std::uint64_t>(f.position_num));
        done = done ? all_below(part, "a normal index", v.normal, static_cast<std::uint64_t>(f.normal_num)) : done;
        if (!done) {
            return done;
        }
        const Run& run = links.mesh_lists[i];
        for (std::uint32_t l = run.first; l < run.first + run.count; ++l) {
            ListIndices list;
            if (const auto size = read_list_blob(d.lists[l], d.lists[l].blob, &list); !size) {
                return tl::unexpected(size.error());
            }
            const std::string list_part = element("list", l);
            done = all_below(list_part, "a mesh vertex", list.vertices, static_cast<std::uint64_t>(d.meshes[i].vertex_num));
            done = done ? all_below(list_part, "an index", list.indices, d.lists[l].vertex_num) : done;
            if (!done) {
                return done;
            }
        }
    }
    for (std::size_t i = 0; i < d.shape_meshes.size(); ++i) {
        const Run& run = links.shape_mesh_vertices[i];
        const auto limit = static_cast<std::uint64_t>(d.meshes[links.shape_mesh_target[i]].vertex_num);
        for (std::uint32_t v = run.first; v < run.first + run.count; ++v) {
            const std::int32_t target = d.shape_vertices[v].target_vertex;
            if (target < 0 || static_cast<std::uint64_t>(target) >= limit) {
                return broken(IssueId::MV1_INDEX, element("shapeVertex", v) + ".TargetMeshVertex", "a mesh vertex", std::to_string(target),
                              "below " + std::to_string(limit));
            }
        }
    }
    return {};
}

std::string_view raw_string(const Document& document, std::uint32_t offset) {
    if (offset >= document.strings.size()) {
        return {};
    }
    const char* begin = reinterpret_cast<const char*>(document.strings.data()) + offset;
    const std::string_view rest(begin, document.strings.size() - offset);
    return rest.substr(0, rest.find('\0'));
}

std::string text(const Document& document, std::uint32_t offset, bool* changed) {
    const std::string_view raw = raw_string(document, offset);
    return core::clean_text(document.header.is_string_utf8 != 0 ? std::string(raw) : core::from_cp932(raw, changed), changed);
}

}  // namespace gomkit::mv1

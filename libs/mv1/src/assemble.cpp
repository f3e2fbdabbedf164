#include "assemble.hpp"

#include <algorithm>
#include <cstddef>

#include <gomkit/core/reader.hpp>

#include "blobs.hpp"
#include "change.hpp"
#include "fields.hpp"

namespace gomkit::mv1 {
namespace {

class Assembler {
public:
    Assembler(Document& d, const Links& l, const Parts& parts) : d_(d), l_(l), parts_(parts) {}

    void run() {
        d_.frame_size = sizes::kFrame;
        pad_strings();
        tables();
        places();
        pointers();
        tree();
        sums();
        d_.loose.clear();
    }

private:
    // The next `size` bytes; blocks and tables end on a multiple of 4 by themselves or by padding.
    Offset take(std::uint64_t size) {
        const Offset at = next_;
        next_ += static_cast<Offset>(size);
        return at;
    }
    void align() { next_ = (next_ + 3) / 4 * 4; }

    template <class T>
    Offset put(std::vector<T>& elements, std::uint32_t size) {
        const Offset first = next_;
        for (T& e : elements) {
            e.at = take(size);
        }
        return first;
    }
    template <class T>
    static void chain(std::vector<T>& elements) {
        for (std::size_t i = 0; i < elements.size(); ++i) {
            elements[i].index = static_cast<std::int32_t>(i);
            elements[i].dim_prev = i == 0 ? 0 : elements[i - 1].at;
            elements[i].dim_next = i + 1 == elements.size() ? 0 : elements[i + 1].at;
        }
    }
    template <class T>
    static std::int32_t count(const std::vector<T>& elements) {
        return static_cast<std::int32_t>(elements.size());
    }
    template <class T>
    static Offset at(const std::vector<T>& elements, std::uint32_t index) {
        return index == kNone ? 0 : elements[index].at;
    }
    // A run that may be empty; then it has no place.
    template <class T>
    static Offset at(const std::vector<T>& elements, const Run& run) {
        return run.count == 0 ? 0 : elements[run.first].at;
    }
    // The same where an empty run names the place at which it would have been: `next` counts the elements of the runs before.
    static Offset place(Offset array, std::uint32_t size, const Run& run, std::uint32_t& next) {
        next = run.count == 0 ? next : run.first + run.count;
        return array + size * (next - run.count);
    }

    void pad_strings() {
        d_.strings.resize((d_.strings.size() + 15) / 16 * 16);
        d_.header.string_size = static_cast<std::int32_t>(d_.strings.size());
    }

    static Blob table_bytes(const std::vector<std::uint32_t>& words) {
        core::Writer w;
        for (const std::uint32_t word : words) {
            w.u32(word);
        }
        w.align(16);
        return w.take();
    }
    void tables() {
        totals_ = make_totals(l_);
        matrix_ = make_matrix_table(totals_.child);
        d_.matrix_table = table_bytes(matrix_.words);
        draw_ = make_draw_table(totals_.child, totals_.mesh, l_.frame_meshes, d_.meshes.size());
        d_.draw_table = parts_.meshes ? table_bytes(draw_.words) : Blob{};
    }

    void places() {
        Header& h = d_.header;
        next_ = sizes::kHeader + sizes::kHeaderGap;
        h.draw_table_size = static_cast<std::int32_t>(d_.draw_table.size());
        h.matrix_table_size = static_cast<std::int32_t>(d_.matrix_table.size());
        if (parts_.meshes) {
            h.draw_table = take(d_.draw_table.size());
        }
        h.matrix_table = take(d_.matrix_table.size());
        h.frame = put(d_.frames, sizes::kFrame);
        h.frame_use_skin_bone = h.material = h.light = h.texture = h.mesh = h.skin_bone = h.skin_bone_use_frame = h.triangle_list = 0;
        if (parts_.meshes) {
            h.frame_use_skin_bone = take(4 * l_.palette.size());
            h.material = put(d_.materials, sizes::kMaterial);
            put(d_.toons, sizes::kToon);
            h.light = put(d_.lights, sizes::kLight);
            h.texture = put(d_.textures, sizes::kTexture);
            h.mesh = put(d_.meshes, sizes::kMesh);
            h.skin_bone = put(d_.skin_bones, sizes::kSkinBone);
            d_.use_frames.resize(l_.palette.size());
            h.skin_bone_use_frame = put(d_.use_frames, sizes::kUseFrame);
            h.triangle_list = put(d_.lists, sizes::kList);
        }
        h.shape = h.physics = 0;
        if (d_.shape) {
            h.shape = d_.shape->at = take(sizes::kShapeHeader);
            d_.shape->frame = put(d_.frame_shapes, sizes::kFrameShape);
            d_.shape->data = put(d_.shapes, sizes::kShape);
            d_.shape->mesh = put(d_.shape_meshes, sizes::kShapeMesh);
            d_.shape->vertex = put(d_.shape_vertices, sizes::kShapeVertex);
        }
        if (d_.physics) {
            h.physics = d_.physics->at = take(sizes::kPhysicsHeader);
            d_.physics->rigid = put(d_.rigids, sizes::kRigid);
            d_.physics->joint = put(d_.joints, sizes::kJoint);
        }
        h.key_set = h.anim = h.anim_set = 0;
        h.key_set_unit_size = parts_.animations ? static_cast<std::int32_t>(sizes::kKeySet) : 0;
        h.anim_unit_size = parts_.animations ? static_cast<std::int32_t>(sizes::kAnim) : 0;
        if (parts_.animations) {
            h.key_set = put(d_.key_sets, sizes::kKeySet);
            h.anim = put(d_.anims, sizes::kAnim);
            h.anim_set = put(d_.anim_sets, sizes::kAnimSet);
        }
        h.string_buffer = take(d_.strings.size());
        h.vertex_data = parts_.meshes ? next_ : 0;
        const auto block = [&](const Blob& blob) {
            const Offset begin = take(blob.size());
            align();
            return begin;
        };
        for (Frame& f : d_.frames) {
            // A frame without vertices names the begin of all.
            f.position_data = f.position_num > 0 ? block(f.blob) : h.vertex_data;
        }
        for (Mesh& m : d_.meshes) {
            m.vertex_data = block(m.blob);
        }
        for (TriangleList& l : d_.lists) {
            l.data = block(l.blob);
        }
        h.vertex_data_size = parts_.meshes ? next_ - h.vertex_data : 0;
        if (!parts_.meshes) {
            h.draw_table = next_;
        }
        h.key_data = parts_.animations ? next_ : 0;
        for (KeySet& k : d_.key_sets) {
            k.key_data = block(k.blob);
        }
        h.key_data_size = parts_.animations ? static_cast<std::int32_t>(next_ - h.key_data) : 0;
        d_.size = next_;
    }

    void pointers() {
        Header& h = d_.header;
        h.frame_num = count(d_.frames);
        h.material_num = count(d_.materials);
        h.light_num = count(d_.lights);
        h.texture_num = count(d_.textures);
        h.mesh_num = count(d_.meshes);
        h.skin_bone_num = count(d_.skin_bones);
        h.triangle_list_num = count(d_.lists);
        h.frame_use_skin_bone_num = h.skin_bone_use_frame_num = count(l_.palette);
        h.key_set_num = count(d_.key_sets);
        h.anim_num = count(d_.anims);
        h.anim_set_num = count(d_.anim_sets);
        each_array(d_, [](const char*, auto& elements, std::uint32_t) {
            if constexpr (Chained<typename std::remove_cvref_t<decltype(elements)>::value_type>) {
                chain(elements);
            }
        });
        d_.frame_use_skin_bones.clear();
        for (const std::uint32_t b : l_.palette) {
            d_.frame_use_skin_bones.push_back(d_.skin_bones[b].at);
        }
        std::uint32_t frame_shape = 0;
        for (std::size_t i = 0; i < d_.frames.size(); ++i) {
            Frame& f = d_.frames[i];
            const Run& meshes = l_.frame_meshes[i];
            const Run& bones = l_.frame_skin_bones[i];
            const Run& palette = l_.frame_palette[i];
            f.parent = at(d_.frames, l_.frame_parent[i]);
            f.mesh_num = static_cast<std::int32_t>(meshes.count);
            f.mesh = at(d_.meshes, meshes);
            f.skin_bone_num = static_cast<std::int32_t>(bones.count);
            f.skin_bone = at(d_.skin_bones, bones);
            f.use_skin_bone_num = static_cast<std::int32_t>(palette.count);
            f.use_skin_bone = palette.count == 0 ? 0 : h.frame_use_skin_bone + 4 * palette.first;
            f.light = at(d_.lights, l_.frame_light[i]);
            f.frame_shape = 0;
            if (l_.frame_shapes[i].count != 0) {
                f.frame_shape = d_.frame_shapes[frame_shape].at;
                d_.frame_shapes[frame_shape].shape_num = static_cast<std::int32_t>(l_.frame_shapes[i].count);
                d_.frame_shapes[frame_shape].shape = at(d_.shapes, l_.frame_shapes[i]);
                for (std::uint32_t s = 0; s < l_.frame_shapes[i].count; ++s) {
                    d_.shapes[l_.frame_shapes[i].first + s].container = f.at;
                }
                ++frame_shape;
            }
        }
        for (std::size_t i = 0; i < d_.materials.size(); ++i) {
            d_.materials[i].toon = at(d_.toons, l_.material_toon[i]);
        }
        std::uint32_t next_list = 0;
        for (std::size_t i = 0; i < d_.meshes.size(); ++i) {
            Mesh& m = d_.meshes[i];
            m.container = at(d_.frames, l_.mesh_frame[i]);
            m.material = at(d_.materials, l_.mesh_material[i]);
            m.list_num = static_cast<std::int32_t>(l_.mesh_lists[i].count);
            m.list = place(h.triangle_list, sizes::kList, l_.mesh_lists[i], next_list);
            for (std::uint32_t l = 0; l < l_.mesh_lists[i].count; ++l) {
                d_.lists[l_.mesh_lists[i].first + l].container = m.at;
            }
        }
        for (std::size_t i = 0; i < d_.shapes.size(); ++i) {
            d_.shapes[i].mesh_num = static_cast<std::int32_t>(l_.shape_meshes[i].count);
            d_.shapes[i].mesh = at(d_.shape_meshes, l_.shape_meshes[i]);
        }
        for (std::size_t i = 0; i < d_.shape_meshes.size(); ++i) {
            d_.shape_meshes[i].target_mesh = at(d_.meshes, l_.shape_mesh_target[i]);
            d_.shape_meshes[i].vertex_num = l_.shape_mesh_vertices[i].count;
            d_.shape_meshes[i].vertex = at(d_.shape_vertices, l_.shape_mesh_vertices[i]);
        }
        for (std::size_t i = 0; i < d_.rigids.size(); ++i) {
            d_.rigids[i].target_frame = at(d_.frames, l_.rigid_frame[i]);
        }
        for (std::size_t i = 0; i < d_.joints.size(); ++i) {
            d_.joints[i].rigid_a = at(d_.rigids, l_.joint_a[i]);
            d_.joints[i].rigid_b = at(d_.rigids, l_.joint_b[i]);
        }
        std::uint32_t next_anim = 0;
        for (std::size_t i = 0; i < d_.anim_sets.size(); ++i) {
            const Run& run = l_.set_anims[i];
            d_.anim_sets[i].anim_num = static_cast<std::int32_t>(run.count);
            d_.anim_sets[i].anim = place(h.anim, sizes::kAnim, run, next_anim);
            for (std::uint32_t a = run.first; a < run.first + run.count; ++a) {
                d_.anims[a].index = static_cast<std::int32_t>(a);
                d_.anims[a].container = d_.anim_sets[i].at;
                d_.anims[a].key_set_num = static_cast<std::int32_t>(l_.anim_key_sets[a].count);
                d_.anims[a].key_set = at(d_.key_sets, l_.anim_key_sets[a]);
            }
        }
        use_frames();
    }

    // Which frames use a skin bone, and in which slot: entries in the order of the skin bones.
    void use_frames() {
        std::vector<std::vector<UseFrame>> uses(d_.skin_bones.size());
        for (std::size_t f = 0; f < d_.frames.size(); ++f) {
            const Run& palette = l_.frame_palette[f];
            for (std::uint32_t s = 0; s < palette.count; ++s) {
                uses[l_.palette[palette.first + s]].push_back({0, static_cast<std::int32_t>(f), static_cast<std::int32_t>(s)});
            }
        }
        std::size_t entry = 0;
        for (std::size_t b = 0; b < uses.size(); ++b) {
            SkinBone& bone = d_.skin_bones[b];
            bone.use_frame_num = static_cast<std::int32_t>(uses[b].size());
            bone.use_frame = uses[b].empty() ? 0 : d_.use_frames[entry].at;
            for (const UseFrame& u : uses[b]) {
                d_.use_frames[entry].index = u.index;
                d_.use_frames[entry].matrix_index = u.matrix_index;
                ++entry;
            }
        }
    }

    void tree() {
        Header& h = d_.header;
        const Tree tree = make_tree(l_.frame_parent);
        h.top_frame_num = tree.top_num;
        h.first_top_frame = at(d_.frames, tree.first_top);
        h.last_top_frame = at(d_.frames, tree.last_top);
        for (std::size_t i = 0; i < d_.frames.size(); ++i) {
            Frame& f = d_.frames[i];
            f.first_child = at(d_.frames, tree.first_child[i]);
            f.last_child = at(d_.frames, tree.last_child[i]);
            f.next = at(d_.frames, tree.next[i]);
            f.prev = 0;
        }
    }

    Change in_table(Change c, Offset table) const {
        c.fill = table + 4 * c.fill;
        return c;
    }

    void sums() {
        Header& h = d_.header;
        h.list_normal_position_num = h.list_skin_4b_num = h.list_skin_8b_num = h.list_skin_free_size = 0;
        h.mesh_position_size = h.mesh_normal_num = h.mesh_vertex_size = h.mesh_face_num = 0;
        h.mesh_vertex_index_num = h.list_index_num = h.triangle_num = h.list_vertex_num = h.original_key_data_size = 0;
        for (std::size_t i = 0; i < d_.frames.size(); ++i) {
            Frame& f = d_.frames[i];
            f.total_child_num = static_cast<std::int32_t>(totals_.child[i]);
            f.total_mesh_num = static_cast<std::int32_t>(totals_.mesh[i]);
            f.matrix_change = in_table(matrix_.frames[i], h.matrix_table);
            f.draw_change = in_table(draw_.frames[i], h.draw_table);
            f.draw_change.fill = parts_.meshes ? f.draw_change.fill : h.draw_table;   // the table is empty then
            f.triangle_num = f.vertex_num = f.is_skin_mesh = 0;
            h.mesh_position_size += f.position_num * (12 + 8 * f.max_bone_blend_num);
            h.mesh_normal_num += f.normal_num;
        }
        std::vector<std::int32_t> free_size(d_.lists.size(), 0);
        for (std::size_t i = 0; i < d_.meshes.size(); ++i) {
            Mesh& m = d_.meshes[i];
            m.change = draw_.meshes[i];
            m.face_num = 0;
            Frame& f = d_.frames[l_.mesh_frame[i]];
            for (std::uint32_t l = l_.mesh_lists[i].first; l < l_.mesh_lists[i].first + l_.mesh_lists[i].count; ++l) {
                const TriangleList& list = d_.lists[l];
                m.face_num += list.index_num / 3;
                f.vertex_num += list.vertex_num;
                f.is_skin_mesh = list.vertex_type != 0 ? 1 : f.is_skin_mesh;
                h.list_index_num += list.index_num;
                h.list_vertex_num += list.vertex_num;
                if (list.vertex_type == 0) {
                    h.list_normal_position_num += list.vertex_num;
                } else if (list.vertex_type == 1) {
                    h.list_skin_4b_num += list.vertex_num;
                } else if (list.vertex_type == 2) {
                    h.list_skin_8b_num += list.vertex_num;
                } else {
                    free_size[l] = static_cast<std::int32_t>(free_list_size(list));
                    h.list_skin_free_size += free_size[l];
                }
            }
            f.triangle_num += m.face_num;
            h.mesh_face_num += m.face_num;
            h.mesh_vertex_size += m.vertex_num * (20 + 8 * m.uv_set_num);
        }
        h.mesh_vertex_index_num = h.list_vertex_num;
        h.triangle_num = h.list_index_num / 3;
        for (const KeySet& k : d_.key_sets) {
            h.original_key_data_size += static_cast<std::int32_t>(expanded_size(k));
        }
        if (d_.physics) {
            d_.physics->rigid_num = count(d_.rigids);
            d_.physics->joint_num = count(d_.joints);
        }
        if (d_.shape) {
            shape_sums(free_size);
        }
    }

    void shape_sums(const std::vector<std::int32_t>& free_size) {
        ShapeHeader& s = *d_.shape;
        s.frame_num = count(d_.frame_shapes);
        s.data_num = count(d_.shapes);
        s.mesh_num = count(d_.shape_meshes);
        s.vertex_num = count(d_.shape_vertices);
        s.vertex_unit_size = static_cast<std::int32_t>(sizes::kShapeVertex);
        s.target_mesh_vertex_num = s.normal_position_num = s.skin_4b_num = s.skin_8b_num = s.skin_free_size = 0;
        for (std::size_t i = 0; i < d_.shape_meshes.size(); ++i) {
            const std::uint32_t target = l_.shape_mesh_target[i];
            s.target_mesh_vertex_num += d_.meshes[target].vertex_num;
            for (std::uint32_t l = l_.mesh_lists[target].first; l < l_.mesh_lists[target].first + l_.mesh_lists[target].count; ++l) {
                const TriangleList& list = d_.lists[l];
                std::int32_t* const sums[] = {&s.normal_position_num, &s.skin_4b_num, &s.skin_8b_num};
                if (list.vertex_type < 3) {
                    *sums[list.vertex_type] += list.vertex_num;
                } else {
                    s.skin_free_size += free_size[l];
                }
            }
        }
    }

    Document& d_;
    const Links& l_;
    const Parts& parts_;
    Offset next_ = 0;
    Totals totals_;
    ChangeTable matrix_;
    ChangeTable draw_;
};

}  // namespace

void assemble(Document& document, const Links& links, const Parts& parts) { Assembler(document, links, parts).run(); }

std::uint32_t add_string(Document& document, std::string_view text) {
    const auto offset = static_cast<std::uint32_t>(document.strings.size());
    for (const char c : text) {
        document.strings.push_back(static_cast<std::byte>(c));
    }
    document.strings.resize((document.strings.size() + 4) / 4 * 4);
    return offset;
}

}  // namespace gomkit::mv1

#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <gomkit/core/reader.hpp>

#include "blobs.hpp"
#include "change.hpp"
#include "decode.hpp"
#include "fields.hpp"
#include "links.hpp"

namespace gomkit::mv1 {
namespace {

using core::IssueId;

// Whether a struct holds a float that is not finite.
class FiniteTest {
public:
    template <class T>
    void operator()(const char* name, const T& v, Kind = Kind::Plain) {
        if constexpr (std::is_same_v<T, float>) {
            if (!std::isfinite(v) && bad == nullptr) {
                bad = name;
            }
        } else if constexpr (requires { v.size(); }) {
            for (const auto& item : v) {
                if constexpr (std::is_same_v<std::remove_cvref_t<decltype(item)>, float>) {
                    (*this)(name, item);
                }
            }
        }
    }
    const char* bad = nullptr;
};

class Checker {
public:
    Checker(const Document& d, const Links& links, const std::string& file, const codec::CheckOptions& options, core::Report& report)
        : d_(d), links_(links), file_(file), options_(options), report_(report) {}

    void run() {
        tree();
        change_tables();
        values();
        counters();
        skins();
        keys();
        texts();
        if (options_.canonical) {
            for (const Loose& l : d_.loose) {
                say(IssueId::MV1_LOOSE_BYTES, "offset " + std::to_string(l.at), "bytes that belong to nothing", std::to_string(l.bytes.size()), "zeros");
            }
        }
    }

private:
    void say(IssueId id, std::string part, std::string what, std::string found, std::string expected) {
        if (core::info(id).severity != core::Severity::Canonical || options_.canonical) {
            report({id, core::Code::Malformed, std::move(part), std::move(what), std::move(found), std::move(expected)}, file_, report_);
        }
    }
    void equal(IssueId id, const std::string& part, const char* what, std::int64_t found, std::int64_t expected) {
        if (found != expected) {
            say(id, part, what, std::to_string(found), std::to_string(expected));
        }
    }
    void in_range(const std::string& part, const char* what, std::int64_t found, std::int64_t low, std::int64_t high) {
        if (found < low || found > high) {
            say(IssueId::MV1_VALUE, part, what, std::to_string(found), std::to_string(low) + " to " + std::to_string(high));
        }
    }
    // A counter that memory is taken for: too small is an error, too large a waste.
    void counter(const char* what, std::int64_t found, std::uint64_t expected) {
        const auto need = static_cast<std::int64_t>(expected);
        if (found != need) {
            say(found < need ? IssueId::MV1_COUNTER : IssueId::MV1_COUNTER_HIGH, std::string("header.") + what, what, std::to_string(found),
                std::to_string(need));
        }
    }

    void tree() {
        const Tree tree = make_tree(links_.frame_parent);
        const auto check = [&](const std::string& part, const char* what, Offset found, std::uint32_t expected) {
            equal(IssueId::MV1_TREE, part, what, found, expected == kNone ? 0 : d_.frames[expected].at);
        };
        check("header", "FirstTopFrame", d_.header.first_top_frame, tree.first_top);
        check("header", "LastTopFrame", d_.header.last_top_frame, tree.last_top);
        equal(IssueId::MV1_TREE, "header", "TopFrameNum", d_.header.top_frame_num, tree.top_num);
        for (std::size_t i = 0; i < d_.frames.size(); ++i) {
            const std::string part = element("frame", i);
            check(part, "FirstChild", d_.frames[i].first_child, tree.first_child[i]);
            check(part, "LastChild", d_.frames[i].last_child, tree.last_child[i]);
            check(part, "Next", d_.frames[i].next, tree.next[i]);
        }
        each_array(d_, [&](const char* kind, const auto& elements, std::uint32_t) {
            if constexpr (Chained<typename std::remove_cvref_t<decltype(elements)>::value_type>) {
                previous(kind, elements);
            }
        });
    }
    template <class T>
    void previous(const char* kind, const std::vector<T>& elements) {
        for (std::size_t i = 0; i < elements.size(); ++i) {
            equal(IssueId::MV1_TREE, element(kind, i), "DimPrev", elements[i].dim_prev, i == 0 ? 0 : elements[i - 1].at);
        }
    }

    void one_change(IssueId id, const std::string& part, const char* what, const Change& found, const Change& expected, Offset table,
                    const std::vector<std::uint32_t>& words, const Blob& stored) {
        if (found.target != expected.target || found.check_bit != expected.check_bit || found.size != expected.size) {
            say(id, part, what, "word " + std::to_string(found.target) + ", bit " + std::to_string(found.check_bit) + ", size " + std::to_string(found.size),
                "word " + std::to_string(expected.target) + ", bit " + std::to_string(expected.check_bit) + ", size " + std::to_string(expected.size));
            return;
        }
        core::Reader in(stored);
        in.seek(found.fill < table ? stored.size() + 1 : found.fill - table);
        for (std::uint32_t w = 0; w < expected.size; ++w) {
            const std::uint32_t word = in.u32();
            if (in.failed() || word != words[expected.fill + w]) {
                say(id, part, std::string(what) + ".Fill", in.failed() ? "outside the table" : std::to_string(word),
                    std::to_string(words[expected.fill + w]));
                return;
            }
        }
    }
    void change_tables() {
        const Totals totals = make_totals(links_);
        for (std::size_t i = 0; i < d_.frames.size(); ++i) {
            equal(IssueId::MV1_SUMMARY, element("frame", i), "TotalChildNum", d_.frames[i].total_child_num, totals.child[i]);
            equal(IssueId::MV1_SUMMARY, element("frame", i), "TotalMeshNum", d_.frames[i].total_mesh_num, totals.mesh[i]);
        }
        // Spans count descendants; they are words side by side only as long as frames stand in the order of the tree, so sizes are
        // bounded before the tables are made.
        std::uint64_t words = 0;
        for (std::size_t i = 0; i < d_.frames.size(); ++i) {
            words += (std::uint64_t{totals.child[i]} + totals.mesh[i]) / 32 + 2;
        }
        if (words > d_.size) {
            say(IssueId::MV1_MATRIX_TABLE, "header", "ChangeMatrixTableSize", std::to_string(d_.header.matrix_table_size),
                std::to_string(words * 4) + " or so");
            return;
        }
        const ChangeTable matrix = make_matrix_table(totals.child);
        for (std::size_t i = 0; i < d_.frames.size(); ++i) {
            one_change(IssueId::MV1_MATRIX_TABLE, element("frame", i), "ChangeMatrixInfo", d_.frames[i].matrix_change, matrix.frames[i],
                       d_.header.matrix_table, matrix.words, d_.matrix_table);
        }
        if (d_.meshes.empty()) {
            return;   // files of animations have no draw table
        }
        const ChangeTable draw = make_draw_table(totals.child, totals.mesh, links_.frame_meshes, d_.meshes.size());
        for (std::size_t i = 0; i < d_.frames.size(); ++i) {
            one_change(IssueId::MV1_DRAW_TABLE, element("frame", i), "ChangeDrawMaterialInfo", d_.frames[i].draw_change, draw.frames[i],
                       d_.header.draw_table, draw.words, d_.draw_table);
        }
        for (std::size_t i = 0; i < d_.meshes.size(); ++i) {
            const Change& expected = draw.meshes[i];
            const Change& found = d_.meshes[i].change;
            if (found.target != expected.target || found.check_bit != expected.check_bit || found.fill != 0) {
                say(IssueId::MV1_DRAW_TABLE, element("mesh", i), "ChangeInfo",
                    "word " + std::to_string(found.target) + ", bit " + std::to_string(found.check_bit),
                    "word " + std::to_string(expected.target) + ", bit " + std::to_string(expected.check_bit) + ", no Fill");
            }
        }
    }

    template <class S, class Part>
    void finite(const S& s, Part part) {
        FiniteTest test;
        fields(s, test);
        if (test.bad != nullptr) {
            say(IssueId::MV1_NOT_FINITE, part(), test.bad, "no finite number", "one");
        }
    }
    void values() {
        each_array(d_, [&](const char* kind, const auto& elements, std::uint32_t) {
            for (std::size_t i = 0; i < elements.size(); ++i) {
                finite(elements[i], [&] { return element(kind, i); });
            }
        });
        if (d_.physics) {
            finite(*d_.physics, [] { return std::string("physics header"); });
        }
        in_range("header", "Version", d_.header.version, 0, 0);
        in_range("header", "RightHandType", d_.header.right_hand_type, 0, 0);
        in_range("header", "IsStringUTF8", d_.header.is_string_utf8, 0, 1);
        in_range("header", "MaterialNumberOrderDraw", d_.header.material_number_order_draw, 0, 1);
        for (std::size_t i = 0; i < d_.frames.size(); ++i) {
            const Frame& f = d_.frames[i];
            in_range(element("frame", i), "Flag", f.flag, 0, 31);
            in_range(element("frame", i), "VertFlag", f.vert_flag, 0, 0x7F);
            if (f.quaternion != std::array<float, 4>{0, 0, 0, 1}) {
                say(IssueId::MV1_VALUE, element("frame", i), "Quaternion", "another", "0 0 0 1");
            }
        }
        for (std::size_t i = 0; i < d_.meshes.size(); ++i) {
            const Mesh& m = d_.meshes[i];
            in_range(element("mesh", i), "BackCulling", m.back_culling, 0, 2);
            in_range(element("mesh", i), "Visible", m.visible, 0, 1);
            in_range(element("mesh", i), "UVUnitNum", m.uv_unit_num, 2, 2);
            in_range(element("mesh", i), "VertFlag", m.vert_flag, 0, 0x7F);
        }
        for (std::size_t i = 0; i < d_.materials.size(); ++i) {
            in_range(element("material", i), "DrawBlendMode", d_.materials[i].blend_mode, 0, 32);
            in_range(element("material", i), "DrawBlendParam", d_.materials[i].blend_param, 0, 255);
        }
        for (std::size_t i = 0; i < d_.toons.size(); ++i) {
            in_range(element("toon", i), "Type", d_.toons[i].type, 0, 8);
        }
        for (std::size_t i = 0; i < d_.textures.size(); ++i) {
            in_range(element("texture", i), "AddressModeU", d_.textures[i].address_u, 1, 4);
            in_range(element("texture", i), "AddressModeV", d_.textures[i].address_v, 1, 4);
            in_range(element("texture", i), "FilterMode", d_.textures[i].filter, 0, 3);
            in_range(element("texture", i), "Flag", d_.textures[i].flag, 0, 7);
        }
        for (std::size_t i = 0; i < d_.lights.size(); ++i) {
            in_range(element("light", i), "Type", d_.lights[i].type, 0, 2);
        }
        for (std::size_t i = 0; i < d_.rigids.size(); ++i) {
            in_range(element("rigid", i), "ShapeType", d_.rigids[i].shape_type, 0, 2);
            in_range(element("rigid", i), "RigidBodyType", d_.rigids[i].body_type, 0, 2);
            in_range(element("rigid", i), "RigidBodyGroupIndex", d_.rigids[i].group_index, 0, 15);
        }
        for (std::size_t i = 0; i < d_.anim_sets.size(); ++i) {
            in_range(element("animSet", i), "Flag", d_.anim_sets[i].flag, 0, 7);
        }
    }

    void counters() {
        const Header& h = d_.header;
        std::uint64_t by_type[3] = {};
        std::uint64_t free_size = 0;
        std::uint64_t positions = 0;
        std::uint64_t normals = 0;
        std::uint64_t faces = 0;
        std::uint64_t vertices = 0;
        std::uint64_t indices = 0;
        for (const Frame& f : d_.frames) {
            positions += static_cast<std::uint64_t>(f.position_num) * (12 + std::uint64_t{8} * f.max_bone_blend_num);
            normals += static_cast<std::uint64_t>(f.normal_num);
        }
        std::vector<std::uint64_t> frame_triangles(d_.frames.size());
        std::vector<std::uint64_t> frame_vertices(d_.frames.size());
        std::vector<bool> frame_skinned(d_.frames.size());
        for (std::size_t m = 0; m < d_.meshes.size(); ++m) {
            const std::uint32_t frame = links_.mesh_frame[m];
            std::uint64_t mesh_indices = 0;
            const Run& run = links_.mesh_lists[m];
            for (std::uint32_t l = run.first; l < run.first + run.count; ++l) {
                mesh_indices += d_.lists[l].index_num;
                frame_vertices[frame] += d_.lists[l].vertex_num;
                frame_skinned[frame] = frame_skinned[frame] || d_.lists[l].vertex_type != 0;
            }
            faces += static_cast<std::uint64_t>(std::max(d_.meshes[m].face_num, 0));
            frame_triangles[frame] += mesh_indices / 3;
            equal(IssueId::MV1_SUMMARY, element("mesh", m), "FaceNum", d_.meshes[m].face_num, static_cast<std::int64_t>(mesh_indices / 3));
        }
        for (std::size_t f = 0; f < d_.frames.size() && !d_.meshes.empty(); ++f) {
            equal(IssueId::MV1_SUMMARY, element("frame", f), "TriangleNum", d_.frames[f].triangle_num, static_cast<std::int64_t>(frame_triangles[f]));
            equal(IssueId::MV1_SUMMARY, element("frame", f), "VertexNum", d_.frames[f].vertex_num, static_cast<std::int64_t>(frame_vertices[f]));
            equal(IssueId::MV1_SUMMARY, element("frame", f), "IsSkinMesh", d_.frames[f].is_skin_mesh, frame_skinned[f] ? 1 : 0);
        }
        for (std::size_t l = 0; l < d_.lists.size(); ++l) {
            const TriangleList& list = d_.lists[l];
            vertices += list.vertex_num;
            indices += list.index_num;
            if (list.vertex_type < 3) {
                by_type[list.vertex_type] += list.vertex_num;
            } else {
                free_size += free_list_size(list);
            }
        }
        counter("TriangleListNormalPositionNum", h.list_normal_position_num, by_type[0]);
        counter("TriangleListSkinPosition4BNum", h.list_skin_4b_num, by_type[1]);
        counter("TriangleListSkinPosition8BNum", h.list_skin_8b_num, by_type[2]);
        counter("TriangleListSkinPositionFREEBSize", h.list_skin_free_size, free_size);
        counter("MeshPositionSize", h.mesh_position_size, positions);
        counter("MeshNormalNum", h.mesh_normal_num, normals);
        counter("MeshFaceNum", h.mesh_face_num, faces);
        counter("MeshVertexIndexNum", h.mesh_vertex_index_num, vertices);
        counter("TriangleListIndexNum", h.list_index_num, indices);
        counter("TriangleNum", h.triangle_num, indices / 3);
        counter("TriangleListVertexNum", h.list_vertex_num, vertices);
        counter("SkinBoneUseFrameNum", h.skin_bone_use_frame_num, d_.frame_use_skin_bones.size());
        std::uint64_t key_bytes = 0;
        for (const KeySet& k : d_.key_sets) {
            key_bytes += expanded_size(k);
        }
        if (static_cast<std::uint64_t>(std::max(h.original_key_data_size, 0)) < key_bytes) {
            counter("OriginalAnimKeyDataSize", h.original_key_data_size, key_bytes);
        }
    }

    void skins() {
        // UseFrame: the right place, a place of a 32-bit writer, or none for all.
        bool some = false;
        bool none = false;
        for (const SkinBone& b : d_.skin_bones) {
            (b.use_frame != 0 ? some : none) |= b.use_frame_num > 0;
        }
        std::uint64_t before = 0;
        for (std::size_t i = 0; i < d_.skin_bones.size(); ++i) {
            const SkinBone& b = d_.skin_bones[i];
            const std::string part = element("skinBone", i);
            if (b.use_frame_num < 0) {
                say(IssueId::MV1_USE_FRAME, part, "UseFrameNum", std::to_string(b.use_frame_num), "0 or more");
                continue;
            }
            if (b.use_frame_num > 0 && b.use_frame == 0 && some) {
                say(IssueId::MV1_USE_FRAME, part, "UseFrame", "0", "an entry, or 0 for all skin bones");
            }
            const std::uint64_t expected = d_.header.skin_bone_use_frame + 8 * before;
            if (b.use_frame != 0 && b.use_frame != expected) {
                say(IssueId::MV1_USE_FRAME_STEP, part, "UseFrame", std::to_string(b.use_frame), std::to_string(expected));
            }
            before += static_cast<std::uint64_t>(b.use_frame_num);
        }
        for (std::size_t i = 0; i < d_.use_frames.size() && (some || !none); ++i) {
            const UseFrame& u = d_.use_frames[i];
            if (u.index < 0 || static_cast<std::size_t>(u.index) >= d_.frames.size()) {
                say(IssueId::MV1_USE_FRAME, element("useFrame", i), "Index", std::to_string(u.index), "below " + std::to_string(d_.frames.size()));
            }
        }
        for (std::size_t f = 0; f < d_.frames.size(); ++f) {
            FrameVertices v;
            static_cast<void>(read_frame_blob(d_.frames[f], d_.frames[f].blob, &v));
            if (v.over_60000 != 0) {
                say(IssueId::MV1_POSITION_STEP, element("frame", f), "the largest 16-bit position", "above 60000", "at most 60000");
            }
            const bool bad = std::any_of(v.positions.begin(), v.positions.end(), [](const auto& p) {
                return !std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2]);
            });
            if (bad) {
                say(IssueId::MV1_NOT_FINITE, element("frame", f), "a position", "no finite number", "one");
            }
            std::uint32_t most = 0;
            for (std::size_t p = 0; p + 1 < v.weight_first.size(); ++p) {
                most = std::max(most, v.weight_first[p + 1] - v.weight_first[p]);
            }
            const std::uint32_t blend = most == 0 ? 0 : most <= 4 ? 4 : most <= 8 ? 8 : most;
            if (d_.frames[f].position_num > 0 && d_.frames[f].max_bone_blend_num < blend) {
                equal(IssueId::MV1_BLEND_COUNT, element("frame", f), "MaxBoneBlendNum", d_.frames[f].max_bone_blend_num, blend);
            }
            lists_of(f, v);
        }
    }
    void lists_of(std::size_t f, const FrameVertices& v) {
        const Run& meshes = links_.frame_meshes[f];
        for (std::uint32_t m = meshes.first; m < meshes.first + meshes.count; ++m) {
            MeshVertices vertices;
            static_cast<void>(read_mesh_blob(d_.meshes[m], d_.meshes[m].blob, &vertices));
            const Run& lists = links_.mesh_lists[m];
            for (std::uint32_t l = lists.first; l < lists.first + lists.count; ++l) {
                one_list(d_.lists[l], element("list", l), v, vertices, links_.frame_palette[f].count);
            }
        }
    }
    void one_list(const TriangleList& list, const std::string& part, const FrameVertices& v, const MeshVertices& vertices, std::uint32_t palette) {
        ListIndices block;
        static_cast<void>(read_list_blob(list, list.blob, &block));
        if (list.index_num % 3 != 0) {
            say(IssueId::MV1_LIST_TRIANGLES, part, "IndexNum", std::to_string(list.index_num), "a multiple of 3");
        }
        if ((list.flag >> 2 & 3u) == 2) {
            say(IssueId::MV1_LIST_WIDE, part, "the width of the indices", "32 bits", "8 or 16");
        }
        if (block.palette.size() > 54) {
            say(IssueId::MV1_LIST_BONES, part, "the number of bones", std::to_string(block.palette.size()), "at most 54");
        }
        std::vector<bool> has(palette);
        for (const std::uint16_t slot : block.palette) {
            if (slot >= palette) {
                say(IssueId::MV1_LIST_PALETTE, part, "a bone", std::to_string(slot), "below " + std::to_string(palette));
                return;
            }
            has[slot] = true;
        }
        const std::uint32_t most = list.vertex_type == 1 ? 4 : list.vertex_type == 2 ? 8 : block.max_bones;
        for (const std::uint32_t i : list.vertex_type == 0 ? std::vector<std::uint32_t>{} : block.vertices) {
            const std::uint32_t p = vertices.position[i];
            const std::uint32_t first = v.weight_first.empty() ? 0 : v.weight_first[p];
            const std::uint32_t end = v.weight_first.empty() ? 0 : v.weight_first[p + 1];
            if (end - first > most) {
                say(IssueId::MV1_LIST_PALETTE, part, "the number of weights of a vertex", std::to_string(end - first), "at most " + std::to_string(most));
                return;
            }
            for (std::uint32_t w = first; w < end && list.vertex_type != 3; ++w) {
                if (!has[v.weights[w].slot]) {
                    say(IssueId::MV1_LIST_PALETTE, part, "a bone of a vertex", std::to_string(v.weights[w].slot), "one of the list's");
                    return;
                }
            }
        }
    }

    void keys() {
        for (std::size_t a = 0; a < d_.anims.size(); ++a) {
            const Run& run = links_.anim_key_sets[a];
            const std::uint32_t shapes = links_.frame_shapes[static_cast<std::size_t>(d_.anims[a].target_frame)].count;
            for (std::uint32_t k = run.first; k < run.first + run.count; ++k) {
                const KeySet& set = d_.key_sets[k];
                Keys keys;
                static_cast<void>(read_key_block(set, set.blob, &keys));
                const std::string part = element("keySet", k);
                in_range(part, "Type", set.type, 0, 7);
                in_range(part, "DataType", set.data_type, 0, 20);
                if (!std::is_sorted(keys.times.begin(), keys.times.end())) {
                    say(IssueId::MV1_KEY_ORDER, part, "the key times", "one goes back", "ascending");
                }
                if (set.data_type == static_cast<std::int8_t>(DataType::Shape) && d_.shape && keys.shape >= shapes) {
                    say(IssueId::MV1_SHAPE_NUMBER, part, "the shape number", std::to_string(keys.shape), "below " + std::to_string(shapes));
                }
            }
        }
    }

    void texts() {
        std::uint64_t count = 0;
        each_array(d_, [&](const char*, const auto& elements, std::uint32_t) {
            if constexpr (Named<typename std::remove_cvref_t<decltype(elements)>::value_type>) {
                for (const auto& e : elements) {
                    bool changed = false;
                    static_cast<void>(text(d_, e.name, &changed));
                    count += changed ? 1 : 0;
                }
            }
        });
        if (count != 0) {
            report_.add(IssueId::MV1_BAD_TEXT, {}, {{"count", std::to_string(count)}});
        }
    }

    const Document& d_;
    const Links& links_;
    const std::string& file_;
    const codec::CheckOptions& options_;
    core::Report& report_;
};

}  // namespace

void check(std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& findings) {
    const Checked<core::Bytes> buffer = unpack(bytes, options.limits);
    if (!buffer) {
        report(buffer.error(), file, findings);
        return;
    }
    const Checked<Document> document = decode_buffer(*buffer, options.limits);
    if (!document) {
        report(document.error(), file, findings);
        return;
    }
    const Checked<Links> links = link(*document);
    if (!links) {
        report(links.error(), file, findings);
        return;
    }
    Checker(*document, *links, file, options, findings).run();
}

}  // namespace gomkit::mv1

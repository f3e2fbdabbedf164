#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "blobs.hpp"
#include "import.hpp"

namespace gomkit::mv1 {
namespace {

using model::Mat4;
using model::Vec2;
using model::Vec3;
using model::Vec4;

Vec3 vec3(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

// Numbers that are none move nothing.
std::array<float, 3> usable(std::array<float, 3> v) {
    for (float& c : v) {
        c = std::isfinite(c) ? c : 0;
    }
    return v;
}

// What the parts of one model mesh have in common; a frame's triangles are sorted into one mesh for each.
struct Group {
    bool skinned = false;
    bool visible = true;
    std::uint32_t uv_sets = 0;
    bool diffuse_colors = false;
    bool specular_colors = false;
    bool normals = false;
    auto operator<=>(const Group&) const = default;
};

// One run of triangles of a group: a list of one mesh.
struct Piece {
    std::uint32_t mesh = 0;
    std::uint32_t list = 0;
};

// The inverse bind of a skin bone: stored as 3 rows of 4, that is columns of the matrix that row vectors take.
Mat4 model_local(const SkinBone& b) {
    Mat4 m;
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 4; ++c) {
            m.m[4 * c + r] = static_cast<double>(b.model_local[4 * r + c]);
        }
    }
    return turn(m);
}

// The triangles of all meshes of a frame give the normals that the file leaves out: sums of unit face normals per normal.
std::vector<Vec3> make_normals(const Import& in, std::uint32_t frame, const FrameVertices& vertices, const std::vector<MeshVertices>& meshes) {
    std::vector<Vec3> sums(static_cast<std::size_t>(in.doc.frames[frame].normal_num));
    const Run& run = in.links.frame_meshes[frame];
    for (std::uint32_t m = 0; m < run.count; ++m) {
        const MeshVertices& mesh = meshes[m];
        const Run& lists = in.links.mesh_lists[run.first + m];
        for (std::uint32_t l = lists.first; l < lists.first + lists.count && !mesh.normal.empty(); ++l) {
            ListIndices list;
            static_cast<void>(read_list_blob(in.doc.lists[l], in.doc.lists[l].blob, &list));
            for (std::size_t i = 0; i + 2 < list.indices.size(); i += 3) {
                std::uint32_t corner[3];
                Vec3 p[3];
                for (std::size_t k = 0; k < 3; ++k) {
                    corner[k] = list.vertices[list.indices[i + k]];
                    p[k] = vec3(vertices.positions[mesh.position[corner[k]]]);
                }
                const Vec3 n = normalized(cross(p[1] - p[0], p[2] - p[0]));
                for (const std::uint32_t c : corner) {
                    sums[mesh.normal[c]] += n;
                }
            }
        }
    }
    for (Vec3& n : sums) {
        n = normalized(n);
    }
    return sums;
}

// Numbers in the order of first use.
class Numbering {
public:
    explicit Numbering(std::size_t size) : number_(size, model::kNoIndex) {}
    std::uint32_t place(std::uint32_t i) {
        if (number_[i] == model::kNoIndex) {
            number_[i] = static_cast<std::uint32_t>(used_.size());
            used_.push_back(i);
        }
        return number_[i];
    }
    [[nodiscard]] const std::vector<std::uint32_t>& used() const { return used_; }
    void clear() {
        for (const std::uint32_t i : used_) {
            number_[i] = model::kNoIndex;
        }
        used_.clear();
    }

private:
    std::vector<std::uint32_t> number_;
    std::vector<std::uint32_t> used_;
};

class FrameMeshes {
public:
    FrameMeshes(Import& in, std::uint32_t frame)
        : in_(in), frame_(frame), corner_normals_(static_cast<std::size_t>(in.doc.frames[frame].normal_num)) {
        static_cast<void>(read_frame_blob(in.doc.frames[frame], in.doc.frames[frame].blob, &vertices_));   // decode has seen it whole
        const Run& run = in.links.frame_meshes[frame];
        meshes_.resize(run.count);
        for (std::uint32_t m = 0; m < run.count; ++m) {
            static_cast<void>(read_mesh_blob(in.doc.meshes[run.first + m], in.doc.meshes[run.first + m].blob, &meshes_[m]));
        }
        find_points();
        points_ = Numbering(position_of_.size());
        for (const auto& n : vertices_.normals) {
            normals_.push_back(vec3(n));
        }
        if (normals_.empty() && in.doc.frames[frame].normal_num > 0) {
            normals_ = make_normals(in, frame, vertices_, meshes_);
        }
    }

    void run() {
        std::map<Group, std::vector<Piece>> pieces;
        std::vector<Group> order;   // by first triangle
        const Run& meshes = in_.links.frame_meshes[frame_];
        std::uint64_t no_outline = 0;
        for (std::uint32_t m = meshes.first; m < meshes.first + meshes.count; ++m) {
            const Mesh& mesh = in_.doc.meshes[m];
            const MeshVertices& vertices = meshes_[m - meshes.first];
            for (const bool bit : vertices.no_outline) {
                no_outline += bit ? 1u : 0u;
            }
            const Run& lists = in_.links.mesh_lists[m];
            for (std::uint32_t l = lists.first; l < lists.first + lists.count; ++l) {
                Group g;
                g.skinned = in_.doc.lists[l].vertex_type != 0;
                g.visible = mesh.visible != 0;
                g.uv_sets = vertices.uvs.empty() ? 0 : mesh.uv_set_num;
                g.diffuse_colors = mesh.use_diffuse_color != 0;
                g.specular_colors = mesh.use_specular_color != 0;
                g.normals = !vertices.normal.empty() && !normals_.empty();
                std::vector<Piece>& list = pieces[g];
                if (list.empty()) {
                    order.push_back(g);
                }
                list.push_back({m, l});
            }
        }
        in_.hold("outline marks of vertices", no_outline);
        for (const Group& g : order) {
            add(g, pieces[g]);
        }
    }

private:
    // What one shape does to a vertex.
    struct Move {
        std::uint32_t shape = 0;   ///< number in the frame
        std::array<float, 3> position{};
        std::array<float, 3> normal{};
        bool operator==(const Move&) const = default;
    };
    using Moves = std::vector<Move>;

    // A model's shapes move points, a file's the vertices of a mesh: a position is a point for each way in which its vertices move.
    void find_points() {
        position_of_.resize(vertices_.positions.size());
        std::iota(position_of_.begin(), position_of_.end(), 0u);
        const Run& run = in_.links.frame_meshes[frame_];
        point_of_.resize(run.count);
        for (std::uint32_t m = 0; m < run.count; ++m) {
            point_of_[m] = meshes_[m].position;
        }
        if (in_.links.frame_shapes[frame_].count == 0) {
            return;
        }
        const std::vector<std::vector<Moves>> moves = moves_of_vertices();
        moves_.resize(position_of_.size());
        std::vector<bool> seen(position_of_.size());
        std::vector<std::uint32_t> next(position_of_.size(), kNone);
        for (std::uint32_t m = 0; m < run.count; ++m) {
            for (std::size_t v = 0; v < point_of_[m].size(); ++v) {
                std::uint32_t p = point_of_[m][v];
                if (!seen[p]) {
                    seen[p] = true;
                    moves_[p] = moves[m][v];
                }
                while (moves_[p] != moves[m][v]) {
                    if (next[p] == kNone) {
                        next[p] = static_cast<std::uint32_t>(position_of_.size());
                        position_of_.push_back(position_of_[p]);
                        moves_.push_back(moves[m][v]);
                        next.push_back(kNone);
                    }
                    p = next[p];
                }
                point_of_[m][v] = p;
            }
        }
    }

    [[nodiscard]] std::vector<std::vector<Moves>> moves_of_vertices() {
        const Run& run = in_.links.frame_meshes[frame_];
        std::vector<std::vector<Moves>> out(run.count);
        for (std::uint32_t m = 0; m < run.count; ++m) {
            out[m].resize(meshes_[m].position.size());
        }
        const Run& shapes = in_.links.frame_shapes[frame_];
        for (std::uint32_t s = 0; s < shapes.count; ++s) {
            const Run& parts = in_.links.shape_meshes[shapes.first + s];
            bool moves = false;
            for (std::uint32_t part = parts.first; part < parts.first + parts.count; ++part) {
                const std::uint32_t target = in_.links.shape_mesh_target[part];
                if (target < run.first || target >= run.first + run.count) {
                    continue;
                }
                const Run& vertices = in_.links.shape_mesh_vertices[part];
                for (std::uint32_t v = vertices.first; v < vertices.first + vertices.count; ++v) {
                    const ShapeVertex& vertex = in_.doc.shape_vertices[v];
                    Moves& to = out[target - run.first][static_cast<std::size_t>(vertex.target_vertex)];
                    if (to.empty() || to.back().shape != s) {
                        to.push_back({s, usable(vertex.position), usable(vertex.normal)});
                    }
                    moves = true;
                }
            }
            in_.hold("blend shapes that move nothing", moves ? 0 : 1);
        }
        return out;
    }

    // The shapes that move points of a mesh.
    void add_morphs(model::Mesh& out) {
        std::map<std::uint32_t, model::MorphShape> shapes;
        for (std::uint32_t i = 0; i < points_.used().size() && !moves_.empty(); ++i) {
            for (const Move& move : moves_[points_.used()[i]]) {
                model::MorphShape& shape = shapes[move.shape];
                shape.points.push_back(i);
                shape.offsets.push_back(to_point(wide3(move.position)));
                shape.normal_offsets.push_back(turn(wide3(move.normal)));
            }
        }
        for (auto& [number, shape] : shapes) {
            in_.morphs[frame_].push_back({number, model::MeshId{static_cast<std::uint32_t>(in_.model.meshes.size())},
                                          static_cast<std::uint32_t>(out.morphs.size())});
            model::MorphChannel& channel = out.morphs.emplace_back();
            channel.name = in_.name(in_.doc.shapes[in_.links.frame_shapes[frame_].first + number].name);
            shape.name = channel.name;
            channel.shapes.push_back(std::move(shape));
        }
    }

    void add(const Group& group, const std::vector<Piece>& pieces) {
        const Frame& frame = in_.doc.frames[frame_];
        model::Mesh out;
        out.name = in_.model.nodes[in_.node_of[frame_].value].name;
        out.origin = {out.name, frame_};
        out.uvs.resize(group.uv_sets);
        if (group.diffuse_colors) {
            out.colors.emplace_back().name = "diffuse";
        }
        if (group.specular_colors) {
            out.colors.emplace_back().name = "specular";
        }
        model::MeshInstance instance;
        instance.name = out.name;
        instance.node = in_.node_of[frame_];
        instance.visible = group.visible && (frame.flag & 1u) != 0;
        instance.origin = out.origin;
        points_.clear();
        corner_normals_.clear();
        layers_of_ = kNone;
        out.polygon_first.push_back(0);
        std::map<std::uint32_t, std::uint32_t> slot_of_material;
        for (const Piece& piece : pieces) {
            const std::uint32_t material = in_.links.mesh_material[piece.mesh];
            const auto [slot, added] = slot_of_material.try_emplace(material, static_cast<std::uint32_t>(instance.materials.size()));
            if (added) {
                instance.materials.push_back(material == kNone ? model::MaterialId{} : model::MaterialId{material});
            }
            add_list(group, piece, slot->second, out);
        }
        if (out.corner_point.empty()) {
            return;
        }
        for (const std::uint32_t p : points_.used()) {
            out.points.push_back(to_point(vec3(vertices_.positions[position_of_[p]])));
        }
        for (const std::uint32_t n : corner_normals_.used()) {
            const Vec3 normal = normals_[n];
            out.normals.values.push_back(turn(normal));
            if (!vertices_.tangents.empty()) {
                const Vec3 tangent = vec3(vertices_.tangents[n]);
                const Vec3 turned = turn(tangent);
                // The file's binormal points down in the picture, the model's bitangent up.
                const double sign = dot(cross(normal, tangent), vec3(vertices_.binormals[n])) > 0 ? -1 : 1;
                out.tangents.values.push_back({turned.x, turned.y, turned.z, sign});
            }
        }
        if (group.skinned) {
            add_skin(out, instance);
        }
        add_morphs(out);
        instance.mesh = model::MeshId{static_cast<std::uint32_t>(in_.model.meshes.size())};
        in_.model.meshes.push_back(std::move(out));
        in_.model.instances.push_back(std::move(instance));
    }

    void add_list(const Group& group, const Piece& piece, std::uint32_t slot, model::Mesh& out) {
        const std::uint32_t mesh = piece.mesh - in_.links.frame_meshes[frame_].first;
        const MeshVertices& v = meshes_[mesh];
        ListIndices list;
        static_cast<void>(read_list_blob(in_.doc.lists[piece.list], in_.doc.lists[piece.list].blob, &list));
        if (layers_of_ != piece.mesh) {   // the lists of one mesh follow one another
            layers_of_ = piece.mesh;
            add_layers(group, v, out);
        }
        const bool common = v.diffuse.size() == 1;
        for (std::size_t i = 0; i + 2 < list.indices.size(); i += 3) {
            for (std::size_t k = 0; k < 3; ++k) {
                const std::uint32_t vertex = list.vertices[list.indices[i + k]];
                out.corner_point.push_back(points_.place(point_of_[mesh][vertex]));
                if (group.normals) {
                    out.normals.corner_index.push_back(corner_normals_.place(v.normal[vertex]));
                    if (!vertices_.tangents.empty()) {
                        out.tangents.corner_index.push_back(out.normals.corner_index.back());
                    }
                }
                for (auto& uv : out.uvs) {
                    uv.corner_index.push_back(uv_base_ + vertex);
                }
                for (auto& color : out.colors) {
                    color.corner_index.push_back(color_base_ + (common ? 0 : vertex));
                }
            }
            out.polygon_first.push_back(static_cast<std::uint32_t>(out.corner_point.size()));
            out.polygon_material.push_back(slot);
        }
    }

    void add_layers(const Group& group, const MeshVertices& v, model::Mesh& out) {
        uv_base_ = static_cast<std::uint32_t>(group.uv_sets != 0 ? out.uvs[0].values.size() : 0);
        for (std::size_t i = 0; group.uv_sets != 0 && i < v.position.size(); ++i) {
            for (std::uint32_t s = 0; s < group.uv_sets; ++s) {
                const auto& uv = v.uvs[i * group.uv_sets + s];
                out.uvs[s].values.push_back(Vec2{uv[0], uv[1]});
            }
        }
        color_base_ = static_cast<std::uint32_t>(out.colors.empty() ? 0 : out.colors[0].values.size());
        for (std::size_t layer = 0; layer < out.colors.size(); ++layer) {
            for (const auto& c : layer == 0 && group.diffuse_colors ? v.diffuse : v.specular) {
                out.colors[layer].values.push_back(Vec4{c[0] / 255.0, c[1] / 255.0, c[2] / 255.0, c[3] / 255.0});
            }
        }
    }

    void add_skin(model::Mesh& out, const model::MeshInstance& instance) {
        const Run& palette = in_.links.frame_palette[frame_];
        model::Skin skin;
        for (std::uint32_t s = 0; s < palette.count; ++s) {
            const std::uint32_t bone = in_.links.palette[palette.first + s];
            skin.clusters.push_back({in_.node_of[in_.links.skin_bone_driver[bone]], model_local(in_.doc.skin_bones[bone])});
        }
        // Points without any bone stay with the mesh's own frame.
        const std::uint32_t own = palette.count;
        bool own_used = false;
        skin.first.push_back(0);
        for (const std::uint32_t point : points_.used()) {
            const std::uint32_t p = position_of_[point];
            const std::uint32_t first = vertices_.weight_first.empty() ? 0 : vertices_.weight_first[p];
            const std::uint32_t end = vertices_.weight_first.empty() ? 0 : vertices_.weight_first[p + 1];
            double sum = 0;
            for (std::uint32_t w = first; w < end; ++w) {
                double weight = vertices_.weights[w].weight;
                if (w + 1 == end && end - first > 1) {
                    weight = std::fmax(1 - sum, 0.0);   // the writer cuts, the loader makes the sum 1
                }
                sum += weight;
                skin.influences.push_back({vertices_.weights[w].slot, weight});
            }
            if (!(sum > 0)) {
                skin.influences.push_back({own, 1.0});
                own_used = true;
            }
            skin.first.push_back(static_cast<std::uint32_t>(skin.influences.size()));
        }
        if (own_used) {
            skin.clusters.push_back({instance.node, Mat4{}});
        }
        if (!skin.clusters.empty()) {
            out.skin = std::move(skin);
        }
    }

    Import& in_;
    std::uint32_t frame_;
    FrameVertices vertices_;
    std::vector<MeshVertices> meshes_;
    std::vector<Vec3> normals_;
    std::vector<std::uint32_t> position_of_;               ///< per point of the frame
    std::vector<std::vector<std::uint32_t>> point_of_;     ///< per mesh and vertex
    std::vector<Moves> moves_;               ///< per point; empty: the frame has no shapes
    Numbering points_{0};                    ///< of the mesh being made, by the frame's points
    Numbering corner_normals_;               ///< and by its normals
    std::uint32_t layers_of_ = kNone;        ///< the mesh whose UVs and colours were added last, and where they begin
    std::uint32_t uv_base_ = 0;
    std::uint32_t color_base_ = 0;
};

}  // namespace

void import_meshes(Import& in) {
    in.morphs.resize(in.doc.frames.size());
    for (std::uint32_t f = 0; f < in.doc.frames.size(); ++f) {
        if (in.links.frame_meshes[f].count != 0) {
            FrameMeshes(in, f).run();
        }
    }
}

}  // namespace gomkit::mv1

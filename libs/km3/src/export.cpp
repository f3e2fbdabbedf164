#include "export.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include <gomkit/core/path.hpp>
#include <gomkit/core/text.hpp>
#include <gomkit/model/same.hpp>
#include <gomkit/model/skeleton.hpp>
#include <gomkit/model/texture_name.hpp>
#include <gomkit/pass/bound_mesh.hpp>

#include "bytes.hpp"
#include "fit.hpp"
#include "import.hpp"
#include "layout.hpp"
#include "measure.hpp"
#include "options.hpp"

namespace gomkit::km3 {
namespace {

using core::IssueId;
using model::Mat4;
using model::Vec2;
using model::Vec3;
namespace lay = layout;

constexpr std::uint32_t kNone = 0xFFFFFFFFu;
constexpr double kUnitsPerMetre = 1000;
constexpr double kPlane = 1e-6;       // of a quad's perimeter: how flat two triangles must lie to be joined

float to_float(double v) { return static_cast<float>(v) + 0.0f; }

core::Place place_of(const std::string& part) { return core::Place{{}, part, std::nullopt, std::nullopt}; }

// --- A model that was a KM3 -------------------------------------------------------------------------------------------------

/// Whether the stored units still say what the model says.
bool still_means(const model::Model& model, const Document& stored) {
    core::Report unused;
    return model::means_the_same(model, import(Document(stored), unused));
}

core::Result<Document> export_stored(const model::Model& model, const Options& options, core::Report& report) {
    Document out = *model.km3;
    for (std::size_t i = 0; i < out.names.size(); ++i) {
        const model::Texture& texture = model.textures[i];
        if (!texture.path.empty() && texture.path != core::clean_text(core::stored_path(texture.source_relative))) {
            const std::string written = printable_name(core::source_base_name(texture.path));
            report.add(IssueId::KM3_TEXTURE_RENAMED, {}, {{"path", texture.source_relative}, {"written", written}});
            out.names[i] = written;
        }
    }
    const bool inward = options.normals == Normals::Source ? out.inward : options.normals == Normals::Inward;
    const double scale = options.scale;
    for (Unit& unit : out.units) {
        if (inward != out.inward) {
            for (Vec4f& n : unit.norms) {
                for (std::size_t c = 0; c < 3; ++c) {
                    n[c] = 0.0f - n[c];
                }
            }
        }
        if (scale != 1) {
            const auto grow = [scale](float& f) { f = static_cast<float>(static_cast<double>(f) * scale); };
            std::for_each(unit.origin.begin(), unit.origin.end(), grow);
            for (Vec4f& v : unit.verts) {
                std::for_each(v.begin(), v.begin() + 3, grow);
            }
        }
    }
    out.inward = inward;
    return out;
}

// --- Any model --------------------------------------------------------------------------------------------------------------

// What a polygon's material says in a KM3.
struct Look {
    std::uint32_t texture = kNone;    // model::Textures index
    std::uint32_t flags = 0;
};

struct Corner {
    std::uint32_t vertex = 0;
    std::array<float, 4> point{};     // unit space, weight
    std::array<float, 4> normal{};
    std::array<float, 2> uv{};
};
struct Polygon {
    std::array<Corner, 4> corner;     // a triangle repeats its third
    std::uint32_t texture = kNone;
    bool quad = false;
};

// Of a triangle's corner, in the file's space.
struct Attributes {
    std::array<float, 3> normal{};
    std::array<float, 2> uv{};
};

struct VectorHash {
    std::size_t operator()(const std::array<std::uint32_t, 4>& key) const {
        std::uint64_t h = 0x9E3779B97F4A7C15ull;
        for (const std::uint32_t k : key) {
            h = (h ^ k) * 0xD6E8FEB86659FD93ull;
            h ^= h >> 32;
        }
        return static_cast<std::size_t>(h);
    }
};

class Exporter {
public:
    Exporter(const model::Model& model, const codec::WriteOptions& options, core::Report& report)
        : model_(model), options_(options), own_(options_of(options.format)), report_(report), scale_(kUnitsPerMetre * own_.scale) {}

    core::Result<Document> run() {
        auto skeleton = model::build_skeleton(model_, options_.limits);
        if (!skeleton) {
            return core::Fault(std::move(skeleton.error()));
        }
        skeleton_ = std::move(*skeleton);
        make_units();
        looks();
        const pass::InstanceBinder binder(model_, skeleton_, unit_of_bone_);
        for (const model::MeshInstance& instance : model_.instances) {
            gather(instance, binder);
        }
        close_vertices();
        fit_ = fit(input_);
        if (auto written = write_units(); !written) {
            return core::Fault(std::move(written.error()));
        }
        losses();
        report_fit();
        return std::move(out_);
    }

private:
    // --- Units

    void make_units() {
        const std::vector<std::uint32_t> order = model::depth_first(skeleton_);
        unit_of_bone_.assign(order.size(), 0);
        for (const std::uint32_t b : order) {
            const model::SkeletonBone& bone = skeleton_.bones[b];
            unit_of_bone_[b] = static_cast<std::uint32_t>(measure_.units.size());
            RestUnit unit;
            unit.head = transform_point(Vec3{}, bone.bind_model);
            unit.bone = static_cast<std::int32_t>(b);
            unit.parent = bone.parent < 0 ? -1 : static_cast<std::int32_t>(unit_of_bone_[static_cast<std::size_t>(bone.parent)]);
            measure_.units.push_back(unit);
        }
    }

    /// The unit for what no bone moves: a root at the origin behind all others, made when it is needed.
    std::uint32_t static_unit() {
        if (!static_unit_) {
            static_unit_ = static_cast<std::uint32_t>(measure_.units.size());
            measure_.units.emplace_back();
        }
        return *static_unit_;
    }

    // --- Materials

    void looks() {
        for (const model::Material& m : model_.materials) {
            looks_.push_back({m.textures[0], (m.alpha_blend || m.opacity < 1 ? lay::type::kTrans : 0u) | (m.unlit ? lay::type::kNoShade : 0u) |
                                                 (m.double_sided ? lay::type::kTwoSide : 0u) | (m.km3_draw_flags & lay::type::kDrawFlags)});
        }
        looks_.emplace_back();
    }

    [[nodiscard]] const Look& look_of(const model::MeshInstance& instance, std::uint32_t slot) const {
        const model::MaterialId id = slot < instance.materials.size() ? instance.materials[slot] : model::MaterialId{};
        return id.valid() ? looks_[id.value] : looks_.back();
    }

    // --- Vertices and triangles

    /// The vertex of a point: those of one place and equal weights are one, whichever mesh they are of.
    std::uint32_t vertex(const model::Mesh& mesh, const pass::BoundInstance& bound, std::uint32_t point, pass::BoundFindings& findings) {
        std::vector<pass::BoundWeight> list = pass::bound_weights(mesh, bound, point);
        if (list.empty()) {
            findings.unweighted += bound.of_cluster.empty() ? 0u : 1u;
            list.push_back({bound.number, 1, transform_point(mesh.points[point], bound.placement)});
        }
        Vec3 at = list.front().image;
        const double near = 1e-18 * dot(at, at);
        if (std::any_of(list.begin(), list.end(), [&](const pass::BoundWeight& w) { return !(dot(w.image - at, w.image - at) <= near); })) {
            at = {};
            for (const pass::BoundWeight& w : list) {
                at += w.image * w.weight;
            }
        }
        if (!std::isfinite(at.x) || !std::isfinite(at.y) || !std::isfinite(at.z)) {
            ++findings.non_finite;
            at = {};
            for (pass::BoundWeight& w : list) {
                w.image = {};
            }
        }
        at = at + Vec3{};   // no -0
        const auto number = static_cast<std::uint32_t>(measure_.points.size());
        std::uint64_t key = 0x9E3779B97F4A7C15ull;
        const auto mix = [&key](double v) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, &v, sizeof bits);
            key = (key ^ bits) * 0xD6E8FEB86659FD93ull;
            key ^= key >> 32;
        };
        for (const double v : {at.x, at.y, at.z}) {
            mix(v);
        }
        for (const pass::BoundWeight& w : list) {
            mix(w.number);
            mix(w.weight);
        }
        const auto [head, fresh] = welded_.try_emplace(key, number);
        for (std::uint32_t v = fresh ? kNone : head->second; v != kNone; v = next_[v]) {
            const std::size_t begin = input_.first[v];
            const std::size_t end = v + 1 < input_.first.size() ? input_.first[v + 1] : input_.weights.size();
            if (measure_.points[v] == at && std::equal(input_.weights.begin() + static_cast<std::ptrdiff_t>(begin), input_.weights.begin() + static_cast<std::ptrdiff_t>(end),
                                                       list.begin(), list.end(), [](const BoneWeight& a, const pass::BoundWeight& b) { return a.unit == b.number && a.weight == b.weight; })) {
                return v;
            }
        }
        next_.push_back(fresh ? kNone : head->second);
        head->second = number;
        measure_.points.push_back(at);
        input_.first.push_back(static_cast<std::uint32_t>(input_.weights.size()));
        for (const pass::BoundWeight& w : list) {
            input_.weights.push_back({w.number, w.weight});
            measure_.images.push_back(w.image);
        }
        return number;
    }

    void gather(const model::MeshInstance& instance, const pass::InstanceBinder& binder) {
        const model::Mesh& mesh = model_.meshes[instance.mesh.value];
        if (mesh.polygon_count() == 0) {
            report_.add(IssueId::MESH_EMPTY, place_of(instance.name));
            return;
        }
        pass::BoundInstance bound = binder.bind(instance, report_);
        if (bound.number == pass::BoundInstance::kNothing) {
            bound.number = static_unit();
        }
        pass::BoundTriangleStats stats;
        pass::BoundFindings findings;
        const double sign = own_.normals == Normals::Inward ? -1 : 1;
        std::vector<std::uint32_t> vertex_of(mesh.points.size(), kNone);
        pass::bound_triangles(mesh, bound, options_.normals, stats, [&](const pass::BoundTriangle& triangle) {
            std::array<std::uint32_t, 3> vertices{};
            std::array<Attributes, 3> attributes;
            for (std::size_t k = 0; k < 3; ++k) {
                std::uint32_t& v = vertex_of[triangle.points[k]];
                if (v == kNone) {
                    v = vertex(mesh, bound, triangle.points[k], findings);
                }
                vertices[k] = v;
                const Vec3& n = triangle.normals[k];
                attributes[k].normal = {to_float(-n.x * sign), to_float(n.y * sign), to_float(n.z * sign)};
                const Vec2& uv = triangle.uvs[k];
                if (!is_bad_as_float(uv.x) && !is_bad_as_float(uv.y)) {
                    attributes[k].uv = {to_float(uv.x), to_float(uv.y)};
                }
            }
            input_.triangles.push_back(vertices);
            attributes_.push_back(attributes);
            look_of_triangle_.push_back(look_of(instance, triangle.slot));
        });
        const std::int32_t bone = bound.number < measure_.units.size() ? measure_.units[bound.number].bone : -1;
        findings.bone = bone >= 0 ? model_.nodes[skeleton_.bones[static_cast<std::size_t>(bone)].node.value].name : std::string();
        pass::report_bound(instance, stats, findings, report_);
    }

    // --- Texture names

    void name_textures() {
        std::vector<bool> used(model_.textures.size(), false);
        for (const Look& look : look_of_triangle_) {
            if (look.texture < used.size()) {
                used[look.texture] = true;
            }
        }
        names_.resize(used.size());
        std::map<std::string, std::string> path_of;   // by the name that has been given
        std::map<std::string, std::string> name_of;   // by path
        for (std::size_t i = 0; i < used.size(); ++i) {
            if (!used[i]) {
                continue;
            }
            const model::Texture& texture = model_.textures[i];
            const std::string& path = model::written_name(texture);
            if (const auto known = name_of.find(path); known != name_of.end()) {
                names_[i] = known->second;
                continue;
            }
            const std::string base = core::source_base_name(path);
            std::string name = printable_name(base);
            for (unsigned n = 2; !name.empty() && path_of.contains(name); ++n) {
                name = numbered_name(printable_name(base), n);
            }
            if (name != base) {
                report_.add(IssueId::KM3_TEXTURE_RENAMED, {}, {{"path", path}, {"written", name}});
            }
            path_of.emplace(name, path);
            name_of.emplace(path, name);
            names_[i] = std::move(name);
        }
    }

    std::uint32_t document_name(std::uint32_t texture) {
        if (texture >= names_.size() || names_[texture].empty()) {
            return kNoName;
        }
        const auto [it, added] = document_names_.try_emplace(names_[texture], static_cast<std::uint32_t>(out_.names.size()));
        if (added) {
            out_.names.push_back(names_[texture]);
        }
        return it->second;
    }

    // --- Writing

    core::Result<void> write_units() {
        const std::size_t count = measure_.units.size();
        out_.inward = own_.normals == Normals::Inward;
        out_.unit_count = static_cast<std::uint32_t>(count);
        out_.units.resize(count);
        for (std::size_t u = 0; u < count; ++u) {
            const RestUnit& unit = measure_.units[u];
            const Vec3 head = to_file(unit.head);
            const Vec3 above = unit.parent < 0 ? Vec3{} : to_file(measure_.units[static_cast<std::size_t>(unit.parent)].head);
            const Vec3 t = head - above;
            out_.units[u].origin = {to_float(t.x), to_float(t.y), to_float(t.z)};
            out_.units[u].parent = unit.parent;
        }
        origins_ = rest_origins(out_);
        name_textures();

        std::vector<std::uint32_t> order(input_.triangles.size());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return fit_.unit[a] != fit_.unit[b] ? fit_.unit[a] < fit_.unit[b] : look_of_triangle_[a].flags < look_of_triangle_[b].flags;
        });
        for (std::size_t i = 0; i < order.size();) {
            std::size_t end = i;
            while (end < order.size() && fit_.unit[order[end]] == fit_.unit[order[i]] && look_of_triangle_[order[end]].flags == look_of_triangle_[order[i]].flags) {
                ++end;
            }
            write_group(std::span(order).subspan(i, end - i));
            i = end;
        }
        // Names in order of first use, and units behind the ordinary ones.
        for (std::size_t i = 0; i < out_.units.size(); ++i) {
            for (std::uint32_t& tex : out_.units[i].tex) {
                tex = document_name(tex);
            }
        }
        return fits();
    }

    [[nodiscard]] Vec3 to_file(const Vec3& p) const { return {(0 - p.x) * scale_, p.y * scale_, p.z * scale_}; }

    Corner corner(std::uint32_t triangle, std::size_t k) {
        const std::uint32_t unit = fit_.unit[triangle];
        Corner out;
        out.vertex = input_.triangles[triangle][k];
        const Vec3 p = to_file(measure_.points[out.vertex]);
        const std::array<double, 3> exact{p.x, p.y, p.z};
        const float w = fit_.own[triangle][k];
        for (std::size_t c = 0; c < 3; ++c) {
            out.point[c] = to_float(exact[c] - origins_[unit][c]);
            out_of_range_ = out_of_range_ || is_bad_as_float(exact[c]) || is_bad_float(out.point[c]);
            rest_ = std::max(rest_, std::fabs(origins_[unit][c] + static_cast<double>(out.point[c]) - exact[c]));
            out.normal[c] = attributes_[triangle][k].normal[c];
        }
        out.point[3] = w;
        out.normal[3] = w;
        out.uv = attributes_[triangle][k].uv;
        measure_.written.push_back({out.vertex, envelope(input_.parent, unit, w)});
        return out;
    }

    /// The triangles of one unit and one set of flags: into the unit itself while that is empty, else into extension units.
    void write_group(std::span<const std::uint32_t> triangles) {
        std::vector<Polygon> polygons;
        polygons.reserve(triangles.size());
        for (const std::uint32_t t : triangles) {
            Polygon polygon;
            for (std::size_t k = 0; k < 3; ++k) {
                polygon.corner[k] = corner(t, k);
            }
            polygon.corner[3] = polygon.corner[2];
            polygon.texture = look_of_triangle_[t].texture;
            polygons.push_back(polygon);
        }
        if (own_.quads) {
            join(polygons);
        }
        const std::uint32_t base = fit_.unit[triangles.front()];
        const std::uint32_t type = lay::type::kGt4 | look_of_triangle_[triangles.front()].flags;
        std::size_t at = base;
        if (!out_.units[base].vid.empty()) {
            at = extend(base);
        }
        out_.units[at].type = type;
        std::unordered_map<std::array<std::uint32_t, 4>, std::uint16_t, VectorHash> points;
        std::unordered_map<std::array<std::uint32_t, 4>, std::uint16_t, VectorHash> normals;
        const auto key = [](const std::array<float, 4>& v) {
            std::array<std::uint32_t, 4> bits{};
            std::memcpy(bits.data(), v.data(), sizeof bits);
            return bits;
        };
        for (const Polygon& polygon : polygons) {
            const std::size_t corners = polygon.quad ? 4 : 3;
            if (out_.units[at].verts.size() + corners > lay::kMostWritten || out_.units[at].norms.size() + corners > lay::kMostWritten) {
                std::size_t new_points = 0;
                std::size_t new_normals = 0;
                for (std::size_t k = 0; k < corners; ++k) {
                    new_points += points.contains(key(polygon.corner[k].point)) ? 0u : 1u;
                    new_normals += normals.contains(key(polygon.corner[k].normal)) ? 0u : 1u;
                }
                if (out_.units[at].verts.size() + new_points > lay::kMostWritten || out_.units[at].norms.size() + new_normals > lay::kMostWritten) {
                    at = extend(base);
                    out_.units[at].type = type;
                    points.clear();
                    normals.clear();
                }
            }
            Unit& unit = out_.units[at];
            Quad vid{};
            Quad nid{};
            QuadUv uv{};
            for (std::size_t k = 0; k < 4; ++k) {
                const Corner& c = polygon.corner[k];
                const auto [point, new_point] = points.try_emplace(key(c.point), static_cast<std::uint16_t>(unit.verts.size()));
                if (new_point) {
                    unit.verts.push_back(c.point);
                }
                const auto [normal, new_normal] = normals.try_emplace(key(c.normal), static_cast<std::uint16_t>(unit.norms.size()));
                if (new_normal) {
                    unit.norms.push_back(c.normal);
                }
                vid[k] = point->second;
                nid[k] = normal->second;
                uv[2 * k] = c.uv[0];
                uv[2 * k + 1] = c.uv[1];
            }
            unit.vid.push_back(vid);
            unit.nid.push_back(nid);
            unit.uvs.push_back(uv);
            unit.tex.push_back(polygon.texture);
        }
    }

    /// A new extension unit at the end of the base's chain.
    std::size_t extend(std::uint32_t base) {
        const std::size_t at = out_.units.size();
        std::size_t last = base;
        while (out_.units[last].extend >= 0) {
            last = static_cast<std::size_t>(out_.units[last].extend);
        }
        out_.units[last].extend = static_cast<std::int32_t>(at);
        out_.units.emplace_back();
        out_.units[at].origin = out_.units[base].origin;
        out_.units[at].parent = out_.units[base].parent;
        return at;
    }

    /// Joins each triangle with the first later one that shares an edge, its corners' values and its plane, where the two make a convex quad.
    void join(std::vector<Polygon>& polygons) const {
        const auto edge = [](std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; };
        std::unordered_map<std::uint64_t, std::size_t> by_edge;   // the first triangle with this edge, in this direction
        for (std::size_t i = polygons.size(); i-- > 0;) {
            for (std::size_t k = 0; k < 3; ++k) {
                by_edge[edge(polygons[i].corner[k].vertex, polygons[i].corner[(k + 1) % 3].vertex)] = i;
            }
        }
        std::vector<bool> gone(polygons.size(), false);
        for (std::size_t i = 0; i < polygons.size(); ++i) {
            for (std::size_t k = 0; k < 3 && !gone[i] && !polygons[i].quad; ++k) {
                // a b c with the edge c a; the other one is a c d.
                const Corner& a = polygons[i].corner[(k + 1) % 3];
                const Corner& b = polygons[i].corner[(k + 2) % 3];
                const Corner& c = polygons[i].corner[k];
                const auto other = by_edge.find(edge(a.vertex, c.vertex));
                if (other == by_edge.end() || other->second <= i || gone[other->second] || polygons[other->second].quad ||
                    polygons[other->second].texture != polygons[i].texture) {
                    continue;
                }
                const Polygon& second = polygons[other->second];
                for (std::size_t m = 0; m < 3; ++m) {
                    const Corner& d = second.corner[(m + 2) % 3];
                    if (second.corner[m].vertex == a.vertex && same(second.corner[m], a) && same(second.corner[(m + 1) % 3], c) && is_quad(a, b, c, d)) {
                        const std::array<Corner, 4> joined{a, b, c, d};
                        gone[other->second] = true;
                        polygons[i].corner = joined;
                        polygons[i].quad = true;
                        break;
                    }
                }
            }
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < polygons.size(); ++i) {
            if (!gone[i]) {
                polygons[kept++] = polygons[i];
            }
        }
        polygons.resize(kept);
    }

    static bool same(const Corner& x, const Corner& y) { return x.point == y.point && x.normal == y.normal && x.uv == y.uv; }

    static bool is_quad(const Corner& a, const Corner& b, const Corner& c, const Corner& d) {
        const std::array<const Corner*, 4> corners{&a, &b, &c, &d};
        std::array<Vec3, 4> p;
        double perimeter = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const auto& v = corners[k]->point;
            p[k] = {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
        }
        for (std::size_t k = 0; k < 4; ++k) {
            perimeter += length(p[(k + 1) % 4] - p[k]);
        }
        const Vec3 plane = normalized(cross(p[1] - p[0], p[2] - p[0]));
        if (!(dot(plane, plane) > 0.25) || std::fabs(dot(plane, p[3] - p[0])) > kPlane * perimeter) {
            return false;
        }
        for (std::size_t k = 0; k < 4; ++k) {
            if (!(dot(plane, cross(p[(k + 1) % 4] - p[k], p[(k + 2) % 4] - p[(k + 1) % 4])) > 0)) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] core::Result<void> fits() const {
        std::uint64_t vertices = 0;
        std::uint64_t corners = 0;
        bool bad = out_of_range_;
        for (const Unit& unit : out_.units) {
            vertices += unit.verts.size() + unit.norms.size();
            corners += 4 * unit.vid.size();
            bad = bad || std::any_of(unit.origin.begin(), unit.origin.end(), [](float f) { return is_bad_float(f); });
        }
        for (const auto& origin : origins_) {
            bad = bad || std::any_of(origin.begin(), origin.end(), [](double d) { return is_bad_as_float(d); });
        }
        if (bad) {
            return core::fail(core::Code::CannotConvert, {}, "a length does not fit float32 in millimetres", {}, {},
                              "check the units and scales of the source, or give a smaller --scale");
        }
        for (const auto& [what, value, limit] : {std::tuple{"units", std::uint64_t{out_.units.size()}, options_.limits.max_bones},
                                                 std::tuple{"vertices and normals", vertices, options_.limits.max_vertices},
                                                 std::tuple{"polygon corners", corners, options_.limits.max_indices}}) {
            if (value > limit) {
                return core::fail(core::Code::LimitExceeded, {}, std::string("too many ") + what, std::to_string(value), "at most " + std::to_string(limit),
                                  "split the model, or raise --limits");
            }
        }
        return {};
    }

    // --- Report

    void losses() {
        std::uint64_t axes = 0;
        std::uint64_t names = 0;
        for (std::size_t b = 0; b < skeleton_.bones.size(); ++b) {
            const model::SkeletonBone& bone = skeleton_.bones[b];
            Mat4 plain;
            std::copy_n(bone.bind_model.m + 12, 3, plain.m + 12);
            axes += bone.bind_model == plain ? 0u : 1u;
            names += model_.nodes[bone.node.value].name == unit_name(unit_of_bone_[b]) ? 0u : 1u;
        }
        std::uint64_t values = 0;
        const model::Material plain;
        const auto near = [](const Vec3& a, const Vec3& b) { return length(a - b) < 1e-6; };   // float32 makes them no others
        for (const model::Material& m : model_.materials) {
            const bool same = near(m.diffuse, plain.diffuse) && near(m.specular, plain.specular) && near(m.emissive, plain.emissive) &&
                              m.shininess == plain.shininess && m.opacity == plain.opacity;
            values += same ? 0u : 1u;
        }
        codec::report_held(model_, report_);
        report_.add_loss("animation clips", model_.clips.size());
        report_.add_loss("bone names", names);
        report_.add_loss("bone axes", axes);
        report_.add_loss("mesh names", static_cast<std::uint64_t>(std::count_if(model_.instances.begin(), model_.instances.end(),
                                                                                [](const model::MeshInstance& i) { return i.name != "mesh"; })));
        report_.add_loss("materials' colours and values", values);
        codec::report_bare_meshes(model_, report_);
        if (input_.triangles.empty()) {
            report_.add(IssueId::CONV_EMPTY_MODEL, {}, {{"bones", std::to_string(measure_.units.size())}, {"clips", "0"}});
        }
    }

    void report_fit() {
        auto& written = measure_.written;
        std::sort(written.begin(), written.end());
        written.erase(std::unique(written.begin(), written.end()), written.end());
        measure_.fit = &input_;
        const Measured m = measure(measure_, model_, skeleton_, options_.jobs);
        Vec3 low;
        Vec3 high;
        for (std::size_t v = 0; v < measure_.points.size(); ++v) {
            const Vec3& p = measure_.points[v];
            low = v == 0 ? p : Vec3{std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = v == 0 ? p : Vec3{std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        }
        const double diagonal = length(high - low) * scale_;
        const double most = std::max(m.most * scale_, rest_);
        report_.add(IssueId::KM3_FIT, {},
                    {{"most", core::short_number(m.most_moved)}, {"mean", core::short_number(m.mean_moved)}, {"over", std::to_string(m.over)},
                     {"vertices", std::to_string(m.vertices)}, {"cracked", std::to_string(m.cracked)}, {"poses", std::to_string(m.poses)},
                     {"deform", core::short_number(most)}, {"part", core::short_number(diagonal > 0 ? most / diagonal : 0)}, {"rms", core::short_number(m.rms * scale_)},
                     {"rest", core::short_number(rest_)}});
        if (m.over != 0) {
            report_.add(IssueId::KM3_MOVED, {}, {{"count", std::to_string(m.over)}, {"vertices", std::to_string(m.vertices)},
                                                 {"most", core::short_number(m.most_moved)}, {"mean", core::short_number(m.mean_moved)}});
        }
        if (m.cracked != 0) {
            report_.add(IssueId::KM3_CRACKED, {}, {{"count", std::to_string(m.cracked)}});
        }
    }

    void close_vertices() {
        input_.first.push_back(static_cast<std::uint32_t>(input_.weights.size()));
        input_.envelopes = own_.weights;
        for (const RestUnit& unit : measure_.units) {
            input_.parent.push_back(unit.parent);
        }
    }

    const model::Model& model_;
    const codec::WriteOptions& options_;
    Options own_;
    core::Report& report_;
    double scale_;                                             // metres to the file's unit
    model::Skeleton skeleton_;
    std::vector<std::uint32_t> unit_of_bone_;
    std::optional<std::uint32_t> static_unit_;
    std::vector<Look> looks_;                                  // per material; the last is that of none
    FitInput input_;
    MeasureInput measure_;
    core::LargeVector<std::array<Attributes, 3>> attributes_;  // per triangle
    core::LargeVector<Look> look_of_triangle_;
    std::unordered_map<std::uint64_t, std::uint32_t> welded_;  // hash of a vertex: the last one that has it
    core::LargeVector<std::uint32_t> next_;                    // the one before it with the same hash
    Fit fit_;
    std::vector<std::string> names_;                           // per texture
    std::map<std::string, std::uint32_t> document_names_;
    std::vector<std::array<double, 3>> origins_;
    bool out_of_range_ = false;
    double rest_ = 0;
    Document out_;
};

}  // namespace

core::Result<Document> export_model(const model::Model& model, const codec::WriteOptions& options, core::Report& report) {
    const Options own = options_of(options.format);
    if (model.km3 && may_stay(own, options.normals) && still_means(model, *model.km3)) {
        return export_stored(model, own, report);
    }
    return Exporter(model, options, report).run();
}

}  // namespace gomkit::km3

#include "import.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <gomkit/core/path.hpp>

#include "bytes.hpp"
#include "layout.hpp"

namespace gomkit::km3 {
namespace {

using core::IssueId;
using model::Vec3;
namespace lay = layout;

constexpr double kMetre = 0.001;          // one unit of length
constexpr double kFlat = 1e-4;            // of a quad's perimeter

Vec3 wide(const Vec4f& v) { return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])}; }
Vec3 wide(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }
// Mirrored, which keeps +Z in front; 0 - x, so that no -0 arises.
Vec3 to_model(const Vec3& v) { return {(0 - v.x) * kMetre, v.y * kMetre, v.z * kMetre}; }
Vec3 mirrored(const Vec3& v) { return {0 - v.x, v.y, v.z}; }

model::Mat4 translation(const Vec3& t) {
    model::Mat4 m;
    m.m[12] = t.x;
    m.m[13] = t.y;
    m.m[14] = t.z;
    return m;
}

/// Twice the area along the side that is seen: corners run clockwise there, in right-handed space.
Vec3 face(const Unit& unit, const Quad& vid) {
    const Vec3 a = wide(unit.verts[vid[0]]);
    const Vec3 b = wide(unit.verts[vid[1]]);
    const Vec3 c = wide(unit.verts[vid[2]]);
    const Vec3 d = wide(unit.verts[vid[3]]);
    return cross(c - a, b - a) + cross(d - a, c - a);
}

class Importer {
public:
    Importer(Document&& document, core::Report& report) : document_(std::move(document)), report_(report) {}

    model::Model run() {
        model_.source.format = "KM3";
        model_.source.unit_meters = kMetre;
        model_.source.axes = "+X +Y +Z";
        base_ = base_units(document_);
        origin_ = rest_origins(document_);
        nodes();
        for (const std::string& name : document_.names) {
            model::Texture texture;
            texture.source_relative = from_latin1(name);
            texture.path = core::clean_text(core::stored_path(texture.source_relative));
            model_.textures.push_back(std::move(texture));
        }
        find_sign();
        geometry();
        model_.km3 = std::move(document_);
        return std::move(model_);
    }

private:
    void nodes() {
        for (std::size_t i = 0; i < document_.unit_count; ++i) {
            const Unit& unit = document_.units[i];
            model::Node node;
            node.name = unit_name(i);
            node.parent = unit.parent < 0 ? model::NodeId{} : model::NodeId{static_cast<std::uint32_t>(unit.parent)};
            node.rest.translation = to_model({static_cast<double>(unit.origin[0]), static_cast<double>(unit.origin[1]), static_cast<double>(unit.origin[2])});
            node.bind_local = translation(node.rest.translation);
            node.bone = true;
            node.origin = model::Origin{node.name, static_cast<std::uint32_t>(i)};
            model_.nodes.push_back(std::move(node));
        }
    }

    /// Of the stored normals and the faces, in corners; a tie means outward.
    void find_sign() {
        std::uint64_t outward = 0;
        std::uint64_t inward = 0;
        for (const Unit& unit : document_.units) {
            for (std::size_t p = 0; p < unit.nid.size(); ++p) {
                const Vec3 seen = face(unit, unit.vid[p]);
                for (std::size_t k = 0; k < (is_triangle(unit.vid[p]) ? 3u : 4u); ++k) {
                    const double d = dot(seen, wide(unit.norms[unit.nid[p][k]]));
                    outward += d > 0 ? 1u : 0u;
                    inward += d < 0 ? 1u : 0u;
                }
            }
        }
        document_.inward = inward > outward;
        if (outward != 0 || inward != 0) {
            report_.add(IssueId::KM3_NORMALS_SIGN, {}, {{"direction", document_.inward ? "into the surface and were turned round" : "outwards"},
                                                        {"outward", std::to_string(outward)}, {"inward", std::to_string(inward)}});
        }
    }

    std::uint32_t material(std::uint32_t name, std::uint32_t type) {
        const auto [it, added] = materials_.try_emplace({name, type & lay::type::kMaterial}, static_cast<std::uint32_t>(model_.materials.size()));
        if (added) {
            model::Material m;
            const std::uint32_t flags = type & lay::type::kMaterial;
            m.name = name == kNoName ? "untextured" : core::clean_text(model_.textures[name].source_relative);
            m.name += flags != 0 ? "#" + hex32(flags).substr(6) : "";
            m.alpha_blend = (flags & lay::type::kTrans) != 0;
            m.unlit = (flags & lay::type::kNoShade) != 0;
            m.double_sided = (flags & lay::type::kTwoSide) != 0;
            m.km3_draw_flags = flags & lay::type::kDrawFlags;
            m.textures[0] = name == kNoName ? model::kNoIndex : name;
            m.origin = model::Origin{m.name, it->second};
            model_.materials.push_back(std::move(m));
        }
        return it->second;
    }

    void geometry() {
        model::Mesh mesh;
        mesh.name = "mesh";
        mesh.uvs.emplace_back();
        model::Skin skin;
        for (std::size_t i = 0; i < document_.unit_count; ++i) {
            skin.clusters.push_back({model::NodeId{static_cast<std::uint32_t>(i)}, translation(Vec3{} - to_model(wide(origin_[i])))});
        }
        skin.first.push_back(0);
        mesh.polygon_first.push_back(0);
        std::uint64_t bent = 0;
        std::uint64_t dropped = 0;
        for (std::size_t i = 0; i < document_.units.size(); ++i) {
            const Unit& unit = document_.units[i];
            const auto first_point = static_cast<std::uint32_t>(mesh.points.size());
            points(i, mesh, skin);
            const std::vector<Vec3> made = made_normals(unit);
            for (std::size_t p = 0; p < unit.vid.size(); ++p) {
                const Quad& vid = unit.vid[p];
                bent += is_bent(unit, vid) ? 1u : 0u;
                for (const auto& corners : {std::array<std::size_t, 3>{0, 1, 2}, std::array<std::size_t, 3>{0, 2, 3}}) {
                    if (corners[2] == 3 && is_triangle(vid)) {
                        break;
                    }
                    if (vid[corners[0]] == vid[corners[1]] || vid[corners[1]] == vid[corners[2]] || vid[corners[2]] == vid[corners[0]]) {
                        ++dropped;
                        continue;
                    }
                    for (const std::size_t k : corners) {
                        corner(unit, p, k, made, first_point, mesh);
                    }
                    mesh.polygon_first.push_back(static_cast<std::uint32_t>(mesh.corner_point.size()));
                    mesh.polygon_material.push_back(material(unit.tex.empty() ? kNoName : unit.tex[p], unit.type));
                }
            }
        }
        const auto count = [&](IssueId id, std::uint64_t n) {
            if (n != 0) {
                report_.add(id, {}, {{"count", std::to_string(n)}});
            }
        };
        count(IssueId::KM3_QUAD_BENT, bent);
        count(IssueId::KM3_NO_AREA, dropped);
        if (mesh.polygon_count() == 0) {
            return;
        }
        mesh.skin = std::move(skin);
        model::MeshInstance instance;
        instance.name = mesh.name;
        instance.mesh = model::MeshId{0};
        for (std::size_t m = 0; m < model_.materials.size(); ++m) {
            instance.materials.push_back(model::MaterialId{static_cast<std::uint32_t>(m)});
        }
        model_.meshes.push_back(std::move(mesh));
        model_.instances.push_back(std::move(instance));
    }

    void points(std::size_t i, model::Mesh& mesh, model::Skin& skin) const {
        const Unit& unit = document_.units[i];
        const std::uint32_t own = base_[i];
        const std::int32_t parent = document_.units[own].parent;
        for (const Vec4f& v : unit.verts) {
            mesh.points.push_back(to_model(wide(origin_[i]) + wide(v)));
            const double w = static_cast<double>(v[3]);
            std::array<model::Influence, 2> influences{{{own, w}, {static_cast<std::uint32_t>(std::max(parent, 0)), 1 - w}}};
            if (influences[1].weight >= influences[0].weight && (influences[1].weight > influences[0].weight || influences[1].cluster < own)) {
                std::swap(influences[0], influences[1]);
            }
            for (const model::Influence& influence : influences) {
                if (influence.weight > 0) {
                    skin.influences.push_back(influence);
                }
            }
            skin.first.push_back(static_cast<std::uint32_t>(skin.influences.size()));
        }
    }

    /// Area-weighted over the faces at each vertex, outward; for corners whose unit has no normals or whose normal is zero.
    [[nodiscard]] static std::vector<Vec3> made_normals(const Unit& unit) {
        const bool needed = unit.nid.empty() || std::any_of(unit.norms.begin(), unit.norms.end(), [](const Vec4f& n) { return !is_unit_length(n); });
        std::vector<Vec3> sums(needed ? unit.verts.size() : 0);
        for (std::size_t p = 0; needed && p < unit.vid.size(); ++p) {
            const Vec3 seen = face(unit, unit.vid[p]);
            for (std::size_t k = 0; k < (is_triangle(unit.vid[p]) ? 3u : 4u); ++k) {
                sums[unit.vid[p][k]] += seen;
            }
        }
        for (Vec3& sum : sums) {
            sum = runtime::normalized(sum);
        }
        return sums;
    }

    void corner(const Unit& unit, std::size_t p, std::size_t k, const std::vector<Vec3>& made, std::uint32_t first_point, model::Mesh& mesh) const {
        const std::uint16_t v = unit.vid[p][k];
        const auto index = static_cast<std::uint32_t>(mesh.corner_point.size());
        mesh.corner_point.push_back(first_point + v);
        const bool stored = !unit.nid.empty() && is_unit_length(unit.norms[unit.nid[p][k]]);
        const Vec3 normal = stored ? wide(unit.norms[unit.nid[p][k]]) * (document_.inward ? -1.0 : 1.0) : made[v];
        mesh.normals.values.push_back(mirrored(normal));
        mesh.normals.corner_index.push_back(index);
        const QuadUv uv = unit.uvs.empty() ? QuadUv{} : unit.uvs[p];
        mesh.uvs[0].values.push_back({static_cast<double>(uv[2 * k]), static_cast<double>(uv[2 * k + 1])});
        mesh.uvs[0].corner_index.push_back(index);
    }

    [[nodiscard]] static bool is_bent(const Unit& unit, const Quad& vid) {
        if (is_triangle(vid)) {
            return false;
        }
        std::array<Vec3, 4> p;
        double perimeter = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            p[k] = wide(unit.verts[vid[k]]);
            perimeter += k > 0 ? length(p[k] - p[k - 1]) : 0.0;
        }
        perimeter += length(p[0] - p[3]);
        const Vec3 plane = runtime::normalized(cross(p[1] - p[0], p[2] - p[0]));
        return std::fabs(dot(plane, p[3] - p[0])) > kFlat * perimeter;
    }

    Document document_;
    core::Report& report_;
    model::Model model_;
    std::vector<std::uint32_t> base_;
    std::vector<std::array<double, 3>> origin_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> materials_;
};

}  // namespace

std::string unit_name(std::size_t unit) {
    const std::string digits = std::to_string(unit);
    return "unit_" + std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
}

model::Model import(Document&& document, core::Report& report) { return Importer(std::move(document), report).run(); }

}  // namespace gomkit::km3

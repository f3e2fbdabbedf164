#include "import.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <gomkit/core/path.hpp>

namespace gomkit::mv1 {
namespace {

using core::IssueId;
using model::Mat4;
using model::NodeId;
using model::Quat;
using model::Vec3;

constexpr double kLargest = 1e30;   // beyond this nothing is a float32 when it has been transformed

bool finite(double v) { return std::fabs(v) <= kLargest; }

Vec3 sane(const Vec3& v, double fallback) {
    const auto fix = [&](double c) { return finite(c) ? c : fallback; };
    return {fix(v.x), fix(v.y), fix(v.z)};
}

// Frames with their parents before them, else in stored order.
std::vector<std::uint32_t> frame_order(const Links& links) {
    std::vector<std::uint32_t> order;
    std::vector<bool> done(links.frame_parent.size());
    std::vector<std::uint32_t> way;
    for (std::uint32_t i = 0; i < done.size(); ++i) {
        for (std::uint32_t at = i; at != kNone && !done[at]; at = links.frame_parent[at]) {
            way.push_back(at);
        }
        for (; !way.empty(); way.pop_back()) {
            done[way.back()] = true;
            order.push_back(way.back());
        }
    }
    return order;
}

void import_nodes(Import& in) {
    // A clip file must give the same skeleton as the model it belongs to, and cannot know which frames hold meshes: where anything
    // is skinned or animated every frame is a bone.
    const bool bones = !in.doc.skin_bones.empty() || !in.doc.anims.empty() || in.doc.meshes.empty();
    in.node_of.resize(in.doc.frames.size());
    std::vector<std::uint64_t> depth(in.doc.frames.size());
    for (const std::uint32_t i : frame_order(in.links)) {
        const Frame& f = in.doc.frames[i];
        model::Node node;
        node.name = in.name(f.name);
        const std::uint32_t parent = in.links.frame_parent[i];
        if ((f.flag & 2u) != 0 && parent != kNone) {
            in.report.add(IssueId::MV1_IGNORES_PARENT, {}, {{"frame", node.name}});
        } else if (parent != kNone) {
            node.parent = in.node_of[parent];
        }
        node.rest.translation = to_point(sane(wide3(f.translate), 0));
        node.rest.rotation = turn(rest_rotation(f));
        node.rest.scale = sane(wide3(f.scale), 1);
        node.bind_local = runtime::to_matrix(node.rest);
        node.bone = bones;
        node.visible = (f.flag & 1u) != 0;
        node.origin = {node.name, i};
        in.node_of[i] = NodeId{static_cast<std::uint32_t>(in.model.nodes.size())};
        in.model.nodes.push_back(std::move(node));
    }
}

// The bind pose: what the skin bones say, from the inverse of their matrices; elsewhere the rest pose.
void import_binds(Import& in) {
    std::vector<Mat4> rest(in.model.nodes.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const model::Node& node = in.model.nodes[i];
        rest[i] = runtime::to_matrix(node.rest);
        if (node.parent.valid()) {
            rest[i] = rest[i] * rest[node.parent.value];
        }
    }
    std::vector<std::optional<Mat4>> binds(rest.size());
    for (const model::MeshInstance& instance : in.model.instances) {
        const model::Mesh& mesh = in.model.meshes[instance.mesh.value];
        for (const model::Cluster& cluster : mesh.skin ? mesh.skin->clusters : std::vector<model::Cluster>{}) {
            Mat4 inverse;
            if (!inverse_affine(cluster.geometry_to_bone, inverse)) {
                continue;
            }
            const Mat4 bind = inverse * rest[instance.node.value];
            std::optional<Mat4>& known = binds[cluster.bone.value];
            if (!known) {
                known = bind;
                continue;
            }
            double size = 1;
            double off = 0;
            for (std::size_t k = 0; k < 16; ++k) {
                size = std::fmax(size, std::fabs(bind.m[k]));
                off = std::fmax(off, std::fabs(bind.m[k] - known->m[k]));
            }
            if (!(off <= 1e-3 * size)) {
                in.report.add(IssueId::MV1_BINDS_DISAGREE, {}, {{"bone", in.model.nodes[cluster.bone.value].name}, {"mesh", instance.name}});
            }
        }
    }
    std::vector<Mat4> bind_model(rest.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
        model::Node& node = in.model.nodes[i];
        const Mat4 parent = node.parent.valid() ? bind_model[node.parent.value] : Mat4{};
        Mat4 inverse_parent;
        if (binds[i] && inverse_affine(parent, inverse_parent)) {
            node.bind_local = *binds[i] * inverse_parent;
        }
        const bool usable = std::all_of(std::begin(node.bind_local.m), std::end(node.bind_local.m), finite) && determinant3(node.bind_local) != 0;
        if (!usable) {
            model::Transform t = node.rest;
            t.scale = {1, 1, 1};
            node.bind_local = runtime::to_matrix(t);
            in.report.add(IssueId::MV1_SINGULAR_BIND, {}, {{"bone", node.name}});
        }
        bind_model[i] = node.bind_local * parent;
    }
}

// A mesh says whether its backs are drawn, a model's material does so for all that have it: for those that agree.
std::vector<bool> double_sided_materials(Import& in) {
    const std::size_t count = in.doc.materials.size();
    std::vector<std::uint64_t> both(count);
    std::vector<std::uint64_t> all(count);
    for (std::size_t i = 0; i < in.doc.meshes.size(); ++i) {
        const std::uint32_t material = in.links.mesh_material[i];
        if (material != kNone) {
            ++all[material];
            both[material] += in.doc.meshes[i].back_culling == 0 ? 1u : 0u;
        }
    }
    std::vector<bool> out(count);
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = both[i] != 0 && both[i] == all[i];
        in.hold("meshes drawn from both sides", out[i] ? 0 : both[i]);
    }
    return out;
}

}  // namespace

std::string Import::name(std::uint32_t offset) {
    bool changed = false;
    std::string out = text(doc, offset, &changed);
    changed_texts += changed ? 1 : 0;
    return out;
}

void Import::hold(const char* kind, std::uint64_t count) {
    if (count == 0) {
        return;
    }
    for (model::HeldContent& held : model.mv1->held) {
        if (held.kind == kind) {
            held.count += count;
            return;
        }
    }
    model.mv1->held.push_back({kind, count});
}

Mat4 turn(const Mat4& m) {
    Mat4 out = m;
    for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) {
            out.m[4 * r + c] = (r == 1) == (c == 1) ? m.m[4 * r + c] : 0 - m.m[4 * r + c];
        }
    }
    const Vec3 t = to_point({m.m[12], m.m[13], m.m[14]});
    out.m[12] = t.x;
    out.m[13] = t.y;
    out.m[14] = t.z;
    return out;
}

Quat euler(double x, double y, double z, std::int32_t order) {
    namespace exact = runtime::exact;
    const auto half = [](double angle) { return std::isfinite(angle) ? angle / 2 : 0.0; };
    const Quat axis[3] = {{exact::sin(half(x)), 0, 0, exact::cos(half(x))},
                          {0, exact::sin(half(y)), 0, exact::cos(half(y))},
                          {0, 0, exact::sin(half(z)), exact::cos(half(z))}};
    const std::size_t* o = kAxisOrders[order];
    return multiply(axis[o[2]], multiply(axis[o[1]], axis[o[0]]));
}

namespace {
Quat euler_of(const std::array<float, 3>& r, std::int32_t order) { return euler(wide(r[0]), wide(r[1]), wide(r[2]), order); }
Quat pre(const Frame& f, std::int32_t order) { return (f.flag & 4u) != 0 ? euler_of(f.pre_rotate, order) : Quat{}; }
Quat post(const Frame& f, std::int32_t order) { return (f.flag & 8u) != 0 ? conjugate(euler_of(f.post_rotate, order)) : Quat{}; }
}  // namespace

Quat rest_rotation(const Frame& f) {
    // p * Pre * R * Post^-1
    return multiply(post(f, f.rotate_order), multiply(euler_of(f.rotate, f.rotate_order), pre(f, f.rotate_order)));
}

Quat clip_rotation(const Frame& f, const Quat& rotate, std::int32_t order) {
    // p * Post^-1 * R * Pre
    return multiply(pre(f, order), multiply(rotate, post(f, order)));
}

void import_materials(Import& in) {
    const Document& d = in.doc;
    for (std::size_t i = 0; i < d.textures.size(); ++i) {
        model::Texture out;
        out.source_relative = d.textures[i].color_path != 0 ? in.name(d.textures[i].color_path) : std::string();
        out.path = core::stored_path(out.source_relative);
        in.model.textures.push_back(std::move(out));
    }
    const std::vector<bool> double_sided = double_sided_materials(in);
    for (std::size_t i = 0; i < d.materials.size(); ++i) {
        const Material& m = d.materials[i];
        model::Material out;
        out.double_sided = double_sided[i];
        out.name = in.name(m.name);
        out.origin = {out.name, static_cast<std::uint32_t>(i)};
        bool clamped = false;
        const auto in_range = [&](float v, double low, double high, double fallback) {
            const double value = wide(v);
            const double fixed = std::isnan(value) ? fallback : std::clamp(value, low, high);
            clamped = clamped || fixed != value;
            return fixed;
        };
        constexpr double kMax = 3e38;
        const auto color = [&](const std::array<float, 4>& c) {
            return Vec3{in_range(c[0], -kMax, kMax, 0), in_range(c[1], -kMax, kMax, 0), in_range(c[2], -kMax, kMax, 0)};
        };
        out.diffuse = color(m.diffuse);
        out.specular = color(m.specular);
        out.emissive = color(m.emissive);
        out.shininess = in_range(m.power, 0, kMax, 0);
        out.opacity = in_range(m.diffuse[3], 0, 1, 1);
        if (clamped) {
            in.report.add(IssueId::MV1_MATERIAL_RANGE, {}, {{"material", out.name}});
        }
        const auto first = [&](std::int32_t count, const std::array<Layer, 8>& layers) {
            const std::int32_t t = count > 0 ? layers[0].texture : -1;
            return t >= 0 && !in.model.textures[static_cast<std::size_t>(t)].path.empty() ? static_cast<std::uint32_t>(t) : model::kNoIndex;
        };
        out.textures[static_cast<std::size_t>(model::TextureSlot::Diffuse)] = first(m.diffuse_layer_num, m.diffuse_layer);
        out.textures[static_cast<std::size_t>(model::TextureSlot::Normal)] = first(m.normal_layer_num, m.normal_layer);
        out.textures[static_cast<std::size_t>(model::TextureSlot::Specular)] = first(m.specular_layer_num, m.specular_layer);
        in.model.materials.push_back(std::move(out));
    }
}

std::vector<model::HeldContent> held_by(const Document& d) {
    std::vector<model::HeldContent> out;
    const auto hold = [&](const char* kind, std::uint64_t count) {
        if (count != 0) {
            out.push_back({kind, count});
        }
    };
    hold("lights", d.lights.size());
    hold("rigid bodies", d.rigids.size());
    hold("physics joints", d.joints.size());
    const auto count = [](const auto& elements, auto test) {
        return static_cast<std::uint64_t>(std::count_if(elements.begin(), elements.end(), test));
    };
    hold("toon materials", count(d.toons, [](const Toon& t) {
        return t.type != 0 || t.outline_width > 0 || t.outline_dot_width > 0 || t.diffuse_grad_texture >= 0 || t.specular_grad_texture >= 0;
    }));
    hold("sphere maps", count(d.toons, [](const Toon& t) { return t.enable_sphere_map != 0; }));
    std::uint64_t layers = 0;
    for (const Material& m : d.materials) {
        for (const std::int32_t n : {m.diffuse_layer_num, m.specular_layer_num, m.normal_layer_num}) {
            layers += n > 1 ? static_cast<std::uint64_t>(n) - 1 : 0;
        }
    }
    hold("texture layers", layers);
    hold("alpha tests of materials", count(d.materials, [](const Material& m) { return m.use_alpha_test != 0; }));
    hold("blend modes of materials", count(d.materials, [](const Material& m) { return m.blend_mode != 1 || m.blend_param != 255; }));
    hold("textures that do not repeat", count(d.textures, [](const Texture& t) { return t.address_u != 1 || t.address_v != 1; }));
    hold("texture scales", count(d.textures, [](const Texture& t) { return (t.flag & 4u) != 0 && (t.scale_u != 1 || t.scale_v != 1); }));
    hold("separate alpha pictures", count(d.textures, [](const Texture& t) { return t.alpha_path != 0; }));
    hold("height maps in place of normal maps", count(d.textures, [](const Texture& t) { return t.bump_flag != 0; }));
    return out;
}

core::Result<model::Model> import(const Document& document, const codec::ReadOptions& options, core::Report& report) {
    Checked<Links> links = link(document);
    if (!links) {
        return core::Fault(to_error(links.error(), {}));
    }
    Import in{document, *links, options, report, {}, {}, 0, {}};
    in.model.mv1.emplace();
    in.model.source.format = "MV1 " + std::string(document.header.is_string_utf8 != 0 ? "utf-8" : "cp932");
    in.model.source.axes = "-X +Y -Z";
    import_nodes(in);
    import_materials(in);
    import_meshes(in);
    if (core::Result<void> done = import_clips(in); !done) {
        return core::Fault(std::move(done.error()));
    }
    import_binds(in);
    for (const model::HeldContent& held : held_by(document)) {
        in.hold(held.kind.c_str(), held.count);
    }
    report.add(IssueId::MV1_NO_UNIT, {});
    if (in.changed_texts != 0) {
        report.add(IssueId::MV1_BAD_TEXT, {}, {{"count", std::to_string(in.changed_texts)}});
    }
    return std::move(in.model);
}

}  // namespace gomkit::mv1

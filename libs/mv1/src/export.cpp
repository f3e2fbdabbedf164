#include "export.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "assemble.hpp"
#include "blobs.hpp"
#include "export_parts.hpp"
#include "fields.hpp"
#include "import.hpp"
#include "kept.hpp"
#include "options.hpp"

namespace gomkit::mv1 {
namespace {

using core::Code;
using model::Mat4;
using model::NodeId;
using model::Quat;
using model::Vec3;

constexpr std::uint64_t kLargestFile = 0x7FFFFFFF;
constexpr float kSmoothing = 1.5208f;

// Angles of p * Rx * Ry * Rz.
std::array<float, 3> to_euler(const Quat& q) {
    namespace exact = runtime::exact;
    const Mat4 m = runtime::to_matrix(normalized(q));
    // Row 0 is x' = (cy cz, cy sz, -sy).
    const double sine = std::clamp(-m.m[2], -1.0, 1.0);
    const double y = exact::asin(sine);
    if (std::fabs(sine) > 1 - 1e-12) {
        return {to_float(exact::atan2(-m.m[9], m.m[5])), to_float(y), 0};
    }
    return {to_float(exact::atan2(m.m[6], m.m[10])), to_float(y), to_float(exact::atan2(m.m[1], m.m[0]))};
}

class Exporter {
public:
    Exporter(const model::Model& model, const codec::WriteOptions& options, core::Report& report)
        : ex_{model, options, report, options_of(options.format)} {
        ex_.unit = unit_of(model, ex_.own);
    }

    core::Result<Document> run() {
        d_.header.is_string_utf8 = 1;
        order_frames();
        for (const FrameSource& source : ex_.sources) {
            add_frame(source);
        }
        Kept kept(ex_);
        kept.give_header();
        kept.give_frames();
        export_skin_bones(ex_);
        l_.frame_palette.resize(ex_.sources.size());
        ex_.shapes_of_instance.resize(m_.instances.size());
        for (std::uint32_t i = 0; i < ex_.sources.size(); ++i) {
            l_.frame_meshes.push_back({static_cast<std::uint32_t>(d_.meshes.size()), 0});
            if (!ex_.sources[i].instances.empty()) {
                if (core::Result<void> done = export_frame_meshes(ex_, i); !done) {
                    return core::Fault(std::move(done.error()));
                }
            }
        }
        Parts parts;
        parts.meshes = !d_.meshes.empty() || m_.clips.empty();
        parts.animations = !m_.clips.empty();
        if (parts.meshes) {
            add_materials(kept);
            kept.give_meshes();
            kept.give_lights();
            export_lights(ex_);
            kept.give_physics();
        } else if (!ex_.options.without_meshes) {
            ex_.report.add_loss("lights", m_.lights.size());
        }
        for (const model::Clip& clip : m_.clips) {
            AnimSet set;
            set.name = add_string(d_, clip.name);
            set.max_time = to_float(clip.duration * ex_.own.fps);
            set.flag = clip.loop ? 4 : 0;
            kept.give_clip(clip, set);
            d_.anim_sets.push_back(set);
            export_clip(ex_, clip);
        }
        if (const std::uint64_t size = largest_size(), most = std::min<std::uint64_t>(ex_.options.limits.max_file_bytes, kLargestFile); size > most) {
            return core::fail(Code::LimitExceeded, {}, "limit on file bytes exceeded", std::to_string(size), "at most " + std::to_string(most),
                              "split the model");
        }
        if (const std::uint64_t memory = largest_counter(); memory > kLargestFile) {
            return core::fail(Code::LimitExceeded, {}, "DxLib's loader would take too much memory", std::to_string(memory) + " bytes",
                              "at most " + std::to_string(kLargestFile), "split the model, or limit the bones of a vertex");
        }
        assemble(d_, l_, parts);
        ex_.packing.report(ex_.own, ex_.report);
        report_losses(kept);
        return std::move(d_);
    }

private:
    // No less than the buffer will have.
    [[nodiscard]] std::uint64_t largest_size() const {
        constexpr std::uint64_t kFixed = 4096;
        constexpr std::uint64_t kTables = 64;   // of a frame or mesh, beside the bits
        std::uint64_t sum = kFixed + d_.strings.size();
        const std::uint64_t bits = (d_.frames.size() + d_.meshes.size()) / 8 + kTables;
        const auto add = [&](const auto& elements, std::uint64_t size) {
            for (const auto& e : elements) {
                sum += size + e.blob.size();
            }
        };
        add(d_.frames, sizes::kFrame + bits);
        add(d_.meshes, sizes::kMesh + bits);
        add(d_.lists, sizes::kList);
        add(d_.key_sets, sizes::kKeySet + 4);
        sum += d_.materials.size() * (sizes::kMaterial + sizes::kToon) + d_.textures.size() * sizes::kTexture + d_.anims.size() * sizes::kAnim +
               d_.anim_sets.size() * sizes::kAnimSet + d_.skin_bones.size() * sizes::kSkinBone + l_.palette.size() * (4 + sizes::kUseFrame) +
               d_.lights.size() * sizes::kLight + d_.frame_shapes.size() * sizes::kFrameShape + d_.shapes.size() * sizes::kShape +
               d_.shape_meshes.size() * sizes::kShapeMesh + d_.shape_vertices.size() * sizes::kShapeVertex + d_.rigids.size() * sizes::kRigid +
               d_.joints.size() * sizes::kJoint;
        return sum;
    }

    // The largest of the header's counters that grow faster than the file: all are signed 32-bit numbers.
    [[nodiscard]] std::uint64_t largest_counter() const {
        std::uint64_t positions = 0;
        std::uint64_t vertices = 0;
        std::uint64_t free_lists = 0;
        for (const Frame& f : d_.frames) {
            positions += static_cast<std::uint64_t>(f.position_num) * (12 + std::uint64_t{8} * f.max_bone_blend_num);
        }
        for (const Mesh& m : d_.meshes) {
            vertices += static_cast<std::uint64_t>(m.vertex_num) * (20 + std::uint64_t{8} * m.uv_set_num);
        }
        for (const TriangleList& l : d_.lists) {
            free_lists += l.vertex_type == 3 ? free_list_size(l) : 0;
        }
        // All vertices of a mesh, and of its lists, count once for each shape that moves some of them.
        std::uint64_t shaped = 0;
        for (const std::uint32_t target : l_.shape_mesh_target) {
            shaped += static_cast<std::uint64_t>(d_.meshes[target].vertex_num);
            for (std::uint32_t l = l_.mesh_lists[target].first; l < l_.mesh_lists[target].first + l_.mesh_lists[target].count; ++l) {
                shaped += d_.lists[l].vertex_type == 3 ? free_list_size(d_.lists[l]) : d_.lists[l].vertex_num;
            }
        }
        return std::max({positions, vertices, free_lists, shaped});
    }

    void report_losses(const Kept& kept) {
        ex_.report.add_loss("texture coordinate sets beyond the second", ex_.lost_uv_sets);
        ex_.report.add_loss("vertex colour sets beyond the first", ex_.lost_color_sets);
        const auto number_of = [](const auto& elements, auto test) {
            return static_cast<std::uint64_t>(std::count_if(elements.begin(), elements.end(), test));
        };
        const auto drawn = [](const model::Mesh& mesh) { return mesh.polygon_count() != 0; };
        if (!ex_.options.without_meshes) {
            codec::report_cameras_and_properties(m_, ex_.report);
        }
        ex_.report.add_loss("tangent sets", number_of(m_.meshes, [&](const model::Mesh& m) { return drawn(m) && m.tangents.exists(); }));
        ex_.report.add_loss("emissive maps", number_of(m_.materials, [](const model::Material& m) {
            return m.textures[static_cast<std::size_t>(model::TextureSlot::Emissive)] != model::kNoIndex;
        }));
        ex_.report.add_loss("unlit materials", number_of(m_.materials, [](const model::Material& m) { return m.unlit; }));
        ex_.report.add_loss("drawing order flags of materials", number_of(m_.materials, [](const model::Material& m) { return m.km3_draw_flags != 0; }));
        ex_.report.add_loss("root motion marks of clips", number_of(m_.clips, [](const model::Clip& c) { return c.root.valid() || c.has_root_motion; }));
        // A frame has no matrix; a stored bind pose may be one that no turning and scaling makes.
        ex_.report.add_loss("skewed bones", number_of(m_.nodes, [&](const model::Node& n) { return m_.gom && !is_square(n.bind_local); }));
        ex_.report.add_loss("weights of blend shapes without a clip", number_of_resting_morphs());
        ex_.report.add_loss("animated weights of blend shapes", ex_.lost_morph_tracks);
        if (!m_.mv1 || ex_.options.without_meshes) {
            return;
        }
        const std::vector<model::HeldContent> given = kept.held();
        const std::vector<model::HeldContent> again = held_by(d_);
        const auto count_in = [](const std::vector<model::HeldContent>& list, const std::string& kind) {
            const auto it = std::find_if(list.begin(), list.end(), [&](const auto& other) { return other.kind == kind; });
            return it == list.end() ? 0 : it->count;
        };
        for (const model::HeldContent& held : m_.mv1->held) {
            const char* why = count_in(given, held.kind) != 0 ? " (what they belonged to is gone)" : " (kept only in a .mv1 of which nothing changes)";
            ex_.report.add_loss(held.kind + why, held.count - std::min(count_in(again, held.kind), held.count));
        }
    }

    // A shape without keys has no weight of its own; in clips they have keys.
    [[nodiscard]] std::uint64_t number_of_resting_morphs() const {
        std::vector<bool> written(m_.meshes.size());
        for (const model::MeshInstance& instance : m_.instances) {
            written[instance.mesh.value] = m_.meshes[instance.mesh.value].polygon_count() != 0;
        }
        std::uint64_t count = 0;
        for (std::size_t m = 0; m < m_.meshes.size(); ++m) {
            for (const model::MorphChannel& channel : m_.meshes[m].morphs) {
                count += written[m] && !channel.shapes.empty() && channel.default_weight != 0 ? 1u : 0u;
            }
        }
        return count;
    }

    static bool is_square(const Mat4& m) {
        const Mat4 again = runtime::to_matrix(runtime::decompose(m));
        double size = 0;
        double off = 0;
        for (std::size_t k = 0; k < 16; ++k) {
            size = std::fmax(size, std::fabs(m.m[k]));
            off = std::fmax(off, std::fabs(m.m[k] - again.m[k]));
        }
        return off <= 1e-4 * size;
    }

    static double unit_of(const model::Model& model, const Options& options) {
        const double own = model.source.unit_meters > 0 ? model.source.unit_meters : model.mv1 ? kUnitMeters : 1;
        return options.unit_meters > 0 ? options.unit_meters : own;
    }

    // Nodes depth first, brothers in model order; what has no node stands at the end.
    void order_frames() {
        const std::size_t count = m_.nodes.size();
        std::vector<std::vector<std::uint32_t>> children(count + 1);
        for (std::uint32_t i = 0; i < count; ++i) {
            children[m_.nodes[i].parent.valid() ? m_.nodes[i].parent.value : count].push_back(i);
        }
        std::vector<std::vector<std::uint32_t>> drawn(count + 1);
        for (std::uint32_t i = 0; i < m_.instances.size(); ++i) {
            drawn[m_.instances[i].node.valid() ? m_.instances[i].node.value : count].push_back(i);
        }
        ex_.frame_of.assign(count, kNone);
        struct Open {
            std::uint32_t node;
            std::uint32_t parent;
        };
        std::vector<Open> stack;
        const auto push = [&](const std::vector<std::uint32_t>& nodes, std::uint32_t parent) {
            for (std::size_t k = nodes.size(); k-- > 0;) {
                stack.push_back({nodes[k], parent});
            }
        };
        push(children[count], kNone);
        while (!stack.empty()) {
            const Open open = stack.back();
            stack.pop_back();
            const auto frame = static_cast<std::uint32_t>(ex_.sources.size());
            ex_.sources.push_back({NodeId{open.node}, std::move(drawn[open.node])});
            l_.frame_parent.push_back(open.parent);
            ex_.frame_of[open.node] = frame;
            push(children[open.node], frame);
        }
        for (const std::uint32_t i : drawn[count]) {
            ex_.sources.push_back({NodeId{}, {i}});
            l_.frame_parent.push_back(kNone);
        }
    }

    void add_frame(const FrameSource& source) {
        Frame f;
        f.flag = 1;
        f.smoothing_angle = kSmoothing;
        f.vert_flag = 0x08;
        if (source.node.valid()) {
            const model::Node& node = m_.nodes[source.node.value];
            f.name = add_string(d_, node.name);
            f.translate = to_floats(ex_.from_point(node.rest.translation));
            f.scale = to_floats(node.rest.scale);
            f.rotate = to_euler(ex_.from_space(node.rest.rotation));
            f.flag = node.visible ? 1 : 0;
        } else {
            f.name = add_string(d_, m_.instances[source.instances[0]].name);
        }
        d_.frames.push_back(std::move(f));
        l_.frame_light.push_back(kNone);
        l_.frame_shapes.push_back({});
    }

    void add_materials(Kept& kept) {
        std::vector<std::uint32_t> texture(m_.textures.size(), kNone);
        const auto texture_of = [&](std::uint32_t index) {
            if (index == model::kNoIndex || m_.textures[index].path.empty()) {
                return std::int32_t{-1};
            }
            if (texture[index] == kNone) {
                texture[index] = static_cast<std::uint32_t>(d_.textures.size());
                d_.textures.emplace_back();
            }
            return static_cast<std::int32_t>(texture[index]);
        };
        for (std::uint32_t i = 0; i < texture.size(); ++i) {
            if (kept.has_texture(i)) {
                texture_of(i);   // numbered as they were, also those that no material uses
            }
        }
        const std::size_t count = m_.materials.size() + (ex_.default_material ? 1 : 0);
        for (std::size_t i = 0; i < count; ++i) {
            const model::Material source = i < m_.materials.size() ? m_.materials[i] : model::Material{};
            Material out;
            out.name = add_string(d_, source.name);
            const auto color = [](const Vec3& v, double a) { return std::array<float, 4>{to_float(v.x), to_float(v.y), to_float(v.z), to_float(a)}; };
            out.diffuse = color(source.diffuse, source.opacity);
            out.ambient = color({0, 0, 0}, 1);
            out.specular = color(source.specular, 1);
            out.emissive = color(ex_.own.emissive_zero ? Vec3{} : source.emissive, 1);
            out.power = to_float(source.shininess);
            const auto layer = [&](model::TextureSlot slot, std::int32_t& number, std::array<Layer, 8>& layers) {
                const std::int32_t t = texture_of(source.textures[static_cast<std::size_t>(slot)]);
                number = t < 0 ? 0 : 1;
                layers[0].texture = t < 0 ? 0 : t;
            };
            for (auto* layers : {&out.diffuse_layer, &out.specular_layer, &out.normal_layer}) {
                layers->fill(Layer{0, 0, {}});
            }
            layer(model::TextureSlot::Diffuse, out.diffuse_layer_num, out.diffuse_layer);
            layer(model::TextureSlot::Specular, out.specular_layer_num, out.specular_layer);
            layer(model::TextureSlot::Normal, out.normal_layer_num, out.normal_layer);
            d_.materials.push_back(out);
            d_.toons.emplace_back();
            l_.material_toon.push_back(static_cast<std::uint32_t>(i));
            kept.give_material(static_cast<std::uint32_t>(i), texture_of);
        }
        for (std::size_t i = 0; i < texture.size(); ++i) {
            if (texture[i] == kNone) {
                continue;
            }
            Texture& out = d_.textures[texture[i]];
            out.name = add_string(d_, m_.textures[i].path);
            out.color_path = add_string(d_, m_.textures[i].path);
            out.bump_length = 0.1f;
            out.filter = 2;
            out.flag = 4;
            kept.give_texture(static_cast<std::uint32_t>(i), out);
        }
    }

    Export ex_;
    const model::Model& m_ = ex_.model;
    Document& d_ = ex_.doc;
    Links& l_ = ex_.links;
};

}  // namespace

core::Result<Document> export_model(const model::Model& model, const codec::WriteOptions& options, core::Report& report) {
    if (model.mta) {
        return core::fail(Code::Unsupported, {}, "a motion file has no skeleton of its own, and a DxLib model needs one", {}, {},
                          "convert the model with --add-clips MOTION");
    }
    const bool stored_keys = std::any_of(model.clips.begin(), model.clips.end(), [](const model::Clip& c) { return c.final_keys; });
    if (stored_keys && !model.gom) {
        return core::fail(Code::Unsupported, {}, "clips of a GOM or MTA fit the bones of a GOM, and a DxLib model has every node of the source",
                          {}, {}, "write a .gom with these clips first, and convert that");
    }
    if (std::optional<Document> own = unchanged_document(model, options)) {
        return std::move(*own);
    }
    return Exporter(model, options, report).run();
}

}  // namespace gomkit::mv1

#include "import.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <gomkit/core/text.hpp>
#include <gomkit/model/skeleton.hpp>

#include "clip_keys.hpp"

namespace gomkit::fbx {
namespace {

using model::MorphChannel;
using model::MorphShape;
using model::Vec3;

struct Offset {
    std::uint32_t point = 0;
    Vec3 position;
    Vec3 normal;
};

bool is_zero(const Vec3& v) { return v == Vec3{}; }

// What a shape does to the points of the file's mesh, by ascending point, as ufbx has them. A point that is named twice is moved by
// both, as ufbx moves it.
std::vector<Offset> offsets_of(const ufbx_blend_shape& shape, std::size_t point_count, std::uint64_t& astray) {
    std::vector<Offset> out;
    for (std::size_t i = 0; i < shape.num_offsets; ++i) {
        const std::uint32_t point = shape.offset_vertices.data[i];
        if (point >= point_count) {
            ++astray;
            continue;
        }
        // Blender's vertex group of a shape.
        const double part = i < shape.offset_weights.count ? shape.offset_weights.data[i] : 1;
        const Vec3 position = to_vec3(shape.position_offsets.data[i]) * part;
        const Vec3 normal = i < shape.normal_offsets.count ? to_vec3(shape.normal_offsets.data[i]) * part : Vec3{};
        if (out.empty() || out.back().point != point) {
            out.push_back({point, {}, {}});
        }
        out.back().position += finite(position) ? position : Vec3{};
        out.back().normal += finite(normal) ? normal : Vec3{};
    }
    return out;
}

// Subdividing is linear in the points, so offsets are subdivided as points are. Normals are not, and are left to be computed.
std::vector<Offset> subdivided(const std::vector<Offset>& coarse, std::size_t point_count, const ufbx_subdivision_result& how) {
    std::vector<Vec3> moved(point_count);
    for (const Offset& offset : coarse) {
        moved[offset.point] = offset.position;
    }
    std::vector<Offset> out;
    for (std::size_t p = 0; p < how.source_vertex_ranges.count; ++p) {
        const ufbx_subdivision_weight_range& range = how.source_vertex_ranges.data[p];
        Vec3 sum;
        for (std::uint32_t w = 0; w < range.num_weights; ++w) {
            const ufbx_subdivision_weight& weight = how.source_vertex_weights.data[range.weight_begin + w];
            sum += moved[weight.index] * weight.weight;
        }
        out.push_back({static_cast<std::uint32_t>(p), sum, {}});
    }
    return out;
}

// A surface is linear in its control points: the one whose control points stand at their offsets is the offset of each of its points.
std::vector<Offset> on_surface(const std::vector<Offset>& coarse, const ufbx_nurbs_surface& surface, const ufbx_mesh& cut) {
    std::vector<ufbx_vec4> offsets(surface.control_points.begin(), surface.control_points.end());
    for (ufbx_vec4& point : offsets) {
        point = {{{0, 0, 0, point.w}}};
    }
    for (const Offset& offset : coarse) {
        offsets[offset.point] = {{{offset.position.x, offset.position.y, offset.position.z, offsets[offset.point].w}}};
    }
    ufbx_nurbs_surface moved = surface;
    moved.control_points.data = offsets.data();
    std::vector<Offset> out(cut.num_vertices);
    for (std::uint32_t p = 0; p < out.size(); ++p) {
        out[p].point = p;
    }
    std::vector<bool> known(cut.num_vertices);
    for (std::size_t i = 0; i < cut.num_indices; ++i) {
        const std::uint32_t point = cut.vertex_indices.data[i];
        if (!known[point]) {
            known[point] = true;
            const ufbx_vec2 at = cut.vertex_uv.values.data[cut.vertex_uv.indices.data[i]];  // the surface's own parameters
            const Vec3 position = to_vec3(ufbx_evaluate_nurbs_surface(&moved, at.x, at.y).position);
            out[point].position = finite(position) ? position : Vec3{};
        }
    }
    return out;
}

void store(const std::vector<Offset>& offsets, MorphShape& out) {
    // Where a file knows no normal offsets it may have zeros (Blender writes them).
    const bool has_normals = std::any_of(offsets.begin(), offsets.end(), [](const Offset& o) { return !is_zero(o.normal); });
    for (const Offset& offset : offsets) {
        if (is_zero(offset.position) && is_zero(offset.normal)) {
            continue;
        }
        out.points.push_back(offset.point);
        out.offsets.push_back(offset.position);
        if (has_normals) {
            out.normal_offsets.push_back(offset.normal);
        }
    }
}

// The property that the weight of a channel comes from. Before 7.0 it is one of the mesh's node, connected to the channel.
ElementProperty weight_source(const ufbx_blend_channel& channel) {
    constexpr int kMost = 16;  // a chain of connections may be a ring
    ElementProperty out{&channel.element, "DeformPercent"};
    for (int steps = 0; steps < kMost; ++steps) {
        const ufbx_connection_list& list = out.element->connections_dst;
        const auto* found = std::find_if(list.begin(), list.end(), [&](const ufbx_connection& c) {
            return view(c.dst_prop) == out.property && c.src_prop.length != 0;
        });
        if (found == list.end()) {
            break;
        }
        out = {found->src, view(found->src_prop)};
    }
    return out;
}

// What the points that shapes move become in the model's mesh.
struct Target {
    std::size_t points = 0;       // of the file's mesh or surface
    std::size_t fine_points = 0;  // where each of them is made anew
    std::function<std::vector<Offset>(const std::vector<Offset>&)> refine{};  // empty: they stay what they are
};

// The channels of a mesh, read one by one.
class Reader {
public:
    Reader(Import& in, const Target& target, model::Mesh& out) : in_(in), target_(target), out_(out) {}

    core::Result<void> read_all(const ufbx_blend_deformer& deformer, model::MeshId mesh) {
        for (const ufbx_blend_channel* channel : deformer.channels) {
            if (core::Result<void> done = read(*channel, mesh); !done) {
                return done;
            }
        }
        return {};
    }

    core::Result<void> read(const ufbx_blend_channel& channel, model::MeshId mesh) {
        MorphChannel made;
        made.name = in_.name(channel.name);
        made.default_weight = std::isfinite(channel.weight) ? channel.weight : 0;
        for (const ufbx_blend_keyframe& key : channel.keyframes) {
            if (const char* why = why_not(key.target_weight, made)) {
                in_.report.add(core::IssueId::FBX_SHAPE_WEIGHT, {},
                               {{"channel", made.name}, {"mesh", out_.name}, {"shape", in_.name(key.shape->name)},
                                {"found", core::number_text(key.target_weight * 100)}, {"why", why}});
                continue;
            }
            MorphShape& shape = made.shapes.emplace_back();
            shape.name = in_.name(key.shape->name);
            shape.weight = key.target_weight;
            const std::vector<Offset> coarse = offsets_of(*key.shape, target_.points, astray_);
            // A few bytes may connect one shape to any number of channels.
            in_.morph_points += target_.refine ? target_.fine_points : coarse.size();
            if (++in_.morph_shapes > in_.options.limits.max_morph_shapes) {
                return too_many("blend shapes", in_.morph_shapes, in_.options.limits.max_morph_shapes);
            }
            if (in_.morph_points > in_.options.limits.max_morph_vertices) {
                return too_many("points that blend shapes move", in_.morph_points, in_.options.limits.max_morph_vertices);
            }
            store(target_.refine ? target_.refine(coarse) : coarse, shape);
        }
        if (made.shapes.empty()) {
            in_.report.add_loss("blend shape channels without a shape", 1);
            return {};
        }
        if (made.name.empty()) {
            made.name = made.shapes.back().name.empty() ? "shape" : made.shapes.back().name;
        }
        in_.morph_sources.push_back({&channel, mesh, static_cast<std::uint32_t>(out_.morphs.size()), weight_source(channel)});
        out_.morphs.push_back(std::move(made));
        return {};
    }

    void finish() {
        in_.report.add_loss("blend shape offsets of points that are not there", astray_);
        std::vector<std::string> names;
        for (const MorphChannel& channel : out_.morphs) {
            names.push_back(channel.name);
        }
        const std::vector<std::string> numbered = model::number_duplicates(names);
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (numbered[i] != names[i]) {
                in_.report.add(core::IssueId::FBX_SHAPE_RENAMED, {}, {{"mesh", out_.name}, {"name", names[i]}, {"written", numbered[i]}});
                out_.morphs[i].name = numbered[i];
            }
        }
    }

private:
    static core::Fault too_many(const char* what, std::uint64_t found, std::uint64_t limit) {
        return core::fail(core::Code::LimitExceeded, {}, std::string("too many ") + what, std::to_string(found), "at most " + std::to_string(limit),
                          "leave shapes out, or raise --limits");
    }

    static const char* why_not(double weight, const MorphChannel& channel) {
        if (!std::isfinite(weight) || weight == 0) {
            return "where nothing moves";
        }
        return !channel.shapes.empty() && channel.shapes.back().weight == weight ? "as another one is" : nullptr;
    }

    Import& in_;
    const Target& target_;
    model::Mesh& out_;
    std::uint64_t astray_ = 0;
};

}  // namespace

core::Result<void> read_morphs(Import& in, const ufbx_mesh& source, const ufbx_mesh& file, model::MeshId mesh, model::Mesh& out) {
    Target target{file.num_vertices, source.num_vertices};
    if (source.subdivision_result != nullptr) {
        target.refine = [&](const std::vector<Offset>& coarse) { return subdivided(coarse, file.num_vertices, *source.subdivision_result); };
    }
    Reader reader(in, target, out);
    for (const ufbx_blend_deformer* deformer : file.blend_deformers) {
        if (core::Result<void> done = reader.read_all(*deformer, mesh); !done) {
            return done;
        }
    }
    reader.finish();
    if (!out.morphs.empty() && has_late_shapes(file)) {
        if (!in.late_errors) {
            in.late_errors = measure_late_shapes(in.bytes, in.options);
        }
        in.report.add(core::IssueId::FBX_SHAPE_AFTER_SKIN, {}, {{"mesh", out.name}, {"distance", in.distance_text(*in.late_errors, file)}});
    }
    return {};
}

core::Result<void> read_surface_morphs(Import& in, const ufbx_nurbs_surface& surface, const ufbx_mesh& cut, model::MeshId mesh, model::Mesh& out) {
    const Target target{surface.control_points.count, cut.num_vertices,
                        [&](const std::vector<Offset>& coarse) { return on_surface(coarse, surface, cut); }};
    Reader reader(in, target, out);
    for (const ufbx_blend_deformer* deformer : blend_deformers_of(surface)) {
        if (core::Result<void> done = reader.read_all(*deformer, mesh); !done) {
            return done;
        }
    }
    reader.finish();
    return {};
}

std::vector<const ufbx_blend_deformer*> blend_deformers_of(const ufbx_nurbs_surface& surface) {
    std::vector<const ufbx_blend_deformer*> out;
    for (const ufbx_connection& connection : surface.element.connections_dst) {
        if (const ufbx_blend_deformer* deformer = ufbx_as_blend_deformer(connection.src); deformer != nullptr && connection.src_prop.length == 0) {
            out.push_back(deformer);
        }
    }
    return out;
}

void read_morph_tracks(Import& in, const ClipSource& source, model::Clip& clip) {
    std::map<std::pair<std::uint32_t, std::string_view>, const ufbx_baked_prop*> baked;
    for (const ufbx_baked_element& element : source.bake.elements) {
        for (const ufbx_baked_prop& prop : element.props) {
            baked[{element.element_id, view(prop.name)}] = &prop;
        }
    }
    auto left = baked;
    for (const MorphSource& morph : in.morph_sources) {
        const auto found = baked.find({morph.weight.element->element_id, morph.weight.property});
        if (found == baked.end()) {
            continue;
        }
        left.erase(found->first);
        const Refill refill(in.scene, source.played, {{morph.weight.element}, morph.weight.property, false, false}, source.fps, source.begin, source.end,
                            in.options.limits.max_keys_per_clip);
        const MorphChannel& channel = in.model.meshes[morph.mesh.value].morphs[morph.channel];
        std::uint64_t dropped = 0;
        model::MorphTrack track{morph.mesh, morph.channel, {}};
        track.keys = read_keys<double>(
            found->second->keys, source.time, clip.duration, channel.default_weight, [](const ufbx_vec3& v) { return v.x / 100; }, dropped, refill,
            [&](double time) { return ufbx_evaluate_blend_weight(source.played.anim, morph.source, time); });
        if (dropped != 0) {
            in.report.add(core::IssueId::CLIP_NON_FINITE, {}, {{"clip", clip.name}, {"count", std::to_string(dropped)}, {"bone", channel.name}});
        }
        if (!track.keys.empty()) {
            clip.morph_tracks.push_back(std::move(track));
        }
    }
    std::uint64_t elements = 0;
    for (auto it = left.begin(); it != left.end(); it = left.lower_bound({it->first.first + 1, {}})) {
        ++elements;
    }
    in.report.add_loss("animated properties other than translation, rotation, scale and blend shape weights", elements);
}

}  // namespace gomkit::fbx

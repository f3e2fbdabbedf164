#include "export.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <gomkit/core/reader.hpp>
#include <gomkit/pass/normals.hpp>
#include <gomkit/pass/triangulate.hpp>

#include "assemble.hpp"
#include "blobs.hpp"
#include "decode.hpp"
#include "fields.hpp"
#include "import.hpp"
#include "options.hpp"

namespace gomkit::mv1 {
namespace {

using core::Code;
using model::Mat4;
using model::NodeId;
using model::Quat;
using model::Vec3;

constexpr std::size_t kListBones = 54;
constexpr std::size_t kListIndices = 65500 / 3 * 3;
constexpr std::size_t kListVertices = 65535;
constexpr std::uint64_t kLargestFile = 0x7FFFFFFF;
constexpr std::size_t kPaletteSlots = 0xFFFF;   // as a weight's slot this is the end
// What a source's own document gives back to a changed model.
constexpr const char* kKept[] = {"alpha tests of materials", "blend modes of materials", "textures that do not repeat", "texture scales",
                                 "height maps in place of normal maps"};
constexpr float kSmoothing = 1.5208f;
// Exactly (0, 0, 0, 1) would mean "no quaternion" (MV1-CLIP-4); this far from it nothing moves.
constexpr float kNearlyNothing = 1e-20f;

float to_float(double v) { return static_cast<float>(v) + 0.0f; }
double wide(float v) { return static_cast<double>(v); }
std::array<float, 3> to_floats(const Vec3& v) { return {to_float(v.x), to_float(v.y), to_float(v.z)}; }

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

// Where a frame of the file comes from.
struct FrameSource {
    NodeId node;
    std::uint32_t instance = model::kNoIndex;   ///< what is drawn in it
};

// How many values or vertices of one point are looked at for an equal one.
constexpr std::uint32_t kWeldSearch = 256;

// Values at corners, equal ones of one point told once.
template <std::size_t N>
struct Welded {
    std::vector<std::array<float, N>> values;
    std::vector<std::uint32_t> of_corner;
};

template <std::size_t N, class Value>
Welded<N> weld(const model::Mesh& mesh, Value value_of_corner) {
    Welded<N> out;
    std::vector<std::uint32_t> first(mesh.points.size(), kNone);
    std::vector<std::uint32_t> next;
    out.of_corner.reserve(mesh.corner_point.size());
    for (std::uint32_t c = 0; c < mesh.corner_point.size(); ++c) {
        const std::array<float, N> value = value_of_corner(c);
        std::uint32_t& head = first[mesh.corner_point[c]];
        std::uint32_t i = head;
        for (std::uint32_t k = 0; i != kNone && out.values[i] != value; ++k) {
            i = k < kWeldSearch ? next[i] : kNone;
        }
        if (i == kNone) {
            i = static_cast<std::uint32_t>(out.values.size());
            out.values.push_back(value);
            next.push_back(std::exchange(head, i));
        }
        out.of_corner.push_back(i);
    }
    return out;
}

// Everything that makes one vertex of a mesh.
struct VertexKey {
    std::uint32_t point = 0;
    std::uint32_t normal = 0;
    std::array<std::uint32_t, 3> layers{};      ///< up to two UV sets, a colour
    auto operator<=>(const VertexKey&) const = default;
};

class Exporter {
public:
    Exporter(const model::Model& model, const codec::WriteOptions& options, core::Report& report)
        : m_(model), report_(report), options_(options), own_(options_of(options.format)), unit_(unit_of(model, own_)) {}

    core::Result<Document> run() {
        d_.header.is_string_utf8 = 1;
        if (m_.mv1) {
            if (Checked<Document> stored = decode_buffer(m_.mv1->buffer, options_.limits)) {
                stored_ = std::move(*stored);
            }
        }
        order_frames();
        for (std::size_t i = 0; i < sources_.size(); ++i) {
            add_frame(i);
        }
        find_skin_bones();
        l_.frame_palette.resize(sources_.size());
        for (std::uint32_t i = 0; i < sources_.size(); ++i) {
            l_.frame_meshes.push_back({static_cast<std::uint32_t>(d_.meshes.size()), 0});
            if (sources_[i].instance != model::kNoIndex) {
                if (core::Result<void> done = add_geometry(i, m_.instances[sources_[i].instance]); !done) {
                    return core::Fault(std::move(done.error()));
                }
            }
        }
        Parts parts;
        parts.meshes = !d_.meshes.empty() || m_.clips.empty();
        parts.animations = !m_.clips.empty();
        if (parts.meshes) {
            add_materials();
        }
        for (const model::Clip& clip : m_.clips) {
            add_clip(clip);
        }
        report_losses();
        if (const std::uint64_t size = largest_size(), most = std::min<std::uint64_t>(options_.limits.max_file_bytes, kLargestFile); size > most) {
            return core::fail(Code::LimitExceeded, {}, "limit on file bytes exceeded", std::to_string(size), "at most " + std::to_string(most),
                              "split the model");
        }
        if (const std::uint64_t memory = largest_counter(); memory > kLargestFile) {
            return core::fail(Code::LimitExceeded, {}, "DxLib's loader would take too much memory", std::to_string(memory) + " bytes",
                              "at most " + std::to_string(kLargestFile), "split the model, or limit the bones of a vertex");
        }
        assemble(d_, l_, parts);
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
               d_.anim_sets.size() * sizes::kAnimSet + d_.skin_bones.size() * sizes::kSkinBone + l_.palette.size() * (4 + sizes::kUseFrame);
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
        return std::max({positions, vertices, free_lists});
    }

    void report_losses() {
        report_.add_loss("texture coordinate sets beyond the second", lost_uv_sets_);
        report_.add_loss("vertex colour sets beyond the first", lost_color_sets_);
        const auto number_of = [](const auto& elements, auto test) {
            return static_cast<std::uint64_t>(std::count_if(elements.begin(), elements.end(), test));
        };
        const auto drawn = [](const model::Mesh& mesh) { return mesh.polygon_count() != 0; };
        report_.add_loss("tangent sets", number_of(m_.meshes, [&](const model::Mesh& m) { return drawn(m) && m.tangents.exists(); }));
        codec::report_morphs(m_, report_);
        report_.add_loss("emissive maps", number_of(m_.materials, [](const model::Material& m) {
            return m.textures[static_cast<std::size_t>(model::TextureSlot::Emissive)] != model::kNoIndex;
        }));
        report_.add_loss("unlit materials", number_of(m_.materials, [](const model::Material& m) { return m.unlit; }));
        report_.add_loss("drawing order flags of materials", number_of(m_.materials, [](const model::Material& m) { return m.km3_draw_flags != 0; }));
        report_.add_loss("root motion marks of clips", number_of(m_.clips, [](const model::Clip& c) { return c.root.valid() || c.has_root_motion; }));
        // A frame has no matrix; a stored bind pose may be one that no turning and scaling makes.
        report_.add_loss("skewed bones", number_of(m_.nodes, [&](const model::Node& n) { return m_.gom && !is_square(n.bind_local); }));
        for (const model::HeldContent& held : m_.mv1 ? m_.mv1->held : std::vector<model::HeldContent>{}) {
            const bool kept = stored_ && std::find(std::begin(kKept), std::end(kKept), held.kind) != std::end(kKept);
            report_.add_loss(held.kind + " (kept only in a .mv1 of which nothing changes)", kept ? 0 : held.count);
        }
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

    // From the model's space to the file's: half a turn is its own inverse.
    template <class T>
    [[nodiscard]] T from_space(const T& v) const {
        return own_.faces_back ? turn(v) : v;
    }
    [[nodiscard]] Vec3 from_point(const Vec3& v) const { return from_space(v) / unit_; }
    [[nodiscard]] Mat4 from_matrix(const Mat4& m) const {
        Mat4 out = from_space(m);
        const Vec3 t = from_point({m.m[12], m.m[13], m.m[14]});
        out.m[12] = t.x;
        out.m[13] = t.y;
        out.m[14] = t.z;
        return out;
    }

    // Nodes depth first, brothers in model order; meshes that need a frame of their own hang below their node, or stand at the end.
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
        frame_of_.assign(count, kNone);
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
        const auto add = [&](FrameSource source, std::uint32_t parent) {
            sources_.push_back(source);
            l_.frame_parent.push_back(parent);
            return static_cast<std::uint32_t>(sources_.size() - 1);
        };
        push(children[count], kNone);
        while (!stack.empty()) {
            const Open open = stack.back();
            stack.pop_back();
            const std::vector<std::uint32_t>& here = drawn[open.node];
            const std::uint32_t frame = add({NodeId{open.node}, here.empty() ? model::kNoIndex : here[0]}, open.parent);
            frame_of_[open.node] = frame;
            for (std::size_t k = 1; k < here.size(); ++k) {
                add({NodeId{}, here[k]}, frame);
            }
            push(children[open.node], frame);
        }
        for (const std::uint32_t i : drawn[count]) {
            add({NodeId{}, i}, kNone);
        }
    }

    void add_frame(std::size_t i) {
        const FrameSource& source = sources_[i];
        Frame f;
        f.flag = 1;
        f.smoothing_angle = kSmoothing;
        f.vert_flag = 0x08;
        if (source.node.valid()) {
            const model::Node& node = m_.nodes[source.node.value];
            f.name = add_string(d_, node.name);
            f.translate = to_floats(from_point(node.rest.translation));
            f.scale = to_floats(node.rest.scale);
            f.rotate = to_euler(from_space(node.rest.rotation));
            f.flag = node.visible ? 1 : 0;
        } else {
            f.name = add_string(d_, m_.instances[source.instance].name);
        }
        d_.frames.push_back(std::move(f));
        l_.frame_light.push_back(kNone);
        l_.frame_shapes.push_back({});
    }

    // Positions of a skinned mesh are stored in its frame's space, as bind poses are read from them.
    [[nodiscard]] static Mat4 placement(const model::MeshInstance& instance) {
        Mat4 inverse;
        return inverse_affine(instance.geometry_to_node, inverse) ? instance.geometry_to_node : Mat4{};
    }

    [[nodiscard]] static bool is_usable(const model::Influence& in) { return in.weight > 0 && std::isfinite(in.weight); }

    // Whether some point follows no bone.
    [[nodiscard]] static bool has_loose_points(const model::Mesh& mesh) {
        const model::Skin& skin = *mesh.skin;
        for (std::size_t p = 0; p < mesh.points.size(); ++p) {
            if (std::none_of(skin.influences.begin() + skin.first[p], skin.influences.begin() + skin.first[p + 1], is_usable)) {
                return true;
            }
        }
        return false;
    }

    // One skin bone for each bone and matrix, sorted by frame; per instance the bone of each cluster, and last the instance's own
    // frame where points follow no bone.
    void find_skin_bones() {
        struct Key {
            std::uint32_t frame;
            std::array<float, 12> matrix;
            auto operator<=>(const Key&) const = default;
        };
        std::map<Key, std::uint32_t> bones;
        const auto key_of = [&](std::uint32_t frame, const Mat4& matrix) {
            const Mat4 m = from_matrix(matrix);
            Key key{frame, {}};
            for (std::size_t r = 0; r < 3; ++r) {
                for (std::size_t c = 0; c < 4; ++c) {
                    key.matrix[4 * r + c] = to_float(m.m[4 * c + r]);
                }
            }
            return key;
        };
        const auto each = [&](auto&& visit) {
            for (std::uint32_t i = 0; i < sources_.size(); ++i) {
                const std::uint32_t number = sources_[i].instance;
                if (number == model::kNoIndex || !is_skinned(m_.meshes[m_.instances[number].mesh.value])) {
                    continue;
                }
                const model::Mesh& mesh = m_.meshes[m_.instances[number].mesh.value];
                Mat4 back;
                if (!inverse_affine(placement(m_.instances[number]), back)) {
                    back = Mat4{};
                }
                for (const model::Cluster& cluster : mesh.skin->clusters) {
                    visit(number, key_of(frame_of_[cluster.bone.value], back * cluster.geometry_to_bone));
                }
                if (has_loose_points(mesh)) {
                    visit(number, key_of(i, Mat4{}));
                }
            }
        };
        each([&](std::uint32_t, const Key& key) { bones.try_emplace(key, 0); });
        l_.frame_skin_bones.assign(sources_.size(), {});
        for (auto& [key, number] : bones) {
            number = static_cast<std::uint32_t>(d_.skin_bones.size());
            SkinBone b;
            b.bone_frame = static_cast<std::int32_t>(key.frame);
            b.model_local = key.matrix;
            b.is_translate_only = 1;
            for (const std::size_t at : {0u, 1u, 2u, 4u, 5u, 6u, 8u, 9u, 10u}) {
                b.is_translate_only = key.matrix[at] == (at % 5 == 0 ? 1.f : 0.f) ? b.is_translate_only : 0;
            }
            Run& run = l_.frame_skin_bones[key.frame];
            run.first = run.count == 0 ? number : run.first;
            ++run.count;
            d_.skin_bones.push_back(b);
            l_.skin_bone_driver.push_back(key.frame);
        }
        bones_of_instance_.resize(m_.instances.size());
        each([&](std::uint32_t instance, const Key& key) { bones_of_instance_[instance].push_back(bones.at(key)); });
    }

    [[nodiscard]] bool has_own_normals(const model::Mesh& mesh) const {
        return mesh.normals.exists() && options_.normals == pass::NormalMode::Keep;
    }
    [[nodiscard]] static bool is_skinned(const model::Mesh& mesh) { return mesh.skin && !mesh.skin->clusters.empty(); }

    core::Result<void> add_geometry(std::uint32_t frame, const model::MeshInstance& instance) {
        const model::Mesh& mesh = m_.meshes[instance.mesh.value];
        Frame& f = d_.frames[frame];
        const bool skinned = is_skinned(mesh);
        const Mat4 place = skinned ? placement(instance) : instance.geometry_to_node;
        core::Writer block;
        for (const Vec3& p : mesh.points) {
            for (const float v : to_floats(from_point(runtime::transform_point(p, place)))) {
                block.f32(v);
            }
        }
        f.position_num = static_cast<std::int32_t>(mesh.points.size());
        std::vector<std::vector<Weight>> weights(mesh.points.size());
        if (skinned) {
            const std::vector<std::uint32_t>& bones = bones_of_instance_[sources_[frame].instance];
            if (bones.size() > kPaletteSlots) {
                return core::fail(Code::LimitExceeded, {}, "mesh '" + instance.name + "' has too many bones", std::to_string(bones.size()),
                                  "at most " + std::to_string(kPaletteSlots), "split the mesh");
            }
            add_weights(frame, mesh, bones, weights, block);
        }
        // Normals: the mesh's own layer, or one a corner.
        const bool own = has_own_normals(mesh);
        const std::vector<Vec3> made = own ? std::vector<Vec3>{} : pass::generate_normals(mesh);
        const Mat4 cofactors = cofactor3(place);
        const double sign = determinant3(place) < 0 ? -1 : 1;
        const Welded<3> normals = weld<3>(mesh, [&](std::uint32_t c) {
            const Vec3& normal = own ? mesh.normals.values[mesh.normals.corner_index[c]] : made[c];
            return to_floats(from_space(normalized(runtime::transform_vector(normal, cofactors) * sign)));
        });
        for (const std::array<float, 3>& normal : normals.values) {
            for (const float v : normal) {
                block.f32(v);
            }
        }
        f.normal_num = static_cast<std::int32_t>(normals.values.size());
        f.vert_flag = static_cast<std::uint16_t>(3 | (skinned ? 0x20 : 0x08) | (wide_bones_ && skinned ? 0x10 : 0));
        f.auto_create_normal = 1;
        f.blob = block.take();
        add_meshes(frame, instance, mesh, normals, weights, sign < 0 && !skinned);
        return {};
    }

    struct Weight {
        std::uint16_t slot = 0;
        std::uint16_t value = 0;
    };

    // The palette is all of the mesh's clusters; weights are 16-bit, their sum 65535, the largest first.
    void add_weights(std::uint32_t frame, const model::Mesh& mesh, const std::vector<std::uint32_t>& bones, std::vector<std::vector<Weight>>& out,
                     core::Writer& block) {
        l_.frame_palette[frame] = {static_cast<std::uint32_t>(l_.palette.size()), static_cast<std::uint32_t>(bones.size())};
        l_.palette.insert(l_.palette.end(), bones.begin(), bones.end());
        const model::Skin& skin = *mesh.skin;
        std::size_t most = 0;
        for (std::size_t p = 0; p < out.size(); ++p) {
            std::map<std::uint32_t, double> sums;
            double total = 0;
            for (std::uint32_t i = skin.first[p]; i < skin.first[p + 1]; ++i) {
                const model::Influence& in = skin.influences[i];
                if (is_usable(in)) {
                    sums[in.cluster] += in.weight;
                    total += in.weight;
                }
            }
            std::vector<std::pair<double, std::uint32_t>> sorted;
            for (const auto& [cluster, weight] : sums) {
                if (std::floor(weight / total * 65535) >= 1) {
                    sorted.emplace_back(-weight, cluster);
                }
            }
            std::sort(sorted.begin(), sorted.end());
            if (sorted.empty()) {
                // Its own frame, or one of bones so many that each has next to nothing.
                sorted.emplace_back(-1, sums.empty() ? static_cast<std::uint32_t>(skin.clusters.size()) : sums.begin()->first);
                total = 1;
            }
            std::uint32_t left = 65535;
            for (std::size_t k = 0; k < sorted.size(); ++k) {
                // The loader gives the last one what is missing.
                const auto value = k + 1 == sorted.size() ? left : static_cast<std::uint32_t>(std::floor(-sorted[k].first / total * 65535 + 0.5));
                out[p].push_back({static_cast<std::uint16_t>(sorted[k].second), static_cast<std::uint16_t>(std::min(value, left))});
                left -= std::min(value, left);
            }
            while (out[p].size() > 1 && out[p].back().value == 0) {
                out[p].pop_back();   // nothing was left for it
            }
            most = std::max(most, out[p].size());
        }
        Frame& f = d_.frames[frame];
        f.max_bone_blend_num = static_cast<std::uint16_t>(most == 0 ? 0 : most <= 4 ? 4 : most <= 8 ? 8 : most);
        wide_bones_ = bones.size() > 255;
        for (const std::vector<Weight>& list : out) {
            for (const Weight& w : list) {
                wide_bones_ ? block.u16(w.slot) : block.put(static_cast<std::uint8_t>(w.slot));
                block.u16(w.value);
            }
            if (list.size() < f.max_bone_blend_num) {
                wide_bones_ ? block.u16(0xFFFF) : block.put(std::uint8_t{0xFF});
            }
        }
    }

    // One mesh for each material slot in use.
    void add_meshes(std::uint32_t frame, const model::MeshInstance& instance, const model::Mesh& mesh, const Welded<3>& normals,
                    const std::vector<std::vector<Weight>>& weights, bool mirrored) {
        std::map<std::uint32_t, std::vector<std::uint32_t>> corners_of_slot;
        std::vector<std::uint32_t> cut;
        for (std::size_t p = 0; p < mesh.polygon_count(); ++p) {
            const std::uint32_t first = mesh.polygon_first[p];
            cut.clear();
            static_cast<void>(pass::triangulate(mesh.points, std::span(mesh.corner_point).subspan(first, mesh.polygon_first[p + 1] - first), cut));
            std::vector<std::uint32_t>& to = corners_of_slot[mesh.polygon_material.empty() ? 0 : mesh.polygon_material[p]];
            for (std::size_t k = 0; k + 2 < cut.size(); k += 3) {
                to.push_back(first + cut[k]);
                to.push_back(first + cut[k + (mirrored ? 2 : 1)]);
                to.push_back(first + cut[k + (mirrored ? 1 : 2)]);
            }
        }
        const std::size_t sets = std::min<std::size_t>(mesh.uvs.size(), 2);
        lost_uv_sets_ += mesh.uvs.size() - sets;
        lost_color_sets_ += mesh.colors.size() > 1 ? mesh.colors.size() - 1 : 0;
        const bool colored = !mesh.colors.empty();
        std::vector<std::uint32_t> first_of_point(mesh.points.size(), kNone);
        std::array<Welded<2>, 2> uvs;
        for (std::size_t s = 0; s < sets; ++s) {
            uvs[s] = weld<2>(mesh, [&](std::uint32_t c) {
                const model::Vec2& uv = mesh.uvs[s].values[mesh.uvs[s].corner_index[c]];
                return std::array<float, 2>{to_float(uv.x), to_float(uv.y)};
            });
        }
        Welded<4> colors;
        if (colored) {
            colors = weld<4>(mesh, [&](std::uint32_t c) {
                const model::Vec4& v = mesh.colors[0].values[mesh.colors[0].corner_index[c]];
                return std::array<float, 4>{to_float(v.x), to_float(v.y), to_float(v.z), to_float(v.w)};
            });
        }
        for (const auto& [slot, corners] : corners_of_slot) {
            std::vector<VertexKey> vertices;
            std::vector<std::uint32_t> next;   // vertex of the same point
            std::vector<std::uint32_t> indices;
            for (const std::uint32_t c : corners) {
                VertexKey key;
                key.point = mesh.corner_point[c];
                key.normal = normals.of_corner[c];
                for (std::size_t s = 0; s < sets; ++s) {
                    key.layers[s] = uvs[s].of_corner[c];
                }
                key.layers[2] = colored ? colors.of_corner[c] : 0;
                std::uint32_t v = first_of_point[key.point];
                for (std::uint32_t k = 0; v != kNone && vertices[v] != key; ++k) {
                    v = k < kWeldSearch ? next[v] : kNone;
                }
                if (v == kNone) {
                    v = static_cast<std::uint32_t>(vertices.size());
                    vertices.push_back(key);
                    next.push_back(std::exchange(first_of_point[key.point], v));
                }
                indices.push_back(v);
            }
            for (const VertexKey& v : vertices) {
                first_of_point[v.point] = kNone;
            }
            Mesh out;
            out.visible = instance.visible ? 1 : 0;
            out.uv_set_num = static_cast<std::uint8_t>(sets);
            out.vertex_num = static_cast<std::int32_t>(vertices.size());
            out.use_diffuse_color = colored ? 1 : 0;
            const std::uint32_t position_type = index_type(mesh.points.size());
            const std::uint32_t normal_type = index_type(static_cast<std::size_t>(d_.frames[frame].normal_num));
            out.vert_flag = static_cast<std::int32_t>(position_type | normal_type << 2 | (colored ? 0u : 0x20u) | 0x40u);
            const model::MaterialId material = slot < instance.materials.size() ? instance.materials[slot] : model::MaterialId{};
            default_material_ = default_material_ || !material.valid();
            out.back_culling = material.valid() && m_.materials[material.value].double_sided ? 0 : 1;
            core::Writer block;
            const auto color = [&](const model::Vec4& c) {
                for (const double v : {c.z, c.y, c.x, c.w}) {
                    block.put(static_cast<std::uint8_t>(std::clamp(v, 0.0, 1.0) * 255 + 0.5));
                }
            };
            const auto shown = [&](const model::Vec4& diffuse) {
                color(diffuse);
                const Vec3 s = material.valid() ? m_.materials[material.value].specular : Vec3{0, 0, 0};
                color({s.x, s.y, s.z, 1});
            };
            if (!colored) {
                const model::Material plain = material.valid() ? m_.materials[material.value] : model::Material{};
                shown({plain.diffuse.x, plain.diffuse.y, plain.diffuse.z, plain.opacity});
            }
            for (const VertexKey& v : vertices) {
                put_index(block, position_type, v.point);
            }
            for (const VertexKey& v : vertices) {
                put_index(block, normal_type, v.normal);
            }
            for (std::size_t v = 0; colored && v < vertices.size(); ++v) {
                const std::array<float, 4>& c = colors.values[vertices[v].layers[2]];
                out.not_one_diffuse_alpha = c[3] < 1 ? 1 : out.not_one_diffuse_alpha;
                shown({wide(c[0]), wide(c[1]), wide(c[2]), wide(c[3])});
            }
            for (const VertexKey& v : vertices) {
                for (std::size_t s = 0; s < sets; ++s) {
                    block.f32(uvs[s].values[v.layers[s]][0]);
                    block.f32(uvs[s].values[v.layers[s]][1]);
                }
            }
            block.zeros((vertices.size() + 7) / 8);
            out.blob = block.take();
            l_.mesh_frame.push_back(frame);
            l_.mesh_material.push_back(material.valid() ? material.value : static_cast<std::uint32_t>(m_.materials.size()));
            l_.mesh_lists.push_back({static_cast<std::uint32_t>(d_.lists.size()), 0});
            ++l_.frame_meshes[frame].count;
            d_.meshes.push_back(std::move(out));
            const bool skinned = d_.frames[frame].max_bone_blend_num != 0;
            add_lists(vertices, indices, weights, skinned);
            l_.mesh_lists.back().count = static_cast<std::uint32_t>(d_.lists.size()) - l_.mesh_lists.back().first;
        }
    }

    static std::uint32_t index_type(std::size_t count) { return count < 256 ? 1 : count < 65536 ? 2 : 3; }
    static void put_index(core::Writer& out, std::uint32_t type, std::uint32_t v) {
        type == 1 ? out.put(static_cast<std::uint8_t>(v)) : type == 2 ? out.put(static_cast<std::uint16_t>(v)) : out.put(v);
    }

    // Triangles by the weights of their heaviest vertex, in their order; a list is closed when the next triangle does not fit.
    void add_lists(const std::vector<VertexKey>& vertices, const std::vector<std::uint32_t>& indices,
                   const std::vector<std::vector<Weight>>& weights, bool skinned) {
        struct Open {
            std::vector<std::uint32_t> vertices;
            std::vector<std::uint32_t> indices;
            std::map<std::uint32_t, std::uint32_t> place;      // of mesh vertices
            std::set<std::uint16_t> bones;
            std::size_t most = 4;
        };
        std::array<Open, 4> open;
        const auto close = [&](std::uint16_t type) {
            Open& o = open[type];
            if (o.indices.empty()) {
                return;
            }
            TriangleList list;
            list.vertex_type = type;
            list.vertex_num = static_cast<std::uint16_t>(o.vertices.size());
            list.index_num = static_cast<std::uint16_t>(o.indices.size());
            const std::uint32_t width = vertices.size() < 256 ? 0 : vertices.size() < 65536 ? 1 : 2;
            const std::uint32_t index_width = o.vertices.size() < 256 ? 0 : 1;
            list.flag = static_cast<std::uint16_t>(width | index_width << 2);
            core::Writer w;
            if (type == 1 || type == 2) {
                w.u16(static_cast<std::uint16_t>(o.bones.size()));
                for (const std::uint16_t slot : o.bones) {
                    w.u16(slot);
                }
            } else if (type == 3) {
                w.u16(static_cast<std::uint16_t>(o.most));
            }
            for (const std::uint32_t v : o.vertices) {
                put_index(w, width + 1, v);
            }
            for (const std::uint32_t i : o.indices) {
                put_index(w, index_width + 1, i);
            }
            list.blob = w.take();
            d_.lists.push_back(std::move(list));
            o = {};
        };
        for (std::size_t t = 0; t + 2 < indices.size(); t += 3) {
            std::size_t most = 0;
            std::set<std::uint16_t> bones;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::vector<Weight>& list = weights[vertices[indices[t + k]].point];
                most = std::max(most, list.size());
                for (const Weight& w : list) {
                    bones.insert(w.slot);
                }
            }
            const std::uint16_t type = !skinned ? 0 : most <= 4 ? 1 : most <= 8 ? 2 : 3;
            Open& o = open[type];
            std::size_t more_bones = 0;
            for (const std::uint16_t slot : bones) {
                more_bones += o.bones.contains(slot) ? 0u : 1u;
            }
            const bool fits = o.indices.size() + 3 <= kListIndices && o.vertices.size() + 3 <= kListVertices &&
                              (type == 3 || o.bones.size() + more_bones <= kListBones);
            if (!fits) {
                close(type);
            }
            for (std::size_t k = 0; k < 3; ++k) {
                const auto [it, added] = o.place.try_emplace(indices[t + k], static_cast<std::uint32_t>(o.vertices.size()));
                if (added) {
                    o.vertices.push_back(indices[t + k]);
                }
                o.indices.push_back(it->second);
            }
            o.bones.insert(bones.begin(), bones.end());
            o.most = std::max(o.most, most);
        }
        for (std::uint16_t type = 0; type < 4; ++type) {
            close(type);
        }
    }

    // What a Model does not hold of a material that was an .mv1's.
    static void take_back(const Material& was, Material& out) {
        out.ambient = was.ambient;
        out.specular[3] = was.specular[3];
        out.emissive[3] = was.emissive[3];
        out.use_alpha_test = was.use_alpha_test;
        out.alpha_func = was.alpha_func;
        out.alpha_ref = was.alpha_ref;
        out.blend_mode = was.blend_mode;
        out.blend_param = was.blend_param;
        out.user_data = was.user_data;
    }

    void add_materials() {
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
        const std::size_t count = m_.materials.size() + (default_material_ ? 1 : 0);
        for (std::size_t i = 0; i < count; ++i) {
            const model::Material source = i < m_.materials.size() ? m_.materials[i] : model::Material{};
            Material out;
            out.name = add_string(d_, source.name);
            const auto color = [](const Vec3& v, double a) { return std::array<float, 4>{to_float(v.x), to_float(v.y), to_float(v.z), to_float(a)}; };
            out.diffuse = color(source.diffuse, source.opacity);
            out.ambient = color({0, 0, 0}, 1);
            out.specular = color(source.specular, 1);
            out.emissive = color(source.emissive, 1);
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
            const std::uint32_t was = source.origin.index;
            if (stored_ && was < stored_->materials.size() && text(*stored_, stored_->materials[was].name) == source.name) {
                take_back(stored_->materials[was], out);
            }
            d_.materials.push_back(out);
            d_.toons.emplace_back();
            l_.material_toon.push_back(static_cast<std::uint32_t>(i));
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
            if (stored_ && stored_->textures.size() == texture.size()) {
                const Texture& was = stored_->textures[i];
                out.bump_flag = was.bump_flag;
                out.bump_length = was.bump_length;
                out.address_u = was.address_u;
                out.address_v = was.address_v;
                out.filter = was.filter;
                out.flag = was.flag;
                out.scale_u = was.scale_u;
                out.scale_v = was.scale_v;
            }
        }
    }

    template <class T, class Put>
    void add_keys(KeyType type, DataType data, const std::vector<model::Key<T>>& keys, Put put) {
        KeySet set;
        set.type = static_cast<std::int8_t>(type);
        set.data_type = static_cast<std::int8_t>(data);
        core::Writer w;
        if (keys.size() == 1) {
            set.flag = 0x001;
        } else {
            set.flag = keys.size() < 256 ? 0x002 : keys.size() < 65536 ? 0x004 : 0;
            keys.size() < 256     ? w.put(static_cast<std::uint8_t>(keys.size()))
            : keys.size() < 65536 ? w.put(static_cast<std::uint16_t>(keys.size()))
                                  : w.put(static_cast<std::uint32_t>(keys.size()));
            for (std::size_t i = 0; i < keys.size(); ++i) {
                const bool held = keys[i].step_end && i + 1 < keys.size();   // a step is two keys of one time
                w.f32(to_float((held ? keys[i + 1].time : keys[i].time) * own_.fps));
            }
        }
        for (const model::Key<T>& key : keys) {
            put(w, key.value);
        }
        set.blob = w.take();
        d_.key_sets.push_back(std::move(set));
        ++l_.anim_key_sets.back().count;
    }

    void add_clip(const model::Clip& clip) {
        AnimSet set;
        set.name = add_string(d_, clip.name);
        set.max_time = to_float(clip.duration * own_.fps);
        set.flag = clip.loop ? 4 : 0;
        d_.anim_sets.push_back(set);
        l_.set_anims.push_back({static_cast<std::uint32_t>(d_.anims.size()), 0});
        for (const model::Track& track : clip.tracks) {
            if (track.translation.empty() && track.rotation.empty() && track.scale.empty()) {
                continue;
            }
            Anim anim;
            anim.target_frame = static_cast<std::int32_t>(frame_of_[track.node.value]);
            anim.max_time = set.max_time;
            d_.anims.push_back(anim);
            ++l_.set_anims.back().count;
            l_.anim_key_sets.push_back({static_cast<std::uint32_t>(d_.key_sets.size()), 0});
            const auto vector = [](core::Writer& w, const Vec3& v) {
                for (const float c : to_floats(v)) {
                    w.f32(c);
                }
            };
            if (!track.translation.empty()) {
                add_keys<Vec3>(KeyType::Vector, DataType::Translate, track.translation, [&](core::Writer& w, const Vec3& v) { vector(w, from_point(v)); });
            }
            if (!track.rotation.empty()) {
                add_keys<Quat>(KeyType::Quaternion, DataType::Rotate, track.rotation, [&](core::Writer& w, const Quat& v) {
                    const Quat q = from_space(normalized(v));
                    std::array<float, 4> out{to_float(q.x), to_float(q.y), to_float(q.z), to_float(q.w)};
                    if (out == std::array<float, 4>{0, 0, 0, 1}) {
                        out[0] = kNearlyNothing;
                    }
                    for (const float c : out) {
                        w.f32(c);
                    }
                });
            }
            if (!track.scale.empty()) {
                add_keys<Vec3>(KeyType::Vector, DataType::Scale, track.scale, vector);
            }
        }
    }

    const model::Model& m_;
    core::Report& report_;
    const codec::WriteOptions& options_;
    Options own_;
    std::optional<Document> stored_;                                ///< of a source that was an .mv1
    double unit_;                                                   ///< metres
    Document d_;
    Links l_;
    std::vector<FrameSource> sources_;
    std::vector<std::uint32_t> frame_of_;                           ///< per node
    std::vector<std::vector<std::uint32_t>> bones_of_instance_;     ///< skin bone of each cluster
    bool wide_bones_ = false;                                       ///< of the frame being made
    bool default_material_ = false;
    std::uint64_t lost_uv_sets_ = 0;
    std::uint64_t lost_color_sets_ = 0;
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

#include "export.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <gomkit/core/text.hpp>
#include <gomkit/model/same.hpp>

#include "atlas.hpp"
#include "autorig.hpp"
#include "biped.hpp"
#include "decode.hpp"
#include "encode.hpp"
#include "ik_names.hpp"
#include "import.hpp"
#include "lathe.hpp"
#include "layout.hpp"
#include "measure.hpp"
#include "mesh.hpp"
#include "motion.hpp"
#include "options.hpp"
#include "quantise.hpp"
#include "rig.hpp"
#include "seam_gaps.hpp"
#include "seams.hpp"
#include "slots.hpp"
#include "tim_files.hpp"

namespace gomkit::ps1 {
namespace {

using core::IssueId;
using model::Quat;
using model::Vec3;

constexpr double kLongest = 32767;
constexpr double kLeastScale = 1e-6;      // that --scale takes
constexpr double kMostScale = 1e6;
constexpr double kRounding = 1e-9;        // metres

// Less than a nanometre is rounding.
std::string metres(double value) { return core::short_number(runtime::exact::rint(value * 1e9) / 1e9); }

double largest_of(const Vec3& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }

/// The largest length of the model, and where it is.
struct Reach {
    double metres = 0;
    double vertex = 0;    ///< the largest one of a vertex in its bone's space
    core::Place place;
    std::string what;
};

class Exporter {
public:
    /// `rigged`: what `model` is of, when autorig() made it; it lives as long as the exporter.
    Exporter(const model::Model& model, const codec::WriteOptions& options, const Autorigged* rigged, core::Report& report)
        : model_(model), options_(options), own_(options_of(options.format)), rigged_(rigged), report_(report) {}

    core::Result<Document> run() {
        // 4096 is 1 in a PS1M already.
        const double metre = own_.compat && !model_.ps1 && model_.source.unit_meters > 0 ? model_.source.unit_meters : 1;
        unit_at_1_ = kUnit / metre;
        unit_ = unit_at_1_ * own_.scale;
        RigOptions how;
        how.max_bones = own_.max_bones.value_or(0);
        how.keep_bind_scale = own_.compat;
        how.normals = options_.normals;
        auto rig = make_rig(model_, how, options_.limits, report_);
        if (!rig) {
            return core::Fault(std::move(rig.error()));
        }
        rig_ = std::move(*rig);
        if (auto room = bones_fit(); !room) {
            return core::Fault(std::move(room.error()));
        }
        seams();
        if (own_.lathe) {
            replaced_ = lathe::replace_by_bodies(rig_, rigged_->figure, rigged_->lathe, report_);
        }
        auto slots = texture_slots(model_, rig_, own_.share_slots, report_);
        if (!slots) {
            return core::Fault(std::move(slots.error()));
        }
        slots_ = std::move(*slots);
        if (auto sampled = sample(); !sampled) {
            return core::Fault(std::move(sampled.error()));
        }
        if (auto fits = lengths_fit(); !fits) {
            return core::Fault(std::move(fits.error()));
        }
        report_.merge(of_motion_);
        if (auto done = mesh(); !done) {
            return core::Fault(std::move(done.error()));
        }
        if (own_.tim) {
            if (auto made = tims(); !made) {
                return core::Fault(std::move(made.error()));
            }
        }
        write_bones();
        write_clips();
        if (rigged_ != nullptr) {
            out_.ik = biped::ik_table(rigged_->figure.height, unit_);
        } else if (own_.ik) {
            out_.ik = ik_by_names(rig_, unit_, own_.compat, report_);
        }
        losses();
        budget();
        errors_of_skin();
        report_seams(rig_, motion_, options_.jobs, report_);
        return std::move(out_);
    }

private:
    [[nodiscard]] core::Result<void> bones_fit() const {
        if (rig_.bones.size() > layout::kMostBones) {
            return core::fail(core::Code::CannotConvert, {}, "the console has room for 64 bones", std::to_string(rig_.bones.size()), "at most 64",
                              "give --ps1-max-bones 64, which collapses the least important leaves, or convert without fingers and twist bones");
        }
        return {};
    }

    void seams() {
        if (own_.seams() == Seams::Keep) {
            return;
        }
        SeamOptions how;
        if (rigged_ != nullptr) {
            how.figure = rigged_->figure;
        }
        how.cut = own_.seams() == Seams::Cut;
        how.wrists = own_.lathe && !own_.compat;
        how.compat = own_.compat;
        close_by_bone(rig_, how, report_);
    }

    // --- Lengths

    /// Anew for each unit: which bones move depends on it.
    core::Result<void> sample() {
        core::Report told;
        auto motion = sample_motion(model_, rig_, {own_.rate(), unit_, !own_.keep_root_motion.value_or(model_.ps1.has_value()), own_.compat}, options_.limits.max_file_bytes, told);
        if (!motion) {
            return core::Fault(std::move(motion.error()));
        }
        motion_ = std::move(*motion);
        of_motion_ = std::move(told);
        return {};
    }

    [[nodiscard]] Reach reach() const {
        Reach out;
        const auto look = [&](const Vec3& v, auto&& place, const char* what) {
            if (const double size = largest_of(v); size > out.metres) {
                out = {size, out.vertex, core::Place{{}, place(), std::nullopt, std::nullopt}, what};
            }
        };
        for (std::size_t p = 0; p < rig_.points.positions.size(); ++p) {
            const RigBone& bone = rig_.bones[rig_.points.bone[p]];
            look(transform_point(rig_.points.image[p], bone.to_bone),
                 [&] { return "bone '" + bone.name + "', vertex " + std::to_string(rig_.points.mesh_point[p]) + " of '" + model_.instances[rig_.points.instance[p]].name + "'"; },
                 "the vertex lies too far from its bone");
        }
        out.vertex = out.metres;
        for (const RigBone& bone : rig_.bones) {
            look(bone.translation, [&] { return "bone '" + bone.name + "'"; }, "the bone lies too far from its parent");
        }
        for (const MotionClip& clip : motion_.clips) {
            for (std::size_t f = 0; f < clip.frames.size(); ++f) {
                const std::vector<RigidPlacement> world = world_placements(rig_, motion_, clip.frames[f]);
                for (std::size_t b = 0; b < world.size(); ++b) {
                    const auto place = [&] { return "bone '" + rig_.bones[b].name + "', clip '" + clip.name + "', frame " + std::to_string(f); };
                    if (motion_.moves[b]) {
                        look(clip.frames[f].translations[b], place, "the bone moves too far from its parent");
                    }
                    look(world[b].origin, place, "the bone moves too far from the model's origin");
                }
            }
        }
        return out;
    }

    core::Result<void> lengths_fit() {
        const Reach most = reach();
        const double size = most.metres * unit_;
        if (size <= kLongest) {
            return vertices_remain(most);
        }
        const std::string units = core::number_text(runtime::exact::rint(size));
        if (own_.compat) {
            report_.add(IssueId::PS1_CLAMPED, most.place, {{"size", units}});
            return {};
        }
        double scale = own_.scale;
        for (Reach now = most; now.metres * unit_ > kLongest; now = reach()) {
            scale = rounded_down(scale * kLongest / (now.metres * unit_));
            if (scale < kLeastScale) {
                return core::fail(core::Code::CannotConvert, most.place, most.what, core::short_number(most.metres) + " m", {}, "no scale fits: bring nearer, or remove, what lies so far away");
            }
            unit_ = unit_at_1_ * scale;
            if (auto sampled = sample(); !sampled) {
                return sampled;
            }
        }
        if (!own_.fit) {
            return core::fail(core::Code::CannotConvert, most.place, most.what, units + " units (" + core::short_number(most.metres) + " m)", "at most 32767",
                              "give --scale " + core::number_text(scale) + ", or --fit, which finds it");
        }
        report_.add(IssueId::PS1_FITTED, most.place, {{"scale", core::number_text(scale)}, {"size", units}});
        return vertices_remain(most);
    }

    /// Not all of them may become 0.
    [[nodiscard]] core::Result<void> vertices_remain(const Reach& most) const {
        if (most.vertex <= kRounding || runtime::exact::rint(most.vertex * unit_) > 0) {
            return {};
        }
        const double scale = std::min(kMostScale, rounded_down(kLongest / (most.metres * unit_at_1_)));
        return core::fail(core::Code::CannotConvert, {}, "all vertices would be 0 at this scale", core::short_number(most.vertex) + " m is " + core::short_number(most.vertex * unit_) + " units",
                          "at least 1",
                          most.vertex * unit_at_1_ * scale >= 1 ? "give a larger --scale, at most " + core::number_text(scale) : "no scale fits: the mesh is too small beside its skeleton, or by itself");
    }

    // --- Vertices and triangles

    core::Result<void> mesh() {
        RigidMesh mesh = make_mesh(model_, rig_, slots_, unit_);
        if (mesh.turned != 0) {
            report_.add(IssueId::PS1_TURNED, {}, {{"count", std::to_string(mesh.turned)}});
        }
        if (mesh.beyond_page != 0) {
            report_.add(IssueId::PS1_UV_CLAMPED, {}, {{"count", std::to_string(mesh.beyond_page)}});
        }
        if (own_.triangles && mesh.faces.size() > *own_.triangles) {
            const std::size_t before = mesh.faces.size();
            const double moved = decimate(mesh, *own_.triangles);
            report_.add(IssueId::PS1_DECIMATED, {}, {{"before", std::to_string(before)}, {"after", std::to_string(mesh.faces.size())}, {"distance", metres(moved)}});
            if (mesh.faces.size() > *own_.triangles) {
                report_.add(IssueId::PS1_NOT_REDUCED, {}, {{"after", std::to_string(mesh.faces.size())}, {"wanted", std::to_string(*own_.triangles)}});
            }
        }
        for (const auto& [what, count] : {std::pair{"vertices", mesh.vertices.size()}, std::pair{"triangles", mesh.faces.size()}}) {
            if (count > layout::kMostVertices) {
                return core::fail(core::Code::CannotConvert, {}, std::string("the console has room for 8192 ") + what, std::to_string(count), "at most 8192",
                                  std::string("give --ps1-triangles with a smaller number") + (own_.seams() == Seams::Keep ? "" : ", give --ps1-seams keep") + ", or split the model");
            }
        }
        write_mesh(mesh, rig_, own_.compat, out_);
        return {};
    }

    // --- Textures

    core::Result<void> tims() {
        SlotPictures slots = slot_pictures(model_, rig_, slots_);
        codec::WriteOptions how = options_;
        lathe::Atlas atlas;
        if (!replaced_.empty() && options_.open_picture) {
            auto baked = lathe::bake(replaced_, rigged_->figure.height, model_, options_.open_picture);
            if (!baked) {
                return core::Fault(std::move(baked.error()));
            }
            atlas = std::move(*baked);
            const std::uint32_t own = model_.materials[rigged_->lathe.value].textures[0];
            std::stable_partition(slots[0].begin(), slots[0].end(), [own](std::uint32_t texture) { return texture == own; });
            how.open_picture = [&, own](const model::Texture& texture) -> core::Result<codec::Picture> {
                return &texture == &model_.textures[own] ? atlas.page : options_.open_picture(texture);
            };
        }
        auto held = write_tims(model_, slots, *own_.tim, how, report_);
        if (!held) {
            return core::Fault(std::move(held.error()));
        }
        for (std::size_t t = 0; t < held->size(); ++t) {
            const auto is_same = [&](std::uint32_t baked) { return same_picture(model_.textures[baked], model_.textures[t]); };
            (*held)[t] = (*held)[t] || std::any_of(atlas.pictures.begin(), atlas.pictures.end(), is_same);
        }
        if (own_.lathe && replaced_.empty()) {
            (*held)[model_.materials[rigged_->lathe.value].textures[0]] = true;   // the page that no body uses is no loss
        }
        tims_ = static_cast<std::size_t>(std::count(held->begin(), held->end(), true));
        return {};
    }

    // --- Bones and clips

    void write_bones() {
        for (std::size_t b = 0; b < rig_.bones.size(); ++b) {
            Bone bone;
            bone.parent = static_cast<std::int8_t>(rig_.bones[b].parent);
            if (motion_.moves[b]) {
                bone.flags = layout::kMoves;
                bone.slot = static_cast<std::uint8_t>(out_.slots++);
            }
            bone.translation = to_file(rig_.bones[b].translation, unit_);
            out_.bones.push_back(bone);
        }
        const std::vector<BoneRange> vertices = vertex_ranges(out_);
        const std::vector<BoneRange> triangles = triangle_ranges(out_);
        for (std::size_t b = 0; b < out_.bones.size(); ++b) {
            out_.bones[b].vertex_start = vertices[b].start;
            out_.bones[b].vertex_count = vertices[b].count;
            out_.bones[b].triangle_start = triangles[b].start;
            out_.bones[b].triangle_count = triangles[b].count;
        }
    }

    void write_clips() {
        for (const MotionClip& source : motion_.clips) {
            Clip clip;
            std::copy(source.name.begin(), source.name.end(), clip.name.begin());
            clip.fps = static_cast<std::uint16_t>(own_.rate());
            for (const MotionFrame& from : source.frames) {
                Frame frame;
                for (std::size_t b = 0; b < rig_.bones.size(); ++b) {
                    const Quat& q = from.rotations[b];
                    frame.rotations.push_back({q16(q.x * kUnit), q16(q.y * kUnit), q16(q.z * kUnit), q16(q.w * kUnit)});
                    if (motion_.moves[b]) {
                        frame.translations.push_back(to_file(from.translations[b], unit_));
                    }
                }
                clip.frames.push_back(std::move(frame));
            }
            out_.clips.push_back(std::move(clip));
        }
    }

    // --- Report

    void losses() {
        std::uint64_t values = 0;
        std::uint64_t translucent = 0;
        const model::Material plain;
        const auto near = [](const Vec3& a, const Vec3& b) { return length(a - b) < 1e-6; };   // float32 makes them no others
        for (const model::Material& m : model_.materials) {
            values += near(m.diffuse, plain.diffuse) && near(m.specular, plain.specular) && near(m.emissive, plain.emissive) && m.shininess == plain.shininess ? 0u : 1u;
            translucent += m.alpha_blend || m.opacity < 1 ? 1u : 0u;
        }
        const auto root_motion = std::count_if(model_.clips.begin(), model_.clips.end(), [](const model::Clip& c) { return c.has_root_motion; });
        codec::report_held(model_, report_);
        report_.add_loss("bone names", static_cast<std::uint64_t>(std::count_if(rig_.bones.begin(), rig_.bones.end(), [&](const RigBone& b) {
                             return rigged_ == nullptr && b.name != bone_name(static_cast<std::size_t>(&b - rig_.bones.data()));
                         })));
        report_.add_loss("mesh names", static_cast<std::uint64_t>(std::count_if(model_.instances.begin(), model_.instances.end(),
                                                                                [](const model::MeshInstance& i) { return i.name != "mesh"; })));
        report_.add_loss("textures", model_.textures.size() - tims_);
        report_.add_loss("materials' colours and values", values);
        report_.add_loss("translucency", translucent);
        codec::report_bare_meshes(model_, report_);
        report_.add_loss("root motion", static_cast<std::uint64_t>(root_motion));
        if (rig_.triangles.empty() && !options_.without_meshes) {
            report_.add(IssueId::CONV_EMPTY_MODEL, {}, {{"bones", std::to_string(rig_.bones.size())}, {"clips", std::to_string(model_.clips.size())}});
        }
    }

    void budget() {
        const SectionSizes sizes = section_sizes(out_);
        std::size_t frames = 0;
        for (const Clip& clip : out_.clips) {
            frames += clip.frames.size();
        }
        const auto text = [](std::size_t n) { return std::to_string(n); };
        report_.add(IssueId::PS1_BUDGET, {},
                    {{"vertices", text(out_.vertices.size())}, {"triangles", text(out_.triangles.size())}, {"bones", text(out_.bones.size())},
                     {"clips", text(out_.clips.size())}, {"frames", text(frames)}, {"slots", text(out_.slots)}, {"total", text(sizes.file())},
                     {"vertex_bytes", text(sizes.vertices)}, {"triangle_bytes", text(sizes.triangles)},
                     {"bone_bytes", text(sizes.bones)}, {"clip_bytes", text(sizes.clips)}, {"frame_bytes", text(sizes.frames)}});
    }

    void errors_of_skin() {
        const Measured m = measure(model_, rig_, motion_, out_, unit_, options_.jobs);
        Vec3 low;
        Vec3 high;
        for (std::size_t p = 0; p < rig_.points.positions.size(); ++p) {
            const Vec3& at = rig_.points.positions[p];
            low = p == 0 ? at : Vec3{std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
            high = p == 0 ? at : Vec3{std::max(high.x, at.x), std::max(high.y, at.y), std::max(high.z, at.z)};
        }
        const double diagonal = length(high - low);
        report_.add(IssueId::PS1_FIT, {},
                    {{"most", metres(m.rigid_most)}, {"part", core::short_number(diagonal > 0 ? runtime::exact::rint(1e6 * m.rigid_most / diagonal) / 1e6 : 0)}, {"mean", metres(m.rigid_mean)},
                     {"poses", std::to_string(m.poses)}, {"fixed", metres(m.fixed_most)}, {"unit", core::short_number(1 / unit_)}});
    }

    const model::Model& model_;
    const codec::WriteOptions& options_;
    Options own_;
    const Autorigged* rigged_;
    core::Report& report_;
    double unit_at_1_ = kUnit;                         // of a metre, at --scale 1
    double unit_ = kUnit;                              // of a metre
    Rig rig_;
    std::vector<std::uint8_t> slots_;
    std::vector<lathe::Replaced> replaced_;            // what bodies took the place of
    Motion motion_;
    core::Report of_motion_;                           // what sampling it told
    Document out_;
    std::size_t tims_ = 0;                             // textures that became a TIM, or part of one
};

}  // namespace

core::Result<Document> export_model(const model::Model& model, const codec::WriteOptions& options, core::Report& report) {
    if (auto usable = check_together(options.format); !usable) {
        return core::Fault(std::move(usable.error()));
    }
    const Options own = options_of(options.format);
    if (model.ps1 && may_stay(own, options.normals)) {
        core::Report findings;
        check(model.ps1->file, {}, false, findings);
        core::Result<Document> stored = decode(model.ps1->file, {});
        core::Report unused;
        if (stored && !findings.has_errors() && (stored->ik || !own.ik) && model::means_the_same(model, import(*stored, unused))) {
            if (own.tim) {
                report.add(IssueId::PS1_TIM_NONE, {});
            }
            return stored;
        }
    }
    if (own.autorig) {
        const std::string& name = options.output_name;
        const std::string atlas = own.lathe && own.tim ? name + (name.empty() ? "" : "_") + "body.atlas" : "";
        const core::Result<Autorigged> rigged = autorig(model, {own.rate(), own.lathe, atlas, own.compat}, report);
        if (!rigged) {
            return core::Fault(rigged.error());
        }
        return Exporter(rigged->model, options, &*rigged, report).run();
    }
    return Exporter(model, options, nullptr, report).run();
}

}  // namespace gomkit::ps1

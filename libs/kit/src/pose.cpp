#include <gomkit/kit/pose.hpp>

#include <algorithm>
#include <memory>
#include <numeric>

#include <gomkit/core/text.hpp>
#include <gomkit/pass/measure_skeleton.hpp>
#include <gomkit/runtime/morph_job.hpp>
#include <gomkit/runtime/motion_view.hpp>
#include <gomkit/runtime/palette_job.hpp>
#include <gomkit/runtime/sample_job.hpp>
#include <gomkit/runtime/skin_job.hpp>

#include "guarded.hpp"
#include "load.hpp"
#include "motions.hpp"
#include "textures.hpp"

namespace gomkit::kit {
namespace {

using core::Code;
using runtime::Status;

constexpr const char* kRestClip = "rest";

core::Code code_of(Status status) {
    switch (status) {
        case Status::LimitExceeded: return Code::LimitExceeded;
        case Status::SignatureMismatch:
        case Status::NoSkeleton:
        case Status::DuplicateClipName: return Code::CannotConvert;
        default: return Code::Malformed;
    }
}

core::Fault refused(const std::string& file, const runtime::ErrorInfo& info) {
    return core::fail(code_of(info.status), core::Place{file, info.part, info.byte_offset, std::nullopt}, runtime::message(info.status));
}

core::Fault internal(Status status) {
    return core::fail(Code::Internal, {}, "posing failed, please report it", runtime::name(status));
}

std::string signature_text(const std::array<std::uint8_t, 32>& signature) { return core::hex_text(signature.data(), signature.size()); }

// The bones' default transforms as a clip, so that they go the way of every pose.
core::Result<void> add_rest_clip(model::Model& model, const std::string& file, const core::Limits& limits) {
    const auto skeleton = skeleton_of(model, file, limits);
    if (!skeleton) {
        return core::Fault(skeleton.error());
    }
    model.clips.clear();
    model::Clip clip;
    clip.name = kRestClip;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        if (skeleton->bone_of_node[i] >= 0) {
            const model::Transform& rest = model.nodes[i].rest;
            model::Track track;
            track.node = model::NodeId{static_cast<std::uint32_t>(i)};
            track.translation.push_back({0, rest.translation, false});
            track.rotation.push_back({0, rest.rotation, false});
            track.scale.push_back({0, rest.scale, false});
            clip.tracks.push_back(std::move(track));
        }
    }
    model.clips.push_back(std::move(clip));
    return {};
}

// A motion file, and the view of it.
struct Motion {
    core::FileBytes bytes;
    runtime::MotionView view;
    std::optional<NamedSkeleton> made_for;  // of a file that has it
};

class Poser {
public:
    Poser(const codec::Registry& registry, const PoseRequest& request, core::Report& report)
        : registry_(registry), request_(request), report_(report) {}

    core::Result<PoseResponse> run() {
        if (auto done = open_model(); !done) {
            return core::Fault(std::move(done.error()));
        }
        if (auto done = open_motions(); !done) {
            return core::Fault(std::move(done.error()));
        }
        auto clip = find_clip();
        if (!clip) {
            return core::Fault(std::move(clip.error()));
        }
        if (auto done = sample(*clip); !done) {
            return core::Fault(std::move(done.error()));
        }
        for (const runtime::MeshPartView& part : model_.parts()) {
            if (auto done = skin(part); !done) {
                return core::Fault(std::move(done.error()));
            }
        }
        out_.clip = request_.rest ? std::string_view() : clip->name();
        out_.time_seconds = request_.time_seconds;
        return std::move(out_);
    }

private:
    // A GOM as it is, where the run-time library takes it; all else by way of the importer and the GOM writer.
    core::Result<void> open_model() {
        auto loaded = load(registry_, request_.input, request_.read.limits);
        if (!loaded) {
            return core::Fault(std::move(loaded.error()));
        }
        bytes_ = loaded->bytes;
        runtime::ErrorInfo info;
        if (!request_.rest && std::string_view(loaded->codec->id) == "gom" && runtime::verify(bytes_.bytes(), request_.read.limits, model_, &info) == Status::Ok) {
            return {};
        }
        auto model = read_model(*loaded, request_.input.path, request_.read, report_);
        if (!model) {
            return core::Fault(std::move(model.error()));
        }
        if (request_.rest && model->gom) {
            return core::fail(Code::Unsupported, file_place(request_.input.path), "a GOM has no default transforms beside its bind pose", {}, {},
                              "leave out --rest");
        }
        if (request_.rest) {
            if (auto added = add_rest_clip(*model, request_.input.path, request_.read.limits); !added) {
                return added;
            }
        }
        set_stored_paths(*model);
        codec::WriteOptions options;
        options.limits = request_.read.limits;
        core::Report losses(request_.input.path, 0);  // what a GOM does not hold is not what was asked
        auto written = registry_.by_id("gom")->write(std::move(*model), options, losses);
        if (!written) {
            if (written.error().place.file.empty()) {
                written.error().place.file = request_.input.path;
            }
            return core::Fault(std::move(written.error()));
        }
        bytes_ = core::FileBytes(std::move(*written));
        if (const Status status = runtime::verify(bytes_.bytes(), request_.read.limits, model_, &info); status != Status::Ok) {
            return internal(status);
        }
        return {};
    }

    core::Result<void> open_motions() {
        std::vector<const runtime::MotionView*> views;
        for (const Input& input : request_.motions) {
            auto loaded = load(registry_, input, request_.read.limits);
            if (!loaded) {
                return core::Fault(std::move(loaded.error()));
            }
            auto motion = std::make_unique<Motion>();
            motion->bytes = loaded->bytes;
            if (std::string_view(loaded->codec->id) != "mta") {
                if (auto made = make_motion(*loaded, input.path, *motion); !made) {
                    return made;
                }
            }
            runtime::ErrorInfo info;
            if (runtime::verify(motion->bytes.bytes(), request_.read.limits, motion->view, &info) != Status::Ok) {
                return refused(input.path, info);
            }
            views.push_back(&motion->view);
            motions_.push_back(std::move(motion));
        }
        runtime::MatchError error;
        if (runtime::match(model_, views, &error) != Status::Ok) {
            const std::string other =
                error.other_index == runtime::MatchError::kModel ? request_.input.path : request_.motions[error.other_index].path;
            core::Fault fault = refused(request_.motions[error.motion_index].path, error.info);
            core::Error& e = fault.value();
            if (error.info.status == Status::SignatureMismatch) {
                e.cure = "map the motion with: gomkit convert MOTION --skeleton MODEL -o FILE.mta";
                const Motion& motion = *motions_[error.motion_index];
                e.found = "signature " + signature_text(motion.view.skeleton_signature());
                e.expected = signature_text(model_.skeleton_signature()) + " of '" + other + "'";
                if (motion.made_for) {
                    e.notes = bone_differences(own_skeleton(), *motion.made_for);
                }
            } else {
                e.found = "with '" + other + "'";
                if (error.info.status == Status::DuplicateClipName) {
                    e.cure = "give the clips different names with --clip-range";
                }
            }
            return fault;
        }
        for (const auto& motion : motions_) {
            if (motion->made_for) {
                report_proportions(*motion->made_for);
            }
        }
        return {};
    }

    // A signature says nothing of lengths (GOM-SIG-2).
    void report_proportions(const NamedSkeleton& made_for) {
        pass::SkeletonMap map;
        map.source = made_for.skeleton;
        map.target = own_skeleton().skeleton;
        map.source_of_target.resize(map.target.bones.size());
        std::iota(map.source_of_target.begin(), map.source_of_target.end(), 0);
        core::Report findings(made_for.file);
        pass::report_rest_difference(map, request_.input.path, findings);
        report_.merge(findings);
    }

    // The clips of a file of another format, as the motion file that convert would make of it.
    core::Result<void> make_motion(const Loaded& loaded, const std::string& file, Motion& out) {
        core::Report findings(file, 0);
        auto model = read_model(loaded, file, request_.read, findings);
        if (!model) {
            return core::Fault(std::move(model.error()));
        }
        auto skeleton = skeleton_of(*model, file, request_.read.limits);
        if (!skeleton) {
            return core::Fault(std::move(skeleton.error()));
        }
        out.made_for = NamedSkeleton{file, std::move(*skeleton)};
        codec::WriteOptions options;
        options.limits = request_.read.limits;
        auto written = registry_.by_id("mta")->write(std::move(*model), options, findings);
        if (!written) {
            if (written.error().place.file.empty()) {
                written.error().place.file = file;
            }
            return core::Fault(std::move(written.error()));
        }
        out.bytes = core::FileBytes(std::move(*written));
        return {};
    }

    [[nodiscard]] NamedSkeleton own_skeleton() const {
        NamedSkeleton out{request_.input.path, {}};
        for (std::uint32_t i = 0; i < model_.bone_count(); ++i) {
            model::SkeletonBone bone;
            bone.parent = model_.bone_parent(i);
            bone.name = model_.bone_name(i);
            bone.path = model_.bone_path(i);
            bone.bind_local = runtime::matrix_cast<double>(model_.bind_local(i));
            bone.bind_model = bone.bind_local;
            if (bone.parent >= 0) {
                bone.bind_model = bone.bind_local * out.skeleton.bones[static_cast<std::size_t>(bone.parent)].bind_model;
            }
            out.skeleton.bones.push_back(std::move(bone));
        }
        return out;
    }

    core::Result<runtime::ClipView> find_clip() const {
        const std::string name = request_.rest ? kRestClip : request_.clip.value_or("");
        if (name.empty()) {
            return runtime::ClipView{};
        }
        if (const std::uint32_t i = model_.find_clip(name); i < model_.clip_count()) {
            return model_.clip(i);
        }
        std::string known;
        std::vector<runtime::ClipView> by_end;  // "Armature|Walk" for "Walk"
        const auto list = [&](const auto& view) {
            for (const runtime::ClipView& clip : view.clips()) {
                const std::string_view whole = clip.name();
                known += (known.empty() ? "'" : ", '") + std::string(whole) + "'";
                if (whole.size() > name.size() && whole.ends_with(name) && whole[whole.size() - name.size() - 1] == '|') {
                    by_end.push_back(clip);
                }
            }
        };
        list(model_);
        for (const auto& motion : motions_) {
            if (const std::uint32_t i = motion->view.find_clip(name); i < motion->view.clip_count()) {
                return motion->view.clip(i);
            }
            list(motion->view);
        }
        if (by_end.size() == 1) {
            return by_end.front();
        }
        return core::fail(Code::Usage, file_place(request_.input.path), "there is no clip '" + name + "'", {},
                          known.empty() ? "no clip: the file has none" : known);
    }

    core::Result<void> sample(const runtime::ClipView& clip) {
        const std::size_t count = model_.bone_count();
        std::vector<runtime::BoneLocal> locals(count);
        if (const Status status = runtime::bind_pose(model_, locals); status != Status::Ok) {
            return internal(status);
        }
        if (!clip.name().empty() && count != 0) {
            const std::vector<runtime::BoneLocal> bind = locals;
            const std::size_t size = runtime::SampleContext::required_bytes(model_, clip);
            std::vector<std::byte> memory(size + runtime::SampleContext::kAlignment);
            void* start = memory.data();
            std::size_t space = memory.size();
            std::align(runtime::SampleContext::kAlignment, size, start, space);
            runtime::SampleContext context;
            Status status = context.bind(model_, clip, bind, {static_cast<std::byte*>(start), size});
            if (status == Status::Ok) {
                runtime::SampleJob job;
                job.context = &context;
                job.time_seconds = request_.time_seconds;
                job.output = locals;
                status = job.run();
            }
            if (status != Status::Ok) {
                return internal(status);
            }
        }
        weights_.resize(model_.morph_channel_count());
        runtime::MorphSampleJob weights;
        weights.model = &model_;
        weights.clip = &clip;
        weights.time_seconds = request_.time_seconds;
        weights.output = weights_;
        if (const Status status = weights.run(); status != Status::Ok) {
            return internal(status);
        }
        bone_to_model_.resize(count);
        runtime::LocalToModelJob job;
        job.model = &model_;
        job.locals = locals;
        job.bone_to_model = bone_to_model_;
        if (const Status status = job.run(); status != Status::Ok) {
            return internal(status);
        }
        for (std::size_t i = 0; i < count; ++i) {
            PosedBone bone;
            bone.path = model_.bone_path(static_cast<std::uint32_t>(i));
            bone.parent = model_.bone_parent(static_cast<std::uint32_t>(i));
            const runtime::Mat4f m = runtime::matrix_cast<float>(bone_to_model_[i]);
            std::copy(std::begin(m.m), std::end(m.m), bone.model.begin());
            out_.bones.push_back(std::move(bone));
        }
        return {};
    }

    core::Result<void> skin(const runtime::MeshPartView& part) {
        PosedPart out;
        out.name = part.name();
        out.positions.resize(part.vertex_count());
        out.normals.resize(part.vertex_count());
        palette_.resize(runtime::palette_size(part));
        runtime::PaletteJob palette;
        palette.part = &part;
        palette.bone_to_model = bone_to_model_;
        palette.space = runtime::PaletteSpace::Model;
        palette.palette = palette_;
        if (const Status status = palette.run(); status != Status::Ok) {
            return internal(status);
        }
        runtime::SkinJob job;
        job.read_part(part);
        if (part.morph_count() != 0) {
            runtime::MorphJob shapes;
            shapes.model = &model_;
            shapes.part = &part;
            shapes.weights = weights_;
            shapes.read_part();
            shapes.out_positions = runtime::output_stream(std::span(out.positions));
            shapes.out_normals = runtime::output_stream(std::span(out.normals));
            if (const Status status = shapes.run(); status != Status::Ok) {
                return internal(status);
            }
            job.positions = {shapes.out_positions.bytes, shapes.out_positions.stride};
            job.normals = {shapes.out_normals.bytes, shapes.out_normals.stride};
        }
        job.palette = palette_;
        job.out_positions = runtime::output_stream(std::span(out.positions));
        job.out_normals = runtime::output_stream(std::span(out.normals));
        if (const Status status = job.run(); status != Status::Ok) {
            return internal(status);
        }
        for (std::uint32_t i = 0; i < part.vertex_count(); ++i) {
            const runtime::Vertex vertex = part.vertex(i);
            out.uvs.push_back({vertex.uv0[0], vertex.uv0[1]});
        }
        out.indices.reserve(part.index_count());
        for (std::uint32_t i = 0; i < part.index_count(); ++i) {
            out.indices.push_back(part.index(i));
        }
        out_.parts.push_back(std::move(out));
        return {};
    }

    const codec::Registry& registry_;
    const PoseRequest& request_;
    core::Report& report_;
    core::FileBytes bytes_;
    runtime::ModelView model_;
    std::vector<std::unique_ptr<Motion>> motions_;  // views are referred to
    std::vector<float> weights_;  // one a blend shape channel
    std::vector<runtime::Mat4d> bone_to_model_;
    std::vector<runtime::Mat4f> palette_;
    PoseResponse out_;
};

}  // namespace

std::string obj_text(const PoseResponse& pose) {
    std::string out = "# gomkit pose: left-handed, Y up, front +Z, metres\n";
    const auto line = [&out](const char* word, std::initializer_list<float> numbers) {
        out += word;
        for (const float number : numbers) {
            out += ' ';
            out += core::number_text(number);
        }
        out += '\n';
    };
    std::size_t base = 1;
    for (const PosedPart& part : pose.parts) {
        out += "o " + core::clean_text(part.name) + "\n";
        for (const auto& p : part.positions) {
            line("v", {p[0], p[1], p[2]});
        }
        for (const auto& t : part.uvs) {
            line("vt", {t[0], 1 - t[1]});
        }
        for (const auto& n : part.normals) {
            line("vn", {n[0], n[1], n[2]});
        }
        for (std::size_t i = 0; i < part.indices.size(); ++i) {
            const std::string corner = std::to_string(base + part.indices[i]);
            out += (i % 3 == 0 ? "f " : " ") + corner + "/" + corner + "/" + corner + (i % 3 == 2 ? "\n" : "");
        }
        base += part.positions.size();
    }
    return out;
}

core::Result<PoseResponse> pose(const codec::Registry& registry, const PoseRequest& request, core::Report& report) {
    return guarded(request.input.path, [&]() -> core::Result<PoseResponse> {
        report.set_file(request.input.path);
        return Poser(registry, request, report).run();
    });
}

}  // namespace gomkit::kit

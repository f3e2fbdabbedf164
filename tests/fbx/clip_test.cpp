// Clips against ufbx's own evaluation of the same file, time by time.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include <gomkit/pass/reduce_keys.hpp>

#include "corpus_files.hpp"
#include "scene.hpp"
#include "scene_convert.hpp"

namespace gomkit::fbx::test {
namespace {

using namespace writer;
using core::IssueId;
using model::Quat;

using SceneHolder = std::unique_ptr<ufbx_scene, SceneDeleter>;

struct Loaded {
    SceneHolder scene{nullptr};
    model::Model model;
    core::Report report;
};

Loaded load(const writer::Scene& scene, double fps = 0) {
    Loaded out;
    const std::vector<std::byte> bytes = write_binary(scene, 7400);
    codec::ReadOptions options;
    options.fps = fps;
    auto loaded = load_scene(bytes, "test.fbx", options);
    auto model = make_codec().read(bytes, "test.fbx", options, out.report);
    EXPECT_TRUE(loaded && model);
    if (loaded && model) {
        out.scene = std::move(*loaded);
        out.model = std::move(*model);
    }
    return out;
}

Vec3d blend(const Vec3d& a, const Vec3d& b, double t) { return a + (b - a) * t; }
Quat blend(const Quat& a, const Quat& b, double t) { return runtime::slerp(a, b, t); }

// The value of a channel's keys, as float32 times and steps say, at a float32 time.
template <class T>
T value_at(const std::vector<model::Key<T>>& keys, double time, const T& rest) {
    if (keys.empty()) {
        return rest;
    }
    std::vector<std::pair<double, T>> list;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        double t = static_cast<double>(static_cast<float>(keys[i].time));
        if (keys[i].step_end && i + 1 < keys.size()) {
            t = static_cast<double>(std::nextafter(static_cast<float>(keys[i + 1].time), -1.0f));
        }
        if (!list.empty() && list.back().first >= t) {
            if (keys[i].step_end) {
                continue;
            }
            list.pop_back();
        }
        list.emplace_back(t, keys[i].value);
    }
    if (time <= list.front().first) {
        return list.front().second;
    }
    for (std::size_t i = 1; i < list.size(); ++i) {
        if (time < list[i].first) {
            return blend(list[i - 1].second, list[i].second, (time - list[i - 1].first) / (list[i].first - list[i - 1].first));
        }
    }
    return list.back().second;
}

struct Off {
    double translation = 0;
    double rotation = 0;   // radians
    double scale = 0;
    [[nodiscard]] double most() const { return std::fmax(translation, std::fmax(rotation, scale)); }
};

double angle(const Quat& a, const Quat& b) {
    const Quat c = dot(a, b) < 0 ? -b : b;
    const Quat d{a.x - c.x, a.y - c.y, a.z - c.z, a.w - c.w};
    return 2 * length(d);
}

// The largest differences to ufbx over every node of clip 0, at times given by `pick`: frame number, in parts of a frame.
Off compare(const Loaded& loaded, double fps, const std::vector<double>& parts, const std::vector<double>& times = {}) {
    const model::Clip& clip = loaded.model.clips[0];
    std::vector<double> all = times;
    const double first = std::floor(clip.source_start * fps);
    for (double f = first; f <= (clip.source_start + clip.duration) * fps + 1; ++f) {
        for (const double part : parts) {
            all.push_back((f + part) / fps);
        }
    }
    Off off;
    const ufbx_anim& anim = *loaded.scene->anim_stacks.data[0]->anim;
    std::size_t looked_at = 0;
    for (const double source : all) {
        const double time = static_cast<double>(static_cast<float>(source - clip.source_start));
        if (time < 0 || time > clip.duration) {
            continue;
        }
        std::size_t index = 0;
        for (const ufbx_node* node : loaded.scene->nodes) {
            if (node->is_root) {
                continue;
            }
            const model::Node& ours = loaded.model.nodes[index];
            const model::Track none;
            const model::Track* track = &none;
            for (const model::Track& t : clip.tracks) {
                track = t.node.value == index ? &t : track;
            }
            ++index;
            // On both sides of a float32 time: a jump there may round either way.
            double best_t = 1e300;
            double best_r = 1e300;
            double best_s = 1e300;
            for (const double nudge : {0.0, -2e-7, 2e-7}) {
                const model::Transform wanted = to_transform(ufbx_evaluate_transform(&anim, node, clip.source_start + time + nudge * (1 + time)));
                best_t = std::fmin(best_t, length(value_at(track->translation, time, ours.rest.translation) - wanted.translation));
                best_r = std::fmin(best_r, angle(value_at(track->rotation, time, ours.rest.rotation), wanted.rotation));
                best_s = std::fmin(best_s, length(value_at(track->scale, time, ours.rest.scale) - wanted.scale));
            }
            off.translation = std::fmax(off.translation, best_t);
            off.rotation = std::fmax(off.rotation, best_r);
            off.scale = std::fmax(off.scale, best_s);
            ++looked_at;
        }
    }
    EXPECT_GT(looked_at, 1u);
    return off;
}

// One bone with these curves for its x; y and z stay.
writer::Scene moving(const Curve& x, double start, double stop, const char* property = "Lcl Translation", writer::Vec3 defaults = {0, 0, 0}) {
    writer::Scene s = metre_scene();
    const NodeRef bone = add_bone(s, "Bone");
    const LayerRef layer = add_stack(s, "Move", start, stop);
    animate(s, layer, bone, property, defaults, x, {}, {});
    return s;
}

const std::vector<double> kWhole = {0};
const std::vector<double> kDense = {0, 0.1, 0.25, 0.5, 0.77, 0.9};

TEST(FbxClip, ExtrapolatesLinearCurvesAsUfbxDoes) {
    const Curve curve = curve_of({{0.52, 1}, {0.71, 3}, {1.033, 2}});
    for (const char mode : {'C', 'K', 'R', 'A', 'M'}) {
        const Loaded loaded = load(moving(extrapolated(curve, mode, mode), 0.11, 4.07));
        EXPECT_LT(compare(loaded, 30, kDense).most(), 2e-5) << mode;
        EXPECT_NEAR(loaded.model.clips[0].duration, 3.96, 1e-9);
    }
}

TEST(FbxClip, EndsARepetitionAfterItsCount) {
    const Curve curve = curve_of({{1.02, 1}, {1.31, 3}, {1.5, 2}});
    for (const char mode : {'R', 'A', 'M'}) {
        for (const int count : {1, 2, 3}) {
            const Loaded loaded = load(moving(extrapolated(curve, mode, mode, count), 0, 4));
            EXPECT_LT(compare(loaded, 30, kDense).most(), 2e-5) << mode << count;
        }
    }
}

TEST(FbxClip, ExtrapolatesStepsAsSteps) {
    for (const Interpolation how : {Interpolation::ConstantPrevious, Interpolation::ConstantNext}) {
        const Curve curve = curve_of({{0.52, 1}, {0.71, 3}, {1.033, 2}}, how);
        for (const char mode : {'C', 'R', 'A', 'M'}) {
            const Loaded loaded = load(moving(extrapolated(curve, mode, mode), 0.11, 3.07));
            EXPECT_LT(compare(loaded, 30, kDense).most(), 2e-5) << mode;
        }
    }
}

TEST(FbxClip, RepeatsOneCurveWhileAnotherGoesOn) {
    writer::Scene s = metre_scene();
    const NodeRef bone = add_bone(s, "Bone");
    const LayerRef layer = add_stack(s, "Move", 0, 4);
    animate(s, layer, bone, "Lcl Translation", {0, 0, 0}, extrapolated(curve_of({{0.5, 0}, {0.9, 1}}), 'R', 'R'), curve_of({{0, 0}, {2, 5}, {4, 0}}),
            extrapolated(curve_of({{2.1, 0}, {2.2, 1}, {2.44, 0}}), 0, 'M'));
    EXPECT_LT(compare(load(s), 30, kDense).most(), 2e-5);
}

TEST(FbxClip, ExtrapolatesCubicCurvesAtWholeFramesAndItsKeys) {
    Curve curve = curve_of({{0.4, 0}, {0.7, 1}, {1.2, 0.2}}, Interpolation::CubicAuto);
    for (const char mode : {'C', 'K', 'R', 'A', 'M'}) {
        const Loaded loaded = load(moving(extrapolated(curve, mode, mode), 0, 3));
        EXPECT_LT(compare(loaded, 30, kWhole, {0.4, 0.7, 1.2}).most(), 2e-5) << mode;
        EXPECT_LT(compare(loaded, 30, kDense).most(), 0.012) << mode;  // h^2 / 8 * x'': h = 1/30 s, x'' below 80 m/s^2
    }
}

TEST(FbxClip, ExtrapolatesRotationsAtWholeFrames) {
    const Curve curve = curve_of({{0.52, 10}, {0.71, 80}, {1.033, -40}});
    for (const char mode : {'C', 'K', 'R', 'A', 'M'}) {
        writer::Scene s = metre_scene();
        const NodeRef bone = add_bone(s, "Bone");
        const LayerRef layer = add_stack(s, "Turn", 0.11, 3.07);
        animate(s, layer, bone, "Lcl Rotation", {0, 0, 0}, extrapolated(curve, mode, mode), extrapolated(curve_of({{0.3, 0}, {1.1, 50}}), mode, mode), {});
        const Loaded loaded = load(s);
        EXPECT_LT(compare(loaded, 30, kWhole).most(), 2e-5) << mode;
        EXPECT_LT(compare(loaded, 30, kDense).most(), 0.002) << mode;
    }
}

TEST(FbxClip, SamplesAtTheRateThatIsAskedFor) {
    // A stack that starts between frames, a curve that is not linear.
    Curve curve = curve_of({{0.1, 0}, {0.7, 1}, {1.2, 0.2}, {2, 1}}, Interpolation::CubicAuto);
    const writer::Scene s = moving(curve, 0.517, 1.533);
    for (const double fps : {0.0, 12.0, 24.0, 60.0, 1000.0}) {
        const Loaded loaded = load(s, fps);
        EXPECT_LT(compare(loaded, fps == 0 ? 30 : fps, kWhole, {0.517, 1.533}).most(), 2e-5) << fps;
        // A frame a key, one at each end of the range and the curve's own two in between where those are no whole frames.
        const double rate = fps == 0 ? 30 : fps;
        const double frames = std::floor(1.533 * rate) - std::floor(0.517 * rate);
        const auto keys = static_cast<double>(loaded.model.clips[0].tracks[0].translation.size());
        EXPECT_GE(keys, frames) << fps;
        EXPECT_LE(keys, frames + 4) << fps;
        EXPECT_EQ(loaded.model.source.fps, 30);
    }
    core::Report report;
    codec::ReadOptions options;
    options.fps = 0.5;
    const auto refused = make_codec().read(write_binary(s, 7400), "test.fbx", options, report);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, core::Code::Usage);
}

TEST(FbxClip, SamplesBesideScaleHelpersAsUfbxDoes) {
    // A bone whose animated, uneven scale its children do not inherit, cubic and between frames.
    writer::Scene s = metre_scene();
    const NodeRef root = add_bone(s, "Root");
    const NodeRef scaled = add_bone(s, "Scaled", root, {0, 1, 0});
    const NodeRef child = add_bone(s, "Child", scaled, {0, 1, 0});
    const NodeRef tip = add_bone(s, "Tip", child, {0, 1, 0});
    for (const NodeRef node : {scaled, child, tip}) {
        s[node].inherit_type = InheritType::IgnoreParentScale;
    }
    const LayerRef layer = add_stack(s, "Move", 0.05, 2.02);
    const auto wave = [](double low, double high) {
        return curve_of({{0.11, low}, {0.52, high}, {1.013, low}, {1.66, high}}, Interpolation::CubicAuto);
    };
    animate(s, layer, scaled, "Lcl Scaling", {1, 1, 1}, extrapolated(wave(1, 1.5), 'M', 'M'), wave(1, 0.7), curve_of({{0, 1}, {2, 2}}));
    animate(s, layer, child, "Lcl Translation", {0, 1, 0}, curve_of({{0, 0}, {1, 1}, {2, 0}}), wave(1, 2), {});
    animate(s, layer, child, "Lcl Scaling", {1, 1, 1}, wave(1, 1.2), wave(1, 1.1), wave(1, 0.9));
    animate(s, layer, tip, "Lcl Rotation", {0, 0, 0}, wave(0, 40), {}, extrapolated(wave(0, 20), 'R', 'R'));
    const Loaded loaded = load(s);
    const Off whole = compare(loaded, 30, kWhole);
    EXPECT_LT(whole.translation, 2e-5);
    EXPECT_LT(whole.rotation, 2e-5);
    EXPECT_LT(whole.scale, 2e-5);
    EXPECT_LT(compare(loaded, 30, kDense).most(), 0.01);
}

TEST(FbxClip, SamplesPivotsLayersAndStepsTogether) {
    writer::Scene s = metre_scene();
    const NodeRef bone = add_bone(s, "Bone");
    s[bone].rotation_pivot = writer::Vec3{1, 0, 0};
    s[bone].pre_rotation = writer::Vec3{0, 30, 0};
    const LayerRef layer = add_stack(s, "Move", 0, 2);
    animate(s, layer, bone, "Lcl Rotation", {0, 0, 0}, {}, curve_of({{0.013, 0}, {0.52, 90}, {2, 10}}), {});
    animate(s, layer, bone, "Lcl Translation", {0, 0, 0}, curve_of({{0, 0}, {0.317, 1}, {1.55, 3}}, Interpolation::ConstantPrevious), {}, {});
    const Loaded loaded = load(s);
    EXPECT_LT(compare(loaded, 30, kWhole).most(), 2e-5);
    EXPECT_LT(compare(loaded, 30, kDense).most(), 0.003);
}

TEST(FbxClip, TakesARangeOfNoLengthThatIsNotZeroAsOnePose) {
    const Loaded loaded = load(moving(curve_of({{0, 0}, {10, 10}}), 5, 5));
    const model::Clip& clip = loaded.model.clips[0];
    EXPECT_EQ(clip.source_start, 5);
    EXPECT_EQ(clip.duration, 0);
    ASSERT_EQ(clip.tracks[0].translation.size(), 1u);
    EXPECT_NEAR(clip.tracks[0].translation[0].value.x, -5, 1e-9);
    EXPECT_TRUE(loaded.report.has(IssueId::FBX_EMPTY_STACK));
    // 0 to 0 is what a file without a range says.
    EXPECT_NEAR(load(moving(curve_of({{0, 0}, {10, 10}}), 0, 0)).model.clips[0].duration, 10, 1e-9);
}

TEST(FbxClip, StopsAtCyclesWithoutNumber) {
    // A cycle of two ticks over an hour, and one that the stack's range does not come near.
    Curve curve;
    for (const std::int64_t t : {0, 1, 2}) {
        writer::Key key;
        key.time = t;
        key.value = static_cast<double>(t % 2);
        curve.keys.push_back(key);
    }
    for (const double start : {0.0, 3000.0}) {
        core::Report report;
        codec::ReadOptions options;
        options.limits.max_keys_per_clip = 20'000;
        const writer::Scene s = moving(extrapolated(curve, 'R', 'R'), start, 3600);
        const auto read = make_codec().read(write_binary(s, 7400), "test.fbx", options, report);
        EXPECT_TRUE(read || read.error().code == core::Code::LimitExceeded);
    }
}

// --- Reduced, through the writer -----------------------------------------------------------------------------------------


Mat4d local_of(const runtime::ModelView& view, std::uint32_t clip_index, std::uint32_t bone, double time) {
    const Mat4d bind = runtime::matrix_cast<double>(view.bind_local(bone));
    for (const runtime::TrackView& track : view.clip(clip_index).tracks()) {
        if (track.bone_index() != bone) {
            continue;
        }
        runtime::Transformd t = runtime::decompose(bind);
        const auto wide = [](const runtime::Vec3f& v) { return Vec3d{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)}; };
        const auto sample = [&](std::uint32_t count, const auto& key_of, const auto& value_of, auto& into) {
            if (count == 0) {
                return;
            }
            std::uint32_t low = 0;
            std::uint32_t high = count;
            while (high - low > 1) {
                const std::uint32_t middle = (low + high) / 2;
                (static_cast<double>(key_of(middle).time_seconds) <= time ? low : high) = middle;
            }
            const double a = static_cast<double>(key_of(low).time_seconds);
            if (low + 1 == count || time <= a) {
                into = value_of(key_of(low));
                return;
            }
            const double b = static_cast<double>(key_of(low + 1).time_seconds);
            into = blend(value_of(key_of(low)), value_of(key_of(low + 1)), (time - a) / (b - a));
        };
        sample(track.translation_count(), [&](std::uint32_t k) { return track.translation(k); }, [&](const auto& k) { return wide(k.value); }, t.translation);
        sample(track.rotation_count(), [&](std::uint32_t k) { return track.rotation(k); },
               [&](const auto& k) {
                   return runtime::normalized(Quat{static_cast<double>(k.value.x), static_cast<double>(k.value.y), static_cast<double>(k.value.z),
                                                   static_cast<double>(k.value.w)});
               },
               t.rotation);
        sample(track.scale_count(), [&](std::uint32_t k) { return track.scale(k); }, [&](const auto& k) { return wide(k.value); }, t.scale);
        return runtime::to_matrix(t);
    }
    return bind;
}

std::vector<Mat4d> models_at(const runtime::ModelView& view, std::uint32_t clip, double time) {
    std::vector<Mat4d> out;
    for (std::uint32_t b = 0; b < view.bone_count(); ++b) {
        const Mat4d local = local_of(view, clip, b, time);
        out.push_back(view.bone_parent(b) >= 0 ? local * out[static_cast<std::size_t>(view.bone_parent(b))] : local);
    }
    return out;
}

std::uint64_t count_keys(const runtime::ModelView& view, std::uint32_t clip) {
    std::uint64_t out = 0;
    for (const runtime::TrackView& track : view.clip(clip).tracks()) {
        out += track.translation_count() + track.rotation_count() + track.scale_count();
    }
    return out;
}

// Writes the model with and without reduction and measures between the two files.
void expect_reduced_within(model::Model model, double millimetres, const std::string& name) {
    const Converted before = to_gom(model);
    core::Report report;
    pass::ReduceOptions options;
    options.millimetres = millimetres;
    const auto begin = std::chrono::steady_clock::now();
    const auto reduced = pass::reduce_keys(model, options, {}, report);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    ASSERT_TRUE(reduced) << core::to_string(reduced.error());
    const Converted after = to_gom(model);
    ASSERT_EQ(before.view.clip_count(), after.view.clip_count());
    ASSERT_EQ(before.view.bone_count(), after.view.bone_count());
    const std::vector<Mat4d> bind = bone_models(before.view);
    for (std::uint32_t c = 0; c < before.view.clip_count(); ++c) {
        const auto said = std::find_if(reduced->begin(), reduced->end(), [&](const auto& r) { return r.clip == before.view.clip(c).name(); });
        ASSERT_NE(said, reduced->end()) << name;
        double most = 0;
        const double duration = static_cast<double>(before.view.clip(c).duration_seconds());
        const int steps = 601;  // not in step with frames
        for (int i = 0; i <= steps; ++i) {
            const double time = static_cast<double>(static_cast<float>(duration * i / steps));
            const std::vector<Mat4d> a = models_at(before.view, c, time);
            const std::vector<Mat4d> b = models_at(after.view, c, time);
            for (std::size_t bone = 0; bone < a.size(); ++bone) {
                // 0.1 m from the bone, in model space at bind.
                const double x = 0.1 / length(transform_vector(Vec3d{1, 0, 0}, bind[bone]));
                const double y = 0.1 / length(transform_vector(Vec3d{0, 1, 0}, bind[bone]));
                const double z = 0.1 / length(transform_vector(Vec3d{0, 0, 1}, bind[bone]));
                for (const Vec3d& p : {Vec3d{}, Vec3d{x, 0, 0}, Vec3d{-x, 0, 0}, Vec3d{0, y, 0}, Vec3d{0, -y, 0}, Vec3d{0, 0, z}, Vec3d{0, 0, -z}}) {
                    most = std::fmax(most, length(transform_point(p, a[bone]) - transform_point(p, b[bone])));
                }
            }
        }
        EXPECT_LE(most * 1000, millimetres) << name;
        EXPECT_EQ(said->keys_before, count_keys(before.view, c)) << name;
        EXPECT_EQ(said->keys_after, count_keys(after.view, c)) << name;
        EXPECT_LE(most * 1000, said->millimetres * 1.02 + 1e-6) << name;
        std::printf("%s '%.*s' at %g mm: %llu keys, %llu left; said %.4f mm, measured %.4f mm between; %u bones, %.1f s, pass %.3f s\n", name.c_str(),
                    static_cast<int>(before.view.clip(c).name().size()), before.view.clip(c).name().data(), millimetres,
                    static_cast<unsigned long long>(count_keys(before.view, c)), static_cast<unsigned long long>(count_keys(after.view, c)),
                    said->millimetres, most * 1000, before.view.bone_count(), duration, seconds);
    }
}

TEST(FbxClip, ReducesToWhatTheWriterStoresAlsoUnderAFoldedArmature) {
    writer::Scene s = metre_scene();
    const NodeRef top = add_node(s, "Armature", {}, {0, 2, 0});
    s[top].scaling = writer::Vec3{200, 200, 200};
    s[top].rotation = writer::Vec3{-90, 0, 0};
    const NodeRef root = add_bone(s, "Root", top, {5, 0, 0});  // 1,000 m away
    const NodeRef tip = add_bone(s, "Tip", root, {0, 0.01, 0});
    const LayerRef layer = add_stack(s, "Move", 0, 3);
    animate(s, layer, root, "Lcl Translation", {5, 0, 0}, curve_of({{0, 5}, {1, 5.00001}, {2, 5.000005}, {3, 5}}, Interpolation::CubicAuto), {}, {});
    animate(s, layer, tip, "Lcl Rotation", {0, 0, 0}, curve_of({{0, 0}, {1, 40}, {3, -20}}, Interpolation::CubicAuto), curve_of({{0, 0}, {3, 90}}), {});
    core::Report report;
    for (const double bound : {0.1, 1.0, 10.0}) {
        auto model = make_codec().read(write_binary(s, 7400), "test.fbx", {}, report);
        ASSERT_TRUE(model);
        expect_reduced_within(std::move(*model), bound, "folded");
    }
}

TEST(FbxClip, ReducesCorpusFilesWithinTheBound) {
    if (read_bytes("blender/a_biped.fbx").empty()) {
        GTEST_SKIP() << "no corpus at " << corpus() << "; set GOMKIT_CORPUS";
    }
    for (const char* name : {"blender/a_biped.fbx", "blender/g_motion_walk.fbx", "blender/i_bone_scale_not_inherited.fbx", "blender/j_euler_spin.fbx",
                             "fbx/ufbx/maya_game_sausage_7500_binary.fbx", "fbx/ufbx/maya_kenney_character_7700_binary.fbx"}) {
        const std::vector<std::byte> bytes = read_bytes(name);
        ASSERT_FALSE(bytes.empty()) << name;
        core::Report report;
        for (const double bound : {0.1, 1.0, 10.0}) {
            auto model = make_codec().read(bytes, name, {}, report);
            ASSERT_TRUE(model) << name;
            expect_reduced_within(std::move(*model), bound, name);
        }
    }
}

}  // namespace
}  // namespace gomkit::fbx::test

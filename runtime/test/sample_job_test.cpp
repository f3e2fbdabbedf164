#include "gomkit/runtime/sample_job.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>

#include "clip_maker.hpp"
#include "pose_tools.hpp"
#include "rig.hpp"

namespace gomkit::runtime {
namespace {

using test::Instance;
using test::kAllPaths;
using test::Loaded;
using test::MadeBone;
using test::MadeClip;
using test::MadeTrack;
using test::Memory;
using test::Rig;
using test::RigOptions;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

void expect_near(const Quatf& q, double x, double y, double z, double w, double within = 1e-7) {
    EXPECT_NEAR(static_cast<double>(q.x), x, within);
    EXPECT_NEAR(static_cast<double>(q.y), y, within);
    EXPECT_NEAR(static_cast<double>(q.z), z, within);
    EXPECT_NEAR(static_cast<double>(q.w), w, within);
}

void expect_near(const Vec3f& v, double x, double y, double z, double within = 1e-7) {
    EXPECT_NEAR(static_cast<double>(v.x), x, within);
    EXPECT_NEAR(static_cast<double>(v.y), y, within);
    EXPECT_NEAR(static_cast<double>(v.z), z, within);
}

MadeBone bone(std::int32_t parent, const std::string& name, const std::string& path, const Mat4f& bind = {}) {
    return {parent, name, path, bind};
}

// One bone and one clip.
Loaded<ModelView> one(MadeClip clip, const Mat4f& bind = {}) {
    clip.name = "clip";
    return Loaded<ModelView>(test::make_model({bone(-1, "a", "a", bind)}, {clip}));
}

// covers GOM-CLP0 sampling: linear, slerp
TEST(Sample, GivesHandComputedFrames) {
    MadeClip clip;
    clip.duration = 2;
    clip.tracks = {{0,
                    {{0.5F, {1, 2, 3}}, {1.5F, {3, -2, 3}}},
                    {{0, {0, 0, 0, 1}}, {1, {0, 0.70710677F, 0, 0.70710677F}}, {2, {0, 1, 0, 0}}},
                    {{0, {1, 1, 1}}, {2, {3, 1, 0}}}}};
    const auto loaded = one(clip);
    for (const SimdPath path : kAllPaths) {
        Instance i(loaded.view, loaded.view.clip(0));
        const BoneLocal at_half = i.at(0.75F, path)[0];
        expect_near(at_half.translation, 1.5, 1, 3);
        // 67.5 degrees about Y: half of it has the sine 0.5555702, the cosine 0.8314696.
        expect_near(at_half.rotation, 0, 0.55557023301960218, 0, 0.83146961230254524);
        expect_near(at_half.scale, 1.75, 1, 0.625);
        EXPECT_EQ(at_half.is_keyed, 1U);
        const BoneLocal at_key = i.at(1.0F, path)[0];
        expect_near(at_key.rotation, 0, 0.70710678118654752, 0, 0.70710678118654752);
        expect_near(at_key.translation, 2, 0, 3);
        // 135 degrees.
        expect_near(i.at(1.5F, path)[0].rotation, 0, 0.92387953251128674, 0, 0.38268343236508977);
    }
}

TEST(Sample, HoldsTheFirstAndTheLastKey) {
    MadeClip clip;
    clip.duration = 4;
    clip.tracks = {{0, {{1, {1, 0, 0}}, {2, {2, 0, 0}}}, {{1, {1, 0, 0, 0}}, {3, {0, -1, 0, 0}}}, {{2, {5, 5, 5}}}}};
    const auto loaded = one(clip);
    constexpr float kHuge = std::numeric_limits<float>::max();
    for (const SimdPath path : kAllPaths) {
        for (const bool is_fresh : {true, false}) {
            Instance kept(loaded.view, loaded.view.clip(0));
            for (const float t :
                 {-kHuge, -1.0F, -0.0F, 0.0F, 0.999F, 1.0F, 2.0F, 2.5F, 3.0F, 4.0F, 9.0F, kHuge, 0.5F, -kHuge, kHuge}) {
                Instance fresh(loaded.view, loaded.view.clip(0));
                const BoneLocal b = (is_fresh ? fresh : kept).at(t, path)[0];
                if (t <= 1) {
                    EXPECT_EQ(b.translation, (Vec3f{1, 0, 0})) << t;
                    expect_near(b.rotation, 1, 0, 0, 0);
                }
                if (t >= 2) {
                    EXPECT_EQ(b.translation, (Vec3f{2, 0, 0})) << t;
                }
                if (t >= 3) {
                    EXPECT_EQ(b.rotation, (Quatf{0, -1, 0, 0})) << t;
                }
                EXPECT_EQ(b.scale, (Vec3f{5, 5, 5}));
            }
        }
    }
}

TEST(Sample, GoesTheShorterArc) {
    // 40 degrees about X, and minus the quaternion of 80 degrees: half way lie 60.
    MadeClip clip;
    const Quatf a = test::about({1, 0, 0}, 40 * 3.14159265358979 / 180), b = test::about({1, 0, 0}, 80 * 3.14159265358979 / 180);
    clip.tracks = {{0, {}, {{0, a}, {1, {-b.x, -b.y, -b.z, -b.w}}}, {}}};
    const auto loaded = one(clip);
    for (const SimdPath path : kAllPaths) {
        Instance i(loaded.view, loaded.view.clip(0));
        expect_near(i.at(0.5F, path)[0].rotation, 0.5, 0, 0, 0.86602540378443865, 2e-7);
    }
}

// Against slerp in double, over all angles between the ends and all places between them.
TEST(Sample, SlerpIsWithinAMillionthOfTheExactOne) {
    constexpr int kAngles = 721, kTimes = 33;
    std::vector<MadeBone> bones;
    MadeClip clip;
    clip.name = "clip";
    test::Random random(7);
    std::vector<Quatf> from, to;
    for (int i = 0; i < kAngles; ++i) {
        const std::string number = std::to_string(1000 + i);
        bones.push_back(bone(-1, number, number));
        // Angles of the quaternions up to 180 degrees: beyond 90 the other end is taken. Near 0 and near 90 more densely.
        const double x = static_cast<double>(i) / (kAngles - 1);
        const double angle = i % 3 == 0   ? x * 3.14159265358979
                             : i % 3 == 1 ? 1.5707963267949 + (x - 0.5) * 1e-3
                                          : x * x * x * x * 0.01;
        const Quatf q = random.rotation();
        const Vec3d axis = normalized(Vec3d{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)});
        const double s = exact::sin(angle);
        const Quatd turn{axis.x * s, axis.y * s, axis.z * s, exact::cos(angle)};
        const Quatd r = multiply(turn, Quatd{q.x, q.y, q.z, q.w});
        from.push_back(q);
        to.push_back({static_cast<float>(r.x), static_cast<float>(r.y), static_cast<float>(r.z), static_cast<float>(r.w)});
        clip.tracks.push_back({static_cast<std::uint32_t>(i), {}, {{0, from.back()}, {1, to.back()}}, {}});
    }
    const Loaded<ModelView> loaded(test::make_model(bones, {clip}));
    double worst = 0, worst_length = 0;
    Instance instance(loaded.view, loaded.view.clip(0));
    for (int k = 0; k < kTimes; ++k) {
        const float t = static_cast<float>(k) / (kTimes - 1);
        const std::vector<BoneLocal>& pose = instance.at(t);
        for (std::size_t i = 0; i < pose.size(); ++i) {
            const Quatd a = normalized(Quatd{from[i].x, from[i].y, from[i].z, from[i].w});
            const Quatd b = normalized(Quatd{to[i].x, to[i].y, to[i].z, to[i].w});
            if (std::fabs(dot(a, b)) < 1e-6 && t > 0 && t < 1) continue;  // which arc is shorter hangs on rounding
            const Quatd wanted = k == kTimes - 1 ? b : slerp(a, b, static_cast<double>(t));
            const Quatf& q = pose[i].rotation;
            for (const double error : {q.x - wanted.x, q.y - wanted.y, q.z - wanted.z, q.w - wanted.w})
                worst = std::max(worst, std::fabs(error));
            worst_length = std::max(worst_length, std::fabs(length(Quatd{q.x, q.y, q.z, q.w}) - 1));
        }
    }
    EXPECT_LT(worst, 4e-7);  // the rule: 1e-6
    EXPECT_LT(worst_length, 4e-7);
    RecordProperty("worst_error_e-7", std::to_string(worst * 1e7));
    RecordProperty("worst_length_e-7", std::to_string(worst_length * 1e7));
}

TEST(Sample, NormalisesStoredRotations) {
    MadeClip clip;
    clip.tracks = {{0, {}, {{0, {0, 0, 0, 2}}, {0.5F, {0, 1e30F, 0, 1e30F}}, {1, {0, 2e-6F, 0, 0}}}, {}}};
    const auto loaded = one(clip);
    for (const SimdPath path : kAllPaths) {
        Instance i(loaded.view, loaded.view.clip(0));
        expect_near(i.at(0, path)[0].rotation, 0, 0, 0, 1);
        expect_near(i.at(0.25F, path)[0].rotation, 0, 0.38268343236508977, 0, 0.92387953251128674, 2e-7);
        expect_near(i.at(0.5F, path)[0].rotation, 0, 0.70710678118654752, 0, 0.70710678118654752);
        expect_near(i.at(0.75F, path)[0].rotation, 0, 0.92387953251128674, 0, 0.38268343236508977, 2e-7);
        expect_near(i.at(1, path)[0].rotation, 0, 1, 0, 0);
    }
    clip.tracks = {{0, {}, {{0, {0, 3, 0, 4}}}, {}}};
    const auto single = one(clip);
    Instance i(single.view, single.view.clip(0));
    expect_near(i.at(0)[0].rotation, 0, 0.6, 0, 0.8);
}

// covers GOM-CLP0 sampling: loop
TEST(Sample, WrapsTimeByTheLoopRule) {
    MadeClip clip;
    clip.duration = 0.75F;
    clip.flags = 2;
    clip.tracks = {{0, {{0, {0, 0, 0}}, {0.75F, {3, 0, 0}}}, {}, {}}};
    const auto loaded = one(clip);
    const ClipView view = loaded.view.clip(0);
    const struct {
        float asked, time;
    } cases[] = {{0, 0},
                 {0.25F, 0.25F},
                 {0.75F, 0},
                 {1.0F, 0.25F},
                 {-0.25F, 0.5F},
                 {-0.75F, 0},
                 {-1e-12F, 0},
                 {75.25F, 0.25F},
                 {-74.75F, 0.25F},
                 {0.74999994F, 0.74999994F},
                 {-0.0F, 0},
                 {3e38F, std::fmod(3e38F, 0.75F)},
                 {-3e38F, 0.75F - std::fmod(3e38F, 0.75F)}};
    Instance i(loaded.view, view);
    for (const auto& c : cases) {
        EXPECT_EQ(clip_time(view, c.asked), c.time) << c.asked;
        for (const SimdPath path : kAllPaths) EXPECT_FLOAT_EQ(i.at(c.asked, path)[0].translation.x, 4 * c.time) << c.asked;
    }
    clip.flags = 0;
    const auto once = one(clip);
    EXPECT_EQ(clip_time(once.view.clip(0), 75.25F), 75.25F);
    clip.flags = 2;
    clip.duration = 0;
    clip.tracks = {{0, {{0, {7, 0, 0}}}, {}, {}}};
    const auto still = one(clip);
    EXPECT_EQ(clip_time(still.view.clip(0), 5), 0);
    Instance s(still.view, still.view.clip(0));
    EXPECT_EQ(s.at(-5)[0].translation, (Vec3f{7, 0, 0}));
}

// covers GOM-CLP0 channels without keys
TEST(Sample, KeepsBindValuesWhereThereAreNoKeys) {
    // S (2, 3, 4) then a quarter turn about Z (x to y), then T; bone 1 also mirrored; bone 3 sheared.
    Mat4f turned;
    const float rows[16] = {0, 2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 5, 6, 7, 1};
    std::copy(rows, rows + 16, turned.m);
    Mat4f mirrored = turned;
    mirrored.m[1] = -2;
    Mat4f sheared;
    sheared.m[4] = 0.5F;
    MadeClip clip;
    clip.name = "clip";
    clip.tracks = {{2, {}, {}, {}}, {1, {{0, {9, 9, 9}}, {1, {9, 9, 9}}}, {}, {}}, {0, {}, {{0.5F, {0, 0, 0, 1}}}, {}}};
    const Loaded<ModelView> loaded(test::make_model(
        {bone(-1, "a", "a", turned), bone(-1, "b", "b", mirrored), bone(-1, "c", "c", turned), bone(-1, "d", "d", sheared)},
        {clip}));
    for (const SimdPath path : kAllPaths) {
        Instance i(loaded.view, loaded.view.clip(0));
        const std::vector<BoneLocal>& pose = i.at(0.25F, path);
        EXPECT_EQ(pose[0].is_keyed, 1U);
        EXPECT_EQ(pose[0].rotation, (Quatf{0, 0, 0, 1}));
        EXPECT_EQ(pose[0].translation, (Vec3f{5, 6, 7}));
        EXPECT_EQ(pose[0].scale, (Vec3f{2, 3, 4}));
        EXPECT_EQ(pose[1].is_keyed, 1U);
        EXPECT_EQ(pose[1].translation, (Vec3f{9, 9, 9}));
        EXPECT_EQ(pose[1].scale, (Vec3f{-2, 3, 4}));
        expect_near(pose[1].rotation, 0, 0, 0.70710678118654752, 0.70710678118654752);
        EXPECT_EQ(pose[2].is_keyed, 0U);  // a track, but no key
        EXPECT_EQ(pose[2].translation, (Vec3f{5, 6, 7}));
        expect_near(pose[2].rotation, 0, 0, 0.70710678118654752, 0.70710678118654752);
        EXPECT_EQ(pose[3].is_keyed, 0U);
        for (const BoneLocal& b : pose) EXPECT_EQ(b.reserved, 0U);
    }
    // What is not keyed stands at its matrix as stored, shear and all; keyed bones at theirs recomposed.
    Instance i(loaded.view, loaded.view.clip(0));
    const std::vector<Mat4d> bones = test::model_matrices(loaded.view, i.at(0));
    EXPECT_EQ(bones[3], matrix_cast<double>(sheared));
    EXPECT_EQ(bones[2], matrix_cast<double>(turned));
    EXPECT_EQ(bones[0].m[0], 2);
}

TEST(Sample, TakesNeighbouringFloatsAsKeyTimes) {
    const float step = std::numeric_limits<float>::denorm_min();
    MadeClip clip;
    clip.tracks = {{0,
                    {{0, {0, 0, 0}}, {2 * step, {2, 0, 0}}, {3 * step, {8, 0, 0}}, {1, {9, 0, 0}}},
                    {{0, {0, 0, 0, 1}}, {step, {0, 1, 0, 0}}, {0.99999994F, {0, 1, 0, 0}}, {1, {1, 0, 0, 0}}},
                    {}}};
    const auto loaded = one(clip);
    for (const SimdPath path : kAllPaths) {
        Instance i(loaded.view, loaded.view.clip(0));
        EXPECT_EQ(i.at(0, path)[0].translation.x, 0);
        EXPECT_EQ(i.at(step, path)[0].translation.x, 1);
        EXPECT_EQ(i.at(2 * step, path)[0].translation.x, 2);
        EXPECT_EQ(i.at(3 * step, path)[0].translation.x, 8);
        expect_near(i.at(0, path)[0].rotation, 0, 0, 0, 1);
        expect_near(i.at(step, path)[0].rotation, 0, 1, 0, 0);
        expect_near(i.at(0.99999994F, path)[0].rotation, 0, 1, 0, 0);
        expect_near(i.at(1, path)[0].rotation, 1, 0, 0, 0);
    }
}

// The pose at a time does not depend on what was asked before, on the path, or on the memory. Key times that defeat any guess.
TEST(Sample, DependsOnClipAndTimeAlone) {
    for (const bool is_uneven : {false, true}) {
        for (std::uint32_t seed = 1; seed < 6; ++seed) {
            RigOptions options;
            options.bones = 5 + 17 * seed;
            options.vertices = 3;
            options.seconds = 3;
            options.is_uneven = is_uneven;
            options.is_looping = seed % 2 == 0;
            options.has_scales = seed != 3;
            options.has_shear = true;
            options.seed = seed;
            const Rig rig(options);
            ASSERT_EQ(rig.status(), Status::Ok) << rig.info().part;
            const ClipView clip = rig.model().clip(0);
            Instance kept(rig.model(), clip), sse2(rig.model(), clip), avx2(rig.model(), clip);
            test::Random random(seed);
            for (int k = 0; k < 300; ++k) {
                float t = k < 100   ? static_cast<float>(k) * 0.031F
                          : k < 150 ? 3 - static_cast<float>(k - 100) * 0.061F
                                    : random.number(-1, 4);
                if (k > 250) {  // a key's time, or next to it
                    const TrackView track = clip.track(random.below(clip.track_count()));
                    if (track.rotation_count() != 0) t = track.rotation(random.below(track.rotation_count())).time_seconds;
                    if (k % 3 == 0) t = std::nextafter(t, -1.0F);
                }
                Instance fresh(rig.model(), clip);
                const std::vector<BoneLocal>& wanted = fresh.at(t, SimdPath::Portable);
                ASSERT_TRUE(test::same_bits(wanted, kept.at(t, SimdPath::Portable))) << t;
                ASSERT_TRUE(test::same_bits(wanted, sse2.at(t, SimdPath::Sse2))) << t;
                ASSERT_TRUE(test::same_bits(wanted, avx2.at(t, SimdPath::Avx2))) << t;
                ASSERT_TRUE(test::same_bits(wanted, kept.at(t))) << t;
            }
        }
    }
}

// Against a linear walk over the keys, with math.hpp's slerp in double.
TEST(Sample, FindsTheRightPairWhereverItIs) {
    RigOptions options;
    options.bones = 40;
    options.vertices = 3;
    options.is_uneven = true;
    options.is_looping = false;
    options.seconds = 5;
    const Rig rig(options);
    ASSERT_EQ(rig.status(), Status::Ok);
    const ClipView clip = rig.model().clip(0);
    Instance instance(rig.model(), clip);
    test::Random random(3);
    for (int k = 0; k < 500; ++k) {
        const float t = random.number(-0.5, 5.5);
        const std::vector<BoneLocal>& pose = instance.at(t);
        for (const TrackView track : clip.tracks()) {
            const BoneLocal& b = pose[track.bone_index()];
            if (const std::uint32_t n = track.translation_count(); n != 0) {
                std::uint32_t i = 0;
                while (i + 1 < n && track.translation(i + 1).time_seconds <= t) ++i;
                const VectorKey a = track.translation(i), c = track.translation(i + 1 < n ? i + 1 : i);
                const double u = i + 1 == n || t <= a.time_seconds ? 0
                                                                   : (static_cast<double>(t) - a.time_seconds) /
                                                                         (static_cast<double>(c.time_seconds) - a.time_seconds);
                expect_near(b.translation, a.value.x + (c.value.x - a.value.x) * u, a.value.y + (c.value.y - a.value.y) * u,
                            a.value.z + (c.value.z - a.value.z) * u, 2e-7);
            }
            if (const std::uint32_t n = track.rotation_count(); n != 0) {
                std::uint32_t i = 0;
                while (i + 1 < n && track.rotation(i + 1).time_seconds <= t) ++i;
                const RotationKey a = track.rotation(i), c = track.rotation(i + 1 < n ? i + 1 : i);
                const double u = i + 1 == n || t <= a.time_seconds ? 0
                                                                   : (static_cast<double>(t) - a.time_seconds) /
                                                                         (static_cast<double>(c.time_seconds) - a.time_seconds);
                const Quatd q = slerp(normalized(Quatd{a.value.x, a.value.y, a.value.z, a.value.w}),
                                      normalized(Quatd{c.value.x, c.value.y, c.value.z, c.value.w}), u);
                expect_near(b.rotation, q.x, q.y, q.z, q.w, 5e-7);
            }
        }
    }
}

// Invariant A: one loaded model serves any number of instances, each with its own clip and time.
TEST(Sample, InstancesAreIndependent) {
    RigOptions options;
    options.vertices = 3;
    options.is_uneven = true;
    const Rig rig(options);
    ASSERT_EQ(rig.status(), Status::Ok);
    const ModelView& model = rig.model();
    const ClipView clip = model.clip(0);
    constexpr std::size_t kInstances = 40;
    const auto time_of = [](std::size_t instance, int frame) {
        return static_cast<float>(instance) * 0.37F + static_cast<float>(frame) * (instance % 3 == 0 ? -0.02F : 0.05F);
    };
    std::vector<std::vector<std::vector<BoneLocal>>> wanted(kInstances);
    for (std::size_t i = 0; i < kInstances; ++i) {
        Instance alone(model, clip);
        for (int frame = 0; frame < 30; ++frame) wanted[i].push_back(alone.at(time_of(i, frame)));
    }
    {
        std::vector<std::unique_ptr<Instance>> all;
        for (std::size_t i = 0; i < kInstances; ++i) all.push_back(std::make_unique<Instance>(model, clip));
        for (int frame = 0; frame < 30; ++frame)
            for (std::size_t i = 0; i < kInstances; ++i)
                ASSERT_TRUE(test::same_bits(all[i]->at(time_of(i, frame)), wanted[i][static_cast<std::size_t>(frame)]));
    }
    std::vector<std::thread> threads;
    std::vector<int> wrong(4);
    for (std::size_t thread = 0; thread < 4; ++thread)
        threads.emplace_back([&, thread] {
            std::vector<std::unique_ptr<Instance>> mine;
            for (std::size_t i = thread; i < kInstances; i += 4) mine.push_back(std::make_unique<Instance>(model, clip));
            for (int frame = 0; frame < 30; ++frame)
                for (std::size_t i = thread; i < kInstances; i += 4)
                    if (!test::same_bits(mine[i / 4]->at(time_of(i, frame)), wanted[i][static_cast<std::size_t>(frame)]))
                        ++wrong[thread];
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(wrong, std::vector<int>(4));
}

TEST(Sample, RefusesWhatDoesNotFit) {
    RigOptions options;
    options.bones = 6;
    options.vertices = 3;
    const Rig rig(options);
    options.bones = 5;
    const Rig smaller(options);
    const ModelView& model = rig.model();
    const ClipView clip = model.clip(0);
    const std::vector<BoneLocal> bind = test::bind_pose_of(model);
    std::vector<BoneLocal> out(6);
    EXPECT_EQ(bind_pose(model, std::span(out).first(5)), Status::WrongSize);

    SampleContext context;
    EXPECT_EQ((SampleJob{nullptr, 0, out}.run()), Status::NotBound);
    EXPECT_EQ((SampleJob{&context, 0, out}.run()), Status::NotBound);
    const std::size_t size = SampleContext::required_bytes(model, clip);
    const Memory memory(size), crooked(size, 16);
    EXPECT_EQ(context.bind(model, clip, bind, memory.bytes().first(size - 1)), Status::WrongSize);
    EXPECT_EQ(context.bind(model, clip, std::span(bind).first(5), memory.bytes()), Status::WrongSize);
    EXPECT_EQ(context.bind(model, clip, bind, crooked.bytes()), Status::Misaligned);
    EXPECT_FALSE(context.is_bound());
    ASSERT_EQ(context.bind(model, clip, bind, memory.bytes()), Status::Ok);
    EXPECT_TRUE(context.is_bound());
    EXPECT_EQ((SampleJob{&context, 0, std::span(out).first(5)}.run()), Status::WrongSize);
    for (const float t : {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()})
        EXPECT_EQ((SampleJob{&context, t, out}.run()), Status::NonFinite);
    EXPECT_EQ((SampleJob{&context, 0, out}.run()), Status::Ok);

    // Tracks of bones that the model has not.
    const std::size_t foreign_size = SampleContext::required_bytes(smaller.model(), clip);
    const Memory foreign(foreign_size);
    SampleContext other;
    EXPECT_EQ(other.bind(smaller.model(), clip, test::bind_pose_of(smaller.model()), foreign.bytes()), Status::BadBoneIndex);
    EXPECT_EQ((SampleJob{&other, 0, std::span(out).first(5)}.run()), Status::NotBound);

    // The memory is given to another: the first context says so.
    const ClipView less = smaller.model().clip(0);
    ASSERT_LE(SampleContext::required_bytes(smaller.model(), less), size);
    ASSERT_EQ(other.bind(smaller.model(), less, test::bind_pose_of(smaller.model()), memory.bytes()), Status::Ok);
    EXPECT_EQ((SampleJob{&context, 0, out}.run()), Status::NotBound);
    EXPECT_EQ((SampleJob{&other, 0, std::span(out).first(5)}.run()), Status::Ok);
}

TEST(Sample, ServesAModelWithoutBonesAndAnEmptyClip) {
    const Loaded<ModelView> nothing{test::least()};
    Instance none(nothing.view, ClipView{});
    EXPECT_TRUE(none.at(1).empty());
    RigOptions options;
    options.vertices = 3;
    const Rig rig(options);
    Instance still(rig.model(), ClipView{});
    EXPECT_TRUE(test::same_bits(still.at(1), test::bind_pose_of(rig.model())));
}

}  // namespace
}  // namespace gomkit::runtime

#include "gomkit/runtime/player.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "clip_maker.hpp"

namespace gomkit::runtime {
namespace {

using test::about;
using test::kLoop;
using test::kPi;
using test::kRootMotion;
using test::Loaded;
using test::MadeBone;
using test::MadeClip;
using test::MadeTrack;
using test::Memory;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const std::vector<MadeBone> kBones = {{-1, "R", "R", {}}, {0, "A", "R/A", {}}};

// One bone that goes from one place on the X axis to another.
MadeClip slide(const char* name, float from, float to, std::uint32_t flags = 0, float duration = 1) {
    return {name, duration, 0, flags, {{0, {{0.0F, {from, 0, 0}}, {duration, {to, 0, 0}}}, {}, {}}}};
}

struct Stage {
    explicit Stage(const std::vector<MadeClip>& clips, const std::vector<MadeClip>& in_motion = {})
        : model(test::make_model(kBones, clips)),
          motion(test::make_motion(model.view.skeleton_signature(), in_motion)),
          motions{&motion.view},
          memory(Player::required_bytes(model.view, motions)) {
        EXPECT_EQ(player.init(model.view, motions, memory.bytes()), Status::Ok);
    }
    // X of the root, what all these clips move.
    [[nodiscard]] float x() const { return player.pose()[0].translation.x; }
    void play(const char* name, const PlayOptions& options = {}) {
        EXPECT_EQ(player.play(player.find_clip(name), options), Status::Ok);
    }
    void update(float seconds) { EXPECT_EQ(player.update(seconds), Status::Ok); }

    Loaded<ModelView> model;
    Loaded<MotionView> motion;
    std::vector<const MotionView*> motions;
    Memory memory;
    Player player;
};

TEST(Player, ShowsTheBindPoseUntilAClipPlays) {
    Stage stage({slide("a", 1, 2)});
    EXPECT_EQ(stage.player.bone_count(), 2U);
    EXPECT_FALSE(stage.player.is_playing());
    EXPECT_EQ(stage.player.clip_index(), 1U);
    ASSERT_EQ(stage.player.pose().size(), 2U);
    EXPECT_EQ(stage.player.pose()[0].is_keyed, 0U);
    EXPECT_EQ(stage.x(), 0);
    stage.update(1);
    EXPECT_EQ(stage.x(), 0);
    stage.play("a");
    EXPECT_EQ(stage.x(), 1);
    EXPECT_EQ(stage.player.pose()[0].is_keyed, 1U);
    EXPECT_EQ(stage.player.pose()[1].is_keyed, 0U);
    stage.player.stop();
    EXPECT_FALSE(stage.player.is_playing());
    EXPECT_EQ(stage.player.pose()[0].is_keyed, 0U);
}

TEST(Player, ClipsOfTheModelComeFirst) {
    Stage stage({slide("a", 0, 1), slide("b", 0, 2)}, {slide("c", 0, 3), slide("d", 0, 4)});
    EXPECT_EQ(stage.player.clip_count(), 4U);
    EXPECT_EQ(stage.player.clip(1).name(), "b");
    EXPECT_EQ(stage.player.clip(3).name(), "d");
    EXPECT_EQ(stage.player.clip(4).name(), "");
    EXPECT_EQ(stage.player.find_clip("a"), 0U);
    EXPECT_EQ(stage.player.find_clip("c"), 2U);
    EXPECT_EQ(stage.player.find_clip("d"), 3U);
    EXPECT_EQ(stage.player.find_clip("e"), 4U);
    stage.play("d");
    EXPECT_EQ(stage.player.clip_index(), 3U);
    stage.update(0.5F);
    EXPECT_EQ(stage.x(), 2);
}

TEST(Player, GivesWhatTheSamplerGives) {
    const std::vector<MadeTrack> keys = {
        {0, {}, {{0.0F, {}}, {0.3F, about({0.6F, 0, 0.8F}, 1)}, {0.7F, about({0, 1, 0}, 2)}}, {}},
        {1, {{0.1F, {1, 2, 3}}, {0.6F, {4, 5, 7}}}, {}, {{0.0F, {1, 1, 1}}, {0.7F, {2, 3, 4}}}}};
    Stage stage({{"a", 0.7F, -1, kLoop, keys}});
    const ModelView& model = stage.model.view;
    std::vector<BoneLocal> bind(2), wanted(2);
    ASSERT_EQ(bind_pose(model, bind), Status::Ok);
    SampleContext context;
    const Memory memory(SampleContext::required_bytes(model, model.clip(0)));
    ASSERT_EQ(context.bind(model, model.clip(0), bind, memory.bytes()), Status::Ok);
    stage.play("a");
    for (int i = 0; i < 100; ++i) {
        stage.update(0.0625F);
        const SampleJob job{.context = &context, .time_seconds = stage.player.time_seconds(), .output = wanted};
        ASSERT_EQ(job.run(), Status::Ok);
        ASSERT_EQ(std::memcmp(stage.player.pose().data(), wanted.data(), sizeof(BoneLocal) * 2), 0) << i;
        const double time = std::fmod(0.0625 * (i + 1), static_cast<double>(0.7F));
        EXPECT_NEAR(stage.player.time_seconds(), time, 1e-6);
    }
}

TEST(Player, LoopsOrStops) {
    Stage stage({slide("loop", 0, 10, kLoop), slide("once", 0, 10)});
    stage.play("loop");
    stage.update(1.25F);
    EXPECT_NEAR(stage.x(), 2.5, 1e-5);
    EXPECT_FALSE(stage.player.is_finished());
    stage.update(1.75F);  // exactly at an end: the start of the next round
    EXPECT_EQ(stage.x(), 0);
    EXPECT_EQ(stage.player.time_seconds(), 0);

    stage.play("once");
    stage.update(0.75F);
    EXPECT_FALSE(stage.player.is_finished());
    stage.update(0.5F);
    EXPECT_EQ(stage.x(), 10);
    EXPECT_TRUE(stage.player.is_finished());
    EXPECT_EQ(stage.player.time_seconds(), 1);

    stage.play("once", {.repeat = Repeat::Loop});
    stage.update(1.25F);
    EXPECT_NEAR(stage.x(), 2.5, 1e-5);
    EXPECT_FALSE(stage.player.is_finished());

    stage.play("loop", {.repeat = Repeat::Once});
    stage.update(1.25F);
    EXPECT_NEAR(stage.x(), 10, 1e-5);  // the end, not the start the sampler would take it for
    EXPECT_TRUE(stage.player.is_finished());
    EXPECT_EQ(stage.player.time_seconds(), 1);
}

TEST(Player, PlaysBackwardsAndFaster) {
    Stage stage({slide("loop", 0, 10, kLoop), slide("once", 0, 10)});
    stage.play("loop", {.speed = -1});
    EXPECT_EQ(stage.x(), 0);
    stage.update(0.25F);
    EXPECT_NEAR(stage.x(), 7.5, 1e-5);
    stage.update(2.5F);
    EXPECT_NEAR(stage.x(), 2.5, 1e-5);
    EXPECT_EQ(stage.player.set_speed(2), Status::Ok);
    EXPECT_EQ(stage.player.speed(), 2);
    stage.update(0.25F);
    EXPECT_NEAR(stage.x(), 7.5, 1e-5);

    stage.play("once", {.speed = -0.5F, .start_seconds = 1});
    EXPECT_EQ(stage.x(), 10);
    EXPECT_FALSE(stage.player.is_finished());
    stage.update(1);
    EXPECT_NEAR(stage.x(), 5, 1e-5);
    stage.update(2);
    EXPECT_EQ(stage.x(), 0);
    EXPECT_TRUE(stage.player.is_finished());

    stage.play("loop", {.start_seconds = -0.25F});
    EXPECT_NEAR(stage.x(), 7.5, 1e-5);
    EXPECT_EQ(stage.player.set_time(3.5F), Status::Ok);
    EXPECT_NEAR(stage.x(), 5, 1e-5);
    EXPECT_NEAR(stage.player.time_seconds(), 0.5, 1e-6);
}

TEST(Player, FadesFromClipToClip) {
    Stage stage({slide("a", 0, 0), slide("b", 10, 10), slide("c", 20, 20), slide("d", 29, 33, 0, 1)});
    stage.play("a", {.fade_seconds = 1});  // out of nothing: at once
    EXPECT_EQ(stage.player.fade_weight(), 1);
    stage.play("b", {.fade_seconds = 2});
    EXPECT_EQ(stage.x(), 0);
    EXPECT_EQ(stage.player.fade_weight(), 0);
    stage.update(0.5F);
    EXPECT_NEAR(stage.x(), 2.5, 1e-5);
    EXPECT_EQ(stage.player.fade_weight(), 0.25F);
    stage.update(0.5F);
    EXPECT_NEAR(stage.x(), 5, 1e-5);
    // Cut short: on from where it was, which then stands still.
    stage.play("c", {.fade_seconds = 1});
    EXPECT_NEAR(stage.x(), 5, 1e-5);
    stage.update(0.5F);
    EXPECT_NEAR(stage.x(), 12.5, 1e-5);
    stage.update(0.5F);
    EXPECT_EQ(stage.x(), 20);
    EXPECT_EQ(stage.player.fade_weight(), 1);
    // The fade being over, the clip before is one that goes on.
    stage.play("d", {.fade_seconds = 0.25F});
    stage.update(0.25F);
    EXPECT_EQ(stage.x(), 30);
    stage.play("a", {.fade_seconds = 1});
    stage.update(0.5F);
    EXPECT_NEAR(stage.x(), 16, 1e-5);
    // At once, in the middle of a fade.
    stage.play("a", {.fade_seconds = 1});
    stage.update(0.25F);
    stage.play("b");
    EXPECT_EQ(stage.x(), 10);
    stage.update(0.25F);
    EXPECT_EQ(stage.x(), 10);
    EXPECT_EQ(stage.player.fade_weight(), 1);
}

TEST(Player, TheClipBeforeGoesOnWhileFading) {
    Stage stage({slide("a", 0, 8), slide("b", 0, 0)});
    stage.play("a");
    stage.update(0.25F);
    stage.play("b", {.fade_seconds = 1});
    stage.update(0.25F);
    EXPECT_NEAR(stage.x(), 3, 1e-5);  // three quarters of 4
    // From one clip to itself.
    stage.play("a");
    stage.update(0.5F);
    stage.play("a", {.fade_seconds = 1});
    EXPECT_NEAR(stage.x(), 4, 1e-5);
    stage.update(0.25F);
    EXPECT_NEAR(stage.x(), 0.75 * 6 + 0.25 * 2, 1e-5);
}

// So little before the end that the sampler's float is the end: time 0 of the next round.
TEST(Player, TheEndOfALoopIsItsStart) {
    Stage stage({slide("a", 0, 10, kRootMotion | kLoop)});
    stage.play("a", {.speed = -1});
    stage.update(1e-9F);
    EXPECT_EQ(stage.x(), 0);
    EXPECT_EQ(stage.player.time_seconds(), 0);
    stage.player.set_takes_root_motion(true);
    stage.update(1e-9F);
    EXPECT_NEAR(stage.player.root_motion_delta().x, 0, 1e-6);
}

// A walk of two metres and a quarter turn a round.
MadeClip turn(const char* name, std::uint32_t flags) {
    return {
        name, 1, 0, flags, {{0, {{0.0F, {1, 1, 0}}, {1.0F, {1, 1, 2}}}, {{0.0F, {}}, {1.0F, about({0, 1, 0}, kPi / 2)}}, {}}}};
}

TEST(Player, TakesRootMotionOut) {
    Stage stage({turn("turn", kRootMotion | kLoop), turn("zz plain", kLoop)});
    RootMotionContext context;
    ASSERT_EQ(context.bind(stage.model.view, stage.model.view.clip(0)), Status::Ok);
    stage.player.set_takes_root_motion(true);
    stage.play("turn");
    EXPECT_EQ(stage.player.root_motion_delta(), GroundMotion{});
    GroundMotion world;
    for (int i = 1; i <= 100; ++i) {
        stage.update(0.375F);
        world = stage.player.root_motion_delta() * world;
        EXPECT_NEAR(stage.x(), 1, 1e-5);
        EXPECT_NEAR(stage.player.pose()[0].translation.z, 0, 1e-5);
        EXPECT_NEAR(stage.player.pose()[0].rotation.w, 1, 1e-5);
        const double time = 0.375 * i;
        const auto rounds = static_cast<std::int64_t>(time);
        const GroundMotion wanted = context.delta(0, static_cast<float>(time - static_cast<double>(rounds)), rounds);
        EXPECT_NEAR(world.x, wanted.x, 1e-9);
        EXPECT_NEAR(world.z, wanted.z, 1e-9);
        EXPECT_NEAR(std::fabs(world.yaw_y * wanted.yaw_y + world.yaw_w * wanted.yaw_w), 1, 1e-12);
    }
    // Backwards, to where it began; several rounds in one step.
    ASSERT_EQ(stage.player.set_speed(-1), Status::Ok);
    EXPECT_EQ(stage.player.root_motion_delta() == GroundMotion{}, false);
    stage.update(20.25F);
    world = stage.player.root_motion_delta() * world;
    stage.update(17.25F);
    world = stage.player.root_motion_delta() * world;
    EXPECT_NEAR(world.x, 0, 1e-9);
    EXPECT_NEAR(world.z, 0, 1e-9);
    // A leap in time is no way gone.
    ASSERT_EQ(stage.player.set_time(0.5F), Status::Ok);
    EXPECT_EQ(stage.player.root_motion_delta(), GroundMotion{});
    EXPECT_NEAR(stage.player.pose()[0].translation.z, 0, 1e-5);
    // Without the flag, or when not asked for, the clip moves its root itself.
    stage.play("zz plain");
    stage.update(0.5F);
    EXPECT_EQ(stage.player.root_motion_delta(), GroundMotion{});
    EXPECT_NEAR(stage.player.pose()[0].translation.z, 1, 1e-5);
    stage.player.set_takes_root_motion(false);
    stage.play("turn");
    stage.update(0.5F);
    EXPECT_EQ(stage.player.root_motion_delta(), GroundMotion{});
    EXPECT_NEAR(stage.player.pose()[0].translation.z, 1, 1e-5);
}

// What the player leaves in the pose, times the way it gave the instance, is the clip going on round after round.
TEST(Player, RestTimesMotionIsTheClipOverManyRounds) {
    const auto matrix = [](const BoneLocal& l) {
        return to_matrix(Transformd{{l.translation.x, l.translation.y, l.translation.z},
                                    {l.rotation.x, l.rotation.y, l.rotation.z, l.rotation.w},
                                    {1, 1, 1}});
    };
    double worst_metres = 0, worst_radians = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        test::Random random(seed);
        MadeClip clip{"clip", random.number(0.3, 2), 0, kRootMotion | kLoop, {MadeTrack{}}};
        for (std::uint32_t i = 0; i < 6; ++i) {
            const float time = clip.duration * (static_cast<float>(i) / 5);
            clip.tracks[0].translations.push_back({time, {random.number(-2, 2), random.number(0, 2), random.number(-2, 2)}});
            clip.tracks[0].rotations.push_back({time, random.rotation()});
        }
        Stage plain({clip}), moved({clip});
        moved.player.set_takes_root_motion(true);
        RootMotionContext context;
        ASSERT_EQ(context.bind(plain.model.view, plain.model.view.clip(0)), Status::Ok);
        plain.play("clip");
        moved.play("clip");
        GroundMotion world;
        double total = 0;
        for (int step = 0; step < 200; ++step) {
            const float seconds = random.number(0, 1), speed = random.number(-3, 3);
            ASSERT_EQ(plain.player.set_speed(speed), Status::Ok);
            ASSERT_EQ(moved.player.set_speed(speed), Status::Ok);
            plain.update(seconds);
            moved.update(seconds);
            world = moved.player.root_motion_delta() * world;
            total += static_cast<double>(seconds) * static_cast<double>(speed);
            const auto rounds = static_cast<std::int64_t>(std::floor(total / static_cast<double>(clip.duration)));
            const Mat4d found = matrix(moved.player.pose()[0]) * to_matrix(world);
            const Mat4d wanted = matrix(plain.player.pose()[0]) * to_matrix(context.delta(0, 0, rounds));
            for (int i = 12; i < 15; ++i) worst_metres = std::max(worst_metres, std::fabs(found.m[i] - wanted.m[i]));
            for (int i = 0; i < 12; ++i) worst_radians = std::max(worst_radians, std::fabs(found.m[i] - wanted.m[i]));
        }
    }
    EXPECT_LT(worst_metres, 1e-5);
    EXPECT_LT(worst_radians, 1e-5);
}

TEST(Player, FadesRootMotionByWeight) {
    const auto run = [](const char* name, float metres) {
        return MadeClip{name, 1, 0, kRootMotion | kLoop, {{0, {{0.0F, {0, 0, 0}}, {1.0F, {0, 0, metres}}}, {}, {}}}};
    };
    Stage stage({run("run", 4),
                 run("walk", 1),
                 turn("zturn", kRootMotion),
                 {"zwide", 1, 0, kRootMotion, {{0, {}, {{0.0F, {}}, {1.0F, about({0, 1, 0}, 350 * kPi / 180)}}, {}}}}});
    stage.player.set_takes_root_motion(true);
    stage.play("walk");
    stage.update(0.25F);
    EXPECT_NEAR(stage.player.root_motion_delta().z, 0.25, 1e-6);
    stage.play("run", {.fade_seconds = 1});
    EXPECT_EQ(stage.player.root_motion_delta(), GroundMotion{});
    stage.update(0.5F);
    EXPECT_NEAR(stage.player.root_motion_delta().z, 0.5 * 0.5 + 0.5 * 2, 1e-6);
    // Cut short: the pose it fades from stands still.
    stage.play("walk", {.fade_seconds = 1});
    stage.update(0.25F);
    EXPECT_NEAR(stage.player.root_motion_delta().z, 0.25 * 0.25, 1e-6);
    stage.update(0.75F);
    EXPECT_NEAR(stage.player.root_motion_delta().z, 0.75, 1e-6);
    // Turns are mixed too: half of 45 degrees.
    stage.play("walk");
    stage.play("zturn", {.fade_seconds = 1});
    stage.update(0.5F);
    const GroundMotion& delta = stage.player.root_motion_delta();
    EXPECT_NEAR(delta.yaw_y, std::sin(kPi / 16), 1e-6);
    EXPECT_NEAR(delta.yaw_w, std::cos(kPi / 16), 1e-6);
    // 350 degrees to one side are 10 to the other, half of it 5.
    stage.play("walk");
    stage.play("zwide", {.fade_seconds = 2});
    stage.update(1);
    EXPECT_NEAR(delta.yaw_y / delta.yaw_w, std::tan(-2.5 * kPi / 180), 1e-6);
}

TEST(Player, SaysWhatIsWrong) {
    Stage stage({slide("a", 0, 1, kLoop, 1e-20F), slide("b", 0, 1)});
    Player& player = stage.player;
    EXPECT_EQ(player.play(2, {}), Status::BadArgument);
    for (const float bad : {kNan, std::numeric_limits<float>::infinity()}) {
        EXPECT_EQ(player.play(0, {.fade_seconds = bad}), Status::BadArgument);
        EXPECT_EQ(player.play(0, {.speed = bad}), Status::BadArgument);
        EXPECT_EQ(player.play(0, {.start_seconds = bad}), Status::BadArgument);
        EXPECT_EQ(player.update(bad), Status::BadArgument);
        EXPECT_EQ(player.set_time(bad), Status::BadArgument);
        EXPECT_EQ(player.set_speed(bad), Status::BadArgument);
    }
    EXPECT_EQ(player.play(0, {.fade_seconds = -1}), Status::BadArgument);
    EXPECT_EQ(player.update(-1), Status::BadArgument);
    EXPECT_FALSE(player.is_playing());
    stage.play("a");
    EXPECT_EQ(player.update(1), Status::BadArgument);  // 1e20 rounds
    stage.play("b");
    stage.update(std::numeric_limits<float>::max());
    EXPECT_TRUE(player.is_finished());
}

TEST(Player, InitChecksMemoryAndMotions) {
    const Loaded<ModelView> model(test::make_model(kBones, {slide("a", 0, 1)}));
    const Loaded<MotionView> good(test::make_motion(model.view.skeleton_signature(), {slide("b", 0, 1)}));
    const Loaded<MotionView> stranger(test::make_motion({}, {slide("c", 0, 1)}));
    const Loaded<MotionView> double_name(test::make_motion(model.view.skeleton_signature(), {slide("a", 0, 1)}));
    std::vector<const MotionView*> motions = {&good.view};
    const std::size_t size = Player::required_bytes(model.view, motions);
    const Memory memory(size + Player::kAlignment);
    Player player;
    EXPECT_EQ(player.init(model.view, motions, memory.bytes().first(size - 1)), Status::WrongSize);
    EXPECT_EQ(player.init(model.view, motions, memory.bytes().subspan(16)), Status::Misaligned);
    motions = {&stranger.view};
    EXPECT_EQ(player.init(model.view, motions, memory.bytes()), Status::SignatureMismatch);
    motions = {&double_name.view};
    EXPECT_EQ(player.init(model.view, motions, memory.bytes()), Status::DuplicateClipName);
    EXPECT_EQ(player.clip_count(), 0U);
    EXPECT_TRUE(player.pose().empty());
    EXPECT_EQ(player.play(0, {}), Status::BadArgument);
    EXPECT_EQ(player.update(1), Status::Ok);
    EXPECT_EQ(player.find_clip("a"), 0U);
    motions = {&good.view};
    EXPECT_EQ(player.init(model.view, motions, memory.bytes()), Status::Ok);
    motions.clear();  // not needed any more
    EXPECT_EQ(player.clip(1).name(), "b");
    EXPECT_EQ(player.play(1, {}), Status::Ok);
    EXPECT_EQ(player.init(model.view, motions, memory.bytes()), Status::Ok);
    EXPECT_FALSE(player.is_playing());
    EXPECT_EQ(player.clip_count(), 1U);
}

TEST(Player, AModelWithoutBonesHasAnEmptyPose) {
    const Loaded<ModelView> model(test::make_model({}, {{"a", 1, -1, kLoop, {}}}));
    const Memory memory(Player::required_bytes(model.view, {}) + 1);
    Player player;
    ASSERT_EQ(player.init(model.view, {}, memory.bytes()), Status::Ok);
    EXPECT_EQ(player.play(0, {}), Status::Ok);
    EXPECT_EQ(player.update(1.5F), Status::Ok);
    EXPECT_TRUE(player.pose().empty());
    EXPECT_EQ(player.time_seconds(), 0.5F);
}

}  // namespace
}  // namespace gomkit::runtime

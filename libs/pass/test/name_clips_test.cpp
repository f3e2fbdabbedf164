#include <gomkit/pass/name_clips.hpp>

#include <gtest/gtest.h>

namespace gomkit::pass {
namespace {

std::vector<std::string> named(const std::vector<std::string>& stacks, const std::string& file) {
    std::vector<model::Clip> clips(stacks.size());
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        clips[i].name = stacks[i];
    }
    name_added_clips(clips, file);
    std::vector<std::string> out;
    for (const model::Clip& clip : clips) {
        out.push_back(clip.name);
    }
    return out;
}

using Names = std::vector<std::string>;

TEST(NameClips, TakesTheFilesNameWhereTheStackSaysNothing) {
    for (const char* stack : {"mixamo.com", "Take 001", "Take 2", "", "Default Take", "Unreal Take", "Animation", "animation_0", "Scene",
                              "Action.001", "Armature|mixamo.com|Layer0", "Armature|Take 001|BaseLayer", "Armature|ArmatureAction",
                              "Rig|RigAction.003", "Anim"}) {
        EXPECT_EQ(named({stack}, "/motions/Slow Run.fbx"), Names{"Slow Run"}) << stack;
    }
    EXPECT_EQ(named({"Take 001"}, "C:\\motions\\jump.v2.fbx"), Names{"jump.v2"});
}

TEST(NameClips, KeepsWhatAStackSays) {
    EXPECT_EQ(named({"Armature|Walk"}, "a.fbx"), Names{"Walk"});
    EXPECT_EQ(named({"Armature|Walk|Base Layer"}, "a.fbx"), Names{"Walk"});
    EXPECT_EQ(named({"Walk_01"}, "a.fbx"), Names{"Walk_01"});
    EXPECT_EQ(named({"Take Off"}, "a.fbx"), Names{"Take Off"});
    EXPECT_EQ(named({"Animation of a dog"}, "a.fbx"), Names{"Animation of a dog"});
    EXPECT_EQ(named({"骨格|歩く"}, "a.fbx"), Names{"歩く"});
}

TEST(NameClips, CountsSeveralNamelessStacksOfAFile) {
    EXPECT_EQ(named({"Take 001", "Jump", "mixamo.com"}, "run.fbx"), (Names{"run_1", "Jump", "run_3"}));
}

TEST(NameClips, KeepsWholeStackNamesWhereTwoWouldBecomeOne) {
    EXPECT_EQ(named({"CharA|Walk", "CharB|Walk", "CharB|Wave"}, "a.fbx"), (Names{"CharA|Walk", "CharB|Walk", "Wave"}));
}

TEST(NameClips, RefusesOneNameInTwoFilesAndNamesBoth) {
    const std::vector<ClipsOfFile> files = {{"hero.fbx", {"Idle"}}, {"a/run.fbx", {"run", "Idle~2"}}, {"b/run.fbx", {"run"}}};
    const auto result = check_clip_names(files);
    ASSERT_FALSE(result.has_value());
    const std::string text = core::to_string(result.error());
    EXPECT_NE(text.find("a/run.fbx"), std::string::npos);
    EXPECT_NE(text.find("b/run.fbx"), std::string::npos);
    EXPECT_NE(text.find("'run'"), std::string::npos);
    // Twice in one file is for the exporter to number.
    EXPECT_TRUE(check_clip_names(std::vector<ClipsOfFile>{{"a.fbx", {"Walk", "Walk"}}, {"b.fbx", {"Run"}}}).has_value());
}

}  // namespace
}  // namespace gomkit::pass

#include <gomkit/pass/morph_tracks.hpp>

#include <gtest/gtest.h>

#include <gomkit/pass/select_clips.hpp>

namespace gomkit::pass {
namespace {

using core::IssueId;
using model::MeshId;
using model::Model;

// A placed mesh with these channels.
MeshId add_mesh(Model& m, const std::string& name, const std::string& node, const std::vector<std::pair<std::string, double>>& channels) {
    const MeshId id{static_cast<std::uint32_t>(m.meshes.size())};
    model::Mesh mesh;
    mesh.name = name;
    for (const auto& [channel, weight] : channels) {
        mesh.morphs.push_back({channel, weight, {model::MorphShape{}}});
    }
    m.meshes.push_back(std::move(mesh));
    model::MeshInstance instance;
    instance.name = node;
    instance.mesh = id;
    m.instances.push_back(std::move(instance));
    return id;
}

model::MorphTrack ramp(MeshId mesh, std::uint32_t channel, double end) { return {mesh, channel, {{0, 0, false}, {1, end, false}}}; }

model::Clip clip_of(std::vector<model::MorphTrack> tracks) {
    model::Clip clip;
    clip.name = "Talk";
    clip.duration = 1;
    clip.morph_tracks = std::move(tracks);
    return clip;
}

std::string lost(const core::Report& report, IssueId id, const char* argument) {
    std::string out;
    for (const core::Issue& issue : report.issues()) {
        for (const auto& [name, value] : issue.arguments) {
            out += issue.id == id && name == argument ? value + " " : "";
        }
    }
    return out;
}

TEST(MorphTracks, FollowTheNamesOfMeshAndChannel) {
    Model source;
    const MeshId head = add_mesh(source, "HeadMesh", "Head", {{"Smile", 0}, {"Blink", 0.5}, {"Gone", 0}});
    const MeshId left = add_mesh(source, "", "EyeL", {{"Wide", 0}});
    const MeshId right = add_mesh(source, "", "EyeR", {{"Wide", 0}});
    source.clips = {clip_of({ramp(head, 0, 0.25), ramp(head, 2, 1), ramp(left, 0, 0.5), ramp(right, 0, 0.75)})};
    Model target;  // other order, the head's mesh of another name, the head's own shape on two meshes
    const MeshId target_right = add_mesh(target, "R", "EyeR", {{"Wide", 0}});
    const MeshId target_head = add_mesh(target, "Other", "Head", {{"Blink", 0}, {"Smile", 0}});
    const MeshId target_left = add_mesh(target, "L", "EyeL", {{"Wide", 0}, {"Smile", 0}});
    std::vector<model::Clip> clips = {clip_of({})};
    core::Report report;
    carry_morph_tracks(source, target, clips, report);
    const std::vector<model::MorphTrack>& tracks = clips[0].morph_tracks;
    ASSERT_EQ(tracks.size(), 4u);
    EXPECT_EQ(tracks[0].mesh, target_right);
    EXPECT_EQ(tracks[0].keys[1].value, 0.75);
    EXPECT_EQ(tracks[1].mesh, target_head);  // rests at another weight there, so it is held
    EXPECT_EQ(tracks[1].channel, 0u);
    ASSERT_EQ(tracks[1].keys.size(), 1u);
    EXPECT_EQ(tracks[1].keys[0].value, 0.5);
    EXPECT_EQ(tracks[2].mesh, target_head);
    EXPECT_EQ(tracks[2].channel, 1u);
    EXPECT_EQ(tracks[2].keys[1].value, 0.25);
    EXPECT_EQ(tracks[3].mesh, target_left);
    EXPECT_EQ(tracks[3].keys[1].value, 0.5);
    EXPECT_EQ(lost(report, IssueId::RETARGET_SHAPE_LOST, "channel"), "Gone ");
}

TEST(MorphTracks, FindAnotherMeshOnlyWhereTheChannelsNameIsClear) {
    Model source;
    const MeshId face = add_mesh(source, "Face", "Face", {{"Smile", 0}, {"Wide", 0}});
    source.clips = {clip_of({ramp(face, 0, 1), ramp(face, 1, 1)})};
    Model target;
    const MeshId head = add_mesh(target, "Head", "Head", {{"Smile", 0}, {"Wide", 0}});
    add_mesh(target, "Eye", "Eye", {{"Wide", 0}});
    std::vector<model::Clip> clips = {clip_of({})};
    core::Report report;
    carry_morph_tracks(source, target, clips, report);
    ASSERT_EQ(clips[0].morph_tracks.size(), 1u);
    EXPECT_EQ(clips[0].morph_tracks[0].mesh, head);
    EXPECT_EQ(lost(report, IssueId::RETARGET_SHAPE_LOST, "channel"), "Wide ");
}

TEST(MorphTracks, AreCutWithTheirClip) {
    Model m;
    const MeshId head = add_mesh(m, "Head", "Head", {{"Smile", 0}});
    m.clips = {clip_of({{head, 0, {{0, 0, false}, {0.5, 1, true}, {0.5, -1, false}, {1, 0, false}}}})};
    ClipSelection selection;
    selection.ranges = {{"Part", "Talk", 0.25, 0.75, false}};
    selection.clips = {"Part"};
    selection.loops = {"Part"};
    core::Report report;
    ASSERT_TRUE(select_clips(m, selection, {}, report));
    const auto& keys = m.clips.at(0).morph_tracks.at(0).keys;
    ASSERT_EQ(keys.size(), 4u);
    EXPECT_EQ(keys[0].value, 0.5);
    EXPECT_EQ(keys[1].time, 0.25);
    EXPECT_TRUE(keys[1].step_end);
    EXPECT_EQ(keys[2].value, -1);
    EXPECT_EQ(keys[3].time, 0.5);
    EXPECT_EQ(keys[3].value, -0.5);
    EXPECT_EQ(lost(report, IssueId::CLIP_LOOP_OPEN, "bone"), "Smile ");
    EXPECT_EQ(lost(report, IssueId::CLIP_LOOP_OPEN, "channel"), "weight ");
}

TEST(MorphTracks, GoWithTheirMeshes) {
    Model m;
    const MeshId head = add_mesh(m, "Head", "Head", {{"Smile", 0}});
    m.clips = {clip_of({ramp(head, 0, 1)}), clip_of({})};
    core::Report report;
    ASSERT_TRUE(remove_meshes(m, {}, report));
    EXPECT_TRUE(m.clips[0].morph_tracks.empty());
    EXPECT_EQ(lost(report, IssueId::CLIP_SHAPES_LOST, "count"), "1 ");
}

}  // namespace
}  // namespace gomkit::pass

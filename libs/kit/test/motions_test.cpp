// Motions and the models they are for.
// covers MTA-SIG-1, MTA-SIG-2, MTA-SIG-3, MTA-SIG-4, MTA-SIG-5, MTA-BONE-2, MTA-BONE-3, GOM-SIG-2
#include "../src/motions.hpp"

#include <gomkit/kit/convert.hpp>
#include <gomkit/kit/diff.hpp>
#include <gomkit/kit/info.hpp>
#include <gomkit/kit/plan.hpp>
#include <gomkit/kit/registry.hpp>
#include <gomkit/kit/signature.hpp>

#include "fakes.hpp"

namespace gomkit::kit {
namespace {

using core::Code;

/// Root, Root/Zed and Root/Arm, in this order; so the path order is Root, Root/Arm, Root/Zed.
model::Model body() {
    model::Model m;
    for (const char* name : {"Root", "Zed", "Arm"}) {
        model::Node node;
        node.name = name;
        node.bone = true;
        node.bind_local.m[13] = 1;
        node.rest.translation.y = 1;
        if (!m.nodes.empty()) {
            node.parent = model::NodeId{0};
        }
        m.nodes.push_back(node);
    }
    return m;
}

model::Clip clip(const char* name, std::vector<std::uint32_t> nodes) {
    model::Clip out;
    out.name = name;
    out.duration = 1;
    out.final_keys = true;
    for (const std::uint32_t n : nodes) {
        model::Track t;
        t.node = model::NodeId{n};
        t.translation = {{0, {static_cast<double>(n), 0, 0}, false}, {1, {0, 1, 0}, false}};
        out.tracks.push_back(t);
    }
    return out;
}

/// With the signature of Root, Root/Arm, Root/Zed (parents -1 0 0), computed by hashlib.
model::Model motion(const char* name = "walk") {
    model::Model m;
    m.nodes.resize(3);
    m.clips.push_back(clip(name, {0, 1, 2}));
    m.mta.emplace();
    const char* hex = "f0c927807c9de473cb2d4c3f77bbee582cd06944cce164f9a588ce64c253fa62";
    for (std::size_t i = 0; i < 32; ++i) {
        m.mta->skeleton_signature[i] = static_cast<std::uint8_t>(std::stoi(std::string(hex + 2 * i, 2), nullptr, 16));
    }
    return m;
}

MotionTarget target(model::Model& model) {
    auto out = MotionTarget::of(model, "hero.gom", {});
    EXPECT_TRUE(out.has_value());
    return std::move(*out);
}

TEST(Motions, PositionsArePathOrder) {
    model::Model hero = body();
    hero.clips.push_back(clip("idle", {0}));
    core::Report report;
    model::Model walk = motion();
    walk.clips[0].root = model::NodeId{1};
    MotionTarget t = target(hero);
    const auto added = t.add(std::move(walk), "walk.mta");
    ASSERT_TRUE(added.has_value()) << core::to_string(added.error());
    ASSERT_EQ(hero.clips.size(), 2u);
    const model::Clip& c = hero.clips[1];
    EXPECT_EQ(c.root.value, 2u);
    ASSERT_EQ(c.tracks.size(), 3u);
    EXPECT_EQ(c.tracks[0].node.value, 0u);
    EXPECT_EQ(c.tracks[1].node.value, 2u);   // Arm
    EXPECT_EQ(c.tracks[2].node.value, 1u);   // Zed
    EXPECT_EQ(c.tracks[1].translation[0].value.x, 1.0);
    EXPECT_TRUE(report.issues().empty());
}

TEST(Motions, AnotherSignatureIsRefusedWithBoth) {
    model::Model hero = body();
    model::Model walk = motion();
    walk.mta->skeleton_signature[31] ^= 1;   // the last bit counts
    const auto added = target(hero).add(std::move(walk), "walk.mta");
    ASSERT_FALSE(added.has_value());
    EXPECT_EQ(added.error().code, Code::CannotConvert);
    EXPECT_EQ(added.error().place.file, "walk.mta");
    EXPECT_EQ(added.error().what, "the motion was made for another skeleton than that of 'hero.gom'");
    const std::string own = "f0c927807c9de473cb2d4c3f77bbee582cd06944cce164f9a588ce64c253fa62";
    EXPECT_EQ(added.error().expected, own);
    EXPECT_EQ(added.error().found.substr(0, 10 + 62), "signature " + own.substr(0, 62));
    EXPECT_NE(added.error().found, "signature " + own);
    EXPECT_TRUE(added.error().notes.empty());
    EXPECT_TRUE(hero.clips.empty());
}

TEST(Motions, MismatchListsTheBonesThatDiffer) {
    model::Model hero = body();
    model::Model other = body();
    other.nodes[1].name = "Leg";                   // Zed is gone, Leg is new
    other.nodes[2].stored_path = "Root/Arm";
    other.nodes[2].parent = model::NodeId{};       // a root of that path
    NamedSkeleton made_for = target(other).skeleton();
    made_for.file = "source.fbx";
    EXPECT_EQ(bone_differences(target(hero).skeleton(), made_for),
              (std::vector<std::string>{"bone 'Root/Arm' has the parent 'Root' in 'hero.gom' and no parent in 'source.fbx'",
                                        "bone 'Root/Leg' is only in 'source.fbx'", "bone 'Root/Zed' is only in 'hero.gom'"}));
}

TEST(Motions, LongListsOfBonesEnd) {
    model::Model none;
    model::Model many = body();
    EXPECT_EQ(bone_differences(target(none).skeleton(), target(many).skeleton(), 2),
              (std::vector<std::string>{"bone 'Root' is only in 'hero.gom'", "bone 'Root/Arm' is only in 'hero.gom'", "and 1 more bones"}));
}

TEST(Motions, AModelWithoutSkeletonTakesNone) {
    model::Model hero;
    model::Model walk = motion();
    const auto added = target(hero).add(std::move(walk), "walk.mta");
    ASSERT_FALSE(added.has_value());
    EXPECT_EQ(added.error().what, "no motion applies to 'hero.gom', which has no skeleton");
}

TEST(Motions, BonesHaveToExist) {
    for (const bool root : {false, true}) {
        model::Model hero = body();
        model::Model walk = motion();
        walk.nodes.resize(4);
        (root ? walk.clips[0].root : walk.clips[0].tracks[2].node) = model::NodeId{3};
        const auto added = target(hero).add(std::move(walk), "walk.mta");
        ASSERT_FALSE(added.has_value());
        EXPECT_EQ(added.error().place.part, root ? "CLP0[0].rootBoneIndex" : "CLP0[0].track[2].boneIndex");
        EXPECT_EQ(added.error().found, "3");
        EXPECT_EQ(added.error().expected, "less than 3");
        EXPECT_TRUE(hero.clips.empty());
    }
}

TEST(Motions, ClipNamesAreUniqueOverAllFiles) {
    model::Model hero = body();
    hero.clips.push_back(clip("idle", {0}));
    MotionTarget t = target(hero);
    const auto with_model = t.add(motion("idle"), "a.mta");
    ASSERT_FALSE(with_model.has_value());
    EXPECT_EQ(with_model.error().place.file, "a.mta");
    EXPECT_EQ(with_model.error().what, "clip 'idle' is in 'hero.gom' already");
    ASSERT_TRUE(t.add(motion("walk"), "a.mta").has_value());
    const auto with_motion = t.add(motion("walk"), "b.mta");
    ASSERT_FALSE(with_motion.has_value());
    EXPECT_EQ(with_motion.error().place.file, "b.mta");
    EXPECT_EQ(with_motion.error().what, "clip 'walk' is in 'a.mta' already");
    EXPECT_EQ(hero.clips.size(), 2u);
}

TEST(Motions, OnlyMotionsAreAdded) {
    model::Model hero = body();
    core::Report report;
    EXPECT_EQ(target(hero).add(body(), "b.gom").error().code, Code::NotThisFormat);
}

/// With the formats of this build.
class MotionFiles : public testing::Scratch {
protected:
    codec::Registry registry = make_registry();

    std::string write(const char* format, const model::Model& model, const std::string& name) {
        core::Report report;
        model::Model copy = model;
        const auto bytes = registry.by_id(format)->write(std::move(copy), {}, report);
        EXPECT_TRUE(bytes.has_value()) << (bytes ? "" : core::to_string(bytes.error()));
        return put(name, std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
    }
    core::Result<core::Bytes> convert(const std::string& from, const char* to, core::Report& report,
                                      const std::function<void(ConvertRequest&)>& change = {}) {
        ConvertRequest request;
        request.input = Input(from);
        request.target = to;
        if (change) {
            change(request);
        }
        return convert_to_bytes(registry, request, report);
    }
    std::string differences(const std::string& a, const std::string& b) {
        DiffRequest request;
        request.a = Input(a);
        request.b = Input(b);
        core::Report report;
        const auto response = diff(registry, request, report);
        if (!response) {
            return core::to_string(response.error());
        }
        std::string text;
        for (const Difference& d : response->differences) {
            text += (text.empty() ? "" : " | ") + d.place + ": " + d.what;
        }
        return text;
    }
    static model::Model hero() {
        model::Model m = body();
        m.clips.push_back(clip("walk", {0, 1, 2}));
        m.clips[0].final_keys = false;
        return m;
    }
};

// covers MTA-HDR-1: what a file is decides, not its name.
TEST_F(MotionFiles, NamesDoNotDecide) {
    const std::string mta = write("mta", hero(), "walk.gom");
    InfoRequest request;
    request.input = Input(mta);
    core::Report report;
    const auto info = kit::info(registry, request, report);
    ASSERT_TRUE(info.has_value());
    EXPECT_EQ(info->format, "mta");
    EXPECT_EQ(info->version, "1 binary");
    EXPECT_TRUE(info->motion);
    EXPECT_TRUE(info->bones.empty());
    EXPECT_EQ(info->signature, "f0c927807c9de473cb2d4c3f77bbee582cd06944cce164f9a588ce64c253fa62");
    ASSERT_EQ(info->clips.size(), 1u);
    EXPECT_EQ(info->clips[0].tracks, 3u);
    EXPECT_TRUE(report.losses().empty());
    SignatureRequest signature_request;
    signature_request.input = Input(mta);
    EXPECT_EQ(signature(registry, signature_request, report).value(), info->signature);
}

TEST_F(MotionFiles, ConvertsToItselfAndNotToAModel) {
    const std::string mta = write("mta", hero(), "walk.mta");
    core::Report report;
    const auto same = convert(mta, "mta", report);
    ASSERT_TRUE(same.has_value()) << core::to_string(same.error());
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(same->data()), same->size()), get("walk.mta"));
    const auto model = convert(mta, "gom", report);
    ASSERT_FALSE(model.has_value());
    EXPECT_EQ(model.error().code, Code::Unsupported);
    EXPECT_EQ(model.error().place.file, mta);
    EXPECT_NE(model.error().cure.find("--add-clips"), std::string::npos);
    EXPECT_TRUE(report.issues().empty());
}

TEST_F(MotionFiles, WhatIsNoMotionIsOneNote) {
    model::Model m = hero();
    const model::Model simple = testing::simple_model();
    m.meshes = simple.meshes;
    m.instances = simple.instances;
    const std::string gom = write("gom", m, "hero.gom");
    core::Report report;
    report.add_loss("lights", 2);   // as a reader finds them
    ASSERT_TRUE(convert(gom, "mta", report).has_value());
    ASSERT_EQ(report.issues().size(), 1u);
    EXPECT_EQ(report.issues()[0].id, core::IssueId::CONV_MOTION_ONLY);
    EXPECT_EQ(report.issues()[0].severity, core::Severity::Info);
    EXPECT_EQ(report.issues()[0].text, "MTA version 1 holds the clips only; 1 mesh and 1 material are left to the model's own file");
    EXPECT_TRUE(report.losses().empty());
}

TEST_F(MotionFiles, OptionsOfMeshesAreRefused) {
    const std::string gom = write("gom", hero(), "hero.gom");
    const std::vector<std::function<void(ConvertRequest&)>> changes = {
        [](ConvertRequest& r) { r.write.normals = pass::NormalMode::Generate; },
        [](ConvertRequest& r) { r.write.tangents = pass::TangentMode::None; },
        [](ConvertRequest& r) { r.write.bake_static = true; },
        [](ConvertRequest& r) { r.textures = TextureMode::Copy; },
        [](ConvertRequest& r) { r.textures = TextureMode::Collect; },
    };
    for (const auto& change : changes) {
        core::Report report;
        const auto bytes = convert(gom, "mta", report, change);
        ASSERT_FALSE(bytes.has_value());
        EXPECT_EQ(bytes.error().code, Code::Unsupported);
        EXPECT_NE(bytes.error().what.find("does not apply to MTA version 1 files"), std::string::npos);
    }
}

TEST_F(MotionFiles, DiffComparesClips) {
    const std::string gom = write("gom", hero(), "hero.gom");
    const std::string mta = write("mta", hero(), "hero.mta");
    EXPECT_EQ(differences(gom, mta), "");
    EXPECT_EQ(differences(mta, mta), "");
    model::Model changed = hero();
    changed.clips[0].tracks[1].translation[0].value.x = 9;   // of Zed
    changed.clips.push_back(clip("run", {0}));
    const std::string other = write("mta", changed, "other.mta");
    EXPECT_EQ(differences(gom, other), "clip[walk].track[Root/Zed].translation[0]: the key differs | clip[run]: only in B");
    EXPECT_EQ(differences(other, gom), "clip[run]: only in A | clip[walk].track[Root/Zed].translation[0]: the key differs");
    EXPECT_EQ(differences(mta, other), "clip[walk].track[#2].translation[0]: the key differs | clip[run]: only in B");
    model::Model renamed = hero();
    renamed.nodes[1].name = "Zod";
    EXPECT_EQ(differences(gom, write("mta", renamed, "renamed.mta")), "signature: differs");
}

// The whole way: a motion written from one model goes into another of equal signature, and comes out as its bytes.
TEST_F(MotionFiles, AddedClipsAreWrittenToTheBit) {
    model::Model source = hero();
    source.clips[0].tracks[1].translation[1].value = {0.1, 0.2, 0.3};
    const std::string mta = write("mta", source, "walk.mta");
    // A static node above the root, folded into it: the motion's keys are relative to the bone's parent all the same.
    model::Model other;
    other.nodes.emplace_back();
    other.nodes[0].name = "Scene";
    other.nodes[0].rest.scale = {2, 2, 2};
    other.nodes[0].rest.translation.x = 5;
    other.nodes[0].bind_local = runtime::to_matrix(other.nodes[0].rest);
    for (model::Node node : body().nodes) {
        node.parent = model::NodeId{node.parent.valid() ? node.parent.value + 1 : 0};
        other.nodes.push_back(node);
    }
    core::Report report;
    const std::string mta_text = get("walk.mta");
    auto motion = registry.by_id("mta")->read(testing::to_bytes(mta_text), mta, {}, report);
    ASSERT_TRUE(motion.has_value());
    auto t = MotionTarget::of(other, "other.gom", {});
    ASSERT_TRUE(t.has_value());
    const auto added = t->add(std::move(*motion), mta);
    ASSERT_TRUE(added.has_value()) << core::to_string(added.error());
    write("mta", other, "again.mta");
    const std::string again = get("again.mta");
    ASSERT_EQ(again.size(), mta_text.size());
    EXPECT_EQ(again.substr(76), mta_text.substr(76));
}

}  // namespace
}  // namespace gomkit::kit

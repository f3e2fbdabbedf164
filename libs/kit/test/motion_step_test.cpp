#include <gomkit/kit/convert.hpp>
#include <gomkit/kit/motion.hpp>
#include <gomkit/kit/pose.hpp>
#include <gomkit/kit/registry.hpp>

#include "fakes.hpp"

namespace gomkit::kit {
namespace {

using core::Code;

TEST(SplitClipPath, NamesAreEncodedSoThatEveryClipIsOneFileBeside) {
    EXPECT_EQ(split_clip_path("d/x.mta", "mta", "Walk"), "d/x.Walk.mta");
    EXPECT_EQ(split_clip_path("d/x.MTA", "mta", "Walk"), "d/x.Walk.mta");
    EXPECT_EQ(split_clip_path("x.bin", "mta", "Walk"), "x.bin.Walk.mta");
    EXPECT_EQ(split_clip_path(".mta", "mta", "a"), ".mta.a.mta");
    EXPECT_EQ(split_clip_path("x.mta", "mta", "Armature|Walk"), "x.Armature%7CWalk.mta");
    EXPECT_EQ(split_clip_path("x.mta", "mta", "../../etc/passwd"), "x.%2E.%2F..%2Fetc%2Fpasswd.mta");
    EXPECT_EQ(split_clip_path("x.mta", "mta", ".."), "x.%2E..mta");
    EXPECT_EQ(split_clip_path("x.mta", "mta", "a\\b:c*d?e\"f<g>h%i\tj\x7F"), "x.a%5Cb%3Ac%2Ad%3Fe%22f%3Cg%3Eh%25i%09j%7F.mta");
    EXPECT_EQ(split_clip_path("x.mta", "mta", "歩く"), "x.歩く.mta");
}

class MotionStep : public testing::Scratch {
protected:
    /// A GOM of one bone with clips of the given names.
    std::string model(const std::string& name, const std::vector<std::string>& clips, const std::string& format = "gom") {
        model::Model m = testing::simple_model();
        m.clips.clear();
        for (const std::string& clip_name : clips) {
            model::Clip clip;
            clip.name = clip_name;
            clip.duration = 1;
            model::Track track;
            track.node = model::NodeId{0};
            track.translation = {{0, {0, 0, 0}, false}, {1, {0, 1, 0}, false}};
            clip.tracks.push_back(track);
            m.clips.push_back(clip);
        }
        core::Report report;
        auto bytes = registry.by_id(format)->write(std::move(m), {}, report);
        EXPECT_TRUE(bytes) << core::to_string(bytes.error());
        const std::string file = name + "." + format;
        return put(file, std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()));
    }
    core::Result<ConvertResponse> convert_with(const std::string& input, const std::string& output, const MotionOptions& motion) {
        ConvertRequest request;
        request.input = Input(input);
        request.output = path(output);
        request.target = core::extension_of(output);
        request.motion = motion;
        core::Report report(input);
        return convert(registry, request, report);
    }
    codec::Registry registry = make_registry();
};

TEST_F(MotionStep, TwoClipsOfOneNameOverTwoFilesAreRefusedWithBothFiles) {
    const std::string a = model("a", {"walk"});
    MotionOptions o;
    o.add_clips = {Input(model("b", {"run"})), Input(model("c", {"walk"}, "mta"))};
    const auto refused = convert_with(a, "out.gom", o);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::CannotConvert);
    const std::string text = core::to_string(refused.error());
    EXPECT_NE(text.find("'walk'"), std::string::npos) << text;
    EXPECT_NE(text.find("a.gom"), std::string::npos) << text;
    EXPECT_NE(text.find("c.mta"), std::string::npos) << text;
    EXPECT_FALSE(core::exists(path("out.gom")));
}

TEST_F(MotionStep, AddedFilesAreReadFilesOfTheRun) {
    MotionOptions o;
    o.add_clips = {Input(model("b", {"run"})), Input(model("c", {"jump"}, "mta"))};
    const auto done = convert_with(model("a", {"walk"}), "out.gom", o);
    ASSERT_TRUE(done) << core::to_string(done.error());
    EXPECT_EQ(done->files_read, (std::vector<std::string>{path("b.gom"), path("c.mta")}));
    EXPECT_EQ(done->written.clips, 3u);
    const auto onto_itself = convert_with(path("a.gom"), "b.gom", o);
    ASSERT_FALSE(onto_itself);
    EXPECT_EQ(onto_itself.error().code, Code::CannotWrite);
}

TEST_F(MotionStep, ASplitFileNeverReplacesAnInput) {
    const std::string source = model("x.walk", {"walk"}, "mta");
    MotionOptions o;
    o.split_clips = true;
    const auto refused = convert_with(source, "x.mta", o);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::CannotWrite);
    EXPECT_EQ(list(), "x.walk.mta");
}

TEST_F(MotionStep, SplitFilesBearTheSkeletonOfTheWhole) {
    MotionOptions o;
    o.split_clips = true;
    const std::string source = model("m", {"a|b", "..", "same"});
    ASSERT_TRUE(convert_with(source, "x.mta", o));
    EXPECT_EQ(list(), "m.gom x.%2E..mta x.a%7Cb.mta x.same.mta");
    PoseRequest request;
    request.input = Input(source);
    request.motions = {Input(path("x.same.mta"))};
    core::Report unused;
    const auto twice = pose(registry, request, unused);
    ASSERT_FALSE(twice);  // the model has that clip itself; it would not be said if the skeleton were another
    EXPECT_NE(core::to_string(twice.error()).find("same name"), std::string::npos) << core::to_string(twice.error());
}

TEST_F(MotionStep, AMotionWithoutNamesIsTakenByItsSignatureAlone) {
    MotionOptions o;
    o.skeleton = Input(model("m", {}));
    const auto done = convert_with(model("c", {"walk"}, "mta"), "out.mta", o);
    ASSERT_TRUE(done) << core::to_string(done.error());
    EXPECT_EQ(done->written.clips, 1u);
    o.skeleton = Input(path("c.mta"));
    const auto refused = convert_with(path("c.mta"), "out.mta", o);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::Unsupported);
}

}  // namespace
}  // namespace gomkit::kit

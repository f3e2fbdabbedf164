#include <gomkit/kit/plan.hpp>

#include "fakes.hpp"

namespace gomkit::kit {
namespace fs = std::filesystem;
namespace {

using core::Code;

class Plan : public testing::Scratch {
protected:
    std::string run(const std::vector<std::string>& inputs, const std::string& output, const std::string& to = {}) {
        const auto plan = plan_outputs(registry, inputs, output, to);
        if (!plan) {
            return core::name(plan.error().code);
        }
        std::string text;
        for (const PlannedOutput& p : *plan) {
            text += (text.empty() ? "" : " ") + p.path + "=" + p.target;
        }
        return text;
    }
    codec::Registry registry = testing::fake_registry();
};

TEST_F(Plan, BesideTheInput) {
    EXPECT_EQ(run({"d/a.src"}, ""), "d/a.gom=gom");
    EXPECT_EQ(run({"a.tar.src"}, ""), "a.tar.gom=gom");
    EXPECT_EQ(run({"d.x/a"}, ""), "d.x/a.gom=gom");
    EXPECT_EQ(run({".src"}, ""), ".src.gom=gom");
    EXPECT_EQ(run({"a.src", "d/a.src"}, ""), "a.gom=gom d/a.gom=gom");
}

TEST_F(Plan, AFileOrAFolder) {
    EXPECT_EQ(run({"a.src"}, "x.gom"), "x.gom=gom");
    EXPECT_EQ(run({"a.src"}, "x.GOM"), "x.GOM=gom");
    EXPECT_EQ(run({"a.src"}, "x"), "x=gom");
    EXPECT_EQ(run({"d/a.src"}, folder), folder + "/a.gom=gom");
    EXPECT_EQ(run({"d/a.src", "b.src"}, folder + "/"), folder + "/a.gom=gom " + folder + "/b.gom=gom");
}

TEST_F(Plan, FormatsAreChosenByIdBeforeExtension) {
    EXPECT_EQ(run({"a.src"}, "x.bin", "gom"), "x.bin=gom");
    EXPECT_EQ(run({"a.src"}, "x.bin"), "Usage");
    EXPECT_EQ(run({"a.src"}, "x.gom", "nothing"), "Usage");
    EXPECT_EQ(run({"a.src"}, "x.src"), "Unsupported");
    EXPECT_EQ(run({"a.src"}, "", "src"), "Unsupported");
}

TEST_F(Plan, RefusesWhatWouldMeet) {
    EXPECT_EQ(run({"a.src", "b.src"}, "none/"), "CannotWrite");
    EXPECT_EQ(run({"a.src", "b.src"}, "none"), "CannotWrite");
    EXPECT_EQ(run({"a.src", "b.src"}, put("file", "")), "Usage");
    EXPECT_EQ(run({"a.src", "d/a.src"}, folder), "Usage");
    EXPECT_EQ(run({"a.src", "a.sr2"}, ""), "Usage");
    EXPECT_EQ(run({"a.src", "./a.src"}, ""), "Usage");
    fs::create_directory(path("d"));
    fs::create_directory_symlink("d", path("e"));
    EXPECT_EQ(run({path("d/a.src"), path("e/a.src")}, ""), "Usage");
    EXPECT_EQ(run({path("x/b.src"), put("b.gom", "")}, folder), "Usage");  // the first one's output is the second one
}

}  // namespace
}  // namespace gomkit::kit

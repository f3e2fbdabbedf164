#include <gomkit/kit/check.hpp>
#include <gomkit/kit/depfile.hpp>
#include <gomkit/kit/dump.hpp>
#include <gomkit/kit/formats.hpp>
#include <gomkit/kit/registry.hpp>
#include <gomkit/kit/signature.hpp>

#include <algorithm>

#include "fakes.hpp"

namespace gomkit::kit {
namespace {

using core::Code;

class Other : public testing::Scratch {
protected:
    codec::Registry registry = testing::fake_registry();
    core::Report report;
};

TEST_F(Other, CheckReportsWhatTheFormatFinds) {
    CheckRequest request;
    request.input = Input(put("a.gom", "DST"));
    const auto response = check(registry, request, report);
    ASSERT_TRUE(response);
    EXPECT_EQ(response->format, "gom");
    EXPECT_TRUE(report.has(core::IssueId::CONV_LOST));
    EXPECT_EQ(report.issues()[0].place.file, path("a.gom"));
}

TEST_F(Other, FormatsWithoutRulesOrDumpSaySo) {
    CheckRequest request;
    request.input = Input(put("a.src", ""));
    const auto response = check(registry, request, report);
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().code, Code::Unsupported);
    DumpRequest dump_request;
    dump_request.input = request.input;
    EXPECT_EQ(dump(registry, dump_request).error().code, Code::Unsupported);
}

TEST_F(Other, DumpPassesThePartOn) {
    DumpRequest request;
    request.input = Input("x.gom", core::FileBytes(testing::to_bytes("DST")));
    request.part = "SKEL";
    EXPECT_EQ(dump(registry, request).value().text, "dump of SKEL\n");
    EXPECT_TRUE(dump(registry, request)->complete);
    request.part = "x\n0000abcd  stopped here: y";
    EXPECT_FALSE(dump(registry, request)->complete);
}

TEST_F(Other, ErrorsNameTheFile) {
    SignatureRequest request;
    request.input = Input(put("a.src", ""));
    request.read.limits.max_bones = 0;
    EXPECT_EQ(signature(registry, request, report).error().place.file, path("a.src"));
}

TEST_F(Other, FormatsAreThoseOfTheRegistry) {
    const auto list = formats(registry);
    ASSERT_EQ(list.size(), 2u);
    EXPECT_TRUE(list[0].reads);
    EXPECT_FALSE(list[0].writes);
    EXPECT_TRUE(list[1].writes);
    EXPECT_EQ(list[0].extensions, (std::vector<std::string>{"src", "sr2"}));
}

TEST_F(Other, RulesAreSortedAndAll) {
    const auto list = rules();
    EXPECT_EQ(list.size(), static_cast<std::size_t>(core::IssueId::Count));
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end(), [](const auto* a, const auto* b) { return std::string_view(a->name) < b->name; }));
}

TEST_F(Other, TheRealRegistryKnowsGom) {
    const auto real = make_registry();
    EXPECT_NE(real.by_id("gom"), nullptr);
    EXPECT_EQ(real.by_id("fbx") != nullptr, versions().with_fbx);
    EXPECT_EQ(versions().ufbx.empty(), !versions().with_fbx);
}

TEST(Depfile, EscapesAsMakeWantsIt) {
    const Dependency rules[] = {{"out dir/a#1$.gom", {"in.fbx", "b c.png", "in.fbx"}}, {"b.gom", {}}, {"x\\ y%:z", {"C\\d\\e.fbx", "a:b", "c%d"}}};
    EXPECT_EQ(depfile_text(rules).value(),
              "out\\ dir/a\\#1$$.gom: in.fbx \\\n  b\\ c.png\n"
              "b.gom:\n"
              "x\\\\\\ y\\%\\:z: C\\d\\e.fbx \\\n  a\\:b \\\n  c%d\n");
    const Dependency bad[] = {{"a", {"x\ny"}}};
    EXPECT_EQ(depfile_text(bad).error().code, Code::Usage);
}

}  // namespace
}  // namespace gomkit::kit

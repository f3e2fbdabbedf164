#include <gomkit/kit/convert.hpp>

#include <atomic>

#include "fakes.hpp"

namespace gomkit::kit {
namespace fs = std::filesystem;
namespace {

using core::Code;
using testing::fake_registry;

class Convert : public testing::Scratch {
protected:
    core::Result<ConvertResponse> run(const std::string& in, const std::string& out, const core::Progress& progress = {}) {
        request.input = Input(path(in));
        request.output = path(out);
        report = core::Report(path(in));
        return convert(registry, request, report, progress);
    }

    codec::Registry registry = fake_registry();
    ConvertRequest request;
    core::Report report;
};

TEST_F(Convert, WritesAndSaysWhatWasFound) {
    put("a.src", "");
    const auto response = run("a.src", "a.gom");
    ASSERT_TRUE(response) << core::to_string(response.error());
    EXPECT_TRUE(response->complete);
    EXPECT_EQ(response->source_format, "src");
    EXPECT_EQ(response->found.meshes, 1u);
    EXPECT_EQ(response->found.triangles, 1u);
    EXPECT_EQ(response->found.vertices, 3u);
    EXPECT_EQ(response->found.bones, 1u);
    EXPECT_EQ(response->found.clips, 1u);
    EXPECT_EQ(response->bytes, get("a.gom").size());
    EXPECT_EQ(get("a.gom"), "DST hash e3b0c442");  // SHA-256 of no bytes
    EXPECT_EQ(list(), "a.gom a.src");
}

TEST_F(Convert, HashIsOfTheSourceBytes) {
    put("a.src", "abc");
    ASSERT_TRUE(run("a.src", "a.gom"));
    EXPECT_EQ(get("a.gom"), "DST hash ba7816bf");
    put("elsewhere/b.src", "abc");
    ASSERT_TRUE(run("elsewhere/b.src", "b.gom"));
    EXPECT_EQ(get("b.gom"), get("a.gom"));
}

TEST_F(Convert, FailuresLeaveNothingBehind) {
    const std::pair<const char*, Code> table[] = {{"fail", Code::Malformed}, {"throw", Code::Internal}, {"oom", Code::OutOfMemory}};
    for (const auto& [text, code] : table) {
        put("a.src", text);
        const auto response = run("a.src", "a.gom");
        ASSERT_FALSE(response);
        EXPECT_EQ(response.error().code, code);
        EXPECT_EQ(response.error().place.file, path("a.src"));
        EXPECT_EQ(list(), "a.src");
    }
}

TEST_F(Convert, AFailureKeepsTheOldOutput) {
    put("a.gom", "old");
    put("a.src", "fail");
    ASSERT_FALSE(run("a.src", "a.gom"));
    EXPECT_EQ(get("a.gom"), "old");
}

TEST_F(Convert, NeverReplacesItsInput) {
    put("a.src", "x");
    fs::create_symlink("a.src", path("soft.gom"));
    fs::create_hard_link(path("a.src"), path("hard.gom"));
    for (const char* out : {"a.src", "./a.src", "soft.gom", "hard.gom"}) {
        const auto response = run("a.src", out);
        ASSERT_FALSE(response) << out;
        EXPECT_EQ(response.error().code, Code::CannotWrite);
    }
    EXPECT_EQ(get("a.src"), "x");
}

TEST_F(Convert, SaysWhatIsKnownForAnUnknownFile) {
    put("a.xyz", "?");
    const auto response = run("a.xyz", "a.gom");
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().code, Code::NotThisFormat);
    EXPECT_EQ(response.error().expected, "one of: SRC (.src, .sr2)");
}

TEST_F(Convert, RefusesTargetsThatCannotBe) {
    put("a.src", "");
    request.target = "src";
    EXPECT_EQ(run("a.src", "b.src").error().code, Code::Unsupported);
    request.target = "nothing";
    EXPECT_EQ(run("a.src", "b.src").error().code, Code::Usage);
    request.target = "gom";
    EXPECT_EQ(run("a.src", "none/b.gom").error().code, Code::CannotWrite);
    EXPECT_EQ(run("none.src", "b.gom").error().code, Code::CannotOpen);
    request.read.limits.max_file_bytes = 1;
    put("a.src", "xx");
    EXPECT_EQ(run("a.src", "b.gom").error().code, Code::LimitExceeded);
    EXPECT_EQ(list(), "a.src");
}

TEST_F(Convert, EveryLossIsOneWarning) {
    std::string text;
    for (int i = 0; i < 20; ++i) {
        text += "lose kind" + std::to_string(i) + " 2\n";
    }
    put("a.src", text + "lose kind3 5\n");
    ASSERT_TRUE(run("a.src", "a.gom"));
    EXPECT_EQ(report.issues().size(), 20u);
    EXPECT_EQ(report.issues()[3].text, "7 kind3 cannot be held by DST and were left out");
    EXPECT_EQ(report.count(core::Severity::Warning), 20u);
    EXPECT_EQ(report.issues()[3].place.file, path("a.src"));
}

TEST_F(Convert, LimitsOfTheSkeletonNameTheFile) {
    put("a.src", "");
    request.read.limits.max_bones = 0;
    const auto response = run("a.src", "a.gom");
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().code, Code::LimitExceeded);
    EXPECT_EQ(response.error().place.file, path("a.src"));
}

TEST_F(Convert, AFolderAsOutputIsRefusedBeforeAnythingIsRead) {
    fs::create_directory(path("a.gom"));
    std::vector<std::string> stages;
    core::Progress progress;
    progress.stage = [&](const std::string&, std::string_view name) { stages.emplace_back(name); };
    put("a.src", "");
    EXPECT_EQ(run("a.src", "a.gom", progress).error().code, Code::CannotWrite);
    EXPECT_EQ(stages, std::vector<std::string>{"opening"});
}

TEST_F(Convert, GivesTheBytesToWhoeverTakesThem) {
    put("a.src", "");
    std::string taken;
    request.take_output = [&](std::span<const std::byte> bytes) -> core::Result<void> {
        taken.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return {};
    };
    ASSERT_TRUE(run("a.src", "a.src"));  // only a name
    EXPECT_EQ(taken.substr(0, 3), "DST");
    EXPECT_EQ(list(), "a.src");
}

TEST_F(Convert, WarningsAsErrorsWriteNothing) {
    request.warnings_as_errors = true;
    put("a.src", "lose lights 1");
    auto response = run("a.src", "a.gom");
    ASSERT_TRUE(response);
    EXPECT_FALSE(response->complete);
    EXPECT_EQ(list(), "a.src");
    put("a.src", "");
    response = run("a.src", "a.gom");
    ASSERT_TRUE(response);
    EXPECT_TRUE(response->complete);
}

TEST_F(Convert, WarningsBeyondTheMaximumCount) {
    request.warnings_as_errors = true;
    put("a.src", "warn");
    request.input = Input(path("a.src"));
    request.output = path("a.gom");
    core::Report none({}, 0);
    const auto response = convert(registry, request, none);
    ASSERT_TRUE(response);
    EXPECT_FALSE(response->complete);
}

TEST_F(Convert, AModelWithoutMeshIsConverted) {
    put("a.src", "empty");
    const auto response = run("a.src", "a.gom");
    ASSERT_TRUE(response);
    EXPECT_TRUE(response->complete);
    EXPECT_EQ(response->found.meshes, 0u);
}

TEST_F(Convert, OptionsThatCannotWorkAreRefused) {
    put("a.src", "final");
    EXPECT_TRUE(run("a.src", "a.gom"));
    request.write.tangents = pass::TangentMode::Generate;
    EXPECT_EQ(run("a.src", "b.gom").error().code, Code::Unsupported);
    request.write.tangents = pass::TangentMode::Keep;
    request.write.bake_static = true;
    EXPECT_EQ(run("a.src", "b.gom").error().code, Code::Unsupported);
}

TEST_F(Convert, CancellingStopsBetweenStages) {
    put("a.src", "");
    for (int stop_at = 0; stop_at < 5; ++stop_at) {
        int asked = 0;
        std::vector<std::string> stages;
        core::Progress progress;
        progress.cancelled = [&] { return asked++ == stop_at; };
        progress.stage = [&](const std::string&, std::string_view name) { stages.emplace_back(name); };
        const auto response = run("a.src", "a.gom", progress);
        ASSERT_FALSE(response) << stop_at;
        EXPECT_EQ(response.error().code, Code::Interrupted);
        EXPECT_EQ(stages.size(), static_cast<std::size_t>(stop_at));
        EXPECT_EQ(list(), "a.src");
    }
}

TEST_F(Convert, WorksFromMemory) {
    request.input = Input("name.src", core::FileBytes(testing::to_bytes("texture ..\\t\\a.png")));
    const auto bytes = convert_to_bytes(registry, request, report);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes->data()), 9), "DST a.png");
}

TEST_F(Convert, SeveralComeInOrderAndOneFailureStopsNone) {
    std::vector<ConvertRequest> requests(20);
    for (std::size_t i = 0; i < requests.size(); ++i) {
        requests[i].input = Input(put("in/" + std::to_string(i) + ".src", i == 7 ? "fail" : ""));
        requests[i].output = path(std::to_string(i) + ".gom");
    }
    for (const unsigned jobs : {1u, 4u}) {
        std::vector<std::size_t> order;
        std::vector<bool> good;
        convert_all(registry, requests, jobs, 10, {}, [&](std::size_t i, const ConvertOutcome& outcome) {
            order.push_back(i);
            good.push_back(outcome.result.has_value());
        });
        ASSERT_EQ(order.size(), 20u);
        for (std::size_t i = 0; i < 20; ++i) {
            EXPECT_EQ(order[i], i);
            EXPECT_EQ(good[i], i != 7);
            EXPECT_EQ(fs::exists(path(std::to_string(i) + ".gom")), i != 7);
        }
    }
}

TEST_F(Convert, WhatIsThrownByDoneStopsAll) {
    std::vector<ConvertRequest> requests(40);
    for (std::size_t i = 0; i < requests.size(); ++i) {
        requests[i].input = Input(put("in/" + std::to_string(i) + ".src", ""));
        requests[i].output = path(std::to_string(i) + ".gom");
    }
    for (const unsigned jobs : {1u, 4u}) {
        EXPECT_THROW(convert_all(registry, requests, jobs, 10, {}, [](std::size_t, const ConvertOutcome&) { throw std::runtime_error("boom"); }),
                     std::runtime_error);
    }
}

TEST_F(Convert, ExplainsWithoutWriting) {
    put("a.src", "fail");
    request.input = Input(path("a.src"));
    request.output = path("a.gom");
    const auto steps = explain(registry, request);
    ASSERT_TRUE(steps);
    EXPECT_EQ(steps->front().name, "read");
    EXPECT_EQ(steps->back().name, "save");
    EXPECT_EQ(list(), "a.src");
    request.input = Input(path("none.src"));
    EXPECT_EQ(explain(registry, request).error().code, Code::CannotOpen);
}

}  // namespace
}  // namespace gomkit::kit

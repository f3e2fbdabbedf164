#include <algorithm>
#include <thread>

#include <gomkit/kit/check.hpp>
#include <gomkit/kit/convert.hpp>
#include <gomkit/kit/info.hpp>
#include <gomkit/kit/registry.hpp>

#include "fakes.hpp"
#include "source_dir.hpp"

/// Content from the caller's memory and streams; calls from several threads.
namespace gomkit::kit {
namespace {

using testing::Scratch;
using testing::to_bytes;

core::Bytes file_of(const std::string& path) {
    std::ifstream in(source_dir() + "/" + path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return to_bytes(text);
}

// Gives the content in pieces of `piece` bytes.
Stream stream_of(core::Bytes content, std::size_t piece) {
    return [content = std::move(content), piece, at = std::size_t{0}](std::span<std::byte> buffer) mutable -> core::Result<std::size_t> {
        const std::size_t count = std::min({piece, buffer.size(), content.size() - at});
        std::copy_n(content.begin() + static_cast<std::ptrdiff_t>(at), count, buffer.begin());
        at += count;
        return count;
    };
}

TEST(Streams, GiveTheSameAsAFile) {
    const codec::Registry registry = make_registry();
    const std::string path = "tests/conformance/gom/good/clip0_loop_closed.gom";
    ConvertRequest request;
    core::Report report;
    request.input = Input(source_dir() + "/" + path);
    const auto from_file = convert_to_bytes(registry, request, report);
    ASSERT_TRUE(from_file);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 21}) {
        request.input = Input("a.gom", stream_of(file_of(path), piece));
        const auto bytes = convert_to_bytes(registry, request, report);
        ASSERT_TRUE(bytes) << core::to_string(bytes.error());
        EXPECT_TRUE(*bytes == *from_file) << piece;
    }
    request.input = Input("a.gom", core::FileBytes(file_of(path)));
    const auto from_memory = convert_to_bytes(registry, request, report);
    ASSERT_TRUE(from_memory);
    EXPECT_TRUE(*from_memory == *from_file);
}

TEST(Streams, StopAtTheLimitAndNotAtTheEndOfAnEndlessOne) {
    const codec::Registry registry = testing::fake_registry();
    std::size_t given = 0;
    InfoRequest request;
    request.input = Input("endless.src", Stream([&](std::span<std::byte> buffer) -> core::Result<std::size_t> {
                              std::fill(buffer.begin(), buffer.end(), std::byte{' '});
                              given += buffer.size();
                              return buffer.size();
                          }));
    request.read.limits.max_file_bytes = 5'000'000;
    core::Report report;
    const auto response = info(registry, request, report);
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().code, core::Code::LimitExceeded);
    EXPECT_EQ(given, 5'000'001u);
    // Exactly as much as is allowed is not too much.
    request.input = Input("full.src", stream_of(to_bytes(std::string(1000, '\n')), 300));
    request.read.limits.max_file_bytes = 1000;
    EXPECT_TRUE(info(registry, request, report));
}

TEST(Streams, PassOnTheirErrorsAndMistakes) {
    const codec::Registry registry = testing::fake_registry();
    InfoRequest request;
    core::Report report;
    request.input = Input("torn.src", Stream([](std::span<std::byte>) -> core::Result<std::size_t> {
                              return core::fail(core::Code::CannotRead, {}, "the archive is torn");
                          }));
    auto response = info(registry, request, report);
    ASSERT_FALSE(response);
    EXPECT_EQ(core::to_string(response.error()), "torn.src: error CannotRead: the archive is torn");
    request.input = Input("liar.src", Stream([](std::span<std::byte> buffer) -> core::Result<std::size_t> { return buffer.size() + 1; }));
    response = info(registry, request, report);
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().code, core::Code::Internal);
    request.input = Input("throws.src", Stream([](std::span<std::byte>) -> core::Result<std::size_t> { throw std::runtime_error("boom"); }));
    response = info(registry, request, report);
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().code, core::Code::Internal);
}

// The output may be called like an input that was given in memory: that file is not it.
TEST_F(Scratch, AGivenInputIsNoFileThatAnOutputCouldReplace) {
    put("a.src", "");
    const codec::Registry registry = testing::fake_registry();
    ConvertRequest request;
    request.input = Input(path("a.src"), stream_of({}, 1));
    request.output = path("a.src");
    core::Report report;
    EXPECT_TRUE(convert(registry, request, report));
}

struct Outcome {
    core::Bytes bytes;
    std::size_t meshes = 0;
    std::size_t findings = 0;
    bool operator==(const Outcome&) const = default;
};

Outcome work(const codec::Registry& registry, const std::string& name, const core::Bytes& content) {
    Outcome out;
    core::Report report;
    ConvertRequest request;
    request.input = Input(name, core::FileBytes(content));
    if (auto bytes = convert_to_bytes(registry, request, report)) {
        out.bytes = std::move(*bytes);
    }
    InfoRequest info_request;
    info_request.input = request.input;
    if (const auto response = info(registry, info_request, report)) {
        out.meshes = response->meshes.size();
    }
    CheckRequest check_request;
    check_request.input = request.input;
    static_cast<void>(check(registry, check_request, report));
    out.findings = report.issues().size();
    return out;
}

TEST(Threads, MayCallEverythingAtTheSameTimeWithOneRegistry) {
    const codec::Registry registry = make_registry();
    std::vector<std::pair<std::string, core::Bytes>> files = {
        {"a.gom", file_of("tests/conformance/gom/good/clip0_loop_closed.gom")}, {"bad.gom", file_of("tests/conformance/gom/bad/limit1_keys.gom")}};
    if (registry.by_id("fbx") != nullptr) {
        files.emplace_back("hero.fbx", file_of("samples/models/hero.fbx"));
        files.emplace_back("t.obj", to_bytes("o \x93\xAA\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
    }
    std::vector<Outcome> alone;
    for (const auto& [name, content] : files) {
        alone.push_back(work(registry, name, content));
    }
    constexpr std::size_t kThreads = 8;
    std::vector<int> wrong(kThreads, 0);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            for (std::size_t i = 0; i < files.size() * 2; ++i) {
                const std::size_t k = (i + t) % files.size();
                wrong[t] += work(registry, files[k].first, files[k].second) == alone[k] ? 0 : 1;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, std::vector<int>(kThreads, 0));
    EXPECT_FALSE(alone.back().bytes.empty());
}

}  // namespace
}  // namespace gomkit::kit

#include <gomkit/codec/codec.hpp>

#include <gtest/gtest.h>

namespace gomkit::codec {
namespace {

Codec make(const char* id, std::vector<const char*> extensions, bool (*probe)(std::span<const std::byte>, std::string_view)) {
    Codec codec;
    codec.id = id;
    codec.name = id;
    codec.extensions = std::move(extensions);
    codec.probe = probe;
    return codec;
}

Registry two_formats() {
    Registry registry;
    registry.add(make("a", {"aa", "a2"}, [](std::span<const std::byte> b, std::string_view) { return !b.empty() && b[0] == std::byte{'A'}; }));
    registry.add(make("b", {"bb"}, nullptr));
    return registry;
}

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

TEST(Registry, ContentDecidesBeforeTheExtension) {
    const Registry registry = two_formats();
    ASSERT_NE(registry.for_bytes(bytes("Ax"), "file.bb"), nullptr);
    EXPECT_STREQ(registry.for_bytes(bytes("Ax"), "file.bb")->id, "a");
    EXPECT_STREQ(registry.for_bytes(bytes("x"), "dir.aa/file.BB")->id, "b");
    EXPECT_STREQ(registry.for_bytes({}, "file.a2")->id, "a");
    EXPECT_EQ(registry.for_bytes(bytes("x"), "file"), nullptr);
    EXPECT_EQ(registry.for_bytes(bytes("x"), "file.png"), nullptr);
}

TEST(Registry, FindsByIdAndExtension) {
    const Registry registry = two_formats();
    EXPECT_STREQ(registry.by_id("b")->id, "b");
    EXPECT_EQ(registry.by_id("B"), nullptr);
    EXPECT_EQ(registry.by_id(""), nullptr);
    EXPECT_STREQ(registry.for_extension("a2")->id, "a");
    EXPECT_EQ(registry.for_extension(""), nullptr);
    EXPECT_EQ(Registry().for_bytes(bytes("A"), "x.aa"), nullptr);
}

TEST(WriteOptions, NamesWhatIsSet) {
    WriteOptions options;
    EXPECT_TRUE(set_options(options).empty());
    options.bake_static = true;
    options.km3.weights = true;      // said, though it is what happens anyway
    options.km3.scale = 1;
    EXPECT_EQ(set_options(options), (std::vector<std::string_view>{"--bake-static", "--km3-weights", "--scale"}));
    options = {};
    options.normals = pass::NormalMode::Generate;
    options.tangents = pass::TangentMode::None;
    options.km3.normals = Km3Normals::Outward;
    options.km3.quads = true;
    EXPECT_EQ(set_options(options), (std::vector<std::string_view>{"--normals", "--tangents", "--km3-normals", "--km3-quads"}));
    options = {};
    options.mv1.fps = 30;
    options.mv1.facing = Mv1Facing::MinusZ;
    options.mv1.unit_meters = 0;
    EXPECT_EQ(set_options(options), (std::vector<std::string_view>{"--mv1-fps", "--facing", "--out-unit"}));
}

}  // namespace
}  // namespace gomkit::codec

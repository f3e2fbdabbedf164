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
    options.format["--b-scale"] = "1";      // said, though it is what happens anyway
    options.format["--a"] = kOn;
    EXPECT_EQ(set_options(options), (std::vector<std::string_view>{"--bake-static", "--a", "--b-scale"}));
    options = {};
    options.normals = pass::NormalMode::Generate;
    options.tangents = pass::TangentMode::None;
    EXPECT_EQ(set_options(options), (std::vector<std::string_view>{"--normals", "--tangents"}));
}

TEST(FormatOption, ValuesAreCheckedAndRead) {
    const FormatOption flag{.name = "--flag"};
    const FormatOption choice{.name = "--choice", .choices = {"in", "out"}};
    const FormatOption number{.name = "--number", .value = "N", .accepts = is_usual_number, .expected = kUsualNumber};
    const FormatOption either{.name = "--either", .value = "N", .choices = {"auto"}, .accepts = is_usual_number, .expected = kUsualNumber};
    EXPECT_EQ(value_fault(flag, kOn), "");
    EXPECT_EQ(value_fault(flag, "off"), "takes no value");
    EXPECT_EQ(value_fault(choice, "out"), "");
    EXPECT_EQ(value_fault(choice, ""), "must be in or out");
    EXPECT_EQ(value_fault(number, "1e-3"), "");
    for (const char* bad : {"", "0", "-1", "nan", "inf", "1e999", "1e-7", "1000001", "1 ", "1,5", "auto"}) {
        EXPECT_EQ(value_fault(number, bad), "must be a number from 0.000001 to 1000000") << bad;
    }
    EXPECT_EQ(value_fault(either, "auto"), "");
    EXPECT_EQ(value_fault(either, "2"), "");
    EXPECT_EQ(value_fault(either, "x"), "must be auto, or a number from 0.000001 to 1000000");

    const FormatValues values{{"--flag", kOn}, {"--number", "2.5"}};
    EXPECT_TRUE(is_on(values, "--flag"));
    EXPECT_FALSE(is_on(values, "--number"));
    EXPECT_FALSE(is_on({}, "--flag"));
    EXPECT_EQ(number_of(values, "--number", 7), 2.5);
    EXPECT_EQ(number_of(values, "--other", 7), 7);
    EXPECT_EQ(text_of(values, "--other", "x"), "x");
}

}  // namespace
}  // namespace gomkit::codec

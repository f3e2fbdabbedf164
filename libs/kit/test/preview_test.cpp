#include <gomkit/kit/preview.hpp>
#include <gomkit/kit/registry.hpp>

#include <limits>

#include <gtest/gtest.h>

#include "source_dir.hpp"

namespace gomkit::kit {
namespace {

PreviewRequest example() {
    PreviewRequest request;
    request.input = Input("model.bin", std::move(*core::read_file(source_dir() + "/tests/conformance/ps1m/good/example.ps1m", 1u << 20)));
    return request;
}

TEST(Preview, ShowsFiveBitsAsEight) {
    PreviewRequest request = example();
    request.width = 64;
    request.height = 48;
    request.contact_sheet = 3;
    const auto made = preview(make_registry(), request);
    ASSERT_TRUE(made.has_value()) << core::to_string(made.error());
    EXPECT_EQ(made->clip, "nod");
    EXPECT_EQ(made->pictures.size(), 3u);
    EXPECT_EQ(made->pictures[0].drawn, 2u);
    EXPECT_EQ(made->image.width, 128u);
    EXPECT_EQ(made->image.height, 96u);
    ASSERT_EQ(made->image.rgba.size(), 128u * 96 * 4);
    EXPECT_EQ((std::vector<std::uint8_t>(made->image.rgba.begin(), made->image.rgba.begin() + 4)), (std::vector<std::uint8_t>{24, 33, 49, 255}));   // 3, 4, 6 of 31
    EXPECT_EQ(made->image.rgba[4 * (128 * 90 + 100)], 0);   // the fourth place has no picture
}

TEST(Preview, AnglesAreTurns) {
    PreviewRequest a = example(), b = example();
    a.yaw_degrees = -90;
    b.yaw_degrees = 630;
    EXPECT_EQ(preview(make_registry(), a)->image, preview(make_registry(), b)->image);
    for (const double none : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        a.yaw_degrees = none;
        EXPECT_EQ(preview(make_registry(), a).error().code, core::Code::Usage);
        b.pitch_degrees = none;
        EXPECT_EQ(preview(make_registry(), b).error().code, core::Code::Usage);
    }
}

TEST(Preview, APs1mWithoutItsMagicIsToldThatItIsNone) {
    PreviewRequest request;
    request.input = Input("model.ps1m", core::FileBytes(core::Bytes(64)));
    const auto made = preview(make_registry(), request);
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error().code, core::Code::NotThisFormat);
    EXPECT_EQ(made.error().notes, std::vector<std::string>{"rule PS1_MAGIC"});
}

TEST(Preview, TexturesAreReadByWhatTheyAre) {
    PreviewRequest request = example();
    const image::Image red{1, 1, {255, 0, 0, 255}};
    request.textures = {Input("a.bin", core::FileBytes(image::write_png(red)))};
    const auto made = preview(make_registry(), request);
    ASSERT_TRUE(made.has_value()) << core::to_string(made.error());
    bool reddish = false;
    for (std::size_t i = 0; i < made->image.rgba.size(); i += 4) {
        reddish = reddish || (made->image.rgba[i] > 100 && made->image.rgba[i + 1] == 0 && made->image.rgba[i + 2] == 0);
    }
    EXPECT_TRUE(reddish);
    // The same pixel as a TGA, which has nothing to be known by but its name.
    core::Bytes tga;
    for (const int byte : {0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 0, 0, 255}) {
        tga.push_back(static_cast<std::byte>(byte));
    }
    request.textures = {Input("a.tga", core::FileBytes(std::move(tga)))};
    EXPECT_EQ(preview(make_registry(), request)->image, made->image);
    request.textures = {Input("a.png", core::FileBytes(core::Bytes(9)))};
    EXPECT_EQ(preview(make_registry(), request).error().code, core::Code::NotThisFormat);
    EXPECT_EQ(preview(make_registry(), request).error().place.file, "a.png");
}

}  // namespace
}  // namespace gomkit::kit

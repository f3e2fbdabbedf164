#include <cstdio>
#include <cstdlib>
#include <functional>

#include <jpeglib.h>

#include "bytes.hpp"

namespace gomkit::image {
namespace {

using core::Code;

/// The size and colour space of what encode() is given.
struct Kind {
    std::uint32_t width = 0, height = 0;
    int components = 3;
    J_COLOR_SPACE space = JCS_RGB;
};

/// A file by libjpeg's encoder. `change` may set what it likes before it begins.
core::Bytes encode(const Kind& kind, const std::function<int(std::uint32_t x, std::uint32_t y, int c)>& sample, const std::function<void(jpeg_compress_struct&)>& change = {}) {
    jpeg_compress_struct jpeg{};
    jpeg_error_mgr errors{};
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char* out = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &out, &size);
    jpeg.image_width = kind.width;
    jpeg.image_height = kind.height;
    jpeg.input_components = kind.components;
    jpeg.in_color_space = kind.space;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 100, TRUE);
    if (change) {
        change(jpeg);
    }
    jpeg_start_compress(&jpeg, TRUE);
    std::vector<unsigned char> row;
    for (std::uint32_t y = 0; y < kind.height; ++y) {
        row.clear();
        for (std::uint32_t x = 0; x < kind.width; ++x) {
            for (int c = 0; c < kind.components; ++c) {
                row.push_back(static_cast<unsigned char>(sample(x, y, c)));
            }
        }
        JSAMPROW rows = row.data();
        jpeg_write_scanlines(&jpeg, &rows, 1);
    }
    jpeg_finish_compress(&jpeg);
    const auto* const begin = reinterpret_cast<const std::byte*>(out);
    core::Bytes bytes(begin, begin + size);
    jpeg_destroy_compress(&jpeg);
    std::free(out);
    return bytes;
}

int smooth(std::uint32_t x, std::uint32_t y, int c) { return static_cast<int>(c == 0 ? 3 * x : c == 1 ? 4 * y : 200 - x - y); }

void expect_smooth(const core::Bytes& bytes, std::uint32_t width, std::uint32_t height, int tolerance) {
    const auto read = read_image(bytes, "a");
    ASSERT_TRUE(read.has_value()) << core::to_string(read.error());
    ASSERT_TRUE(read->width == width && read->height == height);
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            for (int c = 0; c < 4; ++c) {
                const int found = read->rgba[4 * (std::size_t{y} * width + x) + static_cast<std::size_t>(c)];
                ASSERT_NEAR(found, c == 3 ? 255 : smooth(x, y, c), c == 3 ? 0 : tolerance) << x << " " << y << " " << c;
            }
        }
    }
}

TEST(Jpeg, IsReadNearlyAsItWasWritten) {
    expect_smooth(encode({37, 21}, smooth), 37, 21, 6);   // colours at half the resolution
    expect_smooth(encode({37, 21}, smooth, [](jpeg_compress_struct& j) { j.comp_info[0].h_samp_factor = j.comp_info[0].v_samp_factor = 1; }), 37, 21, 3);
    expect_smooth(encode({37, 21}, smooth, [](jpeg_compress_struct& j) { jpeg_simple_progression(&j); }), 37, 21, 6);
}

TEST(Jpeg, GreyBecomesColours) {
    EXPECT_EQ(pixels_of(encode({1, 1, 1, JCS_GRAYSCALE}, [](auto, auto, int) { return 77; }), "a", 1, 1), (std::vector<std::uint8_t>{77, 77, 77, 255}));
}

TEST(Jpeg, EveryPrefixAndEveryChangedByteIsRefusedOrRead) {
    const core::Bytes bytes = encode({20, 10}, smooth, [](jpeg_compress_struct& j) { jpeg_simple_progression(&j); });
    read_damaged(bytes, "a.jpg", 3);
}

TEST(Jpeg, DamageIsNotFilledIn) {
    core::Bytes bytes = encode({64, 64}, [](std::uint32_t x, std::uint32_t y, int c) { return static_cast<int>((x * 37 + y * 101 + static_cast<std::uint32_t>(c) * 59) % 256); });
    bytes[bytes.size() / 2] = std::byte{0xFF};   // a marker in the middle of the data
    bytes[bytes.size() / 2 + 1] = std::byte{0xD9};
    EXPECT_EQ(error_of(bytes, "a.jpg").code, Code::Malformed);
}

TEST(Jpeg, SizesAreComparedBeforeThereArePixels) {
    core::Bytes bytes = encode({20, 10}, smooth);
    EXPECT_EQ(error_of(bytes, "a.jpg", {19, 1000}).code, Code::LimitExceeded);
    EXPECT_EQ(error_of(bytes, "a.jpg", {20, 199}).code, Code::LimitExceeded);
    EXPECT_TRUE(read_image(bytes, "a.jpg", {20, 200}).has_value());
    const std::byte frame[] = {std::byte{0xFF}, std::byte{0xC0}};
    const auto at = std::search(bytes.begin(), bytes.end(), std::begin(frame), std::end(frame)) - bytes.begin() + 5;
    for (const int i : {0, 2}) {   // 16,000 a side
        bytes[static_cast<std::size_t>(at + i)] = std::byte{0x3E};
        bytes[static_cast<std::size_t>(at + i + 1)] = std::byte{0x80};
    }
    EXPECT_EQ(error_of(bytes, "a.jpg").code, Code::LimitExceeded);
    EXPECT_EQ(error_of(bytes, "a.jpg", {16'384, 1ull << 30}).what, "the JPEG cannot hold its pixels");
}

TEST(Jpeg, ScansAreCounted) {
    std::vector<jpeg_scan_info> scans;
    scans.push_back({3, {0, 1, 2}, 0, 0, 0, 0});
    for (int component = 0; component < 3; ++component) {
        for (int i = 1; i < 64; ++i) {
            scans.push_back({1, {component}, i, i, 0, 0});
        }
    }
    const auto with = [&scans](int count) {
        return encode({16, 16}, smooth, [&](jpeg_compress_struct& j) {
            j.scan_info = scans.data();
            j.num_scans = count;
        });
    };
    EXPECT_TRUE(read_image(with(64), "a.jpg").has_value());
    const core::Error error = error_of(with(65), "a.jpg");
    EXPECT_EQ(error.code, Code::LimitExceeded);
    EXPECT_EQ(error.found, "more than 64 scans");
}

TEST(Jpeg, WhatIsNotReadIsRefused) {
    const core::Error cmyk = error_of(encode({8, 8, 4, JCS_CMYK}, [](auto, auto, int) { return 9; }), "a.jpg");
    EXPECT_EQ(cmyk.code, Code::Unsupported);
    EXPECT_EQ(cmyk.found, "CMYK colours");
    EXPECT_EQ(cmyk.cure, "save the picture as PNG");
    EXPECT_EQ(error_of(encode({8, 8}, smooth, [](jpeg_compress_struct& j) { j.arith_code = TRUE; }), "a.jpg").found, "arithmetic coding");
}

}  // namespace
}  // namespace gomkit::image

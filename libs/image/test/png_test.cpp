#include <memory>

#include <gtest/gtest.h>
#include <png.h>

#include <gomkit/image/image.hpp>

namespace gomkit::image {
namespace {

Image gradient(std::uint32_t width, std::uint32_t height, bool alpha) {
    Image out{width, height, {}};
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            for (const std::uint32_t c : {x * 7, y * 11, x * y, alpha ? x + y : 255u}) {
                out.rgba.push_back(static_cast<std::uint8_t>(c));
            }
        }
    }
    return out;
}

/// A file that libpng's simplified writer makes: another path through the library than write_png().
core::Bytes other_png(png_uint_32 format, std::uint32_t width, std::uint32_t height, const void* pixels, const void* colours = nullptr, unsigned colour_count = 0) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = width;
    image.height = height;
    image.format = format;
    image.colormap_entries = colour_count;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    core::Bytes out(size);
    EXPECT_NE(png_image_write_to_memory(&image, out.data(), &size, 0, pixels, 0, colours), 0) << image.message;
    out.resize(size);
    return out;
}

TEST(Png, IsReadAsItWasWritten) {
    for (const auto& [width, height] : {std::pair{1u, 1u}, {7u, 3u}, {300u, 200u}}) {
        for (const bool alpha : {false, true}) {
            const Image image = gradient(width, height, alpha);
            const core::Bytes bytes = write_png(image);
            EXPECT_EQ(write_png(image), bytes);
            const auto read = read_image(bytes, "a.png");
            ASSERT_TRUE(read.has_value()) << core::to_string(read.error());
            EXPECT_EQ(*read, image);
            EXPECT_EQ(static_cast<int>(bytes[25]), alpha ? 6 : 2);   // colour type
        }
    }
}

TEST(Png, OtherKindsBecomeRgba) {
    const std::uint8_t grey[] = {0, 128, 255, 7};
    auto read = read_image(other_png(PNG_FORMAT_GRAY, 2, 2, grey), "a.png");
    ASSERT_TRUE(read.has_value()) << core::to_string(read.error());
    EXPECT_EQ(read->rgba, (std::vector<std::uint8_t>{0, 0, 0, 255, 128, 128, 128, 255, 255, 255, 255, 255, 7, 7, 7, 255}));
    const std::uint8_t indices[] = {2, 0, 1};
    const std::uint8_t colours[] = {1, 2, 3, 4, 250, 251, 252, 253, 9, 8, 7, 0};
    read = read_image(other_png(PNG_FORMAT_RGBA_COLORMAP, 3, 1, indices, colours, 3), "a.png");
    ASSERT_TRUE(read.has_value()) << core::to_string(read.error());
    EXPECT_EQ(read->rgba, (std::vector<std::uint8_t>{9, 8, 7, 0, 1, 2, 3, 4, 250, 251, 252, 253}));
}

TEST(Png, EveryPrefixAndEveryChangedByteIsRefusedOrRead) {
    const core::Bytes bytes = write_png(gradient(20, 10, true));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto block = std::make_unique<std::byte[]>(size);
        std::copy_n(bytes.begin(), size, block.get());
        const auto read = read_image({block.get(), size}, "a.png");
        ASSERT_FALSE(read.has_value()) << size;
        EXPECT_EQ(read.error().code, size < 8 ? core::Code::NotThisFormat : core::Code::Truncated) << size;
    }
    for (std::size_t i = 8; i < bytes.size(); ++i) {
        core::Bytes changed = bytes;
        changed[i] ^= std::byte{0x41};
        (void)read_image(changed, "a.png");
    }
}

TEST(Png, SizesAreComparedBeforeThereArePixels) {
    const core::Bytes bytes = write_png(gradient(20, 10, false));
    const auto code = [&bytes](ImageLimits limits) { return read_image(bytes, "a.png", limits).error().code; };
    EXPECT_EQ(code({19, 1000}), core::Code::LimitExceeded);
    EXPECT_EQ(code({20, 199}), core::Code::LimitExceeded);
    EXPECT_TRUE(read_image(bytes, "a.png", {20, 200}).has_value());
    // 16,000 x 4,000 pixels announced by a file of some hundred bytes; the chunk's checksum is made anew.
    core::Bytes huge = bytes;
    const unsigned char header[] = {'I', 'H', 'D', 'R', 0, 0, 0x3E, 0x80, 0, 0, 0x0F, 0xA0, 8, 2, 0, 0, 0};
    std::uint32_t crc = 0xFFFFFFFF;
    for (std::size_t i = 0; i < sizeof header; ++i) {
        huge[12 + i] = static_cast<std::byte>(header[i]);
        crc ^= header[i];
        for (int k = 0; k < 8; ++k) {
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320u : 0u);
        }
    }
    for (std::size_t i = 0; i < 4; ++i) {
        huge[29 + i] = static_cast<std::byte>(~crc >> (24 - 8 * i) & 0xFF);
    }
    const auto read = read_image(huge, "a.png");
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, core::Code::Truncated);
    EXPECT_EQ(read.error().what, "the PNG cannot hold its pixels");
}

TEST(Png, OtherFilesAreNamed) {
    const auto read = read_image({}, "a.jpg");
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, core::Code::NotThisFormat);
    EXPECT_EQ(read.error().place.file, "a.jpg");
    EXPECT_EQ(read.error().what, "this is no PNG, JPEG, TGA or BMP");
    EXPECT_FALSE(is_image({}, "a.png"));
    EXPECT_TRUE(is_image(write_png(gradient(1, 1, false)), "a.tga"));   // how it begins comes before what it is called
}

}  // namespace
}  // namespace gomkit::image

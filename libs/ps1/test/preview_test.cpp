#include "preview.hpp"

#include <algorithm>

#include <gomkit/core/text.hpp>
#include <gomkit/ps1/preview.hpp>
#include <gomkit/runtime/sha256.hpp>

#include "camera.hpp"
#include "encode.hpp"
#include "ordering_table.hpp"
#include "sample.hpp"
#include "scene.hpp"

namespace gomkit::ps1 {
namespace {

using namespace test;

std::string digest(const Preview& p) {
    const auto d = runtime::sha256(std::as_bytes(std::span(p.pixels)));
    return core::hex_text(d.data(), d.size());
}

Preview drawn(const Document& d, const PreviewOptions& options) {
    auto made = preview(encode(d), "a.ps1m", options);
    EXPECT_TRUE(made.has_value()) << core::to_string(made.error());
    return made ? std::move(*made) : Preview{};
}

// covers GPU-TIME-1
TEST(Preview, TimeIsThatManyDisplayFrames) {
    Clip clip = example().clips[0];
    clip.frames.resize(5, clip.frames[0]);
    for (const int fps : {0, 7, 15, 24, 60, 999}) {
        clip.fps = static_cast<std::uint16_t>(fps);
        PlayPosition p;
        for (std::uint64_t i = 0; i < 200; ++i) {
            EXPECT_EQ(position_after(clip, i), p) << fps << ": " << i;
            advance(p, clip, kDisplayHz);
        }
    }
    clip.fps = 15;
    EXPECT_EQ(display_frames_of(clip), 20u);   // covers GPU-SHEET-1
    clip.fps = 999;
    EXPECT_EQ(display_frames_of(clip), 1u);
    clip.fps = 0;
    EXPECT_EQ(display_frames_of(clip), 0u);
    clip.fps = 15;
    clip.frames.resize(1);
    EXPECT_EQ(position_after(clip, 77), PlayPosition{});
    EXPECT_EQ(display_frames_of(clip), 0u);
}

// covers GPU-SCENE-4
TEST(OrderingTable, DrawsTheFarthestFirstAndOfOnePlaceTheNewest) {
    OrderingTable table;
    std::vector<std::uint32_t> order;
    const auto insert = [&table](std::size_t place, std::uint32_t name) { table.insert(place, std::vector<std::uint32_t>{name}); };
    const auto traverse = [&] {
        order.clear();
        table.traverse([&order](std::span<const std::uint32_t> words) { order.push_back(words[0]); });
    };
    insert(5, 1);
    insert(4095, 2);
    insert(5, 3);
    insert(0, 4);
    traverse();
    EXPECT_EQ(order, (std::vector<std::uint32_t>{2, 3, 1, 4}));
    table.clear();
    insert(7, 5);
    traverse();
    EXPECT_EQ(order, (std::vector<std::uint32_t>{5}));
}

// The page's example under the game's own camera: vertices at (139, 122), (180, 122), (151, 40), (185, 50), all of colour 90, 90, 94, no texture.
// covers GPU-SCENE-1, GPU-SCENE-2, GPU-SCENE-3, GPU-SCENE-5
TEST(Scene, DrawsTheExampleOfThePage) {
    const Document d = example();
    const std::vector<Placement> world = world_pose(d, local_pose(d, d.clips[0], {0, 128}));
    for (const bool flat : {false, true}) {
        Gpu gpu;
        Scene scene(d, Camera{}, {}, flat);
        const PreviewCounts counts = scene.draw(gpu, world);
        EXPECT_EQ(counts.triangles, 2u);
        EXPECT_EQ(counts.drawn, 2u);
        EXPECT_EQ(counts, (PreviewCounts{2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
        EXPECT_EQ(gpu.vram.at(0, 0), 3 | 4 << 5 | 6 << 10);
        EXPECT_EQ(gpu.vram.at(320, 0), 0);
        // 90 * 31 >> 4 is 174, 94 gives 182: with the table's numbers at (160, 100), row 0 column 0, -4; flat: no dithering.
        EXPECT_EQ(gpu.vram.at(160, 100), flat ? 174 >> 3 | (174 >> 3) << 5 | (182 >> 3) << 10 : 170 >> 3 | (170 >> 3) << 5 | (178 >> 3) << 10);
        EXPECT_EQ(gpu.vram.at(163, 101), flat ? 21 | 21 << 5 | 22 << 10 : 173 >> 3 | (173 >> 3) << 5 | (181 >> 3) << 10);
        EXPECT_EQ(gpu.vram.at(138, 121), 3 | 4 << 5 | 6 << 10);
    }
}

// covers GPU-SCENE-2
TEST(Scene, CountsWhatIsNotDrawn) {
    Document d = example();
    for (Frame& f : d.clips[0].frames) {
        f.rotations[0] = {0, 4096, 0, 0};   // half a turn: backs
    }
    PreviewOptions options;
    Preview p = drawn(d, options);
    EXPECT_EQ(p.frames[0].counts.culled, 1u);
    EXPECT_EQ(p.frames[0].counts.drawn, 1u);   // the one that shows both sides
    const std::vector<Placement> world = world_pose(example(), local_pose(example(), example().clips[0], {0, 128}));
    const auto counts = [&](const Camera& camera) {
        const Document plain = example();
        Gpu gpu;
        return Scene(plain, camera, {}, false).draw(gpu, world);
    };
    Camera camera;
    camera.distance = -2000;
    EXPECT_EQ(counts(camera).behind + counts(camera).culled, 2u);
    EXPECT_GT(counts(camera).depths_limited, 0u);
    camera.distance = 60000;
    EXPECT_EQ(counts(camera).too_far, 2u);
    camera = Camera{};
    camera.h = 500;
    EXPECT_EQ(counts(camera).clipped, 2u);
    camera.h = 60000;
    EXPECT_GT(counts(camera).screens_limited, 0u);
    EXPECT_GT(counts(camera).divisions_overflowed, 0u);
}

// covers GPU-CAMERA-1
TEST(Camera, SeesTheModelInAllOfTheClip) {
    const Document d = example();
    for (const auto& [width, height] : {std::pair{320, 240}, {640, 480}, {64, 200}, {16, 16}}) {
        for (const std::int32_t yaw : {0, 512, 1024, 3000}) {
            const Camera camera = framing_camera(d, d.clips[0], 200, yaw, width, height);
            EXPECT_EQ(camera.h, width / 2);
            int left = width, right = 0, top = height, bottom = 0;
            for (std::size_t frame = 0; frame < 2; ++frame) {
                const std::vector<Placement> world = world_pose(d, local_pose(d, d.clips[0], {frame, 0}));
                for (const Vertex& v : d.vertices) {
                    const Placement at = compose(view_of(camera), world[v.bone]);
                    Gte g;
                    g.h = camera.h;
                    g.ofx = width / 2 << 16;
                    g.ofy = height / 2 << 16;
                    g.rt = at.r;
                    g.tr = at.t;
                    g.v[0] = v.position;
                    ASSERT_TRUE(g.execute(gte_command::kRtps));
                    EXPECT_EQ(g.flag & ~(1u << 12), 0u);
                    left = std::min<int>(left, g.sxy[2][0]);
                    right = std::max<int>(right, g.sxy[2][0]);
                    top = std::min<int>(top, g.sxy[2][1]);
                    bottom = std::max<int>(bottom, g.sxy[2][1]);
                }
            }
            EXPECT_GE(left, 0);
            EXPECT_GE(top, 0);
            EXPECT_LE(right, width);
            EXPECT_LE(bottom, height);
            EXPECT_TRUE(width < height || right - left > width / 2 || bottom - top > height / 2) << width << " " << yaw << ": " << right - left << " x " << bottom - top;
        }
    }
}

// covers GPU-CAMERA-2
TEST(Camera, OfAHugeModelStaysWithinTheTable) {
    Document d = example();
    for (Vertex& v : d.vertices) {
        v.position = {static_cast<std::int16_t>(v.position[0] < 0 ? -32768 : 32767), static_cast<std::int16_t>(v.position[1] < 0 ? -30000 : 30000), 0};
    }
    const Preview p = drawn(d, {});
    EXPECT_EQ(p.frames[0].counts.too_far, 0u);
    EXPECT_GT(p.frames[0].counts.drawn, 0u);
}

// covers GPU-CAMERA-2
TEST(Preview, AModelTooLargeToBeSeenNamesTheScaleThatHelps) {
    Document d = example();
    for (Vertex& v : d.vertices) {
        v.position = {static_cast<std::int16_t>(v.position[0] < 0 ? -32768 : 32767), static_cast<std::int16_t>(v.position[1]), static_cast<std::int16_t>(v.position[0] < 0 ? -30000 : 30000)};
    }
    const auto refused = preview(encode(d), "a.ps1m", {});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, core::Code::CannotConvert);
    const std::string cure = refused.error().cure;
    const std::string option = "--scale ";
    const double scale = std::stod(cure.substr(cure.find(option) + option.size()));
    EXPECT_GT(scale, 0.3);
    EXPECT_LT(scale, 1);
    const auto smaller = [&scale](std::int16_t c) { return static_cast<std::int16_t>(c * scale); };
    for (Vertex& v : d.vertices) {
        v.position = {smaller(v.position[0]), smaller(v.position[1]), smaller(v.position[2])};
    }
    for (Frame& f : d.clips[0].frames) {
        f.translations[0][1] = smaller(f.translations[0][1]);
    }
    d.bones[1].translation[1] = smaller(d.bones[1].translation[1]);
    const Preview p = drawn(d, {});
    EXPECT_EQ(p.frames[0].counts.too_far, 0u);
}

TEST(Preview, TheListOfClipsInAnErrorIsShort) {
    Document d = example();
    d.clips.resize(25, d.clips[0]);
    PreviewOptions options;
    options.clip = "jump";
    const std::string list = preview(encode(d), "a.ps1m", options).error().expected;
    EXPECT_EQ(std::count(list.begin(), list.end(), ','), 19);
    EXPECT_TRUE(list.ends_with(" and 5 more")) << list;
}

// covers GPU-SHEET-1
TEST(Preview, SheetHoldsThePicturesOfTheClip) {
    const Document d = example();
    PreviewOptions options;
    options.width = 64;
    options.height = 48;
    options.contact_sheet = 3;
    const Preview sheet = drawn(d, options);
    EXPECT_EQ(sheet.width, 128);
    EXPECT_EQ(sheet.height, 96);
    ASSERT_EQ(sheet.frames.size(), 3u);
    options.contact_sheet = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        options.time_seconds = sheet.frames[i].time_seconds;
        const Preview one = drawn(d, options);
        EXPECT_EQ(one.frames[0].frame, sheet.frames[i].frame);
        EXPECT_EQ(one.frames[0].subframe, sheet.frames[i].subframe);
        for (std::size_t y = 0; y < 48; ++y) {
            ASSERT_TRUE(std::equal(one.pixels.begin() + static_cast<std::ptrdiff_t>(64 * y), one.pixels.begin() + static_cast<std::ptrdiff_t>(64 * y + 64),
                                   sheet.pixels.begin() + static_cast<std::ptrdiff_t>(128 * (48 * (i / 2) + y) + 64 * (i % 2))))
                << i << " " << y;
        }
    }
    EXPECT_EQ(sheet.frames[1].frame * 256 + static_cast<std::size_t>(sheet.frames[1].subframe), 128u);   // 8 display frames: 0, 2, 5
    EXPECT_EQ(sheet.frames[2].frame * 256 + static_cast<std::size_t>(sheet.frames[2].subframe), 320u);
}

core::Bytes checker_tim(std::uint16_t x) {
    core::Bytes out;
    const auto put = [&out](unsigned v, int bytes) {
        for (int i = 0; i < bytes; ++i) {
            out.push_back(static_cast<std::byte>(v >> 8 * i & 0xFF));
        }
    };
    put(0x10, 4);
    put(8, 4);
    put(12 + 32, 4);
    for (const unsigned v : {640u, 256u, 16u, 1u}) {
        put(v, 2);
    }
    for (unsigned i = 0; i < 16; ++i) {
        put(i == 1 ? 0x001F : 0x7C00, 2);
    }
    put(12 + 64 * 256 * 2, 4);
    for (const unsigned v : {unsigned{x}, 0u, 64u, 256u}) {
        put(v, 2);
    }
    for (int i = 0; i < 64 * 256; ++i) {
        put(i / 64 / 16 % 2 == 0 ? 0x1111 : 0x2222, 2);
    }
    return out;
}

TEST(Preview, TexturesShow) {
    const core::Bytes tim = checker_tim(640);
    PreviewOptions options;
    options.textures = {{tim, "a.tim", 0, 0, {}}};
    const Preview p = drawn(example(), options);
    EXPECT_EQ(p.frames[0].counts.drawn, 2u);
    int red = 0, blue = 0, other = 0;
    for (const std::uint16_t pixel : p.pixels) {
        red += pixel != (3 | 4 << 5 | 6 << 10) && (pixel & 0x7C00) == 0 ? 1 : 0;
        blue += (pixel & 31) == 0 ? 1 : 0;
        other += (pixel & 31) != 0 && (pixel & 0x7C00) != 0 && pixel != (3 | 4 << 5 | 6 << 10) ? 1 : 0;
    }
    EXPECT_GT(red, 1000);
    EXPECT_GT(blue, 1000);
    EXPECT_EQ(other, 0);
}

/// Pictures whose pixels stay; tests/oracle/ps1_preview_test.py compares such pictures with another implementation.
TEST(Preview, PicturesStayAsTheyAre) {
    const core::Bytes tim = checker_tim(640);
    Document d = example();
    d.vertices[0].normal = {-2365, -2365, -2365};
    PreviewOptions options;
    options.time_seconds = 0.1;
    EXPECT_EQ(digest(drawn(d, options)), "c87af3e8682a12d9d5f2ce1c894129e6f09b52a9474e2b3dee64d6433bb49959");
    options.textures = {{tim, "a.tim", 0, 0, {}}};
    options.yaw = 300;
    options.contact_sheet = 4;
    EXPECT_EQ(digest(drawn(d, options)), "b79f7d0eee177252df590100ddfac461e1d23a69bf51232c8e786b0064eea9d4");
    options.flat = true;
    EXPECT_EQ(digest(drawn(d, options)), "478fda0ec6f7e85972206ca8eb569598b698c621b6e254185afd0073f1bb020e");
    const std::vector<std::uint8_t> rgba{200, 40, 80, 255, 40, 200, 80, 255, 80, 40, 200, 255, 0, 0, 0, 0};   // two pixels a row, the last one transparent
    options.textures = {{{}, "a.png", 2, 2, rgba}};
    options.flat = false;
    EXPECT_EQ(digest(drawn(d, options)), "3714090a593ad5bb0f981802c584d84b24ebe952eb9103ebaafedef99479cd72");
}

TEST(Preview, RefusesWithAReason) {
    const core::Bytes bytes = encode(example());
    const auto code = [&bytes](const PreviewOptions& o) {
        const auto made = preview(bytes, "a.ps1m", o);
        return made ? core::Code::Internal : made.error().code;
    };
    PreviewOptions o;
    o.clip = "jump";
    EXPECT_EQ(code(o), core::Code::Usage);
    EXPECT_EQ(preview(bytes, "a.ps1m", o).error().expected, "one of: nod");
    o = {};
    o.width = 641;
    EXPECT_EQ(code(o), core::Code::Usage);
    o = {};
    o.height = 15;
    EXPECT_EQ(code(o), core::Code::Usage);
    o = {};
    o.contact_sheet = 257;
    EXPECT_EQ(code(o), core::Code::Usage);
    o = {};
    o.time_seconds = -1;
    EXPECT_EQ(code(o), core::Code::Usage);
    o.time_seconds = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(code(o), core::Code::Usage);
    const core::Bytes inside = checker_tim(256);
    o = {};
    o.textures = {{inside, "a.tim", 0, 0, {}}};
    EXPECT_EQ(code(o), core::Code::CannotConvert);   // covers GPU-TIM-4
    EXPECT_EQ(preview(bytes, "a.ps1m", o).error().what, "the texture lies in the picture");
    const core::Bytes good = checker_tim(640);
    core::Bytes beside = checker_tim(688);
    beside[beside.size() - 64 * 256 * 2] ^= std::byte{0xFF};   // else it would say the same where both lie
    o.textures = {{good, "a.tim", 0, 0, {}}, {good, "same.tim", 0, 0, {}}};
    EXPECT_EQ(code(o), core::Code::Internal);   // the same texture for two slots
    o.textures[1] = {beside, "b.tim", 0, 0, {}};
    EXPECT_EQ(preview(bytes, "a.ps1m", o).error().what, "the texture lies on that of 'a.tim'");
    o.textures[1].file = "b.tim";
    EXPECT_EQ(preview(bytes, "a.ps1m", o).error().place.file, "b.tim");
    core::Bytes low = checker_tim(700);
    low[12] = std::byte{0};   // the palette to (0, 0)
    low[13] = low[14] = low[15] = std::byte{0};
    o.textures = {{low, "low.tim", 0, 0, {}}};
    EXPECT_EQ(preview(bytes, "a.ps1m", o).error().what, "the palette lies in the picture");
    o.textures = {{bytes, "a.jpg", 0, 0, {}}};
    EXPECT_EQ(preview(bytes, "a.ps1m", o).error().expected, "a TIM, PNG, JPEG, TGA or BMP");
    o.textures.resize(4);
    EXPECT_EQ(code(o), core::Code::Usage);
    EXPECT_EQ(preview({}, "a.ps1m", {}).error().code, core::Code::Truncated);
}

}  // namespace
}  // namespace gomkit::ps1

#include "tim_files.hpp"

#include <gtest/gtest.h>

namespace gomkit::ps1 {
namespace {

/// What goes in and out of write_tims().
struct Bench {
    model::Model model;
    SlotPictures slots;
    TimOptions own;
    codec::WriteOptions options;
    core::Report report;
    std::vector<std::pair<std::string, core::Bytes>> files;

    Bench() {
        options.open_picture = [](const model::Texture& texture) -> core::Result<codec::Picture> {
            if (texture.source_relative == "missing.png") {
                return core::fail(core::Code::CannotOpen, {}, "the picture was not found");
            }
            return codec::Picture{1, 1, {8, 16, 24, 255}};
        };
        options.write_beside = [this](const std::string& name, core::Bytes bytes, const model::Texture&) { files.emplace_back(name, std::move(bytes)); };
    }
    void add(std::size_t slot, const std::string& path) {
        model::Texture texture;
        texture.source_relative = path;
        slots[slot].push_back(static_cast<std::uint32_t>(model.textures.size()));
        model.textures.push_back(texture);
    }
    // Of which textures TIMs hold the picture.
    core::Result<std::vector<bool>> write() { return write_tims(model, slots, own, options, report); }
    [[nodiscard]] std::vector<std::string> told() const {
        std::vector<std::string> out;
        for (const core::Issue& issue : report.issues()) {
            out.push_back(issue.text);
        }
        return out;
    }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const auto& [name, bytes] : files) {
            out.push_back(name);
        }
        return out;
    }
};

// covers GPU-TIM-6
TEST(TimFiles, EachSlotIsToldWithItsWords) {
    Bench b;
    b.add(0, "skin/body.png");
    b.add(2, "skirt.tga");
    const auto held = b.write();
    ASSERT_TRUE(held.has_value()) << core::to_string(held.error());
    EXPECT_EQ(*held, (std::vector<bool>{true, true}));
    EXPECT_EQ(b.names(), (std::vector<std::string>{"body.tim", "skirt.tim"}));
    EXPECT_EQ(b.files[0].second.size(), 66080u);
    EXPECT_EQ(b.told(), (std::vector<std::string>{
                            "slot 0: 'body.tim' of 'skin/body.png', 8 bits a texel, 1 colour in 256 entries; texture page 0x008A (at 640,0), CLUT 0x4028 (at 640,256)",
                            "slot 2: 'skirt.tim' of 'skirt.tga', 8 bits a texel, 1 colour in 256 entries; texture page 0x008E (at 896,0), CLUT 0x40E8 (at 640,259)"}));
    const auto tim = read_tim(b.files[1].second, "skirt.tim");
    ASSERT_TRUE(tim.has_value());
    EXPECT_EQ(tim->pixels.x, 896);
    EXPECT_EQ(tim->palette->y, 259);
}

TEST(TimFiles, ATextureIsHeldOnceHoweverOftenItIsUsed) {
    Bench b;
    b.add(0, "a.png");
    b.add(1, "a.png");
    b.model.textures.resize(4);
    b.model.textures[2].source_relative = "a.png";
    b.model.textures[3].source_relative = "normals.png";
    EXPECT_EQ(b.write().value(), (std::vector<bool>{true, true, true, false}));
    EXPECT_EQ(b.names(), (std::vector<std::string>{"a.tim", "a~2.tim"}));
}

TEST(SlotPictures, AreThoseOfTrianglesInTheirOrder) {
    model::Model model;
    Rig rig;
    std::vector<std::uint8_t> slots;
    const auto add = [&](const char* picture, std::uint8_t slot) {
        model::Material material;
        if (picture != nullptr) {
            material.textures[0] = static_cast<std::uint32_t>(model.textures.size());
            model.textures.emplace_back().path = picture;
        }
        model.materials.push_back(material);
        slots.push_back(slot);
    };
    add("unused.png", 0);
    add("late.png", 2);
    add("early.png", 2);
    add("early.png", 2);
    add(nullptr, 0);
    add("body.png", 0);
    add("", 1);           // a picture without a name is none, for slots too
    slots.push_back(1);   // no material
    for (const int m : {4, 2, 3, 1, 6, -1, 5, 2}) {
        RigTriangle triangle;
        triangle.material = m < 0 ? model::MaterialId{} : model::MaterialId{static_cast<std::uint32_t>(m)};
        rig.triangles.push_back(triangle);
    }
    const SlotPictures shown = slot_pictures(model, rig, slots);
    EXPECT_EQ(shown[0], std::vector<std::uint32_t>{4});
    EXPECT_TRUE(shown[1].empty());
    EXPECT_EQ(shown[2], (std::vector<std::uint32_t>{2, 1}));
}

TEST(TimFiles, SixteenBitsHaveNoPaletteToTellOf) {
    Bench b;
    b.own.where.depth = kDirectDepth;
    b.add(1, "a.png");
    ASSERT_TRUE(b.write().has_value());
    EXPECT_EQ(b.told(), (std::vector<std::string>{"slot 1: 'a.tim' of 'a.png', 16 bits a texel; texture page 0x0110 (at 0,256)"}));
}

TEST(TimFiles, NamesAreMadeDifferent) {
    Bench b;
    b.add(0, "a/body.png");
    b.add(1, "b\\body.tga");
    b.add(2, "");
    ASSERT_TRUE(b.write().has_value());
    EXPECT_EQ(b.names(), (std::vector<std::string>{"body.tim", "body~2.tim", "texture.tim"}));
}

TEST(TimFiles, ASlotWithSeveralPicturesHasTheFirst) {
    Bench b;
    b.add(2, "hat.png");
    b.add(2, "shoes.png");
    ASSERT_TRUE(b.write().has_value());
    EXPECT_EQ(b.names(), std::vector<std::string>{"hat.tim"});
    EXPECT_EQ(b.told().front(), "slot 2 shows 2 pictures; its TIM is made of 'hat.png', without 'shoes.png'");
}

TEST(TimFiles, WithoutPicturesThereIsAWarning) {
    Bench b;
    EXPECT_TRUE(b.write().value().empty());
    EXPECT_TRUE(b.files.empty());
    EXPECT_TRUE(b.report.has(core::IssueId::PS1_TIM_NONE));
}

TEST(TimFiles, WhatDoesNotFitIsNamed) {
    Bench b;
    b.own.where = {kDirectDepth, {768, 256}, {}};
    b.add(0, "a.png");
    b.add(1, "large.png");
    const auto held = b.write();
    ASSERT_FALSE(held.has_value());
    EXPECT_EQ(held.error().code, core::Code::CannotConvert);
    EXPECT_EQ(held.error().what, "the console's memory has no page left for the texture of slot 1");
    EXPECT_EQ(held.error().found, "'large.png', 256 x 256 halfwords");
    EXPECT_EQ(held.error().expected, "a free place from 768,256 on");
}

TEST(TimFiles, ErrorsOfPicturesSayWhatTheyWereFor) {
    Bench b;
    b.add(1, "missing.png");
    const auto held = b.write();
    ASSERT_FALSE(held.has_value());
    EXPECT_EQ(held.error().code, core::Code::CannotOpen);
    EXPECT_EQ(held.error().notes, std::vector<std::string>{"while making the TIM of slot 1"});
    EXPECT_TRUE(b.files.empty());
}

TEST(TimFiles, AnOutputWithoutAFolderIsRefused) {
    Bench b;
    b.options.write_beside = nullptr;
    b.add(0, "a.png");
    EXPECT_EQ(b.write().error().code, core::Code::Usage);
}

TEST(TimOptions, BelongTogether) {
    const auto refused = [](codec::FormatValues values) {
        const auto good = check_together(values);
        return good ? std::string() : good.error().what;
    };
    EXPECT_EQ(refused({}), "");
    EXPECT_EQ(refused({{"--ps1-tim", "8"}, {"--vram", "640,0"}, {"--clut", "640,256"}, {"--ps1-tim-dither", "on"}}), "");
    EXPECT_EQ(refused({{"--vram", "640,0"}}), "--vram is about TIM files, and none is written");
    EXPECT_EQ(refused({{"--ps1-tim", "none"}, {"--ps1-tim-dither", "on"}}), "--ps1-tim-dither is about TIM files, and none is written");
    EXPECT_EQ(refused({{"--ps1-tim", "16"}, {"--clut", "640,256"}}), "--clut is about palettes, and a TIM of 16 bits has none");
    EXPECT_EQ(refused({{"--ps1-tim", "8"}, {"--clut", "784,256"}}), "--clut 784,256 is no place for three palettes");
    EXPECT_EQ(refused({{"--ps1-tim", "4"}, {"--clut", "784,256"}}), "");
    EXPECT_EQ(refused({{"--ps1-tim", "8"}, {"--clut", "0,0"}}), "--clut 0,0 is no place for three palettes");
    EXPECT_EQ(refused({{"--fit", "on"}, {"--ps1-compat", "on"}}), "--fit makes the model smaller, and --ps1-compat limits numbers instead");
    EXPECT_EQ(refused({{"--autorig", "on"}, {"--ps1-max-bones", "10"}}), "--autorig makes eleven bones");
    EXPECT_EQ(refused({{"--autorig", "on"}, {"--ps1-max-bones", "11"}}), "");
    const Options own = options_of({{"--ps1-tim", "4"}, {"--vram", "704,256"}, {"--clut", "16,240"}, {"--ps1-tim-dither", "on"}});
    ASSERT_TRUE(own.tim.has_value());
    EXPECT_EQ(own.tim->where.depth, 0);
    EXPECT_EQ(own.tim->where.first, (VramPoint{704, 256}));
    EXPECT_EQ(own.tim->where.palettes, (VramPoint{16, 240}));
    EXPECT_TRUE(own.tim->dither);
    EXPECT_FALSE(options_of({{"--ps1-tim", "none"}}).tim.has_value());
}

TEST(TimOptions, PlacesAreTwoWholeNumbers) {
    std::size_t seen = 0;
    for (const codec::FormatOption& option : format_options()) {
        const std::string name = option.name;
        if (name != "--vram" && name != "--clut") {
            continue;
        }
        ++seen;
        for (const char* good : {"640,0", "0,256", "960,256"}) {
            EXPECT_TRUE(option.accepts(good)) << name << " " << good;
        }
        for (const char* bad : {"", ",", "640", "640,", ",0", "640,0,0", "640, 0", "-64,0", "1024,0", "640,512", "648,0", "6.4e2,0", "640,99999", "0x40,0"}) {
            EXPECT_FALSE(option.accepts(bad)) << name << " " << bad;
        }
        EXPECT_EQ(option.accepts("656,0"), name == "--clut");
        EXPECT_EQ(option.accepts("640,100"), name == "--clut");
    }
    EXPECT_EQ(seen, 2u);
}

}  // namespace
}  // namespace gomkit::ps1

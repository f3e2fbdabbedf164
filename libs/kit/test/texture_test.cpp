#include <gomkit/kit/convert.hpp>

#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "fakes.hpp"

namespace gomkit::kit {
namespace fs = std::filesystem;
namespace {

using core::IssueId;
using testing::fake_registry;

class Textures : public testing::Scratch {
protected:
    // Converts "in/a.src" with these lines to "out/a.gom"; the texture paths written, or the error.
    std::string run(const std::string& lines, TextureMode mode) {
        put("in/a.src", lines);
        fs::create_directories(path("out"));
        request.input = Input(path("in/a.src"));
        request.output = path("out/a.gom");
        request.textures = mode;
        report = core::Report("a.src");
        const auto response = convert(registry, request, report);
        if (!response) {
            return core::to_string(response.error());
        }
        last = *response;
        const std::string text = get("out/a.gom");
        return text.substr(0, text.find(" hash")).erase(0, 3);
    }
    [[nodiscard]] std::string issues() const {
        std::string out;
        for (const core::Issue& issue : report.issues()) {
            out += std::string(out.empty() ? "" : " ") + core::info(issue.id).name;
        }
        return out;
    }

    codec::Registry registry = fake_registry();
    ConvertRequest request;
    ConvertResponse last;
    core::Report report;
};

TEST_F(Textures, KeptPathsDoNotDependOnWhereThingsLie) {
    const std::pair<const char*, const char*> table[] = {
        {"texture tex/a.png", " tex/a.png"},
        {"texture tex\\sub\\a.png", " tex/sub/a.png"},
        {"texture ..\\a.png", " a.png"},
        {"texture - C:\\x\\a.png", " a.png"},
        {"texture C:\\x\\a.png", " a.png"},
        {"texture \\\\server\\share\\a.png", " a.png"},
        {"texture tex/a.png C:\\x\\b.png", " tex/a.png"},
        {"texture \xE9\xA1\x94.png", " \xE9\xA1\x94.png"},
    };
    for (const auto& [line, expected] : table) {
        const std::string missing = run(line, TextureMode::Keep);
        EXPECT_EQ(missing, expected) << line;
        put("in/a.png", "x");
        put("in/tex/a.png", "x");
        EXPECT_EQ(run(line, TextureMode::Keep), missing) << line;
        fs::remove_all(path("in"));
    }
}

TEST_F(Textures, AreLookedForInOrder) {
    request.texture_folders = {path("far"), path("further")};
    const std::string line = "texture tex\\a.png";
    const char* const places[] = {"further/a.png", "further/tex/a.png", "far/a.png", "far/tex/a.png", "in/a.png", "in/a.fbm/a.png", "in/tex/a.png"};
    for (const char* place : places) {  // from the last place to the first
        put(place, place);
        EXPECT_EQ(run(line, TextureMode::Collect), " a.textures/a.png");
        EXPECT_EQ(get("out/a.textures/a.png"), place);
        EXPECT_EQ(last.pictures_read, std::vector<std::string>{path(place)});
    }
}

TEST_F(Textures, CaseIsIgnoredLastAndNoted) {
    put("in/TEX/A.PNG", "upper");
    EXPECT_EQ(run("texture tex/a.png", TextureMode::Copy), " tex/a.png");
    EXPECT_EQ(issues(), "IO_TEXTURE_CASE");
    EXPECT_EQ(get("out/tex/a.png"), "upper");
    put("in/a.png", "exact");  // a later place, but the right name
    fs::remove_all(path("out"));
    EXPECT_EQ(run("texture tex/a.png", TextureMode::Copy), " tex/a.png");
    EXPECT_EQ(issues(), "");
    EXPECT_EQ(get("out/tex/a.png"), "exact");
}

TEST_F(Textures, MissingOnesAreReportedOnceEach) {
    run("texture a.png\ntexture a.png\ntexture b.png", TextureMode::Keep);
    EXPECT_EQ(issues(), "IO_TEXTURE_MISSING IO_TEXTURE_MISSING");
    EXPECT_EQ(list(), "in/ in/a.src out/ out/a.gom");
}

TEST_F(Textures, AbsoluteAndOutsidePathsAreReportedWithWhatWasWritten) {
    put("in/a.png", "x");
    run("texture - C:\\x\\a.png", TextureMode::Keep);
    EXPECT_EQ(issues(), "IO_TEXTURE_ABSOLUTE");
    fs::remove(path("in/a.png"));
    put("a.png", "x");
    run("texture ../a.png", TextureMode::Keep);
    EXPECT_EQ(issues(), "IO_TEXTURE_OUTSIDE IO_TEXTURE_MISSING");
}

TEST_F(Textures, PathsOutOfTheFolderAreFollowedBelowGivenFoldersOnly) {
    put("other/sub/a.png", "x");
    put("other2/a.png", "x");
    fs::create_directories(path("in"));
    for (const TextureMode mode : {TextureMode::Copy, TextureMode::Collect}) {
        request.texture_folders = {};
        EXPECT_EQ(run("texture ../other/sub/a.png", mode), " a.png");
        EXPECT_EQ(issues(), "IO_TEXTURE_OUTSIDE IO_TEXTURE_MISSING");
        request.texture_folders = {path("other2/../oth"), path("in")};
        EXPECT_EQ(run("texture ../other2/A.png", mode), " A.png");
        EXPECT_EQ(list(), "in/ in/a.src other/ other/sub/ other/sub/a.png other2/ other2/a.png out/ out/a.gom");
    }
    request.texture_folders = {path("in/../other/")};
    EXPECT_EQ(run("texture ../other/sub/a.png", TextureMode::Collect), " a.textures/a.png");
    EXPECT_EQ(issues(), "");
    EXPECT_EQ(run("texture ../other/sub/a.png", TextureMode::Copy), " a.png");
    EXPECT_EQ(issues(), "IO_TEXTURE_OUTSIDE");
    EXPECT_EQ(get("out/a.png"), "x");
}

TEST_F(Textures, TheSourceItselfIsNoPicture) {
    EXPECT_EQ(run("texture a.src", TextureMode::Copy), " a.src");
    EXPECT_EQ(issues(), "IO_TEXTURE_MISSING");
    EXPECT_EQ(run("texture ./A.SRC", TextureMode::Collect), " A.SRC");
    EXPECT_EQ(list(), "in/ in/a.src out/ out/a.gom");
}

TEST_F(Textures, NoPictureReplacesAFileOfTheRun) {
    put("in/a.gom", "picture");
    const std::string error = run("texture a.gom", TextureMode::Copy);
    EXPECT_NE(error.find("would replace an output of this run"), std::string::npos) << error;
    EXPECT_EQ(list(), "in/ in/a.gom in/a.src out/");
    put("in/t.png", "picture");
    request.reserved = {path("out/t.png")};
    const std::string reserved = run("texture t.png", TextureMode::Copy);
    EXPECT_NE(reserved.find("CannotWrite"), std::string::npos) << reserved;
    EXPECT_FALSE(fs::exists(path("out/t.png")));
}

// Several models of one folder each, into "out".
class TexturesOfARun : public testing::Scratch {
protected:
    void add(const std::string& input, const std::string& lines, const std::string& output) {
        ConvertRequest request;
        request.input = Input(put(input, lines));
        request.output = path(output);
        request.textures = mode;
        requests.push_back(request);
    }
    // "ok" or the error's name for each.
    std::string run(unsigned jobs) {
        fs::remove_all(path("out"));
        fs::create_directories(path("out"));
        std::string out;
        convert_all(registry, requests, jobs, 100, {}, [&](std::size_t, const ConvertOutcome& outcome) {
            out += std::string(out.empty() ? "" : " ") + (outcome.result ? "ok" : core::name(outcome.result.error().code));
            warnings += outcome.report.count(core::Severity::Warning);
        });
        return out;
    }

    codec::Registry registry = testing::fake_registry();
    TextureMode mode = TextureMode::Copy;
    std::vector<ConvertRequest> requests;
    std::uint64_t warnings = 0;
};

TEST_F(TexturesOfARun, TheFirstOneHasAPicture) {
    for (int i = 0; i < 8; ++i) {
        const std::string place = "in" + std::to_string(i);
        put(place + "/t.png", i % 3 == 0 ? "first" : "other " + std::to_string(i));
        add(place + "/" + std::to_string(i) + ".src", "texture t.png", "out/" + std::to_string(i) + ".gom");
    }
    for (const unsigned jobs : {1u, 2u, 4u, 8u, 4u, 8u}) {
        EXPECT_EQ(run(jobs), "ok CannotWrite CannotWrite ok CannotWrite CannotWrite ok CannotWrite");
        EXPECT_EQ(get("out/t.png"), "first");
        EXPECT_FALSE(fs::exists(path("out/1.gom")));
        EXPECT_TRUE(fs::exists(path("out/6.gom")));
    }
}

TEST_F(TexturesOfARun, WhatAFailedOneWroteIsFreeAgain) {
    const std::string too_long = "out/" + std::string(300, 'n') + ".gom";
    put("a/t.png", "a");
    put("b/t.png", "b");
    put("c/t.png", "b");
    add("a/a.src", "texture t.png", too_long);
    add("b/b.src", "texture t.png", "out/b.gom");
    add("c/c.src", "texture t.png", too_long);  // finds it equal, and must leave it
    for (const unsigned jobs : {1u, 4u}) {
        EXPECT_EQ(run(jobs), "CannotWrite ok CannotWrite");
        EXPECT_EQ(get("out/t.png"), "b");
        EXPECT_TRUE(fs::exists(path("out/b.gom")));
    }
}

TEST_F(TexturesOfARun, APauseSeesAModelAndItsPicturesOrNeither) {
    std::string lines;
    for (int i = 0; i < 10; ++i) {
        put("a/" + std::to_string(i) + ".png", std::string(100'000, 'x'));
        lines += "texture " + std::to_string(i) + ".png\n";
    }
    add("a/a.src", lines, "out/a.gom");
    std::atomic<bool> stop{false};
    std::thread watcher([&] {
        while (!stop) {
            const core::WritePause pause;
            const bool model = fs::exists(path("out/a.gom"));
            for (int i = 0; i < 10; ++i) {
                const bool picture = fs::exists(path("out/" + std::to_string(i) + ".png"));
                EXPECT_EQ(picture, model);
            }
        }
    });
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(run(1), "ok");
        const core::WriteGroup cleaning;
        fs::remove_all(path("out"));
    }
    stop = true;
    watcher.join();
}

TEST_F(TexturesOfARun, NoneFindsWhatAnotherMakes) {
    put("a/t.png", "a");
    add("a/a.src", "texture t.png", "out/a.gom");
    add("b/b.src", "texture t.png", "out/b.gom");
    requests[1].texture_folders = {path("out")};
    for (const unsigned jobs : {1u, 2u}) {
        warnings = 0;
        EXPECT_EQ(run(jobs), "ok ok");
        EXPECT_EQ(warnings, 1u);
    }
}

TEST_F(TexturesOfARun, NoPictureReplacesAnothersModel) {
    put("a/b.gom", "picture");
    add("a/a.src", "texture b.gom", "out/a.gom");
    add("b/b.src", "", "out/b.gom");
    EXPECT_EQ(run(1), "CannotWrite ok");
    EXPECT_EQ(get("out/b.gom").substr(0, 3), "DST");
}

TEST_F(Textures, AReplacedPictureIsAWarningInTime) {
    put("in/a.png", "new");
    put("out/a.textures/a.png", "old");
    request.warnings_as_errors = true;
    run("texture a.png", TextureMode::Collect);
    EXPECT_FALSE(last.complete);
    EXPECT_EQ(issues(), "IO_TEXTURE_REPLACED");
    EXPECT_EQ(get("out/a.textures/a.png"), "old");
}

TEST_F(Textures, OnlyPicturesAreTakenFromOutside) {
    put("secret", "x");
    put("secret.txt", "x");
    put("in/keep", "");
    for (const char* line : {"texture ../secret", "texture ../secret.txt", "texture /etc/passwd", "texture - /etc/passwd", "texture ../../../../../../etc/passwd"}) {
        run(line, TextureMode::Collect);
        EXPECT_FALSE(fs::exists(path("out/a.textures"))) << line;
        run(line, TextureMode::Copy);
        EXPECT_EQ(list(), "in/ in/a.src in/keep out/ out/a.gom secret secret.txt") << line;
    }
}

TEST_F(Textures, CopyKeepsTheRelativePath) {
    put("in/tex/a.png", "x");
    EXPECT_EQ(run("texture tex\\a.png", TextureMode::Copy), " tex/a.png");
    EXPECT_EQ(get("out/tex/a.png"), "x");
    EXPECT_EQ(last.pictures_written.size(), 1u);
    EXPECT_EQ(run("texture tex\\a.png", TextureMode::Copy), " tex/a.png");  // again: nothing to do
    EXPECT_EQ(last.pictures_written.size(), 0u);
    EXPECT_EQ(issues(), "");
}

TEST_F(Textures, CopyDoesNotReplaceADifferentFile) {
    put("in/a.png", "new");
    put("out/a.png", "mine");
    const std::string error = run("texture a.png", TextureMode::Copy);
    EXPECT_NE(error.find("CannotWrite"), std::string::npos) << error;
    EXPECT_EQ(list(), "in/ in/a.png in/a.src out/ out/a.png");
    EXPECT_EQ(get("out/a.png"), "mine");
}

TEST_F(Textures, CopyIsUndoneWhenSomethingFails) {
    put("in/tex/a.png", "a");
    put("in/b.png", "b");
    put("out/tex/b.png", "");
    put("in/tex/b.png", "different");
    const std::string error = run("texture tex/a.png\ntexture tex/b.png", TextureMode::Copy);
    EXPECT_NE(error.find("CannotWrite"), std::string::npos) << error;
    EXPECT_FALSE(fs::exists(path("out/tex/a.png")));
    EXPECT_FALSE(fs::exists(path("out/a.gom")));
}

TEST_F(Textures, CollectReplacesItsOwnOlderPictures) {
    put("in/a.png", "new");
    put("out/a.textures/a.png", "old");
    EXPECT_EQ(run("texture a.png", TextureMode::Collect), " a.textures/a.png");
    EXPECT_EQ(get("out/a.textures/a.png"), "new");
    EXPECT_EQ(issues(), "IO_TEXTURE_REPLACED");
    fs::create_directory(path("out/dir.gom"));
    put("in/a.png", "newer");
    request.output = path("out/dir.gom");
    core::Report unused;
    EXPECT_FALSE(convert(registry, request, unused));  // the output is a folder
    const std::string stem(245, 'n');
    fs::rename(path("out/a.textures"), path("out/" + stem + ".textures"));
    request.output = path("out/" + stem + ".too-long-a-name");  // found out after the pictures
    EXPECT_FALSE(convert(registry, request, unused));
    EXPECT_EQ(get("out/" + stem + ".textures/a.png"), "new");  // put back
}

TEST_F(Textures, CollectTakesEmbeddedOnes) {
    EXPECT_EQ(run("embedded tex\\a.png PIXELS\nembedded - BMxyz", TextureMode::Collect), " a.textures/a.png a.textures/texture.bmp");
    EXPECT_EQ(get("out/a.textures/a.png"), "PIXELS");
    EXPECT_EQ(issues(), "");
    fs::remove_all(path("out"));
    EXPECT_EQ(run("embedded tex\\a.png PIXELS", TextureMode::Keep), " tex/a.png");
    EXPECT_EQ(issues(), "IO_TEXTURE_EMBEDDED");
    EXPECT_EQ(list(), "in/ in/a.src out/ out/a.gom");
}

TEST_F(Textures, EqualNamesAreNumberedInSourceOrder) {
    put("in/x/a.png", "1");
    put("in/y/a.png", "2");
    put("in/z/a.png", "3");
    const std::string lines = "texture x/a.png\ntexture y/a.png\ntexture x\\a.png\ntexture z/a.png";
    EXPECT_EQ(run(lines, TextureMode::Collect), " a.textures/a.png a.textures/a~2.png a.textures/a.png a.textures/a~3.png");
    EXPECT_EQ(get("out/a.textures/a~2.png"), "2");
    EXPECT_EQ(get("out/a.textures/a~3.png"), "3");
    EXPECT_EQ(issues(), "IO_TEXTURE_COLLIDES IO_TEXTURE_COLLIDES");
}

TEST_F(Textures, OneKeptNameForDifferentPicturesIsReported) {
    run("embedded a.png ONE\nembedded a.png TWO", TextureMode::Keep);
    EXPECT_TRUE(report.has(IssueId::IO_TEXTURE_COLLIDES));
    run("texture a.png C:\\x\\a.png\ntexture a.png C:\\y\\a.png", TextureMode::Keep);
    EXPECT_TRUE(report.has(IssueId::IO_TEXTURE_COLLIDES));
    put("in/a.png", "1");  // both are the file that was found
    run("texture a.png C:\\x\\a.png\ntexture a.png C:\\y\\a.png", TextureMode::Keep);
    EXPECT_FALSE(report.has(IssueId::IO_TEXTURE_COLLIDES));
    run("embedded b.png ONE\nembedded b.png ONE", TextureMode::Keep);
    EXPECT_FALSE(report.has(IssueId::IO_TEXTURE_COLLIDES));
}

TEST_F(Textures, KeptNamesThatMeetAreReported) {
    EXPECT_EQ(run("texture - C:\\x\\a.png\ntexture - D:\\y\\a.png", TextureMode::Keep), " a.png a.png");
    EXPECT_TRUE(report.has(IssueId::IO_TEXTURE_COLLIDES));
}

TEST_F(Textures, WithoutANameThereIsNoMap) {
    EXPECT_EQ(run("texture ..", TextureMode::Copy), " ");
    EXPECT_EQ(issues(), "IO_TEXTURE_UNNAMED");
    EXPECT_EQ(run("texture C:\\", TextureMode::Collect), " ");
}

TEST_F(Textures, WarningsAsErrorsWriteNoPictures) {
    put("in/a.png", "x");
    request.warnings_as_errors = true;
    run("texture a.png\ntexture b.png", TextureMode::Copy);
    EXPECT_EQ(list(), "in/ in/a.png in/a.src out/");
}

TEST_F(Textures, CollectFolderNamesAreFitForEverySystem) {
    put("in/a.src", "embedded a.png X");
    request.input = Input(path("in/a.src"));
    request.output = path("b\\c\xFF.gom");
    request.textures = TextureMode::Collect;
    ASSERT_TRUE(convert(registry, request, report));
    EXPECT_EQ(get("b_c\xEF\xBF\xBD.textures/a.png"), "X");
}

// A grey TGA of one pixel.
std::string tga(int grey) { return std::string("\0\0\3\0\0\0\0\0\0\0\0\0\1\0\1\0\10\0", 18) + static_cast<char>(grey); }

// Writes "made.gom" with the sizes and first bytes of all pictures; says so in its own bytes.
core::Result<core::Bytes> write_made(model::Model&& m, const codec::WriteOptions& options, core::Report&) {
    if (!options.write_beside || !options.open_picture) {
        return testing::to_bytes("DST alone");
    }
    std::string text = "DST";
    for (const model::Texture& texture : m.textures) {
        const auto picture = options.open_picture(texture);
        if (!picture) {
            return core::Fault(picture.error());
        }
        text += " " + std::to_string(picture->width) + "x" + std::to_string(picture->height) + ":" + std::to_string(picture->rgba[0]);
    }
    options.write_beside("made.dst", testing::to_bytes(text), m.textures.front());
    return testing::to_bytes("DST made");
}

class MadePictures : public Textures {
protected:
    MadePictures() {
        const codec::Registry fakes = fake_registry();
        registry = {};
        for (codec::Codec codec : fakes.codecs()) {
            codec.write = codec.write == nullptr ? nullptr : write_made;
            registry.add(codec);
        }
    }
};

TEST_F(MadePictures, AreMadeOfFilesAndOfWhatIsInsideTheSource) {
    put("in/tex/a.tga", tga(77));
    EXPECT_EQ(run("texture tex\\a.tga\nembedded b.tga " + tga(99), TextureMode::Keep), " made");
    EXPECT_EQ(get("out/made.dst"), "DST 1x1:77 1x1:99");
    EXPECT_EQ(last.pictures_written, std::vector<std::string>{path("out/made.dst")});
    EXPECT_EQ(last.pictures_read, std::vector<std::string>{path("in/tex/a.tga")});
    EXPECT_NE(std::find(last.pictures_known.begin(), last.pictures_known.end(), path("out/made.dst")), last.pictures_known.end());
}

TEST_F(MadePictures, TakeThePlaceOfOlderOnesOnly) {
    put("in/a.tga", tga(5));
    put("out/made.dst", "DST of an earlier run");
    EXPECT_EQ(run("texture a.tga", TextureMode::Keep), " made");
    EXPECT_EQ(issues(), "");
    EXPECT_EQ(get("out/made.dst"), "DST 1x1:5");
    for (const char* other : {"notes", "DS"}) {
        put("out/made.dst", other);
        fs::remove(path("out/a.gom"));
        EXPECT_NE(run("texture a.tga", TextureMode::Keep).find("would replace a different file"), std::string::npos);
        EXPECT_EQ(get("out/made.dst"), other);
        EXPECT_FALSE(fs::exists(path("out/a.gom")));
    }
    fs::remove(path("out/made.dst"));
    ASSERT_EQ(mkfifo(path("out/made.dst").c_str(), 0600), 0);   // whoever opened it would wait for ever
    EXPECT_NE(run("texture a.tga", TextureMode::Keep).find("would replace what is no regular file"), std::string::npos);
}

TEST_F(MadePictures, AreWrittenWithTheModelOrNotAtAll) {
    put("in/a.tga", tga(5));
    put("in/a.src", "texture a.tga");
    fs::create_directories(path("out"));
    request.input = Input(path("in/a.src"));
    request.output = path("out/" + std::string(256, 'n') + ".gom");   // found out after the pictures
    EXPECT_FALSE(convert(registry, request, report));
    EXPECT_EQ(list(), "in/ in/a.src in/a.tga out/");
    EXPECT_NE(run("texture missing.tga", TextureMode::Keep).find("the picture was not found"), std::string::npos);
    EXPECT_EQ(list(), "in/ in/a.src in/a.tga out/");
}

TEST_F(MadePictures, NeedAFolderAroundTheOutput) {
    put("in/a.tga", tga(5));
    put("in/a.src", "texture a.tga");
    request.input = Input(path("in/a.src"));
    request.output = path("a.gom");
    std::string taken;
    request.take_output = [&taken](std::span<const std::byte> bytes) -> core::Result<void> {
        taken.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return {};
    };
    ASSERT_TRUE(convert(registry, request, report));
    EXPECT_EQ(taken, "DST alone");
    const auto bytes = convert_to_bytes(registry, request, report);
    ASSERT_TRUE(bytes.has_value());
    EXPECT_EQ(*bytes, testing::to_bytes("DST alone"));
    EXPECT_EQ(list(), "in/ in/a.src in/a.tga");
}

}  // namespace
}  // namespace gomkit::kit

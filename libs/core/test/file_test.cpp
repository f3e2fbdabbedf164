#include <gomkit/core/file.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace gomkit::core {
namespace {

namespace fs = std::filesystem;

class File : public ::testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "gomkit-file-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
    }
    void TearDown() override {
        fs::permissions(folder_, fs::perms::owner_all);
        fs::remove_all(folder_);
    }
    [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
    void put(const std::string& name, const std::string& text) const { std::ofstream(path(name), std::ios::binary) << text; }
    [[nodiscard]] std::string get(const std::string& name) const {
        std::ifstream in(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    [[nodiscard]] std::size_t entries() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }
    static std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

    std::string folder_;
};

TEST_F(File, ReadsWhatIsThereAligned) {
    put("a", "hello");
    const auto file = read_file(path("a"), 5);
    ASSERT_TRUE(file);
    EXPECT_EQ(std::memcmp(file->bytes().data(), "hello", 5), 0);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(file->bytes().data()) % 16, 0u);
    put("empty", "");
    const auto empty = read_file(path("empty"), 0);
    ASSERT_TRUE(empty);
    EXPECT_EQ(empty->bytes().size(), 0u);
}

TEST_F(File, ReadingSaysWhatIsWrong) {
    put("a", "hello");
    EXPECT_EQ(read_file(path("a"), 4).error().code, Code::LimitExceeded);
    EXPECT_EQ(read_file(path("none"), 4).error().code, Code::CannotOpen);
    EXPECT_EQ(read_file(folder_, 4).error().code, Code::CannotOpen);
    EXPECT_EQ(read_file("", 4).error().code, Code::CannotOpen);
    EXPECT_EQ(read_file("/dev/zero", 3'000'000).error().code, Code::LimitExceeded);
}

TEST_F(File, BytesOutliveTheFile) {
    put("a", "hello");
    const auto file = read_file(path("a"), 10);
    fs::resize_file(path("a"), 0);  // another program cuts it short
    fs::remove(path("a"));
    EXPECT_EQ(file->bytes()[4], std::byte{'o'});
}

TEST_F(File, WritesNewFilesWithTheUsualPermissions) {
    const mode_t old = ::umask(027);
    const auto written = write_file_atomically(path("out"), bytes("text"));
    ::umask(old);
    ASSERT_TRUE(written);
    EXPECT_EQ(get("out"), "text");
    EXPECT_EQ(entries(), 1u);
    EXPECT_EQ(fs::status(path("out")).permissions(), static_cast<fs::perms>(0640));
}

TEST_F(File, ReplacesAndKeepsPermissions) {
    put("out", "old and longer");
    fs::permissions(path("out"), static_cast<fs::perms>(0604));
    ASSERT_TRUE(write_file_atomically(path("out"), bytes("new")));
    EXPECT_EQ(get("out"), "new");
    EXPECT_EQ(fs::status(path("out")).permissions(), static_cast<fs::perms>(0604));
    EXPECT_EQ(entries(), 1u);
}

TEST_F(File, FollowsLinks) {
    put("target", "old");
    fs::create_symlink("target", path("link"));
    ASSERT_TRUE(write_file_atomically(path("link"), bytes("new")));
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(get("target"), "new");
}

TEST_F(File, LinksToNothingAreFollowed) {
    fs::create_directory(path("d"));
    fs::create_symlink("d/target", path("link"));
    fs::create_symlink("link", path("second"));
    ASSERT_TRUE(write_file_atomically(path("second"), bytes("new")));
    EXPECT_TRUE(fs::is_symlink(path("second")));
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(get("d/target"), "new");
    fs::create_symlink("none/target", path("lost"));
    EXPECT_EQ(write_file_atomically(path("lost"), bytes("x")).error().code, Code::CannotWrite);
    fs::create_symlink("two", path("one"));
    fs::create_symlink("one", path("two"));
    const auto loop = write_file_atomically(path("one"), bytes("x"));
    ASSERT_FALSE(loop);
    EXPECT_EQ(loop.error().what, "cannot follow the link");
    EXPECT_TRUE(fs::is_symlink(path("one")));
    EXPECT_TRUE(fs::is_symlink(path("lost")));
}

TEST_F(File, IdentitiesAreOfWhatWouldBeWritten) {
    put("a", "x");
    fs::create_symlink("a", path("soft"));
    fs::create_symlink("none", path("dangling"));
    fs::create_hard_link(path("a"), path("hard"));
    EXPECT_EQ(identity_of(path("soft")), identity_of(folder_ + "/./a"));
    EXPECT_EQ(identity_of(path("dangling")), identity_of(path("none")));
    EXPECT_NE(identity_of(path("a")), identity_of(path("none")));
    EXPECT_EQ(file_id(path("hard")), file_id(path("soft")));
    EXPECT_FALSE(file_id(path("none")));
}

TEST_F(File, MessagesNameWhatIsInTheWay) {
    put("file", "x");
    EXPECT_EQ(write_file_atomically(path("file/out"), {}).error().what, "'" + path("file") + "' in the output's path is a file, not a folder");
    EXPECT_EQ(check_output_folder(path("file/sub/out")).error().what, "'" + path("file") + "' in the output's path is a file, not a folder");
    EXPECT_EQ(check_output_folder(path("none/out")).error().cure, "make it first");
    EXPECT_TRUE(check_output_folder(path("out")));
    EXPECT_EQ(write_file_atomically(path(std::string(300, 'n')), {}).error().cure, "use a shorter name");
}

TEST_F(File, RefusesWhatCannotBeWritten) {
    fs::create_directory(path("folder"));
    EXPECT_EQ(write_file_atomically(path("folder"), {}).error().code, Code::CannotWrite);
    EXPECT_EQ(write_file_atomically(path("none/out"), {}).error().code, Code::CannotWrite);
    EXPECT_EQ(write_file_atomically(path("new/"), {}).error().code, Code::CannotWrite);
    EXPECT_EQ(write_file_atomically("", {}).error().code, Code::CannotWrite);
    EXPECT_EQ(write_file_atomically("/proc/version-x", {}).error().code, Code::CannotWrite);
    EXPECT_EQ(entries(), 1u);
}

TEST_F(File, DevicesAreWrittenToAndNeverReplaced) {
    const auto full = write_file_atomically("/dev/full", bytes("x"));
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, Code::CannotWrite);
    EXPECT_EQ(full.error().cure, "free some space on the disk");
    EXPECT_TRUE(write_file_atomically("/dev/null", bytes("x")));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(File, NamesAsLongAsTheFileSystemAllowsWork) {
    const std::string longest(255, 'n');
    EXPECT_TRUE(write_file_atomically(path(longest), bytes("x")));
    EXPECT_EQ(write_file_atomically(path(longest + "n"), bytes("x")).error().code, Code::CannotWrite);
    EXPECT_EQ(entries(), 1u);
}

TEST_F(File, ManyThreadsWriteWithoutMixing) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([this, t] {
            for (int i = 0; i < 20; ++i) {
                EXPECT_TRUE(write_file_atomically(path(std::to_string(t)), bytes(std::string(1000, static_cast<char>('a' + t)))));
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(entries(), 8u);
    EXPECT_EQ(get("3"), std::string(1000, 'd'));
}

TEST_F(File, NoTemporaryFileIsThereDuringAPause) {
    std::atomic<bool> stop{false};
    std::atomic<int> writes{0};
    std::thread writer([&] {
        for (; !stop; ++writes) {
            static_cast<void>(write_file_atomically(path("out"), bytes(std::string(1'000'000, 'x'))));
        }
    });
    for (int i = 0; i < 30; ++i) {
        for (const int seen = writes; writes == seen;) {
            std::this_thread::yield();
        }
        const WritePause pause;
        EXPECT_EQ(entries(), 1u);
    }
    stop = true;
    writer.join();
}

TEST_F(File, APauseWaitsForAWholeGroup) {
    std::atomic<bool> paused{false};
    std::thread pauser;
    {
        const WriteGroup group;
        pauser = std::thread([&] {
            const WritePause pause;
            paused = true;
            EXPECT_EQ(entries(), 2u);
        });
        ASSERT_TRUE(write_file_atomically(path("a"), bytes("x")));
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        ASSERT_TRUE(write_file_atomically(path("b"), bytes("x")));  // although somebody waits for a pause
        EXPECT_FALSE(paused);
    }
    pauser.join();
    EXPECT_TRUE(paused);
}

TEST_F(File, SameFileFollowsLinks) {
    put("a", "x");
    put("b", "x");
    fs::create_symlink("a", path("soft"));
    fs::create_hard_link(path("a"), path("hard"));
    EXPECT_TRUE(same_file(path("a"), path("soft")));
    EXPECT_TRUE(same_file(path("a"), path("hard")));
    EXPECT_TRUE(same_file(path("a"), folder_ + "/./a"));
    EXPECT_FALSE(same_file(path("a"), path("b")));
    EXPECT_FALSE(same_file(path("a"), path("none")));
}

TEST(FileName, PiecesOfAPath) {
    EXPECT_EQ(base_name("a/b.c"), "b.c");
    EXPECT_EQ(base_name("b"), "b");
    EXPECT_EQ(base_name("a/"), "");
    EXPECT_EQ(folder_of("a/b/c"), "a/b");
    EXPECT_EQ(folder_of("c"), ".");
    EXPECT_EQ(folder_of("/c"), "/");
    EXPECT_EQ(extension_of("a.FBX"), "fbx");
    EXPECT_EQ(extension_of("x.y/a"), "");
    EXPECT_EQ(extension_of(".hidden"), "");
    EXPECT_EQ(extension_of("a.tar.gz"), "gz");
    EXPECT_EQ(extension_of("a."), "");
}

}  // namespace
}  // namespace gomkit::core

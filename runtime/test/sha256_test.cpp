#include "gomkit/runtime/sha256.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gomkit::runtime {
namespace {

std::string hex(const std::array<std::uint8_t, 32>& digest) {
    std::string out;
    for (const std::uint8_t b : digest) {
        out += "0123456789abcdef"[b >> 4];
        out += "0123456789abcdef"[b & 15];
    }
    return out;
}

std::span<const std::uint8_t> bytes_of(const std::string& s) {
    return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()};
}

struct Vector {
    std::string message;
    const char* digest;
};

// FIPS 180-4 examples and NIST's short and long message vectors.
std::vector<Vector> vectors() {
    return {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
            {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
            {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
            {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
             "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
            {std::string(1, '\xd3'), "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"},
            {std::string(1'000'000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"}};
}

TEST(Sha256, GivesNistsDigestsOnEveryPath) {
    for (const Vector& v : vectors()) {
        EXPECT_EQ(hex(sha256(bytes_of(v.message))), v.digest);
        for (const Sha256Path path : {Sha256Path::Auto, Sha256Path::Portable, Sha256Path::Hardware}) {
            Sha256 hash(path);
            hash.update(bytes_of(v.message));
            EXPECT_EQ(hex(hash.finish()), v.digest);
        }
    }
}

TEST(Sha256, PathsAgreeAtEveryLengthAndSplit) {
    if (!sha256_has_hardware()) GTEST_SKIP() << "this CPU has no SHA extensions: both paths are the same";
    std::vector<std::uint8_t> message;
    std::uint32_t state = 1;
    for (std::size_t n = 0; n < 700; ++n) {
        Sha256 portable(Sha256Path::Portable), hardware(Sha256Path::Hardware), split(Sha256Path::Hardware);
        portable.update(std::span<const std::uint8_t>(message));
        hardware.update(std::span<const std::uint8_t>(message));
        const std::size_t cut = n == 0 ? 0 : state % n;
        split.update(std::span<const std::uint8_t>(message).first(cut));
        split.update(std::span<const std::uint8_t>(message).subspan(cut));
        const auto expected = portable.finish();
        ASSERT_EQ(hardware.finish(), expected) << n;
        ASSERT_EQ(split.finish(), expected) << n;
        state = state * 1664525 + 1013904223;
        message.push_back(static_cast<std::uint8_t>(state >> 24));
    }
}

TEST(Sha256, FinishStartsAnew) {
    Sha256 hash;
    hash.update(bytes_of("abc"));
    const auto first = hash.finish();
    EXPECT_EQ(hex(hash.finish()), vectors()[0].digest);
    hash.update(bytes_of("abc"));
    EXPECT_EQ(hash.finish(), first);
}

TEST(Sha256, TakesBothKindsOfBytes) {
    const std::string text = "abc";
    EXPECT_EQ(sha256(std::as_bytes(std::span(text.data(), text.size()))), sha256(bytes_of(text)));
}

}  // namespace
}  // namespace gomkit::runtime

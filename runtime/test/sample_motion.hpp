#pragma once
// A small MTA for the skeleton of sample(), written byte by byte as sample.hpp does it.

#include "sample.hpp"

namespace gomkit::runtime::test {

// Of the bones Root, Root/Arm, Root/Arm/Hand (parents -1 0 1), as Python's hashlib gives it.
inline constexpr std::array<std::uint8_t, 32> kSampleSignature = {
    0x0b, 0xa5, 0xc4, 0xb3, 0x21, 0xaf, 0xd1, 0x04, 0xa4, 0x0b, 0x17, 0xd6, 0x4e, 0x01, 0x69, 0x83,
    0x7c, 0x5d, 0xe8, 0xbf, 0xb6, 0x9f, 0xa0, 0x0e, 0x49, 0xae, 0xa0, 0x51, 0xfa, 0xfa, 0xd6, 0x6e};

inline void motion_header(Builder& b) {
    header(b);
    std::memcpy(b.bytes.data(), "MTAB0001", 8);
    b.set("header.validationFlags", 0U);
    b.marks["header.skeletonSig"] = 76;
    for (std::size_t i = 0; i < 32; ++i) b.put8(76 + i, kSampleSignature[i]);
}

// Everything once: two clips, and names that sample() has not.
inline Builder sample_motion() {
    Builder b;
    motion_header(b);
    strings(b, {"gomkit 1", "jump", "run \xE6\xAD\xA9"});
    b.set("header.converterVersionStrId", 0U);
    b.begin("ANIM", "ANIM");
    b.count("clipCount", 2);
    b.end();
    clip(b, "CLP0[0]", 1, 1.0F, -1, 2, {{0, 2, 3, 0}, {2, 0, 2, 2}});
    clip(b, "CLP0[1]", 2, 0.5F, 0, 1, {{1, 1, 1, 1}});
    table(b);
    return b;
}

// The least an MTA needs: STR0 and ANIM, no table.
inline Builder least_motion() {
    Builder b;
    motion_header(b);
    strings(b, {});
    b.begin("ANIM", "ANIM");
    b.count("clipCount", 0);
    b.end();
    return b;
}

}  // namespace gomkit::runtime::test

#pragma once

#include <string>

#include <gtest/gtest.h>

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/file.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/core/text.hpp>
#include <gomkit/runtime/sha256.hpp>
#include <gomkit_test/model_maker.hpp>

#include "decode.hpp"
#include "document.hpp"
#include "encode.hpp"
#include "export.hpp"
#include "import.hpp"

namespace gomkit::km3::test {

/// The worked example of the page (docs/spec/km3.md 15).
inline Document example() {
    Document d;
    d.unit_count = 2;
    d.names = {"body_a", "arm_l"};
    Unit body;
    body.verts = {{-50, 0, 0, 1}, {-50, 100, 0, 1}, {50, 100, 0, 1}, {50, 0, 0, 1}};
    body.vid = {{0, 1, 2, 3}};
    body.norms = {{0, 0, 1, 1}};
    body.nid = {{0, 0, 0, 0}};
    body.uvs = {{0, 1, 0, 0, 1, 0, 1, 1}};
    body.tex = {0};
    Unit arm;
    arm.type = 0x401;
    arm.origin = {0, 100, 0};
    arm.parent = 0;
    arm.verts = {{-50, 0, 0, 0}, {0, 80, 0, 1}, {50, 0, 0, 0.25f}};
    arm.vid = {{0, 1, 2, 2}};
    arm.norms = {{0, 0, 1, 1}};
    arm.nid = {{0, 0, 0, 0}};
    arm.uvs = {{0, 1, 0.5f, 0, 1, 1, 1, 1}};
    arm.tex = {1};
    d.units = {body, arm};
    return d;
}

inline core::Result<Document> decoded(std::span<const std::byte> bytes, bool strict = true) {
    DecodeOptions options;
    options.strict = strict;
    return decode(bytes, "a.km3", options);
}

using gomkit::test::argument;
using gomkit::test::find;
using gomkit::test::ModelMaker;

inline Document exported(const model::Model& m, core::Report& report, const codec::WriteOptions& options = {}) {
    core::Result<Document> document = export_model(m, options, report);
    EXPECT_TRUE(document.has_value()) << core::to_string(document.error());
    return document ? std::move(*document) : Document{};
}

}  // namespace gomkit::km3::test

#pragma once

#include <string>
#include <utility>

#include <gomkit_test/model_maker.hpp>
#include <gtest/gtest.h>

#include "document.hpp"
#include "encode.hpp"
#include "export.hpp"
#include "prove.hpp"

namespace gomkit::ps1::test {

using core::IssueId;
using gomkit::test::argument;
using gomkit::test::ModelMaker;
using model::Vec3;

/// A clip without tracks.
inline model::Clip clip(const std::string& name, double duration) {
    model::Clip out;
    out.name = name;
    out.duration = duration;
    return out;
}
/// What was made, as a mesh that no bone moves.
inline model::Model take_boneless(ModelMaker& maker) {
    model::Model m = maker.take();
    m.meshes[0].skin.reset();
    return m;
}

/// A model as a PS1M, with options as the command line gives them.
inline core::Result<Document> try_written(const model::Model& m, core::Report& report, codec::FormatValues values = {}) {
    codec::WriteOptions options;
    options.format = std::move(values);
    return export_model(m, options, report);
}
/// The same of one that can be written; also expects that the checker finds no fault.
inline Document written(const model::Model& m, core::Report& report, codec::FormatValues values = {}) {
    core::Result<Document> d = try_written(m, report, std::move(values));
    EXPECT_TRUE(d.has_value()) << core::to_string(d.error());
    if (!d) {
        return {};
    }
    const auto proof = prove(encode(*d));
    EXPECT_TRUE(proof.has_value()) << core::to_string(proof.error());
    return std::move(*d);
}

}  // namespace gomkit::ps1::test

#pragma once

#include <string>

#include <gomkit/core/report.hpp>

#include "names.hpp"
#include "scene.hpp"

namespace gomkit::fbx {

/// What the parts of the linter share. The scene is a raw one: lists may hold null.
struct Lint {
    const ufbx_scene& scene;
    const codec::CheckOptions& options;
    core::Report& report;
    Names names;

    /// Short enough for a line.
    [[nodiscard]] std::string name(const ufbx_string& s) const;
    /// "bone 'Hips' [12]": kind, name, and the id that `info --elements` shows.
    [[nodiscard]] core::Place at(const ufbx_element& element) const;
};

/// "node", "mesh", "skin cluster": an element's kind, for people.
[[nodiscard]] const char* kind_name(ufbx_element_type type);

void lint_nodes(Lint& lint);
void lint_meshes(Lint& lint);
void lint_skins(Lint& lint);
void lint_morphs(Lint& lint);
void lint_animations(Lint& lint);
void lint_textures(Lint& lint);
/// A namespace that the names of all bones share, in files of programs that write one.
void lint_prefix(Lint& lint);

/// Codec::check: what is wrong or unusual in the file itself, and what a conversion would say of it.
void check(std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& report);

/// Codec::read.
[[nodiscard]] core::Result<model::Model> read(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions& options,
                                              core::Report& report);

}  // namespace gomkit::fbx

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gomkit/core/error.hpp>
#include <gomkit/model/model.hpp>

namespace gomkit::pass {

/// Whether an animation's name is one that exporters give when nobody chose one: empty, `mixamo.com`, `Take 001`, `Take`, `Default`,
/// `Default Take`, `Unreal Take`, `Animation`, `Anim`, `Action`, `ArmatureAction`, `Scene`, `Untitled`, `Clip`, `Animation Stack`; a
/// number behind it (`Take 002`, `Action.003`, `anim_1`) and letter case make no difference.
[[nodiscard]] bool is_default_clip_name(std::string_view name);

/// The name an added clip gets from its stack's: what follows the last `|` that says something (`Armature|Walk` -> `Walk`), layer names at
/// the end (`Layer0`, `BaseLayer`) and Blender's `<object>Action` counting as nothing. Empty when nothing is left.
[[nodiscard]] std::string clip_name_of_stack(std::string_view stack_name);

/// Names the clips of one added file (--add-clips): by clip_name_of_stack, where that gives "" by the file's name without folders and
/// extension, followed by `_N` (the clip's position in the file, from 1) when the file has several clips. Where two clips of the file would be
/// called the same, both keep their whole stack name. The file named on its own (plain conversion) never goes through here.
void name_added_clips(std::span<model::Clip> clips, std::string_view file);

/// The clips of one file, for check_clip_names.
struct ClipsOfFile {
    std::string file;
    std::vector<std::string> names;
};

/// Errors: CannotConvert when clips of two files have one name; the message names both files.
[[nodiscard]] core::Result<void> check_clip_names(std::span<const ClipsOfFile> files);

}  // namespace gomkit::pass

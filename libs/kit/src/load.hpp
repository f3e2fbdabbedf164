#pragma once

#include <string>
#include <span>
#include <vector>

#include <gomkit/codec/codec.hpp>
#include <gomkit/kit/input.hpp>
#include <gomkit/model/skeleton.hpp>

namespace gomkit::kit {

/// An input with its bytes and the format that knows them.
struct Loaded {
    const codec::Codec* codec = nullptr;
    core::FileBytes bytes;
};

[[nodiscard]] core::Place file_place(const std::string& file);

/// The input's bytes. Errors: CannotOpen, CannotRead, LimitExceeded.
[[nodiscard]] core::Result<core::FileBytes> read_input(const Input& input, const core::Limits& limits);

/// Opens the input and recognises its format. Errors: CannotOpen, CannotRead, LimitExceeded, NotThisFormat.
[[nodiscard]] core::Result<Loaded> load(const codec::Registry& registry, const Input& input, const core::Limits& limits);

/// Errors: Unsupported when the format says itself how its names are encoded, and something else was asked for.
[[nodiscard]] core::Result<void> check_encoding(const codec::Codec& codec, const std::string& file, codec::TextEncoding encoding);

/// Errors: Unsupported when an option is set that none of the formats that were read has. `file` is the input, the first of them.
[[nodiscard]] core::Result<void> check_read_options(std::span<const codec::Codec* const> read, const std::string& file,
                                                    const codec::ReadOptions& options);

/// The model of what load() gave. Without options.side_file side files are looked for beside `file`. Errors: Unsupported for a format
/// that cannot be read, or options that it does not have; those of the format.
[[nodiscard]] core::Result<model::Model> read_model(const Loaded& loaded, const std::string& file, const codec::ReadOptions& options,
                                                    core::Report& report);

/// Where a source's side files lie: beside `source_file` and in `folders`, by the rules for pictures. `opened` (may be null) receives
/// the files that were read; both outlive the result's use.
[[nodiscard]] codec::SideFile side_files(const std::string& source_file, const std::vector<std::string>& folders, const core::Limits& limits,
                                         std::vector<std::string>* opened = nullptr);

/// Both steps.
[[nodiscard]] core::Result<model::Model> read_model(const codec::Registry& registry, const Input& input, const codec::ReadOptions& options,
                                                    core::Report& report);

/// The skeleton of a model that was read from `file`, which errors name.
[[nodiscard]] core::Result<model::Skeleton> skeleton_of(const model::Model& model, const std::string& file, const core::Limits& limits);

/// "FBX (.fbx), GOM (.gom)".
[[nodiscard]] std::string readable_formats(const codec::Registry& registry);

}  // namespace gomkit::kit

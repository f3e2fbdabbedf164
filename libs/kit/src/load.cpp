#include "load.hpp"

#include <algorithm>

#include <gomkit/core/path.hpp>

#include "texture_search.hpp"

namespace gomkit::kit {

core::Place file_place(const std::string& file) {
    core::Place place;
    place.file = file;
    return place;
}

std::string readable_formats(const codec::Registry& registry) {
    std::string out;
    for (const codec::Codec& codec : registry.codecs()) {
        if (codec.read == nullptr) {
            continue;
        }
        out += out.empty() ? "" : ", ";
        out += codec.name;
        for (std::size_t i = 0; i < codec.extensions.size(); ++i) {
            out += (i == 0 ? " (." : ", .") + std::string(codec.extensions[i]);
        }
        out += codec.extensions.empty() ? "" : ")";
    }
    return out;
}

namespace {

// All of it, or one byte more than is allowed.
core::Result<core::Bytes> read_stream(const Input& input, std::uint64_t max_bytes) {
    constexpr std::size_t kBlock = 1u << 20;
    core::Bytes out;
    while (out.size() <= max_bytes) {
        const std::size_t old = out.size();
        out.resize(old + static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, max_bytes + 1 - old)));
        core::Result<std::size_t> got = input.stream(std::span(out).subspan(old));
        if (!got) {
            if (got.error().place.file.empty()) {
                got.error().place.file = input.path;
            }
            return core::Fault(std::move(got.error()));
        }
        if (*got > out.size() - old) {
            return core::fail(core::Code::Internal, file_place(input.path), "the stream says that it gave more than was asked for",
                              std::to_string(*got) + " bytes", "at most " + std::to_string(out.size() - old) + " bytes");
        }
        out.resize(old + *got);
        if (*got == 0) {
            break;
        }
    }
    return out;
}

}  // namespace

core::Result<core::FileBytes> read_input(const Input& input, const core::Limits& limits) {
    if (!input.is_given()) {
        auto bytes = core::read_file(input.path, limits.max_file_bytes);
        if (!bytes && bytes.error().code == core::Code::CannotOpen && input.path.starts_with('-') && !core::exists(input.path)) {
            bytes.error().cure = input.path == "-" ? "for stdin name /dev/stdin" : "check the path; options stand before '--'";
        }
        return bytes;
    }
    core::FileBytes out;
    if (input.bytes) {
        out = *input.bytes;
    } else {
        auto bytes = read_stream(input, limits.max_file_bytes);
        if (!bytes) {
            return core::Fault(std::move(bytes.error()));
        }
        out = core::FileBytes(std::move(*bytes));
    }
    if (out.bytes().size() > limits.max_file_bytes) {
        return core::fail(core::Code::LimitExceeded, file_place(input.path), "the file is too large",
                          "more than " + std::to_string(limits.max_file_bytes) + " bytes",
                          "at most " + std::to_string(limits.max_file_bytes) + " bytes", "use larger --limits");
    }
    return out;
}

core::Result<Loaded> load(const codec::Registry& registry, const Input& input, const core::Limits& limits) {
    Loaded loaded;
    auto bytes = read_input(input, limits);
    if (!bytes) {
        return core::Fault(std::move(bytes.error()));
    }
    loaded.bytes = std::move(*bytes);
    loaded.codec = registry.for_bytes(loaded.bytes.bytes(), input.path);
    if (loaded.codec == nullptr) {
        return core::fail(core::Code::NotThisFormat, file_place(input.path), "the file is of no known format", {},
                          "one of: " + readable_formats(registry),
                          core::extension_of(input.path) == "fbx" ? "this build of gomkit is without FBX, see gomkit --version" : "");
    }
    return loaded;
}

codec::SideFile side_files(const std::string& source_file, const std::vector<std::string>& folders, const core::Limits& limits,
                           std::vector<std::string>* opened) {
    return [&source_file, &folders, max_bytes = limits.max_file_bytes, opened](const std::string& name) -> std::optional<core::FileBytes> {
        model::Texture named;
        named.source_relative = name;
        named.path = core::stored_path(name);
        const TextureFound found = find_texture(named, source_file, folders);
        if (found.file.empty()) {
            return std::nullopt;
        }
        auto bytes = core::read_file(found.file, max_bytes);
        if (!bytes) {
            return std::nullopt;
        }
        if (opened != nullptr && std::find(opened->begin(), opened->end(), found.file) == opened->end()) {
            opened->push_back(found.file);
        }
        return std::move(*bytes);
    };
}

core::Result<void> check_encoding(const codec::Codec& codec, const std::string& file, codec::TextEncoding encoding) {
    if (encoding != codec::TextEncoding::Auto && !codec.takes_encoding) {
        return core::fail(core::Code::Unsupported, file_place(file), std::string("--encoding has no effect on ") + codec.name + " files, which are UTF-8", {}, {},
                          "leave the option away");
    }
    return {};
}

core::Result<void> check_read_options(std::span<const codec::Codec* const> read, const std::string& file, const codec::ReadOptions& options) {
    const auto none = [&](bool codec::Codec::*has) { return std::none_of(read.begin(), read.end(), [has](const codec::Codec* c) { return c->*has; }); };
    if (options.fps > 0 && none(&codec::Codec::resamples)) {
        return core::fail(core::Code::Unsupported, file_place(file),
                          std::string("--fps samples curves, and ") + read.front()->name + " files have none, only keys", {}, {},
                          "convert the original with --fps");
    }
    const codec::SceneOptions& scene = options.scene;
    const bool in_transforms = scene.space == codec::SpaceConversion::Transforms;
    const char* option = scene.unit_meters != 0  ? "--unit-override"
                         : !scene.up.empty()     ? "--up"
                         : !scene.front.empty()  ? "--front"
                         : in_transforms         ? "--space transforms"
                         : scene.skip_hidden     ? "--hidden skip"
                         : scene.level_of_detail ? "--lod"
                         : scene.subdivide != 0  ? "--subdivide"
                         : scene.time            ? "--time"
                         : scene.profile != "auto" ? "--profile"
                                                 : nullptr;
    if (option != nullptr && none(&codec::Codec::scenes)) {
        return core::fail(core::Code::Unsupported, file_place(file),
                          std::string(option) + " is about scenes as an artist's program writes them, and " + read.front()->name + " files are none", {},
                          {}, std::string("convert the original with ") + option);
    }
    return {};
}

core::Result<model::Model> read_model(const Loaded& loaded, const std::string& file, const codec::ReadOptions& options,
                                      core::Report& report) {
    if (loaded.codec->read == nullptr) {
        return core::fail(core::Code::Unsupported, file_place(file), std::string(loaded.codec->name) + " files cannot be read");
    }
    if (auto usable = check_encoding(*loaded.codec, file, options.encoding); !usable) {
        return core::Fault(std::move(usable.error()));
    }
    if (!options.side_file) {
        codec::ReadOptions beside = options;
        const std::vector<std::string> no_folders;
        beside.side_file = side_files(file, no_folders, options.limits);
        return read_model(loaded, file, beside, report);
    }
    auto model = loaded.codec->read(loaded.bytes.bytes(), file, options, report);
    if (!model && model.error().place.file.empty()) {
        model.error().place.file = file;
    }
    return model;
}

core::Result<model::Model> read_model(const codec::Registry& registry, const Input& input, const codec::ReadOptions& options,
                                      core::Report& report) {
    const auto loaded = load(registry, input, options.limits);
    if (!loaded) {
        return core::Fault(loaded.error());
    }
    return read_model(*loaded, input.path, options, report);
}

core::Result<model::Skeleton> skeleton_of(const model::Model& model, const std::string& file, const core::Limits& limits) {
    auto skeleton = model::build_skeleton(model, limits);
    if (!skeleton && skeleton.error().place.file.empty()) {
        skeleton.error().place.file = file;
    }
    return skeleton;
}

}  // namespace gomkit::kit

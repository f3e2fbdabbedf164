#include <gomkit/kit/plan.hpp>

#include <map>

#include <gomkit/core/file.hpp>

#include "guarded.hpp"
#include "load.hpp"

namespace gomkit::kit {
namespace {

using core::Code;

core::Result<const codec::Codec*> target_format(const codec::Registry& registry, const std::string& id, const std::string& output_file,
                                                 const std::string& fallback) {
    const codec::Codec* codec = nullptr;
    if (!id.empty()) {
        codec = registry.by_id(id);
        if (codec == nullptr) {
            return core::fail(Code::Usage, {}, "there is no format '" + id + "'", {}, {}, "see gomkit formats");
        }
    } else {
        const std::string extension = core::extension_of(output_file);
        codec = extension.empty() ? registry.by_id(fallback) : registry.for_extension(extension);
        if (codec == nullptr) {
            return core::fail(Code::Usage, file_place(output_file), "no format has the extension '." + extension + "'", {}, {},
                              "name the format with --to");
        }
    }
    if (codec->write == nullptr) {
        return core::fail(Code::Unsupported, file_place(output_file), std::string(codec->name) + " files cannot be written", {}, {},
                          "see gomkit formats");
    }
    return codec;
}

// "dir/hero.fbx" -> "dir/hero.gom".
std::string with_extension(const std::string& path, const codec::Codec& codec) {
    const std::size_t base = path.size() - core::base_name(path).size();
    const std::size_t dot = path.find_last_of('.');
    const std::string stem = dot == std::string::npos || dot <= base ? path : path.substr(0, dot);
    return codec.extensions.empty() ? stem : stem + "." + codec.extensions.front();
}

}  // namespace

core::Result<std::vector<PlannedOutput>> plan_outputs(const codec::Registry& registry, std::span<const std::string> inputs,
                                                      const std::string& output, const std::string& target,
                                                      const std::string& fallback) {
    return guarded(output, [&]() -> core::Result<std::vector<PlannedOutput>> {
        const bool ends_with_slash = output.ends_with('/');
        const bool to_folder = !output.empty() && (ends_with_slash || inputs.size() > 1 || core::is_folder(output));
        const auto codec = target_format(registry, target, output.empty() || to_folder ? std::string() : output, fallback);
        if (!codec) {
            return core::Fault(codec.error());
        }
        if (to_folder && !core::is_folder(output)) {
            if (core::exists(output)) {
                return core::fail(Code::Usage, file_place(output), inputs.size() == 1 ? "the output ends with '/' and is a file" : "several inputs need a folder as output, and this is a file");
            }
            return core::fail(Code::CannotWrite, file_place(output), "the output folder does not exist", {}, {}, "make it first");
        }
        std::vector<PlannedOutput> plan;
        std::map<std::string, std::string> taken;
        std::map<std::string, std::string> sources;
        for (const std::string& input : inputs) {
            sources.try_emplace(core::identity_of(input), input);
        }
        for (const std::string& input : inputs) {
            std::string path = output;
            if (output.empty()) {
                path = with_extension(input, **codec);
            } else if (to_folder) {
                path = with_extension((ends_with_slash ? output : output + "/") + std::string(core::base_name(input)), **codec);
            }
            const std::string id = core::identity_of(path);
            const auto source = sources.find(id);
            if (source != sources.end() && core::identity_of(input) != id) {
                return core::fail(Code::Usage, file_place(path), "the output of '" + input + "' is itself an input", {}, {},
                                  "choose another folder with -o");
            }
            const auto [it, fresh] = taken.try_emplace(id, input);
            if (!fresh) {
                return core::fail(Code::Usage, file_place(path), "'" + it->second + "' and '" + input + "' would both be written to this file",
                                  {}, {}, "convert them one by one, each with its own -o");
            }
            plan.push_back({std::move(path), (*codec)->id});
        }
        return plan;
    });
}

}  // namespace gomkit::kit

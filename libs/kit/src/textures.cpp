#include "textures.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include <gomkit/core/file.hpp>
#include <gomkit/core/path.hpp>
#include <gomkit/core/text.hpp>
#include <gomkit/model/texture_name.hpp>

#include "texture_search.hpp"

namespace gomkit::kit {
namespace {

using model::source_name;

// A name for an embedded picture without one, by its first bytes.
std::string name_for(const std::vector<std::byte>& content) {
    const std::string_view head(reinterpret_cast<const char*>(content.data()), std::min<std::size_t>(content.size(), 8));
    const char* extension = head.starts_with("\x89PNG")       ? ".png"
                            : head.starts_with("\xFF\xD8\xFF") ? ".jpg"
                            : head.starts_with("BM")           ? ".bmp"
                            : head.starts_with("GIF8")         ? ".gif"
                            : head.starts_with("DDS ")         ? ".dds"
                                                               : "";
    return std::string("texture") + extension;
}

bool same_picture(const PictureWrite& a, const PictureWrite& b) {
    return a.from.empty() && b.from.empty() ? a.content == b.content : a.from == b.from;
}

class Placing {
public:
    Placing(const ConvertRequest& request, const Run& run, core::Report& report) : request_(request), run_(run), report_(report) {
        const std::string name(core::base_name(request.output));
        collect_folder_ = core::clean_text(name.substr(0, name.find_last_of('.'))) + ".textures";
        // The folder's name stands in the model, so it must be one that every system takes for a single component.
        std::replace_if(collect_folder_.begin(), collect_folder_.end(), [](char c) { return c == '\\' || c == ':'; }, '_');
    }

    void place(model::Texture& texture) {
        const TextureFound found = find_texture(texture, request_.input.path, request_.texture_folders,
                                                [this](const std::string& file) { return run_.is_made_here(file); });
        texture.found = found.file;
        if (found.other_case) {
            report_.add(core::IssueId::IO_TEXTURE_CASE, {}, {{"path", source_name(texture)}, {"found", found.file}});
        }
        const bool collect = request_.textures == TextureMode::Collect;
        const bool take_embedded = collect && !texture.content.empty();
        if (collect && (take_embedded || !found.file.empty())) {
            std::string base = core::source_base_name(source_name(texture));
            if (base.empty()) {
                base = name_for(texture.content);
            }
            texture.path = collect_folder_ + "/" + core::clean_text(base);
            write(texture, take_embedded);
            return;
        }
        if (texture.path.empty()) {
            report_.add(core::IssueId::IO_TEXTURE_UNNAMED, {}, {{"path", source_name(texture)}, {"outcome", "the material has no such map"}});
            return;
        }
        report_path(texture);
        if (found.file.empty()) {
            const auto id = texture.content.empty() ? core::IssueId::IO_TEXTURE_MISSING : core::IssueId::IO_TEXTURE_EMBEDDED;
            report_.add(id, {}, {{"path", texture.path}});
        } else if (request_.textures == TextureMode::Copy) {
            write(texture, false);
        }
        if (request_.textures == TextureMode::Keep || found.file.empty()) {
            report_collision(texture);
        }
    }

    std::vector<PictureWrite> take() {
        std::vector<PictureWrite> out;
        for (auto& entry : writes_) {
            out.push_back(std::move(entry.second));
        }
        return out;
    }

private:
    // What was made of a path that cannot be stored.
    void report_path(const model::Texture& texture) {
        const std::string& source = source_name(texture);
        if (source == texture.path) {
            return;
        }
        if (core::is_absolute_path(source)) {
            report_.add(core::IssueId::IO_TEXTURE_ABSOLUTE, {}, {{"path", source}, {"written", texture.path}});
        } else if (core::normalised_path(source).starts_with("../")) {
            report_.add(core::IssueId::IO_TEXTURE_OUTSIDE, {}, {{"path", source}, {"written", texture.path}});
        }
    }

    // Kept paths are not numbered: a number would name a file that nobody has.
    void report_collision(const model::Texture& texture) {
        const auto [it, fresh] = kept_.try_emplace(texture.path, &texture);
        const model::Texture& first = *it->second;
        if (fresh || (!first.found.empty() && first.found == texture.found)) {
            return;
        }
        const bool other_content = !first.content.empty() && !texture.content.empty() && first.content != texture.content;
        if (source_name(first) != source_name(texture)) {
            report_one_path(texture.path, source_name(first), source_name(texture));
        } else if (first.source_absolute != texture.source_absolute || other_content) {
            report_one_path(texture.path, absolute(first), absolute(texture));
        }
    }

    void report_one_path(const std::string& written, const std::string& first, const std::string& second) {
        report_.add(core::IssueId::IO_TEXTURE_COLLIDES, {},
                    {{"path", first}, {"other", second}, {"written", written}, {"outcome", "the model shows one picture for both"}});
    }

    static const std::string& absolute(const model::Texture& t) { return t.source_absolute.empty() ? source_name(t) : t.source_absolute; }

    void write(model::Texture& texture, bool embedded) {
        if (!core::is_inside_path(texture.path)) {
            report_.add(core::IssueId::IO_TEXTURE_UNNAMED, {},
                        {{"path", texture.path}, {"outcome", "the picture was not copied, the model keeps the path"}});
            return;
        }
        PictureWrite picture;
        if (embedded) {
            picture.content = texture.content;
        } else {
            picture.from = texture.found;
        }
        const std::string wanted = texture.path;
        for (unsigned n = 1;; ++n) {
            const std::string path = n == 1 ? wanted : numbered_path(wanted, n);
            const auto it = writes_.find(path);
            if (it != writes_.end() && !same_picture(it->second, picture)) {
                continue;
            }
            texture.path = path;
            if (n > 1 && it == writes_.end()) {
                report_.add(core::IssueId::IO_TEXTURE_COLLIDES, {},
                            {{"path", writes_.at(wanted).texture}, {"other", source_name(texture)}, {"written", wanted},
                             {"outcome", "the second one becomes '" + path + "'"}});
            }
            if (it == writes_.end()) {
                picture.target = beside(request_.output, path);
                picture.texture = source_name(texture);
                writes_.emplace(path, std::move(picture));
            }
            return;
        }
    }

    const ConvertRequest& request_;
    const Run& run_;
    core::Report& report_;
    std::string collect_folder_;
    std::map<std::string, PictureWrite> writes_;   // by path in the model
    std::map<std::string, const model::Texture*> kept_;  // path in the model -> the first texture that has it
};

}  // namespace

std::string beside(const std::string& output, const std::string& path) {
    const std::string folder = core::folder_of(output);
    return folder == "." ? path : folder == "/" ? "/" + path : folder + "/" + path;
}

std::string numbered_path(const std::string& path, unsigned number) {
    const std::size_t base = path.size() - core::base_name(path).size();
    const std::size_t dot = path.find_last_of('.');
    const std::size_t at = dot == std::string::npos || dot <= base ? path.size() : dot;
    return path.substr(0, at) + "~" + std::to_string(number) + path.substr(at);
}

void set_stored_paths(model::Model& model) {
    for (model::Texture& texture : model.textures) {
        if (texture.path.empty()) {
            texture.path = core::clean_text(core::stored_path(source_name(texture)));
        }
    }
}

std::vector<bool> used_textures(const model::Model& model) {
    std::vector<bool> used(model.textures.size(), false);
    for (const model::Material& material : model.materials) {
        for (const std::uint32_t t : material.textures) {
            if (t < used.size()) {
                used[t] = true;
            }
        }
    }
    return used;
}

std::vector<PictureWrite> place_textures(model::Model& model, const ConvertRequest& request, const Run& run, core::Report& report) {
    set_stored_paths(model);
    const std::vector<bool> used = used_textures(model);
    Placing placing(request, run, report);
    std::map<std::array<std::string, 3>, std::size_t> seen;  // textures of one name are one texture
    for (std::size_t i = 0; i < model.textures.size(); ++i) {
        model::Texture& texture = model.textures[i];
        if (!used[i]) {
            continue;
        }
        const std::array<std::string, 3> key = {texture.path, texture.source_relative, texture.source_absolute};
        const auto [it, fresh] = seen.try_emplace(key, i);
        const std::size_t first = it->second;
        if (!fresh && model.textures[first].content == texture.content) {
            texture.path = model.textures[first].path;
            texture.found = model.textures[first].found;
            continue;
        }
        placing.place(texture);
    }
    return placing.take();
}

}  // namespace gomkit::kit

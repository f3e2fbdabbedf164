#include "texture_search.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <system_error>

#include <gomkit/core/file.hpp>
#include <gomkit/core/path.hpp>
#include <gomkit/model/texture_name.hpp>

namespace gomkit::kit {
namespace {

namespace fs = std::filesystem;

struct Candidate {
    std::string folder;
    std::string path;     // below or, with "..", beside the folder
    bool outside = false;
};

bool called_like_a_picture(const std::string& path) {
    constexpr std::array<std::string_view, 21> kExtensions = {"png", "jpg", "jpeg", "tga", "bmp",  "dds",  "tif", "tiff", "psd", "gif", "exr",
                                                              "hdr", "webp", "ktx", "ktx2", "pcx", "tx", "iff", "pic", "sgi", "rgb"};
    const std::string extension = core::extension_of(path);
    return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

std::string joined(const std::string& folder, const std::string& path) {
    return folder == "." ? path : folder.ends_with('/') ? folder + path : folder + "/" + path;
}

bool is_file(const std::string& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_but_case(std::string_view a, std::string_view b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

bool is_below_any(const std::string& path, const std::vector<std::string>& folders) {
    const fs::path file(core::identity_of(path));
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
        const fs::path above(core::identity_of(folder + "/."));
        const auto [rest, unused] = std::mismatch(above.begin(), above.end(), file.begin(), file.end());
        return rest == above.end() || (std::next(rest) == above.end() && rest->empty());
    });
}

// The entry of `folder` that is called `name` but for case; the first by bytes when there are several.
std::string entry_like(const std::string& folder, std::string_view name) {
    std::string best;
    std::error_code error;
    for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end; !error && it != end; it.increment(error)) {
        const std::string found = it->path().filename().string();
        if (same_but_case(found, name) && (best.empty() || found < best)) {
            best = found;
        }
    }
    return best;
}

std::string find_without_case(const Candidate& candidate) {
    std::string at = candidate.folder;
    for (std::size_t begin = 0; begin < candidate.path.size();) {
        const std::size_t end = std::min(candidate.path.find('/', begin), candidate.path.size());
        const std::string part = candidate.path.substr(begin, end - begin);
        if (part == ".." || core::exists(joined(at, part))) {
            at = joined(at, part);
        } else {
            const std::string other = entry_like(at, part);
            if (other.empty()) {
                return {};
            }
            at = joined(at, other);
        }
        begin = end + 1;
    }
    return is_file(at) ? at : std::string();
}

std::vector<Candidate> candidates(const model::Texture& texture, const std::string& source_file, const std::vector<std::string>& folders) {
    const std::string& named = model::source_name(texture);
    std::string relative = core::is_absolute_path(named) ? std::string() : core::normalised_path(named);
    const std::string base = core::source_base_name(named);
    const bool inside = core::is_inside_path(relative);
    if (!inside && !called_like_a_picture(relative)) {
        relative.clear();
    }
    const std::string here = core::folder_of(source_file);
    const std::string name(core::base_name(source_file));
    const std::string stem = name.substr(0, name.find_last_of('.'));
    std::vector<Candidate> out;
    const auto add = [&](const std::string& folder, const std::string& path) {
        if (!path.empty() && path.find('\0') == std::string::npos) {
            out.push_back({folder, path, !core::is_inside_path(path)});
        }
    };
    add(here, relative);
    add(joined(here, stem + ".fbm"), base);
    add(here, base);
    for (const std::string& folder : folders) {
        add(folder, inside ? relative : std::string());
        add(folder, base);
    }
    return out;
}

}  // namespace

TextureFound find_texture(const model::Texture& texture, const std::string& source_file, const std::vector<std::string>& folders,
                          const std::function<bool(const std::string&)>& ignored) {
    const std::vector<Candidate> places = candidates(texture, source_file, folders);
    const auto usable = [&](const Candidate& place, const std::string& path) {
        return !path.empty() && is_file(path) && (!place.outside || is_below_any(path, folders)) && !core::same_file(path, source_file) &&
               !(ignored && ignored(path));
    };
    for (const Candidate& place : places) {
        std::string path = joined(place.folder, place.path);
        if (usable(place, path)) {
            return {std::move(path), false};
        }
    }
    for (const Candidate& place : places) {
        if (place.outside && folders.empty()) {
            continue;  // folders out there are not even to be listed
        }
        std::string path = find_without_case(place);
        if (usable(place, path)) {
            return {std::move(path), true};
        }
    }
    return {};
}

}  // namespace gomkit::kit

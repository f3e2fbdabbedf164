#include <gomkit/core/path.hpp>

#include <algorithm>
#include <vector>

namespace gomkit::core {
namespace {

constexpr std::string_view kSeparators = "/\\";

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

bool has_drive(std::string_view path) { return path.size() >= 2 && is_letter(path[0]) && path[1] == ':'; }

// "file://x": letters, then "://". A single letter before the colon is a drive.
bool is_url(std::string_view path) {
    const std::size_t colon = path.find(':');
    if (colon == std::string_view::npos || colon < 2 || path.substr(colon + 1, 2) != "//") {
        return false;
    }
    for (const char c : path.substr(0, colon)) {
        if (!is_letter(c)) {
            return false;
        }
    }
    return true;
}

// Everything after the drive, the scheme or nothing.
std::string_view without_root(std::string_view path) {
    if (is_url(path)) {
        return path.substr(path.find(':') + 3);
    }
    return has_drive(path) ? path.substr(2) : path;
}

std::vector<std::string_view> components(std::string_view path) {
    std::vector<std::string_view> out;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find_first_of(kSeparators, begin), path.size());
        const std::string_view part = path.substr(begin, end - begin);
        if (part == ".." && !out.empty() && out.back() != "..") {
            out.pop_back();
        } else if (!part.empty() && part != ".") {
            out.push_back(part);
        }
        begin = end + 1;
    }
    return out;
}

}  // namespace

bool is_absolute_path(std::string_view path) {
    return !path.empty() && (path[0] == '/' || path[0] == '\\' || has_drive(path) || is_url(path));
}

std::string source_base_name(std::string_view path) {
    path = without_root(path);
    const std::size_t separator = path.find_last_of(kSeparators);
    const std::string_view name = separator == std::string_view::npos ? path : path.substr(separator + 1);
    return name == "." || name == ".." ? std::string() : std::string(name);
}

std::string normalised_path(std::string_view path) {
    std::string out;
    for (const std::string_view part : components(without_root(path))) {
        if (!out.empty()) {
            out += '/';
        }
        out += part;
    }
    return out;
}

std::string stored_path(std::string_view path) {
    std::string normal = normalised_path(path);
    if (is_absolute_path(path) || is_absolute_path(normal) || normal == ".." || normal.starts_with("../")) {
        return source_base_name(normal);
    }
    return normal;
}

bool is_inside_path(std::string_view path) {
    return !path.empty() && !is_absolute_path(path) && path.find('\\') == std::string_view::npos &&
           path.find('\0') == std::string_view::npos && normalised_path(path) == path && path != ".." && !path.starts_with("../");
}

}  // namespace gomkit::core

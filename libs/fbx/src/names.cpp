#include "names.hpp"

#include <algorithm>
#include <vector>

#include <gomkit/core/path.hpp>
#include <gomkit/core/text.hpp>

namespace gomkit::fbx {
namespace {

using codec::TextEncoding;

bool is_ascii(std::string_view s) {
    return std::all_of(s.begin(), s.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool is_utf8(std::string_view s) {
    bool broken = false;
    for (std::size_t from = 0; from < s.size() && !broken;) {
        std::size_t at = 0;
        const core::TextFault fault = core::find_text_fault(s.substr(from), &at);
        broken = fault == core::TextFault::InvalidUtf8;
        from = fault == core::TextFault::None ? s.size() : from + at + 1;  // a control character may be followed by worse
    }
    return !broken;
}

// Characters somebody may have meant: the code page leaves some to each user, and other encodings end up there.
bool is_likely_cp932(std::string_view s) {
    bool broken = false;
    const std::string text = core::from_cp932(s, &broken);
    for (std::size_t i = 0; i + 2 < text.size() && !broken; ++i) {
        const auto a = static_cast<unsigned char>(text[i]);
        const auto b = static_cast<unsigned char>(text[i + 1]);
        broken = a == 0xEE || (a == 0xEF && b >= 0x80 && b < 0xA4);  // U+E000 to U+F8FF
    }
    return !broken;
}

// The bytes of all names and paths of a scene.
template <class Visit>
void each_text(const ufbx_scene& scene, const Visit& visit) {
    const auto see = [&](const ufbx_string& s) { visit(std::string_view(s.data, s.length)); };
    for (const ufbx_element* element : scene.elements) {
        see(element->name);
    }
    for (const ufbx_mesh* mesh : scene.meshes) {
        for (const ufbx_uv_set& set : mesh->uv_sets) {
            see(set.name);
        }
        for (const ufbx_color_set& set : mesh->color_sets) {
            see(set.name);
        }
    }
    for (const ufbx_texture_file& file : scene.texture_files) {
        see(file.relative_filename);
        see(file.absolute_filename);
    }
}

}  // namespace

template <class EachText>
void Names::settle(const EachText& each, TextEncoding asked) {
    bool utf8 = true;
    bool cp932 = true;
    each([&](std::string_view s) {
        utf8 = utf8 && (is_ascii(s) || is_utf8(s));
        cp932 = cp932 && (is_ascii(s) || is_likely_cp932(s));
    });
    guessed_ = asked == TextEncoding::Auto && !utf8;
    encoding_ = asked != TextEncoding::Auto ? asked : utf8 || !cp932 ? TextEncoding::Utf8 : TextEncoding::Cp932;
    std::vector<std::string_view> unreadable;
    each([&](std::string_view s) {
        bool broken = false;
        static_cast<void>(decoded(s, &broken));
        if (broken) {
            unreadable.push_back(s);
        }
    });
    std::sort(unreadable.begin(), unreadable.end());
    unreadable_ = static_cast<std::uint64_t>(std::unique(unreadable.begin(), unreadable.end()) - unreadable.begin());
}

Names::Names(const ufbx_scene& scene, TextEncoding asked) {
    settle([&](const auto& visit) { each_text(scene, visit); }, asked);
}

Names::Names(std::span<const std::string> texts, TextEncoding asked) {
    settle([&](const auto& visit) { std::for_each(texts.begin(), texts.end(), visit); }, asked);
}

std::string Names::decoded(std::string_view raw, bool* broken) const {
    if (!is_ascii(raw)) {
        switch (encoding_) {
            case TextEncoding::Cp932: return core::from_cp932(raw, broken);
            case TextEncoding::Cp1252: return core::from_cp1252(raw, broken);
            default:
                if (broken != nullptr && !is_utf8(raw)) {
                    *broken = true;
                }
                break;
        }
    }
    return std::string(raw);
}

std::string Names::text(std::string_view raw, bool* changed) const { return core::clean_text(decoded(raw, changed), changed); }

const char* Names::encoding_name() const {
    switch (encoding_) {
        case TextEncoding::Cp932: return "code page 932 (Shift-JIS)";
        case TextEncoding::Cp1252: return "code page 1252 (Western European)";
        default: return "UTF-8";
    }
}

std::string texture_path(const std::string& relative, const std::string& absolute) {
    std::string out = core::stored_path(relative);
    return out.empty() ? core::stored_path(absolute) : out;
}

}  // namespace gomkit::fbx

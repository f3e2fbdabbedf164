#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <gomkit/codec/codec.hpp>

#include <ufbx.h>

namespace gomkit::fbx {

/// Turns the bytes of a scene's names and paths into UTF-8. FBX says UTF-8; older exporters wrote the code page of their system.
class Names {
public:
    Names() = default;
    /// `asked` other than Auto is followed whatever the names look like.
    Names(const ufbx_scene& scene, codec::TextEncoding asked);
    /// For texts that are needed before there is a scene.
    Names(std::span<const std::string> texts, codec::TextEncoding asked);

    /// As our formats may hold it; `changed` (may be null) is set when something had to be replaced.
    [[nodiscard]] std::string text(std::string_view raw, bool* changed = nullptr) const;
    [[nodiscard]] std::string text(const ufbx_string& raw, bool* changed = nullptr) const {
        return text(std::string_view(raw.data, raw.length), changed);
    }

    /// Never Auto.
    [[nodiscard]] codec::TextEncoding encoding() const { return encoding_; }
    /// "code page 932 (Shift-JIS)".
    [[nodiscard]] const char* encoding_name() const;
    /// Names are not UTF-8, and nobody said what they are.
    [[nodiscard]] bool is_guessed() const { return guessed_; }
    /// How many different names have bytes that mean nothing in this encoding.
    [[nodiscard]] std::uint64_t unreadable() const { return unreadable_; }

private:
    template <class EachText>
    void settle(const EachText& each_text, codec::TextEncoding asked);
    [[nodiscard]] std::string decoded(std::string_view raw, bool* broken) const;

    codec::TextEncoding encoding_ = codec::TextEncoding::Utf8;
    bool guessed_ = false;
    std::uint64_t unreadable_ = 0;
};

/// What a texture of the file goes by: made from its relative name, or where that gives nothing from the absolute one; may be empty.
[[nodiscard]] std::string texture_path(const std::string& relative, const std::string& absolute);

}  // namespace gomkit::fbx

#include "obj_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <gomkit/core/text.hpp>

namespace gomkit::fbx {
namespace {

using core::Code;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

// A line as OBJ has it: a backslash at its end goes on with the next one.
class Lines {
public:
    explicit Lines(std::string_view text) : text_(text) {}

    bool next() {
        if (at_ >= text_.size()) {
            return false;
        }
        line_ = end_line_ + 1;
        begin_ = at_;
        for (;;) {
            const std::size_t newline = text_.find('\n', at_);
            std::size_t end = newline == std::string_view::npos ? text_.size() : newline;
            at_ = end + 1;
            ++end_line_;
            if (end > begin_ && text_[end - 1] == '\r') {
                --end;
            }
            if (end > begin_ && text_[end - 1] == '\\' && at_ < text_.size()) {
                continue;
            }
            content_ = text_.substr(begin_, end - begin_);
            break;
        }
        cursor_ = 0;
        return true;
    }

    // The next word of the line; "" at its end or at a comment. A backslash before a line's end is space.
    std::string_view word() {
        while (cursor_ < content_.size() && (is_space(content_[cursor_]) || content_[cursor_] == '\n' || is_continuation(cursor_))) {
            ++cursor_;
        }
        word_ = cursor_;
        if (cursor_ < content_.size() && content_[cursor_] == '#') {
            cursor_ = content_.size();
            return {};
        }
        while (cursor_ < content_.size() && !is_space(content_[cursor_]) && content_[cursor_] != '\n' && !is_continuation(cursor_)) {
            ++cursor_;
        }
        return content_.substr(word_, cursor_ - word_);
    }

    // What follows the words read so far, without space around it.
    [[nodiscard]] std::string_view rest() const {
        std::string_view out = content_.substr(cursor_);
        while (!out.empty() && is_space(out.front())) {
            out.remove_prefix(1);
        }
        while (!out.empty() && is_space(out.back())) {
            out.remove_suffix(1);
        }
        return out;
    }

    // Where the last word began.
    [[nodiscard]] core::TextPos place() const {
        core::TextPos out{line_, 1};
        for (std::size_t i = 0; i < word_ && i < content_.size(); ++i) {
            if (content_[i] == '\n') {
                out = {out.line + 1, 1};
            } else if ((static_cast<unsigned char>(content_[i]) & 0xC0u) != 0x80u) {
                ++out.column;
            }
        }
        return out;
    }
    [[nodiscard]] std::uint32_t line() const { return line_; }

private:
    [[nodiscard]] bool is_continuation(std::size_t i) const {
        return content_[i] == '\\' && (content_.substr(i + 1).starts_with('\n') || content_.substr(i + 1).starts_with("\r\n"));
    }

    std::string_view text_;
    std::string_view content_;
    std::size_t at_ = 0;
    std::size_t begin_ = 0;
    std::size_t cursor_ = 0;
    std::size_t word_ = 0;
    std::uint32_t line_ = 0;
    std::uint32_t end_line_ = 0;
};

bool is_number(std::string_view word) {
    if (word.starts_with('+')) {
        word.remove_prefix(1);
    }
    return core::parse_number(word).has_value();
}

enum class Word : std::uint8_t { Unknown, Point, Texture, Normal, Face, Library, FreeForm, Part, Other };

Word meaning(std::string_view word) {
    constexpr std::array<std::string_view, 27> kOther = {
        "vp",    "p",     "l",         "s",     "usemtl", "cstype", "deg",   "bmat",    "step",       "parm",       "trim",   "hole",
        "scrv",  "sp",    "end",       "con",   "mg",   "lod", "bevel",  "c_interp", "d_interp", "shadow_obj", "trace_obj", "ctech", "stech", "usemap", "maplib"};
    if (word == "v") {
        return Word::Point;
    }
    if (word == "vt") {
        return Word::Texture;
    }
    if (word == "vn") {
        return Word::Normal;
    }
    if (word == "f" || word == "fo") {
        return Word::Face;
    }
    if (word == "mtllib") {
        return Word::Library;
    }
    if (word == "o" || word == "g") {
        return Word::Part;
    }
    if (word == "curv" || word == "curv2" || word == "surf") {
        return Word::FreeForm;
    }
    return std::find(kOther.begin(), kOther.end(), word) != kOther.end() ? Word::Other : Word::Unknown;
}

class Reader {
public:
    Reader(std::string_view text, const std::string& file, const core::Limits& limits) : lines_(text), file_(file), limits_(limits) {}

    core::Result<ObjText> run() {
        while (lines_.next()) {
            const std::string_view word = lines_.word();
            if (word.empty()) {
                continue;
            }
            if (auto done = read(meaning(word), word); !done) {
                return core::Fault(std::move(done.error()));
            }
        }
        for (std::size_t kind = 0; kind < 3; ++kind) {
            // A face may name what comes later in the file, but not what never comes.
            if (largest_[kind].index > count_[kind]) {
                return core::fail(Code::Malformed, at(largest_[kind].place), std::string("a face names a ") + kNames[kind] + " that is not there",
                                  std::to_string(largest_[kind].index), "at most " + std::to_string(count_[kind]), "export the file again");
            }
        }
        out_.points = count_[0];
        begin_part();
        // Such parts each have all the points while they are read, so a small file could stand for any amount of memory.
        const std::uint64_t most = 16 * limits_.max_vertices;
        if (shared_ && parts_ != 0 && out_.points > most / parts_) {
            return core::fail(Code::LimitExceeded, at({lines_.line(), 1}), "too many objects that share points",
                              std::to_string(parts_) + " objects, " + std::to_string(out_.points) + " points",
                              "a product of at most " + std::to_string(most), "write each object's points before it, or raise --limits");
        }
        return std::move(out_);
    }

private:
    static constexpr const char* kNames[3] = {"point", "texture coordinate", "normal"};
    struct Largest {
        std::uint64_t index = 0;
        core::TextPos place;
    };

    [[nodiscard]] core::Place at(core::TextPos place) const {
        core::Place out;
        out.file = file_;
        out.line = place;
        return out;
    }
    [[nodiscard]] core::Fault wrong(const char* what, std::string_view found, const char* expected) const {
        return core::fail(Code::Malformed, at(lines_.place()), what, found.empty() ? "the end of the line" : "'" + core::printable(found.substr(0, 40)) + "'",
                          expected, "export the file again");
    }
    [[nodiscard]] core::Fault too_many(const char* what, std::uint64_t limit) const {
        return core::fail(Code::LimitExceeded, at({lines_.line(), 1}), std::string("too many ") + what, "more than " + std::to_string(limit),
                          "at most " + std::to_string(limit), "split the model, or raise --limits");
    }

    core::Result<void> read(Word kind, std::string_view word) {
        switch (kind) {
            case Word::Point: return numbers(0, 3);
            case Word::Texture: return numbers(1, 1);
            case Word::Normal: return numbers(2, 3);
            case Word::Face: return face();
            case Word::Library: out_.libraries.emplace_back(lines_.rest()); break;
            case Word::FreeForm: ++out_.free_form; break;
            case Word::Part: begin_part(); break;
            case Word::Other: break;
            case Word::Unknown:
                if (word.find('\0') != std::string_view::npos) {
                    if (word.find_first_not_of('\0') == std::string_view::npos && count_[0] != 0) {
                        break;  // some exporters end their files so
                    }
                    return core::fail(Code::NotThisFormat, at(lines_.place()), "the file is no text", "a NUL byte", "a Wavefront OBJ",
                                      "is it really a model? Compilers' object files end in .obj too");
                }
                if (out_.unknown++ == 0) {
                    out_.unknown_word = core::clean_text(word.substr(0, 40));
                    out_.unknown_line = lines_.line();
                }
                break;
        }
        return {};
    }

    core::Result<void> numbers(std::size_t kind, std::size_t least) {
        std::size_t count = 0;
        for (std::string_view word = lines_.word(); !word.empty(); word = lines_.word(), ++count) {
            if (!is_number(word)) {
                return wrong("not a number", word, "a finite number");
            }
        }
        if (count < least) {
            return wrong("a number is missing", {}, least == 3 ? "three numbers" : "one to three numbers");
        }
        if (++count_[kind] > limits_.max_vertices) {
            return too_many("points", limits_.max_vertices);
        }
        return {};
    }

    core::Result<void> face() {
        std::size_t corners = 0;
        for (std::string_view word = lines_.word(); !word.empty(); word = lines_.word(), ++corners) {
            if (auto done = corner(word); !done) {
                return done;
            }
        }
        if (corners == 0) {
            return wrong("a face without a corner", {}, "three indices or more");
        }
        out_.corners += corners;
        if (out_.corners > limits_.max_indices) {
            return too_many("face corners", limits_.max_indices);
        }
        return {};
    }

    // "1", "1/2", "1//3", "1/2/3"; below zero counts backwards from here.
    core::Result<void> corner(std::string_view word) {
        constexpr const char* kForms = "point, point/uv, point//normal or point/uv/normal";
        std::string_view left = word;
        for (std::size_t kind = 0;; ++kind) {
            const std::size_t slash = std::min(left.find('/'), left.size());
            const std::string_view part = left.substr(0, slash);
            if (!(part.empty() && kind == 1 && slash < left.size())) {
                std::int64_t index = 0;
                const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
                if (part.empty() || error != std::errc{} || end != part.data() + part.size()) {
                    return wrong("not a corner of a face", word, kForms);
                }
                if (index == 0 || (index < 0 && static_cast<std::uint64_t>(-(index + 1)) >= count_[kind])) {
                    return wrong(index == 0 ? "an index of 0" : "an index before the first", word, "1 or more, or -1 for the last one so far");
                }
                if (kind == 0) {
                    const std::uint64_t point = index > 0 ? static_cast<std::uint64_t>(index) : count_[0] - static_cast<std::uint64_t>(-(index + 1));
                    lowest_ = std::min(lowest_, point);
                    highest_ = std::max(highest_, point);
                }
                if (index > 0 && static_cast<std::uint64_t>(index) > largest_[kind].index) {
                    largest_[kind] = {static_cast<std::uint64_t>(index), lines_.place()};
                }
            }
            if (slash == left.size()) {
                return {};
            }
            left.remove_prefix(slash + 1);
            if (kind == 2) {
                return wrong("not a corner of a face", word, kForms);
            }
        }
    }

    void begin_part() {
        if (lowest_ <= highest_) {
            ++parts_;
            shared_ = shared_ || lowest_ < next_free_;
            next_free_ = highest_ + 1;
        }
        lowest_ = UINT64_MAX;
        highest_ = 0;
    }

    Lines lines_;
    const std::string& file_;
    const core::Limits& limits_;
    ObjText out_;
    std::uint64_t count_[3] = {};
    Largest largest_[3];
    // Points that the current object uses, and whether an earlier one used them too.
    std::uint64_t lowest_ = UINT64_MAX;
    std::uint64_t highest_ = 0;
    std::uint64_t next_free_ = 0;
    std::uint64_t parts_ = 0;
    bool shared_ = false;
};

}  // namespace

core::Result<ObjText> look_over_obj(std::span<const std::byte> bytes, const std::string& file, const core::Limits& limits) {
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    core::Result<ObjText> out = Reader(text, file, limits).run();
    if (out && out->unknown != 0 && out->points == 0) {
        core::Place place;
        place.file = file;
        place.line = core::TextPos{static_cast<std::uint32_t>(out->unknown_line), 1};
        return core::fail(Code::NotThisFormat, place, "not a line of a Wavefront OBJ", "'" + out->unknown_word + "'", "v, f, o, g, usemtl ...",
                          "is it really an OBJ file?");
    }
    return out;
}

bool looks_like_obj(std::span<const std::byte> bytes) {
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 8192));
    if (text.size() < bytes.size()) {
        text = text.substr(0, text.rfind('\n') + 1);  // whole lines only
    }
    if (text.find('\0') != std::string_view::npos) {
        return false;
    }
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    Lines lines(text);
    bool has_point = false;
    while (lines.next()) {
        const std::string_view word = lines.word();
        if (word.empty()) {
            continue;
        }
        const Word kind = meaning(word);
        if (kind == Word::Unknown) {
            return false;
        }
        if (kind == Word::Point && !has_point) {
            for (int i = 0; i < 3; ++i) {
                if (!is_number(lines.word())) {
                    return false;
                }
            }
            has_point = true;
        }
    }
    return has_point;
}

}  // namespace gomkit::fbx

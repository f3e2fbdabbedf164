#include "text_read.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <set>

#include <gomkit/core/text.hpp>
#include <gomkit/runtime/layout.hpp>
#include <gomkit/runtime/model_view.hpp>

#include "bytes.hpp"
#include "encode.hpp"
#include "prove.hpp"
#include "rules.hpp"
#include "text_find.hpp"
#include "text_lex.hpp"

namespace gomkit::gom {
namespace {

namespace lay = runtime::layout;
using core::Arg;
using core::Code;
using core::IssueId;

constexpr std::string_view kMagic(lay::header::kTextMagic.data(), lay::header::kTextMagic.size());
constexpr std::string_view kBom = "\xEF\xBB\xBF";

/// Findings of one kind after this many are only counted.
constexpr std::uint64_t kDetailed = 64;

/// Of a name in a path; those that are known are shorter.
constexpr std::size_t kLongestName = 48;

/// Names of fields, and which of them are required (a bit each).
struct FieldSet {
    std::span<const std::string_view> names;
    std::uint32_t required = 0;
};
constexpr std::uint32_t bit(std::size_t i) { return std::uint32_t{1} << i; }

constexpr std::string_view kEntryNames[] = {"Header", "Skeleton", "MaterialSlots", "MorphChannels", "Meshes", "Animations", "End"};
enum Entry : std::size_t { kHeader, kSkeleton, kMaterials, kMorphChannels, kMeshes, kAnimations, kEnd };
constexpr std::string_view kHeaderNames[] = {"sourceHash", "converterVersion", "validationFlags"};
constexpr std::string_view kSkeletonNames[] = {"boneCount", "bones"};
constexpr std::string_view kBoneNames[] = {"parent", "name", "path", "bindLocal"};
constexpr std::string_view kSlotNames[] = {"name", "phong", "maps"};
constexpr std::string_view kPhongNames[] = {"kd", "ks", "ke", "shininess", "opacity"};
constexpr std::string_view kMapNames[] = {"diffuse", "normal", "specular", "emissive"};
constexpr std::string_view kMeshNames[] = {"name", "meshBindGeoToModel", "vertices", "indices", "submeshes", "inverseBind", "morphs"};
constexpr std::string_view kVertexNames[] = {"p", "n", "t", "uv", "bi", "bw"};
constexpr std::string_view kSubmeshNames[] = {"materialIndex", "indexStart", "indexCount"};
constexpr std::string_view kChannelNames[] = {"name", "defaultWeight", "shapes"};
constexpr std::string_view kMorphNames[] = {"channel", "shape", "offsets"};
constexpr std::string_view kOffsetNames[] = {"v", "p", "n"};
constexpr std::string_view kClipNames[] = {"name", "duration", "rootBoneIndex", "flags", "tracks", "morphTracks"};
constexpr std::string_view kMorphTrackNames[] = {"channel", "keys"};
constexpr std::string_view kTrackNames[] = {"boneIndex", "trKeys", "rotKeys", "scKeys"};
constexpr std::string_view kOldTrackNames[] = {"bone", "keys"};
constexpr std::string_view kKeyNames[] = {"time", "value"};
constexpr std::string_view kOldKeyNames[] = {"time", "tr", "rot", "sc"};

constexpr FieldSet kHeaderFields{kHeaderNames, 0};
constexpr FieldSet kSkeletonFields{kSkeletonNames, bit(0) | bit(1)};
constexpr FieldSet kBoneFields{kBoneNames, bit(0) | bit(1) | bit(2) | bit(3)};
constexpr FieldSet kSlotFields{kSlotNames, bit(1)};
constexpr FieldSet kPhongFields{kPhongNames, bit(0) | bit(1) | bit(2) | bit(3) | bit(4)};
constexpr FieldSet kMapFields{kMapNames, 0};
constexpr FieldSet kMeshFields{kMeshNames, bit(2) | bit(3) | bit(4)};
constexpr FieldSet kVertexFields{kVertexNames, bit(0) | bit(1) | bit(2) | bit(3)};
constexpr FieldSet kSubmeshFields{kSubmeshNames, bit(0) | bit(1) | bit(2)};
constexpr FieldSet kChannelFields{kChannelNames, bit(0) | bit(1) | bit(2)};
constexpr FieldSet kMorphFields{kMorphNames, bit(0) | bit(1) | bit(2)};
constexpr FieldSet kOffsetFields{kOffsetNames, bit(0) | bit(1) | bit(2)};
constexpr FieldSet kMorphTrackFields{kMorphTrackNames, bit(0) | bit(1)};
constexpr FieldSet kClipFields{kClipNames, bit(0) | bit(1) | bit(4)};
constexpr FieldSet kTrackFields{kTrackNames, bit(0)};
constexpr FieldSet kOldTrackFields{kOldTrackNames, bit(0) | bit(1)};
constexpr FieldSet kKeyFields{kKeyNames, bit(0) | bit(1)};
constexpr FieldSet kOldKeyFields{kOldKeyNames, bit(0) | bit(1) | bit(2) | bit(3)};

std::string one_of(std::span<const std::string_view> names) {
    std::string out = "one of ";
    for (std::size_t i = 0; i < names.size(); ++i) {
        out += (i == 0 ? "" : ", ") + std::string(names[i]);
    }
    return out;
}

/// As the checker of the binary form shows texts.
std::string shortened(const std::string& text) { return text.size() > 200 ? text.substr(0, 200) + "..." : text; }
std::string number(std::uint64_t value) { return std::to_string(value); }

constexpr std::int64_t kMostU32 = 0xFFFF'FFFF;
constexpr std::int64_t kMostI32 = 0x7FFF'FFFF;

class TextParser {
public:
    TextParser(std::string_view text, const DecodeOptions& options, bool collect)
        : text_(text), cursor_(text), limits_(options.limits), lenient_(options.lenient), collect_(collect),
          seen_kinds_(static_cast<std::size_t>(IssueId::Count), 0) {}

    void run() {
        if (begin() && document()) {
            finish();
        }
    }

    std::vector<TextFinding> findings;   ///< errors and warnings; in the order they were found
    TextDocument out;

    [[nodiscard]] bool failed() const { return failed_; }

private:
    struct Step {
        std::string_view name;
        std::int64_t index = -1;
    };
    /// A name on the path while it lives.
    class Inside {
    public:
        Inside(TextParser& parser, std::string_view name) : parser_(parser) { parser_.path_.push_back(Step{name}); }
        ~Inside() { parser_.path_.pop_back(); }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        TextParser& parser_;
    };

    // Failing

    [[nodiscard]] std::string path() const {
        std::string text;
        for (const Step& s : path_) {
            text += text.empty() || s.name.empty() ? "" : ".";
            text += s.name;
            if (s.index >= 0) {
                text += "[" + std::to_string(s.index) + "]";
            }
        }
        return text;
    }

    void note(TextFinding finding) {
        const bool error = core::info(finding.id).severity == core::Severity::Error;
        failed_ = failed_ || error;
        stopped_ = stopped_ || (error && !collect_);
        std::uint64_t& same = seen_kinds_[static_cast<std::size_t>(finding.id)];
        if (++same > kDetailed) {
            for (auto it = findings.rbegin(); it != findings.rend(); ++it) {
                if (it->id == finding.id) {
                    ++it->count;
                    return;
                }
            }
        }
        findings.push_back(std::move(finding));
    }
    /// Always false. Reading goes on behind the value where faults are collected.
    bool wrong(IssueId id, std::size_t offset, std::string found = {}, std::string expected = {}, std::string what = {},
               std::vector<Arg> arguments = {}) {
        if (arguments.empty()) {
            arguments = {{"found", found}, {"expected", expected}, {"problem", what}};
        }
        note(TextFinding{id, path(), offset, std::move(what), std::move(found), std::move(expected), std::move(arguments), 1});
        return false;
    }
    /// Always false, and nothing behind it is read.
    bool fatal(IssueId id, std::size_t offset, std::string found, std::string expected, std::string what = {},
               std::vector<Arg> arguments = {}) {
        wrong(id, offset, std::move(found), std::move(expected), std::move(what), std::move(arguments));
        stopped_ = true;
        return false;
    }
    /// The cursor's problem. What breaks the grammar ends the reading.
    bool cursor_problem() {
        TextProblem& p = cursor_.problem;
        if (p.id == IssueId::GOM_LIMIT) {
            return limit("text nesting", cursor_.problem.offset, limits_.max_text_nesting + 1, limits_.max_text_nesting);
        }
        if (p.id == IssueId::GOMT_SYNTAX) {
            return fatal(p.id, p.offset, std::move(p.found), std::move(p.expected));
        }
        return wrong(p.id, p.offset, std::move(p.found), std::move(p.expected));
    }
    bool limit(const char* name, std::size_t offset, std::uint64_t value, std::uint64_t most) {
        return fatal(IssueId::GOM_LIMIT, offset, number(value), "at most " + number(most), std::string("limit on ") + name + " exceeded",
                     {{"name", name}, {"value", number(value)}, {"limit", number(most)}});
    }
    bool within(std::uint64_t value, std::uint64_t most, const char* name, std::size_t offset) {
        return value <= most || limit(name, offset, value, most);
    }
    bool warn_once(IssueId id, std::size_t offset, std::vector<Arg> arguments = {}) {
        if (seen_kinds_[static_cast<std::size_t>(id)] == 0) {
            wrong(id, offset, {}, {}, {}, std::move(arguments));
        }
        return true;
    }
    bool wrong_kind(std::string expected) {
        if (cursor_.kind() == TextKind::None) {
            cursor_.expected(std::move(expected));
            return cursor_problem();
        }
        if (cursor_.kind() == TextKind::True) {
            return wrong(IssueId::GOMT_TRUE, cursor_.offset(), "true", std::move(expected));
        }
        return wrong(IssueId::GOMT_VALUE, cursor_.offset(), cursor_.describe(), std::move(expected));
    }

    // Structure

    /// Reads a value with `parse`; where that fails and faults are collected, the value is passed over.
    template <class Parse>
    bool value(Parse&& parse) {
        const char* start = cursor_.at;
        const std::uint64_t depth = depth_;
        const std::size_t steps = path_.size();
        const std::int64_t index = path_.empty() ? -1 : path_.back().index;
        if (parse()) {
            return true;
        }
        if (stopped_) {
            return false;
        }
        cursor_.at = start;
        depth_ = depth;
        path_.resize(steps);
        if (!path_.empty()) {
            path_.back().index = index;
        }
        return cursor_.skip_value(depth_, limits_.max_text_nesting) || skip_problem();
    }
    /// A string that cannot be was reported before; it is passed over only as far as the grammar can.
    bool skip_problem() {
        stopped_ = true;
        return findings.back().offset == cursor_.problem.offset ? false : cursor_problem();
    }

    bool open(char bracket, const char* what) {
        if (!cursor_.is_at(bracket)) {
            return wrong_kind(what);
        }
        if (!within(depth_ + 1, limits_.max_text_nesting, "text nesting", cursor_.offset())) {
            return false;
        }
        ++depth_;
        ++cursor_.at;
        return true;
    }
    /// Behind an element: true when another one or the closer may follow.
    bool separator(char closer, const char* what) {
        cursor_.skip_space();
        if (cursor_.is_at(',')) {
            ++cursor_.at;
            cursor_.skip_space();
            return true;
        }
        return cursor_.is_at(closer) || (cursor_.expected(what), cursor_problem());
    }

    /// A table; on_field(i) reads the value of field i.
    template <class OnField>
    bool table(const FieldSet& fields, OnField&& on_field, std::uint32_t* seen_out = nullptr) {
        const std::size_t start = cursor_.offset();
        if (!open('{', "a table")) {
            return false;
        }
        std::uint32_t seen = 0;
        std::size_t guess = 0;
        cursor_.skip_space();
        while (!cursor_.is_at('}')) {
            if (!field(fields, seen, guess, on_field) || !separator('}', "',' or '}'")) {
                return false;
            }
        }
        ++cursor_.at;
        --depth_;
        if (seen_out != nullptr) {
            *seen_out = seen;
        }
        return (fields.required & ~seen) == 0 || missing(fields, seen, start);
    }
    template <class OnField>
    bool field(const FieldSet& fields, std::uint32_t& seen, std::size_t& guess, OnField&& on_field) {
        const std::size_t at = cursor_.offset();
        std::string_view name;
        if (!cursor_.read_name(name, "a field's name or '}'") || !cursor_.take('=', "'=' behind the name")) {
            return cursor_problem();
        }
        cursor_.skip_space();
        std::size_t i = guess;   // fields mostly stand in order
        if (i >= fields.names.size() || fields.names[i] != name) {
            i = static_cast<std::size_t>(std::find(fields.names.begin(), fields.names.end(), name) - fields.names.begin());
        }
        const Inside inside(*this, name.substr(0, kLongestName));
        if (i == fields.names.size()) {
            return value([&] { return unknown(name, at, fields); });
        }
        if ((seen & bit(i)) != 0) {
            return value([&] { return wrong(IssueId::GOMT_FIELD_TWICE, at); });
        }
        seen |= bit(i);
        guess = i + 1;
        return value([&] { return on_field(i); });
    }
    bool unknown(std::string_view name, std::size_t at, const FieldSet& fields) {
        return wrong(IssueId::GOMT_NAME_UNKNOWN, at, quote_short(name), one_of(fields.names));
    }
    bool missing(const FieldSet& fields, std::uint32_t seen, std::size_t at) {
        for (std::size_t i = 0; i < fields.names.size(); ++i) {
            if ((fields.required & ~seen & bit(i)) != 0) {
                wrong(IssueId::GOMT_FIELD_MISSING, at, {}, "'" + std::string(fields.names[i]) + "'");
                if (stopped_) {
                    return false;
                }
            }
        }
        return true;
    }

    /// An array; on_element(i) reads element i.
    template <class OnElement>
    bool array(const char* what, OnElement&& on_element) {
        if (!open('[', what)) {
            return false;
        }
        const std::size_t depth = path_.size();
        cursor_.skip_space();
        std::int64_t i = 0;
        for (; !cursor_.is_at(']'); ++i) {
            step_index(depth, i);
            if (!on_element(static_cast<std::size_t>(i)) || !separator(']', "',' or ']'")) {
                return false;
            }
        }
        step_index(depth, -1);
        ++cursor_.at;
        --depth_;
        return true;
    }
    void step_index(std::size_t depth, std::int64_t index) { path_[depth - 1].index = index; }

    // Values

    bool f32(float& v) {
        return cursor_.kind() == TextKind::Number ? cursor_.read_float(v) || cursor_problem() : wrong_kind("a number");
    }
    bool integer(std::int64_t least, std::int64_t most, std::int64_t& v) {
        return cursor_.kind() == TextKind::Number ? cursor_.read_integer(least, most, v) || cursor_problem() : wrong_kind("an integer");
    }
    bool u32(std::uint32_t& v) {
        std::int64_t wide = 0;
        if (!integer(0, kMostU32, wide)) {
            return false;
        }
        v = static_cast<std::uint32_t>(wide);
        return true;
    }
    bool i32(std::int32_t& v) {
        std::int64_t wide = 0;
        if (!integer(-kMostI32 - 1, kMostI32, wide)) {
            return false;
        }
        v = static_cast<std::int32_t>(wide);
        return true;
    }

    /// An array of exactly `count` values, each read by read_one(i).
    template <class ReadOne>
    bool fixed(std::size_t count, const char* what, ReadOne&& read_one) {
        const std::size_t start = cursor_.offset();
        std::size_t size = 0;
        const bool good = array(what, [&](std::size_t i) {
            if (i == count) {
                step_index(path_.size(), -1);
                return wrong(IssueId::GOMT_VALUE, cursor_.offset(), "more than " + number(count) + " elements", what);
            }
            size = i + 1;
            return read_one(i);
        });
        return good && (size == count || wrong(IssueId::GOMT_VALUE, start, number(size) + (size == 1 ? " element" : " elements"), what));
    }
    template <std::size_t N>
    bool floats(float (&v)[N]) {
        return fixed(N, N == 2 ? "an array of 2 numbers" : N == 3 ? "an array of 3 numbers" : "an array of 4 numbers",
                     [&](std::size_t i) { return f32(v[i]); });
    }
    template <std::size_t N>
    bool floats(std::array<float, N>& v) {
        return fixed(N, N == 3 ? "an array of 3 numbers" : "an array of 4 numbers", [&](std::size_t i) { return f32(v[i]); });
    }

    bool matrix(Matrix& m) {
        constexpr const char* kForm = "a matrix: 4 arrays of 4 numbers, or 16 numbers";
        const char* inner = cursor_.at;
        if (cursor_.is_at('[')) {
            TextCursor ahead = cursor_;
            ++ahead.at;
            ahead.skip_space();
            inner = ahead.at;
        }
        if (inner == cursor_.end || *inner != '[') {
            return fixed(16, kForm, [&](std::size_t i) { return f32(m.m[i]); });
        }
        return fixed(4, kForm, [&](std::size_t row) {
            // Rows have no name of their own, so the path says "bindLocal[1][2]" by way of a nameless step.
            const std::size_t depth = path_.size();
            path_.push_back(Step{});
            const bool good = fixed(4, "a row of 4 numbers", [&](std::size_t column) { return f32(m.m[4 * row + column]); });
            path_.resize(depth);
            return good;
        });
    }

    bool string(std::string& s) {
        const std::size_t at = cursor_.offset();
        if (cursor_.kind() != TextKind::String) {
            return wrong_kind("a string");
        }
        if (!cursor_.read_string(s)) {
            return cursor_problem();
        }
        return s.empty() || count_string(s, at);
    }
    bool string(std::optional<std::string>& s) {
        std::string text;
        if (!string(text)) {
            return false;
        }
        if (!text.empty()) {
            s = std::move(text);
        }
        return true;
    }
    /// GOM-LIMIT-1: in text, the distinct non-empty strings.
    bool count_string(const std::string& s, std::size_t at) {
        if (!strings_.insert(s).second) {
            return true;
        }
        string_bytes_ += s.size() + 1;
        return within(strings_.size(), limits_.max_strings, "strings", at) &&
               within(string_bytes_, limits_.max_string_bytes, "string bytes", at);
    }

    // The document

    bool begin() {
        const std::uint64_t most = std::min<std::uint64_t>(limits_.max_file_bytes, lay::kMaxFileBytes);
        if (!within(text_.size(), most, "file bytes", 0)) {
            return false;
        }
        if (text_.substr(0, kBom.size()) == kBom) {
            return fatal(IssueId::GOMT_BOM, 0, "the bytes EF BB BF", "GOMT0001 at once");
        }
        if (!magic()) {
            return false;
        }
        const std::size_t bad = find_bad_utf8(text_);
        if (bad != text_.size()) {
            const auto byte = static_cast<std::uint8_t>(text_[bad]);
            return fatal(IssueId::GOMT_UTF8, bad, "a byte 0x" + core::hex_text(&byte, 1) + " that cannot stand there", "UTF-8");
        }
        return true;
    }

    bool bad_magic(std::string problem, std::string expected = "GOMT0001") {
        const std::string_view first = text_.substr(0, kMagic.size());
        std::string found = first.empty() ? std::string("the end of the text") : quote_short(core::printable(first));
        return fatal(IssueId::GOMT_MAGIC, 0, std::move(found), std::move(expected), std::move(problem));
    }
    bool magic() {
        const std::string_view first = text_.substr(0, kMagic.size());
        if (first == kMagic) {
            const std::string_view rest = text_.substr(kMagic.size());
            cursor_.at += kMagic.size();
            if (rest.substr(0, 1) != "\n" && rest.substr(0, 2) != "\r\n") {
                return fatal(IssueId::GOMT_MAGIC, kMagic.size(), cursor_.describe(), "the end of the line",
                             "the first line holds more than GOMT0001");
            }
            return true;
        }
        if (first == "GOMB0001") {
            return bad_magic("this is the binary form of a GOM model, not the text form");
        }
        if (first == "MTAB0001") {
            return bad_magic("this is an MTA motion file, not the text form of a GOM model");
        }
        if (first == "MTAT0001") {
            return bad_magic("MTA has no text form in v1; only MTAB0001 is supported");
        }
        if (begins_like_old_text(std::as_bytes(std::span(text_.data(), text_.size())))) {
            old_ = lenient_;
            return lenient_ ? warn_once(IssueId::GOMT_OLD_MAGIC, 0)
                            : bad_magic("the text begins without GOMT0001, as those of the earlier generation do, which are read unless "
                                        "--strict is given");
        }
        return bad_magic(first.substr(0, 4) == "GOMT" ? "this version of the text form is not supported" : "this is not a GOM text");
    }

    bool document() {
        std::uint32_t seen = 0;
        bool ended = false;
        cursor_.skip_space();
        while (cursor_.at != cursor_.end) {
            const std::size_t at = cursor_.offset();
            if (ended) {
                path_.clear();
                return cursor_.at_name() ? fatal(IssueId::GOMT_END, at, cursor_.describe(), "the end of the text")
                                         : (cursor_.expected("the end of the text"), cursor_problem());
            }
            if (!one_entry(seen, ended)) {
                return false;
            }
            cursor_.skip_space();
            if (!ended && (cursor_.is_at(',') || cursor_.is_at(';'))) {
                ++cursor_.at;
                cursor_.skip_space();
                if (!cursor_.at_name()) {
                    cursor_.expected("the name of an entry behind the separator");
                    return cursor_problem();
                }
            }
        }
        has_materials_ = (seen & bit(kMaterials)) != 0;
        if (!ended) {
            return old_ ? warn_once(IssueId::GOMT_OLD_NO_END, text_.size())
                        : wrong(IssueId::GOMT_END, text_.size(), "the end of the text", "End = true before it") || collect_;
        }
        return true;
    }

    bool one_entry(std::uint32_t& seen, bool& ended) {
        const std::size_t at = cursor_.offset();
        std::string_view name;
        if (!cursor_.read_name(name, "the name of an entry") || !cursor_.take('=', "'=' behind the name")) {
            return cursor_problem();
        }
        cursor_.skip_space();
        const auto i = static_cast<std::size_t>(std::find(std::begin(kEntryNames), std::end(kEntryNames), name) - std::begin(kEntryNames));
        const Inside inside(*this, name.substr(0, kLongestName));
        if (i == std::size(kEntryNames)) {
            return value([&] { return wrong(IssueId::GOMT_NAME_UNKNOWN, at, quote_short(name), one_of(kEntryNames)); });
        }
        if ((seen & bit(i)) != 0) {
            return value([&] { return wrong(IssueId::GOMT_ENTRY_TWICE, at); });
        }
        seen |= bit(i);
        switch (i) {
            case kHeader: return value([&] { return header(); });
            case kSkeleton: return value([&] { return skeleton(); });
            case kMaterials: return value([&] { return materials(); });
            case kMorphChannels: return value([&] { return morph_channels(); });
            case kMeshes: return value([&] { return meshes(); });
            case kAnimations: return value([&] { return animations(); });
            default: ended = true; return value([&] { return end_value(); });
        }
    }
    bool end_value() {
        if (cursor_.kind() == TextKind::True) {
            cursor_.at += 4;
            return true;
        }
        if (cursor_.kind() == TextKind::None) {
            return wrong_kind("true");
        }
        return wrong(IssueId::GOMT_TRUE, cursor_.offset(), cursor_.describe(), "true");
    }

    bool header() {
        return table(kHeaderFields, [&](std::size_t i) {
            switch (i) {
                case 0: return source_hash();
                case 1: return string(doc().converter_version);
                default: out.has_flags = true; return u32(doc().validation_flags);
            }
        });
    }
    bool source_hash() {
        constexpr const char* kForm = "a string of 64 hex digits";
        const std::size_t at = cursor_.offset();
        std::string hex;
        if (cursor_.kind() != TextKind::String) {
            return wrong_kind(kForm);
        }
        if (!cursor_.read_string(hex)) {
            return cursor_problem();
        }
        const auto digit = [](char c) -> int {
            const char lower = static_cast<char>(c | 0x20);
            return TextCursor::is_digit(c) ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
        };
        if (hex.size() != 64 || !std::all_of(hex.begin(), hex.end(), [&](char c) { return digit(c) >= 0; })) {
            return wrong(IssueId::GOMT_VALUE, at, quote_short(hex), kForm);
        }
        for (std::size_t i = 0; i < 32; ++i) {
            doc().source_hash[i] = static_cast<std::uint8_t>(digit(hex[2 * i]) * 16 + digit(hex[2 * i + 1]));
        }
        return true;
    }

    // Skeleton

    struct BonePlaces {
        std::size_t parent = 0;
        std::size_t name = 0;
        std::size_t path = 0;
    };

    /// A vertex names its bone with 16 bits, so the format itself ends at 65,536.
    std::uint64_t bone_limit() const { return std::min<std::uint64_t>(limits_.max_bones, 65'536); }

    bool skeleton() {
        std::uint32_t announced = 0;
        std::size_t count_at = 0;
        std::size_t bones_at = cursor_.offset();
        std::uint32_t seen = 0;
        const std::uint64_t most = bone_limit();
        const bool good = table(
            kSkeletonFields,
            [&](std::size_t i) {
                if (i == 0) {
                    count_at = cursor_.offset();
                    return u32(announced) && within(announced, most, "bones", count_at);
                }
                bones_at = cursor_.offset();
                return array("an array of bones", [&](std::size_t) {
                    return within(doc().bones.size() + 1, most, "bones", cursor_.offset()) && bone();
                });
            },
            &seen);
        if (!good || seen != kSkeletonFields.required) {
            return good;
        }
        if (doc().bones.empty()) {
            return wrong(IssueId::GOM_NO_BONES, bones_at, "[]", "at least one bone, or no Skeleton");
        }
        if (announced != doc().bones.size()) {
            const Inside inside(*this, "boneCount");
            return wrong(IssueId::GOMT_BONE_COUNT, count_at, number(announced), number(doc().bones.size()));
        }
        return true;
    }
    bool bone() {
        doc().bones.emplace_back();
        bone_places_.emplace_back();
        Bone& b = doc().bones.back();
        BonePlaces& places = bone_places_.back();
        return table(kBoneFields, [&](std::size_t i) {
            const std::size_t at = cursor_.offset();
            switch (i) {
                case 0: places.parent = at; return i32(b.parent);
                case 1: places.name = at; return string(b.name);
                case 2: places.path = at; return string(b.path);
                default: return matrix(b.bind_local);
            }
        });
    }

    bool wrong_bone(std::size_t bone, const char* field, IssueId id, std::size_t at, std::string what, std::string found,
                    std::string expected, std::vector<Arg> arguments) {
        path_ = {Step{"Skeleton"}, Step{"bones", static_cast<std::int64_t>(bone)}, Step{field}};
        wrong(id, at, std::move(found), std::move(expected), std::move(what), std::move(arguments));
        path_.clear();
        return !stopped_;
    }

    /// Parents, paths and names in the order of listing (GOMT-FIELD-6).
    bool judge_bones() {
        const std::vector<Bone>& bones = doc().bones;
        const auto n = static_cast<std::int32_t>(bones.size());
        for (std::size_t i = 0; i < bones.size(); ++i) {
            const Bone& b = bones[i];
            const BonePlaces& at = bone_places_[i];
            if ((b.parent < -1 || b.parent >= n || b.parent == static_cast<std::int32_t>(i)) &&
                !wrong_bone(i, "parent", IssueId::GOM_BONE_PARENT, at.parent, "the bone's parent is out of range",
                            std::to_string(b.parent),
                            "-1, or another bone's position, less than " + std::to_string(n),
                            {{"bone", number(i)}, {"found", std::to_string(b.parent)}})) {
                return false;
            }
            for (const auto& [text, field, what, place] : {std::tuple{&b.name, "name", "the bone's name", at.name},
                                                           std::tuple{&b.path, "path", "the bone's path", at.path}}) {
                if (text->empty() && !wrong_bone(i, field, IssueId::GOM_NAME_MISSING, place, std::string(what) + " has no text", "\"\"",
                                                 "a text", {{"what", what}})) {
                    return false;
                }
            }
        }
        return failed_ || (judge_cycles() && judge_paths());
    }
    bool judge_cycles() {
        const std::vector<Bone>& bones = doc().bones;
        std::vector<std::uint8_t> state(bones.size(), 0);   // 1: on the way, 2: looked at
        std::vector<std::size_t> way;
        for (std::size_t i = 0; i < bones.size(); ++i) {
            way.clear();
            std::size_t at = i;
            while (state[at] == 0) {
                state[at] = 1;
                way.push_back(at);
                if (bones[at].parent < 0) {
                    break;
                }
                at = static_cast<std::size_t>(bones[at].parent);
            }
            const bool cycle = state[at] == 1 && bones[at].parent >= 0;
            for (const std::size_t k : way) {
                state[k] = 2;
            }
            if (cycle && !wrong_bone(at, "parent", IssueId::GOM_BONE_PARENT, bone_places_[at].parent,
                                     "the bone is its own ancestor", std::to_string(bones[at].parent), "a bone that is no descendant of this one",
                                     {{"bone", number(at)}, {"found", std::to_string(bones[at].parent)}})) {
                return false;
            }
        }
        return true;
    }
    bool judge_paths() {
        const std::vector<Bone>& bones = doc().bones;
        const bool is_tree = !failed_;   // in a cycle no path can be right
        for (std::size_t i = 0; is_tree && i < bones.size(); ++i) {
            const Bone& b = bones[i];
            std::string_view parent;
            if (b.parent >= 0) {
                parent = bones[static_cast<std::size_t>(b.parent)].path;
            }
            if (!is_path_of(b.path, b.parent >= 0 ? &parent : nullptr, b.name) &&
                !wrong_bone(i, "path", IssueId::GOM_BONE_PATH, bone_places_[i].path,
                            "the path is not the parent's path followed by the bone's name", quote_short(b.path),
                            (b.parent >= 0 ? quote_short(std::string(parent) + "/") + " and " : std::string()) + quote_short(b.name),
                            {{"path", shortened(b.path)}, {"name", shortened(b.name)}})) {
                return false;
            }
        }
        const std::vector<std::uint32_t> order = path_order();
        for (std::size_t k = 1; k < order.size(); ++k) {
            const Bone& b = bones[order[k]];
            if (b.path == bones[order[k - 1]].path &&
                !wrong_bone(order[k], "path", IssueId::GOM_BONE_PATH_TWICE, bone_places_[order[k]].path,
                            "the path occurs twice", quote_short(b.path),
                            "a path that no other bone has", {{"path", shortened(b.path)}})) {
                return false;
            }
        }
        return true;
    }
    std::vector<std::uint32_t> path_order() const {
        std::vector<std::uint32_t> order(out.document.bones.size());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return out.document.bones[a].path < out.document.bones[b].path;
        });
        return order;
    }

    /// Bones in path order, and everything that names them; what names no bone stays as it is and is found later.
    void sort_bones() {
        out.listed_bone = path_order();
        const std::vector<std::uint32_t>& order = out.listed_bone;
        if (std::is_sorted(order.begin(), order.end())) {
            return;
        }
        std::vector<std::uint32_t> place(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            place[order[i]] = static_cast<std::uint32_t>(i);
        }
        std::vector<Bone> sorted;
        sorted.reserve(order.size());
        for (const std::uint32_t listed : order) {
            sorted.push_back(std::move(doc().bones[listed]));
            std::int32_t& parent = sorted.back().parent;
            parent = parent < 0 ? -1 : static_cast<std::int32_t>(place[static_cast<std::size_t>(parent)]);
        }
        doc().bones = std::move(sorted);
        for (Part& part : doc().parts) {
            if (part.inverse_bind.size() != place.size()) {
                continue;
            }
            std::vector<Matrix> matrices(place.size());
            for (std::size_t i = 0; i < place.size(); ++i) {
                matrices[place[i]] = part.inverse_bind[i];
            }
            part.inverse_bind = std::move(matrices);
            for (Vertex& v : part.vertices) {
                for (std::uint16_t& bone : v.bone) {
                    bone = bone < place.size() ? static_cast<std::uint16_t>(place[bone]) : bone;
                }
            }
        }
        for (Clip& clip : doc().clips) {
            if (clip.root_bone >= 0 && static_cast<std::size_t>(clip.root_bone) < place.size()) {
                clip.root_bone = static_cast<std::int32_t>(place[static_cast<std::size_t>(clip.root_bone)]);
            }
            for (Track& track : clip.tracks) {
                track.bone = track.bone < place.size() ? place[track.bone] : track.bone;
            }
        }
    }

    // Materials

    bool materials() {
        return array("an array of slots", [&](std::size_t i) {
            if (!within(i + 1, limits_.max_material_slots, "material slots", cursor_.offset())) {
                return false;
            }
            doc().materials.emplace_back();
            MaterialSlot& slot = doc().materials.back();
            return table(kSlotFields, [&](std::size_t field) {
                switch (field) {
                    case 0: return string(slot.name);
                    case 1: return phong(slot);
                    default: return table(kMapFields, [&](std::size_t map) { return string(slot.maps[map]); });
                }
            });
        });
    }
    bool phong(MaterialSlot& slot) {
        return table(kPhongFields, [&](std::size_t i) {
            switch (i) {
                case 0: return floats(slot.kd);
                case 1: return floats(slot.ks);
                case 2: return floats(slot.ke);
                case 3: return f32(slot.shininess);
                default: return f32(slot.opacity);
            }
        });
    }

    // Blend shapes (morph.md). Their order is judged as contents are.

    bool morph_channels() {
        return array("an array of channels", [&](std::size_t i) {
            if (!within(i + 1, limits_.max_morph_channels, "morph channels", cursor_.offset())) {
                return false;
            }
            doc().morph_channels.emplace_back();
            MorphChannel& channel = doc().morph_channels.back();
            return table(kChannelFields, [&](std::size_t field) {
                switch (field) {
                    case 0: return string(channel.name);
                    case 1: return f32(channel.default_weight);
                    default:
                        return array("an array of numbers", [&](std::size_t) {
                            channel.shapes.push_back(0);
                            return within(++morph_shapes_, limits_.max_morph_shapes, "morph shapes", cursor_.offset()) &&
                                   f32(channel.shapes.back());
                        });
                }
            });
        });
    }
    bool morph(Part& part) {
        part.morphs.emplace_back();
        Morph& m = part.morphs.back();
        return table(kMorphFields, [&](std::size_t i) {
            switch (i) {
                case 0: return u32(m.channel);
                case 1: return u32(m.shape);
                default:
                    return array("an array of offsets", [&](std::size_t) {
                        return within(++morph_vertices_, limits_.max_morph_vertices, "morph vertices", cursor_.offset()) && offset(m);
                    });
            }
        });
    }
    bool offset(Morph& m) {
        std::uint32_t vertex = 0;
        std::array<float, 3> position{};
        std::array<float, 3> normal{};
        const bool good = table(kOffsetFields, [&](std::size_t i) { return i == 0 ? u32(vertex) : floats(i == 1 ? position : normal); });
        m.vertices.push_back(vertex);
        m.positions.push_back(position);
        m.normals.push_back(normal);
        return good;
    }
    bool morph_track(Clip& clip) {
        clip.morph_tracks.emplace_back();
        MorphTrack& track = clip.morph_tracks.back();
        return table(kMorphTrackFields, [&](std::size_t i) { return i == 0 ? u32(track.channel) : keys(track.keys, weight_keys_); });
    }

    // Meshes

    bool meshes() {
        return array("an array of mesh parts", [&](std::size_t i) {
            if (!within(i + 1, limits_.max_mesh_parts, "mesh parts", cursor_.offset())) {
                return false;
            }
            doc().parts.emplace_back();
            return mesh(doc().parts.back());
        });
    }
    bool mesh(Part& part) {
        return table(kMeshFields, [&](std::size_t i) {
            switch (i) {
                case 0: return string(part.name);
                case 1: part.geometry_to_model.emplace(); return matrix(*part.geometry_to_model);
                case 2:
                    return array("an array of vertices", [&](std::size_t) {
                        return within(++vertices_, limits_.max_vertices, "vertices", cursor_.offset()) && vertex(part);
                    });
                case 3:
                    return array("an array of integers", [&](std::size_t) {
                        std::uint32_t index = 0;
                        if (!within(++indices_, limits_.max_indices, "indices", cursor_.offset()) || !u32(index)) {
                            return false;
                        }
                        part.indices.push_back(index);
                        return true;
                    });
                case 4:
                    return array("an array of submeshes", [&](std::size_t) {
                        return within(++submeshes_, limits_.max_submeshes, "submeshes", cursor_.offset()) && submesh(part);
                    });
                case 5:
                    return array("an array of matrices", [&](std::size_t) {
                        part.inverse_bind.emplace_back();
                        return within(part.inverse_bind.size(), bone_limit(), "bones", cursor_.offset()) &&
                               matrix(part.inverse_bind.back());
                    });
                default: return array("an array of shapes", [&](std::size_t) { return morph(part); });
            }
        });
    }
    bool vertex(Part& part) {
        Vertex v{{0, 0, 0}, {0, 0, 0}, {0, 0, 0, 0}, {0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}};
        const bool good = table(kVertexFields, [&](std::size_t i) {
            switch (i) {
                case 0: return floats(v.position);
                case 1: return floats(v.normal);
                case 2: return floats(v.tangent);
                case 3: return floats(v.uv);
                case 4:
                    return fixed(4, "an array of 4 integers", [&](std::size_t k) {
                        std::int64_t wide = 0;
                        if (!integer(0, 0xFFFF, wide)) {
                            return false;
                        }
                        v.bone[k] = static_cast<std::uint16_t>(wide);
                        return true;
                    });
                default: return floats(v.weight);
            }
        });
        part.vertices.push_back(v);
        return good;
    }
    bool submesh(Part& part) {
        part.submeshes.emplace_back();
        Submesh& s = part.submeshes.back();
        return table(kSubmeshFields, [&](std::size_t i) {
            switch (i) {
                case 0: {
                    // One that is negative names no slot, and neither does the number it becomes.
                    std::int32_t slot = 0;
                    const std::size_t at = cursor_.offset();
                    if (!i32(slot)) {
                        return false;
                    }
                    s.material = static_cast<std::uint32_t>(slot);
                    if (lenient_ && slot >= 0 && static_cast<std::uint64_t>(slot) + 1 > slots_needed_) {
                        slots_needed_ = static_cast<std::uint64_t>(slot) + 1;
                        slots_needed_at_ = at;
                    }
                    return true;
                }
                case 1: return u32(s.index_start);
                default: return u32(s.index_count);
            }
        });
    }

    // Clips

    bool animations() {
        return array("an array of clips", [&](std::size_t i) {
            if (!within(i + 1, limits_.max_clips, "clips", cursor_.offset())) {
                return false;
            }
            doc().clips.emplace_back();
            keys_ = weight_keys_ = 0;
            return clip(doc().clips.back());
        });
    }
    bool clip(Clip& clip) {
        std::set<std::uint32_t> bones;
        return table(kClipFields, [&](std::size_t i) {
            switch (i) {
                case 0: return string(clip.name);
                case 1: return f32(clip.duration);
                case 2: return i32(clip.root_bone);
                case 3: return flags(clip);
                case 5:
                    return array("an array of tracks", [&](std::size_t k) {
                        return within(k + 1, limits_.max_tracks_per_clip, "tracks", cursor_.offset()) && morph_track(clip);
                    });
                default:
                    return array("an array of tracks", [&](std::size_t k) {
                        if (!within(k + 1, limits_.max_tracks_per_clip, "tracks", cursor_.offset())) {
                            return false;
                        }
                        clip.tracks.emplace_back();
                        return track(clip.tracks.back(), bones);
                    });
            }
        });
    }
    bool flags(Clip& clip) {
        if (cursor_.kind() == TextKind::Number) {
            const std::size_t at = cursor_.offset();
            std::uint32_t bits = 0;
            if (!u32(bits)) {
                return false;
            }
            set_flags(clip, bits);
            constexpr std::uint32_t kKnown = lay::clp0::kHasRootMotion | lay::clp0::kLoop;
            if (collect_ && (bits & ~kKnown) != 0) {
                wrong(IssueId::GOM_CLIP_FLAGS, at, {}, {}, {}, {{"found", hex32(bits & ~kKnown)}});
            }
            return true;
        }
        std::uint32_t bits = 0;
        const bool good = array("an integer, or an array of flag names", [&](std::size_t) {
            constexpr const char* kNames = "\"HasRootMotion\" or \"Loop\", each once";
            const std::size_t at = cursor_.offset();
            std::string name;
            if (cursor_.kind() != TextKind::String) {
                return wrong_kind(kNames);
            }
            if (!cursor_.read_string(name)) {
                return cursor_problem();
            }
            const std::uint32_t flag = name == "HasRootMotion" ? lay::clp0::kHasRootMotion : name == "Loop" ? lay::clp0::kLoop : 0;
            if (flag == 0 || (bits & flag) != 0) {
                return wrong(IssueId::GOMT_FLAG_NAME, at, quote_short(name) + (flag == 0 ? "" : " again"), kNames);
            }
            bits |= flag;
            return true;
        });
        set_flags(clip, bits);
        return good;
    }
    static void set_flags(Clip& clip, std::uint32_t bits) {
        clip.has_root_motion = (bits & lay::clp0::kHasRootMotion) != 0;
        clip.loop = (bits & lay::clp0::kLoop) != 0;
    }

    /// Whether the track at the cursor is of the earlier form: its first field tells.
    bool is_old_track() const {
        if (!lenient_ || !cursor_.is_at('{')) {
            return false;
        }
        TextCursor ahead = cursor_;
        ++ahead.at;
        ahead.skip_space();
        std::string_view name;
        return ahead.at_name() && ahead.read_name(name, "") &&
               std::find(std::begin(kOldTrackNames), std::end(kOldTrackNames), name) != std::end(kOldTrackNames);
    }
    bool track_bone(Track& track, std::set<std::uint32_t>& bones) {
        const std::size_t at = cursor_.offset();
        return u32(track.bone) && (bones.insert(track.bone).second ||
                                   wrong(IssueId::GOM_TRACK_TWICE, at, number(track.bone), "one track a bone",
                                         "the bone has a second track in the clip", {{"bone", number(track.bone)}}));
    }
    bool track(Track& track, std::set<std::uint32_t>& bones) {
        if (is_old_track()) {
            return old_track(track, bones);
        }
        return table(kTrackFields, [&](std::size_t i) {
            switch (i) {
                case 0: return track_bone(track, bones);
                case 1: return keys(track.translation, keys_);
                case 2: return keys(track.rotation, keys_);
                default: return keys(track.scale, keys_);
            }
        });
    }
    /// `counted`: the clip's keys of this kind so far.
    template <class Key>
    bool keys(std::vector<Key>& keys, std::uint64_t& counted) {
        return array("an array of keys", [&](std::size_t) {
            if (!within(++counted, limits_.max_keys_per_clip, "keys", cursor_.offset())) {
                return false;
            }
            Key key;
            const bool good = table(kKeyFields, [&](std::size_t i) { return i == 0 ? f32(key.time) : key_value(key.value); });
            keys.push_back(key);
            return good;
        });
    }
    template <std::size_t N>
    bool key_value(std::array<float, N>& v) {
        if constexpr (N == 1) {
            return f32(v[0]);
        } else {
            return floats(v);
        }
    }
    bool old_track(Track& track, std::set<std::uint32_t>& bones) {
        warn_once(IssueId::GOMT_OLD_KEYS, cursor_.offset());
        return table(kOldTrackFields, [&](std::size_t field) {
            if (field == 0) {
                return track_bone(track, bones);
            }
            return array("an array of keys", [&](std::size_t) {
                keys_ += 3;
                if (!within(keys_, limits_.max_keys_per_clip, "keys", cursor_.offset())) {
                    return false;
                }
                VectorKey tr;
                QuatKey rot;
                VectorKey sc;
                const bool good = table(kOldKeyFields, [&](std::size_t i) {
                    switch (i) {
                        case 0: return f32(tr.time);
                        case 1: return floats(tr.value);
                        case 2: return floats(rot.value);
                        default: return floats(sc.value);
                    }
                });
                rot.time = sc.time = tr.time;
                track.translation.push_back(tr);
                track.rotation.push_back(rot);
                track.scale.push_back(sc);
                return good;
            });
        });
    }

    // The end

    void finish() {
        path_.clear();
        if (!bone_places_.empty() && (failed_ || !judge_bones())) {
            return;
        }
        if (!has_materials_ && submeshes_ != 0) {
            if (!lenient_) {
                const auto part = std::find_if(doc().parts.begin(), doc().parts.end(), [](const Part& p) { return !p.submeshes.empty(); });
                const std::string place = "Meshes[" + number(static_cast<std::uint64_t>(part - doc().parts.begin())) + "].submeshes[0]";
                note(TextFinding{IssueId::GOMT_NO_SLOTS, place, find_text_path(text_, place), {}, {}, {}, {}, 1});
            } else if (default_materials()) {
                warn_once(IssueId::GOMT_OLD_NO_MATERIALS, text_.size(), {{"count", number(slots_needed_)}});
            }
        }
        if (!failed_) {
            sort_bones();
        }
    }
    bool default_materials() {
        if (!within(slots_needed_, limits_.max_material_slots, "material slots", slots_needed_at_)) {
            return false;
        }
        doc().materials.assign(slots_needed_, default_slot());
        return true;
    }

    Document& doc() { return out.document; }

    std::string_view text_;
    TextCursor cursor_;
    const core::Limits& limits_;
    const bool lenient_;
    const bool collect_;
    std::vector<std::uint64_t> seen_kinds_;
    std::vector<Step> path_;
    std::uint64_t depth_ = 0;            ///< open brackets
    bool old_ = false;                   ///< no magic line
    bool failed_ = false;
    bool stopped_ = false;

    std::vector<BonePlaces> bone_places_;
    std::set<std::string> strings_;
    std::uint64_t string_bytes_ = 0;
    std::uint64_t vertices_ = 0;
    std::uint64_t indices_ = 0;
    std::uint64_t submeshes_ = 0;
    std::uint64_t morph_shapes_ = 0;
    std::uint64_t morph_vertices_ = 0;
    std::uint64_t keys_ = 0;             ///< of the current clip
    std::uint64_t weight_keys_ = 0;      ///< likewise, of blend shapes
    std::uint64_t slots_needed_ = 0;
    std::size_t slots_needed_at_ = 0;
    bool has_materials_ = false;
};

std::string_view as_text(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

core::Error to_error(std::string_view text, const std::string& file, const TextFinding& f) {
    const core::IssueInfo& row = core::info(f.id);
    core::Error error;
    error.code = f.id == IssueId::GOM_LIMIT    ? Code::LimitExceeded
                 : f.id == IssueId::GOMT_MAGIC ? Code::NotThisFormat
                 : f.offset == text.size()     ? Code::Truncated
                                               : Code::Malformed;
    error.place = core::Place{file, f.path, std::nullopt, TextPlaces(text).of(f.offset)};
    const std::string_view sentence = row.text;
    error.what = f.what.empty() ? std::string(sentence.substr(0, std::min(sentence.find(": found {"), sentence.find(": expected {")))) : f.what;
    error.found = f.found;
    error.expected = f.expected;
    const bool contents = std::string_view(row.name).substr(0, 4) == "GOM_" && f.id != IssueId::GOM_LIMIT;
    error.cure = contents ? "correct the text" : row.cure;
    error.notes.push_back(std::string("rule ") + row.requirement);
    return error;
}

/// Why the encoded text is no valid GOM, said about the text.
core::Error content_error(std::string_view text, const std::string& file, const TextDocument& read, std::span<const std::byte> encoded,
                          const core::Limits& limits) {
    core::Report unused;
    DecodeOptions strict;
    strict.limits = limits;
    core::Result<Document> why = decode(encoded, file, strict, unused);
    if (why) {
        return core::fail(Code::Internal, core::Place{file, {}, std::nullopt, std::nullopt}, "the text's contents are valid to one reader only", {},
                          {}, "this is a bug of gomkit: please report it").value();
    }
    core::Error error = std::move(why.error());
    const std::string path = text_path_of(error.place.part, read.listed_bone);
    error.place = core::Place{file, path, std::nullopt, TextPlaces(text).of(find_text_path(text, path))};
    error.cure = error.code == Code::LimitExceeded ? error.cure : "correct the text";
    return error;
}

}  // namespace

core::Result<TextDocument> parse_text(std::span<const std::byte> bytes, const std::string& file, const DecodeOptions& options,
                                      core::Report& report, std::vector<TextFinding>* collect) {
    const std::string_view text = as_text(bytes);
    TextParser parser(text, options, collect != nullptr);
    parser.run();
    if (collect != nullptr) {
        *collect = std::move(parser.findings);
        return std::move(parser.out);
    }
    for (const TextFinding& f : parser.findings) {
        if (core::info(f.id).severity == core::Severity::Error) {
            return core::Fault(to_error(text, file, f));
        }
    }
    for (const TextFinding& f : parser.findings) {
        report.add_counted(f.id, core::Place{file, f.path, std::nullopt, TextPlaces(text).of(f.offset)}, f.arguments);
    }
    return std::move(parser.out);
}

core::Result<TextDocument> read_text(std::span<const std::byte> bytes, const std::string& file, const DecodeOptions& options,
                                     core::Report& report) {
    core::Result<TextDocument> read = parse_text(bytes, file, options, report);
    if (!read) {
        return read;
    }
    // What the page says about contents is said once, about the binary form.
    const core::Bytes encoded = encode(read->document);
    const AlignedBytes aligned(encoded);
    runtime::ModelView view;
    if (runtime::verify(aligned.bytes(), options.limits, view, nullptr) != runtime::Status::Ok) {
        return core::Fault(content_error(as_text(bytes), file, *read, encoded, options.limits));
    }
    return read;
}

bool begins_like_old_text(std::span<const std::byte> bytes) {
    TextCursor cursor(as_text(bytes.first(std::min<std::size_t>(bytes.size(), 4096))));
    cursor.skip_space();
    std::string_view name;
    return cursor.at_name() && cursor.read_name(name, "") &&
           std::find(std::begin(kEntryNames), std::end(kEntryNames), name) != std::end(kEntryNames) && cursor.take('=', "");
}

}  // namespace gomkit::gom

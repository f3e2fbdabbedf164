#include "text_write.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <span>
#include <string_view>

#include <gomkit/core/text.hpp>

namespace gomkit::gom {
namespace {

/// A float takes at most this many bytes: -0.00001 and eight more digits, 1.2345678e-38.
constexpr std::size_t kLongestFloat = 20;

char* put_digits(char* at, std::uint32_t value) { return std::to_chars(at, at + 10, value).ptr; }

/// Writes `value` at `at`, where kLongestFloat bytes are free. Returns its end.
char* put_float(char* at, float value) {
    if (value == 0) {
        *at = '0';   // -0 as well: a canonical Document has none
        return at + 1;
    }
    if (value < 0) {
        *at++ = '-';
        value = -value;
    }
    // Whole numbers that float32 holds one by one: no shorter text reads back as the same.
    if (value < 16777216.0f) {
        const auto whole = static_cast<std::uint32_t>(value);
        if (static_cast<float>(whole) == value) {
            return put_digits(at, whole);
        }
    }
    // d.ddde+NN: the shortest digits, of these the nearest to the value, ties to the even one.
    std::array<char, 32> scientific;
    const char* const end = std::to_chars(scientific.data(), scientific.data() + scientific.size(), value, std::chars_format::scientific).ptr;
    std::array<char, 16> digits;
    std::size_t count = 0;
    const char* p = scientific.data();
    for (; *p != 'e'; ++p) {
        if (*p != '.') {
            digits[count++] = *p;
        }
    }
    const bool negative = *++p == '-';
    int exponent = 0;
    for (++p; p != end; ++p) {
        exponent = exponent * 10 + (*p - '0');
    }
    exponent = negative ? -exponent : exponent;
    const auto copy = [&](std::size_t first, std::size_t last) {
        std::memcpy(at, digits.data() + first, last - first);
        at += last - first;
    };
    const auto zeros = [&](int n) {
        for (; n > 0; --n) {
            *at++ = '0';
        }
    };
    if (exponent < -5 || exponent > 8) {
        copy(0, 1);
        if (count > 1) {
            *at++ = '.';
            copy(1, count);
        }
        *at++ = 'e';
        return std::to_chars(at, at + 4, exponent).ptr;
    }
    if (exponent < 0) {
        *at++ = '0';
        *at++ = '.';
        zeros(-exponent - 1);
        copy(0, count);
        return at;
    }
    const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
    copy(0, std::min(whole, count));
    if (count > whole) {
        *at++ = '.';
        copy(whole, count);
    } else {
        zeros(static_cast<int>(whole - count));
    }
    return at;
}

/// Appends to one buffer, and stops growing beyond a size.
class Sink {
public:
    Sink(std::uint64_t most, std::uint64_t expected) : most_(most) { bytes_.resize(std::min(most, expected)); }

    /// Makes room for `size` bytes; nullptr when the text would become too long.
    char* room(std::size_t size) {
        if (size > bytes_.size() - used_) {
            // The pieces that are asked for are an upper bound, so the end may have to be as long as they are.
            const std::uint64_t slack = std::uint64_t{size} + 4096;
            if (used_ > most_) {
                return nullptr;
            }
            bytes_.resize(std::min<std::uint64_t>(most_ + slack, std::max<std::uint64_t>(bytes_.size() + bytes_.size() / 2, used_ + slack)));
        }
        return reinterpret_cast<char*>(bytes_.data()) + used_;
    }
    void end_at(const char* end) { used_ = static_cast<std::size_t>(end - reinterpret_cast<const char*>(bytes_.data())); }

    void text(std::string_view s) {
        if (char* at = room(s.size())) {
            std::memcpy(at, s.data(), s.size());
            used_ += s.size();
        }
    }
    [[nodiscard]] bool too_long() const { return used_ > most_; }
    [[nodiscard]] std::uint64_t used() const { return used_; }
    core::Bytes take() {
        bytes_.resize(used_);
        return std::move(bytes_);
    }

private:
    core::Bytes bytes_;
    std::size_t used_ = 0;
    std::uint64_t most_;
};

constexpr std::string_view kSpaces = "                ";

class Writer {
public:
    Writer(const Document& document, std::uint64_t most) : document_(document), sink_(most, estimate(document)) {}

    core::Result<core::Bytes> run(std::uint64_t most) {
        sink_.text("GOMT0001\n");
        header();
        if (!document_.bones.empty()) {
            skeleton();
        }
        materials();
        if (!document_.morph_channels.empty()) {
            entry("MorphChannels", [&] { block('[', ']', document_.morph_channels, [&](const MorphChannel& c) { morph_channel(c); }); });
        }
        if (!document_.parts.empty()) {
            entry("Meshes", [&] { block('[', ']', document_.parts, [&](const Part& p) { part(p); }); });
        }
        if (!document_.clips.empty()) {
            entry("Animations", [&] { block('[', ']', document_.clips, [&](const Clip& c) { clip(c); }); });
        }
        sink_.text("End = true\n");
        if (sink_.too_long()) {
            return core::fail(core::Code::LimitExceeded, {}, "limit on file bytes exceeded", "a text of more than " + std::to_string(most),
                              "at most " + std::to_string(most), "split the model, or write binary GOM");
        }
        return sink_.take();
    }

private:
    /// About what the text will take.
    static std::uint64_t estimate(const Document& d) {
        std::uint64_t size = 4096 + 512 * (d.bones.size() + d.materials.size());
        for (const Part& p : d.parts) {
            size += 512 + 208 * p.vertices.size() + 7 * p.indices.size() + 200 * p.inverse_bind.size();
            for (const Morph& m : p.morphs) {
                size += 128 + 96 * m.vertices.size();
            }
        }
        for (const Clip& c : d.clips) {
            for (const Track& t : c.tracks) {
                size += 160 + 72 * (t.translation.size() + t.scale.size()) + 88 * t.rotation.size();
            }
            for (const MorphTrack& t : c.morph_tracks) {
                size += 96 + 48 * t.keys.size();
            }
        }
        return size;
    }

    // Layout

    void indent() { sink_.text(kSpaces.substr(0, 2 * level_)); }
    template <class Value>
    void entry(std::string_view name, Value&& value) {
        sink_.text(name);
        sink_.text(" = ");
        value();
        sink_.text("\n");
    }
    /// A block of one element a line; "[]" when there is none.
    template <class List, class Element>
    void block(char open, char close, const List& list, Element&& element) {
        const char brackets[2] = {open, close};
        if (list.empty()) {
            sink_.text(std::string_view(brackets, 2));
            return;
        }
        sink_.text(std::string_view(brackets, 1));
        ++level_;
        bool first = true;
        for (const auto& item : list) {
            sink_.text(first ? "\n" : ",\n");
            first = false;
            indent();
            element(item);
            if (sink_.too_long()) {
                break;
            }
        }
        --level_;
        sink_.text("\n");
        indent();
        sink_.text(std::string_view(brackets + 1, 1));
    }
    /// A block table: begin_table, field(name) before each value, end_table.
    void begin_table() {
        sink_.text("{");
        ++level_;
        first_field_ = true;
    }
    void field(std::string_view name) {
        sink_.text(first_field_ ? "\n" : ",\n");
        first_field_ = false;
        indent();
        sink_.text(name);
        sink_.text(" = ");
    }
    void end_table() {
        --level_;
        sink_.text("\n");
        indent();
        sink_.text("}");
    }

    // Values

    void string(std::string_view s) {
        sink_.text("\"");
        while (!s.empty()) {
            const std::size_t plain = std::min(s.find_first_of("\"\\"), s.size());
            sink_.text(s.substr(0, plain));
            s.remove_prefix(plain);
            if (!s.empty()) {
                sink_.text("\\");
                sink_.text(s.substr(0, 1));
                s.remove_prefix(1);
            }
        }
        sink_.text("\"");
    }
    void integer(std::int64_t value) { sink_.text(std::to_string(value)); }
    void number(float value) {
        if (char* at = sink_.room(kLongestFloat)) {
            sink_.end_at(put_float(at, value));
        }
    }
    static char* put_text(char* at, std::string_view text) {
        std::memcpy(at, text.data(), text.size());
        return at + text.size();
    }
    static char* put_floats(char* at, const float* values, std::size_t count) {
        *at++ = '[';
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0) {
                *at++ = ',';
                *at++ = ' ';
            }
            at = put_float(at, values[i]);
        }
        *at++ = ']';
        return at;
    }
    void numbers(std::span<const float> values) {
        if (char* at = sink_.room((kLongestFloat + 2) * values.size() + 2)) {
            sink_.end_at(put_floats(at, values.data(), values.size()));
        }
    }
    void matrix(const Matrix& m) {
        const std::array<std::span<const float>, 4> rows = {std::span(m.m).subspan(0, 4), std::span(m.m).subspan(4, 4),
                                                           std::span(m.m).subspan(8, 4), std::span(m.m).subspan(12, 4)};
        block('[', ']', rows, [&](std::span<const float> row) { numbers(row); });
    }

    // Entries

    void header() {
        entry("Header", [&] {
            begin_table();
            field("sourceHash");
            string(core::hex_text(document_.source_hash.data(), document_.source_hash.size()));
            if (document_.converter_version) {
                field("converterVersion");
                string(*document_.converter_version);
            }
            field("validationFlags");
            integer(document_.validation_flags);
            end_table();
        });
    }

    void skeleton() {
        entry("Skeleton", [&] {
            begin_table();
            field("boneCount");
            integer(static_cast<std::int64_t>(document_.bones.size()));
            field("bones");
            block('[', ']', document_.bones, [&](const Bone& b) {
                begin_table();
                field("parent");
                integer(b.parent);
                field("name");
                string(b.name);
                field("path");
                string(b.path);
                field("bindLocal");
                matrix(b.bind_local);
                end_table();
            });
            end_table();
        });
    }

    void materials() {
        entry("MaterialSlots", [&] {
            block('[', ']', document_.materials, [&](const MaterialSlot& slot) {
                begin_table();
                if (slot.name) {
                    field("name");
                    string(*slot.name);
                }
                field("phong");
                sink_.text("{ kd = ");
                numbers(slot.kd);
                sink_.text(", ks = ");
                numbers(slot.ks);
                sink_.text(", ke = ");
                numbers(slot.ke);
                sink_.text(", shininess = ");
                number(slot.shininess);
                sink_.text(", opacity = ");
                number(slot.opacity);
                sink_.text(" }");
                field("maps");
                maps(slot);
                end_table();
            });
        });
    }
    void maps(const MaterialSlot& slot) {
        constexpr std::array<std::string_view, 4> kNames = {"diffuse", "normal", "specular", "emissive"};
        bool any = false;
        for (std::size_t i = 0; i < kNames.size(); ++i) {
            if (slot.maps[i]) {
                sink_.text(any ? ", " : "{ ");
                any = true;
                sink_.text(kNames[i]);
                sink_.text(" = ");
                string(*slot.maps[i]);
            }
        }
        sink_.text(any ? " }" : "{}");
    }

    void morph_channel(const MorphChannel& c) {
        sink_.text("{ name = ");
        string(c.name);
        sink_.text(", defaultWeight = ");
        number(c.default_weight);
        sink_.text(", shapes = ");
        numbers(c.shapes);
        sink_.text(" }");
    }

    void morph(const Morph& m) {
        begin_table();
        field("channel");
        integer(m.channel);
        field("shape");
        integer(m.shape);
        field("offsets");
        std::size_t i = 0;
        block('[', ']', m.vertices, [&](std::uint32_t vertex) {
            if (char* at = sink_.room(6 * (kLongestFloat + 2) + 64)) {
                at = put_digits(put_text(at, "{ v = "), vertex);
                at = put_floats(put_text(at, ", p = "), m.positions[i].data(), 3);
                at = put_floats(put_text(at, ", n = "), m.normals[i].data(), 3);
                sink_.end_at(put_text(at, " }"));
            }
            ++i;
        });
        end_table();
    }

    void part(const Part& p) {
        begin_table();
        if (p.name) {
            field("name");
            string(*p.name);
        }
        if (p.geometry_to_model) {
            field("meshBindGeoToModel");
            matrix(*p.geometry_to_model);
        }
        field("vertices");
        block('[', ']', p.vertices, [&](const Vertex& v) { vertex(v); });
        field("indices");
        indices(p.indices);
        field("submeshes");
        block('[', ']', p.submeshes, [&](const Submesh& s) {
            sink_.text("{ materialIndex = ");
            integer(s.material);
            sink_.text(", indexStart = ");
            integer(s.index_start);
            sink_.text(", indexCount = ");
            integer(s.index_count);
            sink_.text(" }");
        });
        field("inverseBind");
        block('[', ']', p.inverse_bind, [&](const Matrix& m) { matrix(m); });
        if (!p.morphs.empty()) {
            field("morphs");
            block('[', ']', p.morphs, [&](const Morph& m) { morph(m); });
        }
        end_table();
    }
    void vertex(const Vertex& v) {
        char* at = sink_.room(16 * (kLongestFloat + 2) + 4 * 12 + 64);
        if (at == nullptr) {
            return;
        }
        at = put_floats(put_text(at, "{ p = "), v.position, 3);
        at = put_floats(put_text(at, ", n = "), v.normal, 3);
        at = put_floats(put_text(at, ", t = "), v.tangent, 4);
        at = put_floats(put_text(at, ", uv = "), v.uv, 2);
        at = put_text(at, ", bi = [");
        for (std::size_t k = 0; k < 4; ++k) {
            at = put_digits(k == 0 ? at : put_text(at, ", "), v.bone[k]);
        }
        at = put_floats(put_text(at, "], bw = "), v.weight, 4);
        sink_.end_at(put_text(at, " }"));
    }
    void indices(std::span<const std::uint32_t> list) {
        sink_.text("[");
        ++level_;
        const std::string_view margin = kSpaces.substr(0, 2 * level_);
        for (std::size_t i = 0; i < list.size(); i += 3) {
            char* at = sink_.room(64 + kSpaces.size());
            if (at == nullptr) {
                break;
            }
            at = put_text(put_text(at, i == 0 ? "\n" : ",\n"), margin);
            for (std::size_t k = i; k < std::min(i + 3, list.size()); ++k) {
                at = put_digits(k == i ? at : put_text(at, ", "), list[k]);
            }
            sink_.end_at(at);
        }
        --level_;
        if (!list.empty()) {
            sink_.text("\n");
            indent();
        }
        sink_.text("]");
    }

    void clip(const Clip& c) {
        begin_table();
        field("name");
        string(c.name);
        field("duration");
        number(c.duration);
        field("rootBoneIndex");
        integer(c.root_bone);
        field("flags");
        sink_.text(c.has_root_motion && c.loop ? R"(["HasRootMotion", "Loop"])"
                   : c.has_root_motion         ? R"(["HasRootMotion"])"
                   : c.loop                    ? R"(["Loop"])"
                                               : "[]");
        field("tracks");
        block('[', ']', c.tracks, [&](const Track& t) {
            begin_table();
            field("boneIndex");
            integer(t.bone);
            field("trKeys");
            keys(t.translation);
            field("rotKeys");
            keys(t.rotation);
            field("scKeys");
            keys(t.scale);
            end_table();
        });
        if (!c.morph_tracks.empty()) {
            field("morphTracks");
            block('[', ']', c.morph_tracks, [&](const MorphTrack& t) {
                begin_table();
                field("channel");
                integer(t.channel);
                field("keys");
                keys(t.keys);
                end_table();
            });
        }
        end_table();
    }
    template <class Key>
    void keys(const std::vector<Key>& list) {
        block('[', ']', list, [&](const Key& key) {
            char* at = sink_.room(5 * (kLongestFloat + 2) + 64);
            if (at == nullptr) {
                return;
            }
            at = put_float(put_text(at, "{ time = "), key.time);
            at = put_text(at, ", value = ");
            at = key.value.size() == 1 ? put_float(at, key.value[0]) : put_floats(at, key.value.data(), key.value.size());
            sink_.end_at(put_text(at, " }"));
        });
    }

    const Document& document_;
    Sink sink_;
    std::size_t level_ = 0;
    bool first_field_ = true;   ///< of the block table that is being written; one that follows a nested one is never the first
};

/// No text of this Document is shorter: every number has a digit, every structure its words.
std::uint64_t least_size(const Document& d) {
    std::uint64_t size = 0;
    for (const Part& p : d.parts) {
        size += 100 * p.vertices.size() + 2 * p.indices.size() + 50 * p.inverse_bind.size();
        for (const Morph& m : p.morphs) {
            size += 40 * m.vertices.size();
        }
    }
    for (const Clip& c : d.clips) {
        for (const Track& t : c.tracks) {
            size += 30 * (t.translation.size() + t.rotation.size() + t.scale.size());
        }
    }
    return size;
}

}  // namespace

std::string float_text(float value) {
    std::array<char, kLongestFloat> buffer{};
    return std::string(buffer.data(), put_float(buffer.data(), value));
}

core::Result<core::Bytes> write_text(const Document& document, std::uint64_t most) {
    if (const std::uint64_t least = least_size(document); least > most) {
        return core::fail(core::Code::LimitExceeded, {}, "limit on file bytes exceeded", "a text of at least " + std::to_string(least),
                          "at most " + std::to_string(most), "split the model, or write binary GOM");
    }
    return Writer(document, most).run(most);
}

}  // namespace gomkit::gom

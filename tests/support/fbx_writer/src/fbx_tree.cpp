#include "gomkit_test/fbx_tree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace gomkit::testing::fbx {
namespace {

constexpr std::array<std::uint8_t, 16> kFileId = {0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2,
                                                  0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1};
constexpr std::array<std::uint8_t, 16> kFooterId = {0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66,
                                                    0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e};
constexpr std::array<std::uint8_t, 16> kFooterEnd = {0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e,
                                                     0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b};

template <class... Fs>
struct Overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

// ---------------------------------------------------------------------------------------------------------------- ASCII

class AsciiWriter {
public:
    explicit AsciiWriter(const AsciiOptions& options) : options_(options) {}

    void header(int version) {
        text_ += "; FBX ";
        number(version / 1000);
        text_ += '.';
        number(version / 100 % 10);
        text_ += '.';
        number(version / 10 % 10);
        text_ += " project file\n; ----------------------------------------------------\n\n";
    }

    void element(const Element& e, int depth) {
        indent(depth);
        text_ += e.name;
        text_ += ": ";
        if (e.values.size() == 1 && array(e.values.front(), depth)) {
            if (!e.children.empty()) {
                throw std::logic_error("an ASCII array element cannot have children: " + e.name);
            }
            return;
        }
        bool first = true;
        for (const Value& v : e.values) {
            if (!first) {
                text_ += ", ";
            }
            first = false;
            value(v);
        }
        if (!e.children.empty() || e.has_block) {
            text_ += " {\n";
            for (const Element& child : e.children) {
                element(child, depth + 1);
            }
            indent(depth);
            text_ += '}';
        }
        text_ += '\n';
    }

    ByteVector take() const {
        ByteVector bytes(text_.size());
        if (!text_.empty()) {
            std::memcpy(bytes.data(), text_.data(), text_.size());
        }
        return bytes;
    }

private:
    void indent(int depth) { text_.append(static_cast<std::size_t>(depth), '\t'); }

    template <class T>
    void number(T value) {
        if constexpr (std::is_floating_point_v<T>) {
            if (std::isnan(value)) {
                text_ += "-1.#IND";
                return;
            }
            if (std::isinf(value)) {
                text_ += value < 0 ? "-1.#INF" : "1.#INF";
                return;
            }
        }
        // Readers parse doubles: a float's text has to give that double.
        using Written = std::conditional_t<std::is_same_v<T, float>, double, T>;
        std::array<char, 64> buffer{};
        const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<Written>(value));
        text_.append(buffer.data(), result.ptr);
    }

    void quoted(std::string_view s) {
        text_ += '"';
        for (const char c : s) {
            switch (c) {
                case '"':
                    text_ += "&quot;";
                    break;
                case '\r':
                    text_ += "&cr;";
                    break;
                case '\n':
                    text_ += "&lf;";
                    break;
                default:
                    text_ += c;
                    break;
            }
        }
        text_ += '"';
    }

    void base64(const ByteVector& bytes) {
        constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        const std::size_t part = std::max<std::size_t>(options_.base64_part_bytes / 3 * 3, 3);
        text_ += ",\n";
        std::size_t begin = 0;
        do {
            const std::size_t end = std::min(begin + part, bytes.size());
            if (begin != 0) {
                text_ += ",\n";
            }
            text_ += '"';
            for (std::size_t i = begin; i < end; i += 3) {
                const std::size_t count = std::min<std::size_t>(3, end - i);
                std::uint32_t bits = 0;
                for (std::size_t k = 0; k < 3; ++k) {
                    bits = bits << 8 | (k < count ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0U);
                }
                for (std::size_t k = 0; k < 4; ++k) {
                    text_ += k <= count ? digits[bits >> (18 - 6 * k) & 63U] : '=';
                }
            }
            text_ += '"';
            begin = end;
        } while (begin < bytes.size());
    }

    template <class T>
    void list(const std::vector<T>& values, int depth) {
        if (!options_.inline_arrays) {
            text_ += '*';
            number(values.size());
            text_ += " {\n";
            indent(depth + 1);
            text_ += "a: ";
        }
        bool first = true;
        for (const T v : values) {
            if (!first) {
                text_ += ',';
            }
            first = false;
            if constexpr (std::is_same_v<T, std::uint8_t>) {
                number(static_cast<int>(v));
            } else {
                number(v);
            }
        }
        text_ += '\n';
        if (!options_.inline_arrays) {
            indent(depth);
            text_ += "}\n";
        }
    }

    bool array(const Value& v, int depth) {
        return std::visit(Overloaded{
                              [&](const std::vector<std::int32_t>& a) {
                                  list(a, depth);
                                  return true;
                              },
                              [&](const std::vector<std::int64_t>& a) {
                                  list(a, depth);
                                  return true;
                              },
                              [&](const std::vector<float>& a) {
                                  list(a, depth);
                                  return true;
                              },
                              [&](const std::vector<double>& a) {
                                  list(a, depth);
                                  return true;
                              },
                              [&](const BoolArray& a) {
                                  list(a.values, depth);
                                  return true;
                              },
                              [&](const FloatBits& a) {
                                  std::vector<std::int32_t> bits;
                                  bits.reserve(a.values.size());
                                  for (const float f : a.values) {
                                      bits.push_back(std::bit_cast<std::int32_t>(f));
                                  }
                                  list(bits, depth);
                                  return true;
                              },
                              [](const auto&) { return false; },
                          },
                          v);
    }

    void value(const Value& v) {
        std::visit(Overloaded{
                       [&](char c) { text_ += c; },
                       [&](const std::string& s) { quoted(s); },
                       [&](const ByteVector& b) { base64(b); },
                       [&](const ObjectName& n) { quoted(n.class_name + "::" + n.name); },
                       [&](const auto& x) {
                           if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(x)>>) {
                               number(x);
                           } else {
                               throw std::logic_error("in ASCII an array must be an element's only value");
                           }
                       },
                   },
                   v);
    }

    AsciiOptions options_;
    std::string text_;
};

// --------------------------------------------------------------------------------------------------------------- binary

class BinaryWriter {
public:
    explicit BinaryWriter(int version) : version_(version), wide_(version >= 7500) {}

    void header() {
        constexpr std::string_view magic("Kaydara FBX Binary  \0\x1a\0", 23);
        raw(magic.data(), magic.size());
        le(static_cast<std::uint32_t>(version_));
    }

    void element(const Element& e) {
        if (e.name.size() > 255) {
            throw std::length_error("FBX element name over 255 bytes");
        }
        const std::size_t start = bytes_.size();
        null_bytes(wide_ ? 24 : 12);  // end offset, value count, value bytes: patched below
        le(static_cast<std::uint8_t>(e.name.size()));
        raw(e.name.data(), e.name.size());
        const std::size_t values_begin = bytes_.size();
        for (const Value& v : e.values) {
            value(v);
        }
        const std::size_t value_bytes = bytes_.size() - values_begin;
        if (!e.children.empty() || e.has_block) {
            for (const Element& child : e.children) {
                element(child);
            }
            null_record();
        }
        patch(start, 0, bytes_.size());
        patch(start, 1, e.values.size());
        patch(start, 2, value_bytes);
    }

    void null_record() { null_bytes(wide_ ? 25 : 13); }

    // Seen in the SDK's files: id, zeros up to a multiple of 16 (16 of them where it is one already), 4 zeros, version,
    // 120 zeros, end mark.
    void footer() {
        raw(kFooterId.data(), kFooterId.size());
        null_bytes(16 - bytes_.size() % 16);
        null_bytes(4);
        le(static_cast<std::uint32_t>(version_));
        null_bytes(120);
        raw(kFooterEnd.data(), kFooterEnd.size());
    }

    ByteVector take() { return std::move(bytes_); }

private:
    void raw(const void* data, std::size_t size) {
        const auto* const p = static_cast<const std::byte*>(data);
        bytes_.insert(bytes_.end(), p, p + size);
    }

    void null_bytes(std::size_t count) { bytes_.insert(bytes_.end(), count, std::byte{0}); }

    template <class T>
    void le(T v) {
        if constexpr (std::is_same_v<T, float>) {
            le(std::bit_cast<std::uint32_t>(v));
        } else if constexpr (std::is_same_v<T, double>) {
            le(std::bit_cast<std::uint64_t>(v));
        } else {
            using Unsigned = std::make_unsigned_t<T>;
            auto u = static_cast<std::uint64_t>(static_cast<Unsigned>(v));
            for (std::size_t i = 0; i < sizeof(T); ++i) {
                bytes_.push_back(static_cast<std::byte>(u & 0xffU));
                u >>= 8;
            }
        }
    }

    void patch(std::size_t start, std::size_t field, std::size_t v) {
        const std::size_t width = wide_ ? 8 : 4;
        if (!wide_ && v > std::numeric_limits<std::uint32_t>::max()) {
            throw std::length_error("too big for FBX before 7500");
        }
        auto u = static_cast<std::uint64_t>(v);
        for (std::size_t i = 0; i < width; ++i) {
            bytes_[start + field * width + i] = static_cast<std::byte>(u & 0xffU);
            u >>= 8;
        }
    }

    template <class T>
    void list(char type, const std::vector<T>& values) {
        le(type);
        le(static_cast<std::uint32_t>(values.size()));
        le(std::uint32_t{0});  // encoding: plain
        le(static_cast<std::uint32_t>(values.size() * sizeof(T)));
        for (const T v : values) {
            le(v);
        }
    }

    void string(std::string_view s) {
        le('S');
        le(static_cast<std::uint32_t>(s.size()));
        raw(s.data(), s.size());
    }

    void value(const Value& v) {
        std::visit(Overloaded{
                       [&](char c) {
                           le('C');
                           le(c);
                       },
                       [&](std::int16_t x) {
                           le('Y');
                           le(x);
                       },
                       [&](std::int32_t x) {
                           le('I');
                           le(x);
                       },
                       [&](std::int64_t x) {
                           le('L');
                           le(x);
                       },
                       [&](float x) {
                           le('F');
                           le(x);
                       },
                       [&](double x) {
                           le('D');
                           le(x);
                       },
                       [&](const std::string& s) { string(s); },
                       [&](const ByteVector& b) {
                           le('R');
                           le(static_cast<std::uint32_t>(b.size()));
                           raw(b.data(), b.size());
                       },
                       [&](const ObjectName& n) {
                           std::string s = n.name;
                           s += '\0';
                           s += '\x01';
                           s += n.class_name;
                           string(s);
                       },
                       [&](const std::vector<std::int32_t>& a) { list('i', a); },
                       [&](const std::vector<std::int64_t>& a) { list('l', a); },
                       [&](const std::vector<float>& a) { list('f', a); },
                       [&](const std::vector<double>& a) { list('d', a); },
                       [&](const BoolArray& a) { list('b', a.values); },
                       [&](const FloatBits& a) { list('f', a.values); },
                   },
                   v);
    }

    int version_;
    bool wide_;
    ByteVector bytes_;
};

}  // namespace

Element* find(Element& root, std::string_view name) {
    const auto it = std::find_if(root.children.begin(), root.children.end(), [&](const Element& e) { return e.name == name; });
    return it == root.children.end() ? nullptr : &*it;
}

Element* find_object(Element& root, std::int64_t id) {
    Element* const objects = find(root, "Objects");
    if (objects == nullptr) {
        return nullptr;
    }
    for (Element& e : objects->children) {
        if (!e.values.empty() && e.values.front() == Value{id}) {
            return &e;
        }
    }
    return nullptr;
}

std::size_t remove_connections(Element& root, std::int64_t child, std::int64_t parent) {
    Element* const connections = find(root, "Connections");
    if (connections == nullptr) {
        return 0;
    }
    return std::erase_if(connections->children, [&](const Element& e) {
        return e.values.size() >= 3 && e.values[1] == Value{child} && e.values[2] == Value{parent};
    });
}

ByteVector serialise_ascii(const Element& root, int version, const AsciiOptions& options) {
    AsciiWriter writer(options);
    writer.header(version);
    for (const Element& e : root.children) {
        writer.element(e, 0);
    }
    return writer.take();
}

ByteVector serialise_binary(const Element& root, int version) {
    BinaryWriter writer(version);
    writer.header();
    for (const Element& e : root.children) {
        writer.element(e);
    }
    writer.null_record();
    writer.footer();
    return writer.take();
}

ByteVector file_id() {
    ByteVector bytes;
    for (const std::uint8_t b : kFileId) {
        bytes.push_back(std::byte{b});
    }
    return bytes;
}

}  // namespace gomkit::testing::fbx

// The generic FBX node tree and its two serialisers. Nothing here knows what a mesh is: a test that needs a file no
// Scene can describe builds or edits a tree and writes that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gomkit::testing::fbx {

using ByteVector = std::vector<std::byte>;

// "Class::name" in ASCII, "name" NUL 0x01 "Class" in binary.
struct ObjectName {
    std::string name;
    std::string class_name;
    bool operator==(const ObjectName&) const = default;
};

// Floats whose bits matter: 'f' array in binary, an array of the bits as integers in ASCII (KeyAttrDataFloat since 7200).
struct FloatBits {
    std::vector<float> values;
    bool operator==(const FloatBits&) const = default;
};

struct BoolArray {
    std::vector<std::uint8_t> values;
    bool operator==(const BoolArray&) const = default;
};

// In the order of the binary type letters: C Y I L F D S R, the object name (S too), then the arrays i l f d b.
// A char is a bare letter in ASCII (`Shading: T`). Bytes are base64 in ASCII.
using Value = std::variant<char, std::int16_t, std::int32_t, std::int64_t, float, double, std::string, ByteVector, ObjectName,
                           std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<float>, std::vector<double>,
                           BoolArray, FloatBits>;

struct Element {
    std::string name;  // up to 255 bytes
    std::vector<Value> values;
    std::vector<Element> children;
    bool has_block = false;  // write `{ }` (binary: a null record) even when there is no child

    bool operator==(const Element&) const = default;

    Element& add(Element child) {
        children.push_back(std::move(child));
        return children.back();
    }
    Element& add(std::string child_name, std::vector<Value> child_values = {}) {
        return add(Element{std::move(child_name), std::move(child_values), {}, false});
    }
};

// First element of that name: find(root, "Objects", "Model") looks for Objects, then below it for Model. Null when absent.
Element* find(Element& root, std::string_view name);
template <class... Rest>
Element* find(Element& root, std::string_view name, Rest... rest) {
    Element* const child = find(root, name);
    return child == nullptr ? nullptr : find(*child, rest...);
}

// The element of `Objects` that has this id, the first one when several have it. Null when absent.
Element* find_object(Element& root, std::int64_t id);

// Removes every `C:` of `Connections` that links child to parent; returns how many there were.
std::size_t remove_connections(Element& root, std::int64_t child, std::int64_t parent);

struct AsciiOptions {
    bool inline_arrays = false;             // below version 7000: an array is its element's values
    std::size_t base64_part_bytes = 49152;  // content is cut into strings of so many source bytes; a multiple of 3
};

// `root` is nameless; its children are the file's top-level elements. Versions: 7400, 7500, 7700 are what real files
// have; any number is written as given. Numbers are the shortest text that reads back to the same double; infinities and
// NaN are written as the FBX SDK does (1.#INF, -1.#INF, -1.#IND). FBX text can escape only `"`, CR and LF: a NUL, or a literal `&quot;` in
// a string, cannot survive it.
ByteVector serialise_ascii(const Element& root, int version, const AsciiOptions& options = {});

// 32-bit record headers below 7500, 64-bit from it on. Arrays are not compressed (encoding 0).
// Throws std::length_error for names over 255 bytes and, with 32-bit headers, for offsets over 4 GiB.
ByteVector serialise_binary(const Element& root, int version);

// The footer's 16 bytes and the FileId belong to this creation time; it is the one Blender uses too.
inline constexpr std::string_view kCreationTime = "1970-01-01 10:00:00:000";
ByteVector file_id();

}  // namespace gomkit::testing::fbx

#include "dump.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "bytes.hpp"
#include "layout.hpp"

namespace gomkit::km3 {
namespace {

namespace lay = layout;
using core::number_text;

class Dumper {
public:
    Dumper(std::span<const std::byte> bytes, std::string_view part, const core::Limits& limits) : bytes_(bytes), part_(part), limits_(limits) {}

    std::string run() {
        if (!has(0, lay::header::kSize)) {
            stopped(0, "header", "the file has " + std::to_string(bytes_.size()) + " bytes");
            return std::move(out_);
        }
        u32_line(lay::header::kModels, "header.n_models", "KM3-HDR-1");
        u32_line(lay::header::kRecords, "header.n_x_models", "KM3-HDR-1");
        box("header.box", lay::header::kBox, "KM3-BOX-2");
        const std::uint64_t records = u32(lay::header::kRecords);
        for (std::uint64_t i = 0; i < records; ++i) {
            const std::uint64_t at = lay::header::kSize + lay::record::kSize * i;
            if (!has(at, lay::record::kSize)) {
                stopped(at, indexed("unit", i), "the file ends before the record does");
                break;
            }
            record(indexed("unit", i), at);
        }
        const std::uint64_t there = std::min(records, (bytes_.size() - lay::header::kSize) / lay::record::kSize);
        std::uint64_t elements = 0;
        for (std::uint64_t i = 0; i < there; ++i) {
            const std::uint64_t at = lay::header::kSize + lay::record::kSize * i;
            elements += std::uint64_t{u32(at + lay::record::kVertexCount)} + u32(at + lay::record::kNormalCount) + 4ull * u32(at + lay::record::kPolygons);
        }
        if (elements > limits_.max_vertices + limits_.max_indices) {   // arrays may lie over one another: a small file, endless lines
            stopped(lay::header::kSize + lay::record::kSize * there, "header", "the arrays hold more than the limits allow");
            return std::move(out_);
        }
        for (std::uint64_t i = 0; i < there; ++i) {
            arrays(indexed("unit", i), lay::header::kSize + lay::record::kSize * i);
        }
        for (const auto& [at, end] : names_) {
            line(at, end - at, indexed("names", at), text(at, end), "KM3-TEX-1");
        }
        return std::move(out_);
    }
    [[nodiscard]] bool any() const { return any_; }

private:
    [[nodiscard]] bool selected(std::string_view path) const {
        return part_.empty() ||
               (path.substr(0, part_.size()) == part_ && (path.size() == part_.size() || path[part_.size()] == '.' || path[part_.size()] == '['));
    }
    [[nodiscard]] bool has(std::uint64_t at, std::uint64_t size) const { return at <= bytes_.size() && size <= bytes_.size() - at; }
    [[nodiscard]] std::uint32_t u32(std::uint64_t at) const { return load<std::uint32_t>(bytes_.data() + at); }
    [[nodiscard]] std::string text(std::uint64_t begin, std::uint64_t end) const {
        return "\"" + from_latin1({reinterpret_cast<const char*>(bytes_.data()) + begin, end - begin}) + "\"";
    }

    void line(std::uint64_t at, std::uint64_t size, const std::string& path, std::string_view value, const char* rule) {
        if (!selected(path)) {
            return;
        }
        any_ = true;
        std::string row = hex32(static_cast<std::uint32_t>(at)).substr(2) + "  ";
        const std::uint64_t shown = std::min<std::uint64_t>(size, 16);
        for (std::uint64_t i = 0; i < shown; ++i) {
            const auto b = static_cast<std::uint8_t>(bytes_[at + i]);
            row += (i > 0 ? " " : "") + core::hex_text(&b, 1);
        }
        row += size > shown ? " +" + std::to_string(size - shown) : "";
        const auto pad = [&row](std::size_t column) { row += std::string(row.size() + 2 < column ? column - row.size() : 2, ' '); };
        pad(62);
        row += path;
        pad(92);
        row += core::printable(value);
        pad(140);
        row += rule;
        out_ += row + "\n";
    }
    void stopped(std::uint64_t at, const std::string& path, const std::string& why) {
        if (selected(path)) {
            any_ = true;
            out_ += hex32(static_cast<std::uint32_t>(at)).substr(2) + "  stopped here: " + path + ": " + why + "\n";
        }
    }

    void u32_line(std::uint64_t at, const std::string& path, const char* rule) { line(at, 4, path, std::to_string(u32(at)), rule); }
    void i32_line(std::uint64_t at, const std::string& path, const char* rule) {
        line(at, 4, path, std::to_string(static_cast<std::int32_t>(u32(at))), rule);
    }
    void floats(std::uint64_t at, std::size_t count, const std::string& path, const char* rule) {
        if (!selected(path)) {
            return;
        }
        std::string value;
        for (std::size_t i = 0; i < count; ++i) {
            value += (i > 0 ? " " : "") + number_text(load<float>(bytes_.data() + at + 4 * i));
        }
        line(at, 4 * count, path, value, rule);
    }
    void box(const std::string& path, std::uint64_t at, const char* rule) {
        floats(at, 3, path + ".l", rule);
        floats(at + 12, 3, path + ".u", rule);
    }

    [[nodiscard]] static std::string type_text(std::uint32_t type) {
        std::string out;
        for (const auto& [bit, name] : {std::pair{lay::type::kGt4, "GT4"}, {lay::type::kTrans, "TRANS"}, {lay::type::kNoShade, "NOSHADE"},
                                        {lay::type::kRaised, "RAISED"}, {lay::type::kSunken, "SUNKEN"}, {lay::type::kTwoSide, "TWOSIDE"},
                                        {lay::type::kTwoClip, "TWOCLIP"}}) {
            out += (type & bit) != 0 ? std::string(" ") + name : "";
        }
        return hex32(type) + out;
    }

    void record(const std::string& unit, std::uint64_t at) {
        namespace r = lay::record;
        line(at + r::kType, 4, unit + ".type", type_text(u32(at + r::kType)), "KM3-TYPE-1");
        u32_line(at + r::kPolygons, unit + ".n_prims", "KM3-RANGE-2");
        box(unit + ".box", at + r::kBox, "KM3-BOX-1");
        floats(at + r::kOrigin, 3, unit + ".t", "KM3-UNIT-4");
        i32_line(at + r::kParent, unit + ".parent", "KM3-UNIT-1");
        i32_line(at + r::kExtend, unit + ".extend", "KM3-EXT-1");
        u32_line(at + r::kVertexCount, unit + ".n_verts", "KM3-LIMIT-1");
        u32_line(at + r::kVerts, unit + ".verts", "KM3-RANGE-1");
        u32_line(at + r::kVid, unit + ".vid", "KM3-RANGE-1");
        u32_line(at + r::kNormalCount, unit + ".n_norms", "KM3-LIMIT-1");
        u32_line(at + r::kNorms, unit + ".norms", "KM3-RANGE-1");
        u32_line(at + r::kNid, unit + ".nid", "KM3-RANGE-1");
        u32_line(at + r::kUvs, unit + ".uvs", "KM3-RANGE-1");
        u32_line(at + r::kTexName, unit + ".tex_name", "KM3-RANGE-1");
        u32_line(at + r::kRgbs, unit + ".rgbs", "KM3-RGB-1");
    }

    // Element by element, up to the file's end.
    template <class Element>
    void array(const std::string& path, std::uint64_t at, std::uint64_t count, std::uint64_t size, Element&& element) {
        for (std::uint64_t i = 0; at != 0 && i < count; ++i) {
            if (!has(at + size * i, size)) {
                stopped(at + size * i, path, "the array passes the end of the file");
                return;
            }
            element(at + size * i, indexed(path, i));
        }
    }

    void arrays(const std::string& unit, std::uint64_t at) {
        namespace r = lay::record;
        const std::uint64_t polygons = u32(at + r::kPolygons);
        const auto indices = [&](const char* rule) {
            return [this, rule](std::uint64_t where, const std::string& path) {
                std::string value;
                for (std::size_t k = 0; k < 4; ++k) {
                    value += (k > 0 ? " " : "") + std::to_string(load<std::uint16_t>(bytes_.data() + where + 2 * k));
                }
                line(where, lay::kIndexSize, path, value, rule);
            };
        };
        array(unit + ".verts", u32(at + r::kVerts), u32(at + r::kVertexCount), lay::kVertexSize,
              [this](std::uint64_t where, const std::string& path) { floats(where, 4, path, "KM3-WEIGHT-1"); });
        array(unit + ".vid", u32(at + r::kVid), polygons, lay::kIndexSize, indices("KM3-POLY-1"));
        array(unit + ".norms", u32(at + r::kNorms), u32(at + r::kNormalCount), lay::kVertexSize,
              [this](std::uint64_t where, const std::string& path) { floats(where, 4, path, "KM3-NORM-2"); });
        array(unit + ".nid", u32(at + r::kNid), polygons, lay::kIndexSize, indices("KM3-POLY-1"));
        array(unit + ".uvs", u32(at + r::kUvs), polygons, lay::kUvSize,
              [this](std::uint64_t where, const std::string& path) { floats(where, 8, path, "KM3-UV-1"); });
        array(unit + ".tex_name", u32(at + r::kTexName), polygons, lay::kNameSize, [this](std::uint64_t where, const std::string& path) {
            const std::uint64_t name = u32(where);
            std::uint64_t end = name;
            while (end < bytes_.size() && end - name <= lay::kMostNameBytes && bytes_[end] != std::byte{0}) {
                ++end;
            }
            const bool good = name != 0 && name < bytes_.size();
            line(where, lay::kNameSize, path, std::to_string(name) + (good ? " " + text(name, end) : name != 0 ? " (outside the file)" : ""), "KM3-TEX-1");
            if (good) {
                names_.try_emplace(name, end);
            }
        });
    }

    std::span<const std::byte> bytes_;
    std::string_view part_;
    const core::Limits& limits_;
    std::string out_;
    bool any_ = false;
    std::map<std::uint64_t, std::uint64_t> names_;
};

}  // namespace

core::Result<std::string> dump(std::span<const std::byte> bytes, const std::string& file, std::string_view part, const core::Limits& limits) {
    Dumper dumper(bytes, part, limits);
    std::string text = dumper.run();
    if (!dumper.any()) {
        return core::fail(core::Code::Usage, core::Place{file, std::string(part), {}, {}}, "nothing in the file has this place", {}, {},
                          "see the third column of a dump without --part");
    }
    return text;
}

}  // namespace gomkit::km3

#include "dump.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include <gomkit/core/report.hpp>
#include <gomkit/core/text.hpp>

#include "layout.hpp"
#include "read.hpp"

namespace gomkit::ps1 {
namespace {

namespace lay = layout;

class Dumper {
public:
    Dumper(std::span<const std::byte> bytes, std::string_view part) : bytes_(bytes), part_(part) {}

    std::string run() {
        std::string stop;
        std::size_t stop_at = 0;
        const std::optional<Document> document = read(bytes_, [&](core::IssueId id, std::string place, std::size_t byte, std::vector<core::Arg> arguments) {
            if (stop.empty() && core::info(id).severity == core::Severity::Error) {
                stop = place + ": " + finding_text(id, arguments);
                stop_at = byte;
            }
        }, at_);
        if (at_.header != 0 && bytes_.size() >= at_.header) {
            header();
        }
        if (!document) {
            any_ = true;
            out_ += offset(stop_at) + "stopped here: " + core::printable(stop) + "\n";
            return std::move(out_);
        }
        elements(*document);
        return std::move(out_);
    }
    [[nodiscard]] bool any() const { return any_; }

private:
    [[nodiscard]] static std::string offset(std::size_t at) {
        const std::uint8_t raw[4] = {static_cast<std::uint8_t>(at >> 24), static_cast<std::uint8_t>(at >> 16), static_cast<std::uint8_t>(at >> 8), static_cast<std::uint8_t>(at)};
        return core::hex_text(raw, 4) + "  ";
    }
    [[nodiscard]] bool selected(std::string_view path) const {
        return part_.empty() ||
               (path.substr(0, part_.size()) == part_ && (path.size() == part_.size() || path[part_.size()] == '.' || path[part_.size()] == '['));
    }
    void line(std::size_t at, std::size_t size, const std::string& path, std::string_view value, const char* rule) {
        if (!selected(path)) {
            return;
        }
        any_ = true;
        std::string row = offset(at);
        for (std::size_t i = 0; i < size; ++i) {
            const auto b = static_cast<std::uint8_t>(bytes_[at + i]);
            row += (i > 0 ? " " : "") + core::hex_text(&b, 1);
        }
        const auto pad = [&row](std::size_t column) { row += std::string(row.size() + 2 < column ? column - row.size() : 2, ' '); };
        pad(60);
        row += path;
        pad(100);
        row += core::printable(value);
        pad(140);
        out_ += row + rule + "\n";
    }
    [[nodiscard]] std::string u8s(std::size_t at) const { return std::to_string(static_cast<std::uint8_t>(bytes_[at])); }
    [[nodiscard]] std::string s8s(std::size_t at) const { return std::to_string(static_cast<std::int8_t>(bytes_[at])); }
    [[nodiscard]] std::string u16s(std::size_t at, std::size_t count = 1) const {
        std::string out;
        for (std::size_t i = 0; i < count; ++i) {
            out += (i > 0 ? " " : "") + std::to_string(load16(bytes_, at + 2 * i));
        }
        return out;
    }
    [[nodiscard]] std::string s16s(std::size_t at, std::size_t count) const {
        std::string out;
        for (std::size_t i = 0; i < count; ++i) {
            out += (i > 0 ? " " : "") + std::to_string(static_cast<std::int16_t>(load16(bytes_, at + 2 * i)));
        }
        return out;
    }

    void header() {
        namespace h = lay::header;
        line(h::kMagic, 4, "header.magic", std::string(lay::kMagicText), "PS1M-FILE-1");
        for (const auto& [at, name, rule] : {std::tuple{h::kVertexCount, "nverts", "PS1M-LIMIT-2"}, {h::kTriangleCount, "ntris", "PS1M-LIMIT-2"}, {h::kBoneCount, "nbones", "PS1M-LIMIT-1"},
                                             {h::kClipCount, "nanims", "PS1M-COUNT-1"}, {h::kSlotCount, "ntrans", "PS1M-BONE-3"}, {h::kEdgeCount, "nedges", "PS1M-RANGE-1"}}) {
            line(at, 2, std::string("header.") + name, u16s(at), rule);
        }
        const auto place = [this](std::size_t at, const char* name) { line(at, 4, std::string("header.") + name, std::to_string(load32(bytes_, at)), "PS1M-RANGE-1"); };
        for (const auto& [at, name] : {std::pair{h::kVertices, "off_verts"}, {h::kTriangles, "off_tris"}, {h::kBones, "off_bones"}, {h::kClips, "off_anims"}, {h::kIk, "off_ik"}, {h::kEdges, "off_edges"}}) {
            place(at, name);
        }
        if (at_.header == h::kSize) {
            place(h::kQuads, "off_quads");
            line(h::kQuadCount, 2, "header.nquads", u16s(h::kQuadCount), "PS1M-RANGE-1");
            line(h::kPad, 2, "header.pad", u16s(h::kPad), "PS1M-FILE-4");
        }
    }

    void elements(const Document& d) {
        for (std::size_t i = 0; i < d.vertices.size(); ++i) {
            const std::size_t at = at_.vertices + lay::kVertexSize * i;
            const std::string v = indexed("vertex", i);
            line(at, 6, v + ".position", s16s(at, 3), "PS1M-VERT-1");
            line(at + 6, 1, v + ".bone", u8s(at + 6), "PS1M-INDEX-1");
            line(at + 7, 1, v + ".pad", u8s(at + 7), "PS1M-FILE-4");
            line(at + 8, 6, v + ".normal", s16s(at + 8, 3), "");
            line(at + 14, 2, v + ".uv", u8s(at + 14) + " " + u8s(at + 15), "");
        }
        for (std::size_t i = 0; i < d.triangles.size(); ++i) {
            const std::size_t at = at_.triangles + lay::kTriangleSize * i;
            const std::string t = indexed("triangle", i);
            line(at, 6, t + ".vertices", u16s(at, 3), "PS1M-INDEX-1");
            line(at + 6, 1, t + ".bone", u8s(at + 6), "PS1M-INDEX-1");
            line(at + 7, 1, t + ".tex", u8s(at + 7), "PS1M-LIMIT-3");
            line(at + 8, 6, t + ".normal", s16s(at + 8, 3), "");
            line(at + 14, 1, t + ".flags", u8s(at + 14) + ((d.triangles[i].flags & lay::kDoubleSided) != 0 ? " both sides" : ""), "PS1M-FILE-4");
            line(at + 15, 1, t + ".pad", u8s(at + 15), "PS1M-FILE-4");
        }
        for (std::size_t i = 0; i < d.bones.size(); ++i) {
            const std::size_t at = at_.bones + lay::kBoneSize * i;
            const std::string b = indexed("bone", i);
            line(at, 1, b + ".parent", s8s(at), "PS1M-BONE-1");
            line(at + 1, 1, b + ".flags", u8s(at + 1) + (d.bones[i].moves() ? " moves" : ""), "PS1M-FILE-4");
            line(at + 2, 1, b + ".trans_slot", u8s(at + 2), "PS1M-BONE-2");
            line(at + 3, 1, b + ".pad", u8s(at + 3), "PS1M-FILE-4");
            line(at + 4, 4, b + ".vertices", u16s(at + 6) + " from " + u16s(at + 4), "PS1M-ORDER-2");
            line(at + 8, 4, b + ".triangles", u16s(at + 10) + " from " + u16s(at + 8), "PS1M-ORDER-2");
            line(at + 12, 6, b + ".translation", s16s(at + 12, 3), "PS1M-POSE-3");
        }
        for (std::size_t i = 0; i < d.clips.size(); ++i) {
            clip(d, i);
        }
        if (d.ik) {
            ik();
        }
        for (std::size_t i = 0; i < d.edges.size(); ++i) {
            line(at_.edges + lay::kEdgeSize * i, 4, indexed("edge", i), u16s(at_.edges + lay::kEdgeSize * i, 2), "PS1M-INDEX-1");
        }
        for (std::size_t i = 0; i < d.quads.size(); ++i) {
            const std::size_t at = at_.quads + lay::kQuadSize * i;
            line(at, 8, indexed("quad", i) + ".corners", u16s(at, 4), "PS1M-INDEX-1");
            line(at + 8, 4, indexed("quad", i) + ".triangles", u16s(at + 8, 2), "PS1M-INDEX-1");
        }
    }

    void clip(const Document& d, std::size_t i) {
        const std::size_t entry = at_.clips + lay::kClipSize * i;
        const std::string c = indexed("clip", i);
        line(entry, lay::kNameSize, c + ".name", "\"" + clip_name(d.clips[i]) + "\"", "PS1M-CLIP-1");
        line(entry + 16, 2, c + ".nframes", u16s(entry + 16), "PS1M-COUNT-1");
        line(entry + 18, 2, c + ".fps", u16s(entry + 18), "PS1M-CLIP-2");
        line(entry + 20, 4, c + ".offset", std::to_string(load32(bytes_, entry + 20)), "PS1M-RANGE-1");
        std::size_t at = at_.frames[i];
        for (std::size_t f = 0; f < d.clips[i].frames.size(); ++f) {
            const std::string frame = c + "." + indexed("frame", f);
            for (std::size_t b = 0; b < d.bones.size(); ++b, at += lay::kRotationSize) {
                line(at, 8, frame + "." + indexed("rotation", b), s16s(at, 4), "PS1M-FRAME-1");
            }
            for (std::size_t s = 0; s < d.slots; ++s, at += lay::kRotationSize) {
                line(at, 6, frame + "." + indexed("translation", s), s16s(at, 3), "PS1M-POSE-3");
                line(at + 6, 2, frame + "." + indexed("translation", s) + ".pad", u16s(at + 6), "PS1M-FILE-4");
            }
        }
    }

    void ik() {
        line(at_.ik, 1, "ik.hip", s8s(at_.ik), "PS1M-IK-1");
        line(at_.ik + 1, 1, "ik.head", s8s(at_.ik + 1), "PS1M-IK-1");
        line(at_.ik + 2, 2, "ik.pad", u16s(at_.ik + 2), "PS1M-FILE-4");
        line(at_.ik + 4, 6, "ik.head_fwd", s16s(at_.ik + 4, 3), "");
        line(at_.ik + 10, 2, "ik.pad", u16s(at_.ik + 10), "PS1M-FILE-4");
        for (std::size_t i = 0; i < 4; ++i) {
            const std::size_t at = at_.ik + 12 + lay::kChainSize * i;
            const std::string c = "ik." + indexed("chain", i);
            line(at, 3, c + ".bones", s8s(at) + " " + s8s(at + 1) + " " + s8s(at + 2), "PS1M-IK-1");
            line(at + 3, 1, c + ".pad", u8s(at + 3), "PS1M-FILE-4");
            line(at + 4, 6, c + ".end_local", s16s(at + 4, 3), "PS1M-IK-3");
            line(at + 10, 6, c + ".pole", s16s(at + 10, 3), "PS1M-IK-3");
        }
    }

    std::span<const std::byte> bytes_;
    std::string_view part_;
    Sections at_;
    std::string out_;
    bool any_ = false;
};

}  // namespace

core::Result<std::string> dump(std::span<const std::byte> bytes, const std::string& file, std::string_view part) {
    Dumper dumper(bytes, part);
    std::string text = dumper.run();
    if (!dumper.any()) {
        return core::fail(core::Code::Usage, core::Place{file, std::string(part), {}, {}}, "nothing in the file has this place", {}, {},
                          "see the third column of a dump without --part");
    }
    return text;
}

}  // namespace gomkit::ps1

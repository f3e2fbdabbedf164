#include "read.hpp"

#include <algorithm>
#include <utility>

#include <gomkit/core/reader.hpp>

#include "fixed.hpp"
#include "layout.hpp"

namespace gomkit::ps1 {
namespace {

namespace lay = layout;
using core::IssueId;

class Reader {
public:
    Reader(std::span<const std::byte> bytes, const Finding& found, Sections& sections) : bytes_(bytes), found_(found), at_(sections) {}

    std::optional<Document> run() {
        if (!header()) {
            return std::nullopt;
        }
        ranges();
        if (fatal_) {
            return std::nullopt;
        }
        bones();
        vertices();
        triangles();
        owned();
        clips();
        ik();
        edges();
        return std::move(document_);
    }

private:
    void add(IssueId id, std::string part, std::size_t byte, std::vector<core::Arg> arguments = {}) {
        found_(id, std::move(part), byte, std::move(arguments));
    }
    [[nodiscard]] std::uint16_t u16(std::size_t at) const { return load16(bytes_, at); }
    [[nodiscard]] std::uint32_t u32(std::size_t at) const { return load32(bytes_, at); }
    [[nodiscard]] std::int16_t s16(std::size_t at) const { return static_cast<std::int16_t>(u16(at)); }
    [[nodiscard]] std::uint8_t u8(std::size_t at) const { return static_cast<std::uint8_t>(bytes_[at]); }
    [[nodiscard]] std::int8_t s8(std::size_t at) const { return static_cast<std::int8_t>(u8(at)); }
    [[nodiscard]] Vec3s16 vector(std::size_t at) const { return {s16(at), s16(at + 2), s16(at + 4)}; }

    void reserved(const std::string& part, std::size_t at, std::uint32_t value, const char* what) {
        if (value != 0) {
            add(IssueId::PS1_RESERVED, part, at, {{"what", what}, {"found", std::to_string(value)}});
        }
    }
    void index(const std::string& part, std::size_t at, std::size_t value, std::size_t count, const char* what) {
        if (value >= count) {
            add(IssueId::PS1_INDEX, part, at, {{"what", what}, {"found", std::to_string(value)}, {"count", std::to_string(count)}});
        }
    }

    bool header() {
        namespace h = lay::header;
        const auto needs = [this](std::size_t size) {
            if (bytes_.size() < size) {
                add(IssueId::PS1_SHORT, "header", bytes_.size(), {{"found", std::to_string(bytes_.size())}, {"expected", std::to_string(size)}});
            }
            return bytes_.size() >= size;
        };
        if (bytes_.size() >= layout::kMagicText.size() && !has_magic(bytes_)) {
            add(IssueId::PS1_MAGIC, "header.magic", 0);
            return false;
        }
        if (!needs(h::kOldSize)) {
            return false;
        }
        at_.vertices = u32(h::kVertices);
        at_.header = at_.vertices == h::kOldSize ? h::kOldSize : h::kSize;
        if (!needs(at_.header)) {
            return false;
        }
        vertex_count_ = u16(h::kVertexCount);
        triangle_count_ = u16(h::kTriangleCount);
        bone_count_ = u16(h::kBoneCount);
        clip_count_ = u16(h::kClipCount);
        document_.slots = u16(h::kSlotCount);
        edge_count_ = u16(h::kEdgeCount);
        at_.triangles = u32(h::kTriangles);
        at_.bones = u32(h::kBones);
        at_.clips = u32(h::kClips);
        at_.ik = u32(h::kIk);
        at_.edges = u32(h::kEdges);
        if (at_.header == h::kSize) {
            at_.quads = u32(h::kQuads);
            quad_count_ = u16(h::kQuadCount);
            reserved("header.pad", h::kPad, u16(h::kPad), "the padding");
        }
        for (const auto& [count, field, what] : {std::tuple{bone_count_, h::kBoneCount, "bones"}, std::tuple{clip_count_, h::kClipCount, "clips"}}) {
            if (count == 0) {
                add(IssueId::PS1_COUNT, "header", field, {{"what", what}});
            }
        }
        fatal_ = bone_count_ == 0;   // frames of no size would have no end
        limit(IssueId::PS1_BONES, bone_count_, lay::kMostBones, h::kBoneCount, "bones");
        limit(IssueId::PS1_VERTICES, vertex_count_, lay::kMostVertices, h::kVertexCount, "vertices");
        limit(IssueId::PS1_VERTICES, triangle_count_, lay::kMostVertices, h::kTriangleCount, "triangles");
        return true;
    }
    void limit(IssueId id, std::size_t count, std::size_t most, std::size_t field, const char* what) {
        if (count > most) {
            add(id, "header", field, {{"found", std::to_string(count)}, {"what", what}});
        }
    }

    struct Used {
        std::size_t begin, end;
        std::string name;
        std::size_t field;
    };
    /// False: reading there is not possible.
    bool range(const std::string& name, std::size_t field, std::size_t at, std::size_t count, std::size_t size) {
        if (count == 0) {
            return true;
        }
        const std::size_t length = count * size;
        if (at < at_.header || at > bytes_.size() || length > bytes_.size() - at) {
            add(IssueId::PS1_RANGE, name, field, {{"size", std::to_string(length)}, {"offset", std::to_string(at)}, {"begin", std::to_string(at_.header)},
                                                  {"end", std::to_string(bytes_.size())}});
            fatal_ = true;
            return false;
        }
        if (at % 4 != 0) {
            add(IssueId::PS1_ALIGN, name, field, {{"offset", std::to_string(at)}});
        }
        used_.push_back({at, at + length, name, field});
        return true;
    }
    void ranges() {
        namespace h = lay::header;
        range("vertices", h::kVertices, at_.vertices, vertex_count_, lay::kVertexSize);
        range("triangles", h::kTriangles, at_.triangles, triangle_count_, lay::kTriangleSize);
        range("bones", h::kBones, at_.bones, bone_count_, lay::kBoneSize);
        const bool clips = range("clips", h::kClips, at_.clips, clip_count_, lay::kClipSize);
        range("ik", h::kIk, at_.ik, at_.ik != 0 ? 1 : 0, lay::kIkSize);
        range("edges", h::kEdges, at_.edges, edge_count_, lay::kEdgeSize);
        range("quads", h::kQuads, at_.quads, quad_count_, lay::kQuadSize);
        const std::size_t frame = lay::kRotationSize * (bone_count_ + std::size_t{document_.slots});
        for (std::size_t i = 0; clips && i < clip_count_; ++i) {
            const std::size_t entry = at_.clips + lay::kClipSize * i;
            const std::size_t frames = u16(entry + 16);
            at_.frames.push_back(u32(entry + 20));
            if (frames == 0) {
                add(IssueId::PS1_COUNT, indexed("clip", i), entry + 16, {{"what", "frames"}});
            }
            range(indexed("clip", i) + ".frames", entry + 20, at_.frames.back(), frames, frame);
        }
        std::stable_sort(used_.begin(), used_.end(), [](const Used& a, const Used& b) { return a.begin < b.begin; });
        for (std::size_t i = 1, last = 0; i < used_.size(); ++i) {   // last: the one that ends latest so far
            if (used_[i].begin < used_[last].end) {
                add(IssueId::PS1_OVERLAP, used_[i].name, used_[i].field,
                    {{"size", std::to_string(used_[i].end - used_[i].begin)}, {"offset", std::to_string(used_[i].begin)}, {"other", used_[last].name}});
                fatal_ = true;
            }
            last = used_[i].end > used_[last].end ? i : last;
        }
    }

    void bones() {
        std::size_t next_slot = 0;
        for (std::size_t i = 0; i < bone_count_; ++i) {
            const std::size_t at = at_.bones + lay::kBoneSize * i;
            const std::string part = indexed("bone", i);
            Bone b;
            b.parent = s8(at);
            b.flags = u8(at + 1);
            b.slot = u8(at + 2);
            b.vertex_start = u16(at + 4);
            b.vertex_count = u16(at + 6);
            b.triangle_start = u16(at + 8);
            b.triangle_count = u16(at + 10);
            b.translation = vector(at + 12);
            if (b.parent < -1 || b.parent >= static_cast<std::ptrdiff_t>(i)) {
                add(IssueId::PS1_PARENT, part + ".parent", at, {{"found", std::to_string(b.parent)}, {"count", std::to_string(i)}});
            }
            reserved(part + ".flags", at + 1, b.flags & ~unsigned{lay::kMoves}, "the rest of the flags");
            reserved(part, at + 3, u8(at + 3), "the padding");
            const std::size_t expected = b.moves() ? next_slot++ : lay::kNoSlot;
            if (b.moves() && b.slot >= document_.slots) {
                add(IssueId::PS1_SLOT, part + ".trans_slot", at + 2, {{"found", std::to_string(b.slot)}, {"count", std::to_string(document_.slots)}});
            } else if (b.slot != expected) {
                add(IssueId::PS1_SLOT_ORDER, part + ".trans_slot", at + 2, {{"found", std::to_string(b.slot)}, {"expected", std::to_string(expected)}});
            }
            document_.bones.push_back(b);
        }
        if (next_slot < document_.slots) {
            add(IssueId::PS1_SLOT_ORDER, "header.ntrans", lay::header::kSlotCount,
                {{"found", std::to_string(document_.slots)}, {"expected", std::to_string(next_slot)}});
        }
    }

    void saturated(const std::string& part, std::size_t at, const Vec3s16& v) {
        for (std::size_t c = 0; c < 3; ++c) {
            if (v[c] == 32767 || v[c] == -32768) {
                add(IssueId::PS1_SATURATED, part, at + 2 * c, {{"found", std::to_string(v[c])}});
                return;
            }
        }
    }

    void vertices() {
        for (std::size_t i = 0; i < vertex_count_; ++i) {
            const std::size_t at = at_.vertices + lay::kVertexSize * i;
            const std::string part = indexed("vertex", i);
            document_.vertices.push_back({vector(at), u8(at + 6), vector(at + 8), u8(at + 14), u8(at + 15)});
            index(part + ".bone", at + 6, u8(at + 6), bone_count_, "bone");
            reserved(part, at + 7, u8(at + 7), "the padding");
            saturated(part, at, vector(at));
        }
    }

    void triangles() {
        for (std::size_t i = 0; i < triangle_count_; ++i) {
            const std::size_t at = at_.triangles + lay::kTriangleSize * i;
            const std::string part = indexed("triangle", i);
            document_.triangles.push_back({{u16(at), u16(at + 2), u16(at + 4)}, u8(at + 6), u8(at + 7), vector(at + 8), u8(at + 14)});
            for (std::size_t k = 0; k < 3; ++k) {
                index(part, at + 2 * k, u16(at + 2 * k), vertex_count_, "vertex");
            }
            index(part + ".bone", at + 6, u8(at + 6), bone_count_, "bone");
            if (u8(at + 7) >= lay::kTextureSlots) {
                add(IssueId::PS1_TEXTURE, part + ".tex", at + 7, {{"found", std::to_string(u8(at + 7))}});
            }
            reserved(part + ".flags", at + 14, u8(at + 14) & ~unsigned{lay::kDoubleSided}, "the rest of the flags");
            reserved(part, at + 15, u8(at + 15), "the padding");
        }
    }

    template <class Item>
    bool ordered(const std::vector<Item>& items, const char* name, const char* names, std::size_t at) {
        for (std::size_t i = 1; i < items.size(); ++i) {
            if (items[i].bone < items[i - 1].bone) {
                add(IssueId::PS1_ORDER, indexed(name, i) + ".bone", at + 16 * i + 6,
                    {{"found", std::to_string(items[i].bone)}, {"before", std::to_string(items[i - 1].bone)}, {"what", names}});
                return false;
            }
        }
        return true;
    }
    void owned() {
        const auto text = [](const BoneRange& r) { return std::to_string(r.count) + " from " + std::to_string(r.start); };
        const auto compare = [&](const std::vector<BoneRange>& expected, std::size_t field, const char* what, auto&& stored) {
            for (std::size_t i = 0; i < bone_count_; ++i) {
                const BoneRange now = stored(document_.bones[i]);
                if (now != expected[i]) {
                    add(IssueId::PS1_BONE_RANGE, indexed("bone", i), at_.bones + lay::kBoneSize * i + field, {{"what", what}, {"found", text(now)}, {"expected", text(expected[i])}});
                }
            }
        };
        if (ordered(document_.vertices, "vertex", "vertices", at_.vertices)) {
            compare(vertex_ranges(document_), 4, "vertices", [](const Bone& b) { return BoneRange{b.vertex_start, b.vertex_count}; });
        }
        if (ordered(document_.triangles, "triangle", "triangles", at_.triangles)) {
            compare(triangle_ranges(document_), 8, "triangles", [](const Bone& b) { return BoneRange{b.triangle_start, b.triangle_count}; });
        }
    }

    void clips() {
        for (std::size_t i = 0; i < clip_count_; ++i) {
            const std::size_t entry = at_.clips + lay::kClipSize * i;
            const std::string part = indexed("clip", i);
            Clip clip;
            for (std::size_t k = 0; k < lay::kNameSize; ++k) {
                clip.name[k] = static_cast<char>(bytes_[entry + k]);
            }
            const std::string name = clip_name(clip);
            const char* problem = name.empty()                         ? "is empty"
                                  : name.size() == lay::kNameSize      ? "has no end"
                                  : std::any_of(name.begin(), name.end(), [](char c) { return c < 0x20 || c > 0x7E; }) ? "is not printable ASCII"
                                  : std::any_of(clip.name.begin() + static_cast<std::ptrdiff_t>(name.size()), clip.name.end(), [](char c) { return c != 0; })
                                      ? "has something behind its end"
                                      : nullptr;
            if (problem != nullptr) {
                add(IssueId::PS1_CLIP_NAME, part + ".name", entry, {{"problem", problem}});
            }
            clip.fps = u16(entry + 18);
            if (clip.fps == 0) {
                add(IssueId::PS1_FPS, part + ".fps", entry + 18);
            }
            std::size_t at = at_.frames[i];
            for (std::size_t f = 0; f < u16(entry + 16); ++f) {
                clip.frames.push_back(frame(part + "." + indexed("frame", f), at));
            }
            document_.clips.push_back(std::move(clip));
        }
    }
    Frame frame(const std::string& part, std::size_t& at) {
        Frame out;
        for (std::size_t b = 0; b < bone_count_; ++b, at += lay::kRotationSize) {
            const Rotation q{s16(at), s16(at + 2), s16(at + 4), s16(at + 6)};
            std::uint64_t square = 0;
            for (const std::int16_t c : q) {
                square += static_cast<std::uint64_t>(std::int64_t{c} * c);
            }
            if (square < 4092ull * 4092 || square > 4100ull * 4100) {   // rounding each component moves the length by 1 at most
                add(IssueId::PS1_ROTATION, part + "." + indexed("rotation", b), at, {{"found", std::to_string(isqrt(static_cast<std::uint32_t>(std::min<std::uint64_t>(square, 0xFFFFFFFF))))}});
            }
            out.rotations.push_back(q);
        }
        for (std::size_t s = 0; s < document_.slots; ++s, at += lay::kRotationSize) {
            out.translations.push_back(vector(at));
            reserved(part + "." + indexed("translation", s), at + 6, u16(at + 6), "the padding");
        }
        return out;
    }

    void ik() {
        if (at_.ik == 0) {
            return;
        }
        const auto bad = [this](const std::string& part, std::size_t at, const char* what, int value, const char* problem) {
            add(IssueId::PS1_IK, part, at, {{"what", what}, {"found", std::to_string(value)}, {"problem", problem}});
        };
        const auto exists = [this](std::int8_t bone) { return bone >= 0 && static_cast<std::size_t>(bone) < bone_count_; };
        IkTable table;
        table.hip = s8(at_.ik);
        table.head = s8(at_.ik + 1);
        reserved("ik", at_.ik + 2, u16(at_.ik + 2), "the padding");
        table.head_forward = vector(at_.ik + 4);
        reserved("ik", at_.ik + 10, u16(at_.ik + 10), "the padding");
        if (!exists(table.hip)) {
            bad("ik.hip", at_.ik, "hip", table.hip, "there is no such bone");
        }
        if (table.head != -1 && !exists(table.head)) {
            bad("ik.head", at_.ik + 1, "head", table.head, "it has to be -1 or a bone");
        }
        for (std::size_t i = 0; i < table.chains.size(); ++i) {
            const std::size_t at = at_.ik + 12 + lay::kChainSize * i;
            const std::string part = "ik." + indexed("chain", i);
            IkChain& chain = table.chains[i];
            chain = {s8(at), s8(at + 1), s8(at + 2), vector(at + 4), vector(at + 10)};
            reserved(part, at + 3, u8(at + 3), "the padding");
            if (chain.upper == -1 && chain.lower == -1 && chain.end == -1) {
                continue;
            }
            if (!exists(chain.upper)) {
                bad(part + ".upper", at, "upper", chain.upper, "a chain has both bones or none");
            }
            if (!exists(chain.lower)) {
                bad(part + ".lower", at + 1, "lower", chain.lower, "a chain has both bones or none");
            }
            if (chain.end != -1 && !exists(chain.end)) {
                bad(part + ".end", at + 2, "end", chain.end, "it has to be -1 or a bone");
            }
        }
        document_.ik = table;
    }

    void edges() {
        for (std::size_t i = 0; i < edge_count_; ++i) {
            const std::size_t at = at_.edges + lay::kEdgeSize * i;
            document_.edges.push_back({u16(at), u16(at + 2)});
            index(indexed("edge", i), at, u16(at), vertex_count_, "vertex");
            index(indexed("edge", i), at + 2, u16(at + 2), vertex_count_, "vertex");
        }
        for (std::size_t i = 0; i < quad_count_; ++i) {
            const std::size_t at = at_.quads + lay::kQuadSize * i;
            Quad quad;
            for (std::size_t k = 0; k < 6; ++k) {
                const std::uint16_t value = u16(at + 2 * k);
                (k < 4 ? quad.corners[k % 4] : quad.triangles[k % 2]) = value;
                index(indexed("quad", i), at + 2 * k, value, k < 4 ? vertex_count_ : triangle_count_, k < 4 ? "vertex" : "triangle");
            }
            document_.quads.push_back(quad);
        }
    }

    std::span<const std::byte> bytes_;
    const Finding& found_;
    Sections& at_;
    Document document_;
    std::size_t vertex_count_ = 0, triangle_count_ = 0, bone_count_ = 0, clip_count_ = 0, edge_count_ = 0, quad_count_ = 0;
    std::vector<Used> used_;
    bool fatal_ = false;
};

}  // namespace

std::optional<Document> read(std::span<const std::byte> bytes, const Finding& found, Sections& sections) { return Reader(bytes, found, sections).run(); }

bool is_checkers(core::IssueId id) {
    switch (id) {
        case IssueId::PS1_BONES: case IssueId::PS1_VERTICES: case IssueId::PS1_TEXTURE: case IssueId::PS1_ORDER: case IssueId::PS1_BONE_RANGE: return true;
        default: return false;
    }
}

std::string indexed(std::string_view name, std::size_t index) { return std::string(name) + "[" + std::to_string(index) + "]"; }

std::string finding_text(core::IssueId id, const std::vector<core::Arg>& arguments) {
    core::Report one;
    one.add_counted(id, {}, arguments);
    return one.issues().front().text;
}

bool has_magic(std::span<const std::byte> bytes) {
    const auto magic = std::as_bytes(std::span(layout::kMagicText));
    return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

std::uint16_t load16(std::span<const std::byte> bytes, std::size_t at) { return core::Reader(bytes.subspan(at)).u16(); }
std::uint32_t load32(std::span<const std::byte> bytes, std::size_t at) { return core::Reader(bytes.subspan(at)).u32(); }

}  // namespace gomkit::ps1

#include "check.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "decode.hpp"
#include "encode.hpp"
#include "layout.hpp"

namespace gomkit::km3 {
namespace {

namespace lay = layout;
using core::IssueId;
using core::number_text;

constexpr std::uint32_t kDetailed = 4096;

struct Array {
    const char* name;
    std::size_t field;             // of the offset, in the record
    std::size_t size;              // of an element
    std::size_t alignment;
    std::uint32_t count = 0;
    std::uint32_t at = 0;
    bool good = false;             // used, and inside the file

    [[nodiscard]] std::uint64_t bytes() const { return std::uint64_t{count} * size; }
};

struct Record {
    std::uint64_t at = 0;
    std::uint32_t polygons = 0;
    std::uint32_t vertex_count = 0;
    std::uint32_t normal_count = 0;
    std::int32_t parent = -1;
    std::int32_t extend = -1;
    bool parent_good = false;
    std::optional<std::size_t> base;   // the ordinary unit it belongs to
    Array verts, vid, norms, nid, uvs, tex;
};

class Checker {
public:
    Checker(std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& report)
        : bytes_(bytes), file_(file), options_(options), report_(report) {}

    void run() {
        if (!header()) {
            return;
        }
        if (!counts()) {
            return;
        }
        for (std::size_t i = 0; i < records_.size(); ++i) {
            fields(i);
        }
        chains();
        for (std::size_t i = 0; i < records_.size(); ++i) {
            frame(i);
        }
        cycles();
        overlaps();
        for (std::size_t i = 0; i < records_.size(); ++i) {
            vertices(i);
            polygons(i);
            normals(i);
            coordinates(i);
            names(i);
        }
        if (!error_) {
            whole();
        }
    }

private:
    void add(IssueId id, std::string part, std::uint64_t byte, std::initializer_list<core::Arg> arguments = {}) {
        error_ = error_ || core::info(id).severity == core::Severity::Error;
        report_.add(id, core::Place{file_, std::move(part), byte, std::nullopt}, arguments);
    }
    /// For findings that every vertex can give: beyond some thousands of a kind their places would be read by nobody, and they are counted only.
    bool only_counted(IssueId id) {
        if (++given_[static_cast<std::size_t>(id)] <= kDetailed) {
            return false;
        }
        add(id, {}, 0);
        return true;
    }
    [[nodiscard]] std::uint32_t u32(std::uint64_t at) const { return load<std::uint32_t>(bytes_.data() + at); }
    [[nodiscard]] std::int32_t i32(std::uint64_t at) const { return load<std::int32_t>(bytes_.data() + at); }
    [[nodiscard]] std::uint32_t u16(std::uint64_t at) const { return load<std::uint16_t>(bytes_.data() + at); }
    [[nodiscard]] float f32(std::uint64_t at) const { return load<float>(bytes_.data() + at); }
    [[nodiscard]] std::uint64_t table_end() const { return lay::header::kSize + std::uint64_t{lay::record::kSize} * records_.size(); }
    [[nodiscard]] std::string unit(std::size_t i, std::string_view rest) const { return indexed("unit", i) + "." + std::string(rest); }

    // One finding a group, as a reader has one place for it.
    template <class Part>
    bool finite(std::uint64_t at, std::size_t count, Part&& part) {
        for (std::size_t k = 0; k < count; ++k) {
            if (is_bad_float(f32(at + 4 * k))) {
                if (only_counted(IssueId::KM3_FLOAT)) {
                    return false;
                }
                add(IssueId::KM3_FLOAT, part(), at + 4 * k, {{"found", number_text(f32(at + 4 * k))}});
                return false;
            }
        }
        return true;
    }

    bool header() {
        const auto too_short = [&](std::uint64_t need, const std::string& what, const char* part, std::uint64_t byte) {
            add(IssueId::KM3_SHORT, part, byte, {{"found", std::to_string(bytes_.size())}, {"expected", std::to_string(need)}, {"what", what}});
            return false;
        };
        if (bytes_.size() < lay::header::kSize) {
            return too_short(lay::header::kSize, "the header", "header", bytes_.size());
        }
        const std::uint64_t models = u32(lay::header::kModels);
        const std::uint64_t records = u32(lay::header::kRecords);
        const std::uint64_t need = lay::header::kSize + lay::record::kSize * records;
        if (bytes_.size() < need) {
            return too_short(need, std::to_string(records) + " records", "header.n_x_models", lay::header::kRecords);
        }
        if (models > records || (models == 0 && records != 0)) {
            add(IssueId::KM3_COUNT, "header.n_models", lay::header::kModels,
                {{"found", std::to_string(models)}, {"records", std::to_string(records)},
                 {"problem", models == 0 ? "all records would be orphans" : "it counts ordinary and extension units together"}});
            return false;
        }
        if (!within("units", records, options_.limits.max_bones, "header.n_x_models", lay::header::kRecords)) {
            return false;
        }
        finite(lay::header::kBox, 6, [] { return std::string("header.box"); });
        models_ = models;
        records_.resize(records);
        return true;
    }

    bool within(const char* name, std::uint64_t value, std::uint64_t limit, std::string part, std::uint64_t byte) {
        if (value <= limit) {
            return true;
        }
        add(IssueId::KM3_LIMIT, std::move(part), byte, {{"name", name}, {"value", std::to_string(value)}, {"limit", std::to_string(limit)}});
        return false;
    }

    // All counts before any array.
    bool counts() {
        bool good = true;
        std::uint64_t vertices = 0;
        std::uint64_t corners = 0;
        for (std::size_t i = 0; i < records_.size(); ++i) {
            Record& r = records_[i];
            r.at = lay::header::kSize + std::uint64_t{lay::record::kSize} * i;
            r.polygons = u32(r.at + lay::record::kPolygons);
            r.vertex_count = u32(r.at + lay::record::kVertexCount);
            r.normal_count = u32(r.at + lay::record::kNormalCount);
            good &= within("vertices of one unit", r.vertex_count, lay::kMostRead, unit(i, "n_verts"), r.at + lay::record::kVertexCount);
            good &= within("normals of one unit", r.normal_count, lay::kMostRead, unit(i, "n_norms"), r.at + lay::record::kNormalCount);
            vertices += std::uint64_t{r.vertex_count} + r.normal_count;
            corners += std::uint64_t{4} * r.polygons;
        }
        if (good) {
            good = within("vertices and normals", vertices, options_.limits.max_vertices, "header", 0);
            good &= within("polygon corners", corners, options_.limits.max_indices, "header", 0);
        }
        return good;
    }

    void fields(std::size_t i) {
        Record& r = records_[i];
        namespace f = lay::record;
        const std::uint32_t type = u32(r.at + f::kType);
        if ((type & ~lay::type::kKnown) != 0) {
            add(IssueId::KM3_TYPE, unit(i, "type"), r.at + f::kType, {{"found", hex32(type & ~lay::type::kKnown)}});
        }
        if ((type & lay::type::kGt4) == 0) {
            add(IssueId::KM3_FLAT, unit(i, "type"), r.at + f::kType);
        }
        finite(r.at + f::kBox, 6, [&] { return unit(i, "box"); });
        finite(r.at + f::kOrigin, 3, [&] { return unit(i, "t"); });
        for (const auto& [count, what, field] : {std::tuple{r.vertex_count, "vertices", f::kVertexCount}, std::tuple{r.normal_count, "normals", f::kNormalCount}}) {
            if (count > lay::kMostWritten) {
                add(IssueId::KM3_60000, indexed("unit", i), r.at + field, {{"found", std::to_string(count)}, {"what", what}});
            }
        }
        if (const std::uint32_t rgbs = u32(r.at + f::kRgbs); rgbs != 0) {
            add(IssueId::KM3_RGB, unit(i, "rgbs"), r.at + f::kRgbs, {{"found", std::to_string(rgbs)}});
        }
        r.parent = i32(r.at + f::kParent);
        r.extend = i32(r.at + f::kExtend);
        r.parent_good = r.parent >= -1 && static_cast<std::int64_t>(r.parent) < static_cast<std::int64_t>(models_);
        if (!r.parent_good) {
            add(IssueId::KM3_PARENT, unit(i, "parent"), r.at + f::kParent, {{"found", std::to_string(r.parent)}, {"count", std::to_string(models_)}});
        }
        arrays(i);
    }

    void arrays(std::size_t i) {
        Record& r = records_[i];
        namespace f = lay::record;
        const auto array = [&](const char* name, std::size_t field, std::size_t size, std::size_t alignment, std::uint32_t count) {
            return Array{name, field, size, alignment, count, u32(r.at + field), false};
        };
        r.verts = array("verts", f::kVerts, lay::kVertexSize, 4, r.vertex_count);
        r.vid = array("vid", f::kVid, lay::kIndexSize, 2, r.polygons);
        r.norms = array("norms", f::kNorms, lay::kVertexSize, 4, r.normal_count);
        r.nid = array("nid", f::kNid, lay::kIndexSize, 2, r.polygons);
        r.uvs = array("uvs", f::kUvs, lay::kUvSize, 4, r.polygons);
        r.tex = array("tex_name", f::kTexName, lay::kNameSize, 4, r.polygons);
        const bool has_verts = r.verts.count != 0 && r.verts.at != 0;
        if (r.polygons != 0) {
            const auto missing = [&](const Array& a, const char* what) {
                add(IssueId::KM3_NULL, unit(i, a.name), r.at + a.field, {{"count", std::to_string(r.polygons)}, {"what", what}});
            };
            if (!has_verts) {
                missing(r.verts, "vertices");
            }
            if (r.vid.at == 0) {
                missing(r.vid, "vertex indices");
            }
        }
        const bool has_normals = r.polygons != 0 && r.norms.count != 0 && r.norms.at != 0 && r.nid.at != 0;
        if (r.polygons != 0 && !has_normals) {
            add(IssueId::KM3_NID, unit(i, "norms"), r.at + f::kNorms,
                {{"problem", r.norms.count == 0 || r.norms.at == 0 ? "the unit has no normals; they are made from its faces"
                                                                   : "the unit has normals and no indices of them; they are made from its faces"}});
        }
        for (auto& [a, used] : {std::pair<Array*, bool>{&r.verts, has_verts}, {&r.vid, true}, {&r.norms, has_normals}, {&r.nid, has_normals},
                                {&r.uvs, true}, {&r.tex, true}}) {
            if (!used || a->count == 0 || a->at == 0) {
                continue;
            }
            const std::string part = unit(i, a->name);
            if (a->at < table_end() || a->at > bytes_.size() || a->bytes() > bytes_.size() - a->at) {
                range(part, r.at + a->field, a->bytes(), a->at);
                continue;
            }
            a->good = true;
            if (a->at % a->alignment != 0) {
                add(IssueId::KM3_ALIGN, part, r.at + a->field, {{"offset", std::to_string(a->at)}, {"expected", std::to_string(a->alignment)}});
            }
        }
    }

    void range(const std::string& part, std::uint64_t byte, std::uint64_t size, std::uint64_t at) {
        add(IssueId::KM3_RANGE, part, byte, {{"size", std::to_string(size)}, {"offset", std::to_string(at)}, {"begin", std::to_string(table_end())},
                                             {"end", std::to_string(bytes_.size())}});
    }

    void chains() {
        std::vector<bool> named(records_.size(), false);
        bool broken = false;
        for (std::size_t i = 0; i < records_.size(); ++i) {
            const std::int64_t to = records_[i].extend;
            if (to == -1) {
                continue;
            }
            std::string problem;
            if (to < static_cast<std::int64_t>(models_) || to >= static_cast<std::int64_t>(records_.size())) {
                problem = "it has to be -1 or an extension unit, from " + std::to_string(models_) + " to below " + std::to_string(records_.size());
            } else if (named[static_cast<std::size_t>(to)]) {
                problem = "that unit is in a chain already";
            } else {
                named[static_cast<std::size_t>(to)] = true;
                continue;
            }
            add(IssueId::KM3_EXTEND, unit(i, "extend"), records_[i].at + lay::record::kExtend, {{"found", std::to_string(to)}, {"problem", problem}});
            broken = true;
        }
        if (broken) {   // then nothing is said about who belongs to whom
            return;
        }
        for (std::size_t i = 0; i < models_; ++i) {
            for (std::int64_t at = static_cast<std::int64_t>(i); at >= 0; at = records_[static_cast<std::size_t>(at)].extend) {
                records_[static_cast<std::size_t>(at)].base = i;
            }
        }
        for (std::size_t i = models_; i < records_.size(); ++i) {
            if (!records_[i].base) {
                add(IssueId::KM3_ORPHAN, indexed("unit", i), records_[i].at);
            }
        }
    }

    void frame(std::size_t i) {
        const Record& r = records_[i];
        if (i < models_) {
            if (r.parent_good && r.parent >= 0 && static_cast<std::size_t>(r.parent) >= i) {
                add(IssueId::KM3_ORDER, unit(i, "parent"), r.at + lay::record::kParent, {{"found", std::to_string(r.parent)}});
            }
            return;
        }
        if (!r.base) {
            return;
        }
        const Record& base = records_[*r.base];
        const auto differs = [&](const char* field, std::size_t at) {
            add(IssueId::KM3_EXTFRAME, unit(i, field), r.at + at, {{"field", field}, {"base", std::to_string(*r.base)}});
        };
        if (r.parent_good && r.parent != base.parent) {
            differs("parent", lay::record::kParent);
        }
        for (std::size_t c = 0; c < 3; ++c) {
            if (u32(r.at + lay::record::kOrigin + 4 * c) != u32(base.at + lay::record::kOrigin + 4 * c)) {
                differs("t", lay::record::kOrigin + 4 * c);
                break;
            }
        }
    }

    void cycles() {
        // A walk upwards that comes by twice goes in a circle, which is reported at its lowest unit.
        std::vector<std::uint8_t> ends(models_, 0);   // 1: known to end, 2: known to run into a circle
        std::vector<std::size_t> walked_by(models_, models_);
        for (std::size_t i = 0; i < models_; ++i) {
            std::vector<std::size_t> walk;
            std::size_t at = i;
            std::uint8_t result = 0;
            while (result == 0) {
                if (ends[at] != 0) {
                    result = ends[at];
                } else if (walked_by[at] == i) {
                    result = 2;
                    const std::size_t lowest = *std::min_element(std::find(walk.begin(), walk.end(), at), walk.end());
                    add(IssueId::KM3_CYCLE, unit(lowest, "parent"), records_[lowest].at + lay::record::kParent);
                } else {
                    walked_by[at] = i;
                    walk.push_back(at);
                    if (!records_[at].parent_good || records_[at].parent < 0) {
                        result = 1;
                    } else {
                        at = static_cast<std::size_t>(records_[at].parent);
                    }
                }
            }
            for (const std::size_t w : walk) {
                ends[w] = result;
            }
        }
    }

    void overlaps() {
        struct Used {
            std::uint64_t begin, end;
            std::size_t record;
            const Array* array;
        };
        std::vector<Used> used;
        for (std::size_t i = 0; i < records_.size(); ++i) {
            const Record& r = records_[i];
            for (const Array* a : {&r.verts, &r.vid, &r.norms, &r.nid, &r.uvs, &r.tex}) {
                if (a->good) {
                    used.push_back({a->at, a->at + a->bytes(), i, a});
                }
            }
        }
        std::stable_sort(used.begin(), used.end(), [](const Used& a, const Used& b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
        std::size_t last = 0;   // the one that reaches furthest so far
        for (std::size_t k = 1; k < used.size(); ++k) {
            const Used& u = used[k];
            const bool same = u.begin == used[k - 1].begin && u.end == used[k - 1].end;
            const Used& other = same ? used[k - 1] : used[last];
            if (same || u.begin < other.end) {
                add(same ? IssueId::KM3_ALIAS : IssueId::KM3_OVERLAP, unit(u.record, u.array->name), records_[u.record].at + u.array->field,
                    {{"offset", std::to_string(u.begin)}, {"other", unit(other.record, other.array->name)}});
            }
            if (u.end > used[last].end) {
                last = k;
            }
        }
    }

    void vertices(std::size_t i) {
        const Record& r = records_[i];
        if (!r.verts.good) {
            return;
        }
        const std::optional<std::size_t> base = i < models_ ? std::optional(i) : r.base;
        const bool root = base && records_[*base].parent == -1;
        for (std::size_t v = 0; v < r.verts.count; ++v) {
            const std::uint64_t at = r.verts.at + lay::kVertexSize * v;
            const auto part = [&] { return unit(i, indexed("verts", v)); };
            if (!finite(at, 4, part)) {
                continue;
            }
            const float w = f32(at + 12);
            if (w < 0 || w > 1) {
                if (only_counted(IssueId::KM3_WEIGHT)) {
                    continue;
                }
                add(IssueId::KM3_WEIGHT, part() + ".w", at + 12, {{"found", number_text(w)}, {"read", w < 0 && !root ? "0" : "1"}});
            } else if (root && w != 1 && !only_counted(IssueId::KM3_ROOTW)) {
                add(IssueId::KM3_ROOTW, part() + ".w", at + 12, {{"found", number_text(w)}});
            }
        }
    }

    // One finding a polygon: its first index out of range.
    bool indices(std::size_t i, const Array& a, std::size_t p, std::uint32_t count) {
        for (std::size_t k = 0; k < 4; ++k) {
            const std::uint64_t at = a.at + lay::kIndexSize * p + 2 * k;
            if (const std::uint32_t index = u16(at); index >= count) {
                if (only_counted(IssueId::KM3_INDEX)) {
                    return false;
                }
                add(IssueId::KM3_INDEX, unit(i, indexed(a.name, p)), at, {{"found", std::to_string(index)}, {"count", std::to_string(count)}});
                return false;
            }
        }
        return true;
    }

    void polygons(std::size_t i) {
        const Record& r = records_[i];
        if (r.vid.good && r.verts.count != 0 && r.verts.at != 0) {
            for (std::size_t p = 0; p < r.polygons; ++p) {
                indices(i, r.vid, p, r.vertex_count);
            }
        }
        if (!r.nid.good) {
            return;
        }
        for (std::size_t p = 0; p < r.polygons; ++p) {
            if (!indices(i, r.nid, p, r.normal_count) || !r.vid.good) {
                continue;
            }
            const std::uint64_t vid = r.vid.at + lay::kIndexSize * p;
            const std::uint64_t nid = r.nid.at + lay::kIndexSize * p;
            if (u16(vid + 4) == u16(vid + 6) && u16(nid + 4) != u16(nid + 6) && !only_counted(IssueId::KM3_NID)) {
                add(IssueId::KM3_NID, unit(i, indexed("nid", p)), nid + 6,
                    {{"problem", "a triangle's fourth normal index is " + std::to_string(u16(nid + 6)) + " and not a copy of the third, " +
                                     std::to_string(u16(nid + 4))}});
            }
        }
    }

    void normals(std::size_t i) {
        const Record& r = records_[i];
        for (std::size_t n = 0; r.norms.good && n < r.norms.count; ++n) {
            finite(r.norms.at + lay::kVertexSize * n, 4, [&] { return unit(i, indexed("norms", n)); });
        }
    }

    void coordinates(std::size_t i) {
        const Record& r = records_[i];
        for (std::size_t p = 0; r.uvs.good && p < r.polygons; ++p) {
            finite(r.uvs.at + lay::kUvSize * p, 8, [&] { return unit(i, indexed("uvs", p)); });
        }
    }

    void names(std::size_t i) {
        const Record& r = records_[i];
        for (std::size_t p = 0; r.tex.good && p < r.polygons; ++p) {
            const std::uint64_t field = r.tex.at + lay::kNameSize * p;
            const std::uint64_t at = u32(field);
            if (at == 0 || (at < bytes_.size() && !seen_.insert(at).second)) {   // a name that many polygons have is judged once
                continue;
            }
            const std::string part = unit(i, indexed("tex_name", p));
            if (at < table_end() || at >= bytes_.size()) {
                range(part, field, 1, at);
                continue;
            }
            std::string name;
            std::uint64_t end = at;
            while (end < bytes_.size() && end - at <= lay::kMostNameBytes && bytes_[end] != std::byte{0}) {
                name += static_cast<char>(bytes_[end++]);
            }
            if (end == bytes_.size() || end - at > lay::kMostNameBytes) {
                add(IssueId::KM3_STRING, part, at,
                    {{"problem", end == bytes_.size() ? "the file ends inside the texture name" : "no NUL ends the texture name within 255 bytes"}});
                continue;
            }
            name_bytes_ += name.size() + 1;
            if (!names_exceed_ && (seen_.size() > options_.limits.max_strings || name_bytes_ > options_.limits.max_string_bytes)) {
                names_exceed_ = true;
                const bool many = seen_.size() > options_.limits.max_strings;
                within(many ? "texture names" : "bytes of texture names", many ? seen_.size() : name_bytes_,
                       many ? options_.limits.max_strings : options_.limits.max_string_bytes, part, field);
            }
            if (name.empty() || !is_printable_ascii(name)) {
                add(IssueId::KM3_NAME, part, at,
                    {{"name", from_latin1(name)}, {"problem", name.empty() ? "is empty; its polygons are read as untextured" : "is not printable ASCII; it is read as Latin-1"}});
            }
        }
    }

    // What only the whole shows: places at rest, and the bytes that a writer gives.
    void whole() {
        DecodeOptions how;
        how.limits = options_.limits;
        const core::Result<Document> document = decode(bytes_, file_, how);
        if (!document) {
            if (document.error().notes.front() == "rule KM3_FLOAT") {
                add(IssueId::KM3_FLOAT, document.error().place.part, document.error().place.byte.value_or(0), {{"found", document.error().found}});
            }
        } else if (options_.canonical) {
            canonical(*document);
        }
    }

    void canonical(const Document& document) {
        if (document.unit_count != models_ || document.units.size() != records_.size()) {
            add(IssueId::KM3_NOT_CANONICAL, "", 0, {{"problem", "a writer gives " + std::to_string(document.units.size()) + " units"}});
            return;
        }
        const core::Bytes written = encode(document);
        const auto [mine, other] = std::mismatch(bytes_.begin(), bytes_.end(), written.begin(), written.end());
        if (mine != bytes_.end() || other != written.end()) {
            const auto at = static_cast<std::uint64_t>(mine - bytes_.begin());
            add(IssueId::KM3_NOT_CANONICAL, "", at,
                {{"problem", mine != bytes_.end() && other != written.end() ? "from this byte on a writer gives other bytes"
                                                                            : "a writer gives " + std::to_string(written.size()) + " bytes instead of " +
                                                                                  std::to_string(bytes_.size())}});
        }
    }

    std::span<const std::byte> bytes_;
    const std::string& file_;
    const codec::CheckOptions& options_;
    core::Report& report_;
    bool error_ = false;
    std::vector<std::uint32_t> given_ = std::vector<std::uint32_t>(static_cast<std::size_t>(IssueId::Count), 0);
    std::size_t models_ = 0;
    std::vector<Record> records_;
    std::set<std::uint64_t> seen_;
    std::uint64_t name_bytes_ = 0;
    bool names_exceed_ = false;
};

}  // namespace

void check(std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& report) {
    Checker(bytes, file, options, report).run();
}

}  // namespace gomkit::km3

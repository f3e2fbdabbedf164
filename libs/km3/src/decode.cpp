#include "decode.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include <gomkit/core/report.hpp>

#include "bytes.hpp"
#include "layout.hpp"

namespace gomkit::km3 {
namespace {

namespace lay = layout;
using core::IssueId;

/// A record's fields and what of its arrays is used.
struct Record {
    std::uint32_t type = 0;
    std::uint32_t polygons = 0;
    std::array<float, 3> origin{};
    std::int32_t parent = -1;
    std::int32_t extend = -1;
    std::uint32_t verts = 0, norms = 0;                        ///< counts; 0 where the array is absent
    std::uint32_t verts_at = 0, vid_at = 0, norms_at = 0, nid_at = 0, uvs_at = 0, tex_at = 0;
};

class Decoder {
public:
    Decoder(std::span<const std::byte> bytes, const std::string& file, const DecodeOptions& options)
        : bytes_(bytes), file_(file), options_(options) {}

    core::Result<Document> run() {
        for (const auto step : {&Decoder::header, &Decoder::limits, &Decoder::records, &Decoder::parents, &Decoder::chains, &Decoder::ranges,
                                &Decoder::overlaps, &Decoder::order, &Decoder::contents, &Decoder::rest_positions}) {
            if (!(this->*step)()) {
                return core::Fault(std::move(error_));
            }
        }
        return std::move(document_);
    }

private:
    // The one error

    bool fail(IssueId id, std::string part, std::uint64_t byte, std::string found = {}, std::string expected = {}) {
        const core::IssueInfo& row = core::info(id);
        error_.code = id == IssueId::KM3_LIMIT ? core::Code::LimitExceeded : id == IssueId::KM3_SHORT ? core::Code::Truncated : core::Code::Malformed;
        error_.place = core::Place{file_, std::move(part), byte, std::nullopt};
        error_.what = what(id);
        error_.found = std::move(found);
        error_.expected = std::move(expected);
        error_.cure = row.severity == core::Severity::Warning ? "read the file leniently, without --strict" : row.cure;
        error_.notes = {std::string("rule ") + row.name};
        return false;
    }
    static const char* what(IssueId id) {
        switch (id) {
            case IssueId::KM3_SHORT: return "the file is too short for a KM3 of its counts";
            case IssueId::KM3_COUNT: return "the counts of units contradict each other";
            case IssueId::KM3_LIMIT: return "a limit is exceeded";
            case IssueId::KM3_FLOAT: return "a number is not finite, or leaves float32";
            case IssueId::KM3_RANGE: return "an array or string does not lie between the records and the end of the file";
            case IssueId::KM3_NULL: return "polygons without vertices or indices";
            case IssueId::KM3_INDEX: return "an index is out of range";
            case IssueId::KM3_STRING: return "a texture name has no end";
            case IssueId::KM3_PARENT: return "a parent is no ordinary unit";
            case IssueId::KM3_CYCLE: return "a unit is its own ancestor";
            case IssueId::KM3_EXTEND: return "the extension chains are broken";
            case IssueId::KM3_ORDER: return "a parent does not come before its child";
            case IssueId::KM3_WEIGHT: return "a weight is not between 0 and 1";
            case IssueId::KM3_ALIGN: return "an array is not aligned";
            case IssueId::KM3_OVERLAP: return "two arrays overlap";
            case IssueId::KM3_ORPHAN: return "an extension unit is in no chain";
            case IssueId::KM3_NAME: return "a texture name is not printable ASCII of at least one character";
            default: return "the file is not valid";
        }
    }
    /// A violation that a lenient reader mends. True: go on.
    bool doubt(IssueId id, std::string part, std::uint64_t byte, std::string found = {}, std::string expected = {}) {
        return !options_.strict || fail(id, std::move(part), byte, std::move(found), std::move(expected));
    }

    [[nodiscard]] std::uint32_t u32(std::uint64_t at) const { return load<std::uint32_t>(bytes_.data() + at); }
    [[nodiscard]] std::uint64_t record_at(std::size_t i) const { return lay::header::kSize + std::uint64_t{lay::record::kSize} * i; }
    [[nodiscard]] std::uint64_t table_end() const { return record_at(records_.size()); }

    template <class Part>
    bool floats(std::uint64_t at, std::span<float> out, const Part& part) {
        for (float& f : out) {
            f = load<float>(bytes_.data() + at);
            if (is_bad_float(f)) {
                return fail(IssueId::KM3_FLOAT, part(), at, core::number_text(f), "a finite number");
            }
            at += 4;
        }
        return true;
    }

    // Steps, in the order of the page's table

    bool header() {
        if (bytes_.size() < lay::header::kSize) {
            return fail(IssueId::KM3_SHORT, "header", bytes_.size(), std::to_string(bytes_.size()) + " bytes", "at least 32");
        }
        models_ = u32(lay::header::kModels);
        const std::uint64_t count = u32(lay::header::kRecords);
        const std::uint64_t need = lay::header::kSize + lay::record::kSize * count;
        if (bytes_.size() < need) {
            return fail(IssueId::KM3_SHORT, "header.n_x_models", lay::header::kRecords, std::to_string(bytes_.size()) + " bytes",
                        std::to_string(need) + " for " + std::to_string(count) + " records");
        }
        if (models_ > count || (models_ == 0 && count != 0)) {
            return fail(IssueId::KM3_COUNT, "header.n_models", lay::header::kModels, std::to_string(models_) + " of " + std::to_string(count) + " records");
        }
        if (count > options_.limits.max_bones) {
            return fail(IssueId::KM3_LIMIT, "header.n_x_models", lay::header::kRecords, std::to_string(count) + " units",
                        "at most " + std::to_string(options_.limits.max_bones));
        }
        records_.resize(count);
        std::array<float, 6> box{};
        return floats(lay::header::kBox, box, [] { return "header.box"; });
    }

    bool limits() {
        std::uint64_t vertices = 0;
        std::uint64_t corners = 0;
        for (std::size_t i = 0; i < records_.size(); ++i) {
            namespace r = lay::record;
            const std::uint64_t at = record_at(i);
            for (const auto& [field, name] : {std::pair{r::kVertexCount, "n_verts"}, std::pair{r::kNormalCount, "n_norms"}}) {
                const std::uint32_t count = u32(at + field);
                if (count > lay::kMostRead) {
                    return fail(IssueId::KM3_LIMIT, indexed("unit", i) + "." + name, at + field, std::to_string(count), "at most 65536");
                }
                vertices += count;
            }
            corners += std::uint64_t{4} * u32(at + r::kPolygons);
        }
        for (const auto& [found, limit, name] : {std::tuple{vertices, options_.limits.max_vertices, "vertices and normals"},
                                                 std::tuple{corners, options_.limits.max_indices, "polygon corners"}}) {
            if (found > limit) {
                return fail(IssueId::KM3_LIMIT, "header", 0, std::to_string(found) + " " + name, "at most " + std::to_string(limit));
            }
        }
        return true;
    }

    bool records() {
        for (std::size_t i = 0; i < records_.size(); ++i) {
            namespace r = lay::record;
            const std::uint64_t at = record_at(i);
            Record& record = records_[i];
            std::array<float, 6> box{};
            if (!floats(at + r::kBox, box, [i] { return indexed("unit", i) + ".box"; }) ||
                !floats(at + r::kOrigin, record.origin, [i] { return indexed("unit", i) + ".t"; })) {
                return false;
            }
            record.type = u32(at + r::kType);
            record.polygons = u32(at + r::kPolygons);
            record.parent = static_cast<std::int32_t>(u32(at + r::kParent));
            record.extend = static_cast<std::int32_t>(u32(at + r::kExtend));
            record.verts_at = u32(at + r::kVerts);
            record.verts = record.verts_at == 0 ? 0 : u32(at + r::kVertexCount);
            if (record.polygons != 0) {
                record.vid_at = u32(at + r::kVid);
                record.norms = u32(at + r::kNormalCount);
                record.norms_at = u32(at + r::kNorms);
                record.nid_at = u32(at + r::kNid);
                if (record.norms == 0 || record.norms_at == 0 || record.nid_at == 0) {
                    record.norms = record.norms_at = record.nid_at = 0;
                }
                record.uvs_at = u32(at + r::kUvs);
                record.tex_at = u32(at + r::kTexName);
                if (record.verts == 0 || record.vid_at == 0) {
                    return fail(IssueId::KM3_NULL, indexed("unit", i), at, std::to_string(record.polygons) + " polygons");
                }
            }
        }
        return true;
    }

    bool parents() {
        for (std::size_t i = 0; i < records_.size(); ++i) {
            const std::int32_t parent = records_[i].parent;
            if (parent < -1 || parent >= static_cast<std::int64_t>(models_)) {
                return fail(IssueId::KM3_PARENT, indexed("unit", i) + ".parent", record_at(i) + lay::record::kParent, std::to_string(parent),
                            "-1 or an ordinary unit, below " + std::to_string(models_));
            }
        }
        // 0: not seen, 1: on the way up, 2: known to end.
        std::vector<std::uint8_t> state(models_, 0);
        for (std::size_t i = 0; i < models_; ++i) {
            std::size_t at = i;
            std::vector<std::size_t> chain;
            while (state[at] == 0) {
                state[at] = 1;
                chain.push_back(at);
                if (records_[at].parent < 0) {
                    break;
                }
                at = static_cast<std::size_t>(records_[at].parent);
                if (state[at] == 1) {
                    return fail(IssueId::KM3_CYCLE, indexed("unit", at) + ".parent", record_at(at) + lay::record::kParent);
                }
            }
            for (const std::size_t c : chain) {
                state[c] = 2;
            }
        }
        return true;
    }

    bool chains() {
        std::vector<bool> named(records_.size(), false);
        for (std::size_t i = 0; i < records_.size(); ++i) {
            const std::int64_t to = records_[i].extend;
            const std::uint64_t at = record_at(i) + lay::record::kExtend;
            if (to == -1) {
                continue;
            }
            if (to < static_cast<std::int64_t>(models_) || to >= static_cast<std::int64_t>(records_.size())) {
                return fail(IssueId::KM3_EXTEND, indexed("unit", i) + ".extend", at, std::to_string(to), "-1 or an extension unit");
            }
            if (named[static_cast<std::size_t>(to)]) {
                return fail(IssueId::KM3_EXTEND, indexed("unit", i) + ".extend", at, "unit " + std::to_string(to) + " a second time", "each unit once");
            }
            named[static_cast<std::size_t>(to)] = true;
        }
        base_.assign(records_.size(), kNoBase);
        for (std::uint32_t i = 0; i < models_; ++i) {
            base_[i] = i;
            for (std::int32_t e = records_[i].extend; e != -1; e = records_[static_cast<std::size_t>(e)].extend) {
                base_[static_cast<std::size_t>(e)] = i;
            }
        }
        for (std::size_t i = models_; i < records_.size(); ++i) {
            if (base_[i] == kNoBase && !doubt(IssueId::KM3_ORPHAN, indexed("unit", i), record_at(i))) {
                return false;
            }
        }
        return true;
    }

    template <class Visit>
    bool each_array(Visit&& visit) {
        for (std::size_t i = 0; i < records_.size(); ++i) {
            const Record& r = records_[i];
            namespace f = lay::record;
            const struct {
                const char* name;
                std::size_t field;
                std::uint32_t at, count;
                std::size_t size, alignment;
            } arrays[] = {{"verts", f::kVerts, r.verts_at, r.verts, lay::kVertexSize, 4},  {"vid", f::kVid, r.vid_at, r.polygons, lay::kIndexSize, 2},
                          {"norms", f::kNorms, r.norms_at, r.norms, lay::kVertexSize, 4},  {"nid", f::kNid, r.nid_at, r.polygons, lay::kIndexSize, 2},
                          {"uvs", f::kUvs, r.uvs_at, r.polygons, lay::kUvSize, 4},         {"tex_name", f::kTexName, r.tex_at, r.polygons, lay::kNameSize, 4}};
            for (const auto& a : arrays) {
                if (a.at != 0 && a.count != 0 && !visit(i, a)) {
                    return false;
                }
            }
        }
        return true;
    }

    bool ranges() {
        return each_array([this](std::size_t i, const auto& a) {
            const std::uint64_t size = std::uint64_t{a.count} * a.size;
            const std::string part = indexed("unit", i) + "." + a.name;
            if (a.at < table_end() || a.at > bytes_.size() || size > bytes_.size() - a.at) {
                return fail(IssueId::KM3_RANGE, part, record_at(i) + a.field, std::to_string(size) + " bytes at " + std::to_string(a.at),
                            std::to_string(table_end()) + " to " + std::to_string(bytes_.size()));
            }
            return a.at % a.alignment == 0 || doubt(IssueId::KM3_ALIGN, part, record_at(i) + a.field, std::to_string(a.at));
        });
    }

    bool overlaps() {
        if (!options_.strict) {
            return true;
        }
        struct Span {
            std::uint64_t begin, end, field;
            std::string part;
        };
        std::vector<Span> spans;
        each_array([&](std::size_t i, const auto& a) {
            spans.push_back({a.at, a.at + std::uint64_t{a.count} * a.size, record_at(i) + a.field, indexed("unit", i) + "." + a.name});
            return true;
        });
        std::stable_sort(spans.begin(), spans.end(), [](const Span& x, const Span& y) { return x.begin != y.begin ? x.begin < y.begin : x.end < y.end; });
        std::uint64_t end = 0;
        for (std::size_t i = 0; i < spans.size(); ++i) {
            const bool alias = i > 0 && spans[i].begin == spans[i - 1].begin && spans[i].end == spans[i - 1].end;
            if (!alias && spans[i].begin < end) {
                return fail(IssueId::KM3_OVERLAP, spans[i].part, spans[i].field);
            }
            end = std::max(end, spans[i].end);
        }
        return true;
    }

    /// Where each record goes: parents first, else as they stand; orphans go nowhere.
    bool order() {
        place_.assign(records_.size(), kNoBase);
        std::vector<std::size_t> chain;
        for (std::size_t i = 0; i < models_; ++i) {
            const std::int32_t parent = records_[i].parent;
            if (parent >= 0 && static_cast<std::size_t>(parent) >= i &&
                !doubt(IssueId::KM3_ORDER, indexed("unit", i) + ".parent", record_at(i) + lay::record::kParent, std::to_string(parent), "a unit before it")) {
                return false;
            }
            chain.clear();
            for (std::size_t at = i; place_[at] == kNoBase; at = static_cast<std::size_t>(records_[at].parent)) {
                chain.push_back(at);
                if (records_[at].parent < 0) {
                    break;
                }
            }
            for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
                place_[*it] = static_cast<std::uint32_t>(sources_.size());
                sources_.push_back(*it);
            }
        }
        for (std::size_t i = models_; i < records_.size(); ++i) {
            if (base_[i] != kNoBase) {
                place_[i] = static_cast<std::uint32_t>(sources_.size());
                sources_.push_back(i);
            }
        }
        return true;
    }

    /// Every record is tested, orphans too; those that are kept are taken over.
    bool contents() {
        document_.unit_count = models_;
        document_.units.resize(sources_.size());
        Unit dropped;
        for (std::size_t i = 0; i < records_.size(); ++i) {
            Unit& unit = place_[i] == kNoBase ? dropped : document_.units[place_[i]];
            unit = {};
            if (!vertices(i, unit) || !indices(i, "vid", records_[i].vid_at, records_[i].verts, unit.vid) || !normals(i, unit) ||
                !indices(i, "nid", records_[i].nid_at, records_[i].norms, unit.nid) || !coordinates(i, unit)) {
                return false;
            }
            for (std::size_t p = 0; p < unit.nid.size(); ++p) {
                if (is_triangle(unit.vid[p])) {
                    unit.nid[p][3] = unit.nid[p][2];
                }
            }
        }
        // Names last, and in the order of the units as they will stand, so that the pool is in order of first use.
        std::vector<std::size_t> order = sources_;
        for (std::size_t i = models_; i < records_.size(); ++i) {
            if (base_[i] == kNoBase) {
                order.push_back(i);
            }
        }
        for (const std::size_t i : order) {
            if (!names(i, place_[i] == kNoBase ? nullptr : &document_.units[place_[i]])) {
                return false;
            }
        }
        for (std::size_t k = 0; k < sources_.size(); ++k) {
            const Record& own = records_[sources_[k]];
            const Record& base = records_[base_[sources_[k]]];
            Unit& unit = document_.units[k];
            unit.type = own.type | lay::type::kGt4;
            unit.origin = base.origin;
            unit.parent = base.parent < 0 ? -1 : static_cast<std::int32_t>(place_[static_cast<std::size_t>(base.parent)]);
            unit.extend = own.extend < 0 ? -1 : static_cast<std::int32_t>(place_[static_cast<std::size_t>(own.extend)]);
            if (unit.parent < 0) {
                for (Vec4f& v : unit.verts) {
                    v[3] = 1;
                }
            }
        }
        return true;
    }

    bool vertices(std::size_t i, Unit& unit) {
        const Record& r = records_[i];
        unit.verts.resize(r.verts);
        for (std::size_t v = 0; v < r.verts; ++v) {
            const std::uint64_t at = r.verts_at + lay::kVertexSize * v;
            const auto part = [&] { return indexed("unit", i) + "." + indexed("verts", v); };
            if (!floats(at, unit.verts[v], part)) {
                return false;
            }
            float& w = unit.verts[v][3];
            if (w < 0 || w > 1) {
                if (!doubt(IssueId::KM3_WEIGHT, part() + ".w", at + 12, core::number_text(w), "0 to 1")) {
                    return false;
                }
                w = w < 0 ? 0.0f : 1.0f;
            }
        }
        return true;
    }

    bool indices(std::size_t i, const char* name, std::uint32_t begin, std::uint32_t count, core::LargeVector<Quad>& out) {
        const std::size_t polygons = begin == 0 ? 0 : records_[i].polygons;
        out.resize(polygons);
        for (std::size_t p = 0; p < polygons; ++p) {
            for (std::size_t k = 0; k < 4; ++k) {
                const std::uint64_t at = begin + lay::kIndexSize * p + 2 * k;
                out[p][k] = load<std::uint16_t>(bytes_.data() + at);
                if (out[p][k] >= count) {
                    return fail(IssueId::KM3_INDEX, indexed("unit", i) + "." + indexed(name, p), at, std::to_string(out[p][k]),
                                "below " + std::to_string(count));
                }
            }
        }
        return true;
    }

    bool normals(std::size_t i, Unit& unit) {
        const Record& r = records_[i];
        unit.norms.resize(r.norms);
        for (std::size_t n = 0; n < r.norms; ++n) {
            Vec4f& normal = unit.norms[n];
            if (!floats(r.norms_at + lay::kVertexSize * n, normal, [&] { return indexed("unit", i) + "." + indexed("norms", n); })) {
                return false;
            }
            double length = 0;
            for (std::size_t c = 0; c < 3; ++c) {
                length += static_cast<double>(normal[c]) * static_cast<double>(normal[c]);
            }
            if (length > 0 && !is_unit_length(normal)) {
                length = std::sqrt(length);
                for (std::size_t c = 0; c < 3; ++c) {
                    normal[c] = static_cast<float>(static_cast<double>(normal[c]) / length);
                }
            }
        }
        return true;
    }

    bool coordinates(std::size_t i, Unit& unit) {
        const Record& r = records_[i];
        const std::size_t polygons = r.uvs_at == 0 ? 0 : r.polygons;
        unit.uvs.resize(polygons);
        for (std::size_t p = 0; p < polygons; ++p) {
            if (!floats(r.uvs_at + lay::kUvSize * p, unit.uvs[p], [&] { return indexed("unit", i) + "." + indexed("uvs", p); })) {
                return false;
            }
            if (is_triangle(unit.vid[p])) {
                unit.uvs[p][6] = unit.uvs[p][4];
                unit.uvs[p][7] = unit.uvs[p][5];
            }
        }
        return true;
    }

    bool names(std::size_t i, Unit* unit) {
        const Record& r = records_[i];
        const std::size_t polygons = r.tex_at == 0 ? 0 : r.polygons;
        if (unit != nullptr) {
            unit->tex.assign(polygons, kNoName);
        }
        for (std::size_t p = 0; p < polygons; ++p) {
            const std::uint64_t field = r.tex_at + lay::kNameSize * p;
            const std::uint64_t at = u32(field);
            if (at == 0) {
                continue;
            }
            const auto known = known_.find(at);
            std::uint32_t name = known == known_.end() ? kNoName : known->second;
            if (known == known_.end()) {
                const std::string part = indexed("unit", i) + "." + indexed("tex_name", p);
                if (at < table_end() || at >= bytes_.size()) {
                    return fail(IssueId::KM3_RANGE, part, field, std::to_string(at),
                                std::to_string(table_end()) + " to " + std::to_string(bytes_.size()));
                }
                const auto* text = reinterpret_cast<const char*>(bytes_.data()) + at;
                const std::size_t most = std::min<std::size_t>(bytes_.size() - at, lay::kMostNameBytes + 1);
                const auto* end = static_cast<const char*>(std::memchr(text, 0, most));
                if (end == nullptr) {
                    return fail(IssueId::KM3_STRING, part, at, {}, "a NUL after at most 255 bytes");
                }
                const std::string_view view(text, static_cast<std::size_t>(end - text));
                if ((view.empty() || !is_printable_ascii(view)) &&
                    !doubt(IssueId::KM3_NAME, part, at, view.empty() ? "an empty name" : from_latin1(view))) {
                    return false;
                }
                if (!view.empty() && unit != nullptr) {
                    name = ids_.try_emplace(std::string(view), static_cast<std::uint32_t>(document_.names.size())).first->second;
                    if (name == document_.names.size()) {
                        document_.names.emplace_back(view);
                    }
                }
                known_.emplace(at, name);
                name_bytes_ += view.size() + 1;
                if (known_.size() > options_.limits.max_strings || name_bytes_ > options_.limits.max_string_bytes) {
                    return fail(IssueId::KM3_LIMIT, part, field, std::to_string(known_.size()) + " texture names of " + std::to_string(name_bytes_) + " bytes",
                                "at most " + std::to_string(options_.limits.max_strings) + " of " + std::to_string(options_.limits.max_string_bytes));
                }
            }
            if (unit != nullptr) {
                unit->tex[p] = name;
            }
        }
        return true;
    }

    /// Sums along the chain have to stay in float32, since the boxes hold them and other formats do.
    bool rest_positions() {
        const auto origins = rest_origins(document_);
        for (std::size_t k = 0; k < document_.units.size(); ++k) {
            const std::size_t i = sources_[k];
            for (std::size_t c = 0; c < 3; ++c) {
                if (is_bad_as_float(origins[k][c])) {
                    return fail(IssueId::KM3_FLOAT, indexed("unit", i) + ".t", record_at(i) + lay::record::kOrigin, "a rest position beyond float32");
                }
                const auto& verts = document_.units[k].verts;
                for (std::size_t v = 0; v < verts.size(); ++v) {
                    if (is_bad_as_float(origins[k][c] + static_cast<double>(verts[v][c]))) {
                        return fail(IssueId::KM3_FLOAT, indexed("unit", i) + "." + indexed("verts", v), records_[i].verts_at + lay::kVertexSize * v + 4 * c,
                                    "a rest position beyond float32");
                    }
                }
            }
        }
        return true;
    }

    static constexpr std::uint32_t kNoBase = 0xFFFFFFFFu;

    std::span<const std::byte> bytes_;
    const std::string& file_;
    const DecodeOptions& options_;
    core::Error error_;
    std::uint32_t models_ = 0;
    std::vector<Record> records_;
    std::vector<std::uint32_t> base_;       ///< per record: its ordinary unit, kNoBase for an orphan
    std::vector<std::uint32_t> place_;      ///< per record: its place in the Document, kNoBase for an orphan
    std::vector<std::size_t> sources_;      ///< per unit of the Document: its record
    std::map<std::uint64_t, std::uint32_t> known_;   ///< by offset
    std::map<std::string, std::uint32_t> ids_;
    std::uint64_t name_bytes_ = 0;
    Document document_;
};

}  // namespace

core::Result<Document> decode(std::span<const std::byte> bytes, const std::string& file, const DecodeOptions& options) {
    return Decoder(bytes, file, options).run();
}

}  // namespace gomkit::km3

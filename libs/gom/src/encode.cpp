#include "encode.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <string_view>
#include <vector>

#include <gomkit/runtime/layout.hpp>

#include "bytes.hpp"
#include "rules.hpp"

namespace gomkit::gom {
namespace {

namespace lay = runtime::layout;

/// The strings of a Document as STR0 holds them.
class StringTable {
public:
    explicit StringTable(const Document& d) {
        collect(d);
        std::sort(texts_.begin(), texts_.end());
        texts_.erase(std::unique(texts_.begin(), texts_.end()), texts_.end());
        for (const std::string_view text : texts_) {
            data_bytes_ += text.size() + 1;
        }
    }
    [[nodiscard]] std::uint32_t id(std::string_view text) const {
        return text.empty() ? lay::kNone
                            : static_cast<std::uint32_t>(std::lower_bound(texts_.begin(), texts_.end(), text) - texts_.begin());
    }
    [[nodiscard]] std::uint32_t id(const std::optional<std::string>& text) const { return text ? id(std::string_view(*text)) : lay::kNone; }
    [[nodiscard]] const std::vector<std::string_view>& texts() const { return texts_; }
    [[nodiscard]] std::uint64_t payload_bytes() const {
        return lay::str0::kOffsets + lay::str0::kOffsetSize * texts_.size() + data_bytes_;
    }

private:
    void add(std::string_view text) {
        if (!text.empty()) {
            texts_.push_back(text);
        }
    }
    void add(const std::optional<std::string>& text) {
        if (text) {
            add(std::string_view(*text));
        }
    }
    void collect(const Document& d) {
        add(d.converter_version);
        for (const MaterialSlot& slot : d.materials) {
            add(slot.name);
            for (const auto& map : slot.maps) {
                add(map);
            }
        }
        for (const Bone& b : d.bones) {
            add(std::string_view(b.name));
            add(std::string_view(b.path));
        }
        for (const MorphChannel& c : d.morph_channels) {
            add(std::string_view(c.name));
        }
        for (const Part& p : d.parts) {
            add(p.name);
        }
        for (const Clip& c : d.clips) {
            add(std::string_view(c.name));
        }
    }

    std::vector<std::string_view> texts_;
    std::uint64_t data_bytes_ = 0;
};

// Payload sizes

std::uint64_t vertices_bytes(const Part& p) { return lay::vb0::kHeaderSize + lay::vf01::kSize * p.vertices.size(); }
std::uint64_t indices_bytes(const Part& p) { return lay::ib0::kHeaderSize + lay::ib0::kWrittenIndexSize * p.indices.size(); }
std::uint64_t submeshes_bytes(const Part& p) { return lay::sub0::kSubmeshes + lay::sub0::kSubmeshSize * p.submeshes.size(); }
std::uint64_t inverse_bind_bytes(const Part& p) { return lay::ibnd::kMatrices + lay::kMatrixSize * p.inverse_bind.size(); }

/// With its header and the padding after it.
std::uint64_t whole(std::uint64_t payload) { return lay::align16(lay::chunk::kHeaderSize + payload); }

std::uint64_t morph_bytes(const Morph& m) { return lay::mrph::kHeaderSize + lay::mrph::kBytesPerVertex * m.vertices.size(); }

std::uint64_t part_bytes(const Part& p) {
    std::uint64_t morphs = 0;
    for (const Morph& m : p.morphs) {
        morphs += whole(morph_bytes(m));
    }
    return morphs + lay::msh0::kHeaderSize + whole(vertices_bytes(p)) + whole(indices_bytes(p)) + whole(submeshes_bytes(p)) +
           whole(inverse_bind_bytes(p)) + whole(lay::bnd0::kSize) + (p.geometry_to_model ? whole(lay::gbtm::kSize) : 0);
}

std::uint64_t clip_bytes(const Clip& c) {
    std::uint64_t size = lay::clp0::kHeaderSize;
    for (const Track& t : c.tracks) {
        size += lay::clp0::kTrackHeaderSize + lay::clp0::kVectorKeySize * (t.translation.size() + t.scale.size()) +
                lay::clp0::kRotationKeySize * t.rotation.size();
    }
    return size;
}

std::uint64_t weights_bytes(const Clip& c) {
    std::uint64_t size = lay::mrpa::kHeaderSize;
    for (const MorphTrack& t : c.morph_tracks) {
        size += lay::mrpa::kTrackHeaderSize + lay::mrpa::kKeySize * t.keys.size();
    }
    return size;
}

std::uint64_t channels_bytes(const Document& d) {
    std::uint64_t size = lay::mrpc::shape_weights(d.morph_channels.size());
    for (const MorphChannel& c : d.morph_channels) {
        size += sizeof(float) * c.shapes.size();
    }
    return size;
}

std::uint64_t materials_bytes(const Document& d) { return lay::matl::kSlots + lay::matl::kSlotSize * d.materials.size(); }
std::uint64_t skeleton_bytes(const Document& d) { return lay::skel::kParents + lay::skel::kBytesPerBone * d.bones.size(); }

bool has_anim(const Document& d) { return d.motion_of || !d.clips.empty(); }

std::uint64_t file_bytes(const Document& d, const StringTable& strings) {
    std::uint64_t size = lay::header::kSize + whole(strings.payload_bytes());
    std::uint64_t chunks = 1;
    if (!d.motion_of) {
        size += whole(materials_bytes(d));
        ++chunks;
    }
    if (!d.bones.empty()) {
        size += whole(skeleton_bytes(d));
        ++chunks;
    }
    if (!d.morph_channels.empty()) {
        size += whole(channels_bytes(d));
        ++chunks;
    }
    for (const Part& p : d.parts) {
        size += whole(part_bytes(p));
        ++chunks;
    }
    if (has_anim(d)) {
        size += whole(lay::anim::kSize);
        ++chunks;
    }
    for (const Clip& c : d.clips) {
        size += whole(clip_bytes(c));
        ++chunks;
        if (!c.morph_tracks.empty()) {
            size += whole(weights_bytes(c));
            ++chunks;
        }
    }
    return size + whole(lay::ctbl::kEntrySize * chunks);
}

std::uint32_t narrow(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

class Encoder {
public:
    explicit Encoder(const Document& document) : document_(document), strings_(document) {}

    core::Bytes run() {
        bytes_.resize(file_bytes(document_, strings_));
        position_ = lay::header::kSize;
        strings();
        if (!document_.motion_of) {
            materials();
        }
        if (!document_.bones.empty()) {
            skeleton();
        }
        if (!document_.morph_channels.empty()) {
            morph_channels();
        }
        for (const Part& p : document_.parts) {
            part(p);
        }
        if (has_anim(document_)) {
            begin(lay::kAnim, lay::anim::kSize);
            put(narrow(document_.clips.size()));
            end();
            for (const Clip& c : document_.clips) {
                clip(c);
                if (!c.morph_tracks.empty()) {
                    morph_tracks(c);
                }
            }
        }
        const std::uint64_t table = position_ + lay::chunk::kHeaderSize;
        chunk_table();
        header(table);
        return std::move(bytes_);
    }

private:
    struct Entry {
        std::uint32_t fourcc;
        std::uint32_t size;
        std::uint64_t offset;
    };

    template <class T>
    void put(T value) {
        store(bytes_.data() + position_, value);
        position_ += sizeof(T);
    }
    void put_floats(std::span<const float> values) {
        if (values.empty()) {
            return;
        }
        if constexpr (std::endian::native == std::endian::little) {
            std::memcpy(bytes_.data() + position_, values.data(), values.size_bytes());
            position_ += values.size_bytes();
        } else {
            for (const float v : values) {
                put(v);
            }
        }
    }
    void put_matrix(const Matrix& m) { put_floats(m.m); }

    void chunk_header(std::uint32_t fourcc, std::uint64_t payload) {
        put(fourcc);
        put(narrow(payload));
        put(lay::chunk::kVersion1);
        put(std::uint32_t{0});
    }
    void begin(std::uint32_t fourcc, std::uint64_t payload) {
        entries_.push_back(Entry{fourcc, narrow(payload), position_});
        chunk_header(fourcc, payload);
    }
    /// The padding is zero already.
    void end() { position_ = lay::align16(position_); }

    void strings() {
        begin(lay::kStr0, strings_.payload_bytes());
        put(narrow(strings_.texts().size()));
        std::uint32_t offset = 0;
        for (const std::string_view text : strings_.texts()) {
            put(offset);
            offset += narrow(text.size() + 1);
        }
        for (const std::string_view text : strings_.texts()) {
            std::memcpy(bytes_.data() + position_, text.data(), text.size());
            position_ += text.size() + 1;
        }
        end();
    }

    void materials() {
        begin(lay::kMatl, materials_bytes(document_));
        put(narrow(document_.materials.size()));
        for (const MaterialSlot& slot : document_.materials) {
            put(strings_.id(slot.name));
            put(std::uint32_t{0});
            put_floats(slot.kd);
            put_floats(slot.ks);
            put_floats(slot.ke);
            put(slot.shininess);
            put(slot.opacity);
            for (const auto& map : slot.maps) {
                put(strings_.id(map));
            }
        }
        end();
    }

    void skeleton() {
        begin(lay::kSkel, skeleton_bytes(document_));
        put(narrow(document_.bones.size()));
        for (const Bone& b : document_.bones) {
            put(b.parent);
        }
        for (const Bone& b : document_.bones) {
            put(strings_.id(std::string_view(b.name)));
        }
        for (const Bone& b : document_.bones) {
            put(strings_.id(std::string_view(b.path)));
        }
        for (const Bone& b : document_.bones) {
            put_matrix(b.bind_local);
        }
        end();
    }

    void morph_channels() {
        begin(lay::kMrpc, channels_bytes(document_));
        put(narrow(document_.morph_channels.size()));
        std::uint64_t shapes = 0;
        for (const MorphChannel& c : document_.morph_channels) {
            shapes += c.shapes.size();
        }
        put(narrow(shapes));
        shapes = 0;
        for (const MorphChannel& c : document_.morph_channels) {
            shapes += c.shapes.size();
            put(strings_.id(std::string_view(c.name)));
            put(c.default_weight);
            put(narrow(shapes));
        }
        for (const MorphChannel& c : document_.morph_channels) {
            put_floats(c.shapes);
        }
        end();
    }

    void morph(const Morph& m) {
        chunk_header(lay::kMrph, morph_bytes(m));
        put(m.channel);
        put(m.shape);
        put(narrow(m.vertices.size()));
        put(std::uint32_t{0});
        for (const std::uint32_t vertex : m.vertices) {
            put(vertex);
        }
        for (const auto* offsets : {&m.positions, &m.normals}) {
            for (const std::array<float, 3>& offset : *offsets) {
                put_floats(offset);
            }
        }
        end();
    }

    void morph_tracks(const Clip& c) {
        begin(lay::kMrpa, weights_bytes(c));
        put(narrow(c.morph_tracks.size()));
        put(std::uint32_t{0});
        for (const MorphTrack& t : c.morph_tracks) {
            put(t.channel);
            put(narrow(t.keys.size()));
            keys(t.keys);
        }
        end();
    }

    void part(const Part& p) {
        begin(lay::kMsh0, part_bytes(p));
        put(strings_.id(p.name));
        put(lay::msh0::kVf01);
        put(narrow(p.vertices.size()));
        put(narrow(p.indices.size()));
        put(narrow(p.inverse_bind.size()));
        put(p.geometry_to_model ? lay::msh0::kHasGbtm : 0u);
        put(std::uint64_t{0});
        vertices(p);
        indices(p);
        chunk_header(lay::kSub0, submeshes_bytes(p));
        put(narrow(p.submeshes.size()));
        for (const Submesh& s : p.submeshes) {
            put(s.material);
            put(s.index_start);
            put(s.index_count);
        }
        end();
        chunk_header(lay::kIbnd, inverse_bind_bytes(p));
        put(narrow(p.inverse_bind.size()));
        for (const Matrix& m : p.inverse_bind) {
            put_matrix(m);
        }
        end();
        const Bounds b = compute_bounds(p.vertices);
        chunk_header(lay::kBnd0, lay::bnd0::kSize);
        put_floats(b.min);
        put_floats(b.max);
        put_floats(b.center);
        put(b.radius);
        end();
        if (p.geometry_to_model) {
            chunk_header(lay::kGbtm, lay::gbtm::kSize);
            put_matrix(*p.geometry_to_model);
            end();
        }
        for (const Morph& m : p.morphs) {
            morph(m);
        }
    }

    void vertices(const Part& p) {
        chunk_header(lay::kVb0, vertices_bytes(p));
        put(narrow(p.vertices.size()));
        put(narrow(lay::vf01::kSize));
        put(lay::msh0::kVf01);
        put(std::uint32_t{0});
        if constexpr (std::endian::native == std::endian::little) {
            const auto raw = std::as_bytes(std::span(p.vertices));
            std::copy(raw.begin(), raw.end(), bytes_.data() + position_);
            position_ += raw.size();
        } else {
            for (const Vertex& v : p.vertices) {
                put_floats(v.position);
                put_floats(v.normal);
                put_floats(v.tangent);
                put_floats(v.uv);
                for (const std::uint16_t bone : v.bone) {
                    put(bone);
                }
                put_floats(v.weight);
            }
        }
        end();
    }

    void indices(const Part& p) {
        chunk_header(lay::kIb0, indices_bytes(p));
        put(narrow(p.indices.size()));
        put(lay::ib0::kWrittenIndexSize);
        put(std::uint64_t{0});
        if constexpr (std::endian::native == std::endian::little) {
            const auto raw = std::as_bytes(std::span(p.indices));
            std::copy(raw.begin(), raw.end(), bytes_.data() + position_);
            position_ += raw.size();
        } else {
            for (const std::uint32_t i : p.indices) {
                put(i);
            }
        }
        end();
    }

    template <class Key>
    void keys(const std::vector<Key>& list) {
        for (const Key& k : list) {
            put(k.time);
            put_floats(k.value);
        }
    }

    void clip(const Clip& c) {
        begin(lay::kClp0, clip_bytes(c));
        put(strings_.id(std::string_view(c.name)));
        put(c.duration);
        put(c.root_bone);
        put(lay::clp0::kLinearSlerp);
        put((c.has_root_motion ? lay::clp0::kHasRootMotion : 0u) | (c.loop ? lay::clp0::kLoop : 0u));
        put(narrow(c.tracks.size()));
        for (const Track& t : c.tracks) {
            put(t.bone);
            put(narrow(t.translation.size()));
            put(narrow(t.rotation.size()));
            put(narrow(t.scale.size()));
            keys(t.translation);
            keys(t.rotation);
            keys(t.scale);
        }
        end();
    }

    void chunk_table() {
        chunk_header(lay::kCtbl, lay::ctbl::kEntrySize * entries_.size());
        for (const Entry& e : entries_) {
            put(e.fourcc);
            put(e.size);
            put(e.offset);
        }
    }

    void header(std::uint64_t table) {
        using namespace lay::header;
        std::byte* const at = bytes_.data();
        std::memcpy(at + kMagic, document_.motion_of ? kMotionMagic.data() : kModelMagic.data(), kMagicSize);
        store(at + kHeaderSize, narrow(kSize));
        store(at + kFormatVersion, kFormatVersion1);
        store(at + kCoordinateSystem, kLeftHandedYUpMetres);
        store(at + kMatrixConvention, kRowMajorRowVector);
        std::memcpy(at + kSourceHash, document_.source_hash.data(), document_.source_hash.size());
        store(at + kConverterVersionId, strings_.id(document_.converter_version));
        store(at + kValidationFlags, document_.validation_flags);
        store(at + kChunkTableOffset, table);
        store(at + kChunkTableCount, narrow(entries_.size()));
        if (document_.motion_of) {
            std::memcpy(at + kSkeletonSignature, document_.motion_of->data(), document_.motion_of->size());
        }
    }

    const Document& document_;
    StringTable strings_;
    core::Bytes bytes_;
    std::uint64_t position_ = 0;
    std::vector<Entry> entries_;
};

}  // namespace

core::Bytes encode(const Document& document) { return Encoder(document).run(); }

std::uint64_t encoded_size(const Document& document) { return file_bytes(document, StringTable(document)); }

}  // namespace gomkit::gom

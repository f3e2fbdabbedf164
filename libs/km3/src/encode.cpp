#include "encode.hpp"

#include <gomkit/core/reader.hpp>

#include "layout.hpp"

namespace gomkit::km3 {
namespace {

namespace lay = layout;

class BoxMaker {
public:
    void add(const std::array<float, 3>& p) {
        for (std::size_t c = 0; c < 3; ++c) {
            if (empty_ || p[c] < box_.low[c]) {
                box_.low[c] = p[c];
            }
            if (empty_ || p[c] > box_.high[c]) {
                box_.high[c] = p[c];
            }
        }
        empty_ = false;
    }
    [[nodiscard]] const Box& box() const { return box_; }

private:
    Box box_;
    bool empty_ = true;
};

void put(core::Writer& w, const Box& box) {
    for (const std::array<float, 3>& corner : {box.low, box.high}) {
        for (const float f : corner) {
            w.f32(f);
        }
    }
}

template <class T, std::size_t N>
void put(core::Writer& w, const core::LargeVector<std::array<T, N>>& items) {
    for (const auto& item : items) {
        for (const T value : item) {
            w.put(value);
        }
    }
}

}  // namespace

Box unit_box(const Unit& unit) {
    BoxMaker maker;
    for (const Vec4f& v : unit.verts) {
        maker.add({v[0], v[1], v[2]});
    }
    return maker.box();
}

Box whole_box(const Document& document) {
    const auto origins = rest_origins(document);
    BoxMaker maker;
    for (std::size_t i = 0; i < document.units.size(); ++i) {
        for (const Vec4f& v : document.units[i].verts) {
            std::array<float, 3> p{};
            for (std::size_t c = 0; c < 3; ++c) {
                p[c] = static_cast<float>(origins[i][c] + static_cast<double>(v[c]));
            }
            maker.add(p);
        }
    }
    return maker.box();
}

core::Bytes encode(const Document& document) {
    core::Writer w;
    w.reserve(encoded_size(document));
    w.u32(document.unit_count);
    w.u32(static_cast<std::uint32_t>(document.units.size()));
    put(w, whole_box(document));
    for (const Unit& unit : document.units) {
        w.u32(unit.type);
        w.u32(static_cast<std::uint32_t>(unit.vid.size()));
        put(w, unit_box(unit));
        for (const float f : unit.origin) {
            w.f32(f);
        }
        w.i32(unit.parent);
        w.i32(unit.extend);
        w.u32(static_cast<std::uint32_t>(unit.verts.size()));
        w.zeros(8);
        w.u32(static_cast<std::uint32_t>(unit.norms.size()));
        w.zeros(20);
    }
    const auto begin = [&](std::size_t unit, std::size_t field) {
        w.align(lay::kAlignment);
        w.patch(lay::header::kSize + lay::record::kSize * unit + field, static_cast<std::uint32_t>(w.size()));
    };
    const auto array = [&](std::size_t unit, std::size_t field, const auto& items) {
        if (!items.empty()) {
            begin(unit, field);
            put(w, items);
        }
    };
    for (std::size_t i = 0; i < document.units.size(); ++i) {
        array(i, lay::record::kVerts, document.units[i].verts);
        array(i, lay::record::kVid, document.units[i].vid);
    }
    for (std::size_t i = 0; i < document.units.size(); ++i) {
        array(i, lay::record::kNorms, document.units[i].norms);
        array(i, lay::record::kNid, document.units[i].nid);
    }
    for (std::size_t i = 0; i < document.units.size(); ++i) {
        array(i, lay::record::kUvs, document.units[i].uvs);
    }
    // Where each name will stand: behind the last of these arrays.
    std::uint64_t pool = w.size();
    const auto aligned = [](std::uint64_t n) { return (n + lay::kAlignment - 1) / lay::kAlignment * lay::kAlignment; };
    for (const Unit& unit : document.units) {
        pool = unit.tex.empty() ? pool : aligned(pool) + lay::kNameSize * unit.tex.size();
    }
    pool = aligned(pool);
    std::vector<std::uint32_t> name_at;
    for (const std::string& name : document.names) {
        name_at.push_back(static_cast<std::uint32_t>(pool));
        pool += name.size() + 1;
    }
    for (std::size_t i = 0; i < document.units.size(); ++i) {
        const Unit& unit = document.units[i];
        if (!unit.tex.empty()) {
            begin(i, lay::record::kTexName);
            for (const std::uint32_t name : unit.tex) {
                w.u32(name == kNoName ? 0 : name_at[name]);
            }
        }
    }
    w.align(lay::kAlignment);
    for (const std::string& name : document.names) {
        w.text(name);
        w.zeros(1);
    }
    w.align(lay::kAlignment);
    return w.take();
}

std::uint64_t encoded_size(const Document& document) {
    std::uint64_t size = lay::header::kSize + std::uint64_t{lay::record::kSize} * document.units.size();
    const auto add = [&size](std::uint64_t bytes) { size += (bytes + lay::kAlignment - 1) / lay::kAlignment * lay::kAlignment; };
    size = (size + lay::kAlignment - 1) / lay::kAlignment * lay::kAlignment;
    for (const Unit& unit : document.units) {
        add(std::uint64_t{lay::kVertexSize} * unit.verts.size());
        add(std::uint64_t{lay::kIndexSize} * unit.vid.size());
        add(std::uint64_t{lay::kVertexSize} * unit.norms.size());
        add(std::uint64_t{lay::kIndexSize} * unit.nid.size());
        add(std::uint64_t{lay::kUvSize} * unit.uvs.size());
        add(std::uint64_t{lay::kNameSize} * unit.tex.size());
    }
    std::uint64_t names = 0;
    for (const std::string& name : document.names) {
        names += name.size() + 1;
    }
    add(names);
    return size;
}

}  // namespace gomkit::km3

#include "loader_model.hpp"

#include <bit>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

namespace gomkit::mv1 {
namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void no(const std::string& why) { throw std::runtime_error(why); }

// Memory of a fixed size, as the header's counter has it.
struct Pool {
    const char* name;
    std::uint64_t size;
    std::uint64_t used = 0;
    void take(std::uint64_t n) {
        used += n;
        if (used > size) {
            no(std::string(name) + " overruns: " + std::to_string(used) + " of " + std::to_string(size));
        }
    }
};

class Loader {
public:
    explicit Loader(Bytes b) : b_(b) {}

    void run() {
        if (b_.size() < 304) {
            no("no header");
        }
        const std::uint32_t frames = count(0x20);
        const std::uint32_t meshes = count(0x4C);
        const bool mesh_part = u32(0x50) != 0;
        Pool normal_position{"TriangleListNormalPositionNum", u32(0x7C)};
        Pool skin4{"TriangleListSkinPosition4BNum", u32(0x80)};
        Pool skin8{"TriangleListSkinPosition8BNum", u32(0x84)};
        Pool skin_free{"TriangleListSkinPositionFREEBSize", u32(0x88)};
        Pool positions{"MeshPositionSize", u32(0x8C)};
        Pool normals{"MeshNormalNum", u32(0x90)};
        Pool faces{"MeshFaceNum", u32(0x98)};
        Pool vertex_indices{"MeshVertexIndexNum", u32(0x9C)};
        Pool list_indices{"TriangleListIndexNum", u32(0xA0)};
        Pool triangles{"TriangleNum", u32(0xA4)};
        Pool list_vertices{"TriangleListVertexNum", u32(0xA8)};
        Pool palettes{"FrameUseSkinBoneNum", count(0x34)};
        Pool uses{"SkinBoneUseFrameNum", count(0x64)};
        Pool keys{"OriginalAnimKeyDataSize", u32(0xB4)};

        frame_ = chain("Frame", u32(0x24), frames, 0x0C, 248);
        material_ = chain("Material", u32(0x40), count(0x3C), 0x0C, 728);
        texture_ = chain("Texture", u32(0x48), count(0x44), 0x0C, 68);
        mesh_ = chain("Mesh", u32(0x50), meshes, 0x08, 108);
        light_ = chain("Light", u32(0x58), count(0x54), 0x0C, 108);
        skin_bone_ = chain("SkinBone", u32(0x60), count(0x5C), 0x08, 84);
        list_ = chain("TriangleList", u32(0x70), count(0x6C), 0x08, 36);

        std::vector<std::uint32_t> parent(frames);
        std::vector<bool> mesh_set(meshes);
        std::vector<bool> list_set(list_.size());
        std::vector<bool> bone_set(skin_bone_.size());
        for (std::uint32_t i = 0; i < frames; ++i) {
            const std::uint32_t f = frame_[i];
            name(u32(f + 8));
            const std::uint32_t up = u32(f + 0x38);
            parent[i] = up == 0 ? ~0u : index_at(up, 0x0C, frames, "Parent");
            if (parent[i] != ~0u && parent[i] >= i) {
                no("a parent stands behind its child");
            }
            if (u32(f + 0x9C) != 0) {
                const std::uint32_t first = index_at(u32(f + 0xA0), 0x08, static_cast<std::uint32_t>(skin_bone_.size()), "SkinBone");
                for (std::uint32_t k = 0; k < u32(f + 0x9C); ++k) {
                    set(bone_set, first + k, "SkinBone run");
                }
            }
            palettes.take(u32(f + 0xA4));
            for (std::uint32_t k = 0; k < u32(f + 0xA4); ++k) {
                index_at(u32(u32(f + 0xA8) + 4 * k), 0x08, static_cast<std::uint32_t>(skin_bone_.size()), "FrameUseSkinBone");
            }
            const std::uint32_t position_num = count(f + 0xBC);
            const std::uint32_t blend = u16(f + 0xB2);
            positions.take(std::uint64_t{position_num} * (12 + 8 * blend));
            normals.take(count(f + 0xC0));
            if (position_num > 0) {
                frame_block(f, position_num, blend, u32(f + 0xA4));
            }
            if (u32(f + 0x94) != 0) {
                const std::uint32_t first = index_at(u32(f + 0x98), 0x08, meshes, "Mesh");
                for (std::uint32_t k = 0; k < u32(f + 0x94); ++k) {
                    set(mesh_set, first + k, "Mesh run");
                }
            }
        }
        for (std::uint32_t i = 0; i < material_.size(); ++i) {
            name(u32(material_[i] + 8));
            for (const std::uint32_t at : {0x58u, 0x11Cu, 0x1E0u}) {
                if (count(material_[i] + at) > 8) {
                    no("more than 8 layers");
                }
                for (std::uint32_t k = 0; k < u32(material_[i] + at); ++k) {
                    const auto t = static_cast<std::int32_t>(u32(material_[i] + at + 4 + 24 * k));
                    if (t >= static_cast<std::int32_t>(texture_.size())) {
                        no("a layer's texture does not exist");
                    }
                }
            }
        }
        for (const std::uint32_t t : texture_) {
            name(u32(t + 8));
            name(u32(t + 0x10));
            name(u32(t + 0x14));
        }
        for (std::uint32_t m = 0; m < meshes; ++m) {
            if (!mesh_set[m]) {
                no("a mesh belongs to no frame");
            }
            const std::uint32_t at = mesh_[m];
            const std::uint32_t frame = frame_[index_at(u32(at + 0x0C), 0x0C, frames, "Container")];
            if (!material_.empty()) {
                index_at(u32(at + 0x10), 0x0C, static_cast<std::uint32_t>(material_.size()), "Material");
            }
            faces.take(u32(at + 0x44));
            std::uint32_t mesh_faces = 0;
            const std::vector<std::uint32_t> position = mesh_block(at, count(frame + 0xBC), count(frame + 0xC0));
            if (u32(at + 0x30) == 0) {
                continue;
            }
            const std::uint32_t first = index_at(u32(at + 0x34), 0x08, static_cast<std::uint32_t>(list_.size()), "TriangleList");
            for (std::uint32_t k = 0; k < u32(at + 0x30); ++k) {
                set(list_set, first + k, "TriangleList run");
                const std::uint32_t l = list_[first + k];
                const std::uint32_t type = u16(l + 0x10);
                const std::uint32_t vertex_num = u16(l + 0x14);
                const std::uint32_t index_num = u16(l + 0x16);
                vertex_indices.take(vertex_num);
                list_vertices.take(vertex_num);
                list_indices.take(index_num);
                triangles.take(index_num / 3);
                mesh_faces += index_num / 3;
                if (type == 0) {
                    normal_position.take(vertex_num);
                } else if (type == 1) {
                    skin4.take(vertex_num);
                } else if (type == 2) {
                    skin8.take(vertex_num);
                } else if (type != 3) {
                    no("a vertex type that does not exist");
                }
                list_block(l, type, vertex_num, index_num, frame, position, skin_free);
            }
            if (mesh_faces > u32(at + 0x44)) {
                no("FaceNum overruns");
            }
        }
        for (std::size_t l = 0; l < list_set.size(); ++l) {
            if (!list_set[l]) {
                no("a triangle list belongs to no mesh");
            }
        }
        bool some_use = false;
        for (const std::uint32_t s : skin_bone_) {
            some_use = some_use || (u32(s + 0x44) != 0 && u32(s + 0x48) != 0);
        }
        for (std::uint32_t i = 0; i < skin_bone_.size(); ++i) {
            if (!bone_set[i]) {
                no("a skin bone is in no frame's run");
            }
            if (u32(skin_bone_[i] + 0x0C) >= frames) {
                no("BoneFrame does not exist");
            }
            const std::uint32_t n = count(skin_bone_[i] + 0x44);
            uses.take(n);
            if (n > 0 && some_use) {
                if (u32(skin_bone_[i] + 0x48) == 0) {
                    no("UseFrame is null beside others");
                }
                for (std::uint32_t k = 0; k < n; ++k) {
                    // Old writers' steps are too short, but never lead out of the frames here.
                    if (u32(skin_bone_[i] + 0x48) % 8 == u32(0x68) % 8 && u32(u32(skin_bone_[i] + 0x48) + 8 * k) >= frames) {
                        no("a frame of UseFrame does not exist");
                    }
                }
            }
        }
        animations(frames, keys);
        change(frames, meshes, parent, mesh_part && meshes > 0);
        shapes(frames, meshes);
    }

private:
    [[nodiscard]] std::uint32_t number(std::uint64_t at, unsigned bytes) const {
        if (at + bytes > b_.size()) {
            no("reads outside the file at " + std::to_string(at));
        }
        std::uint32_t v = 0;
        for (unsigned i = 0; i < bytes; ++i) {
            v |= std::to_integer<std::uint32_t>(b_[static_cast<std::size_t>(at + i)]) << (8 * i);
        }
        return v;
    }
    [[nodiscard]] std::uint32_t u32(std::uint64_t at) const { return number(at, 4); }
    [[nodiscard]] std::uint32_t u16(std::uint64_t at) const { return number(at, 2); }
    [[nodiscard]] std::uint32_t u8(std::uint64_t at) const { return number(at, 1); }
    [[nodiscard]] std::uint32_t count(std::uint64_t at) const {
        const std::uint32_t n = u32(at);
        if (n > b_.size()) {
            no("a count that cannot be, at " + std::to_string(at));
        }
        return n;
    }
    void name(std::uint32_t offset) const {
        const std::uint32_t size = u32(0xAC);
        const std::uint32_t pool = u32(0xB0);
        for (std::uint32_t i = offset; i < size; ++i) {
            if (u8(std::uint64_t{pool} + i) == 0) {
                return;
            }
        }
        no("a string runs out of the pool");
    }
    static void set(std::vector<bool>& slots, std::uint32_t i, const char* what) {
        if (i >= slots.size() || slots[i]) {
            no(std::string(what) + " leaves the array, or two runs share an element");
        }
        slots[i] = true;
    }

    // Offsets by Index. Every slot must be filled.
    [[nodiscard]] std::vector<std::uint32_t> chain(const char* what, std::uint32_t at, std::uint32_t n, std::uint32_t index_at, std::uint32_t size) const {
        std::vector<std::uint32_t> out(n, 0);
        for (std::uint32_t i = 0; i < n; ++i) {
            if (at == 0) {
                no(std::string(what) + ": the chain ends early");
            }
            if (std::uint64_t{at} + size > b_.size()) {
                no(std::string(what) + ": an element lies outside");
            }
            const std::uint32_t index = u32(at + index_at);
            if (index >= n || out[index] != 0) {
                no(std::string(what) + ": an Index is taken or too large");
            }
            out[index] = at;
            at = u32(at + 4);
        }
        if (n != 0 && at != 0) {
            no(std::string(what) + ": the chain goes on");
        }
        return out;
    }
    std::uint32_t index_at(std::uint32_t at, std::uint32_t index_offset, std::uint32_t n, const char* what) const {
        if (at == 0) {
            no(std::string(what) + " is null");
        }
        const std::uint32_t i = u32(std::uint64_t{at} + index_offset);
        if (i >= n) {
            no(std::string(what) + " leads to something else");
        }
        return i;
    }

    void frame_block(std::uint32_t f, std::uint32_t n, std::uint32_t blend, std::uint32_t palette) {
        const std::uint32_t flag = u16(f + 0xB0);
        std::uint64_t p = u32(f + 0xC4);
        p += (flag & 4) != 0 ? 24 + std::uint64_t{6} * n : std::uint64_t{12} * n;
        std::vector<std::vector<std::uint32_t>>& weights = weights_[f];
        weights.resize(n);
        for (std::uint32_t i = 0; i < n && (flag & 8) == 0; ++i) {
            for (std::uint32_t k = 0; k < blend; ++k) {
                const std::uint32_t slot = (flag & 0x10) != 0 ? u16(p) : u8(p);
                p += (flag & 0x10) != 0 ? 2 : 1;
                if (slot == ((flag & 0x10) != 0 ? 0xFFFFu : 0xFFu)) {
                    break;
                }
                if (slot >= palette) {
                    no("a weight's slot is outside the palette");
                }
                p += (flag & 0x20) != 0 ? 2 : 1;
                weights[i].push_back(slot);
            }
        }
        const std::uint32_t type = flag & 3;
        p += type == 0 ? 0 : std::uint64_t{count(f + 0xC0)} * ((flag & 0x40) != 0 ? 9 : 3) * (type == 1 ? 1 : type == 2 ? 2 : 4);
        inside(p, "frame block");
    }
    void inside(std::uint64_t end, const char* what) const {
        if (end > b_.size()) {
            no(std::string(what) + " ends outside the file");
        }
    }

    std::vector<std::uint32_t> mesh_block(std::uint32_t m, std::uint32_t positions, std::uint32_t normals) {
        const std::uint32_t flag = u32(m + 0x3C);
        const std::uint32_t n = count(m + 0x40);
        std::uint64_t p = u32(m + 0x48) + ((flag & 0x20) != 0 ? 8u : 0u);
        std::vector<std::uint32_t> out;
        for (const bool is_position : {true, false}) {
            const std::uint32_t type = is_position ? flag & 3 : flag >> 2 & 3;
            if (type == 0) {
                if (is_position && n > 0) {
                    no("a mesh without position indices");
                }
                continue;
            }
            const std::uint32_t width = type == 3 ? 4 : type;
            for (std::uint32_t i = 0; i < n; ++i, p += width) {
                const std::uint32_t v = number(p, width);
                if (v >= (is_position ? positions : normals)) {
                    no("a vertex's position or normal does not exist");
                }
                if (is_position) {
                    out.push_back(v);
                }
            }
        }
        p += ((flag & 0x20) != 0 ? 0 : std::uint64_t{8} * n) + std::uint64_t{n} * u8(m + 0x3A) * ((flag & 0x10) != 0 ? 4 : 8);
        inside(p + ((flag & 0x40) != 0 ? (n + 7) / 8 : 0), "mesh block");
        return out;
    }

    void list_block(std::uint32_t l, std::uint32_t type, std::uint32_t vertex_num, std::uint32_t index_num, std::uint32_t frame,
                    const std::vector<std::uint32_t>& position, Pool& skin_free) {
        std::uint64_t p = u32(l + 0x18);
        const std::uint32_t flag = u16(l + 0x12);
        std::vector<bool> has(count(frame + 0xA4));
        std::uint32_t most = 0;
        if (type == 1 || type == 2) {
            const std::uint32_t bones = u16(p);
            p += 2;
            if (bones > 54) {
                no("a list has more than 54 bones");
            }
            for (std::uint32_t i = 0; i < bones; ++i, p += 2) {
                if (u16(p) >= has.size()) {
                    no("a list's bone is outside the palette");
                }
                has[u16(p)] = true;
            }
            most = type == 1 ? 4 : 8;
        } else if (type == 3) {
            most = u16(p);
            p += 2;
            if (most < 4) {
                no("a free list has fewer than four bones");
            }
            skin_free.take(std::uint64_t{vertex_num} * ((64 + 8 * (most - 4) + 15) / 16 * 16));
        }
        const std::uint32_t width = 1u << (flag & 3);
        for (std::uint32_t i = 0; i < vertex_num; ++i, p += width) {
            const std::uint32_t v = number(p, width);
            if (v >= position.size()) {
                no("a list's vertex is not in its mesh");
            }
            if (type == 0) {
                continue;
            }
            const std::vector<std::uint32_t>& weights = weights_[frame].at(position[v]);
            if (weights.size() > most) {
                no("a vertex has more weights than its list's type");
            }
            for (const std::uint32_t slot : weights) {
                if (type != 3 && !has[slot]) {
                    no("a vertex uses a bone that its list lacks");
                }
            }
        }
        if ((flag >> 2 & 3) > 1) {
            no("32-bit indices are read as 16-bit");
        }
        const std::uint32_t index_width = 1u << (flag >> 2 & 3);
        for (std::uint32_t i = 0; i < index_num; ++i, p += index_width) {
            if (number(p, index_width) >= vertex_num) {
                no("an index is outside its list");
            }
        }
    }

    void animations(std::uint32_t frames, Pool& keys) {
        const std::uint32_t sets = count(0xD8);
        const std::uint32_t anims = count(0xCC);
        const std::uint32_t key_sets = count(0xC0);
        if ((anims > 0 && u32(0xD0) != 44) || (key_sets > 0 && u32(0xC4) != 20)) {
            no("the sizes of animations and key sets are wrong");
        }
        std::uint64_t anims_seen = 0;
        std::uint64_t keys_seen = 0;
        for (const std::uint32_t s : chain("AnimSet", u32(0xDC), sets, 0x0C, 60)) {
            name(u32(s + 8));
            anims_seen += count(s + 0x14);
            for (std::uint32_t a = 0; a < u32(s + 0x14); ++a) {
                const std::uint64_t at = u32(s + 0x18) + std::uint64_t{44} * a;
                if (at < u32(0xD4) || at + 44 > u32(0xD4) + std::uint64_t{44} * anims) {
                    no("an animation lies outside its array");
                }
                if (u32(at + 4) != s) {
                    no("an animation's Container is another set");
                }
                if (u32(at + 8) >= frames) {
                    no("an animated frame does not exist");
                }
                keys_seen += count(at + 0x14);
                for (std::uint32_t k = 0; k < u32(at + 0x14); ++k) {
                    const std::uint64_t key_set = u32(at + 0x18) + std::uint64_t{20} * k;
                    if (key_set < u32(0xC8) || key_set + 20 > u32(0xC8) + std::uint64_t{20} * key_sets) {
                        no("a key set lies outside its array");
                    }
                    key_block(key_set, keys);
                }
            }
        }
        if (anims_seen > anims || keys_seen > key_sets) {
            no("more animations or key sets than the header has");
        }
    }
    void key_block(std::uint64_t at, Pool& keys) {
        const std::uint32_t type = u8(at);
        const std::uint32_t components = type == 5 ? 1 : type == 1 ? 3 : type == 0 || type == 7 ? 4 : type == 2 ? 12 : 0;
        if (components == 0) {
            return;
        }
        const std::uint32_t flag = u16(at + 2);
        std::uint64_t p = u32(at + 4) + (u8(at + 1) == 18 ? 2u : 0u);
        std::uint32_t n = 1;
        if ((flag & 1) == 0) {
            const unsigned width = (flag & 2) != 0 ? 1 : (flag & 4) != 0 ? 2 : 4;
            n = number(p, width);
            p += width;
            if ((flag & 8) != 0) {
                p += ((flag & 0x10) != 0 ? 2u : (flag & 0x20) != 0 ? 0u : 4u) + ((flag & 0x40) != 0 ? 2u : 4u);
            } else {
                p += (flag & 0x80) != 0 ? 2 + std::uint64_t{2} * n : std::uint64_t{4} * n;
                keys.take(std::uint64_t{4} * n);
            }
        }
        p += (flag & 0x700) == 0x100 ? 2 : 0;
        p += std::uint64_t{n} * components * ((flag & 0x100) != 0 ? 2 : 4);
        keys.take(std::uint64_t{4} * n * components);
        inside(p, "key block");
    }

    // A frame that moves marks, by its words, itself and all frames below it, and in the draw table their meshes too.
    void change(std::uint32_t frames, std::uint32_t meshes, const std::vector<std::uint32_t>& parent, bool draw) const {
        // Depth-first numbers: what is below i has those from first[i] to before first[i] + size[i].
        std::vector<std::uint32_t> size(frames, 1);
        for (std::uint32_t i = frames; i-- > 0;) {
            if (parent[i] != ~0u) {
                size[parent[i]] += size[i];
            }
        }
        std::vector<std::uint32_t> first(frames);
        std::vector<std::uint32_t> next(std::size_t{frames} + 1);
        for (std::uint32_t i = 0; i < frames; ++i) {
            std::uint32_t& place = next[parent[i] != ~0u ? parent[i] : frames];
            first[i] = place;
            place += size[i];
            next[i] = first[i] + 1;
        }
        for (const bool is_draw : {false, true}) {
            if (is_draw && !draw) {
                continue;
            }
            const std::uint32_t info = is_draw ? 0x10 : 0x20;
            const std::uint64_t begin = u32(is_draw ? 0x18 : 0x1C);
            const std::uint64_t end = begin + u32(is_draw ? 0x10 : 0x14) / 4 * 4;
            std::vector<std::uint32_t> owner_of_bit(((std::size_t{frames} + meshes) / 32 + 2) * 32, ~0u);   // the frame marked, or the mesh's
            std::vector<std::uint32_t> to_reach = size;
            const auto enter = [&](std::uint32_t at, std::uint32_t owner) {
                const std::uint32_t bit = u32(at + 8);
                const std::uint64_t place = std::uint64_t{u32(at)} * 32 + static_cast<unsigned>(std::countr_zero(bit));
                if (!std::has_single_bit(bit) || place >= owner_of_bit.size() || owner_of_bit[static_cast<std::size_t>(place)] != ~0u) {
                    no("a change has no bit of its own");
                }
                owner_of_bit[static_cast<std::size_t>(place)] = owner;
            };
            for (std::uint32_t i = 0; i < frames; ++i) {
                enter(frame_[i] + info, i);
            }
            std::vector<std::uint32_t> own_meshes(frames);
            for (std::uint32_t m = 0; is_draw && m < meshes; ++m) {
                const std::uint32_t owner = u32(u32(mesh_[m] + 0x0C) + 0x0C);
                enter(mesh_[m] + 0x14, owner);
                ++own_meshes[owner];
            }
            for (std::uint32_t i = frames; i-- > 0;) {
                to_reach[i] += own_meshes[i];
                if (parent[i] != ~0u) {
                    own_meshes[parent[i]] += own_meshes[i];
                }
            }
            for (std::uint32_t i = 0; i < frames; ++i) {
                const std::uint32_t at = frame_[i] + info;
                const std::uint32_t target = u32(at);
                const std::uint32_t n = u32(at + 12);
                std::uint32_t reached = 0;
                for (std::uint32_t w = 0; w < n; ++w) {
                    const std::uint64_t fill = std::uint64_t{u32(at + 4)} + std::uint64_t{4} * w;
                    const std::uint64_t place = (std::uint64_t{target} + w) * 32;
                    if (fill < begin || fill + 4 > end || place >= owner_of_bit.size()) {
                        no("a change's words lie outside their table");
                    }
                    for (std::uint32_t word = u32(fill); word != 0; word &= word - 1) {
                        const std::uint32_t owner = owner_of_bit[static_cast<std::size_t>(place) + static_cast<unsigned>(std::countr_zero(word))];
                        if (owner != ~0u && (first[owner] < first[i] || first[owner] >= first[i] + size[i])) {
                            no("a change reaches a stranger");
                        }
                        reached += owner != ~0u ? 1 : 0;
                    }
                }
                if (reached != to_reach[i]) {
                    no("a change does not reach a child or a mesh");
                }
            }
        }
    }

    void shapes(std::uint32_t frames, std::uint32_t meshes) const {
        const std::uint32_t h = u32(0xF0);
        if (h == 0) {
            return;
        }
        const std::vector<std::uint32_t> shape = chain("Shape", u32(h + 0xC), count(h + 8), 0x0C, 60);
        const std::vector<std::uint32_t> shape_mesh = chain("ShapeMesh", u32(h + 0x14), count(h + 0x10), 0x08, 60);
        Pool vertices{"shape vertices", count(h + 0x18)};
        Pool target_vertices{"TargetMeshVertexNum", u32(h + 0x28)};
        std::uint64_t by_type[3] = {};
        for (const std::uint32_t s : shape) {
            name(u32(s + 8));
            index_at(u32(s + 0x10), 0x0C, frames, "Container of a shape");
            if (u32(s + 0x14) != 0) {
                const std::uint32_t first = index_at(u32(s + 0x18), 0x08, static_cast<std::uint32_t>(shape_mesh.size()), "Mesh of a shape");
                if (first + u32(s + 0x14) > shape_mesh.size()) {
                    no("a shape's meshes leave the array");
                }
            }
        }
        for (const std::uint32_t m : shape_mesh) {
            const std::uint32_t target = mesh_[index_at(u32(m + 0xC), 0x08, meshes, "TargetMesh")];
            vertices.take(u32(m + 0x14));
            target_vertices.take(u32(target + 0x40));
            for (std::uint32_t v = 0; v < u32(m + 0x14); ++v) {
                if (u32(u32(m + 0x18) + std::uint64_t{28} * v) >= u32(target + 0x40)) {
                    no("a shape's vertex is not in its mesh");
                }
            }
            for (std::uint32_t l = 0; l < u32(target + 0x30); ++l) {
                const std::uint32_t list = list_[u32(u32(target + 0x34) + 8) + l];
                if (u16(list + 0x10) < 3) {
                    by_type[u16(list + 0x10)] += u16(list + 0x14);
                }
            }
        }
        for (std::uint32_t t = 0; t < 3; ++t) {
            if (by_type[t] > u32(h + 0x30 + 4 * t)) {
                no("the counters of shaped vertices overrun");
            }
        }
    }

    Bytes b_;
    std::vector<std::uint32_t> frame_, material_, texture_, mesh_, light_, skin_bone_, list_;
    std::map<std::uint32_t, std::vector<std::vector<std::uint32_t>>> weights_;   // by frame: the slots of each position
};

}  // namespace

std::string load_as_dxlib(std::span<const std::byte> buffer) {
    try {
        Loader(buffer).run();
    } catch (const std::exception& e) {
        return e.what();
    }
    return {};
}

}  // namespace gomkit::mv1

#include "decode.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include <gomkit/core/reader.hpp>

#include "blobs.hpp"
#include "dxa.hpp"
#include "links.hpp"
#include "struct_io.hpp"

namespace gomkit::mv1 {
namespace {

using core::Code;
using core::IssueId;
using Done = Checked<void>;

class Decoder {
public:
    Decoder(std::span<const std::byte> buffer, const core::Limits& limits) : buffer_(buffer), limits_(limits) {}

    Checked<Document> run() {
        if (buffer_.size() < sizes::kHeader) {
            return broken(IssueId::MV1_TOO_SHORT, "header", "the decoded data", std::to_string(buffer_.size()) + " bytes",
                          "at least " + std::to_string(sizes::kHeader), Code::Truncated);
        }
        doc_.size = static_cast<std::uint32_t>(buffer_.size());
        core::Reader in(buffer_);
        FieldReader reader(in);
        fields(doc_.header, reader);
        claims_.push_back({0, sizes::kHeader});
        for (auto step : {&Decoder::tables, &Decoder::frames, &Decoder::mesh_part, &Decoder::shapes, &Decoder::physics, &Decoder::animations,
                          &Decoder::blocks}) {
            if (Done done = (this->*step)(); !done) {
                return tl::unexpected(std::move(done.error()));
            }
        }
        if (Done done = gather_loose(); !done) {
            return tl::unexpected(std::move(done.error()));
        }
        Checked<Links> links = link(doc_);
        if (!links) {
            return tl::unexpected(std::move(links.error()));
        }
        if (Done sound = verify_blocks(doc_, *links); !sound) {
            return tl::unexpected(std::move(sound.error()));
        }
        return std::move(doc_);
    }

private:
    struct Claim {
        std::uint64_t begin;
        std::uint64_t end;
    };

    Done claim(const std::string& part, std::uint64_t at, std::uint64_t size) {
        if (size == 0) {
            return {};
        }
        if (at < sizes::kHeader || at > buffer_.size() || size > buffer_.size() - at) {
            return broken(IssueId::MV1_OUTSIDE, part, "its bytes", std::to_string(at) + " + " + std::to_string(size),
                          "inside the " + std::to_string(buffer_.size()) + " bytes behind the header");
        }
        claims_.push_back({at, at + size});
        return {};
    }

    template <class T>
    void get(T& s, Offset at, bool old_frame = false) {
        core::Reader in(buffer_);
        in.seek(at);
        FieldReader reader(in, old_frame);
        fields(s, reader);
        s.at = at;
    }

    Done count_fits(const char* kind, std::int64_t count, std::uint64_t size) {
        if (count < 0 || static_cast<std::uint64_t>(count) * size > buffer_.size()) {
            return broken(IssueId::MV1_COUNT, "header", std::string("the number of elements '") + kind + "'", std::to_string(count),
                          "what fits into " + std::to_string(buffer_.size()) + " bytes");
        }
        return {};
    }

    // Elements that name their successors.
    template <class T>
    Done chain(const char* kind, std::int32_t count, Offset first, std::uint32_t size, std::vector<T>& out) {
        if (Done fits = count_fits(kind, count, size); !fits) {
            return fits;
        }
        out.resize(static_cast<std::size_t>(count));
        Offset at = first;
        for (std::size_t i = 0; i < out.size(); ++i) {
            if (Done inside = claim(element(kind, i), at, size); !inside) {
                return inside;
            }
            get(out[i], at, size == sizes::kOldFrame);
            at = out[i].dim_next;
            const bool last = i + 1 == out.size();
            if (last != (at == 0)) {
                return broken(IssueId::MV1_CHAIN, element(kind, i) + ".DimNext", last ? "the chain goes on" : "the chain ends",
                              last ? std::to_string(at) : "0", std::to_string(count) + " elements");
            }
        }
        return {};
    }

    // Elements side by side.
    template <class T>
    Done array(const char* kind, std::int64_t count, Offset first, std::uint32_t size, std::vector<T>& out, std::uint32_t stride = 0) {
        stride = stride == 0 ? size : stride;
        if (Done fits = count_fits(kind, count, stride); !fits) {
            return fits;
        }
        out.resize(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < out.size(); ++i) {
            const std::uint64_t at = first + std::uint64_t{i} * stride;
            if (Done inside = claim(element(kind, i), at, size); !inside) {
                return inside;
            }
            get(out[i], static_cast<Offset>(at));
        }
        return {};
    }

    Done bytes(const char* kind, std::int64_t size, Offset at, Blob& out) {
        if (Done fits = count_fits(kind, size, 1); !fits) {
            return fits;
        }
        if (Done inside = claim(kind, at, static_cast<std::uint64_t>(size)); !inside) {
            return inside;
        }
        if (size != 0) {
            const auto part = buffer_.subspan(at, static_cast<std::size_t>(size));
            out.assign(part.begin(), part.end());
        }
        return {};
    }

    Done tables() {
        const Header& h = doc_.header;
        if (Done done = bytes("ChangeDrawMaterialTable", h.draw_table_size, h.draw_table, doc_.draw_table); !done) {
            return done;
        }
        if (Done done = bytes("ChangeMatrixTable", h.matrix_table_size, h.matrix_table, doc_.matrix_table); !done) {
            return done;
        }
        return bytes("StringBuffer", h.string_size, h.string_buffer, doc_.strings);
    }

    // The first writers' frames are shorter; how long they are says the second one, or what stands behind a single one.
    void find_frame_size() {
        const Header& h = doc_.header;
        if (h.frame_num < 1 || std::uint64_t{h.frame} + sizes::kOldFrame > buffer_.size()) {
            return;
        }
        Frame first;
        get(first, h.frame, true);
        std::uint64_t next = first.dim_next;
        if (h.frame_num == 1) {
            next = buffer_.size();
            for (const Offset o : {h.frame_use_skin_bone, h.material, h.texture, h.mesh, h.light, h.skin_bone, h.skin_bone_use_frame, h.triangle_list,
                                   h.vertex_data, h.string_buffer, h.key_data, h.key_set, h.anim, h.anim_set, h.shape, h.physics}) {
                next = o > h.frame ? std::min<std::uint64_t>(next, o) : next;
            }
        }
        doc_.frame_size = next > h.frame && next - h.frame < sizes::kFrame ? sizes::kOldFrame : sizes::kFrame;
    }

    Done frames() {
        const Header& h = doc_.header;
        if (h.frame_num > 0 && static_cast<std::uint32_t>(h.frame_num) > limits_.max_nodes) {
            return broken(IssueId::MV1_LIMIT, "header.FrameNum", "frames", std::to_string(h.frame_num), "at most " + std::to_string(limits_.max_nodes),
                          Code::LimitExceeded);
        }
        find_frame_size();
        if (Done done = chain("frame", h.frame_num, h.frame, doc_.frame_size, doc_.frames); !done) {
            return done;
        }
        Blob raw;
        if (Done fits = count_fits("frameUseSkinBone", h.frame_use_skin_bone_num, 4); !fits) {
            return fits;
        }
        if (Done done = bytes("FrameUseSkinBone", std::int64_t{h.frame_use_skin_bone_num} * 4, h.frame_use_skin_bone, raw); !done) {
            return done;
        }
        core::Reader in(raw);
        while (in.left() != 0) {
            doc_.frame_use_skin_bones.push_back(in.u32());
        }
        return {};
    }

    Done mesh_part() {
        const Header& h = doc_.header;
        Done done = chain("material", h.material_num, h.material, sizes::kMaterial, doc_.materials);
        done = done ? toons() : done;
        done = done ? chain("light", h.light_num, h.light, sizes::kLight, doc_.lights) : done;
        done = done ? chain("texture", h.texture_num, h.texture, sizes::kTexture, doc_.textures) : done;
        done = done ? chain("mesh", h.mesh_num, h.mesh, sizes::kMesh, doc_.meshes) : done;
        done = done ? chain("skinBone", h.skin_bone_num, h.skin_bone, sizes::kSkinBone, doc_.skin_bones) : done;
        done = done ? array("useFrame", h.skin_bone_use_frame_num, h.skin_bone_use_frame, sizes::kUseFrame, doc_.use_frames) : done;
        done = done ? chain("list", h.triangle_list_num, h.triangle_list, sizes::kList, doc_.lists) : done;
        return done;
    }

    Done toons() {
        std::map<Offset, std::size_t> seen;
        for (std::size_t i = 0; i < doc_.materials.size(); ++i) {
            const Offset at = doc_.materials[i].toon;
            if (at == 0 || !seen.try_emplace(at, i).second) {
                continue;
            }
            if (Done inside = claim(element("material", i) + ".ToonInfo", at, sizes::kToon); !inside) {
                return inside;
            }
            get(doc_.toons.emplace_back(), at);
        }
        return {};
    }

    Done shapes() {
        if (doc_.header.shape == 0) {
            return {};
        }
        if (Done inside = claim("shape header", doc_.header.shape, sizes::kShapeHeader); !inside) {
            return inside;
        }
        ShapeHeader& h = doc_.shape.emplace();
        get(h, doc_.header.shape);
        if (h.vertex_num > 0 && h.vertex_unit_size < static_cast<std::int32_t>(sizes::kShapeVertex)) {
            return broken(IssueId::MV1_UNIT_SIZE, "shape header.ShapeVertexUnitSize", "the size of one element", std::to_string(h.vertex_unit_size),
                          "at least " + std::to_string(sizes::kShapeVertex));
        }
        Done done = array("frameShape", h.frame_num, h.frame, sizes::kFrameShape, doc_.frame_shapes);
        done = done ? chain("shape", h.data_num, h.data, sizes::kShape, doc_.shapes) : done;
        done = done ? chain("shapeMesh", h.mesh_num, h.mesh, sizes::kShapeMesh, doc_.shape_meshes) : done;
        done = done ? array("shapeVertex", h.vertex_num, h.vertex, sizes::kShapeVertex, doc_.shape_vertices,
                            static_cast<std::uint32_t>(std::max(h.vertex_unit_size, 0)))
                    : done;
        return done;
    }

    Done physics() {
        if (doc_.header.physics == 0) {
            return {};
        }
        if (Done inside = claim("physics header", doc_.header.physics, sizes::kPhysicsHeader); !inside) {
            return inside;
        }
        PhysicsHeader& h = doc_.physics.emplace();
        get(h, doc_.header.physics);
        Done done = chain("rigid", h.rigid_num, h.rigid, sizes::kRigid, doc_.rigids);
        return done ? chain("joint", h.joint_num, h.joint, sizes::kJoint, doc_.joints) : done;
    }

    Done animations() {
        const Header& h = doc_.header;
        if ((h.key_set_num > 0 && h.key_set_unit_size < static_cast<std::int32_t>(sizes::kKeySet)) ||
            (h.anim_num > 0 && h.anim_unit_size < static_cast<std::int32_t>(sizes::kAnim))) {
            return broken(IssueId::MV1_UNIT_SIZE, "header.AnimUnitSize", "the sizes of a key set and an animation",
                          std::to_string(h.key_set_unit_size) + " and " + std::to_string(h.anim_unit_size),
                          "at least " + std::to_string(sizes::kKeySet) + " and " + std::to_string(sizes::kAnim));
        }
        const auto stride = [](std::int32_t unit) { return static_cast<std::uint32_t>(std::max(unit, 0)); };
        Done done = array("keySet", h.key_set_num, h.key_set, sizes::kKeySet, doc_.key_sets, stride(h.key_set_unit_size));
        done = done ? array("anim", h.anim_num, h.anim, sizes::kAnim, doc_.anims, stride(h.anim_unit_size)) : done;
        return done ? chain("animSet", h.anim_set_num, h.anim_set, sizes::kAnimSet, doc_.anim_sets) : done;
    }

    // The block of one element: measured, claimed, copied.
    template <class T, class Read>
    Done block(const std::string& part, const T& owner, Offset at, Read read, Blob& out) {
        if (at > buffer_.size()) {
            return broken(IssueId::MV1_OUTSIDE, part, "its block", std::to_string(at), "inside the " + std::to_string(buffer_.size()) + " bytes");
        }
        Checked<std::size_t> size = read(owner, buffer_.subspan(at), nullptr);
        if (!size) {
            size.error().part = part;
            return tl::unexpected(std::move(size.error()));
        }
        if (Done inside = claim(part, at, *size); !inside) {
            return inside;
        }
        const auto bytes = buffer_.subspan(at, *size);
        out.assign(bytes.begin(), bytes.end());
        return {};
    }

    Done blocks() {
        for (std::size_t i = 0; i < doc_.frames.size(); ++i) {
            Frame& f = doc_.frames[i];
            if (f.position_num < 0 || f.normal_num < 0) {
                return broken(IssueId::MV1_COUNT, element("frame", i), "the number of positions or normals",
                              std::to_string(f.position_num) + ", " + std::to_string(f.normal_num), "0 or more");
            }
            if (f.position_num == 0) {
                continue;
            }
            if (Done done = block(element("frame", i) + ".PositionAndNormalData", f, f.position_data, read_frame_blob, f.blob); !done) {
                return done;
            }
        }
        for (std::size_t i = 0; i < doc_.meshes.size(); ++i) {
            Mesh& m = doc_.meshes[i];
            if (m.vertex_num < 0) {
                return broken(IssueId::MV1_COUNT, element("mesh", i) + ".VertexNum", "the number of vertices", std::to_string(m.vertex_num), "0 or more");
            }
            if (Done done = block(element("mesh", i) + ".VertexData", m, m.vertex_data, read_mesh_blob, m.blob); !done) {
                return done;
            }
        }
        for (std::size_t i = 0; i < doc_.lists.size(); ++i) {
            TriangleList& l = doc_.lists[i];
            if (Done done = block(element("list", i) + ".MeshVertexIndexAndIndexData", l, l.data, read_list_blob, l.blob); !done) {
                return done;
            }
        }
        for (std::size_t i = 0; i < doc_.key_sets.size(); ++i) {
            KeySet& k = doc_.key_sets[i];
            if (Done done = block(element("keySet", i) + ".KeyData", k, k.key_data, read_key_block, k.blob); !done) {
                return done;
            }
        }
        return {};
    }

    // What nothing claims, and that nothing is claimed twice.
    Done gather_loose() {
        std::sort(claims_.begin(), claims_.end(), [](const Claim& a, const Claim& b) { return a.begin != b.begin ? a.begin < b.begin : a.end < b.end; });
        std::uint64_t end = 0;
        claims_.push_back({buffer_.size(), buffer_.size()});
        for (const Claim& c : claims_) {
            if (c.begin < end) {
                return broken(IssueId::MV1_OVERLAP, "offset " + std::to_string(c.begin), "two structs or blocks share bytes",
                              std::to_string(end - c.begin) + " bytes", "none");
            }
            std::span<const std::byte> gap = buffer_.subspan(static_cast<std::size_t>(end), static_cast<std::size_t>(c.begin - end));
            const auto zero = [](std::byte b) { return b == std::byte{0}; };
            const auto first = std::find_if_not(gap.begin(), gap.end(), zero);
            if (first != gap.end()) {
                const auto last = std::find_if_not(gap.rbegin(), gap.rend(), zero).base();
                doc_.loose.push_back({static_cast<Offset>(end + static_cast<std::uint64_t>(first - gap.begin())), Blob(first, last)});
            }
            end = c.end;
        }
        return {};
    }

    std::span<const std::byte> buffer_;
    const core::Limits& limits_;
    Document doc_;
    std::vector<Claim> claims_;
};

}  // namespace

void report(const Finding& finding, const std::string& file, core::Report& report) {
    core::Place place;
    place.file = file;
    place.part = finding.part;
    report.add(finding.id, std::move(place), {{"what", finding.what}, {"found", finding.found}, {"expected", finding.expected}});
}

core::Error to_error(const Finding& finding, const std::string& file) {
    core::Error error;
    error.code = finding.code;
    error.place.file = file;
    error.place.part = finding.part;
    error.what = finding.what;
    error.found = finding.found;
    error.expected = finding.expected;
    error.cure = core::info(finding.id).cure;
    error.notes.push_back(std::string("rule ") + core::info(finding.id).name);
    return error;
}

bool is_mv1(std::span<const std::byte> bytes) { return bytes.size() >= 4 && std::memcmp(bytes.data(), "MV11", 4) == 0; }

Checked<core::Bytes> unpack(std::span<const std::byte> file, const core::Limits& limits) {
    if (!is_mv1(file)) {
        return broken(IssueId::MV1_MAGIC, {}, "the file does not begin with MV11", {}, {}, Code::NotThisFormat);
    }
    DxaLimits dxa;
    // Structs and numbers of a buffer take a few times its size.
    dxa.max_output_bytes = std::min<std::uint64_t>(dxa.max_output_bytes, limits.max_memory_bytes / 8);
    core::Result<core::Bytes> decoded = dxa_decode(file.subspan(4), 4, dxa);
    if (!decoded) {
        core::Error& e = decoded.error();
        return broken(e.code == Code::LimitExceeded ? IssueId::MV1_LIMIT : IssueId::MV1_DXA,
                      e.place.part + (e.place.byte ? " (byte " + std::to_string(*e.place.byte) + ")" : std::string()), e.what, e.found, e.expected, e.code);
    }
    core::Bytes out;
    out.reserve(decoded->size() + 4);
    out.assign(file.begin(), file.begin() + 4);
    out.insert(out.end(), decoded->begin(), decoded->end());
    return out;
}

Checked<Document> decode_buffer(std::span<const std::byte> buffer, const core::Limits& limits) { return Decoder(buffer, limits).run(); }

core::Result<Document> decode(std::span<const std::byte> file, const std::string& name, const core::Limits& limits) {
    Checked<core::Bytes> buffer = unpack(file, limits);
    if (!buffer) {
        return core::Fault(to_error(buffer.error(), name));
    }
    Checked<Document> document = decode_buffer(*buffer, limits);
    if (!document) {
        return core::Fault(to_error(document.error(), name));
    }
    return std::move(*document);
}

}  // namespace gomkit::mv1

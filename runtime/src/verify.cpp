#include <algorithm>
#include <cmath>

#include "file_verifier.hpp"
#include "gomkit/runtime/model_view.hpp"
#include "scan.hpp"

namespace gomkit::runtime {
namespace detail {
namespace {

namespace vf01 = layout::vf01;

// The bone's own component: its name with '%' as %25 and '/' as %2F; a sibling's number, ~2 and the like, may follow.
bool is_component_of(std::string_view component, std::string_view name) noexcept {
    for (const char c : name) {
        const std::string_view escaped = c == '%'   ? std::string_view("%25")
                                         : c == '/' ? std::string_view("%2F")
                                                    : std::string_view(&c, 1);
        if (!component.starts_with(escaped)) return false;
        component.remove_prefix(escaped.size());
    }
    if (component.empty()) return true;
    if (component.size() < 2 || component[0] != '~') return false;
    // A number of at least 2 without leading zeros.
    if (component[1] == '0' || component == "~1") return false;
    return std::all_of(component.begin() + 1, component.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

class ModelVerifier : FileVerifier {
public:
    ModelVerifier(std::span<const std::byte> file, const Limits& limits, ModelView& view, ErrorInfo* info) noexcept
        : FileVerifier(file, limits, view, info), view_(view) {}

    Status run() noexcept {
        constexpr Magic kMagic{layout::header::kModelMagic, Status::Ok, Status::IsMotion, Status::IsText};
        if (const Status s = check_header(kMagic); s != Status::Ok) return s;
        if (const Status s = walk_model(); s != Status::Ok) return s;
        if (const Status s = check_strings(); s != Status::Ok) return s;
        if (const Status s = check_converter_version(); s != Status::Ok) return s;
        if (const Status s = check_materials(); s != Status::Ok) return s;
        if (const Status s = check_skeleton(); s != Status::Ok) return s;
        if (const Status s = check_morph_channels(); s != Status::Ok) return s;
        if (const Status s = check_parts(); s != Status::Ok) return s;
        return check_clips(view_.bone_count_, view_.morph_channel_count_);
    }

private:
    Status walk_model() noexcept {
        const Status walked = walk([&](const Chunk& c, std::uint64_t ordinal) {
            switch (c.fourcc) {
                case layout::kMsh0:
                    return count_chunk(view_.parts_, c.offset, "MSH0", LimitId::MeshParts, limits_.max_mesh_parts);
                case layout::kMatl:
                    return keep_single(c, ordinal, materials_);
                case layout::kSkel:
                    return keep_single(c, ordinal, skeleton_);
                case layout::kMrpc:
                    return keep_single(c, ordinal, morph_channels_);
                default:
                    return layout::is_mesh_child(c.fourcc) ? misplaced(c, ordinal) : Status::Ok;
            }
        });
        if (walked != Status::Ok) return walked;
        if (const Status s = require(strings_, layout::kStr0); s != Status::Ok) return s;
        if (const Status s = require(materials_, layout::kMatl); s != Status::Ok) return s;
        return view_.clip_count() == 0 ? Status::Ok : require(animations_, layout::kAnim);
    }

    // ---- MATL --------------------------------------------------------------------------------------------------------------

    Status check_materials() noexcept {
        namespace matl = layout::matl;
        enter("MATL");
        const Chunk& c = materials_;
        if (const Status s = check_least_size(c, matl::kSlots); s != Status::Ok) return s;
        const std::uint32_t count = u32(c.payload);
        if (count > limits_.max_material_slots)
            return over_limit(LimitId::MaterialSlots, c.payload, here().field("count"), count, limits_.max_material_slots);
        if (const Status s = check_size(c, matl::kSlots + std::uint64_t{count} * matl::kSlotSize); s != Status::Ok) return s;
        struct Id {
            std::size_t at;
            const char* name;
        };
        constexpr Id kIds[] = {{matl::kNameId, "nameId"},
                               {matl::kDiffuseMapId, "diffuseMapId"},
                               {matl::kNormalMapId, "normalMapId"},
                               {matl::kSpecularMapId, "specularMapId"},
                               {matl::kEmissiveMapId, "emissiveMapId"}};
        constexpr const char* kFloats[matl::kFloatCount] = {"kd[0]", "kd[1]", "kd[2]", "ks[0]",     "ks[1]",  "ks[2]",
                                                            "ke[0]", "ke[1]", "ke[2]", "shininess", "opacity"};
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint64_t slot = c.payload + matl::kSlots + std::uint64_t{i} * matl::kSlotSize;
            for (const Id& id : kIds) {
                if (const Status s = check_id(u32(slot + id.at), slot + id.at, false,
                                              [&] { return here().field("slot").at(i).field(id.name); });
                    s != Status::Ok)
                    return s;
            }
            if (const Status s = check_floats(slot + matl::kFirstFloat, matl::kFloatCount,
                                              [&](std::uint64_t k) { return here().field("slot").at(i).field(kFloats[k]); });
                s != Status::Ok)
                return s;
        }
        view_.materials_at_ = c.payload;
        view_.material_count_ = count;
        return Status::Ok;
    }

    // ---- SKEL --------------------------------------------------------------------------------------------------------------

    Status check_skeleton() noexcept {
        namespace skel = layout::skel;
        const Chunk& c = skeleton_;
        if (c.offset == 0) return Status::Ok;
        enter("SKEL");
        if (const Status s = check_least_size(c, skel::kParents); s != Status::Ok) return s;
        const std::uint32_t count = u32(c.payload);
        if (count > limits_.max_bones)
            return over_limit(LimitId::Bones, c.payload, here().field("boneCount"), count, limits_.max_bones);
        if (count == 0) return fail(Status::NoBones, c.payload, here().field("boneCount"), unsigned_values(0, 1));
        if (const Status s = check_size(c, skel::kParents + std::uint64_t{count} * skel::kBytesPerBone); s != Status::Ok)
            return s;
        view_.bones_at_ = c.payload;
        view_.bone_count_ = count;
        for (std::uint32_t i = 0; i < count; ++i)
            if (const Status s = check_bone(i); s != Status::Ok) return s;
        return Status::Ok;
    }

    Status check_bone(std::uint32_t i) noexcept {
        namespace skel = layout::skel;
        const std::uint32_t count = view_.bone_count_;
        const std::uint64_t parent_at = skeleton_.payload + skel::kParents + std::uint64_t{i} * 4;
        const std::uint64_t name_at = skeleton_.payload + skel::name_ids(count) + std::uint64_t{i} * 4;
        const std::uint64_t path_at = skeleton_.payload + skel::path_ids(count) + std::uint64_t{i} * 4;
        const auto part = [&](const char* field) { return here().field(field).at(i); };

        const std::int32_t parent = i32(parent_at);
        if (parent < layout::kNoParent || (parent >= 0 && static_cast<std::uint32_t>(parent) >= i))
            return fail(Status::BadParent, parent_at, part("parent"), signed_values(parent, static_cast<std::int64_t>(i) - 1));
        if (const Status s = check_id(u32(name_at), name_at, true, [&] { return part("nameId"); }); s != Status::Ok) return s;
        if (const Status s = check_id(u32(path_at), path_at, true, [&] { return part("pathId"); }); s != Status::Ok) return s;

        const std::string_view path = view_.bone_path(i);
        if (i != 0) {
            const int order = view_.bone_path(i - 1).compare(path);  // bytes as unsigned, then shorter first: char_traits<char>
            if (order == 0) return fail(Status::DuplicatePath, path_at, part("pathId"));
            if (order > 0) return fail(Status::BonesNotSorted, path_at, part("pathId"));
        }
        std::string_view component = path;
        bool is_below_parent = true;
        if (parent >= 0) {
            const std::string_view above = view_.bone_path(static_cast<std::uint32_t>(parent));
            is_below_parent = path.size() > above.size() && path.starts_with(above) && path[above.size()] == '/';
            if (is_below_parent) component.remove_prefix(above.size() + 1);
        }
        if (!is_below_parent || !is_component_of(component, view_.bone_name(i)))
            return fail(Status::BadBonePath, path_at, part("pathId"));

        const std::uint64_t matrix_at = skeleton_.payload + skel::bind_locals(count) + std::uint64_t{i} * layout::kMatrixSize;
        if (const Status s = check_matrix(matrix_at, [&] { return part("bindLocal"); }); s != Status::Ok) return s;
        if (determinant3(matrix_cast<double>(view_.bind_local(i))) == 0.0)
            return fail(Status::SingularMatrix, matrix_at, part("bindLocal"));
        return Status::Ok;
    }

    // ---- MRPC (docs/spec/morph.md) ---------------------------------------------------------------------------------------------

    Status check_morph_channels() noexcept {
        namespace mrpc = layout::mrpc;
        const Chunk& c = morph_channels_;
        if (c.offset == 0) return Status::Ok;
        enter("MRPC");
        if (const Status s = check_least_size(c, mrpc::kChannels); s != Status::Ok) return s;
        const std::uint32_t count = u32(c.payload + mrpc::kChannelCount);
        const std::uint32_t shapes = u32(c.payload + mrpc::kShapeCount);
        if (count > limits_.max_morph_channels)
            return over_limit(LimitId::MorphChannels, c.payload + mrpc::kChannelCount, here().field("channelCount"), count,
                              limits_.max_morph_channels);
        if (shapes > limits_.max_morph_shapes)
            return over_limit(LimitId::MorphShapes, c.payload + mrpc::kShapeCount, here().field("shapeCount"), shapes,
                              limits_.max_morph_shapes);
        if (const Status s = check_size(c, mrpc::shape_weights(count) + std::uint64_t{shapes} * 4); s != Status::Ok) return s;
        view_.morphs_at_ = c.payload;
        std::uint32_t begin = 0;
        std::string_view before;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint64_t at = c.payload + mrpc::kChannels + std::uint64_t{i} * mrpc::kChannelSize;
            const auto place = [&](const char* field) { return here().field("channel").at(i).field(field); };
            if (const Status s = check_id(u32(at + mrpc::kNameId), at + mrpc::kNameId, true, [&] { return place("nameId"); });
                s != Status::Ok)
                return s;
            const std::string_view name = view_.string(u32(at + mrpc::kNameId));
            if (i != 0 && name <= before) return fail(Status::BadMorphOrder, at + mrpc::kNameId, place("nameId"));
            before = name;
            if (const Status s = check_floats(at + mrpc::kDefaultWeight, 1, [&](std::uint64_t) { return place("defaultWeight"); });
                s != Status::Ok)
                return s;
            const std::uint32_t end = u32(at + mrpc::kShapeEnd);
            if (end <= begin || end > shapes)
                return fail(Status::BadMorphShapes, at + mrpc::kShapeEnd, place("shapeEnd"),
                            unsigned_values(end, end <= begin ? begin + std::uint64_t{1} : shapes));
            if (const Status s = check_shape_weights(c.payload + mrpc::shape_weights(count), i, begin, end); s != Status::Ok) return s;
            begin = end;
        }
        if (begin != shapes)
            return fail(Status::BadMorphShapes, c.payload + mrpc::kShapeCount, here().field("shapeCount"),
                        unsigned_values(shapes, begin));
        view_.morph_channel_count_ = count;
        return Status::Ok;
    }

    // Of one channel, the file's shapes begin to end.
    Status check_shape_weights(std::uint64_t first, std::uint32_t channel, std::uint32_t begin, std::uint32_t end) noexcept {
        for (std::uint32_t k = begin; k < end; ++k) {
            const std::uint64_t at = first + std::uint64_t{k} * 4;
            const auto place = [&](std::uint64_t) { return here().field("channel").at(channel).field("shapeWeight").at(k - begin); };
            if (const Status s = check_floats(at, 1, place); s != Status::Ok) return s;
            const float weight = f32(at);
            const float last = k == begin ? 0.0F : f32(at - 4);
            if (weight == 0.0F || (k != begin && !(weight > last)))
                return fail(Status::BadMorphWeight, at, place(0), float_values(static_cast<double>(weight), static_cast<double>(last)));
        }
        return Status::Ok;
    }

    // ---- MSH0 --------------------------------------------------------------------------------------------------------------

    struct MeshPart {
        std::uint32_t vertex_count = 0;
        std::uint32_t index_count = 0;
        std::uint32_t bone_count = 0;
        std::uint32_t flags = 0;
        std::uint64_t flags_at = 0;
        Chunk vertices, indices, submeshes, inverse_binds, bounds, geometry_to_model;
        std::uint64_t first_morph = 0;  // file offset of the first MRPH
        std::uint32_t morph_count = 0;
    };

    Status check_parts() noexcept {
        return check_each(view_.parts_, layout::kMsh0, "MSH0", [&](const Chunk& c) { return check_part(c); });
    }

    // Adds to a total over the file.
    Status count_up(std::uint64_t& total, std::uint64_t more, std::uint64_t most, LimitId limit, std::uint64_t offset,
                    const char* field) noexcept {
        total += more;
        return total > most ? over_limit(limit, offset, here().field(field), total, most) : Status::Ok;
    }

    Status check_part(const Chunk& c) noexcept {
        namespace msh0 = layout::msh0;
        if (const Status s = check_least_size(c, msh0::kHeaderSize); s != Status::Ok) return s;
        MeshPart part;
        part.vertex_count = u32(c.payload + msh0::kVertexCount);
        part.index_count = u32(c.payload + msh0::kIndexCount);
        part.bone_count = u32(c.payload + msh0::kBoneCount);
        part.flags_at = c.payload + msh0::kFlags;
        part.flags = u32(part.flags_at);
        if (const Status s = count_up(view_.vertex_total_, part.vertex_count, limits_.max_vertices, LimitId::Vertices,
                                      c.payload + msh0::kVertexCount, "vertexCount");
            s != Status::Ok)
            return s;
        if (const Status s = count_up(view_.index_total_, part.index_count, limits_.max_indices, LimitId::Indices,
                                      c.payload + msh0::kIndexCount, "indexCount");
            s != Status::Ok)
            return s;
        if (part.bone_count > limits_.max_bones)
            return over_limit(LimitId::Bones, c.payload + msh0::kBoneCount, here().field("boneCount"), part.bone_count,
                              limits_.max_bones);

        if (const Status s = check_id(u32(c.payload + msh0::kNameId), c.payload + msh0::kNameId, false, "meshNameId");
            s != Status::Ok)
            return s;
        if (const Status s = check_equal(Status::BadVertexFormat, c.payload + msh0::kVertexFormat, "vertexFormat", msh0::kVf01);
            s != Status::Ok)
            return s;
        if (part.vertex_count == 0)
            return fail(Status::EmptyPart, c.payload + msh0::kVertexCount, here().field("vertexCount"), unsigned_values(0, 1));
        if (part.index_count < 3)
            return fail(Status::EmptyPart, c.payload + msh0::kIndexCount, here().field("indexCount"),
                        unsigned_values(part.index_count, 3));
        if (part.bone_count != 0 && part.bone_count != view_.bone_count_)
            return fail(Status::BadBoneCount, c.payload + msh0::kBoneCount, here().field("boneCount"),
                        unsigned_values(part.bone_count, view_.bone_count_));

        if (const Status s = walk_children(c, part); s != Status::Ok) return s;
        const bool has_gbtm = part.geometry_to_model.offset != 0;
        if (((part.flags & msh0::kHasGbtm) != 0) != has_gbtm) {
            return fail(Status::FlagMismatch, part.flags_at, here().field("flags"),
                        unsigned_values(part.flags, has_gbtm ? part.flags | msh0::kHasGbtm : part.flags & ~msh0::kHasGbtm));
        }
        if (const Status s = check_vertices(part); s != Status::Ok) return s;
        if (const Status s = check_indices(part); s != Status::Ok) return s;
        if (const Status s = check_submeshes(part); s != Status::Ok) return s;
        if (const Status s = check_inverse_binds(part); s != Status::Ok) return s;
        if (part.bounds.offset != 0 && part.bounds.size == layout::bnd0::kSize) {
            constexpr const char* kFields[10] = {"aabbMin[0]",      "aabbMin[1]",  "aabbMin[2]",      "aabbMax[0]",
                                                 "aabbMax[1]",      "aabbMax[2]",  "sphereCenter[0]", "sphereCenter[1]",
                                                 "sphereCenter[2]", "sphereRadius"};
            child_name_ = "BND0";
            if (const Status s = check_floats(part.bounds.payload, 10, [&](std::uint64_t k) { return here().field(kFields[k]); });
                s != Status::Ok)
                return s;
        }
        if (has_gbtm) {
            child_name_ = "GBTM";
            if (const Status s = check_size(part.geometry_to_model, layout::gbtm::kSize); s != Status::Ok) return s;
            if (const Status s = check_matrix(part.geometry_to_model.payload, [&] { return here().field("meshBindGeoToModel"); });
                s != Status::Ok)
                return s;
        }
        child_name_ = nullptr;
        return check_morphs(part);
    }

    Status check_morphs(const MeshPart& part) noexcept {
        namespace mrph = layout::mrph;
        std::uint64_t at = part.first_morph;
        std::int64_t last_channel = -1, last_shape = -1;
        for (std::uint32_t i = 0; i < part.morph_count; ++i) {
            const Chunk c = chunk_at(next_chunk(file_, layout::kMrph, at));
            at = layout::align16(c.end);
            enter_child("MRPH", i);
            if (const Status s = check_least_size(c, mrph::kHeaderSize); s != Status::Ok) return s;
            const std::uint32_t count = u32(c.payload + mrph::kVertexCount);
            if (const Status s = count_up(view_.morph_vertex_total_, count, limits_.max_morph_vertices, LimitId::MorphVertices,
                                          c.payload + mrph::kVertexCount, "vertexCount");
                s != Status::Ok)
                return s;
            if (const Status s = check_size(c, mrph::kHeaderSize + std::uint64_t{count} * mrph::kBytesPerVertex); s != Status::Ok)
                return s;
            const std::uint32_t channel = u32(c.payload + mrph::kChannel);
            const std::uint32_t shape = u32(c.payload + mrph::kShape);
            const std::int64_t channels = view_.morph_channel_count_;
            if (channel >= channels)
                return fail(Status::BadMorphChannel, c.payload + mrph::kChannel, here().field("channel"),
                            signed_values(channel, channels - 1));
            const std::int64_t shapes = view_.morph_shape_count(channel);
            if (shape >= shapes)
                return fail(Status::BadMorphChannel, c.payload + mrph::kShape, here().field("shape"),
                            signed_values(shape, shapes - 1));
            const bool is_same = channel == last_channel;
            if (channel < last_channel || (is_same && shape <= last_shape))
                return fail(Status::BadMorphOrder, c.payload + mrph::kChannel, here().field("channel"),
                            is_same ? signed_values(shape, last_shape + 1) : signed_values(channel, last_channel));
            last_channel = channel;
            last_shape = shape;
            if (const Status s = check_morph_vertices(c, count, part.vertex_count); s != Status::Ok) return s;
        }
        leave_child();
        return Status::Ok;
    }

    Status check_morph_vertices(const Chunk& c, std::uint32_t count, std::uint32_t vertex_count) noexcept {
        namespace mrph = layout::mrph;
        const std::uint64_t first = c.payload + mrph::kHeaderSize;
        std::int64_t last = -1;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint64_t at = first + std::uint64_t{i} * 4;
            const std::uint32_t vertex = u32(at);
            if (vertex <= last || vertex >= vertex_count)
                return fail(Status::BadMorphVertex, at, here().field("vertex").at(i),
                            signed_values(vertex, vertex <= last ? last + 1 : static_cast<std::int64_t>(vertex_count) - 1));
            last = vertex;
        }
        const std::uint64_t offsets = c.payload + mrph::positions(count);
        if (floats_certainly_finite(file_ + offsets, std::size_t{count} * 6)) return Status::Ok;
        return check_floats(offsets, std::uint64_t{count} * 6, [&](std::uint64_t k) {
            const std::uint64_t component = k % (std::uint64_t{count} * 3);
            return here().field(k < std::uint64_t{count} * 3 ? "position" : "normal").at(component / 3).at(component % 3);
        });
    }

    Status walk_children(const Chunk& c, MeshPart& part) noexcept {
        std::uint64_t at = c.payload + layout::msh0::kHeaderSize;
        for (std::uint64_t ordinal = 0;; ++ordinal) {
            Chunk child;
            bool found = false;
            if (const Status s = read_chunk(at, c.end, ordinal, child, found); s != Status::Ok) return s;
            if (!found) break;
            Status s = Status::Ok;
            switch (child.fourcc) {
                case layout::kVb0:
                    s = keep_single(child, ordinal, part.vertices);
                    break;
                case layout::kIb0:
                    s = keep_single(child, ordinal, part.indices);
                    break;
                case layout::kSub0:
                    s = keep_single(child, ordinal, part.submeshes);
                    break;
                case layout::kIbnd:
                    s = keep_single(child, ordinal, part.inverse_binds);
                    break;
                case layout::kBnd0:
                    s = keep_single(child, ordinal, part.bounds);
                    break;
                case layout::kGbtm:
                    s = keep_single(child, ordinal, part.geometry_to_model);
                    break;
                case layout::kMrph:
                    if (part.morph_count++ == 0) part.first_morph = child.offset;
                    break;
                default:
                    if (layout::is_top_level(child.fourcc)) s = misplaced(child, ordinal);
                    break;
            }
            if (s != Status::Ok) return s;
            if (s = check_extent(child, c.end, ordinal); s != Status::Ok) return s;
            if (layout::is_mesh_child(child.fourcc)) {
                if (s = check_version(child, ordinal); s != Status::Ok) return s;
            }
            at = layout::align16(child.end);
        }
        struct Required {
            const Chunk& chunk;
            std::uint32_t fourcc;
        };
        const Required required[] = {{part.vertices, layout::kVb0},
                                     {part.indices, layout::kIb0},
                                     {part.submeshes, layout::kSub0},
                                     {part.inverse_binds, layout::kIbnd}};
        for (const Required& r : required)
            if (r.chunk.offset == 0) return fail(Status::MissingChunk, c.offset, here(), fourcc_values(0, r.fourcc));
        return Status::Ok;
    }

    Status check_vertices(const MeshPart& part) noexcept {
        namespace vb0 = layout::vb0;
        const Chunk& c = part.vertices;
        child_name_ = "VB0";
        if (const Status s = check_least_size(c, vb0::kHeaderSize); s != Status::Ok) return s;
        if (const Status s = check_repeated_count(c.payload + vb0::kVertexCount, "vertexCount", part.vertex_count,
                                                  LimitId::Vertices, limits_.max_vertices);
            s != Status::Ok)
            return s;
        if (const Status s = check_equal(Status::BadStride, c.payload + vb0::kStride, "stride", vf01::kSize); s != Status::Ok)
            return s;
        if (const Status s =
                check_equal(Status::BadVertexFormat, c.payload + vb0::kVertexFormat, "vertexFormat", layout::msh0::kVf01);
            s != Status::Ok)
            return s;
        if (const Status s = check_size(c, vb0::kHeaderSize + std::uint64_t{part.vertex_count} * vf01::kSize); s != Status::Ok)
            return s;

        constexpr std::uint32_t kBatch = 2048;
        const std::uint64_t first = c.payload + vb0::kHeaderSize;
        for (std::uint32_t done = 0; done < part.vertex_count;) {
            const std::uint32_t count = std::min(kBatch, part.vertex_count - done);
            if (!vertices_certainly_fine(file_ + first + std::uint64_t{done} * vf01::kSize, count, part.bone_count)) {
                for (std::uint32_t i = done; i < done + count; ++i)
                    if (const Status s = check_vertex(first + std::uint64_t{i} * vf01::kSize, i, part.bone_count);
                        s != Status::Ok)
                        return s;
            }
            done += count;
        }
        return Status::Ok;
    }

    Status check_vertex(std::uint64_t at, std::uint32_t index, std::uint32_t bone_count) noexcept {
        constexpr const char* kFields[vf01::kFloatsBeforeBones] = {"position[0]", "position[1]", "position[2]", "normal[0]",
                                                                   "normal[1]",   "normal[2]",   "tangent[0]",  "tangent[1]",
                                                                   "tangent[2]",  "tangent[3]",  "uv0[0]",      "uv0[1]"};
        const auto vertex = [&] { return here().field("vertex").at(index); };
        if (const Status s =
                check_floats(at, vf01::kFloatsBeforeBones, [&](std::uint64_t k) { return vertex().field(kFields[k]); });
            s != Status::Ok)
            return s;
        const std::uint64_t weights = at + vf01::kBoneWeight;
        if (const Status s =
                check_floats(weights, vf01::kInfluences, [&](std::uint64_t k) { return vertex().field("boneWeight").at(k); });
            s != Status::Ok)
            return s;
        if (bone_count == 0) return Status::Ok;
        double sum = 0.0;
        for (std::uint32_t k = 0; k < vf01::kInfluences; ++k) {
            const std::uint64_t bone_at = at + vf01::kBoneIndex + 2 * k;
            const auto bone = load_le<std::uint16_t>(file_ + bone_at);
            if (bone >= bone_count)
                return fail(Status::BadBoneIndex, bone_at, vertex().field("boneIndex").at(k),
                            unsigned_values(bone, bone_count - 1));
            const double weight = static_cast<double>(f32(weights + 4 * k));
            if (weight < 0.0)
                return fail(Status::NegativeWeight, weights + 4 * k, vertex().field("boneWeight").at(k),
                            float_values(weight, 0.0));
            sum += weight;
        }
        if (std::fabs(sum - 1.0) > layout::tolerance::kWeightSum)
            return fail(Status::BadWeightSum, weights, vertex().field("boneWeight"), float_values(sum, 1.0));
        return Status::Ok;
    }

    Status check_indices(const MeshPart& part) noexcept {
        namespace ib0 = layout::ib0;
        const Chunk& c = part.indices;
        child_name_ = "IB0";
        if (const Status s = check_least_size(c, ib0::kHeaderSize); s != Status::Ok) return s;
        if (const Status s = check_repeated_count(c.payload + ib0::kIndexCount, "indexCount", part.index_count, LimitId::Indices,
                                                  limits_.max_indices);
            s != Status::Ok)
            return s;
        const std::uint32_t size = u32(c.payload + ib0::kIndexSize);
        if (size != 4 && size != 2)
            return fail(Status::BadIndexSize, c.payload + ib0::kIndexSize, here().field("indexSizeBytes"),
                        unsigned_values(size, ib0::kWrittenIndexSize));
        if ((size == 2) != ((part.flags & layout::msh0::kIndices16Bit) != 0)) {
            child_name_ = nullptr;
            return fail(Status::FlagMismatch, part.flags_at, here().field("flags"),
                        unsigned_values(part.flags, part.flags ^ layout::msh0::kIndices16Bit));
        }
        if (const Status s = check_size(c, ib0::kHeaderSize + std::uint64_t{part.index_count} * size); s != Status::Ok) return s;

        const std::uint64_t first = c.payload + ib0::kHeaderSize;
        const bool fine = size == 4 ? indices32_certainly_fine(file_ + first, part.index_count, part.vertex_count)
                                    : indices16_certainly_fine(file_ + first, part.index_count, part.vertex_count);
        if (fine) return Status::Ok;
        for (std::uint32_t i = 0; i < part.index_count; ++i) {
            const std::uint64_t at = first + std::uint64_t{i} * size;
            const std::uint32_t index = size == 4 ? u32(at) : load_le<std::uint16_t>(file_ + at);
            if (index >= part.vertex_count)
                return fail(Status::BadIndex, at, here().field("index").at(i), unsigned_values(index, part.vertex_count - 1));
        }
        return Status::Ok;
    }

    Status check_submeshes(const MeshPart& part) noexcept {
        namespace sub0 = layout::sub0;
        const Chunk& c = part.submeshes;
        child_name_ = "SUB0";
        if (const Status s = check_least_size(c, sub0::kSubmeshes); s != Status::Ok) return s;
        const std::uint32_t count = u32(c.payload);
        if (const Status s = count_up(view_.submesh_total_, count, limits_.max_submeshes, LimitId::Submeshes, c.payload, "count");
            s != Status::Ok)
            return s;
        if (const Status s = check_size(c, sub0::kSubmeshes + std::uint64_t{count} * sub0::kSubmeshSize); s != Status::Ok)
            return s;
        std::uint32_t covered = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint64_t at = c.payload + sub0::kSubmeshes + std::uint64_t{i} * sub0::kSubmeshSize;
            const auto place = [&](const char* field) { return here().field("submesh").at(i).field(field); };
            const std::int32_t material = i32(at + sub0::kMaterialIndex);
            if (material < 0 || static_cast<std::uint32_t>(material) >= view_.material_count_)
                return fail(Status::BadMaterialIndex, at + sub0::kMaterialIndex, place("materialIndex"),
                            signed_values(material, static_cast<std::int64_t>(view_.material_count_) - 1));
            const std::uint32_t start = u32(at + sub0::kIndexStart);
            if (start != covered)
                return fail(Status::BadSubmesh, at + sub0::kIndexStart, place("indexStart"), unsigned_values(start, covered));
            const std::uint32_t size = u32(at + sub0::kIndexCount);
            if (size == 0 || size % 3 != 0 || size > part.index_count - covered)
                return fail(Status::BadSubmesh, at + sub0::kIndexCount, place("indexCount"),
                            unsigned_values(size, part.index_count - covered));
            covered += size;
        }
        if (covered != part.index_count)
            return fail(Status::BadSubmesh, c.payload, here().field("count"), unsigned_values(covered, part.index_count));
        return Status::Ok;
    }

    Status check_inverse_binds(const MeshPart& part) noexcept {
        namespace ibnd = layout::ibnd;
        const Chunk& c = part.inverse_binds;
        child_name_ = "IBND";
        if (const Status s = check_least_size(c, ibnd::kMatrices); s != Status::Ok) return s;
        if (const Status s = check_repeated_count(c.payload, "boneCount", part.bone_count, LimitId::Bones, limits_.max_bones);
            s != Status::Ok)
            return s;
        if (const Status s = check_size(c, ibnd::kMatrices + std::uint64_t{part.bone_count} * layout::kMatrixSize);
            s != Status::Ok)
            return s;
        for (std::uint32_t i = 0; i < part.bone_count; ++i) {
            const std::uint64_t at = c.payload + ibnd::kMatrices + std::uint64_t{i} * layout::kMatrixSize;
            if (const Status s = check_matrix(at, [&] { return here().field("inverseBind").at(i); }); s != Status::Ok) return s;
        }
        return Status::Ok;
    }

    ModelView& view_;
    Chunk materials_, skeleton_, morph_channels_;
};

}  // namespace detail

Status verify(std::span<const std::byte> file, const Limits& limits, ModelView& out, ErrorInfo* info) noexcept {
    return detail::verify_with<detail::ModelVerifier>(file, limits, out, info);
}

}  // namespace gomkit::runtime

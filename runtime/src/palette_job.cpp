#include "gomkit/runtime/palette_job.hpp"

#include "gomkit/runtime/bytes.hpp"
#include "gomkit/runtime/layout.hpp"
#include "lanes.hpp"

namespace gomkit::runtime {
namespace detail {
namespace {

constexpr Mat4d kIdentity;
// Bones whose local matrices are made at once: the products down a chain wait for each other, the local matrices for nothing, so
// mixing the two would let the first hold up the second.
constexpr std::uint32_t kBlock = 32;

// SKEL's arrays, as stored.
struct ModelBones {
    const std::byte* parents;
    const std::byte* bind_locals;
    std::uint32_t count;
};

void bind_entries(const ModelBones& bones, std::uint32_t bone, double (*entries)[kBlock], std::size_t lane) noexcept {
    const std::byte* matrix = bones.bind_locals + std::size_t{bone} * layout::kMatrixSize;
    for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t c = 0; c < 3; ++c)
            entries[3 * r + c][lane] = static_cast<double>(load_le<float>(matrix + 4 * (4 * r + c)));
}

}  // namespace

#define GOMKIT_RUNTIME_KERNEL "palette_kernel.inl"
#include "each_path.inl"

}  // namespace detail

Mat4d local_matrix(const BoneLocal& local) noexcept {
    double entries[12][detail::kBlock];
    detail::portable::local_matrices(&local, 1, entries);
    Mat4d out;
    for (std::size_t r = 0; r < 4; ++r)
        for (std::size_t c = 0; c < 3; ++c) out.m[4 * r + c] = entries[3 * r + c][0];
    return out;
}

Status LocalToModelJob::validate() const noexcept {
    if (model == nullptr) return Status::BadArgument;
    if (locals.size() != model->bone_count() || bone_to_model.size() != model->bone_count()) return Status::WrongSize;
    return Status::Ok;
}

Status LocalToModelJob::run() const noexcept {
    if (const Status status = validate(); status != Status::Ok) return status;
    const detail::ModelBones bones{model->parent_bytes().data(), model->bind_local_bytes().data(), model->bone_count()};
    GOMKIT_RUNTIME_ON_PATH(path, local_to_model(bones, locals.data(), bone_to_model.data()));
    return Status::Ok;
}

std::uint32_t palette_size(const MeshPartView& part) noexcept { return part.is_skinned() ? part.bone_count() : 1; }

Status PaletteJob::validate() const noexcept {
    if (part == nullptr || (palette.empty() && palette_3x4.empty())) return Status::BadArgument;
    const std::size_t size = palette_size(*part);
    if (part->is_skinned() && bone_to_model.size() != size) return Status::WrongSize;
    if ((!palette.empty() && palette.size() != size) || (!palette_3x4.empty() && palette_3x4.size() != size))
        return Status::WrongSize;
    return Status::Ok;
}

Status PaletteJob::run() const noexcept {
    if (const Status status = validate(); status != Status::Ok) return status;
    const bool to_model = space == PaletteSpace::Model && part->has_geometry_to_model();
    if (!part->is_skinned()) {
        const Mat4f only = to_model ? part->geometry_to_model() : Mat4f{};
        if (!palette.empty()) palette[0] = only;
        if (!palette_3x4.empty()) palette_3x4[0] = to_3x4(only);
        return Status::Ok;
    }
    const Mat4d geometry_to_model = matrix_cast<double>(part->geometry_to_model());
    const Mat4d* last = to_model ? &geometry_to_model : nullptr;
    const std::byte* inverse_binds = part->inverse_bind_bytes().data();
    Mat4f* rows = palette.empty() ? nullptr : palette.data();
    Mat3x4f* columns = palette_3x4.empty() ? nullptr : palette_3x4.data();
    GOMKIT_RUNTIME_ON_PATH(path, palette(inverse_binds, bone_to_model.data(), bone_to_model.size(), last, rows, columns));
    return Status::Ok;
}

}  // namespace gomkit::runtime

#include "gomkit/runtime/motion_view.hpp"

#include <cstring>

#include "clip_names.hpp"
#include "file_verifier.hpp"

namespace gomkit::runtime {
namespace detail {
namespace {

namespace chunk = layout::chunk;
namespace clp0 = layout::clp0;

// Indices of one verified clip against a model. `at` is the offset of the index that is too big, `track` its track.
bool has_bones_for(const ClipView& clip, std::uint32_t bone_count, std::uint64_t& at, std::int64_t& found, Part& part) noexcept {
    if (clip.root_bone_index() >= 0 && static_cast<std::uint32_t>(clip.root_bone_index()) >= bone_count) {
        at = clip.byte_offset() + chunk::kHeaderSize + clp0::kRootBoneIndex;
        found = clip.root_bone_index();
        part.field("rootBoneIndex");
        return false;
    }
    std::uint32_t index = 0;
    for (const TrackView track : clip.tracks()) {
        if (track.bone_index() >= bone_count) {
            at = track.byte_offset() + clp0::kTrackBoneIndex;
            found = track.bone_index();
            part.field("track").at(index).field("boneIndex");
            return false;
        }
        ++index;
    }
    return true;
}

}  // namespace

class MotionVerifier : FileVerifier {
public:
    MotionVerifier(std::span<const std::byte> file, const Limits& limits, MotionView& view, ErrorInfo* info) noexcept
        : FileVerifier(file, limits, view, info) {}

    Status run() noexcept {
        constexpr Magic kMagic{layout::header::kMotionMagic, Status::IsModel, Status::Ok, Status::IsModelText};
        if (const Status s = check_header(kMagic); s != Status::Ok) return s;
        const Status walked = walk([&](const Chunk& c, std::uint64_t ordinal) {
            return layout::is_top_level(c.fourcc) || layout::is_mesh_child(c.fourcc) ? misplaced(c, ordinal) : Status::Ok;
        });
        if (walked != Status::Ok) return walked;
        if (const Status s = require(strings_, layout::kStr0); s != Status::Ok) return s;
        if (const Status s = require(animations_, layout::kAnim); s != Status::Ok) return s;
        if (const Status s = check_strings(); s != Status::Ok) return s;
        if (const Status s = check_converter_version(); s != Status::Ok) return s;
        return check_clips(limits_.max_bones, 0);
    }
};

}  // namespace detail

Status verify(std::span<const std::byte> file, const Limits& limits, MotionView& out, ErrorInfo* info) noexcept {
    return detail::verify_with<detail::MotionVerifier>(file, limits, out, info);
}

std::array<std::uint8_t, 32> MotionView::skeleton_signature() const noexcept {
    std::array<std::uint8_t, 32> out{};
    if (!is_empty()) std::memcpy(out.data(), bytes().data() + layout::header::kSkeletonSignature, out.size());
    return out;
}

Status match(const ModelView& model, std::span<const MotionView* const> motions, MatchError* error) noexcept {
    MatchError ignored;
    MatchError& out = error != nullptr ? *error : ignored;
    out = MatchError{};
    const auto fail = [&](Status status, std::size_t motion, std::uint64_t offset, const detail::Part& part) {
        out.info.status = status;
        out.info.byte_offset = offset;
        part.copy_to(out.info.part);
        out.motion_index = static_cast<std::uint32_t>(motion);
        return status;
    };
    if (motions.empty()) return Status::Ok;
    const auto signature_at = layout::header::kSkeletonSignature;
    const detail::Part signature_part = detail::Part().name("header").field("skeletonSig");
    if (model.bone_count() == 0) return fail(Status::NoSkeleton, 0, signature_at, signature_part);
    const std::array<std::uint8_t, 32> signature = model.skeleton_signature();
    for (std::size_t i = 0; i < motions.size(); ++i) {
        if (motions[i]->skeleton_signature() != signature)
            return fail(Status::SignatureMismatch, i, signature_at, signature_part);
    }
    for (std::size_t i = 0; i < motions.size(); ++i) {
        std::uint32_t index = 0;
        for (const ClipView clip : motions[i]->clips()) {
            std::uint64_t at = 0;
            std::int64_t found = 0;
            detail::Part part = detail::Part().name("CLP0").at(index++);
            if (detail::has_bones_for(clip, model.bone_count(), at, found, part)) continue;
            out.info.kind = ValueKind::Signed;
            out.info.found = static_cast<std::uint64_t>(found);
            out.info.expected = model.bone_count() - 1;
            return fail(Status::BadBoneIndex, i, at, part);
        }
    }
    detail::ClipPlace earlier, later;
    const auto file = [&](std::uint32_t i) -> const FileView& {
        if (i == 0) return model;
        return *motions[i - 1];
    };
    const auto file_count = static_cast<std::uint32_t>(motions.size() + 1);
    if (!detail::find_equal_clip_names(file_count, file, earlier, later)) return Status::Ok;
    if (earlier.file != 0) out.other_index = earlier.file - 1;
    return fail(Status::DuplicateClipName, later.file - 1,
                file(later.file).clip(later.clip).byte_offset() + detail::chunk::kHeaderSize + detail::clp0::kNameId,
                detail::Part().name("CLP0").at(later.clip).field("nameId"));
}

}  // namespace gomkit::runtime

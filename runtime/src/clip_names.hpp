#pragma once
// Private. Looks for clips of the same name in one or more files.

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "gomkit/runtime/file_view.hpp"

namespace gomkit::runtime::detail {

struct ClipPlace {
    std::uint32_t file = 0;
    std::uint32_t clip = 0;
};

// Two clips of one name among the clips of file(0) .. file(file_count - 1), each a const FileView&: `earlier` stands before `later`.
// False when all names differ. Names come in any order: a sorted batch of them at a time, which all later ones are looked up in.
template <class File>
[[nodiscard]] bool find_equal_clip_names(std::uint32_t file_count, const File& file, ClipPlace& earlier,
                                         ClipPlace& later) noexcept {
    struct Cursor {
        ClipPlace place;
        ChunkIterator<ClipView> clip;
    };
    const auto settle = [&](Cursor& at) {  // on the next clip there is, if there is one
        while (at.place.file < file_count && at.place.clip >= file(at.place.file).clip_count()) {
            at.place = {at.place.file + 1, 0};
            if (at.place.file < file_count) at.clip = file(at.place.file).clips().begin();
        }
        return at.place.file < file_count;
    };
    const auto step = [](Cursor& at) {
        ++at.place.clip;
        ++at.clip;
    };

    struct Name {
        std::string_view text;
        ClipPlace place;
    };
    const auto less = [](const Name& a, const Name& b) {
        if (const int order = a.text.compare(b.text); order != 0) return order < 0;
        return a.place.file != b.place.file ? a.place.file < b.place.file : a.place.clip < b.place.clip;
    };
    constexpr std::uint32_t kBatch = 1024;
    Name batch[kBatch];

    Cursor next;
    if (file_count != 0) next.clip = file(0).clips().begin();
    while (settle(next)) {
        std::uint32_t count = 0;
        for (; count < kBatch && settle(next); step(next)) batch[count++] = {(*next.clip).name(), next.place};
        std::sort(batch, batch + count, less);
        for (std::uint32_t i = 1; i < count; ++i) {
            if (batch[i - 1].text != batch[i].text) continue;
            earlier = batch[i - 1].place;
            later = batch[i].place;
            return true;
        }
        for (Cursor at = next; settle(at); step(at)) {
            const Name wanted{(*at.clip).name(), {}};
            const Name* found = std::lower_bound(batch, batch + count, wanted, less);
            if (found == batch + count || found->text != wanted.text) continue;
            earlier = found->place;
            later = at.place;
            return true;
        }
    }
    return false;
}

}  // namespace gomkit::runtime::detail

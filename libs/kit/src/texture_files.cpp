#include "texture_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "load.hpp"

namespace gomkit::kit {

namespace fs = std::filesystem;

namespace {

core::Fault in_the_way(const PictureWrite& picture, const std::string& what) {
    return core::fail(core::Code::CannotWrite, file_place(picture.target), "texture '" + picture.texture + "' would replace " + what, {}, {},
                      picture.made ? "move that file away, choose another output folder, or give the picture another name"
                                   : "move that file away, choose another output folder, or use --textures collect");
}

/// Whether a program would take both for the same kind of file.
bool begin_alike(std::span<const std::byte> a, std::span<const std::byte> b) {
    constexpr std::size_t kMagic = 4;
    return a.size() >= kMagic && b.size() >= kMagic && std::ranges::equal(a.first(kMagic), b.first(kMagic));
}

}  // namespace

PictureFiles::~PictureFiles() {
    if (kept_) {
        return;
    }
    std::error_code ignored;
    for (const auto& [path, old] : replaced_) {
        static_cast<void>(core::write_file_atomically(path, old.bytes()));
    }
    for (const std::string& file : made_files_) {
        fs::remove(file, ignored);
        run_.set_made(file, false);
    }
    for (auto it = made_folders_.rbegin(); it != made_folders_.rend(); ++it) {
        fs::remove(*it, ignored);  // refuses what is not empty
    }
}

void PictureFiles::keep() {
    kept_ = true;
    run_.keep(claims_);
}

core::Result<core::FileBytes> PictureFiles::read(const PictureWrite& picture) const {
    if (picture.from.empty()) {
        return core::FileBytes(picture.content);
    }
    auto bytes = core::read_file(picture.from, max_bytes_);
    if (!bytes) {
        bytes.error().notes.push_back("while copying texture '" + picture.texture + "'");
    }
    return bytes;
}

core::Result<void> PictureFiles::plan(const PictureWrite& picture, bool replace, core::Report& report) {
    const bool in_place = !picture.from.empty() && core::same_file(picture.from, picture.target);
    const std::string role = in_place ? std::string() : run_.role_of(picture.target);
    if (!role.empty()) {
        return in_the_way(picture, role + " of this run");
    }
    const auto source = read(picture);
    if (!source) {
        return core::Fault(source.error());
    }
    Planned planned{&picture, core::identity_of(picture.target), runtime::sha256(source->bytes()), false};
    const Run::Hash* other = run_.claimed(planned.identity);
    if (const auto own = claims_.find(planned.identity); other == nullptr && own != claims_.end()) {
        other = &own->second;
    }
    if (other != nullptr && *other != planned.hash) {
        return in_the_way(picture, "a different picture of this run");
    }
    claims_.emplace(planned.identity, planned.hash);
    if (in_place || other != nullptr) {
        return {};
    }
    if (core::exists(picture.target)) {
        if (!core::is_regular_file(picture.target)) {
            return in_the_way(picture, "what is no regular file");
        }
        const auto old = core::read_file(picture.target, max_bytes_);
        if (old && std::ranges::equal(old->bytes(), source->bytes())) {
            return {};
        }
        if (!old || !(picture.made ? begin_alike(old->bytes(), source->bytes()) : replace)) {
            return in_the_way(picture, "a different file");
        }
        if (!picture.made) {
            report.add(core::IssueId::IO_TEXTURE_REPLACED, {}, {{"path", picture.target}});
        }
        planned.replaces = true;
    }
    planned_.push_back(std::move(planned));
    return {};
}

core::Result<void> PictureFiles::write() {
    for (const Planned& planned : planned_) {
        if (auto written = write_one(planned); !written) {
            return written;
        }
    }
    return {};
}

core::Result<void> PictureFiles::write_one(const Planned& planned) {
    const PictureWrite& picture = *planned.picture;
    const auto source = read(picture);
    if (!source) {
        return core::Fault(source.error());
    }
    if (runtime::sha256(source->bytes()) != planned.hash) {
        return core::fail(core::Code::CannotRead, file_place(picture.from), "the picture changed while it was being copied", {}, {}, "try again");
    }
    if (planned.replaces) {
        auto old = core::read_file(picture.target, max_bytes_);
        if (!old) {
            return core::Fault(std::move(old.error()));
        }
        replaced_.emplace_back(picture.target, std::move(*old));
    } else {
        run_.set_made(planned.identity, true);  // before it is there: a search of another thread must not see it
    }
    auto result = make_folders(core::folder_of(picture.target));
    if (result) {
        result = core::write_file_atomically(picture.target, source->bytes());
    }
    if (!result) {
        if (!planned.replaces) {
            run_.set_made(planned.identity, false);
        }
        result.error().notes.push_back("while copying texture '" + picture.texture + "'");
        return result;
    }
    if (!planned.replaces) {
        made_files_.push_back(planned.identity);
    }
    written_.push_back(picture.target);
    return {};
}

core::Result<void> PictureFiles::make_folders(const std::string& folder) {
    std::vector<std::string> missing;
    for (std::string at = folder; at != "." && at != "/" && !core::exists(at); at = core::folder_of(at)) {
        missing.push_back(at);
    }
    for (auto it = missing.rbegin(); it != missing.rend(); ++it) {
        std::error_code error;
        if (fs::create_directory(*it, error)) {
            made_folders_.push_back(*it);
        } else if (!core::is_folder(*it)) {  // another program may have made it meanwhile
            return core::fail(core::Code::CannotWrite, file_place(*it), "cannot make the folder", error.message(), {},
                              core::write_cure(error.value()));
        }
    }
    return {};
}

}  // namespace gomkit::kit

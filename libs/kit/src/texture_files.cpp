#include "texture_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "load.hpp"

namespace gomkit::kit {

namespace fs = std::filesystem;

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
    }
    for (auto it = made_folders_.rbegin(); it != made_folders_.rend(); ++it) {
        fs::remove(*it, ignored);  // refuses what is not empty
    }
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
        } else if (!core::is_folder(*it)) {  // another conversion may have made it meanwhile
            return core::fail(core::Code::CannotWrite, file_place(*it), "cannot make the folder", error.message(), {},
                              "check the folder's permissions");
        }
    }
    return {};
}

core::Result<void> PictureFiles::write(const PictureWrite& picture, bool replace, const std::vector<std::string>& forbidden,
                                       std::uint64_t max_bytes, core::Report& report) {
    if (!picture.from.empty() && core::same_file(picture.from, picture.target)) {
        return {};
    }
    core::FileBytes source;
    if (picture.from.empty()) {
        source = core::FileBytes(picture.content);
    } else {
        auto bytes = core::read_file(picture.from, max_bytes);
        if (!bytes) {
            bytes.error().notes.push_back("while copying texture '" + picture.texture + "'");
            return core::Fault(std::move(bytes.error()));
        }
        source = std::move(*bytes);
    }
    const bool exists = core::exists(picture.target);
    if (exists) {
        const bool taken = std::any_of(forbidden.begin(), forbidden.end(), [&](const std::string& f) { return core::same_file(f, picture.target); });
        auto old = core::read_file(picture.target, max_bytes);
        const bool equal = old && std::ranges::equal(old->bytes(), source.bytes());
        if (equal && !taken) {
            return {};
        }
        if (!replace || taken || !old) {
            return core::fail(core::Code::CannotWrite, file_place(picture.target),
                              "texture '" + picture.texture + "' would replace a different file", {}, {},
                              "move that file away, choose another output folder, or use --textures collect");
        }
        report.add(core::IssueId::IO_TEXTURE_REPLACED, {}, {{"path", picture.target}});
        replaced_.emplace_back(picture.target, std::move(*old));
    }
    auto folders = make_folders(core::folder_of(picture.target));
    if (!folders) {
        return folders;
    }
    auto result = core::write_file_atomically(picture.target, source.bytes());
    if (!result) {
        result.error().notes.push_back("while copying texture '" + picture.texture + "'");
        return result;
    }
    if (!exists) {
        made_files_.push_back(picture.target);
    }
    written_.push_back(picture.target);
    return {};
}

}  // namespace gomkit::kit

#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gomkit/core/file.hpp>
#include <gomkit/core/report.hpp>

#include "textures.hpp"

namespace gomkit::kit {

/// Writes pictures, and takes all of it back when it is destroyed before keep().
class PictureFiles {
public:
    PictureFiles() = default;
    PictureFiles(const PictureFiles&) = delete;
    PictureFiles& operator=(const PictureFiles&) = delete;
    ~PictureFiles();

    /// Writes one picture. A file with the same content is left alone; a different one is replaced (and reported) when `replace`
    /// is set, else it is an error. Folders are made. `forbidden` are files that must not be replaced. Errors:
    /// CannotOpen, CannotRead, CannotWrite, LimitExceeded.
    [[nodiscard]] core::Result<void> write(const PictureWrite& picture, bool replace, const std::vector<std::string>& forbidden,
                                           std::uint64_t max_bytes, core::Report& report);
    /// From now on what was written stays.
    void keep() { kept_ = true; }
    [[nodiscard]] const std::vector<std::string>& written() const { return written_; }

private:
    core::Result<void> make_folders(const std::string& folder);

    bool kept_ = false;
    std::vector<std::string> written_;
    std::vector<std::string> made_files_;
    std::vector<std::string> made_folders_;
    std::vector<std::pair<std::string, core::FileBytes>> replaced_;
};

}  // namespace gomkit::kit

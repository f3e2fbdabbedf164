#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gomkit/core/file.hpp>
#include <gomkit/core/report.hpp>

#include "run.hpp"
#include "textures.hpp"

namespace gomkit::kit {

/// Writes the pictures of one model, and takes all of it back when it is destroyed before keep(). One at a time in a run.
class PictureFiles {
public:
    PictureFiles(Run& run, std::uint64_t max_bytes) : run_(run), max_bytes_(max_bytes) {}
    PictureFiles(const PictureFiles&) = delete;
    PictureFiles& operator=(const PictureFiles&) = delete;
    ~PictureFiles();

    /// Decides what becomes of one picture, and writes nothing. A file with the same content is to be left alone; a different one to be
    /// replaced (and reported) when `replace` is set, else it is an error; a made one replaces any file that begins as it does. Inputs and outputs of the run, and what its finished models
    /// rely on, are never replaced. Errors: CannotOpen, CannotRead, CannotWrite, LimitExceeded.
    [[nodiscard]] core::Result<void> plan(const PictureWrite& picture, bool replace, core::Report& report);
    /// Writes what was planned. Folders are made. Errors: CannotOpen, CannotRead, CannotWrite.
    [[nodiscard]] core::Result<void> write();
    /// From now on what was written stays.
    void keep();
    [[nodiscard]] const std::vector<std::string>& written() const { return written_; }

private:
    struct Planned {
        const PictureWrite* picture = nullptr;
        std::string identity;
        Run::Hash hash{};
        bool replaces = false;
    };

    core::Result<core::FileBytes> read(const PictureWrite& picture) const;
    core::Result<void> write_one(const Planned& planned);
    core::Result<void> make_folders(const std::string& folder);

    Run& run_;
    std::uint64_t max_bytes_;
    bool kept_ = false;
    Run::Claims claims_;
    std::vector<Planned> planned_;
    std::vector<std::string> written_;
    std::vector<std::string> made_files_;    // identities
    std::vector<std::string> made_folders_;
    std::vector<std::pair<std::string, core::FileBytes>> replaced_;
};

}  // namespace gomkit::kit

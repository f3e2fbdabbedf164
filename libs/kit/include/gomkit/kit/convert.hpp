#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/progress.hpp>
#include <gomkit/kit/input.hpp>
#include <gomkit/kit/motion.hpp>

namespace gomkit::kit {

/// What happens to the pictures that materials name (docs/cli.md, Textures).
enum class TextureMode : std::uint8_t {
    Keep,     ///< paths are written as the source has them; no picture is touched
    Copy,     ///< pictures are copied below the output's folder, to the paths that are written
    Collect,  ///< pictures, embedded ones too, go into "<output base>.textures/", and paths are rewritten to point there
};

struct ConvertRequest {
    Input input;
    std::string output;                        ///< the file to write
    std::string target = "gom";                ///< id of the format to write
    codec::ReadOptions read;
    codec::WriteOptions write;
    MotionOptions motion;
    TextureMode textures = TextureMode::Keep;
    std::vector<std::string> texture_folders;  ///< further folders to look in for pictures
    bool warnings_as_errors = false;           ///< nothing is written when there is a warning
    std::vector<std::string> reserved;         ///< files that no picture may replace
    /// Set: takes the output's bytes in place of the file `output`, which is a name for messages then.
    std::function<core::Result<void>(std::span<const std::byte>)> take_output;
};

/// The files that a request opens by name: the input first (when its content is not given), then those of added clips and the skeleton.
[[nodiscard]] std::vector<std::string> files_to_read(const ConvertRequest& request);
/// The files that it makes, beside pictures: the output (unless it is taken, or split into names that only the clips tell) and the root motion.
[[nodiscard]] std::vector<std::string> files_to_write(const ConvertRequest& request);

/// How much of everything. `vertices` are points of the source or vertices of the output.
using Counts = codec::ContentCounts;

struct ConvertResponse {
    std::string source_format;                 ///< codec ids
    std::string target_format;
    bool complete = false;                     ///< false: there were warnings and warnings_as_errors; nothing was written
    bool motion = false;                       ///< the output holds clips only
    Counts found;                              ///< in the source
    Counts written;                            ///< in the output, as it reads back
    std::uint64_t bytes = 0;                   ///< size of the output, or of all outputs together
    std::vector<std::string> outputs;          ///< files written: the root motion, then the output, or one a clip
    std::vector<std::string> files_read;       ///< beside the input: its side files, files of added clips, the skeleton's
    std::vector<pass::ReducedClip> reduced;    ///< what --reduce did, one a clip
    std::vector<std::string> pictures_written; ///< copied or extracted ones, paths as opened
    std::vector<std::string> pictures_read;    ///< pictures the outputs were made of
    std::vector<std::string> pictures_known;   ///< all that were found, written or already there: not to be overwritten
};

/// Reads the input, writes it as the target format to `output`, by way of a temporary file beside it, so that `output` is either what
/// it was or complete; on failure also no picture is left behind. Findings and losses go to the report, each loss as one
/// CONV_LOST too. Errors: those of reading and writing files and of both formats; NotThisFormat when no format knows the input;
/// CannotWrite when the output is the input, or a picture would replace a file of the run; Unsupported for options that the input cannot honour; Usage for an unknown target;
/// Interrupted; OutOfMemory.
[[nodiscard]] core::Result<ConvertResponse> convert(const codec::Registry& registry, const ConvertRequest& request, core::Report& report,
                                                    const core::Progress& progress = {});

/// The same in memory: `output`, `textures` and `texture_folders` are not used, no file but the input is touched.
[[nodiscard]] core::Result<core::Bytes> convert_to_bytes(const codec::Registry& registry, const ConvertRequest& request,
                                                         core::Report& report, const core::Progress& progress = {});

/// One of several conversions.
struct ConvertOutcome {
    core::Report report;
    core::Result<ConvertResponse> result = ConvertResponse{};
};

/// Converts all, up to `jobs` at a time; files are written in the order of `requests`, so that the outcome does not depend on `jobs`.
/// A failure of one does not stop the others. A picture that one model has written is not replaced for another: that one fails with
/// CannotWrite. `done` is called once for each, in order, never twice at the same time. Two requests must not have one output: see
/// plan_outputs().
void convert_all(const codec::Registry& registry, std::span<const ConvertRequest> requests, unsigned jobs, std::size_t max_issues,
                 const core::Progress& progress, const std::function<void(std::size_t, const ConvertOutcome&)>& done);

/// The stages convert() would run, in order. Opens the input only to recognise its format. Errors: as convert() has them up to there.
[[nodiscard]] core::Result<std::vector<codec::Step>> explain(const codec::Registry& registry, const ConvertRequest& request);

}  // namespace gomkit::kit

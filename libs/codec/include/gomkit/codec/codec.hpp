#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gomkit/core/error.hpp>
#include <gomkit/core/file.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>
#include <gomkit/pass/render_mesh.hpp>

namespace gomkit::codec {

/// What is read of a scene, and what is believed of what its file says about itself. For formats that hold what an artist's program
/// has (Codec::scenes); the others have no use for it.
struct SceneOptions {
    static constexpr unsigned kAllLevels = 0xFFFFFFFFu;
    static constexpr unsigned kMaxSubdivide = 6;
    double unit_meters = 0;        ///< metres a unit, whatever the file says, 1e-6 to 1e6; 0: what the file says
    /// The file's axis that points up or to the front, whatever the file says: "+X", "-X", "+Y" ... "-Z"; "": what the file says.
    std::string up;
    std::string front;
    bool skip_hidden = false;      ///< leave out meshes that are not visible, themselves or through a node above them
    std::optional<unsigned> level_of_detail;  ///< which level of a group: 0 the finest (also where none is set), kAllLevels each of them
    unsigned subdivide = 0;        ///< how often subdivision surfaces are subdivided, up to kMaxSubdivide; 0: their cage
};

/// How a file is read.
struct ReadOptions {
    core::Limits limits;
    bool smoothing = false;  ///< also read hard edges of meshes that have normals (for NormalMode::Generate)
    bool strict = false;     ///< also refuse what earlier generations of a format wrote (gom.md, lenient reading)
    /// Frames a second at which curves are sampled that are not linear between their keys, 1 to 1000 (GOM-KEY-1); 0: the source's
    /// own rate. Formats whose keys are samples already have no use for it.
    double fps = 0;
    SceneOptions scene;
};

/// How a model is written.
struct WriteOptions {
    pass::NormalMode normals = pass::NormalMode::Keep;
    pass::TangentMode tangents = pass::TangentMode::Auto;
    bool bake_static = false;        ///< put unmoving parts into model space instead of keeping their placement
    core::Limits limits;             ///< the target's own
    unsigned jobs = 1;               ///< threads for mesh parts; the bytes do not depend on it
};

/// What `check` looks at.
struct CheckOptions {
    core::Limits limits;
    bool canonical = false;  ///< also report what is valid but not what our writer emits
};

/// How much a file holds.
struct ContentCounts {
    std::uint64_t meshes = 0;
    std::uint64_t vertices = 0;
    std::uint64_t triangles = 0;
    std::uint64_t bones = 0;
    std::uint64_t clips = 0;
    std::uint64_t materials = 0;
    std::uint64_t textures = 0;
};

/// One format. Functions that a format does not have are null; nothing else may be assumed from its name.
struct Codec {
    const char* id = "";             ///< "gom"; what --to takes
    const char* name = "";           ///< for people
    std::vector<const char*> extensions;   ///< lower case, without the dot; the first is the one written
    std::vector<const char*> kept;         ///< kinds of content that survive, for `formats`
    std::vector<const char*> lost;         ///< kinds of content that do not

    /// A motion format: it holds clips and nothing else by its nature, so that the rest of a model is not lost when one is written.
    bool clips_only = false;
    /// Curves are sampled when it is read, at ReadOptions::fps where that is set.
    bool resamples = false;
    /// ReadOptions::scene means something when it is read.
    bool scenes = false;

    /// True when the bytes begin like this format. Must be cheap and never fail.
    bool (*probe)(std::span<const std::byte> bytes, std::string_view file_name) = nullptr;
    /// Bytes to model. `file` is for messages only. Everything doubtful goes to the report. The bytes are 16-byte aligned.
    core::Result<model::Model> (*read)(std::span<const std::byte> bytes, const std::string& file, const ReadOptions&,
                                       core::Report&) = nullptr;
    /// Model to bytes; the bytes are proven valid (by the format's own independent reader) before they are returned.
    core::Result<core::Bytes> (*write)(model::Model&& model, const WriteOptions&, core::Report&) = nullptr;
    /// What a valid file holds, without building a model. Errors: as read() has them.
    core::Result<ContentCounts> (*count)(std::span<const std::byte> bytes, const std::string& file, const core::Limits&) = nullptr;
    /// All rules of the format, every finding into the report; never stops at the first.
    void (*check)(std::span<const std::byte> bytes, const std::string& file, const CheckOptions&, core::Report&) = nullptr;
    /// Annotated bytes as text lines "offset  bytes  field  value  rule"; `part` selects a chunk path ("" all).
    core::Result<std::string> (*dump)(std::span<const std::byte> bytes, const std::string& file, std::string_view part,
                                      const ReadOptions&) = nullptr;
    /// Why there is no dump, for people, and what to do instead; "" where there is nothing to say.
    const char* no_dump = "";
    const char* no_dump_cure = "";
};

/// All formats the program knows, in the order they are probed.
class Registry {
public:
    void add(Codec codec) { codecs_.push_back(std::move(codec)); }
    [[nodiscard]] const std::vector<Codec>& codecs() const { return codecs_; }
    /// By content first, then by extension; nullptr when nothing fits.
    [[nodiscard]] const Codec* for_bytes(std::span<const std::byte> bytes, std::string_view file_name) const;
    [[nodiscard]] const Codec* by_id(std::string_view id) const;
    /// The codec that writes this extension (lower case), or nullptr.
    [[nodiscard]] const Codec* for_extension(std::string_view extension) const;

private:
    std::vector<Codec> codecs_;
};

}  // namespace gomkit::codec

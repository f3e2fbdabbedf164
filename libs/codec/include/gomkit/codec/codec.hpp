#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gomkit/codec/format_option.hpp>
#include <gomkit/core/error.hpp>
#include <gomkit/core/file.hpp>
#include <gomkit/core/limits.hpp>
#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>
#include <gomkit/pass/render_mesh.hpp>

namespace gomkit::codec {

/// How the bytes of names are to be read, in formats that do not say.
enum class TextEncoding : std::uint8_t {
    Auto,    ///< UTF-8 where all names are, else code page 932 where they are that, else UTF-8 with U+FFFD for the rest
    Utf8,
    Cp932,   ///< Shift-JIS as Windows has it
    Cp1252,  ///< Western European Windows
};

/// Opens a file that a source names beside itself, by the name the source gives it: below the source's folder or one of those the
/// user named, never at an absolute path. nullopt when there is none. May be empty: then there are no such files.
using SideFile = std::function<std::optional<core::FileBytes>(const std::string& name)>;

/// Where a change of unit and axes goes.
enum class SpaceConversion : std::uint8_t {
    Geometry,    ///< into points and translations; scales stay as they are
    Transforms,  ///< into the transforms of the nodes at the top; points and all other transforms keep the file's numbers
};

/// What is read of a scene, and what is believed of what its file says about itself. For formats that hold what an artist's program
/// has (Codec::scenes); the others have no use for it.
struct SceneOptions {
    static constexpr unsigned kAllLevels = 0xFFFFFFFFu;
    static constexpr unsigned kMaxSubdivide = 6;
    static constexpr double kMaxTime = 1e6;
    double unit_meters = 0;        ///< metres a unit, whatever the file says, 1e-6 to 1e6; 0: what the file says
    /// The file's axis that points up or to the front, whatever the file says: "+X", "-X", "+Y" ... "-Z"; "": what the file says.
    std::string up;
    std::string front;
    SpaceConversion space = SpaceConversion::Geometry;
    bool skip_hidden = false;      ///< leave out meshes that are not visible, themselves or through a node above them
    std::optional<unsigned> level_of_detail;  ///< which level of a group: 0 the finest (also where none is set), kAllLevels each of them
    /// A still of the scene in place of its clips, at this time in seconds as the source counts it, up to kMaxTime from 0.
    std::optional<double> time;
    std::string time_clip;         ///< the animation that `time` is of, by name (pass::matches_clip); "": the first
    std::string profile = "auto";  ///< whose habits the file has, by the name that the format gives them; "auto": by what it says of itself
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
    TextEncoding encoding = TextEncoding::Auto;  ///< only for formats with Codec::takes_encoding
    SideFile side_file;
    SceneOptions scene;
    /// Called once, or never, when the reader needs the file's bytes no more: they may be freed then, while the model is made. May be empty.
    std::function<void()> input_done;
};

/// A decoded picture: rows from the top, pixels from the left, red, green, blue, alpha of 8 bits each; alpha is straight.
struct Picture {
    std::uint32_t width = 0, height = 0;    ///< at least 1
    std::vector<std::uint8_t> rgba;         ///< width * height * 4
};
/// Decodes the picture of a texture. Errors: CannotOpen where there is none; those of reading pictures.
using OpenPicture = std::function<core::Result<Picture>(const model::Texture& texture)>;
/// Takes a file that goes with the output, "hero.tim", to be written into its folder, together with it or not at all. `texture` is what it was made of.
using WriteBeside = std::function<void(const std::string& name, core::Bytes bytes, const model::Texture& texture)>;

/// How a model is written.
struct WriteOptions {
    pass::NormalMode normals = pass::NormalMode::Keep;
    pass::TangentMode tangents = pass::TangentMode::Auto;
    bool bake_static = false;        ///< put unmoving parts into model space instead of keeping their placement
    core::Limits limits;             ///< the target's own
    bool without_meshes = false;     ///< the model has none because that is what was asked for: no finding
    unsigned jobs = 1;               ///< threads for mesh parts; the bytes do not depend on it
    FormatValues format;             ///< by the names of the target's Codec::format_options
    /// For formats that write pictures of their own. Both are set, or neither: then the output has no place beside it.
    OpenPicture open_picture;
    WriteBeside write_beside;
    std::string output_name;         ///< likewise, to call pictures after: of the output's file, without folder and ending
};

/// A stage of a conversion, for people.
struct Step {
    std::string name;
    std::string what;
};
/// The stages that formats with triangles have in common.
[[nodiscard]] Step triangulate_step();
[[nodiscard]] Step normals_step(pass::NormalMode mode);

/// The options of `convert` that are set to something else than their default, by the names of the command line ("--bake-static").
[[nodiscard]] std::vector<std::string_view> set_options(const WriteOptions& options);

/// What formats keep for themselves in a Model, and the lights, cameras and user properties, for writers that write none of it: each kind
/// is a loss.
void report_held(const model::Model& model, core::Report& report);
/// Cameras and user properties, for writers that only have no place for these.
void report_cameras_and_properties(const model::Model& model, core::Report& report);

/// What is lost by writers of formats whose meshes have points, normals, one UV set and a diffuse map, and nothing else.
void report_bare_meshes(const model::Model& model, core::Report& report);

/// What `check` looks at.
struct CheckOptions {
    core::Limits limits;
    bool canonical = false;  ///< also report what is valid but not what our writer emits
    TextEncoding encoding = TextEncoding::Auto;
    SideFile side_file;
    /// Whether a picture that the file names would be found; empty: nobody looks.
    std::function<bool(const model::Texture&)> has_picture;
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

/// A property of an element, as the file has it.
struct ElementProperty {
    std::string name;
    std::string type;                ///< "translation", "string", in the format's words
    std::vector<const char*> flags;  ///< "animatable", "user", "animated" ...
    std::vector<double> numbers;     ///< one to four; empty when `text` is the value
    std::optional<std::int64_t> whole;  ///< instead of `numbers`: a whole number or a truth value
    std::string text;                ///< UTF-8
    std::uint64_t bytes = 0;         ///< of a value that is neither: its size
};

/// That an element belongs to another, or to a property of it.
struct ElementConnection {
    std::uint32_t to = 0;            ///< id of the other
    std::string to_kind;
    std::string to_name;
    std::string property;            ///< of this one that is connected; ""
    std::string to_property;         ///< of the other; ""
};

/// A thing that a source file is made of, in the format's own terms.
struct Element {
    std::optional<std::uint32_t> id;  ///< empty: settings of the whole file
    std::string kind;                 ///< "node", "skin cluster"
    std::string name;                 ///< UTF-8
    std::string detail;               ///< "8 vertices, 6 faces"; ""
    std::vector<ElementConnection> connections;  ///< to what it belongs to; each is told once
    std::vector<ElementProperty> properties;     ///< empty when they were not asked for
};

/// Something that a format keeps for itself in a Model, in the file's own terms.
struct Fact {
    std::string place;               ///< "rigidBody[Hip].RigidBodyWeight"
    std::vector<double> numbers;
    std::string text;                ///< "" for numbers
};

/// One format. Functions that a format does not have are null; nothing else may be assumed from its name.
struct Codec {
    const char* id = "";             ///< "gom"; what --to takes
    const char* name = "";           ///< for people
    std::vector<const char*> extensions;   ///< lower case, without the dot; the first is the one written
    std::vector<const char*> kept;         ///< kinds of content that survive, for `formats`
    std::vector<const char*> lost;         ///< kinds of content that do not
    std::vector<std::string_view> options; ///< what the writer honours of the options that several formats have, by set_options()' names
    std::vector<FormatOption> format_options;  ///< those of its own
    /// Whether the option means something when this format is written.
    [[nodiscard]] bool honours(std::string_view option) const;

    /// A motion format: it holds clips and nothing else by its nature, so that the rest of a model is not lost when one is written.
    bool clips_only = false;
    /// Curves are sampled when it is read, at ReadOptions::fps where that is set.
    bool resamples = false;
    /// The format does not say how its names are encoded: ReadOptions::encoding is looked at.
    bool takes_encoding = false;
    /// ReadOptions::scene means something when it is read.
    bool scenes = false;
    /// What SceneOptions::profile may say besides "auto".
    std::vector<std::string> profiles;

    /// True when the bytes begin like this format. Must be cheap and never fail.
    bool (*probe)(std::span<const std::byte> bytes, std::string_view file_name) = nullptr;
    /// Bytes to model. `file` is for messages only. Everything doubtful goes to the report. The bytes are 16-byte aligned.
    core::Result<model::Model> (*read)(std::span<const std::byte> bytes, const std::string& file, const ReadOptions&,
                                       core::Report&) = nullptr;
    /// Model to bytes; the bytes are proven valid (by the format's own independent reader) before they are returned.
    core::Result<core::Bytes> (*write)(model::Model&& model, const WriteOptions&, core::Report&) = nullptr;
    /// What read() makes of this file that depends on what it says of itself, as `convert --explain` tells it. Errors: as read() has them.
    core::Result<std::vector<Step>> (*read_steps)(std::span<const std::byte> bytes, const std::string& file, const ReadOptions&) = nullptr;
    /// What write() does, in order, as `convert --explain` tells it; `same_format`: of a file of this format.
    std::vector<Step> (*steps)(const WriteOptions&, bool same_format) = nullptr;
    /// What a valid file holds, without building a model. Errors: as read() has them.
    core::Result<ContentCounts> (*count)(std::span<const std::byte> bytes, const std::string& file, const core::Limits&) = nullptr;
    /// All rules of the format, every finding into the report; never stops at the first.
    void (*check)(std::span<const std::byte> bytes, const std::string& file, const CheckOptions&, core::Report&) = nullptr;
    /// Annotated bytes as text lines "offset  bytes  field  value  rule"; `part` selects a chunk path ("" all).
    core::Result<std::string> (*dump)(std::span<const std::byte> bytes, const std::string& file, std::string_view part,
                                      const ReadOptions&) = nullptr;
    /// What the file is made of, in its own terms and order: calls `visit` for one element after the other.
    core::Result<void> (*elements)(std::span<const std::byte> bytes, const std::string& file, const ReadOptions&, bool with_properties,
                                   const std::function<void(const Element&)>& visit) = nullptr;
    /// What a model that this format has read, with these limits, keeps of the file beyond what a Model has, for `diff`.
    std::vector<Fact> (*facts)(const model::Model&, const core::Limits&) = nullptr;
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

#include "lint.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gomkit/core/path.hpp>
#include <gomkit/core/text.hpp>
#include <gomkit/model/skeleton.hpp>

namespace gomkit::fbx {
namespace {

using core::IssueId;

void lint_warnings(Lint& lint) {
    std::set<std::string> said;
    for (const ufbx_warning& warning : lint.scene.metadata.warnings) {
        if (warning.type == UFBX_WARNING_BAD_UNICODE) {
            continue;  // the names themselves say more
        }
        std::string text = lint.names.text(warning.description);
        if (!said.insert(text).second) {
            continue;
        }
        const core::Arg arguments[] = {{"text", std::move(text)}};
        const bool known = warning.element_id < lint.scene.elements.count;
        lint.report.add_counted(IssueId::FBX_READER_WARNING, known ? lint.at(*lint.scene.elements.data[warning.element_id]) : core::Place{},
                                arguments, std::max<std::size_t>(warning.count, 1));
    }
}

// Values of properties of every element; those that a template gives are somebody else's.
void lint_properties(Lint& lint) {
    for (const ufbx_element* element : lint.scene.elements) {
        std::uint64_t bad = 0;
        for (const ufbx_prop& prop : element->props.props) {
            const bool is_text = prop.type == UFBX_PROP_STRING || prop.type == UFBX_PROP_BLOB || prop.type == UFBX_PROP_REFERENCE;
            for (const double value : prop.value_real_arr) {
                bad += !is_text && !std::isfinite(value) ? 1u : 0u;
            }
        }
        if (bad != 0) {
            lint.report.add(IssueId::FBX_NAN, lint.at(*element), {{"count", std::to_string(bad)}, {"what", "properties"}});
        }
    }
}

// Where the element is that a finding of the import names.
class Finder {
public:
    explicit Finder(const Lint& lint) : lint_(lint) {
        const auto add = [&](const char* argument, const auto& list) {
            for (const auto* element : list) {
                places_.try_emplace({argument, lint.names.text(name_of(element->element))}, &element->element);
            }
        };
        add("bone", lint.scene.nodes);
        add("mesh", lint.scene.meshes);
        add("mesh", lint.scene.nodes);  // placed meshes go by their node's name
        add("material", lint.scene.materials);
        add("clip", lint.scene.anim_stacks);
        add("channel", lint.scene.blend_channels);
    }

    [[nodiscard]] core::Place find(const core::Issue& issue) const {
        for (const auto& [argument, value] : issue.arguments) {
            const auto it = places_.find({argument, value});
            if (it != places_.end()) {
                return lint_.at(*it->second);
            }
        }
        return issue.place;
    }

private:
    const Lint& lint_;
    std::map<std::pair<std::string, std::string>, const ufbx_element*> places_;
};

void add_error(const core::Error& error, core::Report& report) {
    core::Place place = error.place;
    if (error.code == core::Code::LimitExceeded) {
        report.add(IssueId::FBX_LIMIT, std::move(place), {{"what", error.what}, {"found", error.found}, {"expected", error.expected}});
        return;
    }
    place.part.clear();
    std::string found = error.what + (error.found.empty() ? "" : ": " + error.found);
    if (!error.place.part.empty()) {
        found += " (" + error.place.part + ")";
    }
    report.add(IssueId::FBX_UNREADABLE, std::move(place), {{"found", core::clean_text(found)}});
}

}  // namespace

std::string Lint::name(const ufbx_string& s) const {
    constexpr std::size_t kLongest = 64;
    std::string out = names.text(s);
    if (out.size() > kLongest) {
        std::size_t cut = kLongest - 3;
        while (cut > 0 && (static_cast<unsigned char>(out[cut]) & 0xC0u) == 0x80u) {
            --cut;
        }
        out = out.substr(0, cut) + "...";
    }
    return out;
}

core::Place Lint::at(const ufbx_element& element) const {
    core::Place place;
    place.part = std::string(kind_name(element.type)) + " '" + name(element.name) + "' [" + std::to_string(element.element_id) + "]";
    return place;
}

const char* kind_name(ufbx_element_type type) {
    switch (type) {
        case UFBX_ELEMENT_NODE: return "node";
        case UFBX_ELEMENT_MESH: return "mesh";
        case UFBX_ELEMENT_LIGHT: return "light";
        case UFBX_ELEMENT_CAMERA: return "camera";
        case UFBX_ELEMENT_BONE: return "bone";
        case UFBX_ELEMENT_EMPTY: return "empty";
        case UFBX_ELEMENT_LINE_CURVE: return "line curve";
        case UFBX_ELEMENT_NURBS_CURVE: return "NURBS curve";
        case UFBX_ELEMENT_NURBS_SURFACE: return "NURBS surface";
        case UFBX_ELEMENT_NURBS_TRIM_SURFACE: return "NURBS trim surface";
        case UFBX_ELEMENT_NURBS_TRIM_BOUNDARY: return "NURBS trim boundary";
        case UFBX_ELEMENT_PROCEDURAL_GEOMETRY: return "procedural geometry";
        case UFBX_ELEMENT_STEREO_CAMERA: return "stereo camera";
        case UFBX_ELEMENT_CAMERA_SWITCHER: return "camera switcher";
        case UFBX_ELEMENT_MARKER: return "marker";
        case UFBX_ELEMENT_LOD_GROUP: return "LOD group";
        case UFBX_ELEMENT_SKIN_DEFORMER: return "skin";
        case UFBX_ELEMENT_SKIN_CLUSTER: return "skin cluster";
        case UFBX_ELEMENT_BLEND_DEFORMER: return "blend shapes";
        case UFBX_ELEMENT_BLEND_CHANNEL: return "blend channel";
        case UFBX_ELEMENT_BLEND_SHAPE: return "blend shape";
        case UFBX_ELEMENT_CACHE_DEFORMER: return "cache deformer";
        case UFBX_ELEMENT_CACHE_FILE: return "cache file";
        case UFBX_ELEMENT_MATERIAL: return "material";
        case UFBX_ELEMENT_TEXTURE: return "texture";
        case UFBX_ELEMENT_VIDEO: return "video";
        case UFBX_ELEMENT_SHADER: return "shader";
        case UFBX_ELEMENT_SHADER_BINDING: return "shader binding";
        case UFBX_ELEMENT_ANIM_STACK: return "animation stack";
        case UFBX_ELEMENT_ANIM_LAYER: return "animation layer";
        case UFBX_ELEMENT_ANIM_VALUE: return "animated value";
        case UFBX_ELEMENT_ANIM_CURVE: return "animation curve";
        case UFBX_ELEMENT_DISPLAY_LAYER: return "display layer";
        case UFBX_ELEMENT_SELECTION_SET: return "selection set";
        case UFBX_ELEMENT_SELECTION_NODE: return "selection node";
        case UFBX_ELEMENT_CHARACTER: return "character";
        case UFBX_ELEMENT_CONSTRAINT: return "constraint";
        case UFBX_ELEMENT_AUDIO_LAYER: return "audio layer";
        case UFBX_ELEMENT_AUDIO_CLIP: return "audio clip";
        case UFBX_ELEMENT_POSE: return "pose";
        case UFBX_ELEMENT_METADATA_OBJECT: return "metadata";
        default: return "unknown";
    }
}

void lint_nodes(Lint& lint) {
    const auto report_twins = [&](auto elements, const char* kind) {
        // By name, first come first; the one to name is the second.
        std::stable_sort(elements.begin(), elements.end(),
                         [&](const ufbx_element* a, const ufbx_element* b) { return view(a->name) < view(b->name); });
        for (std::size_t i = 0; i < elements.size();) {
            std::size_t end = i + 1;
            while (end < elements.size() && view(elements[end]->name) == view(elements[i]->name)) {
                ++end;
            }
            if (end - i > 1 && elements[i]->name.length != 0) {
                lint.report.add(IssueId::FBX_DUPLICATE_NAME, lint.at(*elements[i + 1]),
                                {{"count", std::to_string(end - i)}, {"kind", kind}, {"found", lint.name(elements[i]->name)}});
            }
            i = end;
        }
    };
    for (const ufbx_node* node : lint.scene.nodes) {
        std::vector<const ufbx_element*> children;
        for (const ufbx_node* child : node->children) {
            children.push_back(&child->element);
        }
        report_twins(children, "nodes");
        if (node->is_root) {
            continue;
        }
        if (node->name.length == 0) {
            lint.report.add(IssueId::FBX_EMPTY_NAME, lint.at(node->element));
        }
        const ufbx_vec3 scale = node->local_transform.scale;
        const auto near = [](double a, double b) { return std::fabs(a - b) <= 1e-3 * std::fabs(b); };
        const bool holds_something = node->children.count != 0 || node->all_attribs.count != 0;
        for (const double unit : {100.0, 0.01}) {
            if (holds_something && near(scale.x, unit) && near(scale.y, unit) && near(scale.z, unit)) {
                lint.report.add(IssueId::FBX_UNAPPLIED_SCALE, lint.at(node->element), {{"found", core::number_text(unit)}});
            }
        }
    }
    std::vector<const ufbx_element*> stacks;
    for (const ufbx_anim_stack* stack : lint.scene.anim_stacks) {
        stacks.push_back(&stack->element);
    }
    report_twins(stacks, "animations");
}

void lint_textures(Lint& lint) {
    std::vector<bool> seen(lint.scene.texture_files.count);
    for (const ufbx_texture* texture : lint.scene.textures) {
        if (!texture->has_file || texture->file_index >= seen.size() || seen[texture->file_index]) {
            continue;
        }
        seen[texture->file_index] = true;
        const ufbx_texture_file& file = lint.scene.texture_files.data[texture->file_index];
        model::Texture named;
        named.source_relative = lint.names.text(file.relative_filename);
        named.source_absolute = lint.names.text(file.absolute_filename);
        named.path = texture_path(named.source_relative, named.source_absolute);
        if (named.path.empty()) {
            continue;
        }
        const std::string& shown = named.source_relative.empty() ? named.source_absolute : named.source_relative;
        if (core::is_absolute_path(shown)) {
            lint.report.add(IssueId::FBX_ABSOLUTE_PATH, lint.at(texture->element), {{"found", shown}});
        }
        if (file.content.size == 0 && lint.options.has_picture && !lint.options.has_picture(named)) {
            lint.report.add(IssueId::FBX_TEXTURE_MISSING, lint.at(texture->element), {{"found", named.path}});
        }
    }
}

void check(std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& report) {
    core::Result<Scene> scene = load_raw_scene(bytes, file, options.limits);
    if (!scene) {
        add_error(scene.error(), report);
        return;
    }
    Lint lint{**scene, options, report, Names(**scene, options.encoding)};
    lint_warnings(lint);
    lint_properties(lint);
    lint_nodes(lint);
    lint_meshes(lint);
    lint_skins(lint);
    lint_morphs(lint);
    lint_animations(lint);
    lint_textures(lint);
    lint_prefix(lint);
    // What a conversion would say; it knows elements by name only.
    codec::ReadOptions how;
    how.limits = options.limits;
    how.encoding = options.encoding;
    how.side_file = options.side_file;
    core::Report found(file);
    core::Result<model::Model> model = read(bytes, file, how, found);
    if (model) {
        const auto skeleton = model::build_skeleton(*model, options.limits);
        if (!skeleton) {
            add_error(skeleton.error(), report);
        }
    } else {
        add_error(model.error(), report);
    }
    const Finder finder(lint);
    for (const core::Issue& issue : found.issues()) {
        if (issue.id == IssueId::FBX_READER_WARNING || issue.id == IssueId::CLIP_NON_FINITE) {
            continue;  // said above, with its element
        }
        std::vector<core::Arg> arguments;
        for (const auto& [name, value] : issue.arguments) {
            arguments.push_back({name.c_str(), value});
        }
        report.add_counted(issue.id, finder.find(issue), arguments, issue.count);
    }
}

}  // namespace gomkit::fbx

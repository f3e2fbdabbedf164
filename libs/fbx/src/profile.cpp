#include "profile.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "scene.hpp"

namespace gomkit::fbx {
namespace {

constexpr std::array<std::string_view, 3> kMayaOwn{"currentUVSet", "filmboxTypeID", "lockInfluenceWeights"};
constexpr std::array<std::string_view, 1> kMaxOwn{"MaxHandle"};

constexpr std::array<Profile, 5> kProfiles{{
    {.id = "blender",
     .program = "Blender",
     .effects = "Phong values are the roughness, metalness or hardness that they were made from; the exporter's view cameras are left out",
     .blender_materials = true,
     .view_cameras = true},
    {.id = "maya",
     .program = "Maya",
     .effects = "user properties that Maya writes for itself are left out; check looks for namespaces",
     .name_prefixes = true,
     .own_properties = kMayaOwn},
    {.id = "3dsmax",
     .program = "3ds Max",
     .effects = "each line of the user-defined text is a user property; MaxHandle is left out",
     .property_lines = true,
     .own_properties = kMaxOwn},
    {.id = "motionbuilder",
     .program = "MotionBuilder",
     .effects = "the Producer cameras of its views and the user properties that it writes for itself are left out; check looks for namespaces",
     .view_cameras = true,
     .name_prefixes = true,
     .own_properties = kMayaOwn},
    {.id = "mixamo",
     .effects = "user properties that Maya writes for itself are left out; check looks for the prefix of the bones' names",
     .name_prefixes = true,
     .own_properties = kMayaOwn},
}};

const Profile& profile_named(std::string_view id) { return *std::find_if(kProfiles.begin(), kProfiles.end(), [&](const Profile& p) { return id == p.id; }); }

bool is_mixamo(const ufbx_scene& scene) {
    return std::any_of(scene.nodes.begin(), scene.nodes.end(), [](const ufbx_node* node) { return view(node->name).starts_with("mixamorig"); });
}

const ufbx_application& application_of(const ufbx_scene& scene) {
    const ufbx_application& original = scene.metadata.original_application;
    return original.name.length != 0 ? original : scene.metadata.latest_application;
}

// "2.79 (sub 0)" as 279, "4.2.0" as 402; 0 where there is no such number.
int version_in(std::string_view text) {
    const std::size_t at = text.find_first_of("0123456789");
    int major = 0;
    int minor = 0;
    if (at == std::string_view::npos) {
        return 0;
    }
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data() + at, end, major);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != '.' || std::from_chars(first.ptr + 1, end, minor).ec != std::errc()) {
        return 0;
    }
    return std::min(major, 1000) * 100 + std::min(minor, 99);
}

struct Known {
    const char* name = nullptr;      // of a program; nullptr: none is known
    bool by_application = false;     // by the application's name, else the creator's
};

Known known_program(const ufbx_scene& scene) {
    constexpr const char* kKnown[] = {"Blender", "3ds Max", "Maya",    "MotionBuilder", "Cinema 4D", "Houdini",   "Unreal",
                                      "Unity",   "ZBrush",  "Revit",   "Softimage",     "Modo",      "Daz",       "SketchUp"};
    for (const bool by_application : {true, false}) {
        const std::string_view said = view(by_application ? application_of(scene).name : scene.metadata.creator);
        for (const char* name : kKnown) {
            if (said.find(name) != std::string_view::npos) {
                return {name, by_application};
            }
        }
    }
    return {};
}

}  // namespace

const Profile kNoProfile{};

std::string program_of(const ufbx_scene& scene, const Names& names) {
    if (is_mixamo(scene)) {
        return "Mixamo";
    }
    const ufbx_application& application = application_of(scene);
    const std::string version = names.text(application.version);
    if (const Known known = known_program(scene); known.name != nullptr) {
        return !known.by_application || version.empty() ? known.name : std::string(known.name) + " " + version;
    }
    return names.text(application.name) + (version.empty() ? "" : " " + version);
}

const Profile& recognised_profile(const ufbx_scene& scene) {
    if (is_mixamo(scene)) {
        return profile_named("mixamo");
    }
    const Known known = known_program(scene);
    for (const Profile& profile : kProfiles) {
        if (known.name != nullptr && profile.program == known.name) {
            return profile;
        }
    }
    return kNoProfile;
}

std::vector<std::string> profile_ids() {
    std::vector<std::string> out{kNoProfile.id};
    for (const Profile& profile : kProfiles) {
        out.emplace_back(profile.id);
    }
    return out;
}

core::Result<const Profile*> profile_for(const ufbx_scene& scene, const std::string& asked) {
    if (asked == "auto") {
        return &recognised_profile(scene);
    }
    if (asked == kNoProfile.id) {
        return &kNoProfile;
    }
    for (const Profile& profile : kProfiles) {
        if (asked == profile.id) {
            return &profile;
        }
    }
    std::string ids = "auto";
    for (const std::string& id : profile_ids()) {
        ids += ", " + id;
    }
    return core::fail(core::Code::Usage, {}, "--profile: '" + asked + "' is no profile", {}, "one of " + ids);
}

Phong phong_of(const Profile& profile, const ufbx_scene& scene) {
    constexpr std::uint32_t kFirstBinary = 7000;   // the ASCII exporter of 6100 had its own ways, and no constant ones
    if (!profile.blender_materials || scene.metadata.version < kFirstBinary) {
        return Phong::AsWritten;
    }
    int version = version_in(view(application_of(scene).version));
    version = version != 0 ? version : version_in(view(scene.metadata.creator));
    return version != 0 && version < 280 ? Phong::Hardness : Phong::Principled;
}

core::Result<std::vector<codec::Step>> read_steps(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions& options) {
    const core::Result<Scene> scene = load_raw_scene(bytes, file, options.limits);
    if (!scene) {
        return core::Fault(scene.error());
    }
    const core::Result<const Profile*> profile = profile_for(**scene, options.scene.profile);
    if (!profile) {
        return core::Fault(profile.error());
    }
    const std::string program = program_of(**scene, Names(**scene, options.encoding));
    const std::string why = options.scene.profile != "auto" ? "as asked for" : program.empty() ? "the file does not say what wrote it" : "the file is by " + program;
    return std::vector<codec::Step>{{"profile", std::string((*profile)->id) + " (" + why + "): " + (*profile)->effects}};
}

}  // namespace gomkit::fbx

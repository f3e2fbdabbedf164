#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "names.hpp"

/// What programs do each in their own way when they write FBX, and what is read otherwise for it (docs/formats/fbx.md, "Profiles").
namespace gomkit::fbx {

/// How values of Phong materials are meant.
enum class Phong : std::uint8_t {
    AsWritten,
    Principled,  ///< Blender 2.80 and later: a roughness and a metalness in Phong's terms
    Hardness,    ///< Blender 2.7x: half the specular intensity, and the hardness on a scale of 0 to 100
};

struct Profile {
    const char* id = "none";
    std::string_view program{};            ///< as files name it; "" where they do not
    const char* effects = "nothing is read differently";
    bool blender_materials = false;
    bool view_cameras = false;             ///< "Producer Front" and the like are the program's own views
    bool name_prefixes = false;            ///< names of bones may have a namespace in front
    bool property_lines = false;           ///< user properties are lines of one text, UDP3DSMAX
    std::span<const std::string_view> own_properties{};  ///< user properties that the program writes for itself
};

/// Reads nothing differently.
extern const Profile kNoProfile;

/// That of the program that the file comes from, kNoProfile where it has none.
[[nodiscard]] const Profile& recognised_profile(const ufbx_scene& scene);

/// "none" and the others.
[[nodiscard]] std::vector<std::string> profile_ids();

/// Which one a file is read with: the one that is asked for by its id, "none", or "auto", the recognised one.
/// Errors: Usage, where there is none of that id.
[[nodiscard]] core::Result<const Profile*> profile_for(const ufbx_scene& scene, const std::string& asked);

/// The program that the file comes from, with its version, "Blender 4.2.0": what the file says of itself, and Mixamo by its bones' names, which
/// pass through other programs; "" where nothing is said.
[[nodiscard]] std::string program_of(const ufbx_scene& scene, const Names& names);

/// How a profile has the Phong materials of this file.
[[nodiscard]] Phong phong_of(const Profile& profile, const ufbx_scene& scene);

/// Codec::read_steps: the profile and its effects.
[[nodiscard]] core::Result<std::vector<codec::Step>> read_steps(std::span<const std::byte> bytes, const std::string& file,
                                                                const codec::ReadOptions& options);

}  // namespace gomkit::fbx

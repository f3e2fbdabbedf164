#include <gomkit/kit/registry.hpp>

#include <gomkit/core/version.hpp>
#include <gomkit/gom/gom.hpp>
#include <gomkit/km3/km3.hpp>
#include <gomkit/mv1/mv1.hpp>
#include <gomkit/ps1/ps1.hpp>
#ifdef GOMKIT_WITH_FBX
#include <gomkit/fbx/fbx.hpp>
#endif

namespace gomkit::kit {

codec::Registry make_registry() {
    codec::Registry registry;
    registry.add(gom::make_codec());
    registry.add(gom::make_motion_codec());
    registry.add(gom::make_text_codec());
    registry.add(mv1::make_codec());
    registry.add(ps1::make_codec());
#ifdef GOMKIT_WITH_FBX
    registry.add(fbx::make_codec());
    registry.add(fbx::make_obj_codec());
#endif
    registry.add(km3::make_codec());  // after those that know their files by a magic number
    return registry;
}

Versions versions() {
    Versions v;
    v.gomkit = core::kVersion;
    v.output_revision = core::kOutputRevision;
#if defined(__clang__)
    v.compiler = "clang++ " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
                 std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
    v.compiler = "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." + std::to_string(__GNUC_PATCHLEVEL__);
#elif defined(_MSC_VER)
    v.compiler = "MSVC " + std::to_string(_MSC_VER);
#endif
#ifdef GOMKIT_WITH_FBX
    v.with_fbx = true;
    v.ufbx = fbx::ufbx_version();
#endif
    v.mikktspace = GOMKIT_MIKKTSPACE_VERSION;
    return v;
}

}  // namespace gomkit::kit

// Plays one clip of a .gom (or of .mta files beside it), fades to another, and prints the first bone ten times a second.
//
//     crossfade hero.gom idle walk
//     crossfade hero.gom idle run hero_run.mta

#include <gomkit/runtime/runtime.hpp>

#include <cstdio>
#include <list>
#include <vector>

#include "file_bytes.hpp"

namespace grt = gomkit::runtime;

namespace {

// Verifies a model or a motion; says what is wrong.
template <class View>
bool load(const char* path, AlignedBytes& file, View& view) {
    grt::ErrorInfo error;
    if (!read_file(path, file)) {
        std::fprintf(stderr, "%s: cannot be read\n", path);
        return false;
    }
    const grt::Status status = grt::verify(file.span(), grt::Limits{}, view, &error);
    if (status != grt::Status::Ok) std::fprintf(stderr, "%s: %s (%s)\n", path, grt::message(status), error.part);
    return status == grt::Status::Ok;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fputs("usage: crossfade FILE.gom FROM TO [FILE.mta...]\n", stderr);
        return 2;
    }
    AlignedBytes file;
    grt::ModelView model;
    if (!load(argv[1], file, model)) return 1;

    // Motions: clips for every model with the same skeleton.
    std::list<AlignedBytes> motion_files;
    std::list<grt::MotionView> motion_views;
    std::vector<const grt::MotionView*> motions;
    for (int i = 4; i < argc; ++i) {
        if (!load(argv[i], motion_files.emplace_back(), motion_views.emplace_back())) return 1;
        motions.push_back(&motion_views.back());
    }

    // One player for each character on the screen, in memory of the game's.
    AlignedBytes memory(grt::Player::required_bytes(model, motions));
    grt::Player player;
    if (const grt::Status s = player.init(model, motions, memory.span()); s != grt::Status::Ok) {
        std::fprintf(stderr, "%s: %s\n", argv[1], grt::message(s));
        return 1;
    }
    const std::uint32_t from = player.find_clip(argv[2]), to = player.find_clip(argv[3]);
    if (from == player.clip_count() || to == player.clip_count()) {
        std::fprintf(stderr, "no clip '%s'; there are:\n", from == player.clip_count() ? argv[2] : argv[3]);
        for (std::uint32_t i = 0; i < player.clip_count(); ++i)
            std::fprintf(stderr, "    %.*s\n", static_cast<int>(player.clip(i).name().size()), player.clip(i).name().data());
        return 1;
    }
    if (player.bone_count() == 0) {
        std::fprintf(stderr, "%s: has no bones\n", argv[1]);
        return 1;
    }

    // Let root motion move the character instead of its pose, where a clip has any.
    player.set_takes_root_motion(true);
    grt::GroundMotion character_to_world;

    bool plays = player.play(from, {.repeat = grt::Repeat::Loop}) == grt::Status::Ok;
    for (int tick = 0; plays && tick <= 20; ++tick) {
        if (tick == 10) plays = player.play(to, {.fade_seconds = 0.5F, .repeat = grt::Repeat::Loop}) == grt::Status::Ok;
        const grt::Vec3f& place = player.pose()[0].translation;
        const std::string_view name = player.clip(player.clip_index()).name();
        std::printf("%.1f s  %.*s at %.3f s, weight %.2f: %.*s at %.4f %.4f %.4f, character at %.3f %.3f\n", 0.1 * tick,
                    static_cast<int>(name.size()), name.data(), static_cast<double>(player.time_seconds()),
                    static_cast<double>(player.fade_weight()), static_cast<int>(model.bone_name(0).size()),
                    model.bone_name(0).data(), static_cast<double>(place.x), static_cast<double>(place.y),
                    static_cast<double>(place.z), character_to_world.x, character_to_world.z);
        plays = plays && player.update(0.1F) == grt::Status::Ok;
        character_to_world = player.root_motion_delta() * character_to_world;
    }
    return plays ? 0 : 1;
}

// Plays random clips with fades and root motion and prints a hash of every pose and delta: the same on every machine.
#include <cstdio>
#include <string>
#include <vector>

#include "../../../runtime/test/clip_maker.hpp"

using namespace gomkit::runtime;

int main() {
    test::Random random(7);
    std::vector<test::MadeBone> bones;
    for (std::int32_t i = 0; i < 9; ++i) {
        const std::string name(1, static_cast<char>('a' + i));
        Mat4f bind = to_matrix(Transformf{{random.number(-1, 1), random.number(-1, 1), 0}, random.rotation(), {1, 1.5F, 1}});
        bones.push_back({i - 1, name, i == 0 ? name : bones.back().path + "/" + name, bind});
    }
    std::vector<test::MadeClip> clips;
    for (std::uint32_t c = 0; c < 6; ++c) {
        test::MadeClip clip{"clip" + std::to_string(c), random.number(0.3, 2), 0, c % 4, {}};
        for (std::uint32_t bone = 0; bone < bones.size(); bone += 1 + random.below(2)) {
            test::MadeTrack track;
            track.bone = bone;
            const std::uint32_t count = 1 + random.below(12);
            for (std::uint32_t k = 0; k < count; ++k) {
                const float time = clip.duration * static_cast<float>(k) / static_cast<float>(count);
                track.translations.push_back({time, {random.number(-2, 2), random.number(-2, 2), random.number(-2, 2)}});
                track.rotations.push_back({time, random.rotation()});
                if (bone % 3 == 0) track.scales.push_back({time, {random.number(0.5, 2), random.number(-1, 1), 1}});
            }
            clip.tracks.push_back(track);
        }
        clips.push_back(clip);
    }
    const test::Loaded<ModelView> model(test::make_model(bones, clips));
    const test::Memory memory(Player::required_bytes(model.view, {}));
    Player player;
    if (player.init(model.view, {}, memory.bytes()) != Status::Ok) return 1;
    Sha256 hash;
    std::vector<Mat4d> bone_to_model(bones.size());
    std::vector<BoneLocal> blended(bones.size()), bind(bones.size());
    if (bind_pose(model.view, bind) != Status::Ok) return 1;
    for (int step = 0; step < 3000; ++step) {
        if (step % 40 == 0) {
            player.set_takes_root_motion(random.below(3) != 0);
            const PlayOptions options{random.number(0, 1), random.number(-2, 2), random.number(-1, 1),
                                      static_cast<Repeat>(random.below(3))};
            if (player.play(random.below(player.clip_count()), options) != Status::Ok) return 1;
        }
        if (player.update(random.number(0, 0.1)) != Status::Ok) return 1;
        const AdditiveLayer additive[] = {{.pose = player.pose(), .weight = random.number(0, 1.5)}};
        const BlendLayer layers[] = {{.pose = player.pose(), .weight = 0.3F}, {.pose = bind, .weight = 0.7F}};
        const BlendJob blend{.bind = bind, .layers = layers, .additive_layers = additive, .output = blended};
        if (blend.run() != Status::Ok) return 1;
        if (LocalToModelJob{.model = &model.view, .locals = blended, .bone_to_model = bone_to_model}.run() != Status::Ok)
            return 1;
        hash.update(std::as_bytes(player.pose()));
        hash.update(std::as_bytes(std::span(bone_to_model)));
        hash.update(std::as_bytes(std::span(&player.root_motion_delta(), 1)));
    }
    for (const std::uint8_t byte : hash.finish()) std::printf("%02x", byte);
    std::puts("");
}

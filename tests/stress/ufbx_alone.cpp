// What everything is measured against: ufbx loads FILE and samples its animations, with its own default options.
#include <cstdio>

#include <ufbx.h>

int main(int argc, char** argv) {
    ufbx_load_opts load{};
    ufbx_error error{};
    ufbx_scene* scene = argc == 2 ? ufbx_load_file(argv[1], &load, &error) : nullptr;
    if (scene == nullptr) {
        std::fprintf(stderr, "%s\n", error.description.data != nullptr ? error.description.data : "usage: ufbx_alone FILE");
        return 1;
    }
    const ufbx_bake_opts bake{};
    for (const ufbx_anim_stack* stack : scene->anim_stacks) {
        ufbx_free_baked_anim(ufbx_bake_anim(scene, stack->anim, &bake, &error));
    }
    ufbx_free_scene(scene);
    return 0;
}

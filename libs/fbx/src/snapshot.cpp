#include "snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <gomkit/core/reader.hpp>
#include <gomkit/core/text.hpp>
#include <gomkit/pass/select_clips.hpp>

namespace gomkit::fbx {
namespace {

core::Result<const ufbx_anim_stack*> find_stack(const ufbx_scene& scene, const std::string& pattern, const Names& names) {
    std::string found;
    for (const ufbx_anim_stack* stack : scene.anim_stacks) {
        const std::string name = names.text(stack->name);
        if (pattern.empty() || pass::matches_clip(pattern, name)) {
            return stack;
        }
        found += (found.empty() ? "'" : ", '") + name + "'";
    }
    if (!pattern.empty()) {
        return core::fail(core::Code::Usage, {}, "no animation is called '" + pattern + "'", found.empty() ? "none" : found);
    }
    return nullptr;
}

// ufbx sets aside room for as many samples as the head of a .pc2 names, and sees only where there are points whether they are there.
bool is_inflated_pc2(std::span<const std::byte> bytes) {
    constexpr std::string_view kMagic = "POINTCACHE2";
    constexpr std::size_t kHead = 32;
    if (bytes.size() < kHead || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
        return false;
    }
    core::Reader head(bytes);
    head.seek(16);
    const std::uint64_t points = head.get<std::uint32_t>();
    head.seek(28);
    const std::uint64_t samples = head.get<std::uint32_t>();
    const std::uint64_t room = (bytes.size() - kHead) / 12;
    return points == 0 || samples > room / points;
}

// Opens what a cache is made of, for ufbx.
class Opener {
public:
    explicit Opener(const codec::ReadOptions& options) : options_(options) {}

    [[nodiscard]] ufbx_open_file_cb callback() {
        ufbx_open_file_cb out{};
        out.fn = open;
        out.user = this;
        return out;
    }
    [[nodiscard]] bool opened() const { return opened_; }
    [[nodiscard]] bool inflated() const { return inflated_; }

private:
    static bool open(void* user, ufbx_stream* stream, const char* path, std::size_t length, const ufbx_open_file_info*) {
        auto& self = *static_cast<Opener*>(user);
        std::optional<core::FileBytes> bytes;
        if (self.options_.side_file && length != 0) {
            bytes = self.options_.side_file(std::string(path, length));
        }
        if (!bytes) {
            return false;
        }
        self.opened_ = true;
        if (is_inflated_pc2(bytes->bytes())) {
            self.inflated_ = true;
            return false;
        }
        auto held = std::make_unique<core::FileBytes>(std::move(*bytes));
        ufbx_open_memory_opts opts{};
        opts.allocator = allocator_options(self.options_.limits);
        opts.no_copy = true;
        opts.close_cb.fn = [](void* owner, void*, std::size_t) { delete static_cast<core::FileBytes*>(owner); };
        opts.close_cb.user = held.get();
        const std::span<const std::byte> data = held->bytes();
        if (!ufbx_open_memory(stream, data.data(), data.size(), &opts, nullptr)) {
            return false;
        }
        static_cast<void>(held.release());  // close_cb's now
        return true;
    }

    const codec::ReadOptions& options_;
    bool opened_ = false;
    bool inflated_ = false;
};

struct CacheDeleter {
    void operator()(ufbx_geometry_cache* cache) const { ufbx_free_geometry_cache(cache); }
};
using Cache = std::unique_ptr<ufbx_geometry_cache, CacheDeleter>;

// The channel of the deformer; a lone one whatever it is called, as Marvelous Designer writes it.
const ufbx_cache_channel* find_channel(const ufbx_geometry_cache& cache, std::string_view name) {
    if (cache.channels.count == 1) {
        return &cache.channels.data[0];
    }
    const auto found = std::find_if(cache.channels.begin(), cache.channels.end(), [&](const ufbx_cache_channel& c) { return view(c.name) == name; });
    return found != cache.channels.end() ? &*found : nullptr;
}

// Points of one deformer into `points`, which has the right size. The reason where that cannot be, else "".
std::string sample(const Import& in, const ufbx_cache_deformer& deformer, std::vector<ufbx_vec3>& points) {
    const ufbx_scene& scene = in.scene;
    Opener opener(in.options);
    ufbx_geometry_cache_opts opts{};
    opts.temp_allocator = allocator_options(in.options.limits);
    opts.result_allocator = allocator_options(in.options.limits);
    opts.open_file_cb = opener.callback();
    opts.frames_per_second = scene.settings.frames_per_second;
    opts.mirror_axis = scene.metadata.mirror_axis;
    opts.use_scale_factor = true;
    opts.scale_factor = scene.metadata.geometry_scale;
    Cache cache;
    ufbx_error error{};
    for (const ufbx_string* name : {&deformer.file->relative_filename, &deformer.file->filename, &deformer.file->absolute_filename}) {
        if (!cache && !opener.opened() && name->length != 0) {
            cache.reset(ufbx_load_geometry_cache_len(name->data, name->length, &opts, &error));
        }
    }
    if (!opener.opened()) {
        return "was not found below the file's folder or is too large";
    }
    if (!cache || opener.inflated()) {
        return "is damaged or none that can be read" + (error.description.length != 0 ? " (" + std::string(view(error.description)) + ")" : std::string());
    }
    if (cache->channels.count == 0) {
        return "has no frames, or the files that hold them were not found";
    }
    const ufbx_cache_channel* channel = find_channel(*cache, view(deformer.channel));
    if (channel == nullptr || (channel->interpretation != UFBX_CACHE_INTERPRETATION_VERTEX_POSITION && channel->interpretation != UFBX_CACHE_INTERPRETATION_POINTS)) {
        return "has no channel '" + in.names.text(deformer.channel) + "' of points";
    }
    for (const ufbx_cache_frame& frame : channel->frames) {
        if (frame.data_count != points.size()) {
            return "holds " + std::to_string(frame.data_count) + " points, and the mesh has " + std::to_string(points.size());
        }
    }
    ufbx_geometry_cache_data_opts how{};
    how.open_file_cb = opener.callback();
    if (ufbx_sample_geometry_cache_vec3(channel, *in.options.scene.time, points.data(), points.size(), &how) != points.size()) {
        return "ends before the points of that time";
    }
    return {};
}

}  // namespace

core::Result<Scene> evaluate_snapshot(Scene scene, const std::string& file, const codec::ReadOptions& options, const Names& names) {
    const double time = *options.scene.time;
    if (!(std::fabs(time) <= codec::SceneOptions::kMaxTime)) {
        return core::fail(core::Code::Usage, {}, "not a time that a scene can be shown at", core::number_text(time),
                          "at most " + core::number_text(codec::SceneOptions::kMaxTime) + " seconds from 0");
    }
    const core::Result<const ufbx_anim_stack*> stack = find_stack(*scene, options.scene.time_clip, names);
    if (!stack) {
        return core::Fault(stack.error());
    }
    if (*stack == nullptr) {
        return scene;
    }
    const Played played = played_layers(*scene, **stack);
    ufbx_evaluate_opts opts{};
    opts.temp_allocator = allocator_options(options.limits);
    opts.result_allocator = allocator_options(options.limits);
    ufbx_error error{};
    Scene posed(ufbx_evaluate_scene(scene.get(), played.anim, time, &opts, &error));
    if (!posed) {
        core::Error e = to_error(error, file, options.limits);
        e.notes.push_back("while evaluating animation '" + names.text((*stack)->name) + "'");
        return core::Fault(std::move(e));
    }
    for (std::size_t i = 0; i < posed->nodes.count; ++i) {  // what settling them left for the report
        posed->nodes.data[i]->rotation_order = scene->nodes.data[i]->rotation_order;
    }
    return posed;
}

std::unique_ptr<CachedMesh> read_cache(Import& in, const ufbx_mesh& mesh) {
    if (!in.options.scene.time || mesh.num_vertices == 0) {
        return nullptr;
    }
    auto out = std::make_unique<CachedMesh>();
    std::string path;
    std::string why;
    for (const ufbx_cache_deformer* deformer : mesh.cache_deformers) {
        if (deformer->file == nullptr) {
            continue;
        }
        out->points.resize(mesh.num_vertices);
        std::string refused = sample(in, *deformer, out->points);
        if (refused.empty()) {
            ufbx_mesh& cached = out->mesh;
            cached = mesh;
            cached.vertices.data = out->points.data();
            cached.vertex_position.values.data = out->points.data();
            cached.vertex_normal.exists = false;
            cached.vertex_tangent.exists = false;
            cached.vertex_bitangent.exists = false;
            cached.skin_deformers.count = 0;
            cached.blend_deformers.count = 0;
            return out;
        }
        if (why.empty()) {
            const ufbx_cache_file& named = *deformer->file;
            path = in.names.text(named.relative_filename.length != 0 ? named.relative_filename : named.filename);
            why = std::move(refused);
        }
    }
    if (!why.empty()) {
        in.report.add(core::IssueId::FBX_CACHE_UNUSABLE, {}, {{"mesh", in.names.text(name_of(mesh.element))}, {"path", path}, {"why", why}});
    }
    return nullptr;
}

}  // namespace gomkit::fbx

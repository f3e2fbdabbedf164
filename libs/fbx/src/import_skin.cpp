#include <algorithm>
#include <iterator>
#include <map>

#include "clip_keys.hpp"
#include "import.hpp"

namespace gomkit::fbx {
namespace {

// Of a point that is subdivided, so that a file that binds each of a few points to very many bones takes no more than its due.
constexpr std::size_t kMostInfluences = 16;

struct Source {
    const ufbx_skin_cluster* cluster = nullptr;
    std::uint32_t skin = 0;  // into skin_deformers

    // Calls visit(point, weight) for what is taken from this cluster.
    template <class Visit>
    void each(const SkinChoice& choice, std::size_t point_count, const Visit& visit) const {
        const std::size_t count = std::min(cluster->vertices.count, cluster->weights.count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t point = cluster->vertices.data[i];
            if (point < point_count && choice.of(point) == skin) {
                visit(point, cluster->weights.data[i]);
            }
        }
    }
    [[nodiscard]] bool any(const SkinChoice& choice, std::size_t point_count) const {
        bool found = false;
        each(choice, point_count, [&](std::uint32_t, double) { found = true; });
        return found;
    }
};

// What moves the model's mesh: all clusters of the first skin, of the others those that a point is taken from.
std::vector<Source> sources_of(Import& in, const ufbx_mesh& file, const SkinChoice& choice, model::Skin& out) {
    std::vector<Source> sources;
    for (std::uint32_t s = 0; s < file.skin_deformers.count; ++s) {
        for (const ufbx_skin_cluster* cluster : file.skin_deformers.data[s]->clusters) {
            const Source source{cluster, s};
            if (s != 0 && !source.any(choice, file.num_vertices)) {
                continue;
            }
            const model::NodeId bone = in.node_of[cluster->bone_node->typed_id];
            if (!bone.valid()) {
                in.report.add_loss("skin clusters bound to the scene's root", 1);
                continue;
            }
            sources.push_back(source);
            out.clusters.push_back({bone, to_matrix(cluster->geometry_to_bone)});
            in.model.nodes[bone.value].bone = true;
        }
    }
    return sources;
}

// Of the file's own points. Cluster by cluster in source order; ufbx's own per-vertex lists are sorted by weight.
model::Skin cage_skin(Import& in, const ufbx_mesh& file, const SkinChoice& choice) {
    model::Skin out;
    const std::vector<Source> sources = sources_of(in, file, choice, out);
    const std::size_t points = file.num_vertices;
    out.first.assign(points + 1, 0);
    for (const Source& source : sources) {
        source.each(choice, points, [&](std::uint32_t point, double) { ++out.first[point + 1]; });
    }
    for (std::size_t p = 0; p < points; ++p) {
        out.first[p + 1] += out.first[p];
    }
    out.influences.resize(out.first[points]);
    std::vector<std::uint32_t> at(out.first.begin(), out.first.end() - 1);
    for (std::uint32_t c = 0; c < sources.size(); ++c) {
        sources[c].each(choice, points, [&](std::uint32_t point, double weight) { out.influences[at[point]++] = {c, weight}; });
    }
    return out;
}

void keep_strongest(std::vector<model::Influence>& list) {
    std::sort(list.begin(), list.end(), [](const model::Influence& a, const model::Influence& b) {
        return a.weight != b.weight ? a.weight > b.weight : a.cluster < b.cluster;
    });
    list.resize(std::min(list.size(), kMostInfluences));
}

void add_point(model::Skin& skin, const std::vector<model::Influence>& list) {
    skin.influences.insert(skin.influences.end(), list.begin(), list.end());
    skin.first.push_back(static_cast<std::uint32_t>(skin.influences.size()));
}

model::Skin strongest_of(const model::Skin& skin) {
    model::Skin out{skin.clusters, {0}, {}};
    for (std::size_t p = 0; p + 1 < skin.first.size(); ++p) {
        std::vector<model::Influence> list;
        std::copy_if(skin.influences.begin() + skin.first[p], skin.influences.begin() + skin.first[p + 1], std::back_inserter(list),
                     [](const model::Influence& influence) { return finite(influence.weight); });
        keep_strongest(list);
        add_point(out, list);
    }
    return out;
}

// Subdividing is linear: a point follows what the points follow that it is made of, in proportion.
model::Skin subdivided(const model::Skin& skin, const ufbx_subdivision_result& how) {
    const model::Skin cage = strongest_of(skin);
    model::Skin out{cage.clusters, {0}, {}};
    std::map<std::uint32_t, double> sum;
    for (const ufbx_subdivision_weight_range& range : how.source_vertex_ranges) {
        sum.clear();
        for (std::uint32_t w = 0; w < range.num_weights; ++w) {
            const ufbx_subdivision_weight& part = how.source_vertex_weights.data[range.weight_begin + w];
            for (std::uint32_t i = cage.first[part.index]; i < cage.first[part.index + 1]; ++i) {
                sum[cage.influences[i].cluster] += part.weight * cage.influences[i].weight;
            }
        }
        std::vector<model::Influence> list;
        for (const auto& [cluster, weight] : sum) {
            list.push_back({cluster, weight});
        }
        keep_strongest(list);
        add_point(out, list);
    }
    return out;
}

void report_differences(Import& in, const ufbx_mesh& file, const SkinChoice& choice, const std::string& mesh) {
    if (blends_by_dual_quaternions(file)) {
        if (!in.linear_errors) {
            in.linear_errors = measure_linear_blending(in.bytes, in.options);
        }
        in.report.add(core::IssueId::FBX_SKIN_DUAL_QUATERNION, {}, {{"mesh", mesh}, {"distance", in.distance_text(*in.linear_errors, file)}});
    }
    if (choice.shared != 0) {
        if (!in.chain_errors) {
            in.chain_errors = measure_skin_chains(in.bytes, in.options);
        }
        in.report.add(core::IssueId::FBX_SKIN_CHAIN, {},
                      {{"mesh", mesh}, {"count", std::to_string(choice.shared)}, {"distance", in.distance_text(*in.chain_errors, file)}});
    }
}

}  // namespace

void read_skin(Import& in, const ufbx_mesh& source, const ufbx_mesh& file, model::Mesh& out) {
    if (file.skin_deformers.count == 0) {
        return;
    }
    const SkinChoice choice = choose_skins(file);
    model::Skin skin = cage_skin(in, file, choice);
    if (skin.clusters.empty()) {
        return;
    }
    report_differences(in, file, choice, out.name);
    out.skin = source.subdivision_result != nullptr ? subdivided(skin, *source.subdivision_result) : std::move(skin);
}

}  // namespace gomkit::fbx

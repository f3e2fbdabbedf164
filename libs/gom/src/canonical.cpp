#include "canonical.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include <gomkit/runtime/layout.hpp>

#include "rules.hpp"

namespace gomkit::gom {
namespace {

namespace lay = runtime::layout;

constexpr double kNormaliseAgain = 1e-6;   // GOM-WEIGHT-8

/// -0 + 0 is 0 in the only rounding mode there is; every other number stays.
void no_negative_zero(std::span<float> values) {
    for (float& v : values) {
        v += 0.0f;
    }
}

void settle(Matrix& m) {
    no_negative_zero(m.m);
    m.m[3] = m.m[7] = m.m[11] = 0;
    m.m[15] = 1;
}

void empty_is_none(std::optional<std::string>& text) {
    if (text && text->empty()) {
        text.reset();
    }
}

// Materials

void join_submeshes(Part& part, std::span<const std::uint32_t> new_slot) {
    for (Submesh& s : part.submeshes) {
        s.material = new_slot[s.material];
    }
    const bool ordered = std::adjacent_find(part.submeshes.begin(), part.submeshes.end(), [](const Submesh& a, const Submesh& b) {
                             return a.material >= b.material;
                         }) == part.submeshes.end();
    if (ordered) {
        return;
    }
    std::vector<Submesh> sorted = part.submeshes;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Submesh& a, const Submesh& b) { return a.material < b.material; });
    core::LargeVector<std::uint32_t> indices;
    indices.reserve(part.indices.size());
    std::vector<Submesh> joined;
    for (const Submesh& s : sorted) {
        if (joined.empty() || joined.back().material != s.material) {
            joined.push_back(Submesh{s.material, static_cast<std::uint32_t>(indices.size()), 0});
        }
        joined.back().index_count += s.index_count;
        const auto first = part.indices.begin() + static_cast<std::ptrdiff_t>(s.index_start);
        indices.insert(indices.end(), first, first + static_cast<std::ptrdiff_t>(s.index_count));
    }
    part.indices = std::move(indices);
    part.submeshes = std::move(joined);
}

void settle_materials(Document& d) {
    for (MaterialSlot& slot : d.materials) {
        empty_is_none(slot.name);
        for (auto& map : slot.maps) {
            empty_is_none(map);
        }
        no_negative_zero(slot.kd);
        no_negative_zero(slot.ks);
        no_negative_zero(slot.ke);
        slot.shininess += 0.0f;
        slot.opacity += 0.0f;
    }
    if (d.materials.empty()) {
        d.materials.push_back(default_slot());
    }
    std::vector<std::uint32_t> order(d.materials.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return slot_less(d.materials[a], d.materials[b]); });
    std::vector<std::uint32_t> new_slot(order.size());
    std::vector<MaterialSlot> sorted;
    sorted.reserve(order.size());
    for (const std::uint32_t old : order) {
        if (sorted.empty() || !(sorted.back() == d.materials[old])) {
            sorted.push_back(d.materials[old]);
        }
        new_slot[old] = static_cast<std::uint32_t>(sorted.size() - 1);
    }
    d.materials = std::move(sorted);
    for (Part& part : d.parts) {
        join_submeshes(part, new_slot);
    }
}

// Skeleton

void settle_bones(Document& d) {
    for (Bone& b : d.bones) {
        settle(b.bind_local);
    }
    const auto before = [](const Bone& a, const Bone& b) { return a.path < b.path; };
    if (std::is_sorted(d.bones.begin(), d.bones.end(), before)) {
        return;
    }
    std::vector<std::uint32_t> order(d.bones.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return before(d.bones[a], d.bones[b]); });
    std::vector<std::uint32_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        place[order[i]] = static_cast<std::uint32_t>(i);
    }
    const auto moved = [&](std::int32_t bone) { return bone < 0 ? -1 : static_cast<std::int32_t>(place[static_cast<std::size_t>(bone)]); };
    std::vector<Bone> sorted;
    sorted.reserve(order.size());
    for (const std::uint32_t old : order) {
        sorted.push_back(std::move(d.bones[old]));
        sorted.back().parent = moved(sorted.back().parent);
    }
    d.bones = std::move(sorted);
    for (Part& part : d.parts) {
        if (part.inverse_bind.empty()) {
            continue;
        }
        std::vector<Matrix> matrices(part.inverse_bind.size());
        for (std::size_t i = 0; i < matrices.size(); ++i) {
            matrices[place[i]] = part.inverse_bind[i];
        }
        part.inverse_bind = std::move(matrices);
        for (Vertex& v : part.vertices) {
            for (std::uint16_t& bone : v.bone) {
                bone = static_cast<std::uint16_t>(place[bone]);
            }
        }
    }
    for (Clip& clip : d.clips) {
        clip.root_bone = moved(clip.root_bone);
        for (Track& track : clip.tracks) {
            track.bone = place[track.bone];
        }
    }
}

// Vertices

void settle_influences(Vertex& v) {
    const double sum = weight_sum(v);
    if (std::fabs(sum - 1.0) > kNormaliseAgain) {
        for (float& w : v.weight) {
            w = static_cast<float>(static_cast<double>(w) / sum);
        }
    }
    for (std::size_t k = 0; k < 4; ++k) {
        if (v.weight[k] == 0) {
            v.bone[k] = 0;
        }
    }
    if (influences_sorted(v)) {
        return;
    }
    // Insertion sort of four; stable, so that the result depends on nothing else.
    for (std::size_t i = 1; i < 4; ++i) {
        for (std::size_t k = i; k > 0; --k) {
            const bool swap = v.weight[k] > v.weight[k - 1] || (v.weight[k] == v.weight[k - 1] && v.bone[k] < v.bone[k - 1]);
            if (!swap) {
                break;
            }
            std::swap(v.weight[k], v.weight[k - 1]);
            std::swap(v.bone[k], v.bone[k - 1]);
        }
    }
}

void settle_morph(Morph& m) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m.vertices.size(); ++i) {
        std::array<float, 3> position = m.positions[i];
        std::array<float, 3> normal = m.normals[i];
        no_negative_zero(position);
        no_negative_zero(normal);
        if (position == std::array<float, 3>{} && normal == std::array<float, 3>{}) {
            continue;
        }
        m.vertices[kept] = m.vertices[i];
        m.positions[kept] = position;
        m.normals[kept] = normal;
        ++kept;
    }
    m.vertices.resize(kept);
    m.positions.resize(kept);
    m.normals.resize(kept);
}

void settle_part(Part& part) {
    empty_is_none(part.name);
    const bool skinned = !part.inverse_bind.empty();
    for (Vertex& v : part.vertices) {
        no_negative_zero(v.position);
        no_negative_zero(v.normal);
        no_negative_zero(v.tangent);
        no_negative_zero(v.uv);
        no_negative_zero(v.weight);
        if (skinned) {
            settle_influences(v);
        } else {
            for (std::size_t k = 0; k < 4; ++k) {
                v.bone[k] = 0;
                v.weight[k] = k == 0 ? 1.0f : 0.0f;
            }
        }
    }
    for (Matrix& m : part.inverse_bind) {
        settle(m);
    }
    if (part.geometry_to_model) {
        settle(*part.geometry_to_model);
        if (runtime::is_identity(*part.geometry_to_model)) {
            part.geometry_to_model.reset();
        }
    }
    for (Morph& morph : part.morphs) {
        settle_morph(morph);
    }
    std::erase_if(part.morphs, [](const Morph& m) { return m.vertices.empty(); });
}

// Blend shapes

void settle_channels(Document& d) {
    if (d.parts.empty()) {
        d.morph_channels.clear();
        for (Clip& clip : d.clips) {
            clip.morph_tracks.clear();
        }
    }
    for (MorphChannel& channel : d.morph_channels) {
        channel.default_weight += 0.0f;
    }
}

// Clips

void settle_rotations(std::vector<QuatKey>& keys) {
    const std::array<float, 4>* before = nullptr;
    for (QuatKey& key : keys) {
        const double length = quaternion_length(key.value);
        if (std::fabs(length - 1.0) > kNormaliseAgain) {
            for (float& v : key.value) {
                v = static_cast<float>(static_cast<double>(v) / length);
            }
        }
        if (wrong_sign(key.value, before)) {
            for (float& v : key.value) {
                v = -v;
            }
        }
        no_negative_zero(key.value);
        key.time += 0.0f;
        before = &key.value;
    }
}

void settle_clip(Clip& clip) {
    clip.duration += 0.0f;
    std::erase_if(clip.tracks, [](const Track& t) { return t.translation.empty() && t.rotation.empty() && t.scale.empty(); });
    std::stable_sort(clip.tracks.begin(), clip.tracks.end(), [](const Track& a, const Track& b) { return a.bone < b.bone; });
    for (Track& track : clip.tracks) {
        for (auto* keys : {&track.translation, &track.scale}) {
            for (VectorKey& key : *keys) {
                key.time += 0.0f;
                no_negative_zero(key.value);
            }
        }
        settle_rotations(track.rotation);
    }
    for (MorphTrack& track : clip.morph_tracks) {
        for (WeightKey& key : track.keys) {
            key.time += 0.0f;
            no_negative_zero(key.value);
        }
    }
    std::erase_if(clip.morph_tracks, [](const MorphTrack& t) { return t.keys.empty(); });
}

// Validation

bool bind_matrices_hold(const Document& d) {
    std::vector<Matrix> locals;
    std::vector<std::int32_t> parents;
    for (const Bone& b : d.bones) {
        locals.push_back(b.bind_local);
        parents.push_back(b.parent);
    }
    const std::vector<Matrixd> models = bind_models(locals, parents);
    const double scale = translation_scale(models);
    for (const Part& p : d.parts) {
        for (std::size_t i = 0; i < p.inverse_bind.size(); ++i) {
            if (!is_bind_identity(read_matrix(p.inverse_bind[i]) * models[i], scale)) {
                return false;
            }
        }
    }
    return true;
}

bool weights_hold(const Vertex& v) {
    return std::fabs(weight_sum(v) - 1.0) <= lay::tolerance::kWeightSumWarning && influences_sorted(v) && v.weight[3] >= 0;
}

bool cover_holds(const Part& p) {
    std::uint64_t next = 0;
    for (const Submesh& s : p.submeshes) {
        if (s.index_start != next || s.index_count == 0 || s.index_count % 3 != 0) {
            return false;
        }
        next += s.index_count;
    }
    return next == p.indices.size();
}

}  // namespace

void canonicalise(Document& d) {
    if (d.converter_version && d.converter_version->empty()) {
        d.converter_version.reset();
    }
    d.validation_flags &= lay::validation::kAll;
    if (!d.motion_of) {
        settle_materials(d);
    }
    settle_bones(d);
    settle_channels(d);
    for (Part& part : d.parts) {
        settle_part(part);
    }
    for (Clip& clip : d.clips) {
        settle_clip(clip);
    }
    std::stable_sort(d.clips.begin(), d.clips.end(), [](const Clip& a, const Clip& b) { return a.name < b.name; });
}

std::uint32_t compute_validation_flags(const Document& d) {
    using namespace lay::validation;
    std::uint32_t flags = kAll;
    const auto clear = [&flags](std::uint32_t bit) { flags &= ~bit; };
    if (!bind_matrices_hold(d)) {
        clear(kBindMatrices);
    }
    for (const Part& p : d.parts) {
        if (!p.inverse_bind.empty()) {
            for (const Vertex& v : p.vertices) {
                if (!weights_hold(v)) {
                    clear(kWeights);
                }
                for (const std::uint16_t bone : v.bone) {
                    if (bone >= p.inverse_bind.size()) {
                        clear(kBoneIndices);
                    }
                }
            }
        }
        if (!cover_holds(p)) {
            clear(kSubmeshCover);
        }
        if (std::any_of(p.indices.begin(), p.indices.end(), [&](std::uint32_t i) { return i >= p.vertices.size(); })) {
            clear(kIndices);
        }
        if (std::any_of(p.submeshes.begin(), p.submeshes.end(), [&](const Submesh& s) { return s.material >= d.materials.size(); })) {
            clear(kMaterialIndices);
        }
    }
    return flags;
}

}  // namespace gomkit::gom

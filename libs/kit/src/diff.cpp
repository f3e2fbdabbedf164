#include <gomkit/kit/diff.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "diff_parts.hpp"
#include "guarded.hpp"
#include "load.hpp"
#include "model_math.hpp"

namespace gomkit::kit {

bool near(double x, double y, double tolerance) {
    return x == y || std::fabs(x - y) <= tolerance * std::max({1.0, std::fabs(x), std::fabs(y)}) || (std::isnan(x) && std::isnan(y));
}

void Differences::vector(const std::string& place, const model::Vec3& a, const model::Vec3& b) {
    if (near(a.x, b.x, tolerance_) && near(a.y, b.y, tolerance_) && near(a.z, b.z, tolerance_)) {
        return;
    }
    const auto show = [](const model::Vec3& v) {
        return core::number_text(v.x) + " " + core::number_text(v.y) + " " + core::number_text(v.z);
    };
    add(place, "differs", show(a), show(b));
}

void Differences::matrix(const std::string& place, const model::Mat4& a, const model::Mat4& b) {
    double worst = 0;
    std::size_t at = 16;
    for (std::size_t i = 0; i < 16; ++i) {
        const double difference = std::fabs(a.m[i] - b.m[i]);
        if (!near(a.m[i], b.m[i], tolerance_) && (at == 16 || difference > worst)) {
            worst = difference;
            at = i;
        }
    }
    if (at < 16) {
        add(place + "[" + std::to_string(at / 4) + "][" + std::to_string(at % 4) + "]", "differs most", core::number_text(a.m[at]),
            core::number_text(b.m[at]));
    }
}

std::string DiffSide::bone_path(model::NodeId node) const {
    if (!node.valid() || node.value >= skeleton.nearest_bone_of_node.size()) {
        return {};
    }
    const std::int32_t bone = skeleton.nearest_bone_of_node[node.value];
    return bone < 0 ? std::string() : skeleton.bones[static_cast<std::size_t>(bone)].path;
}

std::vector<Pair> pair_up(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    std::map<std::pair<std::string, unsigned>, std::ptrdiff_t> of_b;
    std::map<std::string, unsigned> seen;
    const auto shown = [](const std::string& name, unsigned n) { return n == 1 ? name : name + "#" + std::to_string(n); };
    for (std::size_t i = 0; i < b.size(); ++i) {
        of_b[{b[i], ++seen[b[i]]}] = static_cast<std::ptrdiff_t>(i);
    }
    seen.clear();
    std::vector<Pair> out;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const unsigned n = ++seen[a[i]];
        const auto it = of_b.find({a[i], n});
        out.push_back({static_cast<std::ptrdiff_t>(i), it == of_b.end() ? -1 : it->second, shown(a[i], n)});
    }
    const auto of_a = seen;
    seen.clear();
    for (std::size_t i = 0; i < b.size(); ++i) {
        const unsigned n = ++seen[b[i]];
        const auto it = of_a.find(b[i]);
        if (it == of_a.end() || n > it->second) {
            out.push_back({-1, static_cast<std::ptrdiff_t>(i), shown(b[i], n)});
        }
    }
    return out;
}

namespace {

// The model as a GOM holds it: what a source has in other words (polygons, points, many influences) would compare as different.
core::Result<model::Model> comparable(const codec::Registry& registry, const Input& input, const codec::ReadOptions& options, core::Report& report) {
    report.set_file(input.path);
    const auto loaded = load(registry, input, options.limits);
    if (!loaded) {
        return core::Fault(loaded.error());
    }
    auto model = read_model(*loaded, input.path, options, report);
    const codec::Codec* gom = registry.by_id("gom");
    if (!model || gom == nullptr || gom->read == nullptr || gom->write == nullptr || loaded->codec == gom) {
        return model;
    }
    codec::WriteOptions write;
    write.limits = options.limits;
    const auto bytes = gom->write(std::move(*model), write, report);
    if (!bytes) {
        core::Error error = bytes.error();
        error.place.file = input.path;
        return core::Fault(std::move(error));
    }
    core::Report unused;
    return gom->read(*bytes, input.path, options, unused);
}

}  // namespace

core::Result<DiffResponse> diff(const codec::Registry& registry, const DiffRequest& request, core::Report& report) {
    return guarded(request.a.path, [&]() -> core::Result<DiffResponse> {
        const auto model_a = comparable(registry, request.a, request.read, report);
        if (!model_a) {
            return core::Fault(model_a.error());
        }
        const auto model_b = comparable(registry, request.b, request.read, report);
        if (!model_b) {
            return core::Fault(model_b.error());
        }
        auto skeleton_a = skeleton_of(*model_a, request.a.path, request.read.limits);
        auto skeleton_b = skeleton_of(*model_b, request.b.path, request.read.limits);
        if (!skeleton_a || !skeleton_b) {
            return core::Fault(skeleton_a ? skeleton_b.error() : skeleton_a.error());
        }
        const DiffSide a{*model_a, std::move(*skeleton_a), bind_matrices(*model_a)};
        const DiffSide b{*model_b, std::move(*skeleton_b), bind_matrices(*model_b)};
        Differences out(request.tolerance);
        diff_skeleton(a, b, out);
        diff_meshes(a, b, out);
        diff_materials(a, b, out);
        diff_clips(a, b, out);
        return DiffResponse{out.take()};
    });
}

}  // namespace gomkit::kit

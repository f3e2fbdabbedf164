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

// One side, and what its format keeps beside the model.
struct Comparable {
    model::Model model;
    const codec::Codec* codec = nullptr;
    std::vector<codec::Fact> facts;
};

// The model as a GOM holds it: what a source has in other words (polygons, points, many influences) would compare as different.
core::Result<Comparable> comparable(const codec::Registry& registry, const Input& input, const codec::ReadOptions& options, core::Report& report) {
    report.set_file(input.path);
    const auto loaded = load(registry, input, options.limits);
    if (!loaded) {
        return core::Fault(loaded.error());
    }
    auto model = read_model(*loaded, input.path, options, report);
    if (!model) {
        return core::Fault(std::move(model.error()));
    }
    Comparable out;
    out.codec = loaded->codec;
    if (out.codec->facts != nullptr) {
        out.facts = out.codec->facts(*model, options.limits);
    }
    const codec::Codec* gom = registry.by_id("gom");
    if (model->mta || gom == nullptr || gom->read == nullptr || gom->write == nullptr || loaded->codec == gom) {
        out.model = std::move(*model);
        return out;
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
    auto again = gom->read(*bytes, input.path, options, unused);
    if (!again) {
        return core::Fault(std::move(again.error()));
    }
    out.model = std::move(*again);
    return out;
}

void diff_facts(const std::vector<codec::Fact>& a, const std::vector<codec::Fact>& b, Differences& out) {
    const auto places = [](const std::vector<codec::Fact>& facts) {
        std::vector<std::string> list;
        for (const codec::Fact& fact : facts) {
            list.push_back(fact.place);
        }
        return list;
    };
    for (const Pair& pair : pair_up(places(a), places(b))) {
        if (pair.a < 0 || pair.b < 0) {
            out.only_in(pair.a < 0 ? 'B' : 'A', pair.name);
            continue;
        }
        const codec::Fact& x = a[static_cast<std::size_t>(pair.a)];
        const codec::Fact& y = b[static_cast<std::size_t>(pair.b)];
        out.text(pair.name, x.text, y.text);
        out.count(pair.name + " (numbers)", x.numbers.size(), y.numbers.size());
        for (std::size_t i = 0; i < x.numbers.size() && x.numbers.size() == y.numbers.size(); ++i) {
            out.number(x.numbers.size() == 1 ? pair.name : pair.name + "[" + std::to_string(i) + "]", x.numbers[i], y.numbers[i]);
        }
    }
}

// A motion has no names for bones. Beside a model with the skeleton it was made for (`names`) it has that one's; else bones are matched by
// their position in path order, as "#3".
std::vector<std::string> bone_names(const model::Model& model, const model::Skeleton& skeleton, const model::Skeleton& names, bool by_position) {
    std::vector<std::string> out(model.nodes.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::int64_t bone = model.mta ? static_cast<std::int64_t>(i) : std::int64_t{skeleton.nearest_bone_of_node[i]};
        if (bone < 0) {
            continue;
        }
        const auto at = static_cast<std::size_t>(bone);
        const model::Skeleton& source = model.mta ? names : skeleton;
        out[i] = by_position || at >= source.bones.size() ? "#" + std::to_string(at) : source.bones[at].path;
    }
    return out;
}

}  // namespace

core::Result<DiffResponse> diff(const codec::Registry& registry, const DiffRequest& request, core::Report& report) {
    return guarded(request.a.path, [&]() -> core::Result<DiffResponse> {
        const auto side_a = comparable(registry, request.a, request.read, report);
        if (!side_a) {
            return core::Fault(side_a.error());
        }
        const auto side_b = comparable(registry, request.b, request.read, report);
        if (!side_b) {
            return core::Fault(side_b.error());
        }
        const model::Model& model_a = side_a->model;
        const model::Model& model_b = side_b->model;
        auto skeleton_a = skeleton_of(model_a, request.a.path, request.read.limits);
        auto skeleton_b = skeleton_of(model_b, request.b.path, request.read.limits);
        if (!skeleton_a || !skeleton_b) {
            return core::Fault(skeleton_a ? skeleton_b.error() : skeleton_a.error());
        }
        const bool motions = model_a.mta || model_b.mta;   // then only clips can be compared
        const std::string signature_a = signature_text(model_a, *skeleton_a);
        const std::string signature_b = signature_text(model_b, *skeleton_b);
        const bool by_position = motions && (signature_a != signature_b || (model_a.mta && model_b.mta));
        auto names_a = bone_names(model_a, *skeleton_a, *skeleton_b, by_position);
        auto names_b = bone_names(model_b, *skeleton_b, *skeleton_a, by_position);
        const DiffSide a{model_a, std::move(*skeleton_a), bind_matrices(model_a), std::move(names_a)};
        const DiffSide b{model_b, std::move(*skeleton_b), bind_matrices(model_b), std::move(names_b)};
        Differences out(request.tolerance);
        if (motions) {
            out.text("signature", signature_a, signature_b);
        } else {
            diff_skeleton(a, b, out);
            diff_meshes(a, b, out);
            diff_materials(a, b, out);
        }
        diff_clips(a, b, out);
        if (side_a->codec == side_b->codec) {
            diff_facts(side_a->facts, side_b->facts, out);
        }
        return DiffResponse{out.take()};
    });
}

}  // namespace gomkit::kit

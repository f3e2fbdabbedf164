#include "rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

#include <gomkit/runtime/layout.hpp>

namespace gomkit::gom {
namespace {

// None sorts last.
int compare(const std::optional<std::string>& a, const std::optional<std::string>& b) {
    if (!a || !b) {
        return (a ? 0 : 1) - (b ? 0 : 1);
    }
    return a->compare(*b);
}

}  // namespace

bool is_model_chunk(std::uint32_t fourcc) {
    using namespace runtime::layout;
    return fourcc == kMatl || fourcc == kSkel || fourcc == kMsh0 || fourcc == kMrpc || fourcc == kMrpa || is_mesh_child(fourcc);
}

bool slot_less(const MaterialSlot& a, const MaterialSlot& b) {
    if (const int names = compare(a.name, b.name); names != 0) {
        return names < 0;
    }
    const auto numbers = [](const MaterialSlot& s) { return std::tie(s.kd, s.ks, s.ke, s.shininess, s.opacity); };
    if (numbers(a) != numbers(b)) {
        return numbers(a) < numbers(b);
    }
    for (std::size_t i = 0; i < a.maps.size(); ++i) {
        if (const int paths = compare(a.maps[i], b.maps[i]); paths != 0) {
            return paths < 0;
        }
    }
    return false;
}

MaterialSlot default_slot() {
    MaterialSlot slot;
    slot.name = "DefaultMaterial";
    return slot;
}

bool is_component_of(std::string_view component, std::string_view name, std::string_view* suffix) {
    if (suffix != nullptr) {
        *suffix = {};
    }
    std::string_view rest = component;
    for (const char& c : name) {
        const std::string_view escaped = c == '%' ? std::string_view("%25") : c == '/' ? std::string_view("%2F") : std::string_view(&c, 1);
        if (rest.substr(0, escaped.size()) != escaped) {
            return false;
        }
        rest.remove_prefix(escaped.size());
    }
    if (rest.empty()) {
        return true;
    }
    if (rest.front() != '~') {
        return false;
    }
    rest.remove_prefix(1);
    const bool digits = !rest.empty() && std::all_of(rest.begin(), rest.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || rest.front() == '0' || rest == "1") {
        return false;
    }
    if (suffix != nullptr) {
        *suffix = rest;
    }
    return true;
}

bool is_path_of(std::string_view path, const std::string_view* parent_path, std::string_view name, std::string_view* suffix) {
    if (parent_path != nullptr) {
        if (path.size() <= parent_path->size() || path.substr(0, parent_path->size()) != *parent_path ||
            path[parent_path->size()] != '/') {
            return false;
        }
        path.remove_prefix(parent_path->size() + 1);
    }
    return is_component_of(path, name, suffix);
}

const char* map_path_problem(std::string_view path) {
    if (path.find('\\') != std::string_view::npos) {
        return "has a backslash";
    }
    if (path.size() >= 2 && path[1] == ':' && ((path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z'))) {
        return "names a drive";
    }
    if (!path.empty() && path.front() == '/') {
        return "begins with '/'";
    }
    for (;;) {
        const std::size_t end = path.find('/');
        const std::string_view component = path.substr(0, end);
        if (component.empty() || component == "." || component == "..") {
            return "has a component that is empty, '.' or '..'";
        }
        if (end == std::string_view::npos) {
            return nullptr;
        }
        path.remove_prefix(end + 1);
    }
}

Bounds compute_bounds(std::span<const Vertex> vertices) {
    Bounds b;
    if (vertices.empty()) {
        return b;
    }
    for (std::size_t k = 0; k < 3; ++k) {
        b.min[k] = b.max[k] = vertices[0].position[k];
    }
    for (const Vertex& v : vertices) {
        for (std::size_t k = 0; k < 3; ++k) {
            b.min[k] = std::min(b.min[k], v.position[k]);
            b.max[k] = std::max(b.max[k], v.position[k]);
        }
    }
    for (std::size_t k = 0; k < 3; ++k) {
        b.min[k] += 0.0f;  // -0 becomes 0
        b.max[k] += 0.0f;
        b.center[k] = static_cast<float>((static_cast<double>(b.min[k]) + static_cast<double>(b.max[k])) * 0.5) + 0.0f;
    }
    const auto cx = static_cast<double>(b.center[0]), cy = static_cast<double>(b.center[1]), cz = static_cast<double>(b.center[2]);
    double largest = 0;  // of the squares: sqrt is monotonic, so one root of the largest is the largest root
    for (const Vertex& v : vertices) {
        const double dx = static_cast<double>(v.position[0]) - cx;
        const double dy = static_cast<double>(v.position[1]) - cy;
        const double dz = static_cast<double>(v.position[2]) - cz;
        largest = std::max(largest, dx * dx + dy * dy + dz * dz);
    }
    const double radius = std::sqrt(largest);
    // A model that large has no sphere in float32; the biggest one is the best there is.
    constexpr auto kLargest = static_cast<double>(std::numeric_limits<float>::max());
    b.radius = static_cast<float>(std::min(radius, kLargest));
    if (static_cast<double>(b.radius) < std::min(radius, kLargest)) {
        b.radius = std::bit_cast<float>(std::bit_cast<std::uint32_t>(b.radius) + 1);  // the next one up
    }
    return b;
}

Matrixd read_matrix(const Matrix& stored) {
    Matrixd m = runtime::matrix_cast<double>(stored);
    m.m[3] = m.m[7] = m.m[11] = 0;
    m.m[15] = 1;
    return m;
}

std::vector<Matrixd> bind_models(std::span<const Matrix> bind_locals, std::span<const std::int32_t> parents) {
    const std::size_t n = bind_locals.size();
    std::vector<Matrixd> models(n);
    std::vector<bool> done(n, false);
    std::vector<std::size_t> chain;
    for (std::size_t i = 0; i < n; ++i) {
        chain.clear();
        std::size_t at = i;
        while (!done[at]) {
            done[at] = true;
            chain.push_back(at);
            if (parents[at] < 0) {
                break;
            }
            at = static_cast<std::size_t>(parents[at]);
        }
        for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
            const Matrixd local = read_matrix(bind_locals[*it]);
            models[*it] = parents[*it] < 0 ? local : local * models[static_cast<std::size_t>(parents[*it])];
        }
    }
    return models;
}

bool is_bind_identity(const Matrixd& palette, double scale, double* off) {
    constexpr double kTolerance = runtime::layout::tolerance::kBindMatrix;
    double worst = 0;
    bool identity = true;
    for (std::size_t r = 0; r < 4; ++r) {
        for (std::size_t c = 0; c < 3; ++c) {
            const double difference = std::fabs(palette.m[4 * r + c] - (r == c ? 1.0 : 0.0));
            // Written so that a NaN, from an overflow on the way, is not the identity.
            identity = identity && difference <= (r == 3 ? kTolerance * scale : kTolerance);
            worst = difference <= worst ? worst : difference;
        }
    }
    if (off != nullptr) {
        *off = worst;
    }
    return identity;
}

double translation_scale(std::span<const Matrixd> models) {
    double scale = 1;
    for (const Matrixd& m : models) {
        for (std::size_t c = 0; c < 3; ++c) {
            scale = std::max(scale, std::fabs(m.m[12 + c]));
        }
    }
    return scale;
}

double quaternion_length(const std::array<float, 4>& q) {
    const auto x = static_cast<double>(q[0]), y = static_cast<double>(q[1]);
    const auto z = static_cast<double>(q[2]), w = static_cast<double>(q[3]);
    return std::sqrt(x * x + y * y + z * z + w * w);
}

bool wrong_sign(const std::array<float, 4>& q, const std::array<float, 4>* before) {
    if (before != nullptr) {
        double dot = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            dot += static_cast<double>(q[i]) * static_cast<double>((*before)[i]);
        }
        return dot < 0;
    }
    for (const std::size_t i : {std::size_t{3}, std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
        if (q[i] != 0) {
            return q[i] < 0;
        }
    }
    return false;
}

}  // namespace gomkit::gom

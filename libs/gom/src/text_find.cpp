#include "text_find.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "bytes.hpp"
#include "text_lex.hpp"

namespace gomkit::gom {
namespace {

/// A step of a path: a field, or an element of an array.
struct Step {
    std::string_view name;       ///< "" for an element
    std::uint64_t index = 0;
    bool operator==(const Step&) const = default;
    bool operator<(const Step& other) const { return std::tie(name, index) < std::tie(other.name, other.index); }
};

std::vector<Step> split(std::string_view path) {
    std::vector<Step> steps;
    while (!path.empty()) {
        if (path.front() == '[') {
            const std::size_t close = std::min(path.find(']'), path.size());
            Step step;
            std::from_chars(path.data() + 1, path.data() + close, step.index);
            steps.push_back(step);
            path.remove_prefix(std::min(close + 1, path.size()));
            continue;
        }
        path.remove_prefix(path.front() == '.' ? 1 : 0);
        const std::size_t size = std::min(path.find_first_of(".["), path.size());
        steps.push_back(Step{path.substr(0, size), 0});
        path.remove_prefix(size);
    }
    return steps;
}

std::string join(std::span<const Step> steps) {
    std::string text;
    for (const Step& s : steps) {
        if (s.name.empty()) {
            text += "[" + std::to_string(s.index) + "]";
        } else {
            text += (text.empty() ? "" : ".") + std::string(s.name);
        }
    }
    return text;
}

/// Fields that have another name in text, by the chunk (or structure) that they stand in.
struct Renamed {
    std::string_view in;
    std::string_view from;
    std::string_view to;         ///< "" leaves the step out; a point makes two steps
};
constexpr Renamed kRenamed[] = {
    {"header", "converterVersionStrId", "converterVersion"},
    {"slot", "nameId", "name"},
    {"slot", "kd", "phong.kd"},
    {"slot", "ks", "phong.ks"},
    {"slot", "ke", "phong.ke"},
    {"slot", "shininess", "phong.shininess"},
    {"slot", "opacity", "phong.opacity"},
    {"slot", "diffuseMapId", "maps.diffuse"},
    {"slot", "normalMapId", "maps.normal"},
    {"slot", "specularMapId", "maps.specular"},
    {"slot", "emissiveMapId", "maps.emissive"},
    {"SKEL", "nameId", "name"},
    {"SKEL", "pathId", "path"},
    {"MSH0", "meshNameId", "name"},
    {"MSH0", "vertexCount", "vertices"},
    {"MSH0", "indexCount", "indices"},
    {"MSH0", "boneCount", "inverseBind"},
    {"vertex", "position", "p"},
    {"vertex", "normal", "n"},
    {"vertex", "tangent", "t"},
    {"vertex", "uv0", "uv"},
    {"vertex", "boneIndex", "bi"},
    {"vertex", "boneWeight", "bw"},
    {"MRPC", "nameId", "name"},
    {"MRPC", "shapeWeight", "shapes"},
    {"MRPC", "shapeEnd", "shapes"},
    {"CLP0", "nameId", "name"},
    {"CLP0", "trackCount", "tracks"},
    {"track", "trKey", "trKeys"},
    {"track", "rotKey", "rotKeys"},
    {"track", "scKey", "scKeys"},
    {"track", "key", "keys"},
};

std::string_view renamed(std::string_view in, std::string_view name) {
    const auto it = std::find_if(std::begin(kRenamed), std::end(kRenamed), [&](const Renamed& r) { return r.in == in && r.from == name; });
    return it == std::end(kRenamed) ? name : it->to;
}

void add(std::vector<Step>& out, std::string_view path) {
    const std::vector<Step> steps = split(path);
    out.insert(out.end(), steps.begin(), steps.end());
}

}  // namespace

std::string text_path_of(std::string_view part, std::span<const std::uint32_t> listed_bone) {
    const std::vector<Step> from = split(part);
    std::vector<Step> out;
    const auto rest = [&](std::size_t first, std::string_view in) {
        for (std::size_t i = first; i < from.size(); ++i) {
            if (from[i].name.empty()) {
                out.push_back(from[i]);
            } else {
                add(out, renamed(in, from[i].name));
            }
        }
    };
    const auto name = [&](std::size_t i) { return i < from.size() ? from[i].name : std::string_view(); };
    const auto is_index = [&](std::size_t i) { return i < from.size() && from[i].name.empty(); };
    const auto bone = [&](std::uint64_t i) { return Step{{}, i < listed_bone.size() ? listed_bone[i] : i}; };
    const std::string_view chunk = name(0);
    if (chunk == "header") {
        add(out, "Header");
        rest(1, "header");
    } else if (chunk == "MATL") {
        add(out, "MaterialSlots");
        if (name(1) == "slot") {
            rest(2, "slot");
        }
    } else if (chunk == "SKEL") {
        add(out, "Skeleton");
        if (is_index(2)) {
            add(out, "bones");
            out.push_back(bone(from[2].index));
            add(out, renamed("SKEL", name(1)));
            rest(3, "SKEL");
        } else {
            rest(1, "SKEL");
        }
    } else if (chunk == "MSH0" && is_index(1)) {
        add(out, "Meshes");
        out.push_back(from[1]);
        const std::string_view child = name(2);
        if (child == "VB0") {
            add(out, "vertices");
            rest(name(3) == "vertex" ? 4 : from.size(), "vertex");
        } else if (child == "IB0") {
            add(out, "indices");
            rest(name(3) == "index" ? 4 : from.size(), "");
        } else if (child == "SUB0") {
            add(out, "submeshes");
            rest(name(3) == "submesh" ? 4 : from.size(), "");
        } else if (child == "IBND") {
            add(out, "inverseBind");
            if (name(3) == "inverseBind" && is_index(4)) {
                out.push_back(bone(from[4].index));
                rest(5, "");
            }
        } else if (child == "GBTM") {
            add(out, "meshBindGeoToModel");
            rest(3, "");
        } else if (child == "MRPH" && is_index(3)) {
            add(out, "morphs");
            out.push_back(from[3]);
            const std::string_view field = name(4);
            if (is_index(5)) {
                add(out, "offsets");
                out.push_back(from[5]);
                add(out, field == "vertex" ? "v" : field == "position" ? "p" : "n");
                rest(6, "");
            } else if (field == "vertexCount") {
                add(out, "offsets");
            } else {
                rest(4, "");
            }
        } else if (child == "BND0") {
            add(out, "vertices");
        } else {
            rest(2, "MSH0");
        }
    } else if (chunk == "ANIM") {
        add(out, "Animations");
    } else if (chunk == "MRPC") {
        add(out, "MorphChannels");
        if (is_index(2)) {
            out.push_back(from[2]);
            rest(3, "MRPC");
        }
    } else if (chunk == "CLP0" && is_index(1)) {
        add(out, "Animations");
        out.push_back(from[1]);
        if (name(2) == "MRPA") {
            add(out, "morphTracks");
            rest(name(3) == "track" ? 4 : from.size(), "track");
        } else if (name(2) == "track") {
            add(out, "tracks");
            rest(3, "track");
        } else {
            rest(2, "CLP0");
        }
    }
    return join(out);
}

namespace {

/// Walks over a text along wanted paths; what no path leads to is passed over.
class Finder {
public:
    struct Wanted {
        std::vector<Step> steps;
        std::size_t offset = 0;
    };

    Finder(std::string_view text, std::vector<Wanted>& wanted) : cursor_(text), wanted_(wanted) {
        if (text.substr(0, 4) == "GOMT") {
            cursor_.at = cursor_.begin + std::min<std::size_t>(8, text.size());
        }
    }

    void run() {
        cursor_.skip_space();
        while (cursor_.at_name() && field(0, wanted_.size(), 0)) {
            cursor_.skip_space();
            if (cursor_.is_at(',') || cursor_.is_at(';')) {
                ++cursor_.at;
                cursor_.skip_space();
            }
        }
    }

private:
    static constexpr std::uint64_t kNesting = std::numeric_limits<std::uint64_t>::max();

    /// Those of [first, last) that take this step at this depth.
    std::pair<std::size_t, std::size_t> narrow(std::size_t first, std::size_t last, std::size_t depth, const Step& step) const {
        const auto less = [depth](const Wanted& w, const Step& s) { return depth >= w.steps.size() || w.steps[depth] < s; };
        const auto more = [depth](const Step& s, const Wanted& w) { return depth < w.steps.size() && s < w.steps[depth]; };
        const auto begin = wanted_.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = wanted_.begin() + static_cast<std::ptrdiff_t>(last);
        const auto low = std::lower_bound(begin, end, step, less);
        const auto high = std::upper_bound(low, end, step, more);
        return {static_cast<std::size_t>(low - wanted_.begin()), static_cast<std::size_t>(high - wanted_.begin())};
    }

    bool field(std::size_t first, std::size_t last, std::size_t depth) {
        std::string_view name;
        if (!cursor_.read_name(name, "") || !cursor_.take('=', "")) {
            return false;
        }
        cursor_.skip_space();
        const auto [low, high] = narrow(first, last, depth, Step{name, 0});
        return value(low, high, depth + 1);
    }

    /// The value at the cursor, which [first, last) lead to.
    bool value(std::size_t first, std::size_t last, std::size_t depth) {
        for (std::size_t i = first; i < last; ++i) {
            wanted_[i].offset = cursor_.offset();
        }
        if (first == last || (!cursor_.is_at('{') && !cursor_.is_at('['))) {
            return cursor_.skip_value(0, kNesting);
        }
        const bool deeper = std::any_of(wanted_.begin() + static_cast<std::ptrdiff_t>(first), wanted_.begin() + static_cast<std::ptrdiff_t>(last),
                                        [&](const Wanted& w) { return w.steps.size() > depth; });
        if (!deeper) {
            return cursor_.skip_value(0, kNesting);
        }
        const bool is_table = cursor_.is_at('{');
        const char closer = is_table ? '}' : ']';
        const std::string_view name = depth > 0 ? last_name(wanted_[first], depth) : std::string_view();
        const bool matrix = !is_table && (name == "bindLocal" || name == "meshBindGeoToModel" || (name == "inverseBind" && depth >= 4));
        ++cursor_.at;
        cursor_.skip_space();
        std::uint64_t index = 0;
        while (!cursor_.is_at(closer)) {
            bool good = false;
            if (is_table) {
                good = field(first, last, depth);
            } else if (matrix && cursor_.is_at('[')) {
                good = row(first, last, depth, index);
            } else {
                const auto [low, high] = narrow(first, last, depth, Step{{}, index});
                good = value(low, high, depth + 1);
                ++index;
            }
            if (!good) {
                return false;
            }
            cursor_.skip_space();
            if (cursor_.is_at(',')) {
                ++cursor_.at;
                cursor_.skip_space();
            } else if (!cursor_.is_at(closer)) {
                return false;
            }
        }
        ++cursor_.at;
        return true;
    }

    static std::string_view last_name(const Wanted& w, std::size_t depth) {
        for (std::size_t i = std::min(depth, w.steps.size()); i > 0; --i) {
            if (!w.steps[i - 1].name.empty()) {
                return w.steps[i - 1].name;
            }
        }
        return {};
    }

    /// A row of a matrix: its elements are numbered on through the matrix.
    bool row(std::size_t first, std::size_t last, std::size_t depth, std::uint64_t& index) {
        ++cursor_.at;
        cursor_.skip_space();
        while (!cursor_.is_at(']')) {
            const auto [low, high] = narrow(first, last, depth, Step{{}, index});
            for (std::size_t i = low; i < high; ++i) {
                wanted_[i].offset = cursor_.offset();
            }
            ++index;
            if (!cursor_.skip_value(0, kNesting)) {
                return false;
            }
            cursor_.skip_space();
            if (cursor_.is_at(',')) {
                ++cursor_.at;
                cursor_.skip_space();
            } else if (!cursor_.is_at(']')) {
                return false;
            }
        }
        ++cursor_.at;
        return true;
    }

    TextCursor cursor_;
    std::vector<Wanted>& wanted_;
};

}  // namespace

std::vector<std::size_t> find_text_paths(std::string_view text, std::span<const std::string> paths) {
    std::vector<std::size_t> order(paths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::vector<Step>> steps;
    for (const std::string& path : paths) {
        steps.push_back(split(path));
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return steps[a] < steps[b]; });
    std::vector<Finder::Wanted> wanted;
    wanted.reserve(paths.size());
    for (const std::size_t i : order) {
        wanted.push_back(Finder::Wanted{std::move(steps[i]), 0});
    }
    Finder(text, wanted).run();
    std::vector<std::size_t> offsets(paths.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        offsets[order[k]] = wanted[k].offset;
    }
    return offsets;
}

std::size_t find_text_path(std::string_view text, const std::string& path) {
    return find_text_paths(text, std::span(&path, 1)).front();
}

}  // namespace gomkit::gom

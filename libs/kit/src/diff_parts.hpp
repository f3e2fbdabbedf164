#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gomkit/core/text.hpp>
#include <gomkit/kit/diff.hpp>
#include <gomkit/model/model.hpp>
#include <gomkit/model/skeleton.hpp>

namespace gomkit::kit {

/// |x - y| <= tolerance * max(1, |x|, |y|).
[[nodiscard]] bool near(double x, double y, double tolerance);

/// Collects differences.
class Differences {
public:
    explicit Differences(double tolerance) : tolerance_(tolerance) {}

    [[nodiscard]] double tolerance() const { return tolerance_; }
    void add(std::string place, std::string what, std::string a = {}, std::string b = {}) {
        found_.push_back({std::move(place), std::move(what), std::move(a), std::move(b)});
    }
    void only_in(char side, std::string place) { add(std::move(place), std::string("only in ") + side); }
    void text(const std::string& place, const std::string& a, const std::string& b) {
        if (a != b) {
            add(place, "differs", a, b);
        }
    }
    void count(const std::string& place, std::uint64_t a, std::uint64_t b) { text(place, std::to_string(a), std::to_string(b)); }
    void number(const std::string& place, double a, double b) {
        if (!near(a, b, tolerance_)) {
            add(place, "differs", core::number_text(a), core::number_text(b));
        }
    }
    void vector(const std::string& place, const model::Vec3& a, const model::Vec3& b);
    void matrix(const std::string& place, const model::Mat4& a, const model::Mat4& b);
    [[nodiscard]] std::vector<Difference> take() { return std::move(found_); }

private:
    double tolerance_;
    std::vector<Difference> found_;
};

/// One of the two models, with what all comparisons need.
struct DiffSide {
    const model::Model& model;
    model::Skeleton skeleton;
    std::vector<model::Mat4> binds;
    std::vector<std::string> bone_names;  ///< per node

    /// What bones are matched by, usually the path; "" for no bone.
    [[nodiscard]] std::string bone_path(model::NodeId node) const {
        return node.valid() && node.value < bone_names.size() ? bone_names[node.value] : std::string();
    }
};

/// A pair of equally named things: indices into A's and B's list, -1 where one has none. Of several things of one name the
/// first goes with the first.
struct Pair {
    std::ptrdiff_t a = -1;
    std::ptrdiff_t b = -1;
    std::string name;  ///< with "#2" for the second of its name
};
[[nodiscard]] std::vector<Pair> pair_up(const std::vector<std::string>& a, const std::vector<std::string>& b);

void diff_skeleton(const DiffSide& a, const DiffSide& b, Differences& out);
void diff_materials(const DiffSide& a, const DiffSide& b, Differences& out);
/// Blend shapes of two placed meshes: names and weights. What they move is compared with the triangles.
void diff_morphs(const std::string& place, const DiffSide& a, const model::MeshInstance& ia, const DiffSide& b, const model::MeshInstance& ib,
                 Differences& out);
void diff_meshes(const DiffSide& a, const DiffSide& b, Differences& out);
void diff_clips(const DiffSide& a, const DiffSide& b, Differences& out);

/// A material in words: its name, or "(default)".
[[nodiscard]] std::string material_name(const model::Model& model, model::MaterialId id);

}  // namespace gomkit::kit

#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <gomkit/core/report.hpp>
#include <gomkit/model/model.hpp>

/// Small skinned models, and what exporters say of them.
namespace gomkit::test {

/// The row of a finding in the report, or nullptr.
inline const core::Issue* find(const core::Report& report, core::IssueId id) {
    for (const core::Issue& issue : report.issues()) {
        if (issue.id == id) {
            return &issue;
        }
    }
    return nullptr;
}
inline std::string argument(const core::Report& report, core::IssueId id, const std::string& name) {
    if (const core::Issue* issue = find(report, id)) {
        for (const auto& [key, value] : issue->arguments) {
            if (key == name) {
                return value;
            }
        }
    }
    return "(none)";
}

/// A model with one mesh and a chain of bones one metre apart along +Y ("b0", "b0/b1", ...), more of which can be added.
class ModelMaker {
public:
    explicit ModelMaker(std::size_t bones) {
        for (std::size_t i = 0; i < bones; ++i) {
            bone("b" + std::to_string(i), i == 0 ? -1 : static_cast<int>(i) - 1, {0, i == 0 ? 0.0 : 1.0, 0});
        }
    }

    std::uint32_t bone(const std::string& name, int parent, const model::Vec3& t) {
        model::Node node;
        node.name = name;
        node.parent = parent < 0 ? model::NodeId{} : model::NodeId{static_cast<std::uint32_t>(parent)};
        node.rest.translation = t;
        node.bind_local = to_matrix(node.rest);
        node.bone = true;
        m.nodes.push_back(node);
        return static_cast<std::uint32_t>(m.nodes.size() - 1);
    }

    std::uint32_t point(const model::Vec3& p, std::vector<model::Influence> influences) {
        mesh.points.push_back(p);
        weights.push_back(std::move(influences));
        return static_cast<std::uint32_t>(mesh.points.size() - 1);
    }
    void polygon(std::initializer_list<std::uint32_t> points, std::uint32_t material = 0) {
        mesh.corner_point.insert(mesh.corner_point.end(), points);
        mesh.polygon_first.push_back(static_cast<std::uint32_t>(mesh.corner_point.size()));
        mesh.polygon_material.push_back(material);
    }

    model::Model take() {
        std::vector<model::Mat4> binds;
        model::Skin skin;
        for (std::size_t i = 0; i < m.nodes.size(); ++i) {
            const model::NodeId parent = m.nodes[i].parent;
            binds.push_back(parent.valid() ? m.nodes[i].bind_local * binds[parent.value] : m.nodes[i].bind_local);
            model::Cluster cluster;
            cluster.bone = model::NodeId{static_cast<std::uint32_t>(i)};
            EXPECT_TRUE(inverse_affine(binds[i], cluster.geometry_to_bone));
            skin.clusters.push_back(cluster);
        }
        skin.first.push_back(0);
        for (const auto& list : weights) {
            skin.influences.insert(skin.influences.end(), list.begin(), list.end());
            skin.first.push_back(static_cast<std::uint32_t>(skin.influences.size()));
        }
        mesh.skin = std::move(skin);
        mesh.polygon_first.insert(mesh.polygon_first.begin(), 0u);
        mesh.name = "skin";
        model::MeshInstance instance;
        instance.name = "skin";
        instance.mesh = model::MeshId{0};
        instance.materials = materials;
        m.meshes.push_back(std::move(mesh));
        m.instances.push_back(std::move(instance));
        return std::move(m);
    }

    model::Model m;
    model::Mesh mesh;
    std::vector<std::vector<model::Influence>> weights;
    std::vector<model::MaterialId> materials;
};

}  // namespace gomkit::test

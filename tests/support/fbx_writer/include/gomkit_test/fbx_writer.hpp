// Writes FBX files for tests: Scene (fbx_scene.hpp) -> node tree (fbx_tree.hpp) -> bytes. The same Scene gives the same bytes
// always: ids are counted, the creation time is fixed.
//
//     Scene scene;
//     const NodeRef cube = add_mesh_node(scene, "Cube", add_mesh(scene, make_cube(100)));
//     write_file("cube.fbx", write_binary(scene, 7400));
#pragma once

#include "gomkit_test/fbx_scene.hpp"
#include "gomkit_test/fbx_shapes.hpp"
#include "gomkit_test/fbx_tree.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace gomkit::testing::fbx {

enum class Encoding : std::uint8_t { Ascii, Binary };  // only binary files have a FileId; else the trees are the same

Element build_tree(const Scene& scene, int version, Encoding encoding);

std::vector<std::byte> write_ascii(const Scene& scene, int version);
std::vector<std::byte> write_binary(const Scene& scene, int version);
// The ASCII of FBX 6100; nothing where the scene has what this does not write: names twice or none, a mesh of several nodes, layers,
// cubic curves, animated properties other than T, R and S, textures, blend shapes, cameras, lights, LOD groups, raw parts.
std::optional<std::vector<std::byte>> write_ascii_6100(const Scene& scene);

// The id the object has in the file: Extra::id, or one counted within its kind. For raw connections and edits of the tree.
std::int64_t object_id(const Scene& scene, const ObjectRef& object);

// Throws std::runtime_error.
void write_file(const std::string& path, const std::vector<std::byte>& bytes);

}  // namespace gomkit::testing::fbx

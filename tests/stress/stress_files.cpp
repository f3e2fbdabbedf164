// Makes the large files of stress.py:  stress_files FOLDER
//   materials.fbx   one mesh of 100,000 faces with 10,000 materials
//   deep.fbx        100,000 nodes, each below the one before, a mesh on the last
//   big.fbx         one mesh as ASCII text of 98 MB
//   nested_*.fbx    100,000 elements of the file inside each other, text and binary: to be refused
#include <cmath>
#include <cstdio>
#include <string>

#include <gomkit_test/fbx_writer.hpp>

using namespace gomkit::testing::fbx;

namespace {

// `columns` x `rows` quads in waves, so that no two numbers are alike.
Mesh make_field(int columns, int rows) {
    Mesh mesh;
    for (int y = 0; y <= rows; ++y) {
        for (int x = 0; x <= columns; ++x) {
            mesh.points.push_back({x * 1.0, y * 1.0, std::sin(x * 0.1) + std::cos(y * 0.1)});
        }
    }
    for (int y = 0; y < rows; ++y) {
        for (int x = 0; x < columns; ++x) {
            const std::int32_t first = y * (columns + 1) + x;
            mesh.polygons.push_back({first, first + 1, first + columns + 2, first + columns + 1});
        }
    }
    return mesh;
}

std::vector<std::byte> materials() {
    Scene scene;
    const MeshRef mesh = add_mesh(scene, make_field(1000, 100));
    scene[mesh].materials = MaterialLayer{Mapping::ByPolygon, {}};
    for (std::int32_t f = 0; f < 100'000; ++f) {
        scene[mesh].materials->indices.push_back(f % 10'000);
    }
    std::vector<MaterialRef> all;
    for (int i = 0; i < 10'000; ++i) {
        all.push_back(add_material(scene, "Material " + std::to_string(i), {i / 10'000.0, 0.5, 0.5}));
    }
    add_mesh_node(scene, "Field", mesh, {}, all);
    return write_binary(scene, 7400);
}

std::vector<std::byte> deep() {
    Scene scene;
    NodeRef node;
    for (int i = 0; i < 99'999; ++i) {
        node = add_node(scene, "n", node, {0, 0, 0.001}, AttributeKind::None);
    }
    add_mesh_node(scene, "Last", add_mesh(scene, make_cube(1)), node);
    return write_binary(scene, 7500);
}

std::vector<std::byte> big() {
    Scene scene;
    Mesh mesh = make_field(1000, 840);
    Layer<Vec3> normals{"", Mapping::ByVertex, Reference::Direct, {}};
    for (const Vec3& p : mesh.points) {
        const double x = -0.1 * std::cos(p[0] * 0.1);
        const double y = 0.1 * std::sin(p[1] * 0.1);
        const double size = std::sqrt(x * x + y * y + 1);
        normals.values.push_back({x / size, y / size, 1 / size});
    }
    mesh.normals.push_back(std::move(normals));
    add_mesh_node(scene, "Field", add_mesh(scene, std::move(mesh)));
    return write_ascii(scene, 7400);
}

std::vector<std::byte> to_bytes(const std::string& text) {
    const auto* data = reinterpret_cast<const std::byte*>(text.data());
    return {data, data + text.size()};
}

std::vector<std::byte> nested_text() {
    std::string text = "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\n";
    for (int i = 0; i < 100'000; ++i) {
        text += "A:  {\n";
    }
    for (int i = 0; i < 100'000; ++i) {
        text += "}\n";
    }
    return to_bytes(text);
}

// Record headers of 32 bits, each record ending where the file does.
std::vector<std::byte> nested_binary() {
    std::string out("Kaydara FBX Binary  \0\x1a\0", 23);
    const auto u32 = [&](std::uint32_t v) {
        for (int i = 0; i < 4; ++i) {
            out += static_cast<char>(v >> (8 * i) & 0xFFu);
        }
    };
    u32(7400);
    const std::uint32_t count = 100'000;
    const std::uint32_t end = 27 + count * 14;
    for (std::uint32_t i = 0; i < count; ++i) {
        u32(end + 13 * (count - i));
        u32(0);
        u32(0);
        out += "\1A";
    }
    out += std::string(std::size_t{13} * (count + 1), '\0');
    return to_bytes(out);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: stress_files FOLDER\n");
        return 2;
    }
    const std::string folder = argv[1];
    write_file(folder + "/materials.fbx", materials());
    write_file(folder + "/deep.fbx", deep());
    write_file(folder + "/big.fbx", big());
    write_file(folder + "/nested_text.fbx", nested_text());
    write_file(folder + "/nested_binary.fbx", nested_binary());
    return 0;
}

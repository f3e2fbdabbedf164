#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include <stdlib.h>

#include <gtest/gtest.h>

#include <gomkit/codec/codec.hpp>
#include <gomkit/core/text.hpp>

/// Two small formats to test use cases with: "src" is text, one word a line; "dst" is what was written, as text.
namespace gomkit::kit::testing {

namespace fs = std::filesystem;

/// A scratch folder that is gone after the test.
class Scratch : public ::testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "gomkit-kit-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder = name;
    }
    void TearDown() override { fs::remove_all(folder); }

    [[nodiscard]] std::string path(const std::string& name) const { return folder + "/" + name; }
    std::string put(const std::string& name, const std::string& text) const {
        fs::create_directories(fs::path(path(name)).parent_path());
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }
    [[nodiscard]] std::string get(const std::string& name) const {
        std::ifstream in(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    /// All files and folders below, sorted, joined by spaces.
    [[nodiscard]] std::string list() const {
        std::set<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            names.insert(fs::relative(entry.path(), folder).string() + (entry.is_directory() ? "/" : ""));
        }
        std::string out;
        for (const std::string& name : names) {
            out += (out.empty() ? "" : " ") + name;
        }
        return out;
    }

    std::string folder;
};

inline core::Bytes to_bytes(const std::string& text) {
    const auto view = std::as_bytes(std::span(text.data(), text.size()));
    return {view.begin(), view.end()};
}

/// A triangle, a bone above it and a clip.
inline model::Model simple_model() {
    model::Model m;
    model::Node root;
    root.name = "Root";
    root.bone = true;
    m.nodes.push_back(root);
    model::Mesh mesh;
    mesh.name = "Tri";
    mesh.points = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
    mesh.corner_point = {0, 1, 2};
    mesh.polygon_first = {0, 3};
    m.meshes.push_back(mesh);
    model::MeshInstance instance;
    instance.name = "Tri";
    instance.mesh.value = 0;
    m.instances.push_back(instance);
    model::Clip clip;
    clip.name = "walk";
    clip.duration = 1;
    model::Track track;
    track.node.value = 0;
    track.translation = {{0.0, {0, 0, 0}, false}, {1.0, {0, 1, 0}, false}};
    clip.tracks.push_back(track);
    m.clips.push_back(clip);
    return m;
}

/// Lines: "texture REL [ABS]", "embedded REL TEXT", "warn", "lose KIND N", "shape NAME WEIGHT", "fail", "throw", "oom", "empty", "final".
inline core::Result<model::Model> read_src(std::span<const std::byte> bytes, const std::string&, const codec::ReadOptions&, core::Report& report) {
    model::Model m = simple_model();
    std::istringstream in(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string word;
        std::string first;
        std::string second;
        words >> word >> first >> second;
        if (word == "texture" || word == "embedded") {
            model::Texture texture;
            texture.source_relative = first == "-" ? "" : first;
            (word == "texture" ? texture.source_absolute : first) = second;
            if (word == "embedded") {
                texture.content = to_bytes(second);
            }
            model::Material material;
            material.name = "M" + std::to_string(m.materials.size());
            material.textures[0] = static_cast<std::uint32_t>(m.textures.size());
            m.textures.push_back(texture);
            m.materials.push_back(material);
        } else if (word == "warn") {
            report.add(core::IssueId::IO_TEXTURE_MISSING, {}, {{"path", "w"}});
        } else if (word == "lose") {
            report.add_loss(first, std::stoull(second));
        } else if (word == "fail") {
            return core::fail(core::Code::Malformed, {}, "bad source");
        } else if (word == "throw") {
            throw std::runtime_error("boom");
        } else if (word == "oom") {
            throw std::bad_alloc();
        } else if (word == "empty") {
            m.instances.clear();
        } else if (word == "shape") {
            model::MorphShape shape;
            shape.name = first;
            shape.weight = std::stod(second);
            shape.points = {1, 2};
            shape.offsets = {{0, 0, 1}, {0, 0, 1}};
            m.meshes[0].morphs.push_back({first, 0.25, {shape}});
            m.clips[0].morph_tracks.push_back({model::MeshId{0}, 0, {{0.0, 0.0, false}, {1.0, 1.0, false}}});
        } else if (word == "final") {
            m.meshes[0].final_vertices = true;
        }
    }
    m.source.format = "SRC 1";
    return m;
}

inline core::Result<core::Bytes> write_dst(model::Model&& m, const codec::WriteOptions&, core::Report& report) {
    std::string text = "DST";
    for (const model::Material& material : m.materials) {
        text += " " + m.textures[material.textures[0]].path;
    }
    report.add_loss("lights", 0);
    text += " hash " + core::hex_text(m.source.hash.data(), 4);
    return to_bytes(text);
}

inline codec::Registry fake_registry() {
    codec::Registry registry;
    codec::Codec src;
    src.id = "src";
    src.name = "SRC";
    src.extensions = {"src", "sr2"};
    src.read = read_src;
    registry.add(src);
    codec::Codec dst;
    dst.id = "gom";
    dst.name = "DST";
    dst.extensions = {"gom"};
    dst.probe = [](std::span<const std::byte> b, std::string_view) { return b.size() >= 3 && b[0] == std::byte{'D'} && b[1] == std::byte{'S'}; };
    dst.write = write_dst;
    dst.check = [](std::span<const std::byte>, const std::string&, const codec::CheckOptions&, core::Report& report) {
        report.add(core::IssueId::CONV_LOST, {}, {});
    };
    dst.dump = [](std::span<const std::byte>, const std::string&, std::string_view part, const codec::ReadOptions&) -> core::Result<std::string> {
        return "dump of " + std::string(part) + "\n";
    };
    registry.add(dst);
    return registry;
}

}  // namespace gomkit::kit::testing

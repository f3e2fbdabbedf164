#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "export_parts.hpp"

namespace gomkit::mv1 {

/// The weights of one shape of a channel for keys of the channel (model.hpp, MorphChannel): in-betweens get further keys where they
/// begin, peak and end.
[[nodiscard]] std::vector<model::Key<double>> shape_keys(const model::MorphChannel& channel, std::size_t shape,
                                                         const std::vector<model::Key<double>>& keys);

/// A vertex of a written mesh in terms of the model's.
struct ShapedVertex {
    std::uint32_t point = 0;
    std::uint32_t corner = 0;
};

/// Makes the shapes of one frame: one for each name among its meshes (MV1-WRITE-21). A shape has its channel's name where the channel
/// has no other, else the in-between's own.
class FrameShapes {
public:
    FrameShapes(Export& ex, std::uint32_t frame);
    /// What the mesh that was written last, of one of the model's instances, has of them; `place` takes its points to the frame,
    /// `own_normals`: the model's normals are written.
    void add(std::uint32_t instance, const model::Mat4& place, bool own_normals, std::span<const ShapedVertex> vertices);
    void finish();

private:
    struct Piece {
        std::uint32_t mesh = 0;
        std::vector<ShapeVertex> vertices;
    };
    Export& ex_;
    std::uint32_t frame_;
    std::vector<std::string> names_;           ///< per shape
    std::vector<std::vector<Piece>> pieces_;   ///< per shape
};

}  // namespace gomkit::mv1

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "export_parts.hpp"

namespace gomkit::mv1 {

/// What the .mv1 that a model was read from knew and a Model does not, for the document made anew of the changed model (MV1-WRITE-15).
/// Elements are the source's by their Origin. Gives nothing where the source was none.
class Kept {
public:
    explicit Kept(Export& ex);

    /// What the file had of what is given back.
    [[nodiscard]] std::vector<model::HeldContent> held() const;
    void give_header();
    /// Smoothing and user data of frames.
    void give_frames();
    /// `texture_of`: the written number of one of the model's textures, -1 for none.
    void give_material(std::uint32_t material, const std::function<std::int32_t(std::uint32_t)>& texture_of);
    /// Whether one of the model's textures was the file's.
    [[nodiscard]] bool has_texture(std::uint32_t texture) const;
    /// The model's texture `texture` as `out`, which has its path already.
    void give_texture(std::uint32_t texture, Texture& out);
    /// User data, where one mesh of a frame has the material.
    void give_meshes();
    void give_lights();
    void give_physics();
    void give_clip(const model::Clip& clip, AnimSet& out);

private:
    /// The source's material that one of the model's is; kNone: none.
    [[nodiscard]] std::uint32_t material_then(std::uint32_t material) const;
    [[nodiscard]] std::array<float, 3> place_now(const std::array<float, 3>& v) const;
    [[nodiscard]] std::array<float, 3> size_now(const std::array<float, 3>& v) const;
    [[nodiscard]] std::array<float, 3> angles_now(const std::array<float, 3>& v) const;

    Export& ex_;
    std::optional<Document> then_;
    Links links_;
    double factor_ = 1;                          ///< from its unit to that of the new one
    std::vector<std::uint32_t> frame_now_;       ///< per frame of it: the new number
    std::vector<std::uint32_t> texture_now_;     ///< per texture of it: the model's
    std::vector<std::uint32_t> texture_then_;    ///< per texture of the model
};

}  // namespace gomkit::mv1

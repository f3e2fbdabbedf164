#include "document.hpp"

#include <cmath>

namespace gomkit::km3 {

std::vector<std::uint32_t> base_units(const Document& document) {
    std::vector<std::uint32_t> base(document.units.size());
    for (std::uint32_t i = 0; i < document.unit_count; ++i) {
        base[i] = i;
        for (std::int32_t e = document.units[i].extend; e >= 0; e = document.units[static_cast<std::size_t>(e)].extend) {
            base[static_cast<std::size_t>(e)] = i;
        }
    }
    return base;
}

std::vector<std::array<double, 3>> rest_origins(const Document& document) {
    std::vector<std::array<double, 3>> out(document.units.size());
    for (std::size_t i = 0; i < document.unit_count; ++i) {
        const Unit& unit = document.units[i];
        for (std::size_t c = 0; c < 3; ++c) {
            const double above = unit.parent < 0 ? 0.0 : out[static_cast<std::size_t>(unit.parent)][c];
            out[i][c] = above + static_cast<double>(unit.origin[c]);
        }
    }
    const std::vector<std::uint32_t> base = base_units(document);
    for (std::size_t i = document.unit_count; i < out.size(); ++i) {
        out[i] = out[base[i]];
    }
    return out;
}

bool is_unit_length(const Vec4f& n) {
    double squared = 0;
    for (std::size_t c = 0; c < 3; ++c) {
        squared += static_cast<double>(n[c]) * static_cast<double>(n[c]);
    }
    return std::fabs(squared - 1) <= 2e-6;
}

}  // namespace gomkit::km3

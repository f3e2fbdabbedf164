#include "quantise.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include <gomkit/runtime/math.hpp>

namespace gomkit::ps1 {
namespace {

// NaN fails both comparisons.
double limited(double value, double low, double high) { return value >= high ? high : value > low ? value : value <= low ? low : 0; }

}  // namespace

std::int16_t q16(double value) { return static_cast<std::int16_t>(limited(runtime::exact::rint(value), -32768, 32767)); }

Vec3s16 to_file(const model::Vec3& v, double one) { return {q16(-v.x * one), q16(-v.y * one), q16(-v.z * one)}; }

double rounded_down(double value) {
    double power = 1;
    while (value * power < 100 && power < 1e22) {
        power *= 10;
    }
    return runtime::exact::floor(value * power) / power;
}

std::uint8_t uv8(double coordinate) { return static_cast<std::uint8_t>(limited(runtime::exact::rint(coordinate * 255), 0, 255)); }

std::uint8_t face_bone(const std::array<std::uint8_t, 3>& bones) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (bones[k] == bones[(k + 1) % 3]) {
            return bones[k];
        }
    }
    // The order of the original converter's sets of small numbers.
    std::array<std::optional<std::uint8_t>, 8> table;
    for (const std::uint8_t bone : bones) {
        std::size_t rest = bone;
        std::size_t slot = bone & 7u;
        while (table[slot]) {
            rest >>= 5;
            slot = (5 * slot + 1 + rest) & 7u;
        }
        table[slot] = bone;
    }
    return **std::find_if(table.begin(), table.end(), [](const auto& entry) { return entry.has_value(); });
}

}  // namespace gomkit::ps1

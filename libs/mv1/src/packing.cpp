#include "packing.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <gomkit/core/text.hpp>

#include "document.hpp"

namespace gomkit::mv1 {
namespace {

constexpr double kSteps = 60000;   // of a box, and of a range of keys
constexpr double kTurn = 6.283185307179586476925;
constexpr double kTurnSteps = 65535;

double power_of_ten(unsigned exponent) {
    double out = 1;
    for (unsigned i = 0; i < exponent; ++i) {
        out *= 10;
    }
    return out;
}

struct Coded {
    std::uint8_t byte = 0;
    double value = 0;
};

// The largest value that a least byte can say and that is not above `least`; none below -10^15.
std::optional<Coded> least_byte(double least) {
    std::optional<Coded> best;
    const auto offer = [&](std::uint8_t byte, double value) {
        if (value <= least && (!best || value > best->value)) {
            best = Coded{byte, value};
        }
    };
    offer(0x80, 0);
    for (unsigned e = 0; e < 16; ++e) {
        const double power = power_of_ten(e);
        const auto low = static_cast<std::uint8_t>(e);
        offer(low, power);
        offer(low | 0x40, -power);
        offer(low | 0x20, 1 / power);
        offer(low | 0x60, -1 / power);
    }
    return best;
}

// The smallest unit that a byte can say with which `range` has at most kSteps.
std::optional<Coded> unit_byte(double range) {
    std::optional<Coded> best;
    for (unsigned e = 0; e < 8; ++e) {
        for (unsigned i = 1; i <= 14; ++i) {
            for (const bool small : {true, false}) {
                const double value = small ? i / power_of_ten(e) : i * power_of_ten(e);
                if (value * kSteps >= range && (!best || value < best->value)) {
                    best = Coded{static_cast<std::uint8_t>(i | e << 4 | (small ? 0x80u : 0u)), value};
                }
            }
        }
    }
    return best;
}

}  // namespace

void Packing::report(const Options& options, core::Report& report) const {
    const auto say = [&](const char* what, const char* type, const Part& part, const char* unit) {
        if (part.count != 0) {
            report.add(core::IssueId::MV1_PACKED, {},
                       {{"what", what}, {"type", type}, {"count", std::to_string(part.count)}, {"error", core::short_number(part.error) + unit}});
        }
    };
    say("positions", "u16", positions, " m");
    say("normals", options.normals == NormalType::S16 ? "s16" : "s8", normals, " degrees");
    say("weights", "u8", weights, "");
    say("translations of keys", "u16", translations, " m");
    say("rotations of keys", "u16", rotations, " degrees");
    say("scales of keys", "u16", scales, "");
    say("weights of blend shapes in keys", "u16", morphs, "");
}

void put_positions(core::Writer& out, std::span<const std::array<float, 3>> positions) {
    std::array<float, 3> least{};
    std::array<float, 3> width{};
    for (std::size_t k = 0; k < 3 && !positions.empty(); ++k) {
        const auto by = [k](const auto& a, const auto& b) { return a[k] < b[k]; };
        const auto [low, high] = std::minmax_element(positions.begin(), positions.end(), by);
        least[k] = (*low)[k];
        // Rounded up, so that the largest is inside.
        width[k] = static_cast<float>(wide((*high)[k]) - wide(least[k]));
        width[k] = wide(width[k]) < wide((*high)[k]) - wide(least[k]) ? std::nextafter(width[k], HUGE_VALF) : width[k];
        out.f32(least[k]);
        out.f32(width[k]);
    }
    for (const std::array<float, 3>& p : positions) {
        for (std::size_t k = 0; k < 3; ++k) {
            const double steps = width[k] > 0 ? (wide(p[k]) - wide(least[k])) / wide(width[k]) * kSteps : 0;
            out.u16(static_cast<std::uint16_t>(std::isfinite(steps) ? std::clamp(std::floor(steps + 0.5), 0.0, kSteps) : 0));
        }
    }
}

void put_normals(core::Writer& out, std::span<const std::array<float, 3>> normals, NormalType type) {
    const bool small = type == NormalType::S8;
    const double whole = small ? 127 : 32767;
    for (const std::array<float, 3>& n : normals) {
        for (const float v : n) {
            const double steps = std::isfinite(v) ? std::clamp(std::floor(wide(v) * whole + 0.5), -whole, whole) : 0;
            small ? out.put(static_cast<std::int8_t>(steps)) : out.put(static_cast<std::int16_t>(steps));
        }
    }
}

bool put_keys(core::Writer& out, std::uint16_t& flag, bool rotation, std::span<const float> values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    if (values.empty() || !std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); })) {
        return false;
    }
    if (rotation) {
        const bool positive = *low >= 0;   // as DxLib prefers it; quaternions lie between -1 and 1
        if (wide(*low) < -kTurn / 2 || wide(*high) > kTurn / 2) {
            return false;
        }
        flag |= positive ? 0x500 : 0x300;
        for (const float v : values) {
            const double steps = (wide(v) + (positive ? 0 : kTurn / 2)) / kTurn * kTurnSteps;
            out.u16(static_cast<std::uint16_t>(v < 0 ? std::ceil(steps) : std::floor(steps)));
        }
        return true;
    }
    const std::optional<Coded> least = least_byte(wide(*low));
    const std::optional<Coded> unit = least ? unit_byte(wide(*high) - least->value) : std::nullopt;
    if ((flag & 0x001u) != 0 || !unit) {
        return false;
    }
    flag |= 0x100;
    out.put(least->byte);
    out.put(unit->byte);
    for (const float v : values) {
        out.u16(static_cast<std::uint16_t>(std::floor((wide(v) - least->value) / unit->value + 0.5)));
    }
    return true;
}

bool put_even_times(core::Writer& out, std::uint16_t& flag, std::span<const float> times) {
    if (times.size() < 2) {
        return false;
    }
    const double start = wide(times[0]);
    const double step = wide(times[1]) - start;
    const auto fits = [](double v) { return v >= 0 && v <= 65535 && std::floor(v) == v; };
    if (!fits(start) || !fits(step) || step == 0) {
        return false;
    }
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (wide(times[i]) != start + static_cast<double>(i) * step) {
            return false;
        }
    }
    flag |= 0x008 | 0x040;
    if (start == 0) {
        flag |= 0x020;
    } else {
        flag |= 0x010;
        out.u16(static_cast<std::uint16_t>(start));
    }
    out.u16(static_cast<std::uint16_t>(step));
    return true;
}

}  // namespace gomkit::mv1

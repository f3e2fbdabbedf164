#include "biped_motion.hpp"

#include <algorithm>

#include <gomkit/runtime/math.hpp>

namespace gomkit::ps1::biped {
namespace {

namespace exact = runtime::exact;
using model::Quat;

constexpr double kPi = 3.14159265358979323846;

/// Of a half turn, by degrees.
struct Half {
    explicit Half(double degrees) : sin(exact::sin(degrees * kPi / 360)), cos(exact::cos(degrees * kPi / 360)) {}
    double sin, cos;
};
Quat turn_x(double degrees) { const Half h(degrees); return {h.sin, 0, 0, h.cos}; }
Quat turn_z(double degrees) { const Half h(degrees); return {0, 0, h.sin, h.cos}; }

/// Sine of the turns made by `time`, one a `period`.
double swing(double time, double period) { return exact::sin(2 * kPi * time / period); }

Pose idle(double time, double height) {
    const double breath = swing(time, 3);
    Pose p;
    p.rotations[kSpine] = turn_x(2 * breath);
    p.rotations[kHead] = multiply(turn_x(-2 * breath), about_y(4 * swing(time, 6)));
    p.rotations[kUpperArmL] = turn_z(3 * breath);
    p.rotations[kUpperArmR] = turn_z(-3 * breath);
    p.root.y = 0.004 * height * breath;
    return p;
}

struct Gait {
    double period;           // seconds
    double leg, arm, knee;   // degrees
    double bob;              // of the height
};

Pose stride(const Gait& gait, double time, double height) {
    const double k = swing(time, gait.period);
    const auto bend = [&](double phase) { return turn_x(gait.knee * std::max(0.0, exact::sin(2 * kPi * (time / gait.period + phase)))); };
    Pose p;
    p.rotations[kThighL] = turn_x(-gait.leg * k);
    p.rotations[kThighR] = turn_x(gait.leg * k);
    p.rotations[kShinL] = bend(0.15);
    p.rotations[kShinR] = bend(0.65);
    p.rotations[kUpperArmL] = turn_x(gait.arm * k);
    p.rotations[kUpperArmR] = turn_x(-gait.arm * k);
    p.rotations[kForearmL] = p.rotations[kForearmR] = turn_x(-20);
    p.rotations[kSpine] = multiply(about_y(6 * k), turn_x(-3));
    p.rotations[kHead] = about_y(-6 * k);
    p.root.y = gait.bob * height * exact::fabs(k);
    return p;
}
Pose walk(double time, double height) { return stride({1, 30, 25, 45, 0.012}, time, height); }
Pose run(double time, double height) { return stride({0.6, 45, 45, 70, 0.03}, time, height); }

Pose wave(double time, double) {
    Pose p;
    p.rotations[kUpperArmR] = turn_z(150);
    p.rotations[kForearmR] = turn_z(30 * swing(time, 0.8));
    p.rotations[kHead] = turn_z(8 * swing(time, 1.6));
    p.rotations[kSpine] = turn_z(3 * swing(time, 1.6));
    return p;
}

Pose punch(double time, double) {
    const double turns = time / 0.6;
    const double part = turns - exact::floor(turns);
    const auto extended = [](double u) { return u >= 0 && u < 1 ? std::max(0.0, exact::sin(kPi * u)) : 0.0; };
    const double left = extended(2 * part);
    const double right = extended(2 * (part - 0.5));
    Pose p;
    p.rotations[kSpine] = multiply(about_y(15 * (left - right)), turn_x(-8));
    p.rotations[kUpperArmL] = multiply(turn_x(-90 * left - 20), turn_z(20));
    p.rotations[kUpperArmR] = multiply(turn_x(-90 * right - 20), turn_z(-20));
    p.rotations[kForearmL] = turn_x(-110 * (1 - left) - 10);
    p.rotations[kForearmR] = turn_x(-110 * (1 - right) - 10);
    p.rotations[kThighL] = multiply(turn_x(-10), turn_z(10));
    p.rotations[kThighR] = multiply(turn_x(10), turn_z(-10));
    p.rotations[kShinL] = p.rotations[kShinR] = turn_x(15);
    return p;
}

}  // namespace

Quat about_y(double degrees) { const Half h(degrees); return {0, h.sin, 0, h.cos}; }

const std::array<Motion, 5>& motions() {
    static constexpr std::array<Motion, 5> kMotions{{{"idle", 3, idle}, {"walk", 1, walk}, {"run", 0.6, run}, {"wave", 1.6, wave}, {"punch", 1.2, punch}}};
    return kMotions;
}

}  // namespace gomkit::ps1::biped

// Each piece is a closed surface over (u, v): u runs around, v along. Its texture rectangle is painted by asking, for each
// texel, where on the piece it lies: colours are functions of place, so nothing is distorted and seams do not show.
#include "hero_body.hpp"

#include <functional>
#include <tuple>

namespace hero {

const std::array<BoneInfo, kBoneCount> kBones = {{
    {"Hips", kBoneCount, {0, 64, 0}},
    {"Spine", Hips, {0, 73, 0}},
    {"Chest", Spine, {0, 85, 0}},
    {"Neck", Chest, {0, 100, 0}},
    {"Head", Neck, {0, 104, 0}},
    {"Shoulder.L", Chest, {7, 96, 0}},
    {"UpperArm.L", ShoulderL, {15.5, 95, 0}},
    {"ForeArm.L", UpperArmL, {29.288, 83.431, 0}},
    {"Hand.L", ForeArmL, {42.31, 72.504, 0}},
    {"Shoulder.R", Chest, {-7, 96, 0}},
    {"UpperArm.R", ShoulderR, {-15.5, 95, 0}},
    {"ForeArm.R", UpperArmR, {-29.288, 83.431, 0}},
    {"Hand.R", ForeArmR, {-42.31, 72.504, 0}},
    {"Thigh.L", Hips, {9, 58, 0}},
    {"Shin.L", ThighL, {9.5, 34, 1}},
    {"Foot.L", ShinL, {9.5, 9, -1}},
    {"Thigh.R", Hips, {-9, 58, 0}},
    {"Shin.R", ThighR, {-9.5, 34, 1}},
    {"Foot.R", ShinR, {-9.5, 9, -1}},
    {"Tail1", Hips, {0, 61, -10}},
    {"Tail2", Tail1, {0, 53, -31}},
    {"Tail3", Tail2, {0, 66, -50}},
}};

Vec arm_direction() { return {0.766, -0.6427, 0}; }

namespace {

constexpr double kUpperArm = 18, kForeArm = 17;  // lengths; the hand follows

// ------------------------------------------------------------------------------------------------------------- colours

struct Color {
    double r = 0, g = 0, b = 0;
    friend Color operator+(Color p, Color q) { return {p.r + q.r, p.g + q.g, p.b + q.b}; }
    friend Color operator-(Color p, Color q) { return {p.r - q.r, p.g - q.g, p.b - q.b}; }
    friend Color operator*(Color p, double s) { return {p.r * s, p.g * s, p.b * s}; }
};

constexpr Color kFur{232, 126, 48}, kFurDark{196, 88, 34}, kCream{255, 238, 214}, kSock{70, 44, 42}, kEarInside{255, 196, 170};
constexpr Color kTunic{38, 132, 136}, kTunicDark{24, 96, 108}, kTrim{244, 196, 92}, kTrousers{72, 70, 98}, kScarf{214, 54, 58},
    kScarfStripe{255, 214, 150};
constexpr Color kLeather{140, 88, 52}, kLeatherDark{96, 58, 38}, kSole{62, 44, 40}, kBelt{86, 52, 38}, kGold{250, 206, 96},
    kPack{178, 124, 74}, kRoll{104, 142, 84};
constexpr Color kInk{44, 28, 34};

// Value noise of integer hashes: the same on every machine.
double lattice(int x, int y, int z) {
    auto h = static_cast<std::uint32_t>(x) * 374761393U + static_cast<std::uint32_t>(y) * 668265263U +
             static_cast<std::uint32_t>(z) * 2147483647U;
    h = (h ^ h >> 13U) * 1274126177U;
    return static_cast<double>((h ^ h >> 16U) & 0xffffU) / 65535.0;
}
double noise(Vec p) {
    const double fx = std::floor(p.x), fy = std::floor(p.y), fz = std::floor(p.z);
    const int x = static_cast<int>(fx), y = static_cast<int>(fy), z = static_cast<int>(fz);
    const double tx = smooth(0, 1, p.x - fx), ty = smooth(0, 1, p.y - fy), tz = smooth(0, 1, p.z - fz);
    const auto edge = [&](int dy, int dz) { return mix(lattice(x, y + dy, z + dz), lattice(x + 1, y + dy, z + dz), tx); };
    return mix(mix(edge(0, 0), edge(1, 0), ty), mix(edge(0, 1), edge(1, 1), ty), tz);
}
// Fur strokes run down: fine across, long along y.
Color furry(Color c, Vec p) { return c * (0.95 + 0.10 * noise({p.x * 0.9, p.y * 0.22, p.z * 0.9})); }
Color woven(Color c, Vec p) { return c * (0.97 + 0.06 * noise({p.x * 0.45, p.y * 0.45, p.z * 0.45})); }

// 1 on a line of that half-width about 0, falling over `blur`.
double line(double distance, double half_width, double blur = 0.35) {
    return 1 - smooth(half_width, half_width + blur, std::fabs(distance));
}

// ------------------------------------------------------------------------------------------------------------ surfaces

struct Rect {
    double x = 0, y = 0, w = 0, h = 0;  // texels
};

struct Surface {
    std::function<Vec(double u, double v)> at;
    std::size_t nu = 0, nv = 0;
    bool pole_start = true, pole_end = true;  // first / last row is one point
    bool wrap_v = false;                      // torus
    Rect rect;
    std::function<std::pair<double, double>(Vec)> planar;  // place -> rectangle coordinates 0..1, instead of (u, v)
    std::function<Influences(Vec)> influences;
    std::function<Color(double s, double t, Vec p)> paint;
    double crease_degrees = 55;  // edges sharper than this are hard
};

struct Ring {
    Vec center;
    double rx = 1, rf = 1, rb = 1;  // right, forward, back
    double n = 2;                   // 2 = ellipse, more = boxier
};

Ring operator*(Ring a, double s) { return {a.center * s, a.rx * s, a.rf * s, a.rb * s, a.n * s}; }
Ring operator+(Ring a, Ring b) { return {a.center + b.center, a.rx + b.rx, a.rf + b.rf, a.rb + b.rb, a.n + b.n}; }

// Catmull-Rom rows between the given ones.
std::vector<Ring> refined(const std::vector<Ring>& rings, std::size_t parts) {
    std::vector<Ring> out;
    for (std::size_t i = 0; i + 1 < rings.size(); ++i) {
        const Ring &a = rings[i == 0 ? 0 : i - 1], &b = rings[i], &c = rings[i + 1],
                   &d = rings[std::min(i + 2, rings.size() - 1)];
        for (std::size_t k = 0; k < parts; ++k) {
            const double t = static_cast<double>(k) / static_cast<double>(parts), t2 = t * t, t3 = t2 * t;
            Ring r = a * (-0.5 * t3 + t2 - 0.5 * t) + b * (1.5 * t3 - 2.5 * t2 + 1) + c * (-1.5 * t3 + 2 * t2 + 0.5 * t) +
                     d * (0.5 * t3 - 0.5 * t2);
            r.rx = std::max(r.rx, 0.0);
            r.rf = std::max(r.rf, 0.0);
            r.rb = std::max(r.rb, 0.0);
            out.push_back(r);
        }
    }
    out.push_back(rings.back());
    return out;
}

double power(double x, double e) { return x < 0 ? -std::pow(-x, e) : std::pow(x, e); }

// Surface of the rings; `forward` is about the rings' forward axis. The seam (u = 0) is at the back.
std::function<Vec(double, double)> loft(std::vector<Ring> rings, Vec forward) {
    std::vector<std::pair<Vec, Vec>> axes;  // right, forward
    for (std::size_t i = 0; i < rings.size(); ++i) {
        std::size_t a = i, b = i;
        while (a > 0 && length(rings[b].center - rings[a].center) < 0.5) {
            --a;
        }
        while (b + 1 < rings.size() && length(rings[b].center - rings[a].center) < 1.0) {
            ++b;
        }
        if (i > 0 && i + 1 < rings.size() && length(rings[i + 1].center - rings[i - 1].center) > 0.5) {
            a = i - 1;
            b = i + 1;
        }
        const Vec along = normalized(rings[b].center - rings[a].center);
        const Vec f = normalized(forward - along * dot(along, forward));
        Vec right = cross(along, f);
        if (i > 0 && dot(right, axes.back().first) < 0) {  // where the path turns back on itself the ring must not
            right = right * -1;
        }
        axes.emplace_back(right, f);
    }
    return [rings = std::move(rings), axes = std::move(axes)](double u, double v) {
        const double k = std::clamp(v, 0.0, 1.0) * static_cast<double>(rings.size() - 1);
        const std::size_t i = std::min(static_cast<std::size_t>(k), rings.size() - 2);
        const double t = k - static_cast<double>(i);
        const double angle = 2 * kPi * (u - 0.25), c = std::cos(angle), s = std::sin(angle);
        const auto point = [&](std::size_t j) {
            const Ring& r = rings[j];
            const double px = power(c, 2 / r.n) * r.rx, pf = power(s, 2 / r.n) * (s < 0 ? r.rb : r.rf);
            return r.center + axes[j].first * px + axes[j].second * pf;
        };
        return mix(point(i), point(i + 1), t);
    };
}

Surface lofted(std::vector<Ring> rings, std::size_t nu, Vec forward) {
    Surface s;
    s.nu = nu;
    s.nv = rings.size() - 1;
    s.at = loft(std::move(rings), forward);
    return s;
}

// Box-like for exponents below 1. The poles are at the bottom and top.
Surface ellipsoid(Vec center, Vec radii, double across, double up, std::size_t nu, std::size_t nv) {
    Surface s;
    s.nu = nu;
    s.nv = nv;
    s.at = [=](double u, double v) {
        const double theta = 2 * kPi * (u - 0.25), phi = kPi * (v - 0.5);
        const double c = power(std::cos(phi), up);
        return center + Vec{radii.x * c * power(std::cos(theta), across), radii.y * power(std::sin(phi), up),
                            radii.z * c * power(std::sin(theta), across)};
    };
    return s;
}

std::size_t other_side(std::size_t bone) {
    if (bone >= ShoulderL && bone <= HandR) {
        return bone <= HandL ? bone + 4 : bone - 4;
    }
    if (bone >= ThighL && bone <= FootR) {
        return bone <= FootL ? bone + 3 : bone - 3;
    }
    return bone;
}

Surface mirror(const Surface& s) {
    Surface m = s;
    m.at = [at = s.at](double u, double v) { return mirrored(at(u, v)); };
    m.influences = [f = s.influences](Vec p) {
        Influences out = f(mirrored(p));
        for (auto& [bone, weight] : out) {
            bone = other_side(bone);
        }
        return out;
    };
    if (s.planar) {
        m.planar = [f = s.planar](Vec p) { return f(mirrored(p)); };
    }
    m.paint = nullptr;  // shares the texture
    return m;
}

// ---------------------------------------------------------------------------------------------------------- influences

Influences blend(const Influences& a, const Influences& b, double t) {
    Influences out;
    for (const auto& [bone, w] : a) {
        out.emplace_back(bone, w * (1 - t));
    }
    for (const auto& [bone, w] : b) {
        const auto it = std::find_if(out.begin(), out.end(), [bone = bone](const auto& o) { return o.first == bone; });
        if (it == out.end()) {
            out.emplace_back(bone, w * t);
        } else {
            it->second += w * t;
        }
    }
    return out;
}

Influences torso_influences(Vec p) {
    Influences w = blend({{Hips, 1}}, {{Spine, 1}}, smooth(66, 78, p.y));
    w = blend(w, {{Chest, 1}}, smooth(78, 90, p.y));
    w = blend(w, {{Neck, 1}}, smooth(100, 105, p.y));
    // The skirt follows the legs, most at the hem.
    const double skirt = smooth(63, 47, p.y) * 0.80;
    const Influences legs = blend({{ThighR, 1}}, {{ThighL, 1}}, smooth(-9, 9, p.x));
    w = blend(w, legs, skirt);
    // The sides under the arms move a little with the shoulders.
    const double side = smooth(11, 18, std::fabs(p.x)) * smooth(86, 96, p.y) * 0.35;
    return blend(w, {{p.x > 0 ? ShoulderL : ShoulderR, 1}}, side);
}

double along_arm(Vec p) { return dot(p - kBones[UpperArmL].position, arm_direction()); }

Influences arm_influences(Vec p) {
    const double a = along_arm(p);
    Influences w = blend({{ShoulderL, 1}}, {{UpperArmL, 1}}, smooth(-5, 4, a));
    w = blend(w, {{ForeArmL, 1}}, smooth(kUpperArm - 4.5, kUpperArm + 4.5, a));
    return blend(w, {{HandL, 1}}, smooth(kUpperArm + kForeArm - 3, kUpperArm + kForeArm + 2.5, a));
}

Influences leg_influences(Vec p) {
    Influences w = blend({{Hips, 1}}, {{ThighL, 1}}, smooth(62, 54, p.y));
    w = blend(w, {{ShinL, 1}}, smooth(40, 28, p.y));
    return blend(w, {{FootL, 1}}, smooth(15, 7, p.y + std::max(0.0, p.z - 6) * -0.6));
}

Influences tail_influences(Vec p) {
    Influences w = blend({{Hips, 1}}, {{Tail1, 1}}, smooth(-6, -16, p.z));
    w = blend(w, {{Tail2, 1}}, smooth(-25, -38, p.z));
    return blend(w, {{Tail3, 1}}, smooth(59, 74, p.y) * smooth(-40, -46, p.z));
}

std::function<Influences(Vec)> only(std::size_t bone) {
    return [bone](Vec) { return Influences{{bone, 1}}; };
}

// ------------------------------------------------------------------------------------------------------------ the pieces

constexpr Vec kHeadCenter{0, 128, 0};
constexpr Vec kHeadRadii{26.5, 22.5, 23};

double blunt(double x, double width) {
    return std::exp(-std::fabs(x / width) * (x / width) * (x / width));
}  // flatter on top than bump()

// u = 0.5 is the front.
Vec head_at(double u, double v) {
    const double x = u - 0.5;
    const double theta = 2 * kPi * x - 0.58 * std::sin(2 * kPi * x);  // finer at the face
    const double phi = kPi * (v - 0.5);
    const Vec dir{std::cos(phi) * std::sin(theta), std::sin(phi), std::cos(phi) * std::cos(theta)};
    Vec p = kHeadCenter + Vec{dir.x * kHeadRadii.x, dir.y * kHeadRadii.y, dir.z * kHeadRadii.z};
    // A flatter, wider jaw.
    const double low = smooth(0.1, -0.9, dir.y);
    p.x *= 1 + 0.10 * low;
    p.y += 2.2 * low * low;
    // Cheek tufts: outward and a little down.
    const double side = std::fabs(theta) - 1.32;
    const double tuft = bump(side, 0.36) * bump(phi + 0.36, 0.30);
    p.x += (dir.x < 0 ? -1 : 1) * 8.2 * tuft;
    p.y -= 3.2 * tuft;
    // The muzzle.
    const double muzzle = blunt(theta, 0.47) * blunt(phi + 0.47, 0.41);
    p.z += 10.2 * muzzle;
    p.y -= 0.3 * muzzle;
    p.x *= 1 - 0.10 * muzzle;
    // Eye sockets, shallow.
    const double socket = bump(std::fabs(theta) - 0.50, 0.26) * bump(phi - 0.08, 0.30);
    p.z -= 1.2 * socket;
    return p;
}

Color head_paint(Vec p) {
    const double ax = std::fabs(p.x), z = p.z;
    // The white mask: up beside the muzzle to the cheeks, open over the nose bridge.
    const double border =
        117.6 + 5.0 * smooth(2.5, 9.5, ax) + 3.4 * smooth(15, 27, ax) + 1.0 * noise({p.x * 0.55, p.y * 0.2, p.z * 0.5});
    const double front = smooth(-8, 0, z + std::max(0.0, ax - 17) * 0.9);
    double mask = smooth(border + 0.7, border - 0.7, p.y) * front;
    mask = std::max(mask, smooth(110.5, 108, p.y));
    Color fur = mix(kFurDark, kFur, smooth(104, 134, p.y));
    // A darker crown stripe and brow shading.
    fur = mix(fur, kFurDark, 0.75 * bump(p.x, 4.2) * smooth(136, 146, p.y) * smooth(24, 8, z));
    Color c = mix(furry(fur, p), furry(kCream, p), mask);
    // Blush.
    const double blush = bump(ax - 16.2, 4.6) * bump(p.y - 119.5, 2.9) * smooth(2, 9, z);
    c = mix(c, Color{250, 138, 116}, 0.55 * blush);
    // Cream brow spots and dark brows, one side raised by a touch: it looks curious.
    if (z > 5) {
        const double spot_x = ax - 9.4, spot_y = p.y - 143.6;
        const double spot = smooth(1.25, 0.75, std::sqrt(spot_x * spot_x / 8 + spot_y * spot_y / 2.2));
        c = mix(c, kCream, 0.95 * spot);
    }
    // Mouth: from under the nose down, then a smile to each side.
    if (z > 14 && p.y < 121) {
        const double smile = 114.9 + 0.085 * ax * ax - 0.6 * smooth(1.6, 0, ax);
        const double ink = line(p.y - smile, 0.24, 0.34) * smooth(4.9, 3.7, ax) * smooth(20.0, 21.2, z);
        const double philtrum = line(p.x, 0.20, 0.3) * smooth(119, 118.2, p.y) * smooth(114.1, 114.5, p.y);
        c = mix(c, kInk, 0.92 * std::max(ink, philtrum));
    }
    return c;
}

Color eye_paint(double s, double t)  // s right, t down, over the front disc
{
    const double x = (s - 0.5) * 2, y = (t - 0.5) * 2;
    const double r = std::sqrt(x * x + y * y);
    Color c = mix(Color{50, 30, 34}, Color{150, 84, 40}, smooth(-0.2, 0.85, y));
    c = mix(c, Color{30, 20, 26}, smooth(0.52, 0.42, std::sqrt(x * x + (y + 0.02) * (y + 0.02) * 0.8)));  // pupil
    c = mix(c, Color{206, 128, 58}, 0.75 * bump(x, 0.42) * bump(y - 0.56, 0.20));
    c = mix(c, kInk, smooth(0.78, 0.88, r));  // rim
    c = mix(c, Color{255, 255, 255}, smooth(0.28, 0.23, std::sqrt((x + 0.26) * (x + 0.26) + (y + 0.38) * (y + 0.38))));
    c = mix(c, Color{255, 246, 232}, smooth(0.14, 0.10, std::sqrt((x - 0.30) * (x - 0.30) + (y - 0.26) * (y - 0.26))));
    return c;
}

const std::vector<Ring>& torso_rings() {
    static const std::vector<Ring> rings = {
        {{0, 55, 0}, 0, 0, 0},           // closed inside the skirt
        {{0, 45.6, 0}, 21.4, 18.2, 18},  // hem, inner edge
        {{0, 45.6, 0}, 22.4, 19.4, 19},
        {{0, 50, 0}, 21.4, 18.4, 18},
        {{0, 57, 0}, 19.4, 16.4, 16},
        {{0, 69, 0}, 16.0, 12.8, 12.4},
        {{0, 76, 0}, 16.8, 13.8, 12.6, 2.1},
        {{0, 84, 0}, 17.6, 14.0, 12.8, 2.2},
        {{0, 91, 0}, 17.4, 13.0, 12.6, 2.2},
        {{0, 96.5, 0}, 15.6, 11.2, 11.6, 2.1},
        {{0, 101, 0}, 11.5, 9.0, 9.6},
        {{0, 105, 0}, 8.6, 7.8, 8.0},
        {{0, 110, 0}, 7.6, 7, 7},
        {{0, 111, 0}, 0, 0, 0},
    };
    return rings;
}

Color torso_paint(Vec p) {
    if (p.y > 100.5) {
        return furry(kCream, p);
    }
    Color c = mix(kTunicDark, kTunic, smooth(46, 92, p.y));
    c = woven(c, p);
    // Gold hem with a darker seam above, a front placket with stitches, and a V at the neck.
    if (p.y < 68) {
        c = mix(c, kTrim, line(p.y - 46.6, 1.5));
        c = mix(c, kTunicDark * 0.8, 0.8 * line(p.y - 49.1, 0.3));
        c = mix(c, kTunicDark * 0.72,
                0.55 * line(std::fabs(std::fabs(p.x) - 9.5), 0.35, 0.5) * smooth(66, 62, p.y) * (p.z > 0 ? 1 : 0));  // pleats
    }
    if (p.z > 0 && p.y > 70) {
        const double v = 86 + std::fabs(p.x) * 1.6;
        c = mix(c, kCream, smooth(v - 0.4, v + 0.4, p.y));
        c = mix(c, kTrim, line(p.y - v + 0.9, 0.75));
        c = mix(c, kTunicDark * 0.7, 0.8 * line(p.x, 0.25) * smooth(86, 85, p.y));
        for (const double y : {75.5, 80.5}) {  // buttons
            const double d = std::sqrt((p.x - 2.2) * (p.x - 2.2) + (p.y - y) * (p.y - y));
            c = mix(c, kTunicDark * 0.6, smooth(1.5, 1.1, d));
            c = mix(c, kGold, smooth(1.15, 0.85, d));
        }
    }
    return c;
}

class Assembler {
public:
    void add(Surface s) {
        // Outward means positive volume.
        const double volume = signed_volume(s);
        Piece piece;
        piece.surface = std::move(s);
        piece.flipped = volume < 0;
        emit(piece);
        pieces_.push_back(std::move(piece));
    }
    void add_pair(const Surface& s) {
        add(s);
        add(mirror(s));
    }

    Body finish() {
        normals();
        occlusion();
        paint();
        return std::move(body_);
    }

private:
    struct Piece {
        Surface surface;
        bool flipped = false;
        std::vector<std::vector<std::int32_t>> rows;  // point of row j, column i
        std::size_t first_polygon = 0, end_polygon = 0;
    };

    static double v_of(const Surface& s, std::size_t j) { return static_cast<double>(j) / static_cast<double>(s.nv); }
    static double u_of(const Surface& s, std::size_t i) { return static_cast<double>(i) / static_cast<double>(s.nu); }

    static double signed_volume(const Surface& s) {
        double sum = 0;
        for (std::size_t j = 0; j < s.nv; ++j) {
            for (std::size_t i = 0; i < s.nu; ++i) {
                const Vec a = s.at(u_of(s, i), v_of(s, j)), b = s.at(u_of(s, i + 1), v_of(s, j)),
                          c = s.at(u_of(s, i + 1), v_of(s, j + 1)), d = s.at(u_of(s, i), v_of(s, j + 1));
                sum += dot(a, cross(b, c)) + dot(a, cross(c, d));
            }
        }
        return sum;
    }

    void emit(Piece& piece) {
        const Surface& s = piece.surface;
        for (std::size_t j = 0; j <= s.nv; ++j) {
            std::vector<std::int32_t> row;
            const bool pole = (j == 0 && s.pole_start && !s.wrap_v) || (j == s.nv && s.pole_end && !s.wrap_v);
            if (j == s.nv && s.wrap_v) {
                row = piece.rows.front();
            } else {
                for (std::size_t i = 0; i < (pole ? 1 : s.nu); ++i) {
                    Vec p = s.at(u_of(s, i), v_of(s, j));
                    p = {rounded(p.x), rounded(p.y), rounded(p.z)};
                    row.push_back(static_cast<std::int32_t>(body_.points.size()));
                    body_.points.push_back(p);
                    body_.influences.push_back(limited(s.influences(p)));
                }
                row.resize(s.nu, row.front());
            }
            piece.rows.push_back(std::move(row));
        }
        piece.first_polygon = body_.polygons.size();
        for (std::size_t j = 0; j < s.nv; ++j) {
            for (std::size_t i = 0; i < s.nu; ++i) {
                struct At {
                    std::size_t i, j;
                };
                std::vector<At> corners = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
                const auto point = [&](At a) { return piece.rows[a.j][a.i % s.nu]; };
                const bool start = point(corners[0]) == point(corners[1]), end = point(corners[2]) == point(corners[3]);
                if (start) {
                    corners.erase(corners.begin() + 1);
                } else if (end) {
                    corners.erase(corners.begin() + 3);
                }
                std::vector<Corner> polygon;
                for (const At a : corners) {
                    double u = u_of(s, a.i), v = v_of(s, a.j);
                    if ((start && a.j == j) || (end && a.j == j + 1)) {
                        u = (static_cast<double>(i) + 0.5) / static_cast<double>(s.nu);
                    }
                    if (s.planar) {
                        std::tie(u, v) = s.planar(body_.points[static_cast<std::size_t>(point(a))]);
                    }
                    Corner c;
                    c.point = point(a);
                    c.u = rounded((s.rect.x + u * s.rect.w) / kTextureSize, 1e6);
                    c.v = rounded(1 - (s.rect.y + v * s.rect.h) / kTextureSize, 1e6);
                    polygon.push_back(c);
                }
                if (piece.flipped) {
                    std::reverse(polygon.begin(), polygon.end());
                }
                body_.polygons.push_back(std::move(polygon));
            }
        }
        piece.end_polygon = body_.polygons.size();
    }

    // At most four, steps of 1/10000, sum exactly 1.
    static Influences limited(Influences w) {
        std::stable_sort(w.begin(), w.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
        w.resize(std::min<std::size_t>(w.size(), 4));
        double sum = 0;
        for (const auto& i : w) {
            sum += i.second;
        }
        double rest = 1;
        for (std::size_t k = w.size(); k-- > 1;) {
            w[k].second = rounded(w[k].second / sum);
            rest -= w[k].second;
        }
        w[0].second = rounded(rest);
        std::erase_if(w, [](const auto& i) { return i.second <= 0; });
        return w;
    }

    Vec polygon_normal(const std::vector<Corner>& polygon) const  // length = twice the area
    {
        Vec n;
        for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
            n = n + cross(at(polygon[k]) - at(polygon[0]), at(polygon[k + 1]) - at(polygon[0]));
        }
        return n;
    }
    Vec at(const Corner& c) const { return body_.points[static_cast<std::size_t>(c.point)]; }

    void normals() {
        std::vector<std::vector<std::size_t>> users(body_.points.size());
        std::vector<Vec> faces;
        for (std::size_t f = 0; f < body_.polygons.size(); ++f) {
            faces.push_back(polygon_normal(body_.polygons[f]));
            for (const Corner& c : body_.polygons[f]) {
                users[static_cast<std::size_t>(c.point)].push_back(f);
            }
        }
        point_normals_.resize(body_.points.size());
        for (std::size_t p = 0; p < users.size(); ++p) {
            for (const std::size_t f : users[p]) {
                point_normals_[p] = point_normals_[p] + faces[f];
            }
            point_normals_[p] = normalized(point_normals_[p]);
        }
        for (const Piece& piece : pieces_) {
            const double limit = std::cos(piece.surface.crease_degrees * kPi / 180);
            for (std::size_t f = piece.first_polygon; f < piece.end_polygon; ++f) {
                const Vec own = normalized(faces[f]);
                for (Corner& c : body_.polygons[f]) {
                    Vec n;
                    for (const std::size_t g : users[static_cast<std::size_t>(c.point)]) {
                        if (dot(own, normalized(faces[g])) > limit) {
                            n = n + faces[g];
                        }
                    }
                    n = normalized(n);
                    c.normal = {rounded(n.x, 1e6), rounded(n.y, 1e6), rounded(n.z, 1e6)};
                }
            }
        }
    }

    // How open each point is to the sky around it: rays of 22 cm against the whole body and the ground's darkness below.
    void occlusion() {
        struct Box {
            Vec low{1e9, 1e9, 1e9}, high{-1e9, -1e9, -1e9};
        };
        struct Triangle {
            Vec a, e1, e2;
        };
        std::vector<std::pair<Box, std::vector<Triangle>>> groups;
        for (const Piece& piece : pieces_) {
            auto& [box, triangles] = groups.emplace_back();
            for (std::size_t f = piece.first_polygon; f < piece.end_polygon; ++f) {
                const auto& polygon = body_.polygons[f];
                for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
                    const Vec a = at(polygon[0]);
                    triangles.push_back({a, at(polygon[k]) - a, at(polygon[k + 1]) - a});
                }
                for (const Corner& c : polygon) {
                    const Vec p = at(c);
                    box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y), std::min(box.low.z, p.z)};
                    box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y), std::max(box.high.z, p.z)};
                }
            }
        }
        constexpr int rays = 40;
        constexpr double reach = 22;
        std::vector<Vec> directions;  // a fixed set: whole-number lattice directions, near uniform
        std::uint32_t state = 12345;
        while (directions.size() < rays) {
            const auto next = [&state] {
                state = state * 1664525U + 1013904223U;
                return static_cast<double>(state >> 8U) / 8388608.0 - 1;
            };
            const Vec d{next(), next(), next()};
            if (dot(d, d) <= 1 && dot(d, d) > 0.01) {
                directions.push_back(normalized(d));
            }
        }
        open_.assign(body_.points.size(), 1);
        for (std::size_t p = 0; p < body_.points.size(); ++p) {
            const Vec n = point_normals_[p], origin = body_.points[p] + n * 0.3;
            double sum = 0, hits = 0;
            for (Vec d : directions) {
                double facing = dot(d, n);
                if (facing < 0) {
                    d = d * -1;
                    facing = -facing;
                }
                double nearest = reach;
                for (const auto& [box, triangles] : groups) {
                    if (box.low.x - origin.x > std::max(d.x * reach, 0.0) || box.high.x - origin.x < std::min(d.x * reach, 0.0) ||
                        box.low.y - origin.y > std::max(d.y * reach, 0.0) || box.high.y - origin.y < std::min(d.y * reach, 0.0) ||
                        box.low.z - origin.z > std::max(d.z * reach, 0.0) || box.high.z - origin.z < std::min(d.z * reach, 0.0)) {
                        continue;
                    }
                    for (const Triangle& t : triangles) {
                        const Vec q = cross(d, t.e2);
                        const double det = dot(t.e1, q);
                        if (std::fabs(det) < 1e-9) {
                            continue;
                        }
                        const Vec s = origin - t.a;
                        const double b1 = dot(s, q) / det;
                        if (b1 < 0 || b1 > 1) {
                            continue;
                        }
                        const Vec r = cross(s, t.e1);
                        const double b2 = dot(d, r) / det;
                        const double distance = dot(t.e2, r) / det;
                        if (b2 >= 0 && b1 + b2 <= 1 && distance > 0 && distance < nearest) {
                            nearest = distance;
                        }
                    }
                }
                sum += facing;
                hits += facing * (1 - nearest / reach);
            }
            open_[p] = 1 - hits / sum;
        }
    }

    double openness(const Piece& piece, double u, double v) const {
        const Surface& s = piece.surface;
        const double x = std::clamp(u, 0.0, 1.0) * static_cast<double>(s.nu),
                     y = std::clamp(v, 0.0, 1.0) * static_cast<double>(s.nv);
        const std::size_t i = std::min(static_cast<std::size_t>(x), s.nu - 1),
                          j = std::min(static_cast<std::size_t>(y), s.nv - 1);
        const auto value = [&](std::size_t a, std::size_t b) { return open_[static_cast<std::size_t>(piece.rows[b][a % s.nu])]; };
        const double tx = x - static_cast<double>(i), ty = y - static_cast<double>(j);
        return mix(mix(value(i, j), value(i + 1, j), tx), mix(value(i, j + 1), value(i + 1, j + 1), tx), ty);
    }

    void paint() {
        body_.texture.assign(kTextureSize * kTextureSize * 3, 0);
        for (std::size_t i = 0; i < body_.texture.size(); i += 3) {
            body_.texture[i] = 128;
            body_.texture[i + 1] = 96;
            body_.texture[i + 2] = 80;
        }
        constexpr int margin = 2;  // painted beyond the rectangle, for filtering
        for (const Piece& piece : pieces_) {
            const Surface& s = piece.surface;
            if (!s.paint) {
                continue;
            }
            const int x0 = static_cast<int>(s.rect.x), y0 = static_cast<int>(s.rect.y), w = static_cast<int>(s.rect.w),
                      h = static_cast<int>(s.rect.h);
            for (int y = y0 - margin; y < y0 + h + margin; ++y) {
                for (int x = x0 - margin; x < x0 + w + margin; ++x) {
                    if (x < 0 || y < 0 || x >= static_cast<int>(kTextureSize) || y >= static_cast<int>(kTextureSize)) {
                        continue;
                    }
                    Color sum;
                    for (int k = 0; k < 4; ++k) {
                        const double u = std::clamp((x + 0.25 + 0.5 * (k % 2) - s.rect.x) / s.rect.w, 0.0, 1.0);
                        const double v = std::clamp((y + 0.25 + 0.5 * (k / 2) - s.rect.y) / s.rect.h, 0.0, 1.0);
                        if (s.planar) {
                            sum = sum + s.paint(u, v, {});
                            continue;
                        }
                        const Color c = s.paint(u, v, s.at(u, v));
                        const double open = smooth(-0.15, 0.95, openness(piece, u, v));
                        const Color shade{0.50 + 0.50 * open, 0.38 + 0.62 * open, 0.42 + 0.58 * open};
                        sum = sum + Color{c.r * shade.r, c.g * shade.g, c.b * shade.b};
                    }
                    std::uint8_t* const texel =
                        &body_.texture[(static_cast<std::size_t>(y) * kTextureSize + static_cast<std::size_t>(x)) * 3];
                    const auto byte = [](double c) {
                        return static_cast<std::uint8_t>(std::clamp(rounded(c / 4, 256), 0.0, 254.9) + 0.5);
                    };
                    texel[0] = byte(sum.r);
                    texel[1] = byte(sum.g);
                    texel[2] = byte(sum.b);
                }
            }
        }
    }

    Body body_;
    std::vector<Piece> pieces_;
    std::vector<Vec> point_normals_;
    std::vector<double> open_;
};

// The point of the face in front of (x, y), by Newton's method in the head's parameters.
Vec face_at(double x, double y) {
    double u = 0.5 + std::asin(std::clamp(x / kHeadRadii.x, -0.9, 0.9)) / (2 * kPi) * 1.6,
           v = 0.5 + std::asin(std::clamp((y - kHeadCenter.y) / kHeadRadii.y, -0.9, 0.9)) / kPi;
    for (int k = 0; k < 12; ++k) {
        constexpr double h = 1e-4;
        const Vec p = head_at(u, v), pu = (head_at(u + h, v) - p) * (1 / h), pv = (head_at(u, v + h) - p) * (1 / h);
        const double dx = x - p.x, dy = y - p.y, det = pu.x * pv.y - pv.x * pu.y;
        u += std::clamp((dx * pv.y - dy * pv.x) / det, -0.05, 0.05);
        v += std::clamp((dy * pu.x - dx * pu.y) / det, -0.05, 0.05);
    }
    return head_at(u, v);
}

// The head is drawn a little smaller and higher than it is.
constexpr Vec kGrowFrom{0, 105, 0}, kGrowShift{0, -3.2, 0};
constexpr double kGrow = 1.09;

Surface grown(Surface s) {
    const auto back = [](Vec p) { return kGrowFrom + (p - kGrowShift - kGrowFrom) * (1 / kGrow); };
    s.at = [at = s.at](double u, double v) { return kGrowFrom + (at(u, v) - kGrowFrom) * kGrow + kGrowShift; };
    if (s.planar) {
        s.planar = [f = s.planar, back](Vec p) { return f(back(p)); };
    }
    if (s.paint) {
        s.paint = [f = s.paint, back](double u, double v, Vec p) { return f(u, v, back(p)); };
    }
    return s;
}

void add_head(Assembler& out) {
    Surface head;
    head.nu = 22;
    head.nv = 12;
    head.crease_degrees = 180;
    head.at = head_at;
    head.rect = {2, 2, 284, 204};
    head.influences = only(Head);
    head.paint = [](double, double, Vec p) { return head_paint(p); };
    out.add(grown(head));

    // Ears: flattened cones, hollow in front.
    const Vec base{14.5, 141, -1}, tip{23.5, 171, -5};
    const Vec out_of_front = normalized(Vec{0.28, 0, 1});
    std::vector<Ring> ear_rings;
    const std::vector<std::array<double, 4>> ear_shape = {// along, half width, front, back
                                                          {-0.18, 0, 0, 0},      {-0.15, 9.5, 4.5, 7.5}, {0.08, 10.2, 3.2, 7.6},
                                                          {0.34, 8.8, 0.9, 6.8}, {0.62, 5.9, 0.4, 5.0},  {0.88, 2.4, 0.4, 2.2},
                                                          {1.0, 0, 0, 0}};
    for (const auto& r : ear_shape) {
        const double bend = r[0] * (1 - r[0]) * 3.2;  // outer edge bulges
        ear_rings.push_back({mix(base, tip, r[0]) + Vec{bend, 0, 0}, r[1], r[2], r[3], 2});
    }
    Surface ear = lofted(ear_rings, 8, out_of_front);
    ear.rect = {370, 214, 76, 60};
    ear.influences = only(Head);
    ear.paint = [](double u, double v, Vec p) {
        const double dark = smooth(157.5, 159.5, p.y + 1.2 * noise(p * 0.6));
        Color c = mix(kFur, kSock, dark);
        const double across = std::fabs(u - 0.5);
        const double inside = smooth(0.118, 0.092, across) * smooth(0.84, 0.76, v) * smooth(0.15, 0.3, v);
        c = mix(c, mix(kEarInside, kCream, smooth(0.5, 0.2, v)), inside);
        return furry(c, p);
    };
    out.add_pair(grown(ear));

    // Eyes: lenses that lie on the face.
    const double ex = 5.5, ey = 7.8, eye_x = 10.9, eye_y = 129.2, tilt = 4;
    const Rotation turn = about_z(-tilt);
    Surface eye;
    eye.nu = 14;
    eye.nv = 4;
    eye.at = [=](double u, double v) {  // v: from the middle of the back over the rim to the middle of the front
        const double r = std::sin(kPi * v), a = 2 * kPi * u;
        const Vec q = turn * Vec{ex * r * std::cos(a), ey * r * std::sin(a), 0};
        Vec p = face_at(eye_x + q.x, eye_y + q.y);
        p.z += v > 0.5 ? 0.35 + 1.5 * std::sqrt(std::max(0.0, 1 - r * r)) : v == 0.5 ? 0.35 : -2.0;
        return p;
    };
    eye.rect = {450, 214, 60, 84};
    eye.planar = [=](Vec p) {
        const Vec q = transposed(turn) * (p - Vec{eye_x, eye_y, p.z});
        return std::pair(0.5 + 0.47 * q.x / ex, 0.5 - 0.47 * q.y / ey);
    };
    eye.influences = only(Head);
    eye.paint = [](double s, double t, Vec) { return eye_paint(0.5 + (s - 0.5) / 0.94, 0.5 + (t - 0.5) / 0.94); };
    out.add(grown(eye));
    Surface right = mirror(eye);  // not mirrored in the texture: the light comes from one side
    right.planar = [=](Vec p) {
        const Vec q = transposed(turn) * (mirrored(p) - Vec{eye_x, eye_y, p.z});
        return std::pair(0.5 - 0.47 * q.x / ex, 0.5 - 0.47 * q.y / ey);
    };
    out.add(grown(right));

    // Brows.
    Surface brow = lofted({{{5.6, 140.2, 19.2}, 0, 0, 0},
                           {{6.0, 140.3, 19.2}, 0.8, 0.8, 0.8},
                           {{9.6, 140.9, 17.6}, 1.1, 0.9, 0.9},
                           {{13.4, 138.9, 15.8}, 0.7, 0.7, 0.7},
                           {{14.0, 138.5, 15.4}, 0, 0, 0}},
                          4, {0.3, 0, 1});
    brow.rect = {402, 302, 44, 20};
    brow.influences = only(Head);
    brow.paint = [](double, double, Vec) { return kSock; };
    out.add_pair(grown(brow));

    Surface nose = ellipsoid({0, 119.8, face_at(0, 119.8).z + 0.7}, {3.2, 2.2, 2.3}, 1, 0.9, 8, 4);
    nose.rect = {370, 280, 28, 20};
    nose.influences = only(Head);
    nose.paint = [](double, double, Vec p) {
        const double shine = bump(p.x + 0.9, 0.8) * bump(p.y - 121.0, 0.7);
        return mix(Color{46, 32, 38}, Color{235, 225, 225}, 0.8 * shine);
    };
    out.add(grown(nose));

    // A tuft of hair, swept to one side.
    struct Lock {
        Vec root, mid, tip;
        double r;
    };
    for (const Lock& l : {Lock{{0, 147, 8}, {1.5, 156.5, 12}, {7.5, 158.0, 17.5}, 4.4},
                          Lock{{-3.5, 147, 5}, {-4.5, 156, 8.5}, {-1.0, 160.5, 13}, 3.9},
                          Lock{{4.5, 146, 5}, {9, 153, 9}, {14.5, 152.5, 14}, 3.5}}) {
        Surface lock = lofted({{l.root, 0, 0, 0},
                               {mix(l.root, l.mid, 0.05), l.r, l.r, l.r},
                               {mix(l.root, l.mid, 0.55), l.r * 1.05, l.r * 0.9, l.r * 0.9},
                               {l.mid, l.r * 0.8, l.r * 0.65, l.r * 0.65},
                               {mix(l.mid, l.tip, 0.6), l.r * 0.4, l.r * 0.35, l.r * 0.35},
                               {l.tip, 0, 0, 0}},
                              6, {1, 0, 0.2});
        lock.crease_degrees = 89;
        lock.rect = {4, 464, 56, 44};
        lock.influences = only(Head);
        lock.paint = [](double, double v, Vec p) { return furry(mix(kFur, Color{255, 170, 84}, smooth(0.45, 0.95, v)), p); };
        out.add(grown(lock));
    }
}

void add_torso(Assembler& out) {
    Surface torso = lofted(torso_rings(), 16, {0, 0, 1});
    torso.rect = {290, 2, 220, 148};
    torso.influences = torso_influences;
    torso.paint = [](double, double, Vec p) { return torso_paint(p); };
    out.add(torso);

    // Belt: a band about the waist, and its buckle.
    std::vector<Ring> band = {{{0, 66.2, 0}, 15, 12, 12},
                              {{0, 65.8, 0}, 17.4, 14.2, 13.9},
                              {{0, 70.6, 0}, 17.2, 14.0, 13.5},
                              {{0, 70.4, 0}, 15, 12, 12}};
    band.push_back(band.front());
    Surface belt = lofted(band, 16, {0, 0, 1});
    belt.wrap_v = true;
    belt.rect = {290, 190, 220, 20};
    belt.influences = [](Vec p) { return torso_influences({p.x * 0.6, p.y, p.z}); };
    belt.paint = [](double, double, Vec p) {
        Color c = woven(kBelt, p);
        return mix(c, kBelt * 1.45, 0.6 * std::max(line(p.y - 66.7, 0.2, 0.25), line(p.y - 69.9, 0.2, 0.25)));
    };
    out.add(belt);
    Surface buckle = ellipsoid({0, 68.3, 14.2}, {3.6, 3.2, 1.2}, 0.35, 0.35, 8, 4);
    buckle.rect = {402, 280, 44, 18};
    buckle.influences = [](Vec p) { return torso_influences({0, p.y, p.z}); };
    buckle.paint = [](double, double, Vec p) {
        const double hole = smooth(1.9, 1.5, std::max(std::fabs(p.x) * 0.85, std::fabs(p.y - 68.3)));
        return mix(kGold, kBelt * 0.8, hole * (p.z > 14 ? 1 : 0));
    };
    out.add(buckle);

    // Pouch on the right hip.
    Surface pouch = ellipsoid({-16.3, 62.5, 7.6}, {4.4, 4.8, 3.4}, 0.6, 0.6, 8, 5);
    const Rotation hip = about_y(-42);
    pouch.at = [at = pouch.at, hip](double u, double v) {
        const Vec c{-16.3, 62.5, 7.6};
        return c + hip * (at(u, v) - c);
    };
    pouch.rect = {116, 464, 76, 44};
    pouch.influences = [](Vec) { return torso_influences({-9, 61, 8}); };
    pouch.paint = [](double, double, Vec p) {
        Color c = woven(kLeather, p);
        c = mix(c, kLeather * 1.18, smooth(62.4, 62.8, p.y));
        c = mix(c, kLeatherDark, 0.8 * line(p.y - 62.4, 0.3));
        const Vec q = p - Vec{-18.6, 61.9, 10.1};
        return mix(c, kGold, smooth(1.5, 1.1, length(q)));
    };
    out.add(pouch);
}

void add_scarf(Assembler& out) {
    const auto influences = [](Vec p) { return blend({{Chest, 1}}, {{Neck, 1}}, 0.35 + 0.35 * smooth(100, 108, p.y)); };
    Surface ring;
    ring.nu = 18;
    ring.nv = 6;
    ring.wrap_v = true;
    ring.at = [](double u, double v) {
        const double a = 2 * kPi * (u - 0.25), b = 2 * kPi * v;
        const double fold = 1 + 0.09 * std::sin(5 * a + 1.3) + 0.06 * std::sin(3 * a);
        const double r = 4.5 * fold * std::cos(b), h = (4.3 + 0.5 * std::sin(2 * a)) * std::sin(b);
        return Vec{std::cos(a) * (12.2 + r), 103.4 + h - 1.8 * std::sin(a), 0.4 + std::sin(a) * (10.9 + r)};
    };
    ring.rect = {290, 154, 220, 32};
    ring.influences = influences;
    ring.paint = [](double u, double v, Vec p) {
        const double fold = 0.5 + 0.5 * std::sin(2 * kPi * (v * 2 + 0.6 * std::sin(2 * kPi * u * 3)));
        return woven(kScarf, p) * (0.86 + 0.16 * fold);
    };
    out.add(ring);

    Surface knot = ellipsoid({7.0, 99.6, 13.0}, {4.0, 4.4, 3.4}, 0.9, 0.9, 6, 4);
    knot.rect = {66, 464, 46, 44};
    knot.influences = influences;
    knot.paint = [](double u, double, Vec p) { return woven(kScarf, p) * (0.88 + 0.12 * std::sin(u * 25)); };
    out.add(knot);

    const auto hang = [](Vec p) { return torso_influences({p.x * 0.6, std::max(p.y, 80.0) + 2, p.z}); };
    for (const int k : {0, 1}) {
        const double s = k == 0 ? 0 : 1;
        std::vector<Ring> rings = {{{7.2, 99.5, 14.4}, 0, 0, 0},
                                   {{7.2, 99.2, 14.6}, 2.2, 1.6, 1.6, 2.6},
                                   {{mix(8.6, 5.4, s), 94, mix(15.6, 16.4, s)}, 3.3, 1.3, 1.3, 3},
                                   {{mix(10.2, 4.0, s), 87, mix(15.6, 17.4, s)}, 3.9, 1.2, 1.2, 3},
                                   {{mix(11.4, 3.0, s), mix(79.0, 81.0, s), mix(15.4, 17.0, s)}, 4.4, 1.2, 1.2, 3},
                                   {{mix(12.2, 2.4, s), mix(73.0, 76.5, s), mix(15.8, 16.8, s)}, 4.6, 1.1, 1.1, 3},
                                   {{mix(12.2, 2.4, s), mix(72.8, 76.3, s), mix(15.8, 16.8, s)}, 0, 0, 0}};
        Surface strip = lofted(rings, 6, {0.1, 0, 1});
        strip.rect = {322, 342, 52, 116};
        strip.influences = hang;
        if (k == 0) {
            strip.paint = [](double, double v, Vec p) {
                Color c = woven(kScarf, p) * (0.94 + 0.06 * std::sin(p.x * 2.2));
                const double stripe = std::max(line(v - 0.66, 0.014, 0.008), line(v - 0.72, 0.014, 0.008));
                c = mix(c, kScarfStripe, stripe);
                return mix(c, kScarfStripe, smooth(0.775, 0.785, v));
            };
        }
        out.add(strip);
    }
}

void add_arms(Assembler& out) {
    const Vec d = arm_direction(), shoulder = kBones[UpperArmL].position, front{0, 0, 1};
    const auto ring = [&](double a, double across, double depth, double n = 2) {
        return Ring{shoulder + d * a, across, depth, depth, n};
    };
    Surface arm = lofted({ring(-1, 0, 0), ring(0, 5.4, 5.6), ring(10, 5.7, 5.7), ring(14.5, 5.3, 5.4), ring(18, 5.2, 5.5),
                          ring(21, 5.2, 5.4), ring(28, 5.5, 5.3), ring(34, 5.2, 5.0), ring(38, 6.4, 5.4, 2.2),
                          ring(42, 7.2, 5.6, 2.3), ring(46.5, 6.8, 5.2, 2.3), ring(49.5, 4.8, 3.9, 2.2), ring(50.8, 0, 0)},
                         8, front);
    arm.rect = {2, 214, 124, 116};
    arm.influences = arm_influences;
    arm.paint = [=](double, double, Vec p) {
        const double a = dot(p - shoulder, d);
        Color c = mix(kFur, kSock, smooth(24.2, 25.4, a + 1.5 * noise({p.x * 0.8, p.y * 0.8, p.z * 0.8})));
        c = furry(c, p);
        // Fingers: two soft lines over the tip, and pads inside the hand.
        const Vec q = p - (shoulder + d * a);
        c = mix(c, kSock * 0.55, 0.8 * line(std::fabs(q.z) - 1.7, 0.22, 0.3) * smooth(44.2, 45.2, a));
        return c;
    };
    out.add_pair(arm);

    const Vec wrist = shoulder + d * 39.0;
    Surface thumb = lofted({{wrist + front * 2, 0, 0, 0},
                            {wrist + front * 2.3, 2.4, 2.6, 2.6},
                            {wrist + front * 5.4 + d * 2.0, 2.4, 2.5, 2.5},
                            {wrist + front * 7.4 + d * 5.0, 2.1, 2.2, 2.2},
                            {wrist + front * 8.0 + d * 7.4, 1.1, 1.2, 1.2},
                            {wrist + front * 8.0 + d * 8.2, 0, 0, 0}},
                           6, {1, 0.6, 0});
    thumb.rect = {450, 302, 60, 34};
    thumb.influences = arm_influences;
    thumb.paint = [](double, double, Vec p) { return furry(kSock, p); };
    out.add_pair(thumb);

    Surface sleeve = lofted({ring(-7, 0, 0), ring(-6.5, 6.4, 6.6), ring(-2, 8.0, 8.0), ring(4, 8.5, 8.4), ring(12.6, 9.4, 9.0),
                             ring(12.8, 8.5, 8.2), ring(9.5, 0, 0)},
                            10, front);
    sleeve.rect = {130, 214, 92, 48};
    sleeve.influences = [](Vec p) { return arm_influences(p - arm_direction() * 1.5); };
    sleeve.paint = [=](double, double, Vec p) {
        const double a = dot(p - shoulder, d);
        Color c = woven(mix(kTunic, kTunicDark, smooth(10, -4, a) * 0.35), p);
        c = mix(c, kTrim, smooth(10.2, 10.5, a));
        return mix(c, kTunicDark * 0.8, 0.8 * line(a - 9.6, 0.22));
    };
    out.add_pair(sleeve);
}

void add_legs(Assembler& out) {
    Surface leg = lofted({{{9, 58, 0}, 0, 0, 0},
                          {{9, 57.5, 0}, 7.2, 8.4, 9},
                          {{9.2, 49, 0}, 7.9, 8.6, 9.2},
                          {{9.3, 44, 0.7}, 8.7, 9.6, 9.6},
                          {{9.4, 40, 1}, 8.0, 8.6, 8.6},
                          {{9.5, 36.5, 1.1}, 7.7, 8.1, 8.0},
                          {{9.5, 33, 1}, 7.5, 7.8, 7.8},
                          {{9.5, 29.5, 0.6}, 7.4, 7.6, 7.8},
                          {{9.5, 24.5, 0.2}, 7.0, 7.2, 7.4},
                          {{9.5, 24, 0}, 0, 0, 0}},
                         8, {0, 0, 1});
    leg.rect = {130, 266, 92, 68};
    leg.influences = leg_influences;
    leg.paint = [](double, double, Vec p) {
        Color c = woven(mix(kTrousers * 0.85, kTrousers, smooth(28, 44, p.y)), p);
        // A knee patch with stitches.
        const double x = p.x - 9.4, y = p.y - 36.5;
        if (p.z > 0) {
            const double edge = std::max(std::fabs(x) / 4.3, std::fabs(y) / 3.9);
            c = mix(c, Color{104, 98, 132}, smooth(1.04, 0.98, edge));
            c = mix(c, Color{190, 180, 204},
                    0.8 * line(edge - 0.86, 0.03, 0.04) * (std::fmod(std::fabs(x + y) + 20, 1.6) < 0.9 ? 1.0 : 0.0));
        }
        return c;
    };
    out.add_pair(leg);

    const Rotation toe_out = about_y(9);
    const auto ring = [&](double y, double z, double rx, double rf, double rb, double n = 2.2) {
        return Ring{{0, y, z}, rx, rf, rb, n};
    };
    Surface boot =
        lofted({ring(26, 0, 0, 0, 0), ring(29.6, 0, 8.0, 8.6, 8.6), ring(29.6, 0, 9.2, 9.9, 9.9), ring(24.2, 0, 9.3, 10.0, 10.0),
                ring(23.8, 0, 7.9, 8.6, 8.6), ring(17, -0.6, 7.2, 8.6, 8.2), ring(12.8, -1, 7.4, 12.0, 8.4),
                ring(10.2, -1, 8.0, 16.8, 8.8, 2.2), ring(6.6, -1, 8.5, 20.2, 9.2, 2.3), ring(3.3, -1, 8.5, 21.0, 9.3, 2.4),
                ring(3.1, -1, 9.2, 22.0, 10.1, 2.4), ring(0, -1, 9.0, 21.6, 9.9, 2.4), ring(0, -1, 0, 0, 0)},
               10, {0, 0, 1});
    boot.at = [at = boot.at, toe_out](double u, double v) { return Vec{9.5, 0, 0} + toe_out * at(u, v); };
    boot.rect = {226, 214, 140, 124};
    boot.influences = leg_influences;
    boot.paint = [](double, double, Vec p) {
        Color c = woven(mix(kLeatherDark, kLeather, smooth(4, 18, p.y)), p);
        if (p.y > 23.9) {
            c = woven(Color{206, 154, 98}, p);  // cuff
            c = mix(c, kLeatherDark, 0.7 * line(p.y - 25.2, 0.25));
        }
        const double cap = p.z - 0.55 * p.y - 7.5;
        c = mix(c, kLeatherDark * 0.92, smooth(-0.2, 0.3, cap));
        c = mix(c, kScarfStripe * 0.72, 0.6 * line(cap + 0.9, 0.16, 0.3));
        if (p.y < 3.45) {
            c = p.y < 0.2 ? kSole * 0.7 : kSole * (p.y > 2.9 ? 1.35 : 1.0);
        }
        // A strap over the instep.
        if (p.y > 10 && p.y < 20) {
            c = mix(c, kBelt * 0.9, line(p.y - 13.6, 1.5, 0.25));
            const double d = std::sqrt((p.z + 0.5) * (p.z + 0.5) + (p.y - 13.6) * (p.y - 13.6));
            c = mix(c, kGold, p.x > 9.5 ? smooth(1.7, 1.3, d) : 0.0);
        }
        return c;
    };
    out.add_pair(boot);
}

void add_pack(Assembler& out) {
    const auto pack_influences = only(Chest);
    Surface pack = ellipsoid({0, 82.5, -20.5}, {14.6, 13.4, 8.4}, 0.5, 0.5, 12, 6);
    pack.rect = {2, 342, 172, 116};
    pack.influences = [](Vec p) { return blend({{Spine, 1}}, {{Chest, 1}}, smooth(66, 82, p.y)); };
    pack.paint = [](double, double, Vec p) {
        Color c = woven(mix(kPack * 0.85, kPack, smooth(70, 92, p.y)), p);
        const double flap = 83.5 + 0.03 * p.x * p.x;
        const double on = smooth(flap - 0.25, flap + 0.25, p.y) * (p.z < -14 ? 1 : 0);
        c = mix(c, kLeather, on);
        c = mix(c, kLeatherDark * 0.8, 0.9 * line(p.y - flap + 0.3, 0.28) * (p.z < -14 ? 1 : 0));
        c = mix(c, kScarfStripe,
                0.75 * line(p.y - flap - 1.3, 0.16, 0.2) * (p.z < -14 && std::fmod(std::fabs(p.x) + 0.4, 1.8) < 1.1 ? 1 : 0));
        if (p.z < -18) {
            for (const double x : {-6.5, 6.5}) {
                c = mix(c, kBelt, line(p.x - x, 1.1, 0.2) * smooth(75.0, 75.4, p.y) * smooth(91, 90, p.y));
                const double d = std::max(std::fabs(p.x - x), std::fabs(p.y - 80));
                c = mix(c, kGold, smooth(1.7, 1.45, d) * smooth(0.6, 0.9, d));
            }
        }
        return c;
    };
    out.add(pack);

    // Bedroll on top: a cylinder with spiral ends.
    const auto ring = [](double x, double r) { return Ring{{x, 99.2, -20.5}, r, r, r}; };
    Surface roll = lofted({ring(-16.5, 0), ring(-16.4, 5.3), ring(-9.8, 5.5), ring(-8.6, 5.0), ring(-7.4, 5.5), ring(7.4, 5.5),
                           ring(8.6, 5.0), ring(9.8, 5.5), ring(16.4, 5.3), ring(16.5, 0)},
                          8, {0, 0, 1});
    roll.rect = {178, 342, 108, 68};
    roll.influences = pack_influences;
    roll.paint = [](double u, double, Vec p) {
        Color c = woven(kRoll, p) * (0.94 + 0.06 * std::sin(u * 40));
        c = mix(c, kRoll * 1.28, line(std::fabs(p.x) - 13.4, 0.7, 0.2));
        c = mix(c, kBelt, line(std::fabs(p.x) - 8.6, 1.0, 0.2));
        if (std::fabs(p.x) > 16.1) {
            const Vec q = p - Vec{p.x, 99.2, -20.5};
            c = mix(kRoll * 0.6, kRoll * 1.2, 0.5 + 0.5 * std::sin(length(q) * 3.6));
        }
        return c;
    };
    out.add(roll);

    // Straps, from the pack over the shoulder and back under the arm.
    const std::vector<Vec> path = {{9.5, 93, -14.5},  {9.7, 98.5, -10.5}, {9.8, 102.2, -4.5}, {9.9, 102.4, 1.5},
                                   {10.2, 99.0, 7.2}, {10.8, 93.0, 11.4}, {11.2, 86.0, 13.1}, {12.0, 79.5, 12.6},
                                   {14.6, 74.5, 9.0}, {16.4, 73.0, 2.0},  {14.5, 73.5, -8},   {12.5, 74.5, -14.5}};
    std::vector<Ring> rings;
    rings.push_back({path.front(), 0, 0, 0});
    for (const Vec& p : path) {
        rings.push_back({p, 1.7, 0.95, 0.95, 3});
    }
    rings.push_back({path.back(), 0, 0, 0});
    Surface strap = lofted(rings, 4, {0, 0, 1});
    // Forward is outward from the chest, which turns along the way.
    std::vector<std::array<Vec, 2>> frames;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const Vec along = normalized(path[std::min(i + 1, path.size() - 1)] - path[i == 0 ? 0 : i - 1]);
        const Vec away = path[i] - Vec{i < 8 ? 9.0 : 4.0, std::min(path[i].y - (i >= 1 && i <= 4 ? 6.0 : 0.0), 94.0), 0};
        const Vec f = normalized(away - along * dot(along, away));
        frames.push_back({normalized(cross(along, f)), f});
    }
    strap.at = [path, frames](double u, double v) {
        const double k = std::clamp(v, 0.0, 1.0) * static_cast<double>(path.size() + 1);
        const std::size_t row = std::min(static_cast<std::size_t>(k), path.size());
        const auto point = [&](std::size_t r) {
            const std::size_t i = std::clamp<std::size_t>(r, 1, path.size()) - 1;
            const double size = r == 0 || r == path.size() + 1 ? 0 : 1;
            const double a = 2 * kPi * (u - 0.25);
            return path[i] + frames[i][0] * (size * 1.9 * power(std::cos(a), 0.7)) +
                   frames[i][1] * (size * 0.95 * power(std::sin(a), 0.7));
        };
        return mix(point(row), point(row + 1), k - static_cast<double>(row));
    };
    strap.rect = {290, 342, 28, 116};
    strap.influences = [](Vec p) { return torso_influences({p.x * 0.7, std::max(p.y, 76.0), p.z}); };
    strap.paint = [](double u, double, Vec p) {
        const double across = std::fabs(std::fabs(u - 0.5) - 0.25);
        return mix(woven(kLeather, p), kScarfStripe, 0.5 * line(across - 0.11, 0.012, 0.02));
    };
    out.add_pair(strap);
}

void add_tail(Assembler& out) {
    const std::vector<Ring> rings = refined({{{0, 62, -7}, 3.4, 3.4, 3.4},
                                             {{0, 59, -14}, 4.2, 4.2, 4.2},
                                             {{0, 54, -24}, 7.4, 7.2, 7.2},
                                             {{0, 54, -36}, 10.8, 10.4, 10.4},
                                             {{0, 61, -47}, 12.8, 12.2, 12.2},
                                             {{0, 73, -54}, 12.2, 11.6, 11.6},
                                             {{0, 86, -55}, 8.6, 8.2, 8.2},
                                             {{0, 96, -52}, 3.4, 3.4, 3.4}},
                                            1);
    std::vector<Ring> closed = rings;
    closed.insert(closed.begin(), Ring{{0, 62.4, -6}, 0, 0, 0});
    closed.push_back({{0, 100, -49}, 0, 0, 0});
    Surface tail = lofted(closed, 10, {1, 0, 0});
    tail.rect = {378, 342, 132, 108};
    tail.influences = tail_influences;
    tail.paint = [](double u, double v, Vec p) {
        const double zigzag = 0.028 * std::fabs(std::fmod(u * 9, 1.0) - 0.5) * 2;
        Color c = mix(kFurDark, kFur, smooth(0.1, 0.5, v));
        c = mix(c, kCream, smooth(0.705, 0.725, v + zigzag));
        return furry(c, p);
    };
    out.add(tail);
}

}  // namespace

Body make_body() {
    Assembler out;
    add_head(out);
    add_torso(out);
    add_scarf(out);
    add_arms(out);
    add_legs(out);
    add_pack(out);
    add_tail(out);
    return out.finish();
}

}  // namespace hero

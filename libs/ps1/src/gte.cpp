#include "gte.hpp"

#include <algorithm>
#include <bit>

namespace gomkit::ps1 {
namespace {

using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::uint16_t;
using std::uint32_t;

constexpr uint32_t function_of(uint32_t command) { return command & 0x3F; }

constexpr uint32_t kFlagMask = 0x7FFFF000;     // bits 12 to 30
constexpr uint32_t kErrorMask = 0x7F87E000;    // bits 30 to 23 and 18 to 13 raise bit 31

constexpr int64_t kMost44 = (int64_t{1} << 43) - 1;
constexpr int64_t kLeast44 = -(int64_t{1} << 43);

constexpr int16_t s16(uint32_t v) { return static_cast<int16_t>(static_cast<uint16_t>(v)); }
constexpr uint32_t sign_extended(int16_t v) { return static_cast<uint32_t>(int32_t{v}); }
constexpr uint32_t pair(int16_t low, int16_t high) { return static_cast<uint16_t>(low) | uint32_t{static_cast<uint16_t>(high)} << 16; }
constexpr int32_t low32(int64_t v) { return static_cast<int32_t>(static_cast<uint32_t>(static_cast<std::uint64_t>(v))); }
constexpr int64_t low44(int64_t v) { return static_cast<int64_t>(static_cast<std::uint64_t>(v) << 20) >> 20; }

constexpr std::array<std::uint8_t, 257> make_table() {
    std::array<std::uint8_t, 257> table{};
    for (int i = 0; i <= 0x100; ++i) {
        table[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::max(0, (0x40000 / (i + 0x100) + 1) / 2 - 0x101));
    }
    return table;
}
constexpr std::array<std::uint8_t, 257> kReciprocal = make_table();

/// One command on the registers. Channels are numbered 1 to 3, as the page does.
class Command {
public:
    Command(Gte& g, uint32_t word) : g_(g), shift_((word >> 19 & 1) != 0 ? 12 : 0), lm_((word >> 10 & 1) != 0) {}

    void rtps(std::size_t vertex, bool last) {
        const Vec3s16& v = g_.v[vertex];
        std::array<int64_t, 3> acc{};
        for (std::size_t r = 0; r < 3; ++r) {
            acc[r] = row(r + 1, g_.tr[r], g_.rt[r], v);
            g_.mac[r + 1] = low32(acc[r] >> shift_);
        }
        g_.ir[1] = limit_ir(1, g_.mac[1], lm_);
        g_.ir[2] = limit_ir(2, g_.mac[2], lm_);
        // The flag of IR3 looks at the shifted depth, whatever sf and lm say; the value itself obeys them.
        const auto depth = low32(acc[2] >> 12);
        (void)limit_ir(3, depth, false);
        g_.ir[3] = static_cast<int16_t>(std::clamp(g_.mac[3], lm_ ? 0 : -32768, 32767));
        push_depth(depth);
        const GteQuotient quotient = gte_divide(g_.h, g_.sz[3]);
        raise(17, quotient.overflow);
        const int64_t q = quotient.q;
        const int64_t x = check_mac0(g_.ofx + g_.ir[1] * q);
        const int64_t y = check_mac0(g_.ofy + g_.ir[2] * q);
        g_.sxy[0] = g_.sxy[1];
        g_.sxy[1] = g_.sxy[2];
        g_.sxy[2] = {static_cast<int16_t>(limit(x >> 16, -1024, 1023, 14)), static_cast<int16_t>(limit(y >> 16, -1024, 1023, 13))};
        if (last) {
            const int64_t d = check_mac0(g_.dqb + g_.dqa * q);
            g_.mac[0] = low32(d);
            g_.ir[0] = static_cast<int16_t>(limit(d >> 12, 0, 4096, 12));
        }
    }

    void nclip() {
        const auto x = [this](std::size_t i) { return int64_t{g_.sxy[i][0]}; };
        const auto y = [this](std::size_t i) { return int64_t{g_.sxy[i][1]}; };
        g_.mac[0] = low32(check_mac0(x(0) * (y(1) - y(2)) + x(1) * (y(2) - y(0)) + x(2) * (y(0) - y(1))));
    }

    void average(int16_t factor, int64_t sum) {
        const int64_t v = check_mac0(factor * sum);
        g_.mac[0] = low32(v);
        g_.otz = static_cast<uint16_t>(limit(v >> 12, 0, 65535, 18));
    }

    void mvmva(uint32_t word) {
        const uint32_t which = word >> 17 & 3;
        const uint32_t vector = word >> 15 & 3;
        const uint32_t translation = word >> 13 & 3;
        const Matrix3s16 m = which == 0 ? g_.rt : which == 1 ? g_.llm : which == 2 ? g_.lcm : garbage_matrix();
        const Vec3s16 v = vector < 3 ? g_.v[vector] : Vec3s16{g_.ir[1], g_.ir[2], g_.ir[3]};
        const Vec3s32 t = translation == 0 ? g_.tr : translation == 1 ? g_.bk : translation == 2 ? g_.fc : Vec3s32{};
        if (translation != 2) {
            transform(m, v, t);
            return;
        }
        for (std::size_t r = 0; r < 3; ++r) {   // the far colour is lost on the way: its sum raises flags only
            const int64_t first = accumulate(r + 1, t[r] * int64_t{4096} + m[r][0] * int64_t{v[0]});
            (void)limit_ir(r + 1, low32(first >> shift_), false);
            const int64_t second = accumulate(r + 1, m[r][1] * int64_t{v[1]});
            g_.mac[r + 1] = low32(accumulate(r + 1, second + m[r][2] * int64_t{v[2]}) >> shift_);
            g_.ir[r + 1] = limit_ir(r + 1, g_.mac[r + 1], lm_);
        }
    }

    void ncs(std::size_t vertex) {
        transform(g_.llm, g_.v[vertex], {});
        transform(g_.lcm, {g_.ir[1], g_.ir[2], g_.ir[3]}, g_.bk);
        uint32_t colour = g_.rgbc & 0xFF000000u;
        for (std::size_t c = 0; c < 3; ++c) {
            colour |= static_cast<uint32_t>(limit(g_.mac[c + 1] >> 4, 0, 255, static_cast<unsigned>(21 - c))) << 8 * c;
        }
        g_.rgb = {g_.rgb[1], g_.rgb[2], colour};
    }

private:
    void raise(unsigned bit, bool on) { g_.flag |= on ? uint32_t{1} << bit : 0u; }
    int64_t limit(int64_t v, int64_t low, int64_t high, unsigned bit) {
        raise(bit, v < low || v > high);
        return std::clamp(v, low, high);
    }
    /// A of the page: one step of the 44-bit accumulator of channel i.
    int64_t accumulate(std::size_t i, int64_t v) {
        raise(static_cast<unsigned>(31 - i), v > kMost44);
        raise(static_cast<unsigned>(28 - i), v < kLeast44);
        return low44(v);
    }
    /// B of the page.
    int16_t limit_ir(std::size_t i, int32_t v, bool lm) { return static_cast<int16_t>(limit(v, lm ? 0 : -32768, 32767, static_cast<unsigned>(25 - i))); }
    /// F of the page: the value itself goes on as it is.
    int64_t check_mac0(int64_t v) {
        raise(16, v > INT32_MAX);
        raise(15, v < INT32_MIN);
        return v;
    }
    int64_t row(std::size_t i, int32_t t, const Vec3s16& m, const Vec3s16& v) {
        int64_t acc = accumulate(i, t * int64_t{4096} + m[0] * int64_t{v[0]});
        acc = accumulate(i, acc + m[1] * int64_t{v[1]});
        return accumulate(i, acc + m[2] * int64_t{v[2]});
    }
    void transform(const Matrix3s16& m, const Vec3s16& v, const Vec3s32& t) {
        for (std::size_t r = 0; r < 3; ++r) {
            g_.mac[r + 1] = low32(row(r + 1, t[r], m[r], v) >> shift_);
            g_.ir[r + 1] = limit_ir(r + 1, g_.mac[r + 1], lm_);
        }
    }
    void push_depth(int32_t depth) { g_.sz = {g_.sz[1], g_.sz[2], g_.sz[3], static_cast<uint16_t>(limit(depth, 0, 65535, 18))}; }
    [[nodiscard]] Matrix3s16 garbage_matrix() const {
        const auto red = static_cast<int16_t>((g_.rgbc & 0xFF) * 16);
        const int16_t a = g_.rt[0][2];
        const int16_t b = g_.rt[1][1];
        return {{{static_cast<int16_t>(-red), red, g_.ir[0]}, {a, a, a}, {b, b, b}}};
    }

    Gte& g_;
    int shift_;
    bool lm_;
};

/// Matrix registers hold two elements each, row by row; the fifth holds the last one alone.
uint32_t read_matrix(const Matrix3s16& m, unsigned word) {
    const auto at = [&m](unsigned i) { return m[i / 3][i % 3]; };
    return word == 4 ? sign_extended(at(8)) : pair(at(2 * word), at(2 * word + 1));
}
void write_matrix(Matrix3s16& m, unsigned word, uint32_t value) {
    const auto at = [&m](unsigned i) -> int16_t& { return m[i / 3][i % 3]; };
    at(2 * word) = s16(value);
    if (word != 4) {
        at(2 * word + 1) = s16(value >> 16);
    }
}

}  // namespace

std::uint8_t gte_reciprocal(std::size_t i) { return kReciprocal[std::min<std::size_t>(i, 0x100)]; }

GteQuotient gte_divide(std::uint16_t h, std::uint16_t sz3) {
    if (h >= 2u * sz3) {
        return {0x1FFFF, true};
    }
    const int s = std::countl_zero(sz3);
    const int64_t n = int64_t{h} << s;
    int64_t d = int64_t{sz3} << s;
    const int64_t u = kReciprocal[static_cast<std::size_t>((d - 0x7FC0) >> 7)] + 0x101;
    d = (0x2000080 - d * u) >> 8;
    d = (0x80 + d * u) >> 8;
    return {static_cast<uint32_t>(std::min<int64_t>(0x1FFFF, (n * d + 0x8000) >> 16)), false};
}

std::uint32_t Gte::data(unsigned index) const {
    switch (index) {
        case 0: case 2: case 4: return pair(v[index / 2][0], v[index / 2][1]);
        case 1: case 3: case 5: return sign_extended(v[index / 2][2]);
        case 6: return rgbc;
        case 7: return otz;
        case 8: case 9: case 10: case 11: return sign_extended(ir[index - 8]);
        case 12: case 13: case 14: return pair(sxy[index - 12][0], sxy[index - 12][1]);
        case 15: return data(14);
        case 16: case 17: case 18: case 19: return sz[index - 16];
        case 20: case 21: case 22: return rgb[index - 20];
        case 23: return unused;
        case 24: case 25: case 26: case 27: return static_cast<uint32_t>(mac[index - 24]);
        case 28: case 29: {
            const auto five = [this](std::size_t i) { return static_cast<uint32_t>(std::clamp(ir[i] >> 7, 0, 31)); };
            return five(1) | five(2) << 5 | five(3) << 10;
        }
        case 30: return lzcs;
        case 31: return static_cast<uint32_t>((lzcs >> 31) != 0 ? std::countl_one(lzcs) : std::countl_zero(lzcs));
        default: return 0;
    }
}

void Gte::set_data(unsigned index, std::uint32_t value) {
    switch (index) {
        case 0: case 2: case 4:
            v[index / 2][0] = s16(value);
            v[index / 2][1] = s16(value >> 16);
            break;
        case 1: case 3: case 5: v[index / 2][2] = s16(value); break;
        case 6: rgbc = value; break;
        case 7: otz = static_cast<uint16_t>(value); break;
        case 8: case 9: case 10: case 11: ir[index - 8] = s16(value); break;
        case 12: case 13: case 14: sxy[index - 12] = {s16(value), s16(value >> 16)}; break;
        case 15: sxy = {sxy[1], sxy[2], {s16(value), s16(value >> 16)}}; break;
        case 16: case 17: case 18: case 19: sz[index - 16] = static_cast<uint16_t>(value); break;
        case 20: case 21: case 22: rgb[index - 20] = value; break;
        case 23: unused = value; break;
        case 24: case 25: case 26: case 27: mac[index - 24] = static_cast<int32_t>(value); break;
        case 28:
            for (std::size_t c = 0; c < 3; ++c) {
                ir[c + 1] = static_cast<int16_t>((value >> 5 * c & 31) << 7);
            }
            break;
        case 30: lzcs = value; break;
        default: break;   // 29 and 31 are read only
    }
}

std::uint32_t Gte::control(unsigned index) const {
    switch (index) {
        case 0: case 1: case 2: case 3: case 4: return read_matrix(rt, index);
        case 5: case 6: case 7: return static_cast<uint32_t>(tr[index - 5]);
        case 8: case 9: case 10: case 11: case 12: return read_matrix(llm, index - 8);
        case 13: case 14: case 15: return static_cast<uint32_t>(bk[index - 13]);
        case 16: case 17: case 18: case 19: case 20: return read_matrix(lcm, index - 16);
        case 21: case 22: case 23: return static_cast<uint32_t>(fc[index - 21]);
        case 24: return static_cast<uint32_t>(ofx);
        case 25: return static_cast<uint32_t>(ofy);
        case 26: return sign_extended(s16(h));
        case 27: return sign_extended(dqa);
        case 28: return static_cast<uint32_t>(dqb);
        case 29: return sign_extended(zsf3);
        case 30: return sign_extended(zsf4);
        case 31: return flag | ((flag & kErrorMask) != 0 ? 0x80000000u : 0u);
        default: return 0;
    }
}

void Gte::set_control(unsigned index, std::uint32_t value) {
    switch (index) {
        case 0: case 1: case 2: case 3: case 4: write_matrix(rt, index, value); break;
        case 5: case 6: case 7: tr[index - 5] = static_cast<int32_t>(value); break;
        case 8: case 9: case 10: case 11: case 12: write_matrix(llm, index - 8, value); break;
        case 13: case 14: case 15: bk[index - 13] = static_cast<int32_t>(value); break;
        case 16: case 17: case 18: case 19: case 20: write_matrix(lcm, index - 16, value); break;
        case 21: case 22: case 23: fc[index - 21] = static_cast<int32_t>(value); break;
        case 24: ofx = static_cast<int32_t>(value); break;
        case 25: ofy = static_cast<int32_t>(value); break;
        case 26: h = static_cast<uint16_t>(value); break;
        case 27: dqa = s16(value); break;
        case 28: dqb = static_cast<int32_t>(value); break;
        case 29: zsf3 = s16(value); break;
        case 30: zsf4 = s16(value); break;
        case 31: flag = value & kFlagMask; break;
        default: break;
    }
}

bool Gte::execute(std::uint32_t command) {
    const uint32_t before = flag;
    flag = 0;
    Command run(*this, command);
    switch (function_of(command)) {
        case function_of(gte_command::kRtps): run.rtps(0, true); break;
        case function_of(gte_command::kRtpt):
            for (std::size_t i = 0; i < 3; ++i) {
                run.rtps(i, i == 2);
            }
            break;
        case function_of(gte_command::kNclip): run.nclip(); break;
        case function_of(gte_command::kMvmva): run.mvmva(command); break;
        case function_of(gte_command::kNcs): run.ncs(0); break;
        case function_of(gte_command::kNct):
            for (std::size_t i = 0; i < 3; ++i) {
                run.ncs(i);
            }
            break;
        case function_of(gte_command::kAvsz3): run.average(zsf3, int64_t{sz[1]} + sz[2] + sz[3]); break;
        case function_of(gte_command::kAvsz4): run.average(zsf4, int64_t{sz[0]} + sz[1] + sz[2] + sz[3]); break;
        default: flag = before; return false;
    }
    return true;
}

}  // namespace gomkit::ps1

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

/// The geometry coprocessor of the console as integer arithmetic, to the bit (docs/spec/gte.md). All shifts to the right are
/// arithmetic, 4096 is 1.0. Nothing here allocates, fails or depends on anything but the registers.
namespace gomkit::ps1 {

using Vec3s16 = std::array<std::int16_t, 3>;
using Vec3s32 = std::array<std::int32_t, 3>;
using Matrix3s16 = std::array<Vec3s16, 3>;   ///< rows

/// Command words as the SDK writes them. MVMVA is the bare function; mvmva() adds the fields.
namespace gte_command {
inline constexpr std::uint32_t kRtps = 0x0180001;
inline constexpr std::uint32_t kRtpt = 0x0280030;
inline constexpr std::uint32_t kNclip = 0x1400006;
inline constexpr std::uint32_t kMvmva = 0x0400012;
inline constexpr std::uint32_t kNcs = 0x0C8041E;
inline constexpr std::uint32_t kNct = 0x0D80420;
inline constexpr std::uint32_t kAvsz3 = 0x158002D;
inline constexpr std::uint32_t kAvsz4 = 0x168002E;

/// MVMVA with its fields (GTE-CMD-1): matrix 0 RT, 1 LLM, 2 LCM; vector 0 to 2 V0 to V2, 3 IR; translation 0 TR, 1 BK, 2 FC, 3 none.
[[nodiscard]] constexpr std::uint32_t mvmva(bool shift, std::uint32_t matrix, std::uint32_t vector, std::uint32_t translation, bool lm) {
    return kMvmva | (shift ? 1u << 19 : 0u) | matrix << 17 | vector << 15 | translation << 13 | (lm ? 1u << 10 : 0u);
}
}  // namespace gte_command

/// The registers by their names, and the commands on them. FLAG's bit 31 is derived: it is there when FLAG is read.
struct Gte {
    // Data registers
    std::array<Vec3s16, 3> v{};                            ///< V0 to V2
    std::uint32_t rgbc = 0;                                ///< red, green, blue, code from the lowest byte up
    std::uint16_t otz = 0;
    std::array<std::int16_t, 4> ir{};                      ///< IR0 to IR3
    std::array<std::array<std::int16_t, 2>, 3> sxy{};      ///< SXY0 to SXY2
    std::array<std::uint16_t, 4> sz{};                     ///< SZ0 to SZ3
    std::array<std::uint32_t, 3> rgb{};                    ///< RGB0 to RGB2
    std::uint32_t unused = 0;                              ///< register 23 stores and does nothing
    std::array<std::int32_t, 4> mac{};                     ///< MAC0 to MAC3
    std::uint32_t lzcs = 0;
    // Control registers
    Matrix3s16 rt{};
    Vec3s32 tr{};
    Matrix3s16 llm{};
    Vec3s32 bk{};
    Matrix3s16 lcm{};
    Vec3s32 fc{};
    std::int32_t ofx = 0;                                  ///< 16.16
    std::int32_t ofy = 0;
    std::uint16_t h = 0;
    std::int16_t dqa = 0;
    std::int32_t dqb = 0;
    std::int16_t zsf3 = 0;
    std::int16_t zsf4 = 0;
    std::uint32_t flag = 0;                                ///< bits 12 to 30

    /// Registers by number, 0 to 31, as the console's move instructions see them (GTE-REG). A higher number reads 0, and is not written.
    [[nodiscard]] std::uint32_t data(unsigned index) const;
    [[nodiscard]] std::uint32_t control(unsigned index) const;
    void set_data(unsigned index, std::uint32_t value);
    void set_control(unsigned index, std::uint32_t value);

    /// Runs one command word. False, with nothing changed: a function that this model does not have (GTE-CMD-2).
    bool execute(std::uint32_t command);
};

struct GteQuotient {
    std::uint32_t q = 0;      ///< H / SZ3 in 1/65536, at most 0x1FFFF
    bool overflow = false;
};
/// The console's division by table and one Newton step (GTE-DIV).
[[nodiscard]] GteQuotient gte_divide(std::uint16_t h, std::uint16_t sz3);

/// Entry i of the division's table, 0 to 256.
[[nodiscard]] std::uint8_t gte_reciprocal(std::size_t i);

}  // namespace gomkit::ps1

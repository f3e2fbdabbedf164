// Runs the GTE on what stdin says, for gte_test.py. A record is 66 little-endian words: command, 1 to write data register 15 and 2 to
// write data register 28 (both have side effects), data registers, control registers. The answer is 65: 1 if the command is known, then
// all registers.
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>

#include "gte.hpp"

static_assert(std::endian::native == std::endian::little);

int main() {
    std::array<std::uint32_t, 66> in{};
    while (std::fread(in.data(), 4, in.size(), stdin) == in.size()) {
        gomkit::ps1::Gte gte;
        for (unsigned i = 0; i < 32; ++i) {
            if ((i != 15 || (in[1] & 1) != 0) && (i != 28 || (in[1] & 2) != 0)) {
                gte.set_data(i, in[2 + i]);
            }
            gte.set_control(i, in[34 + i]);
        }
        std::array<std::uint32_t, 65> out{};
        out[0] = gte.execute(in[0]) ? 1 : 0;
        for (unsigned i = 0; i < 32; ++i) {
            out[1 + i] = gte.data(i);
            out[33 + i] = gte.control(i);
        }
        if (std::fwrite(out.data(), 4, out.size(), stdout) != out.size()) {
            return 1;
        }
    }
    return 0;
}

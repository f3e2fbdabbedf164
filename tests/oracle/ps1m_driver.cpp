// Poses PS1M files for ps1m_test.py. A request on stdin is 7 little-endian words: bytes of the file, clip, frame, subframe, target x y z; then the
// file. The answer is 1 and, for each bone, 9 words of rotation and 3 of translation in model space, first as the clip has it, then after every
// chain of the IK table reached for the target; or 0 for a file that is refused.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "decode.hpp"
#include "pose.hpp"

static_assert(std::endian::native == std::endian::little);

namespace {

using namespace gomkit::ps1;

void put(std::vector<std::int32_t>& out, const std::vector<Placement>& world) {
    for (const Placement& p : world) {
        for (const Vec3s16& row : p.r) {
            out.insert(out.end(), row.begin(), row.end());
        }
        out.insert(out.end(), p.t.begin(), p.t.end());
    }
}

}  // namespace

int main() {
    std::array<std::uint32_t, 7> request{};
    while (std::fread(request.data(), 4, request.size(), stdin) == request.size()) {
        std::vector<std::byte> bytes(request[0]);
        if (std::fread(bytes.data(), 1, bytes.size(), stdin) != bytes.size()) {
            return 1;
        }
        std::vector<std::int32_t> out{0};
        const auto document = decode(bytes, "stdin");
        if (document && request[1] < document->clips.size() && request[2] < document->clips[request[1]].frames.size()) {
            out[0] = 1;
            const auto local = local_pose(*document, document->clips[request[1]], {request[2], static_cast<std::int32_t>(request[3])});
            auto world = world_pose(*document, local);
            put(out, world);
            const Vec3s32 target{static_cast<std::int32_t>(request[4]), static_cast<std::int32_t>(request[5]), static_cast<std::int32_t>(request[6])};
            std::vector<bool> modified(world.size(), false);
            if (document->ik) {
                for (const IkChain& chain : document->ik->chains) {
                    if (chain.upper >= 0) {
                        solve_chain(chain, target, world, modified);
                    }
                }
            }
            refresh_pose(*document, local, modified, world);
            put(out, world);
        }
        if (std::fwrite(out.data(), 4, out.size(), stdout) != out.size()) {
            return 1;
        }
    }
    return 0;
}

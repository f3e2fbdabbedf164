// Decoding the compressed block of an .mv1 against memcpy of as many bytes as come out.
//
//   bench_dxa FILE.mv1... [--runs N]
//
// Prints medians of CPU time: against memcpy between two buffers that are there, and against memcpy into one that is made for it, as a
// decoder's is. The ratio is to be 0.1 or more.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <time.h>

#include <gomkit/core/file.hpp>

#include "dxa.hpp"

namespace {

// Of this thread, so that others on the machine do not count.
double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class F>
double median(int runs, F&& work) {
    std::vector<double> times;
    for (int i = 0; i < runs; ++i) {
        const double start = cpu_seconds();
        work();
        times.push_back(cpu_seconds() - start);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
    int runs = 51;
    std::vector<std::string> files;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--runs") == 0 && i + 1 < argc) {
            runs = std::max(1, std::atoi(argv[++i]));
        } else {
            files.emplace_back(argv[i]);
        }
    }
    for (const std::string& path : files) {
        const auto file = gomkit::core::read_file(path, 1ull << 31);
        const auto block = file ? file->bytes().subspan(std::min<std::size_t>(4, file->bytes().size())) : std::span<const std::byte>{};
        const auto once = gomkit::mv1::dxa_decode(block, 4, {});
        if (!once) {
            std::fprintf(stderr, "%s: %s\n", path.c_str(), gomkit::core::to_string(once.error()).c_str());
            return 1;
        }
        gomkit::core::Bytes to(once->size());
        std::size_t sum = 0;   // so that nothing is left out as unused
        const double copy = median(runs, [&] {
            std::memcpy(to.data(), once->data(), once->size());
            sum += std::to_integer<std::size_t>(to[sum % to.size()]);
        });
        const double fresh = median(runs, [&] {
            const gomkit::core::Bytes own(once->begin(), once->end());
            sum += std::to_integer<std::size_t>(own[sum % own.size()]);
        });
        const double decode = median(runs, [&] {
            const auto out = gomkit::mv1::dxa_decode(block, 4, {});
            sum += std::to_integer<std::size_t>((*out)[sum % out->size()]);
        });
        const double mib = static_cast<double>(once->size()) / (1 << 20);
        std::printf("%s: %zu bytes from %zu; decode %.0f MiB/s, memcpy %.0f MiB/s, ratio %.3f; memcpy into new memory %.0f MiB/s, ratio %.3f (%zu)\n",
                    path.c_str(), once->size(), block.size(), mib / decode, mib / copy, copy / decode, mib / fresh, fresh / decode, sum % 10);
    }
    return 0;
}

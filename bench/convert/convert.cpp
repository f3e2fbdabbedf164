// Whole conversions of one FBX file against ufbx alone: load and bake of all animation stacks, by the same build of ufbx.
//
//   bench_convert FILE.fbx [--runs N]
//
// Each measurement is a process of its own on one thread, run in turn; the kernel's accounting gives CPU time and peak memory.
// Prints medians, and the ratios that the project promises (README, "Speed").
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gomkit/kit/convert.hpp>
#include <gomkit/kit/registry.hpp>

#include <ufbx.h>

namespace {

struct Run {
    double wall = 0;   // seconds
    double cpu = 0;    // seconds
    double peak = 0;   // MiB
};

int run_baseline(const char* file) {
    ufbx_load_opts load{};
    ufbx_error error{};
    const ufbx_scene* scene = ufbx_load_file(file, &load, &error);
    if (scene == nullptr) {
        return 1;
    }
    const ufbx_bake_opts bake{};
    for (const ufbx_anim_stack* stack : scene->anim_stacks) {
        if (ufbx_bake_anim(scene, stack->anim, &bake, &error) == nullptr) {
            return 1;
        }
    }
    return 0;
}

int run_convert(const char* file, const char* output, bool tangents) {
    gomkit::kit::ConvertRequest request;
    request.input.path = file;
    request.output = output;
    request.write.tangents = tangents ? gomkit::pass::TangentMode::Generate : gomkit::pass::TangentMode::None;
    gomkit::core::Report report(file);
    const auto result = gomkit::kit::convert(gomkit::kit::make_registry(), request, report);
    if (!result) {
        std::fprintf(stderr, "%s\n", gomkit::core::to_string(result.error()).c_str());
        return 1;
    }
    return 0;
}

Run measure(const std::vector<std::string>& command) {
    std::vector<char*> argv;
    for (const std::string& word : command) {
        argv.push_back(const_cast<char*>(word.c_str()));
    }
    argv.push_back(nullptr);
    const auto start = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
        execv("/proc/self/exe", argv.data());
        _exit(127);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    if (status != 0) {
        std::fprintf(stderr, "'%s' failed\n", command[1].c_str());
        std::exit(1);
    }
    const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; };
    Run run;
    run.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    run.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    run.peak = static_cast<double>(usage.ru_maxrss) / 1024;
    return run;
}

double median(std::vector<Run> runs, double Run::* member) {
    std::sort(runs.begin(), runs.end(), [&](const Run& a, const Run& b) { return a.*member < b.*member; });
    return runs[runs.size() / 2].*member;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "baseline") == 0) {
        return run_baseline(argv[2]);
    }
    if (argc == 4 && (std::strcmp(argv[1], "tangents") == 0 || std::strcmp(argv[1], "plain") == 0)) {
        return run_convert(argv[2], argv[3], argv[1][0] == 't');
    }
    if (argc != 2 && !(argc == 4 && std::strcmp(argv[2], "--runs") == 0)) {
        std::fprintf(stderr, "usage: bench_convert FILE.fbx [--runs N]\n");
        return 2;
    }
    const int runs = argc == 4 ? std::max(1, std::atoi(argv[3])) : 5;
    std::string output = "/tmp/bench_convert.XXXXXX.gom";
    const int fd = mkstemps(output.data(), 4);
    if (fd < 0) {
        std::perror("mkstemps");
        return 1;
    }
    close(fd);
    const char* names[] = {"baseline", "tangents", "plain"};
    std::vector<Run> results[3];
    for (int i = -1; i < runs; ++i) {  // the first round warms up
        for (int k = 0; k < 3; ++k) {
            std::vector<std::string> command = {argv[0], names[k], argv[1]};
            if (k != 0) {
                command.push_back(output);
            }
            const Run run = measure(command);
            if (i >= 0) {
                results[k].push_back(run);
            }
        }
    }
    std::remove(output.c_str());
    std::printf("%-34s %8s %8s %9s   ratio to ufbx alone: wall, cpu, peak\n", argv[1], "wall s", "cpu s", "peak MiB");
    const char* titles[] = {"ufbx alone (load + bake)", "convert, tangents generated", "convert, --tangents none"};
    for (int k = 0; k < 3; ++k) {
        std::printf("%-34s %8.3f %8.3f %9.1f", titles[k], median(results[k], &Run::wall), median(results[k], &Run::cpu),
                    median(results[k], &Run::peak));
        if (k != 0) {
            std::printf("   %.2f %.2f %.2f", median(results[k], &Run::wall) / median(results[0], &Run::wall),
                        median(results[k], &Run::cpu) / median(results[0], &Run::cpu),
                        median(results[k], &Run::peak) / median(results[0], &Run::peak));
        }
        std::printf("\n");
    }
    return 0;
}

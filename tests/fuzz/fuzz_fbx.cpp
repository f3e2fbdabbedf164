// FBX, OBJ with a library, and what follows: whatever is read is either refused when a GOM is made of it, or that GOM passes the
// run-time's verify. check and the list of elements have to survive as well. The first byte chooses: O for OBJ (library and model
// divided by a NUL), T for a scene at half a second (the length of a geometry cache in two bytes, low first, the cache, the FBX), else
// FBX. Limits are small, so that only what is really taken counts.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include <gomkit/fbx/fbx.hpp>
#include <gomkit/gom/gom.hpp>
#include <gomkit/runtime/model_view.hpp>

namespace {

using namespace gomkit;

core::Limits fuzz_limits() {
    core::Limits limits = core::Limits::make_small();
    limits.max_memory_bytes = 64u << 20;
    limits.max_nodes = 2000;
    limits.max_node_depth = 500;
    limits.max_vertices = 20'000;
    limits.max_indices = 60'000;
    limits.max_keys_per_clip = 2000;
    limits.max_clips = 8;
    return limits;
}

void convert(const codec::Codec& source, std::span<const std::byte> bytes, const codec::ReadOptions& options) {
    core::Report report("fuzz");
    core::Result<model::Model> model = source.read(bytes, "fuzz", options, report);
    if (!model) {
        return;
    }
    codec::WriteOptions write;
    write.limits = options.limits;
    const core::Result<core::Bytes> written = gom::make_codec().write(std::move(*model), write, report);
    if (!written) {
        if (core::exit_code(written.error().code) == 7) {
            std::abort();  // the writer's own proof failed
        }
        return;
    }
    const auto aligned = std::make_unique<std::byte[]>(written->size());
    std::memcpy(aligned.get(), written->data(), written->size());
    runtime::ModelView view;
    if (runtime::verify({aligned.get(), written->size()}, {}, view, nullptr) != runtime::Status::Ok) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
    codec::ReadOptions options;
    options.limits = fuzz_limits();
    if (size != 0 && data[0] == 'O') {
        bytes = bytes.subspan(1);
        const auto cut = std::find(bytes.begin(), bytes.end(), std::byte{0});
        const core::Bytes library(bytes.begin(), cut);
        bytes = bytes.subspan(static_cast<std::size_t>(cut - bytes.begin()));
        bytes = bytes.empty() ? bytes : bytes.subspan(1);
        options.side_file = [&](const std::string&) { return std::optional<core::FileBytes>(core::FileBytes(library)); };
        static_cast<void>(fbx::make_obj_codec().probe(bytes, ""));
        convert(fbx::make_obj_codec(), bytes, options);
        return 0;
    }
    core::Bytes cache;
    if (size >= 3 && data[0] == 'T') {
        bytes = bytes.subspan(3);
        const std::size_t length = std::min<std::size_t>(bytes.size(), data[1] + 256u * data[2]);
        cache.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
        bytes = bytes.subspan(length);
        options.scene.time = 0.5;
        options.side_file = [&](const std::string&) { return std::optional<core::FileBytes>(core::FileBytes(cache)); };
    }
    const codec::Codec fbx = fbx::make_codec();
    convert(fbx, bytes, options);
    codec::CheckOptions check;
    check.limits = options.limits;
    core::Report report("fuzz");
    fbx.check(bytes, "fuzz", check, report);
    static_cast<void>(fbx.elements(bytes, "fuzz", options, true, [](const codec::Element&) {}));
    return 0;
}

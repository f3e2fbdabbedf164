// The .mv1 reader on arbitrary decoded buffers (and on whole files): whatever is accepted comes out again byte for byte, and can be
// checked, dumped and made a model of; that model, turned round and every other time packed, can be written, and the file passes its proof.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include <gomkit/mv1/mv1.hpp>

#include "check.hpp"
#include "decode.hpp"
#include "dump.hpp"
#include "encode.hpp"
#include "import.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gomkit;
    core::Bytes buffer(std::as_bytes(std::span(data, size)).begin(), std::as_bytes(std::span(data, size)).end());
    const core::Limits limits = core::Limits::make_small();
    if (const auto file = mv1::unpack(buffer, limits)) {
        buffer = *file;
    }
    const auto document = mv1::decode_buffer(buffer, limits);
    core::Report report("fuzz");
    if (!document) {
        return 0;
    }
    if (mv1::encode_buffer(*document) != buffer) {
        std::abort();
    }
    codec::ReadOptions read;
    read.limits = limits;
    auto model = mv1::import(*document, read, report);
    if (size < 65536) {
        if (model) {
            model->mv1->buffer = buffer;
            codec::WriteOptions write;
            write.limits = limits;
            write.format["--facing"] = "+z";   // not the file as it was
            if (size % 2 == 1) {
                write.format.insert({{"--mv1-normals", "s8"}, {"--mv1-positions", "u16"}, {"--mv1-weights", "u8"}, {"--mv1-anim", "u16"}});
            }
            const auto out = mv1::make_codec().write(std::move(*model), write, report);
            if (!out && out.error().code == core::Code::InvalidOutput) {
                std::abort();
            }
        }
        const core::Bytes whole = mv1::encode(*document);
        codec::CheckOptions options;
        options.limits = limits;
        options.canonical = true;
        mv1::check(whole, "fuzz", options, report);
        static_cast<void>(mv1::dump(whole, "fuzz", {}, read));
    }
    return 0;
}

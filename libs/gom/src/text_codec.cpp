#include <gomkit/gom/gom.hpp>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "canonical.hpp"
#include "codec_steps.hpp"
#include "encode.hpp"
#include "import.hpp"
#include "settle.hpp"
#include "text_check.hpp"
#include "text_read.hpp"
#include "text_write.hpp"

namespace gomkit::gom {
namespace {

// With a byte order mark too: the message about it says more than "of no known format".
bool probe(std::span<const std::byte> bytes, std::string_view) {
    const std::string_view first(reinterpret_cast<const char*>(bytes.data()), std::min<std::size_t>(bytes.size(), 11));
    return first.substr(0, 8) == "GOMT0001" || first == "\xEF\xBB\xBFGOMT0001" || begins_like_old_text(bytes);
}

core::Result<model::Model> read(std::span<const std::byte> bytes, const std::string& file, const codec::ReadOptions& options,
                                core::Report& report) {
    core::Result<TextDocument> read = read_text(bytes, file, decode_options(options), report);
    if (!read) {
        return core::Fault(std::move(read.error()));
    }
    canonicalise(read->document);   // GOMT-FIELD-6
    if (!read->has_flags) {
        read->document.validation_flags = compute_validation_flags(read->document);
    }
    core::Result<model::Model> model = import(std::move(read->document), file, report);
    if (model) {
        model->source.format = "gom 1 text";
    }
    return model;
}

core::Fault unproven(core::Error why) {
    why.code = core::Code::InvalidOutput;
    why.what = "the finished text did not pass its own check: " + why.what;
    why.cure = "this is a bug of gomkit: please report it";
    return core::Fault(std::move(why));
}

/// That the text is read as the Document it was made from, which as a binary file is a valid GOM.
core::Result<void> prove_text(std::span<const std::byte> text, const Document& document, const core::Limits& limits) {
    const core::Bytes expected = encode(document);
    if (core::Result<void> proof = prove(expected, limits); !proof) {
        return proof;
    }
    core::Report unused;
    DecodeOptions strict;
    strict.limits = limits;
    const core::Result<TextDocument> back = parse_text(text, "", strict, unused);
    if (!back) {
        return back.error().code == core::Code::LimitExceeded ? core::Fault(back.error()) : unproven(back.error());
    }
    if (encode(back->document) != expected) {
        return unproven(core::Error{core::Code::Internal, {}, "it reads as something else", {}, {}, {}, {}});
    }
    return {};
}

core::Result<core::Bytes> write(model::Model&& model, const codec::WriteOptions& options, core::Report& report) {
    const core::Result<Document> document = settled_document(std::move(model), options, report);
    if (!document) {
        return core::Fault(document.error());
    }
    core::Result<core::Bytes> text = write_text(*document, most_bytes(options.limits));
    if (!text) {
        return text;
    }
    if (core::Result<void> proof = prove_text(*text, *document, options.limits); !proof) {
        return core::Fault(std::move(proof.error()));
    }
    return text;
}

core::Result<codec::ContentCounts> count(std::span<const std::byte> bytes, const std::string& file, const core::Limits& limits) {
    core::Report unused;
    DecodeOptions strict;
    strict.limits = limits;
    core::Result<TextDocument> read = read_text(bytes, file, strict, unused);
    if (!read) {
        return core::Fault(std::move(read.error()));
    }
    const Document& d = read->document;
    codec::ContentCounts out;
    out.meshes = d.parts.size();
    out.bones = d.bones.size();
    out.clips = d.clips.size();
    out.materials = d.materials.size();
    for (const Part& p : d.parts) {
        out.vertices += p.vertices.size();
        out.triangles += p.indices.size() / 3;
    }
    std::set<std::string_view> maps;
    for (const MaterialSlot& slot : d.materials) {
        for (const auto& map : slot.maps) {
            if (map) {
                maps.insert(*map);
            }
        }
    }
    out.textures = maps.size();
    return out;
}

}  // namespace

codec::Codec make_text_codec() {
    codec::Codec c = make_codec();   // what survives and the options are the same
    c.id = "gomt";
    c.name = "GOM version 1, text";
    c.extensions = {"gomt"};
    c.probe = probe;
    c.read = read;
    c.write = write;
    c.count = count;
    c.check = check_text;
    c.dump = nullptr;
    c.no_dump = "the file is text already";
    c.no_dump_cure = "open it in an editor, or convert it to .gom and dump that";
    return c;
}

}  // namespace gomkit::gom

#include "settle.hpp"

#include <cstdint>
#include <utility>

#include "bytes.hpp"
#include "canonical.hpp"
#include "export.hpp"

namespace gomkit::gom {
namespace {

std::uint32_t settled_flags(const Document& document, bool stored, core::Report& report) {
    const std::uint32_t true_bits = compute_validation_flags(document);
    if (!stored) {
        return true_bits;
    }
    const std::uint32_t kept = document.validation_flags & true_bits;
    if (kept != document.validation_flags) {
        report.add(core::IssueId::GOM_FLAG_DROPPED, core::Place{{}, "header.validationFlags", std::nullopt, std::nullopt},
                   {{"found", hex32(document.validation_flags)}, {"written", hex32(kept)}});
    }
    return kept;
}

}  // namespace

core::Result<Document> settled_document(model::Model&& model, const codec::WriteOptions& options, core::Report& report) {
    const bool stored = model.gom.has_value();
    core::Result<Document> document = export_model(std::move(model), options, report);
    if (document) {
        canonicalise(*document);
        document->validation_flags = settled_flags(*document, stored, report);
    }
    return document;
}

}  // namespace gomkit::gom

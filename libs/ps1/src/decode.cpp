#include "decode.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "encode.hpp"
#include "read.hpp"

namespace gomkit::ps1 {

core::Result<Document> decode(std::span<const std::byte> bytes, const std::string& file) {
    std::optional<core::Error> error;
    Sections sections;
    std::optional<Document> document = read(bytes, [&](core::IssueId id, std::string part, std::size_t byte, std::vector<core::Arg> arguments) {
        const core::IssueInfo& row = core::info(id);
        if (error || row.severity != core::Severity::Error || is_checkers(id)) {
            return;
        }
        error.emplace();
        error->code = id == core::IssueId::PS1_SHORT ? core::Code::Truncated : id == core::IssueId::PS1_MAGIC ? core::Code::NotThisFormat : core::Code::Malformed;
        error->what = finding_text(id, arguments);
        error->place = core::Place{file, std::move(part), byte, std::nullopt};
        error->cure = row.cure;
        error->notes = {std::string("rule ") + row.name};
    }, sections);
    if (error) {
        return core::Fault(std::move(*error));
    }
    return std::move(*document);
}

void check(std::span<const std::byte> bytes, const std::string& file, bool canonical, core::Report& report) {
    bool good = true;
    Sections sections;
    const std::optional<Document> document = read(bytes, [&](core::IssueId id, std::string part, std::size_t byte, std::vector<core::Arg> arguments) {
        good = good && core::info(id).severity != core::Severity::Error;
        report.add_counted(id, core::Place{file, std::move(part), byte, std::nullopt}, arguments);
    }, sections);
    if (!canonical || !good || !document) {
        return;
    }
    const core::Bytes written = encode(*document);
    const auto [mine, other] = std::mismatch(bytes.begin(), bytes.end(), written.begin(), written.end());
    if (mine != bytes.end() || other != written.end()) {
        report.add(core::IssueId::PS1_NOT_CANONICAL, core::Place{file, {}, static_cast<std::uint64_t>(mine - bytes.begin()), std::nullopt},
                   {{"problem", mine != bytes.end() && other != written.end()
                                    ? "from this byte on a writer gives other bytes"
                                    : "a writer gives " + std::to_string(written.size()) + " bytes instead of " + std::to_string(bytes.size())}});
    }
}

}  // namespace gomkit::ps1

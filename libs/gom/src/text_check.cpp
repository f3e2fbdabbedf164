#include "text_check.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include <gomkit/core/text.hpp>

#include "canonical.hpp"
#include "check.hpp"
#include "encode.hpp"
#include "text_find.hpp"
#include "text_lex.hpp"
#include "text_read.hpp"
#include "text_write.hpp"

namespace gomkit::gom {
namespace {

using core::IssueId;

/// Adds findings in the order of their places, and the lines and columns of these.
class Reporter {
public:
    Reporter(std::string_view text, const std::string& file, core::Report& report) : text_(text), file_(file), report_(report) {}

    void add(TextFinding finding) { findings_.push_back(std::move(finding)); }
    void finish() {
        std::stable_sort(findings_.begin(), findings_.end(), [](const TextFinding& a, const TextFinding& b) { return a.offset < b.offset; });
        TextPlaces places(text_);
        for (const TextFinding& f : findings_) {
            report_.add_counted(f.id, core::Place{file_, f.path, std::nullopt, places.of(f.offset)}, f.arguments, f.count);
        }
        findings_.clear();
    }

private:
    std::string_view text_;
    const std::string& file_;
    core::Report& report_;
    std::vector<TextFinding> findings_;
};

/// A bone's number, as an argument of a finding about the sorted bones, as the text has it.
std::string listed(const std::string& value, const std::vector<std::uint32_t>& listed_bone) {
    std::size_t bone = 0;
    const auto result = std::from_chars(value.data(), value.data() + value.size(), bone);
    const bool good = result.ec == std::errc() && result.ptr == value.data() + value.size() && bone < listed_bone.size();
    return good ? std::to_string(listed_bone[bone]) : value;
}

/// Whether an argument of this issue is the number of a bone.
bool names_bone(IssueId id, std::string_view argument) {
    return (id == IssueId::GOM_WEIGHT_BONE_TWICE && argument == "bone") || (id == IssueId::GOM_ROOT_MOTION && argument == "found") ||
           (id == IssueId::GOM_TRACK_ORDER && (argument == "bone" || argument == "before"));
}

/// What the checker of the binary form says about the contents.
void check_contents(std::string_view text, const TextDocument& read, const codec::CheckOptions& options, Reporter& reporter) {
    // More of a kind than any report lists, and few enough that what is folded is found at once.
    constexpr std::size_t kListed = 64;
    core::Report found("", kListed * static_cast<std::size_t>(IssueId::Count), kListed);
    check(encode(read.document), "", options, found);
    std::vector<std::string> paths;
    for (const core::Issue& issue : found.issues()) {
        paths.push_back(text_path_of(issue.place.part, read.listed_bone));
    }
    const std::vector<std::size_t> offsets = find_text_paths(text, paths);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const core::Issue& issue = found.issues()[i];
        TextFinding finding;
        finding.id = issue.id;
        finding.path = std::move(paths[i]);
        finding.offset = offsets[i];
        finding.count = issue.count;
        for (const auto& [name, value] : issue.arguments) {
            finding.arguments.push_back(core::Arg{name.c_str(), names_bone(issue.id, name) ? listed(value, read.listed_bone) : value});
        }
        reporter.add(std::move(finding));
    }
    reporter.finish();
}

/// The rest of the line, short.
std::string line_at(std::string_view text, std::size_t offset) {
    if (offset >= text.size()) {
        return "the end of the text";
    }
    return quote_short(core::printable(text.substr(offset, std::min<std::size_t>(text.find('\n', offset) - offset, 1000))));
}

void check_layout(std::string_view text, TextDocument read, const codec::CheckOptions& options, Reporter& reporter) {
    canonicalise(read.document);
    const std::uint32_t true_bits = compute_validation_flags(read.document);
    read.document.validation_flags = read.has_flags ? read.document.validation_flags & true_bits : true_bits;
    const core::Result<core::Bytes> bytes = write_text(read.document, options.limits.max_file_bytes);
    if (!bytes) {
        return;   // longer than the limit allows
    }
    const std::string_view canonical(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    const std::size_t common = std::min(text.size(), canonical.size());
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(common);
    const auto first = static_cast<std::size_t>(std::mismatch(text.begin(), end, canonical.begin()).first - text.begin());
    if (first == text.size() && first == canonical.size()) {
        return;
    }
    // From the beginning of the character, so that a cut one is not shown.
    std::size_t at = first;
    while (at > 0 && at < text.size() && (static_cast<std::uint8_t>(text[at]) & 0xC0u) == 0x80u) {
        --at;
    }
    const std::string found = line_at(text, at);
    const std::string expected = line_at(canonical, at);
    reporter.add(TextFinding{IssueId::GOMT_LAYOUT, {}, at, {}, found, expected, {{"found", found}, {"expected", expected}}, 1});
    reporter.finish();
}

}  // namespace

void check_text(std::span<const std::byte> bytes, const std::string& file, const codec::CheckOptions& options, core::Report& report) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    DecodeOptions how;
    how.limits = options.limits;
    std::vector<TextFinding> findings;
    core::Report unused;
    core::Result<TextDocument> read = parse_text(bytes, file, how, unused, &findings);
    bool readable = true;
    Reporter reporter(text, file, report);
    for (TextFinding& f : findings) {
        readable = readable && core::info(f.id).severity != core::Severity::Error;
        reporter.add(std::move(f));
    }
    reporter.finish();
    if (!readable) {
        return;
    }
    if (!read->has_flags) {
        read->document.validation_flags = compute_validation_flags(read->document);
    }
    const std::uint64_t errors = report.count(core::Severity::Error);
    check_contents(text, *read, options, reporter);
    if (options.canonical && report.count(core::Severity::Error) == errors) {
        check_layout(text, std::move(*read), options, reporter);
    }
}

}  // namespace gomkit::gom

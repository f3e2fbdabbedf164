#include <gomkit/core/report.hpp>

#include <algorithm>
#include <array>

#include <gomkit/core/text.hpp>

namespace gomkit::core {
namespace {

constexpr auto kIssues = std::to_array<IssueInfo>({
#define GOMKIT_ISSUE(id, severity, requirement, text, cure) \
    {IssueId::id, #id, Severity::severity, requirement, text, cure},
#include <gomkit/core/issues.def>
#undef GOMKIT_ISSUE
});

std::string fill_in(std::string_view text, const std::vector<std::pair<std::string, std::string>>& arguments) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == '{') {
            const std::size_t end = text.find('}', i);
            if (end != std::string_view::npos) {
                const std::string_view key = text.substr(i + 1, end - i - 1);
                const auto it = std::find_if(arguments.begin(), arguments.end(), [&](const auto& a) { return a.first == key; });
                out += it != arguments.end() ? it->second : std::string("?");
                i = end + 1;
                continue;
            }
        }
        out += text[i++];
    }
    return out;
}

}  // namespace

const char* name(Severity severity) {
    switch (severity) {
        case Severity::Info: return "info";
        case Severity::Canonical: return "canonical";
        case Severity::Warning: return "warning";
        case Severity::Error: return "error";
    }
    return "error";
}

const IssueInfo& info(IssueId id) { return kIssues[static_cast<std::size_t>(id)]; }

const IssueInfo* find_issue(std::string_view name) {
    const auto it = std::find_if(kIssues.begin(), kIssues.end(), [&](const IssueInfo& i) { return name == i.name; });
    return it == kIssues.end() ? nullptr : &*it;
}

Report::Report(std::string file, std::size_t max_issues, std::size_t max_same)
    : file_(std::move(file)), max_issues_(max_issues), max_same_(max_same), per_id_(static_cast<std::size_t>(IssueId::Count)) {}

void Report::add(IssueId id, Place place, std::initializer_list<Arg> arguments) {
    add_counted(id, std::move(place), std::span<const Arg>(arguments.begin(), arguments.size()));
}

void Report::add_counted(IssueId id, Place place, std::span<const Arg> arguments, std::uint64_t count) {
    const IssueInfo& row = info(id);
    counts_[static_cast<std::size_t>(row.severity)] += count;
    std::uint32_t& same = per_id_[static_cast<std::size_t>(id)];
    same += static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 0xFFFF'FFFFu - same));
    if (same > max_same_ && same > count) {
        // Folded into the last one of its kind: a million bad vertices are one finding, not a million lines.
        for (auto it = issues_.rbegin(); it != issues_.rend(); ++it) {
            if (it->id == id) {
                it->count += count;
                return;
            }
        }
    }
    if (issues_.size() >= max_issues_) {
        truncated_ = true;
        return;
    }
    Issue issue;
    issue.id = id;
    issue.severity = row.severity;
    issue.count = count;
    issue.place = std::move(place);
    if (issue.place.file.empty()) {
        issue.place.file = file_;
    }
    for (const Arg& a : arguments) {
        issue.arguments.emplace_back(a.name, a.value);
    }
    issue.text = fill_in(row.text, issue.arguments);
    issues_.push_back(std::move(issue));
}

void Report::add_loss(std::string_view kind, std::uint64_t count) {
    if (count == 0) {
        return;
    }
    const auto it = std::find_if(losses_.begin(), losses_.end(), [&](const Loss& l) { return l.kind == kind; });
    if (it != losses_.end()) {
        it->count += count;
    } else {
        losses_.push_back(Loss{std::string(kind), count});
    }
}

void Report::merge(const Report& other) {
    for (const Issue& issue : other.issues_) {
        if (issues_.size() >= max_issues_) {
            truncated_ = true;
            break;
        }
        issues_.push_back(issue);
        if (issues_.back().place.file.empty()) {
            issues_.back().place.file = file_;
        }
    }
    for (std::size_t i = 0; i < 4; ++i) {
        counts_[i] += other.counts_[i];
    }
    for (std::size_t i = 0; i < per_id_.size(); ++i) {
        per_id_[i] += other.per_id_[i];
    }
    for (const Loss& loss : other.losses_) {
        add_loss(loss.kind, loss.count);
    }
    truncated_ = truncated_ || other.truncated_;
}

bool Report::has(IssueId id) const { return per_id_[static_cast<std::size_t>(id)] != 0; }

std::string to_string(const Issue& issue) {
    const IssueInfo& row = info(issue.id);
    std::string out;
    if (!issue.place.file.empty()) {
        out += printable(issue.place.file) + ": ";
    }
    out += name(issue.severity);
    out += ' ';
    out += row.name;
    out += ": ";
    const std::string place = to_string(issue.place);
    if (!place.empty()) {
        out += place + ": ";
    }
    out += printable(issue.text);
    if (issue.count > 1) {
        out += " [and " + std::to_string(issue.count - 1) + " more like it]";
    }
    if (row.cure[0] != '\0') {
        out += " (";
        out += row.cure;
        out += ')';
    }
    return out;
}

}  // namespace gomkit::core

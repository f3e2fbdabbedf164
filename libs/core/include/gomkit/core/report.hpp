#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gomkit/core/error.hpp>

namespace gomkit::core {

/// How bad a finding is. `Canonical`: valid, but not what our writer emits; shown on request only. `Info`: for the record.
enum class Severity : std::uint8_t { Info, Canonical, Warning, Error };

[[nodiscard]] const char* name(Severity severity);

/// Every finding the toolkit can make, one row in issues/<format>.def each. Names are stable for ever.
enum class IssueId : std::uint16_t {
#define GOMKIT_ISSUE(id, severity, requirement, text, cure) id,
#include <gomkit/core/issues.def>
#undef GOMKIT_ISSUE
    Count
};

/// The row of an issue: its id as text, default severity, the spec rule it stands for ("" if none), its text with {named}
/// arguments, and what a user can do about it.
struct IssueInfo {
    IssueId id;
    const char* name;
    Severity severity;
    const char* requirement;
    const char* text;
    const char* cure;
};

[[nodiscard]] const IssueInfo& info(IssueId id);
/// nullptr when no issue has that name.
[[nodiscard]] const IssueInfo* find_issue(std::string_view name);

/// A named argument of an issue's text.
struct Arg {
    const char* name;
    std::string value;
};

/// One finding, or several equal ones folded together.
struct Issue {
    IssueId id = IssueId::Count;
    Severity severity = Severity::Warning;
    Place place;                                      ///< of the first one
    std::vector<std::pair<std::string, std::string>> arguments;
    std::string text;                                 ///< with the arguments filled in
    std::uint64_t count = 1;                          ///< how many were folded into this one
};

/// Something the target format cannot hold, by kind ("blend shapes", "lights") and count.
struct Loss {
    std::string kind;
    std::uint64_t count = 0;
};

/// Collects findings. Equal ids with equal text fold when they follow one another beyond `max_same` places; nothing else is
/// dropped before `max_issues`, after which `truncated()` says so and only counts go on.
class Report {
public:
    explicit Report(std::string file = {}, std::size_t max_issues = 1000, std::size_t max_same = 8);

    /// Adds a finding with its default severity. The place's file is filled in when empty.
    void add(IssueId id, Place place, std::initializer_list<Arg> arguments = {});
    /// The same for arguments that are made at run time, and for `count` findings (at least 1) of which only the first has a place.
    void add_counted(IssueId id, Place place, std::span<const Arg> arguments, std::uint64_t count = 1);
    /// Counts something that the target cannot hold; zero counts are ignored.
    void add_loss(std::string_view kind, std::uint64_t count);
    /// Forgets the losses so far: what they speak of is not to be held by this target.
    void clear_losses() { losses_.clear(); }
    /// Appends the other report's findings and losses; places without a file get this one's.
    void merge(const Report& other);
    /// From now on `file` is what places without a file get.
    void set_file(std::string file) { file_ = std::move(file); }

    [[nodiscard]] const std::vector<Issue>& issues() const { return issues_; }
    [[nodiscard]] const std::vector<Loss>& losses() const { return losses_; }
    [[nodiscard]] std::uint64_t count(Severity severity) const { return counts_[static_cast<std::size_t>(severity)]; }
    [[nodiscard]] bool has(IssueId id) const;
    [[nodiscard]] bool has_errors() const { return count(Severity::Error) != 0; }
    [[nodiscard]] bool truncated() const { return truncated_; }

private:
    std::string file_;
    std::size_t max_issues_;
    std::size_t max_same_;
    std::vector<Issue> issues_;
    std::vector<Loss> losses_;
    std::uint64_t counts_[4] = {};
    std::vector<std::uint32_t> per_id_;
    bool truncated_ = false;
};

/// "file: severity ID: part (byte N): text (cure)", as printed on stderr.
[[nodiscard]] std::string to_string(const Issue& issue);

}  // namespace gomkit::core

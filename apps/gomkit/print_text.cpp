#include "print_text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <gomkit/core/text.hpp>

#include "output.hpp"
#include "print_json.hpp"

using gomkit::core::printable;
using gomkit::core::Severity;

namespace {

std::string joined(const std::vector<std::string>& words) {
    return words.empty() ? std::string("-") : fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

void print_error(const gomkit::core::Error& error) {
    const std::string text = gomkit::core::to_string(error);
    print_error_line(error.place.file.empty() ? "gomkit: " + text : text);
}

void print_issues(const gomkit::core::Report& report, const CommonOptions& options) {
    for (const gomkit::core::Issue& issue : report.issues()) {
        const bool wanted = issue.severity == Severity::Error || (issue.severity == Severity::Warning && !options.quiet) || options.verbose;
        if (wanted) {
            print_error_line(gomkit::core::to_string(issue));
        }
    }
    if (report.truncated() && !options.quiet) {
        print_error_line(truncated_text(report));
    }
}

std::string truncated_text(const gomkit::core::Report& report) {
    return fmt::format("gomkit: only the first {} findings are shown (--max-issues)", report.issues().size());
}

std::string rounded(double value) { return fmt::format("{:.6g}", value + 0.0); }  // + 0.0: no "-0"

std::string rounded(const gomkit::model::Vec3& v) { return rounded(v.x) + " " + rounded(v.y) + " " + rounded(v.z); }

std::string amount(std::uint64_t count, const std::string& one, const std::string& many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string convert_text(const gomkit::kit::ConvertRequest& request, const gomkit::kit::ConvertResponse& response) {
    const gomkit::kit::Counts& n = response.written;
    std::string text = fmt::format("{} -> {}: ", printable(request.input.path), printable(request.output));
    if (response.motion) {
        text += fmt::format("{}, {} bytes", amount(n.clips, "clip", "clips"), response.bytes);
    } else {
        text += fmt::format("{}, {}, {}, {}, {}, {}, {} bytes", amount(n.meshes, "mesh", "meshes"), amount(n.vertices, "vertex", "vertices"),
                            amount(n.triangles, "triangle", "triangles"), amount(n.bones, "bone", "bones"), amount(n.clips, "clip", "clips"),
                            amount(n.materials, "material", "materials"), response.bytes);
    }
    if (!response.pictures_written.empty()) {
        text += ", " + amount(response.pictures_written.size(), "picture", "pictures") + " written";
    }
    text += "\n";
    if (request.motion.split_clips) {
        for (const std::string& output : response.outputs) {
            text += output != request.motion.root_motion_output ? "  " + printable(output) + "\n" : "";
        }
    }
    for (const gomkit::pass::ReducedClip& clip : response.reduced) {
        text += fmt::format("  {}: {} -> {}", printable(clip.clip), amount(clip.keys_before, "key", "keys"), clip.keys_after);
        text += clip.bone.empty() ? ", nothing moved\n"
                                  : fmt::format(", at most {:.4f} mm off at {} at {:.4f} s\n", clip.millimetres, printable(clip.bone), clip.time);
    }
    if (!request.motion.root_motion_output.empty()) {
        text += "  root motion -> " + printable(request.motion.root_motion_output) + "\n";
    }
    return text;
}

std::string diff_text(const gomkit::kit::DiffResponse& response) {
    std::string text;
    for (const gomkit::kit::Difference& d : response.differences) {
        text += printable(d.place) + ": " + d.what;
        if (!d.a.empty() || !d.b.empty()) {
            text += fmt::format(": A '{}', B '{}'", printable(d.a), printable(d.b));
        }
        text += '\n';
    }
    return text + (response.differences.empty() ? "no differences" : amount(response.differences.size(), "difference", "differences")) + "\n";
}

std::string formats_text(const std::vector<gomkit::kit::FormatInfo>& formats) {
    std::string text;
    for (const gomkit::kit::FormatInfo& f : formats) {
        std::vector<std::string> can;
        const std::pair<bool, const char*> abilities[] = {{f.reads, "read"}, {f.writes, "write"}, {f.checks, "check"}, {f.dumps, "dump"}};
        for (const auto& ability : abilities) {
            if (ability.first) {
                can.push_back(ability.second);
            }
        }
        text += fmt::format("{}  {} (.{})\n  can   {}\n  kept  {}\n  lost  {}\n", f.id, f.name, fmt::join(f.extensions, ", ."), joined(can),
                            joined(f.kept), joined(f.lost));
    }
    return text;
}

std::string rules_text(const std::vector<const gomkit::core::IssueInfo*>& rules) {
    std::size_t width = 0;
    for (const auto* rule : rules) {
        width = std::max(width, std::string_view(rule->name).size());
    }
    std::string text;
    for (const auto* rule : rules) {
        text += fmt::format("{:<{}}  {:<9}  {}\n", rule->name, width, gomkit::core::name(rule->severity), rule->text);
    }
    return text;
}

std::string rule_text(const gomkit::core::IssueInfo& rule) {
    std::string text = fmt::format("{}\nseverity  {}\ntext      {}\n", rule.name, gomkit::core::name(rule.severity), rule.text);
    if (rule.requirement[0] != '\0') {
        text += fmt::format("rule      {}\n", rule.requirement);
    }
    if (rule.cure[0] != '\0') {
        text += fmt::format("cure      {}\n", rule.cure);
    }
    return text;
}

void print_versions(const gomkit::kit::Versions& v, bool json) {
    if (json) {
        print_result(json_text(versions_json(v)));
        return;
    }
    print_result(fmt::format("gomkit {} (output revision {})\ncompiler    {}\nFBX         {}\nMikkTSpace  {} (crate mikktspace-sys)\n", v.gomkit,
                             v.output_revision, v.compiler, v.with_fbx ? "ufbx " + v.ufbx : std::string("not in this build"), v.mikktspace));
}

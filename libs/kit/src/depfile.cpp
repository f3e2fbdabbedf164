#include <gomkit/kit/depfile.hpp>

#include <algorithm>

#include "guarded.hpp"
#include "load.hpp"

namespace gomkit::kit {
namespace {

#ifdef _WIN32
constexpr bool kHasDrives = true;
#else
constexpr bool kHasDrives = false;
#endif

// False when make's syntax has no way to say it. In a target '%' would make a pattern of the rule; in a source it is itself.
bool append_escaped(std::string& out, const std::string& name, bool is_target) {
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        switch (c) {
            case '\n':
            case '\r':
            case '\0': return false;
            case ' ':
            case '\t':
                // Backslashes before a space are doubled, or they would quote each other.
                for (std::size_t k = i; k > 0 && name[k - 1] == '\\'; --k) {
                    out += '\\';
                }
                out += '\\';
                break;
            case '#': out += '\\'; break;
            case '$': out += '$'; break;
            case ':':
                if (!kHasDrives || i != 1) {
                    out += '\\';
                }
                break;
            case '%':
                if (is_target) {
                    out += '\\';
                }
                break;
            default: break;
        }
        out += c;
    }
    return true;
}

}  // namespace

core::Result<std::string> depfile_text(std::span<const Dependency> rules) {
    return guarded({}, [&]() -> core::Result<std::string> {
        std::string out;
        const auto refuse = [](const std::string& name) {
            return core::fail(core::Code::Usage, file_place(name), "a dependency file cannot hold this name, which has a line break");
        };
        for (const Dependency& rule : rules) {
            if (!append_escaped(out, rule.target, true)) {
                return refuse(rule.target);
            }
            out += ':';
            std::vector<std::string> seen;
            for (const std::string& source : rule.sources) {
                if (std::find(seen.begin(), seen.end(), source) != seen.end()) {
                    continue;
                }
                seen.push_back(source);
                out += seen.size() == 1 ? " " : " \\\n  ";
                if (!append_escaped(out, source, false)) {
                    return refuse(source);
                }
            }
            out += '\n';
        }
        return out;
    });
}

}  // namespace gomkit::kit

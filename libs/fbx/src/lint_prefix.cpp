#include "lint.hpp"
#include "profile.hpp"

namespace gomkit::fbx {

void lint_prefix(Lint& lint) {
    if (!recognised_profile(lint.scene).name_prefixes) {
        return;
    }
    std::string_view prefix;
    const ufbx_node* first = nullptr;
    std::uint64_t count = 0;
    for (const ufbx_node* node : lint.scene.nodes) {
        if (node->bone == nullptr) {
            continue;
        }
        if (first == nullptr) {
            const std::size_t colon = view(node->name).rfind(':');
            if (colon == std::string_view::npos) {
                return;
            }
            first = node;
            prefix = view(node->name).substr(0, colon + 1);
        }
        while (!prefix.empty() && !view(node->name).starts_with(prefix)) {   // less of it: "hero:" of "hero:rig:"
            prefix.remove_suffix(1);
            prefix = prefix.substr(0, prefix.rfind(':') + 1);
        }
        if (prefix.empty()) {
            return;
        }
        ++count;
    }
    if (count > 1) {
        lint.report.add(core::IssueId::FBX_NAME_PREFIX, lint.at(first->element),
                        {{"count", std::to_string(count)}, {"prefix", lint.names.text(prefix)}});
    }
}

}  // namespace gomkit::fbx

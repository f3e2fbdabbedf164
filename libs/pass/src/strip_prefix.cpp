#include <gomkit/pass/strip_prefix.hpp>

#include <string>

namespace gomkit::pass {
namespace {

bool has_prefix(const std::string& name, std::string_view prefix) { return name.size() > prefix.size() && name.starts_with(prefix); }

}  // namespace

std::uint64_t strip_prefix(model::Model& model, std::string_view prefix, core::Report& report) {
    if (prefix.empty()) {
        return 0;
    }
    std::uint64_t renamed = 0;
    std::uint64_t stored = 0;
    for (model::Node& node : model.nodes) {
        if (!has_prefix(node.name, prefix)) {
            continue;
        }
        if (!node.stored_path.empty()) {
            ++stored;
            continue;
        }
        node.name.erase(0, prefix.size());
        ++renamed;
    }
    for (model::MeshInstance& instance : model.instances) {
        if (instance.node.valid() && has_prefix(instance.name, prefix)) {
            instance.name.erase(0, prefix.size());
        }
    }
    if (stored != 0) {
        report.add(core::IssueId::STRIP_PREFIX_STORED, {}, {{"prefix", std::string(prefix)}, {"count", std::to_string(stored)}});
    } else if (renamed == 0) {
        report.add(core::IssueId::STRIP_PREFIX_UNUSED, {}, {{"prefix", std::string(prefix)}});
    }
    return renamed;
}

}  // namespace gomkit::pass

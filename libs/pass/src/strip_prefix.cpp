#include <gomkit/pass/strip_prefix.hpp>

#include <string>

namespace gomkit::pass {
std::uint64_t strip_prefix(model::Model& model, std::string_view prefix, core::Report& report) {
    if (prefix.empty()) {
        return 0;
    }
    const auto has_prefix = [&](const std::string& name) { return without_prefix(name, prefix).size() != name.size(); };
    std::uint64_t renamed = 0;
    std::uint64_t stored = 0;
    for (model::Node& node : model.nodes) {
        if (!has_prefix(node.name)) {
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
        if (instance.node.valid() && has_prefix(instance.name)) {
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

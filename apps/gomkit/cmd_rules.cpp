#include <memory>

#include <gomkit/core/text.hpp>
#include <gomkit/kit/formats.hpp>

#include "arguments.hpp"
#include "common.hpp"
#include "output.hpp"
#include "print_json.hpp"
#include "print_text.hpp"

namespace kit = gomkit::kit;
namespace core = gomkit::core;

namespace {

struct Options {
    CommonOptions common;
    std::string id;
};

core::Error no_such_rule(const std::string& id) {
    std::vector<std::string> names;
    for (const core::IssueInfo* rule : kit::rules()) {
        names.push_back(rule->name);
    }
    const std::string meant = nearest(id, names);
    core::Error error;
    error.code = core::Code::Usage;
    error.what = "there is no rule '" + core::printable(id) + "'" + (meant.empty() ? "" : ", did you mean '" + meant + "'?");
    error.cure = "see gomkit rules";
    return error;
}

int run_rules(const Options& o) {
    std::vector<const core::IssueInfo*> rules = kit::rules();
    std::vector<core::Error> errors;
    if (!o.id.empty()) {
        rules = {core::find_issue(o.id)};
        if (rules.front() == nullptr) {
            rules.clear();
            errors.push_back(no_such_rule(o.id));
        }
    }
    const int code = errors.empty() ? 0 : 2;
    if (o.common.json) {
        Json document = json_document(code, errors, {});
        document["rules"] = Json::array();
        for (const core::IssueInfo* rule : rules) {
            document["rules"].push_back(rule_json(*rule));
        }
        print_result(json_text(document));
    } else if (!errors.empty()) {
        print_error(errors.front());
    } else {
        print_result(o.id.empty() ? rules_text(rules) : rule_text(*rules.front()));
    }
    return code;
}

}  // namespace

void add_rules(CLI::App& app, Context& context) {
    auto o = std::make_shared<Options>();
    CLI::App* command = add_command(app, "rules", "list all findings gomkit can make, or explain one",
                                    "  gomkit rules\n"
                                    "  gomkit rules IO_TEXTURE_MISSING\n"
                                    "  gomkit rules --json");
    command->add_option("ID", o->id, "the finding's id");
    add_json(*command, o->common);
    command->callback([o, &context] { context.exit_code = run_rules(*o); });
}

#include <memory>

#include <gomkit/kit/formats.hpp>

#include "common.hpp"
#include "output.hpp"
#include "print_json.hpp"
#include "print_text.hpp"

namespace kit = gomkit::kit;

void add_formats(CLI::App& app, Context& context) {
    auto o = std::make_shared<CommonOptions>();
    CLI::App* command = add_command(app, "formats", "list the formats and what survives in them",
                                    "  gomkit formats\n"
                                    "  gomkit formats --json");
    add_json(*command, *o);
    command->callback([o, &context] {
        const auto formats = kit::formats(context.registry);
        if (!o->json) {
            print_result(formats_text(formats));
            return;
        }
        Json document = json_document(0, {}, {});
        document["formats"] = Json::array();
        for (const kit::FormatInfo& format : formats) {
            document["formats"].push_back(format_json(format));
        }
        print_result(json_text(document));
    });
}

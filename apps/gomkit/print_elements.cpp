#include "print_elements.hpp"

#include <fmt/format.h>

#include <gomkit/core/text.hpp>

using gomkit::codec::Element;
using gomkit::codec::ElementConnection;
using gomkit::codec::ElementProperty;
using gomkit::core::printable;

namespace {

std::string title(const std::optional<std::uint32_t>& id, const std::string& kind, const std::string& name) {
    return id ? fmt::format("[{}] {} '{}'", *id, kind, printable(name)) : kind;
}

std::string value_text(const ElementProperty& property) {
    if (property.whole) {
        return std::to_string(*property.whole);
    }
    std::string out;
    for (const double number : property.numbers) {
        out += (out.empty() ? "" : " ") + gomkit::core::number_text(number);
    }
    if (property.bytes != 0) {
        out = fmt::format("{} bytes", property.bytes);
    }
    return out.empty() ? "'" + printable(property.text) + "'" : out;
}

}  // namespace

std::string element_text(const Element& element) {
    std::string out = title(element.id, element.kind, element.name) + (element.detail.empty() ? "" : ": " + element.detail) + "\n";
    for (const ElementConnection& connection : element.connections) {
        const std::string from = connection.property.empty() ? "" : printable(connection.property) + " ";
        const std::string at = connection.to_property.empty() ? "" : ", " + printable(connection.to_property);
        out += fmt::format("  {}-> {}{}\n", from, title(connection.to, connection.to_kind, connection.to_name), at);
    }
    for (const ElementProperty& property : element.properties) {
        out += fmt::format("  {} = {} ({}", printable(property.name), value_text(property), property.type);
        for (const char* flag : property.flags) {
            out += fmt::format(", {}", flag);
        }
        out += ")\n";
    }
    return out;
}

Json element_json(const Element& element) {
    Json out;
    out["id"] = element.id ? Json(*element.id) : Json(nullptr);
    out["kind"] = element.kind;
    out["name"] = element.name;
    out["detail"] = element.detail;
    out["connections"] = Json::array();
    for (const ElementConnection& connection : element.connections) {
        out["connections"].push_back({{"to", connection.to}, {"property", connection.property}, {"toProperty", connection.to_property}});
    }
    out["properties"] = Json::array();
    for (const ElementProperty& property : element.properties) {
        Json value = property.text;
        if (property.whole) {
            value = *property.whole;
        } else if (property.bytes != 0) {
            value = {{"bytes", property.bytes}};
        } else if (!property.numbers.empty()) {
            value = Json::array();
            for (const double number : property.numbers) {
                value.push_back(number);  // null for what is no number
            }
        }
        out["properties"].push_back({{"name", property.name}, {"type", property.type}, {"flags", property.flags}, {"value", std::move(value)}});
    }
    return out;
}

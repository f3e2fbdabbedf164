#include <gomkit/codec/format_option.hpp>

#include <algorithm>

#include <gomkit/core/text.hpp>

namespace gomkit::codec {

std::string value_fault(const FormatOption& option, std::string_view value) {
    if (option.accepts != nullptr && option.accepts(value)) {
        return {};
    }
    if (!option.choices.empty()) {
        if (std::any_of(option.choices.begin(), option.choices.end(), [&](const char* c) { return value == c; })) {
            return {};
        }
        std::string words;
        for (const char* choice : option.choices) {
            words += (words.empty() ? "" : choice == option.choices.back() ? " or " : ", ") + std::string(choice);
        }
        return "must be " + words + (option.accepts != nullptr ? std::string(", or ") + option.expected : std::string());
    }
    if (option.accepts != nullptr) {
        return std::string("must be ") + option.expected;
    }
    return value == kOn ? std::string() : std::string("takes no value");
}

bool is_usual_number(std::string_view text) {
    const double value = core::parse_number(text).value_or(0);
    return value >= 1e-6 && value <= 1e6;
}

std::string_view text_of(const FormatValues& values, std::string_view name, std::string_view otherwise) {
    const auto it = values.find(name);
    return it == values.end() ? otherwise : std::string_view(it->second);
}

double number_of(const FormatValues& values, std::string_view name, double otherwise) {
    return core::parse_number(text_of(values, name)).value_or(otherwise);
}

}  // namespace gomkit::codec

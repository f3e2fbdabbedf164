#include <gomkit/core/figures.hpp>

#include <charconv>
#include <system_error>

#include <gomkit/core/text.hpp>

namespace gomkit::core {

std::string short_number(double value) {
    char text[32];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 4);
    return error == std::errc() ? std::string(text, end) : number_text(value);
}

}  // namespace gomkit::core

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gomkit::codec {

/// An option of `convert` that belongs to single formats. The command line is made of what the codecs list; options of the same name are
/// one option, whose meaning is the target's.
struct FormatOption {
    const char* name = "";               ///< "--mv1-fps"
    const char* value = "";              ///< what its value is called in the help, "N"; "" with choices and for a flag
    std::vector<const char*> choices = {};  ///< all values there are; empty: those that `accepts` takes, or a flag
    const char* help = "";               ///< what it does, and in brackets what happens without it
    bool (*accepts)(std::string_view value) = nullptr;
    const char* expected = "";           ///< what `accepts` asks for: "a number from 0.000001 to 1000000"

    [[nodiscard]] bool is_flag() const { return choices.empty() && accepts == nullptr; }
};

/// The options that were given, by name, with their values as text; a flag's is kOn.
using FormatValues = std::map<std::string, std::string, std::less<>>;
inline constexpr const char* kOn = "on";

/// What is wrong with a value, as "must be ..."; "" when nothing is.
[[nodiscard]] std::string value_fault(const FormatOption& option, std::string_view value);

/// For FormatOption::accepts, with kUsualNumber for `expected`: factors, lengths and rates, whose products float32 can hold.
[[nodiscard]] bool is_usual_number(std::string_view text);
inline constexpr const char* kUsualNumber = "a number from 0.000001 to 1000000";

/// The value given, or `otherwise` where the option was not.
[[nodiscard]] std::string_view text_of(const FormatValues& values, std::string_view name, std::string_view otherwise = {});
/// The number given; values have been checked.
[[nodiscard]] double number_of(const FormatValues& values, std::string_view name, double otherwise);
[[nodiscard]] inline bool is_on(const FormatValues& values, std::string_view name) { return text_of(values, name) == kOn; }

}  // namespace gomkit::codec

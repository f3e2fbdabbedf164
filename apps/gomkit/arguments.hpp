#pragma once

#include <functional>
#include <string>
#include <vector>

/// `arguments` (without the program's name) with "convert" put in front where they are just files. Sets `unknown` when the first
/// one looks like a command and is none.
[[nodiscard]] std::vector<std::string> with_command(std::vector<std::string> arguments, const std::vector<std::string>& commands,
                                                    std::string& unknown);

/// CLI11 takes "[a,b]" for a list of two; as "./[a,b]" it is the file that is meant. `takes_value` says whether an option is followed
/// by a value, which stays as it is.
[[nodiscard]] std::vector<std::string> with_plain_brackets(std::vector<std::string> arguments,
                                                           const std::function<bool(const std::string&)>& takes_value);

/// "--reduce" without a number behind it means "--reduce=0.1"; CLI11 would take the next word, whatever it is.
[[nodiscard]] std::vector<std::string> with_default_values(std::vector<std::string> arguments);

/// The word of `known` that `word` was probably meant to be; "" when none is near.
[[nodiscard]] std::string nearest(const std::string& word, const std::vector<std::string>& known);

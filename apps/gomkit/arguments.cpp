#include "arguments.hpp"

#include <algorithm>
#include <numeric>

#include <gomkit/core/file.hpp>
#include <gomkit/core/text.hpp>

namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t old = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
            diagonal = old;
        }
    }
    return row[b.size()];
}

bool looks_like_a_command(const std::string& word) {
    return !word.empty() && word.front() != '-' && word.size() <= 12 && std::all_of(word.begin(), word.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& known) {
    std::string best;
    std::size_t best_distance = word.size() < 4 ? 2 : 3;  // the first distance that is too far
    for (const std::string& candidate : known) {
        const std::size_t distance = word.size() > 64 ? 99 : edit_distance(word, candidate);
        if (distance < best_distance) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

std::vector<std::string> with_command(std::vector<std::string> arguments, const std::vector<std::string>& commands, std::string& unknown) {
    if (arguments.empty()) {
        return arguments;
    }
    const std::string& first = arguments.front();
    const bool is_option = first.starts_with('-') && first != "--" && first != "-";
    if (is_option || std::find(commands.begin(), commands.end(), first) != commands.end()) {
        return arguments;
    }
    if (looks_like_a_command(first) && !gomkit::core::exists(first)) {
        unknown = first;
        return arguments;
    }
    arguments.insert(arguments.begin(), "convert");
    return arguments;
}

std::vector<std::string> with_default_values(std::vector<std::string> arguments) {
    for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
        if (arguments[i] != "--reduce") {
            continue;
        }
        if (i + 1 == arguments.size() || !gomkit::core::parse_number(arguments[i + 1])) {
            arguments[i] = "--reduce=0.1";
        }
    }
    return arguments;
}

namespace {

// Whether the word that follows `word` is its value: "--output" and "-o", but not "--output=x", "-ox" and flags.
bool wants_a_value(const std::string& word, const std::function<bool(const std::string&)>& takes_value) {
    if (word.starts_with("--")) {
        return takes_value(word);
    }
    if (!word.starts_with('-')) {
        return false;
    }
    for (std::size_t i = 1; i < word.size(); ++i) {  // several letters may share a dash
        if (takes_value(std::string("-") + word[i])) {
            return i + 1 == word.size();
        }
    }
    return false;
}

}  // namespace

std::vector<std::string> with_plain_brackets(std::vector<std::string> arguments, const std::function<bool(const std::string&)>& takes_value) {
    bool only_files = false;  // after "--"
    bool is_value = false;
    for (std::string& word : arguments) {
        if (!is_value && word.starts_with('[') && word.ends_with(']')) {
            word.insert(0, "./");
        }
        only_files = only_files || (!is_value && word == "--");
        is_value = !only_files && !is_value && wants_a_value(word, takes_value);
    }
    return arguments;
}

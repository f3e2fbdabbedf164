#include "format_options.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "common.hpp"

namespace codec = gomkit::codec;

namespace {

// An option as the formats that have it see it.
struct Shared {
    std::string name;
    std::string help;
    std::vector<std::string> words;   // what may stand for the value
    std::vector<codec::FormatOption> meanings;
};

std::string label(std::string id) {
    std::transform(id.begin(), id.end(), id.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return id;
}

void add_word(std::vector<std::string>& words, const std::string& word) {
    if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end()) {
        words.push_back(word);
    }
}

std::vector<Shared> collect(const codec::Registry& registry) {
    std::vector<Shared> all;
    for (const codec::Codec& format : registry.codecs()) {
        for (const codec::FormatOption& option : format.format_options) {
            auto it = std::find_if(all.begin(), all.end(), [&](const Shared& s) { return s.name == option.name; });
            if (it == all.end()) {
                it = all.insert(all.end(), Shared{option.name, {}, {}, {}});
            }
            it->help += (it->help.empty() ? "" : "; ") + label(format.id) + ": " + option.help;
            for (const char* choice : option.choices) {
                add_word(it->words, choice);
            }
            add_word(it->words, option.value);
            it->meanings.push_back(option);
        }
    }
    return all;
}

}  // namespace

void add_format_options(CLI::App& command, codec::FormatValues& values, const codec::Registry& registry) {
    for (const Shared& shared : collect(registry)) {
        std::string& value = values[shared.name];
        CLI::Option* option = nullptr;
        if (shared.meanings.front().is_flag()) {
            option = command.add_flag_callback(shared.name, [&value] { value = codec::kOn; }, shared.help);
        } else {
            // What one of the formats takes; whether the target does is seen when the target is known.
            option = command.add_option(shared.name, value, shared.help)->option_text(words_text(shared.words))->check([meanings = shared.meanings](const std::string& text) {
                std::string fault;
                for (const codec::FormatOption& meaning : meanings) {
                    fault = codec::value_fault(meaning, text);
                    if (fault.empty()) {
                        break;
                    }
                }
                return fault;
            });
        }
        option->group("Formats");
    }
}

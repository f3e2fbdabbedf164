#pragma once

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <gomkit/fbx/fbx.hpp>

#include "source_dir.hpp"

/// Files of the corpus, which lies at $GOMKIT_CORPUS or beside the project.
namespace gomkit::fbx::test {

/// The folder of the corpus.
inline std::string corpus() {
    const char* set = std::getenv("GOMKIT_CORPUS");
    return set != nullptr && *set != '\0' ? set : source_dir() + "/../shared/corpus";
}

/// "" where it is not there.
inline std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Of a file by its path in the corpus.
inline std::vector<std::byte> read_bytes(const std::string& name) {
    const std::string text = read_text(corpus() + "/" + name);
    std::vector<std::byte> bytes(text.size());
    std::transform(text.begin(), text.end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    return bytes;
}

/// An FBX file by its path in the corpus; a failure of the test where it cannot be read.
inline std::optional<model::Model> load(const std::string& name, const codec::ReadOptions& options = {}) {
    core::Report report;
    auto model = make_codec().read(read_bytes(name), name, options, report);
    if (!model) {
        ADD_FAILURE() << core::to_string(model.error());
        return std::nullopt;
    }
    return std::move(*model);
}

/// A line of a table, by column.
using Row = std::map<std::string, std::string>;

inline std::vector<Row> read_table(const std::string& name) {
    std::istringstream lines(read_text(corpus() + "/" + name));
    std::vector<std::string> columns;
    std::vector<Row> out;
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> fields(1);
        for (const char c : line) {
            if (c == '\t') {
                fields.emplace_back();
            } else if (c != '\r') {
                fields.back() += c;
            }
        }
        if (columns.empty()) {
            columns = fields;
            continue;
        }
        Row row;
        for (std::size_t i = 0; i < std::min(columns.size(), fields.size()); ++i) {
            row[columns[i]] = fields[i];
        }
        out.push_back(std::move(row));
    }
    return out;
}

}  // namespace gomkit::fbx::test

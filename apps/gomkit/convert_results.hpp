#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gomkit/core/file.hpp>
#include <gomkit/kit/convert.hpp>
#include <gomkit/kit/depfile.hpp>

#include "common.hpp"
#include "print_json.hpp"

/// Files, told apart by where they are and, when they exist, by what they are.
class FileSet {
public:
    void add(const std::string& path);
    [[nodiscard]] bool contains(const std::string& path) const;

private:
    std::set<std::string> places_;
    std::set<gomkit::core::FileId> files_;
};

/// Collects what became of several conversions: prints it as it comes, or keeps it for the JSON document.
class ConvertResults {
public:
    explicit ConvertResults(const CommonOptions& options) : options_(options) {}

    void add(const gomkit::kit::ConvertRequest& request, const gomkit::kit::ConvertOutcome& outcome);
    /// An error that belongs to no single conversion, or stopped one before it began.
    void fail(const gomkit::core::Error& error);
    /// What --explain says about one conversion.
    void add_steps(const gomkit::kit::ConvertRequest& request, const std::vector<gomkit::codec::Step>& steps);
    /// Writes the dependency file, unless something failed: it says how the outputs were made. A picture is never replaced
    /// by it.
    void write_depfile(const std::string& path);
    /// Prints the JSON document where one is wanted. Returns the exit code.
    [[nodiscard]] int finish();

private:
    void print(const gomkit::kit::ConvertRequest& request, const gomkit::kit::ConvertOutcome& outcome,
               const std::optional<gomkit::core::Error>& failure) const;
    void keep(const gomkit::kit::ConvertRequest& request, const gomkit::kit::ConvertOutcome& outcome,
              const std::optional<gomkit::core::Error>& failure);

    const CommonOptions& options_;
    int exit_code_ = 0;
    Json files_ = Json::array();
    std::vector<gomkit::core::Error> errors_;
    std::vector<gomkit::core::Report> reports_;
    std::vector<gomkit::kit::Dependency> rules_;
    std::vector<std::string> pictures_;
};

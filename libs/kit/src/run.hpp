#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>

#include <gomkit/core/file.hpp>
#include <gomkit/kit/convert.hpp>
#include <gomkit/runtime/sha256.hpp>

namespace gomkit::kit {

/// What the conversions of one run must agree on: which files are inputs and outputs, and which pictures are written. Files are told
/// apart by core::identity_of(). Pictures are claimed and made by one thread at a time; the questions may be asked from all.
class Run {
public:
    using Hash = std::array<std::uint8_t, 32>;
    using Claims = std::map<std::string, Hash>;  ///< by identity

    explicit Run(std::span<const ConvertRequest> requests);

    /// "an input", "an output" or what else the file is to the run; "" when no picture of the run's stands in its way.
    [[nodiscard]] std::string role_of(const std::string& path) const;
    /// True for what the run itself writes, and so must not find: the result would depend on which model comes first.
    [[nodiscard]] bool is_made_here(const std::string& path) const;

    /// A further output, whose name was not known when the run began.
    void add_output(const std::string& path);

    /// The content that finished models rely on; nullptr for none.
    [[nodiscard]] const Hash* claimed(const std::string& identity) const;
    /// A model is finished: what it claimed stays.
    void keep(const Claims& claims) { claims_.insert(claims.begin(), claims.end()); }
    /// A picture is going to be a new file, or was taken back.
    void set_made(const std::string& identity, bool made);

private:
    void add(const std::string& path, const std::string& role);

    std::map<std::string, std::string> roles_;     // by identity
    std::map<core::FileId, std::string> existing_;  // the same, of files with several names
    std::set<std::string> outputs_;
    Claims claims_;
    mutable std::mutex mutex_;
    std::set<std::string> made_;
};

}  // namespace gomkit::kit

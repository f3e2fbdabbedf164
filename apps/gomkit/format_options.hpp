#pragma once

#include <CLI/CLI.hpp>

#include <gomkit/codec/codec.hpp>

/// Adds the options that single formats bring (Codec::format_options), a group of their own in the help. `values` receives each option's
/// text, "" for those that are not given, and has to stay where it is as long as `command`.
void add_format_options(CLI::App& command, gomkit::codec::FormatValues& values, const gomkit::codec::Registry& registry);

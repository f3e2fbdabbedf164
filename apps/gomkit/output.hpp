#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <gomkit/core/error.hpp>

/// Makes sure that descriptors 0 to 2 are open, so that no file of ours gets one of their numbers, and that a closed pipe is an
/// error to be handled instead of the end of the process.
void prepare_streams();

/// Writes to stdout, which carries results only. Failures are kept for finish_output().
void print_result(std::string_view text);

/// Writes a model's bytes to stdout. `name` is for the message. Errors: CannotWrite.
[[nodiscard]] gomkit::core::Result<void> write_stdout(const std::string& name, std::span<const std::byte> bytes);

/// Writes what a command made of `inputs` to a file, or to stdout where `output` means that. Errors: CannotWrite, also where the output
/// is one of the inputs.
[[nodiscard]] gomkit::core::Result<void> write_result(const std::string& output, std::span<const std::byte> bytes, std::span<const std::string> inputs);

/// True when writing to `path` means stdout: by its name, or because stdout is that file or pipe. A device that stdout happens to be
/// (/dev/null) does not count.
[[nodiscard]] bool is_stdout(const std::string& path);

/// Writes one line to stderr; a progress line that stands there is wiped first.
void print_error_line(std::string_view line);

/// Flushes stdout. `code`, or 5 when stdout could not be written.
[[nodiscard]] int finish_output(int code);

#pragma once

#include <string>

#include <gomkit/codec/codec.hpp>

#include "print_json.hpp"

/// Lines: kind, id and name; what it belongs to; its properties.
[[nodiscard]] std::string element_text(const gomkit::codec::Element& element);
[[nodiscard]] Json element_json(const gomkit::codec::Element& element);

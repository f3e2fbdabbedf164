#pragma once

#include <functional>

#include <gomkit/codec/codec.hpp>
#include <gomkit/kit/input.hpp>

namespace gomkit::kit {

struct ElementsRequest {
    Input input;
    codec::ReadOptions read;
    bool properties = false;  ///< with the properties of each
};

/// What a source file is made of, in its own terms; `visit` is called for one element after the other, always in the same order. Errors:
/// those of reading; Unsupported for a format that has no elements.
[[nodiscard]] core::Result<void> elements(const codec::Registry& registry, const ElementsRequest& request,
                                          const std::function<void(const codec::Element&)>& visit);

}  // namespace gomkit::kit

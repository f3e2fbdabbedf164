#pragma once

#include <string>
#include <string_view>

#include "document.hpp"
#include "links.hpp"

namespace gomkit::mv1 {

/// Which parts of a file are written (DxLib's save type).
struct Parts {
    bool meshes = true;
    bool animations = true;
};

/// Gives every struct and block its place in the library's order and sets what follows from that: all offsets, chains, numbers,
/// the frame tree's lists, header counters, sums over meshes and lists, change tables and the table of UseFrame (MV1-WRITE-1 to
/// MV1-WRITE-7). Given are the vectors with their other fields, the blocks, the strings, and how things belong together. Texture
/// and frame numbers inside structs are taken as they are. Sizes must fit 32 bits.
void assemble(Document& document, const Links& links, const Parts& parts);

/// Appends `text` to the pool as it is stored (NUL, start on a multiple of 4) and returns its offset.
std::uint32_t add_string(Document& document, std::string_view text);

}  // namespace gomkit::mv1

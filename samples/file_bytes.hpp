#pragma once
// A whole file in memory, the first byte at a multiple of 32: what the run-time library asks for.

#include <cstddef>
#include <fstream>
#include <span>
#include <string>
#include <vector>

// Memory for the run-time's objects, and for files.
class AlignedBytes {
public:
    AlignedBytes() = default;
    explicit AlignedBytes(std::size_t size) : blocks_((size + sizeof(Block) - 1) / sizeof(Block)), size_(size) {}
    [[nodiscard]] std::span<std::byte> span() { return {reinterpret_cast<std::byte*>(blocks_.data()), size_}; }

private:
    struct alignas(32) Block {
        std::byte bytes[32];
    };
    std::vector<Block> blocks_;
    std::size_t size_ = 0;
};

// False when the file cannot be read.
inline bool read_file(const std::string& path, AlignedBytes& out) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in) return false;
    out = AlignedBytes(static_cast<std::size_t>(in.tellg()));
    in.seekg(0);
    in.read(reinterpret_cast<char*>(out.span().data()), static_cast<std::streamsize>(out.span().size()));
    return in.good();
}

#include "png_writer.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>

namespace hero {
namespace {

class Bits {
public:
    void put(std::uint32_t value, unsigned count)  // lowest bit first
    {
        buffer_ |= static_cast<std::uint64_t>(value) << filled_;
        filled_ += count;
        while (filled_ >= 8) {
            bytes.push_back(static_cast<std::uint8_t>(buffer_ & 0xffU));
            buffer_ >>= 8;
            filled_ -= 8;
        }
    }
    void put_code(std::uint32_t code, unsigned count)  // Huffman codes go highest bit first
    {
        for (unsigned i = count; i-- > 0;) {
            put(code >> i & 1U, 1);
        }
    }
    void flush() {
        if (filled_ > 0) {
            put(0, 8 - filled_);
        }
    }
    std::vector<std::uint8_t> bytes;

private:
    std::uint64_t buffer_ = 0;
    unsigned filled_ = 0;
};

// RFC 1951, 3.2.6: the fixed codes.
void put_symbol(Bits& out, std::uint32_t symbol) {
    if (symbol < 144) {
        out.put_code(0x30 + symbol, 8);
    } else if (symbol < 256) {
        out.put_code(0x190 + symbol - 144, 9);
    } else if (symbol < 280) {
        out.put_code(symbol - 256, 7);
    } else {
        out.put_code(0xc0 + symbol - 280, 8);
    }
}

void put_match(Bits& out, std::uint32_t length, std::uint32_t distance) {
    std::uint32_t symbol = 257, base = 3;
    unsigned extra = 0;
    if (length == 258) {
        symbol = 285;
        base = 258;
    } else {
        for (unsigned group = 0;; ++group) {  // 8 codes without extra bits, then 4 each with 1, 2, ... 5
            const unsigned codes = group == 0 ? 8 : 4;
            extra = group;
            if (length < base + (codes << extra)) {
                symbol += (length - base) >> extra;
                base += ((length - base) >> extra) << extra;
                break;
            }
            base += codes << extra;
            symbol += codes;
        }
    }
    put_symbol(out, symbol);
    out.put(length - base, extra);
    std::uint32_t code = 0, first = 1;
    unsigned more = 0;
    for (;;) {  // 4 codes without extra bits, then 2 each
        more = code < 4 ? 0 : code / 2 - 1;
        if (distance < first + (1U << more)) {
            break;
        }
        first += 1U << more;
        ++code;
    }
    out.put_code(code, 5);
    out.put(distance - first, more);
}

std::vector<std::uint8_t> deflate(const std::vector<std::uint8_t>& in) {
    constexpr std::size_t window = 32768, hash_size = 1U << 15U, chain = 64;
    Bits out;
    out.put(1, 1);  // last block
    out.put(1, 2);  // fixed codes
    std::vector<std::int64_t> head(hash_size, -1), previous(in.size(), -1);
    const auto hash = [&](std::size_t i) {
        return (in[i] * 2654435761U ^ in[i + 1] * 40503U ^ in[i + 2] * 2246822519U) >> 7U & (hash_size - 1);
    };
    const auto insert = [&](std::size_t i) {
        if (i + 3 <= in.size()) {
            previous[i] = head[hash(i)];
            head[hash(i)] = static_cast<std::int64_t>(i);
        }
    };
    for (std::size_t i = 0; i < in.size();) {
        std::size_t best = 0, best_at = 0;
        if (i + 3 <= in.size()) {
            std::int64_t at = head[hash(i)];
            for (std::size_t k = 0; k < chain && at >= 0; ++k, at = previous[static_cast<std::size_t>(at)]) {
                const auto from = static_cast<std::size_t>(at);
                if (i - from > window) {
                    break;
                }
                const std::size_t limit = std::min<std::size_t>(258, in.size() - i);
                std::size_t n = 0;
                while (n < limit && in[from + n] == in[i + n]) {
                    ++n;
                }
                if (n > best) {
                    best = n;
                    best_at = from;
                }
            }
        }
        if (best >= 4 || (best == 3 && i - best_at < 4096)) {
            put_match(out, static_cast<std::uint32_t>(best), static_cast<std::uint32_t>(i - best_at));
            for (std::size_t k = 0; k < best; ++k) {
                insert(i + k);
            }
            i += best;
        } else {
            put_symbol(out, in[i]);
            insert(i);
            ++i;
        }
    }
    put_symbol(out, 256);
    out.flush();
    return out.bytes;
}

void big_endian(std::vector<std::uint8_t>& out, std::uint32_t v) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) {
        out.push_back(static_cast<std::uint8_t>(v >> shift & 0xffU));
    }
}

void chunk(std::vector<std::uint8_t>& file, const char* type, const std::vector<std::uint8_t>& data) {
    big_endian(file, static_cast<std::uint32_t>(data.size()));
    const std::size_t start = file.size();
    file.insert(file.end(), type, type + 4);
    file.insert(file.end(), data.begin(), data.end());
    std::uint32_t crc = 0xffffffffU;
    for (std::size_t i = start; i < file.size(); ++i) {
        crc ^= file[i];
        for (int k = 0; k < 8; ++k) {
            crc = (crc & 1U) != 0 ? 0xedb88320U ^ crc >> 1U : crc >> 1U;
        }
    }
    big_endian(file, ~crc);
}

std::uint8_t paeth(int a, int b, int c) {
    const int p = a + b - c, pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
    return static_cast<std::uint8_t>(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

// Per row the filter with the smallest sum of absolute differences.
std::vector<std::uint8_t> filtered(const std::vector<std::uint8_t>& rgb, std::size_t width, std::size_t height) {
    const std::size_t stride = width * 3;
    std::vector<std::uint8_t> out;
    for (std::size_t y = 0; y < height; ++y) {
        std::array<std::vector<std::uint8_t>, 5> rows;
        std::size_t best = 0;
        long best_sum = 0;
        for (std::size_t f = 0; f < 5; ++f) {
            long sum = 0;
            for (std::size_t x = 0; x < stride; ++x) {
                const int v = rgb[y * stride + x];
                const int a = x >= 3 ? rgb[y * stride + x - 3] : 0;
                const int b = y > 0 ? rgb[(y - 1) * stride + x] : 0;
                const int c = x >= 3 && y > 0 ? rgb[(y - 1) * stride + x - 3] : 0;
                const int guess = f == 0 ? 0 : f == 1 ? a : f == 2 ? b : f == 3 ? (a + b) / 2 : paeth(a, b, c);
                const auto d = static_cast<std::uint8_t>((v - guess) & 0xff);
                rows[f].push_back(d);
                sum += d < 128 ? d : 256 - d;
            }
            if (f == 0 || sum < best_sum) {
                best = f;
                best_sum = sum;
            }
        }
        out.push_back(static_cast<std::uint8_t>(best));
        out.insert(out.end(), rows[best].begin(), rows[best].end());
    }
    return out;
}

}  // namespace

std::vector<std::byte> encode_png(const std::vector<std::uint8_t>& rgb, std::size_t width, std::size_t height) {
    std::vector<std::uint8_t> file = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    std::vector<std::uint8_t> header;
    big_endian(header, static_cast<std::uint32_t>(width));
    big_endian(header, static_cast<std::uint32_t>(height));
    header.insert(header.end(), {8, 2, 0, 0, 0});
    chunk(file, "IHDR", header);
    const std::vector<std::uint8_t> raw = filtered(rgb, width, height);
    std::vector<std::uint8_t> data = {0x78, 0x9c};
    const std::vector<std::uint8_t> packed = deflate(raw);
    data.insert(data.end(), packed.begin(), packed.end());
    std::uint32_t a = 1, b = 0;
    for (const std::uint8_t v : raw) {
        a = (a + v) % 65521;
        b = (b + a) % 65521;
    }
    big_endian(data, b << 16U | a);
    chunk(file, "IDAT", data);
    chunk(file, "IEND", {});
    std::vector<std::byte> bytes(file.size());
    std::transform(file.begin(), file.end(), bytes.begin(), [](std::uint8_t v) { return std::byte{v}; });
    return bytes;
}

}  // namespace hero

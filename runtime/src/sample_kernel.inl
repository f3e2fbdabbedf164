// Private; included once for each path, inside its namespace. Vectors and their operations are that namespace's (lanes_*.hpp).

// Polynomials are added up in pairs, not in a row: their terms then wait less for each other.

// sin(x) / x of z = x * x, for x in [0, pi / 2]: within 5e-9; 1 at 0.
inline Floats sine_over_angle(Floats z) noexcept {
    const Floats low = splat(-0.166666612F) + z * splat(0.00833308790F);
    const Floats high = splat(-0.000198111113F) + z * splat(2.60892966e-06F);
    return splat(1.0F) + z * (low + (z * z) * high);
}

// acos(1 - y) squared, for y in [0, 1]: within 3e-7 * y * y.
inline Floats angle_squared(Floats y) noexcept {
    const Floats square = y * y;
    const Floats low = splat(0.333193779F) + y * splat(0.0906501952F);
    const Floats middle = splat(0.0204051789F) + y * splat(0.0282070767F);
    const Floats high = splat(-0.0159483440F) + y * splat(0.0108928951F);
    return splat(2.0F) * y + square * (low + square * (middle + square * high));
}

// Makes unit length. Nearly all stored quaternions are so near to it that one step of Newton's is exact to 4e-9.
inline void normalize(Floats& x, Floats& y, Floats& z, Floats& w) noexcept {
    const Floats square = (x * x + y * y) + (z * z + w * w);
    const Floats off = square - splat(1.0F);
    const Mask near = less(off, splat(1e-4F)) & less(splat(-1e-4F), off);
    const Floats scale = splat(1.5F) - splat(0.5F) * square;
    const Floats nx = x * scale, ny = y * scale, nz = z * scale, nw = w * scale;
    const unsigned far = ~signs(near) & ((1U << kFloats) - 1U);
    if (far == 0) {
        x = nx;
        y = ny;
        z = nz;
        w = nw;
        return;
    }
    float in[4][kFloats], out[4][kFloats];
    store(in[0], x);
    store(in[1], y);
    store(in[2], z);
    store(in[3], w);
    store(out[0], nx);
    store(out[1], ny);
    store(out[2], nz);
    store(out[3], nw);
    for (std::size_t i = 0; i < kFloats; ++i) {
        if ((far >> i & 1U) == 0) continue;
        const Quatf unit = unit_quaternion({in[0][i], in[1][i], in[2][i], in[3][i]});
        out[0][i] = unit.x;
        out[1][i] = unit.y;
        out[2][i] = unit.z;
        out[3][i] = unit.w;
    }
    x = load(out[0]);
    y = load(out[1]);
    z = load(out[2]);
    w = load(out[3]);
}

// The times of a block's pairs.
struct PairTimes {
    Floats begin, end, start, length;
    Mask held, after;
    unsigned any_held;
};

inline PairTimes pair_times(Floats t, Floats first, Floats second) noexcept {
    PairTimes out;
    const Mask before = less(t, first);
    out.after = not_less(t, second);
    out.held = before | out.after;
    out.any_held = signs(out.held);
    out.begin = first;
    out.end = second;
    out.start = first;
    out.length = second - first;
    if (out.any_held != 0) {
        const Floats infinity = splat(std::numeric_limits<float>::infinity());
        out.begin = select(before, splat(-std::numeric_limits<float>::infinity()), select(out.after, second, first));
        out.end = select(before, first, select(out.after, infinity, second));
        out.start = select(out.held, splat(0.0F), first);
        out.length = select(out.held, infinity, out.length);
    }
    return out;
}

// Lanes whose pair does not hold at t; and of these, those for which it is not the next pair's turn, as far as the present pair tells.
struct Outdated {
    unsigned lanes = 0, far = 0;
};

template <class Block>
inline Outdated outdated_lanes(const Block& block, Floats t) noexcept {
    Outdated out;
    for (std::size_t at = 0; at < kBlockLanes; at += kFloats) {
        const Floats end = load(block.end + at);
        const Mask over = not_less(t, end);
        out.lanes |= signs(less(t, load(block.begin + at)) | over) << at;
        out.far |= ~signs(over & less(t, end + load(block.length + at))) << at;
    }
    out.far &= out.lanes;
    return out;
}

// Where the pairs of a block's lanes are taken to be at time t: the next ones, or where they would be if keys were at even distances.
template <std::size_t kStride>
inline void guess_pairs(LaneKeys& lanes, Outdated outdated, float t, std::uint32_t* segment, const std::byte** pair) noexcept {
    if (outdated.far == 0 && outdated.lanes == (1U << kBlockLanes) - 1U) {
        for (std::size_t i = 0; i < kBlockLanes; ++i) segment[i] = std::min(lanes.segment[i] + 1, lanes.last_segment[i]);
    } else {
        for (std::size_t i = 0; i < kBlockLanes; ++i) {
            segment[i] = lanes.segment[i];
            if ((outdated.far >> i & 1U) != 0) {
                segment[i] = guess_segment(lanes, i, t);
            } else if ((outdated.lanes >> i & 1U) != 0) {
                segment[i] = std::min(segment[i] + 1, lanes.last_segment[i]);
            }
        }
    }
    for (std::size_t i = 0; i < kBlockLanes; ++i) {
        pair[i] = lanes.keys[i] + std::size_t{segment[i]} * kStride;
        prefetch(pair[i], 4 * kStride);
    }
}

// A look at the times of kFloats pairs tells which of these lanes must search; true when one had to.
template <std::size_t kStride>
inline bool correct_pairs(LaneKeys& lanes, std::size_t at, Outdated outdated, float t, Floats first, Floats second,
                          std::uint32_t* segment, const std::byte** pair) noexcept {
    const unsigned wrong = signs(less(splat(t), first) | not_less(splat(t), second)) & (outdated.lanes >> at);
    if (wrong == 0) return false;
    for (std::size_t i = at; i < at + kFloats; ++i) {
        if ((wrong >> (i - at) & 1U) == 0) continue;
        segment[i] = find_segment(lanes, i, kStride, t);
        pair[i] = lanes.keys[i] + std::size_t{segment[i]} * kStride;
    }
    return true;
}

inline void store_times(float* begin, float* end, float* start, float* length, const PairTimes& times) noexcept {
    store(begin, times.begin);
    store(end, times.end);
    store(start, times.start);
    store(length, times.length);
}

inline void refresh(VectorBlock& block, Outdated outdated, float time) noexcept {
    constexpr std::size_t kStride = layout::clp0::kVectorKeySize;
    std::uint32_t segment[kBlockLanes];
    const std::byte* pair[kBlockLanes];
    guess_pairs<kStride>(block.lanes, outdated, time, segment, pair);
    for (std::size_t at = 0; at < kBlockLanes; at += kFloats) {
        Floats first, second, from[3], to[3];
        gather_keys(pair + at, 0, first, from[0], from[1], from[2]);
        gather_keys(pair + at, kStride, second, to[0], to[1], to[2]);
        if (correct_pairs<kStride>(block.lanes, at, outdated, time, first, second, segment, pair)) {
            gather_keys(pair + at, 0, first, from[0], from[1], from[2]);
            gather_keys(pair + at, kStride, second, to[0], to[1], to[2]);
        }
        const PairTimes times = pair_times(splat(time), first, second);
        store_times(block.begin + at, block.end + at, block.start + at, block.length + at, times);
        for (std::size_t c = 0; c < 3; ++c) {
            Floats value = from[c], change = to[c] - from[c];
            if (times.any_held != 0) {
                value = select(times.after, to[c], value);
                change = select(times.held, splat(0.0F), change);
            }
            store(block.value[c] + at, value);
            store(block.change[c] + at, change);
        }
    }
    std::memcpy(block.lanes.segment, segment, sizeof segment);
}

inline void refresh(RotationBlock& block, Outdated outdated, float time) noexcept {
    constexpr std::size_t kStride = layout::clp0::kRotationKeySize, kValue = layout::clp0::kKeyValue;
    std::uint32_t segment[kBlockLanes];
    const std::byte* pair[kBlockLanes];
    guess_pairs<kStride>(block.lanes, outdated, time, segment, pair);
    for (std::size_t at = 0; at < kBlockLanes; at += kFloats) {
        Floats first = gather_times(pair + at, 0), second = gather_times(pair + at, kStride);
        if (correct_pairs<kStride>(block.lanes, at, outdated, time, first, second, segment, pair)) {
            first = gather_times(pair + at, 0);
            second = gather_times(pair + at, kStride);
        }
        Floats from[4], to[4];
        gather_keys(pair + at, kValue, from[0], from[1], from[2], from[3]);
        gather_keys(pair + at, kStride + kValue, to[0], to[1], to[2], to[3]);
        normalize(from[0], from[1], from[2], from[3]);
        normalize(to[0], to[1], to[2], to[3]);
        const PairTimes times = pair_times(splat(time), first, second);
        store_times(block.begin + at, block.end + at, block.start + at, block.length + at, times);

        const Floats dot = (from[0] * to[0] + from[1] * to[1]) + (from[2] * to[2] + from[3] * to[3]);
        const Floats sign = dot & splat(-0.0F);
        const Floats versine = splat(1.0F) - (dot ^ sign);
        Floats squared = angle_squared(select(less(splat(0.0F), versine), versine, splat(0.0F)));
        Floats weight = splat(1.0F) / sine_over_angle(squared);
        if (times.any_held != 0) {
            for (std::size_t c = 0; c < 4; ++c) from[c] = select(times.after, to[c], from[c]);
            squared = select(times.held, splat(0.0F), squared);
            weight = select(times.held, splat(1.0F), weight);
        }
        for (std::size_t c = 0; c < 4; ++c) {
            store(block.from[c] + at, from[c]);
            store(block.to[c] + at, to[c]);
        }
        store(block.angle_squared + at, squared);
        store(block.angle_over_sine + at, weight);
        store(block.signed_angle_over_sine + at, weight ^ sign);
    }
    std::memcpy(block.lanes.segment, segment, sizeof segment);
}

template <class Block>
inline void refresh_all(Block* blocks, std::uint32_t count, float time) noexcept {
    const Floats t = splat(time);
    for (Block* block = blocks; block != blocks + count; ++block)
        if (const Outdated outdated = outdated_lanes(*block, t); outdated.lanes != 0) refresh(*block, outdated, time);
}

inline void sample_vectors(VectorBlock* blocks, std::uint32_t count, float time, float mark, std::byte* pose) noexcept {
    const Floats t = splat(time), last = splat(mark);
    for (VectorBlock* block = blocks; block != blocks + count; ++block) {
        for (std::size_t at = 0; at < kBlockLanes; at += kFloats) {
            const Floats u = (t - load(block->start + at)) / load(block->length + at);
            const Floats x = load(block->value[0] + at) + load(block->change[0] + at) * u;
            const Floats y = load(block->value[1] + at) + load(block->change[1] + at) * u;
            const Floats z = load(block->value[2] + at) + load(block->change[2] + at) * u;
            scatter(pose, block->lanes.pose_offset + at, x, y, z, last);
        }
    }
}

inline void sample_rotations(RotationBlock* blocks, std::uint32_t count, float time, std::byte* pose) noexcept {
    const Floats t = splat(time);
    for (RotationBlock* block = blocks; block != blocks + count; ++block) {
        for (std::size_t at = 0; at < kBlockLanes; at += kFloats) {
            const Floats u = (t - load(block->start + at)) / load(block->length + at);
            const Floats v = splat(1.0F) - u;
            const Floats squared = load(block->angle_squared + at);
            const Floats to = (u * load(block->signed_angle_over_sine + at)) * sine_over_angle((u * u) * squared);
            const Floats from = (v * load(block->angle_over_sine + at)) * sine_over_angle((v * v) * squared);
            const Floats x = load(block->from[0] + at) * from + load(block->to[0] + at) * to;
            const Floats y = load(block->from[1] + at) * from + load(block->to[1] + at) * to;
            const Floats z = load(block->from[2] + at) * from + load(block->to[2] + at) * to;
            const Floats w = load(block->from[3] + at) * from + load(block->to[3] + at) * to;
            scatter(pose, block->lanes.pose_offset + at, x, y, z, w);
        }
    }
}

void sample(SampleMemory& memory, float time, std::byte* pose) noexcept {
    VectorBlock* vectors = memory.vectors();
    refresh_all(vectors, memory.translation_blocks + memory.scale_blocks, time);
    refresh_all(memory.rotations(), memory.rotation_blocks, time);
    sample_vectors(vectors, memory.translation_blocks, time, kKeyedMark, pose);
    sample_vectors(vectors + memory.translation_blocks, memory.scale_blocks, time, 0.0F, pose);
    sample_rotations(memory.rotations(), memory.rotation_blocks, time, pose);
    const float* constant = memory.constants();
    const std::uint32_t* slot = memory.constant_slots();
    for (std::uint32_t i = 0; i < memory.constant_count; ++i)
        std::memcpy(pose + std::size_t{16} * slot[i], constant + std::size_t{4} * i, 16);
}

// Private; included once for each path, inside its namespace. Vectors and their operations are that namespace's (lanes_*.hpp).

// sin(x) / x of z = x * x, for x in [0, pi / 2]: within 5e-9; 1 at 0.
inline Floats sine_over_angle(Floats z) noexcept {
    const Floats tail = splat(-0.166666612F) + z * (splat(0.00833308790F) + z * (splat(-0.000198111113F) + z * splat(2.60892966e-06F)));
    return splat(1.0F) + z * tail;
}

// acos(1 - y) squared, for y in [0, 1]: within 3e-7 * y * y.
inline Floats angle_squared(Floats y) noexcept {
    const Floats high = splat(0.0282070767F) + y * (splat(-0.0159483440F) + y * splat(0.0108928951F));
    const Floats tail = splat(0.333193779F) + y * (splat(0.0906501952F) + y * (splat(0.0204051789F) + y * high));
    return y * (splat(2.0F) + y * tail);
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

// What is common to both kinds of blocks: the lanes whose pair does not hold at t look for theirs, then the times of the pairs are set.
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

template <class Block>
inline unsigned outdated_lanes(const Block& block, Floats t) noexcept {
    unsigned out = 0;
    for (std::size_t at = 0; at < kBlockLanes; at += kFloats)
        out |= signs(less(t, load(block.begin + at)) | not_less(t, load(block.end + at))) << at;
    return out;
}

inline void find_segments(LaneKeys& lanes, unsigned outdated, std::size_t stride, float t, const std::byte** pair) noexcept {
    for (std::size_t i = 0; i < kBlockLanes; ++i) {
        if ((outdated >> i & 1U) != 0) lanes.segment[i] = find_segment(lanes, i, stride, t);
        pair[i] = lanes.keys[i] + std::size_t{lanes.segment[i]} * stride;
    }
}

inline void refresh(VectorBlock& block, unsigned outdated, float time) noexcept {
    const std::byte* pair[kBlockLanes];
    find_segments(block.lanes, outdated, layout::clp0::kVectorKeySize, time, pair);
    for (std::size_t at = 0; at < kBlockLanes; at += kFloats) {
        Floats first, second, from[3], to[3];
        gather_keys(pair + at, 0, first, from[0], from[1], from[2]);
        gather_keys(pair + at, layout::clp0::kVectorKeySize, second, to[0], to[1], to[2]);
        const PairTimes times = pair_times(splat(time), first, second);
        store(block.begin + at, times.begin);
        store(block.end + at, times.end);
        store(block.start + at, times.start);
        store(block.length + at, times.length);
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
}

inline void refresh(RotationBlock& block, unsigned outdated, float time) noexcept {
    const std::byte* pair[kBlockLanes];
    find_segments(block.lanes, outdated, layout::clp0::kRotationKeySize, time, pair);
    for (std::size_t at = 0; at < kBlockLanes; at += kFloats) {
        constexpr std::size_t kSecond = layout::clp0::kRotationKeySize;
        Floats from[4], to[4];
        const Floats first = gather_times(pair + at, 0), second = gather_times(pair + at, kSecond);
        gather_keys(pair + at, layout::clp0::kKeyValue, from[0], from[1], from[2], from[3]);
        gather_keys(pair + at, kSecond + layout::clp0::kKeyValue, to[0], to[1], to[2], to[3]);
        normalize(from[0], from[1], from[2], from[3]);
        normalize(to[0], to[1], to[2], to[3]);
        const PairTimes times = pair_times(splat(time), first, second);
        store(block.begin + at, times.begin);
        store(block.end + at, times.end);
        store(block.start + at, times.start);
        store(block.length + at, times.length);

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
}

inline void sample_vectors(VectorBlock* blocks, std::uint32_t count, float time, float mark, std::byte* pose) noexcept {
    const Floats t = splat(time), last = splat(mark);
    for (VectorBlock* block = blocks; block != blocks + count; ++block) {
        if (const unsigned outdated = outdated_lanes(*block, t); outdated != 0) refresh(*block, outdated, time);
        for (std::size_t at = 0; at < kBlockLanes; at += kFloats) {
            const Floats u = (t - load(block->start + at)) / load(block->length + at);
            const Floats x = load(block->value[0] + at) + load(block->change[0] + at) * u;
            const Floats y = load(block->value[1] + at) + load(block->change[1] + at) * u;
            const Floats z = load(block->value[2] + at) + load(block->change[2] + at) * u;
            scatter_slots(pose, block->lanes.slot + at, x, y, z, last);
        }
    }
}

inline void sample_rotations(RotationBlock* blocks, std::uint32_t count, float time, std::byte* pose) noexcept {
    const Floats t = splat(time);
    for (RotationBlock* block = blocks; block != blocks + count; ++block) {
        if (const unsigned outdated = outdated_lanes(*block, t); outdated != 0) refresh(*block, outdated, time);
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
            scatter_slots(pose, block->lanes.slot + at, x, y, z, w);
        }
    }
}

void sample(SampleMemory& memory, float time, std::byte* pose) noexcept {
    VectorBlock* vectors = memory.vectors();
    sample_vectors(vectors, memory.translation_blocks, time, kKeyedMark, pose);
    sample_vectors(vectors + memory.translation_blocks, memory.scale_blocks, time, 0.0F, pose);
    sample_rotations(memory.rotations(), memory.rotation_blocks, time, pose);
    const float* constant = memory.constants();
    const std::uint32_t* slot = memory.constant_slots();
    for (std::uint32_t i = 0; i < memory.constant_count; ++i)
        std::memcpy(pose + std::size_t{16} * slot[i], constant + std::size_t{4} * i, 16);
}

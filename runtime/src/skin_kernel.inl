// Private; included once for each path, inside its namespace. Vectors and their operations are that namespace's (lanes_*.hpp).

struct Vector {
    Floats x, y, z;
};

inline Floats dot(const Vector& a, const Vector& b) noexcept { return (a.x * b.x + a.y * b.y) + a.z * b.z; }

// v times the rows of a 3x3.
inline Vector times(const Vector& v, const Vector* rows) noexcept {
    return {(v.x * rows[0].x + v.y * rows[1].x) + v.z * rows[2].x, (v.x * rows[0].y + v.y * rows[1].y) + v.z * rows[2].y,
            (v.x * rows[0].z + v.y * rows[1].z) + v.z * rows[2].z};
}

inline Vector cross(const Vector& a, const Vector& b) noexcept {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Unit length. `fine` loses the lanes whose square of the length floats do not hold well; they come out as they may.
inline Vector normalize(const Vector& v, Mask& fine) noexcept {
    const Floats square = dot(v, v);
    fine = fine & (less(splat(kLeastSquare), square) & less(square, splat(kGreatestSquare)));
    const Floats scale = splat(1.0F) / square_root(square);
    return {v.x * scale, v.y * scale, v.z * scale};
}

// Lanes for which the float results do not hold are done again in double, one by one.
inline void redo(unsigned lanes, const SkinStreams& s, std::size_t first, std::size_t influences, const Vector& in,
                 NormalMatrix matrix, Vector& out) noexcept {
    float v[3][kFloats], result[3][kFloats];
    store(v[0], in.x);
    store(v[1], in.y);
    store(v[2], in.z);
    store(result[0], out.x);
    store(result[1], out.y);
    store(result[2], out.z);
    for (std::size_t i = 0; i < kFloats; ++i) {
        if ((lanes >> i & 1U) == 0) continue;
        const Vec3f exact = exact_direction(s, first + i, influences, {v[0][i], v[1][i], v[2][i]}, matrix);
        result[0][i] = exact.x;
        result[1][i] = exact.y;
        result[2][i] = exact.z;
    }
    out = {load(result[0]), load(result[1]), load(result[2])};
}

inline void redo_signs(unsigned lanes, const SkinStreams& s, std::size_t first, std::size_t influences, Floats& sign) noexcept {
    float result[kFloats];
    store(result, sign);
    for (std::size_t i = 0; i < kFloats; ++i)
        if ((lanes >> i & 1U) != 0) result[i] = ExactMatrix(s, first + i, influences).is_negative ? -0.0F : 0.0F;
    sign = load(result);
}

// Vertices first to first + kFloats - 1 of the streams; every one of them, and 16 bytes at each position and normal, must be there.
template <std::size_t kInfluences>
inline void skin_few(const SkinStreams& s, std::size_t first) noexcept {
    Vector rows[4];
    if constexpr (kInfluences == 0) {
        for (std::size_t r = 0; r < 4; ++r)
            rows[r] = {splat(s.palette[4 * r]), splat(s.palette[4 * r + 1]), splat(s.palette[4 * r + 2])};
    } else {
        Floats m[12];
        blend<kInfluences>(s.palette, s.indices.at + first * s.indices.stride, s.indices.stride,
                           s.weights.at + first * s.weights.stride, s.weights.stride, m);
        for (std::size_t r = 0; r < 4; ++r) rows[r] = {m[3 * r], m[3 * r + 1], m[3 * r + 2]};
    }
    constexpr unsigned kAll = (1U << kFloats) - 1U;
    Floats unused;
    if (s.out_positions.at != nullptr) {
        Vector position;
        read_rows(s.positions.at + first * s.positions.stride, s.positions.stride, position.x, position.y, position.z, unused);
        const Vector p = times(position, rows);
        write_rows3(s.out_positions.at + first * s.out_positions.stride, s.out_positions.stride, p.x + rows[3].x, p.y + rows[3].y,
                    p.z + rows[3].z);
    }
    const bool with_cofactors = s.out_normals.at != nullptr && s.normal_matrix == NormalMatrix::Cofactor;
    const Mask all = not_less(splat(0.0F), splat(0.0F));
    Vector cofactors[3];
    Floats sign = splat(0.0F);
    Mask clear = all;
    if (with_cofactors || s.out_tangents.at != nullptr) {
        cofactors[0] = cross(rows[1], rows[2]);
        const Floats determinant = dot(rows[0], cofactors[0]);
        // Far enough from 0, as volumes of the same size go, for its sign and the cofactors to be right; and no square over- or underflows.
        const Floats size = (dot(rows[0], rows[0]) + dot(rows[1], rows[1])) + dot(rows[2], rows[2]);
        clear = less(splat(kLeastSize), size) & less(size, splat(kGreatestSize));
        clear = clear & less(splat(kLeastVolume) * (size * size * size), determinant * determinant);
        sign = determinant & splat(-0.0F);
        if (const unsigned unclear = ~signs(clear) & kAll; unclear != 0) redo_signs(unclear, s, first, kInfluences, sign);
    }
    if (s.out_normals.at != nullptr) {
        Mask fine = all;
        Vector normal, n;
        read_rows(s.normals.at + first * s.normals.stride, s.normals.stride, normal.x, normal.y, normal.z, unused);
        if (with_cofactors) {
            fine = clear;
            cofactors[1] = cross(rows[2], rows[0]);
            cofactors[2] = cross(rows[0], rows[1]);
            n = times(normal, cofactors);
            n = normalize({n.x ^ sign, n.y ^ sign, n.z ^ sign}, fine);
        } else {
            n = normalize(times(normal, rows), fine);
        }
        if (const unsigned lanes = ~signs(fine) & kAll; lanes != 0)
            redo(lanes, s, first, kInfluences, normal, s.normal_matrix, n);
        write_rows3(s.out_normals.at + first * s.out_normals.stride, s.out_normals.stride, n.x, n.y, n.z);
    }
    if (s.out_tangents.at != nullptr) {
        Mask fine = all;
        Vector tangent;
        Floats handedness;
        read_rows(s.tangents.at + first * s.tangents.stride, s.tangents.stride, tangent.x, tangent.y, tangent.z, handedness);
        Vector t = normalize(times(tangent, rows), fine);
        if (const unsigned lanes = ~signs(fine) & kAll; lanes != 0)
            redo(lanes, s, first, kInfluences, tangent, NormalMatrix::Plain, t);
        write_rows4(s.out_tangents.at + first * s.out_tangents.stride, s.out_tangents.stride, t.x, t.y, t.z, handedness ^ sign);
    }
}

template <std::size_t kInfluences>
inline void skin_all(const SkinStreams& s, std::size_t readable, std::size_t count) noexcept {
    std::size_t i = 0;
    for (; i + kFloats <= readable; i += kFloats) skin_few<kInfluences>(s, i);
    for (; i < count; i += kFloats) {
        // The rest in a copy with room to read on. Lanes without a vertex repeat the last one.
        Remainder copy;
        const std::size_t used = count - i < kFloats ? count - i : kFloats;
        SkinStreams few = copy.take(s, i, used, kFloats, kInfluences);
        skin_few<kInfluences>(few, 0);
        copy.give(s, i, used);
    }
}

void skin(const SkinStreams& s, std::size_t influences, std::size_t readable, std::size_t count) noexcept {
    switch (influences) {
        case 0:
            return skin_all<0>(s, readable, count);
        case 1:
            return skin_all<1>(s, readable, count);
        case 2:
            return skin_all<2>(s, readable, count);
        case 3:
            return skin_all<3>(s, readable, count);
        default:
            return skin_all<4>(s, readable, count);
    }
}

// Private; included once for each path, inside its namespace. Vectors and their operations are that namespace's (lanes_*.hpp).

// S * R * T of `count` poses' elements: entry 3 * row + column of bone i at entries[entry][i], the translation in entries 9 to 11.
inline void local_matrices(const BoneLocal* locals, std::uint32_t count, double (*entries)[kBlock]) noexcept {
    for (std::uint32_t at = 0; at < count; at += kDoubles) {
        const float* translation[kDoubles];
        const float* rotation[kDoubles];
        const float* scale[kDoubles];
        for (std::uint32_t i = 0; i < kDoubles; ++i) {  // what is too many repeats the last one
            const auto* bone = reinterpret_cast<const float*>(locals + (at + i < count ? at + i : count - 1));
            translation[i] = bone;
            rotation[i] = bone + 4;
            scale[i] = bone + 8;
        }
        Doubles x, y, z, w, t[3], s[3], unused;
        gather_doubles(rotation, x, y, z, w);
        gather_doubles(translation, t[0], t[1], t[2], unused);
        gather_doubles(scale, s[0], s[1], s[2], unused);
        const Doubles two = two_over((x * x + y * y) + (z * z + w * w));
        const Doubles sx = x * two, sy = y * two, sz = z * two;
        const Doubles xx = x * sx, yy = y * sy, zz = z * sz;
        const Doubles xy = x * sy, xz = x * sz, yz = y * sz;
        const Doubles wx = w * sx, wy = w * sy, wz = w * sz;
        const Doubles one = splat_double(1.0);
        store_doubles(entries[0] + at, s[0] * (one - (yy + zz)));
        store_doubles(entries[1] + at, s[0] * (xy + wz));
        store_doubles(entries[2] + at, s[0] * (xz - wy));
        store_doubles(entries[3] + at, s[1] * (xy - wz));
        store_doubles(entries[4] + at, s[1] * (one - (xx + zz)));
        store_doubles(entries[5] + at, s[1] * (yz + wx));
        store_doubles(entries[6] + at, s[2] * (xz + wy));
        store_doubles(entries[7] + at, s[2] * (yz - wx));
        store_doubles(entries[8] + at, s[2] * (one - (xx + yy)));
        for (std::size_t c = 0; c < 3; ++c) store_doubles(entries[9 + c] + at, t[c]);
    }
}

void local_to_model(const ModelBones& bones, const BoneLocal* locals, Mat4d* out) noexcept {
    Row rows[4] = {};  // of the bone before: most often the parent
    for (std::uint32_t first = 0; first < bones.count; first += kBlock) {
        const std::uint32_t used = bones.count - first < kBlock ? bones.count - first : std::uint32_t{kBlock};
        alignas(32) double entries[12][kBlock];
        local_matrices(locals + first, used, entries);
        for (std::uint32_t i = 0; i < used; ++i) {
            const std::uint32_t bone = first + i;
            if (locals[bone].is_keyed == 0) bind_entries(bones, bone, entries, i);
            const std::int32_t parent = load_le<std::int32_t>(bones.parents + std::size_t{4} * bone);
            double* to = out[bone].m;
            // A root's is its local: the identity times it.
            if (parent < 0 || static_cast<std::uint32_t>(parent) + 1 != bone) {
                const double* from = parent < 0 ? kIdentity.m : out[parent].m;
                for (std::size_t r = 0; r < 4; ++r) rows[r] = load_row(from + 4 * r);
            }
            const Row p0 = rows[0], p1 = rows[1], p2 = rows[2];
            for (std::size_t r = 0; r < 3; ++r)
                rows[r] =
                    (scaled(p0, &entries[3 * r][i]) + scaled(p1, &entries[3 * r + 1][i])) + scaled(p2, &entries[3 * r + 2][i]);
            rows[3] = ((scaled(p0, &entries[9][i]) + scaled(p1, &entries[10][i])) + scaled(p2, &entries[11][i])) + rows[3];
            for (std::size_t r = 0; r < 4; ++r) store_row(to + 4 * r, rows[r], r == 3 ? 1.0 : 0.0);
        }
    }
}

// inverse_binds: bone_count matrices as stored. geometry_to_model may be null.
void palette(const std::byte* inverse_binds, const Mat4d* bone_to_model, std::size_t bone_count, const Mat4d* geometry_to_model,
             Mat4f* out, Mat3x4f* out_3x4) noexcept {
    Row g[4] = {};
    if (geometry_to_model != nullptr)
        for (std::size_t r = 0; r < 4; ++r) g[r] = load_row(geometry_to_model->m + 4 * r);
    for (std::size_t i = 0; i < bone_count; ++i) {
        const std::byte* stored = inverse_binds + i * layout::kMatrixSize;
        const double* m = bone_to_model[i].m;
        const Row b[4] = {load_row(m), load_row(m + 4), load_row(m + 8), load_row(m + 12)};
        Row rows[4];
        for (std::size_t r = 0; r < 4; ++r) {
            Row x, y, z;
            spread_floats(stored + 16 * r, x, y, z);
            rows[r] = (x * b[0] + y * b[1]) + z * b[2];
        }
        rows[3] = rows[3] + b[3];
        if (geometry_to_model != nullptr) {
            for (Row& row : rows) row = (spread<0>(row) * g[0] + spread<1>(row) * g[1]) + spread<2>(row) * g[2];
            rows[3] = rows[3] + g[3];
        }
        if (out != nullptr)
            for (std::size_t r = 0; r < 4; ++r) store_row(out[i].m + 4 * r, rows[r], r == 3 ? 1.0F : 0.0F);
        if (out_3x4 != nullptr) store_columns(out_3x4[i].m, rows[0], rows[1], rows[2], rows[3]);
    }
}

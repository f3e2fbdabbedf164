// Private; included once for each path, inside its namespace. Vectors and their operations are that namespace's (lanes_*.hpp).

// S * R * T of kBlock poses' elements: entry 3 * row + column of bone i at entries[entry][i], the translation in entries 9 to 11.
inline void local_matrices(const BoneLocal* const* locals, double (*entries)[kBlock]) noexcept {
    for (std::size_t at = 0; at < kBlock; at += kDoubles) {
        const float* translation[kDoubles];
        const float* rotation[kDoubles];
        const float* scale[kDoubles];
        for (std::size_t i = 0; i < kDoubles; ++i) {
            const auto* bone = reinterpret_cast<const float*>(locals[at + i]);
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
    for (std::uint32_t first = 0; first < bones.count; first += kBlock) {
        const std::uint32_t used = bones.count - first < kBlock ? bones.count - first : std::uint32_t{kBlock};
        const BoneLocal* block[kBlock];
        for (std::uint32_t i = 0; i < kBlock; ++i) block[i] = locals + first + (i < used ? i : used - 1);
        alignas(32) double entries[12][kBlock];
        local_matrices(block, entries);
        for (std::uint32_t i = 0; i < used; ++i) {
            const std::uint32_t bone = first + i;
            if (block[i]->is_keyed == 0) bind_entries(bones, bone, entries, i);
            const std::int32_t parent = load_le<std::int32_t>(bones.parents + std::size_t{4} * bone);
            double* to = out[bone].m;
            if (parent < 0) {
                for (std::size_t r = 0; r < 4; ++r) {
                    for (std::size_t c = 0; c < 3; ++c) to[4 * r + c] = entries[3 * r + c][i];
                    to[4 * r + 3] = r == 3 ? 1.0 : 0.0;
                }
                continue;
            }
            const double* from = out[parent].m;
            const Row p0 = load_row(from), p1 = load_row(from + 4), p2 = load_row(from + 8), p3 = load_row(from + 12);
            for (std::size_t r = 0; r < 3; ++r)
                store_row(to + 4 * r, (entries[3 * r][i] * p0 + entries[3 * r + 1][i] * p1) + entries[3 * r + 2][i] * p2, 0.0);
            store_row(to + 12, ((entries[9][i] * p0 + entries[10][i] * p1) + entries[11][i] * p2) + p3, 1.0);
        }
    }
}

// inverse_binds: bone_count matrices as stored. geometry_to_model may be null.
void palette(const std::byte* inverse_binds, const Mat4d* bone_to_model, std::size_t bone_count, const Mat4d* geometry_to_model,
             Mat4f* out, Mat3x4f* out_3x4) noexcept {
    for (std::size_t i = 0; i < bone_count; ++i) {
        const std::byte* stored = inverse_binds + i * layout::kMatrixSize;
        const auto entry = [stored](std::size_t e) noexcept { return static_cast<double>(load_le<float>(stored + 4 * e)); };
        const double* m = bone_to_model[i].m;
        const Row b[4] = {load_row(m), load_row(m + 4), load_row(m + 8), load_row(m + 12)};
        Row rows[4];
        for (std::size_t r = 0; r < 4; ++r) {
            rows[r] = (entry(4 * r) * b[0] + entry(4 * r + 1) * b[1]) + entry(4 * r + 2) * b[2];
            if (r == 3) rows[r] = rows[r] + b[3];
        }
        if (geometry_to_model != nullptr) {
            const double* g = geometry_to_model->m;
            const Row g0 = load_row(g), g1 = load_row(g + 4), g2 = load_row(g + 8), g3 = load_row(g + 12);
            for (std::size_t r = 0; r < 4; ++r) {
                double row[4];
                store_row(row, rows[r], 0.0);
                rows[r] = (row[0] * g0 + row[1] * g1) + row[2] * g2;
                if (r == 3) rows[r] = rows[r] + g3;
            }
        }
        if (out != nullptr)
            for (std::size_t r = 0; r < 4; ++r) store_row(out[i].m + 4 * r, rows[r], r == 3 ? 1.0F : 0.0F);
        if (out_3x4 != nullptr) store_columns(out_3x4[i].m, rows[0], rows[1], rows[2], rows[3]);
    }
}

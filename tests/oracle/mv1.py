#!/usr/bin/env python3
"""Reader and poser of DxLib's .mv1, written from the format page alone (docs/spec/mv1.md, dxa.md): shares nothing with libs/mv1.

    mv1.py FILE...            a summary of each
    import mv1; m = mv1.load(path); m.posed(clip_index, time)     the triangles' corners, in the file's space and units
"""
# covers DXA-DEC-1, DXA-DEC-2, MV1-FILE-1, MV1-HDR-1, MV1-LINK-1
import struct
import sys

import numpy as np


def undxa(data):
    """The decoded bytes of a compressed block."""
    size, stored, key = struct.unpack_from("<IIB", data)
    assert stored == len(data), "stored size"
    out = bytearray()
    p = 9
    while p < len(data):
        b = data[p]
        p += 1
        if b != key:
            out.append(b)
            continue
        c = data[p]
        p += 1
        if c == key:
            out.append(key)
            continue
        if c > key:
            c -= 1
        length = c >> 3
        if c & 4:
            length |= data[p] << 5
            p += 1
        length += 4
        n = (c & 3) + 1
        assert n < 4, "distance code"
        distance = int.from_bytes(data[p:p + n], "little") + 1
        p += n
        assert distance <= len(out), "distance"
        for _ in range(length):
            out.append(out[-distance])
    assert len(out) == size, "decoded size"
    return bytes(out)


class Node:
    """The fields of one struct."""


class Mv1:
    def __init__(self, data):
        assert data[:4] == b"MV11"
        self.b = data[:4] + undxa(data[4:])
        h = struct.unpack_from("<76I", self.b, 0)
        self.header = h
        at = lambda offset: h[offset // 4]
        self.utf8 = self.b[0xF9] == 1
        self.strings = at(0xB0)
        self.frames = [self._frame(o) for o in self._chain(at(0x24), at(0x20))]
        self.frame_at = {f.at: i for i, f in enumerate(self.frames)}
        self.materials = [self._material(o) for o in self._chain(at(0x40), at(0x3C))]
        self.textures = [self._texture(o) for o in self._chain(at(0x48), at(0x44))]
        self.skin_bones = [self._skin_bone(o) for o in self._chain(at(0x60), at(0x5C))]
        bone_at = {s.at: i for i, s in enumerate(self.skin_bones)}
        palette = [bone_at[o] for o in struct.unpack_from("<%dI" % at(0x34), self.b, at(0x38))] if at(0x34) else []
        for f in self.frames:
            first = (f.use_skin_bone - at(0x38)) // 4
            f.palette = palette[first:first + f.use_skin_bone_num] if f.use_skin_bone_num else []
            f.parent = self.frame_at[f.parent_at] if f.parent_at else None
            self._frame_blob(f)
            for s in range(f.skin_bone_num):
                self.skin_bones[bone_at[f.skin_bone_at] + s].driver = self.frame_at[f.at]
        self.lists = [self._list(o) for o in self._chain(at(0x70), at(0x6C))]
        list_at = {t.at: i for i, t in enumerate(self.lists)}
        material_at = {m.at: i for i, m in enumerate(self.materials)}
        self.meshes = [self._mesh(o) for o in self._chain(at(0x50), at(0x4C))]
        for m in self.meshes:
            m.frame = self.frame_at[m.container]
            m.material = material_at.get(m.material_at)
            m.lists = [self.lists[list_at[m.list_at] + k] for k in range(m.list_num)]
        self.key_sets = [self._key_set(at(0xC8) + k * at(0xC4)) for k in range(at(0xC0))]
        key_set_at = {k.at: i for i, k in enumerate(self.key_sets)}
        self.anims = [self._anim(at(0xD4) + k * at(0xD0)) for k in range(at(0xCC))]
        anim_at = {a.at: i for i, a in enumerate(self.anims)}
        for a in self.anims:
            a.key_sets = [self.key_sets[key_set_at[a.key_set_at] + k] for k in range(a.key_set_num)]
        self.clips = [self._anim_set(o) for o in self._chain(at(0xDC), at(0xD8))]
        for c in self.clips:
            c.anims = [self.anims[anim_at[c.anim_at] + k] for k in range(c.anim_num)]
        self.shape_num = struct.unpack_from("<I", self.b, at(0xF0) + 8)[0] if at(0xF0) else 0
        mesh_at = {m.at: i for i, m in enumerate(self.meshes)}
        for f in self.frames:
            f.shapes = [self._shape(f.shape_at + 60 * k, mesh_at) for k in range(f.shape_num)]

    # ---- structs ----

    def _chain(self, at, count):
        for i in range(count):
            yield at
            at = struct.unpack_from("<I", self.b, at + 4)[0]
        assert count == 0 or at == 0, "a chain goes on"

    def string(self, offset):
        begin = self.strings + offset
        raw = self.b[begin:self.b.index(b"\0", begin)]
        return raw.decode("utf-8" if self.utf8 else "cp932", "replace")

    def _get(self, form, at):
        v = struct.unpack_from("<" + form, self.b, at)
        return v[0] if len(v) == 1 else np.array(v)

    def _frame(self, at):
        f = Node()
        f.at = at
        f.name = self.string(self._get("I", at + 8))
        f.parent_at = self._get("I", at + 0x38)
        f.translate = self._get("3f", at + 0x4C)
        f.scale = self._get("3f", at + 0x58)
        f.rotate = self._get("3f", at + 0x64)
        f.order = self._get("i", at + 0x70)
        f.flag = self._get("I", at + 0x84)
        f.mesh_num = self._get("i", at + 0x94)
        f.skin_bone_num, f.skin_bone_at, f.use_skin_bone_num, f.use_skin_bone = (int(x) for x in self._get("iIiI", at + 0x9C))
        f.vert_flag, f.max_blend = (int(x) for x in self._get("HH", at + 0xB0))
        f.position_num, f.normal_num, f.blob = (int(x) for x in self._get("iiI", at + 0xBC))
        old = self._get("I", at + 4) - at == 248 or (self.header[8] == 1 and self.header[16] - at == 248)
        f.pre = np.zeros(3) if old else self._get("3f", at + 0xDC)
        f.post = np.zeros(3) if old else self._get("3f", at + 0xE8)
        shapes = 0 if old else self._get("I", at + 0xD8)
        f.shape_num, f.shape_at = (int(x) for x in self._get("iI", shapes)) if shapes else (0, 0)
        return f

    def _shape(self, at, mesh_at):
        """{mesh: (vertices, offsets)}"""
        count, first = (int(x) for x in self._get("iI", at + 0x14))
        out = {}
        for part in range(first, first + 60 * count, 60):
            vertices, begin = (int(x) for x in self._get("II", part + 0x14))
            rows = np.frombuffer(self.b, np.dtype([("vertex", "<i4"), ("offset", "<f4", 3), ("normal", "<f4", 3)]), vertices, begin)
            out[mesh_at[self._get("I", part + 0xC)]] = (rows["vertex"], rows["offset"].astype(float))
        return out

    def shape_weights(self, clip, time):
        """{(frame, shape): weight}, shapes without keys left out"""
        out = {}
        for a in self.clips[clip].anims if clip is not None else []:
            for k in a.key_sets:
                if k.data == 18 and len(k.times):
                    i, j, u = around(k, time)
                    out[a.frame, k.shape] = float(k.values[i, 0] * (1 - u) + k.values[j, 0] * u)
        return out

    def _frame_blob(self, f):
        f.positions, f.weights, f.normals = np.zeros((0, 3)), [], np.zeros((0, 3))
        f.tangents = f.binormals = None
        if f.position_num == 0:
            return
        p = f.blob
        if f.vert_flag & 4:
            box = self._get("6f", p)
            q = np.frombuffer(self.b, "<u2", 3 * f.position_num, p + 24).reshape(-1, 3)
            f.positions = box[0::2] + q * box[1::2].astype(float) / 60000
            p += 24 + 6 * f.position_num
        else:
            f.positions = np.frombuffer(self.b, "<f4", 3 * f.position_num, p).reshape(-1, 3).astype(float)
            p += 12 * f.position_num
        if not f.vert_flag & 8:
            index = ("<H", 2, 65535) if f.vert_flag & 0x10 else ("<B", 1, 255)
            weight = ("<H", 2, 65535) if f.vert_flag & 0x20 else ("<B", 1, 255)
            for _ in range(f.position_num):
                pairs = []
                for _ in range(f.max_blend):
                    slot = struct.unpack_from(index[0], self.b, p)[0]
                    p += index[1]
                    if slot == index[2]:
                        break
                    pairs.append([slot, struct.unpack_from(weight[0], self.b, p)[0] / weight[2]])
                    p += weight[1]
                if len(pairs) > 1:
                    pairs[-1][1] += 1 - sum(w for _, w in pairs)
                f.weights.append(pairs)
        kind = f.vert_flag & 3
        if kind:
            n = 9 if f.vert_flag & 0x40 else 3
            dtype, one = {1: ("<i1", 127.0), 2: ("<i2", 32767.0), 3: ("<f4", 1.0)}[kind]
            v = np.frombuffer(self.b, dtype, n * f.normal_num, p).reshape(-1, n) / one
            f.normals = v[:, :3]
            if n == 9:
                f.tangents, f.binormals = v[:, 3:6], v[:, 6:]

    def _material(self, at):
        m = Node()
        m.at, m.name = at, self.string(self._get("I", at + 8))
        m.diffuse, m.specular, m.emissive = self._get("4f", at + 0x10), self._get("4f", at + 0x30), self._get("4f", at + 0x40)
        m.power = self._get("f", at + 0x50)
        m.layers = [[self._get("i", at + o + 4 + 24 * k) for k in range(self._get("i", at + o))] for o in (0x58, 0x11C, 0x1E0)]
        return m

    def _texture(self, at):
        t = Node()
        path = self._get("I", at + 0x10)
        t.name, t.path = self.string(self._get("I", at + 8)), self.string(path) if path else ""
        return t

    def _skin_bone(self, at):
        s = Node()
        s.at, s.driver = at, self._get("i", at + 0xC)
        s.matrix = np.eye(4)
        s.matrix[:, :3] = self._get("12f", at + 0x10).reshape(3, 4).T
        return s

    def _mesh(self, at):
        m = Node()
        m.at, m.container, m.material_at = at, self._get("I", at + 0xC), self._get("I", at + 0x10)
        m.use_diffuse = self._get("i", at + 0x24)
        m.list_num, m.list_at = (int(x) for x in self._get("iI", at + 0x30))
        m.visible, m.culling, m.uv_sets = self.b[at + 0x38], self.b[at + 0x39], self.b[at + 0x3A]
        flag, n, _, p = (int(x) for x in self._get("iiiI", at + 0x3C))
        m.vertex_num = n
        common = flag & 0x20
        colors = []
        if common:
            colors = [self.b[p:p + 8]] * n
            p += 8
        widths = {1: ("<u1", 1), 2: ("<u2", 2), 3: ("<u4", 4)}
        m.position = m.normal = None
        for name, kind in (("position", flag & 3), ("normal", flag >> 2 & 3)):
            if kind and n:
                setattr(m, name, np.frombuffer(self.b, widths[kind][0], n, p).astype(int))
                p += widths[kind][1] * n
        if not common:
            colors = [self.b[p + 8 * i:p + 8 * i + 8] for i in range(n)]
            p += 8 * n
        m.diffuse = np.array([[c[2], c[1], c[0], c[3]] for c in colors]) / 255.0
        k = 2 * m.uv_sets * n
        m.uv = (np.frombuffer(self.b, "<u2", k, p) / 65535.0 if flag & 0x10 else np.frombuffer(self.b, "<f4", k, p).astype(float)).reshape(n, m.uv_sets, 2)
        return m

    def _list(self, at):
        t = Node()
        t.at = at
        t.kind, flag, vertices, indices = (int(x) for x in self._get("4H", at + 0x10))
        p = self._get("I", at + 0x18)
        t.bones = None
        if t.kind in (1, 2):
            count = self._get("H", p)
            t.bones = [int(x) for x in np.atleast_1d(self._get("%dH" % count, p + 2))] if count else []
            p += 2 + 2 * count
        elif t.kind == 3:
            p += 2
        d = ["<u1", "<u2", "<u4"]
        t.vertices = np.frombuffer(self.b, d[flag & 3], vertices, p).astype(int)
        p += vertices << (flag & 3)
        t.triangles = t.vertices[np.frombuffer(self.b, d[flag >> 2 & 3], indices, p).astype(int)].reshape(-1, 3)
        return t

    def _anim_set(self, at):
        c = Node()
        c.name, c.max_time = self.string(self._get("I", at + 8)), self._get("f", at + 0x10)
        c.anim_num, c.anim_at = (int(x) for x in self._get("iI", at + 0x14))
        c.flag = self._get("I", at + 0x2C)
        return c

    def _anim(self, at):
        a = Node()
        a.at, a.frame = at, self._get("i", at + 8)
        a.order, a.key_set_num, a.key_set_at = (int(x) for x in self._get("iiI", at + 0x10))
        return a

    def _key_set(self, at):
        k = Node()
        k.at = at
        k.type, k.data, k.flag, p = struct.unpack_from("<bbHI", self.b, at)
        n = {0: 4, 1: 3, 2: 12, 5: 1, 7: 4}.get(k.type, 0)
        k.n, k.times, k.values = n, np.zeros(0), np.zeros((0, max(n, 1)))
        if n == 0:
            return k
        flag = k.flag

        def take(form):
            nonlocal p
            v = struct.unpack_from("<" + form, self.b, p)[0]
            p += struct.calcsize("<" + form)
            return v

        def packing():
            low, unit = take("B"), take("B")
            base = 0.0
            if not low & 0x80:
                base = 10.0 ** ((low & 0x1F) * (-1 if low & 0x20 else 1)) * (-1 if low & 0x40 else 1)
            return base, (unit & 15) * 10.0 ** ((unit >> 4 & 7) * (-1 if unit & 0x80 else 1))

        k.shape = take("H") if k.data == 18 else None
        count = 1 if flag & 1 else take("B") if flag & 2 else take("H") if flag & 4 else take("I")
        k.times = np.zeros(count)
        if not flag & 1:
            if flag & 8:
                start = take("H") if flag & 0x10 else 0.0 if flag & 0x20 else take("f")
                step = take("H") if flag & 0x40 else take("f")
                k.times = start + step * np.arange(count)
            elif flag & 0x80:
                base, unit = packing()
                k.times = np.frombuffer(self.b, "<u2", count, p) * unit + base
                p += 2 * count
            else:
                k.times = np.frombuffer(self.b, "<f4", count, p).astype(float)
                p += 4 * count
        if flag & 0x100:
            base, unit = packing() if not flag & 0x600 else (0.0, 2 * np.pi / 65535) if flag & 0x400 else (-np.pi, 2 * np.pi / 65535)
            k.values = np.frombuffer(self.b, "<u2", n * count, p) * unit + base
        else:
            k.values = np.frombuffer(self.b, "<f4", n * count, p).astype(float)
        k.values = k.values.reshape(count, n)
        return k

    # ---- poses: matrices for row vectors ----

    def rest_local(self, f):
        pre = euler(f.pre, f.order) if f.flag & 4 else np.eye(3)
        post = euler(f.post, f.order).T if f.flag & 8 else np.eye(3)
        return srt(f.scale, pre @ euler(f.rotate, f.order) @ post, f.translate)

    def locals(self, clip=None, time=0.0):
        """The local matrix of every frame; time in the file's units."""
        out = [self.rest_local(f) for f in self.frames]
        if clip is None:
            return out
        c = self.clips[clip]
        blend = bool(c.flag & 2) or any(jumps(k, time) for a in c.anims for k in a.key_sets)
        for a in c.anims:
            out[a.frame] = self._animated(self.frames[a.frame], a, time, bool(c.flag & 1) and not c.flag & 2, blend)
        return out

    def _animated(self, f, a, time, additive, blend):
        t, r, s = f.translate.astype(float).copy(), f.rotate.astype(float).copy(), f.scale.astype(float).copy()
        quaternion = matrix = None
        whole, single = None, [None] * 3
        for k in a.key_sets:
            if k.n == 0 or k.data in (18, 20) or len(k.times) == 0:
                continue
            i, j, u = around(k, time)
            v = k.values[i] + (k.values[j] - k.values[i]) * u
            if k.type in (0, 7) and k.data == 0:
                qa, qb = k.values[i].copy(), k.values[j].copy()
                if k.type == 0:
                    qa[:3], qb[:3] = -qa[:3], -qb[:3]
                quaternion = (qa, qb, u)
                continue
            if k.type == 2:
                matrix = v.reshape(4, 3)
                continue
            base = {0: r, 1: r, 2: r, 3: r, 5: s, 6: s, 7: s, 8: s, 10: t, 11: t, 12: t, 13: t}.get(k.data)
            if base is None:
                continue
            add = additive and not blend
            if k.type == 1 and k.data in (0, 5, 10):
                base[:] = base + v if add else v
                whole = (k, i, j, u) if k.data == 0 else whole
            elif k.type == 5 and k.data not in (0, 5, 10):
                c = k.data % 5 - 1
                base[c] = base[c] + v[0] if add else v[0]
                if k.data < 5:
                    single[c] = (k, i, j, u)
        if matrix is not None and not blend:
            m = np.eye(4)
            m[:, :3] = matrix
            return m
        pre = euler(f.pre, a.order) if f.flag & 4 else np.eye(3)
        post = euler(f.post, a.order).T if f.flag & 8 else np.eye(3)
        identity = np.array([0.0, 0, 0, 1])
        if quaternion is not None and not (np.array_equal(quaternion[0], identity) and np.array_equal(quaternion[1], identity)):
            rotation = quaternion_rows(slerp(*quaternion))
            return srt(s, post @ rotation @ pre if blend else rotation, t)
        rotation = euler(r, a.order)
        if blend and whole is not None:
            k, i, j, u = whole
            x, y = euler(k.values[i], a.order), euler(k.values[j], a.order)
            rotation = orthonormal(x + (y - x) * u)
        elif blend and any(single):
            rotation = np.eye(3)
            for axis in ORDERS[a.order]:
                x = y = axis_rows(axis, r[axis])
                u = 0.0
                if single[axis]:
                    k, i, j, u = single[axis]
                    x, y = axis_rows(axis, k.values[i][0]), axis_rows(axis, k.values[j][0])
                m = x + (y - x) * u
                m[axis, axis] = 1.0
                rotation = rotation @ m
            rotation = orthonormal(rotation)
        return srt(s, post @ rotation @ pre, t)

    def worlds(self, clip=None, time=0.0):
        local = self.locals(clip, time)
        out = [None] * len(local)

        def world(i):
            if out[i] is None:
                p = self.frames[i].parent
                out[i] = local[i] if p is None or self.frames[i].flag & 2 else local[i] @ world(p)
            return out[i]
        sys.setrecursionlimit(100000)
        return [world(i) for i in range(len(local))]

    def posed(self, clip=None, time=0.0, most=None, bind=False):
        """[(frame name, material, triangle corners (3 * n, 3))] per triangle list, in the order of frames, meshes and lists; in the
        file's space. `most`: only so many weights of a point, the largest. `bind`: the bind pose instead, where every skinned point
        stands where the mesh's frame puts it."""
        world = self.worlds(clip, time)
        weights = {} if bind else self.shape_weights(clip, time)
        result = []
        for index, f in enumerate(self.frames):
            meshes = [m for m in self.meshes if m.frame == index]
            if not meshes:
                continue
            homogeneous = np.hstack([f.positions, np.ones((len(f.positions), 1))])
            rigid = (homogeneous @ world[index])[:, :3]
            skinned = rigid.copy()
            turned = np.repeat(world[index][None, :3, :3], len(f.positions), axis=0)   # what moves an offset at each position
            turned_skinned = turned.copy()
            bones = [self.skin_bones[b].matrix @ world[self.skin_bones[b].driver] for b in f.palette]
            for p, pairs in enumerate([] if bind else f.weights):
                total = {}
                for slot, w in pairs:
                    bone = self.skin_bones[f.palette[slot]].driver
                    total[bone] = (total.get(bone, (0, slot))[0] + w, slot)
                kept = sorted(((w, -bone, slot) for bone, (w, slot) in total.items() if w > 0), reverse=True)[:most]
                weight = sum(k[0] for k in kept)
                if weight > 0:
                    skinned[p] = sum(w / weight * (homogeneous[p] @ bones[slot])[:3] for w, _, slot in kept)
                    turned_skinned[p] = sum(w / weight * bones[slot][:3, :3] for w, _, slot in kept)
            for m in meshes:
                offsets = np.zeros((0 if m.position is None else len(m.position), 3))
                for number, shape in enumerate(f.shapes):
                    vertices, moves = shape.get(self.meshes.index(m), ([], np.zeros((0, 3))))
                    offsets[vertices] += weights.get((index, number), 0.0) * moves
                for t in m.lists:
                    v = t.triangles.reshape(-1)
                    p = m.position[v]
                    moved = np.einsum("ni,nij->nj", offsets[v], (turned if t.kind == 0 else turned_skinned)[p])
                    result.append((f.name, m, (rigid if t.kind == 0 else skinned)[p] + moved))
        return result


ORDERS = [(0, 1, 2), (0, 2, 1), (1, 2, 0), (1, 0, 2), (2, 0, 1), (2, 1, 0)]


def axis_rows(axis, angle):
    s, c = np.sin(angle), np.cos(angle)
    m = np.eye(3)
    u, v = [(1, 2), (2, 0), (0, 1)][axis]
    m[u, u] = m[v, v] = c
    m[u, v], m[v, u] = s, -s
    return m


def euler(r, order):
    m = np.eye(3)
    for axis in ORDERS[order]:
        m = m @ axis_rows(axis, r[axis])
    return m


def srt(s, r, t):
    m = np.eye(4)
    m[:3, :3] = np.diag(s) @ r
    m[3, :3] = t
    return m


def orthonormal(m):
    x = m[0] / np.linalg.norm(m[0])
    y = m[1] - x * (m[1] @ x)
    y /= np.linalg.norm(y)
    return np.array([x, y, np.cross(x, y)])


def slerp(a, b, u):
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    d = a @ b
    if d < 0:
        b, d = -b, -d
    angle = np.arccos(min(d, 1.0))
    if angle < 1e-7:
        return a
    return (np.sin((1 - u) * angle) * a + np.sin(u * angle) * b) / np.sin(angle)


def quaternion_rows(q):
    x, y, z, w = q
    column = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                       [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                       [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
    return column.T


def around(k, time):
    """Keys before and behind a time, and how far between them."""
    i = int(np.searchsorted(k.times, time, side="right")) - 1
    if i < 0:
        return 0, 0, 0.0
    if i + 1 >= len(k.times):
        return i, i, 0.0
    return i, i + 1, float((time - k.times[i]) / (k.times[i + 1] - k.times[i]))


def jumps(k, time):
    """Whether this key set makes its whole clip blend matrices at a time."""
    if k.data not in (0, 1, 2, 3) or k.type not in (1, 5) or len(k.times) < 2:
        return False
    i = max(int(np.searchsorted(k.times, time, side="right")) - 1, 0)
    j = i + 1 if i + 1 < len(k.times) else 0
    return bool(np.any(np.abs(k.values[i] - k.values[j]) > np.pi / 2))


def load(path):
    with open(path, "rb") as f:
        return Mv1(f.read())


if __name__ == "__main__":
    for name in sys.argv[1:]:
        m = load(name)
        print("%s: %d frames, %d meshes, %d materials, %d textures, %d skin bones, %d clips, %d shapes, %d triangles" % (
            name, len(m.frames), len(m.meshes), len(m.materials), len(m.textures), len(m.skin_bones), len(m.clips), m.shape_num,
            sum(len(t.triangles) for t in m.lists)))

"""A reader and poser of GOM files, written from docs/spec/gom.md, morph.md and conventions.md alone (no table of the C++ code is used).

It trusts its input: validity is the checkers' business. Sampling, blend shapes, palettes and skinning are in double precision.
"""
import struct

import numpy as np

NONE = 0xFFFFFFFF


class Chunk:
    def __init__(self, fourcc, payload, offset):
        self.fourcc, self.payload, self.offset = fourcc, payload, offset


def walk(data, begin, end):
    at = begin
    while at + 16 <= end:
        fourcc = data[at:at + 4].rstrip(b"\0").decode()
        (size,) = struct.unpack_from("<I", data, at + 4)
        yield Chunk(fourcc, (at + 16, at + 16 + size), at)
        at = (at + 16 + size + 15) // 16 * 16


class Gom:
    def __init__(self, data):
        self.data = data
        assert data[:8] == b"GOMB0001", data[:8]
        self.source_hash = data[24:56]
        self.version_id, self.flags = struct.unpack_from("<II", data, 56)
        self.parts, self.clips, self.channels = [], [], []
        self.parents, self.bone_names, self.paths, self.bind_local = [], [], [], np.zeros((0, 4, 4))
        chunks = list(walk(data, 512, len(data)))
        self.fourccs = [c.fourcc for c in chunks]
        for c in chunks:
            if c.fourcc == "STR0":
                self.strings = self._strings(*c.payload)
        for c in chunks:
            if c.fourcc == "MATL":
                self._materials(*c.payload)
            elif c.fourcc == "SKEL":
                self._skeleton(*c.payload)
            elif c.fourcc == "MRPC":
                self._channels(*c.payload)
        for c in chunks:
            if c.fourcc == "MSH0":
                self._part(*c.payload)
            elif c.fourcc == "CLP0":
                self._clip(*c.payload)
            elif c.fourcc == "MRPA":
                self._weights(*c.payload)  # of the clip before it

    def _strings(self, begin, end):
        (count,) = struct.unpack_from("<I", self.data, begin)
        offsets = struct.unpack_from("<%dI" % count, self.data, begin + 4)
        base = begin + 4 + 4 * count
        return [self.data[base + o:self.data.index(b"\0", base + o)].decode("utf-8") for o in offsets]

    def string(self, index):
        return None if index == NONE else self.strings[index]

    def _materials(self, begin, end):
        (count,) = struct.unpack_from("<I", self.data, begin)
        self.materials = []
        for i in range(count):
            f = struct.unpack_from("<II11f4I", self.data, begin + 4 + 68 * i)
            self.materials.append({"name": self.string(f[0]), "kd": f[2:5], "ks": f[5:8], "ke": f[8:11], "shininess": f[11],
                                   "opacity": f[12], "maps": [self.string(m) for m in f[13:17]]})

    def _skeleton(self, begin, end):
        (n,) = struct.unpack_from("<I", self.data, begin)
        self.parents = list(struct.unpack_from("<%di" % n, self.data, begin + 4))
        self.bone_names = [self.string(i) for i in struct.unpack_from("<%dI" % n, self.data, begin + 4 + 4 * n)]
        self.paths = [self.string(i) for i in struct.unpack_from("<%dI" % n, self.data, begin + 4 + 8 * n)]
        self.bind_local = np.frombuffer(self.data, "<f4", 16 * n, begin + 4 + 12 * n).astype(float).reshape(n, 4, 4)

    def _channels(self, begin, end):
        channels, shapes = struct.unpack_from("<II", self.data, begin)
        weights = struct.unpack_from("<%df" % shapes, self.data, begin + 8 + 12 * channels)
        first = 0
        for i in range(channels):
            name, default, last = struct.unpack_from("<IfI", self.data, begin + 8 + 12 * i)
            self.channels.append({"name": self.string(name), "default": default, "shapes": weights[first:last]})
            first = last

    def _weights(self, begin, end):
        (tracks,) = struct.unpack_from("<I", self.data, begin)
        at = begin + 8
        for _ in range(tracks):
            channel, keys = struct.unpack_from("<II", self.data, at)
            block = np.frombuffer(self.data, "<f4", 2 * keys, at + 8).astype(float).reshape(keys, 2)
            self.clips[-1]["weights"][channel] = (block[:, 0], block[:, 1])
            at += 8 + 8 * keys

    def _part(self, begin, end):
        name, fmt, vertices, indices, bones, flags = struct.unpack_from("<6I", self.data, begin)
        part = {"name": self.string(name), "bones": bones, "gbtm": np.eye(4), "morphs": []}
        for c in walk(self.data, begin + 32, end):
            b = c.payload[0]
            if c.fourcc == "VB0":
                part["vertices"] = np.frombuffer(self.data, np.dtype([("p", "<f4", 3), ("n", "<f4", 3), ("t", "<f4", 4), ("uv", "<f4", 2),
                                                                      ("bi", "<u2", 4), ("bw", "<f4", 4)]), vertices, b + 16)
            elif c.fourcc == "IB0":
                size = struct.unpack_from("<I", self.data, b + 4)[0]
                part["indices"] = np.frombuffer(self.data, "<u4" if size == 4 else "<u2", indices, b + 16)
            elif c.fourcc == "SUB0":
                (count,) = struct.unpack_from("<I", self.data, b)
                part["submeshes"] = [struct.unpack_from("<iII", self.data, b + 4 + 12 * i) for i in range(count)]
            elif c.fourcc == "IBND":
                part["inverse_bind"] = np.frombuffer(self.data, "<f4", 16 * bones, b + 4).astype(float).reshape(bones, 4, 4)
            elif c.fourcc == "MRPH":
                channel, shape, moved = struct.unpack_from("<III", self.data, b)
                part["morphs"].append({"channel": channel, "shape": shape, "vertices": np.frombuffer(self.data, "<u4", moved, b + 16),
                                       "p": np.frombuffer(self.data, "<f4", 3 * moved, b + 16 + 4 * moved).astype(float).reshape(moved, 3),
                                       "n": np.frombuffer(self.data, "<f4", 3 * moved, b + 16 + 16 * moved).astype(float).reshape(moved, 3)})
            elif c.fourcc == "GBTM":
                part["gbtm"] = np.frombuffer(self.data, "<f4", 16, b).astype(float).reshape(4, 4)
        self.parts.append(part)

    def _clip(self, begin, end):
        name, duration, root, interp, flags, tracks = struct.unpack_from("<IfiIII", self.data, begin)
        clip = {"name": self.string(name), "duration": duration, "root": root, "flags": flags, "tracks": {}, "weights": {}}
        at = begin + 24
        for _ in range(tracks):
            bone, nt, nr, ns = struct.unpack_from("<4I", self.data, at)
            at += 16
            keys = []
            for count, width in ((nt, 3), (nr, 4), (ns, 3)):
                block = np.frombuffer(self.data, "<f4", count * (1 + width), at).astype(float).reshape(count, 1 + width)
                keys.append((block[:, 0], block[:, 1:]))
                at += 4 * count * (1 + width)
            clip["tracks"][bone] = keys
        self.clips.append(clip)

    def clip(self, name):
        for c in self.clips:
            if c["name"] == name:
                return c
        raise KeyError(name)

    def bone_models(self, clip=None, time=0.0):
        """boneModel of every bone; without a clip the bind pose."""
        out = np.zeros((len(self.parents), 4, 4))
        for i, parent in enumerate(self.parents):
            local = self.bind_local[i]
            if clip is not None and i in clip["tracks"]:
                local = sample(clip, i, time, self.bind_local[i])
            out[i] = local if parent < 0 else local @ out[parent]
        return out

    def weights(self, clip=None, time=0.0):
        """Of all channels, as the float32 that a reader goes on with."""
        out = []
        for i, channel in enumerate(self.channels):
            times, values = clip["weights"].get(i, ((), ())) if clip is not None else ((), ())
            out.append(float(np.float32(np.interp(clip_time(clip, time), times, values))) if len(times) else channel["default"])
        return out

    def shaped(self, part, weights):
        """The part's positions with its shapes, in its own space."""
        p = part["vertices"]["p"].astype(float)
        for morph in part["morphs"]:
            factor = shape_factor(self.channels[morph["channel"]]["shapes"], morph["shape"], weights[morph["channel"]])
            p[morph["vertices"]] += factor * morph["p"]
        return p

    def posed(self, clip=None, time=0.0, models=None):
        """Per part the vertex positions in model space; `models`: with the bones there instead."""
        models = self.bone_models(clip, time) if models is None else models
        weights = self.weights(clip, time)
        out = []
        for part in self.parts:
            p = np.concatenate([self.shaped(part, weights), np.ones((len(part["vertices"]), 1))], axis=1)
            if part["bones"]:
                palette = part["inverse_bind"] @ models
                skinned = np.zeros_like(p)
                for k in range(4):
                    w = part["vertices"]["bw"][:, k].astype(float)
                    m = palette[part["vertices"]["bi"][:, k]]
                    skinned += w[:, None] * np.einsum("vi,vij->vj", p, m)
                p = skinned
                p[:, 3] = 1
            out.append((p @ part["gbtm"])[:, :3])
        return out


def decompose(m):
    s = np.linalg.norm(m[:3, :3], axis=1)
    if np.linalg.det(m[:3, :3]) < 0:
        s[0] = -s[0]
    rows = m[:3, :3] / s[:, None]
    x = rows[0] / np.linalg.norm(rows[0])
    y = rows[1] - x * np.dot(x, rows[1])
    y /= np.linalg.norm(y)
    z = np.cross(x, y)
    return m[3, :3].copy(), quat_from_rows(np.array([x, y, z])), s


def quat_from_rows(r):
    # Rows are the images of the axes: r[i][j] is component j of the rotated axis i.
    trace = r[0, 0] + r[1, 1] + r[2, 2]
    w = np.sqrt(max(0.0, 1 + trace)) / 2
    x = np.sqrt(max(0.0, 1 + r[0, 0] - r[1, 1] - r[2, 2])) / 2
    y = np.sqrt(max(0.0, 1 - r[0, 0] + r[1, 1] - r[2, 2])) / 2
    z = np.sqrt(max(0.0, 1 - r[0, 0] - r[1, 1] + r[2, 2])) / 2
    best = max(w, x, y, z)
    if best == w:
        q = [(r[1, 2] - r[2, 1]) / (4 * w), (r[2, 0] - r[0, 2]) / (4 * w), (r[0, 1] - r[1, 0]) / (4 * w), w]
    elif best == x:
        q = [x, (r[0, 1] + r[1, 0]) / (4 * x), (r[0, 2] + r[2, 0]) / (4 * x), (r[1, 2] - r[2, 1]) / (4 * x)]
    elif best == y:
        q = [(r[0, 1] + r[1, 0]) / (4 * y), y, (r[1, 2] + r[2, 1]) / (4 * y), (r[2, 0] - r[0, 2]) / (4 * y)]
    else:
        q = [(r[0, 2] + r[2, 0]) / (4 * z), (r[1, 2] + r[2, 1]) / (4 * z), z, (r[0, 1] - r[1, 0]) / (4 * z)]
    q = np.array(q)
    return -q if q[3] < 0 else q


def rows_from_quat(q):
    x, y, z, w = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
                     [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
                     [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)]])


def slerp(a, b, t):
    d = float(np.dot(a, b))
    if d < 0:
        b, d = -b, -d
    angle = np.arccos(min(1.0, d))
    if angle < 1e-9:
        q = a + (b - a) * t
    else:
        q = (np.sin((1 - t) * angle) * a + np.sin(t * angle) * b) / np.sin(angle)
    return q / np.linalg.norm(q)


def channel(keys, t, bind, rotation):
    times, values = keys
    if len(times) == 0:
        return bind
    if t <= times[0]:
        v = values[0]
    elif t >= times[-1]:
        v = values[-1]
    else:
        i = int(np.searchsorted(times, t, side="right")) - 1
        f = (t - times[i]) / (times[i + 1] - times[i])
        v = slerp(values[i] / np.linalg.norm(values[i]), values[i + 1] / np.linalg.norm(values[i + 1]), f) if rotation else \
            values[i] + (values[i + 1] - values[i]) * f
    return v / np.linalg.norm(v) if rotation else v


def clip_time(clip, t):
    t = float(np.float32(t))
    if clip["flags"] & 2:
        duration = float(np.float32(clip["duration"]))
        if duration == 0:
            t = 0.0
        else:
            t = float(np.float32(np.fmod(t, duration) + (duration if t < 0 else 0)))
            t = 0.0 if t == duration else t
    return t


def shape_factor(shapes, shape, w):
    """How far a shape is reached at weight w of its channel, whose shapes stand at these weights."""
    places = sorted([*shapes, 0.0])
    i = min(max(int(np.searchsorted(places, w, side="right")) - 1, 0), len(places) - 2)
    a, b = places[i], places[i + 1]
    return {a: (b - w) / (b - a), b: (w - a) / (b - a)}.get(shapes[shape], 0.0)


def sample(clip, bone, t, bind_local):
    t = clip_time(clip, t)
    bt, br, bs = decompose(bind_local)
    keys = clip["tracks"][bone]
    translation, rotation, scale = channel(keys[0], t, bt, False), channel(keys[1], t, br, True), channel(keys[2], t, bs, False)
    m = np.eye(4)
    m[:3, :3] = np.diag(scale) @ rows_from_quat(rotation)
    m[3, :3] = translation
    return m


def load(path):
    with open(path, "rb") as f:
        return Gom(f.read())

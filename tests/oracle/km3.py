"""A reader of KM3 files, written from docs/spec/km3.md alone (no table of the C++ code is used). It reads leniently, and trusts that the file is valid
for a lenient reader: validity is the checkers' business.
"""
import struct

import numpy as np


class Unit:
    pass


class Km3:
    def __init__(self, data):
        self.data = data
        self.models, self.records = struct.unpack_from("<II", data, 0)
        self.box = struct.unpack_from("<6f", data, 8)
        self.units = [self._record(32 + 88 * i) for i in range(self.records)]
        for u in self.units:
            self._arrays(u)
        self._chains()

    def _record(self, at):
        u = Unit()
        f = struct.unpack_from("<II6f3fiiIIIIIIIII", self.data, at)
        u.type, u.n_prims = f[0:2]
        u.box, u.t = f[2:8], np.array(f[8:11], dtype=np.float64)
        u.parent, u.extend = f[11:13]
        u.n_verts, u.verts_at, u.vid_at, u.n_norms, u.norms_at, u.nid_at, u.uvs_at, u.tex_at, u.rgbs = f[13:22]
        return u

    def _array(self, at, count, kind, width):
        if at == 0 or count == 0:
            return np.zeros((0, width), dtype=kind)
        return np.frombuffer(self.data, kind, count * width, at).reshape(count, width)

    def _arrays(self, u):
        u.verts = self._array(u.verts_at, u.n_verts, "<f4", 4)
        u.vid = self._array(u.vid_at, u.n_prims, "<u2", 4)
        used = u.n_norms and u.norms_at and u.nid_at
        u.norms = self._array(u.norms_at if used else 0, u.n_norms, "<f4", 4)
        u.nid = self._array(u.nid_at if used else 0, u.n_prims, "<u2", 4)
        u.uvs = self._array(u.uvs_at, u.n_prims, "<f4", 8)
        u.names = [self._name(at) for (at,) in self._array(u.tex_at, u.n_prims, "<u4", 1).tolist()] or [None] * u.n_prims

    def _name(self, at):
        if at == 0:
            return None
        name = self.data[at:self.data.index(b"\0", at)].decode("latin-1")
        return name or None

    def _chains(self):
        """base: the ordinary unit of each record, None for an orphan."""
        self.base = list(range(self.models)) + [None] * (self.records - self.models)
        for i in range(self.models):
            at = self.units[i].extend
            while at >= 0:
                self.base[at] = i
                at = self.units[at].extend

    def origins(self):
        """W of each ordinary unit, whatever the order of the table."""
        done = {}

        def origin(i):
            if i not in done:
                u = self.units[i]
                done[i] = u.t if u.parent < 0 else origin(u.parent) + u.t
            return done[i]
        return [origin(i) for i in range(self.models)]

    # The skinned mesh, in GOM's space: left-handed metres.

    @staticmethod
    def face(points):
        """Along the side that shows, twice the area: corners run clockwise in right-handed space."""
        a, b, c, d = points
        return np.cross(c - a, b - a) + np.cross(d - a, c - a)

    def sign(self):
        votes = 0
        for i, u in enumerate(self.units):
            if self.base[i] is None:
                continue
            for vid, nid in zip(u.vid, u.nid):
                seen = self.face(u.verts[vid, :3].astype(float))
                for k in range(3 if vid[2] == vid[3] else 4):
                    n = nid[2] if k == 2 else nid[k]
                    votes += np.sign(np.dot(seen, u.norms[n, :3].astype(float)))
        return -1.0 if votes < 0 else 1.0

    def bones(self):
        """[(parent, origin in metres)] in file order."""
        w = self.origins()
        return [(self.units[i].parent, w[i] * [-0.001, 0.001, 0.001]) for i in range(self.models)]

    def triangles(self):
        """[[corner, corner, corner, material]]; a corner is (position, normal, uv, {bone: weight}), a material (texture name, flags)."""
        w, sign, out = self.origins(), self.sign(), []
        mirror = np.array([-1.0, 1.0, 1.0])
        for i, u in enumerate(self.units):
            base = self.base[i]
            if base is None:
                continue
            parent = self.units[base].parent
            sums = np.zeros((len(u.verts), 3))
            for vid in u.vid:
                seen = self.face(u.verts[vid, :3].astype(float))
                for k in range(3 if vid[2] == vid[3] else 4):
                    sums[vid[k]] += seen
            for p, vid in enumerate(u.vid):
                for cut in ((0, 1, 2), (0, 2, 3)):
                    if cut == (0, 2, 3) and vid[2] == vid[3]:
                        continue
                    if len({int(vid[k]) for k in cut}) < 3:
                        continue
                    corners = []
                    for k in cut:
                        v = u.verts[vid[k]].astype(float)
                        n = np.zeros(3)
                        if len(u.nid):
                            n = u.norms[u.nid[p][k], :3].astype(float) * sign
                        if not n.any():
                            n = sums[vid[k]]
                        length = np.linalg.norm(n)
                        weight = min(1.0, max(0.0, v[3])) if parent >= 0 else 1.0
                        weights = {b: x for b, x in ((base, weight), (parent, 1 - weight)) if x > 0}
                        uv = u.uvs[p][2 * k:2 * k + 2].astype(float) if len(u.uvs) else np.zeros(2)
                        corners.append(((w[base] + v[:3]) * mirror * 0.001, n / length * mirror if length else n, uv, weights))
                    out.append(corners + [(u.names[p], u.type & 0x0F06)])
        return out


def load(path):
    with open(path, "rb") as f:
        return Km3(f.read())

"""A reader of MTA files, written from docs/spec/mta.md alone; the container and the clips are those of gom.py.

It trusts its input: validity is the checkers' business. A clip can be given to the bone_models() and posed() of the model it fits.
"""
import hashlib
import struct

import gom


def signature(model):
    """GOM-SIG-1 of a gom.Gom; its bones are in path order."""
    text = struct.pack("<I", len(model.paths))
    for path, parent in zip(model.paths, model.parents):
        text += path.encode("utf-8") + b"\0" + struct.pack("<i", parent)
    return hashlib.sha256(text).digest()


class Mta(gom.Gom):
    def __init__(self, data):
        self.data = data
        assert data[:8] == b"MTAB0001", data[:8]
        self.source_hash = data[24:56]
        self.version_id, self.flags = struct.unpack_from("<II", data, 56)
        self.skeleton_signature = data[76:108]
        self.clips = []
        chunks = list(gom.walk(data, 512, len(data)))
        self.fourccs = [c.fourcc for c in chunks]
        for c in chunks:
            if c.fourcc == "STR0":
                self.strings = self._strings(*c.payload)
        for c in chunks:
            if c.fourcc == "CLP0":
                self._clip(*c.payload)

    def fits(self, model):
        """MTA-SIG-1, MTA-SIG-2, MTA-BONE-3, MTA-SIG-4, of one motion and a model."""
        bones = [b for c in self.clips for b in c["tracks"]] + [c["root"] for c in self.clips]
        names = {c["name"] for c in self.clips} & {c["name"] for c in model.clips}
        return bool(model.paths) and signature(model) == self.skeleton_signature and all(b < len(model.paths) for b in bones) and not names


def load(path):
    with open(path, "rb") as f:
        return Mta(f.read())

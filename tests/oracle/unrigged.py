#!/usr/bin/env python3
"""Writes the meshes of a GOM at bind as an OBJ, without skeleton and skin.

    unrigged.py INPUT.gom OUTPUT.obj

Vertices that lie in one place are one, as a model has them before its bones. OBJ is right-handed, its v runs up.
"""
import sys

import gom


def obj_of(model):
    """(text, positions as written, triangles by their numbers)"""
    lines, places, triangles, faces = ["mtllib none.mtl"], {}, [], []
    corners = 0
    for part in model.parts:
        vertices = part["vertices"]
        own = []
        for v in vertices:
            x, y, z = (float(c) for c in v["p"])
            own.append(places.setdefault((0 - x, y, z), len(places)))
            lines.append("vt %.9g %.9g" % (float(v["uv"][0]), 1 - float(v["uv"][1])))
            lines.append("vn %.9g %.9g %.9g" % (-float(v["n"][0]), float(v["n"][1]), float(v["n"][2])))
        indices = [int(i) for i in part["indices"]]
        for material, first, count in part["submeshes"]:
            faces.append("usemtl material_%d" % max(material, 0))
            for at in range(first, first + count, 3):
                a, c, b = indices[at:at + 3]          # mirrored: the other way round
                triangles.append((own[a], own[b], own[c]))
                faces.append("f " + " ".join("%d/%d/%d" % (own[i] + 1, corners + i + 1, corners + i + 1) for i in (a, b, c)))
        corners += len(vertices)
    positions = list(places)
    lines[:1] = ["v %.9g %.9g %.9g" % p for p in positions]
    return "\n".join(lines + faces) + "\n", positions, triangles


def main():
    text, _, _ = obj_of(gom.load(sys.argv[1]))
    with open(sys.argv[2], "w", encoding="ascii") as out:
        out.write(text)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Makes samples/models/mannequin.obj, a standing figure without bones.

    make_mannequin.py FILE            writes it
    make_mannequin.py --check FILE    fails unless it is what would be written

Each piece is a closed tube around rings (x, y, z, half width, half depth), in metres; the right limbs are the left ones mirrored.
"""
import math
import pathlib
import sys

SEGMENTS = 10
PIECES = {
    "leg": [(.10, .00, .03, .045, .110), (.10, .05, .03, .048, .105), (.10, .10, .00, .045, .052), (.10, .25, .00, .058, .062), (.10, .38, -.005, .050, .055),
            (.10, .43, .00, .052, .056), (.10, .60, .00, .070, .075), (.10, .76, .00, .085, .090), (.09, .86, .00, .080, .090)],
    "trunk": [(0, .78, .00, .120, .080), (0, .85, .00, .155, .105), (0, .93, .00, .150, .100), (0, 1.02, .00, .125, .085), (0, 1.12, .00, .140, .095),
              (0, 1.24, .00, .150, .105), (0, 1.31, .00, .120, .080)],
    "head": [(0, 1.28, -.01, .050, .050), (0, 1.36, -.01, .048, .050), (0, 1.40, .015, .065, .075), (0, 1.50, .01, .088, .105), (0, 1.59, .00, .085, .105),
             (0, 1.66, -.01, .060, .075), (0, 1.70, -.01, .020, .025)],
    "arm": [(.330, .67, .02, .025, .030), (.325, .74, .02, .038, .042), (.310, .82, .01, .028, .032), (.285, .93, .00, .038, .040), (.265, .985, .00, .040, .042),
            (.245, 1.06, .00, .044, .046), (.215, 1.16, .00, .048, .050), (.190, 1.24, .00, .050, .054), (.165, 1.29, .00, .030, .035)],
}


def obj():
    vertices, faces = [], []

    def tube(name, rings, side):
        faces.append("o " + name)
        first = len(vertices) + 1
        for x, y, z, wide, deep in rings:
            for k in range(SEGMENTS):
                angle = 2 * math.pi * k / SEGMENTS
                vertices.append("v %.4f %.4f %.4f" % (side * (x + wide * math.sin(angle)), y, z + deep * math.cos(angle)))

        def face(*corners):
            faces.append("f " + " ".join(str(first + c) for c in (corners if side > 0 else corners[::-1])))

        for row in range(len(rings) - 1):
            for k in range(SEGMENTS):
                a, b = row * SEGMENTS + k, row * SEGMENTS + (k + 1) % SEGMENTS
                face(a, b, b + SEGMENTS, a + SEGMENTS)
        top = (len(rings) - 1) * SEGMENTS
        face(*range(SEGMENTS - 1, -1, -1))
        face(*range(top, top + SEGMENTS))

    for name, rings in PIECES.items():
        if name in ("leg", "arm"):
            tube(name + "_l", rings, 1)
            tube(name + "_r", rings, -1)
        else:
            tube(name, rings, 1)
    return "# A standing figure without bones, made by samples/make/make_mannequin.py\n" + "\n".join(vertices + faces) + "\n"


def main():
    path = pathlib.Path(sys.argv[-1])
    if sys.argv[1] != "--check":
        path.write_text(obj(), encoding="ascii")
    elif path.read_text(encoding="ascii") != obj():
        sys.exit("%s is not what make_mannequin.py makes" % path)


if __name__ == "__main__":
    main()

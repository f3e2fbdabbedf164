#!/usr/bin/env python3
"""Makes a PS1M of a walking figure of 1,000 triangles on eleven bones, and its TIM.

    ps1_character.py ROOT OUTPUT      writes OUTPUT.ps1m and OUTPUT.tim

The bones are the biped's of the game's converter, the limbs tubes around them, the clip 16 frames of a step. Space and units are the format's: X right, Y down, 4096 a metre.
"""
import math
import pathlib
import struct
import sys

HEIGHT = 1.7 * 4096
#        name, parent, joint (x right of the figure's left, y up, parts of the height), length down (up when negative), radius
BONES = [("root", -1, (0, .47), -.13, .075), ("spine", 0, (0, .60), -.18, .085), ("head", 1, (0, .80), -.18, .065),
         ("upperarm_L", 1, (.14, .74), .16, .03), ("forearm_L", 3, (.14, .58), .20, .025), ("upperarm_R", 1, (-.14, .74), .16, .03), ("forearm_R", 5, (-.14, .58), .20, .025),
         ("thigh_L", 0, (.06, .47), .23, .045), ("shin_L", 7, (.06, .24), .24, .035), ("thigh_R", 0, (-.06, .47), .23, .045), ("shin_R", 9, (-.06, .24), .24, .035)]
SEGMENTS = 8
FRAMES = 16


def turn_x(degrees):
    return round(math.sin(math.radians(degrees) / 2) * 4096), 0, 0, round(math.cos(math.radians(degrees) / 2) * 4096)


def tube(bone, rows, m):
    _, _, _, length, radius = BONES[bone]
    first = len(m.vertices)
    for row in range(rows + 1):
        part = row / rows
        bulge = math.sqrt(max(0.05, 1 - (2 * part - 1) ** 4))
        for k in range(SEGMENTS + 1):
            angle = 2 * math.pi * (k % SEGMENTS) / SEGMENTS
            x, z = math.cos(angle), math.sin(angle)
            r = radius * bulge * HEIGHT
            m.vertices.append((round(x * r), round(part * length * HEIGHT), round(z * r), bone, round(x * 4096), 0, round(z * 4096),
                               k * 255 // SEGMENTS, round(part * 255)))
    for row in range(rows):
        for k in range(SEGMENTS):
            a, b = first + row * (SEGMENTS + 1) + k, first + (row + 1) * (SEGMENTS + 1) + k
            x, z = (math.cos(2 * math.pi * (k + .5) / SEGMENTS), math.sin(2 * math.pi * (k + .5) / SEGMENTS))
            normal = round(x * 4096), 0, round(z * 4096)
            for corners in ((a, a + 1, b), (b, a + 1, b + 1)) if length > 0 else ((a, b, a + 1), (b, b + 1, a + 1)):
                m.triangles.append((*corners, bone, bone % 2, *normal, 0))


def make(maker):
    """(bytes of the PS1M, bytes of the TIM)"""
    m = maker.Model()
    m.vertices, m.triangles, m.bones, m.ntrans = [], [], [], 1
    for bone in range(len(BONES)):
        first, start = len(m.vertices), len(m.triangles)
        tube(bone, 12 if bone == 2 else 5, m)
        _, parent, (x, y), _, _ = BONES[bone]
        px, py = BONES[parent][2] if parent >= 0 else (0, 0)
        m.bones.append((parent, int(bone == 0), 0 if bone == 0 else 255, first, len(m.vertices) - first, start, len(m.triangles) - start,
                        round((x - px) * HEIGHT), round(-(y - py) * HEIGHT), 0))
    assert len(m.triangles) == 992
    top = m.bones[2][3] + 12 * (SEGMENTS + 1)      # the crown: a fan over the head's last ring
    end = m.bones[2][5] + m.bones[2][6]
    m.triangles[end:end] = [(top, top + k + 1, top + k, 2, 0, 0, -4096, 0, 1) for k in range(SEGMENTS)]
    m.bones = [b[:5] + (b[5] + (SEGMENTS if i > 2 else 0), b[6] + (SEGMENTS if i == 2 else 0)) + b[7:] for i, b in enumerate(m.bones)]
    frames = []
    for f in range(FRAMES):
        k = math.sin(2 * math.pi * f / FRAMES)
        bend = [45 * max(0, math.sin(2 * math.pi * (f / FRAMES + phase))) for phase in (.15, .65)]
        turns = {3: 25 * k, 4: -20, 5: -25 * k, 6: -20, 7: -30 * k, 8: bend[0], 9: 30 * k, 10: bend[1]}
        frames.append(([turn_x(turns.get(b, 0)) for b in range(len(BONES))], [(0, round(-(.47 + .012 * abs(k)) * HEIGHT), 0)]))
    m.clips = [("walk", 15, frames)]
    texels = bytearray()
    for y in range(256):
        for x in range(0, 256, 2):
            low = 1 + ((x >> 5) + (y >> 5)) % 2 * 2 + (y >> 7)
            texels.append(low | low << 4)
    palette = [0, 0x2D7F, 0x1D3C, 0x5EF7, 0x6318] + [0] * 11
    tim = struct.pack("<II", 0x10, 8) + struct.pack("<I4H16H", 12 + 32, 640, 256, 16, 1, *palette) + struct.pack("<I4H", 12 + len(texels), 640, 0, 64, 256) + bytes(texels)
    return bytes(maker.File(m).data), tim


def main():
    sys.path.insert(0, sys.argv[1] + "/tests/conformance")
    import make_ps1m_cases as maker
    model, tim = make(maker)
    output = pathlib.Path(sys.argv[2])
    output.with_suffix(".ps1m").write_bytes(model)
    output.with_suffix(".tim").write_bytes(tim)


if __name__ == "__main__":
    main()

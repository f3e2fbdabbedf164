"""The picture of a PS1M, written from docs/spec/ps1-gpu.md section 6 and gte.md, on top of ps1m.py (poses), gte.py (projection, light) and ps1_gpu.py (pixels)."""
import math
import struct

import numpy as np

import gte
import ps1_gpu
import ps1m
from ps1m import clamp16, compose, multiply, s

IDENTITY = [[4096, 0, 0], [0, 4096, 0], [0, 0, 4096]]


def isin(x):
    c = s(x << 20, 32)
    x = s(x - 1024, 11)
    x = (x * x) >> 6
    y = 19900 - ((x * 3516) >> 14)
    y = 4096 - ((x * y) >> 16)
    return y if c >= 0 else -y


def rot_matrix(x, y, z):
    def turn(angle, i, j):
        m = [list(row) for row in IDENTITY]
        m[i][i] = m[j][j] = isin(angle + 1024)
        m[j][i], m[i][j] = isin(angle), -isin(angle)
        return m
    return multiply(multiply(turn(x, 1, 2), turn(y, 2, 0)), turn(z, 0, 1))


def up(a, b):
    return -(-a // b)


def wide(m, v):
    return [sum(m[r][k] * v[k] for k in range(3)) >> 12 for r in range(3)]


class Camera:
    def __init__(self, model, clip, pitch, yaw, width, height):
        self.width, self.height, self.h = width, height, width // 2
        self.r = rot_matrix(pitch, yaw, 0)
        points = []
        boxes = {}
        for v in model.vertices:
            low, high = boxes.setdefault(v[3], (list(v[:3]), list(v[:3])))
            for c in range(3):
                low[c], high[c] = min(low[c], v[c]), max(high[c], v[c])
        for frame in range(len(model.clips[clip][2])):
            world = model.world(model.local(clip, frame, 0))
            for bone, box in boxes.items():
                for corner in range(8):
                    p = wide(world[bone][0], [box[corner >> c & 1][c] for c in range(3)])
                    points.append(wide(self.r, [a + b for a, b in zip(p, world[bone][1])]))
        low, high = [min(p[c] for p in points) for c in range(3)], [max(p[c] for p in points) for c in range(3)]
        middle = [(a + b) >> 1 for a, b in zip(low, high)]
        target = [clamp16(c) for c in wide([list(row) for row in zip(*self.r)], middle)]
        sides = (width, height)
        distance = max([max([up(20 * self.h * abs(p[c] - middle[c]), 9 * sides[c]) for c in (0, 1)] + [self.h]) - (p[2] - middle[2]) for p in points] + [1])
        farthest = max(1, 43690 - (high[2] - middle[2]))
        if distance > farthest:
            nearest = max(1, farthest - (middle[2] - low[2]))
            self.h = max(1, min([self.h] + [9 * sides[c] * nearest // (20 * max(1, high[c] - middle[c])) for c in (0, 1)]))
        distance = min(distance, farthest)
        t = ps1m.apply(self.r, target)
        self.view = self.r, [-t[0], -t[1], -t[2] + distance]


def pack(m, at, machines):
    """A list of matrices into control registers."""
    e = np.array(m, dtype=np.int64).reshape(len(m), 9).T & 0xFFFF
    for w in range(4):
        machines.write_control(at + w, e[2 * w] | e[2 * w + 1] << 16)
    machines.write_control(at + 4, e[8])


def placed(placements, light, vectors, function, h, width, height):
    """One RTPS or NCS a vector, each under its own placement; the machines after it."""
    n = len(vectors)
    machines = gte.Machines(n)
    everywhere = np.ones(n, dtype=np.int64)
    pack([p[0] for p in placements], 0, machines)
    for c in range(3):
        machines.write_control(5 + c, np.array([p[1][c] for p in placements], dtype=np.int64) & 0xFFFFFFFF)
        machines.write_control(13 + c, everywhere * ((52, 52, 56)[c] * 16))
    pack([multiply(light, p[0]) for p in placements], 8, machines)
    pack([[[1700, 0, 0]] * 3] * n, 16, machines)
    machines.write_control(24, everywhere * (width // 2 << 16))
    machines.write_control(25, everywhere * (height // 2 << 16))
    machines.write_control(26, everywhere * h)
    v = np.array(vectors, dtype=np.int64).T & 0xFFFF
    machines.write_data(0, v[0] | v[1] << 16)
    machines.write_data(1, v[2])
    machines.run(function, everywhere, everywhere * (1 if function == 0x1E else 0))
    return machines


def white(colour):
    return sum(min(255, 31 * (colour >> k & 255) >> 4) << k for k in (0, 8, 16))


def display_frame(clip, number):
    frames, fps = clip[2], clip[1]
    if len(frames) < 2:
        return 0, 0
    frame = subframe = 0
    for _ in range(number):
        subframe += fps * 256 // 60
        while subframe >= 256:
            subframe -= 256
            frame = (frame + 1) % len(frames)
    return frame, subframe


def sheet_times(clip, count):
    step = clip[1] * 256 // 60
    total = 0 if len(clip[2]) < 2 or step == 0 else up(len(clip[2]) * 256, step)
    return [i * total // count for i in range(count)]


def tim(data, memory):
    """Uploads; (page word, CLUT id)."""
    depth, at, clut = data[4] & 7, 8, 0
    if data[4] & 8:
        size, x, y, w, h = struct.unpack_from("<I4H", data, at)
        memory[y:y + h, x:x + w] = np.frombuffer(data, "<u2", w * h, at + 12).reshape(h, w)
        clut, at = y << 6 | x >> 4, at + size
    size, x, y, w, h = struct.unpack_from("<I4H", data, at)
    memory[y:y + h, x:x + w] = np.frombuffer(data, "<u2", w * h, at + 12).reshape(h, w)
    return x >> 6 | (y >> 8) << 4 | depth << 7, clut


def draw(model, clip, number, camera, textures, flat):
    """Pixels of the display frame, [height, width]."""
    memory = np.zeros((ps1_gpu.HEIGHT, ps1_gpu.WIDTH), dtype=np.int64)
    slots = [tim(t, memory) for t in textures]
    memory[:camera.height, :camera.width] = 28 >> 3 | (32 >> 3) << 5 | (48 >> 3) << 10
    world = model.world(model.local(clip, *display_frame(model.clips[clip], number)))
    bones = [compose(camera.view, w) for w in world]
    light = [[-1800, -2600, -2400], [0, 0, 0], [0, 0, 0]]
    at = [bones[v[3]] for v in model.vertices]
    points = placed(at, light, [v[:3] for v in model.vertices], 0x01, camera.h, camera.width, camera.height)
    xy, z = [int(c) for c in points.D[14]], [int(c) for c in points.D[19]]
    if flat:
        faces = [int(c) & 0xFFFFFF for c in placed([bones[t[3]] for t in model.triangles], light, [t[5:8] for t in model.triangles], 0x1E, camera.h, camera.width, camera.height).D[22]]
    else:
        lit = [int(c) & 0xFFFFFF for c in placed(at, light, [v[4:7] for v in model.vertices], 0x1E, camera.h, camera.width, camera.height).D[22]]
    table = {}
    for number, t in enumerate(model.triangles):
        a, b, c = t[:3]
        x, y = zip(*((s(xy[i], 16), s(xy[i] >> 16, 16)) for i in (a, b, c)))
        if x[0] * (y[1] - y[2]) + x[1] * (y[2] - y[0]) + x[2] * (y[0] - y[1]) <= 0:
            if not t[8] & 1:
                continue
            b, c = c, b
        place = (z[a] + z[b] + z[c]) >> 5
        if 0 in (z[a], z[b], z[c]) or place >= 4096:
            continue
        slot = slots[t[4]] if t[4] < len(slots) else None
        words = []
        for k, i in enumerate((a, b, c)):
            if k == 0 or not flat:
                colour = faces[number] if flat else lit[i]
                words.append(colour if slot else white(colour))
            words.append(xy[i])
            if slot:
                words.append(model.vertices[i][7] | model.vertices[i][8] << 8 | ((slot[1], slot[0], 0)[k] << 16))
        words[0] |= ((0x20 if flat else 0x30) | (4 if slot else 0)) << 24
        table.setdefault(place, []).append(words)
    gpu = ps1_gpu.Gpu(memory)
    state = ps1_gpu.State(0, 0, camera.width - 1, camera.height - 1, 0, 0, True, (0, 0, 0, 0), 0)
    for place in sorted(table, reverse=True):
        for words in reversed(table[place]):
            gpu.draw(state, words)
    return memory[:camera.height, :camera.width] & 0x7FFF

#!/usr/bin/env python3
"""Software pictures of the sample character, from `make_hero FOLDER --dump FILE.json`.

    render_hero.py DUMP.json TEXTURE.png OUT.png [--size WxH] [VIEW ...]

A VIEW is clip:frame:yaw[:pitch[:zoom[:height of the middle]]]; "bind:0" is the bind pose. Views stand side by side.
Needs numpy only. docs/images/hero.png is
    --size 300x500 idle:12:24:5:1.04:83 walk:0:42:5:1.04:83 walk:8:42:5:1.04:83 walk:17:-38:5:1.04:83
"""
import argparse
import json
import struct
import zlib

import numpy as np


def read_png(path):
    """8-bit RGB, no interlace: what make_hero writes."""
    data = open(path, "rb").read()
    at, idat = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert (depth, colour) == (8, 2)
        if kind == b"IDAT":
            idat += body
        at += 12 + size
    raw = np.frombuffer(zlib.decompress(idat), np.uint8).reshape(height, width * 3 + 1)
    out = np.zeros((height, width, 3), np.int32)
    for y in range(height):
        row = raw[y, 1:].astype(np.int32).reshape(width, 3)
        up = out[y - 1] if y else np.zeros((width, 3), np.int32)
        kind = raw[y, 0]
        if kind == 0:
            out[y] = row
        elif kind == 2:
            out[y] = (row + up) & 255
        else:
            left, corner = np.zeros(3, np.int32), np.zeros(3, np.int32)
            for x in range(width):
                if kind == 1:
                    guess = left
                elif kind == 3:
                    guess = (left + up[x]) // 2
                else:
                    p = left + up[x] - corner
                    pa, pb, pc = abs(p - left), abs(p - up[x]), abs(p - corner)
                    guess = np.where((pa <= pb) & (pa <= pc), left, np.where(pb <= pc, up[x], corner))
                left = out[y, x] = (row[x] + guess) & 255
                corner = up[x]
    return out.astype(np.float64) / 255


def write_png(path, image):
    pixels = (np.clip(image, 0, 1) * 255 + 0.5).astype(np.uint8)
    height, width, _ = pixels.shape
    previous = np.zeros((width, 3), np.uint8)
    rows = []
    for y in range(height):   # filter "up", or "sub" where that is smaller
        up = pixels[y] - previous
        sub = pixels[y].copy()
        sub[1:] -= pixels[y, :-1]
        cost = [np.minimum(f, 256 - f.astype(int)).sum() for f in (up, sub)]
        rows.append((b"\x02" + up.tobytes()) if cost[0] <= cost[1] else (b"\x01" + sub.tobytes()))
        previous = pixels[y]

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + chunk(b"IEND", b""))


def rotation(axis, degrees):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    m = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m[i, i] = m[j, j] = c
    m[i, j], m[j, i] = -s, s
    return m


class Character:
    def __init__(self, path):
        d = json.load(open(path))
        self.points = np.array(d["points"]).reshape(-1, 3)
        corners = np.array(d["corners"]).reshape(-1, 3, 6)
        self.index = corners[:, :, 0].astype(int)
        self.uv = corners[:, :, 1:3]
        self.normals = corners[:, :, 3:6]
        self.bones = d["bones"]
        self.weights = np.zeros((len(self.points), len(self.bones)))
        for p, b, w in np.array(d["weights"]).reshape(-1, 3):
            self.weights[int(p), int(b)] = w
        self.clips = d["clips"]

    def pose(self, clip, frame):
        """Linear blend skinning: points, and corner normals."""
        if clip == "bind":
            return self.points, self.normals
        values = np.array(self.clips[clip][frame])
        angles, hips = values[:-3].reshape(-1, 3), values[-3:]
        world = []
        for b, bone in enumerate(self.bones):
            r = rotation(2, angles[b, 2]) @ rotation(1, angles[b, 1]) @ rotation(0, angles[b, 0])
            position = np.array(bone["position"])
            if bone["parent"] < 0:
                world.append((r, hips))
            else:
                pr, pt = world[bone["parent"]]
                offset = position - np.array(self.bones[bone["parent"]]["position"])
                world.append((pr @ r, pr @ offset + pt))
        rotations = np.array([w[0] for w in world])
        shifts = np.array([w[1] - w[0] @ np.array(b["position"]) for w, b in zip(world, self.bones)])
        blended = np.einsum("pb,bij->pij", self.weights, rotations)
        points = np.einsum("pij,pj->pi", blended, self.points) + self.weights @ shifts
        normals = np.einsum("tcij,tcj->tci", blended[self.index], self.normals)
        return points, normals / np.maximum(np.linalg.norm(normals, axis=2, keepdims=True), 1e-9)


def sample(texture, uv):
    """Bilinear; v up."""
    size = texture.shape[0]
    x = np.clip(uv[:, 0] * size - 0.5, 0, size - 1.001)
    y = np.clip((1 - uv[:, 1]) * size - 0.5, 0, size - 1.001)
    i, j = x.astype(int), y.astype(int)
    fx, fy = (x - i)[:, None], (y - j)[:, None]
    top = texture[j, i] * (1 - fx) + texture[j, i + 1] * fx
    low = texture[j + 1, i] * (1 - fx) + texture[j + 1, i + 1] * fx
    return top * (1 - fy) + low * fy


def background(width, height):
    y = np.repeat(np.linspace(0, 1, height)[:, None, None], width, axis=1)
    top, low = np.array([0.93, 0.955, 0.975]), np.array([0.985, 0.955, 0.91])
    return top * (1 - y) + low * y


def render(character, texture, view, width, height, samples=2):
    """One view; perspective camera that looks at the middle of the character."""
    parts = view.split(":")
    clip, frame, yaw = parts[0], int(parts[1]), float(parts[2])
    pitch = float(parts[3]) if len(parts) > 3 else 6.0
    zoom = float(parts[4]) if len(parts) > 4 else 1.0
    points, normals = character.pose(clip, frame)
    camera = rotation(0, pitch) @ rotation(1, yaw)
    w, h = width * samples, height * samples
    distance, target = 620.0, np.array([0, 82.0, 0])
    if len(parts) > 5:
        target = np.array([0, float(parts[5]), 0])
    focal = h * 2.95 * zoom

    def project(p):
        q = (p - target) @ camera.T
        depth = distance - q[..., 2]
        return np.stack([w / 2 + q[..., 0] * focal / depth, h / 2 - q[..., 1] * focal / depth, depth], axis=-1)

    image = np.repeat(np.repeat(background(width, height), samples, 0), samples, 1)
    # A soft shadow on the ground under the feet and the body.
    yy, xx = np.mgrid[0:h:2, 0:w:2]
    ray = np.stack([(xx - w / 2) / focal, -(yy - h / 2) / focal, -np.ones_like(xx, float)], axis=-1) @ camera
    eye = target + np.array([0, 0, distance]) @ camera
    with np.errstate(divide="ignore", invalid="ignore"):
        t = -eye[1] / ray[..., 1]
    hit = eye + ray * t[..., None]
    low = points[points[:, 1] < 14]
    soft = np.zeros(xx.shape)
    for side in (low[low[:, 0] > 0], low[low[:, 0] <= 0]):
        if len(side):
            c, lift = side.mean(0), max(0.0, side[:, 1].min())
            soft = np.maximum(soft, np.exp(-(((hit[..., 0] - c[0]) / 15) ** 2 + ((hit[..., 2] - c[2]) / 19) ** 2)) * 0.55 / (1 + lift * 0.12))
    centre = points.mean(0)
    soft = 1 - (1 - soft) * (1 - 0.34 * np.exp(-(((hit[..., 0] - centre[0]) / 42) ** 2 + ((hit[..., 2] - centre[2] + 8) / 44) ** 2)))
    soft[~(t > 0)] = 0
    ground = np.repeat(np.repeat(soft, 2, 0), 2, 1)[:h, :w]
    image *= 1 - ground[..., None] * np.array([0.62, 0.66, 0.62])

    screen = project(points)
    depth = np.full((h, w), 1e9)
    key = np.array([-0.45, 0.65, 0.62]) @ camera     # lights stand with the camera
    fill = np.array([0.85, 0.10, 0.52]) @ camera
    rim = np.array([0.55, 0.45, -0.75]) @ camera
    key, fill, rim = (v / np.linalg.norm(v) for v in (key, fill, rim))
    for t, (a, b, c) in enumerate(character.index):
        pa, pb, pc = screen[a], screen[b], screen[c]
        area = (pb[0] - pa[0]) * (pc[1] - pa[1]) - (pb[1] - pa[1]) * (pc[0] - pa[0])
        if area >= 0:   # counter-clockwise from outside becomes negative with y down
            continue
        x0, x1 = int(max(0, np.floor(min(pa[0], pb[0], pc[0])))), int(min(w - 1, np.ceil(max(pa[0], pb[0], pc[0]))))
        y0, y1 = int(max(0, np.floor(min(pa[1], pb[1], pc[1])))), int(min(h - 1, np.ceil(max(pa[1], pb[1], pc[1]))))
        if x0 > x1 or y0 > y1:
            continue
        px, py = np.meshgrid(np.arange(x0, x1 + 1) + 0.5, np.arange(y0, y1 + 1) + 0.5)
        wb = ((px - pa[0]) * (pc[1] - pa[1]) - (py - pa[1]) * (pc[0] - pa[0])) / area
        wc = ((pb[0] - pa[0]) * (py - pa[1]) - (pb[1] - pa[1]) * (px - pa[0])) / area
        wa = 1 - wb - wc
        inside = (wa >= 0) & (wb >= 0) & (wc >= 0)
        if not inside.any():
            continue
        wa, wb, wc, px, py = wa[inside], wb[inside], wc[inside], px[inside].astype(int), py[inside].astype(int)
        inverse = wa / pa[2] + wb / pb[2] + wc / pc[2]
        z = 1 / inverse
        nearer = z < depth[py, px]
        if not nearer.any():
            continue
        wa, wb, wc, px, py, z = (v[nearer] for v in (wa, wb, wc, px, py, z))
        depth[py, px] = z
        share = np.stack([wa / pa[2], wb / pb[2], wc / pc[2]], axis=1) * z[:, None]
        n = share @ normals[t]
        n /= np.linalg.norm(n, axis=1, keepdims=True)
        colour = sample(texture, share @ character.uv[t]) ** 2.2
        diffuse = np.clip((n @ key + 0.22) / 1.22, 0, 1)[:, None] * np.array([1.06, 1.0, 0.92])
        light = diffuse * 0.98 + np.clip(n @ fill, 0, 1)[:, None] * np.array([0.16, 0.20, 0.26])
        up = n[:, 1:2] * 0.5 + 0.5
        light = light + 0.40 * up * np.array([0.94, 0.99, 1.06]) + 0.27 * (1 - up) * np.array([1.12, 1.0, 0.86])
        glow = np.clip(n @ rim, 0, 1)[:, None] ** 2 * np.array([0.42, 0.40, 0.36])
        image[py, px] = np.clip(colour * light + glow * (0.25 + colour * 0.75), 0, 1) ** (1 / 2.2)
    return image.reshape(height, samples, width, samples, 3).mean((1, 3))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dump")
    parser.add_argument("texture")
    parser.add_argument("out")
    parser.add_argument("--size", default="400x500")
    parser.add_argument("--samples", type=int, default=2)
    parser.add_argument("views", nargs="*", default=["bind:0:30"])
    options = parser.parse_intermixed_args()
    width, height = map(int, options.size.split("x"))
    character, texture = Character(options.dump), read_png(options.texture)
    pictures = [render(character, texture, v, width, height, options.samples) for v in options.views]
    write_png(options.out, np.concatenate(pictures, axis=1))


if __name__ == "__main__":
    main()

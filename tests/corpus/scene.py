#!/usr/bin/env python3
"""Lights, cameras and user properties of the corpus' FBX files, as `info --json` lists them, against what tests/oracle/fbx.py reads.

usage: scene.py GOMKIT CORPUS

Places and directions follow from the transforms of the nodes by FBX's own formula, in double precision. Left out are files before version
6000 or in big endian, which that reader does not know, those that the manifest rejects, and those that were damaged by hand.
"""
import collections
import json
import math
import os
import sys

import numpy

from common import parse, read, read_table, run

import fbx

# What programs write for themselves (docs/formats/fbx.md, "Profiles"), by what info says of the file.
OWN = {"maya": {"currentUVSet", "filmboxTypeID", "lockInfluenceWeights"}, "3dsmax": {"MaxHandle"}}
OWN["motionbuilder"] = OWN["mixamo"] = OWN["maya"]
VIEWS = {"blender", "motionbuilder"}
KINDS = ["point", "directional", "spot", "area", "volume"]
DECAYS = ["none", "linear", "quadratic", "cubic"]


def rotation(degrees, order=0):
    axes = [(0, 1, 2), (0, 2, 1), (1, 2, 0), (1, 0, 2), (2, 0, 1), (2, 1, 0)][order]
    out = numpy.eye(3)
    for axis in axes:
        a = math.radians(degrees[axis])
        c, s = math.cos(a), math.sin(a)
        m = numpy.eye(3)
        i, k = (axis + 1) % 3, (axis + 2) % 3
        m[i, i], m[i, k], m[k, i], m[k, k] = c, -s, s, c
        out = m @ out
    return out


def local(scene, own):
    def vector(name, otherwise=(0, 0, 0)):
        return numpy.array(scene.value(own, "FbxNode", [name], list(otherwise))[:3], float)

    def shift(v):
        m = numpy.eye(4)
        m[:3, 3] = v
        return m

    def linear(m3):
        m = numpy.eye(4)
        m[:3, :3] = m3
        return m

    active = scene.value(own, "FbxNode", ["RotationActive"], 0)
    order = scene.value(own, "FbxNode", ["RotationOrder"], 0) if active else 0
    pre, post = (rotation(vector(n)) if active else numpy.eye(3) for n in ("PreRotation", "PostRotation"))
    rp, sp = vector("RotationPivot"), vector("ScalingPivot")
    return (shift(vector("Lcl Translation")) @ shift(vector("RotationOffset")) @ shift(rp) @
            linear(pre @ rotation(vector("Lcl Rotation"), order) @ numpy.linalg.inv(post)) @ shift(-rp) @ shift(vector("ScalingOffset")) @ shift(sp) @
            linear(numpy.diag(vector("Lcl Scaling", (1, 1, 1)))) @ shift(-sp))


def world(scene, key):
    out = numpy.eye(4)
    while key in scene.objects:
        out = local(scene, scene.objects[key][3]) @ out
        key = scene.parent.get(key)
    return out


class Space:
    """From the file's space to metres, left-handed, Y up."""

    def __init__(self, row):
        axes = row["axes_right_up_front"].split()
        self.known = "?" not in axes
        self.unit = float(row["unit_m"])
        turn = numpy.zeros((3, 3))
        for i, axis in enumerate(axes if self.known else ["+X", "+Y", "+Z"]):
            turn[i, "XYZ".index(axis[1])] = (-1 if axis[0] == "-" else 1) * (-1 if i == 0 else 1)
        self.turn = turn

    def place(self, m):
        return self.unit * (self.turn @ m[:3, 3])

    def direction(self, m, v):
        out = self.turn @ (m[:3, :3] @ numpy.array(v, float))
        return out / numpy.linalg.norm(out)


def lights(scene, space):
    for own, key in scene.attributes_of_kind("Light"):
        def get(names, otherwise):
            return scene.value(own, "FbxLight", names, otherwise)
        m = world(scene, key)
        kind = KINDS[get(["LightType"], 0)]
        spot = kind == "spot"
        yield scene.objects[key][1], {
            "kind": kind, "color": get(["Color"], [1, 1, 1])[:3], "intensity": get(["Intensity"], 100) / 100, "decay": DECAYS[get(["DecayType"], 0)],
            "innerAngle": get(["InnerAngle", "HotSpot"], 0) if spot else 0,
            "outerAngle": get(["OuterAngle", "ConeAngle", "Cone angle"], 0) if spot else 0,
            "lit": bool(get(["CastLight", "CastLightOnObject"], 1)), "castsShadows": bool(get(["CastShadows"], 0)),
            "position": space.place(m), "direction": space.direction(m, (0, -1, 0))}


def fields_of_view(get):
    """Horizontal and vertical, degrees, by the aperture mode; None where the film's fit comes in."""
    width, height = get(["AspectWidth", "AspectW"], 0), get(["AspectHeight", "AspectH"], 0)
    mode = get(["ApertureMode"], 2)
    if not width or not height or get(["AspectRatioMode"], 0) > 2:
        return None, None
    aspect = width / height
    double = lambda tangent: math.degrees(2 * math.atan(tangent))
    half = lambda degrees: math.tan(math.radians(degrees) / 2)
    if mode == 0:
        return [get(["FieldOfViewX"], 0), get(["FieldOfViewY"], 0)], aspect
    if mode == 1:
        return [get(["FieldOfView"], 0), double(half(get(["FieldOfView"], 0)) / aspect)], aspect
    if mode == 2:
        return [double(half(get(["FieldOfView"], 0)) * aspect), get(["FieldOfView"], 0)], aspect
    film, fit, focal = [get(["FilmWidth"], 0), get(["FilmHeight"], 0)], get(["GateFit"], 0), get(["FocalLength"], 0)
    if not film[0] or not film[1] or not focal or fit > 2:
        return None, aspect
    film = [film[1] * aspect, film[1]] if fit == 1 else [film[0], film[0] / aspect] if fit == 2 else film
    return [double(f * 25.4 / 2 / focal) for f in film], aspect


def cameras(scene, space, views):
    for own, key in scene.attributes_of_kind("Camera"):
        name = scene.objects[key][1]
        if views and name.startswith("Producer "):
            continue

        def get(names, otherwise):
            return scene.value(own, "FbxCamera", names, otherwise)
        m = world(scene, key)
        flat = get(["CameraProjectionType"], 0) == 1
        out = {"projection": "orthographic" if flat else "perspective", "near": get(["NearPlane"], 0) * space.unit, "far": get(["FarPlane"], 0) * space.unit,
               "position": space.place(m), "forward": space.direction(m, (1, 0, 0)), "up": space.direction(m, (0, 1, 0))}
        fields, aspect = fields_of_view(get)
        if fields and not flat:
            out["fieldOfView"] = fields
        if aspect:
            out["aspectRatio"] = aspect
        yield name, out


def user_properties(scene, own):
    for _, (_, name, _, props) in scene.models():
        for key, (kind, flags, values) in props.items():
            if "U" in flags and key not in own:
                # Behind a number its bounds may stand, behind a choice what there is to choose.
                values = ["".join("_" if c < " " else c for c in v) if isinstance(v, str) else v for v in values]
                yield name, key, values[:1] if kind in ("Number", "double", "Float", "float", "int", "Integer", "Enum") else values


def same(a, b):
    if isinstance(a, (list, tuple, numpy.ndarray)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, (bool, str)) or isinstance(b, (bool, str)):
        return a == b
    return abs(a - b) <= 1e-5 * max(1, abs(a), abs(b))


def listed(value):
    return value if isinstance(value, list) else [value]


class Check:
    def __init__(self):
        self.counts = collections.Counter()
        self.misses = []

    def placed(self, file, kind, wanted, found):
        """By node; of several of one name the first goes with the first."""
        by_node = collections.defaultdict(list)
        for entry in found:
            by_node[entry["node"].split("/")[-1]].append(entry)
        for name, fields in wanted:
            rest = by_node[name.replace("/", "%2F")]
            if not rest:
                self.misses.append("%s: no %s %s" % (file, kind, name))
                continue
            entry = rest.pop(0)
            self.counts[kind] += 1
            for field, value in fields.items():
                self.counts["values"] += 1
                if not same(value, entry[field]):
                    self.misses.append("%s: %s %s: %s is %s, expected %s" % (file, kind, name, field, entry[field], value))
        for name, rest in by_node.items():
            if rest:
                self.misses.append("%s: %s %s is not in the file" % (file, kind, name))

    def properties(self, file, wanted, found):
        left = [(p["node"].split("/")[-1], p["name"], listed(p["value"])) for p in found]
        for name, key, values in wanted:
            at = [i for i, (n, k, v) in enumerate(left) if k == key and same(values or [""], v)]
            if at:
                self.counts["user properties"] += 1
                left.pop(at[0])
            else:
                self.misses.append("%s: no user property %s.%s = %s" % (file, name, key, values))
        self.misses += ["%s: user property %s is not in the file" % (file, p) for p in left]


def main():
    args = parse()
    check = Check()
    for row in read_table(args.corpus, "fbx", "manifest.tsv"):
        path = os.path.join(args.corpus, "fbx", row["file"])
        data = read(path)
        readable = row["version"].isdigit() and int(row["version"]) >= 6000 and "big_endian" not in row["file"]
        if row["ufbx_result"].split(":")[0] != "load" or not readable or "synthetic" in row["file"]:
            continue
        result = run(args.program, "info", path, "--json")
        info = json.loads(result.stdout.decode("utf-8"))
        scene, space = fbx.Scene(data), Space(row)
        profile = info["source"]["profile"]
        check.counts["files"] += 1
        check.placed(row["file"], "light", list(lights(scene, space)), info["lights"])
        check.placed(row["file"], "camera", list(cameras(scene, space, profile in VIEWS)), info["cameras"])
        check.properties(row["file"], list(user_properties(scene, OWN.get(profile, set()))), info["userProperties"])
    for miss in check.misses:
        print("MISS " + miss)
    print(", ".join("%d %s" % (check.counts[k], k) for k in ("files", "light", "camera", "user properties", "values")) + "; %d misses" % len(check.misses))
    enough = check.counts["light"] >= 8 and check.counts["camera"] >= 8 and check.counts["user properties"] >= 50
    sys.exit(0 if enough and not check.misses else 1)


if __name__ == "__main__":
    main()

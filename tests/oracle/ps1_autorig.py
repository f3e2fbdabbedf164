"""The biped that a mesh without bones gets, written from docs/spec/ps1m.md alone ("From a mesh without bones"). Figure's axes: X to its left, Y up, Z to its front."""
import math

#        name, parent, joint in parts of the height
BONES = [("root", -1, (0, .47, 0)), ("spine", 0, (0, .60, 0)), ("head", 1, (0, .78, 0)), ("upperarm_L", 1, (.14, .74, 0)), ("forearm_L", 3, (.14, .58, 0)),
         ("upperarm_R", 1, (-.14, .74, 0)), ("forearm_R", 5, (-.14, .58, 0)), ("thigh_L", 0, (.06, .47, 0)), ("shin_L", 7, (.06, .24, 0)), ("thigh_R", 0, (-.06, .47, 0)),
         ("shin_R", 9, (-.06, .24, 0))]
NUMBER = {bone[0]: i for i, bone in enumerate(BONES)}
CLIPS = [("idle", 3.0), ("walk", 1.0), ("run", 0.6), ("wave", 1.6), ("punch", 1.2)]


def bone_at(x, y, h):
    side = "_L" if x >= 0 else "_R"
    if .30 * h <= y < (.74 + .02) * h:
        if y >= .58 * h and abs(x) > .09 * h:
            return NUMBER["upperarm" + side]
        if y < .58 * h and abs(x) > .125 * h:
            return NUMBER["forearm" + side]
    if y < .47 * h:
        return NUMBER[("thigh" if y >= .24 * h else "shin") + side]
    return NUMBER["head" if y >= .78 * h else "spine" if y >= .60 * h else "root"]


def assign(points, triangles, h):
    """(bones of the points, how many the vote changed)"""
    placed = [bone_at(x, y, h) for x, y, _ in points]
    near = [set() for _ in points]
    for t in triangles:
        for a in t:
            near[a].update(b for b in t if b != a)
    bones = placed
    for _ in range(3):
        after = list(bones)
        for p, others in enumerate(near):
            shares = [bones[o] for o in others]
            if 3 * shares.count(bones[p]) < len(shares):
                after[p] = min(set(shares), key=lambda b: (-shares.count(b), b))
        if after == bones:
            break
        bones = after
    return bones, sum(a != b for a, b in zip(placed, bones))


def about(axis, degrees):
    a = math.radians(degrees) / 2
    return tuple(math.sin(a) if k == axis else 0.0 for k in range(3)) + (math.cos(a),)


def times(a, b):
    """Turns by b, then by a."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def pose(clip, t):
    """({bone: quaternion}, rise of the root in parts of the height)"""
    def X(a): return about(0, a)
    def Y(a): return about(1, a)
    def Z(a): return about(2, a)
    def s(p): return math.sin(2 * math.pi * t / p)
    if clip == "idle":
        b = s(3)
        return {"spine": X(2 * b), "head": times(X(-2 * b), Y(4 * s(6))), "upperarm_L": Z(3 * b), "upperarm_R": Z(-3 * b)}, .004 * b
    if clip in ("walk", "run"):
        p, swing, arm, bob, knee = (1, 30, 25, .012, 45) if clip == "walk" else (.6, 45, 45, .03, 70)
        k = s(p)
        out = {"thigh" + e: X(-g * swing * k) for e, g in (("_L", 1), ("_R", -1))}
        out.update({"upperarm" + e: X(g * arm * k) for e, g in (("_L", 1), ("_R", -1))})
        out.update({"shin" + e: X(knee * max(0, math.sin(2 * math.pi * (t / p + o)))) for e, o in (("_L", .15), ("_R", .65))})
        out.update({"forearm_L": X(-20), "forearm_R": X(-20), "spine": times(Y(6 * k), X(-3)), "head": Y(-6 * k)})
        return out, bob * abs(k)
    if clip == "wave":
        return {"upperarm_R": Z(150), "forearm_R": Z(30 * s(.8)), "head": Z(8 * s(1.6)), "spine": Z(3 * s(1.6))}, 0
    part = t / .6 - math.floor(t / .6)
    left, right = (max(0, math.sin(math.pi * u)) if 0 <= u < 1 else 0 for u in (2 * part, 2 * (part - .5)))
    out = {"spine": times(Y(15 * (left - right)), X(-8)), "thigh_L": times(X(-10), Z(10)), "thigh_R": times(X(10), Z(-10)), "shin_L": X(15), "shin_R": X(15)}
    for e, u, g in (("_L", left, 1), ("_R", right, -1)):
        out["upperarm" + e] = times(X(-90 * u - 20), Z(20 * g))
        out["forearm" + e] = X(-110 * (1 - u) - 10)
    return out, 0

"""FBX files as libassimp 5.1 and 5.2 read them, through ctypes on its C interface (assimp/scene.h, mesh.h, metadata.h)."""
import ctypes
import json
import os
import resource
from ctypes import POINTER, Structure, c_char, c_float, c_int32, c_uint, c_void_p

import numpy as np


class String(Structure):
    _fields_ = [("length", c_uint), ("data", c_char * 1024)]

    def text(self):
        return ctypes.string_at(ctypes.addressof(self) + String.data.offset, self.length).decode("utf-8", "replace")


class Entry(Structure):
    _fields_ = [("type", c_uint), ("data", c_void_p)]


class Metadata(Structure):
    _fields_ = [("count", c_uint), ("keys", POINTER(String)), ("values", POINTER(Entry))]


class Node(Structure):
    pass


Node._fields_ = [("name", String), ("transform", c_float * 16), ("parent", POINTER(Node)), ("child_count", c_uint),
                 ("children", POINTER(POINTER(Node))), ("mesh_count", c_uint), ("meshes", POINTER(c_uint)), ("metadata", POINTER(Metadata))]


class Bone(Structure):
    _fields_ = [("name", String), ("weight_count", c_uint), ("armature", c_void_p), ("node", c_void_p), ("weights", c_void_p),
                ("offset", c_float * 16)]


class Mesh(Structure):
    _fields_ = [("primitive_types", c_uint), ("vertex_count", c_uint), ("face_count", c_uint), ("vertices", POINTER(c_float)),
                ("normals", c_void_p), ("tangents", c_void_p), ("bitangents", c_void_p), ("colors", c_void_p * 8),
                ("texture_coords", c_void_p * 8), ("uv_components", c_uint * 8), ("faces", c_void_p), ("bone_count", c_uint),
                ("bones", POINTER(POINTER(Bone)))]


class Head(Structure):
    _fields_ = [("flags", c_uint), ("root", POINTER(Node)), ("mesh_count", c_uint), ("meshes", POINTER(POINTER(Mesh))),
                ("material_count", c_uint), ("materials", c_void_p), ("animation_count", c_uint), ("animations", c_void_p),
                ("texture_count", c_uint), ("textures", c_void_p), ("light_count", c_uint), ("lights", c_void_p),
                ("camera_count", c_uint), ("cameras", c_void_p), ("metadata", POINTER(Metadata))]


FACE = np.dtype([("size", "<u4"), ("padding", "<u4"), ("indices", "<u8")])
STACK = 64 << 20  # assimp goes down the nodes by recursion, and files nest 10,000 of them
INDEX = np.dtype("<u4")
WEIGHT = np.dtype([("vertex", "<u4"), ("weight", "<f4")])


def view(address, dtype, count):
    if count == 0:
        return np.zeros(0, dtype)
    return np.frombuffer((c_char * (dtype.itemsize * int(count))).from_address(int(address)), dtype)


def load_library():
    """libassimp, or None where it is absent or may lay its structures out in another way."""
    try:
        lib = ctypes.CDLL("libassimp.so.5")
    except OSError:
        return None
    if ctypes.sizeof(c_void_p) != 8 or (lib.aiGetVersionMajor(), lib.aiGetVersionMinor()) not in ((5, 1), (5, 2)):
        return None
    lib.aiImportFile.restype = POINTER(Head)
    lib.aiImportFile.argtypes = [ctypes.c_char_p, c_uint]
    lib.aiGetErrorString.restype = ctypes.c_char_p
    return lib


class Scene:
    """All placed meshes, undeformed: `triangles` when each polygon is cut, the names of `bones` with weights, `points` of faces in world space.

    Raises ValueError with assimp's words where it refuses the file. What was read is never freed: see summary().
    """

    def __init__(self, lib, path):
        head = lib.aiImportFile(os.fsencode(path), 0)
        if not head:
            raise ValueError(lib.aiGetErrorString().decode("utf-8", "replace"))
        self.metadata = {}
        kinds = {1: c_int32, 3: c_float, 4: ctypes.c_double}
        metadata = head.contents.metadata
        for i in range(metadata.contents.count if metadata else 0):
            value = metadata.contents.values[i]
            if value.type in kinds:
                self.metadata[metadata.contents.keys[i].text()] = kinds[value.type].from_address(value.data).value
        self.triangles, self.bones, points = 0, set(), [np.zeros((0, 3))]
        stack = [(head.contents.root.contents, np.eye(4))]
        while stack:
            node, parent = stack.pop()
            world = parent @ np.array(node.transform, float).reshape(4, 4)  # of column vectors
            for i in range(node.mesh_count):
                points.append(self._add(head.contents.meshes[node.meshes[i]].contents, world))
            stack += [(node.children[i].contents, world) for i in range(node.child_count)]
        self.points = np.concatenate(points)

    def _add(self, mesh, world):
        faces = view(mesh.faces, FACE, mesh.face_count)
        polygons = faces[faces["size"] >= 3]  # the others are points and lines
        self.triangles += int(polygons["size"].sum()) - 2 * len(polygons)
        used = np.full(mesh.vertex_count, len(polygons) == len(faces))
        if not used.all():
            for face in polygons:
                used[view(face["indices"], INDEX, face["size"])] = True
        for i in range(mesh.bone_count):
            bone = mesh.bones[i].contents
            weights = view(bone.weights, WEIGHT, bone.weight_count)
            if (used[weights["vertex"]] & (weights["weight"] > 0)).any():
                self.bones.add(bone.name.text())
        p = np.ctypeslib.as_array(mesh.vertices, (mesh.vertex_count, 3))[used].astype(float)
        return p @ world[:3, :3].T + world[:3, 3]

    def bounds(self):
        """Lowest and highest corner in gom.md's space (metres, left-handed, Y up, front +Z), from the axes and the unit that assimp found."""
        (right, r), (up, u), (front, f) = [(self.metadata[name + "Axis"], self.metadata[name + "AxisSign"]) for name in ("Coord", "Up", "Front")]
        p = self.points[:, [right, up, front]] * [-r, u, f] * (0.01 * self.metadata["UnitScaleFactor"])
        return [p.min(0).tolist(), p.max(0).tolist()]


def summary(lib, path):
    """{"triangles", "bones", "bounds"} of a file, {"refused": why}, or None where reading it ends the process: a child, so not this one."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read_end)
        _, most = resource.getrlimit(resource.RLIMIT_STACK)
        resource.setrlimit(resource.RLIMIT_STACK, (STACK if most == resource.RLIM_INFINITY else min(STACK, most), most))
        try:
            scene = Scene(lib, path)
            out = {"triangles": scene.triangles, "bones": sorted(scene.bones), "bounds": scene.bounds() if len(scene.points) else None}
        except ValueError as e:
            out = {"refused": str(e)}
        with os.fdopen(write_end, "w") as f:
            json.dump(out, f)
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as f:
        text = f.read()
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) != 0:
        raise RuntimeError("the reader of assimp's structures failed on " + path)
    return json.loads(text) if status == 0 else None

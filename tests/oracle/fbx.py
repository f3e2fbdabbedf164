"""Reads the tree of an FBX, ASCII or binary (version 6000 and later), and what scene.py asks of it. Nothing is shared with gomkit or ufbx."""
import re
import struct
import zlib


class Node:
    def __init__(self, name, values):
        self.name, self.values, self.children = name, values, []

    def all(self, name):
        return [c for c in self.children if c.name == name]

    def first(self, name):
        found = self.all(name)
        return found[0] if found else Node(name, [])


def _binary_value(data, at):
    kind = chr(data[at])
    at += 1
    plain = {"Y": "<h", "C": "<?", "I": "<i", "F": "<f", "D": "<d", "L": "<q", "B": "<b"}
    if kind in plain:
        size = struct.calcsize(plain[kind])
        return struct.unpack_from(plain[kind], data, at)[0], at + size
    if kind in "SR":
        size = struct.unpack_from("<I", data, at)[0]
        raw = data[at + 4:at + 4 + size]
        return (raw.decode("utf-8", "replace") if kind == "S" else raw), at + 4 + size
    count, packed, size = struct.unpack_from("<III", data, at)
    raw = data[at + 12:at + 12 + size]
    raw = zlib.decompress(raw) if packed else raw
    return list(struct.unpack("<%d%s" % (count, {"f": "f", "d": "d", "l": "q", "i": "i", "b": "?", "c": "b"}[kind]), raw)), at + 12 + size


def _binary(data):
    version = struct.unpack_from("<I", data, 23)[0]
    head = "<QQQB" if version >= 7500 else "<IIIB"
    size = struct.calcsize(head)

    def node(at):
        end, count, _, length = struct.unpack_from(head, data, at)
        if end == 0:
            return None, at + size
        at += size
        out = Node(data[at:at + length].decode("ascii"), [])
        at += length
        for _ in range(count):
            value, at = _binary_value(data, at)
            out.values.append(value)
        while at < end:
            child, at = node(at)
            if child:
                out.children.append(child)
        return out, end

    root, at = Node("", []), 27
    while at + size < len(data):   # old files end without an empty node
        child, at = node(at)
        if child is None:
            break
        root.children.append(child)
    return root


TOKEN = re.compile(r'\s+|;[^\n]*|("[^"]*")|([{},])|([A-Za-z0-9_|]+):(?=\s|$)|(\*[0-9]+)|([^\s{},"]+)')


def _ascii(text):
    root = Node("", [])
    stack = [root]
    last = root
    for match in TOKEN.finditer(text):
        string, mark, name, _, word = match.groups()
        if name is not None:
            last = Node(name, [])
            stack[-1].children.append(last)
        elif string is not None:
            last.values.append(string[1:-1].replace("&quot;", '"'))
        elif mark == "{":
            stack.append(last)
        elif mark == "}":
            stack.pop()
        elif word is not None:
            try:
                last.values.append(int(word))
            except ValueError:
                try:
                    last.values.append(float(word))
                except ValueError:
                    last.values.append(word)
    return root


def parse(data):
    return _binary(data) if data.startswith(b"Kaydara FBX Binary") else _ascii(data.decode("utf-8", "replace"))


def plain_name(value):
    """"Lamp" of "Lamp\\0\\1Model" and of "Model::Lamp"."""
    return value.split("\0\1")[0] if "\0\1" in value else value.split("::", 1)[-1]


def properties(node):
    """name: (type, flags, values) of an object or a template."""
    out = {}
    for block, entry, skip in (("Properties70", "P", 4), ("Properties60", "Property", 3)):
        for p in node.first(block).all(entry):
            out[p.values[0]] = (p.values[1], p.values[skip - 1], p.values[skip:])
    return out


class Scene:
    """Objects with their properties, defaults by template, and who belongs to whom."""

    def __init__(self, data):
        root = parse(data)
        self.version = root.first("FBXHeaderExtension").first("FBXVersion").values[0]
        self.templates = {}
        for kind in root.first("Definitions").all("ObjectType"):
            for template in kind.all("PropertyTemplate"):
                self.templates[template.values[0]] = properties(template)
        self.objects = {}
        for node in root.first("Objects").children:
            ids = self.version >= 7000
            if len(node.values) > (1 if ids else 0) and isinstance(node.values[1 if ids else 0], str):
                key = node.values[0]
                self.objects[key] = (node.name, plain_name(node.values[1 if ids else 0]), node.values[-1], properties(node))
        self.parent = {}
        self.attributes = []
        for c in root.first("Connections").children:
            if c.values and c.values[0] == "OO" and c.values[1] in self.objects:
                kind = self.objects[c.values[1]][0]
                if kind == "Model":
                    self.parent[c.values[1]] = c.values[2]
                elif kind == "NodeAttribute" and c.values[2] in self.objects:
                    self.attributes.append((c.values[1], c.values[2]))

    def models(self):
        return [(key, o) for key, o in self.objects.items() if o[0] == "Model"]

    def attributes_of_kind(self, subclass):
        """(properties, key of the node) of each placed one."""
        if self.version < 7000:   # the node has its attribute's properties
            return [(o[3], key) for key, o in self.models() if o[2] == subclass]
        return [(self.objects[a][3], node) for a, node in self.attributes if self.objects[a][2] == subclass]

    def value(self, own, template, names, otherwise):
        """The first of `names` that the object has, else the template has."""
        for table in (own, self.templates.get(template, {})):
            for name in names:
                if name in table and table[name][2]:
                    values = table[name][2]
                    return values if isinstance(otherwise, (list, tuple)) else values[0]
        return otherwise

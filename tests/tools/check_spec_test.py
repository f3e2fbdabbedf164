#!/usr/bin/env python3
"""Tests of tools/check_spec.py (each check fails on a planted violation) and of the worked example of docs/spec (a reader of its own, written from
the pages, takes the example files and the blocks quoted in the pages apart)."""
import hashlib
import json
import math
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPEC = ROOT / "docs" / "spec"
EXAMPLES = SPEC / "examples"
RUNTIME = Path("runtime/include/gomkit/runtime")
COVERS = "// cov" + "ers "  # in two pieces, so that check_spec.py does not read this file's plants


class PlantedViolations(unittest.TestCase):
    """A copy of the pages and headers in a scratch folder, with tests and issue rows of our own."""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.root = Path(self.scratch.name)
        # The pages of the formats of this test, with what they refer to; other pages of the folder may be in the making.
        (self.root / "docs/spec").mkdir(parents=True)
        for name in ("README.md", "conventions.md", "gom.md", "morph.md", "mta.md", "gomt.md"):
            shutil.copy(SPEC / name, self.root / "docs/spec" / name)
        (self.root / RUNTIME).mkdir(parents=True)
        for name in ("layout.hpp", "limits.hpp"):
            shutil.copy(ROOT / RUNTIME / name, self.root / RUNTIME / name)
        self.put("tests/unit/a_test.cpp", "// nothing\n")

    def tearDown(self):
        self.scratch.cleanup()

    def put(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def change(self, path, old, new):
        """Replaces `old`, any run of white space standing for any other."""
        text = (self.root / path).read_text(encoding="utf-8")
        text, count = re.subn(r"\s+".join(re.escape(w) for w in old.split()), lambda _: new, text, count=1)
        self.assertEqual(count, 1, "%s has no '%s'" % (path, old))
        self.put(path, text)

    def run_check(self, *options):
        r = subprocess.run([sys.executable, str(ROOT / "tools/check_spec.py"), "--root", str(self.root), *options],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8")
        return r.returncode, r.stdout

    def fails(self, *words, options=()):
        code, out = self.run_check(*options)
        self.assertEqual(code, 1, out)
        self.assertNotIn("Traceback", out)
        for w in words:
            self.assertIn(w, out)

    def passes(self, *options):
        code, out = self.run_check(*options)
        self.assertEqual(code, 0, out)

    def error_rules(self):
        ids = []
        for page in ("gom.md", "morph.md", "mta.md", "conventions.md"):
            ids += re.findall(r"^- \*\*([A-Z0-9-]+)\*\* \(error", (self.root / "docs/spec" / page).read_text(encoding="utf-8"), re.M)
        self.assertGreater(len(ids), 50)
        return ids

    def test_unchanged_copy_passes(self):
        self.passes()

    def test_id_declared_twice(self):
        self.change("docs/spec/gom.md", "- **GOM-HDR-2** (", "- **GOM-HDR-1** (")
        self.fails("GOM-HDR-1 is declared twice")

    def test_malformed_id(self):
        self.change("docs/spec/gom.md", "- **GOM-HDR-9** (", "- **GOM-HDR-09** (")
        self.fails("'GOM-HDR-09' is no well-formed requirement id")

    def test_id_of_another_page(self):
        self.change("docs/spec/gom.md", "- **GOM-HDR-9** (", "- **MTA-XYZ-1** (")
        self.fails("MTA-XYZ-1 does not begin with GOM")

    def test_unknown_severity(self):
        self.change("docs/spec/gom.md", "- **GOM-HDR-9** (behaviour)", "- **GOM-HDR-9** (fatal)")
        self.fails("GOM-HDR-9 has the severity 'fatal'")

    def test_missing_severity(self):
        self.change("docs/spec/gom.md", "- **GOM-HDR-9** (behaviour)", "- **GOM-HDR-9**")
        self.fails("GOM-HDR-9 has the severity ''")

    def test_gap_in_numbers(self):
        self.change("docs/spec/gom.md", "- **GOM-HDR-9** (", "- **GOM-HDR-11** (")
        self.fails("GOM-HDR-9 is missing", "GOM-HDR-10 is missing")

    def test_declaration_in_running_text(self):
        self.change("docs/spec/gom.md", "- **GOM-HDR-9** (", "**GOM-HDR-9** (")
        self.fails("does not start a list item")

    def test_reference_to_nothing(self):
        self.change("docs/spec/conventions.md", "(GOM-WEIGHT-8)", "(GOM-WEIGHT-88)")
        self.fails("GOM-WEIGHT-88 is named, but no page declares it")

    def test_comment_names_unknown_id(self):
        self.put("libs/gom/test/decode_test.cpp", "int a;\n" + COVERS + "GOM-STR0-4, GOM-STR0-404\n")
        self.fails("libs/gom/test/decode_test.cpp:2", "names GOM-STR0-404, which no page declares")

    def test_comment_names_malformed_id(self):
        self.put("runtime/test/x_test.cpp", COVERS + "GOM-STR0-04\n")
        self.fails("names GOM-STR0-04, which no page declares")

    def test_issue_row_names_unknown_id(self):
        self.put("libs/core/issues/gom.def", '// GOMKIT_ISSUE(X, Error, "GOM-OLD-99", "", "")\nGOMKIT_ISSUE(GOM_A, Error, "GOM-NONE-1", "text", "cure")\n')
        self.fails("gom.def:2", "the issue row GOM_A names GOM-NONE-1")

    def test_issue_row_more_severe_than_its_rule(self):
        self.put("libs/core/issues/gom.def", 'GOMKIT_ISSUE(GOM_A, Error, "GOM-CHUNK-6", "text", "cure")\n')
        self.fails("the issue row GOM_A is Error, but GOM-CHUNK-6 is (warning)")

    def test_issue_rows_without_rule_or_with_milder_severity_pass(self):
        self.put("libs/core/issues/gom.def", 'GOMKIT_ISSUE(GOM_A, Warning, "", "text", "cure")\nGOMKIT_ISSUE(GOM_B, Warning, "GOM-SKEL-6", "kept", "")\n')
        self.passes()

    def test_coverage(self):
        ids = self.error_rules()
        self.passes()  # without --coverage nothing is asked
        self.fails("GOM-HDR-1 (error) has neither", options=("--coverage",))
        half = len(ids) // 2
        self.put("tests/unit/a_test.py", "".join("# cov" + "ers %s\n" % i for i in ids[:half]))
        self.put("libs/core/include/gomkit/core/issues/gom.def", "".join('GOMKIT_ISSUE(GOM_%d, Error, "%s", "t", "c")\n' % (n, i) for n, i in enumerate(ids[half:])))
        self.passes("--coverage")
        self.put("tests/unit/a_test.py", "".join("# cov" + "ers %s\n" % i for i in ids[1:half]))
        self.fails(ids[0] + " (error) has neither", options=("--coverage",))

    def test_a_warning_row_does_not_cover_an_error(self):
        ids = self.error_rules()
        self.put("tests/unit/a_test.cpp", COVERS + ", ".join(i for i in ids if i != "GOM-SKEL-6") + "\n")
        self.put("libs/core/issues/gom.def", 'GOMKIT_ISSUE(GOM_B, Warning, "GOM-SKEL-6", "kept", "")\n')
        self.fails("GOM-SKEL-6 (error) has neither", options=("--coverage",))

    def test_coverage_of_an_unknown_page(self):
        self.fails("no such page", options=("--coverage", "gone.md"))

    def test_table_with_a_gap(self):
        self.change("docs/spec/gom.md", "| 24 | u8[32] | sourceHash", "| 24 | u8[28] | sourceHash")
        self.fails("converterVersionStrId is at 56, but the row before ends at 52")

    def test_table_that_misses_its_size(self):
        self.change("docs/spec/gom.md", "size=72 layout=vf01::kSize", "size=76 layout=vf01::kSize")
        self.fails("VertexVF01: the rows end at 72, the size is 76")

    def test_table_of_variable_size_with_a_gap(self):
        self.change("docs/spec/gom.md", "| 4 + 8n | u32[n] | pathId", "| 4 + 9n | u32[n] | pathId")
        self.fails("SKEL: pathId is at 13, but the row before ends at 12")

    def test_layout_offset_differs(self):
        self.change(RUNTIME / "layout.hpp", "kShininess = 44;", "kShininess = 45;")
        self.fails("MaterialSlot.shininess is 44 here, 45 in layout.hpp")

    def test_layout_size_differs(self):
        self.change(RUNTIME / "layout.hpp", "kSlotSize = 68;", "kSlotSize = 64;")
        self.fails("MaterialSlot size is 68 here, 64 in layout.hpp")

    def test_layout_function_differs(self):
        self.change(RUNTIME / "layout.hpp", "return 4 + 8 * bone_count;", "return 4 + 9 * bone_count;")
        self.fails("SKEL.pathId is 12 here, 13 in layout.hpp")

    def test_layout_type_differs(self):
        self.change(RUNTIME / "layout.hpp", "kChunkTableOffset = 64; // u64", "kChunkTableOffset = 64; // u32")
        self.fails("Header.chunkTableOffset is u64 here, u32 in the comment")

    def test_layout_constant_gone(self):
        self.change(RUNTIME / "layout.hpp", "kBoneWeight = 56;", "kWeights = 56;")
        self.fails("layout.hpp has no constant vf01::kBoneWeight")

    def test_layout_fourcc_differs(self):
        self.change(RUNTIME / "layout.hpp", 'kVb0 = fourcc("VB0");', 'kVb0 = fourcc("VB00");')
        self.fails("VB0 is ")

    def test_tolerance_differs(self):
        self.change(RUNTIME / "layout.hpp", "kWeightSum = 1e-4;", "kWeightSum = 1e-3;")
        self.fails("weight sum: error is 0.0001 here, 0.001 in layout.hpp")

    def test_limit_differs(self):
        self.change(RUNTIME / "limits.hpp", "max_bones = 4096;", "max_bones = 4095;")
        self.fails("bones is 4096 here, 4095 in limits.hpp")

    def test_layout_missing(self):
        (self.root / RUNTIME / "layout.hpp").unlink()
        self.fails("layout.hpp:0: not found")

    def test_example_out_of_date(self):
        shutil.copytree(EXAMPLES, self.root / "docs/spec/examples")
        make = [sys.executable, str(ROOT / "tests/tools/make_spec_example.py"), "--spec", str(self.root / "docs/spec")]
        self.assertEqual(subprocess.run(make, stdout=subprocess.PIPE).returncode, 0)
        self.change("docs/spec/gom.md", "00000008  00 02 00 00", "00000008  00 03 00 00")
        r = subprocess.run(make, stdout=subprocess.PIPE, text=True)
        self.assertEqual(r.returncode, 1)
        self.assertIn("gom.md differs", r.stdout)


class TheRealPages(unittest.TestCase):
    def test_check_spec_passes(self):
        r = subprocess.run([sys.executable, str(ROOT / "tools/check_spec.py")], stdout=subprocess.PIPE, text=True)
        self.assertEqual(r.returncode, 0, r.stdout)

    def test_example_is_up_to_date(self):
        r = subprocess.run([sys.executable, str(ROOT / "tests/tools/make_spec_example.py")], stdout=subprocess.PIPE, text=True)
        self.assertEqual(r.returncode, 0, r.stdout)


# ---- a reader of its own ----------------------------------------------------------------------------------------------------------------

def read_hex(name):
    return bytes.fromhex((EXAMPLES / name).read_text(encoding="ascii"))


def take(data, fmt, at=0):
    return struct.unpack_from("<" + fmt, data, at)


def multiply(a, b):
    return [sum(a[4 * r + k] * b[4 * k + c] for k in range(4)) for r in range(4) for c in range(4)]


def transform(p, m):
    return [sum(p[k] * m[4 * k + c] for k in range(3)) + m[12 + c] for c in range(3)]


def matrix_of(q, t):
    x, y, z, w = q
    return [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0, 2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0,
            2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0, *t, 1]


def walk(data, at, end):
    """[(fourcc, payload offset, size)], every rule about chunk headers and padding held."""
    found = []
    while at < end:
        assert end - at >= 16 and at % 16 == 0, at
        fourcc, size, version, flags = take(data, "4sIII", at)
        assert re.fullmatch(rb"[A-Z0-9]{4}|[A-Z0-9]{3}\0", fourcc), fourcc
        assert version == 1 and flags == 0 and size <= end - at - 16
        found.append((fourcc, at + 16, size))
        after = at + 16 + size
        at = (after + 15) // 16 * 16
        assert at <= end and not any(data[after:at])
    return found


class File:
    def __init__(self, name):
        self.data = d = read_hex(name)
        self.magic = d[:8]
        assert take(d, "IIII", 8) == (512, 1, 1, 1)
        self.hash = d[24:56]
        version, self.flags, table, count = take(d, "IIQI", 56)
        self.chunks = walk(d, 512, len(d))
        last, at, size = self.chunks[-1]
        assert last == b"CTBL" and at == table and size == 16 * count and count == len(self.chunks) - 1
        for i, (fourcc, payload, size) in enumerate(self.chunks[:-1]):
            assert take(d, "4sIQ", table + 16 * i) == (fourcc, size, payload - 16)
        self.order = [c[0].decode() for c in self.chunks]
        self.strings = self.read_strings(self.payload(b"STR0"))
        self.used = {version}
        self.version = self.strings[version]

    def payload(self, fourcc):
        (found,) = [c for c in self.chunks if c[0] == fourcc]
        return self.data[found[1]:found[1] + found[2]]

    def read_strings(self, p):
        (count,) = take(p, "I")
        offsets = take(p, "%dI" % count, 4)
        data = p[4 + 4 * count:]
        texts = [data[o:data.index(b"\0", o)] for o in offsets]
        assert texts == sorted(set(texts)) and b"" not in texts
        assert data == b"".join(t + b"\0" for t in texts)  # packed, no gap, no tail
        return [t.decode() for t in texts]

    def string(self, number):
        if number == 0xFFFFFFFF:
            return None
        self.used.add(number)
        return self.strings[number]

    def read_clip(self):
        assert self.payload(b"ANIM") == struct.pack("<I", 1)
        p = self.payload(b"CLP0")
        name, duration, root, mode, flags, tracks = take(p, "IfiIII")
        assert (root, mode, tracks) == (-1, 1, 1)
        bone, tr, rot, sc = take(p, "4I", 24)
        at, channels = 40, []
        for count, width in ((tr, 4), (rot, 5), (sc, 4)):
            keys = [take(p, "%df" % width, at + 4 * width * i) for i in range(count)]
            at += 4 * width * count
            times = [k[0] for k in keys]
            assert times == sorted(set(times)) and all(0 <= t <= duration for t in times)
            channels.append(keys)
        assert at == len(p)
        return self.string(name), duration, flags, bone, channels


class ExampleFiles(unittest.TestCase):
    def near(self, a, b, tolerance=1e-6):
        self.assertEqual(len(a), len(b))
        for x, y in zip(a, b):
            self.assertAlmostEqual(x, y, delta=tolerance)

    def test_model(self):
        f = File("minimal.gom.hex")
        self.assertEqual(f.magic, b"GOMB0001")
        self.assertEqual(f.order, ["STR0", "MATL", "SKEL", "MSH0", "ANIM", "CLP0", "CTBL"])
        self.assertEqual(f.hash, hashlib.sha256(b"abc").digest())
        self.assertEqual(f.flags, 63)
        self.assertEqual(f.data[76:512], bytes(436))

        p = f.payload(b"MATL")
        self.assertEqual((len(p), take(p, "I")[0]), (72, 1))
        slot = take(p, "II11f4I", 4)
        self.assertEqual([f.string(slot[0]), slot[1]] + [f.string(i) for i in slot[13:]], ["Skin", 0, "skin.png", None, None, None])

        p = f.payload(b"SKEL")
        (n,) = take(p, "I")
        self.assertEqual((n, len(p)), (2, 4 + 76 * 2))
        parents = take(p, "2i", 4)
        names = [f.string(i) for i in take(p, "2I", 12)]
        paths = [f.string(i) for i in take(p, "2I", 20)]
        self.assertEqual((parents, names, paths), ((-1, 0), ["Root", "Tip"], ["Root", "Root/Tip"]))
        local = [take(p, "16f", 28 + 64 * i) for i in range(2)]
        text = struct.pack("<I", n) + b"".join(s.encode() + b"\0" + struct.pack("<i", i) for s, i in zip(paths, parents))
        signature = hashlib.sha256(text).digest()
        for page in ("gom.md", "mta.md"):
            self.assertIn("`%s`" % signature.hex(), (SPEC / page).read_text(encoding="utf-8"))

        (mesh,) = [c for c in f.chunks if c[0] == b"MSH0"]
        self.assertEqual(mesh[2] % 16, 0)
        name, fmt, vertices, indices, bones, flags, r0, r1 = take(f.data, "8I", mesh[1])
        self.assertEqual((f.string(name), fmt, vertices, indices, bones, flags, r0, r1), ("Body", 1, 3, 3, 2, 0, 0, 0))
        children = walk(f.data, mesh[1] + 32, mesh[1] + mesh[2])
        self.assertEqual([c[0] for c in children], [b"VB0\0", b"IB0\0", b"SUB0", b"IBND", b"BND0"])
        vb, ib, sub, ibnd, bnd = [f.data[at:at + size] for _, at, size in children]
        self.assertEqual((take(vb, "4I"), len(vb)), ((3, 72, 1, 0), 16 + 3 * 72))
        vs = [take(vb, "12f4H4f", 16 + 72 * i) for i in range(3)]
        self.assertEqual((take(ib, "7I"), len(ib)), ((3, 4, 0, 0, 0, 1, 2), 28))
        self.assertEqual((take(sub, "IiII"), len(sub)), ((1, 0, 0, 3), 16))
        self.assertEqual((take(ibnd, "I")[0], len(ibnd)), (2, 132))
        inverse = [take(ibnd, "16f", 4 + 64 * i) for i in range(2)]

        model = [list(local[0]), multiply(local[1], local[0])]
        for i in range(2):
            self.near(multiply(inverse[i], model[i]), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
        for v in vs:
            w = v[16:]
            self.assertLessEqual(abs(sum(w) - 1), 1e-6)
            self.assertEqual(list(w), sorted(w, reverse=True))
            self.assertTrue(all(b < bones for b in v[12:16]))
            self.near([math.dist(v[3:6], (0, 0, 0)), math.dist(v[6:9], (0, 0, 0)), sum(a * b for a, b in zip(v[3:6], v[6:9]))], [1, 1, 0])
        a, b, c = (v[:3] for v in vs)
        ab, ac = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
        normal = [ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2], ab[0] * ac[1] - ab[1] * ac[0]]
        self.assertGreater(sum(x * y for x, y in zip(normal, vs[0][3:6])), 0)  # outwards
        bounds = take(bnd, "10f")
        self.assertEqual(len(bnd), 40)
        self.assertEqual(bounds[:6], tuple(min(v[k] for v in vs) for k in range(3)) + tuple(max(v[k] for v in vs) for k in range(3)))
        self.assertTrue(all(math.dist(v[:3], bounds[6:9]) <= bounds[9] for v in vs))

        name, duration, flags, bone, (tr, rot, sc) = f.read_clip()
        self.assertEqual((name, duration, flags, bone, sc), ("Wave", 1.0, 2, 1, []))
        for channel in (tr, rot):
            self.assertEqual(channel[0][1:], channel[-1][1:])  # it loops
        for k in rot:
            self.assertAlmostEqual(sum(x * x for x in k[1:]), 1, delta=1e-6)
        # A posed frame, at 0.5 s: the tip is turned by a quarter about Z, so its palette takes (0, 2, 0) to (-1, 1, 0).
        palette = [multiply(inverse[0], model[0]), multiply(inverse[1], multiply(matrix_of(rot[1][1:], tr[0][1:]), model[0]))]
        self.near(transform((0, 2, 0), palette[1]), [-1, 1, 0])
        skinned = [sum(w * transform(vs[1][:3], palette[b])[k] for b, w in zip(vs[1][12:16], vs[1][16:])) for k in range(3)]
        self.near(skinned, [-0.75, 1.25, 0])
        self.assertEqual(f.version, "example 1")
        self.assertEqual(f.used, set(range(len(f.strings))))  # all strings are referenced
        self.assertNotIn(struct.pack("<f", -0.0), [vb[i:i + 4] for i in range(0, len(vb), 4)])

    def test_motion(self):
        f, model = File("minimal.mta.hex"), File("minimal.gom.hex")
        self.assertEqual((f.magic, f.flags, f.order), (b"MTAB0001", 0, ["STR0", "ANIM", "CLP0", "CTBL"]))
        self.assertEqual(f.data[108:512], bytes(404))
        self.assertIn("`%s`" % f.data[76:108].hex(), (SPEC / "gom.md").read_text(encoding="utf-8"))
        self.assertEqual(f.read_clip(), model.read_clip())
        self.assertEqual(f.used, {0, 1})

    def test_text(self):
        text = (EXAMPLES / "minimal.gomt").read_bytes().decode("utf-8")
        lines = text.splitlines()
        self.assertEqual((lines[0], lines[-1], text[-1]), ("GOMT0001", "End = true", "\n"))
        entries = re.findall(r"^(\w+) = (.*?)\n(?=\w|\Z)", text.split("\n", 1)[1], re.M | re.S)
        self.assertEqual([e[0] for e in entries], ["Header", "Skeleton", "MaterialSlots", "Meshes", "Animations", "End"])
        t = {name: json.loads(re.sub(r"(\w+) = ", r'"\1": ', value)) for name, value in entries}
        f = File("minimal.gom.hex")
        self.assertEqual(bytes.fromhex(t["Header"]["sourceHash"]), f.hash)
        self.assertEqual((t["Header"]["converterVersion"], t["Header"]["validationFlags"]), (f.version, f.flags))
        p = f.payload(b"SKEL")
        for i, bone in enumerate(t["Skeleton"]["bones"]):
            self.assertEqual(struct.pack("<16f", *sum(bone["bindLocal"], [])), p[28 + 64 * i:92 + 64 * i])
        (slot,) = t["MaterialSlots"]
        phong = slot["phong"]
        self.assertEqual(struct.pack("<11f", *phong["kd"], *phong["ks"], *phong["ke"], phong["shininess"], phong["opacity"]), f.payload(b"MATL")[12:56])
        (mesh,) = t["Meshes"]
        vertices = b"".join(struct.pack("<12f4H4f", *v["p"], *v["n"], *v["t"], *v["uv"], *v["bi"], *v["bw"]) for v in mesh["vertices"])
        self.assertIn(vertices, f.data)
        self.assertIn(b"".join(struct.pack("<16f", *sum(m, [])) for m in mesh["inverseBind"]), f.data)
        (clip,) = t["Animations"]
        (track,) = clip["tracks"]
        keys = [(k["time"], *k["value"]) for k in track["rotKeys"]]
        self.assertIn(b"".join(struct.pack("<5f", *k) for k in keys), f.payload(b"CLP0"))
        self.assertIn(text.rstrip("\n"), (SPEC / "gomt.md").read_text(encoding="utf-8"))

    def quoted(self, page, kind):
        """{block name: (offset, bytes)} of the hex blocks of a page, decoded."""
        result = {}
        for name, body in re.findall(r"<!-- %s: (\w+) -->\n```\n(.*?)\n```" % kind, (SPEC / page).read_text(encoding="utf-8"), re.S):
            start, data = None, b""
            for line in body.splitlines():
                at = int(line[:8], 16)
                start = at if start is None else start
                self.assertEqual(at, start + len(data), line)
                value = line[10:57].strip()
                zeros = re.fullmatch(r"00\*(\d+)", value)
                data += bytes(int(zeros[1])) if zeros else bytes.fromhex(value)
            result[name] = (start, data)
        return result

    def test_blocks_quoted_in_the_pages(self):
        gom = read_hex("minimal.gom.hex")
        blocks = self.quoted("gom.md", "hex")
        start, data = blocks.pop("GBTM")
        self.assertEqual((start, take(data, "4sIII"), len(data)), (0, (b"GBTM", 64, 1, 0), 80))
        self.assertEqual(take(data, "16f", 16)[12:], (0, 1, 0, 1))
        at = 0
        for start, data in sorted(blocks.values()):  # together they are the whole file
            self.assertEqual(start, at)
            self.assertEqual(gom[start:start + len(data)], data)
            at = start + len(data)
        self.assertEqual(at, len(gom))
        self.assertEqual(len(blocks), 13)
        ((start, data),) = self.quoted("mta.md", "hex-mta").values()
        self.assertEqual((start, data), (0, read_hex("minimal.mta.hex")[:512]))

    def test_signature_vectors_of_the_page(self):
        page = (SPEC / "gom.md").read_text(encoding="utf-8")
        found = 0
        for cell, digest in re.findall(r"^\| (.*`\w.*?) \| `([0-9a-f]{64})` \|$", page, re.M):
            bones = re.findall(r"`([^`]+)` \((-?\d+)\)", cell)
            text = struct.pack("<I", len(bones)) + b"".join(p.encode() + b"\0" + struct.pack("<i", int(i)) for p, i in bones)
            self.assertEqual(hashlib.sha256(text).hexdigest(), digest)
            self.assertEqual([p for p, _ in bones], sorted(p for p, _ in bones))
            found += 1
        self.assertEqual(found, 3)


if __name__ == "__main__":
    unittest.main()

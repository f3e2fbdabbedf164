#!/usr/bin/env python3
"""Checks the specification pages in docs/spec and what the project says about them.

    check_spec.py [--root DIR] [--coverage [PAGE ...]]

Always:
  - every requirement id is well-formed, declared once, fits its page, has a known severity, and the numbers of a section run from 1 without gaps;
  - no issue row is more severe than its rule;
  - every id named in a page, in a `covers <ID>` comment of a test, or in a GOMKIT_ISSUE row of a .def file under libs/ exists;
  - offset tables add up, and agree with runtime/include/gomkit/runtime/layout.hpp (their last column names the constants);
    fourccs and tolerances agree with layout.hpp, limits with limits.hpp.
With --coverage: every rule of severity error in the named pages (default: gom.md, morph.md, mta.md and conventions.md) is named by a test or an issue row.

Prints one line a finding and exits 1 if there is one. Only the standard library is used.
"""
import argparse
import re
import struct
import sys
from pathlib import Path

PREFIX = {"conventions": "CONV", "gltf-subset": "GLTF", "morph": "GOM", "ps1-gpu": "GPU"}  # others: the file's name in capitals
NO_RULES = {"README", "CHANGES", "errata"}
SEVERITIES = {"error", "error, checker", "warning", "canonical", "behaviour", "withdrawn"}
ID = r"[A-Z][A-Z0-9]*-[A-Z][A-Z0-9]*-[1-9][0-9]*"
ID_LIKE = r"[A-Za-z][A-Za-z0-9]*-[A-Za-z0-9]+-[A-Za-z0-9]+"
LAYOUT = "runtime/include/gomkit/runtime/layout.hpp"
LIMITS = "runtime/include/gomkit/runtime/limits.hpp"
TYPE_SIZE = {"u8": 1, "i8": 1, "char": 1, "u16": 2, "i16": 2, "u32": 4, "u64": 8, "i32": 4, "f32": 4}


class Rule:
    def __init__(self, name, severity, page, line):
        self.name, self.severity, self.page, self.line = name, severity, page, line


class Checker:
    def __init__(self, root):
        self.root = root
        self.spec = root / "docs" / "spec"
        self.findings = []
        self.rules = {}
        self.named = {}  # id -> places in tests and issue rows

    def fail(self, path, line, text):
        try:
            path = path.relative_to(self.root)
        except ValueError:
            pass
        self.findings.append("%s:%d: %s" % (path, line, text))

    def pages(self):
        return sorted(self.spec.glob("*.md"))

    # ---- ids in the pages ----

    def read_rules(self):
        for page in self.pages():
            if page.stem in NO_RULES:
                continue
            prefix = PREFIX.get(page.stem, page.stem.upper())
            for n, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
                m = re.match(r"\s*[-*] \*\*([^*]+)\*\*(?: \(([^)]*)\))?", line)
                if m and re.fullmatch(ID_LIKE, m[1]):
                    self.declare(page, n, prefix, m[1], m[2])
                elif re.search(r"\*\*%s\*\*" % ID_LIKE, line):
                    self.fail(page, n, "an id in bold that does not start a list item: declarations are '- **ID** (severity) text'")
        sections = {}
        for r in self.rules.values():
            section, number = r.name.rsplit("-", 1)
            sections.setdefault(section, []).append((int(number), r))
        for section, entries in sorted(sections.items()):
            numbers = {n for n, _ in entries}
            for missing in sorted(set(range(1, max(numbers) + 1)) - numbers):
                r = max(entries, key=lambda e: e[0])[1]
                self.fail(r.page, r.line, "%s-%d is missing: numbers of a section have no gaps" % (section, missing))

    def declare(self, page, line, prefix, name, severity):
        if not re.fullmatch(ID, name):
            self.fail(page, line, "'%s' is no well-formed requirement id (<PAGE>-<SECTION>-<n>, capitals and digits)" % name)
            return
        if name.split("-")[0] != prefix:
            self.fail(page, line, "%s does not begin with %s, the prefix of this page" % (name, prefix))
        if severity not in SEVERITIES:
            self.fail(page, line, "%s has the severity '%s'; known: %s" % (name, severity or "", "; ".join(sorted(SEVERITIES))))
        if name in self.rules:
            other = self.rules[name]
            self.fail(page, line, "%s is declared twice (first in %s:%d)" % (name, other.page.name, other.line))
            return
        self.rules[name] = Rule(name, severity, page, line)

    def check_references(self):
        prefixes = sorted({r.name.split("-")[0] for r in self.rules.values()})
        if not prefixes:
            self.fail(self.spec, 0, "no page declares any rule")
            return
        pattern = re.compile(r"(?<![A-Za-z0-9-])(?:%s)-[A-Z][A-Z0-9]*-[0-9]+(?![A-Za-z0-9])" % "|".join(prefixes))
        for page in self.pages():
            for n, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
                for name in pattern.findall(line):
                    if name not in self.rules:
                        self.fail(page, n, "%s is named, but no page declares it" % name)

    # ---- ids in tests and issue rows ----

    def read_uses(self):
        files = set()
        for folder in [self.root / "tests", self.root / "runtime" / "test", *self.root.glob("libs/*/test")]:
            for ending in ("*.cpp", "*.py", "*.sh"):
                files.update(folder.rglob(ending))
        for path in sorted(files):
            for n, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                m = re.search(r"(?://|#).*?\bcovers:?\s+(%s(?:(?:\s*,\s*|\s+and\s+|\s+)%s)*)" % (ID_LIKE, ID_LIKE), line)
                if m:
                    for name in re.findall(ID_LIKE, m[1]):
                        self.use(path, n, name, "a covers comment")
        for path in sorted((self.root / "libs").rglob("*.def")):
            text = re.sub(r"^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.M)
            for m in re.finditer(r'GOMKIT_ISSUE\(\s*(\w+)\s*,\s*(\w+)\s*,\s*"([^"]*)"', text):
                if m[3]:
                    for name in re.split(r"[,\s]+", m[3].strip()):
                        self.use(path, text.count("\n", 0, m.start()) + 1, name, "the issue row %s" % m[1], m[2])

    def use(self, path, line, name, where, severity=None):
        if name not in self.rules:
            self.fail(path, line, "%s names %s, which no page declares" % (where, name))
        elif self.rules[name].severity == "withdrawn":
            self.fail(path, line, "%s names %s, which is withdrawn" % (where, name))
        elif severity is not None:
            order = ["Info", "Canonical", "Warning", "Error"]
            rule = self.rules[name].severity.split(",")[0].capitalize()
            if severity not in order:
                self.fail(path, line, "%s has the unknown severity %s" % (where, severity))
            elif rule in order and order.index(severity) > order.index(rule):
                self.fail(path, line, "%s is %s, but %s is (%s)" % (where, severity, name, self.rules[name].severity))
            elif rule == "Error" and severity != "Error":
                return  # a repair or a lenient reading: allowed, but it does not report the error
        self.named.setdefault(name, []).append("%s:%d" % (path, line))

    def check_coverage(self, pages):
        for page in pages:
            if not (self.spec / page).is_file():
                self.fail(self.spec / page, 0, "no such page (--coverage)")
        wanted = [r for r in self.rules.values() if r.page.name in pages and r.severity.startswith("error")]
        missing = [r for r in wanted if r.name not in self.named]
        for r in missing:
            self.fail(r.page, r.line, "%s (%s) has neither a test that covers it nor an issue row" % (r.name, r.severity))
        print("coverage: %d of %d error rules of %s" % (len(wanted) - len(missing), len(wanted), ", ".join(pages)))

    # ---- tables ----

    def check_tables(self):
        layout = Constants(self.root / LAYOUT, self)
        limits = Constants(self.root / LIMITS, self)
        for page in self.pages():
            lines = page.read_text(encoding="utf-8").splitlines()
            for n, line in enumerate(lines):
                m = re.fullmatch(r"<!-- table: (\w+)(?: size=(\d+))?(?: layout=([\w:]+))? -->", line.strip())
                if m:
                    self.offset_table(page, n + 1, m[1], m[2], m[3], rows(lines, n + 1), layout)
                elif line.startswith("<!-- table"):
                    self.fail(page, n + 1, "unreadable table mark")
                elif line.strip() == "<!-- fourccs -->":
                    self.fourcc_table(page, rows(lines, n + 1), layout)
                elif line.strip() == "<!-- limits -->":
                    self.value_table(page, rows(lines, n + 1), "default", "limits.hpp", limits)
                elif line.strip() == "<!-- values -->":
                    self.value_table(page, rows(lines, n + 1), "limit", "layout.hpp", layout)

    def offset_table(self, page, line, title, size, size_constant, table, layout):
        if not table:
            self.fail(page, line, "the mark of %s has no table below" % title)
            return
        for k in (1, 2, 5):  # values of n and of the counts that appear in offsets and types
            at = None
            for n, row in table:
                try:
                    offset, length = evaluate(row["offset"], k), type_size(row["type"], k)
                except (ValueError, KeyError) as e:
                    self.fail(page, n, "%s: unreadable row: %s" % (title, e))
                    return
                if at is None and offset != 0:
                    self.fail(page, n, "%s: the first offset is not 0" % title)
                    return
                if at is not None and offset != at:
                    self.fail(page, n, "%s: %s is at %d, but the row before ends at %d (with counts of %d)" % (title, row["field"], offset, at, k))
                    return
                at = offset + length if length is not None else None
            if size is not None and at != int(size):
                self.fail(page, table[-1][0], "%s: the rows end at %s, the size is %s" % (title, at, size))
                return
        if not layout.present:
            return
        if size_constant:
            self.compare(page, line, title + " size", int(size), layout, size_constant)
        for n, row in table:
            name = row.get("layout.hpp", "").strip("` ")
            if not name:
                continue
            for k in (1, 2, 5):
                if not self.compare(page, n, "%s.%s" % (title, row["field"]), evaluate(row["offset"], k), layout, name, k):
                    break
            kind = layout.kinds.get(name)
            if kind and kind.replace("char", "u8") != row["type"].replace("char", "u8"):
                self.fail(page, n, "%s.%s is %s here, %s in the comment of %s in %s" % (title, row["field"], row["type"], kind, name, LAYOUT))

    def compare(self, page, line, what, value, constants, name, k=None):
        found = constants.value(name, k)
        if found is None:
            self.fail(page, line, "%s: %s has no constant %s" % (what, constants.path.name, name))
            return False
        if found != value:
            self.fail(page, line, "%s is %s here, %s in %s (%s)" % (what, value, found, constants.path.name, name))
            return False
        return True

    def fourcc_table(self, page, table, layout):
        for n, row in table:
            name = row["fourcc"].strip("` ").replace("\\0", "\0")
            raw = bytes.fromhex(row["bytes"])
            if raw != name.encode() or int(row["as u32"], 16) != struct.unpack("<I", raw)[0]:
                self.fail(page, n, "fourcc, bytes and number of this row differ")
            elif layout.present:
                self.compare(page, n, name.strip("\0"), int(row["as u32"], 16), layout, "k" + name.strip("\0").capitalize())

    def value_table(self, page, table, column, constant_column, constants):
        for n, row in table:
            name = row.get(constant_column, "").strip("` ")
            if name and constants.present:
                text = row[column].replace(",", "")
                value = float(text) if re.search("[.e]", text) else int(text)
                self.compare(page, n, list(row.values())[0], value, constants, name)


def rows(lines, start):
    """[(line number, {column: text})] of the table that follows line index `start` (counted from 0)."""
    while start < len(lines) and not lines[start].strip():
        start += 1
    result, names = [], None
    for i in range(start, len(lines)):
        if not lines[i].startswith("|"):
            break
        cells = [c.strip() for c in lines[i].strip().strip("|").split("|")]
        if names is None:
            names = cells
        elif not all(re.fullmatch(":?-+:?", c) for c in cells):
            result.append((i + 1, dict(zip(names, cells))))
    return result


def evaluate(text, k):
    """An offset such as `76`, `4 + 12n` or `4 + 4 * count`, every name standing for k."""
    text = re.sub(r"(\d)\s*([A-Za-z])", r"\1 * \2", text)
    text = re.sub(r"[A-Za-z]\w*", str(k), text)
    if not re.fullmatch(r"[0-9+*\s()]+", text):
        raise ValueError("'%s' is no offset" % text)
    return eval(text, {"__builtins__": {}})  # digits, + and * only


def type_size(text, k):
    """Bytes of `f32[n][16]` and the like; None for an open end (`u8[]`)."""
    m = re.fullmatch(r"(\w+)((?:\[\w*\])*)", text)
    if not m or m[1] not in TYPE_SIZE:
        raise ValueError("'%s' is no type" % text)
    size = TYPE_SIZE[m[1]]
    for dimension in re.findall(r"\[(\w*)\]", m[2]):
        if not dimension:
            return None
        size *= evaluate(dimension, k)
    return size


class Constants:
    """The constexpr numbers of one header by namespace (`header::kSize`), its one-line functions of one count, and its members with initialiser."""

    def __init__(self, path, checker):
        self.path, self.values, self.functions, self.kinds = path, {}, {}, {}
        self.present = path.is_file()
        if not self.present:
            checker.fail(path, 0, "not found: the tables cannot be compared")
            return
        space = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            code, _, comment = line.partition("//")
            m = re.match(r"\s*namespace (\w+) \{", code)
            if m:
                space = m[1] + "::"
            elif re.match(r"\}", code):
                space = ""
            m = re.match(r"\s*(?:(?:inline|static)\s+)*constexpr\s+[\w:]+\s+(k\w+)\s*=\s*([^;{]+);", code) or re.match(r"\s*std::uint64_t\s+(\w+)\s*=\s*([^;]+);", code)
            if m:
                value = self.number(m[2], space)
                if value is not None:
                    self.values.setdefault(space + m[1], value)
                kind = re.match(r"\s*((?:u8|u16|u32|u64|i32|f32|char)(?:\[\d+\])?)(?![\w\[])", comment)
                if kind:
                    self.kinds[space + m[1]] = kind[1]
            m = re.search(r"constexpr\s+[\w:]+\s+(\w+)\([\w:]+\s+(\w+)\)\s*noexcept\s*\{\s*return\s+([^;]+);\s*\}", code)
            if m:
                self.functions[space + m[1]] = (m[2], m[3])

    def number(self, text, space):
        m = re.fullmatch(r'\s*fourcc\("(\w{3,4})"\)\s*', text)
        if m:
            return struct.unpack("<I", m[1].encode().ljust(4, b"\0"))[0]
        text = re.sub(r"'", "", text)
        text = re.sub(r"\b(0[xX][0-9A-Fa-f]+|\d+)[uUlL]+\b", r"\1", text)

        def known(m):
            value = self.values.get(space + m[0], self.values.get(m[0]))
            return m[0] if value is None else repr(value)

        text = re.sub(r"(?<![\w.])[A-Za-z_]\w*(?:::\w+)*", known, text)
        if not re.fullmatch(r"(?:0[xX][0-9A-Fa-f]+|[0-9.]+(?:e-?\d+)?|[-+*<>|&()\s])+", text):
            return None
        try:
            return eval(text, {"__builtins__": {}})  # numbers and operators only
        except (SyntaxError, TypeError, ValueError):
            return None

    def value(self, name, k=None):
        if name in self.values:
            return self.values[name]
        if name in self.functions and k is not None:
            variable, text = self.functions[name]
            return self.number(re.sub(r"\b%s\b" % variable, str(k), text), "")
        return None


def main(argv=None):
    parser = argparse.ArgumentParser(description="checks docs/spec against itself, the tests, the issue tables and layout.hpp")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[1], help="the project's folder")
    parser.add_argument("--coverage", nargs="*", metavar="PAGE", help="every error rule of these pages (default gom.md morph.md mta.md conventions.md) has a test or an issue row")
    arguments = parser.parse_args(argv)
    checker = Checker(arguments.root.resolve())
    checker.read_rules()
    checker.check_references()
    checker.read_uses()
    checker.check_tables()
    if arguments.coverage is not None:
        checker.check_coverage(arguments.coverage or ["gom.md", "morph.md", "mta.md", "conventions.md"])
    for finding in checker.findings:
        print(finding)
    print("check_spec: %d rules, %d findings" % (len(checker.rules), len(checker.findings)))
    return 1 if checker.findings else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""The project's pages against themselves and the tree.

    pages.py readme_step          README.md and README.ja.md, and each guide that has a twin: same headings' levels, code blocks, tables' shapes, links
    pages.py links                every relative link in a page of the tree leads to a file (and heading) that exists
    pages.py no_machine_paths     no path or host of a developer's machine in any file of the tree
    pages.py run_blocks PROGRAM   the ./gomkit.sh lines of both READMEs and of such guides work, with PROGRAM in gomkit.sh's place
    pages.py compile_blocks CXX   the C++ blocks of README.md compile
    pages.py self_test            each check fails for a planted fault
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ.get("GOMKIT_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
SKIP = {".git", "build", "node_modules", "__pycache__"}


def code_blocks(text):
    """[(language, content)]"""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)


def without_code(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def links(text):
    return [target for target in re.findall(r"!?\[[^\]]*\]\(([^)\s]+)\)", without_code(text)) if not re.match(r"[a-z]+:", target)]


def shape(text):
    """What two translations must share, in order."""
    plain = without_code(text)
    return {
        "code blocks": code_blocks(text),
        "heading levels": [len(level) for level in re.findall(r"^(#+) ", plain, re.M)],
        "link targets": sorted(links(text)),
        "list items": len(re.findall(r"^\s*[-*] ", plain, re.M)),
        "table commands": re.findall(r"^\| (`[^`]+`) \|", plain, re.M),
        "bold words": len(re.findall(r"^- \*\*", plain, re.M)),
    }


def guides(root):
    """The guides that exist in both languages: [(English, Japanese)]"""
    return [(page.with_name(page.name.replace(".ja.md", ".md")), page) for page in sorted((root / "docs" / "guide").glob("*.ja.md"))]


def readme_step(root):
    wrong = []
    for pair in [(root / "README.md", root / "README.ja.md"), *guides(root)]:
        english, japanese = (shape(page.read_text(encoding="utf-8")) for page in pair)
        for page, other in (pair, pair[::-1]):   # each leads to its twin
            links_here = english if page is pair[0] else japanese
            if page.parent.name == "guide":
                if other.name not in links_here["link targets"]:
                    wrong.append(f"{page.name} does not link to {other.name}")
                else:
                    links_here["link targets"].remove(other.name)
        for page in (english, japanese):   # the one may lead to a Japanese page where the other leads to its twin
            page["link targets"] = sorted(target.replace(".ja.md", ".md") for target in page["link targets"])
        names = " and ".join(page.name for page in pair)
        wrong += [f"{names} differ in {key}:\n  {english[key]}\n  {japanese[key]}" for key in english if english[key] != japanese[key]]
    return wrong


def tree_files(root):
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name not in SKIP and not name.startswith("build-")]
        for name in files:
            yield pathlib.Path(folder) / name


def anchor(heading):
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip().lower()).replace("`", "").replace("*", "")
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def check_links(root):
    wrong = []
    for page in tree_files(root):
        if page.suffix != ".md":
            continue
        for target in links(page.read_text(encoding="utf-8")):
            name, _, fragment = target.partition("#")
            place = (page.parent / name) if name else page
            if not place.exists():
                wrong.append(f"{page.relative_to(root)}: link to {target}, which does not exist")
            elif fragment and place.suffix == ".md":
                headings = re.findall(r"^#+ (.*)$", without_code(place.read_text(encoding="utf-8")), re.M)
                if fragment not in [anchor(heading) for heading in headings]:
                    wrong.append(f"{page.relative_to(root)}: link to {target}, no such heading")
    return wrong


def no_machine_paths(root):
    # Written so that this file does not find itself.
    pattern = re.compile(rb"/" + rb"work/(main|shared)|/" + rb"root/|index\.crates" + rb"\.io|deb\.debian" + rb"\.org|registry\.npmjs" + rb"\.org")
    wrong = []
    for path in tree_files(root):
        if path.is_symlink() or path.stat().st_size > 4_000_000:
            continue
        data = path.read_bytes()
        if match := pattern.search(data):
            wrong.append(f"{path.relative_to(root)}:{data[:match.start()].count(10) + 1}: '{match.group(0).decode()}'")
    return wrong


def run_blocks(root, program):
    wrong = []
    for page in ["README.md", "README.ja.md", *(str(page.relative_to(root)) for pair in guides(root) for page in pair)]:
        count = 0
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(root / "samples", pathlib.Path(folder) / "samples")
            for language, text in code_blocks((root / page).read_text(encoding="utf-8")):
                for line in text.splitlines() if language == "sh" else []:
                    words = shlex.split(line, comments=True)
                    if not words or words[0] != "./gomkit.sh":
                        continue
                    count += 1
                    done = subprocess.run([program, *words[1:]], cwd=folder, capture_output=True, text=True)
                    if done.returncode != 0:
                        wrong.append(f"{page}: '{line}' gives exit code {done.returncode}: {done.stderr.strip()}")
                    if "-o" in words and not (pathlib.Path(folder) / words[words.index("-o") + 1]).is_file():
                        wrong.append(f"{page}: '{line}' did not write its output")
        if not count:
            wrong.append(f"{page}: no ./gomkit.sh line found")
    return wrong


def compile_blocks(root, compiler):
    blocks = [text for language, text in code_blocks((root / "README.md").read_text(encoding="utf-8")) if language == "cpp"]
    wrong = [] if blocks else ["README.md: no C++ block found"]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "block.cpp"
        for text in blocks:
            source.write_text(text)
            done = subprocess.run([compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", root / "runtime/include", source],
                                  capture_output=True, text=True)
            if done.returncode != 0:
                wrong.append(f"README.md: a C++ block does not compile:\n{done.stderr}")
    return wrong


def self_test():
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        page = "# A\n\n[x](x.md#b-c)\n\n```sh\n./gomkit.sh info a\n```\n\n## B `c`\n"
        other = page.replace("# A", "# あ").replace("## B", "## び")

        def put(name, text):
            (root / name).write_text(text, encoding="utf-8")

        put("x.md", "# X\n\n## B c\n")
        put("README.md", page)
        put("README.ja.md", other)
        (root / "samples").mkdir()
        checks = {"readme_step": readme_step, "links": check_links, "paths": no_machine_paths, "run": lambda r: run_blocks(r, "true")}
        for name, check in checks.items():
            if found := check(root):
                wrong.append(f"{name} fails on a good tree: {found}")
        plants = [
            ("readme_step", "README.ja.md", other.replace("info a", "info b")), ("readme_step", "README.ja.md", other.replace("## び", "### び")),
            ("readme_step", "README.ja.md", other.replace("(x.md", "(y.md")), ("links", "README.md", page.replace("(x.md", "(y.md")),
            ("links", "README.md", page.replace("#b-c", "#b-d")), ("paths", "notes.txt", "see /" + "work/main\n"),
        ]
        for name, file, text in plants:
            old = (root / file).read_text(encoding="utf-8") if (root / file).exists() else None
            put(file, text)
            if not checks[name](root):
                wrong.append(f"{name} does not see a planted fault in {file}: {text!r}")
            (root / file).unlink() if old is None else put(file, old)
        if not run_blocks(root, "false"):
            wrong.append("run_blocks does not see a failing command")
    return wrong


def main():
    what, *rest = sys.argv[1:]
    checks = {"readme_step": readme_step, "links": check_links, "no_machine_paths": no_machine_paths, "run_blocks": run_blocks,
              "compile_blocks": compile_blocks}
    wrong = self_test() if what == "self_test" else checks[what](ROOT, *rest)
    for line in wrong:
        print("FAILED:", line)
    print(f"{what}: {len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

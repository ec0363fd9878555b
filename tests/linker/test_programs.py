"""Whole programs as the page on linking builds them: objects of `clang -flto` and `-fembed-bitcode`, linked and run."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

import bitcodec
from answers import ask, build
from cli.running import run, succeed
from containers.builders import elf

from .test_linking import archive_of

CLANG, LINK, ARCHIVER, COPIER = "clang-22", "llvm-link-22", "llvm-ar-22", "llvm-objcopy-22"
SAVE = "sh -c './separate > printed'"

SOURCES = {
    "main.c": """
#include <stdio.h>
#include "list.h"
static int counter = 1;
int main(void) {
  struct list *items = 0;
  for (int i = 0; i < 5; i++) items = push(items, i * scale(i));
  printf("%d %d %d\\n", sum(items), counter, next());
}
""",
    "list.c": """
#include <stdlib.h>
#include "list.h"
static int counter = 10;
int next(void) { return counter++; }
struct list *push(struct list *rest, int value) {
  struct list *made = malloc(sizeof *made);
  made->rest = rest;
  made->value = value;
  return made;
}
int sum(struct list *items) { return items ? items->value + sum(items->rest) : next() - 10; }
""",
    "util.c": "int scale(int x) { return x + 1; }\n",
    "unused.c": "int scale2(int x) { return x + 2; }\nint main(void);\n",
    "list.h": """
struct list { struct list *rest; int value; };
struct list *push(struct list *, int);
int sum(struct list *), scale(int), next(void);
""",
}
CPP = {
    "shape.h": """
struct Shape { virtual ~Shape() {} virtual int area() const = 0; };
template <class T> struct Box : Shape {
  T side;
  Box(T side) : side(side) {}
  int area() const override { return side * side; }
  static inline int made = 0;
};
inline int twice(int x) { static int calls = 0; return 2 * x + calls++; }
Shape *make(int);
extern "C" int printf(const char *, ...);
""",
    "shape.cpp": """
#include "shape.h"
Shape *make(int side) { Box<int>::made++; return new Box<int>(twice(side)); }
""",
    "main.cpp": """
#include "shape.h"
int main() {
  Shape *shape = make(3);
  Box<int> box(2);
  printf("%d %d %d %d\\n", shape->area(), box.area(), twice(1), Box<int>::made);
  delete shape;
}
""",
}


DEBUG = "-g -fdebug-compilation-dir=."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def made(commands: list[str], sources: dict[str, str], *results: str) -> bytes:
    """Write files that commands make of sources to the current folder; return the last one."""
    files = build(commands, sources, results)
    for name, content in files.items():
        Path(name).write_bytes(content)
    return files[results[-1]]


def printed(module: str, *options: str) -> bytes:
    """Return what a program prints that clang makes of a module."""
    text = bitcodec.print_assembly(bitcodec.open(module))
    commands = [" ".join([CLANG, "program.ll", *options, "-o program"]), "sh -c './program > printed'"]
    return build(commands, {"program.ll": text}, ["printed"])["printed"]


@pytest.mark.parametrize("option", ["-flto", "-fembed-bitcode"])
def test_a_build_becomes_one_module_that_runs(option: str, folder: Path) -> None:
    commands = [f"{CLANG} {option} -O1 {DEBUG} -c {source}" for source in SOURCES if source.endswith(".c")]
    commands += [f"{ARCHIVER} rcD libutil.a util.o unused.o", f"{CLANG} -O1 main.c list.c util.c -o separate"]
    expected = made([*commands, SAVE], SOURCES, "main.o", "list.o", "libutil.a", "printed")
    Path("objects.txt").write_text("main.o\nlist.o\n")
    assert run("link", "--dry-run", "@objects.txt", "libutil.a").stderr == ""
    assert succeed("link", "@objects.txt", "libutil.a", "-o", "program.bc", "--map", "program.json") == b""
    origins = json.loads((folder / "program.json").read_text())["symbols"]
    files = {"main": "main.o", "push": "list.o", "scale": "libutil.a(util.o)"}
    assert {name: re.sub(r"(\(.llvmbc\)|:.llvmbc)", "", origins[name]) for name in files} == files
    assert "scale2" not in origins
    assert printed("program.bc") == expected


def test_bitcode_in_files_beside_objects(folder: Path) -> None:
    """As wllvm and gllvm compile: an object names the file with its bitcode, and so does what is linked of it."""
    names = ("main", "list", "util")
    commands = [f"{CLANG} -O1 -emit-llvm -c {name}.c -o .{name}.o.bc" for name in names]
    commands += [f"{CLANG} -O1 main.c list.c util.c -o separate", SAVE]
    output = made(commands, SOURCES, *[f".{name}.o.bc" for name in names], "printed")
    expected = [str(folder / f".{name}.o.bc") for name in names]
    paths = [f"{path}\n".encode() for path in expected]
    contents = {f"{name}.o": elf((".llvm_bc", path)) for name, path in zip(names, paths, strict=True)}
    contents["libutil.a"] = archive_of(("util.o", contents["util.o"]))
    contents["separate"] = elf((".llvm_bc", b"".join(paths)))
    for name, content in contents.items():
        Path(name).write_bytes(content)
    text = str(bitcodec.link(expected))
    objects = [f"{name}.o" for name in names]
    for inputs in (objects, ["main.o", "list.o", "libutil.a"], ["separate"]):
        succeed("link", *inputs, "-o", "program.bc", "--map", "program.json")
        assert str(bitcodec.loads(Path("program.bc").read_bytes(), "llvm-link")) == text
    assert json.loads(Path("program.json").read_text())["symbols"]["push"] == "separate(.list.o.bc)"
    assert printed("program.bc") == output
    Path(".list.o.bc").unlink()
    message = f"section .llvm_bc of list.o names {folder}/.list.o.bc, which cannot be read"
    assert message in run("link", *objects, "-o", "program.bc").stderr


@pytest.mark.live
def test_sections_that_objcopy_adds(folder: Path) -> None:
    """The sections of `test_bitcode_in_files_beside_objects` are those of real objects."""
    for name, text in SOURCES.items():
        Path(name).write_text(text)
    for name in ("main", "list", "util"):
        call(f"{CLANG} -O1 -c {name}.c")
        call(f"{CLANG} -O1 -emit-llvm -c {name}.c -o .{name}.o.bc")
        Path("paths").write_text(f"{folder}/.{name}.o.bc\n")
        call(f"{COPIER} --add-section .llvm_bc=paths {name}.o")
    call(f"{ARCHIVER} rc libutil.a util.o")
    call(f"{CLANG} main.o list.o util.o -o separate")
    text = str(bitcodec.link([f".{name}.o.bc" for name in ("main", "list", "util")]))
    for inputs in (["main.o", "list.o", "util.o"], ["main.o", "list.o", "libutil.a"], ["separate"]):
        succeed("link", *inputs, "-o", "program.bc")
        assert str(bitcodec.loads(Path("program.bc").read_bytes(), "llvm-link")) == text


def call(command: str) -> None:
    subprocess.run(command.split(), capture_output=True, check=True)


@pytest.mark.parametrize("form", ["bc", "ll"])
def test_programs_with_debug_information_are_linked_as_llvm_links_them(form: str, folder: Path) -> None:
    kind, files = "-S" if form == "ll" else "-c", [f"main.{form}", f"shape.{form}"]
    commands = [
        f"{CLANG} -std=c++17 {DEBUG} -emit-llvm {kind} {name}.cpp -o {name}.{form}" for name in ("main", "shape")
    ]
    commands += [f"{CLANG} -std=c++17 main.cpp shape.cpp -lstdc++ -o separate", SAVE]
    expected = made(commands, CPP, *files, "printed")
    theirs = ask([LINK, "-S", *files, "-o", "-"], cwd=folder, text=True, check=True, keeps="digest").stdout
    assert bitcodec.print_assembly(bitcodec.link(files)) == theirs
    succeed("link", *files, "-o", "program.bc")
    assert printed("program.bc", "-lstdc++") == expected

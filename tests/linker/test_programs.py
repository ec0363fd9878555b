"""Whole programs as the page on linking builds them: objects of `clang -flto` and `-fembed-bitcode`, linked and run."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import bitcodec
from cli.running import run, succeed

CLANG, LINK, ARCHIVER, COPIER = "clang-22", "llvm-link-22", "llvm-ar-22", "llvm-objcopy-22"

pytestmark = pytest.mark.skipif(
    not all(map(shutil.which, (CLANG, LINK, ARCHIVER, COPIER))), reason="LLVM's tools are not installed"
)

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


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {**SOURCES, **CPP}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def call(*command: str) -> bytes:
    return subprocess.run(command, capture_output=True, check=True).stdout


def compiled(option: str) -> None:
    for source in ("main.c", "list.c", "util.c", "unused.c"):
        call(CLANG, option, "-O1", "-g", "-c", source)
    call(ARCHIVER, "rc", "libutil.a", "util.o", "unused.o")
    Path("objects.txt").write_text("main.o\nlist.o\n")


@pytest.mark.parametrize("option", ["-flto", "-fembed-bitcode"])
def test_a_build_becomes_one_module_that_runs(option: str, folder: Path) -> None:
    call(CLANG, "-O1", "main.c", "list.c", "util.c", "-o", "separate")
    expected = call("./separate")
    compiled(option)
    assert run("link", "--dry-run", "@objects.txt", "libutil.a").stderr == ""
    assert succeed("link", "@objects.txt", "libutil.a", "-o", "program.bc", "--map", "program.json") == b""
    origins = json.loads((folder / "program.json").read_text())["symbols"]
    files = {"main": "main.o", "push": "list.o", "scale": "libutil.a(util.o)"}
    assert {name: re.sub(r"(\(.llvmbc\)|:.llvmbc)", "", origins[name]) for name in files} == files
    assert "scale2" not in origins
    call(CLANG, "program.bc", "-o", "program")
    assert call("./program") == expected


def test_bitcode_in_files_beside_objects(folder: Path) -> None:
    """As wllvm and gllvm compile: an object names the file with its bitcode, and so does what is linked of it."""
    objects = []
    for name in ("main", "list", "util"):
        call(CLANG, "-O1", "-c", f"{name}.c")
        call(CLANG, "-O1", "-emit-llvm", "-c", f"{name}.c", "-o", f".{name}.o.bc")
        (folder / "paths").write_text(f"{folder}/.{name}.o.bc\n")
        call(COPIER, "--add-section", ".llvm_bc=paths", f"{name}.o")
        objects.append(f"{name}.o")
    call(ARCHIVER, "rc", "libutil.a", "util.o")
    call(CLANG, *objects, "-o", "separate")
    expected = [str(folder / f".{name}.o.bc") for name in ("main", "list", "util")]
    text = str(bitcodec.link(expected))
    for inputs in (objects, ["main.o", "list.o", "libutil.a"], ["separate"]):
        succeed("link", *inputs, "-o", "program.bc", "--map", "program.json")
        assert str(bitcodec.loads(Path("program.bc").read_bytes(), "llvm-link")) == text
    assert json.loads(Path("program.json").read_text())["symbols"]["push"] == "separate(.list.o.bc)"
    call(CLANG, "program.bc", "-o", "program")
    assert call("./program") == call("./separate")
    Path(".list.o.bc").unlink()
    message = f"section .llvm_bc of list.o names {folder}/.list.o.bc, which cannot be read"
    assert message in run("link", *objects, "-o", "program.bc").stderr


@pytest.mark.parametrize("form", ["bc", "ll"])
def test_programs_with_debug_information_are_linked_as_llvm_links_them(form: str, folder: Path) -> None:
    for name in ("shape", "main"):
        options = ["-S"] if form == "ll" else ["-c"]
        call(CLANG, "-std=c++17", "-g", "-emit-llvm", *options, f"{name}.cpp", "-o", f"{name}.{form}")
    files = [f"main.{form}", f"shape.{form}"]
    theirs = call(LINK, "-S", *files, "-o", "-").decode()
    assert bitcodec.print_assembly(bitcodec.link(files)) == theirs
    succeed("link", *files, "-o", "program.bc")
    call(CLANG, "program.bc", "-lstdc++", "-o", "program")
    call(CLANG, "-std=c++17", "main.cpp", "shape.cpp", "-lstdc++", "-o", "separate")
    assert call("./program") == call("./separate")
    assert folder.is_dir()

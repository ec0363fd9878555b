"""Link maps and compilation databases name the files of a build."""

from __future__ import annotations

import json

import pytest

from answers import build
from bitcodec.lint.build_files import BuildFile, BuildListing, files_in_listing, kind_of_listing

LLD_MAP = """\
             VMA              LMA     Size Align Out     In      Symbol
          201158           201158       20     4 .text
          201158           201158       10     4         <internal>:(.text)
          201158           201158       10     4         a.o:(.text)
          201158           201158        0     1                 f
          201168           201168       10     4         libx.a(b.o):(.text.g)
          201178           201178       10     4         a.o:(.data)
"""
GNU_MAP = """\
Archive member included to satisfy reference by file (symbol)

libx.a(b.o)                   a.o (g)

Linker script and memory map

LOAD a.o
LOAD libx.a
LOAD dir/c d.o
"""
APPLE_MAP = """\
# Path: program
# Arch: x86_64
# Object files:
[  0] linker synthesized
[  1] /build/a.o
[  2] /build/libx.a[3](b.o)
[  3] /build/liby.a(c.o)
# Sections:
# Address	Size    	Segment	Section
[ 7] not an input
"""


@pytest.mark.parametrize(
    ("text", "kind", "files"),
    [
        (LLD_MAP, BuildListing.LLD_MAP, [("a.o", ""), ("libx.a", "b.o")]),
        (GNU_MAP, BuildListing.GNU_MAP, [("libx.a", "b.o"), ("a.o", ""), ("dir/c d.o", "")]),
        (APPLE_MAP, BuildListing.APPLE_MAP, [("/build/a.o", ""), ("/build/libx.a", "b.o"), ("/build/liby.a", "c.o")]),
    ],
    ids=["lld", "gnu", "apple"],
)
def test_link_maps(text: str, kind: BuildListing, files: list[tuple[str, str]]) -> None:
    assert kind_of_listing(text.encode()) is kind
    assert files_in_listing(text, kind) == [BuildFile(*each) for each in files]


def test_compilation_databases() -> None:
    entries = [
        {"directory": "/b", "file": "a.c", "output": "a.o"},
        {"directory": "/b", "file": "b.c", "arguments": ["cc", "-c", "b.c", "-o", "b.o"]},
        {"directory": "/b", "file": "c.c", "command": "cc -c 'c c.c' -oc.o"},
        {"directory": "/b", "file": "d.c", "command": "cl /c d.c /Fod.obj"},
        {"directory": "/b", "file": "e.c", "command": "cc -c e.c"},
    ]
    text = json.dumps(entries)

    assert kind_of_listing(text.encode()) is BuildListing.COMPILE_COMMANDS
    files = [each.path for each in files_in_listing(text, BuildListing.COMPILE_COMMANDS)]
    assert files == ["/b/a.o", "/b/b.o", "/b/c.o", "/b/d.obj"]


@pytest.mark.parametrize("text", ["[{", "[1]", '[{"command": "\'"}]', "[" * 100_000, "[{}" * 3])
def test_malformed_databases_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="malformed compilation database"):
        files_in_listing(text, BuildListing.COMPILE_COMMANDS)


@pytest.mark.parametrize("head", [b"", b"BC\xc0\xde", b"!<arch>\n", b"\x7fELF", b"; ModuleID = 'a'", b"{}"])
def test_other_files_are_no_listings(head: bytes) -> None:
    assert kind_of_listing(head) is None


def test_maps_of_real_linkers() -> None:
    files = {
        "a.c": "int g(void); void _start(void) { g(); }\n",
        "b.c": "int g(void) { return 1; }\n",
    }
    commands = [
        "clang-22 --target=x86_64-linux-gnu -c a.c b.c",
        "llvm-ar-22 rc libx.a b.o",
        "ld.lld-22 a.o libx.a -o program -Map=program.map",
    ]
    text = build(commands, files, ["program.map"])["program.map"].decode()

    assert kind_of_listing(text.encode()) is BuildListing.LLD_MAP
    assert files_in_listing(text, BuildListing.LLD_MAP) == [BuildFile("a.o", ""), BuildFile("libx.a", "b.o")]

"""Objects of many processors and what LLVM's tools said of them, so that no tool is needed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bitcodec.pcsections.debug_info.lines import Lines
from bitcodec.pcsections.objects.pieces import pieces
from bitcodec.pcsections.objects.symbols import FunctionSymbols

from .elf_mutations import EXPECTED, FOLDER
from .make_elf_goldens import LINES

GOLDENS: dict[str, dict[str, Any]] = json.loads(EXPECTED.read_text())
THUMB = 1


def of_kind(kind: str) -> Any:
    return pytest.mark.parametrize("name", [name for name, golden in GOLDENS.items() if kind in golden])


def test_all_files_are_there() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {*GOLDENS, EXPECTED.name}


@of_kind("pc_sections")
def test_pc_sections(name: str) -> None:
    found = [
        {
            "name": piece.name,
            "index": piece.index,
            "pcs": [list(row) for row in zip(*piece.pcs, strict=True)] if piece.pcs else [],
            "references": sorted(map(list, piece.references.values())),
            "lengths": sorted(map(list, piece.lengths.items())),
        }
        for piece in pieces((FOLDER / name).read_bytes())
    ]
    assert found == GOLDENS[name]["pc_sections"]


@of_kind("functions")
def test_functions(name: str) -> None:
    symbols = FunctionSymbols((FOLDER / name).read_bytes())
    assert {function for function, *_ in GOLDENS[name]["functions"]} == symbols.places.keys()
    for function, section, value, size in GOLDENS[name]["functions"]:
        ((place, start),) = symbols.places[function]
        found = symbols.find(place, start + size - 1)
        assert found == (function, start, size)
        if "elfv1" not in name:
            assert (place, start | THUMB) == (None if LINES.get(name) else section, value | THUMB)


@of_kind("lines")
def test_lines(name: str) -> None:
    lines = Lines((FOLDER / name).read_bytes())
    # An object has one section of code, the second.
    section = None if LINES[name] else 2
    for address, file, line in GOLDENS[name]["lines"]:
        assert lines.find(section, address) == (None if file == "??" else (file, line))
    assert lines.warning is None

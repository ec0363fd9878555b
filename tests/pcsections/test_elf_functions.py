"""Functions by address, beside llvm-nm and llvm-symbolizer; which function owns an address, beside a slow search."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers import ask
from bitcodec.errors import PCSectionsError
from bitcodec.pcsections.objects.extents import SymbolExtent, extents_of
from bitcodec.pcsections.objects.symbols import FunctionSymbols

from .elf_building import LINKED, LLD, SYMBOLIZER, TARGETS, built, compiled, run
from .readobj import functions

THUMB = 1


@pytest.mark.parametrize("triple", TARGETS)
def test_functions_of_objects(triple: str, tmp_path: Path) -> None:
    path = compiled(tmp_path, triple)
    symbols = FunctionSymbols(path.read_bytes())
    expected = functions(path)
    assert len(expected) == 7
    for name, number, section_name, value, size in expected:
        (place,) = symbols.places[name]
        section, start = place
        if section_name != ".opd":
            assert (section, start | THUMB) == (number, value | THUMB)
        for address in (start, start + size - 1):
            found = symbols.find(section, address)
            assert found is not None
            assert found.name == ("also" if name == "store" else name)
            assert (found.start, found.size) == (start, size)
    assert symbols.find(0, 0) is None
    assert symbols.find(None, 0) is None


@pytest.mark.parametrize("triple", LINKED)
def test_functions_of_images(triple: str, tmp_path: Path) -> None:
    path, image = compiled(tmp_path, triple, "-code-model=small"), tmp_path / "image"
    # Without the labels of the compiler, which llvm-symbolizer takes for functions.
    run(LLD, "--discard-locals", "-e", "main", path, "-o", image)
    symbols = FunctionSymbols(image.read_bytes())
    columns = symbols.columns[None]
    asked = [at for start, end in zip(columns.starts, columns.ends, strict=True) for at in range(start, end)]
    options = ("--functions=linkage", "--no-inlines", "--no-demangle", "--output-style=GNU")
    lines = ask([SYMBOLIZER, *options, "--obj", image], input="\n".join(map(hex, asked)), text=True).stdout
    answer = lines.splitlines()[::2]
    found = [function.name if function else "??" for function in (symbols.find(None, at) for at in asked)]
    # Of two names of one function either may be taken.
    assert [name.replace("store", "also") for name in answer] == [name.replace("store", "also") for name in found]
    assert {"twice", "inner", "shared", "other", "main"} <= set(found)


def test_symbols_of_the_loader_if_there_are_no_others(tmp_path: Path) -> None:
    path, image = compiled(tmp_path, "x86_64-linux-gnu", "-relocation-model=pic"), tmp_path / "image"
    run(LLD, "-shared", path, "-o", image)
    before = FunctionSymbols(image.read_bytes()).places
    after = FunctionSymbols(built("strip image", image, "image")).places
    assert after == {name: places for name, places in before.items() if name != "inner"}


def test_no_section_table(tmp_path: Path) -> None:
    path, image = compiled(tmp_path, "x86_64-linux-gnu"), tmp_path / "image"
    run(LLD, "-e", "main", path, "-o", image)
    data = bytearray(image.read_bytes())
    data[40:48] = bytes(8)
    data[58:64] = bytes(6)
    with pytest.raises(PCSectionsError, match="no section table"):
        FunctionSymbols(data)


# Extents


def owner(candidates: list[SymbolExtent], end: int, address: int) -> SymbolExtent | None:
    """Return the function that an address is in: of those around it the last to begin."""
    first = {each.start: each for each in reversed(candidates)}
    kept: list[SymbolExtent] = []
    for each in first.values():
        covered = any(
            not other.fills and other.size and other.start < each.start < other.start + other.size
            for other in first.values()
        )
        if not (each.fills and covered):
            kept.append(each)
    kept.sort()
    for index, each in reversed(list(enumerate(kept))):
        following = kept[index + 1].start if index + 1 < len(kept) else end
        last = each.start + each.size if each.size else following
        if each.start <= address < min(last, end):
            if each.size:
                return each
            around = [other for other in kept[:index] if other.size and other.start + other.size > each.start]
            if not around or address < around[-1].start + around[-1].size:
                return each
    return None


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 8)), max_size=6))
def test_extents_are_those_of_a_slow_search(rows: list[tuple[int, int]]) -> None:
    end = 16
    candidates = sorted(
        (SymbolExtent(start, size, number, fills=False) for number, (start, size) in enumerate(rows)),
        key=lambda each: (each.start, not each.size),
    )
    extents = extents_of(candidates, end)
    assert all(start < stop for start, stop in zip(extents.starts, extents.ends, strict=True))
    assert all(stop <= start for stop, start in zip(extents.ends, extents.starts[1:], strict=False))
    for address in range(end + 2):
        found = [
            symbol
            for start, stop, symbol in zip(extents.starts, extents.ends, extents.symbols, strict=True)
            if start <= address < stop
        ]
        expected = owner(candidates, end, address)
        assert found == ([] if expected is None else [expected.symbol])


def test_what_fills_gaps_does_not_split_functions() -> None:
    candidates = [
        SymbolExtent(0, 4, 0, fills=False),
        SymbolExtent(2, 0, 1, fills=True),
        SymbolExtent(6, 0, 2, fills=True),
    ]
    assert list(zip(*extents_of(candidates, 8), strict=True)) == [(0, 4, 0, 4, 0), (6, 8, 6, 0, 2)]


def test_a_function_around_another() -> None:
    candidates = [SymbolExtent(0, 10, 0, fills=False), SymbolExtent(4, 2, 1, fills=False)]
    assert list(zip(*extents_of(candidates, 20), strict=True)) == [(0, 4, 0, 10, 0), (4, 6, 4, 2, 1), (6, 10, 0, 10, 0)]

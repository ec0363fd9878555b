"""Files and lines of addresses, beside llvm-symbolizer."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bitcodec.containers.elf_file import ElfFile
from bitcodec.pcsections.debug_info import dwarf
from bitcodec.pcsections.debug_info.lines import Lines
from bitcodec.pcsections.objects.symbols import FunctionSymbols

from .elf_building import CLANG, LLD, SMALL_ONLY, SYMBOLIZER, TARGETS, run

HEADER = """
static inline int square(int x) {
  return x * x;
}
"""
SOURCE = """
#include "inner/square.h"
int total;
__attribute__((noinline)) int first(int a) {
  for (int i = 0; i < a; i++)
    total += square(i);
  return total;
}

__attribute__((noinline)) static void second(int *p) {
  *p = square(total);
}

int removed(int a) {
  return square(a);
}

int main(void) {
  int x = first(3);
  second(&x);
  return x;
}
"""
UNKNOWN_TO_CLANG = {"riscv64be-linux-gnu", "amdgcn-amd-amdhsa"}
UNRELOCATED_BY_LLVM = {"m68k-linux-gnu", "x86_64-linux-gnux32", "mips64-linux-gnuabin32", "ve-linux"}
"""There llvm-symbolizer carries out no relocations in objects, and finds no lines."""

CLANG_TARGETS = [each for each in TARGETS + SMALL_ONLY if each not in UNKNOWN_TO_CLANG | UNRELOCATED_BY_LLVM]
RELAXED = ["riscv64-linux-gnu", "riscv32-linux-gnu", "loongarch64-linux-gnu"]

live = pytest.mark.live
"""Debug information names folders; `tests/data/pcsections` has recorded lines."""


def compiled(folder: Path, triple: str, *options: str) -> Path:
    (folder / "inner").mkdir()
    (folder / "inner" / "square.h").write_text(HEADER)
    source, made = folder / "lines.c", folder / "lines.o"
    source.write_text(SOURCE)
    run(CLANG, f"--target={triple}", "-O1", "-g", "-c", "-I", folder, *options, source, "-o", made)
    return made


def symbolized(path: Path, addresses: list[int]) -> list[str]:
    """Return file and line of each address, as llvm-symbolizer prints them."""
    answer = run(SYMBOLIZER, "--no-inlines", "--output-style=GNU", "--obj", path, *map(hex, addresses))
    return [line.split(" (")[0].replace(":?", ":0") for line in answer.splitlines()[1::2]]


def shown(found: tuple[str, int] | None) -> str:
    return "??:0" if found is None else f"{found[0]}:{found[1]}"


def check_object(path: Path) -> None:
    """Check all addresses of the one section of code."""
    file, lines = ElfFile(path.read_bytes()), Lines(path.read_bytes())
    (section,) = [section for section in file.sections if section.is_executable and section.size]
    places = range(section.size)
    found = [shown(lines.find(section.index, place)) for place in places]
    assert found == symbolized(path, list(places))
    assert len(set(found)) > 6
    assert any("inner/square.h" in each for each in found)
    assert lines.warning is None


@live
@pytest.mark.parametrize("triple", CLANG_TARGETS)
def test_objects_of_all_processors(triple: str, tmp_path: Path) -> None:
    check_object(compiled(tmp_path, triple))


@live
@pytest.mark.parametrize("triple", sorted(UNRELOCATED_BY_LLVM))
def test_lines_of_functions_where_llvm_has_none(triple: str, tmp_path: Path) -> None:
    data = compiled(tmp_path, triple).read_bytes()
    lines, symbols = Lines(data), FunctionSymbols(data)
    for name, line in (("first", 4), ("second", 10), ("removed", 14), ("main", 18)):
        ((section, start),) = symbols.places[name]
        found = lines.find(section, start)
        assert found is not None
        path, number = found
        assert Path(path).name in {"lines.c", "square.h"}
        assert number in ({line, line + 1} if path.endswith("lines.c") else {3})


@live
@pytest.mark.parametrize("version", [2, 3, 4, 5])
@pytest.mark.parametrize("options", [(), ("-gdwarf64",), ("-gz=zlib",), ("-fdebug-types-section",)], ids="".join)
def test_versions_of_dwarf(version: int, options: tuple[str, ...], tmp_path: Path) -> None:
    if options == ("-gdwarf64",) and version == 2:
        pytest.skip("DWARF 2 has 32 bits alone")
    check_object(compiled(tmp_path, "x86_64-linux-gnu", f"-gdwarf-{version}", *options))


@live
@pytest.mark.parametrize("triple", RELAXED)
def test_linker_relaxation(triple: str, tmp_path: Path) -> None:
    check_object(compiled(tmp_path, triple, "-mrelax"))


@live
@pytest.mark.parametrize(
    "triple", ["x86_64-linux-gnu", "i386-linux-gnu", "aarch64-linux-gnu", "mips64el-linux-gnuabi64"]
)
def test_sections_of_functions_and_the_image_linked_of_them(triple: str, tmp_path: Path) -> None:
    path, image = compiled(tmp_path, triple, "-ffunction-sections", "-fPIC"), tmp_path / "image"
    run(LLD, "-e", "main", "--gc-sections", path, "-o", image)
    lines, symbols = Lines(path.read_bytes()), FunctionSymbols(path.read_bytes())
    linked, linked_symbols = Lines(image.read_bytes()), FunctionSymbols(image.read_bytes())
    for name in ("first", "second", "main"):
        ((section, start),) = symbols.places[name]
        ((_, address),) = linked_symbols.places[name]
        function = symbols.find(section, start)
        assert function is not None
        offsets = range(function.size)
        of_object = [shown(lines.find(section, start + offset)) for offset in offsets]
        assert of_object == [shown(linked.find(None, address + offset)) for offset in offsets]
        assert of_object == symbolized(image, [address + offset for offset in offsets])
    assert "removed" not in linked_symbols.places
    assert linked.find(None, 0) is None
    assert lines.find(None, 0) is None


@live
def test_without_debug_information(tmp_path: Path) -> None:
    lines = Lines(compiled(tmp_path, "x86_64-linux-gnu", "-g0").read_bytes())
    assert lines.find(2, 0) is None
    assert lines.warning is None


@live
@pytest.mark.parametrize("version", [4, 5])
def test_malformed_debug_information_tells_nothing(version: int, tmp_path: Path) -> None:
    data = compiled(tmp_path, "x86_64-linux-gnu", f"-gdwarf-{version}").read_bytes()
    file = ElfFile(data)
    places = [each for each in file.sections if each.name in {".debug_line", ".debug_info", ".debug_abbrev"}]
    code = next(each.index for each in file.sections if each.is_executable and each.size)
    warned = 0
    for seed in range(60):
        source, copy = random.Random(seed), bytearray(data)
        section = source.choice(places)
        for _ in range(source.choice((1, 2, 8))):
            copy[section.offset + source.randrange(section.size)] = source.choice((0, 1, 0x7F, 0x80, 0xFF))
        lines = Lines(bytes(copy))
        for address in range(30):
            lines.find(code, address)
        warned += lines.warning is not None
    assert warned


@live
def test_lists_without_bytes_do_not_fill_the_memory(tmp_path: Path) -> None:
    data = bytearray(compiled(tmp_path, "x86_64-linux-gnu", "-gdwarf-5").read_bytes())
    section = next(each for each in ElfFile(bytes(data)).sections if each.name == ".debug_line")
    # No formats of directories, but 2^62 directories.
    formats = section.offset + 18 + 12
    assert data[formats : formats + 3] == bytes((1, 1, 0x1F))
    data[formats : formats + 10] = bytes((0, *[0xFF] * 8, 0x3F))
    lines = Lines(bytes(data))
    assert lines.find(2, 0) is None
    assert lines.warning is not None
    assert "header of the line table" in lines.warning


def test_debug_information_is_given_up_where_it_takes_more_reads_than_its_size_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = (Path(__file__).parents[1] / "data" / "pcsections" / "lines-x86_64.o").read_bytes()
    code = next(each.index for each in ElfFile(data).sections if each.is_executable and each.size)
    counted: list[int] = []
    with monkeypatch.context() as context:
        context.setattr(dwarf._Meter, "spend", lambda _, reads: counted.append(reads))
        found = Lines(data).find(code, 0)
    monkeypatch.setattr(dwarf, "_READS_PER_BYTE", 0)
    monkeypatch.setattr(dwarf, "_READS_ALWAYS", sum(counted))
    lines = Lines(data)
    assert (found, lines.find(code, 0), lines.warning) == (("/src/m.c", 4), ("/src/m.c", 4), None)
    monkeypatch.setattr(dwarf, "_READS_ALWAYS", sum(counted) - 1)
    lines = Lines(data)
    assert lines.find(code, 0) is None
    assert lines.warning == "debug information cannot be read: its tables are read over and over"

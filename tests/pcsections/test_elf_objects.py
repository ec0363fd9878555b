"""PC sections of relocatable objects of all processors, beside what llvm-readobj says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bitcodec import BitcodecError
from bitcodec.errors import PCSectionsError
from bitcodec.pcsections.objects.pieces import pieces

from .elf_building import LLC, LLD, MODULE, SMALL_ONLY, TARGETS, WITHOUT_PC_RELATIVE, compiled, run
from .readobj import pc_sections


def ours(path: Path) -> list[dict[str, Any]]:
    return [
        {
            "name": piece.name,
            "index": piece.index,
            "pcs": [list(row) for row in zip(*piece.pcs, strict=True)] if piece.pcs else [],
            "references": sorted(map(list, piece.references.values())),
            "lengths": sorted(map(list, piece.lengths.items())),
        }
        for piece in pieces(path.read_bytes())
    ]


def check(path: Path, *, at_least: int = 5) -> None:
    expected = pc_sections(path)
    assert sum(len(each["pcs"]) for each in expected) >= at_least
    assert ours(path) == expected


@pytest.mark.parametrize("model", ["small", "large"])
@pytest.mark.parametrize("triple", TARGETS)
def test_fields_are_what_readobj_resolves(triple: str, model: str, tmp_path: Path) -> None:
    check(compiled(tmp_path, triple, f"-code-model={model}"))


@pytest.mark.parametrize("triple", SMALL_ONLY)
def test_small_code_model(triple: str, tmp_path: Path) -> None:
    check(compiled(tmp_path, triple))


@pytest.mark.parametrize("triple", ["x86_64-linux-gnu", "i386-linux-gnu", "mips64el-linux-gnuabi64", "s390x-linux-gnu"])
def test_one_piece_for_each_function_section(triple: str, tmp_path: Path) -> None:
    path = compiled(tmp_path, triple, "-function-sections")
    check(path)
    found = pieces(path.read_bytes())
    assert [piece.name for piece in found].count("pcs_f") == 3
    assert [piece.index for piece in found] == sorted({piece.index for piece in found})


@pytest.mark.parametrize("model", ["small", "medium"])
@pytest.mark.parametrize("triple", ["riscv32-linux-gnu", "riscv64-linux-gnu", "loongarch64-linux-gnu"])
def test_linker_relaxation(triple: str, model: str, tmp_path: Path) -> None:
    path = compiled(tmp_path, triple, "-mattr=+relax", f"-code-model={model}")
    check(path)
    if triple.startswith("riscv"):
        # What the assembler cannot know is the size of the function that calls others.
        assert sum(len(piece.lengths) for piece in pieces(path.read_bytes())) == 1


@pytest.mark.parametrize("triple", WITHOUT_PC_RELATIVE)
def test_processors_without_pc_relative_entries(triple: str, tmp_path: Path) -> None:
    data = compiled(tmp_path, triple).read_bytes()
    with pytest.raises(PCSectionsError, match="no PC-relative addresses"):
        pieces(data)
    with pytest.raises(PCSectionsError, match="no PC-relative addresses"):
        pieces(data, {"pcs_i"})


@pytest.mark.parametrize(
    ("linker", "triple"),
    [
        pytest.param(("ld", "-r"), "x86_64-linux-gnu", marks=pytest.mark.live),
        pytest.param(("ld", "-r", "-m", "elf_i386"), "i386-linux-gnu", marks=pytest.mark.live),
        pytest.param(("gold", "-r"), "x86_64-linux-gnu", marks=pytest.mark.live),
        ((LLD, "-r"), "x86_64-linux-gnu"),
        ((LLD, "-r"), "mips64el-linux-gnuabi64"),
        ((LLD, "-r"), "riscv64-linux-gnu"),
        ((LLD, "-r"), "powerpc64le-linux-gnu"),
    ],
    ids=lambda each: each if isinstance(each, str) else "-".join(each),
)
def test_objects_that_are_linked_again(linker: tuple[str, ...], triple: str, tmp_path: Path) -> None:
    path, made = compiled(tmp_path, triple, "-function-sections"), tmp_path / "again.o"
    run(*linker, path, "-o", made)
    check(made)


def test_sections_that_look_alike_are_none(tmp_path: Path) -> None:
    source = tmp_path / "a.ll"
    source.write_text(MODULE.replace("define i32 @main()", 'define i32 @main() "patchable-function-entry"="2"'))
    run(LLC, "-filetype=obj", source, "-o", tmp_path / "a.o")
    data = (tmp_path / "a.o").read_bytes()
    assert b"__patchable_function_entries" in data
    assert "__patchable_function_entries" not in {piece.name for piece in pieces(data)}


def test_named_sections_alone(tmp_path: Path) -> None:
    data = compiled(tmp_path, "x86_64-linux-gnu").read_bytes()
    assert [piece.name for piece in pieces(data, {"pcs_f", "none"})] == ["pcs_f", "pcs_f", "pcs_f"]
    # A section without relocations has no PCs.
    (plain,) = pieces(data, {".data"})
    assert plain.pcs is not None
    assert len(plain.pcs.offsets) == 0
    with pytest.raises(BitcodecError, match=r"section \.text .* relocation type"):
        pieces(data, {".text"})

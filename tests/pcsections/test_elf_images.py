"""PCs of linked files: what a linker makes of the fields of an object is where the object says they go."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from bitcodec.errors import ContainerError, PCSectionsError
from bitcodec.pcsections.objects.pieces import Piece, pieces
from bitcodec.pcsections.objects.symbols import FunctionSymbols

from .elf_building import LINKED, LLD, built, compiled, run

PPC64_LD = "powerpc64-linux-gnu-ld"
PIC = ("-relocation-model=pic", "-code-model=small")
EXECUTABLE_ONLY = {"sparcv9-linux-gnu"}

Place = tuple[str, int]

GNU = [("ld",), ("ld", "-shared"), ("ld", "-pie"), ("gold",), ("gold", "-shared")]
STEP_IN_F = 4 + 2 + 1
"""Bytes behind a PC in `pcs_f`."""


def places_in_object(data: bytes, name: str) -> list[Place]:
    """Return function and offset of the PCs of a section."""
    symbols = FunctionSymbols(data)
    found = []
    for piece in pieces(data, {name}):
        assert piece.pcs is not None
        for section, target in zip(piece.pcs.sections, piece.pcs.targets, strict=True):
            function = symbols.find(section, target)
            assert function is not None
            found.append((function.name, target - function.start))
    return sorted(found)


def places_in_image(data: bytes, name: str, size: int, step: int) -> list[Place]:
    """Return the same of an image, whose fields have `size` bytes and are `step` bytes apart."""
    symbols = FunctionSymbols(data)
    found = []
    for piece in pieces(data, {name}):
        for address in addresses(piece, size, step):
            function = symbols.find(None, address)
            assert function is not None, hex(address)
            found.append((function.name, address - function.start))
    return sorted(found)


def addresses(piece: Piece, size: int, step: int) -> list[int]:
    assert piece.address is not None
    assert len(piece.data) % step == 0
    assert piece.pcs is None
    mask = (1 << 8 * piece.pointer_size) - 1
    return [
        piece.address + at + int.from_bytes(piece.data[at : at + size], piece.byte_order, signed=True) & mask
        for at in range(0, len(piece.data), step)
    ]


def pc_size(data: bytes) -> int:
    (size,) = {size for piece in pieces(data) for size in (piece.pcs.sizes if piece.pcs else ())}
    return size


def image_of(path: Path, *linker: str) -> Path:
    """Return what a linker of this system makes of an object, in the folder of the object."""
    image = path.with_name("image")
    image.write_bytes(built(f"{shlex.join(linker)} {path.name} -o image", path, "image"))
    return image


def check(path: Path, image: Path) -> None:
    data, linked = path.read_bytes(), image.read_bytes()
    size = pc_size(data)
    for name, step in (("pcs_i", size), ("pcs_f", size + STEP_IN_F)):
        assert places_in_image(linked, name, size, step) == places_in_object(data, name)


@pytest.mark.parametrize("kind", ["executable", "shared"])
@pytest.mark.parametrize("triple", LINKED)
def test_lld(triple: str, kind: str, tmp_path: Path) -> None:
    if triple in EXECUTABLE_ONLY and kind == "shared":
        pytest.skip("lld has no dynamic relocation for a constant there")
    path, image = compiled(tmp_path, triple, *PIC, "-function-sections"), tmp_path / "image"
    run(LLD, *(["-shared", "-z", "notext"] if kind == "shared" else ["-e", "main"]), path, "-o", image)
    check(path, image)


@pytest.mark.parametrize("triple", ["x86_64-linux-gnu", "aarch64-linux-gnu", "loongarch64-linux-gnu"])
def test_lld_large_code_model(triple: str, tmp_path: Path) -> None:
    path, image = compiled(tmp_path, triple, "-code-model=large"), tmp_path / "image"
    run(LLD, "-e", "main", path, "-o", image)
    assert pc_size(path.read_bytes()) == 8
    check(path, image)


@pytest.mark.parametrize("linker", GNU, ids="".join)
@pytest.mark.parametrize("model", ["small", "large"])
def test_gnu_linkers(linker: tuple[str, ...], model: str, tmp_path: Path) -> None:
    path = compiled(tmp_path, "x86_64-linux-gnu", "-relocation-model=pic", f"-code-model={model}", "-function-sections")
    check(path, image_of(path, *linker, "-e", "main"))


@pytest.mark.parametrize("triple", ["riscv64-linux-gnu", "loongarch64-linux-gnu"])
def test_relaxed_functions_keep_their_starts(triple: str, tmp_path: Path) -> None:
    path, image = compiled(tmp_path, triple, "-mattr=+relax", "-relocation-model=pic"), tmp_path / "image"
    run(LLD, "-e", "main", path, "-o", image)
    data, linked = path.read_bytes(), image.read_bytes()
    size = pc_size(data)
    assert places_in_image(linked, "pcs_f", size, size + STEP_IN_F) == places_in_object(data, "pcs_f")


def test_addresses_that_the_loader_knows(tmp_path: Path) -> None:
    path = compiled(tmp_path, "x86_64-linux-gnu", "-relocation-model=pic")
    image = image_of(path, "ld", "-shared")
    (piece,) = pieces(image.read_bytes(), {"pcs_fc"})
    assert {(each.offset, each.symbol, each.addend, each.size) for each in piece.references.values()} == {
        (7, "v", 0, 8),
        (22, "v", 0, 8),
    }
    image = image_of(path, "ld", "-shared", "-Bsymbolic")
    (piece,) = pieces(image.read_bytes(), {"pcs_fc"})
    names = built("sh -c 'nm image > names'", image, "names").decode()
    line = next(line for line in names.splitlines() if line.endswith(" v"))
    assert {(each.offset, each.symbol, each.addend) for each in piece.references.values()} == {
        (7, "", int(line.split()[0], 16)),
        (22, "", int(line.split()[0], 16)),
    }


def test_what_an_image_does_not_tell_is_asked_for(tmp_path: Path) -> None:
    image = image_of(compiled(tmp_path, "x86_64-linux-gnu"), "ld", "-e", "main")
    with pytest.raises(PCSectionsError, match="name the sections"):
        pieces(image.read_bytes())
    debug = built("objcopy --only-keep-debug image debug", image, "debug")
    with pytest.raises(ContainerError, match="no content in this file"):
        pieces(debug, {"pcs_i"})


@pytest.mark.live
@pytest.mark.parametrize("options", [("-e", "main"), ("-shared",), ("-pie", "-e", "main")], ids=lambda each: each[0])
def test_function_descriptors(options: tuple[str, ...], tmp_path: Path) -> None:
    path, image = compiled(tmp_path, "powerpc64-linux-gnu", "-relocation-model=pic"), tmp_path / "image"
    run(PPC64_LD, *options, path, "-o", image)
    check(path, image)

"""What clang's sanitizers emit is decoded: exactly the PCs that its own assembly text names."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bitcodec.pcsections.decoding.decode import Decoded, decode_file
from bitcodec.pcsections.schemas.sanitizers import FEATURES, STACK_ARGUMENTS, SanitizerFeatures

from .sanitized import OBJDUMP, READELF, Expected, Unit, expected_of_image, expected_of_object, instruction_starts, run

CLANGS = [f"clang-{version}" for version in (16, 19, 22)]
X86, ARM = "--target=x86_64-linux-gnu", "--target=aarch64-linux-gnu"
CASES = [
    pytest.param(
        clang,
        options,
        id=f"{clang} {' '.join(options)}",
        marks=pytest.mark.skipif(shutil.which(clang) is None, reason=f"{clang} is not installed"),
    )
    for clang in CLANGS
    for options in (
        (X86, "-O0"),
        (X86, "-O2"),
        (X86, "-O2", "-ffunction-sections", "-mcmodel=large"),
        (ARM, "-O0"),
        (ARM, "-O2", "-mno-outline-atomics"),
    )
]
LINKERS = {X86: ("ld.lld-22", "ld.bfd", "ld.gold"), ARM: ("ld.lld-22",)}

pytestmark = pytest.mark.skipif(READELF is None or OBJDUMP is None, reason="LLVM 22's tools are not installed")


def found(decoded: Decoded) -> list[Expected]:
    """Return what was decoded, PCs as addresses, or in an object as (function, offset)."""
    return sorted(
        (
            Expected(
                entry.section,
                (entry.pc.symbol, entry.pc.offset) if entry.pc.address is None else entry.pc.address,
                entry.size,
                tuple(int(aux.value) for aux in entry.aux),
            )
            for entry in decoded
        ),
        key=repr,
    )


def checked(decoded: Decoded) -> list[Expected]:
    """Return what was decoded, without doubts; what the fields are called is what they hold."""
    assert not decoded.is_ambiguous
    for entry in decoded:
        if not entry.section.startswith("sanmd_covered"):
            assert not entry.aux
            continue
        features, *others = entry.aux
        assert features.name == FEATURES
        assert [aux.name for aux in others] == [STACK_ARGUMENTS] * len(others)
        if not entry.section.endswith("covered"):
            assert bool(others) == (SanitizerFeatures.STACK_ARGUMENTS in SanitizerFeatures(int(features.value)))
    return found(decoded)


@pytest.mark.parametrize(("clang", "options"), CASES)
def test_objects_and_programs(tmp_path: Path, clang: str, options: tuple[str, ...]) -> None:
    units = [Unit(tmp_path, part, clang, *options) for part in (1, 2)]
    for unit in units:
        decoded = decode_file(unit.object.read_bytes())
        assert checked(decoded) == expected_of_object(unit) != []
        assert_instructions_begin_there(unit.object, decoded)
    linkers = [linker for linker in LINKERS[options[0]] if shutil.which(linker) is not None]
    assert linkers or pytest.skip("no linker is installed")
    for linker in linkers:
        kind = "-static" if "-O0" in options or "-mcmodel=large" in options else "-shared"
        plain, labelled = (linked(tmp_path, linker, kind, name, units) for name in ("object", "labelled"))
        decoded = decode_file(plain.read_bytes())
        expected = expected_of_image(labelled, units)
        assert checked(decoded) == expected
        assert any(len(entry.numbers) > 1 for entry in expected), "no function has arguments on the stack"
        assert len(expected) < sum(len(unit.entries) for unit in units), "the linker dropped no copy of a function"
        assert_instructions_begin_there(plain, decoded)


def linked(folder: Path, linker: str, kind: str, name: str, units: list[Unit]) -> Path:
    """Link the objects of units; what they do not define is left open."""
    image = folder / f"{name}{kind}"
    objects = [getattr(unit, name) for unit in units]
    options = ["--unresolved-symbols=ignore-all", "-e", "main"]
    machine = ["-m", "aarch64linux"] if "AArch64" in run(READELF or "", "-h", objects[0]) else []
    run(linker, *machine, kind, *options, "-Bsymbolic", *objects, "-o", image)
    return image


def assert_instructions_begin_there(path: Path, decoded: Decoded) -> None:
    starts = instruction_starts(path)
    everywhere = set().union(*starts.values())
    for section in decoded.sections:
        for pc in section.columns.pc:
            assert pc in everywhere

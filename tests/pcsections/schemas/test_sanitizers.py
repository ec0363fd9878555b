"""Sections of clang's sanitizers are decoded: exactly the PCs that its own assembly text names."""

from __future__ import annotations

import pytest

from bitcodec.pcsections.decoding.decode import Decoded, decode_file
from bitcodec.pcsections.schemas.sanitizers import FEATURES, STACK_ARGUMENTS, SanitizerFeatures
from pcsections.sanitized import Code, Expected, sanitized_image, sanitized_objects

X86, ARM = "--target=x86_64-linux-gnu", "--target=aarch64-linux-gnu"
LARGE, SPLIT = "-mcmodel=large", "-ffunction-sections"
CASES = [
    ("clang-16", (X86, "-O2"), "ld.bfd"),
    ("clang-19", (X86, "-O0"), "ld.gold"),
    ("clang-22", (X86, "-O2", SPLIT, LARGE), "ld.lld-22"),
    ("clang-22", (ARM, "-O2", "-mno-outline-atomics"), "ld.lld-22"),
]
ALL_CASES = [
    (clang, options, linker)
    for clang in ("clang-16", "clang-19", "clang-22")
    for options, linkers in (
        ((X86, "-O0"), ("ld.lld-22", "ld.bfd", "ld.gold")),
        ((X86, "-O2"), ("ld.lld-22", "ld.bfd", "ld.gold")),
        ((X86, "-O2", SPLIT, LARGE), ("ld.lld-22", "ld.bfd", "ld.gold")),
        ((ARM, "-O0"), ("ld.lld-22",)),
        ((ARM, "-O2", "-mno-outline-atomics"), ("ld.lld-22",)),
    )
    for linker in linkers
]


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


def check_objects_and_program(clang: str, options: tuple[str, ...], linker: str) -> None:
    objects = sanitized_objects(clang, options)
    image = sanitized_image(clang, options, linker, "-static" if {"-O0", LARGE} & {*options} else "-shared")
    for code in (*objects, image):
        decoded = decode_file(code.data)
        assert checked(decoded) == code.expected != []
        assert_instructions_begin_there(code, decoded)
    assert any(len(entry.numbers) > 1 for entry in image.expected), "no function has arguments on the stack"
    assert len(image.expected) < sum(len(each.expected) for each in objects), "the linker dropped no function"


@pytest.mark.parametrize(("clang", "options", "linker"), CASES)
def test_objects_and_programs(clang: str, options: tuple[str, ...], linker: str) -> None:
    check_objects_and_program(clang, options, linker)


@pytest.mark.live
@pytest.mark.parametrize(("clang", "options", "linker"), [case for case in ALL_CASES if case not in CASES])
def test_other_objects_and_programs(clang: str, options: tuple[str, ...], linker: str) -> None:
    check_objects_and_program(clang, options, linker)


def assert_instructions_begin_there(code: Code, decoded: Decoded) -> None:
    everywhere = set().union(*code.starts.values())
    for section in decoded.sections:
        for pc in section.columns.pc:
            assert pc in everywhere

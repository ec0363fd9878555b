"""Programs of C and C++, written for an older LLVM, compiled by it, and run: they print what they printed before."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from answers import build

from .running import code_of, compare

PROGRAMS = sorted((Path(__file__).parent / "programs").iterdir())
VERSIONS = (19, 16, 14)
LEVELS = ("-O0", "-O2")

pytestmark = pytest.mark.same_in_both


def compiled(source: Path, options: str) -> bytes:
    """Compile a program to bitcode."""
    compiler = "clang++-22 -x c++ -std=c++20" if source.suffix == ".cpp" else "clang-22"
    command = f"{compiler} -w {options} -c -emit-llvm {source.name} -o program.bc"
    # Headers of the C++ library differ from machine to machine.
    return build([command], {source.name: source.read_bytes()}, ["program.bc"], is_steady=False)["program.bc"]


def check(source: Path, options: str) -> None:
    """Hold what a program prints that is written for older versions against the original."""
    bitcode = compiled(source, options)
    module = bitcodec.loads(bitcode)
    original = code_of(bitcode, 22, linker="clang++-22")
    for version in VERSIONS:
        written = bitcodec.dumps(module, llvm_version=version)
        found = compare(original, code_of(written, version, linker="clang++-22"))
        assert found.lines
        assert found.differences == [], f"LLVM {version}"


# Of C++, debug information is long: it describes the C++ library.
RECORDED = [
    (source, LEVELS[number % 2] + (" -g -fdebug-compilation-dir=." if source.suffix == ".c" else ""))
    for number, source in enumerate(PROGRAMS)
]


@pytest.mark.parametrize(("source", "options"), RECORDED, ids=[source.name for source in PROGRAMS])
def test_programs_print_the_same(source: Path, options: str) -> None:
    check(source, options)


@pytest.mark.live
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda source: source.name)
def test_programs_with_debug_information_print_the_same(source: Path, level: str) -> None:
    check(source, f"{level} -g")

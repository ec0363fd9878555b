"""Programs of C and C++, written for an older LLVM, compiled by it, and run: they print what they printed before.

Each is compiled with -O0 or -O2, with `BITCODEC_PROGRAMS=all` with both.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import bitcodec

PROGRAMS = sorted((Path(__file__).parent / "programs").iterdir())
VERSIONS = (19, 16, 14)

pytestmark = [
    pytest.mark.same_in_both,
    pytest.mark.skipif(shutil.which("clang++-22") is None, reason="clang 22 is not installed"),
]


def compiled(source: Path, level: str, output: Path) -> Path:
    """Compile a program to bitcode."""
    standard = ["-x", "c++", "-std=c++20"] if source.suffix == ".cpp" else []
    command = ["clang++-22" if standard else "clang-22", "-w", level, "-g", "-c", "-emit-llvm", *standard, source]
    subprocess.run([*command, "-o", output], check=True)
    return output


@functools.cache
def code_generator(version: int) -> str | None:
    """Return the code generator of a version of LLVM; None if it is not installed."""
    return shutil.which(f"llc-{version}") or shutil.which(f"/usr/lib/llvm-{version}/bin/llc")


def output_of(bitcode: Path, version: int) -> str:
    """Return what a program prints that a version of LLVM has compiled."""
    object_file, program = bitcode.with_suffix(".o"), bitcode.with_suffix("")
    generator = code_generator(version)
    assert generator is not None
    options = ["-filetype=obj", "-relocation-model=pic", "-O0"]
    subprocess.run([generator, *options, bitcode, "-o", object_file], check=True)
    subprocess.run(["clang++-22", object_file, "-lm", "-o", program], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


CASES = [
    pytest.param(source, level, id=f"{source.name}{level}")
    for number, source in enumerate(PROGRAMS)
    for position, level in enumerate(("-O0", "-O2"))
    if number % 2 == position or os.environ.get("BITCODEC_PROGRAMS") == "all"
]


@pytest.mark.parametrize(("source", "level"), CASES)
def test_programs_print_the_same(source: Path, level: str, tmp_path: Path) -> None:
    versions = [version for version in VERSIONS if code_generator(version)]
    if not versions or code_generator(22) is None:
        pytest.skip("no llc of an older LLVM is installed")
    original = compiled(source, level, tmp_path / "program-22.bc")
    expected = output_of(original, 22)
    assert expected
    for version in versions:
        path = tmp_path / f"program-{version}.bc"
        bitcodec.save(bitcodec.open(original), path, llvm_version=version)
        assert output_of(path, version) == expected, f"LLVM {version}"

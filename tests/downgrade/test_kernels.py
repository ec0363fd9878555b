"""Kernels written for libNVVM: it compiles them, and LLVM 22's own back end agrees on entry points and parameters.

A few sources are compiled at one level each, with `--live` all of them at each level, with and without debug info.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import bitcodec
from answers import recall
from answers.building import build, make
from libnvvm import Parameter, compile_to_ptx, entry_points

FOLDER = Path(__file__).parent / "kernels"
SOURCES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".h")
LEVELS = ("-O0", "-O2", "-O0 -g", "-O2 -g")
FEW = {"atomics.cu": "-O0", "cores.rs": "-O2", "halves.cu": "-O2", "structs.cu": "-O0 -g", "waves.cl": "-O2 -g"}
LEAST_KERNELS = 50
CUDA = "-x cuda --cuda-device-only -nocudainc -nocudalib --no-cuda-version-check -std=c++20"
OPTIONS = {
    ".cu": f"{CUDA} --cuda-gpu-arch=sm_70",
    ".c": "--target=nvptx64-nvidia-cuda -march=sm_70",
    ".cl": "--target=nvptx64-nvidia-cuda -march=sm_70 -cl-std=CL2.0",
}
RUST = "--target nvptx64-nvidia-cuda --edition 2021 -Awarnings -Coverflow-checks=off"
BITCODE = "kernel.bc"

pytestmark = pytest.mark.same_in_both


def compiled(source: Path, level: str) -> bytes:
    """Compile a source to bitcode; skip the test if the compiler is not there or too old for it."""
    if source.suffix == ".rs":
        options = f"-Copt-level={level[2]} -Cdebuginfo={2 if '-g' in level else 0}"
        # A kernel without Rust's core library needs features that rustc is not to keep from release to release.
        command = f"env RUSTC_BOOTSTRAP=1 rustc {RUST} {options} --emit=llvm-bc={BITCODE} {source.name}"
    else:
        options = f"{OPTIONS[source.suffix]} {level} -fdebug-compilation-dir=."
        command = f"clang-22 {options} -w -emit-llvm -c {source.name} -o {BITCODE}"
    files = {path.name: path.read_bytes() for path in (source, FOLDER / "device.h")}
    try:
        # Compilers differ from machine to machine.
        return build([command], files, [BITCODE], is_steady=False)[BITCODE]
    except subprocess.CalledProcessError:
        if source.suffix != ".rs":
            raise
        pytest.skip("there is no rustc, or this one has other features, or no target nvptx64-nvidia-cuda")


def entry_points_of_llc(bitcode: bytes) -> dict[str, list[Parameter]]:
    """Return the parameters of the entry points in the PTX of LLVM 22."""
    command = f"llc-22 -march=nvptx64 -mcpu=sm_70 -mattr=+ptx78 {BITCODE} -o kernel.ptx"

    def compute() -> dict[str, list[Parameter]]:
        return entry_points(make([command], {BITCODE: bitcode}, ["kernel.ptx"])["kernel.ptx"].decode())

    found = recall([command, bitcode], compute)
    return {name: [Parameter(*each) for each in parameters] for name, parameters in found.items()}


def check(source: Path, level: str, folder: Path) -> None:
    original = compiled(source, level)
    written = folder / "nvvm.bc"
    bitcodec.save(bitcodec.loads(original), written, profile="nvvm")
    answer = compile_to_ptx(written)
    assert answer.message == ""
    expected = entry_points_of_llc(original)
    assert expected
    assert entry_points(answer.ptx) == expected


@pytest.mark.parametrize("name", FEW)
def test_libnvvm_compiles_kernels(name: str, tmp_path: Path) -> None:
    check(FOLDER / name, FEW[name], tmp_path)


@pytest.mark.live
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_libnvvm_compiles_all_kernels(source: Path, level: str, tmp_path: Path) -> None:
    check(source, level, tmp_path)


def test_there_are_enough_kernels() -> None:
    texts = [source.read_text() for source in SOURCES]
    words = ("__global__ void", "\nkernel ", "device_kernel", '"ptx-kernel" fn', "template __global__")
    assert sum(text.count(word) for text in texts for word in words) >= LEAST_KERNELS

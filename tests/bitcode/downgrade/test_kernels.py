"""Kernels written for libNVVM: it compiles them, and LLVM 22's own back end agrees on entry points and parameters.

A few sources are compiled at one level each, with `BITCODEC_KERNELS=all` all of them at -O0 and -O2, with and without
debug information.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import bitcodec
from libnvvm import compile_to_ptx, entry_points, is_there

FOLDER = Path(__file__).parent / "kernels"
SOURCES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".h")
LEVELS = ("-O0", "-O2", "-O0 -g", "-O2 -g")
FEW = {"atomics.cu": "-O0", "cores.rs": "-O2", "halves.cu": "-O2", "structs.cu": "-O0 -g", "waves.cl": "-O2 -g"}
LEAST_KERNELS = 50
CUDA = ("-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--no-cuda-version-check", "-std=c++20")
OPTIONS = {
    ".cu": (*CUDA, "--cuda-gpu-arch=sm_70"),
    ".c": ("--target=nvptx64-nvidia-cuda", "-march=sm_70"),
    ".cl": ("--target=nvptx64-nvidia-cuda", "-march=sm_70", "-cl-std=CL2.0"),
}
RUST = ("--target", "nvptx64-nvidia-cuda", "--edition", "2021", "-Awarnings", "-Coverflow-checks=off")

pytestmark = [
    pytest.mark.same_in_both,
    pytest.mark.skipif(not is_there(), reason="there is no libNVVM here"),
    pytest.mark.skipif(shutil.which("llc-22") is None, reason="llc of LLVM 22 is not installed"),
]


def compiled(source: Path, level: str, output: Path) -> Path:
    """Compile a source to bitcode; skip the test if the compiler is not there or too old for it."""
    if source.suffix != ".rs":
        if shutil.which("clang-22") is None:
            pytest.skip("clang 22 is not installed")
        command = ["clang-22", *OPTIONS[source.suffix], *level.split(), "-w", "-emit-llvm", "-c", source, "-o", output]
        subprocess.run(command, check=True)
        return output
    if shutil.which("rustc") is None:
        pytest.skip("rustc is not installed")
    options = (f"-Copt-level={level[2]}", f"-Cdebuginfo={2 if '-g' in level else 0}")
    # A kernel without Rust's core library needs features that rustc is not to keep from release to release.
    environment = {**os.environ, "RUSTC_BOOTSTRAP": "1"}
    command = ["rustc", *RUST, *options, f"--emit=llvm-bc={output}", source]
    run = subprocess.run(command, capture_output=True, env=environment, cwd=output.parent, check=False)
    if run.returncode:
        pytest.skip("this rustc has other features, or no target nvptx64-nvidia-cuda")
    return output


CASES = [
    pytest.param(source, level, id=f"{source.name}{level.replace(' ', '')}")
    for source in SOURCES
    for level in LEVELS
    if os.environ.get("BITCODEC_KERNELS") == "all" or FEW.get(source.name) == level
]


@pytest.mark.parametrize(("source", "level"), CASES)
def test_libnvvm_compiles_kernels(source: Path, level: str, tmp_path: Path) -> None:
    original = compiled(source, level, tmp_path / "kernel.bc")
    written = tmp_path / "nvvm.bc"
    bitcodec.save(bitcodec.open(original), written, profile="nvvm")
    answer = compile_to_ptx(written)
    assert answer.message == ""
    command = ["llc-22", "-march=nvptx64", "-mcpu=sm_70", "-mattr=+ptx78", original, "-o", "-"]
    expected = entry_points(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert expected
    assert entry_points(answer.ptx) == expected


def test_there_are_enough_kernels() -> None:
    texts = [source.read_text() for source in SOURCES]
    words = ("__global__ void", "\nkernel ", "device_kernel", '"ptx-kernel" fn', "template __global__")
    assert sum(text.count(word) for text in texts for word in words) >= LEAST_KERNELS

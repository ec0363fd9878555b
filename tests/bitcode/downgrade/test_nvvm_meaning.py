"""What is written for types and intrinsics that libNVVM lacks computes the same: a program prints the same."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import bitcodec
from bitcodec.bitcode.downgrade.losses import Losses
from bitcodec.bitcode.downgrade.profiles.nvvm.atomics import can_loop, expand_exchange, expand_operation
from bitcodec.bitcode.downgrade.profiles.nvvm.halves import lower_halves
from bitcodec.bitcode.downgrade.profiles.nvvm.intrinsics import lower_intrinsics
from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW

SOURCE = Path(__file__).parent / "kernels_on_host.c"
ATOMICS = Path(__file__).parent / "atomics_on_host.c"
EXACT = ("-Xclang", "-ffloat16-excess-precision=none", "-Xclang", "-fbfloat16-excess-precision=none")
OPTIONS = ("-O1", "-w", "-ffp-contract=off", "-fno-math-errno", *EXACT)
OF_HOST = {
    "llvm.nvvm.floor.f": "floorf",
    "llvm.nvvm.round.f": "rintf",
    "llvm.nvvm.trunc.d": "trunc",
    "llvm.nvvm.trunc.f": "truncf",
}
"""The host's functions for intrinsics of GPUs."""


@pytest.mark.same_in_both
@pytest.mark.skipif(shutil.which("clang-22") is None, reason="clang 22 is not installed")
def test_lowered_programs_print_the_same(tmp_path: Path) -> None:
    original, lowered = tmp_path / "original.bc", tmp_path / "lowered.bc"
    subprocess.run(["clang-22", *OPTIONS, "-emit-llvm", "-c", SOURCE, "-o", original], check=True)
    module = bitcodec.open(original)
    module.materialize()
    losses = Losses(7, reader="libNVVM")
    lower_halves(module, losses)
    lower_intrinsics(module, losses)
    assert {loss.construct for loss in losses} > {"type half", "type bfloat", "llvm.round", "llvm.cttz"}
    for function in list(module.functions):
        function.name = OF_HOST.get(function.name, function.name)
    assert not module.verify()
    bitcodec.save(module, lowered)
    assert output_of(lowered) == output_of(original)


@pytest.mark.same_in_both
@pytest.mark.skipif(shutil.which("clang-22") is None, reason="clang 22 is not installed")
def test_loops_for_atomic_operations_print_the_same(tmp_path: Path) -> None:
    original, lowered = tmp_path / "original.bc", tmp_path / "lowered.bc"
    subprocess.run(["clang-22", "-O1", "-w", "-emit-llvm", "-c", ATOMICS, "-o", original], check=True)
    module = bitcodec.open(original)
    module.materialize()
    found = [each for function in module.functions for block in function.blocks for each in block.instructions]
    operations = [each for each in found if isinstance(each, AtomicRMW)]
    exchanges = [each for each in found if isinstance(each, AtomicCmpXchg) and str(each.compare.type) == "i8"]
    assert (len(operations), len(exchanges)) > (50, 1)
    for operation in operations:
        assert can_loop(operation)
        expand_operation(operation)
    for exchange in exchanges:
        expand_exchange(exchange)
    assert not module.verify()
    bitcodec.save(module, lowered)
    assert output_of(lowered) == output_of(original)


def output_of(bitcode: Path) -> str:
    """Return what a program prints."""
    program = bitcode.with_suffix("")
    subprocess.run(["clang-22", "-O1", "-w", bitcode, "-lm", "-o", program], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout

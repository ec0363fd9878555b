"""What is written for types and intrinsics that libNVVM lacks computes the same: a program prints the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from answers import build
from bitcodec.downgrade.losses import Losses
from bitcodec.downgrade.profiles.nvvm.atomics import can_loop, expand_exchange, expand_operation
from bitcodec.downgrade.profiles.nvvm.halves import lower_halves
from bitcodec.downgrade.profiles.nvvm.intrinsics import lower_intrinsics
from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW

from .running import Program, compare

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
def test_lowered_programs_print_the_same() -> None:
    original = compiled(SOURCE, *OPTIONS)
    module = bitcodec.loads(original)
    module.materialize()
    losses = Losses(7, reader="libNVVM")
    lower_halves(module, losses)
    lower_intrinsics(module, losses)
    assert {loss.construct for loss in losses} > {"type half", "type bfloat", "llvm.round", "llvm.cttz"}
    for function in list(module.functions):
        function.name = OF_HOST.get(function.name, function.name)
    assert not module.verify()
    comparison = compare(program(original), program(bitcodec.dumps(module)))
    assert comparison.lines
    assert comparison.differences == []


@pytest.mark.same_in_both
def test_loops_for_atomic_operations_print_the_same() -> None:
    original = compiled(ATOMICS, "-O1", "-w")
    module = bitcodec.loads(original)
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
    comparison = compare(program(original), program(bitcodec.dumps(module)))
    assert comparison.lines
    assert comparison.differences == []


def compiled(source: Path, *options: str) -> bytes:
    """Compile a source to bitcode."""
    command = f"clang-22 {' '.join(options)} -emit-llvm -c {source.name} -o program.bc"
    return build([command], {source.name: source.read_bytes()}, ["program.bc"], is_steady=False)["program.bc"]


def program(bitcode: bytes) -> Program:
    return Program(("clang-22 -O1 -w program.bc -lm -o program",), (("program.bc", bitcode),))

"""What becomes of intrinsics: held against recorded answers of the readers and verifiers of LLVM 4 to 21.

`intrinsic_pairs --count 400 --seed 20 --record tests/downgrade/intrinsic_pairs.txt` has made them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.ir.context import Context
from tables.intrinsic_instances import instances_of

from .intrinsic_pairs import agree, outcome

ANSWERS = Path(__file__).with_name("intrinsic_pairs.txt").read_text(encoding="utf-8").splitlines()
BARRIER = """
target triple = "amdgcn-amd-amdhsa"
declare void @llvm.amdgcn.s.barrier()
define void @f() {
  call void @llvm.amdgcn.s.barrier()
  ret void
}
"""
LOAD = """
declare {type} @llvm.amdgcn.raw.buffer.load.format.{name}(<4 x i32>, i32, i32, i32)
define {type} @f(<4 x i32> %a) {{
  %b = call {type} @llvm.amdgcn.raw.buffer.load.format.{name}(<4 x i32> %a, i32 0, i32 0, i32 0)
  ret {type} %b
}}
"""


def test_verdicts_are_those_of_the_readers() -> None:
    context = Context()
    wrong = []
    for line in ANSWERS:
        version, base, number, found = line.split()
        instance = next(each for each in instances_of(base, context.types) if each.number == int(number))
        said = outcome(instance, int(version), context)
        if not agree(said, found):
            wrong.append((line, said))
    assert wrong == []


@pytest.mark.parametrize("version", range(4, 22))
def test_barriers_of_amdgpu_are_in_all_versions(version: int) -> None:
    losses: list[bitcodec.Loss] = []
    module = bitcodec.loads(BARRIER.encode(), "barrier")
    bitcodec.dumps(module, llvm_version=version, on_loss=losses.append)
    assert {loss.construct for loss in losses if not loss.construct.startswith(("attribute", "`errnomem`"))} == set()


def test_types_may_decide() -> None:
    numbers, integers = (
        bitcodec.loads(LOAD.format(type=type_, name=name).encode(), "load")
        for type_, name in (("<4 x float>", "v4f32"), ("<4 x i32>", "v4i32"))
    )
    assert bitcodec.dumps(numbers, llvm_version=19)
    assert bitcodec.dumps(integers, llvm_version=20)
    with pytest.raises(bitcodec.EncodingError, match="cannot be written for LLVM 19: LLVM 20 is the first that has it"):
        bitcodec.dumps(integers, llvm_version=19)

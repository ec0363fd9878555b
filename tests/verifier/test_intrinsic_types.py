"""Names of intrinsics, which reading puts right, so that only modules that are built or changed have wrong ones."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.builder import Builder, add_block
from bitcodec.ir.types import StructType
from bitcodec.verifier import verify

from .snippets import DATA

SHOULD_BE = "Intrinsic name not mangled correctly for type arguments! Should be: "


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("llvm.ssa.copy.i32", None),
        ("llvm.ssa.copy.i64", f"{SHOULD_BE}llvm.ssa.copy.i32"),
        ("llvm.ssa.copy", f"{SHOULD_BE}llvm.ssa.copy.i32"),
        ("llvm.ssa.copying.i32", None),
    ],
)
def test_names(name: str, message: str | None) -> None:
    assert messages(name) == ([] if message is None else [message])


@pytest.mark.parametrize(("ending", "count"), [("s_s.0", 0), ("s_s.x", 1), ("s_s", 0)])
def test_names_for_structs_without_a_name_end_with_a_number(ending: str, count: int) -> None:
    assert len(messages(f"llvm.ssa.copy.{ending}", with_struct=True)) == count


def messages(name: str, *, with_struct: bool = False) -> list[str]:
    """Return what is wrong in a module where an intrinsic of a name is called twice."""
    module = bitcodec.open(DATA / "sound.bc")
    types = module.context.types
    type_ = StructType((types.integer(32),), name="") if with_struct else types.integer(32)
    callee = module.get_or_insert_function(name, types.function(type_, [type_]))
    caller = module.get_or_insert_function("caller", types.function(types.void))
    builder = Builder(add_block(caller, "entry"))
    for _ in range(2):
        builder.call(callee, [module.context.constants.poison(type_)])
    builder.ret()
    return list(dict.fromkeys(finding.message for finding in verify(module)))

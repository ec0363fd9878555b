"""A construct that older versions lack is one row: here, LLVM 20 and older lack things that all versions have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import bitcodec
from bitcodec.bitcode.schema.blocks import ConstantsCode
from bitcodec.bitcode.writer.constants import record_writer
from bitcodec.doctor import diagnose
from bitcodec.downgrade import constants, globals, memory, modules, nodes, operations, types  # noqa: A004 - a family
from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.downgrade.rows import InstructionConstruct
from bitcodec.ir import instructions as ir
from bitcodec.ir.constants import UndefValue
from bitcodec.ir.construction.copies import unlisted_cast
from bitcodec.ir.construction.unlisted import moved_to, unlisted_copy
from bitcodec.ir.debug_info import DIBasicType
from bitcodec.ir.types import VectorType
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from bitcodec.downgrade.rows import Plan

TEXT = """
@v = global <7 x i8> zeroinitializer, section "here"

define i32 @f(i32 %a) {
  %b = xor i32 %a, undef
  %c = freeze i32 %b
  ret i32 %c
}

!llvm.module.flags = !{!0}
!named = !{!1}
!0 = !{i32 2, !"flag", i32 3}
!1 = !DIBasicType(name: "int", size: 32)
"""


def _is_xor(operation: Any) -> bool:
    return operation.opcode == "xor"


def _write_or(operation: Any, _plan: Plan) -> tuple[ir.Instruction, ...]:
    return (unlisted_copy(operation, opcode="or"),)


def _write_two(freeze: ir.Freeze, plan: Plan) -> tuple[ir.Instruction, ...]:
    wide = unlisted_cast("zext", freeze.operands[0], plan.module.context.types.integer(64))
    return wide, moved_to(freeze, unlisted_cast("trunc", wide, freeze.type))


ROWS = {
    "omit": (
        operations,
        "ROWS",
        InstructionConstruct(Construct("odd", 21, Way.DROP), (ir.BinaryOperator,), has=_is_xor),
    ),
    "replace": (
        operations,
        "ROWS",
        InstructionConstruct(Construct("odd", 21, Way.LOWER, "or"), (ir.BinaryOperator,), has=_is_xor, write=_write_or),
    ),
    "expand": (
        memory,
        "ROWS",
        InstructionConstruct(Construct("odd", 21, Way.LOWER, "zext and trunc"), (ir.Freeze,), write=_write_two),
    ),
    "refuse": (operations, "ROWS", InstructionConstruct(Construct("odd", 21, Way.REFUSE), (ir.Return,))),
    "type": (
        types,
        "ROWS",
        types.TypeConstruct(
            Construct("odd", 21, Way.REFUSE), lambda type_: isinstance(type_, VectorType) and type_.count == 7
        ),
    ),
    "constant": (
        constants,
        "ROWS",
        constants.ConstantConstruct(
            Construct("odd", 21, Way.LOWER, "poison"), UndefValue, write=record_writer(ConstantsCode.POISON)
        ),
    ),
    "global": (
        globals,
        "ROWS",
        globals.GlobalConstruct(
            Construct("odd", 21, Way.DROP), lambda module: module.global_variables, lambda each: each.section
        ),
    ),
    "module": (
        modules,
        "ROWS",
        modules.ModuleConstruct(Construct("odd", 21, Way.DROP), lambda _, version: version < 21),
    ),
    "module flag": (
        modules,
        "FLAG_ROWS",
        modules.FlagRow(Construct("odd", 21, Way.DROP, "`error`"), Behavior.WARNING, Behavior.ERROR),
    ),
    "node": (
        nodes,
        "ROWS",
        nodes.NodeConstruct(Construct("odd", 21, Way.DROP), DIBasicType, lambda node, _: node.name == "int"),
    ),
}
"""By what the row is for: the family, the name of its table, and the row."""
WRITTEN = {
    "replace": "%b = or i32 %a, undef",
    "expand": "zext i32 %b to i64",
    "constant": "xor i32 %a, poison",
    "module flag": '!0 = !{i32 1, !"flag", i32 3}',
}
"""By row, a line of the result."""


LOST = {name for name, (_, _, row) in ROWS.items() if row.construct.way is Way.DROP}
REFUSED = {name for name, (_, _, row) in ROWS.items() if row.construct.way is Way.REFUSE}


@pytest.fixture(params=ROWS)
def row(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Add a row to the table of its family; return what it is for."""
    family, name, added = ROWS[request.param]
    monkeypatch.setattr(family, name, (*getattr(family, name), added))
    return str(request.param)


def test_a_row_is_found_written_and_reported(row: str) -> None:
    module = bitcodec.parse_assembly(TEXT)
    losses: list[bitcodec.Loss] = []
    if row in REFUSED:
        with pytest.raises(bitcodec.EncodingError, match=r"odd.* cannot be written for LLVM 20: LLVM 21 is the first"):
            bitcodec.dumps(module, llvm_version=20)
        assert "bitcodec downgrade refuses it: LLVM 21 is the first that has odd" in advice(module)
    else:
        read = bitcodec.loads(bitcodec.dumps(module, llvm_version=20, on_loss=losses.append))
        assert WRITTEN.get(row, "xor") in str(read)
    assert [(loss.construct, loss.since) for loss in losses] == [("odd", 21)] * (row not in REFUSED)
    bitcodec.dumps(module, llvm_version=21, on_loss=losses.append)
    assert len(losses) == (row not in REFUSED)


def test_a_loss_is_refused_if_that_is_requested(row: str) -> None:
    module = bitcodec.parse_assembly(TEXT)
    if row in LOST:
        with pytest.raises(bitcodec.EncodingError, match=r"odd.* would be lost for LLVM 20: LLVM 21 is the first"):
            bitcodec.dumps(module, llvm_version=20, is_strict=True)
    elif row not in REFUSED:
        assert bitcodec.dumps(module, llvm_version=20, is_strict=True)


def advice(module: bitcodec.Module) -> str:
    (diagnosis,) = diagnose(bitcodec.dumps(module), [19])
    return "; ".join(diagnosis.verdicts[0].advice)

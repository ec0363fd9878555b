"""Debug intrinsics become debug records."""

from __future__ import annotations

import pytest

from bitcodec.ir.debug_info import DIAssignID, DIExpression, DILabel, DILocalVariable, DILocation
from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableKind, DbgVariableRecord
from bitcodec.ir.metadata import MDTuple, Metadata
from bitcodec.upgrade.calls import upgrade_intrinsics
from upgrade.models import Body

DEREF, PLUS_UCONST, STACK_VALUE, FRAGMENT = 0x06, 0x23, 0x9F, 0x1000
LOCATION = DILocation(line=7)
VARIABLE = DILocalVariable(name="x")


def value_of(body: Body) -> Metadata:
    return body.module.context.metadata.value(body.function.arguments[1])


def upgraded(body: Body) -> list[object]:
    """Return the records in front of the end of the block."""
    end = body.end()
    upgrade_intrinsics(body.module)
    assert body.opcodes == ["ret"]
    assert [function.name for function in body.module.functions] == ["f"]
    return end.debug_records


@pytest.mark.parametrize(
    ("name", "kind"), [("value", DbgVariableKind.VALUE), ("declare", DbgVariableKind.DECLARE)], ids=str
)
def test_variables(name: str, kind: DbgVariableKind) -> None:
    body = Body()
    expression = DIExpression([DEREF])
    body.call_with_metadata(f"llvm.dbg.{name}", [value_of(body), VARIABLE, expression], LOCATION)
    (record,) = upgraded(body)
    assert isinstance(record, DbgVariableRecord)
    assert (record.kind, record.value, record.variable) == (kind, value_of(body), VARIABLE)
    assert (record.expression, record.location) == (expression, LOCATION)


@pytest.mark.parametrize(("offset", "count"), [(0, 1), (8, 0)])
def test_a_value_with_an_offset_counts_if_that_is_zero(offset: int, count: int) -> None:
    body = Body()
    arguments = [value_of(body), body.integer(64, offset), VARIABLE, DIExpression()]
    body.call_with_metadata("llvm.dbg.value", arguments, LOCATION)
    assert len(upgraded(body)) == count


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([], [DEREF]),
        ([PLUS_UCONST, 8], [PLUS_UCONST, 8, DEREF]),
        ([PLUS_UCONST, 8, STACK_VALUE, FRAGMENT, 0, 32], [PLUS_UCONST, 8, DEREF, STACK_VALUE, FRAGMENT, 0, 32]),
        ([FRAGMENT, 0, 32], [DEREF, FRAGMENT, 0, 32]),
    ],
)
def test_an_address_is_dereferenced(old: list[int], new: list[int]) -> None:
    body = Body()
    body.call_with_metadata("llvm.dbg.addr", [value_of(body), VARIABLE, DIExpression(old)], LOCATION)
    (record,) = upgraded(body)
    assert isinstance(record, DbgVariableRecord)
    assert record.kind is DbgVariableKind.VALUE
    assert list(record.expression.elements) == new


def test_an_assignment() -> None:
    body = Body()
    assign_id, inner = DIAssignID(), DIExpression([PLUS_UCONST, 4])
    address = body.module.context.metadata.value(body.function.arguments[0])
    arguments = [value_of(body), VARIABLE, DIExpression(), assign_id, address, inner]
    body.call_with_metadata("llvm.dbg.assign", arguments, LOCATION)
    (record,) = upgraded(body)
    assert isinstance(record, DbgVariableRecord)
    assert (record.assign_id, record.address, record.address_expression) == (assign_id, address, inner)


def test_a_label() -> None:
    body = Body()
    label = DILabel(name="out")
    body.call_with_metadata("llvm.dbg.label", [label], LOCATION)
    (record,) = upgraded(body)
    assert isinstance(record, DbgLabelRecord)
    assert (record.label, record.location) == (label, LOCATION)


@pytest.mark.parametrize("location", [None, LOCATION], ids=["nowhere", "somewhere"])
def test_a_record_has_no_part_where_the_call_has_none(location: DILocation | None) -> None:
    body = Body()
    other = MDTuple()
    body.call_with_metadata("llvm.dbg.declare", [other, other, other], location)
    body.call_with_metadata("llvm.dbg.label", [other], location)
    body.call_with_metadata("llvm.dbg.assign", [value_of(body), VARIABLE, DIExpression()], location)
    body.call_with_metadata("llvm.dbg.addr", [], location)
    declared, label, assigned, addressed = upgraded(body)
    assert isinstance(declared, DbgVariableRecord)
    assert isinstance(label, DbgLabelRecord)
    assert isinstance(assigned, DbgVariableRecord)
    assert isinstance(addressed, DbgVariableRecord)
    assert isinstance(declared.value, MDTuple)
    assert (declared.variable, declared.expression, declared.location) == (other, other, location)
    assert (label.label, label.location) == (other, location)
    assert (assigned.variable, assigned.assign_id, assigned.address) == (VARIABLE, None, None)
    assert (addressed.value, addressed.variable, addressed.location) == (None, None, location)


def test_records_keep_their_order_and_stand_before_what_follows() -> None:
    body = Body()
    absolute = body.declare("llvm.nvvm.abs.i", "i32(i32)")
    first, second, third = (DILocalVariable(name=name) for name in "abc")
    for variable in (first, second):
        body.call_with_metadata("llvm.dbg.value", [value_of(body), variable, DIExpression()], LOCATION)
    body.call(absolute, [body.function.arguments[1]])
    body.call_with_metadata("llvm.dbg.value", [value_of(body), third, DIExpression()], LOCATION)
    end = body.end()
    upgrade_intrinsics(body.module)
    assert body.opcodes == ["sub", "icmp", "select", "ret"]
    assert [record.variable for record in body.block.instructions[0].debug_records] == [first, second]
    assert [record.variable for record in end.debug_records] == [third]

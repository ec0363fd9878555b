"""Of several things that are malformed, the message is about that which LLVM's readers look at first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import bitcodec
from bitcodec import bitcode, bitstream
from bitcodec.bitcode.schema.blocks import (
    BlockId,
    ConstantsCode,
    FunctionCode,
    GlobalValueSummaryCode,
    MetadataCode,
    ModuleCode,
    TypeCode,
    ValueSymtabCode,
)
from bitcodec.bitstream import Draft, DraftBlock, DraftRecord
from bitcodec.doctor import Effect, diagnose
from bitcodec.doctor.faults import Reaction, reaction_to
from bitcodec.errors import BitcodeError
from bitcodec.reasons import Reason

from .readers import ask
from .test_walking import with_number

Operands = Callable[[list[int]], list[int]]
_DATA = Path(__file__).parents[1] / "data"
_UNABBREVIATED = 3
_CUT = 1 << 32
"""Readers take the bits below this one."""
_FORWARD = _CUT - 3
"""The relative number of a value that is defined later; its type follows it."""
TEXT = """
@g = global i32 0
@h = global { i32, i32, i8 } { i32 1, i32 2, i8 3 }
define void @f(i32 %n, ptr %p) {
  %a = alloca i32
  %e = getelementptr [4 x i32], ptr %p, i64 0, i64 1
  call void @k(i32 %n, i32 7)
  call void @llvm.takes(metadata ptr %a)
  call void @llvm.takes(metadata ptr @h)
  ret void
}
declare void @k(i32, i32)
declare void @llvm.takes(metadata)
!x = !{!0}
!0 = !{i32 5, ptr @g}
"""


def module(version: int = 22) -> bytes:
    return bitcodec.dumps(bitcodec.parse_assembly(TEXT), llvm_version=version)


def blocks_of(draft: Draft) -> list[DraftBlock]:
    blocks = list(draft.blocks)
    for block in blocks:
        blocks += block.blocks
    return blocks


def records_of(draft: Draft, block_id: int, code: int) -> list[DraftRecord]:
    return [
        record for block in blocks_of(draft) if block.id == block_id for record in block.records if record.code == code
    ]


def changed(data: bytes, block_id: int, code: int, operands: Operands, number: int = 0) -> bytes:
    """Return a file with other operands in one of the records of a code."""
    draft = bitstream.loads(data).edit()
    record = records_of(draft, block_id, code)[number]
    record.operands, record.abbreviation_id = tuple(operands(list(record.operands))), _UNABBREVIATED
    return bitcode.dumps(draft)


def type_id(data: bytes, code: int, *operands: int) -> int:
    """Return the id of the first type with a code, and of these operands if there are any."""
    no_types = (TypeCode.NUMENTRY, TypeCode.STRUCT_NAME)
    [types] = [block for block in blocks_of(bitstream.loads(data).edit()) if block.id == BlockId.TYPE_BLOCK]
    records = [record for record in types.records if record.code not in no_types]
    wanted = (each for each in records if each.code == code and operands in {(), tuple(each.operands)})
    return records.index(next(wanted))


def i32(data: bytes) -> int:
    return type_id(data, TypeCode.INTEGER, 32)


def with_type(code: int, operands: Operands, version: int = 22) -> bytes:
    return changed(module(version), BlockId.TYPE_BLOCK, code, operands)


def returning_itself() -> bytes:
    """Return a damaged file with a type that needs itself before the damage."""
    number = type_id(module(), TypeCode.FUNCTION)
    data = with_type(TypeCode.FUNCTION, lambda _: [0, number])
    return with_number(data, BlockId.CONSTANTS_BLOCK, 0, 4, 15)


def types_before_their_number() -> bytes:
    draft = bitstream.loads(module()).edit()
    [types] = [block for block in blocks_of(draft) if block.id == BlockId.TYPE_BLOCK]
    function = next(record for record in types.records if record.code == TypeCode.FUNCTION)
    types.items.remove(function)
    types.items.insert(0, function)
    function.abbreviation_id = _UNABBREVIATED
    return bitcode.dumps(draft)


def call_of_a_number() -> bytes:
    data = module()
    return changed(
        data,
        BlockId.FUNCTION_BLOCK,
        FunctionCode.INST_CALL,
        lambda operands: [*operands[:3], _FORWARD, i32(data)],
    )


def old_alloca(version: int = 22) -> bytes:
    return changed(
        module(version),
        BlockId.FUNCTION_BLOCK,
        FunctionCode.INST_ALLOCA,
        lambda operands: [*operands[:3], operands[3] & ~64],
    )


def address_in_another_type() -> bytes:
    data = module(8)
    return changed(
        data,
        BlockId.FUNCTION_BLOCK,
        FunctionCode.INST_GEP,
        lambda operands: [operands[0], i32(data), *operands[2:]],
    )


def wrapped_by_another_type(kind: int) -> bytes:
    """Return a file in which metadata of a function wraps the value that is defined there (0) or a global (1)."""
    data = module()
    draft = bitstream.loads(data).edit()
    [function] = [block for block in blocks_of(draft) if block.id == BlockId.FUNCTION_BLOCK]
    [metadata] = [block for block in function.blocks if block.id == BlockId.METADATA_BLOCK]
    values = [record for record in metadata.records if record.code == MetadataCode.VALUE]
    record = sorted(values, key=lambda record: -record.operands[1])[kind]
    record.operands, record.abbreviation_id = (i32(data), record.operands[1]), _UNABBREVIATED
    return bitcode.dumps(draft)


def struct_of(operands: Operands, version: int = 22) -> bytes:
    return changed(module(version), BlockId.CONSTANTS_BLOCK, ConstantsCode.AGGREGATE, operands)


def variable(operands: Operands) -> bytes:
    return changed(module(), BlockId.MODULE_BLOCK, ModuleCode.GLOBALVAR, operands)


def late_function() -> bytes:
    draft = bitstream.loads(module()).edit()
    [outer] = [block for block in draft.blocks if block.id == BlockId.MODULE_BLOCK]
    [function, *_] = [r for r in outer.records if r.code == ModuleCode.FUNCTION]
    constants = next(block for block in outer.blocks if block.id == BlockId.CONSTANTS_BLOCK)
    outer.items.remove(function)
    outer.items.insert(outer.items.index(constants) + 1, function)
    return bitcode.dumps(draft)


def summary(code: int, *operands: int) -> bytes:
    data = (_DATA / "index-22.thinlto.bc").read_bytes()
    return changed(data, BlockId.GLOBALVAL_SUMMARY_BLOCK, code, lambda _: [*operands])


_FORWARD_TYPE = "Invalid TYPE table: Only named structs can be forward referenced"
_NO_ELEMENT_TYPE = "Missing element type for old-style alloca"
_GEP_TYPE = "Explicit gep type does not match pointee type of pointer operand"
_NO_SUMMARY = "Invalid summary version 0. Version should be in the range [1-12]."
_COUNT = "Invalid number of elements in struct initializer"
CASES: dict[str, tuple[Callable[[], bytes], dict[int, str]]] = {
    "type of itself before damage": (returning_itself, {16: _FORWARD_TYPE, 22: _FORWARD_TYPE}),
    "no value, then no type": (
        lambda: with_type(TypeCode.FUNCTION, lambda _: [0, 0, type_id(module(), TypeCode.VOID), 99]),
        {19: "Invalid function argument type", 22: "Invalid function argument type"},
    ),
    "number of types behind a type": (types_before_their_number, {19: "Invalid type", 22: "Invalid type"}),
    "number of a type that is cut": (
        lambda: with_type(TypeCode.POINTER, lambda operands: [operands[0] + _CUT, operands[1]], 8),
        {8: "", 12: "", 14: ""},
    ),
    "call of a number without arguments": (call_of_a_number, {22: "Callee is not a pointer type"}),
    "alloca of an opaque pointer": (old_alloca, {22: _NO_ELEMENT_TYPE}),
    "alloca of no pointer": (
        lambda: old_alloca(8),
        {
            8: "Old-style alloca with a non-pointer type",
            14: "Old-style alloca with a non-pointer type",
            16: _NO_ELEMENT_TYPE,
        },
    ),
    "address in another type": (address_in_another_type, {8: _GEP_TYPE, 14: _GEP_TYPE}),
    "instruction by another type": (
        lambda: wrapped_by_another_type(0),
        {22: "Assigned value does not match type of forward declaration"},
    ),
    "global by another type": (lambda: wrapped_by_another_type(1), {22: "Invalid value reference from metadata"}),
    "struct with an element less": (
        lambda: struct_of(lambda operands: operands[:-1]),
        {19: "", 20: _COUNT, 22: _COUNT},
    ),
    "struct with one more": (lambda: struct_of(lambda operands: [*operands, 0]), {19: "", 20: _COUNT, 22: _COUNT}),
    "struct with a number that is cut": (
        lambda: struct_of(lambda operands: [operands[0] + _CUT, *operands[1:]]),
        {20: "", 22: ""},
    ),
    "old variable of no pointer": (
        lambda: variable(lambda operands: [*operands[:3], operands[3] & ~2, *operands[4:]]),
        {16: "Invalid type for value", 22: "Invalid type for value"},
    ),
    "old variable of an opaque pointer": (
        lambda: variable(
            lambda operands: [
                *operands[:2],
                type_id(module(), TypeCode.OPAQUE_POINTER),
                operands[3] & ~2,
                *operands[4:],
            ]
        ),
        {16: "Missing element type for old-style global", 22: "Missing element type for old-style global"},
    ),
    "function behind constants": (late_function, {16: "Invalid value reference from metadata"}),
    "body of a value that does not exist": (
        lambda: changed(
            module(12), BlockId.VALUE_SYMTAB_BLOCK, ValueSymtabCode.FNENTRY, lambda operands: [99, *operands[1:]]
        ),
        {15: "Invalid value reference in symbol table", 22: "Invalid value reference in symbol table"},
    ),
    "flags of a summary": (lambda: summary(GlobalValueSummaryCode.FLAGS), {22: ""}),
    "version of a summary": (lambda: summary(GlobalValueSummaryCode.VERSION, 0), {22: _NO_SUMMARY}),
}
"""A file, and what versions say of it; "": they read it."""


@pytest.mark.same_in_both
@pytest.mark.parametrize("name", CASES)
def test_what_is_said_of_a_file(name: str, tmp_path: Path) -> None:
    make, messages = CASES[name]
    path = tmp_path / "module.bc"
    path.write_bytes(make())
    [diagnosis] = diagnose(path.read_bytes(), messages, ())
    assert {each.version: "" if each.reads else each.message for each in diagnosis.verdicts} == messages
    for version, message in messages.items():
        answer = ask(version, path)
        assert (version, answer.reads, answer.message) == (version, not message, message)


def test_what_is_said_of_records() -> None:
    strings = BitcodeError(Reason.STRINGS_OFFSET(offset=8, size=1).about("STRINGS"), 0, (8, 15))
    message = "Invalid record: metadata strings corrupt offset"
    assert reaction_to(strings, 22) == Reaction(Effect.REFUSES, message)
    block = BitcodeError(Reason.OTHER_CONSTANT_TYPE(type="ptr", stated="[5 x ptr]").about("BLOCKADDRESS"), 0, (8, 11))
    assert reaction_to(block, 22) is None

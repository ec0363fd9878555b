"""LLVM IR streams in words, for tests of single records: blocks hold records and blocks, `stream` makes bytes of them.

Nothing of the product writes here, and nothing is checked: malformed modules are its business as well.

    >>> data = stream(module(types(integer(32), pointer(0)), variable(1), value_symtab({0: "x"})))

is a module of version 1 with one variable, `@x = external global i32`.  docs/reference/records.md lists the operands of
records; text and bytes give one operand for each byte.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from answers import ask
from bits import Bits

FUNCTION_INDEX = 0xFFFFFFFF
"""The index under which a list of attributes has those of the function itself."""

Operand = int | str | bytes


class Record(NamedTuple):
    """A record, written without an abbreviation."""

    code: int
    operands: tuple[int, ...]


class Blob(NamedTuple):
    """A record `[code, blob]`, written by an abbreviation."""

    code: int
    content: bytes


class Block(NamedTuple):
    id: int
    items: tuple[Item, ...]


Item = Record | Blob | Block


def stream(*blocks: Block) -> bytes:
    """Return the bytes of a stream of these blocks."""
    bits = Bits()
    for item in blocks:
        _write(bits, item)
    return bits.stream()


def _write(bits: Bits, item: Item) -> None:
    if isinstance(item, Record):
        bits.unabbreviated(item.code, item.operands)
    elif isinstance(item, Blob):
        bits.define(item.code, "blob").abbreviated(4, [item.code, "blob"], [item.code], item.content)
    else:
        bits.enter_block(item.id, width=4)
        for inner in item.items:
            _write(bits, inner)
        bits.end_block()


def record(code: int, *operands: Operand) -> Record:
    return Record(code, tuple(_flat(operands)))


def _flat(operands: Iterable[Operand]) -> Iterable[int]:
    for operand in operands:
        if isinstance(operand, int):
            yield operand
        else:
            yield from operand.encode() if isinstance(operand, str) else operand


def block(block_id: int, *items: Item) -> Block:
    return Block(block_id, items)


def signed(value: int) -> int:
    """Return an integer as a signed VBR has it: the sign in the lowest bit."""
    return value << 1 if value >= 0 else (-value << 1) | 1


# Blocks at the top level


def identification(producer: str = "LLVM22.1.8", epoch: int = 0) -> Block:
    return block(13, record(1, producer), record(2, epoch))


def module(*items: Item, version: int | None = 1) -> Block:
    """Return a module block; `version` None leaves the record of it out."""
    return block(8, *([] if version is None else [record(1, version)]), *items)


def strtab(names: bytes | str) -> Block:
    return block(23, Blob(1, names if isinstance(names, bytes) else names.encode()))


# Types


def types(*entries: Record) -> Block:
    """Return a type block; the number of its types is counted, names are none."""
    count = sum(entry.code != STRUCT_NAME for entry in entries)
    return block(17, record(1, count), *entries)


STRUCT_NAME = 19
VOID, FLOAT, DOUBLE, LABEL, METADATA = (record(code) for code in (2, 3, 4, 5, 16))


def integer(width: int) -> Record:
    return record(7, width)


def pointer(pointee: int, *address_space: int) -> Record:
    """Return a typed pointer, as files before LLVM 15 have it."""
    return record(8, pointee, *address_space)


def opaque_pointer(address_space: int = 0) -> Record:
    return record(25, address_space)


def function_type(returned: int, *parameters: int, is_vararg: bool = False) -> Record:
    return record(21, int(is_vararg), returned, *parameters)


def struct_name(name: str) -> Record:
    return record(STRUCT_NAME, name)


# Globals of modules of version 0 and 1

_VARIABLE = """
    is_constant initializer linkage alignment section visibility thread_local unnamed_addr externally_initialized
    dll_storage_class comdat attributes dso_local
""".split()  # noqa: SIM905 - a list with quotes around each name says no more
_FUNCTION = """
    calling_convention is_declaration linkage attributes alignment section visibility gc unnamed_addr prologue
    dll_storage_class comdat prefix personality dso_local
""".split()  # noqa: SIM905
_ALIAS_OLD = ["linkage", "visibility", "dll_storage_class", "thread_local", "unnamed_addr"]


def variable(type_id: int, **fields: int) -> Record:
    """Return a GLOBALVAR record; without a field that needs more it is as short as can be."""
    return record(7, type_id, *_in_order(_VARIABLE, 5, fields))


def function(type_id: int, **fields: int) -> Record:
    """Return a FUNCTION record; a declaration unless `is_declaration=0`."""
    return record(8, type_id, *_in_order(_FUNCTION, 7, {"is_declaration": 1} | fields))


def alias_old(type_id: int, aliasee: int, **fields: int) -> Record:
    return record(9, type_id, aliasee, *_in_order(_ALIAS_OLD, 1, fields))


def _in_order(names: list[str], least: int, fields: Mapping[str, int]) -> list[int]:
    unknown = fields.keys() - set(names)
    assert not unknown, unknown
    count = max([least, *(names.index(name) + 1 for name in fields)])
    return [fields.get(name, 0) for name in names[:count]]


# Blocks inside modules and functions


def attribute_lists(*entries: Iterable[int]) -> Block:
    """Return a PARAMATTR block of old entries: `[index, bitmap, index, bitmap, ...]`."""
    return block(9, *(record(1, *entry) for entry in entries))


def constants(*records: Record) -> Block:
    return block(11, *records)


def set_type(type_id: int) -> Record:
    return record(1, type_id)


NULL = record(2)


def constant_integer(value: int) -> Record:
    return record(4, signed(value))


def function_block(*items: Item, blocks: int = 1) -> Block:
    return block(12, record(1, blocks), *items)


def value_symtab(values: Mapping[int, str], blocks: Mapping[int, str] | None = None) -> Block:
    """Return the names of values by id, and of basic blocks by number."""
    entries = [record(1, value_id, name) for value_id, name in values.items()]
    return block(14, *entries, *(record(2, number, name) for number, name in (blocks or {}).items()))


def metadata(*records: Record) -> Block:
    return block(15, *records)


def metadata_attachments(*records: Record) -> Block:
    return block(16, *records)


# Instructions; values are given as the module's version has them: absolute, or counted back from the next one

ADD, SUB, MUL = range(3)
EQ, NE = 32, 33
RET_VOID = record(10)
UNREACHABLE = record(15)


def binary(lhs: int, rhs: int, opcode: int = ADD) -> Record:
    return record(2, lhs, rhs, opcode)


def compare(lhs: int, rhs: int, predicate: int = EQ) -> Record:
    return record(28, lhs, rhs, predicate)


def ret(value: int, *type_id: int) -> Record:
    """Return a RET record; a forward reference needs its type."""
    return record(10, value, *type_id)


def branch(target: int) -> Record:
    return record(11, target)


def conditional_branch(condition: int, then: int, otherwise: int) -> Record:
    return record(11, then, otherwise, condition)


def phi(type_id: int, *incoming: tuple[int, int]) -> Record:
    """Return a PHI record of values, already signed where they must be, and the blocks they come from."""
    return record(16, type_id, *(operand for pair in incoming for operand in pair))


def call(function_type_id: int, callee: int, *arguments: int, attributes: int = 0, flags: int = 0) -> Record:
    """Return a CALL record that states the type of the function."""
    return record(34, attributes, flags | 1 << 15, function_type_id, callee, *arguments)


# What LLVM makes of a stream


def llvm_dis(data: bytes) -> str:
    """Return what llvm-dis 22 prints, as it was recorded; AssertionError with its message if it refuses."""
    done = _run_llvm_dis(data)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode("utf-8", "surrogateescape")


def llvm_dis_error(data: bytes) -> str:
    """Return why llvm-dis 22 refuses a stream, "" if it does not."""
    done = _run_llvm_dis(data)
    return done.stderr.decode().strip() if done.returncode else ""


def _run_llvm_dis(data: bytes) -> subprocess.CompletedProcess[bytes]:
    return ask(["llvm-dis-22", "-", "-o", "-"], input=data)

# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Text of what functions consist of: blocks, instructions, debug records.

Rules: assembly text reference, sections 8 to 10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.instructions import INSTRUCTION_TEXTS
from bitcodec.asm.instructions.frequent import FREQUENT_TEXTS
from bitcodec.asm.names import block_label
from bitcodec.asm.relocations import RELOCATE, relocation_remark
from bitcodec.ir.debug_info import DIExpression
from bitcodec.ir.debug_records import DbgLabelRecord
from bitcodec.ir.instructions import Call
from bitcodec.ir.instructions.instruction import Terminator
from bitcodec.ir.lazy import Deferred
from bitcodec.ir.metadata import ConstantAsMetadata, LocalAsMetadata
from bitcodec.ir.types import VoidType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.asm.texts import Texts
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions.instruction import Instruction

__all__ = ["block_text", "body_text", "instruction_text", "record_text"]

_REMARK_COLUMN = 50
"""Where the predecessors of a block are listed, if its label is not longer."""
_COUNTED_AT_ONCE = 1 << 16
"""Characters of instructions that are held against the limit of text together."""
_LINES_AT_ONCE = 1 << 12
"""Lines after which a block ends a piece of text."""


def body_text(function: Function, texts: Texts, *, by_block: bool) -> Iterator[str]:
    """Yield the text of the blocks of a function, which `texts` has entered, in pieces: blocks, or several together."""
    lines: list[str] = []
    for index, block in enumerate(function._blocks):
        _add_block(lines, block, texts, is_entry=index == 0)
        if by_block or len(lines) > _LINES_AT_ONCE:
            lines.append("")
            yield "\n".join(lines)
            lines = []
    if lines:
        lines.append("")
        yield "\n".join(lines)


def block_text(block: BasicBlock, texts: Texts, *, is_entry: bool) -> str:
    """Return the text of a block, an empty line in front unless it is the entry."""
    lines: list[str] = []
    _add_block(lines, block, texts, is_entry=is_entry)
    lines.append("")
    return "\n".join(lines)


def instruction_text(instruction: Instruction, texts: Texts) -> str:
    """Return the text of an instruction, all lines of it, the first without what it is indented by."""
    lines: list[str] = []
    _add_lines(lines, (instruction,), texts, with_records=False)
    return lines[0].removeprefix("  ")


def _add_block(lines: list[str], block: BasicBlock, texts: Texts, is_entry: bool) -> None:  # noqa: FBT001 - C has no others
    """Add the lines of a block, an empty one in front unless it is the entry."""
    if not is_entry:
        lines.append("")
        lines.append(_label(block, texts))
    elif block._name:
        lines.append(block_label(texts.names[block]))
    _add_lines(lines, block._instructions, texts, with_records=True)
    if block._trailing_records:
        size = _add_records(lines, block._trailing_records, texts)
        texts.limit.spend(size, len(block._trailing_records))


def _add_lines(lines: list[str], instructions: Iterable[Instruction], texts: Texts, with_records: bool) -> None:  # noqa: FBT001
    """Add the lines of instructions, those of their debug records in front of each.

    Most time that printing takes is spent here.
    """
    types, names, references = texts.types, texts.names, texts.references
    name_of, frequent, others = names.get, FREQUENT_TEXTS, INSTRUCTION_TEXTS
    size = counted = 0
    start = len(lines)
    for instruction in instructions:
        if with_records and instruction._records is not None:
            records = instruction._records
            size += _add_records(lines, records if type(records) is list else instruction.debug_records, texts)
        kind = type(instruction)
        make = frequent.get(kind)
        text = others[kind](instruction, texts) if make is None else make(instruction, types, names, texts)
        location = instruction._location
        if isinstance(location, Deferred):
            location = instruction.debug_location
        reference = None if location is None else references[location]
        tail = "" if instruction._attachments is None else _attachments(instruction, texts)
        name = name_of(instruction) if type(instruction.type) is not VoidType or instruction._name else None
        if reference is None:
            line = f"  {text}{tail}" if name is None else f"  {name} = {text}{tail}"
        elif name is None:
            line = f"  {text}, !dbg {reference}{tail}"
        else:
            line = f"  {name} = {text}, !dbg {reference}{tail}"
        if kind is Call:
            callee = instruction._operands[-1]
            if callee._name.startswith(RELOCATE):
                line += relocation_remark(instruction, texts)
        lines.append(line)
        size += len(line)
        if size > _COUNTED_AT_ONCE:
            count = len(lines) - start
            texts.limit.spend(size, count - counted)
            size, counted = 0, count
    texts.limit.spend(size, len(lines) - start - counted)


def _add_records(lines: list[str], records: Iterable[DebugRecord], texts: Texts) -> int:
    """Add the lines of debug records, and return the number of their characters."""
    size = 0
    for record in records:
        line = f"    {record_text(record, texts)}"
        lines.append(line)
        size += len(line)
    return size


def _attachments(instruction: Instruction, texts: Texts) -> str:
    held = instruction._attachments
    attached = held if type(held) is dict else instruction.metadata
    kinds, references = texts.kind_names, texts.references
    if len(attached) > 1:
        ordered = texts.numbering.ordered(attached.items())
        return "".join([f", {kinds[kind]} {references[node]}" for kind, node in ordered])
    for kind, node in attached.items():
        return f", {kinds[kind]} {references[node]}"
    return ""


def record_text(record: DebugRecord, texts: Texts) -> str:
    """Return the text of a debug record."""
    references = texts.references
    if isinstance(record, DbgLabelRecord):
        return f"#dbg_label({references[record.label]}, {references[record.location]})"
    found: Any = record
    place = _wrapped(found._value, texts) or references[found.value]
    variable = references[found.variable]
    expression = _expression(found.expression, texts)
    if found.assign_id is None:
        return f"#{found.kind.spelling}({place}, {variable}, {expression}, {references[found.location]})"
    address = _wrapped(found._address, texts) or references[found.address]
    address_expression = _expression(found.address_expression, texts)
    assigned = f"{references[found.assign_id]}, {address}, {address_expression}"
    return f"#{found.kind.spelling}({place}, {variable}, {expression}, {assigned}, {references[found.location]})"


def _wrapped(wrapper: Any, texts: Texts) -> str:
    """Return the value that a wrapper refers to behind its type, "" if it refers to none."""
    kind = type(wrapper)
    if kind is LocalAsMetadata or kind is ConstantAsMetadata:
        wrapped = wrapper
        value = wrapped.value
        if value is not None:
            return f"{texts.types[value.type]} {texts.names[value]}"
    return ""


def _expression(expression: Any, texts: Texts) -> str:
    return texts.expressions[expression] if type(expression) is DIExpression else texts.references[expression]


def _label(block: BasicBlock, texts: Texts) -> str:
    """Return the line in front of a block that is not the entry."""
    names = texts.names
    origins: list[str] = []
    # One for each way to it; the one made last comes first.
    for each in reversed(block._uses):
        if isinstance(each, Terminator):
            user: Any = each
            origins.append(names[user.parent])
    remark = f"; preds = {', '.join(origins)}" if origins else "; No predecessors!"
    label = f"{names[block][1:]}:"
    return f"{label:<{_REMARK_COLUMN - 1}} {remark}"

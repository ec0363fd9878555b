# cython: language_level=3, annotation_typing=False
"""Text of what functions consist of: blocks, instructions, debug records.

Rules: assembly text reference, sections 8 to 10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.instructions import INSTRUCTION_TEXTS
from bitcodec.asm.names import block_label
from bitcodec.asm.relocations import relocation_remark
from bitcodec.ir.debug_records import DbgLabelRecord
from bitcodec.ir.instructions import Call, Terminator
from bitcodec.ir.lazy import Deferred
from bitcodec.ir.metadata import LocalAsMetadata

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bitcodec.asm.texts import Texts
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode

__all__ = ["block_text", "body_text", "instruction_text", "record_text"]

_REMARK_COLUMN = 50
"""Where the predecessors of a block are listed, if its label is not longer."""
_COUNTED_AT_ONCE = 1 << 16
"""Characters of instructions that are held against the limit of text together."""


def body_text(function: Function, texts: Texts) -> Iterator[str]:
    """Yield the text of the blocks of a function, which `texts` has entered."""
    for index, block in enumerate(function._blocks):
        yield block_text(block, texts, is_entry=index == 0)


def block_text(block: BasicBlock, texts: Texts, *, is_entry: bool) -> str:
    """Return the text of a block, an empty line in front unless it is the entry."""
    lines: list[str] = []
    if not is_entry:
        lines += ("", _label(block, texts))
    elif block._name:
        lines.append(block_label(texts.names[block]))
    _add_lines(lines, block._instructions, texts)
    _add_records(lines, block._trailing_records, texts)
    lines.append("")
    return "\n".join(lines)


def instruction_text(instruction: Instruction, texts: Texts) -> str:
    """Return the text of an instruction, all lines of it, the first without what it is indented by."""
    lines: list[str] = []
    _add_lines(lines, (instruction,), texts, with_records=False)
    return lines[0].removeprefix("  ")


def _add_lines(
    lines: list[str], instructions: Iterable[Instruction], texts: Texts, *, with_records: bool = True
) -> None:
    """Add the lines of instructions, those of their debug records in front of each.

    Most time that printing takes is spent here.
    """
    append, name_of, references, makers = lines.append, texts.names.get, texts.references, INSTRUCTION_TEXTS
    size = count = 0
    for instruction in instructions:
        if instruction._records is not None and with_records:
            _add_records(lines, instruction.debug_records, texts)
        kind = type(instruction)
        text = makers[kind](instruction, texts)
        name = name_of(instruction)
        head = "  " if name is None else f"  {name} = "
        location = instruction._location
        if isinstance(location, Deferred):
            location = instruction.debug_location
        tail = "" if location is None else f", !dbg {references[location]}"
        if instruction._attachments is not None:
            tail += _attachments(instruction.metadata, texts)
        if kind is Call:
            tail += relocation_remark(instruction, texts)
        line = f"{head}{text}{tail}"
        append(line)
        size += len(line)
        count += 1
        if size > _COUNTED_AT_ONCE:
            texts.limit.spend(size, count)
            size = count = 0
    texts.limit.spend(size, count)


def _add_records(lines: list[str], records: Iterable[DebugRecord], texts: Texts) -> None:
    """Add the lines of debug records."""
    for record in records:
        line = f"    {record_text(record, texts)}"
        lines.append(line)
        texts.limit.spend(len(line), 1)


def _attachments(attached: Mapping[str, MDNode], texts: Texts) -> str:
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
    metadata = found.value
    value = metadata.value if type(metadata) is LocalAsMetadata else None
    place = references[metadata] if value is None else f"{texts.types[value.type]} {texts.names[value]}"
    text = f"{place}, {references[found.variable]}, {references[found.expression]}"
    if found.assign_id is not None:
        address = f"{references[found.address]}, {references[found.address_expression]}"
        text = f"{text}, {references[found.assign_id]}, {address}"
    return f"#{found.kind.spelling}({text}, {references[found.location]})"


def _label(block: BasicBlock, texts: Texts) -> str:
    """Return the line in front of a block that is not the entry."""
    names = texts.names
    # One for each way to it; the one made last comes first.
    terminators: Any = [user for user in reversed(block._uses) if isinstance(user, Terminator)]
    origins = [terminator.parent for terminator in terminators]
    remark = f"; preds = {', '.join([names[origin] for origin in origins])}" if origins else "; No predecessors!"
    return f"{block_label(names[block]):<{_REMARK_COLUMN - 1}} {remark}"

# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: for speed
# ruff: noqa: SLF001
"""Text of function bodies: blocks, instructions, debug records.

Rules: docs/reference/text.md, 8 to 10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.instructions import INSTRUCTION_TEXTS
from bitcodec.asm.instructions.frequent import add_frequent
from bitcodec.asm.relocations import RELOCATE, relocation_remark
from bitcodec.asm.text_buffer import TextBuffer
from bitcodec.ir.construction import present
from bitcodec.ir.debug_info import DIExpression
from bitcodec.ir.debug_records import LABEL_RECORD, DbgLabelRecord
from bitcodec.ir.instructions.calls import Call
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
    from bitcodec.ir.metadata import MDNode
    from bitcodec.object_numbers import ObjectTexts

__all__ = ["block_text", "body_text", "instruction_text", "record_text"]

_NO_NODE = "(null)"
"""Replaces a node that a debug record lacks.  LLVM cannot parse text that contains it."""
_LABEL_HEAD = f"{LABEL_RECORD}("
_REMARK_COLUMN = 50
"""Column of the remark on predecessors of a block, if its label is shorter."""
_PADDINGS = tuple(" " * (_REMARK_COLUMN - size) for size in range(_REMARK_COLUMN))
"""Padding between a label and the remark after it, by the length of the label."""
_LINES_AT_ONCE = 1 << 12
"""Lines after which a block ends a piece of text."""


def body_text(function: Function, texts: Texts, *, by_block: bool) -> Iterator[str]:
    """Yield the text of the blocks of a function, which `texts` has entered, in pieces: blocks, or several together."""
    text = TextBuffer(texts.limit)
    for index, block in enumerate(present.present_blocks(function)):
        _add_block(text, block, texts, is_entry=index == 0)
        if by_block or text.line_count() > _LINES_AT_ONCE:
            yield text.take()
    if text.line_count():
        yield text.take()


def block_text(block: BasicBlock, texts: Texts, *, is_entry: bool) -> str:
    """Return the text of a block, an empty line in front unless it is the entry."""
    text = TextBuffer(texts.limit)
    _add_block(text, block, texts, is_entry=is_entry)
    return text.take()


def instruction_text(instruction: Instruction, texts: Texts) -> str:
    """Return the text of an instruction, all lines of it, the first without its indent."""
    text = TextBuffer(texts.limit)
    _add_lines(text, (instruction,), texts, with_records=False)
    return text.take()[:-1].removeprefix("  ")


def _add_block(text: TextBuffer, block: BasicBlock, texts: Texts, is_entry: bool) -> None:  # noqa: FBT001 - C has no others
    """Add the lines of a block, an empty one in front unless it is the entry."""
    if not is_entry:
        text.end_line()
        _add_label(text, block, texts)
        text.end_line()
    elif present.name_of(block):
        _add_block_name(text, block, texts.names)
        text.end_line()
    _add_lines(text, present.present_instructions(block), texts, with_records=True)
    if block._trailing_records:
        _add_records(text, block._trailing_records, texts)


def _add_lines(text: TextBuffer, instructions: Iterable[Instruction], texts: Texts, with_records: bool) -> None:  # noqa: C901, FBT001
    """Add the lines of instructions, each after the lines of its debug records.

    Most time that printing takes is spent here.
    """
    types, names, references = texts.types, texts.names, texts.references
    for instruction in instructions:
        if with_records and present.has_debug_records(instruction):
            _add_records(text, present.records_of(instruction), texts)
        text.add("  ")
        if type(instruction.type) is not VoidType or present.name_of(instruction):
            name = names.find(instruction)
            if name is None:
                name = names.get(instruction)
            if name is not None:
                text.add(name)
                text.add(" = ")
        kind = type(instruction)
        if not add_frequent(text, instruction, kind, types, names, texts):
            text.add(INSTRUCTION_TEXTS[kind](instruction, texts))
        location = present.present_location(instruction)
        if location is not None:
            if isinstance(location, Deferred):
                location = instruction.debug_location
            if location is not None:
                text.add(", !dbg ")
                text.add_text_of(references, location)
        if present.has_attachments(instruction):
            _add_attachments(text, instruction, texts)
        if kind is Call:
            callee = present.operands_of(instruction)[-1]
            if present.name_of(callee).startswith(RELOCATE):
                text.add(relocation_remark(instruction, texts))
        text.end_line()


def _add_records(text: TextBuffer, records: Iterable[DebugRecord], texts: Texts) -> None:
    """Add the lines of debug records."""
    for record in records:
        text.add("    ")
        _add_record(text, record, texts)
        text.end_line()


def _add_attachments(text: TextBuffer, instruction: Instruction, texts: Texts) -> None:
    attached = present.attached_to(instruction)
    if len(attached) > 1:
        for kind, node in texts.numbering.ordered(attached.items()):
            _add_attachment(text, kind, node, texts)
    else:
        for kind, node in attached.items():
            _add_attachment(text, kind, node, texts)


def _add_attachment(text: TextBuffer, kind: str, node: MDNode, texts: Texts) -> None:
    text.add(", ")
    text.add(texts.kind_name(kind))
    text.add(" ")
    text.add_text_of(texts.references, node)


def record_text(record: DebugRecord, texts: Texts) -> str:
    """Return the text of a debug record."""
    text = TextBuffer()
    _add_record(text, record, texts)
    return text.take()


def _add_record(text: TextBuffer, record: DebugRecord, texts: Texts) -> None:
    """Add the text of a debug record."""
    references = texts.references
    text.add("#")
    if isinstance(record, DbgLabelRecord):
        text.add(_LABEL_HEAD)
        _add_node(text, record.label, references)
    else:
        found: Any = record
        text.add(found.kind.spelling)
        text.add("(")
        if not _add_wrapped(text, present.present_value(found), texts):
            _add_node(text, found.value, references)
        text.add(", ")
        _add_node(text, found.variable, references)
        text.add(", ")
        text.add(_expression(found.expression, texts))
        if found.assign_id is not None:
            text.add(", ")
            _add_node(text, found.assign_id, references)
            text.add(", ")
            if not _add_wrapped(text, present.present_address(found), texts):
                _add_node(text, found.address, references)
            text.add(", ")
            text.add(_expression(found.address_expression, texts))
    text.add(", ")
    _add_node(text, record.location, references)
    text.add(")")


def _add_node(text: TextBuffer, node: object, references: ObjectTexts) -> None:
    """Add the reference to a node of a record, which may lack it."""
    if node is None:
        text.add(_NO_NODE)
    else:
        text.add_text_of(references, node)


def _add_wrapped(text: TextBuffer, wrapper: Any, texts: Texts) -> bool:
    """Add the value of a wrapper, with its type before it; return False if it wraps none."""
    kind = type(wrapper)
    if kind is LocalAsMetadata or kind is ConstantAsMetadata:
        wrapped = wrapper
        value = wrapped.value
        if value is not None:
            text.add(texts.types.text_of(value.type))
            text.add(" ")
            text.add(texts.names.text_of(value))
            return True
    return False


def _expression(expression: Any, texts: Texts) -> str:
    if type(expression) is DIExpression:
        known = texts.expressions.get(expression)
        return texts.expressions[expression] if known is None else known
    return _NO_NODE if expression is None else texts.references[expression]


def _add_block_name(text: TextBuffer, block: BasicBlock, names: ObjectTexts) -> int:
    """Add the label of a block; return its length."""
    name = names.text_of(block)
    text.add(name[1:])
    text.add(":")
    return len(name)


def _add_label(text: TextBuffer, block: BasicBlock, texts: Texts) -> None:
    """Add the line before a block that is not the entry."""
    names = texts.names
    size = _add_block_name(text, block, names)
    text.add(_PADDINGS[size] if size < _REMARK_COLUMN else " ")
    separator = "; preds = "
    # One for each way to it; the one made last comes first.
    for each in reversed(present.present_uses(block)):
        if isinstance(each, Terminator):
            user: Any = each
            text.add(separator)
            text.add(names.text_of(user.parent))
            separator = ", "
    if separator != ", ":
        text.add("; No predecessors!")

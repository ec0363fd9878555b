"""Debug information as older LLVMs wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.parser.dialects.dialect import LAST_WITH_TYPED_POINTERS
from bitcodec.asm.parser.node_programs import UNSET, FieldStep, NodeParseProgram, ParseStep
from bitcodec.ir.debug_info import DIExpression
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.debug_info_flags import DISPFlag
from bitcodec.tables.names import Named

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = [
    "OLD_DEFAULTS",
    "OLD_FLAGS",
    "OLD_NODES",
    "adapt_old_fields",
    "is_always_distinct",
    "keep_old_fields",
    "old_field",
]

_MAX_64 = 0xFFFF_FFFF_FFFF_FFFF
_WORD_BITS = 64

OLD_NODES = {
    b"MDLocation": b"DILocation",  # LLVM 3.6
}
"""Classes of debug information that had other names."""


class OldField(NamedTuple):
    """A field of debug information that is gone.

    Attributes:
        today: the field that replaced it, empty if it was removed.
        step: how its value is read, None if like that field's.
        is_kept: whether the value is needed when the whole text has been read.
        names: the names of its numbers.
    """

    today: bytes = b""
    step: int | None = None
    is_kept: bool = False
    names: Any = None


class _VariableTag(Named, prefix="DW_TAG_", meaning="DWARF tag", limit=0xFFFF):
    """Tags that marked arguments among local variables."""

    auto_variable = 0x100
    arg_variable = 0x101


OLD_FIELDS = {
    ("DISubprogram", b"variables"): OldField(b"retainedNodes"),  # until LLVM 6
    ("DIModule", b"isysroot"): OldField(b"apinotes"),  # until LLVM 9; bitcode has one place for both
    ("DIModule", b"sysroot"): OldField(b"apinotes"),  # LLVM 10
    ("DICompileUnit", b"gnuPubnames"): OldField(b"nameTableKind", ParseStep.BOOLEAN),  # LLVM 6 and 7
    ("DINamespace", b"file"): OldField(step=ParseStep.NODE),  # until LLVM 4
    ("DINamespace", b"line"): OldField(step=ParseStep.NUMBER),  # until LLVM 4
    ("DIGlobalVariable", b"variable"): OldField(step=ParseStep.NODE, is_kept=True),  # until LLVM 3.9
    ("DICompileUnit", b"subprograms"): OldField(step=ParseStep.NODE, is_kept=True),  # until LLVM 3.8
    ("DISubprogram", b"function"): OldField(step=ParseStep.NODE, is_kept=True),  # until LLVM 3.7
    ("DILocalVariable", b"tag"): OldField(step=ParseStep.NAMED, names=_VariableTag),  # until LLVM 3.7
}
"""By class and name."""

OLD_DEFAULTS: dict[tuple[str, bytes], tuple[tuple[int, int], int | tuple[()]]] = {
    ("DISubrange", b"lowerBound"): ((10, 0), 0),
    ("DIGlobalVariableExpression", b"expr"): (LAST_WITH_TYPED_POINTERS, ()),
}
"""Fields that older LLVMs did not print if they had a certain value.

By class and name: the last LLVM that did so, and the value: an integer, or the operations of an expression.
"""

OLD_LOST = {
    ("DIImportedEntity", b"line"): (4, 0),
}
"""Fields that bitcode of older LLVMs lacks, so that LLVM 22 drops them: the last such LLVM."""

OLD_SWAPPED = {
    ("DIObjCProperty", b"setter", b"getter"): (21, 0),
}
"""Fields that older LLVMs printed under each other's names: the last such LLVM."""

OLD_FLAGS = {
    b"DIFlagBlockByrefStruct": 1 << 4,  # until LLVM 9
    b"DIFlagMainSubprogram": 1 << 21,  # until LLVM 8: one of the flags of subprograms since
    b"DIFlagFixedEnum": 1 << 24,  # LLVM 7
    b"DIFlagTrivial": 1 << 26,  # LLVM 8
}
"""Flags that had other names."""


def old_field(state: ModuleState, program: NodeParseProgram, values: list[Any], label: bytes) -> FieldStep | None:
    """Return how a field is read that LLVM 22 does not have, None if no LLVM has it.

    Args:
        state: the parser.
        program: of the class.
        values: of the node; one that is dropped gets a place after all others.
        label: of the field, which is the current token.
    """
    row = OLD_FIELDS.get((program.name, label))
    name = str(label, "utf-8", "replace")
    if row is None or not state.dialect.accepts(state.lexer, f"invalid field '{name}'"):
        return None
    if row.today:
        field = program.fields[row.today]
        return field if row.step is None else field.with_step(row.step)
    labels = _EXTRA_LABELS[program.name]
    values += [UNSET] * (program.size + len(labels) - len(values))
    place = program.size + labels.index(label)
    return FieldStep(place, row.step or ParseStep.NODE, name, 0, _MAX_64, _MAX_64, names=row.names)


_EXTRA_LABELS = {
    owner: [label for (of, label), row in OLD_FIELDS.items() if of == owner and not row.today]
    for owner, _label in OLD_FIELDS
}
"""By class: its removed fields, in the order of their places after all others."""


def keep_old_fields(state: ModuleState, program: NodeParseProgram, values: list[Any], content: tuple[Any, ...]) -> None:
    """Keep the values of fields that are gone, for the upgrade of the whole text.

    Args:
        state: the parser, whose `old_fields` get the values.
        program: of the class.
        values: of the node, with the values of removed fields after all others.
        content: of the node.
    """
    labels = _EXTRA_LABELS[program.name]
    kept = {
        label.decode(): value
        for label, value in zip(labels, values[program.size :], strict=True)
        if value is not UNSET and OLD_FIELDS[program.name, label].is_kept
    }
    if kept:
        state.old_fields[id(content)] = (content, kept)


def is_always_distinct(program: NodeParseProgram, values: list[Any]) -> bool:
    """Return whether bitcode always makes a node of an old text distinct: a definition of a function."""
    if program.name != "DISubprogram":
        return False
    flags = values[program.fields[b"spFlags"].place]
    if flags is UNSET:
        return values[program.fields[b"isDefinition"].place] is not False
    return bool(flags & DISPFlag.Definition)


def adapt_old_fields(state: ModuleState, program: NodeParseProgram, values: list[Any]) -> None:
    """Change the values of a complete node as bitcode of that LLVM would have them."""
    newest, name = state.dialect.newest, program.name
    for (owner, label), (until, default) in OLD_DEFAULTS.items():
        if owner == name and newest <= until and values[program.fields[label].place] is UNSET:
            values[program.fields[label].place] = _default(state, default)
    for (owner, label), until in OLD_LOST.items():
        if owner == name and newest <= until:
            values[program.fields[label].place] = UNSET
    if name == "DISubprogram":
        _move_main_flag(program, values)
    for (owner, first, second), until in OLD_SWAPPED.items():
        if owner == name and newest <= until:
            one, other = program.fields[first].place, program.fields[second].place
            values[one], values[other] = values[other], values[one]


def _move_main_flag(program: NodeParseProgram, values: list[Any]) -> None:
    flags, own_flags = program.fields[b"flags"].place, program.fields[b"spFlags"].place
    main = OLD_FLAGS[b"DIFlagMainSubprogram"]
    if values[flags] is not UNSET and values[flags] & main:
        values[flags] &= ~main
        values[own_flags] = (0 if values[own_flags] is UNSET else values[own_flags]) | DISPFlag.MainSubprogram


def _default(state: ModuleState, default: int | tuple[()]) -> Any:
    table = state.metadata.table
    if isinstance(default, int):
        return table.value(state.constants.integer(state.types.integer(_WORD_BITS), default))
    return table.node(DIExpression, default)

"""Debug information as older LLVMs wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.parser.dialects.dialect import LAST_WITH_TYPED_POINTERS
from bitcodec.asm.parser.node_programs import UNSET, FieldStep, NodeProgram, Step
from bitcodec.ir.debug_info import DIExpression
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.debug_info_flags import DISPFlag

if TYPE_CHECKING:
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = ["OLD_DEFAULTS", "OLD_FLAGS", "OLD_NODES", "adapt_old_fields", "old_field"]

_MAX_64 = 0xFFFF_FFFF_FFFF_FFFF
_WORD_BITS = 64

OLD_NODES = {
    b"MDLocation": b"DILocation",  # LLVM 3.6
}
"""Classes of debug information that had other names."""


class OldField(NamedTuple):
    """A field of debug information that is gone.

    Attributes:
        today: the field that has its place, empty if there is none.
        step: how its value is read, None if like that field's.
    """

    today: bytes = b""
    step: int | None = None


OLD_FIELDS = {
    ("DISubprogram", b"variables"): OldField(b"retainedNodes"),  # until LLVM 6
    ("DIModule", b"isysroot"): OldField(b"apinotes"),  # until LLVM 9; bitcode has one place for both
    ("DIModule", b"sysroot"): OldField(b"apinotes"),  # LLVM 10
    ("DICompileUnit", b"gnuPubnames"): OldField(b"nameTableKind", Step.BOOLEAN),  # LLVM 6 and 7
    ("DINamespace", b"file"): OldField(step=Step.NODE),  # until LLVM 4
    ("DINamespace", b"line"): OldField(step=Step.NUMBER),  # until LLVM 4
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
"""Fields that bitcode of older LLVMs does not have, so that LLVM 22 drops what they say: the last such LLVM."""

OLD_SWAPPED = {
    ("DIObjCProperty", b"setter", b"getter"): (21, 0),
}
"""Fields that older LLVMs printed under each other's names: the last LLVM that did."""

OLD_FLAGS = {
    b"DIFlagBlockByrefStruct": 1 << 4,  # until LLVM 9
    b"DIFlagMainSubprogram": 1 << 21,  # until LLVM 8: one of the flags of subprograms since
    b"DIFlagFixedEnum": 1 << 24,  # LLVM 7
    b"DIFlagTrivial": 1 << 26,  # LLVM 8
}
"""Flags that had other names."""


def old_field(state: ModuleState, program: NodeProgram, values: list[Any], label: bytes) -> FieldStep | None:
    """Return how a field is read that LLVM 22 does not have, None if no LLVM has it.

    Args:
        state: the parser.
        program: of the class.
        values: of the node; one that is dropped gets a place behind all others.
        label: of the field, which is the current token.
    """
    row = OLD_FIELDS.get((program.name, label))
    name = str(label, "utf-8", "replace")
    if row is None or not state.dialect.accepts(state.lexer, f"invalid field '{name}'"):
        return None
    if row.today:
        field = program.fields[row.today]
        return field if row.step is None else field.with_step(row.step)
    values.append(UNSET)
    return FieldStep(len(values) - 1, row.step or Step.NODE, name, 0, _MAX_64, _MAX_64)


def adapt_old_fields(state: ModuleState, program: NodeProgram, values: list[Any]) -> None:
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


def _move_main_flag(program: NodeProgram, values: list[Any]) -> None:
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

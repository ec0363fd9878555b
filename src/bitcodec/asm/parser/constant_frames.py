# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Frames of the constants around the one that is being parsed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bitcodec.asm.parser.dialects.expressions import with_expandable_parts
from bitcodec.named_tuple import NamedTuple
from bitcodec.upgrade.expansion import Expandable

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.constant_range import ConstantRange
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.types import Type
    from bitcodec.tables.opcodes import FCmpPredicate, ICmpPredicate

__all__ = ["ConstantForm", "ConstantFrame", "check_same", "check_type", "closed", "opened", "typed"]


class ConstantForm(NamedTuple):
    """Syntax of the constants of one kind.

    Attributes:
        finish: creates the constant from its parts, and parses its end.
        part_count: maximum number of parts, 0 for any number.
        comma: the message if a comma between them is missing.
        optional_count: number of parts that may be left out at the end.
        takes_instructions: whether the parts may be expressions that become instructions.
    """

    finish: Callable[[ModuleState, ConstantFrame], Constant]
    part_count: int = 0
    comma: str = ""
    optional_count: int = 0
    takes_instructions: bool = False


class ConstantFrame:
    """A constant whose parts are being read.

    Attributes:
        first_type: the type of the first part, if it has been read.
        predicate: of a comparison.
    """

    __slots__ = ("extra", "first_start", "first_type", "flags", "form", "opcode", "parts", "predicate", "start", "type")

    def __init__(self, form: ConstantForm, start: int, type: Type | None, opcode: str = "", flags: int = 0) -> None:
        self.form = form
        self.start = start
        self.type = type
        self.opcode = opcode
        self.flags = flags
        self.first_start = start
        self.parts: list[Constant] = []
        self.first_type: Type | None = None
        self.predicate: ICmpPredicate | FCmpPredicate | None = None
        self.extra: tuple[Type, ConstantRange | None] | None = None


def closed(state: ModuleState, frame: ConstantFrame) -> Constant:
    """Return the constant of a frame, at its end."""
    if state.has_expandables and not frame.form.takes_instructions and _has_instructions(frame.parts):
        return with_expandable_parts(state, frame.parts, partial(frame.form.finish, state, frame))
    return frame.form.finish(state, frame)


def _has_instructions(parts: list[Constant]) -> bool:
    return any(isinstance(part, Expandable) for part in parts)


def check_type(state: ModuleState, frame: ConstantFrame, constant: Constant) -> Constant:
    """Return a constant, which must be of the type that its frame is for."""
    return typed(state, constant, frame.type, frame.start)


def typed(state: ModuleState, constant: Constant, type: Type | None, start: int) -> Constant:
    """Return a constant, which must be of a type.

    Raises:
        AssemblyError: it is not.
    """
    if constant.type is not type and type is not None:
        state.lexer.refuse(
            f"constant expression type mismatch: got type '{constant.type}' but expected '{type}'", start
        )
    return constant


def check_same(state: ModuleState, found: Type, expected: Type | None, start: int) -> None:
    """Check that a constant has the expected type.

    Raises:
        AssemblyError: it has another type.
    """
    if found is not expected:
        state.lexer.refuse(f"constant expression type mismatch: got type '{found}' but expected '{expected}'", start)


def opened(state: ModuleState, frames: list[ConstantFrame], frame: ConstantFrame, close: int) -> Constant | None:
    """Go past the bracket of a list of any length; return the constant if the list is empty."""
    if state.lexer.advance() == close:
        return closed(state, frame)
    frames.append(frame)
    return None

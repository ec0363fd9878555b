"""Selects functions and instructions of a module: `atomics`, `loads,stores`, `main`, `main:calls`, `fence`."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from bitcodec.errors import PCSectionsError, quote, quote_name
from bitcodec.ir import instructions
from bitcodec.ir.constants import InlineAsm
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW, CallBase, Fence, Instruction, Load, Store
from bitcodec.ir.instructions.memory import SINGLE_THREAD
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.linkage import Linkage
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitcodec.ir.module import Module

__all__ = ["ALL", "FUNCTIONS", "WORDS", "Selection", "has_code", "listing_of"]

FUNCTIONS = "functions"
"""The word for all functions."""
ALL = "all"
"""The word for all instructions."""

_MOST_SUGGESTIONS = 3


def _is_atomic(instruction: Instruction) -> bool:
    """Return whether other threads can observe that it is atomic: docs/reference/pc-sections.md, 3.3."""
    match instruction:
        case Load() | Store():
            return instruction.is_atomic and instruction.sync_scope != SINGLE_THREAD
        case Fence() | AtomicCmpXchg() | AtomicRMW():
            return instruction.sync_scope != SINGLE_THREAD
    return False


def _is_call(instruction: Instruction) -> bool:
    """Return whether it calls a function: neither an intrinsic nor assembly text."""
    if not isinstance(instruction, CallBase):
        return False
    callee = instruction.callee
    return not (isinstance(callee, InlineAsm) or (isinstance(callee, Function) and callee.is_intrinsic))


def _with_opcode(opcode: str) -> Callable[[Instruction], bool]:
    return lambda instruction: instruction.opcode == opcode


WORDS: dict[str, Callable[[Instruction], bool]] = {
    "atomics": _is_atomic,
    "loads": lambda instruction: isinstance(instruction, Load),
    "stores": lambda instruction: isinstance(instruction, Store),
    "calls": _is_call,
    ALL: lambda _: True,
}
"""Words for instructions, and which are meant."""

_CLASSES = (vars(getattr(instructions, name)) for name in instructions.__all__)
_OPCODES = {
    *(opcode for row in BINARY_OPCODES for opcode in row if opcode),
    *CAST_OPCODES,
    "fneg",
    *(members["opcode"] for members in _CLASSES if isinstance(members.get("opcode"), str)),
}


class _Term(NamedTuple):
    """A part of a selection.

    Attributes:
        function: the function, None for all.
        holds: the predicate on its instructions, None for the function itself.
    """

    function: Function | None
    holds: Callable[[Instruction], bool] | None


class Selection:
    """Functions and instructions of a module, selected on demand: bodies without any are not read.

    Functions without code in this module are skipped: declarations, and `available_externally` functions.

    Args:
        module: the module.
        select: terms, in one text with commas between, or one by one.  A term is `functions`, or a word for
            instructions (`WORDS`) or an opcode of LLVM assembly, or the name of a function, which selects its entry;
            or `FUNCTION:WORD` for instructions of one function.  `@` before a name marks the name of a function.

    Raises:
        PCSectionsError: a term selects nothing in the module.
    """

    __slots__ = ("_module", "_terms")

    def __init__(self, module: Module, select: str | Iterable[str]) -> None:
        self._module = module
        texts = select.split(",") if isinstance(select, str) else list(select)
        self._terms = [self._term(text.strip()) for text in texts]

    @property
    def functions(self) -> Iterator[Function]:
        """The functions whose entries are meant, in the order of the module."""
        named = {term.function for term in self._terms if term.holds is None}
        for function in self._module.functions:
            if has_code(function) and (None in named or function in named):
                yield function

    @property
    def instructions(self) -> Iterator[Instruction]:
        """The instructions that are meant, in the order of the module."""
        terms = [term for term in self._terms if term.holds is not None]
        for function in self._module.functions if terms else ():
            tests = [term.holds for term in terms if term.function in (None, function)]
            if tests and has_code(function):
                for instruction in function.instructions:
                    if any(test(instruction) for test in tests if test is not None):
                        yield instruction

    def _term(self, text: str) -> _Term:
        if text == FUNCTIONS:
            return _Term(None, None)
        holds = _test(text)
        if holds is not None:
            return _Term(None, holds)
        function = self._function(text)
        if function is not None:
            return _Term(function, None)
        name, _, word = text.rpartition(":")
        function, holds = self._function(name), _test(word)
        if function is None or holds is None:
            raise PCSectionsError(self._no_such(text, name if holds else text))
        return _Term(function, holds)

    def _function(self, name: str) -> Function | None:
        """Return the function of a name.

        Raises:
            PCSectionsError: it has no code here.
        """
        functions = self._module.functions
        function = functions.get(name) or functions.get(name.removeprefix("@"))
        if function is not None and not has_code(function):
            raise PCSectionsError(f"function {quote_name(function.name)} has no code in this module")
        return function

    def _no_such(self, text: str, name: str) -> str:
        """Return the message about a term without a meaning."""
        names = [*WORDS, FUNCTIONS, *_OPCODES, *(function.name for function in self._module.functions)]
        similar = difflib.get_close_matches(name.removeprefix("@"), names, _MOST_SUGGESTIONS)
        suggestion = f"; did you mean {' or '.join(similar)}?" if similar else ""
        return (
            f"{quote(text)} is neither of {', '.join([*WORDS, FUNCTIONS])}, nor an opcode, a function of this module, "
            f"or FUNCTION:WORD{suggestion}"
        )


def has_code(function: Function) -> bool:
    """Return whether the module has code for a function: PC sections of others have no effect."""
    return not function.is_declaration and function.linkage is not Linkage.AVAILABLE_EXTERNALLY


def _test(word: str) -> Callable[[Instruction], bool] | None:
    """Return the predicate of a word for instructions, None if it is not one."""
    return _with_opcode(word) if word in _OPCODES else WORDS.get(word)


def listing_of(module: Module) -> str:
    """Return how many functions and instructions each word selects: `5 functions, 12 loads, ...`."""
    counts = {FUNCTIONS: sum(map(has_code, module.functions)), **dict.fromkeys(WORDS, 0)}
    for instruction in Selection(module, ALL).instructions:
        for word, holds in WORDS.items():
            counts[word] += holds(instruction)
    counts["instructions"] = counts.pop(ALL)
    return ", ".join(f"{count:,} {word}" for word, count in counts.items())

"""Validity of location expressions. Rules: docs/reference/text.md, 13.5."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.tables.dwarf import OPERATORS

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["is_signed_constant", "is_valid"]

_CODES = {operator.name: code for code, operator in OPERATORS.items()}
_REGISTERS = {code for name, code in _CODES.items() if name.startswith(("reg", "breg")) and name[-1].isdigit()}
_FRAGMENT = _CODES["LLVM_fragment"]
_STACK_VALUE = _CODES["stack_value"]
_SWAP = _CODES["swap"]
_ENTRY_VALUE = _CODES["LLVM_entry_value"]
_ARGUMENT = _CODES["LLVM_arg"]
_SIGNED_CONSTANT = _CODES["consts"]


def is_valid(elements: Sequence[int]) -> bool:
    """Return whether an expression consists of operations that LLVM knows, in valid positions."""
    index, size = 0, len(elements)
    while index < size:
        code = elements[index]
        operator = OPERATORS.get(code)
        if operator is None:
            return False
        following = index + 1 + operator.arguments
        if following > size:
            return False
        if code in _REGISTERS:
            return True
        if code == _ENTRY_VALUE:
            return index == _first_operation(elements) and elements[index + 1] == 1
        if (
            (code == _FRAGMENT and following != size)
            or (code == _STACK_VALUE and following != size and elements[following] != _FRAGMENT)
            or (code == _SWAP and size == 1)
        ):
            return False
        index = following
    return True


def _first_operation(elements: Sequence[int]) -> int:
    """Return where the first operation is that does not just name the first argument."""
    return 2 if tuple(elements[:2]) == (_ARGUMENT, 0) else 0


def is_signed_constant(elements: Sequence[int]) -> bool:
    """Return whether an expression is one signed number and nothing else; it is `elements[1]`."""
    if len(elements) not in (2, 3, 6) or elements[0] != _SIGNED_CONSTANT:
        return False
    return tuple(elements[2:4]) in ((), (_STACK_VALUE,), (_STACK_VALUE, _FRAGMENT))

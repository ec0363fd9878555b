"""Fingerprints of functions: equal for functions that consist of the same instructions.

Names and numbers of values, types and blocks, attributes, metadata and debug information do not count.  Types,
constants, flags of instructions and the names of the globals that are used do.
"""

from __future__ import annotations

import re
from array import array
from hashlib import blake2b
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import Constant, InlineAsm
from bitcodec.ir.globals import GlobalValue, GlobalVariable
from bitcodec.ir.instructions import CallBase, Phi

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["Fingerprints", "fingerprint"]

_SIZE = 16
_OUTSIDE = 1 << 63
"""Set in the number of everything that is not inside the function."""
_IGNORED = {
    "_as_metadata", "_attachments", "_incoming_blocks", "_key", "_location", "_metadata", "_name", "_operands",
    "_records", "_uses", "attributes", "function_type", "parent", "table", "type",
}  # fmt: skip
"""Slots that do not count, or are taken into account in another way."""
_LISTS = {"_case_values", "_filters"}
"""Slots whose values are lists."""
_NUMBERED = re.compile(r"\.\d+(?=[\",*\s})>\]]|$)")
"""Suffix that LLVM appends to the name of a type or of a global to make it unique."""
_MAX_CONSTANTS = 1 << 12
"""Constants inside one that are looked at; a few shared ones can describe any number."""


_getters: dict[type, Callable[[Any], tuple[Any, ...]]] = {}


def fingerprint(function: Function) -> str:
    """Return the fingerprint of a function: 32 hexadecimal digits.

    Raises:
        BitcodecError: its body is malformed.

    >>> import bitcodec
    >>> from bitcodec.report import fingerprint
    >>> functions = bitcodec.open("examples/queue.bc").functions
    >>> fingerprint(functions["push"]) == fingerprint(functions["push"])
    True
    >>> fingerprint(functions["push"]) == fingerprint(functions["drain"])
    False
    """
    return Fingerprints().of(function)


class Fingerprints:
    """Makes fingerprints; numbers of types, constants and kinds of instructions are made once."""

    def __init__(self) -> None:
        self._types: dict[Type, int] = {}
        self._kinds: dict[tuple[object, ...], int] = {}
        self._values: dict[Value, int] = {}

    def of(self, function: Function) -> str:
        """Return the fingerprint of a function.

        Raises:
            BitcodecError: its body is malformed.
        """
        known = _ValueNumbers(self._value)
        known[function] = 0
        for argument in function.arguments:
            known[argument] = len(known)
        contents = [(block, block.instructions) for block in function.blocks]
        for block, instructions in contents:
            known[block] = len(known)
            for instruction in instructions:
                known[instruction] = len(known)
        kind_of = self._kind
        numbers = [self._type(function.value_type)]
        for _, instructions in contents:
            numbers.append(len(instructions))
            for instruction in instructions:
                numbers.append(kind_of(instruction))
                numbers += [known[operand] for operand in instruction.operands]
                if isinstance(instruction, Phi):
                    numbers += [known[block] for _, block in instruction.incoming]
        return blake2b(array("Q", numbers).tobytes(), digest_size=_SIZE).hexdigest()

    def _kind(self, instruction: Instruction) -> int:
        """Return the number of the distinguishing parts of an instruction, apart from its operands."""
        kind = type(instruction)
        key = (kind, instruction.opcode, instruction.type, len(instruction.operands), *_properties(kind)(instruction))
        number = self._kinds.get(key)
        if number is None:
            called = self._type(instruction.function_type) if isinstance(instruction, CallBase) else 0
            properties = [kind.__name__, self._type(instruction.type), called, *map(self._property, key[1:2] + key[3:])]
            number = self._kinds[key] = _number(repr(properties))
        return number

    def _property(self, value: object) -> object:
        """Return the distinguishing part of the value of a slot; its `repr` does not depend on identities."""
        from bitcodec.ir.types import Type  # noqa: PLC0415

        if isinstance(value, Type):
            return self._type(value)
        if isinstance(value, Constant):
            return self._value(value)
        if isinstance(value, tuple | list):
            return [self._property(each) for each in value]
        return str(value)

    def _type(self, type_: Type) -> int:
        number = self._types.get(type_)
        if number is None:
            number = self._types[type_] = _number(_NUMBERED.sub("", str(type_)))
        return number

    def _value(self, value: Value) -> int:
        number = self._values.get(value)
        if number is None:
            number = self._values[value] = _number(repr(self._description(value)))
        return number

    def _description(self, value: Value) -> list[object]:
        """Return the distinguishing part of a value outside of functions; operands of an initializer count by name."""
        if isinstance(value, GlobalVariable) and value.linkage.is_local and value.is_constant:
            initializer = value.initializer
            return ["constant", *([] if initializer is None else self._constant(initializer))]
        return self._constant(value)

    def _constant(self, value: Value) -> list[object]:
        found: list[object] = []
        pending: list[Any] = [value]
        while pending and len(found) < _MAX_CONSTANTS:
            each = pending.pop()
            if isinstance(each, GlobalValue):
                found.append(["global", _NUMBERED.sub("", each.name)])
            elif isinstance(each, Constant):
                properties = [self._property(part) for part in _properties(type(each))(each)]
                found.append([type(each).__name__, self._type(each.type), len(each.operands), *properties])
                pending += each.operands
            elif isinstance(each, InlineAsm):
                found.append(["asm", self._type(each.type), each.assembly, each.constraints])
            else:
                found.append([type(each).__name__])
        return found


class _ValueNumbers(dict["Value", int]):
    """Numbers of values: values inside a function in order, others by their contents."""

    def __init__(self, number_outside: Callable[[Value], int]) -> None:
        super().__init__()
        self._number_outside = number_outside

    def __missing__(self, value: Value) -> int:
        number = self[value] = self._number_outside(value)
        return number


def _number(text: str) -> int:
    return _OUTSIDE | int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _properties(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that returns the values of the slots of a class that count, as something hashable."""
    getter = _getters.get(kind)
    if getter is None:
        getter = _getters[kind] = _new_getter(kind)
    return getter


def _new_getter(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    names = [name for base in kind.__mro__ for name in base.__dict__.get("__slots__", ()) if name not in _IGNORED]
    if any(name in _LISTS for name in names):
        return lambda value: tuple([_frozen(getattr(value, name)) for name in names])
    if not names:
        return lambda _: ()
    if len(names) == 1:
        only = attrgetter(names[0])
        return lambda value: (only(value),)
    return attrgetter(*names)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value

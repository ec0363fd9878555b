"""Names, declarations and attributes that the expansions of one module share."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bitcodec.builder import Builder, attribute_list
from bitcodec.ir.mangling import overloaded
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instruction_builder import Made as Inserted
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["Made", "PlainBuilder", "Reuse", "expanding", "reuse_of_expansion"]


class Made(NamedTuple):
    """A value that an expansion creates.

    Attributes:
        value: an instruction or a block.
        name: its requested name, before a number makes it unique.
        is_before: whether the original, which has a name too, is still in the function.
    """

    value: Value
    name: str
    is_before: bool


class Reuse:
    """Names of intrinsics, their declarations and the attributes of calls, each made once.

    Attributes:
        intrinsics: the declarations of intrinsics, by name.
        made: new values in the place of an instruction, in order; None if they are not recorded.
        is_repeatable: whether the new values depend on nothing of the original that a stamp lacks, such as its name.
    """

    __slots__ = ("_elements", "_names", "_original", "intrinsics", "is_repeatable", "made")

    def __init__(self) -> None:
        self._names: dict[tuple[str, tuple[Type, ...]], str] = {}
        self._elements: dict[tuple[int, Type], AttributeList] = {}
        self.intrinsics: dict[str, Function] = {}
        self.made: list[Made] | None = None
        self._original: Instruction | None = None
        self.is_repeatable = True

    @contextmanager
    def recorded(self, original: Instruction) -> Iterator[list[Made]]:
        """While this lasts, record the new values in the place of an instruction."""
        self._original, self.made, self.is_repeatable = original, [], True
        try:
            yield self.made
        finally:
            self._original = self.made = None

    def record(self, made: Value, name: str) -> None:
        """Record a new value with its requested name, before it is in its function or renamed."""
        if self.made is not None and self._original is not None:
            self.made.append(Made(made, name, is_before=self._original.parent is not None))

    def overloaded(self, name: str, *types: Type) -> str:
        """Return a name of an intrinsic with the types behind it that it is for."""
        found = self._names.get((name, types))
        if found is None:
            found = self._names[name, types] = overloaded(name, *types)
        return found

    def element(self, parameter: int, type: Type) -> AttributeList:
        """Return the attributes of a call whose parameter points at a value of a type."""
        found = self._elements.get((parameter, type))
        if found is None:
            found = attribute_list(parameters={parameter: [("elementtype", type)]})
            self._elements[parameter, type] = found
        return found


class _Current(threading.local):
    reuse: Reuse | None = None


_CURRENT = _Current()


@contextmanager
def expanding() -> Iterator[None]:
    """While this lasts, expansions of this thread are of one module, which loses no functions."""
    before, _CURRENT.reuse = _CURRENT.reuse, Reuse()
    try:
        yield
    finally:
        _CURRENT.reuse = before


def reuse_of_expansion() -> Reuse:
    """Return the cache that the expansions of the module share; an empty one outside of `expanding`."""
    return _CURRENT.reuse or Reuse()


class PlainBuilder(Builder):
    """Makes instructions of an expansion that get no metadata of the original."""

    __slots__ = ("_reuse",)

    def __init__(self, block: BasicBlock) -> None:
        super().__init__(block)
        self._reuse = reuse_of_expansion()

    def insert(self, instruction: Inserted, name: str = "") -> Inserted:
        """Insert an instruction where the builder is, and record it."""
        self._reuse.record(instruction, name)
        return super().insert(instruction, name)

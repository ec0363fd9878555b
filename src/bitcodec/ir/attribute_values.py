"""Integer values of attributes as small objects; each has its integer (`raw`) and its spelling.

Rules: LLVM Language Reference, "Parameter Attributes" and "Function Attributes"; docs/reference/records.md, 5.6.
"""

from __future__ import annotations

from typing import ClassVar, Self

from bitcodec.frozen import Frozen
from bitcodec.tables.attributes import (
    ALLOCATION_WORDS,
    CAPTURED_ADDRESS,
    CAPTURED_PROVENANCE,
    FP_CLASS_WORDS,
    MEMORY_LOCATIONS,
    MemoryAccess,
)

__all__ = [
    "AllocKind",
    "AllocSize",
    "AttributeInteger",
    "Captures",
    "MemoryEffects",
    "NoFPClass",
    "UnwindTable",
    "VScaleRange",
]

_LOW_WORD = 0xFFFF_FFFF


class AttributeInteger(Frozen):
    """The integer of an attribute; subclasses define its meaning."""

    __slots__ = __match_args__ = ("raw",)

    raw: int

    def __init__(self, raw: int) -> None:
        object.__setattr__(self, "raw", raw)


class MemoryEffects(AttributeInteger):
    """`memory(...)`: memory accesses of a function for each location of `MEMORY_LOCATIONS`, two bits each."""

    __slots__ = ()

    ALL: ClassVar[int] = (1 << 2 * len(MEMORY_LOCATIONS)) - 1

    @classmethod
    def everywhere(cls, access: MemoryAccess) -> Self:
        """Return the same access to every location."""
        return cls(sum(access << 2 * place for place in range(len(MEMORY_LOCATIONS))))

    @classmethod
    def of(cls, **accesses: MemoryAccess) -> Self:
        """Return access to some locations, named by keyword."""
        return cls(sum(access << 2 * MEMORY_LOCATIONS.index(name) for name, access in accesses.items()))

    def __getitem__(self, location: str) -> MemoryAccess:
        """Return the permitted access to one location."""
        return MemoryAccess(self.raw >> 2 * MEMORY_LOCATIONS.index(location) & 3)

    def __and__(self, other: MemoryEffects) -> MemoryEffects:
        """Return the effects that both allow."""
        return MemoryEffects(self.raw & other.raw)

    def __or__(self, other: MemoryEffects) -> MemoryEffects:
        """Return the effects that either allows."""
        return MemoryEffects(self.raw | other.raw)

    def __str__(self) -> str:
        default = self["other"]
        differing = [
            f"{location}: {_word(self[location])}" for location in MEMORY_LOCATIONS if self[location] != default
        ]
        words = differing if differing and default == MemoryAccess.NONE else [_word(default), *differing]
        return ", ".join(words)


class Captures(AttributeInteger):
    """`captures(...)`: captured parts of a pointer: in the return value (`returned`), and elsewhere (`other`)."""

    __slots__ = ()

    ALL: ClassVar[int] = 0xFF

    @property
    def returned(self) -> int:
        """Components captured by the return value alone, as four bits."""
        return self.raw & 0xF

    @property
    def other(self) -> int:
        """Components captured in any other way, as four bits."""
        return self.raw >> 4 & 0xF

    @property
    def is_none(self) -> bool:
        """Whether nothing is captured."""
        return self.raw == 0

    def __str__(self) -> str:
        parts = []
        if self.other or self.other == self.returned:
            parts.append(_components(self.other))
        if self.other != self.returned:
            parts.append(f"ret: {_components(self.returned)}")
        return ", ".join(parts)


class AllocSize(AttributeInteger):
    """`allocsize(...)`: indices of the parameters that give the allocated size."""

    __slots__ = ()

    @property
    def element_size(self) -> int:
        """Index of the parameter with the size, of each element or of all, in bytes."""
        return self.raw >> 32

    @property
    def element_count(self) -> int | None:
        """Index of the parameter with the number of elements, None if there is none."""
        low = self.raw & _LOW_WORD
        return None if low == _LOW_WORD else low

    def __str__(self) -> str:
        return str(self.element_size) if self.element_count is None else f"{self.element_size},{self.element_count}"


class VScaleRange(AttributeInteger):
    """`vscale_range(...)`: the range of `vscale`."""

    __slots__ = ()

    @property
    def minimum(self) -> int:
        """The least."""
        return self.raw >> 32

    @property
    def maximum(self) -> int | None:
        """The maximum, None if unbounded."""
        return self.raw & _LOW_WORD or None

    def __str__(self) -> str:
        return f"{self.minimum},{self.maximum or 0}"


class UnwindTable(AttributeInteger):
    """`uwtable`: whether every instruction must be covered, or only those that call."""

    __slots__ = ()

    SYNC: ClassVar[int] = 1
    ASYNC: ClassVar[int] = 2

    @property
    def is_async(self) -> bool:
        """Whether every instruction is covered."""
        return self.raw == self.ASYNC

    def __str__(self) -> str:
        return "async" if self.is_async else "sync"


class AllocKind(AttributeInteger):
    """`allockind(...)`: the kind of allocator function."""

    __slots__ = ()

    @property
    def words(self) -> tuple[str, ...]:
        """Its effects: words of `ALLOCATION_WORDS`."""
        return tuple(word for bit, word in enumerate(ALLOCATION_WORDS) if self.raw >> bit & 1)

    def __str__(self) -> str:
        return f'"{",".join(self.words)}"'


class NoFPClass(AttributeInteger):
    """`nofpclass(...)`: classes of floating-point values that never occur."""

    __slots__ = ()

    ALL: ClassVar[int] = FP_CLASS_WORDS["all"]

    @property
    def words(self) -> tuple[str, ...]:
        """The classes, in the fewest words of `FP_CLASS_WORDS`."""
        words, left = [], self.raw
        for word, bits in FP_CLASS_WORDS.items():
            if left & bits == bits:
                words.append(word)
                left &= ~bits
        return tuple(words)

    def __str__(self) -> str:
        return " ".join(self.words)


def _word(access: MemoryAccess) -> str:
    return _ACCESS_WORDS[access]


_ACCESS_WORDS = {access: str(access.name).lower() for access in MemoryAccess.__members__.values()}


def _components(bits: int) -> str:
    words = [CAPTURED_ADDRESS[bits & 3], CAPTURED_PROVENANCE[bits >> 2]]
    return ", ".join(filter(None, words)) if bits else "none"

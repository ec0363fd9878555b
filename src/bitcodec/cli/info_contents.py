"""The facts about a stream and its modules that `info` prints."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bitcodec.bitcode.summary import ModuleSummary
    from bitcodec.bitstream.magic import StreamKind

__all__ = ["BlockSize", "Info", "ModuleInfo", "SymbolInfo", "Tally"]


@dataclass(frozen=True, slots=True)
class BlockSize:
    """Number of blocks of a kind, and their size in bytes, without inner blocks."""

    name: str
    count: int
    size: float


@dataclass(frozen=True, slots=True)
class Tally:
    """Number of records of a kind, and their size in bytes."""

    count: int
    size: float


@dataclass(frozen=True, slots=True)
class SymbolInfo:
    """A symbol; `kind` is function, variable, alias, ifunc or, without linkage, assembly."""

    name: str
    letter: str
    kind: str
    linkage: str
    is_definition: bool
    is_local: bool
    is_intrinsic: bool


@dataclass(slots=True)
class ModuleInfo:
    """Facts about one module.

    Attributes:
        summary: contents of its records.
        symbols: its globals and the symbols of its module assembly; none if it could not be opened.
        flags: module flags, as text.
        opcodes: number of instructions of each opcode, None if they were not counted.
    """

    summary: ModuleSummary
    symbols: list[SymbolInfo] = field(default_factory=list)
    flags: dict[str, str] = field(default_factory=dict)
    opcodes: dict[str, int] | None = None


@dataclass(slots=True)
class Info:
    """Facts about one stream; sizes in bytes.

    Attributes:
        instructions: number of instructions of each kind.
        metadata: metadata nodes by kind.
        newer: constructs of versions of LLVM newer than 22.
        error: the error in it, "" if it is valid.
    """

    title: str
    kind: StreamKind
    magic: bytes
    size: int
    wrapper: str | None = None
    modules: list[ModuleInfo] = field(default_factory=list)
    instructions: dict[str, int] = field(default_factory=dict)
    metadata: dict[str, Tally] = field(default_factory=dict)
    blocks: list[BlockSize] = field(default_factory=list)
    newer: list[str] = field(default_factory=list)
    trailing: int = 0
    error: str = ""

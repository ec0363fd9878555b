"""Protocols of the sources and destinations of the compiled loop over metadata records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Mapping

    from bitcodec.bitcode.reader.wrapped_values import WrappedValues
    from bitcodec.ir.metadata import MDNode, Metadata, MetadataTable
    from bitcodec.ir.values import Value

__all__ = ["Index", "Maker"]

F = TypeVar("F")
"""How nodes are made: `Form`."""


class Index(Protocol):
    """Finds the records of metadata ids: `MetadataIndex`."""

    first_id: int
    codes: bytearray
    entries: array[int]
    columns: list[tuple[memoryview, memoryview]]
    rewritten: dict[int, tuple[int, list[int]]]

    def record(self, metadata_id: int) -> tuple[int, list[int]]:
        """Return the code and the operands of a record."""

    def modernized(self, metadata_id: int, code: int, operands: list[int]) -> list[int]:
        """Return operands of a record of debug information in the form of LLVM 22."""


class Maker(Protocol[F]):
    """Holds metadata by id: `NodeMaker`."""

    @property
    def table(self) -> MetadataTable:
        """The nodes of the context."""

    @property
    def outer(self) -> Mapping[int, Metadata] | None:
        """The metadata of the module, for a function's metadata."""

    @property
    def local(self) -> WrappedValues | None:
        """The values of the function; None for the metadata of a module."""

    new: list[int]
    current: int
    unfilled: list[Any]
    """Of each distinct node without content the id, the node and the form: tuples would take more memory."""
    self_references: dict[tuple[F, tuple[Any, ...]], tuple[int, MDNode]]
    value_of: Callable[[int, int], Value | None]

    def __contains__(self, metadata_id: object) -> bool: ...
    def __getitem__(self, metadata_id: int) -> Metadata: ...
    def __setitem__(self, metadata_id: int, metadata: Metadata) -> None: ...

    def form(self, code: int) -> F:
        """Return how the nodes of a code are made."""

    def make_with_references(self, metadata_id: int, form: F) -> None:
        """Make a node and the nodes that it refers to."""

    def made_of(self, metadata_id: int, form: F, content: tuple[Any, ...]) -> Metadata:
        """Return a node that is not distinct, which may refer to itself."""

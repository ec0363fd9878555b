"""The records of metadata as upgrades need them: the index of the reader has these methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MetadataRecords"]


class MetadataRecords(Protocol):
    """Records of metadata by metadata id.  Records that were added or rewritten are in LLVM 22's order."""

    def __len__(self) -> int:
        """Return how many metadata ids there are."""

    def record(self, metadata_id: int) -> tuple[int, list[int]]:
        """Return code and operands of a record."""

    def find(self, metadata_id: int) -> tuple[int, list[int]]:
        """Return code and operands of a record; 0 and an empty list if no record has that id."""

    def modern(self, metadata_id: int) -> list[int]:
        """Return the operands of a record of debug information in LLVM 22's order."""

    def text(self, metadata_id: int) -> str | None:
        """Return the text of a string of a STRINGS record; None for other ids."""

    def without_bits(self, metadata_ids: list[int], bits: int) -> list[int]:
        """Return the ids of records whose first operand lacks all bits of a mask."""

    def by_code(self, codes: Iterable[int]) -> dict[int, list[int]]:
        """Return the ids of the records of some codes, in order, without codes that no record has."""

    def rewrite(self, metadata_id: int, code: int, operands: list[int]) -> None:
        """Replace a record."""

    def add(self, code: int, operands: list[int], like: int) -> int:
        """Add a record with the place of another one, and return its id."""

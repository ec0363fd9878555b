"""The hash of a module, by which ThinLTO's cache finds the object file of the module.

The hash is computed from the bytes that are written, so it follows every change.  As in LLVM's writer, it is SHA-1 over
the names that records of comdats and globals have in the string table, in the order of the records, and then over the
body of MODULE_BLOCK up to the record of the hash.  `llvm-bcanalyzer -check-hash=NAMES` verifies it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.globals import name_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["NO_HASH", "ModuleHasher", "hash_of_module", "hashed_names"]

NO_HASH = (0,) * 5
"""The hash of a module that no cache shall contain."""
_WORD_SIZE = 4


class ModuleHasher:
    """Computes the hash of a module whose body is added piece by piece.

    Args:
        names: the names in the string table, in the order of their records.
    """

    def __init__(self, names: Iterable[bytes]) -> None:
        from hashlib import sha1  # noqa: PLC0415 - most modules have no hash

        self._digest = sha1(usedforsecurity=False)
        for name in names:
            self._digest.update(name)

    def add(self, body: bytes | memoryview) -> None:
        """Add the next bytes of MODULE_BLOCK."""
        self._digest.update(body)

    def words(self) -> list[int]:
        """Return the hash of everything added so far, as the operands of its record."""
        words = self._digest.digest()
        return [int.from_bytes(words[at : at + _WORD_SIZE], "big") for at in range(0, len(words), _WORD_SIZE)]


def hash_of_module(old: Sequence[int], names: Iterable[bytes], body: bytes) -> Sequence[int]:
    """Return the operands of the record of the hash.

    Args:
        old: the operands that the module had.  Zeros, which keep the module out of caches, stay zeros.
        names: the names in the string table, in the order of their records.
        body: the content of MODULE_BLOCK before the record.
    """
    if not any(old):
        return NO_HASH
    hasher = ModuleHasher(names)
    hasher.add(body)
    return hasher.words()


def hashed_names(records: Iterable[tuple[int, Sequence[int]]], strings: bytes | memoryview) -> Iterator[bytes]:
    """Yield the names that records of MODULE_BLOCK have in a string table.

    Args:
        records: code and operands of each record.
        strings: the string table.
    """
    for code, operands in records:
        for offset, size in name_places(code, operands):
            yield bytes(strings[offset : offset + size])

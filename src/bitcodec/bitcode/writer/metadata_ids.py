"""Ids of metadata, and the order in which they are assigned.  Rules: docs/reference/writer.md, 11.7."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.ir.metadata import MDNode, MDString, ValueAsMetadata
from bitcodec.object_numbers import ObjectNumbers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.constants import Constant

__all__ = ["MODULE", "NO_METADATA", "Key", "MetadataIds"]

Key: TypeAlias = "str | Constant | MDNode"
"""Key of metadata that has an id: a string by its text, a constant, a node."""

NO_METADATA = -1
"""Replaces the id of absent metadata; records have the next number, 0, for it."""

MODULE = 0
"""Tag of module-level metadata; functions are counted from 1."""


class MetadataIds:
    """Ids of metadata by `Key`; other forms of the same are found by it.

    Args:
        constants: creates the constants of integers.

    Attributes:
        texts: ids of strings.
        objects: ids of nodes, constants, and entities of the function that is being written.
    """

    def __init__(self, constants: ConstantTable) -> None:
        self.texts: dict[str, int] = {}
        self.objects = ObjectNumbers()
        self._constants = constants
        self._integers: dict[int, Constant] = {}
        self._i64 = constants.types.integer(64)

    def key(self, metadata: Any) -> Any:
        """Return the key of metadata, of the text of a string, or of an integer that is a constant `i64`.

        It is None for a wrapper of a deleted value.
        """
        kind = type(metadata)
        if kind is MDString:
            return metadata.text
        if kind is int:
            found = self._integers.get(metadata)
            if found is None:
                found = self._integers[metadata] = self._constants.integer(self._i64, metadata)
            return found
        return metadata.value if isinstance(metadata, ValueAsMetadata) else metadata

    def get(self, key: Any) -> int | None:
        """Return the id of a key, None without one."""
        return self.texts.get(key) if type(key) is str else self.objects.get(key)

    def __getitem__(self, metadata: Any) -> int:
        key = self.key(metadata)
        if key is None:
            return NO_METADATA
        found = self.get(key)
        return self._find_missing(key) if found is None else found

    def __contains__(self, key: object) -> bool:
        return self.get(key) is not None

    def __setitem__(self, key: Key, number: int) -> None:
        if isinstance(key, str):
            self.texts[key] = number
        else:
            self.objects[key] = number

    def __delitem__(self, key: object) -> None:
        if isinstance(key, str):
            del self.texts[key]
        else:
            del self.objects[key]

    def __len__(self) -> int:
        return len(self.texts) + len(self.objects)

    def setdefault(self, key: Any, number: int) -> None:
        """Give an id to a key without one."""
        if key not in self:
            self[key] = number

    def add_all(self, keys: Iterable[Key], number: int) -> None:
        """Give ids to keys, from a number on; strings are the first of them."""
        texts, others = _split(keys)
        self.texts.update(zip(texts, count(number), strict=False))
        self.objects.add_all(others, number + len(texts))

    def forget(self, keys: Iterable[Key]) -> None:
        """Take the ids from the keys that got theirs last."""
        texts, others = _split(keys)
        for text in texts:
            del self.texts[text]
        self.objects.truncate(len(self.objects) - len(others))

    def _find_missing(self, key: Key) -> int:
        """Return the id of a key that got none so far.

        Raises:
            KeyError: it has no id.
        """
        raise KeyError(key)


def _split(keys: Iterable[Key]) -> tuple[list[str], list[Key]]:
    """Return the strings, which come first, and the other keys."""
    others = [*keys]
    texts: list[str] = []
    for key in others:
        if not isinstance(key, str):
            break
        texts.append(key)
    return texts, others[len(texts) :]

"""Result of every container format: the parts of a file that may contain a bitstream."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bitcodec.errors import ContainerError
from bitcodec.printing import one_line

__all__ = ["Part", "disjoint", "readable"]

_NAME_LIMIT = 200
"""Longest name shown, in bytes: names end up in paths and one-line messages, and a file may share one among members."""


@dataclass(frozen=True, slots=True)
class Part:
    """An archive member, a section, a slice or an image.

    Attributes:
        name: its usual name.
        start: offset of its bytes in the container.
        size: how many bytes it has.
        hollow: empty, or the problem of a place that was made for a bitstream and holds none; it continues a
            sentence that begins with the name.
    """

    name: str
    start: int
    size: int
    hollow: str = ""


def disjoint(parts: Iterable[Part]) -> list[Part]:
    """Return the parts in the order given; raise ContainerError when two share a byte.

    A small file whose parts overlap could otherwise request any amount of work.
    """
    found = list(parts)
    end, last = 0, ""
    for part in sorted((part for part in found if part.size), key=lambda part: part.start):
        if part.start < end:
            raise ContainerError(f"{last} and {part.name} overlap at byte {part.start}")
        end, last = part.start + part.size, part.name
    return found


def readable(name: bytes) -> str:
    """Return a name as one line of text; of a very long one, its end."""
    if len(name) > _NAME_LIMIT:
        name = b"..." + name[-_NAME_LIMIT:]
    return one_line(name.decode("utf-8", "surrogateescape"))

"""How types are spelled in assembly text, in bounded time and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.errors import BitcodecError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bitcodec.ir.types import StructType, Type
    from bitcodec.object_numbers import ObjectTexts

__all__ = ["Spelling", "abbreviate"]

_NONE: Mapping[Any, str] = {}
_BRIEF = 80
"""Characters that a spelling has at most in messages."""
_MAX_CHARACTERS = 1 << 20
_MAX_CHARACTERS_PER_PART = 64
"""Characters that a spelling has at most: so many, or so many for each part of the distinct types inside."""

_MAX_PIECES = 1 << 12
"""Pieces of a spelling that are held at once: they are short, and take more memory than their text."""


class Spelling:
    """Spells types.

    Lengths are computed before texts are made, once for each distinct type: types that share their parts can describe
    in few bytes a text that no memory holds.

    Args:
        numbers: the numbers of identified structs without a name; if None, their bodies are spelled.
        enough: the number of characters after which a spelling may end; None if all of it is needed.
        others: spellings of pointers that differ, by the usual one.
    """

    __slots__ = ("_enough", "_lengths", "_numbers", "_others", "_parts")

    def __init__(
        self,
        numbers: Mapping[StructType, int] | None = None,
        enough: int | None = None,
        others: Mapping[str, str] = _NONE,
    ) -> None:
        self._numbers = numbers
        self._enough = enough
        self._others = others
        self._lengths: dict[Type, int] = {}
        self._parts = 0

    def spell(self, type: Type, known: Mapping[Type, str] | ObjectTexts = _NONE) -> str:
        """Return the spelling of a type.

        Args:
            type: the type.
            known: spellings made before, to be used for the types inside.

        Raises:
            BitcodecError: it is too long.
        """
        if self._enough is None:
            self.length(type)
        return self._join((type,), known)

    def spell_body(self, struct: StructType, known: Mapping[Type, str] | ObjectTexts = _NONE) -> str:
        """Return the spelling of the elements of a struct.

        Raises:
            BitcodecError: it is too long.
        """
        pieces = struct._body_pieces()
        if self._enough is None:
            self._check(sum([len(piece) if isinstance(piece, str) else self.length(piece) for piece in pieces]))
        return self._join(pieces, known)

    def length(self, type: Type) -> int:
        """Return the number of characters of the spelling of a type.

        Raises:
            BitcodecError: it is too long.
        """
        if self._enough is not None:
            return len(self._join((type,), _NONE))
        lengths = self._lengths
        pending = [type]
        while pending:
            current = pending[-1]
            if current in lengths:
                pending.pop()
                continue
            pieces = self._pieces(current)
            missing = [piece for piece in pieces if not isinstance(piece, str) and piece not in lengths]
            if missing:
                pending += missing
                continue
            self._parts += len(pieces)
            size = sum([len(piece) if isinstance(piece, str) else lengths[piece] for piece in pieces])
            self._check(size)
            lengths[current] = size
            pending.pop()
        return lengths[type]

    def _check(self, size: int) -> None:
        most = max(_MAX_CHARACTERS, _MAX_CHARACTERS_PER_PART * self._parts)
        if size > most:
            raise BitcodecError(
                f"a type cannot be spelled: its text has more than {most} characters; "
                "`bitcodec dump` shows the records of types"
            )

    def _pieces(self, type: Type) -> Sequence[str | Type]:
        if type.is_numbered and self._numbers is not None:
            return (f"%{self._numbers[type]}",)  # type: ignore[index] # only structs are numbered
        pieces = type._pieces()
        if self._others and len(pieces) == 1:
            (piece,) = pieces
            return (self._others.get(piece, piece) if isinstance(piece, str) else piece,)
        return pieces

    def _join(self, pieces: Sequence[str | Type], known: Mapping[Type, str] | ObjectTexts) -> str:
        done: list[str] = []
        joined: list[str] = []
        pending = list(reversed(pieces))
        # Pieces are not empty.
        most = _MAX_PIECES if self._enough is None else min(_MAX_PIECES, self._enough)
        while pending:
            piece = pending.pop()
            if isinstance(piece, str):
                done.append(piece)
                if len(done) > most:
                    joined.append("".join(done))
                    done.clear()
                    if self._enough is not None:
                        break
            elif piece in known:
                done.append(known[piece])
            else:
                pending += reversed(self._pieces(piece))
        return "".join(joined + done)


def abbreviate(type: Type) -> str:
    """Return the spelling of a type, cut off after a number of characters."""
    text = ""
    pending: list[Iterator[str | Type]] = [iter((type,))]
    while pending and len(text) <= _BRIEF:
        piece = next(pending[-1], None)
        if piece is None:
            pending.pop()
        elif isinstance(piece, str):
            text += piece
        else:
            pending.append(iter(piece._pieces()))
    return text if len(text) <= _BRIEF else f"{text[:_BRIEF]}..."

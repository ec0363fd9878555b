"""Boundary of the reader: exceptions raised inside become errors with a place.

Handlers of records raise `Malformed`, and `Records.placed` gives that the place of the record.  Where a check is
missing, or code is wrong, an IndexError or the like becomes an `InternalError` with the place of the block here.
"""

from __future__ import annotations

import functools
from struct import error as StructError  # noqa: N812 - a class, whatever its name
from typing import TYPE_CHECKING, Any, TypeVar

from bitcodec.bitcode import foreign
from bitcodec.bitcode.malformed import Malformed
from bitcodec.errors import BitcodecError, BitcodeError, InternalError
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.bitcode.reader.blocks import BlockPlace
    from bitcodec.sentences import Sentence

__all__ = ["Boundary", "guards"]

_FOREIGN = (
    Malformed,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    StopIteration,
    StructError,
    TypeError,
    ValueError,
)
"""Exceptions of code that trusts malformed input, or is wrong; not MemoryError, and exceptions that end a process."""

_CO_GENERATOR = 0x20

T = TypeVar("T")


class Boundary:
    """A context in which `Malformed` becomes a `BitcodeError`, and a foreign exception an `InternalError`.

    Args:
        place: the block.
    """

    __slots__ = ("_place",)

    def __init__(self, place: BlockPlace) -> None:
        self._place = place

    def __enter__(self) -> None:
        pass

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, _FOREIGN):
            self.convert(error)

    def convert(self, error: Exception) -> None:
        """Raise the error that replaces an exception; return if it may pass unchanged."""
        if isinstance(error, Malformed):
            raise self._refusal(error.reason) from error
        if foreign.ARE_REFUSED and not isinstance(error, BitcodecError):
            found = self._refusal(Reason.EXCEPTION(problem=foreign.reason_of(error)))
            raise InternalError(Reason.INTERNAL(problem=found.reason), found.bit_offset, found.block_path) from error

    def _refusal(self, reason: Sentence) -> BitcodeError:
        """Return the error with its place."""
        place = self._place
        return BitcodeError(reason, place.start, (*place.path, place.id))


def guards(*names: str) -> Callable[[type[T]], type[T]]:
    """Return a decorator of a class that has a `place`: the named methods become a boundary of it."""

    def decorate(kind: type[T]) -> type[T]:
        for name in names:
            method: Any = getattr(kind, name)
            setattr(kind, name, _guarded_steps(method) if _is_generator(method) else _guarded(method))
        return kind

    return decorate


def _is_generator(method: Any) -> bool:
    # As `inspect.isgeneratorfunction`; that module takes longer to import than a small module to read.
    return bool(method.__code__.co_flags & _CO_GENERATOR)


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(self: Any, *arguments: Any) -> Any:
        try:
            return method(self, *arguments)
        except _FOREIGN as error:
            Boundary(self.place).convert(error)
            raise

    return call


def _guarded_steps(method: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    @functools.wraps(method)
    def call(self: Any, *arguments: Any) -> Iterator[Any]:
        with Boundary(self.place):
            yield from method(self, *arguments)

    return call

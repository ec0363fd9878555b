"""Boundary of the writer: everything that cannot be written raises an `EncodingError` that names the part."""

from __future__ import annotations

from struct import error as StructError  # noqa: N812 - a class, whatever its name
from typing import TYPE_CHECKING

from bitcodec.bitcode import foreign
from bitcodec.errors import BitcodecError, EncodingError
from bitcodec.ir.metadata import Metadata
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.types import Type
from bitcodec.ir.values import Value
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from types import TracebackType

    from bitcodec.sentences import Sentence

__all__ = ["writing"]

_FOREIGN = (ArithmeticError, AttributeError, LookupError, RecursionError, StructError, TypeError, ValueError)
"""Exceptions that a module raises whose parts do not fit together; arguments of callers are not used here."""
_MAX_TEXT = 200


class writing:  # noqa: N801 - used as a function in `with` statements
    """A context in which foreign exceptions become `EncodingError`s.

    Args:
        part: the part of the module that is written there, such as "the body of @f".
    """

    __slots__ = ("_part",)

    def __init__(self, part: str) -> None:
        self._part = part

    def __enter__(self) -> None:
        """Begin the part."""

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        """End the part.

        Raises:
            EncodingError: the part cannot be written.
        """
        if not isinstance(error, _FOREIGN) or isinstance(error, BitcodecError):
            return
        reason = _reason_of(self._part, error)
        if foreign.ARE_REFUSED or reason.identity is Reason.METADATA_OPERAND:
            raise EncodingError(reason) from error


def _reason_of(part: str, error: Exception) -> Sentence:
    """Return why a part was not written: it refers to an object without a number, or there is a fault here."""
    missing = error.args[0] if isinstance(error, KeyError) and error.args else None
    if isinstance(missing, MetadataAsValue):
        # LLVM reads such operands, and its verifier refuses them.
        return Reason.METADATA_OPERAND(part=part)
    if isinstance(missing, (Value, Metadata, Type)):
        return Reason.OUTSIDE_MODULE(part=part, missing=repr(missing)[:_MAX_TEXT])
    return Reason.INTERNAL_WRITING(part=part, problem=foreign.reason_of(error))

"""Boundary of the writer: everything that cannot be written raises an `EncodingError` that names the part."""

from __future__ import annotations

from struct import error as StructError  # noqa: N812 - a class, whatever its name
from typing import TYPE_CHECKING

from bitcodec.bitcode import foreign
from bitcodec.errors import BitcodecError, EncodingError
from bitcodec.ir.metadata_values import MetadataAsValue

if TYPE_CHECKING:
    from types import TracebackType

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
        if foreign.ARE_REFUSED or _is_of_metadata(error):
            raise EncodingError(f"{self._part} {_reason_of(error)}") from error


def _is_of_metadata(error: Exception) -> bool:
    """Return whether metadata has no number because an instruction other than a call has it for an operand.

    LLVM reads such operands, and its verifier refuses them.
    """
    return isinstance(error, KeyError) and bool(error.args) and isinstance(error.args[0], MetadataAsValue)


def _reason_of(error: Exception) -> str:
    if _is_of_metadata(error):
        return "has metadata as an operand of an instruction that is not a call"
    if isinstance(error, KeyError):
        missing = repr(error.args[0] if error.args else None)[:_MAX_TEXT]
        return f"refers to {missing}, which the module does not contain"
    return f"cannot be written: {foreign.reason_of(error)}"

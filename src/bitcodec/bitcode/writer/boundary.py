"""Where the writer ends: what cannot be written is refused by an `EncodingError` that names the part."""

from __future__ import annotations

from contextlib import contextmanager
from struct import error as StructError  # noqa: N812 - a class, whatever its name
from typing import TYPE_CHECKING

from bitcodec.bitcode import foreign
from bitcodec.errors import BitcodecError, EncodingError
from bitcodec.ir.metadata_values import MetadataAsValue

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["writing"]

_FOREIGN = (ArithmeticError, AttributeError, LookupError, RecursionError, StructError, TypeError, ValueError)
"""Exceptions that a module raises whose parts do not fit together; arguments of callers are not used here."""
_MAX_TEXT = 200


@contextmanager
def writing(part: str) -> Iterator[None]:
    """Return a context in which foreign exceptions become `EncodingError`s.

    Args:
        part: the part of the module that is written there, such as "the body of @f".

    Raises:
        EncodingError: the part cannot be written.
        BitcodecError: as raised inside.
    """
    try:
        yield
    except BitcodecError:
        raise
    except _FOREIGN as error:
        if not foreign.ARE_REFUSED and not _is_of_metadata(error):
            raise
        raise EncodingError(f"{part} {_reason_of(error)}") from error


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

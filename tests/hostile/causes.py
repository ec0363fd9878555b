"""The cause of a failure: the type of the exception, and the deepest frame of the package."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class Cause(NamedTuple):
    """What failures with one cause have in common.

    Attributes:
        kind: name of the type of the exception, or of the limit that was passed.
        frame: file, line and function where it was raised; "" if there is none.
    """

    kind: str
    frame: str = ""

    def __str__(self) -> str:
        return f"{self.kind} at {self.frame}" if self.frame else self.kind


def cause_of(error: BaseException) -> Cause:
    """Return the cause of an exception; frames of compiled files count too."""
    frame = inner = ""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        inner = f"{_short(code.co_filename)}:{trace.tb_lineno} in {code.co_name}"
        if _is_in_package(code.co_filename):
            frame = inner
        trace = trace.tb_next
    return Cause(type(error).__name__, frame or inner)


def _is_in_package(filename: str) -> bool:
    # A compiled file knows itself by the path that it was compiled from.
    return "bitcodec/" in filename and "/tests/" not in filename


def _short(filename: str) -> str:
    return filename.rpartition("bitcodec/")[2] if _is_in_package(filename) else Path(filename).name

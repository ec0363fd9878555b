"""Proves, for tests, that what was written reads back as what was to be written.

It is on if the environment has BITCODEC_PROVE=1, or if a test sets `IS_ON`; else it costs nothing.
"""

from __future__ import annotations

import os
import re
import sys
from functools import partial
from typing import TYPE_CHECKING

from bitcodec.errors import BitcodecError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.module import Module

__all__ = ["IS_ON", "compared_lines", "prove_module", "prove_stream"]

IS_ON = os.environ.get("BITCODEC_PROVE") == "1"
_NOT_COMPARED = ("; ModuleID", "target datalayout", "^")
"""Beginnings of lines.  Summaries (`^`) are kept as they were read, whatever becomes of the module."""
_DEBUG_INFO_VERSION = "Debug Info Version"
_NEWEST_DEBUG_INFO = 3
_NAME_OF_VOID = re.compile(r"^( +)%[^ ]+ = (?=(?:tail |musttail |notail )?call void )")
"""LLVM's upgrades leave names on calls that have become void.  They are printed as there, but no file can hold them."""
_MAX_LINES = 20


def prove_module(module: Module, data: bytes, *, is_copied: bool) -> None:
    """Check that bitcode says what the module says that it was made of, and has correct offsets.

    A process of its own reads what has not been read of the module, so that here it stays unread.

    Args:
        module: the module.
        data: the bitcode.
        is_copied: whether parts were copied: then it has to say what the module says when all of it is written.

    Raises:
        AssertionError: it does not.
    """
    _in_child(lambda: _compare(partial(_text_as_written if is_copied else _text_as_read, module), data))


def prove_stream(before: bytes, after: bytes) -> None:
    """Check that offsets are correct, and that correcting them has changed no text.

    Raises:
        AssertionError: it has.
    """
    _require_offsets(after)
    _compare(partial(_text_of, before), after)


def _compare(expected: Callable[[], list[str]], data: bytes) -> None:
    try:
        wanted = expected()
    except BitcodecError:
        return  # what is malformed is copied as it is, wrong offsets too
    _require_offsets(data)
    try:
        found = _text_of(data)
    except BitcodecError as error:
        raise AssertionError(f"what was written cannot be read: {error}") from error
    if wanted != found:
        import difflib  # noqa: PLC0415 - a proof that succeeds needs none

        difference = difflib.unified_diff(wanted, found, "module", "read back", n=0, lineterm="")
        lines = "\n".join([*difference][:_MAX_LINES])
        raise AssertionError(f"what was written reads back as another module:\n{lines}")


def _require_offsets(data: bytes) -> None:
    from bitcodec.bitcode.offsets import relocated  # noqa: PLC0415 - the writer need not wait for it

    _require(relocated(data) == data, "the offsets of what was written are wrong")


def _require(condition: bool, message: str) -> None:  # noqa: FBT001 - as `assert`, which -O leaves out
    if not condition:
        raise AssertionError(message)


def _text_of(data: bytes) -> list[str]:
    """Return the lines of the text of bitcode."""
    from bitcodec.bitcode.loading import load_all  # noqa: PLC0415

    return [line for module in load_all(data) for line in compared_lines(str(module))]


def _text_as_written(module: Module) -> list[str]:
    from bitcodec.bitcode.writer.module import written  # noqa: PLC0415

    return _text_of(written(module))


def _text_as_read(module: Module) -> list[str]:
    version = module.flags.integer(_DEBUG_INFO_VERSION)
    lines = compared_lines(str(module))
    if version != _NEWEST_DEBUG_INFO and (version is not None or any(map(_has_debug_info, lines))):
        raise BitcodecError("debug information of another version, or of none, is dropped when it is read")
    if any(line.startswith("!nvvm.annotations = ") for line in lines) and any(map(_has_lost_its_global, lines)):
        raise BitcodecError("annotations of no global are dropped when they are read")
    return lines


def _has_debug_info(line: str) -> bool:
    return "!DI" in line or "!dbg" in line or "!llvm.dbg." in line


def _has_lost_its_global(line: str) -> bool:
    return "!{null, " in line


def compared_lines(text: str) -> list[str]:
    """Return the lines of a module's text that writing and reading do not change: reading upgrades the data layout."""
    lines = [line for line in text.splitlines() if not line.startswith(_NOT_COMPARED)]
    return [_NAME_OF_VOID.sub(r"\1", line) for line in lines]


def _in_child(check: Callable[[], None]) -> None:
    """Run a check in a forked process; where there is none, in this one."""
    if sys.platform == "win32" or not hasattr(os, "fork"):
        check()
        return
    readable, writable = os.pipe()
    child = os.fork()
    if not child:
        try:
            check()
        except BaseException:  # noqa: BLE001 - the parent raises it
            import traceback  # noqa: PLC0415

            os.write(writable, traceback.format_exc().encode("utf-8", "backslashreplace")[-4096:])
        finally:
            os._exit(0)
    os.close(writable)
    with os.fdopen(readable, "rb") as pipe:
        message = pipe.read()
    os.waitpid(child, 0)
    _require(not message, message.decode("utf-8", "replace"))

"""Proves, for tests, that written bitcode reads back as the same module.

It is on if the environment has BITCODEC_PROVE=1, or if a test sets `IS_ON`; else it costs nothing.
"""

from __future__ import annotations

import os
import re
import sys
from functools import partial
from typing import TYPE_CHECKING

from bitcodec.errors import BitcodecError
from bitcodec.ir.construction.present import source_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.data_layout import DataLayout
    from bitcodec.ir.module import Module

__all__ = ["IS_ON", "expected_lines", "lines_as_read", "prove_copy", "prove_module", "prove_stream"]

IS_ON = os.environ.get("BITCODEC_PROVE") == "1"
_NOT_COMPARED = ("; ModuleID", "^")
"""Prefixes of lines.  Summaries (`^`) are kept unchanged even if the module changes."""
_NAME_OF_VOID = re.compile(r"^( +)%[^ ]+ = (?=(?:tail |musttail |notail )?call void )")
"""LLVM's upgrades leave names on calls that have become void.  They are printed as there, but no file can hold them."""
_MAX_LINES = 20


def prove_module(module: Module, data: bytes, *, is_copied: bool) -> None:
    """Check that bitcode reads back as the module that it was written from, and has correct offsets.

    A child process reads the unread parts of the module, so that they stay unread here, and upgrades the
    module as reading does.

    Args:
        module: the module.
        data: the bitcode.
        is_copied: whether parts were copied: then it must equal the module as written completely.

    Raises:
        AssertionError: the bitcode differs, or an offset is wrong.
    """
    if _layout_as_read(module) is None:
        return  # neither LLVM's reader nor this one accepts it
    if not is_copied and module.summary is not None and next(module.globals, None) is None:
        return  # an index of several modules has nothing but entries, which are not compared, and names no source
    if is_copied:
        _in_child(lambda: _compare(partial(_text_as_written, module), data, _original(module)))
    else:
        _in_child(lambda: _compare(partial(lines_as_read, module), data))


def prove_stream(before: bytes, after: bytes) -> None:
    """Check that offsets are correct, and that correcting them has changed no text.

    Raises:
        AssertionError: an offset is wrong, or the text has changed.
    """
    _require_offsets(after)
    _compare(partial(_text_of, before), after)


def prove_copy(original: bytes, data: bytes) -> None:
    """Check that the offsets of a changed copy are correct, if the offsets of the original stream are.

    Raises:
        AssertionError: an offset is wrong.
    """
    if _has_correct_offsets(original):
        _require_offsets(data)


def _original(module: Module) -> bytes:
    """Return the stream that a module was read from."""
    from bitcodec.bitcode.reader.module import ModuleReader  # noqa: PLC0415 - the writer need not wait for it

    reader = source_of(module)
    return bytes(reader.place.data) if isinstance(reader, ModuleReader) else b""


def _compare(expected: Callable[[], list[str]], data: bytes, original: bytes = b"") -> None:
    """Compare bitcode with a text.

    Args:
        expected: returns the text; raises `BitcodecError` if the module is malformed.
        data: the bitcode.
        original: the stream that parts were copied from.  Wrong offsets of metadata, which LLVM does without, are
            copied too.
    """
    prove_copy(original, data) if original else _require_offsets(data)
    try:
        wanted = expected()
    except BitcodecError:
        return
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
    _require(_has_correct_offsets(data), "the offsets of what was written are wrong")


def _has_correct_offsets(data: bytes) -> bool:
    from bitcodec.bitcode.offsets import relocated  # noqa: PLC0415 - the writer need not wait for it

    try:
        return relocated(data) == data
    except BitcodecError:
        return False


def _require(condition: bool, message: str) -> None:  # noqa: FBT001 - as `assert`, which -O leaves out
    if not condition:
        raise AssertionError(message)


def _text_of(data: bytes) -> list[str]:
    """Return the lines of the text of bitcode; copied parts may still name calls that have become void."""
    from bitcodec.bitcode.loading import loads_all  # noqa: PLC0415

    return [line for module in loads_all(data) for line in expected_lines(str(module))]


def _text_as_written(module: Module) -> list[str]:
    from bitcodec.bitcode.writer.module import write_module  # noqa: PLC0415

    return _text_of(write_module(module))


def lines_as_read(module: Module) -> list[str]:
    """Return the lines of text that a module will have when it has been written and read; it is changed as readers do.

    Raises:
        BitcodecError: an unread part is malformed.
    """
    module.materialize()
    _upgrade_as_read(module)
    return expected_lines(str(module))


def _layout_as_read(module: Module) -> DataLayout | None:
    """Return the data layout as readers auto-upgrade it for the target, None if it is malformed."""
    from bitcodec.ir.data_layout import DataLayout  # noqa: PLC0415
    from bitcodec.upgrade.data_layout import upgraded_data_layout  # noqa: PLC0415 - the writer need not wait

    try:
        return DataLayout(upgraded_data_layout(str(module.data_layout), module.target_triple))
    except ValueError:
        return None


def _upgrade_as_read(module: Module) -> None:
    """Change a module, of which everything has been read, as LLVM changes one that it reads.

    Written bitcode contains everything, but the next reader drops or upgrades some of it.
    """
    from bitcodec.bitcode.reader.upgrading import WITH_ANNOTATIONS  # noqa: PLC0415
    from bitcodec.ir.intrinsic_attributes import declared_attributes  # noqa: PLC0415
    from bitcodec.upgrade.calls import upgrade_intrinsics  # noqa: PLC0415
    from bitcodec.upgrade.debug_info_stripping import drop_other_debug_info  # noqa: PLC0415
    from bitcodec.upgrade.module_flags import upgrade_retain_release_marker  # noqa: PLC0415
    from bitcodec.upgrade.nvvm import upgrade_nvvm_annotations  # noqa: PLC0415

    module.data_layout = _layout_as_read(module) or module.data_layout
    for function in module.functions:
        function.attributes = declared_attributes(function.name, function.value_type) or function.attributes
    has_old_marker = upgrade_retain_release_marker(module.named_metadata, module.context)
    upgrade_intrinsics(module, has_old_marker=has_old_marker)
    if module.target_triple.partition("-")[0] in WITH_ANNOTATIONS:
        upgrade_nvvm_annotations(module)
    drop_other_debug_info(module)


def expected_lines(text: str) -> list[str]:
    """Return the lines of a module's text that survive writing and reading, in their form afterwards."""
    lines = (line for line in text.splitlines() if not line.startswith(_NOT_COMPARED))
    return [_NAME_OF_VOID.sub(r"\1", line) for line in lines]


def _in_child(check: Callable[[], None]) -> None:
    """Run a check in a forked process, for it changes the module; without `fork`, the check is left out."""
    if sys.platform == "win32" or not hasattr(os, "fork"):
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

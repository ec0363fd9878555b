"""Writing a module of which nothing but flags was changed."""

from __future__ import annotations

from bitcodec.cli.inputs import reported_in
from bitcodec.cli.outputs import write
from bitcodec.cli.problems import warn
from bitcodec.cli.rewriting import Opened, destination, save

__all__ = ["save_flags"]

_NEWEST = ("LLVM22", "bitcodec")


def save_flags(opened: Opened, output: str | None) -> None:
    """Write a module with the flags that it has now, all else bit for bit as it was where that can be done.

    Raises:
        Failure: it cannot be written.
    """
    from bitcodec.bitcode.editing.flag_changes import replace_flags  # noqa: PLC0415 - `--help` need not wait for it

    target = destination(opened, output)
    with reported_in(opened.file, opened.found):
        data = replace_flags(opened.module, opened.found.stream)
    if data is not None:
        write(target, data)
        return
    producer = opened.module.producer
    if not producer.startswith(_NEWEST):
        warn(
            f"{opened.file}: there is no room for these flags in it as it is: from {producer or 'old LLVM'} to LLVM 22"
        )
    save(opened, target)

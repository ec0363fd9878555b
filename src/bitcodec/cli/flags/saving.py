"""Writing a module of which nothing but flags was changed."""

from __future__ import annotations

from bitcodec.cli.inputs import reported_in
from bitcodec.cli.problems import Failure, warn, warn_of_ignored_debug_info
from bitcodec.cli.rewriting import Opened, encode

__all__ = ["encode_flags"]


def encode_flags(opened: Opened) -> bytes:
    """Return a module with the flags that it has now, everything else bit for bit unchanged where possible.

    Raises:
        Failure: it cannot be written.
    """
    from bitcodec.bitcode.editing.flag_changes import keep_debug_info, replace_flags  # noqa: PLC0415 - `--help` need not wait for it
    from bitcodec.tables.versions import MODEL  # noqa: PLC0415

    with reported_in(opened.file, opened.found):
        data = replace_flags(opened.module, opened.found.stream)
    if data is not None:
        return data
    if not keep_debug_info(opened.module):
        raise Failure(f"{opened.file}: rewriting it would lose the debug information that these flags make current")
    producer = opened.module.producer
    if not producer.startswith((f"LLVM{MODEL}", "bitcodec")):
        warn(
            f"{opened.file}: these flags need new records; "
            f"the module is rewritten from {producer or 'old LLVM'} to LLVM {MODEL}"
        )
    rewritten = encode(opened)
    warn_of_ignored_debug_info(opened.module)
    return rewritten

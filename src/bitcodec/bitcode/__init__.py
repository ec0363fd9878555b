"""LLVM IR in the bitstream container.  It knows the meaning of blocks and records, not how their bits are read.

>>> from bitcodec import bitcode, bitstream
>>> draft = bitstream.open("examples/hello.bc").edit()
>>> draft.block(8).record(2).text = "aarch64-unknown-linux-gnu"
>>> data = bitcode.dumps(draft)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bitcodec.bitstream import Draft

__all__ = ["dumps"]


def dumps(draft: Draft, *, keeps_symbols: bool = False) -> bytes:
    """Return a changed stream of LLVM IR, with correct offsets of its blocks.

    If anything has changed, the table of symbols for linkers is left out, because linkers make their own, and hashes of
    modules, by which ThinLTO's cache finds object files, become zeros.

    Args:
        draft: the stream.
        keeps_symbols: whether the table of symbols is kept, because nothing that it depends on has changed.

    Raises:
        EncodingError: an abbreviation cannot express a record, a block begins where no offset can point, or
            the symbol table of the original stream gives a function another body than the order of the bodies does.
        BitstreamError: the result is a malformed stream.
    """
    from bitcodec.bitcode import proving  # noqa: PLC0415 - who only reads need not wait for it
    from bitcodec.bitcode.offsets import check_pairs, relocated  # noqa: PLC0415
    from bitcodec.bitcode.stale_parts import remove_stale  # noqa: PLC0415
    from bitcodec.bitcode.writer.boundary import writing  # noqa: PLC0415
    from bitcodec.bitstream import loads  # noqa: PLC0415

    with writing("the stream"):
        check_pairs(draft.source)
        stream = loads(draft.dumps())
        data = remove_stale(relocated(bytes(stream.payload)), draft, keeps_symbols=keeps_symbols)
        if proving.IS_ON:
            proving.prove_stream(bytes(stream.payload), data)
        return data if stream.wrapper is None else draft.wrapped(data)

"""Names in bodies that are linked as records."""

from __future__ import annotations

import bitcodec
from bitcode import streams
from bitcodec.linker import link


def test_characters_of_names_that_are_extended_with_their_sign() -> None:
    """LLVM 22.1.8 prints this name for such a record."""
    signature = streams.types(streams.integer(32), streams.function_type(0, 0))
    body = streams.function_block(
        streams.constants(streams.set_type(0), streams.constant_integer(7)),
        streams.binary(2, 1),
        streams.ret(1),
        streams.block(14, streams.record(1, 3, 0x1E9, ord("x"))),
    )
    function = streams.record(8, 0, 1, 1, *[0] * 15)
    module = streams.block(8, streams.record(1, 2), signature, function, body)
    data = streams.stream(streams.identification(), module, streams.strtab("f"))
    linked = link([bitcodec.loads(data), bitcodec.parse_assembly("@y = global i32 1")])
    assert '%"\\E9x" = add i32 %0, 7' in str(bitcodec.loads(bitcodec.dumps(linked)))

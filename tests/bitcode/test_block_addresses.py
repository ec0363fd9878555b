"""Bodies without blocks, blocks without instructions, and addresses of blocks that are not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bitcodec
from bitcode import streams
from bitcode.streams import RET_VOID, record
from bitcodec import BitcodeError
from bitcodec.verifier import verify

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir import Module

VOID_FUNCTION, POINTER = 1, 2
DECLAREBLOCKS, BLOCKADDRESS = 1, 21


def with_address_of_block_1(*body: streams.Item) -> bytes:
    """Return a module with a function `f`, and a variable that holds the address of its second block."""
    return streams.stream(
        streams.identification(),
        streams.module(
            streams.types(streams.VOID, streams.function_type(0), streams.opaque_pointer()),
            streams.function(VOID_FUNCTION, is_declaration=0),
            record(7, POINTER, 3, 3, 0, 0, 0),
            streams.constants(streams.set_type(POINTER), record(BLOCKADDRESS, 1, 0, 1)),
            streams.value_symtab({0: "f", 1: "v"}),
            streams.block(12, *body),
        ),
    )


def body_of(count: int) -> bytes:
    return streams.stream(
        streams.identification(),
        streams.module(
            streams.types(streams.VOID, streams.function_type(0), streams.opaque_pointer()),
            streams.function(VOID_FUNCTION, is_declaration=0),
            streams.value_symtab({0: "f"}),
            streams.function_block(RET_VOID, blocks=count),
        ),
    )


@pytest.mark.parametrize("blocks", [0, 1])
@pytest.mark.parametrize("read", [bitcodec.Module.materialize, str, verify, bitcodec.dumps])
def test_an_address_of_a_block_that_is_not_there_is_refused(read: Callable[[Module], object], blocks: int) -> None:
    data = with_address_of_block_1(*[record(DECLAREBLOCKS, 1), RET_VOID][: 2 * blocks])
    with pytest.raises(BitcodeError, match=r"blockaddress"):
        read(bitcodec.loads(data))


def test_a_body_cannot_take_the_address_of_a_block_that_it_lacks() -> None:
    addresses = streams.constants(streams.set_type(POINTER), record(BLOCKADDRESS, 1, 0, 1))
    data = with_address_of_block_1(record(DECLAREBLOCKS, 2), addresses, streams.branch(1), RET_VOID)
    bitcodec.loads(data).materialize()
    wrong = streams.constants(streams.set_type(POINTER), record(BLOCKADDRESS, 1, 0, 2))
    data = with_address_of_block_1(record(DECLAREBLOCKS, 2), wrong, streams.branch(1), RET_VOID)
    with pytest.raises(BitcodeError, match="a blockaddress names block 2, but the function has 2"):
        bitcodec.loads(data).materialize()


def test_it_is_refused_too_if_the_body_has_been_read_before() -> None:
    module = bitcodec.loads(with_address_of_block_1())
    assert module.functions["f"].blocks == ()
    with pytest.raises(BitcodeError, match="@f has no blocks"):
        _ = module.global_variables["v"].initializer


@pytest.mark.parametrize("body", [[], [record(DECLAREBLOCKS, 1), RET_VOID]])
def test_llvm_refuses_it(body: list[streams.Item]) -> None:
    assert streams.llvm_dis_error(with_address_of_block_1(*body))


@pytest.mark.parametrize("count", [2, 65, 1000])
def test_blocks_without_instructions_are_written_and_read_again(count: int) -> None:
    module = bitcodec.loads(body_of(count), "-")
    written = bitcodec.dumps(module, copies_unchanged=False)
    assert bitcodec.print_assembly(bitcodec.loads(written, "-")) == bitcodec.print_assembly(module)
    assert len(module.functions["f"].blocks) == count


def test_there_is_a_limit_of_them() -> None:
    assert len(bitcodec.loads(body_of((1 << 16) + 1)).functions["f"].blocks) == (1 << 16) + 1
    with pytest.raises(BitcodeError, match="the body declares 100000 blocks, but has 2 records"):
        bitcodec.loads(body_of(100_000)).materialize()

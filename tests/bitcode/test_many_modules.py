"""Files of many tiny modules: little is kept of each, and their number is limited."""

from __future__ import annotations

import tracemalloc

import pytest

import bitcodec
from bitcode.streams import VOID, Item, function, function_block, function_type, integer, module, record, ret, strtab
from bitcode.streams import types as type_table
from bitcodec.bitcode import loading
from bitcodec.errors import ContainerError
from blowups import write_stream

MANY = 1000
MAX_BYTES_OF_A_MODULE = 15_000


def tiny() -> list[Item]:
    """Return what a small module consists of."""
    body = function_block(ret(1))
    return [type_table(integer(32), VOID, function_type(0, 0)), function(2, is_declaration=0), record(16, *b"a"), body]


def test_memory_of_modules_that_nobody_reads() -> None:
    data = write_stream(*(module() for _ in range(MANY)))
    bitcodec.loads_all(data)
    tracemalloc.start()
    try:
        modules = bitcodec.loads_all(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(modules) == MANY
    assert peak < MAX_BYTES_OF_A_MODULE * MANY


def test_each_of_many_modules_can_be_read() -> None:
    count = loading._MANY + 1
    alone = bitcodec.loads(write_stream(module(*tiny())))
    modules = bitcodec.loads_all(write_stream(*(module(*tiny()) for _ in range(count))))
    assert {str(opened) for opened in modules} == {str(alone)}
    assert "define i32 @0(i32 %0)" in str(alone)


def test_more_modules_than_memory_holds() -> None:
    most = loading._MAX_SMALL_MODULES
    assert len(bitcodec.loads_all(write_stream(*(module() for _ in range(most))))) == most
    with pytest.raises(ContainerError, match="too many to be opened at once"):
        bitcodec.loads_all(write_stream(*(module() for _ in range(most + most))))


def test_large_modules_are_not_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_MAX_SMALL_MODULES", 0)
    large = [strtab("x" * loading._BYTES_OF_A_MODULE), module()]
    assert len(bitcodec.loads_all(write_stream(*(large * 3)))) == 3
    with pytest.raises(ContainerError, match="3 modules in"):
        bitcodec.loads_all(write_stream(*(module() for _ in range(3))))

"""Text that a small file describes and no memory holds is refused; text that is long alone is printed."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest

import bitcodec
from bitcode.streams import (
    RET_VOID,
    VOID,
    call,
    function_block,
    function_type,
    integer,
    llvm_dis,
    metadata,
    module,
    opaque_pointer,
    record,
    strtab,
    types,
)
from bitcodec import BitcodecError
from bitcodec.asm import function_assembly, module_text
from bitcodec.diff import differences
from blowups import chain_of_constants, doubled_structs, global_of_each_struct, node, wide_integer, write_stream

from .test_hostile import decimal

OUT_OF_PROPORTION = "the text of the module is out of proportion to its bitcode"
TOO_LONG = "a type cannot be spelled"
LONG = 1 << 16


def calls_of_a_long_name() -> bytes:
    """Return a function that calls another of a long name many times."""
    table = types(VOID, opaque_pointer(), function_type(0))
    declared = [record(8, 0, LONG, 2, 0, 1, 0, 0, 0, 0, 0), record(8, LONG, 1, 2, 0, 0, 0, 0, 0, 0, 0)]
    body = [call(2, 2) for _ in range(2000)]
    return write_stream(module(table, *declared, function_block(*body, RET_VOID), version=2), strtab("x" * LONG + "f"))


def arguments_of_a_long_name() -> bytes:
    """Return a call that passes the address of a variable of a long name many times."""
    count = 2000
    table = types(VOID, opaque_pointer(), function_type(0), function_type(0, *[1] * count), integer(32))
    named = record(7, 0, LONG, 4, 2, 0, 0, 0, 0)
    declared = [record(8, LONG, 1, 3, 0, 1, 0, 0, 0, 0, 0), record(8, LONG + 1, 1, 2, 0, 0, 0, 0, 0, 0, 0)]
    body = [call(3, 2, *[3] * count), RET_VOID]
    return write_stream(module(table, named, *declared, function_block(*body), version=2), strtab("x" * LONG + "gf"))


def a_node_of_long_strings() -> bytes:
    """Return a node that has a long string many times."""
    return write_stream(
        module(
            types(integer(32)), metadata(record(1, "x" * LONG), node(*[0] * 2000), record(4, "named"), record(10, 1))
        )
    )


def many_nodes_of_a_long_string() -> bytes:
    """Return many nodes that have a long string."""
    nodes = [record(5, 1) for _ in range(2000)]
    return write_stream(
        module(types(integer(32)), metadata(record(1, "x" * LONG), *nodes, record(4, "n"), record(10, *range(1, 2001))))
    )


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "types in types": (lambda: doubled_structs(60), TOO_LONG),
    "constants in constants": (lambda: chain_of_constants(10_000), OUT_OF_PROPORTION),
    "variables of types in types": (lambda: global_of_each_struct(10_000), OUT_OF_PROPORTION),
    "calls": (calls_of_a_long_name, OUT_OF_PROPORTION),
    "arguments": (arguments_of_a_long_name, OUT_OF_PROPORTION),
    "operands of a node": (a_node_of_long_strings, OUT_OF_PROPORTION),
    "nodes": (many_nodes_of_a_long_string, OUT_OF_PROPORTION),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_text_out_of_proportion(kind: str) -> None:
    generate, reason = REFUSED[kind]
    opened = bitcodec.loads(generate())
    opened.materialize()
    tracemalloc.start()
    with pytest.raises(BitcodecError, match=reason):
        for _ in module_text(opened):
            pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100 << 20


def test_one_function_out_of_proportion() -> None:
    opened = bitcodec.loads(calls_of_a_long_name())
    with pytest.raises(BitcodecError, match=OUT_OF_PROPORTION):
        list(function_assembly(opened.functions["f"]))


@pytest.mark.parametrize("kind", ["types in types", "constants in constants"])
def test_differences_out_of_proportion(kind: str) -> None:
    generate, reason = REFUSED[kind]
    data = generate()
    with pytest.raises(BitcodecError, match=reason):
        list(differences(bitcodec.loads(data), bitcodec.loads(data)))


def test_what_was_built_has_no_limit() -> None:
    opened = bitcodec.loads(many_nodes_of_a_long_string())
    opened.materialize()
    opened.bitcode_size = None
    assert sum(map(len, module_text(opened))) > 2000 * LONG


def test_a_short_text_of_many_types() -> None:
    data = global_of_each_struct(200)
    assert str(bitcodec.loads(data)).count("\n") == 203


@pytest.mark.parametrize("width", [4096, 100_032])
def test_wide_integers(width: int) -> None:
    data = wide_integer(width)
    text = str(bitcodec.loads(data))
    assert text.split("@0")[1] == llvm_dis(data).split("@0")[1]


def test_an_enumerator_of_a_wide_integer() -> None:
    """Python refuses to make decimals of such numbers by `str`."""
    words = [2 for _ in range(1000)]
    enumerator = record(14, 4, 64_000, 1, *words)
    data = write_stream(module(types(integer(32)), metadata(record(1, "e"), enumerator, record(4, "n"), record(10, 1))))
    text = str(bitcodec.loads(data))
    number = sum(1 << 64 * index for index in range(1000))
    assert f'!DIEnumerator(name: "e", value: {decimal(number)})' in text

"""Modules that grow with a number, to find work and memory that grow faster.

Each generator returns bitcode; `STREAMS` lists them all, with a size that takes little time today.
"""

from __future__ import annotations

from collections.abc import Callable

from bitcode.streams import (
    VOID,
    Blob,
    Block,
    Item,
    Record,
    binary,
    branch,
    constant_integer,
    constants,
    function,
    function_block,
    function_type,
    integer,
    metadata,
    module,
    opaque_pointer,
    phi,
    record,
    ret,
    set_type,
    signed,
    strtab,
    struct_name,
    types,
    value_symtab,
    variable,
)
from bitcodec.bitstream.abbreviations import Abbreviation, blob, literal
from bitcodec.bitstream.writer import Writer


def write_stream(*blocks: Block) -> bytes:
    """Return a stream as `streams.stream` does, sooner."""
    writer = Writer()
    for block in blocks:
        _write(writer, block)
    return writer.getvalue()


def _write(writer: Writer, item: Item) -> None:
    if isinstance(item, Record):
        writer.record(item.code, item.operands)
    elif isinstance(item, Blob):
        abbreviation_id = writer.define(Abbreviation((literal(item.code), blob)))
        writer.record(item.code, abbreviation_id=abbreviation_id, blob=item.content)
    else:
        with writer.block(item.id, width=4):
            for inner in item.items:
                _write(writer, inner)


# Types


def pairs_of_pairs(depth: int) -> list[Record]:
    """Return anonymous structs of which each consists of the one before, twice."""
    return [integer(32), *(record(18, 0, inner, inner) for inner in range(depth))]


def doubled_structs(depth: int) -> bytes:
    """Return a variable of a type whose text doubles with each struct."""
    return write_stream(module(types(*pairs_of_pairs(depth)), variable(depth, is_constant=3), name_of(0)))


def name_of(value: int) -> Block:
    return value_symtab({value: "x"})


def global_of_each_struct(count: int) -> bytes:
    """Return a variable of each of structs that are nested in each other."""
    nested = [integer(32), *(record(18, 0, inner) for inner in range(count))]
    return write_stream(module(types(*nested), *(variable(number, is_constant=3) for number in range(count))))


def global_of_each_named_struct(count: int) -> bytes:
    """Return a variable of each of named structs that are nested in each other: their text is short."""
    nested = [item for inner in range(count) for item in (struct_name("t"), record(20, 0, inner))]
    return write_stream(
        module(types(integer(32), *nested), *(variable(number, is_constant=3) for number in range(count)))
    )


def chain_of_types(count: int) -> bytes:
    """Return structs that are nested in each other, and a variable of the outermost."""
    nested = [integer(32), *(record(18, 0, inner) for inner in range(count))]
    return write_stream(module(types(*nested), variable(count, is_constant=3)))


def chain_of_arrays(count: int) -> bytes:
    """Return arrays that are nested in each other, and a variable of the outermost."""
    nested = [integer(32), *(record(11, 1, inner) for inner in range(count))]
    return write_stream(module(types(*nested), variable(count, is_constant=3)))


# Bodies


def phi_of_many_edges(count: int) -> bytes:
    """Return a phi that has an instruction from each of many blocks, which a switch goes to."""
    table = [integer(32), VOID, function_type(0, 0), opaque_pointer()]
    numbers = constants(set_type(0), *(constant_integer(number) for number in range(count)))
    # Value 0 is the function, 1 its argument, then come the numbers.
    cases = (part for number in range(count) for part in (2 + number, 1 + number))
    body: list[Item] = [numbers, record(12, 0, count + 1, count + 1, *cases)]
    for number in range(count):
        body += [binary(count + 1 + number, count + 1 + number), branch(count + 1)]
    edges = [(signed(count - number), 1 + number) for number in range(count)]
    body += [phi(0, (signed(2 * count), 0), *edges), ret(1)]
    body_block = function_block(*body, blocks=count + 2)
    return write_stream(module(types(*table), function(2, is_declaration=0), body_block))


# Names


def one_name_for_many(count: int, size: int = 1 << 20) -> bytes:
    """Return globals that all have the same bytes of the string table for their name."""
    variables = [record(7, 0, size, 0, 3, 0, 0, 0, 0) for _ in range(count)]
    return write_stream(module(types(integer(32)), *variables, version=2), strtab("x" * size))


def overlapping_names(count: int, size: int = 1 << 20) -> bytes:
    """Return globals whose names are overlapping parts of the string table."""
    variables = [record(7, number, size, 0, 3, 0, 0, 0, 0) for number in range(count)]
    return write_stream(module(types(integer(32)), *variables, version=2), strtab("x" * (size + count)))


def same_names(count: int) -> bytes:
    """Return globals that all have the same short name."""
    variables = [record(7, 0, 1, 0, 3, 0, 0, 0, 0) for _ in range(count)]
    return write_stream(module(types(integer(32)), *variables, version=2), strtab("x"))


def intrinsics_of_a_long_type(count: int, depth: int = 12) -> bytes:
    """Return declarations of intrinsics whose names must spell one type."""
    prefix = "llvm.ssa.copy."
    declared = [record(8, 0, len(prefix) + 1 + n, depth + 1, 0, 1, 0, 0, 0, 0, 0) for n in range(count)]
    table = types(*pairs_of_pairs(depth), function_type(depth, depth))
    return write_stream(module(table, *declared, version=2), strtab(prefix + "x" * count))


# Constants


def chain_of_constants(count: int) -> bytes:
    """Return one array for each of types that are nested in each other."""
    nested = [integer(32), *(record(11, 1, inner) for inner in range(count))]
    numbers: list[Item] = [set_type(0), constant_integer(5)]
    for level in range(count):
        numbers += [set_type(level + 1), record(7, 1 + level)]
    return write_stream(
        module(types(*nested), variable(count, is_constant=3, initializer=count + 2), constants(*numbers))
    )


def chain_of_expressions(count: int) -> bytes:
    """Return one byte of address arithmetic on another, many times."""
    chain: list[Record] = [set_type(2), constant_integer(1), set_type(1)]
    last = 0
    for number in range(2, count + 2):
        chain.append(record(43, 0, 0, 1, last, 2, 1))
        last = number
    table = [integer(8), opaque_pointer(), integer(64)]
    return write_stream(
        module(
            types(*table),
            variable(1, is_constant=3, initializer=count + 2),
            constants(*chain),
        )
    )


def wide_integer(width: int) -> bytes:
    """Return an integer of many bits, all of its words different."""
    words = [(0x9E3779B97F4A7C15 * (number + 1)) % (1 << 63) for number in range(width // 64)]
    number = record(5, *(signed(word) for word in words))
    return write_stream(
        module(types(integer(width)), variable(0, is_constant=3, initializer=2), constants(set_type(0), number))
    )


# Metadata


def node(*references: int | None) -> Record:
    return record(3, *(0 if reference is None else reference + 1 for reference in references))


def chain_of_nodes(count: int) -> bytes:
    """Return nodes of which each refers to the next, the first of them named."""
    nodes = [*(node(number + 1) for number in range(count)), node()]
    return write_stream(module(types(integer(32)), metadata(*nodes, record(4, "named"), record(10, 0))))


def nodes_in_a_circle(count: int) -> bytes:
    """Return nodes of which each refers to the next, the last to the first."""
    nodes = [*(node(number + 1) for number in range(count)), node(0)]
    return write_stream(module(types(integer(32)), metadata(*nodes, record(4, "named"), record(10, 0))))


def chain_of_distinct_nodes(count: int) -> bytes:
    nodes = [*(record(5, number + 2) for number in range(count)), node()]
    return write_stream(module(types(integer(32)), metadata(*nodes, record(4, "named"), record(10, 0))))


def wide_nodes(count: int) -> bytes:
    """Return a node that refers to many."""
    nodes = [*(record(5) for _ in range(count)), node(*range(count))]
    return write_stream(module(types(integer(32)), metadata(*nodes, record(4, "named"), record(10, count))))


STREAMS: dict[str, tuple[Callable[[int], bytes], int]] = {
    "doubled structs": (doubled_structs, 15),
    "global of each struct": (global_of_each_struct, 500),
    "global of each named struct": (global_of_each_named_struct, 2000),
    "chain of types": (chain_of_types, 10_000),
    "chain of arrays": (chain_of_arrays, 10_000),
    "phi of many edges": (phi_of_many_edges, 2000),
    "one name for many": (lambda count: one_name_for_many(count, 1 << 16), 500),
    "overlapping names": (lambda count: overlapping_names(count, 1 << 16), 500),
    "same names": (same_names, 2000),
    "chain of constants": (chain_of_constants, 2000),
    "chain of expressions": (chain_of_expressions, 2000),
    "wide integer": (wide_integer, 500_032),
    "chain of nodes": (chain_of_nodes, 10_000),
    "nodes in a circle": (nodes_in_a_circle, 10_000),
    "chain of distinct nodes": (chain_of_distinct_nodes, 10_000),
    "wide nodes": (wide_nodes, 10_000),
}
"""Streams, and the smaller size that each is measured at."""

"""Deep, long and huge: modules that would break what follows their shape by recursion, or makes all they speak of."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

import bitcodec
from amounts import amount
from bitcodec import BitcodecError
from bitcodec.bitstream.writer import Writer
from bitcodec.ir.metadata import MDNode
from bitcodec.ir.module import Module

from .streams import (
    FLOAT,
    MUL,
    NULL,
    RET_VOID,
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
    types,
    variable,
)

MANY = amount(12_000, 100_000)
DEEP = amount(5_000, 20_000)
MOST_SECONDS = 10.0
"""Processor time; each takes a fraction of it, but not on every machine."""

ADD, XOR, TRUNC, PTRTOINT, INTTOPTR, BITCAST = 0, 12, 0, 9, 10, 11
UNDEF, POISON = record(3), record(26)


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < MOST_SECONDS


def written(*blocks: Block) -> bytes:
    """Return a stream as `streams.stream` does, sooner: modules here are large, and sound as bitstreams."""
    writer = Writer()
    for block in blocks:
        _write(writer, block)
    return writer.getvalue()


def _write(writer: Writer, item: Item) -> None:
    assert not isinstance(item, Blob)
    if isinstance(item, Record):
        writer.record(item.code, item.operands)
        return
    with writer.block(item.id, width=4):
        for inner in item.items:
            _write(writer, inner)


def read(table: list[Record], *items: Item) -> Module:
    made = bitcodec.loads(written(module(types(*table), *items)), "deep")
    made.materialize()
    return made


def reason(table: list[Record], *items: Item) -> str:
    """Return why a module is refused."""
    with pytest.raises(BitcodecError) as caught:
        read(table, *items)
    message = str(caught.value)
    assert len(message) < 1000
    assert "\n" not in message
    return message


def array(count: int, element: int) -> Record:
    return record(11, count, element)


def vector(count: int, element: int) -> Record:
    return record(12, count, element)


def struct(*elements: int) -> Record:
    return record(18, 0, *elements)


def alloca(allocated: int, size_type: int, size: int) -> Record:
    return record(19, allocated, size_type, size, 1 << 6)


# Types

SHAPES: dict[str, Callable[[int], Record]] = {
    "arrays": lambda inner: array(1, inner),
    "structs": struct,
    "doubled structs": lambda inner: struct(inner, inner),
    "pointers": lambda inner: record(8, inner),
    "pointers to functions": lambda inner: function_type(inner) if inner % 2 == 0 else record(8, inner),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_types_nested_deep(shape: str) -> None:
    table = [integer(32), *(SHAPES[shape](inner) for inner in range(DEEP))]
    made = read(table, variable(DEEP, is_constant=3))
    assert len(made.global_variables) == 1
    # A message that names such a type cuts it off.
    wrong = reason(table, variable(DEEP, is_constant=3, initializer=2), constants(set_type(DEEP), constant_integer(3)))
    assert wrong.startswith("INTEGER record: an integer constant cannot have type ")


@pytest.mark.parametrize("shape", ["arrays", "structs", "doubled structs"])
def test_layout_of_types_nested_deep(shape: str) -> None:
    depth = 60 if shape == "doubled structs" else DEEP
    table = [integer(32), *(SHAPES[shape](inner) for inner in range(depth)), opaque_pointer(), VOID]
    table.append(function_type(depth + 2))
    body = function_block(alloca(depth, 0, 1), RET_VOID)
    one = constants(set_type(0), constant_integer(1))
    made = read(table, function(depth + 3, is_declaration=0), one, body)
    allocated = made.functions[0].blocks[0].instructions[0]
    size = made.data_layout.alloc_size(allocated.allocated_type)  # type: ignore[attr-defined]
    assert size == (4 << 60 if shape == "doubled structs" else 4)


def test_arrays_of_arrays_too_large_for_any_memory() -> None:
    table = [integer(8), array(1 << 60, 0), array(1 << 60, 1), opaque_pointer(), VOID, function_type(4), integer(64)]
    numbers = [set_type(2), NULL, UNDEF, POISON, set_type(6), constant_integer(5)]
    address = [set_type(3), record(32, 2, 0, 3, 0, 6, 5, 6, 5, 6, 5)]
    body = [alloca(2, 6, 5), record(20, 1, 2, 1, 0), record(44, 2, 1, 1, 0), RET_VOID]
    holder = variable(2, is_constant=2, initializer=3)
    made = read(table, holder, function(5, is_declaration=0), constants(*numbers, *address), function_block(*body))
    assert made.data_layout.alloc_size(made.global_variables[0].value_type) == (1 << 120) % (1 << 64)
    assert made.global_variables[0].initializer is made.context.constants.null(made.global_variables[0].value_type)


def test_structs_that_hold_themselves() -> None:
    alone = [integer(32), record(19, "t"), record(20, 0, 1)]
    assert reason(alone).startswith("STRUCT_NAMED record: only a named struct can be used before its definition")
    # By way of an array of another.
    others = [array(2, 1), record(19, "t"), record(20, 0, 0)]
    assert reason(others).startswith("%t contains itself (bit ")
    # Another twice, which is not defined yet, is sound.
    twice = [integer(8), record(19, "t"), record(20, 0, 2, 2), record(19, "u"), record(20, 0, 0)]
    made = read(twice, variable(1, is_constant=3))
    assert made.data_layout.alloc_size(made.global_variables[0].value_type) == 2


# Constants


def test_constants_nested_deep() -> None:
    table = [integer(32), *(array(1, inner) for inner in range(DEEP))]
    inner_first = [set_type(0), constant_integer(5)]
    for level in range(DEEP):
        inner_first += [set_type(level + 1), record(7, 1 + level)]
    made = read(table, variable(DEEP, is_constant=3, initializer=DEEP + 2), constants(*inner_first))
    outer_first: list[Record] = []
    for level in range(DEEP, 0, -1):
        outer_first += [set_type(level), record(7, DEEP - level + 2)]
    outer_first += [set_type(0), constant_integer(5)]
    other = read(table, variable(DEEP, is_constant=3, initializer=2), constants(*outer_first))
    for module_ in (made, other):
        value = module_.global_variables[0].initializer
        depth = 0
        while value is not None and value.operands:
            value, depth = value.operands[0], depth + 1  # type: ignore[assignment]
        # The innermost array is kept as plain numbers.
        assert depth == DEEP - 1


def test_a_constant_that_is_part_of_itself() -> None:
    table = [integer(32), record(19, "t"), record(20, 0, 0)]
    message = reason(table, variable(1, is_constant=3, initializer=2), constants(set_type(1), record(7, 1)))
    assert message.startswith("AGGREGATE record: the constant is part of itself")


def _casts(number: int) -> list[Record]:
    if number == 0 or number % 2:
        return [set_type(2), record(11, PTRTOINT, 1, number)]
    return [set_type(1), record(11, INTTOPTR, 2, number)]


EXPRESSIONS: dict[str, Callable[[int], list[Record]]] = {
    "addresses": lambda number: [set_type(1), record(32, 0, 0, 1, number, 2, 1)],
    "casts": _casts,
    "operations": lambda number: [set_type(2), record(10, XOR, 1, number)],
}


@pytest.mark.parametrize("kind", EXPRESSIONS)
def test_long_chains_of_constant_expressions(kind: str) -> None:
    table = [integer(8), opaque_pointer(), integer(64)]
    # Value 0 is a variable, 1 a number that depends on it.
    chain = [set_type(2), record(11, PTRTOINT, 1, 0)]
    last = 0 if kind != "operations" else 1
    for number in range(2, DEEP + 2):
        chain += EXPRESSIONS[kind](last)
        last = number
    made = read(table, variable(0, is_constant=2), constants(*chain))
    assert len(made.global_variables) == 1


OLD_EXPRESSIONS = [integer(8), opaque_pointer(), integer(64), VOID, function_type(2)]


def _old_chain(length: int) -> Block:
    """Return constants of which each is the product of the one before with itself; they end with value `length + 1`."""
    products = [record(10, MUL, number, number) for number in range(2, length + 2)]
    return constants(set_type(2), record(11, PTRTOINT, 1, 0), *products)


def test_a_long_chain_of_old_expressions_in_an_instruction() -> None:
    made = read(
        OLD_EXPRESSIONS,
        variable(0, is_constant=2),
        function(4, is_declaration=0),
        _old_chain(DEEP),
        function_block(ret(1)),
    )
    assert len(made.functions[0].blocks[0].instructions) == DEEP + 1


def test_chains_in_many_instructions_have_a_limit() -> None:
    """Each use is made anew, so that the body would be of quadratic size."""
    count = 5000
    body = [*(binary(1 + number, 1 + number) for number in range(count)), ret(1)]
    message = reason(
        OLD_EXPRESSIONS,
        variable(0, is_constant=2),
        function(4, is_declaration=0),
        _old_chain(count),
        function_block(*body),
    )
    assert message.startswith("its constant expressions become too many instructions (bit ")
    assert message.endswith("block 8 > block 12)")


def test_old_expressions_on_many_edges_of_a_phi() -> None:
    edges = amount(2_000, 5_000)
    made = read(
        OLD_EXPRESSIONS,
        variable(0, is_constant=2),
        function(4, is_declaration=0),
        _old_chain(1),
        function_block(
            *(branch(edges) for _ in range(edges)),
            phi(2, *((signed(1), origin) for origin in range(edges))),
            ret(1),
            blocks=edges + 1,
        ),
    )
    blocks = made.functions[0].blocks
    assert len(blocks) == 2 * edges + 1
    joined = blocks[-1].instructions[0]
    assert joined.incoming_blocks == tuple(blocks[edges:-1])  # type: ignore[attr-defined]
    assert [block.terminator.operands[0] for block in blocks[:edges] if block.terminator] == list(blocks[edges:-1])


WIDE = [integer(32), vector(1 << 31, 0), opaque_pointer(), vector(4, 0), FLOAT, vector(1 << 31, 4)]
WIDE += [integer(1), vector(1 << 31, 6)]

VECTORS_REFUSED = {
    "one integer for all": [set_type(1), constant_integer(3)],
    "one number for all": [set_type(5), record(6, 3)],
    "too few numbers": [set_type(1), record(22, 1, 2, 3)],
    "elements in any order": [set_type(1), NULL, record(16, 1, 1, 1)],
}
VECTORS_READ = {
    "operations": [set_type(1), NULL, UNDEF, record(10, ADD, 1, 2), record(10, XOR, 2, 2), record(10, MUL, 1, 2)],
    "casts": [set_type(1), NULL, set_type(5), record(11, BITCAST, 1, 1), set_type(1), record(11, BITCAST, 5, 2)],
    "a few elements": [set_type(1), NULL, set_type(3), NULL, record(16, 1, 1, 2)],
    "an element": [set_type(1), NULL, set_type(0), constant_integer(3), set_type(1), record(15, 1, 2, 0, 2)],
    "comparisons": [set_type(1), NULL, UNDEF, set_type(7), record(17, 1, 1, 2, 32)],
}


@pytest.mark.parametrize("kind", VECTORS_REFUSED)
def test_vectors_that_no_memory_holds(kind: str) -> None:
    assert "2147483648" in reason(WIDE, variable(0, is_constant=2), constants(*VECTORS_REFUSED[kind])) or "numbers"


@pytest.mark.parametrize("kind", VECTORS_READ)
def test_vectors_that_need_no_memory(kind: str) -> None:
    assert len(read(WIDE, variable(0, is_constant=2), constants(*VECTORS_READ[kind])).global_variables) == 1


def test_shuffles_of_huge_vectors() -> None:
    table = [integer(32), VOID, function_type(1), vector(1 << 24, 0), vector(1 << 16, 0)]
    item = constants(set_type(3), NULL, set_type(4), NULL)
    large = function_block(record(8, 2, 2, 2), RET_VOID)
    assert "a shuffle mask cannot have type <16777216 x i32>" in reason(
        table, function(2, is_declaration=0), item, large
    )
    small = function_block(*(record(8, 1 + number, 1 + number, 1 + number) for number in range(50)), RET_VOID)
    assert len(read(table, function(2, is_declaration=0), item, small).functions[0].blocks[0].instructions) == 51


# Bodies


def test_a_phi_of_many_values_to_come() -> None:
    body = [branch(1), phi(0, *((signed(-number), 0) for number in range(MANY)))]
    body += [*(binary(1, 1) for _ in range(MANY)), ret(1)]
    table = [integer(32), VOID, function_type(0)]
    made = read(table, function(2, is_declaration=0), function_block(*body, blocks=2))
    _, loop = made.functions[0].blocks
    instructions = loop.instructions
    # All edges come from one block, so all take the value of the first, as in LLVM.
    assert instructions[0].operands == (instructions[0],) * MANY


def test_many_phis_of_one_value_to_come() -> None:
    body = [branch(1), *(phi(0, (signed(number - MANY), 0)) for number in range(MANY)), binary(1, 1), ret(1)]
    table = [integer(32), VOID, function_type(0)]
    made = read(table, function(2, is_declaration=0), function_block(*body, blocks=2))
    instructions = made.functions[0].blocks[1].instructions
    assert len(instructions[-2].users) == MANY + 1
    assert all(each.operands == (instructions[-2],) for each in instructions[:MANY])


def test_more_blocks_than_the_body_has_room_for() -> None:
    table = [integer(32), VOID, function_type(1)]
    message = reason(table, function(2, is_declaration=0), function_block(RET_VOID, blocks=0xFFFFFFFF))
    assert message.startswith("DECLAREBLOCKS record: the body declares 4294967295 blocks, but has 2 records")


# Metadata


def node(*references: int | None) -> Record:
    return record(3, *(0 if reference is None else reference + 1 for reference in references))


def chain(*records: Record) -> Module:
    """Read metadata of which the first record is named."""
    return read([integer(32)], metadata(*records, record(4, "named"), record(10, 0)))


CHAINS: dict[str, Callable[[], list[Record]]] = {
    "forwards": lambda: [*(node(number + 1) for number in range(MANY)), node()],
    "backwards": lambda: [node(MANY), node(), *(node(number) for number in range(1, MANY))],
    "distinct": lambda: [*(record(5, number + 2) for number in range(MANY)), node()],
    "in a circle": lambda: [*(node(number + 1) for number in range(MANY)), node(0)],
    "expressions": lambda: [*(record(37, 1, number + 2, 0) for number in range(MANY)), node()],
}


@pytest.mark.parametrize("kind", CHAINS)
def test_chains_of_metadata(kind: str) -> None:
    made = chain(*CHAINS[kind]())
    length = 0
    current: MDNode | None = made.named_metadata["named"].operands[0]
    seen: set[MDNode] = set()
    while current is not None and current not in seen:
        seen.add(current)
        following = current.operands[0] if current.operands else None
        assert following is None or isinstance(following, MDNode)
        current, length = following, length + 1
    assert length == MANY + 1


def test_a_node_that_refers_to_itself_many_times() -> None:
    made = chain(node(*[0] * MANY))
    (found,) = made.named_metadata["named"].operands
    assert found.operands == (found,) * MANY


def test_nodes_that_all_refer_to_all() -> None:
    count = 300
    made = chain(*(node(*range(count)) for _ in range(count)))
    (found,) = made.named_metadata["named"].operands
    assert len(found.operands) == count

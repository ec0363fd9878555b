"""The verifier asks each question once: its work goes with the size of a module, however that is connected."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

import bitcodec
from bitcode.streams import (
    RET_VOID,
    VOID,
    Record,
    binary,
    block,
    constant_integer,
    constants,
    function,
    function_block,
    function_type,
    integer,
    metadata,
    metadata_attachments,
    module,
    opaque_pointer,
    record,
    ret,
    set_type,
    types,
    variable,
)
from bitcodec.asm import kept_numbers
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import Constant
from bitcodec.ir.context import Context
from bitcodec.ir.globals import GlobalAlias
from bitcodec.ir.instructions import Phi
from bitcodec.ir.metadata import MDTuple
from bitcodec.ir.types import StructType, Type
from bitcodec.ir.values import Value
from bitcodec.printing import beginning_of
from bitcodec.verifier import Finding, alias_scopes, ranges, tbaa, verify
from blowups import (
    global_of_each_named_struct,
    global_of_each_struct,
    node,
    phi_of_many_edges,
    same_names,
    write_stream,
)

COUNT = 300


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any, str], list[object]]:
    """Count the calls of a function or the reads of a property."""

    def counting(owner: Any, name: str) -> list[object]:
        found: list[object] = []
        wrapped = vars(owner)[name]
        if isinstance(wrapped, property):

            def read(self: object) -> object:
                found.append(self)
                assert wrapped.fget is not None
                return wrapped.fget(self)

            monkeypatch.setattr(owner, name, property(read))
        else:

            def call(*arguments: object, **others: object) -> object:
                found.append(arguments)
                return wrapped(*arguments, **others)

            monkeypatch.setattr(owner, name, call)
        return found

    return counting


@pytest.mark.parametrize("generate", [global_of_each_struct, global_of_each_named_struct])
def test_variables_of_nested_types(generate: Callable[[int], bytes], calls: Any) -> None:
    opened = bitcodec.loads(generate(COUNT))
    opened.materialize()
    looks = calls(StructType, "element_types")
    assert verify(opened) == []
    assert COUNT <= len(looks) < 10 * COUNT


def test_globals_that_refer_to_a_chain_of_aliases(calls: Any) -> None:
    """Each variable is associated with the outermost of aliases of aliases."""
    variables = [variable(0, is_constant=3, initializer=0) for _ in range(COUNT)]
    aliases = [record(14, 0, 0, COUNT + number + 1, 0) for number in range(COUNT - 1)]
    innermost = record(14, 0, 0, 0, 0)
    attachments = [record(36, number, 0, 1) for number in range(COUNT)]
    nodes = metadata(record(2, 1, COUNT), node(0), *attachments)
    kinds = block(22, record(6, 0, "associated"))
    opened = bitcodec.loads(
        write_stream(module(types(integer(32), opaque_pointer()), *variables, *aliases, innermost, kinds, nodes))
    )
    opened.materialize()
    looks = calls(GlobalAlias, "aliasee")
    assert len([finding for finding in verify(opened) if "not associate to themselves" in finding.message]) == 1
    assert COUNT <= len(looks) < 20 * COUNT


class CountingPhi(Phi):
    """A phi that counts how often all its edges are read: attributes of an extension type cannot be replaced."""

    __slots__ = ()
    count: ClassVar[int] = 0

    @property
    def incoming_blocks(self) -> tuple[BasicBlock, ...]:
        CountingPhi.count += 1
        return super().incoming_blocks

    @property
    def incoming(self) -> tuple[tuple[Value, BasicBlock], ...]:
        CountingPhi.count += 1
        return super().incoming


def test_edges_of_a_phi(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = bitcodec.loads(phi_of_many_edges(COUNT))
    [phi] = [phi for function in opened.functions for block in function.blocks for phi in block.phis]
    phi.replace_with(CountingPhi(phi.type, phi.operands, phi.incoming_blocks))
    monkeypatch.setattr(CountingPhi, "count", 0)
    assert verify(opened) == []
    assert 0 < CountingPhi.count < 10


def test_texts_of_findings(calls: Any) -> None:
    """A function with many findings is numbered once for the texts of all."""
    table = types(integer(32), VOID, function_type(0, 0))
    forward = (1 << 32) - 1  # each instruction uses the one after it
    body = [record(2, forward, 0, 1, 0) for _ in range(COUNT)]
    opened = bitcodec.loads(
        write_stream(module(table, function(2, is_declaration=0), function_block(*body, binary(1, 1), ret(1))))
    )
    findings = verify(opened)
    numberings = calls(kept_numbers, "local_names")
    kinds = calls(kept_numbers, "kind_numbers")
    assert len(findings) == COUNT
    assert numberings == []
    assert [str(finding) for finding in findings] == [
        f"function @, block %1: Instruction does not dominate all uses!: %{number} = add i32 %{number + 1}, %{before}"
        for number, before in enumerate([0, *range(2, COUNT + 1)], start=2)
    ]
    assert len(numberings) == len(kinds) == 1


def stores(kind: str, count: int, nodes: list[Record], *, first: int, step: int) -> bytes:
    """Return a function with many stores, to each of which a node is attached."""
    table = types(integer(32), VOID, opaque_pointer(), function_type(1, 2), integer(64))
    # The function is value 0, the constants follow, then the argument.
    numbers = [constant_integer(4 * number) for number in range(COUNT + 1)]
    held = constants(set_type(0), *numbers)
    value, pointer = COUNT + 1, 1
    body = [record(44, pointer, value, 0, 0) for _ in range(count)]
    attached = metadata_attachments(*(record(11, number, 0, first + step * number) for number in range(count)))
    kinds = [record(6, 0, kind)]
    code = function_block(*body, RET_VOID, attached)
    return write_stream(module(table, function(3, is_declaration=0), held, block(22, *kinds), metadata(*nodes), code))


def test_tags_of_one_struct(calls: Any) -> None:
    """Each store accesses another field of a struct with many."""
    # Nodes count on from the strings: 0 "root", 1 "int", 2 "s".
    strings = [record(1, "root"), record(1, "int"), record(1, "s")]
    offsets = [record(2, 0, 1 + number) for number in range(COUNT + 1)]  # nodes 3 to COUNT + 3
    zero = 3
    root, scalar, struct = COUNT + 4, COUNT + 5, COUNT + 6
    fields = [part for number in range(COUNT) for part in (scalar, zero + number)]
    nodes = [*strings, *offsets, node(0), node(1, root, zero), node(2, *fields)]
    tags = [node(struct, scalar, zero + number) for number in range(COUNT)]
    opened = bitcodec.loads(stores("tbaa", COUNT, [*nodes, *tags], first=struct + 1, step=1))
    opened.materialize()
    made = calls(tbaa, "_Field")
    assert [finding.message for finding in verify(opened)] == []
    assert COUNT <= len(made) < 5 * COUNT


def test_ranges_that_many_share(calls: Any) -> None:
    bounds = [record(2, 0, 1 + number) for number in range(COUNT)]
    nodes = [*bounds, node(*range(COUNT))]
    opened = bitcodec.loads(stores("noalias.addrspace", COUNT, nodes, first=COUNT, step=0))
    opened.materialize()
    made = calls(ranges, "_Range")
    assert verify(opened) == []
    assert len(made) == COUNT // 2


def test_scopes_that_many_share(calls: Any) -> None:
    domain, scopes = record(5, 1), [record(5, 2 + number, 1) for number in range(COUNT)]
    nodes = [domain, *scopes, node(*range(1, COUNT + 1))]
    opened = bitcodec.loads(stores("noalias", COUNT, nodes, first=COUNT + 1, step=0))
    opened.materialize()
    checks = calls(alias_scopes, "first_broken")
    assert verify(opened) == []
    assert len(checks) == COUNT


def long_parts() -> dict[str, Any]:
    """Return parts of modules by what makes their text long."""
    context = Context()
    types, constants = context.types, context.constants
    integer32 = types.integer(32)
    number = constants.integer(integer32, 5)
    nested: Type = integer32
    for _ in range(20_000):
        nested = types.struct([nested])
    wide = types.struct([integer32] * 20_000)
    deep: Constant = number
    for _ in range(200):
        deep = constants.aggregate(types.array(1, deep.type), [deep])
    bytes_ = types.array(60_000, types.integer(8))
    numbers = types.array(60_000, integer32)
    return {
        "nested type": constants.undef(nested),
        "wide type": constants.undef(wide),
        "nested constant": deep,
        "wide constant": constants.aggregate(wide, [number] * 20_000),
        "bytes": constants.data(bytes_, b"b" * 60_000),
        "numbers": constants.data(numbers, [6] * 60_000),
        "string": MDTuple([context.metadata.string("x" * 60_000)]),
        "node": MDTuple([context.metadata.value(number)] * 20_000),
    }


@pytest.mark.parametrize("kind", long_parts())
def test_text_of_a_finding_is_not_made_as_a_whole(kind: str) -> None:
    subject = long_parts()[kind]
    whole = str(subject)
    found = Finding("message", bitcodec.loads(same_names(1)), subject)
    assert str(found) == f"module: message: {whole[:240]}..."
    tracemalloc.start()
    text = beginning_of(subject, 960)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert text[:960] == whole[:960]
    assert len(text) < 20_000 < len(whole)
    assert peak < 1_000_000

"""What was made to do harm: circles, depth, and files with a few records changed."""

from __future__ import annotations

import random
import time
from itertools import pairwise
from pathlib import Path

import pytest

import bitcodec
from amounts import amount
from bitcodec.errors import BitcodecError
from bitcodec.ir import (
    BasicBlock,
    Branch,
    Function,
    GlobalAlias,
    GlobalVariable,
    MDTuple,
    Module,
    NamedMetadata,
    Phi,
    Return,
)
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.debug_info import DICompileUnit, DIDerivedType, DIFile, DILexicalBlock, DILocation, DISubprogram
from bitcodec.verifier import verify
from mutations import with_records_changed

from .snippets import DATA

SHIPPED = Path(__file__).parents[1] / "data"
CHANGED = [
    DATA / "sound.bc",
    SHIPPED / "ir_metadata-22.bc",
    SHIPPED / "control-O2-16.bc",
    SHIPPED / "exceptions-O2-19.bc",
]
DEPTH = amount(8_000, 20_000)


def new_module() -> Module:
    return Module("hostile", DataLayout(""))


def messages(module: Module) -> list[str]:
    return [finding.message for finding in verify(module)]


def test_nodes_in_circles() -> None:
    module = new_module()
    node = MDTuple([], is_distinct=True)
    node.set_operands([node, node])
    module.named_metadata["circle"] = NamedMetadata("circle", [node])
    assert messages(module) == []


def test_deep_nodes() -> None:
    module = new_module()
    node = MDTuple([])
    for _ in range(DEPTH):
        node = MDTuple([node])
    module.named_metadata["deep"] = NamedMetadata("deep", [node])
    assert messages(module) == []


def test_scopes_and_locations_in_circles() -> None:
    module = new_module()
    block = DILexicalBlock(is_distinct=True)
    block.scope = block
    location = DILocation(scope=block, is_distinct=True)
    location.inlined_at = location
    type_ = DIDerivedType(tag=0x16, is_distinct=True)
    type_.base_type = type_
    module.named_metadata["circles"] = NamedMetadata("circles", [location, type_])
    assert messages(module) == []


def test_aliases_in_a_long_circle() -> None:
    module = new_module()
    types = module.context.types
    aliases = [GlobalAlias(types.ptr, types.integer(8)) for _ in range(500)]
    for number, alias in enumerate(aliases):
        alias.name = f"a{number}"
        module.append(alias)
        alias.aliasee = aliases[number - 1]
    assert set(messages(module)) == {"Aliases cannot form a cycle"}


def test_deep_constants() -> None:
    module = new_module()
    types, constants = module.context.types, module.context.constants
    variable = GlobalVariable(types.ptr, types.integer(8))
    variable.name = "v"
    module.append(variable)
    value, type_ = variable, types.ptr
    for _ in range(3000):
        type_ = types.struct([type_])
        value = constants.aggregate(type_, [value])
    holder = GlobalVariable(types.ptr, type_)
    holder.name = "h"
    module.append(holder)
    holder.initializer = value
    assert messages(module) == []


def test_a_long_chain_of_blocks() -> None:
    module = new_module()
    types = module.context.types
    function = Function(types.ptr, types.function(types.void, ()))
    function.name = "f"
    module.append(function)
    blocks = [BasicBlock(types.label) for _ in range(DEPTH)]
    for block in blocks:
        function.append_block(block)
    for block, following in pairwise(blocks):
        block.append(Branch(types.void, following))
    blocks[-1].append(Return(types.void))
    started = time.process_time()
    assert messages(module) == []
    assert time.process_time() - started < 10


def test_a_long_chain_of_aliases() -> None:
    module = new_module()
    types = module.context.types
    ends = [GlobalVariable(types.ptr, types.integer(8))]
    ends += [GlobalAlias(types.ptr, types.integer(8)) for _ in range(DEPTH)]
    for number, end in enumerate(ends):
        end.name = f"g{number}"
        module.append(end)
    for alias, before in zip(ends[1:], ends, strict=False):
        alias.aliasee = before
    assert set(messages(module)) == {"Alias must point to a definition"}
    ends[0].initializer = module.context.constants.null(types.integer(8))
    assert messages(module) == []


def test_many_phis_and_deep_scopes() -> None:
    module = new_module()
    types = module.context.types
    function = Function(types.ptr, types.function(types.void, ()))
    function.name = "f"
    module.append(function)
    entry, rest = BasicBlock(types.label), BasicBlock(types.label)
    function.append_block(entry)
    function.append_block(rest)
    entry.append(Branch(types.void, rest))
    zero = module.context.constants.integer(types.integer(8), 0)
    unit = DICompileUnit(file=DIFile(filename="a"), is_distinct=True)
    module.named_metadata["llvm.dbg.cu"] = NamedMetadata("llvm.dbg.cu", [unit])
    scope = DISubprogram(unit=unit, sp_flags=8, is_distinct=True)
    function.metadata.add("dbg", scope)
    location = None
    for _ in range(DEPTH):
        phi = Phi(types.integer(8), [zero], [entry])
        rest.append(phi)
        scope = DILexicalBlock(scope=scope, is_distinct=True)
        location = DILocation(scope=scope, inlined_at=location, is_distinct=True)
        phi.debug_location = location
    rest.append(Return(types.void))
    started = time.process_time()
    assert messages(module) == []
    assert time.process_time() - started < 10


@pytest.mark.parametrize("path", CHANGED, ids=lambda path: path.name)
def test_changed_records(path: Path) -> None:
    data, checked = path.read_bytes(), 0
    for seed in range(amount(16, 150)):
        try:
            modules = bitcodec.loads_all(with_records_changed(data, random.Random(seed)), path.name)
            findings = [finding for module in modules for finding in verify(module)]
        except bitcodec.BitcodecError:
            continue
        checked += 1
        assert not any("\n" in str(finding) for finding in findings)
    assert checked > amount(3, 30)


def test_functions_with_deeply_nested_cleanups(monkeypatch: pytest.MonkeyPatch) -> None:
    """One such function is checked; work on several would not be in proportion to the module."""
    monkeypatch.setattr("bitcodec.verifier.verifier._FREE_PAD_VISITS", 1 << 16)
    depth = 150
    pads = "".join(
        f"p{place}:\n  %c{place} = cleanuppad within {f'%c{place - 1}' if place else 'none'} []\n"
        f'  invoke void @f0() [ "funclet"(token %c{place}) ] to label %u{place} unwind label %p{place + 1}\n'
        f"u{place}:\n  unreachable\n"
        for place in range(depth)
    )
    last = f"p{depth}:\n  %c{depth} = cleanuppad within %c{depth - 1} []\n  unreachable\n"
    body = f"personality ptr @f0 {{\n  invoke void @f0() to label %u unwind label %p0\nu:\n  ret void\n{pads}{last}}}\n"
    functions = [f"define void @f{number}() {body}" for number in range(5)]
    assert messages(bitcodec.parse_assembly(functions[0])) == []
    with pytest.raises(BitcodecError, match="nested too deep"):
        verify(bitcodec.parse_assembly("".join(functions)))

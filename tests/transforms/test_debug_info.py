"""Debug information goes, and nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import bitcodec
from bitcodec.builder import (
    Builder,
    DebugInfo,
    add_block,
    add_function,
    add_named_metadata,
    add_variable,
    metadata_node,
)
from bitcodec.ir.construction.present import raw_parts
from bitcodec.ir.debug_info import DIAssignID, DILocation
from bitcodec.ir.metadata import MDTuple
from bitcodec.transforms import strip_debug_info
from bitcodec.transforms.loops import LocationStripper

from .samples import DATA, broken_queue, queue, small_module, text_of

if TYPE_CHECKING:
    from bitcodec.ir.module import Module

TRACES = re.compile(r"!dbg|#dbg_|!DI|llvm\.dbg")
LOCATION = DILocation(line=7, column=3)


def loop(*properties: MDTuple | DILocation | None) -> MDTuple:
    """Return what is attached to the latch of a loop."""
    node = MDTuple(is_distinct=True)
    node.set_operands([node, *properties])
    return node


def stripper(module: Module) -> LocationStripper:
    return LocationStripper(module.context.metadata)


def test_no_trace_is_left() -> None:
    module = queue()
    assert TRACES.search(str(module))
    strip_debug_info(module)
    assert TRACES.search(text_of(module)) is None


def test_the_rest_stays() -> None:
    before, after = queue(), queue()
    strip_debug_info(after)
    assert before.named_metadata.keys() - after.named_metadata.keys() == {"llvm.dbg.cu"}
    assert '!"Debug Info Version"' in str(after)
    for function in before.functions:
        kept = [kind for kind in function.metadata if kind != "dbg"]
        assert list(after.functions[function.name].metadata) == kept
        opcodes = [each.opcode for each in after.functions[function.name].instructions]
        assert opcodes == [each.opcode for each in function.instructions]
    assert str(after).count("!tbaa") == str(before).count("!tbaa") > 0


def test_loops_keep_what_is_no_place() -> None:
    module = queue()
    strip_debug_info(module)
    loops = [node for each in module.functions["acquire"].instructions for node in each.metadata.values()]
    assert [[str(part) for part in node.operands[1:]] for node in loops] == [
        ['!{!"llvm.loop.mustprogress"}', '!{!"llvm.loop.unroll.disable"}']
    ]


@pytest.mark.parametrize(
    "name", ["control-O2-16.bc", "ir_metadata-22.bc", "structs-i386-14.bc", "wrapper-darwin-22.bc"]
)
def test_what_is_written_is_what_is_there(name: str) -> None:
    module = bitcodec.open(DATA / name)
    strip_debug_info(module)
    assert "#dbg_" not in text_of(module)


def test_twice_is_once() -> None:
    module = queue()
    strip_debug_info(module)
    once = str(module)
    strip_debug_info(module)
    assert str(module) == once


def test_kinds_that_are_debug_information() -> None:
    module = small_module()
    types = module.context.types
    function = add_function(module, "f", types.function(types.void))
    debug = DebugInfo(module, "a.c")
    subprogram = debug.subprogram(function, 1)
    variable = add_variable(module, "v", types.integer(32), 0)
    builder = Builder(add_block(function))
    builder.debug_location = debug.location(2, 1, subprogram)
    store = builder.store(builder.constant(types.integer(32), 1), variable)
    last = builder.ret()
    store.metadata.update(
        DIAssignID=DIAssignID(), heapallocsite=debug.basic_type("int", 32), nontemporal=metadata_node(module)
    )
    variable.metadata.update({"dbg": subprogram, "annotation": metadata_node(module)})
    add_named_metadata(module, "llvm.gcov", metadata_node(module, "a.gcno"))
    strip_debug_info(module)
    assert (list(store.metadata), store.debug_location, last.debug_location) == (["nontemporal"], None, None)
    assert list(variable.metadata) == ["annotation"]
    assert list(module.named_metadata) == ["llvm.module.flags"]


def test_records_at_the_end_of_a_block_without_terminator() -> None:
    module = small_module()
    function = add_function(module, "f", module.context.types.function(module.context.types.void))
    debug = DebugInfo(module, "a.c")
    subprogram = debug.subprogram(function, 1)
    builder = Builder(add_block(function))
    builder.debug_location = debug.location(2, 1, subprogram)
    number = builder.constant(module.context.types.integer(32), 1)
    builder.dbg_value(number, debug.local_variable(subprogram, "n", debug.basic_type("int", 32), 2))
    strip_debug_info(module)
    assert builder.block.trailing_debug_records == []


def test_summaries_are_forgotten() -> None:
    module = bitcodec.open(DATA / "summaries" / "module-22.bc")
    assert module.summary is not None
    strip_debug_info(module)
    assert (module.summary, raw_parts(module)) == (None, ())


def test_a_loop_that_tells_no_place_is_as_it_was() -> None:
    module = small_module()
    node = loop(metadata_node(module, "llvm.loop.mustprogress"))
    assert stripper(module)[node] is node


def test_a_loop_that_tells_places_alone_has_nothing_left() -> None:
    module = small_module()
    assert stripper(module)[loop(LOCATION, LOCATION)] is None
    assert stripper(module)[loop(MDTuple([LOCATION]))] is None


def test_a_loop_keeps_its_properties() -> None:
    module = small_module()
    unroll = metadata_node(module, "llvm.loop.unroll.disable")
    node = loop(LOCATION, LOCATION, unroll, None)
    stripped = stripper(module)[node]
    assert isinstance(stripped, MDTuple)
    assert stripped is not node
    assert stripped.is_distinct
    assert stripped.operands == (stripped, unroll, None)
    assert node.operands[1] is LOCATION


def test_properties_of_loops_to_come() -> None:
    module = small_module()
    inner = metadata_node(module, "llvm.loop.unroll.enable")
    followup = MDTuple([module.context.metadata.string("llvm.loop.unroll.followup_all"), LOCATION, inner])
    stripped = stripper(module)[loop(followup)]
    assert isinstance(stripped, MDTuple)
    assert stripped.operands[1] is metadata_node(module, "llvm.loop.unroll.followup_all", inner)


def test_nodes_in_a_circle() -> None:
    module = small_module()
    name = module.context.metadata.string("a")
    first, second = MDTuple(is_distinct=True), MDTuple(is_distinct=True)
    first.set_operands([name, second, LOCATION])
    second.set_operands([name, first])
    stripped = stripper(module)[loop(first)]
    assert isinstance(stripped, MDTuple)
    copy = stripped.operands[1]
    assert isinstance(copy, MDTuple)
    other = copy.operands[1]
    assert copy is not first
    assert isinstance(other, MDTuple)
    assert (copy.operands, other.operands) == ((name, other), (name, copy))


def test_depth_is_no_limit() -> None:
    module = small_module()
    node = MDTuple([module.context.metadata.string("deep"), LOCATION])
    for _ in range(20_000):
        node = MDTuple([node, module.context.metadata.string("a")])
    stripped = stripper(module)[loop(node)]
    depth = 0
    while isinstance(stripped, MDTuple):
        stripped = next(
            (part for part in stripped.operands if isinstance(part, MDTuple) and part is not stripped), None
        )
        depth += 1
    assert depth == 20_002


def test_what_is_malformed_stays_as_it_was() -> None:
    module = bitcodec.loads(broken_queue())
    with pytest.raises(bitcodec.BitcodeError):
        strip_debug_info(module)
    assert "llvm.dbg.cu" in module.named_metadata
    assert module.functions["push"].subprogram is not None

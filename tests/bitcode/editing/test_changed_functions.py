"""Saving a module of which some functions or globals were changed: all other bodies are copied, and LLVM agrees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bitcodec
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode
from bitcodec.bitstream import loads
from bitcodec.builder import Builder, add_block, add_function, attribute_list, metadata_node
from bitcodec.ir import Linkage
from bitcodec.ir.construction.present import source_of
from bitcodec.transforms import strip_debug_info

from .test_copying import FROM_LLVM_22, MODULE_BLOCK, ORDERS, QUEUE, bodies, printed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bitcodec.ir import Function, Module

ORIGINAL = QUEUE.read_bytes()
ADDRESSES_OF_BLOCKS = {"indirect-O0g-22.bc", "indirect-O2-22.bc", "ir_types-22.bc"}
"""Who takes an address of a block refers to the block by its number, so these are written anew."""


def defined(module: Module) -> list[Function]:
    return [function for function in module.functions if not function.is_declaration]


def saved(module: Module) -> tuple[bytes, str]:
    """Return the bytes, and the digest of LLVM's text of them, which is the text of the module written again."""
    assert source_of(module) is not None
    copied = bitcodec.dumps(module)
    assert source_of(module) is not None, "was written anew"
    text = printed(copied)
    anew = printed(bitcodec.dumps(module, copies_unchanged=False))
    assert text == anew
    return copied, text


def add_call(function: Function) -> None:
    """Add what needs a new type, a new attribute list, a new kind of metadata, new constants and nodes."""
    module = function.parent
    assert module is not None
    types = module.context.types
    first = next(each for each in function.blocks[0].instructions if each.opcode != "phi")
    builder = Builder(function.blocks[0])
    builder.before(first)
    pair = types.struct([types.integer(7), types.ptr])
    slot = builder.alloca(pair, name="pair")
    builder.store(builder.constant(pair, [99, None]), slot)
    call = builder.call(module.functions["release"], [], attributes=attribute_list(["convergent"]))
    call.metadata["new.kind"] = metadata_node(
        module, "text", builder.constant(types.integer(64), 12345), metadata_node(module, function)
    )


def test_one_function_is_changed_and_the_others_are_copied() -> None:
    module = bitcodec.open(QUEUE)
    add_call(module.functions["pop"])
    data, _ = saved(module)
    before, after = bodies(ORIGINAL), bodies(data)
    place = [function.name for function in defined(module)].index("pop")
    assert [old == new for old, new in zip(before, after, strict=True)] == [n != place for n in range(len(before))]
    text = str(bitcodec.loads(data))
    assert '!{!"text", i64 12345' in text
    assert "!new.kind" in text


def change_linkage(module: Module) -> None:
    module.functions["push"].linkage = Linkage.WEAK


def change_attributes(module: Module) -> None:
    module.functions["push"].attributes = attribute_list(["noinline", ("probe-stack", "yes")])
    module.global_variables["tail"].alignment = 64


def change_name(module: Module) -> None:
    module.functions["pop"].name = "täke"


def change_texts(module: Module) -> None:
    module.target_triple = "x86_64-pc-linux-musl"
    module.source_filename = "changed.c"


def records_of_module(data: bytes) -> list[tuple[int, tuple[int, ...]]]:
    (block,) = (block for block in loads(data).blocks if block.id == MODULE_BLOCK)
    return [(record.code, tuple(record.operands)) for record in block.records]


def strings(data: bytes) -> bytes:
    (table,) = (block for block in loads(data).blocks if block.id == BlockId.STRTAB_BLOCK)
    return bytes(table.records[0].blob or b"")


def test_a_new_name_is_appended_and_changes_one_record() -> None:
    module = bitcodec.open(QUEUE)
    module.functions["pop"].name = "take"
    data, _ = saved(module)
    assert strings(data).startswith(strings(ORIGINAL) + b"take")
    pairs = zip(records_of_module(ORIGINAL), records_of_module(data), strict=True)
    ((before, after),) = [(old, new) for old, new in pairs if old[0] != ModuleCode.VSTOFFSET and old != new]
    assert after == (before[0], (len(strings(ORIGINAL)), len("take"), *before[1][2:]))
    assert bodies(data) == bodies(ORIGINAL)


def drop_body(module: Module) -> None:
    module.functions["pop"].delete_body()


def give_body(module: Module) -> None:
    function = next(each for each in module.functions if each.is_declaration and not each.is_intrinsic)
    builder = Builder(add_block(function))
    result = function.value_type.return_type
    builder.ret(None if result is module.context.types.void else builder.constant(result, 0))


def change_flag_and_body(module: Module) -> None:
    flags = module.named_metadata["llvm.module.flags"].operands
    flags.append(flags.pop(0))
    add_call(module.functions["push"])


@pytest.mark.parametrize(
    "change",
    [change_name, change_linkage, change_attributes, change_texts, give_body, change_flag_and_body],
    ids=lambda each: each.__name__,
)
def test_what_a_module_says_of_its_globals_is_changed(change: Callable[[Module], None]) -> None:
    module = bitcodec.open(QUEUE)
    change(module)
    data, text = saved(module)
    assert text != printed(ORIGINAL)
    assert sum(body in bodies(data) for body in bodies(ORIGINAL)) >= len(bodies(ORIGINAL)) - 1


@pytest.mark.parametrize(
    "change",
    [
        lambda module: add_function(module, "new", module.context.types.function(module.context.types.void, [])),
        lambda module: setattr(module.functions["pop"], "section", ".new"),
        lambda module: module.global_variables["tail"].metadata.clear(),
        lambda module: module.drop_summaries() or strip_debug_info(module),
    ],
    ids=["function", "section", "attachment", "everything"],
)
def test_what_needs_another_number_has_everything_written_anew(change: Callable[[Module], object]) -> None:
    module = bitcodec.open(QUEUE)
    change(module)
    data = bitcodec.dumps(module)
    assert source_of(module) is None
    assert bitcodec.loads(data).producer.startswith("bitcodec")


def test_a_distinct_node_of_two_functions_is_written_anew() -> None:
    module = bitcodec.open(QUEUE)
    node = metadata_node(module, distinct=True)
    for name in ("push", "pop"):
        module.functions[name].blocks[0].instructions[0].metadata["shared"] = node
    text = bitcodec.print_assembly(bitcodec.loads(bitcodec.dumps(module)))
    assert source_of(module) is None
    assert text.count("= distinct !{}") == 1


@pytest.mark.parametrize("path", FROM_LLVM_22, ids=lambda path: path.name)
def test_bodies_that_were_only_read_stay_the_same(path: Path) -> None:
    modules = bitcodec.open_all(path)
    module = modules[0]
    if len(modules) > 1 or not module.functions:
        return  # an index of others, or with another beside it
    for function in defined(module)[::2]:
        _ = function.blocks
    data = bitcodec.dumps(module)
    assert (source_of(module) is None) is (path.name in ADDRESSES_OF_BLOCKS)
    assert printed(data, ORDERS) == printed(path.read_bytes(), ORDERS)

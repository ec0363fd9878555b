"""Attributes, intrinsics, constants and data layouts in the forms of older versions of LLVM."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.bitcode.downgrade.attributes import AttributeLowering
from bitcodec.bitcode.downgrade.data_layouts import older_data_layout
from bitcodec.bitcode.downgrade.losses import Losses
from bitcodec.bitcode.schema.attributes import FUNCTION_INDEX
from bitcodec.bitcode.writer.attributes import NumberedAttribute
from bitcodec.builder import Builder, add_block, add_function, new_module
from bitcodec.ir.attribute_values import MemoryEffects
from bitcodec.ir.attributes import AttributeList, AttributeSet, EnumAttribute, IntegerAttribute, StringAttribute
from bitcodec.ir.context import Context
from bitcodec.ir.module import Module
from bitcodec.tables.attributes import MemoryAccess

READ, WRITE, BOTH = MemoryAccess.READ, MemoryAccess.WRITE, MemoryAccess.READWRITE


def lowered(version: int, *attributes: IntegerAttribute | EnumAttribute | StringAttribute) -> tuple[object, list[str]]:
    losses = Losses(version)
    lowering = AttributeLowering(losses)
    found = AttributeSet(attributes)
    lowering.survey(AttributeList(found), "f")
    return lowering.lowered(FUNCTION_INDEX, found), [loss.construct for loss in losses]


@pytest.mark.parametrize(
    ("effects", "names"),
    [
        (MemoryEffects(0), [20]),
        (MemoryEffects.everywhere(READ), [21]),
        (MemoryEffects.everywhere(WRITE), [52]),
        (MemoryEffects.of(argmem=BOTH), [45]),
        (MemoryEffects.of(argmem=READ), [21, 45]),
        (MemoryEffects.of(inaccessiblemem=BOTH), [49]),
        (MemoryEffects.of(argmem=BOTH, inaccessiblemem=BOTH), [50]),
    ],
    ids=str,
)
def test_memory_before_llvm_16_is_several_attributes(effects: MemoryEffects, names: list[int]) -> None:
    found, _ = lowered(15, IntegerAttribute("memory", effects.raw))
    assert found == tuple(NumberedAttribute((0, number)) for number in names)


def test_memory_of_three_locations() -> None:
    everything_read = IntegerAttribute("memory", MemoryEffects.everywhere(READ).raw)
    assert lowered(16, everything_read)[0] == (NumberedAttribute((1, 86, 0b010101)),)
    error_number = IntegerAttribute("memory", MemoryEffects.of(errnomem=WRITE).raw)
    assert lowered(20, error_number) == ((NumberedAttribute((1, 86, 0b100000)),), ["`errnomem` in attribute `memory`"])
    assert lowered(21, error_number) == ((error_number,), [])


def test_captures_before_llvm_21_is_nocapture() -> None:
    nothing, provenance = IntegerAttribute("captures", 0), IntegerAttribute("captures", 0b1111)
    assert lowered(20, nothing) == ((NumberedAttribute((0, 11)),), [])
    found, losses = lowered(20, provenance)
    assert (found, len(losses)) == ((), 1)


def test_values_of_string_attributes() -> None:
    text = StringAttribute("frame-pointer", "non-leaf-no-reserve")
    assert lowered(21, text)[0] == (StringAttribute("frame-pointer", "non-leaf"),)


X86, X86_17 = "e-m:e-i64:64-i128:128-f80:128-S128", "e-m:e-i64:64-f80:128-S128"


def test_data_layouts_are_those_of_the_version() -> None:
    types = Context().types
    newest = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
    older = newest.replace("-i128:128", "")
    triple = "x86_64-unknown-linux-gnu"
    small, wide = [types.integer(64)], [types.integer(128)]
    assert older_data_layout(newest, triple, small, 18) == newest
    assert older_data_layout(newest, triple, small, 17) == older
    # Data would be placed elsewhere.
    assert older_data_layout(newest, triple, wide, 17) == newest
    arm = "e-m:o-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-n32:64-S128-Fn32"
    assert older_data_layout(arm, "arm64-apple-ios", wide, 19) == "e-m:o-i64:64-i128:128-n32:64-S128-Fn32"
    assert older_data_layout(arm, "arm64-apple-ios", wide, 18) == "e-m:o-i64:64-i128:128-n32:64-S128"
    assert older_data_layout("", "unknown", small, 15) == ""


def with_intrinsics() -> Module:
    module = new_module("intrinsics")
    types, constants = module.context.types, module.context.constants
    word, pointer = types.integer(32), types.pointer()
    vector, mask = types.vector(4, word), types.vector(4, types.integer(1))
    function = add_function(module, "f", types.function(vector, [pointer, mask]))
    builder = Builder(add_block(function))
    room = builder.alloca(word)
    start = add_function(module, "llvm.lifetime.start.p0", types.function(types.void, [pointer]))
    builder.call(start, [room])
    begin = add_function(module, "llvm.va_start.p0", types.function(types.void, [pointer]))
    builder.call(begin, [room])
    load = add_function(module, "llvm.masked.load.v4i32.p0", types.function(vector, [pointer, mask, vector]))
    source, chosen = function.arguments
    loaded = builder.call(load, [source, chosen, constants.poison(vector)])
    loaded.attributes = AttributeList(parameters={0: AttributeSet([IntegerAttribute("align", 8)])})
    builder.ret(loaded)
    return module


def test_intrinsics_are_declared_and_called_as_before() -> None:
    module = with_intrinsics()
    before = str(module)
    losses: list[bitcodec.Loss] = []
    data = bitcodec.dumps(module, llvm_version=18, on_loss=losses.append)
    assert str(module) == before
    assert {loss.action for loss in losses} == {"lowered"}
    assert [(loss.construct, loss.instead) for loss in losses] == [
        ("llvm.lifetime.start.p0", "llvm.lifetime.start.p0"),
        ("llvm.va_start.p0", "llvm.va_start"),
        ("llvm.masked.load.v4i32.p0", "llvm.masked.load.v4i32.p0"),
    ]
    assert b"llvm.va_startllvm.masked" in data
    read = [str(each) for each in bitcodec.loads(data).functions["f"].instructions]
    assert read == [str(each) for each in module.functions["f"].instructions]

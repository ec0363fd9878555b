"""The nodes that are kept in order: as many of each function as the writer of casts reads."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec.downgrade.pointers.values import TypedValues
from bitcodec.ir.instructions import GetElementPtr, Instruction, Load, Store
from bitcodec.ir.module import Module

KEPT = (Load, Store, GetElementPtr)
"""Instructions of which two nodes are kept, unless something is written in their place."""

TEXT = """@g = global ptr null
@table = global [4 x i32] zeroinitializer

define ptr @first(ptr %p, i64 %n, <2 x ptr> %v) {
  %slot = alloca ptr, align 8
  store ptr %p, ptr %slot, align 8
  store ptr null, ptr %slot, align 8
  store i32 1, ptr @table, align 4
  %loaded = load ptr, ptr %slot, align 8
  %number = load i32, ptr null, align 4
  %atomic = load atomic i32, ptr %p seq_cst, align 4
  %byte = getelementptr i8, ptr %p, i64 4
  %byte.n = getelementptr i8, ptr %p, i64 %n
  %field = getelementptr { i32, ptr }, ptr %p, i32 0, i32 1
  %fields = getelementptr i32, <2 x ptr> %v, i64 1
  %element = getelementptr [4 x i32], ptr @table, i64 0, i64 %n
  %old = atomicrmw add ptr %p, i32 1 seq_cst, align 4
  %same = icmp eq ptr %byte, %field
  ret ptr %loaded
}

declare void @nothing()

define void @second() {
  ret void
}

define void @third(ptr %p) {
  %a = load ptr, ptr @g, align 8
  store ptr %a, ptr %p, align 8
  ret void
}
"""


def instructions(module: Module) -> list[Instruction]:
    return [each for function in module.functions for block in function.blocks for each in block.instructions]


@pytest.mark.parametrize("has_replaced", [False, True])
def test_two_nodes_are_kept_of_each_load_store_and_address(has_replaced: bool) -> None:
    module = bitcodec.parse_assembly(TEXT)
    replaced = [each for each in instructions(module) if isinstance(each, KEPT)][::3] if has_replaced else []
    evidence = TypedValues(module, lambda function: function, {each: (each.clone(),) for each in replaced})._evidence
    defined = [function for function in module.functions if not function.is_declaration]
    assert [*evidence.starts] == defined
    place = 0
    for function in defined:
        assert evidence.starts[function] == place
        own = [each for block in function.blocks for each in block.instructions]
        place += 2 * sum(isinstance(each, KEPT) and each not in replaced for each in own)
    assert len(evidence.order) == place

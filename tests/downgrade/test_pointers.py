"""Typed pointers for LLVM before 15: which casts are written, and what the types of LLVM 14 are."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

import bitcodec
from bitcodec.builder import Builder, add_block, add_function, new_module
from bitcodec.downgrade.pointers.fields import FieldFinder, leading_fields, tag_of
from bitcodec.downgrade.pointers.intrinsics import pointee_of_parameter, typed_name
from bitcodec.downgrade.pointers.pointees import NO_NODE, Pointees
from bitcodec.downgrade.pointers.types import TypedTypes, pointee_of
from bitcodec.downgrade.pointers.values import TypedValues
from bitcodec.ir.context import Context
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.instructions import Cast
from bitcodec.ir.metadata import MDTuple
from bitcodec.ir.module import Module
from bitcodec.ir.types import StructType, Type

from .meaning import count_bytes, remove_casts
from .oracles import read as read_text
from .oracles import verify

LLVM_14 = 14


def written(module: Module, version: int = LLVM_14) -> tuple[Module, int]:
    """Return a module as it is read again, without the casts of pointers, and how many of these there were."""
    read = bitcodec.loads(bitcodec.dumps(module, llvm_version=version), module.identifier)
    count = sum(
        isinstance(instruction, Cast) and instruction.opcode == "bitcast"
        for function in read.functions
        for block in function.blocks
        for instruction in block.instructions
    )
    remove_casts(read)
    return read, count


def typed_text(module: Module, folder: Path) -> str:
    path = folder / "typed.bc"
    bitcodec.save(module, path, llvm_version=LLVM_14)
    return read_text(LLVM_14, path)


def list_of_nodes() -> Module:
    """Return a module that walks a list, as `clang -O0` writes it: each variable is in memory."""
    module = new_module("list")
    types = module.context.types
    word, pointer = types.integer(32), types.pointer()
    node = StructType((word, pointer), name="node")
    function = add_function(module, "second", types.function(word, [pointer]))
    builder = Builder(add_block(function))
    variable = builder.alloca(pointer)
    builder.store(function.arguments[0], variable)
    current = builder.load(pointer, variable)
    field = builder.getelementptr(node, current, [0, 1])
    after = builder.load(pointer, field)
    builder.store(after, variable)
    value = builder.getelementptr(node, builder.load(pointer, variable), [0, 0])
    builder.ret(builder.load(word, value))
    return module


def test_pointers_that_agree_need_no_casts(tmp_path: Path) -> None:
    module = list_of_nodes()
    read, count = written(module)
    assert count == 0
    assert str(read) == str(module)
    text = typed_text(module, tmp_path)
    assert "%node = type { i32, %node* }" in text
    assert "define i32 @second(%node* %0)" in text
    assert "alloca %node*" in text


def with_casts() -> Module:
    module = new_module("casts")
    types = module.context.types
    word, wide, pointer = types.integer(32), types.integer(64), types.pointer()
    function = add_function(module, "f", types.function(wide, [pointer]))
    builder = Builder(add_block(function))
    (argument,) = function.arguments
    low = builder.load(word, argument)
    builder.store(low, argument)
    builder.load(wide, argument)
    builder.ret(builder.load(wide, argument))
    return module


def test_a_value_is_cast_once_for_each_other_type() -> None:
    module = with_casts()
    read, count = written(module)
    assert count == 1
    assert str(read) == str(module)


@pytest.mark.parametrize("make", [list_of_nodes, with_casts])
def test_the_same_module_gives_the_same_bytes(make: type) -> None:
    module = make()
    assert bitcodec.dumps(module, llvm_version=LLVM_14) == bitcodec.dumps(make(), llvm_version=LLVM_14)


def test_long_chains_of_pointers_need_no_recursion() -> None:
    module = new_module("chain")
    types = module.context.types
    pointer = types.pointer()
    function = add_function(module, "f", types.function(types.void, []))
    builder = Builder(add_block(function))
    rooms = [builder.alloca(pointer) for _ in range(3000)]
    for room, following in pairwise(rooms):
        builder.store(following, room)
    builder.store(rooms[0], rooms[-1])
    builder.ret()
    read, _ = written(module)
    assert str(read) == str(module)


def test_pointees_agree_unless_they_differ() -> None:
    types = Context().types
    byte, word, pointer = types.integer(8), types.integer(32), types.pointer()
    pointees = Pointees(byte)
    unknown, number, other = pointees.new(), pointees.new(word), pointees.new(byte)
    assert pointees.agree(unknown, number)
    assert pointees.shape(unknown) is word
    assert not pointees.agree(number, other)
    one, two = pointees.new(pointer), pointees.new(pointer)
    assert pointees.use(pointees.content(one), word) == NO_NODE
    assert pointees.agree(one, two)
    assert pointees.shape(pointees.content(two)) is word


def test_pointers_to_themselves_end() -> None:
    types = Context().types
    pointees = Pointees(types.integer(8))
    node = pointees.new(types.pointer())
    assert pointees.agree(node, pointees.content(node))
    pointees.settle()
    assert str(TypedTypes(types, pointees).pointee(node)) == "i8*"


def test_names_of_intrinsics_contain_what_pointers_point_to() -> None:
    types = Context().types
    pointees = Pointees(types.integer(8))
    typed = TypedTypes(types, pointees)
    copy = types.function(types.void, [types.pointer(), types.pointer(3), types.integer(64)])
    assert typed_name("llvm.memcpy.p0.p3.i64", typed.typed(copy)) == "llvm.memcpy.p0i8.p3i8.i64"
    vector = types.vector(4, types.integer(32))
    loaded = typed.function(vector, [typed.pointer(vector, 0)], is_vararg=False)
    assert typed_name("llvm.masked.load.v4i32.p0", loaded) == "llvm.masked.load.v4i32.p0v4i32"


def test_collected_pointers_are_at_addresses_of_pointers() -> None:
    types = Context().types
    pointer = types.pointer()
    for name, count, place in (("gcroot", 2, 0), ("gcread", 2, 1), ("gcwrite", 3, 2)):
        type_ = types.function(pointer, [pointer] * count)
        pointees = [pointee_of_parameter(f"llvm.{name}", type_, index, types) for index in range(count)]
        assert pointees == [pointer if index == place else None for index in range(count)]


def test_llvm_4_has_names_in_tables_of_symbols() -> None:
    module = list_of_nodes()
    data = bitcodec.dumps(module, llvm_version=4)
    assert b"STRTAB" not in data
    read = bitcodec.loads(data, module.identifier)
    assert [function.name for function in read.functions] == ["second"]
    remove_casts(read)
    assert str(read) == str(module)


def test_instructions_that_old_versions_lack() -> None:
    module = new_module("instructions")
    types = module.context.types
    double = types.double
    function = add_function(module, "f", types.function(double, [double]))
    builder = Builder(add_block(function))
    builder.ret(builder.freeze(builder.fneg(function.arguments[0])))
    losses: list[bitcodec.Loss] = []
    read = bitcodec.loads(bitcodec.dumps(module, llvm_version=7, on_loss=losses.append))
    assert [(loss.construct, loss.action) for loss in losses] == [("fneg", "lowered"), ("freeze", "dropped")]
    first, second, _ = (str(each) for each in read.functions["f"].blocks[0].instructions)
    assert "fsub double -0.000000e+00, %0" in first
    assert "bitcast double %2 to double" in second
    with pytest.raises(bitcodec.EncodingError, match="freeze in @f would be lost for LLVM 9"):
        bitcodec.dumps(module, llvm_version=9, is_strict=True)


def struct_by_bytes() -> Module:
    """Return a module that reads and writes fields as newer versions of LLVM address them: by bytes."""
    module = new_module("bytes")
    types = module.context.types
    byte, word, wide, pointer = types.integer(8), types.integer(32), types.integer(64), types.pointer()
    node = StructType((wide, types.array(4, word), pointer), name="struct.node")
    function = add_function(module, "f", types.function(word, [pointer, wide]))
    builder = Builder(add_block(function))
    argument, number = function.arguments
    second = builder.getelementptr(node, argument, [number])
    builder.load(wide, second)
    builder.load(word, builder.getelementptr(byte, second, [12]))
    following = builder.load(pointer, builder.getelementptr(byte, second, [24]))
    builder.ret(builder.load(word, builder.getelementptr(byte, following, [3])))
    return module


def test_addresses_in_bytes_name_fields(tmp_path: Path) -> None:
    text = typed_text(struct_by_bytes(), tmp_path)
    assert "getelementptr %struct.node, %struct.node* %3, i32 0, i32 1, i32 1" in text
    assert "getelementptr %struct.node, %struct.node* %3, i32 0, i32 2" in text
    assert "getelementptr %struct.node, %struct.node* %3, i32 0, i32 0" in text
    assert text.count("bitcast") == 1  # nothing says what the last address is in


def test_addresses_in_bytes_mean_the_same() -> None:
    module = struct_by_bytes()
    read, _ = written(module)
    for each in (module, read):
        count_bytes(each)
    assert str(read) == str(module)


def test_parts_are_found_by_their_place() -> None:
    types = Context().types
    byte, word, wide = types.integer(8), types.integer(32), types.integer(64)
    inner = StructType((byte, word), name="struct.inner")
    outer = StructType((wide, types.array(3, inner), types.array(0, word)), name="struct.outer")
    fields = FieldFinder(DataLayout("e-i64:64"))

    def path(offset: int, wanted: Type) -> tuple[int, ...] | None:
        found = fields.find(outer, offset, wanted)
        return None if found is None else found.indices

    assert path(0, wide) == (0, 0)
    assert path(16, inner) == (0, 1, 1)
    assert path(20, word) == (0, 1, 1, 1)
    assert path(17, byte) is None
    assert path(-8, wide) is None
    assert path(64, outer) == (2,)
    padded = StructType((wide, types.array(2, byte)), name="struct.padded")
    assert [fields.find(padded, offset, byte) is not None for offset in range(8, 16)] == [True] * 2 + [False] * 6
    assert fields.find(StructType(None, name="opaque"), 0, byte) is None
    assert leading_fields(outer, wide) == 1
    assert leading_fields(outer, word) == 0


def test_tags_of_accesses_name_structs() -> None:
    context = Context()
    number = context.metadata.value(context.constants.integer(context.types.integer(64), 4))
    scalar = MDTuple((context.metadata.string("int"),))
    base = MDTuple((context.metadata.string("node"), scalar, number))
    assert tag_of(MDTuple((base, scalar, number))) == ("node", 4)
    assert tag_of(MDTuple((scalar, scalar, number))) == ("", 0)
    assert tag_of(None) == ("", 0)
    fields = FieldFinder(DataLayout(""))
    node = StructType((context.types.integer(8),), name="struct.node")
    whole = context.types.array(2, node)
    assert fields.struct_named("node", [whole]) is node
    assert fields.struct_named("_ZTS4node", [whole]) is node
    assert fields.struct_named("_ZTS5node", [whole]) is None


USED_BEFORE = """%pair = type { i8, i32 }

define i32 @second(ptr %whole) {
entry:
  br label %made

used:
  %value = load i32, ptr %field, align 4
  %wide = load i64, ptr %field, align 4
  store i32 %value, ptr %whole, align 4
  ret i32 %value

made:
  %field = getelementptr %pair, ptr %whole, i32 0, i32 1
  br label %used
}

define i32 @plain(ptr %word) {
  %value = load i32, ptr %word, align 4
  ret i32 %value
}
"""


def test_addresses_that_stand_behind_their_uses_have_the_types_that_they_are_made_with(tmp_path: Path) -> None:
    module = bitcodec.parse_assembly(USED_BEFORE)
    read, count = written(module)
    assert count == 2
    assert str(read) == str(bitcodec.loads(bitcodec.dumps(module), module.identifier))
    text = typed_text(module, tmp_path)
    assert "load i32, i32* %field" in text
    assert "bitcast i32* %field to i64*" in text
    assert "load i32, i32* %word" in text


def test_nodes_of_one_class_have_one_parent_when_they_are_settled() -> None:
    types = Context().types
    pointees = Pointees(types.integer(8))
    nodes = [pointees.new() for _ in range(4)]
    for one, other in pairwise(nodes):
        assert pointees.agree(one, other)
    alias = pointees.alias(nodes[0])
    pointees.use(nodes[3], types.integer(32))
    pointees.settle()
    assert {pointees.find(node) for node in (*nodes, alias)} == {pointees.find(nodes[0])}
    assert pointees.shape(alias) is types.integer(32)


def test_types_of_functions_are_found_by_those_of_their_arguments() -> None:
    module = new_module("vectors")
    types = module.context.types
    word, pointer = types.integer(32), types.pointer()
    for name, parameter in (("first", types.vector(4, word)), ("second", pointer)):
        add_function(module, name, types.function(word, [parameter]))
    values = TypedValues(module, lambda function: function, {})
    for _ in range(2):
        found = [pointee_of(values.type_of(function)) for function in module.functions]
        assert found == [values.value_type(function) for function in module.functions]


def test_casts_in_a_long_block_that_was_changed() -> None:
    module = new_module("long")
    types = module.context.types
    word, byte = types.integer(32), types.integer(8)
    builder = Builder(add_block(add_function(module, "loads", types.function(byte, []))))
    variable = builder.alloca(word)
    for _ in range(300):
        builder.load(word, variable)
    builder.ret(builder.load(byte, variable))
    (block,) = module.functions[0].blocks
    block.instructions[100].erase_from_parent()
    read, count = written(module)
    assert count == 1
    assert len(read.functions[0].blocks[0].instructions) == len(block.instructions)


POINTEES = """
declare void @llvm.nvvm.mbarrier.init(ptr, i32)
declare i32 @llvm.wasm.memory.atomic.wait32(ptr, i32, i64)
declare <16 x i32> @llvm.hexagon.V6.vL32b.pred.ai(i1, ptr, i32)
declare ptr @llvm.hexagon.V6.vS32b.pred.pi(i1, ptr, i32, <16 x i32>)
declare ptr @llvm.swift.async.context.addr()
declare <vscale x 4 x i32> @llvm.riscv.vle.nxv4i32.p0.i64(<vscale x 4 x i32>, ptr, i64)
declare <vscale x 4 x i1> @llvm.aarch64.sve.ld1.gather.nxv4i1(<vscale x 4 x i1>, ptr, <vscale x 4 x i64>)

define ptr @f(ptr %p, i1 %c, <16 x i32> %v, <vscale x 4 x i32> %s, <vscale x 4 x i1> %m, <vscale x 4 x i64> %i) {
  call void @llvm.nvvm.mbarrier.init(ptr %p, i32 1)
  %a = call i32 @llvm.wasm.memory.atomic.wait32(ptr %p, i32 1, i64 2)
  %b = call <16 x i32> @llvm.hexagon.V6.vL32b.pred.ai(i1 %c, ptr %p, i32 0)
  %d = call ptr @llvm.hexagon.V6.vS32b.pred.pi(i1 %c, ptr %p, i32 0, <16 x i32> %v)
  %e = call <vscale x 4 x i32> @llvm.riscv.vle.nxv4i32.p0.i64(<vscale x 4 x i32> %s, ptr %d, i64 1)
  %g = call <vscale x 4 x i1> @llvm.aarch64.sve.ld1.gather.nxv4i1(<vscale x 4 x i1> %m, ptr %p, <vscale x 4 x i64> %i)
  %x = call ptr @llvm.swift.async.context.addr()
  ret ptr %x
}
"""
# `llvm-dis` 14 prints these declarations, and its verifier accepts no others.
IN_RECORDS = {
    "void @llvm.nvvm.mbarrier.init(i64*, i32)",
    "i32 @llvm.wasm.memory.atomic.wait32(i32*, i32, i64)",
    "<16 x i32> @llvm.hexagon.V6.vL32b.pred.ai(i1, <16 x i32>*, i32)",
    "<16 x i32>* @llvm.hexagon.V6.vS32b.pred.pi(i1, <16 x i32>*, i32, <16 x i32>)",
    "i8** @llvm.swift.async.context.addr()",
    "<vscale x 4 x i1> @llvm.aarch64.sve.ld1.gather.nxv4i1(<vscale x 4 x i1>, i1*, <vscale x 4 x i64>)",
}


def test_intrinsics_whose_pointers_are_not_to_bytes(tmp_path: Path) -> None:
    module = bitcodec.parse_assembly(POINTEES)
    written = tmp_path / "written.bc"
    written.write_bytes(bitcodec.dumps(module, llvm_version=14))
    read = bitcodec.open(written)
    remove_casts(read)
    assert [str(each) for each in read.functions["f"].blocks[0].instructions] == [
        str(each) for each in module.functions["f"].blocks[0].instructions
    ]
    with pytest.raises(bitcodec.EncodingError, match=r"today's form of llvm.riscv.vle"):
        bitcodec.dumps(module, llvm_version=13)
    assert verify(LLVM_14, written) == ""
    declared = re.findall(r"^declare (.*\))", read_text(LLVM_14, written), re.MULTILINE)
    assert {re.sub(r" (?:immarg|nocapture|writeonly|readonly)\b", "", each) for each in declared} >= IN_RECORDS

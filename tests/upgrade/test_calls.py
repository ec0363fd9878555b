"""Which calls are rewritten, and what becomes of what else uses an old intrinsic."""

from __future__ import annotations

import time

import pytest

import bitcodec
from bitcodec.errors import BitcodecError
from bitcodec.host.collection import without_collection
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.instructions import BinaryOperator, Call, Invoke, Select
from bitcodec.upgrade.calls import redirect_uses, upgrade_calls, upgrade_intrinsics
from bitcodec.upgrade.intrinsics import replacement_of
from bitcodec.verifier import verify

from .models import Body


def test_results_and_names_are_taken_over() -> None:
    body = Body()
    old = body.call(body.declare("llvm.ctlz.i32", "i32(i32)"), [body.function.arguments[1]], "zeros")
    user = BinaryOperator("add", old, old)
    body.block.append(user)
    upgrade_intrinsics(body.module)
    (new, _) = body.block.instructions
    assert (new.name, user.operands) == ("zeros", (new, new))
    assert isinstance(new, Call)
    assert new.arguments == (body.function.arguments[1], body.constants.boolean(value=False))
    assert old.parent is None


def test_new_instructions_come_from_the_same_place_in_the_source() -> None:
    body = Body()
    location = DILocation(line=3)
    body.call(body.declare("llvm.nvvm.abs.i", "i32(i32)"), [body.function.arguments[1]]).debug_location = location
    upgrade_intrinsics(body.module)
    assert [instruction.debug_location for instruction in body.block] == [location] * 3


def test_constants_are_folded() -> None:
    body = Body()
    old = body.call(body.declare("llvm.nvvm.abs.i", "i32(i32)"), [body.integer(32, -7)])
    user = BinaryOperator("add", old, body.integer(32, 1))
    body.block.append(user)
    upgrade_intrinsics(body.module)
    assert body.opcodes == ["add"]
    assert user.lhs is body.integer(32, 7)


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("llvm.ctlz.i32", "i32(i32,i32)"),
        ("llvm.ctlz.i32", "f32(f32)"),
        ("llvm.memcpy.p0i8.p0i8.i64", "void(p0,i64,i64,i32,i1)"),
        ("llvm.nvvm.abs.i", "i64(i64)"),
        ("llvm.riscv.sha256sig0", "i32(i32)"),
        ("llvm.arm.neon.vst1.v8i8", "void(p0,v8i8)"),
        ("llvm.aarch64.sve.tuple.get", "v4i32(v8i32,i32)"),
        ("llvm.unheard.of.p0i8", "void(p0)"),
        ("llvm.", "void()"),
        ("ctlz.i32", "i32(i32)"),
    ],
)
def test_a_declaration_of_another_shape_stays(name: str, signature: str) -> None:
    body = Body()
    assert replacement_of(body.declare(name, signature)) is None


def test_a_call_of_an_atomic_intrinsic_without_a_pointer_is_dropped() -> None:
    """Recorded from llvm-as 22.1.8, which crashes if such a result is used."""
    body = Body()
    malformed = body.declare("llvm.amdgcn.ds.fadd.f32", "f32(i32,f32,i32,i32,i1)")
    arguments = [body.integer(32, 0), body.constants.null(malformed.value_type.return_type)]
    arguments += [body.integer(32, 0), body.integer(32, 0), body.constants.boolean(value=False)]
    body.call(malformed, arguments)
    upgrade_intrinsics(body.module)
    assert body.opcodes == []
    assert malformed.parent is None


_COPY = ("llvm.memcpy.p0i8.p0i8.i32", "void(p0,p0,i32,i32,i1)", 3)
_MASKED_LOAD = ("llvm.masked.load.v4i32.p0", "v4i32(p0,i32,v4i1,v4i32)", 1)
_GLOBAL_LOAD = ("llvm.nvvm.ldg.global.i.i32.p0", "i32(p0,i32)", 1)


@pytest.mark.parametrize(
    ("name", "signature", "index", "alignment"),
    [(*_COPY, None), (*_MASKED_LOAD, None), (*_GLOBAL_LOAD, None), (*_GLOBAL_LOAD, 3)],
)
def test_a_call_without_a_proper_alignment_stays(name: str, signature: str, index: int, alignment: int | None) -> None:
    body = Body()
    old = body.declare(name, signature)
    arguments = [body.constants.poison(type_) for type_ in old.value_type.parameter_types]
    arguments[index] = body.function.arguments[1] if alignment is None else body.integer(32, alignment)
    call = body.call(old, arguments)
    upgrade_intrinsics(body.module)
    assert body.block.instructions == (call,)
    assert call.arguments == tuple(arguments)


@pytest.mark.parametrize(
    ("name", "signature", "index", "alignment", "message"),
    [
        (*_MASKED_LOAD, 0, "Invalid zero alignment argument"),
        (*_MASKED_LOAD, 3, "Invalid alignment argument"),
        ("llvm.masked.store.v4i32.p0", "void(v4i32,p0,i32,v4i1)", 2, 0, "Invalid zero alignment argument"),
        ("llvm.masked.store.v4i32.p0", "void(v4i32,p0,i32,v4i1)", 2, 3, "Invalid alignment argument"),
        ("llvm.masked.gather.v4i32.v4p0", "v4i32(v4p0,i32,v4i1,v4i32)", 1, 3, "Invalid alignment argument"),
        ("llvm.masked.scatter.v4i32.v4p0", "void(v4i32,v4p0,i32,v4i1)", 2, 3, "Invalid alignment argument"),
    ],
)
def test_masked_accesses_with_an_invalid_alignment_are_refused(
    name: str, signature: str, index: int, alignment: int, message: str
) -> None:
    """Messages recorded from llvm-as 22.1.8."""
    body = Body()
    old = body.declare(name, signature)
    arguments = [body.constants.poison(type_) for type_ in old.value_type.parameter_types]
    arguments[index] = body.integer(32, alignment)
    body.call(old, arguments)
    with pytest.raises(BitcodecError, match=f"^{message}$"):
        upgrade_intrinsics(body.module)


@pytest.mark.parametrize(("alignment", "kept"), [(0, None), (3, 2), (6, 4), (8, 8), ((1 << 32) - 112, 1 << 31)])
def test_alignments_of_copies_are_rounded_down(alignment: int, kept: int | None) -> None:
    body = Body()
    name, signature, index = _COPY
    old = body.declare(name, signature)
    arguments = [body.constants.poison(type_) for type_ in old.value_type.parameter_types]
    arguments[index] = body.integer(32, alignment)
    body.call(old, arguments)
    upgrade_intrinsics(body.module)
    (made,) = body.block.instructions
    assert isinstance(made, Call)
    assert [made.attributes.for_parameter(number).integer("align") for number in range(3)] == [kept, kept, None]


def test_what_is_no_call_uses_the_new_declaration() -> None:
    body = Body()
    old = body.declare("llvm.ctlz.i32", "i32(i32)")
    table = GlobalVariable(body.types.ptr, body.types.array(1, body.types.ptr))
    body.module.append(table)
    table.initializer = body.constants.aggregate(table.value_type, [old])
    replacement = replacement_of(old)
    assert replacement is not None
    redirect_uses(old, replacement)
    assert table.initializer.operands == (replacement.declaration,)
    assert not old._uses


def test_an_intrinsic_that_is_expanded_stays_where_its_address_is_used() -> None:
    body = Body()
    old = body.declare("llvm.nvvm.abs.i", "i32(i32)")
    invoke = Invoke(old.value_type, old, [body.function.arguments[1]], body.block, body.block)
    body.block.append(invoke)
    upgrade_intrinsics(body.module)
    assert invoke.callee is old
    assert old in body.module.functions


def test_an_old_declaration_gives_up_its_name() -> None:
    body = Body()
    old = body.declare("llvm.ctlz.i32", "i32(i32)")
    replacement = replacement_of(old)
    assert replacement is not None
    assert replacement.declaration is not None
    assert (old.name, replacement.declaration.name) == ("llvm.ctlz.i32.old", "llvm.ctlz.i32")
    assert str(replacement.declaration.attributes.for_parameter(1)) == "immarg"


def test_intrinsics_are_renamed_for_their_types() -> None:
    body = Body()
    body.declare("llvm.stacksave", "p0()")
    body.declare("llvm.va_start", "void(p0)")
    body.declare("llvm.lifetime.start.p0i8", "void(p0)")
    body.declare("llvm.lifetime.end.i64", "void(i64,i64)")
    upgrade_intrinsics(body.module)
    names = [function.name for function in body.module.functions]
    assert names == [
        "f",
        "llvm.stacksave.p0",
        "llvm.va_start.p0",
        "llvm.lifetime.start.p0",
        "llvm.lifetime.end.i64",
    ]


def test_a_name_that_something_else_has_is_taken_from_it() -> None:
    body = Body()
    other = body.declare("llvm.stacksave.p0", "void()")
    old = body.declare("llvm.stacksave", "p0()")
    replacement = replacement_of(old)
    assert replacement is not None
    assert replacement.declaration is not None
    assert (replacement.declaration.name, other.name) == ("llvm.stacksave.p0", "llvm.stacksave.p0.renamed")


@pytest.mark.parametrize(("triple", "number"), [("nvptx64-nvidia-cuda", "1"), ("x86_64-linux-gnu", ".1")])
def test_a_second_declaration_is_the_first(triple: str, number: str) -> None:
    body = Body()
    body.module.target_triple = triple
    name = "llvm.nvvm.read.ptx.sreg.ctaid.x"
    first, second = body.declare(name, "i32()"), body.declare(name, "i32()")
    assert second.name == name + number
    replacement = replacement_of(second)
    assert replacement is not None
    assert replacement.declaration is first


def test_only_calls_of_the_given_intrinsics_are_rewritten() -> None:
    body = Body()
    first, second = body.declare("llvm.ctlz.i32", "i32(i32)"), body.declare("llvm.cttz.i32", "i32(i32)")
    for callee in (first, second):
        body.call(callee, [body.function.arguments[1]])
    replacement = replacement_of(first)
    assert replacement is not None
    upgrade_calls(body.function, {first: replacement})
    assert body.callees == ["llvm.ctlz.i32", "llvm.cttz.i32"]
    assert [len(call.operands) for call in body.block] == [3, 2]


def test_work_is_proportional_to_the_number_of_calls() -> None:
    times = []
    for count in (2_000, 20_000):
        body = Body()
        absolute = body.declare("llvm.nvvm.abs.i", "i32(i32)")
        for _ in range(count):
            body.call(absolute, [body.function.arguments[1]])
        with without_collection():  # which takes as long as there are objects in the process
            start = time.process_time()
            upgrade_intrinsics(body.module)
            times.append((time.process_time() - start) / count)
        assert sum(isinstance(instruction, Select) for instruction in body.block) == count
    assert times[1] < 5 * times[0]


def test_a_second_declaration_of_an_old_intrinsic_is_upgraded_too() -> None:
    body = Body()
    first, second = (body.declare("llvm.ctlz.i32", "i32(i32)") for _ in range(2))
    body.module.remove(first)
    replacement = replacement_of(second, {"llvm.ctlz.i32"})
    assert second.name == "llvm.ctlz.i32.1"
    assert replacement is not None
    assert replacement.expand is not None


@pytest.mark.parametrize(
    ("call", "declaration", "printed"),
    [
        ("i64 @llvm.read_register", "i32 @llvm.read_register(metadata)", "i64 @llvm.read_register.i32(metadata !0)"),
        ("i32 @llvm.read_register", "i64 @llvm.read_register(metadata)", "i32 @llvm.read_register.i64(metadata !0)"),
    ],
)
def test_a_call_of_another_type_gets_the_name_for_the_declaration(call: str, declaration: str, printed: str) -> None:
    """LLVM 22.1.8 prints these calls, and its verifier refuses them with this message."""
    text = f'define void @f() {{\n %x = call {call}(metadata !0)\n ret void\n}}\ndeclare {declaration}\n!0 = !{{!"r"}}'
    module = bitcodec.parse_assembly(text, dialect=22)
    lines = [line.strip() for line in str(module).splitlines()]
    assert f"%x = call {printed}" in lines
    assert sum(line.startswith("declare") for line in lines) == 1
    assert "Intrinsic called with incompatible signature" in [finding.message for finding in verify(module)]


def test_calls_of_an_old_intrinsic_are_upgraded_whose_declaration_has_too_many_parameters() -> None:
    """LLVM 22.1.8 prints this body and no other function."""
    name, vector = "llvm.x86.avx512.vpdpbusd.512", "<16 x i32>"
    text = (
        f"declare {vector} @{name}({vector}, {vector}, {vector}, i16)\n"
        f"define {vector} @f({vector} %a, {vector} %b, {vector} %c) {{\n"
        f"  %r = call {vector} @{name}({vector} %a, {vector} %b, {vector} %c)\n  ret {vector} %r\n}}\n"
    )
    module = bitcodec.parse_assembly(text, dialect=22)
    assert [function.name for function in module.functions] == ["f", name]
    assert [str(instruction) for instruction in module.functions["f"].entry_block] == [
        "%1 = bitcast <16 x i32> %b to <64 x i8>",
        "%2 = bitcast <16 x i32> %c to <64 x i8>",
        f"%r = call <16 x i32> @{name}(<16 x i32> %a, <64 x i8> %1, <64 x i8> %2)",
        "ret <16 x i32> %r",
    ]
    assert list(verify(module)) == []

"""Writing for libNVVM: each construct that it lacks has another form, and reading restores what annotations say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import bitcodec
from bitcodec import Loss
from bitcodec.builder import Builder, add_block, add_function, add_variable, metadata_value, new_module
from bitcodec.downgrade.profiles import PROFILES
from bitcodec.downgrade.profiles.nvvm.matrices import matrix_ptx
from bitcodec.downgrade.profiles.nvvm.ptx import PTX
from bitcodec.ir.functions import Function
from bitcodec.ir.module import Module
from bitcodec.tables.intrinsics import intrinsic_rows
from bitcodec.tables.libnvvm import is_known

LAYOUT = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"


def device_module() -> Module:
    return new_module("device", target_triple="nvptx64-nvidia-cuda", data_layout=LAYOUT)


def kernel(module: Module, *parameters: str, name: str = "kernel") -> tuple[Function, Builder]:
    """Add a kernel whose parameters are `ptr` or types that the table of types has a name for."""
    types = module.context.types
    kinds = [types.pointer() if each == "ptr" else getattr(types, each) for each in parameters]
    made = add_function(module, name, types.function(types.void, kinds), calling_convention="ptx_kernel")
    return made, Builder(add_block(made))


def lowered(module: Module) -> tuple[Module, list[Loss]]:
    losses: list[Loss] = []
    before = str(module)
    data = bitcodec.dumps(module, profile="nvvm", on_loss=losses.append)
    assert str(module) == before
    return bitcodec.loads(data), losses


def body_of(module: Module, name: str = "kernel") -> list[str]:
    """Return the instructions of a function, without those that typed pointers need."""
    return [str(each).strip() for each in module.functions[name].instructions if each.opcode != "bitcast"]


def test_target_and_version() -> None:
    module = device_module()
    _, builder = kernel(module)
    builder.ret()
    read, _ = lowered(module)
    assert str(read.data_layout).startswith("e-p:64:64:64-i1:8:8-")
    assert [str(node) for node in read.named_metadata["nvvmir.version"].operands] == ["!{i32 2, i32 0, i32 3, i32 1}"]


def test_kernels_are_annotated() -> None:
    module = device_module()
    function, builder = kernel(module, "ptr")
    known = {"nvvm.maxntid": "128,2", "nvvm.reqntid": "64,2", "nvvm.minctasm": "2", "nvvm.maxnreg": "64"}
    for name, value in known.items():
        function.add_attribute(name, value)
    builder.ret()
    data = bitcodec.dumps(module, profile="nvvm")
    assert b"maxntidx" in data
    read = bitcodec.loads(data).functions["kernel"]
    assert read.calling_convention == function.calling_convention
    attributes = read.attributes.for_function
    assert {name: attributes.string(name) for name in known} == known


def test_fences_and_ordered_accesses() -> None:
    module = device_module()
    function, builder = kernel(module, "ptr")
    (pointer,) = function.arguments
    word = module.context.types.integer(32)
    builder.fence("seq_cst")
    builder.fence("acquire", sync_scope="block")
    builder.fence("release", sync_scope="singlethread")
    value = builder.load(word, pointer, alignment=4, ordering="acquire")
    builder.store(value, pointer, alignment=4, ordering="seq_cst", sync_scope="device")
    builder.ret()
    read, losses = lowered(module)
    assert body_of(read) == [
        "call void @llvm.nvvm.membar.sys()",
        "call void @llvm.nvvm.membar.cta()",
        'call void asm sideeffect "", "~{memory}"() #0',
        "%2 = load volatile i32, ptr %0, align 4",
        "call void @llvm.nvvm.membar.sys()",
        "call void @llvm.nvvm.membar.gl()",
        "store volatile i32 %2, ptr %0, align 4",
        "ret void",
    ]
    assert (
        str(losses[0]) == "fence (not in libNVVM 12.4) lowered to llvm.nvvm.membar in @kernel, 3 times: fence seq_cst"
    )


def test_exchanges_are_ptx() -> None:
    module = device_module()
    function, builder = kernel(module, "ptr", "float")
    pointer, value = function.arguments
    one = module.context.constants.integer(module.context.types.integer(32), 1)
    builder.cmpxchg(pointer, one, 2, success_ordering="acq_rel", failure_ordering="monotonic")
    builder.atomicrmw("fadd", pointer, value, ordering="monotonic")
    builder.ret()
    text = "\n".join(body_of(lowered(module)[0]))
    assert 'asm sideeffect "atom.sys.cas.b32 $0, [$1], $2, $3;", "=r,l,r,r,~{memory}"' in text
    assert 'asm sideeffect "atom.add.f32 $0, [$1], $2;", "=f,l,f,~{memory}"' in text
    assert text.count("llvm.nvvm.membar.sys") == 2


def test_halves_are_integers() -> None:
    module = device_module()
    types, constants = module.context.types, module.context.constants
    add_variable(
        module, "table", types.array(2, types.half), constants.data(types.array(2, types.half), [0x3C00, 0x4000])
    )
    add_variable(module, "one", types.half, constants.floating(types.half, 0x3C00))
    function, builder = kernel(module, "ptr", "half")
    pointer, value = function.arguments
    loaded = builder.load(types.half, pointer)
    builder.store(builder.fadd(loaded, builder.fneg(value)), pointer)
    builder.store(builder.fmul(loaded, constants.floating(types.half, 0x4000)), pointer)
    builder.ret()
    read, losses = lowered(module)
    text = str(read)
    assert " half" not in text
    assert "@table = global [2 x i16] [i16 15360, i16 16384]" in text
    assert "@one = global i16 15360" in text
    found = [(loss.construct, loss.action, loss.occurrences) for loss in losses if loss.construct.startswith("type")]
    assert found == [("type half", "lowered", 1), ("type half", "lowered", 1), ("type half", "lowered", 6)]


def test_bfloat_is_rounded_to_nearest_even() -> None:
    module = device_module()
    function, builder = kernel(module, "ptr", "bfloat")
    pointer, value = function.arguments
    builder.store(builder.fadd(value, value), pointer)
    builder.ret()
    text = "\n".join(body_of(lowered(module)[0]))
    assert "bfloat" not in text
    assert [word in text for word in ("add i32", "32767", "icmp ugt", "fadd float")] == [True] * 4


def test_names_are_those_of_ptx() -> None:
    module = device_module()
    types = module.context.types
    add_variable(module, ".str", types.integer(8), 1, linkage="private")
    add_variable(module, "x@y", types.integer(8), 1, linkage="internal")
    _, builder = kernel(module, name="a.b-c")
    builder.ret()
    read, losses = lowered(module)
    assert list(read.symbols) == [".str", "x_$_y", "a_$_b_$_c"]
    assert [loss.place for loss in losses if loss.construct.startswith("name")] == ["a.b-c", "x@y"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fabs", "and i32"),
        ("floor", "@llvm.nvvm.floor.f"),
        ("rint", "@llvm.nvvm.round.f"),
        ("round", "@llvm.nvvm.trunc.f"),
        ("sin", "@__nv_sinf"),
        ("exp10", "@__nv_exp10f"),
        ("canonicalize", "fmul float"),
    ],
)
def test_mathematics(name: str, text: str) -> None:
    module = device_module()
    function, builder = kernel(module, "ptr", "float")
    pointer, value = function.arguments
    vector = module.context.types.vector(2, value.type)
    builder.store(builder.intrinsic(f"llvm.{name}.f32", value.type, [value]), pointer)
    pair = builder.load(vector, pointer)
    builder.store(builder.intrinsic(f"llvm.{name}.v2f32", vector, [pair]), pointer)
    builder.ret()
    found = "\n".join(body_of(lowered(module)[0]))
    assert found.count(text) == 3
    assert f"@llvm.{name}." not in found


@pytest.mark.parametrize("width", [1, 8, 24, 128])
@pytest.mark.parametrize("name", ["ctpop", "ctlz", "cttz"])
def test_odd_widths_are_counted_in_words(name: str, width: int) -> None:
    module = device_module()
    function, builder = kernel(module, "ptr")
    (pointer,) = function.arguments
    type_ = module.context.types.integer(width)
    arguments = [builder.load(type_, pointer), *([True] if name != "ctpop" else [])]
    builder.store(builder.intrinsic(f"llvm.{name}.i{width}", type_, arguments), pointer)
    builder.ret()
    read, _ = lowered(module)
    expected = {1: "i32", 8: "i8", 24: "i32", 128: "i64"}[width]
    assert [each.name for each in read.functions if each.name.startswith("llvm.ct")] == [f"llvm.{name}.{expected}"]
    assert not read.verify()


def test_overflow_of_other_widths() -> None:
    module = device_module()
    function, builder = kernel(module, "ptr")
    (pointer,) = function.arguments
    types = module.context.types
    for name, width in (("sadd", 8), ("usub", 128), ("smul", 8), ("umul", 32)):
        type_ = types.integer(width)
        value = builder.load(type_, pointer)
        result = types.struct([type_, types.integer(1)])
        pair = builder.intrinsic(f"llvm.{name}.with.overflow.i{width}", result, [value, value])
        builder.store(builder.extractvalue(pair, 1), pointer)
    builder.ret()
    read, _ = lowered(module)
    assert [each.name for each in read.functions if "overflow" in each.name] == ["llvm.umul.with.overflow.i32"]
    assert not read.verify()


def test_intrinsics_of_newer_gpus_are_ptx() -> None:
    module = device_module()
    function, builder = kernel(module, "ptr")
    (pointer,) = function.arguments
    types = module.context.types
    word = types.integer(32)
    mask = builder.intrinsic("llvm.nvvm.activemask", word)
    pair = types.struct([word, types.integer(1)])
    shuffled = builder.intrinsic(
        "llvm.nvvm.shfl.sync.bfly.i32p", pair, [mask, mask, builder.constant(word, 1), builder.constant(word, 31)]
    )
    builder.store(builder.extractvalue(shuffled, 1), pointer)
    builder.ret()
    read, losses = lowered(module)
    text = "\n".join(body_of(read))
    assert 'asm sideeffect "activemask.b32 $0;", "=r"()' in text
    assert 'selp.b32 $1, 1, 0, p; }", "=r,=r,r,r,r,r"' in text
    assert {loss.instead for loss in losses if loss.construct.startswith("llvm.nvvm")} == {"PTX"}
    assert not read.verify()


def test_rows_of_ptx_are_intrinsics_that_libnvvm_lacks() -> None:
    rows = intrinsic_rows()
    for name in PTX:
        base = name
        while base and base not in rows:
            base = base.rpartition(".")[0]
        assert base, name
        assert not is_known(name), name
    assert is_known("nvvm.read.ptx.sreg.tid.x")
    assert is_known("nvvm.atomic.add.gen.i.sys.i32.p0")
    assert not is_known("nvvm.activemask")


def test_atomic_operations_without_an_instruction_are_loops() -> None:
    module = device_module()
    function, builder = kernel(module, "ptr", "double")
    pointer, value = function.arguments
    types, constants = module.context.types, module.context.constants
    for name, width in (("nand", 32), ("add", 8), ("max", 16), ("or", 8)):
        operand = constants.integer(types.integer(width), 3)
        builder.atomicrmw(name, pointer, operand, alignment=width // 8, ordering="monotonic")
    builder.atomicrmw("fsub", pointer, value, alignment=8, ordering="seq_cst")
    one = constants.integer(types.integer(8), 1)
    builder.cmpxchg(pointer, one, 2, alignment=1, success_ordering="monotonic", failure_ordering="monotonic")
    builder.ret()
    read, losses = lowered(module)
    assert not read.verify()
    text = "\n".join(body_of(read))
    assert text.count("atom.sys.cas.b32") == 4
    assert text.count("atom.sys.cas.b64") == 1
    assert text.count("atomicrmw or ptr") == 1
    found = {loss.construct: loss.occurrences for loss in losses if loss.instead.startswith("a loop")}
    assert found == {"atomicrmw nand": 1, "atomicrmw that PTX has no instruction for": 4, "cmpxchg of i8": 1}


@pytest.mark.parametrize(
    ("name", "results", "operands", "text"),
    [
        (
            "nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0",
            2,
            2,
            "wmma.load.a.sync.aligned.row.m16n16k16.f16 {$0, $1}, [$2], $3;",
        ),
        (
            "nvvm.wmma.m16n16k16.store.d.col.stride.s32.p3",
            0,
            4,
            "wmma.store.d.sync.aligned.col.m16n16k16.shared.s32 [$0], {$1, $2}, $3;",
        ),
        (
            "nvvm.wmma.m16n16k16.mma.row.col.s8.satfinite",
            1,
            5,
            "wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32.satfinite {$0}, {$1, $2}, {$3, $4}, {$5};",
        ),
        (
            "nvvm.mma.m16n8k8.row.col.f32.f32",
            1,
            4,
            "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {$0}, {$1, $2}, {$3}, {$4};",
        ),
        (
            "nvvm.mma.xor.popc.m8n8k128.row.col.b1",
            1,
            3,
            "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc {$0}, {$1}, {$2}, {$3};",
        ),
        (
            "nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3",
            2,
            1,
            "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {$0, $1}, [$2];",
        ),
        ("nvvm.wmma.m16n16k16.load.a.row.f16.p7", 8, 1, None),
        ("nvvm.mma.m16n8k8.row.col.f8.f8", 1, 4, None),
        ("nvvm.mma.sp.m16n8k16.row.col.f16.f16", 2, 8, None),
    ],
)
def test_matrices_are_ptx(name: str, results: int, operands: int, text: str | None) -> None:
    found = matrix_ptx(name, results, operands)
    assert (None if found is None else found.text) == text


def test_functions_that_version_rows_would_make_of_intrinsics() -> None:
    """`llvm.sincos` is two intrinsics for LLVM 7, which libNVVM does not know."""
    module = device_module()
    function, builder = kernel(module, "ptr", "float")
    pointer, value = function.arguments
    pair = module.context.types.struct([value.type, value.type])
    for name in ("sincos", "modf"):
        builder.store(builder.intrinsic(f"llvm.{name}.f32", pair, [value]), pointer)
    word = module.context.types.integer(64)
    builder.store(builder.intrinsic("llvm.llround.i64.f32", word, [value]), pointer)
    builder.ret()
    read, _ = lowered(module)
    names = {each.name for each in read.functions if each.is_declaration}
    assert names == {"__nv_sinf", "__nv_cosf", "llvm.nvvm.trunc.f"}


def unknown_metadata_call(module: Module) -> None:
    types = module.context.types
    builder = Builder(add_block(add_function(module, "f", types.function(types.void, []))))
    callee = add_function(module, "llvm.bar", types.function(types.void, [types.metadata]))
    builder.call(callee, [metadata_value(module, "text")])
    builder.ret()


def circle(module: Module) -> None:
    types = module.context.types
    first = add_variable(module, "first", types.pointer(), None)
    second = add_variable(module, "second", types.pointer(), first)
    first.initializer = second


def foreign_target(module: Module) -> None:
    types = module.context.types
    builder = Builder(add_block(add_function(module, "f", types.function(types.void, []))))
    builder.intrinsic("llvm.x86.sse2.pause", types.void)
    builder.ret()


def thread_local(module: Module) -> None:
    add_variable(module, "x", module.context.types.integer(32), 0, thread_local_mode="thread_local")


def weak_reference(module: Module) -> None:
    add_variable(module, "x", module.context.types.integer(32), None, linkage="extern_weak")


def initialized_shared(module: Module) -> None:
    add_variable(module, "x", module.context.types.integer(32), 1, address_space=3)


def foreign_intrinsic(module: Module) -> None:
    types = module.context.types
    function = add_function(module, "f", types.function(types.void, []))
    builder = Builder(add_block(function))
    null = module.context.constants.null(types.pointer(6))
    builder.intrinsic("llvm.nvvm.tcgen05.shift.down.cg1", types.void, [null])
    builder.ret()


def quadruple(module: Module) -> None:
    function, builder = kernel(module, "ptr")
    (pointer,) = function.arguments
    builder.load(module.context.types.fp128, pointer)
    builder.ret()


def wide_result(module: Module) -> None:
    types = module.context.types
    builder = Builder(add_block(add_function(module, "f", types.function(types.integer(256), []))))
    builder.ret(0)


def assembly_of_vectors(module: Module) -> None:
    _, builder = kernel(module)
    types = module.context.types
    type_ = types.function(types.vector(4, types.float), [])
    builder.call(builder.constants.inline_asm(type_, "mov.b64 $0, 1;", "=l"))
    builder.ret()


def unknown_to_the_code_generator(module: Module) -> None:
    types = module.context.types
    function = add_function(module, "f", types.function(types.void, []))
    builder = Builder(add_block(function))
    builder.intrinsic("llvm.get.fpenv.i32", types.integer(32))
    builder.ret()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            thread_local,
            r"^thread-local variable in @x cannot be written for libNVVM 12\.4: it has no other form there$",
        ),
        (unknown_metadata_call, r"^metadata as operand of a call of an intrinsic that LLVM 7 does not know in @f"),
        (circle, r"^variable whose initializer leads back to it in @(first|second) cannot be written"),
        (foreign_target, r"^llvm\.x86\.sse2\.pause in @f cannot be written for libNVVM 12\.4"),
        (
            weak_reference,
            r"^linkage `extern_weak` in @x cannot be written for libNVVM 12\.4: it has no other form there$",
        ),
        (initialized_shared, r"^initializer of a shared variable in @x cannot be written"),
        (foreign_intrinsic, r"^llvm\.nvvm\.tcgen05\.shift\.down\.cg1 in @f cannot be written for libNVVM 12\.4"),
        (wide_result, r"^parameter or result of more than 64 bits other than i128 in @f cannot be written"),
        (
            assembly_of_vectors,
            r"^operand of inline assembly that is larger than its register in @kernel cannot be",
        ),
        (quadruple, r"^type fp128 in @kernel cannot be written"),
        (unknown_to_the_code_generator, r"^llvm\.get\.fpenv in @f cannot be written for libNVVM 12\.4: LLVM 17 is"),
    ],
)
def test_what_has_no_other_form_is_refused(make: Callable[[Module], None], message: str) -> None:
    module = device_module()
    make(module)
    with pytest.raises(bitcodec.EncodingError, match=message):
        bitcodec.dumps(module, profile="nvvm")


def test_long_vectors_and_wide_integers_are_refused_at_once() -> None:
    """A few bytes of a file can name a vector of a million elements, and as many calls."""
    for name, kind, count in (("fabs", "float", 1 << 20), ("ctpop", "integer", 1 << 20)):
        module = device_module()
        types = module.context.types
        type_ = types.vector(count, types.float) if kind == "float" else types.integer(count)
        suffix = f"v{count}f32" if kind == "float" else f"i{count}"
        function, builder = kernel(module, "ptr")
        builder.intrinsic(f"llvm.{name}.{suffix}", type_, [builder.load(type_, function.arguments[0])])
        builder.ret()
        with pytest.raises(bitcodec.EncodingError):
            bitcodec.dumps(module, profile="nvvm")


def test_attributes_that_the_verifier_refuses_are_dropped() -> None:
    module = device_module()
    function, builder = kernel(module)
    for name in ("optnone", "noinline", "ssp", "nobuiltin", "convergent"):
        function.add_attribute(name)
    builder.ret()
    read, losses = lowered(module)
    kept = [attribute.name for attribute in read.functions["kernel"].attributes.for_function]
    assert sorted(kept) == ["convergent", "noinline"]
    assert sum(loss.action == "dropped" for loss in losses) == 3


def test_names_that_become_equal_stay_apart() -> None:
    module = device_module()
    byte = module.context.types.integer(8)
    add_variable(module, "a_$_b", byte, 1)
    add_variable(module, "a.b", byte, 1)
    assert list(lowered(module)[0].symbols) == ["a_$_b", "a_$_b1"]


def test_other_targets_and_profiles_are_refused() -> None:
    for triple, message in (
        ("", "module without a target triple"),
        ("x86_64-linux-gnu", r"target other than nvptx64-\*-cuda"),
    ):
        with pytest.raises(bitcodec.EncodingError, match=rf"^{message} cannot be written for libNVVM 12\.4"):
            bitcodec.dumps(new_module("host", target_triple=triple), profile="nvvm")
    with pytest.raises(ValueError, match=rf"^profile must be one of {', '.join(PROFILES)}; got 'metal'$"):
        bitcodec.dumps(device_module(), profile="metal")

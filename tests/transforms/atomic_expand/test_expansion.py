"""What holds whatever the target: several instructions of a function, attributes of functions, what is refused."""

from __future__ import annotations

from collections import Counter

import pytest

import bitcodec
from bitcodec.builder import Builder, add_block, add_function, attribute_list, constant, metadata_node, new_module
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import AtomicRMW
from bitcodec.ir.module import Module
from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation
from bitcodec.tables.triple_components import Triple
from bitcodec.transforms import expand_atomics
from bitcodec.transforms.atomic_expand.targets import architecture_of
from transforms.samples import queue

from .building import module_of
from .cases import Case

AARCH64 = "aarch64-unknown-linux-gnu"


def counter(*, triple: str = "x86_64-unknown-linux-gnu") -> Module:
    """Return a module of a loop that changes memory in three ways."""
    module = new_module("counter", target_triple=triple)
    types = module.context.types
    i32 = types.integer(32)
    function = add_function(module, "count", types.function(i32, [types.pointer(), i32]))
    entry, loop, done = (add_block(function, name) for name in ("entry", "loop", "done"))
    address, limit = function.arguments
    builder = Builder(entry)
    builder.br(loop)
    builder.at_end(loop)
    number = builder.phi(i32, [(0, entry)])
    first = builder.atomicrmw("nand", address, number, ordering="seq_cst")
    second = builder.atomicrmw("umax", address, first, ordering="monotonic")
    following = builder.add(number, 1)
    builder.cmpxchg(address, second, following, success_ordering="acq_rel")
    number.add_incoming(following, loop)
    builder.cond_br(builder.icmp("ult", following, limit), loop, done)
    builder.at_end(done)
    builder.ret(builder.phi(i32, [(second, loop)]))
    return module


def opcodes(function: Function) -> Counter[str]:
    return Counter(instruction.opcode for instruction in function.instructions)


@pytest.mark.parametrize("triple", ["x86_64-linux-gnu", AARCH64, "riscv64-linux-gnu", "armv7-linux-gnueabihf"])
@pytest.mark.parametrize("is_optimized", [False, True])
def test_several_in_a_loop(triple: str, is_optimized: bool) -> None:
    module = counter(triple=triple)
    assert expand_atomics(module, is_optimized=is_optimized) == 3
    assert bitcodec.verify(module) == []
    assert opcodes(module.functions["count"])["atomicrmw"] == 0
    text = str(module)
    assert str(bitcodec.loads(bitcodec.dumps(module), module.identifier)) == text


def test_nothing_is_left_to_do() -> None:
    module = counter()
    expand_atomics(module)
    text = str(module)
    expand_atomics(module)
    assert str(module) == text


def test_pc_sections_stay_on_all_but_calls_of_the_library() -> None:
    case = Case("atomicrmw", "i32", "seq_cst", "umax", alignment=1)
    module = module_of([case], "e-m:e-i64:64-n8:16:32:64-S128", "x86_64-unknown-linux-gnu")
    expand_atomics(module)
    marked = {found.opcode: found.pcsections is not None for found in module.functions["f0"].instructions}
    assert marked == {
        "alloca": False,
        "load": False,  # the one behind the call is the last
        "br": True,
        "phi": True,
        "icmp": True,
        "select": True,
        "call": False,
        "store": False,
        "insertvalue": False,
        "extractvalue": True,
        "ret": False,
    }


def test_functions_may_have_features_of_their_own() -> None:
    case = Case("cmpxchg", "i32", "seq_cst", "", "seq_cst")
    module = module_of([case, case, case], "e-i64:64-n32:64-S128", AARCH64)
    for name, features in (("f1", "+lse"), ("f2", "+lse,-lse")):
        module.functions[name].attributes = attribute_list(
            [("target-features", features), ("target-cpu", "not-known-here")]
        )
    expand_atomics(module)
    assert [opcodes(function)["cmpxchg"] for function in module.functions if function.blocks] == [0, 1, 0]


def test_processors() -> None:
    case = Case("load", "i128", "seq_cst")
    for processor, expected in (("x86-64", "call"), ("x86-64-v2", "cmpxchg"), ("x86-64-v3", "load")):
        module = module_of([case], "e-i64:64-i128:128-n8:16:32:64-S128", "x86_64-unknown-linux-gnu")
        expand_atomics(module, processor=processor)
        assert opcodes(module.functions["f0"])[expected] == 1


def test_module_is_for_the_target_then() -> None:
    module = new_module("empty")
    assert expand_atomics(module, "powerpc64-linux-gnu") == 0
    assert module.target_triple == "powerpc64-unknown-linux-gnu"
    assert module.data_layout.is_big_endian


def test_users_of_halves_need_no_pair() -> None:
    case = Case("cmpxchg", "i32", "seq_cst", "", "seq_cst", use="halves")
    module = module_of([case], "e-i64:64-n32:64-S128", AARCH64)
    expand_atomics(module)
    assert opcodes(module.functions["f0"])["extractvalue"] == 0


def test_debug_location_stays() -> None:
    module = queue()
    location = next(found for found in module.functions["acquire"].instructions if found.opcode == "atomicrmw")
    line = location.debug_location
    expand_atomics(module, AARCH64)
    loop = next(block for block in module.functions["acquire"].blocks if block.name.startswith("atomicrmw.start"))
    assert {instruction.debug_location for instruction in loop} == {line}


def test_barrier_precedes_records_of_the_value() -> None:
    module = bitcodec.parse_assembly(
        """
        define void @f(ptr %p) !dbg !2 {
          %v = load atomic i32, ptr %p acquire, align 4
            #dbg_value(i32 %v, !4, !DIExpression(), !5)
          ret void
        }
        !llvm.dbg.cu = !{!0}
        !llvm.module.flags = !{!6}
        !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
        !1 = !DIFile(filename: "a.c", directory: "")
        !2 = distinct !DISubprogram(name: "f", file: !1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
        !3 = !DISubroutineType(types: !{})
        !4 = !DILocalVariable(name: "v", scope: !2)
        !5 = !DILocation(line: 1, scope: !2)
        !6 = !{i32 2, !"Debug Info Version", i32 3}
        """
    )
    expand_atomics(module, "riscv64-linux-gnu", features=["+a"])
    *_, barrier, end = module.functions["f"].instructions
    assert (barrier.opcode, barrier.has_debug_records) == ("fence", False)
    assert (end.opcode, end.has_debug_records) == ("ret", True)


@pytest.mark.parametrize(("value", "is_computed"), [(0.0, False), (-0.0, True)])
def test_operations_that_change_no_element_are_not_computed(value: float, is_computed: bool) -> None:
    module = new_module("neutral", target_triple="x86_64-linux-gnu")
    types = module.context.types
    vector = types.vector(2, types.float)
    function = add_function(module, "f", types.function(types.void, [types.pointer()]))
    builder = Builder(add_block(function))
    element = constant(module, types.float, value)
    operand = module.context.constants.splat(vector, element)
    builder.atomicrmw("fsub", function.arguments[0], operand, ordering="monotonic")
    builder.ret()
    expand_atomics(module)
    assert ("fsub" in opcodes(function)) is is_computed


@pytest.mark.parametrize(("alignment", "is_masked"), [(4, False), (2, True)])
def test_sums_in_the_upper_bits_need_no_masks(alignment: int, is_masked: bool) -> None:
    """A big-endian word begins with its upper bits."""
    module = module_of([Case("atomicrmw", "i16", "monotonic", "add", alignment=alignment)], "", "sparcv9-linux-gnu")
    expand_atomics(module)
    assert ("or" in opcodes(module.functions["f0"])) is is_masked


def test_exchange_of_a_part_loops_over_the_word() -> None:
    case = Case("cmpxchg", "i8", "monotonic", "", "monotonic")
    module = module_of([case, case._replace(flags=("weak",))], "", "sparcv9-linux-gnu")
    expand_atomics(module)
    assert bitcodec.verify(module) == []
    for name, count in (("f0", 2), ("f1", 1)):
        function = module.functions[name]
        assert opcodes(function)["cmpxchg"] == 1
        assert len(function.blocks[1].successors) == count


def test_existing_function_of_the_librarys_name_is_called() -> None:
    case = Case("load", "i32", "seq_cst", alignment=1)
    module = module_of([case], "e-i64:64-n8:16:32:64-S128", "x86_64-unknown-linux-gnu")
    types = module.context.types
    other = add_function(module, "__atomic_load", types.function(types.void, [types.pointer()]))
    expand_atomics(module)
    assert bitcodec.verify(module) == []
    assert len(other.users) == 1


def test_weights_are_unknown_where_there_is_a_profile() -> None:
    module = counter()
    function = module.functions["count"]
    function.metadata.add("prof", metadata_node(module, "function_entry_count"))
    expand_atomics(module)
    loops = [found.metadata["prof"] for found in function.instructions if "prof" in found.metadata]
    assert [str(operand) for operand in loops[0].operands] == ['!"unknown"', '!"atomic-expand"']


@pytest.mark.parametrize(
    ("triple", "processor", "features", "message"),
    [
        ("csky", "", (), r"atomic accesses of 'csky' are not known, only of x86_64, .*"),
        ("lanie", "", (), r"unrecognized architecture 'lanie' provided; expected x86_64, .*"),
        ("", "", (), "pass 'atomic-expand' requires TargetMachine: the module has no target triple; .*"),
        (AARCH64, "cortex-z80", (), "unknown processor 'cortex-z80' for aarch64; did you mean cortex-.*"),
        (AARCH64, "z", (), "unknown processor 'z' for aarch64"),
        (AARCH64, "", ("lse",), r"a feature is spelled \+lse or -lse, not 'lse'"),
        (AARCH64, "", ("+",), r"a feature is spelled .* not '\+'"),
        ("x86_64-linux-gnu", "", ("+32bit-mode",), r"atomic accesses with \+32bit-mode are not known here"),
        ("nvptx64", "sm_90", ("+ptx60",), r"PTX version 6.0 does not support target 'sm_90'; expected at least 7.8"),
        ("riscv64-linux-gnu", "", ("-64bit",), r"atomic accesses with -64bit are not known here"),
    ],
)
def test_refused(triple: str, processor: str, features: tuple[str, ...], message: str) -> None:
    module = counter(triple="")
    text = str(module)
    with pytest.raises(ValueError, match=f"^{message}$"):
        expand_atomics(module, triple, processor=processor, features=features)
    assert str(module) == text


@pytest.mark.parametrize(
    ("triple", "layout"),
    [
        ("aarch64", "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"),
        ("arm64-apple-macosx", "e-m:o-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-n32:64-S128-Fn32"),
        (
            "x86_64-linux-gnux32",
            "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
        ),
        (
            "i686-w64-mingw32",
            "e-m:x-p:32:32-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:32-n8:16:32-a:0:32-S32",
        ),
        ("powerpc64-ibm-aix", "E-m:a-Fi64-i64:64-i128:128-n32:64-f64:32:64-S128-v256:256:256-v512:512:512"),
        ("powerpc64-unknown-freebsd12", "E-m:e-Fi64-i64:64-i128:128-n32:64"),
        ("powerpc64-unknown-freebsd13.2", "E-m:e-Fn32-i64:64-i128:128-n32:64"),
        ("armv7-apple-ios", "e-m:o-p:32:32-Fi8-f64:32:64-v64:32:64-v128:32:128-a:0:32-n32-S32"),
        ("armv7k-apple-watchos", "e-m:o-p:32:32-Fi8-i64:64-a:0:32-n32-S128"),
        ("thumbv7m-none-eabi", "e-m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64"),
        ("wasm64-emscripten", "e-m:e-p:64:64-p10:8:8-p20:8:8-i64:64-i128:128-f128:64-n32:64-S128-ni:1:10:20"),
        ("bpfeb", "E-m:e-p:64:64-i64:64-i128:128-n32:64-S128"),
        ("nvptx", "e-p:32:32-p6:32:32-p7:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"),
        ("mips64el-linux-gnuabin32", "e-m:e-p:32:32-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128"),
    ],
)
def test_data_layout_is_that_of_the_triple(triple: str, layout: str) -> None:
    module = counter(triple="")
    module.data_layout = DataLayout()
    expand_atomics(module, triple)
    assert str(module.data_layout) == layout


def test_windows_passes_16_bytes_as_a_vector() -> None:
    """As `opt` does it: x86-64 alone, whatever else Windows runs on."""
    cases = [
        Case("load", "i128", "seq_cst"),
        Case("store", "i128", "seq_cst"),
        Case("atomicrmw", "i128", "seq_cst", "xchg"),
        Case("cmpxchg", "i128", "seq_cst", "", "seq_cst"),
        Case("load", "i64", "seq_cst", alignment=8),
    ]
    for triple, is_vector in (("x86_64-pc-windows-msvc", True), ("x86_64-linux-gnu", False)):
        module = module_of(cases, "e-i64:64-i128:128-n8:16:32:64-S128", triple)
        expand_atomics(module)
        assert bitcodec.verify(module) == []
        called = [str(each.function_type) for each in module.functions if each.name.startswith("__atomic")]
        assert len(called) == 4
        assert all(("<2 x i64>" in each) is is_vector for each in called)


@pytest.mark.parametrize(("attribute", "expected"), [("noimplicitfloat", "cmpxchg"), ("nounwind", "load")])
def test_functions_may_forbid_vector_registers(attribute: str, expected: str) -> None:
    module = module_of([Case("load", "i128", "seq_cst")], "e-i64:64-i128:128-S128", "x86_64-unknown-linux-gnu")
    function = module.functions["f0"]
    function.attributes = attribute_list([attribute])
    expand_atomics(module, features=("+cx16", "+avx"))
    assert opcodes(function)[expected] == 1


@pytest.mark.parametrize("type_", ["<2 x i64>", "<2 x ptr>", "<4 x float>"])
def test_exchanges_that_stay_are_of_integers(type_: str) -> None:
    module = module_of([Case("store", type_, "seq_cst")], "e-i64:64-i128:128-n32:64-S128", AARCH64)
    expand_atomics(module, features=("+lse128",))
    assert bitcodec.verify(module) == []
    assert opcodes(module.functions["f0"])["atomicrmw"] == 1


@pytest.mark.parametrize(
    ("triple", "changes", "has", "lacks"),
    [
        ("x86_64", ("+cx16", "+fma"), "avx", "soft-float"),
        ("x86_64", ("+avx2", "-sse4.1"), "-sse4.1", "avx"),
        ("x86_64", ("+avx", "-avx", "+avx"), "avx", "-avx"),
        ("i686", ("-x87", "+avx2"), "sse", "x87"),
        ("riscv64", ("+a", "-a"), "zalrsc", "a"),
        ("riscv64", ("+rva22u64",), "zalrsc", "zabha"),
        ("riscv64", ("+zabha", "-zaamo"), "-zaamo", "zabha"),
        ("aarch64", ("+d128",), "lse", "lse2"),
        ("aarch64", ("+lse128", "-lse"), "-lse", "lse128"),
        ("armv7m", (), "mclass", "acquire-release"),
        ("armv7-linux-gnueabi", ("+armv8-a",), "acquire-release", "mclass"),
        ("armv7-linux-gnueabi", ("-v6",), "db", "v7"),
    ],
)
def test_features_bring_others_and_take_them_away(triple: str, changes: tuple[str, ...], has: str, lacks: str) -> None:
    features = architecture_of(triple).features(Triple.parse(triple), "", changes)
    assert has in features
    assert lacks not in features


@pytest.mark.parametrize(
    ("triple", "processor", "has"),
    [
        ("x86_64-linux-gnu", "haswell", "avx"),
        ("aarch64-linux-gnu", "cortex-a76", "lse"),
        ("thumbv7-none-eabi", "cortex-m3", "mclass"),
        ("s390x-linux-gnu", "z13", "interlocked-access1"),
    ],
)
def test_processors_have_features(triple: str, processor: str, has: str) -> None:
    assert has in architecture_of(triple).features(Triple.parse(triple), processor, ())


def test_functions_name_the_target() -> None:
    """As `opt -mcpu -mattr` writes it: a processor where none is named, features behind those of the function."""
    case = Case("load", "i32", "seq_cst")
    module = module_of([case, case], "", AARCH64)
    module.functions["f1"].attributes = attribute_list([("target-cpu", "cortex-a53"), ("target-features", "+v8a")])
    expand_atomics(module, processor="cortex-a76", features=["+lse2", "-lse"])
    named = [found.attributes.for_function for found in module.functions]
    assert [found.string("target-cpu") for found in named] == ["cortex-a76", "cortex-a53"]
    assert [found.string("target-features") for found in named] == ["+lse2,-lse", "+v8a,+lse2,-lse"]


@pytest.mark.parametrize(
    ("width", "ordering", "message"),
    [
        (7, "SEQUENTIALLY_CONSISTENT", "i7 is not a number of bytes that is a power of two"),
        (24, "SEQUENTIALLY_CONSISTENT", "i24 is not a number of bytes that is a power of two"),
        (32, "UNORDERED", "atomicrmw cannot be ordered unordered"),
        (32, "NOT_ATOMIC", "atomicrmw cannot be ordered as not atomic"),
    ],
)
def test_unsound(width: int, ordering: str, message: str) -> None:
    module = counter()
    function = module.functions["count"]
    value = module.context.constants.integer(module.context.types.integer(width), 1)
    made = AtomicRMW(AtomicRMWOperation.ADD, function.arguments[0], value, 4, ordering=AtomicOrdering[ordering])
    made.insert_before(function.blocks[0].instructions[0])
    text = str(module)
    with pytest.raises(ValueError, match=f"^@count: atomicrmw cannot be expanded: {message}$"):
        expand_atomics(module)
    assert str(module) == text


def test_operation_of_another_type() -> None:
    module = counter()
    function = module.functions["count"]
    operation = AtomicRMWOperation.FADD
    made = AtomicRMW(operation, *function.arguments[:2], 4, ordering=AtomicOrdering.MONOTONIC)
    made.insert_before(function.blocks[0].instructions[0])
    with pytest.raises(ValueError, match="takes floating-point numbers as its value, not i32"):
        expand_atomics(module)


def test_many_in_one_block() -> None:
    """Each is done in a time that does not depend on the others."""
    module = new_module("many", target_triple=AARCH64)
    types = module.context.types
    function = add_function(module, "f", types.function(types.void, [types.pointer(), types.integer(32)]))
    builder = Builder(add_block(function))
    for _ in range(300):
        builder.atomicrmw("add", function.arguments[0], function.arguments[1], ordering="monotonic")
    builder.ret()
    assert expand_atomics(module) == 300
    assert len(function.blocks) == 601
    assert bitcodec.verify(module) == []


@pytest.mark.parametrize(
    ("instruction", "message"),
    [
        # `opt` of LLVM 22: "error: unsupported atomic load", "unsupported atomic store", "unsupported cmpxchg"
        (
            "%r = load atomic i32, ptr %p seq_cst, align 2",
            "@f: unsupported atomic load: .* got 32 bits with alignment 2",
        ),
        ("store atomic i128 0, ptr %p seq_cst, align 16", "@f: unsupported atomic store: expected at most 64 bits, .*"),
        ("%r = atomicrmw add ptr %p, i128 0 seq_cst", "@f: unsupported cmpxchg: .*"),
        ("%r = cmpxchg ptr %p, i128 0, i128 0 seq_cst seq_cst", "@f: unsupported cmpxchg: .*"),
    ],
)
def test_no_library(instruction: str, message: str) -> None:
    module = bitcodec.parse_assembly(f"define void @f(ptr %p) {{\n  {instruction}\n  ret void\n}}\n")
    text = str(module)
    with pytest.raises(ValueError, match=f"^{message}"):
        expand_atomics(module, "nvptx64-nvidia-cuda")
    assert str(module) == text

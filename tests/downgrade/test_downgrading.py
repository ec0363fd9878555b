"""Writing for older versions of LLVM: nothing is lost in silence, and the module stays as it is."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

import bitcodec
from amounts import some
from bitcodec import Loss, bitstream
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode
from bitcodec.bitcode.schema.metadata import row_of
from bitcodec.bitcode.writer.debug_info import NodeOperation
from bitcodec.builder import Builder, add_block, add_function, new_module
from bitcodec.downgrade.attributes import attribute
from bitcodec.downgrade.constructs import Way
from bitcodec.downgrade.losses import Losses
from bitcodec.downgrade.node_programs import OlderNodePrograms
from bitcodec.ir import debug_info
from bitcodec.ir.module import Module
from bitcodec.tables.attributes import HIGHEST_NUMBERS, KINDS_BY_NUMBER, first_version

from .meaning import FIRST_WITHOUT_CASTS, count_bytes, differences, remove_casts
from .oracles import VERSIONS

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(path for path in EXAMPLES.rglob("*.bc") if path.parent.name != "containers")


def downgraded(module: Module, version: int) -> tuple[Module, list[Loss]]:
    losses: list[Loss] = []
    data = bitcodec.dumps(module, llvm_version=version, on_loss=losses.append)
    return bitcodec.loads(data, module.identifier), losses


@pytest.mark.parametrize(
    ("path", "version"), some([*itertools.product(FILES, VERSIONS)], 31), ids=lambda each: getattr(each, "stem", None)
)
def test_only_what_is_reported_differs(path: Path, version: int) -> None:
    module = bitcodec.open(path)
    before = str(module)
    read, losses = downgraded(module, version)
    assert str(module) == before
    remove_casts(read)
    if version < FIRST_WITHOUT_CASTS:
        for each in (module, read):
            count_bytes(each)
    assert differences(str(module), str(read), losses) == []


def codes_of_bodies(data: bytes) -> set[int]:
    module = next(block for block in bitstream.loads(data).blocks if block.id == BlockId.MODULE_BLOCK)
    bodies = [block for block in module.blocks if block.id == BlockId.FUNCTION_BLOCK]
    return {record.code for body in bodies for record in body.records}


@pytest.mark.parametrize(("version", "has_records"), [(19, True), (18, False)])
def test_debug_records_are_calls_before_llvm_19(version: int, has_records: bool) -> None:
    data = bitcodec.dumps(bitcodec.open(EXAMPLES / "queue.bc"), llvm_version=version)
    assert (FunctionCode.DEBUG_RECORD_VALUE_SIMPLE in codes_of_bodies(data)) is has_records


def with_flags() -> Module:
    """Return a module with a function that has flags of LLVM 19 and 20, and an operation of LLVM 20."""
    module = new_module("flags")
    types = module.context.types
    function = add_function(module, "f", types.function(types.integer(1), [types.pointer(), types.integer(32)]))
    pointer, number = function.arguments
    builder = Builder(add_block(function))
    builder.getelementptr(types.integer(8), pointer, [number], nuw=True)
    builder.ret(builder.icmp("ult", number, number, samesign=True))
    return module


def test_losses_name_place_and_version() -> None:
    _, losses = downgraded(with_flags(), 18)
    assert [str(loss) for loss in losses] == [
        "flags `nusw` and `nuw` of getelementptr (LLVM 19) dropped in @f: %3 = getelementptr nuw i8, ptr %0, i32 %1",
        "flag `samesign` of icmp (LLVM 20) dropped in @f: %4 = icmp samesign ult i32 %1, %1",
    ]
    read, losses = downgraded(with_flags(), 19)
    assert [(loss.construct, loss.place, loss.occurrences) for loss in losses] == [("flag `samesign` of icmp", "f", 1)]
    assert [str(each) for each in read.functions["f"].instructions][1] == "%4 = icmp ult i32 %1, %1"


def test_strict_refuses_losses() -> None:
    module = with_flags()
    assert bitcodec.dumps(module, llvm_version=20, is_strict=True)
    with pytest.raises(
        bitcodec.EncodingError, match=r"^flag `samesign` of icmp in @f would be lost for LLVM 19: LLVM 20"
    ):
        bitcodec.dumps(module, llvm_version=19, is_strict=True)


SCOPES = """
define i32 @f(ptr %p, ptr %q) {
  fence syncscope("agent") seq_cst
  %a = atomicrmw add ptr %p, i32 1 syncscope("workgroup") monotonic, align 4
  %b = atomicrmw xchg ptr %q, ptr %p syncscope("agent") seq_cst, align 8
  %c = cmpxchg ptr %p, i32 0, i32 1 syncscope("agent") monotonic seq_cst, align 4
  %d = load atomic i32, ptr %p syncscope("agent") acquire, align 4
  store atomic i32 %d, ptr %p syncscope("singlethread") release, align 4
  ret i32 %a
}
"""


def test_narrower_scopes_become_that_of_the_system() -> None:
    """LLVM 4 has none; an operation that all threads agree on does what one does that some agree on."""
    module = bitcodec.parse_assembly(SCOPES)
    assert 'syncscope("agent")' in str(downgraded(module, 5)[0])
    older, losses = downgraded(module, 4)
    assert len(older.functions["f"].blocks[0].instructions) == 10, "the exchange of a pointer has three casts"
    assert re.findall(r'syncscope\("(\w+)"\)', str(older)) == ["singlethread"]
    assert ("synchronization scope other than `singlethread`", "lowered") in {
        (loss.construct, loss.action) for loss in losses
    }


def test_what_has_no_other_form_is_refused() -> None:
    module = new_module("types")
    types = module.context.types
    add_function(module, "f", types.function(types.bfloat, []))
    message = r"^type bfloat cannot be written for LLVM 10: LLVM 11 is the first that has it"
    with pytest.raises(bitcodec.EncodingError, match=message):
        bitcodec.dumps(module, llvm_version=10)


@pytest.mark.parametrize("version", [3, 23, 0, -1, "16"])
def test_versions_out_of_range_are_refused(version: object) -> None:
    with pytest.raises(ValueError, match=f"llvm_version must be 4 to 22; got {version!r}"):
        bitcodec.dumps(with_flags(), llvm_version=version)


def test_null_pointers_stay_valid() -> None:
    """Without the attribute, a function that reads address 0 would mean something else."""
    module = with_flags()
    module.functions["f"].add_attribute("null_pointer_is_valid")
    for version in (10, 7):
        read, losses = downgraded(module, version)
        assert read.functions["f"].has_attribute("null_pointer_is_valid")
        assert any("null-pointer-is-valid" in loss.instead for loss in losses)
    with pytest.raises(bitcodec.EncodingError, match=r"null_pointer_is_valid` in @f cannot be written for LLVM 6"):
        bitcodec.dumps(module, llvm_version=6)


def test_each_attribute_has_a_first_version() -> None:
    assert list(HIGHEST_NUMBERS) == list(range(4, 25))
    assert [first_version(number) for number in (1, 53, 54, 84, 85, 102, 103, 105)] == [4, 5, 6, 15, 16, 20, 21, 22]
    assert first_version(95) == 24
    assert {first_version(number) for number in KINDS_BY_NUMBER} <= set(HIGHEST_NUMBERS)


# The lengths that writers of these versions use: docs/reference/older-readers.md, 8.
LENGTHS = {
    debug_info.DILocation: {15: 6, 20: 6, 21: 8},
    debug_info.DIBasicType: {15: 7, 19: 7, 20: 8, 21: 8},
    debug_info.DIStringType: {15: 9, 21: 9},
    debug_info.DIDerivedType: {15: 14, 18: 14, 19: 15, 21: 15},
    debug_info.DICompositeType: {15: 22, 19: 22, 20: 24, 21: 26},
    debug_info.DICompileUnit: {15: 22, 21: 22},
    debug_info.DISubprogram: {15: 20, 20: 20, 21: 21},
    debug_info.DILabel: {15: 5, 20: 5, 21: 7},
    debug_info.DIImportedEntity: {15: 8, 21: 8},
    debug_info.DIModule: {15: 9, 21: 9},
}


@pytest.mark.parametrize("kind", LENGTHS, ids=lambda kind: kind.__name__)
def test_records_of_nodes_have_the_lengths_of_the_version(kind: type[debug_info.DINode]) -> None:
    found = {version: len(OlderNodePrograms(version)[kind][-1]) for version in LENGTHS[kind]}
    assert found == LENGTHS[kind]


def test_nodes_that_a_version_lacks_are_of_another_kind() -> None:
    for kind, other in (
        (debug_info.DIFixedPointType, debug_info.DIBasicType),
        (debug_info.DISubrangeType, debug_info.DIDerivedType),
    ):
        program = OlderNodePrograms(20)[kind]
        assert program[0] == row_of(other)[0]
        assert len(program[-1]) == len(OlderNodePrograms(20)[other][-1])
        assert OlderNodePrograms(21)[kind][0] == row_of(kind)[0]
        assert all(operation != NodeOperation.LAST_STRING for operation, _, _ in program[-1])


def test_operands_that_llvm_22_exchanged_are_where_older_versions_read_them() -> None:
    fields = list(debug_info.DIObjCProperty.defaults)
    expected = [fields.index("getter"), fields.index("setter")]
    for version in (15, 21):
        operands = OlderNodePrograms(version)[debug_info.DIObjCProperty][-1]
        assert [place for _, place, _ in operands[4:6]] == expected


def test_new_intrinsics_are_kept_and_reported() -> None:
    module = new_module("new")
    types = module.context.types
    word = types.integer(32)
    compare = add_function(module, "llvm.clmul.i32", types.function(word, [word, word]))
    function = add_function(module, "f", types.function(word, [word]))
    builder = Builder(add_block(function))
    builder.ret(builder.call(compare, [function.arguments[0], 1]))
    read, losses = downgraded(module, 21)
    assert [loss[:3] for loss in losses] == [("llvm.clmul", 22, "kept")]
    assert str(read.functions["f"]) == str(function)


LACKING = """
declare void @g(ptr, ptr)

define void @f(ptr %p) {
  call void @g(ptr noundef %p, ptr noundef %p)
  call void @g(ptr noundef %p, ptr noundef %p)
  call void @g(ptr %p, ptr %p)
  ret void
}

define void @h(ptr %p) {
  call void @g(ptr noundef %p, ptr noundef %p)
  ret void
}

!nodes = !{!0, !1, !2, !3, !4, !5, !6}
!0 = !DIBasicType(name: "a", size: 8, encoding: DW_ATE_signed)
!1 = !DIBasicType(name: "b", size: 8, encoding: DW_ATE_signed, num_extra_inhabitants: 3)
!2 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !0, size: 64)
!3 = !DIDerivedType(tag: DW_TAG_LLVM_ptrauth_type, baseType: !2, ptrAuthKey: 2)
!4 = !{!"branch_weights", !"expected", i32 1, i32 2}
!5 = !{!"branch_weights", i32 1, i32 2}
!6 = !DIBasicType(name: "c", size: 8, encoding: DW_ATE_signed, flags: DIFlagBigEndian)
"""
IN_NODES = [
    ("field `num_extra_inhabitants` of !DIBasicType", "", 1),
    ("field `ptrAuthKey` of !DIDerivedType", "", 1),
    ("DW_TAG_LLVM_ptrauth_type of !DIDerivedType", "", 1),
    ("`expected` in branch weights", "", 1),
]
NEWER_FLAGS = [("newer flags of debug-info nodes", "", 1), ("field `flags` of !DIBasicType", "", 1)]
UNDEFINED = [("attribute `noundef`", "f", 4), ("attribute `noundef`", "h", 2)]


@pytest.mark.parametrize(
    ("version", "expected"),
    [(7, UNDEFINED + IN_NODES + NEWER_FLAGS), (8, UNDEFINED + IN_NODES), (18, IN_NODES), (21, [])],
)
def test_each_occurrence_is_counted_in_its_place(version: int, expected: list[tuple[str, str, int]]) -> None:
    _, losses = downgraded(bitcodec.parse_assembly(LACKING), version)
    assert [(loss.construct, loss.place, loss.occurrences) for loss in losses] == expected


ALIKE = """
define i8 @plain(i32 %a) {
  %b = trunc i32 %a to i8
  ret i8 %b
}
define i8 @twice(i32 %a) {
  %b = trunc i32 %a to i8
  %c = trunc nuw i32 %a to i8
  %d = trunc nsw i32 %a to i8
  %e = trunc nuw i32 %a to i8
  ret i8 %b
}
define i8 @once(i32 %a) {
  %b = uitofp nneg i32 %a to float
  %c = uitofp nneg i32 %a to float
  %d = trunc nuw i32 %a to i8
  ret i8 %d
}
"""


def test_instructions_that_are_alike_are_counted_in_each_function() -> None:
    _, losses = downgraded(bitcodec.parse_assembly(ALIKE), 18)
    found = [(loss.construct, loss.place, loss.occurrences) for loss in losses]
    assert found == [
        ("flags `nuw` and `nsw` of trunc", "twice", 3),
        ("flag `nneg` of uitofp", "once", 2),
        ("flags `nuw` and `nsw` of trunc", "once", 1),
    ]


SAME_BIT = """
define i32 @f(i32 %a, i32 %b) {
  %c = add nuw i32 %a, %b
  %d = or disjoint i32 %a, %c
  %e = lshr exact i32 %d, 1
  ret i32 %e
}
"""


def test_flags_of_the_same_bit_are_those_of_the_operation() -> None:
    _, losses = downgraded(bitcodec.parse_assembly(SAME_BIT), 17)
    assert [str(loss) for loss in losses] == [
        "flag `disjoint` of or (LLVM 18) dropped in @f: %d = or disjoint i32 %a, %c"
    ]


UNITS_OF_OTHER_NODES = """\
!llvm.module.flags = !{!4}
!llvm.dbg.cu = !{!0, !1}
!0 = !{}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, globals: !3)
!2 = !DIFile(filename: "a.c", directory: "")
!3 = !{!2, null}
!4 = !{i32 2, !"Debug Info Version", i32 3}
"""


@pytest.mark.parametrize("version", [4, 8])
def test_units_and_variables_may_be_other_nodes(version: int) -> None:
    """The verifier refuses them; a reader of bitcode does not."""
    read, losses = downgraded(bitcodec.parse_assembly(UNITS_OF_OTHER_NODES), version)
    assert losses == []
    assert len(read.named_metadata["llvm.dbg.cu"].operands) == 2


def test_rows_that_are_equal_are_one_loss() -> None:
    losses = Losses(17)
    for place in ("f", "g", "f"):
        losses.add(attribute("new", 21, Way.DROP), place)
    assert [(loss.construct, loss.place, loss.occurrences) for loss in losses] == [
        ("attribute `new`", "f", 2),
        ("attribute `new`", "g", 1),
    ]
    assert (losses.count, losses.has_any([attribute("new", 21, Way.DROP)])) == (3, True)
    later = losses.restarted()
    later.take(losses, [attribute("new", 21, Way.DROP)])
    assert list(later) == list(losses)

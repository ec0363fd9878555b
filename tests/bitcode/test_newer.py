"""Files of LLVM 23 and 24: read with their meaning where LLVM 22 has a place for it, else named, kept or refused."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec import BitcodecError, bitcode, bitstream, doctor
from bitcodec.bitcode.newer import newer_lines, newer_records
from bitcodec.bitcode.producers import may_be_newer, producing_version
from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode, FunctionCode, MetadataCode, ModuleCode
from bitcodec.bitstream import DraftBlock, DraftRecord
from bitcodec.ir import AtomicRMW, EnumAttribute, IntegerAttribute
from bitcodec.ir.debug_info import DIBasicType, DICompileUnit, DIFixedPointType, DIProperty
from bitcodec.tables.opcodes import CAST_OPCODES
from bitcodec.tables.versions import NEWEST

DATA = Path(__file__).parents[1] / "data" / "newer"
NAMES = ["assembly", "atomics", "attributes", "nodes", "program"]
HELLO = (Path(__file__).parents[2] / "examples" / "hello.bc").read_bytes()


def data_of(name: str) -> bytes:
    return (DATA / f"{name}-23.bc").read_bytes()


def opened(name: str) -> bitcodec.Module:
    return bitcodec.loads(data_of(name), f"{name}-23.bc")


def text_of(data: bytes, name: str) -> list[str]:
    return bitcodec.print_assembly(bitcodec.loads(data, f"{name}-23.bc")).splitlines()


def golden(name: str) -> list[str]:
    return gzip.decompress((DATA / f"{name}-23.bc.ll.gz").read_bytes()).decode().splitlines()


@pytest.mark.parametrize("name", ["atomics", "nodes", "program"])
def test_text_is_that_of_llvm_23(name: str) -> None:
    expected = [line.replace(", noRenameOnPromotion: 0", "") for line in golden(name)]
    assert text_of(data_of(name), name) == expected


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("copies_unchanged", [True, False])
def test_nothing_is_lost_when_written(name: str, *, copies_unchanged: bool) -> None:
    module = opened(name)
    written = bitcodec.dumps(module, copies_unchanged=copies_unchanged)
    again = bitcodec.loads(written, module.identifier)
    assert bitcodec.print_assembly(again) == bitcodec.print_assembly(opened(name))
    assert again.producer.endswith(f"_LLVM{NEWEST}")
    assert bitcodec.dumps(again, copies_unchanged=copies_unchanged) == written


@pytest.mark.parametrize("name", NAMES)
def test_written_for_llvm_22(name: str, tmp_path: Path) -> None:
    losses: list[str] = []
    data = bitcodec.dumps(opened(name), llvm_version=22, on_loss=lambda loss: losses.append(loss.construct))
    assert (
        sorted(set(losses))
        == {
            "assembly": ["processor and features of the module assembly"],
            "atomics": ["atomicrmw fmaximumnum"],
            "attributes": ["attribute `dead_on_return(8)`", "attribute `flatten`", "attribute `noipa`"],
            "nodes": [
                "field `dialect` of !DICompileUnit",
                *(
                    f"field `{field}` of !{node}"
                    for field in ("file", "line", "scope")
                    for node in ("DIBasicType", "DIFixedPointType")
                ),
            ],
            "program": ["ThinLTO summaries"],
        }[name]
    )
    found = doctor.diagnose(data)[0]
    assert found.needs is not None
    assert found.needs <= 22
    path = tmp_path / "old.bc"
    path.write_bytes(data)
    run = ask(["llvm-dis-22", path, "-o", "-"], text=True, check=True)
    assert run.stdout.splitlines()[1:] == text_of(data, name)[1:]


def test_fields_of_nodes() -> None:
    (unit,) = opened("nodes").named_metadata["llvm.dbg.cu"].operands
    assert isinstance(unit, DICompileUnit)
    assert unit.dialect == 1
    variable = unit.globals.operands[0].variable  # type: ignore[union-attr]
    basic = variable.type
    assert isinstance(basic, DIBasicType)
    assert (basic.scope, basic.file, basic.line, basic.data_size) == (unit, unit.file, 7, 17)


def test_attributes() -> None:
    functions = opened("attributes").functions
    strings = {name: [str(each) for each in functions[name].attributes.for_function] for name in ("b", "c", "a3")}
    assert strings["b"] == ['"denormal-fp-math"="dynamic,positive-zero"', '"denormal-fp-math-f32"="preserve-sign,ieee"']
    assert strings["c"] == ["flatten", "noipa", '"nooutline"']
    assert strings["a3"] == ["mustprogress", "nounwind", '"denormal-fp-math"="ieee,preserve-sign"']
    parameters = functions["d"].attributes.parameters
    assert list(parameters[0]) == [IntegerAttribute("dead_on_return", 8)]
    assert list(parameters[1]) == [EnumAttribute("dead_on_return")]


def test_assembly_is_whole() -> None:
    module = opened("assembly")
    assert module.module_asm == ".globl foo\nfoo: ret\nbar: ret\nbaz: ret\n"
    kept = [record.code for record in module_records(bitcodec.dumps(module))]
    assert kept.count(ModuleCode.ASM_PROPERTY) == 3
    assert kept.count(ModuleCode.ASM) == 3
    module.module_asm += "more: ret\n"
    kept = [record.code for record in module_records(bitcodec.dumps(module))]
    assert ModuleCode.ASM_PROPERTY not in kept
    assert kept.count(ModuleCode.ASM) == 1


def module_records(data: bytes) -> list[DraftRecord]:
    (module,) = [block for block in bitstream.loads(data).edit().blocks if block.id == BlockId.MODULE_BLOCK]
    return list(module.records)


def test_what_cannot_be_read_names_the_version() -> None:
    with pytest.raises(
        BitcodecError, match="BYTE record: the kind of type was added in LLVM 23; LLVM 22 has no equivalent"
    ):
        opened("bytes").materialize()
    (diagnosis,) = doctor.diagnose(data_of("bytes"))
    assert diagnosis.damage is None
    assert diagnosis.needs == 23
    assert "bitcodec does not read all of it: BYTE record" in diagnosis.unusual[0]


def changed(change: Callable[[DraftBlock], None]) -> bytes:
    """Return a file with its module changed, as if a newer LLVM had written it."""
    draft = bitstream.loads(HELLO).edit()
    change(next(block for block in draft.blocks if block.id == BlockId.MODULE_BLOCK))
    return bitcode.dumps(draft)


def inner(module: DraftBlock, block_id: int) -> DraftBlock:
    return next(block for block in module.blocks if block.id == block_id)


def with_code(block_id: int, code: int) -> Callable[[DraftBlock], None]:
    def change(module: DraftBlock) -> None:
        block = inner(module, block_id)
        block.items.insert(len(block.items), DraftRecord(code, (0, 0, 0)))

    return change


@pytest.mark.parametrize(
    ("block_id", "code", "reason"),
    [
        (BlockId.METADATA_BLOCK, 77, f"no such metadata is known: a version of LLVM newer than {NEWEST} may have it"),
        (BlockId.CONSTANTS_BLOCK, 60, f"no such constant is known: a version of LLVM newer than {NEWEST} may have it"),
        (BlockId.CONSTANTS_BLOCK, ConstantsCode.BYTE, "the constant was added in LLVM 23; LLVM 22 has no equivalent"),
        (
            BlockId.FUNCTION_BLOCK,
            99,
            f"no such instruction is known: a version of LLVM newer than {NEWEST} may have it",
        ),
        (
            BlockId.FUNCTION_BLOCK,
            FunctionCode.INST_BITINSERT,
            "the instruction was added in LLVM 24; LLVM 22 has no equivalent",
        ),
    ],
)
def test_records_whose_absence_changes_the_meaning_are_refused(block_id: int, code: int, reason: str) -> None:
    data = changed(with_code(block_id, code))
    with pytest.raises(BitcodecError, match=reason):
        bitcodec.print_assembly(bitcodec.loads(data))


def test_other_records_and_blocks_are_passed_over_and_named() -> None:
    def change(module: DraftBlock) -> None:
        module.items.append(DraftRecord(34, (1, 2)))
        module.items.append(DraftBlock(40, items=[DraftRecord(1, (1,))]))

    data = changed(change)
    assert text_of(data, "x")[1:] == text_of(HELLO, "x")[1:]
    columns = bitstream.loads(data).decode()
    assert [str(each) for each in newer_records(columns)] == [
        "record 34 of MODULE_BLOCK is not known: a newer LLVM may have it; passed over",
        "UnknownBlock40 is not known: a newer LLVM may have it; passed over",
    ]
    assert newer_lines(columns, ["LLVM22.1.8"]) == []
    assert len(newer_lines(columns, ["LLVM23.1.0"])) == 2


def test_more_operands_than_any_version_has() -> None:
    draft = bitstream.loads(data_of("nodes")).edit()
    module = next(block for block in draft.blocks if block.id == BlockId.MODULE_BLOCK)
    record = next(
        each for each in inner(module, BlockId.METADATA_BLOCK).records if each.code == MetadataCode.COMPILE_UNIT
    )
    record.operands = (*record.operands, 0)
    with pytest.raises(BitcodecError, match="COMPILE_UNIT record: has 25 operands"):
        bitcodec.loads(bitcode.dumps(draft)).materialize()


def test_properties_of_llvm_24() -> None:
    """A node of a file is replaced by one that only LLVM 24 has."""
    draft = bitstream.loads(data_of("nodes")).edit()
    module = next(block for block in draft.blocks if block.id == BlockId.MODULE_BLOCK)
    records = inner(inner(module, BlockId.FUNCTION_BLOCK), BlockId.METADATA_BLOCK).records
    record = next(each for each in records if each.code == MetadataCode.FIXED_POINT_TYPE)
    record.code, record.abbreviation_id = MetadataCode.PROPERTY, 3
    record.operands = (0, record.operands[2], record.operands[-3], 7, 0, 0)
    text = bitcodec.print_assembly(bitcodec.loads(bitcode.dumps(draft)))
    (line,) = [line for line in text.splitlines() if "!DIProperty(" in line]
    assert line.split(" = ")[1] == '!DIProperty(name: "fx", file: !3, line: 7)'


@pytest.mark.parametrize(
    ("producer", "version", "is_newer"),
    [
        ("LLVM22.1.8", 22, False),
        ("LLVM23.1.4", 23, True),
        ("LLVM24.0.0git", 24, True),
        ("bitcodec0.1.0", None, False),
        ("bitcodec0.1.0_LLVM24", 24, True),
        ("APPLE_1_1700.0.13.3_0", None, True),
        ("", None, True),
        (None, None, False),
    ],
)
def test_producers(producer: str | None, version: int | None, *, is_newer: bool) -> None:
    assert producing_version(producer or "") == version
    assert may_be_newer(producer) is is_newer


def test_a_flag_of_llvm_24_is_named() -> None:
    def change(module: DraftBlock) -> None:
        body = inner(module, BlockId.FUNCTION_BLOCK)
        body.items.append(DraftRecord(FunctionCode.INST_CAST, (1, 1, CAST_OPCODES.index("addrspacecast"), 1)))

    (record,) = newer_records(bitstream.loads(changed(change)).decode())
    assert str(record) == "record 3 of FUNCTION_BLOCK is of LLVM 24 (`nonnull` of addrspacecast); passed over"


def test_operations_of_atomicrmw() -> None:
    (operation,) = [
        each
        for block in opened("atomics").functions["e"].blocks
        for each in block.instructions
        if isinstance(each, AtomicRMW)
    ]
    assert (operation.operation.spelling, operation.operation.since) == ("fmaximumnum", 23)
    assert DIFixedPointType.__match_args__
    assert DIProperty.layout.since == 24


NEWER_TEXT = {
    "flatten": "define void @f() flatten {\n ret void\n}",
    "noipa": "define void @f() {\n call void @f() noipa\n ret void\n}",
    "fmaximumnum": "define void @f(ptr %p) {\n %a = atomicrmw fmaximumnum ptr %p, float 1.0 seq_cst\n ret void\n}",
    "dialect": "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n"
    "!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, dialect: DW_LLVM_LANG_DIALECT_simt)\n"
    '!1 = !DIFile(filename: "a", directory: "b")\n!2 = !{i32 2, !"Debug Info Version", i32 3}',
    "line": '!x = !{!0}\n!0 = !DIBasicType(name: "int", line: 3, size: 32)',
}


@pytest.mark.same_in_both
@pytest.mark.parametrize("word", NEWER_TEXT)
def test_constructs_of_text_decide(word: str) -> None:
    """Text names no producer, so what is in it decides which version can read it."""
    module = bitcodec.parse_assembly(NEWER_TEXT[word])
    whole = bitcodec.dumps(module)
    assert word in str(bitcodec.loads(whole))
    assert b"_LLVM" in bitcodec.loads(whole).producer.encode()
    losses: list[bitcodec.Loss] = []
    older = bitcodec.dumps(module, llvm_version=22, on_loss=losses.append)
    assert [loss.construct for loss in losses if word in loss.construct]
    assert word not in str(bitcodec.loads(older))
    assert "_LLVM" not in bitcodec.loads(older).producer


@pytest.mark.same_in_both
def test_what_is_added_to_a_file_of_llvm_22_decides() -> None:
    module = bitcodec.loads(HELLO)
    module.functions["main"].add_attribute("noipa")
    losses: list[bitcodec.Loss] = []
    older = bitcodec.loads(bitcodec.dumps(module, llvm_version=22, on_loss=losses.append))
    assert [loss.construct for loss in losses] == ["attribute `noipa`"]
    assert not older.functions["main"].has_attribute("noipa")

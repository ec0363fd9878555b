"""Malformed records that only writing looks at."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcode import streams as s
from bitcodec import BitcodeError, EncodingError, bitcode, bitstream, pcsections
from bitcodec.bitcode import foreign
from bitcodec.bitcode.schema.blocks import BlockId, MetadataCode, ModuleCode
from bitcodec.bitcode.schema.globals import GLOBAL_LAYOUTS
from bitcodec.ir.attributes import AttributeList, AttributeSet, StringAttribute
from bitcodec.ir.debug_records import DbgVariableRecord
from bitcodec.ir.metadata import DIArgList, MDTuple, NamedMetadata

PARTITION = GLOBAL_LAYOUTS[ModuleCode.FUNCTION]._fields.index("partition_offset")
HELLO = (Path(__file__).parents[3] / "examples" / "hello.bc").read_bytes()


def with_operands(code: int, *operands: int) -> bytes:
    """Return the file with other operands behind the name of the first record of a code."""
    draft = bitstream.loads(HELLO).edit()
    record = draft.block(BlockId.MODULE_BLOCK).record(code)
    record.abbreviation_id = 3
    record.operands = (*record.operands[:2], *operands)
    return bitcode.dumps(draft)


def test_a_record_of_a_function_that_is_too_short() -> None:
    with pytest.raises(BitcodeError, match="FUNCTION record: has too few operands"):
        bitcodec.dumps(bitcodec.loads(with_operands(ModuleCode.FUNCTION)))


def with_partition(offset: int, size: int) -> bytes:
    fields = bitstream.loads(HELLO).edit().block(BlockId.MODULE_BLOCK).record(ModuleCode.FUNCTION).operands[2:]
    return with_operands(ModuleCode.FUNCTION, *[*fields, *[0] * PARTITION][:PARTITION], offset, size)


def attached(data: bytes) -> bytes:
    module = bitcodec.loads(data)
    pcsections.attach(module, "functions", [pcsections.PCSection.of("hot")])
    return bitcodec.dumps(module)


def test_a_partition_that_reaches_past_the_string_table() -> None:
    with pytest.raises(BitcodeError, match=r"FUNCTION record: .* reaches past the string table"):
        attached(with_partition(1 << 20, 1))


def test_where_a_partition_without_a_name_is_does_not_matter() -> None:
    assert "!pcsections" in bitcodec.print_assembly(bitcodec.loads(attached(with_partition(1 << 20, 0))))


DESCRIBED = Path(__file__).parents[2] / "transforms" / "described.bc"


def variable_record(module: bitcodec.Module) -> DbgVariableRecord:
    return next(
        record
        for function in module.functions
        for instruction in function.instructions
        for record in instruction.debug_records
        if isinstance(record, DbgVariableRecord)
    )


def test_a_debug_record_that_lacks_a_part() -> None:
    module = bitcodec.open(DESCRIBED)
    variable_record(module).variable = None  # type: ignore[assignment]
    with pytest.raises(EncodingError, match="a debug record lacks a part"):
        bitcodec.dumps(module)


def test_debug_records_behind_the_last_instruction() -> None:
    """Records stand before an instruction in bitcode, so that these would be lost."""
    module = bitcodec.open(DESCRIBED)
    function = next(function for function in module.functions if function.blocks)
    function.blocks[-1].trailing_debug_records.append(variable_record(module))
    with pytest.raises(EncodingError, match=r"the body of @.* debug records at its end: give it a terminator"):
        bitcodec.dumps(module)


def test_metadata_as_an_operand_of_a_phi(monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM 22 reads this; its verifier refuses it."""
    void, metadata, action = range(3)
    types = s.types(s.VOID, s.record(16), s.function_type(void))
    body = s.function_block(s.branch(1), s.phi(metadata, (s.signed(1), 0)), s.RET_VOID, blocks=2)
    function = s.function(action, is_declaration=0)
    module = bitcodec.loads(s.stream(s.module(types, function, s.metadata(s.record(MetadataCode.NODE)), body)))
    assert "phi metadata [ !0, %0 ]" in str(module)
    monkeypatch.setattr(foreign, "ARE_REFUSED", False)
    with pytest.raises(EncodingError, match=r"the body of @.* has metadata as an operand .* not a call"):
        bitcodec.dumps(module)


@pytest.mark.parametrize("attribute", [StringAttribute("a\0b"), StringAttribute("a", "b\0")])
def test_a_zero_in_a_string_attribute(attribute: StringAttribute) -> None:
    module = bitcodec.loads(HELLO)
    module.functions["main"].attributes = AttributeList(AttributeSet([attribute]))
    with pytest.raises(EncodingError, match="a zero ends texts of attributes"):
        bitcodec.dumps(module)


def test_a_list_of_arguments_in_a_node() -> None:
    module = bitcodec.loads(HELLO)
    module.named_metadata["odd"] = NamedMetadata("odd", [MDTuple([DIArgList()])])
    with pytest.raises(EncodingError, match=r"a node refers to !DIArgList\(\), which only debug records may do"):
        bitcodec.dumps(module)


def test_a_number_that_no_record_can_have_is_refused_with_the_name_of_the_function() -> None:
    module = bitcodec.open(Path(__file__).parents[2] / "transforms" / "described.bc")
    function = next(function for function in module.functions if not function.is_declaration)
    location = next(found.debug_location for found in function.instructions if found.debug_location is not None)
    location._set_part(0, -1)
    with pytest.raises(EncodingError, match=rf"the body of @{function.name} was not written .* a fault in .*neg"):
        bitcodec.dumps(module, copies_unchanged=False)


def test_a_location_that_is_another_node_is_refused() -> None:
    module = bitcodec.open(Path(__file__).parents[2] / "transforms" / "described.bc")
    function = next(function for function in module.functions if not function.is_declaration)
    instruction = next(iter(function.instructions))
    with pytest.raises(TypeError, match="debug_location must be DILocation or None"):
        instruction.debug_location = MDTuple()  # type: ignore[assignment]


def test_text_of_surrogates_that_stand_for_no_byte() -> None:
    """A program may make it; what was read from a file never has any."""
    module = bitcodec.open(Path(__file__).parents[3] / "examples" / "hello.bc")
    module.functions["main"].section = "a\ud800"
    with pytest.raises(EncodingError, match=r"^'a\\ud800' cannot be written as UTF-8: surrogates not allowed$"):
        bitcodec.dumps(module, copies_unchanged=False)

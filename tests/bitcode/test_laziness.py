"""What is not asked for is not read; what is malformed is refused in the same words, whenever it is met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import bitcodec
import corpus
from bitcode import streams
from bitcode.readings import READINGS, TEXT, Reading, digest, expected, files
from bitcodec.bitcode.reader import metadata_nodes
from bitcodec.bitcode.reader.blocks import BlockPlace, Records
from bitcodec.bitcode.reader.node_reader import NodeForm
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode, MetadataCode
from bitcodec.bitstream import Bitstream
from bitcodec.bitstream.abbreviations import AbbreviationId
from bitcodec.bitstream.items import DraftRecord
from bitcodec.errors import BitcodecError, BitcodeError
from bitcodec.ir.construction.present import raw_parts
from bitcodec.ir.debug_info import DISubprogram
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.module import Module

DATA = Path(__file__).parents[1] / "data"
MODULE = DATA / "exceptions-O2-19.bc"
WITH_DEBUG_INFO = DATA / "ir_metadata-22.bc"


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[BlockPlace]:
    """Return the list of blocks decoded from now on."""
    places: list[BlockPlace] = []
    decode = BlockPlace.decode

    def counting(place: BlockPlace, *arguments: Any, **options: Any) -> Records:
        places.append(place)
        return decode(place, *arguments, **options)

    monkeypatch.setattr(BlockPlace, "decode", counting)
    return places


def ids(places: list[BlockPlace]) -> Counter[int]:
    return Counter(place.id for place in places)


def of(places: list[BlockPlace], block_id: int) -> list[int]:
    """Return where the blocks of an id start."""
    return [place.start for place in places if place.id == block_id]


def test_opening_reads_what_the_module_consists_of(decoded: list[BlockPlace]) -> None:
    module = bitcodec.open(MODULE)
    assert module.target_triple
    assert ids(decoded).keys() <= {
        BlockId.IDENTIFICATION_BLOCK,
        BlockId.MODULE_BLOCK,
        BlockId.TYPE_BLOCK,
        BlockId.STRTAB_BLOCK,
    }
    assert set(ids(decoded).values()) == {1}


def test_names_of_functions_need_neither_bodies_nor_metadata_nor_constants(decoded: list[BlockPlace]) -> None:
    module = bitcodec.open(MODULE)
    assert all(function.name and function.value_type for function in module.functions)
    assert not ids(decoded).keys() & {BlockId.FUNCTION_BLOCK, BlockId.METADATA_BLOCK, BlockId.CONSTANTS_BLOCK}


@pytest.mark.parametrize("path", [MODULE, DATA / "structs-i386-14.bc"], ids=lambda path: path.name)
def test_symbol_names_are_read_without_making_globals(path: Path) -> None:
    made = [value.name for value in bitcodec.open(path).globals if value.name and not value.name.startswith("llvm.")]

    module = bitcodec.open(path)

    assert module.symbol_names == made
    assert not module._lists[Function]._items
    assert module.functions
    assert module.symbol_names == made


def test_summaries_and_symbol_tables_are_kept_as_they_are(decoded: list[BlockPlace]) -> None:
    module = bitcodec.open(DATA / "index-22.thinlto.bc")
    assert not ids(decoded).keys() & {BlockId.GLOBALVAL_SUMMARY_BLOCK, BlockId.SYMTAB_BLOCK}
    stream = Bitstream((DATA / "index-22.thinlto.bc").read_bytes())
    blocks = [inner for outer in stream.blocks for inner in (outer, *outer.blocks)]
    summary = next(block for block in blocks if block.id == BlockId.GLOBALVAL_SUMMARY_BLOCK)
    expected = tuple((record.code, record.operands) for record in summary.records)

    (part,) = (part for part in raw_parts(module) if part.name == "GLOBALVAL_SUMMARY_BLOCK")

    assert part.records == expected
    assert not part.blob


def test_the_symbol_table_for_linkers_is_its_bytes() -> None:
    module = bitcodec.open(MODULE)
    module.materialize()
    stream = Bitstream(MODULE.read_bytes())
    (table,) = (block for block in stream.blocks if block.id == BlockId.SYMTAB_BLOCK)
    assert [(part.name, part.blob) for part in raw_parts(module)] == [
        ("SYMTAB_BLOCK", bytes(table.records[0].blob or b""))
    ]
    assert raw_parts(module)[0].blob


def test_one_function_is_read_without_the_others(decoded: list[BlockPlace]) -> None:
    module = bitcodec.open(MODULE)
    bodies = [function for function in module.functions if not function.is_declaration]
    assert len(bodies) > 3
    starts = []
    for function in (bodies[2], bodies[0]):
        decoded.clear()
        assert function.blocks
        starts += of(decoded, BlockId.FUNCTION_BLOCK)
        assert len(of(decoded, BlockId.FUNCTION_BLOCK)) == 1
        decoded.clear()
        assert function.blocks
        assert not decoded, "what was read is not read again"
    assert [function.is_materialized for function in bodies[:4]] == [True, False, True, False]
    assert starts[0] > starts[1]


def test_a_body_is_read_without_metadata(decoded: list[BlockPlace]) -> None:
    module = bitcodec.open(WITH_DEBUG_INFO)
    function = next(function for function in module.functions if not function.is_declaration)
    assert function.blocks
    assert ids(decoded)[BlockId.FUNCTION_BLOCK] == 1


def test_module_flags_make_no_debug_information(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    form_of = metadata_nodes.form_of

    def counting(code: int) -> NodeForm:
        made.append(code)
        return form_of(code)

    monkeypatch.setattr(metadata_nodes, "form_of", counting)
    monkeypatch.setattr(metadata_nodes, "_KNOWN_FORMS", metadata_nodes._FORMS.copy())
    module = bitcodec.open(WITH_DEBUG_INFO)
    flags = module.named_metadata["llvm.module.flags"].operands
    assert all(len(flag.operands) == 3 for flag in flags)
    assert not made
    module.materialize()
    assert len(made) > 10


@pytest.mark.parametrize("path", [MODULE, WITH_DEBUG_INFO], ids=lambda path: path.name)
def test_module_flags_need_no_global_and_no_function(path: Path, decoded: list[BlockPlace]) -> None:
    module = bitcodec.open(path)
    assert module.flags
    assert module._has_unread_symbols
    assert not ids(decoded).keys() & {BlockId.FUNCTION_BLOCK, BlockId.PARAMATTR_GROUP_BLOCK, BlockId.SYMTAB_BLOCK}


def test_a_location_leads_to_no_types() -> None:
    module = bitcodec.open(WITH_DEBUG_INFO)
    instructions = [instruction for function in module.functions for instruction in function.instructions]
    location = next(instruction.debug_location for instruction in instructions if instruction.debug_location)
    subprogram = location.scope
    while not isinstance(subprogram, DISubprogram):
        subprogram = subprogram.scope
    made = len(module._source._metadata.maker)  # type: ignore[union-attr]
    assert subprogram.type is not None
    assert len(module._source._metadata.maker) > made  # type: ignore[union-attr]


# The same error, early or late


def broken_block(block_id: int, number: int, change: Callable[[list[DraftRecord]], None]) -> bytes:
    """Return the module with something changed in a block of an id, the `number`-th of those."""
    draft = Bitstream(MODULE.read_bytes()).edit()
    blocks = [*draft.blocks]
    for block in blocks:
        blocks += block.blocks
    found = [block for block in blocks if block.id == block_id]
    change(found[number].records)
    return draft.dumps()


def unknown_code(records: list[DraftRecord]) -> None:
    record = next(record for record in records if record.code == FunctionCode.INST_CALL)
    record.code, record.abbreviation_id = 99, AbbreviationId.UNABBREV_RECORD


def operands(*values: int, at: int = -1) -> Callable[[list[DraftRecord]], None]:
    def change(records: list[DraftRecord]) -> None:
        records[at].operands = values
        records[at].abbreviation_id = AbbreviationId.UNABBREV_RECORD

    return change


BROKEN: dict[str, tuple[bytes, str]] = {
    "an instruction": (
        broken_block(BlockId.FUNCTION_BLOCK, 1, unknown_code),
        "code 99 record: no such instruction is known",
    ),
    "the last body": (
        broken_block(BlockId.FUNCTION_BLOCK, -1, operands(0, at=0)),
        "DECLAREBLOCKS record: the body has no basic blocks",
    ),
    "a constant": (
        broken_block(BlockId.CONSTANTS_BLOCK, 0, operands(1 << 20, at=0)),
        "SETTYPE record: type 1048576 does not exist",
    ),
    "a constant of a function": (
        broken_block(BlockId.CONSTANTS_BLOCK, -1, operands(1 << 20, at=0)),
        "SETTYPE record: type 1048576 does not exist",
    ),
    "a kind of metadata": (
        broken_block(BlockId.METADATA_KIND_BLOCK, 0, operands(0, *b"twice", at=3)),
        "KIND record: ",
    ),
    "attributes": (
        broken_block(BlockId.PARAMATTR_GROUP_BLOCK, 0, operands(1, 0xFFFFFFFF, 0, 255)),
        "ENTRY record: unknown attribute kind (255)",
    ),
    "a tag of bundles": (
        broken_block(BlockId.OPERAND_BUNDLE_TAGS_BLOCK, 0, lambda records: setattr(records[0], "code", 7)),
        "code 7 record: no such record is defined here",
    ),
}


def error_of(read: Callable[[], object]) -> BitcodeError:
    with pytest.raises(BitcodeError) as caught:
        read()
    return caught.value


def walk(module: Module) -> None:
    """Ask for one part after another, the last functions first."""
    for function in [*module.functions][::-1]:
        for block in function.blocks:
            for instruction in block.instructions:
                _ = instruction.operands, instruction.metadata, instruction.debug_location
        _ = function.attributes, function.metadata
    for variable in module.global_variables:
        _ = variable.initializer, variable.attributes, variable.metadata
    module.materialize()


@pytest.mark.parametrize("kind", BROKEN)
def test_the_same_error_whenever_it_is_met(kind: str) -> None:
    data, reason = BROKEN[kind]
    at_once = error_of(bitcodec.loads(data).materialize)
    assert reason in str(at_once)
    walked = bitcodec.loads(data)
    assert str(error_of(lambda: walk(walked))) == str(at_once)
    assert str(error_of(lambda: walk(walked))) == str(at_once), "and again"
    assert str(error_of(walked.materialize)) == str(at_once)


def test_what_is_sound_can_be_read_beside_what_is_not() -> None:
    module = bitcodec.loads(BROKEN["an instruction"][0])
    refused = []
    for function in module.functions:
        try:
            assert function.is_declaration == (not function.blocks)
        except BitcodecError:
            refused.append(function.name)
            assert not function.is_materialized
    assert len(refused) == 1


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.name)
@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_the_text_is_the_same_whatever_was_read_before(path: Path, reading: Reading) -> None:
    module = bitcodec.open(path)
    reading.do(module)
    assert digest(str(module)) == expected(path, TEXT)


@corpus.needs_corpus
def test_nodes_that_an_upgrade_takes_out_while_they_are_read_stay_out() -> None:
    """To read `!nvvm.annotations` makes globals, and these take annotations out of it."""
    path = corpus.FOLDER / "modules" / "cuda-nvptx-19.bc"
    module = bitcodec.open(path)
    read = {name: named.operands for name, named in module.named_metadata.items()}
    assert str(module) == str(bitcodec.open(path))
    assert {name: named.operands for name, named in module.named_metadata.items()} == read


def test_a_refused_body_uses_nothing() -> None:
    module = bitcodec.loads(BROKEN["an instruction"][0])
    for function in module.functions:
        try:
            function.materialize()
        except BitcodecError:
            refused = function
    assert not refused._blocks
    assert all(not argument._uses for argument in refused.arguments)
    of_globals = [user for value in module.globals for user in value._uses]
    assert of_globals, "other bodies use some"
    assert all(user.function is not None for user in of_globals if isinstance(user, Instruction))


def test_a_refused_part_is_not_read_again(decoded: list[BlockPlace]) -> None:
    """So it cannot matter what a first attempt has left behind."""
    module = bitcodec.loads(BROKEN["an instruction"][0])
    first = error_of(module.materialize)
    decoded.clear()
    again = error_of(module.materialize)
    assert not of(decoded, BlockId.FUNCTION_BLOCK)
    assert (str(again), again.bit_offset) == (str(first), first.bit_offset)
    assert again is not first


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_file_cut_off_is_refused_when_it_is_opened(share: float) -> None:
    data = MODULE.read_bytes()
    data = data[: int(len(data) * share) & ~3]
    with pytest.raises(BitcodecError, match="more than the rest of the data"):
        bitcodec.loads(data)


def test_metadata_of_a_function_is_refused_with_its_place() -> None:
    draft = Bitstream(WITH_DEBUG_INFO.read_bytes()).edit()
    module = next(block for block in draft.blocks if block.id == BlockId.MODULE_BLOCK)
    bodies = [block for block in module.blocks if block.id == BlockId.FUNCTION_BLOCK]
    inner = next(block for body in bodies for block in body.blocks if block.id == BlockId.METADATA_BLOCK)
    operands(0, at=0)(inner.records)
    data = draft.dumps()
    columns = Bitstream(data).columns
    path = (BlockId.MODULE_BLOCK, BlockId.FUNCTION_BLOCK, BlockId.METADATA_BLOCK)
    rows = [row for row, block in enumerate(columns.records.block) if columns.blocks.path(block) == path]
    read = bitcodec.loads(data)
    for _ in range(2):
        with pytest.raises(BitcodeError, match="LOCATION record: has too few operands") as caught:
            read.materialize()
        assert caught.value.block_path == path
        assert caught.value.bit_offset == columns.records.start[rows[0]]


@corpus.needs_corpus
@pytest.mark.parametrize(
    "path",
    ["containers/wrapper-darwin-14.bc", "legacy/apple-clang-700-O3-g-1.bc", "modules/structs-ios-14.bc"],
)
def test_metadata_may_be_asked_for_first_where_pointers_have_types(path: str) -> None:
    """What upgrades their symbols asks for constants itself: these are numbered once all the same."""
    data = (corpus.FOLDER / path).read_bytes()
    module = bitcodec.loads(data)
    assert module.named_metadata
    module.materialize()
    assert bitcodec.print_assembly(module) == bitcodec.print_assembly(bitcodec.loads(data))


@pytest.mark.parametrize("first", [str, Module.materialize, lambda module: str(module.functions[0])])
def test_metadata_of_a_function_that_nobody_needs_is_refused_whatever_was_read_first(
    first: Callable[[Module], object],
) -> None:
    no_value = streams.record(MetadataCode.ARG_LIST, 0)
    data = streams.stream(
        streams.identification(),
        streams.module(
            streams.types(streams.record(2), streams.function_type(0)),
            streams.function(1, is_declaration=0),
            streams.function_block(streams.metadata(streams.record(MetadataCode.NODE), no_value), streams.RET_VOID),
        ),
        streams.strtab(""),
    )
    module = bitcodec.loads(data)
    with suppress(BitcodeError):
        first(module)
    with suppress(BitcodeError):
        _ = [str(function) for function in module.functions]
    with pytest.raises(BitcodeError, match="ARG_LIST record: an argument of the list is not a value"):
        str(module)

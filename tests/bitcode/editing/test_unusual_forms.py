"""Changed files whose records of offsets are not in LLVM's form: the text is kept, and the offsets are correct."""

from __future__ import annotations

import functools
import itertools
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bitcodec
from amounts import is_whole, some
from bitcode import streams
from bitcodec import bitcode, bitstream, builder, pcsections
from bitcodec.bitcode.editing.flag_changes import replace_flags
from bitcodec.bitcode.schema.blocks import (
    METADATA_CODES_WITH_ID,
    BlockId,
    IdentificationCode,
    MetadataCode,
    ModuleCode,
    ValueSymtabCode,
)
from bitcodec.bitstream import Abbreviation, Definition, Draft, DraftBlock, DraftRecord, array, blob, fixed, vbr
from bitcodec.ir.construction.present import source_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.bitstream import Bitstream, Block
    from bitcodec.ir import Module

    Form = Callable[[Draft], None]

pytestmark = pytest.mark.usefixtures("proved")

EXAMPLES = Path(__file__).parents[3] / "examples"
FILE = EXAMPLES / "queue.bc"
ORIGINAL = FILE.read_bytes()
SMALL = (EXAMPLES / "hello.bc").read_bytes()
LONGER = "x86_64-a_rather_long_vendor-linux-gnu"


# Forms


def modules(draft: Draft) -> list[DraftBlock]:
    return [block for block in draft.blocks if block.id == BlockId.MODULE_BLOCK]


def blocks(draft: Draft, block_id: int) -> list[DraftBlock]:
    """Return the module blocks themselves, or the blocks of an id in them."""
    if block_id == BlockId.MODULE_BLOCK:
        return modules(draft)
    return [block for module in modules(draft) for block in module.blocks if block.id == block_id]


def position(block: DraftBlock, item: object) -> int:
    return next(index for index, present in enumerate(block.items) if present is item)


def abbreviated(block_id: int, code: int, *layout: bitstream.Operand) -> Form:
    """Write records by another abbreviation; without a layout, unabbreviated."""

    def change(draft: Draft) -> None:
        for block in blocks(draft, block_id):
            records = [record for record in block.records if record.code == code]
            abbreviation_id = block.define(Abbreviation.of(code, *layout)) if layout and records else 3
            for record in records:
                record.abbreviation_id = abbreviation_id
            # A definition is in force behind it.
            definitions = [item for item in block.items if isinstance(item, Definition)]
            for definition in definitions if layout and records else ():
                block.remove(definition)
            block.items[:0] = definitions if layout and records else []

    return change


def dropped(block_id: int, code: int) -> Form:
    def change(draft: Draft) -> None:
        for block in blocks(draft, block_id):
            for record in block.records:
                if record.code == code:
                    block.remove(record)

    return change


def doubled(block_id: int, code: int) -> Form:
    def change(draft: Draft) -> None:
        for block in blocks(draft, block_id):
            for record in [record for record in block.records if record.code == code][:1]:
                copy = DraftRecord(record.code, record.operands, record.abbreviation_id)
                block.items.insert(position(block, record) + 1, copy)

    return change


def reversed_records(block_id: int, code: int) -> Form:
    def change(draft: Draft) -> None:
        for block in blocks(draft, block_id):
            records = [record for record in block.records if record.code == code]
            places = [position(block, record) for record in records]
            for place, record in zip(places, reversed(records), strict=True):
                block.items[place] = record

    return change


def added(block_id: int, code: int, *operands: int, at: int = 0, content: bytes | None = None) -> Form:
    """Add a record that nobody knows, or one with a blob."""

    def change(draft: Draft) -> None:
        for block in blocks(draft, block_id)[:1]:
            abbreviation_id = 3 if content is None else block.define(Abbreviation.of(code, blob))
            place = at if at >= 0 else len(block.items)
            block.items.insert(place, DraftRecord(code, operands, abbreviation_id, content))

    return change


def nested(block_id: int) -> Form:
    """Put a block that nobody knows at the end of others."""

    def change(draft: Draft) -> None:
        for block in blocks(draft, block_id):
            block.items.append(DraftBlock(99, items=[DraftRecord(5, (1, 2, 3))]))

    return change


def without_blocks(block_id: int) -> Form:
    def change(draft: Draft) -> None:
        for module in modules(draft):
            for block in module.blocks:
                if block.id == block_id:
                    module.remove(block)

    return change


def without_identification(draft: Draft) -> None:
    draft.blocks[:] = [block for block in draft.blocks if block.id != BlockId.IDENTIFICATION_BLOCK]


def all_unabbreviated(draft: Draft) -> None:
    for module in modules(draft):
        for record in module.records:
            record.abbreviation_id = 3


def of_several(*forms: Form) -> Form:
    def change(draft: Draft) -> None:
        for form in forms:
            form(draft)

    return change


MODULE, SYMTAB, METADATA = BlockId.MODULE_BLOCK, BlockId.VALUE_SYMTAB_BLOCK, BlockId.METADATA_BLOCK
VSTOFFSET, HASH = ModuleCode.VSTOFFSET, ModuleCode.HASH
FNENTRY = ValueSymtabCode.FNENTRY
INDEX_OFFSET, INDEX = MetadataCode.INDEX_OFFSET, MetadataCode.INDEX

FORMS: dict[str, Form] = {
    "LLVM's": lambda _: None,
    "VSTOFFSET unabbreviated": abbreviated(MODULE, VSTOFFSET),
    "VSTOFFSET vbr6": abbreviated(MODULE, VSTOFFSET, vbr(6)),
    "VSTOFFSET fixed31": abbreviated(MODULE, VSTOFFSET, fixed(31)),
    "VSTOFFSET array": abbreviated(MODULE, VSTOFFSET, array, fixed(32)),
    "VSTOFFSET doubled": doubled(MODULE, VSTOFFSET),
    "no symbol table": of_several(dropped(MODULE, VSTOFFSET), without_blocks(SYMTAB)),
    "FNENTRY unabbreviated": abbreviated(SYMTAB, FNENTRY),
    "FNENTRY fixed32": abbreviated(SYMTAB, FNENTRY, fixed(32), fixed(32)),
    "FNENTRY reversed": reversed_records(SYMTAB, FNENTRY),
    "FNENTRY doubled": doubled(SYMTAB, FNENTRY),
    "FNENTRY dropped": dropped(SYMTAB, FNENTRY),
    "all offsets unabbreviated": of_several(
        abbreviated(MODULE, VSTOFFSET), abbreviated(SYMTAB, FNENTRY), abbreviated(METADATA, INDEX_OFFSET)
    ),
    "INDEX_OFFSET unabbreviated": abbreviated(METADATA, INDEX_OFFSET),
    "INDEX_OFFSET vbr6": abbreviated(METADATA, INDEX_OFFSET, vbr(6), vbr(6)),
    "INDEX unabbreviated": abbreviated(METADATA, INDEX),
    "INDEX fixed32": abbreviated(METADATA, INDEX, array, fixed(32)),
    "no index": of_several(dropped(METADATA, INDEX_OFFSET), dropped(METADATA, INDEX)),
    "INDEX_OFFSET doubled": doubled(METADATA, INDEX_OFFSET),
    "HASH": added(MODULE, HASH, 1, 2, 3, 4, 5, at=-1),
    "no identification": without_identification,
    "all unabbreviated": all_unabbreviated,
    "unknown record": added(MODULE, 200, 1, 2, at=1),
    "record with a blob": added(MODULE, 200, at=-1, content=b"blob"),
    "block in metadata": nested(METADATA),
    "block in kinds": nested(BlockId.METADATA_KIND_BLOCK),
    "block at the end": nested(MODULE),
}


@functools.cache
def file_of(form: Form, original: bytes = ORIGINAL) -> bytes:
    draft = bitstream.loads(original).edit()
    form(draft)
    return bitcode.dumps(draft)


# Changes


def rename(module: Module) -> None:
    """Give two functions each other's names: the file has both."""
    push, pop = module.functions["push"], module.functions["pop"]
    push.name, pop.name = "", "push"
    push.name = "pop"


def set_triple(module: Module) -> None:
    module.target_triple = LONGER


def remove_flag(module: Module) -> None:
    module.flags.remove("wchar_size")


def attach(module: Module) -> None:
    pcsections.attach(module, "all,functions", [pcsections.PCSection.of("hot")])


def add_variable(module: Module) -> None:
    builder.add_variable(module, "added", module.context.types.integer(32))


def edit_body(module: Module) -> None:
    block = module.functions["pop"].blocks[0]
    made = builder.Builder(block)
    made.before(block.instructions[0])
    made.alloca(module.context.types.integer(7), name="added")


CHANGES = [rename, set_triple, remove_flag, attach, add_variable, edit_body]


# What has to hold


def wrong_offsets(stream: Bitstream) -> Iterator[str]:
    """Yield what is wrong with the offsets of each module of a stream."""
    identification: Block | None = None
    for block in stream.blocks:
        if block.id == MODULE:
            base = (identification or block).start - 32
            yield from wrong_offsets_of(block, base)
        identification = block if block.id == BlockId.IDENTIFICATION_BLOCK else None


def wrong_offsets_of(module: Block, base: int) -> Iterator[str]:
    places = {(block.start - base) // 32: block.id for block in module.blocks}
    for record in module.records:
        if record.code == VSTOFFSET and places.get(record.operands[0]) != SYMTAB:
            yield f"VSTOFFSET {record.operands}"
    for block in module.blocks:
        if block.id == SYMTAB:
            entries = sorted(record.operands for record in block.records if record.code == FNENTRY)
            bodies = [place for place, block_id in sorted(places.items()) if block_id == BlockId.FUNCTION_BLOCK]
            offsets = [offset for _, offset in dict.fromkeys(entries)]
            if offsets and offsets != bodies:
                yield f"FNENTRY {offsets}, bodies {bodies}"
        elif block.id == METADATA:
            yield from wrong_index(block)


def wrong_index(metadata: Block) -> Iterator[str]:
    offset = None
    starts: list[int] = []
    for record in metadata.records:
        if record.code == INDEX_OFFSET:
            offset, starts = record, []
        elif record.code == INDEX and offset is not None:
            if offset.end + offset.operands[0] + (offset.operands[1] << 32) != record.start:
                yield f"INDEX_OFFSET {offset.operands}"
            if list(itertools.accumulate(record.operands, initial=offset.end))[1:] != starts:
                yield f"INDEX {record.operands}"
        elif record.code in METADATA_CODES_WITH_ID:
            starts.append(record.start)


def text(data: bytes) -> str:
    return bitcodec.print_assembly(bitcodec.loads(data, "-"))


@pytest.mark.parametrize("form", FORMS)
def test_the_form_itself_has_correct_offsets(form: str) -> None:
    assert list(wrong_offsets(bitstream.loads(file_of(FORMS[form])))) == []


def pairs() -> list[tuple[str, Callable[[Module], None]]]:
    """Return each form with each change; by default each form with one, and each change with several."""
    if is_whole(__file__):
        return list(itertools.product(FORMS, CHANGES))
    return list(zip(FORMS, itertools.cycle(CHANGES), strict=False))


@pytest.mark.parametrize(("form", "change"), pairs())
def test_a_changed_file_says_what_the_module_says(form: str, change: Callable[[Module], None]) -> None:
    module = bitcodec.loads(file_of(FORMS[form]), "-")
    change(module)
    data = bitcodec.dumps(module)
    assert list(wrong_offsets(bitstream.loads(data))) == []
    assert text(data) == bitcodec.print_assembly(module)


@pytest.mark.parametrize("form", FORMS)
def test_a_draft_of_it_keeps_its_text(form: str) -> None:
    data = file_of(FORMS[form])
    draft = bitstream.loads(data).edit()
    draft.block(MODULE).record(ModuleCode.TRIPLE).text = LONGER
    changed = bitcode.dumps(draft)
    assert list(wrong_offsets(bitstream.loads(changed))) == []
    expected = bitcodec.loads(data, "-")
    expected.target_triple = LONGER
    assert text(changed) == bitcodec.print_assembly(expected)


@pytest.mark.parametrize("form", FORMS)
def test_flags_are_changed_in_it(form: str) -> None:
    stream = bitstream.loads(file_of(FORMS[form]))
    module = bitcodec.loads(stream.dumps(), "-")
    remove_flag(module)
    data = replace_flags(module, stream)
    if data is None:
        assert form == "block in metadata"
        return
    assert list(wrong_offsets(bitstream.loads(data))) == []
    assert text(data) == bitcodec.print_assembly(module)
    hashes = [record for block in bitstream.loads(data).blocks for record in block.records if record.code == HASH]
    assert all(record.operands != (1, 2, 3, 4, 5) for record in hashes)


@pytest.mark.parametrize("form", some(list(FORMS), 5))
def test_llvm_reads_a_changed_file(form: str) -> None:
    data = file_of(FORMS[form], SMALL)
    if streams.llvm_dis_error(data):
        pytest.fail("LLVM refuses the form itself")
    for change in (set_triple, attach):
        module = bitcodec.loads(data, "<stdin>")
        change(module)
        assert streams.llvm_dis(bitcodec.dumps(module)) == bitcodec.print_assembly(module)


# Single cases


def test_an_entry_without_operands_is_left_alone() -> None:
    draft = bitstream.loads(SMALL).edit()
    table = draft.block(MODULE).block(SYMTAB)
    table.items.append(DraftRecord(FNENTRY))
    draft.block(MODULE).record(ModuleCode.TRIPLE).text = LONGER
    stream = bitstream.loads(bitcode.dumps(draft))
    assert [record.operands for record in blocks(stream.edit(), SYMTAB)[0].records if len(record.operands) != 2] == [()]


def test_an_offset_that_an_abbreviation_cannot_express_is_written_unabbreviated() -> None:
    draft = bitstream.loads(SMALL).edit()
    abbreviated(MODULE, VSTOFFSET, fixed(3))(draft)
    draft.block(MODULE).record(VSTOFFSET).operands = (0,)
    stream = bitstream.loads(bitcode.dumps(draft))
    assert list(wrong_offsets(stream)) == []


def test_an_index_in_front_of_its_offset_is_left_alone() -> None:
    draft = bitstream.loads(ORIGINAL).edit()
    (metadata,) = blocks(draft, METADATA)
    index = metadata.record(INDEX)
    metadata.remove(index)
    metadata.items.insert(position(metadata, metadata.record(INDEX_OFFSET)), index)
    assert bitcode.dumps(draft, keeps_symbols=True) == draft.dumps()


def test_named_metadata_in_two_blocks_is_changed_in_both() -> None:
    draft = bitstream.loads(ORIGINAL).edit()
    (metadata,) = blocks(draft, METADATA)
    records = {record.operands: record for record in metadata.records if record.code == MetadataCode.NAME}
    name = records[tuple(b"llvm.module.flags")]
    flags = metadata.items[position(metadata, name) + 1]
    assert isinstance(flags, DraftRecord)
    first, *others = flags.operands
    flags.operands = (first,)
    again = [DraftRecord(name.code, name.operands), DraftRecord(flags.code, others)]
    draft.block(MODULE).items.insert(position(draft.block(MODULE), metadata) + 1, DraftBlock(METADATA, items=[*again]))
    module = bitcodec.loads(bitcode.dumps(draft), "-")
    named = module.named_metadata["llvm.module.flags"].operands
    assert len(named) == 1 + len(others)
    named.append(named.pop(0))
    data = bitcodec.dumps(module)
    assert source_of(module) is not None
    assert text(data) == bitcodec.print_assembly(module)
    assert len(blocks(bitstream.loads(data).edit(), METADATA)) == 2


def test_a_text_of_which_the_file_has_two_records_is_changed() -> None:
    module = bitcodec.loads(file_of(doubled(MODULE, ModuleCode.TRIPLE)), "-")
    set_triple(module)
    assert bitcodec.loads(bitcodec.dumps(module)).target_triple == LONGER


def test_names_in_symbol_tables_are_not_lost() -> None:
    """A file of version 1 keeps its names there, whoever says to have written it."""
    draft = bitstream.open(EXAMPLES.parent / "tests" / "data" / "structs-i386-14.bc").edit()
    draft.block(BlockId.IDENTIFICATION_BLOCK).record(IdentificationCode.STRING).text = "LLVM22.1.8"
    data = bitcode.dumps(draft)
    module = bitcodec.loads(data, "-")
    module.target_triple = LONGER
    assert text(bitcodec.dumps(module)) == bitcodec.print_assembly(module)


def test_a_file_of_version_1_that_says_it_is_of_llvm_22() -> None:
    data = streams.stream(
        streams.identification(),
        streams.module(
            streams.types(streams.VOID, streams.function_type(0), streams.opaque_pointer()),
            streams.function(1, is_declaration=0),
            streams.value_symtab({0: "f"}),
            streams.function_block(streams.RET_VOID),
        ),
    )
    module = bitcodec.loads(data, "-")
    module.target_triple = LONGER
    assert "@f()" in text(bitcodec.dumps(module))


@pytest.mark.parametrize("name", ["multi-cat-22.bc", "wrapper-darwin-22.bc", "structs-i386-14.bc"])
def test_several_modules_wrappers_and_old_files(name: str) -> None:
    original = (EXAMPLES.parent / "tests" / "data" / name).read_bytes()
    data = file_of(FORMS["all offsets unabbreviated"], original)
    assert list(wrong_offsets(bitstream.loads(data))) == []
    draft = bitstream.loads(data).edit()
    for module in modules(draft):
        module.items.insert(1, DraftRecord(200, tuple(range(99))))
    changed = bitcode.dumps(draft)
    assert list(wrong_offsets(bitstream.loads(changed))) == []
    texts = [[bitcodec.print_assembly(each) for each in bitcodec.loads_all(file, "-")] for file in (original, changed)]
    assert texts[0] == texts[1]
    for before, after in zip(bitcodec.loads_all(data, "-"), bitcodec.loads_all(data, "-"), strict=True):
        before.source_filename = after.source_filename = "another_name.c"
        assert text(bitcodec.dumps(after)) == bitcodec.print_assembly(before)


def with_words_behind_the_end(data: bytes) -> bytes:
    """Return a file whose module ends before the end that its length states."""
    block = next(block for block in bitstream.loads(data).blocks if block.id == MODULE)
    length, end = block.start // 8 + 4, block.end // 8
    words = (block.size_in_words + 3).to_bytes(4, "little")
    return data[:length] + words + data[length + 4 : end] + bytes(12) + data[end:]


@pytest.mark.parametrize("changes", [[], [set_triple], [attach]])
def test_a_module_that_ends_before_the_end_that_its_length_states(changes: list[Callable[[Module], None]]) -> None:
    data = with_words_behind_the_end(SMALL)
    module, expected = bitcodec.loads(data, "-"), bitcodec.loads(SMALL, "-")
    for change in changes:
        change(module)
        change(expected)
    assert text(bitcodec.dumps(module)) == bitcodec.print_assembly(expected)

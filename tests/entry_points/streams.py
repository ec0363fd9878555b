"""Entry points that take containers and bitstreams."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec import (
    bitcode,
    bitstream,
    containers,
)
from bitcodec.bitcode.modules import modules_of
from bitcodec.bitcode.remarks import DumpRemarks
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode
from bitcodec.bitcode.schema.names import LLVM_IR_NAMES
from bitcodec.bitcode.summary import summarize
from bitcodec.bitstream.dump import dump_chunks
from bitcodec.bitstream.items import DraftRecord
from bitcodec.bitstream.statistics import block_statistics

from .registry import TRIPLE, add

if TYPE_CHECKING:
    from bitcodec.bitstream import Bitstream, Draft, DraftBlock


def _text_of_dump(data: bytes) -> None:
    stream = bitstream.loads(data)
    columns = stream.decode()
    remarks = DumpRemarks(stream.payload, columns)
    for _ in dump_chunks(stream.payload, columns, table=LLVM_IR_NAMES, remarks=remarks):
        pass


def _walk(data: bytes) -> None:
    pending = [*bitstream.loads(data).blocks]
    while pending:
        block = pending.pop()
        _ = repr(block), block.abbreviations, block.definitions, block.parent
        for record in block.records:
            _ = repr(record), record.operands, record.blob, record.text, record.abbreviation
        pending += block.blocks


def _opened(draft: Draft) -> Draft:
    pending = list(draft.blocks)
    while pending:
        pending += pending.pop().blocks
    return draft


def _encode(data: bytes) -> None:
    stream = bitstream.loads(data)
    assert bitstream.encode(stream.payload, stream.columns) is not None


def _edit(data: bytes) -> None:
    assert bitstream.loads(bitstream.loads(data).edit().dumps()).blocks is not None


def _edit_opened(data: bytes) -> None:
    assert bitstream.loads(_opened(bitstream.loads(data).edit()).dumps()).columns is not None


add("containers.detect", containers.detect)
add("containers.find", containers.find)
add("containers.scan", containers.scan)
add("containers.require", containers.require)
add("containers.open_streams", lambda data: containers.open_streams(memoryview(data)))
add("containers.split", lambda data: list(containers.split(memoryview(data))))
add("bitstream.loads", lambda data: [bitstream.loads(data).blocks, bitstream.loads(data).trailing])
add("bitstream.walk", _walk)
add("bitstream.decode", lambda data: bitstream.loads(data).decode())
add("bitstream.columns", lambda data: bitstream.loads(data).columns)
add("bitstream.dump", _text_of_dump)
add("bitstream.statistics", lambda data: block_statistics(bitstream.loads(data).columns))
add("bitstream.encode", _encode)
add("bitstream.edit", _edit)
add("bitstream.edit_opened", _edit_opened)


def _unchanged_draft(stream: Bitstream) -> None:
    bitcode.dumps(stream.edit())


def _module_drafts(draft: Draft) -> list[DraftBlock]:
    return [block for block in draft.blocks if block.id == BlockId.MODULE_BLOCK]


def _draft_with_triple(stream: Bitstream) -> None:
    draft = stream.edit()
    for block in _module_drafts(draft):
        for record in block.records:
            if record.code == ModuleCode.TRIPLE:
                record.abbreviation_id = 3
                record.text = TRIPLE * 3
    bitcode.dumps(draft)


def _draft_with_record(stream: Bitstream) -> None:
    draft = _opened(stream.edit())
    for block in _module_drafts(draft):
        block.items.insert(0, DraftRecord(ModuleCode.DEPLIB, (1, 2, 3)))
    bitcode.dumps(draft)


add("bitcode.summarize", lambda data: summarize(bitstream.loads(data)))
add("bitcode.modules_of", lambda data: modules_of(bitstream.loads(data)))
add("bitcode.dumps", lambda data: _unchanged_draft(bitstream.loads(data)))
add("bitcode.dumps.triple", lambda data: _draft_with_triple(bitstream.loads(data)))
add("bitcode.dumps.record", lambda data: _draft_with_record(bitstream.loads(data)))

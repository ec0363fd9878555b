"""Files with one malformed record each, in a line: the text, the version, the block, the record, and the change."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import bitcodec
from bitcodec import bitcode, bitstream
from bitcodec.bitcode.schema.blocks import RECORD_CODES, BlockId
from bitcodec.bitstream import Draft, DraftBlock, DraftRecord

__all__ = ["Change", "cases", "file_with"]

FOLDER = Path(__file__).parent / "malformed"
_FIRST_WITH_ALL = 19
_NEWER = ("@auth", "@dso", "@nocfi")
"""Lines that older versions do not have."""
_UNABBREVIATED, _WORD = 3, 32
_DIFFERS, _UNDEFINED = " differs", " undefined"
_SUMMARIES: dict[str, int] = {
    "thin": BlockId.GLOBALVAL_SUMMARY_BLOCK,
    "full": BlockId.FULL_LTO_GLOBALVAL_SUMMARY_BLOCK,
}
"""By name, the block that an index has its summaries in."""


class Change(NamedTuple):
    """A change of a file.

    Attributes:
        name: of the text, or of a file.
        version: of LLVM, for which the text is written.
        block: the id of the blocks.
        code: of the records; -1 for the block itself.
        number: of the record, among those of that code in all blocks of that id.
        verb: `cut` leaves so many operands, `set` sets one, `code` replaces code and operands, `insert` adds a record
            behind it, `keep` sets one and keeps the abbreviation, `patch` sets the last 32 bits;
            `double` and `drop` change the block.
        arguments: of the verb.
        differs: whether a real reader comes to another record first, or crashes; a line that ends with `differs`.
        is_undefined: whether a real reader uses memory beyond the record, so that its answer changes from run to run;
            a line that ends with `undefined`.
    """

    name: str
    version: int
    block: int
    code: int
    number: int
    verb: str
    arguments: tuple[int, ...]
    differs: bool = False
    is_undefined: bool = False

    def __str__(self) -> str:
        return " ".join(map(str, (*self[:-3], *self.arguments)))


def cases() -> list[Change]:
    """Return the changes that `malformed/changes.txt` lists."""
    found = []
    for line in (FOLDER / "changes.txt").read_text(encoding="utf-8").splitlines():
        words = line.removesuffix(_DIFFERS).removesuffix(_UNDEFINED)
        name, version, block, record, number, verb, *arguments = words.split()
        code = RECORD_CODES[BlockId[block]][record] if record != "-" else -1
        numbers, marks = tuple(map(int, arguments)), (line.endswith(_DIFFERS), line.endswith(_UNDEFINED))
        found.append(Change(name, int(version), BlockId[block], code, int(number), verb, numbers, *marks))
    return found


@cache
def _whole(name: str, version: int) -> bytes:
    if name in _SUMMARIES:
        draft = bitstream.loads((FOLDER.parents[1] / "data" / "index-22.thinlto.bc").read_bytes()).edit()
        for block in _blocks(draft):
            if block.id == BlockId.GLOBALVAL_SUMMARY_BLOCK:
                block.id = _SUMMARIES[name]
        return bitcode.dumps(draft)
    text = (FOLDER / f"{name}.ll").read_text(encoding="utf-8")
    if version < _FIRST_WITH_ALL:
        text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith(_NEWER))
    return bitcodec.dumps(bitcodec.parse_assembly(text), llvm_version=version)


def _blocks(draft: Draft) -> list[DraftBlock]:
    blocks = list(draft.blocks)
    for block in blocks:
        blocks += block.blocks
    return blocks


def file_with(change: Change) -> bytes:
    """Return the file with a change."""
    data = _whole(change.name, change.version)
    if change.verb == "patch":
        return _patched(data, change)
    draft = bitstream.loads(data).edit()
    blocks = [block for block in _blocks(draft) if block.id == change.block]
    if change.code < 0:
        _change_block(draft, blocks[change.number], change)
    else:
        places = [(block, each) for block in blocks for each in block.records if each.code == change.code]
        _change_record(*places[change.number], change)
    return bitcode.dumps(draft)


def _patched(data: bytes, change: Change) -> bytes:
    columns = bitstream.loads(data).decode()
    records, ids = columns.records, columns.blocks.id
    ends = [
        end
        for end, block, code in zip(records.end, records.block, records.code, strict=True)
        if (ids[block], code) == (change.block, change.code)
    ]
    place = ends[change.number] - _WORD
    rest = int.from_bytes(data, "little") & ~(((1 << _WORD) - 1) << place)
    return (rest | change.arguments[0] << place).to_bytes(len(data), "little")


def _change_block(draft: Draft, block: DraftBlock, change: Change) -> None:
    outer = next((each for each in _blocks(draft) if block in each.items), None)
    items: list[Any] = draft.blocks if outer is None else outer.items
    if change.verb == "drop":
        items.remove(block)
    else:
        items.insert(items.index(block), block)


def _change_record(block: DraftBlock, record: DraftRecord, change: Change) -> None:
    arguments, operands = change.arguments, list(record.operands)
    if change.verb == "insert":
        code, *operands = arguments
        block.items.insert(block.items.index(record) + 1, DraftRecord(code, tuple(operands)))
        return
    if change.verb == "cut":
        operands = operands[: arguments[0]]
    elif change.verb in {"set", "keep"}:
        operands[arguments[0]] = arguments[1]
    else:
        record.code, *operands = arguments
    record.operands = tuple(operands)
    if change.verb != "keep":
        record.abbreviation_id = _UNABBREVIATED

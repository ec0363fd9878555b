"""Checks that the blocks of a module are where LLVM 22 accepts them.

LLVM reads MODULE_BLOCK in stream order, bitcodec table by table.  References that LLVM refuses because of this order
are refused here.  Rules: docs/reference/records.md, 1.2, 9.1 and 9.2.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode, MetadataCode, ModuleCode
from bitcodec.bitcode.schema.globals import DEFINES_GLOBAL, GLOBAL_LAYOUTS
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitcodec.bitcode.reader.blocks import Records

__all__ = ["check_order"]

_SINGLE_BLOCKS = (
    BlockId.PARAMATTR_BLOCK,
    BlockId.PARAMATTR_GROUP_BLOCK,
    BlockId.OPERAND_BUNDLE_TAGS_BLOCK,
    BlockId.SYNC_SCOPE_NAMES_BLOCK,
)
"""Blocks of which a module may have one that is not empty."""

_SUCCESSIONS = (
    (BlockId.TYPE_BLOCK, BlockId.CONSTANTS_BLOCK, Reason.CONSTANTS_BEFORE_TYPES),
    (BlockId.TYPE_BLOCK, BlockId.METADATA_BLOCK, Reason.METADATA_BEFORE_TYPES),
    (BlockId.METADATA_KIND_BLOCK, BlockId.FUNCTION_BLOCK, Reason.BODY_BEFORE_KINDS),
    (BlockId.PARAMATTR_GROUP_BLOCK, BlockId.PARAMATTR_BLOCK, Reason.LISTS_BEFORE_GROUPS),
)
"""Blocks that refer to blocks of another kind, which must come first, and the error otherwise."""

_AFTER_GLOBALS = (
    BlockId.CONSTANTS_BLOCK,
    BlockId.METADATA_BLOCK,
    BlockId.FUNCTION_BLOCK,
    BlockId.VALUE_SYMTAB_BLOCK,
)
"""Blocks whose value ids count the globals, so that no global may follow them."""

_VERSION_WITH_STRTAB = 2
_NAME_FIELDS = {int(ModuleCode.SECTIONNAME): "section", int(ModuleCode.GCNAME): "gc"}
"""The fields of globals that hold the number of a name, by the code of the names."""
_BEFORE_GLOBALS = (int(ModuleCode.VERSION), *_NAME_FIELDS)
"""Records that are required to read globals."""
_WITH_TYPES = frozenset({MetadataCode.VALUE, MetadataCode.OLD_NODE, MetadataCode.OLD_FN_NODE})
"""Codes of metadata that refers to types."""


def check_order(records: Records, inner: Mapping[int, Sequence[int]]) -> None:
    """Check the order of the parts of MODULE_BLOCK: types, globals, constants, function bodies.

    Raises:
        BitcodeError: a part refers to a later one, or a part that must be unique occurs twice.
    """
    starts = records.columns.blocks.start
    types = next((starts[row] for row in inner.get(BlockId.TYPE_BLOCK, ())), None)
    _check_single_blocks(records, inner)
    for first, second, reason in _SUCCESSIONS:
        row = next(iter(inner.get(first, ())), None)
        if row is None:
            continue
        early = _rows_before(starts[row], inner.get(second, ()), starts)
        if second == BlockId.METADATA_BLOCK:
            early = [other for other in early if _refers_to_types(records.inner(other).place().decode())]
        if early:
            raise records.inner(early[0]).error(-1, reason())
    body = next(iter(inner.get(BlockId.FUNCTION_BLOCK, ())), None)
    for row in inner.get(BlockId.CONSTANTS_BLOCK, ()):
        if body is not None and starts[row] > starts[body]:
            raise records.inner(row).error(-1, Reason.CONSTANTS_AFTER_BODY())
    ends = [starts[inner[block_id][0]] for block_id in _AFTER_GLOBALS if block_id in inner]
    _check_globals(records, types, min(ends, default=None))
    _check_metadata_values(records, inner)


def _rows_before(end: int, rows: Sequence[int], starts: Sequence[int]) -> list[int]:
    """Return the rows of blocks that begin before a bit offset; rows are in the order of the file."""
    return [*takewhile(lambda row: starts[row] < end, rows)]


def _refers_to_types(metadata: Records) -> bool:
    return any(code in _WITH_TYPES for _, code, _ in metadata)


def _check_single_blocks(records: Records, inner: Mapping[int, Sequence[int]]) -> None:
    for block_id in _SINGLE_BLOCKS:
        for row in inner.get(block_id, ())[1:]:
            if any(len(records.inner(other).place().decode().columns.records.code) for other in inner[block_id][:1]):
                raise records.inner(row).error(-1, Reason.SECOND_BLOCK())


def _check_globals(records: Records, types: int | None, end: int | None) -> None:
    """Check that the records of globals follow the types and precede the blocks whose value ids count them."""
    has_globals = has_late = False
    for rows in records.ranges():
        codes = records.code_bytes(rows)
        marks = codes.translate(DEFINES_GLOBAL)
        first, last = marks.find(1), marks.rfind(1)
        last_before = max(map(codes.rfind, _BEFORE_GLOBALS))
        has_late |= last_before >= 0 and (has_globals or 0 <= first < last_before)
        if first < 0:
            continue
        has_globals = True
        if types is None or records.start_of(rows[first]) < types:
            raise records.error(rows[first], Reason.BEFORE_TYPES())
        if end is not None and records.start_of(rows[last]) > end:
            raise records.error(rows[last], Reason.LATE_GLOBAL())
    if has_late:
        _check_late_records(records)


def _check_metadata_values(records: Records, inner: Mapping[int, Sequence[int]]) -> None:
    """Check that metadata before constants does not wrap them: LLVM never finds such constants."""
    constants, metadata = inner.get(BlockId.CONSTANTS_BLOCK, ()), inner.get(BlockId.METADATA_BLOCK, ())
    if not constants or not metadata or metadata[0] > constants[-1]:
        return
    known = sum(code in GLOBAL_LAYOUTS for rows in records.ranges() for code in records.codes(rows))
    for row in sorted((*constants, *(row for row in metadata if row < constants[-1]))):
        block = records.inner(row).place().decode()
        if block.id == BlockId.CONSTANTS_BLOCK:
            known += sum(code != ConstantsCode.SETTYPE for _, code, _ in block)
            continue
        for at, code, operands in block:
            if code == MetadataCode.VALUE and operands[1:] >= [known]:
                raise block.error(at, Reason.LATE_VALUE(number=operands[1]))


def _check_late_records(records: Records) -> None:
    """Check that no global precedes a name or a version that it needs.

    Raises:
        BitcodeError: a global does.
    """
    names = dict.fromkeys(_NAME_FIELDS, 0)
    version, has_globals = 0, False
    for row, code, operands in records:
        if code == ModuleCode.VERSION:
            is_new = operands[:1] >= [_VERSION_WITH_STRTAB] and version < _VERSION_WITH_STRTAB
            if has_globals and is_new:
                raise records.error(row, Reason.AFTER_GLOBALS())
            version = next(iter(operands), version)
        elif code in names:
            names[code] += 1
        elif code in GLOBAL_LAYOUTS:
            has_globals = True
            fields = operands[2:] if version >= _VERSION_WITH_STRTAB else operands
            for name_code, field in _NAME_FIELDS.items():
                layout = GLOBAL_LAYOUTS[code]._fields
                place = layout.index(field) if field in layout else len(fields)
                if fields[place : place + 1] > [names[name_code]]:
                    raise records.error(row, Reason.NOT_NAMED(field=field, number=fields[place]))

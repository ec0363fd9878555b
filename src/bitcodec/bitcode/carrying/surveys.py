"""The survey of a body that may be copied to another file as records: its references, and whether it can be.

Rules: docs/reference/records.md, 7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec import upgrade
from bitcodec.bitcode.carrying.field_walk import VALUE
from bitcodec.bitcode.carrying.forms import PLAIN_CONSTANTS, NotCarriedError
from bitcodec.bitcode.carrying.marks import Marks
from bitcodec.bitcode.malformed import Malformed, require_operands
from bitcodec.bitcode.schema.blocks import (
    BlockId,
    ConstantsCode,
    FunctionCode,
    MetadataAttachmentCode,
    MetadataCode,
    UselistCode,
    ValueSymtabCode,
)
from bitcodec.errors import BitcodecError
from bitcodec.ir.constants import Constant, InlineAsm
from bitcodec.ir.metadata import MDNode
from bitcodec.ir.types import ArrayType, StructType, TargetExtensionType
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitcode.carrying.sources import CarriedModule
    from bitcodec.bitcode.reader.blocks import BlockPlace, Records
    from bitcodec.bitcode.reader.metadata import FunctionMetadata
    from bitcodec.ir.functions import Function
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.values import Value

__all__ = ["BodySurvey", "survey_body"]

_WITH_NAMES = (StructType, ArrayType, TargetExtensionType)
"""Types that are, or may hold, others that change when modules are linked."""
_OF_VALUES = (MetadataCode.VALUE, MetadataCode.ARG_LIST)
"""Records of metadata that wraps values, including values of the function."""
_SUBPROGRAM = "dbg"
_SET_TYPE = int(ConstantsCode.SETTYPE)


_CHECKED_BLOCKS = (
    (BlockId.VALUE_SYMTAB_BLOCK, ValueSymtabCode.BBENTRY, False),
    (BlockId.USELIST_BLOCK, UselistCode.BB, True),
)
"""Blocks of names and orders: the code of records of basic blocks, and whether ids are the last operands."""
_INSTRUCTIONS = 2
_CARRIED_BLOCKS: dict[int, int] = {
    BlockId.CONSTANTS_BLOCK: 0,
    BlockId.METADATA_BLOCK: 1,
    BlockId.VALUE_SYMTAB_BLOCK: 3,
    BlockId.METADATA_ATTACHMENT_BLOCK: 4,
    BlockId.USELIST_BLOCK: 5,
}
"""Blocks that a body may contain, and their places in the order of LLVM's writer, with the instructions in it."""


class BodySurvey(NamedTuple):
    """References and constants of one body.

    Attributes:
        place: position of its block.
        found: pairs of kind (see `field_walk`) and number of each reference, in LLVM's order of operands.
        first_constant, constant_count: the id of its first value after the arguments; number of its constants.
        constants: its constants, if some have constants as operands.
        metadata: the metadata that it refers to by id.
        own_count: number of metadata entries in its own block.
        local_values: its values that metadata wraps, by metadata id: ids of a type and of a value.
        lists: its argument lists by metadata id: the metadata ids in each.
        attached: kind and node of each attachment of the function itself.
    """

    place: BlockPlace
    found: list[int]
    first_constant: int
    constant_count: int
    constants: list[Constant | InlineAsm]
    metadata: dict[int, Metadata]
    own_count: int
    local_values: dict[int, tuple[int, int]]
    lists: dict[int, list[int]]
    attached: list[tuple[str, MDNode]]


def survey_body(function: Function, module: CarriedModule) -> BodySurvey | None:
    """Return the references of a body; None if it must be read, because of its form or of an error."""
    if module.reader.upgrade.may_change(function):
        return None
    try:
        return _Surveyor(function, module).survey()
    except (NotCarriedError, Malformed, BitcodecError, OverflowError):
        return None  # whoever reads it says what is wrong


class _Surveyor:
    def __init__(self, function: Function, module: CarriedModule) -> None:
        self._function = function
        self._module = module
        self._walk = module.walk
        self._number = next(module.body_numbers)
        self._place, self._records, self._batch = module.reader.records_of_body(function)
        self._argument_count = len(function.value_type.parameter_types)
        self._blocks: dict[int, list[Records]] = {}
        self._metadata: FunctionMetadata | None = None
        self._own_values: dict[int, tuple[int, list[int]]] = {}

    def survey(self) -> BodySurvey:
        spans = list(self._records.spans())
        self._blocks = _by_id(spans)
        _require_order(spans, self._records)
        own = self._read_metadata(self._blocks.get(BlockId.METADATA_BLOCK, []))
        constants = self._blocks.get(BlockId.CONSTANTS_BLOCK, [])
        codes = constants[0].codes(_rows(constants[0])) if constants else []
        constant_count = len(codes) - codes.count(_SET_TYPE)
        first_constant = self._module.values.count + self._argument_count
        self._walk.begin_survey(self._number, first_constant, constant_count, own)
        self._walk_instructions(spans)
        # Behind instructions, which meet types in LLVM's order.
        made = self._walk_constants(constants[0], codes) if codes else []
        if self._module.replaced and self._names_replaced():
            raise NotCarriedError
        attached = [*self._attachments()]
        has_debug_info = self._walk.has_locations or any(kind == _SUBPROGRAM for kind, _node in attached)
        if has_debug_info and self._module.drops_debug_info:
            raise NotCarriedError
        metadata, local_values, lists = self._named_metadata()
        self._check_aliasing(metadata)
        return BodySurvey(
            self._place,
            self._walk.found,
            first_constant,
            constant_count,
            made,
            metadata,
            own.count,
            local_values,
            lists,
            attached,
        )

    def _walk_instructions(self, spans: list[range | Records]) -> None:
        walk = self._walk
        for span in spans:
            if isinstance(span, range):
                walk.walk_body(self._records.columns, span.start, span.stop)
        walk.check_end()
        for block_id, code, is_last in _CHECKED_BLOCKS:
            for block in self._blocks.get(block_id, []):
                for rows in block.ranges():
                    walk.check_ids(block.columns, rows.start, rows.stop, code, is_last)

    def _walk_constants(self, records: Records, codes: list[int]) -> list[Constant | InlineAsm]:
        """Walk through the constants of the function; return them if some have operands."""
        rows = _rows(records)
        made = self._made_constants(records) if self._are_made_of_others(codes, records, rows) else []
        self._walk.walk_constants(records.columns, rows.start, rows.stop)
        return made

    def _read_metadata(self, blocks: list[Records]) -> Marks:
        if not blocks:
            return Marks(0)
        places = [block.place() for block in blocks]
        decoded = [self._batch.take_metadata(place) or place for place in places]
        reader = self._module.reader
        self._metadata = reader.metadata.function(decoded, self._wrapped_value)
        self._metadata.keep_places(places)
        self._metadata.read_all()
        self._own_values = self._metadata.forget(_OF_VALUES)
        # Else distinct nodes would be made twice if the body is read after all.
        reader.keep_metadata(self._function, self._metadata)
        return Marks(self._metadata.count - reader.metadata.count)

    def _wrapped_value(self, type_id: int, value_id: int) -> Value | None:
        """Return a value that metadata wraps; for one of the function, which is not there, something of its type."""
        module = self._module
        if value_id < module.values.count:
            return module.reader.wrapped_value(type_id, value_id)
        return module.reader.tables.constants.poison(module.type(type_id))

    def _are_made_of_others(self, codes: list[int], records: Records, rows: range) -> bool:
        if any(code not in PLAIN_CONSTANTS and code != _SET_TYPE for code in codes):
            return True
        types = [row for row, code in zip(rows, codes, strict=True) if code == _SET_TYPE]
        return any(isinstance(self._module.type(_first_operand(records, row)), _WITH_NAMES) for row in types)

    def _made_constants(self, records: Records) -> list[Constant | InlineAsm]:
        made = self._module.local_constants(records, self._argument_count)
        if made is None or not all(isinstance(constant, Constant | InlineAsm) for constant in made):
            raise NotCarriedError
        return made

    def _attachments(self) -> Iterator[tuple[str, MDNode]]:
        """Walk through the attachments of instructions; yield the attachments of the function itself."""
        for records in self._blocks.get(BlockId.METADATA_ATTACHMENT_BLOCK, []):
            for rows in records.ranges():
                if set(records.codes(rows)) - {MetadataAttachmentCode.ATTACHMENT}:
                    raise NotCarriedError
                self._walk.walk_attachments(records.columns, rows.start, rows.stop)
        own = self._walk.own_attachments
        for kind, number in zip(own[::2], own[1::2], strict=True):
            node = self._node(number)
            if not isinstance(node, MDNode):
                raise NotCarriedError
            yield self._module.reader.metadata.kind(kind), node

    def _node(self, number: int) -> Metadata:
        metadata = self._metadata or self._module.reader.metadata
        return metadata.node(number)

    def _named_metadata(self) -> tuple[dict[int, Metadata], dict[int, tuple[int, int]], dict[int, list[int]]]:
        """Return the metadata that has been found by id; values of the function, and lists of them, apart."""
        nodes: dict[int, Metadata] = {}
        local_values: dict[int, tuple[int, int]] = {}
        lists: dict[int, list[int]] = {}
        first_own, walk = self._module.values.count, self._walk
        outer = self._module.reader.metadata.maker
        own = outer if self._metadata is None else self._metadata.maker
        first_own_metadata = self._module.metadata.count
        for number in walk.named:  # to which lists add
            if number < first_own_metadata:
                nodes[number] = outer[number]
                continue
            if number not in self._own_values:
                nodes[number] = own[number]
                continue
            code, operands = self._own_values[number]
            if code == MetadataCode.ARG_LIST:
                lists[number] = operands
                for inner in operands:
                    walk.metadata_id(inner)
            elif operands[1] >= first_own:
                local_values[number] = operands[0], operands[1]
                walk.note_type(operands[0])
            else:
                nodes[number] = own[number]
        return nodes, local_values, lists

    def _names_replaced(self) -> bool:
        """Return whether the body calls an old intrinsic."""
        found, replaced = self._walk.found, self._module.replaced
        return any(kind == VALUE and number in replaced for kind, number in zip(found[::2], found[1::2], strict=True))

    def _check_aliasing(self, metadata: dict[int, Metadata]) -> None:
        """Check that no TBAA node is of an old form."""
        context = self._module.reader.tables.context
        for number in dict.fromkeys(self._walk.aliasing):
            node = metadata.get(number)
            if not isinstance(node, MDNode) or upgrade.upgraded_tbaa(node, context) is not node:
                raise NotCarriedError


def _by_id(spans: list[range | Records]) -> dict[int, list[Records]]:
    """Return the blocks in a body by id.

    Raises:
        NotCarriedError: there are others than bodies of LLVM 22 have, or several of constants.
    """
    found: dict[int, list[Records]] = {}
    for span in spans:
        if not isinstance(span, range):
            found.setdefault(span.id, []).append(span)
    if not found.keys() <= _CARRIED_BLOCKS.keys() or len(found.get(BlockId.CONSTANTS_BLOCK, ())) > 1:
        raise NotCarriedError
    return found


def _require_order(spans: list[range | Records], records: Records) -> None:
    """Check that a body has the order of LLVM's writer: the count of blocks, tables, instructions, further blocks.

    In another order values have other numbers, and names and orders of uses concern only a part of the instructions.

    Raises:
        NotCarriedError: the order is another one.
    """
    first = spans[0] if spans else None
    if not isinstance(first, range) or records.codes(first[:1]) != [FunctionCode.DECLAREBLOCKS]:
        raise NotCarriedError
    rest = [first[1:], *spans[1:]]
    places = [_INSTRUCTIONS if isinstance(span, range) else _CARRIED_BLOCKS[span.id] for span in rest if span]
    if places != sorted(places):
        raise NotCarriedError


def _first_operand(records: Records, row: int) -> int:
    operands = records.operands(row)
    require_operands(operands, 1)
    return operands[0]


def _rows(records: Records) -> range:
    """Return the rows of a block that contains no others."""
    return range(records.first_row, records.first_row + records.row_count)

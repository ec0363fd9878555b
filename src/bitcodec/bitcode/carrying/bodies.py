"""Bodies copied to another file as records: the entities that they refer to there, and their renumbered blocks.

Rules: docs/reference/records.md, 7; docs/reference/writer.md, 11.8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bitcodec.bitcode.carrying.field_walk import ATTRIBUTES, CONSTANT, KIND, METADATA, SCOPE, TAG, TYPE, VALUE
from bitcodec.bitcode.carrying.marks import Marks
from bitcodec.bitcode.carrying.surveys import survey_body
from bitcodec.bitcode.malformed import require_operands
from bitcodec.bitcode.schema.blocks import BlockId, MetadataAttachmentCode, MetadataCode, ValueSymtabCode
from bitcodec.bitcode.text import characters
from bitcodec.bitcode.writer.abbreviations import SymtabAbbreviation
from bitcodec.bitcode.writer.metadata_records import function_metadata
from bitcodec.bitcode.writer.rows import BlockRows, Rows
from bitcodec.bitstream.abbreviations import CHAR6_ALPHABET
from bitcodec.ir.constants import Constant, InlineAsm
from bitcodec.ir.construction.deferring import complete_metadata, defer_body
from bitcodec.ir.construction.record_bodies import RecordBody, keep_records
from bitcodec.ir.lazy import DeferredStep

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.bitcode.carrying.sources import CarriedModule
    from bitcodec.bitcode.carrying.surveys import BodySurvey
    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitcode.writer.metadata_ids import Key
    from bitcodec.bitcode.writer.numbers import Numbers
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.functions import Function
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.types import Type

__all__ = ["CarriedBody", "Follower", "carry_body"]

_WIDTH, _CONSTANTS_WIDTH, _METADATA_WIDTH, _ATTACHMENT_WIDTH = 5, 4, 3, 3
_SYMTAB_WIDTH, _USELIST_WIDTH = 4, 3
_CHAR6 = bytes(CHAR6_ALPHABET)


class Follower(Protocol):
    """Maps constants, types and metadata that a body refers to to their replacements."""

    def follow_constant(self, constant: Constant) -> Constant:
        """Return the constant that replaces one."""

    def follow_type(self, type: Type) -> Type:
        """Return the type that replaces one."""

    def follow_parts(self, found: list[int], place: int, parts: dict[int, Metadata]) -> tuple[int, bool]:
        """Follow the metadata that is found from a place on.

        Args:
            found: pairs of kind and number of each reference.
            place: of the first pair.
            parts: metadata by its number, nodes only.

        Returns:
            The place after the last pair of metadata, and whether all of it is unchanged.
        """

    def follow_attributes(self, attributes: AttributeList) -> AttributeList:
        """Return the attributes that a call has instead of some."""

    def adopt(self, function: Function, replaced: dict[Constant, Constant]) -> None:
        """Give a body that has been read the constants, types and attributes of the destination.

        Args:
            function: the function.
            replaced: the constants of the module that others have taken the place of.
        """


def carry_body(function: Function, module: CarriedModule) -> bool:
    """Let the body of a function stay records, if it can; return whether it does."""
    if function.is_materialized:
        return False
    survey = survey_body(function, module)
    if survey is None:
        return False
    keep_records(function, CarriedBody(function, module, survey))
    complete_metadata(function)
    for kind, node in survey.attached:
        function.metadata.add(kind, node)
    return True


class CarriedBody(RecordBody):
    """A body that goes to another file as records.

    Args:
        function: the function.
        module: the module of its origin.
        survey: its references.
    """

    __slots__ = ("_follower", "_module", "_row", "_survey")

    def __init__(self, function: Function, module: CarriedModule, survey: BodySurvey) -> None:
        super().__init__(function, [*survey.metadata.values()], module.reader.tables.context.lock)
        self._module = module
        self._survey = survey
        self._row = module.reader.body_rows[function]
        self._follower: Follower | None = None

    def follow(self, follower: Follower) -> bool:
        """Let a follower replace the references of the body, in LLVM's order.

        Returns:
            Whether the body can stay unread.
        """
        module, survey = self._module, self._survey
        constants: list[Constant] = []
        can_stay, place, found = True, 0, survey.found
        while place < len(found):
            kind, number = found[place], found[place + 1]
            place += 2
            if kind == METADATA:
                place, is_same = follower.follow_parts(found, place - 2, survey.metadata)
                can_stay &= is_same
            elif kind == VALUE:
                constant = module.followed.get(number)
                if constant is None:
                    constant = module.followed[number] = follower.follow_constant(module.value(number))
                constants.append(constant)
            else:
                self._follow_other(kind, number, follower)
        if can_stay:
            self.hold(constants)
            self._follower = follower
        return can_stay

    def _follow_other(self, kind: int, number: int, follower: Follower) -> None:
        """Follow a constant of the function, a type or attributes."""
        module, constants = self._module, self._survey.constants
        if kind == CONSTANT and constants:
            constant = constants[number]
            if isinstance(constant, InlineAsm):
                follower.follow_type(constant.function_type)
            else:
                follower.follow_constant(constant)
        elif kind == TYPE and number not in module.followed_types:
            module.followed_types[number] = follower.follow_type(module.type(number))
        elif kind == ATTRIBUTES and number not in module.followed_attributes:
            attributes = module.reader.tables.attribute_lists[number]
            module.followed_attributes[number] = follower.follow_attributes(attributes)

    def resolve(self) -> None:
        """Read the body with all parts of its instructions, and apply the replacements."""
        function, reader = self.function, self._module.reader
        attached = [*function.metadata.items()]
        defer_body(function, DeferredStep(self.lock, reader.read_body, function))
        reader.read_whole(function)
        reader.read_deferred_metadata()
        function.metadata.assign(attached)  # which the body says again
        if self._follower is not None:
            self._follower.adopt(function, self.replaced())
            self.hold(())

    @property
    def _values(self) -> list[int]:
        """The numbers of the values of the module that it names, in the order of `constants`."""
        return [number for kind, number in _pairs(self._survey.found) if kind == VALUE]

    def replaced(self) -> dict[Constant, Constant]:
        """Return the constants that have taken the place of others since the body was followed."""
        followed = [self._module.value(number) for number in self._values]
        return {old: new for old, new in zip(followed, self.constants, strict=True) if old is not new}

    # Writing

    def block(self, keys: Sequence[Key], numbers: Numbers) -> BlockRows:
        """Return the block with the numbers of another file.

        Args:
            keys: the metadata of its block.
            numbers: of the module there.
        """
        survey, walk = self._survey, self._module.walk
        own = Marks(survey.own_count)
        self._enter_numbers(keys, numbers, own)
        walk.begin_writing(len(numbers.values), survey.first_constant, survey.constant_count, own)
        records = self._module.records_to_write(survey.place, self._row)
        block = BlockRows(BlockId.FUNCTION_BLOCK, _WIDTH)
        spans = list(records.spans())
        # The tables stand behind the count of blocks, which comes first.
        first = records.first_row
        counts, rows = Rows(), Rows()
        walk.walk_body(records.columns, first, first + 1, counts)
        tables = [*self._tables(spans, keys, numbers)]
        for span in spans:
            if isinstance(span, range):
                walk.walk_body(records.columns, max(span.start, first + 1), span.stop, rows)
        block.items += [counts, *tables, rows]
        shift = len(numbers.values) - self._module.values.count
        block.items += filter(None, (self._names(spans, shift), self._attachments(spans, numbers), self._orders(spans)))
        numbers.metadata_ids.forget(keys)
        return block.pack()

    def _enter_numbers(self, keys: Sequence[Key], numbers: Numbers, own: Marks) -> None:
        """Enter the numbers in the other file of all entities that the body refers to."""
        module, survey = self._module, self._survey
        module.begin_writing(numbers)
        tables, found = module.reader.tables, survey.found
        if module.values.unknown(found, VALUE):
            for number, constant in zip(self._values, self.constants, strict=True):
                module.values.numbers[number] = numbers.values[constant]
        for number in module.types.unknown(found, TYPE):
            module.types.numbers[number] = numbers.types[module.followed_types[number]]
        for number in module.attributes.unknown(found, ATTRIBUTES):
            module.attributes.numbers[number] = numbers.attributes[module.followed_attributes[number]]
        for number in module.scopes.unknown(found, SCOPE):
            module.scopes.numbers[number] = numbers.scopes[tables.sync_scope(number)]
        for number in module.tags.unknown(found, TAG):
            module.tags.numbers[number] = numbers.tags[tables.bundle_tag(number)]
        for number in module.kinds.unknown(found, KIND):
            module.kinds.numbers[number] = numbers.kinds[module.reader.metadata.kind(number)]
        ids, next_id = numbers.metadata_ids, numbers.metadata_count + len(keys)
        ids.add_all(keys, numbers.metadata_count)
        missing = module.metadata.enter_all(survey.metadata, ids.objects, own)
        first_own = module.metadata.count
        for number in missing:
            module.metadata.enter(number, ids[survey.metadata[number]], own)
        for number in (*survey.local_values, *survey.lists):
            own.numbers[number - first_own] = next_id
            next_id += 1

    def _tables(self, spans: list[range | Records], keys: Sequence[Key], numbers: Numbers) -> Iterator[BlockRows]:
        """Yield the blocks of constants and of metadata."""
        survey, walk = self._survey, self._module.walk
        for records in _blocks(spans, BlockId.CONSTANTS_BLOCK):
            constants = Rows()
            for rows in records.ranges():
                walk.walk_constants(records.columns, rows.start, rows.stop, constants)
            yield BlockRows(BlockId.CONSTANTS_BLOCK, _CONSTANTS_WIDTH, [constants])
        metadata = function_metadata(keys, (), (), numbers) if keys else None
        if survey.local_values or survey.lists:
            metadata = metadata or BlockRows(BlockId.METADATA_BLOCK, _METADATA_WIDTH)
            wrapped = metadata.rows()
            for type_id, value_id in survey.local_values.values():
                shifted = value_id + len(numbers.values) - self._module.values.count
                wrapped.add(MetadataCode.VALUE, [self._module.types.numbers[type_id], shifted])
            for ids in survey.lists.values():
                wrapped.add(MetadataCode.ARG_LIST, [walk.metadata_id(number) for number in ids])
        if metadata is not None:
            yield metadata

    def _names(self, spans: list[range | Records], shift: int) -> BlockRows | None:
        rows = Rows()
        for records in _blocks(spans, BlockId.VALUE_SYMTAB_BLOCK):
            for _, code, operands in records:
                require_operands(operands, 1)
                number, text = operands[0], characters(operands[1:]).encode("utf-8", "surrogateescape")
                is_char6 = not text.translate(None, _CHAR6)
                if code == ValueSymtabCode.BBENTRY:
                    abbreviation = SymtabAbbreviation.BBENTRY_CHAR6 if is_char6 else SymtabAbbreviation.ENTRY_8
                else:
                    number += shift
                    plain = SymtabAbbreviation.ENTRY_7 if text.isascii() else SymtabAbbreviation.ENTRY_8
                    abbreviation = SymtabAbbreviation.ENTRY_CHAR6 if is_char6 else plain
                rows.add(code, [number, *text], abbreviation)
        return BlockRows(BlockId.VALUE_SYMTAB_BLOCK, _SYMTAB_WIDTH, [rows]) if rows else None

    def _attachments(self, spans: list[range | Records], numbers: Numbers) -> BlockRows | None:
        rows = Rows()
        own = self.function.metadata
        if own:
            rows.add(MetadataAttachmentCode.ATTACHMENT, numbers.attached(own.items()))
        for records in _blocks(spans, BlockId.METADATA_ATTACHMENT_BLOCK):
            for span in records.ranges():
                self._module.walk.walk_attachments(records.columns, span.start, span.stop, rows)
        return BlockRows(BlockId.METADATA_ATTACHMENT_BLOCK, _ATTACHMENT_WIDTH, [rows]) if rows else None

    def _orders(self, spans: list[range | Records]) -> BlockRows | None:
        """Return the orders of uses of the function's own values and blocks."""
        rows = Rows()
        for records in _blocks(spans, BlockId.USELIST_BLOCK):
            for span in records.ranges():
                self._module.walk.walk_orders(records.columns, span.start, span.stop, rows)
        return BlockRows(BlockId.USELIST_BLOCK, _USELIST_WIDTH, [rows]) if rows else None


def _blocks(spans: list[range | Records], block_id: BlockId) -> Iterator[Records]:
    for span in spans:
        if not isinstance(span, range) and span.id == block_id:
            yield span


def _pairs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    return zip(numbers[::2], numbers[1::2], strict=True)

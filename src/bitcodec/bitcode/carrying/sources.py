"""Modules whose bodies are copied to another file unchanged: which can be, and their numbers there."""

from __future__ import annotations

from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.carrying.marks import Marks
from bitcodec.bitcode.carrying.record_walk import RecordWalk
from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.producers import producing_version
from bitcodec.bitcode.reader.attachments import decode_body
from bitcodec.bitcode.reader.batches import BodyBatch
from bitcodec.bitcode.reader.constants import ConstantReader
from bitcodec.bitcode.reader.module import ModuleReader
from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode
from bitcodec.ir.constants import Constant, InlineAsm
from bitcodec.ir.construction.deferring import materialize_globals
from bitcodec.ir.construction.present import source_of
from bitcodec.ir.types import FunctionType, LabelType, MetadataType
from bitcodec.reasons import Reason
from bitcodec.tables.versions import MODEL

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.blocks import BlockPlace, Records
    from bitcodec.bitcode.writer.numbers import Numbers
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type

__all__ = ["CarriedModule", "carried_module"]

_OLDEST = 15
"""The first version with opaque pointers, whose bodies LLVM 22 writes in the same way."""
_OWN = "bitcodec"
_IS_VALUE, _IS_BLOCK, _IS_METADATA = range(3)


def carried_module(module: Module) -> CarriedModule | None:
    """Return the state for copying the bodies of a module; None if they must be read."""
    reader = source_of(module)
    if not isinstance(reader, ModuleReader) or not _has_current_records(module, reader):
        return None
    materialize_globals(module)
    # Anything else is an expression that LLVM 22 lacks.
    return CarriedModule(reader) if all(isinstance(value, Constant) for value in reader.tables.values) else None


def _has_current_records(module: Module, reader: ModuleReader) -> bool:
    """Return whether bodies have the records that LLVM 22 would write, and refer to no blocks of others."""
    version = producing_version(module.producer) or (MODEL if module.producer.startswith(_OWN) else 0)
    tables = reader.tables
    if not (_OLDEST <= version <= MODEL and tables.version and not tables.file_types.has_typed_pointers):
        return False
    return not any(
        ConstantsCode.BLOCKADDRESS in records.codes(rows)
        for records in map(_decoded, tables.places(BlockId.CONSTANTS_BLOCK))
        for rows in records.ranges()
    )


def _decoded(place: Any) -> Records:
    decoded: Records = place.decode()
    return decoded


class CarriedModule:
    """State for copying the bodies of one module.

    Args:
        reader: the reader of the module.

    Attributes:
        reader: as above.
        values, types, attributes, scopes, tags, metadata, kinds: marks for the entities that bodies refer to.
        followed, followed_types, followed_attributes: replacements of the entities that were followed, by number.
        walk: walks through records.
    """

    def __init__(self, reader: ModuleReader) -> None:
        self.reader = reader
        tables = reader.tables
        self._all_values = tables.values
        self.values = Marks(reader.value_count)
        self.types = Marks(len(tables.file_types.types))
        self.attributes = Marks(len(tables.attribute_lists) + 1)
        self.scopes = Marks(max(2, len(tables.names(BlockId.SYNC_SCOPE_NAMES_BLOCK))))
        self.tags = Marks(len(tables.names(BlockId.OPERAND_BUNDLE_TAGS_BLOCK)))
        self.metadata = Marks(reader.metadata.count)
        kinds = reader.metadata.kinds
        self.kinds = Marks(max(kinds, default=0) + 1)
        self.walk = RecordWalk(
            self.values,
            self.types,
            self.attributes,
            self.scopes,
            self.tags,
            self.metadata,
            self.kinds,
            next((number for number, name in kinds.items() if name == "tbaa"), -1),
            self._signature,
            next((number for number, type_ in enumerate(self._types) if isinstance(type_, MetadataType)), -1),
        )
        self.body_numbers = count(1)
        self.followed: dict[int, Constant] = {}
        self.followed_types: dict[int, Type] = {}
        self.followed_attributes: dict[int, AttributeList] = {}
        self._numbers: Numbers | None = None
        self._batch = BodyBatch(tables.records, reader.body_rows.values(), has_metadata=False)

    @property
    def _types(self) -> list[Type]:
        return self.reader.tables.file_types.types

    @cached_property
    def replaced(self) -> frozenset[int]:
        """The numbers of the declarations that are replaced in bodies."""
        old = self.reader.upgrade.replaced
        return frozenset([number for number, value in enumerate(self._all_values) if value in old] if old else ())

    @cached_property
    def drops_debug_info(self) -> bool:
        """Whether LLVM 22 drops debug information that bodies may have."""
        return self.reader.upgrade.drops_debug_info

    def value(self, number: int) -> Constant:
        """Return a value of the module."""
        found: Constant = self._all_values[number]
        return found

    def begin_writing(self, numbers: Numbers) -> None:
        """Begin to write a body with the numbers of a module, which other bodies may have been written with."""
        if numbers is not self._numbers:
            self._numbers = numbers
            for marks in (self.values, self.types, self.attributes, self.scopes, self.tags, self.kinds):
                marks.forget()

    def records_to_write(self, place: BlockPlace, row: int) -> Records:
        """Return the records of a body without its metadata.

        Args:
            place: of the body.
            row: of the body among the blocks of the module.
        """
        self._batch.prepare(row)
        return self._batch.take_body(place) or decode_body(place)

    def type(self, number: int) -> Type:
        """Return a type."""
        return self.reader.tables.file_types.of(number)

    def local_constants(self, records: Records, argument_count: int) -> list[Constant | InlineAsm] | None:
        """Return the constants of a body that have operands, None if LLVM 22 lacks one of them.

        Args:
            records: the block of constants.
            argument_count: how many arguments precede them.
        """
        tables, values = self.reader.tables, self._all_values
        first = len(values)
        values += [None] * argument_count
        try:
            constants = ConstantReader(tables, values, tables.type_ids, values.__getitem__)
            constants.enumerate(records)
            constants.make_all()
            made = values[first + argument_count :]
        finally:
            del values[first:]
        return None if constants.has_expandables else made

    def _signature(self, type_id: int) -> bytes:
        type_ = self.type(type_id)
        if not isinstance(type_, FunctionType):
            raise Malformed(Reason.CALLEE_TYPE(type=type_.brief))
        returns = type_.return_type is not self.reader.tables.types.void
        return bytes([returns, type_.is_vararg, *map(_kind_of, type_.parameter_types)])


def _kind_of(parameter: Type) -> int:
    if isinstance(parameter, MetadataType):
        return _IS_METADATA
    return _IS_BLOCK if isinstance(parameter, LabelType) else _IS_VALUE

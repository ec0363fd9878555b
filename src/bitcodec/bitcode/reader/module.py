"""Reads MODULE_BLOCK: module-level records at once, everything else on first access.

Opening reads types and the module's own records.  Globals, the constants that they hold, bodies of functions and
metadata follow on first access.

Rules: docs/reference/records.md, 1 to 3.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.modules import ModuleFrame
from bitcodec.bitcode.reader.attachments import decode_body, resolve_all
from bitcodec.bitcode.reader.batches import BodyBatch
from bitcodec.bitcode.reader.boundary import guards
from bitcodec.bitcode.reader.constants import ConstantReader
from bitcodec.bitcode.reader.functions import FunctionReader
from bitcodec.bitcode.reader.globals import GlobalReader, set_operand
from bitcodec.bitcode.reader.metadata import ModuleMetadata
from bitcodec.bitcode.reader.module_tables import ModuleTables
from bitcodec.bitcode.reader.pairing import Bodies, leave_out_skipped_blocks, pair_bodies
from bitcodec.bitcode.reader.raw_parts import raw_parts
from bitcodec.bitcode.reader.symbol_rows import linker_symbols
from bitcodec.bitcode.reader.symbol_table_checks import check_symbol_table
from bitcodec.bitcode.reader.symbols import ConstantNames, old_names, symbol_names
from bitcodec.bitcode.reader.upgrading import ModuleUpgrade
from bitcodec.bitcode.reader.use_lists import SharedUses, order_uses
from bitcodec.bitcode.reader.wrapped_values import of_type
from bitcodec.bitcode.schema.blocks import SUMMARY_BLOCKS, BlockId, ModuleCode
from bitcodec.errors import copy_error
from bitcodec.host.collection import without_collection
from bitcodec.ir.construction.deferring import (
    complete_metadata,
    complete_operands,
    defer_attachments,
    defer_body,
    defer_operands,
    materialize_globals,
    materialize_symbols,
)
from bitcodec.ir.construction.present import deferred_metadata, growth_of
from bitcodec.ir.construction.setting import attach_source
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalObject
from bitcodec.ir.lazy import DeferredStep
from bitcodec.reasons import Reason
from bitcodec.upgrade.comdats import add_implicit_comdats
from bitcodec.upgrade.expansion import Expandable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bitcodec.bitcode.reader.blocks import BlockPlace, Records
    from bitcodec.bitcode.reader.metadata import FunctionMetadata
    from bitcodec.ir.context import Context
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.metadata import NamedMetadata
    from bitcodec.ir.module import Module, RawPart
    from bitcodec.ir.sources import LinkerSymbols
    from bitcodec.ir.summary import ModuleSummaryIndex
    from bitcodec.ir.types import StructType
    from bitcodec.ir.values import Value

__all__ = ["ModuleReader"]

_WORD = 32


_GUARDED = (
    "open", "symbol_names", "linker_symbols", "read_symbols", "read_globals", "read_operands", "read_body",
    "raw_parts", "summary", "metadata_kinds", "read_attachments", "named_metadata", "read_metadata",
    "read_deferred_metadata", "read_whole", "read_rest", "constant_ids",
)  # fmt: skip
"""The methods by which the model calls the reader."""


@guards(*_GUARDED)
class ModuleReader:
    """Reads one module, and its parts on first access: its `Source`.

    Args:
        place, strtab: its MODULE_BLOCK; the string table that follows it, empty in files that have none.
        identifier: the name of the module in messages.
        symtab, frame: the table of symbols for linkers, if it is of this module alone; the blocks around the module.
        context: owns its types, constants and metadata; None for a new one.

    Attributes:
        place, frame: as above.
        tables: the tables of the module.
        is_in_parts: as in `Source`.
    """

    def __init__(
        self,
        place: BlockPlace,
        strtab: bytes,
        identifier: str,
        symtab: BlockPlace | None = None,
        frame: ModuleFrame = ModuleFrame(),  # noqa: B008 - it is immutable
        context: Context | None = None,
    ) -> None:
        self.place = place
        self.frame = frame
        self._symtab = symtab
        self._tables = self.tables = ModuleTables(place, strtab, identifier, context)
        self._module = self._tables.module
        self._rows: dict[Function, int] = {}
        self._kept_metadata: dict[Function, FunctionMetadata] = {}
        self._has_read_a_body = self._has_debug_records = self.is_in_parts = False
        self._wanted_whole: Function | None = None

    def open(self) -> Module:
        """Read the module-level records.

        Raises:
            BitcodecError: it is malformed.
        """
        leave_out_skipped_blocks(self._tables, self._offset_base)
        self._tables.read()
        attach_source(self._module, self)
        self._module.bitcode_size = self.place.size + len(self._tables.strtab)
        self._texts = self._module_texts()
        return self._module

    @property
    def use_orders(self) -> SharedUses:
        """The order of uses that functions share."""
        return self._tables.shared_uses

    # Parts read so far, for writers that copy the rest

    @property
    def metadata(self) -> ModuleMetadata:
        """The metadata of the module, with its records upgraded."""
        return self._tables.context.lock.run(self._upgraded_metadata)

    def _upgraded_metadata(self) -> ModuleMetadata:
        _ = self._metadata.maker
        return self._metadata

    @property
    def has_functions_to_protect(self) -> bool:
        """Whether flags state that functions have attributes which they lack in the file."""
        return self.has_read_metadata and self.upgrade.has_functions_to_protect

    @property
    def has_read_metadata(self) -> bool:
        """Whether any metadata of the module has been read."""
        return "_metadata" in self.__dict__

    @property
    def has_summaries(self) -> bool:
        """Whether the file has summaries for link-time optimization."""
        return not self._tables.inner.keys().isdisjoint(SUMMARY_BLOCKS)

    @property
    def body_rows(self) -> Mapping[Function, int]:
        """The row of each function's body, once the globals have been read."""
        return self._rows

    def changed_texts(self) -> dict[int, str]:
        """Return the texts of the module that have been changed, by the code of their record."""
        return {code: text for code, text in self._module_texts().items() if text != self._texts[code]}

    @property
    def value_count(self) -> int:
        """How many values the module has: globals and constants."""
        return max(self._tables.global_count, self._constants.end)

    def constant_ids(self) -> dict[Value, int]:
        """Return the value ids of the module's constants; all of them are made for it."""
        return self._tables.context.lock.run(self._constant_ids)

    def _constant_ids(self) -> dict[Value, int]:
        self._constants.make_all()
        return {self._tables.values[number]: number for number in range(self._tables.global_count, self._constants.end)}

    def _module_texts(self) -> dict[int, str]:
        return {
            ModuleCode.TRIPLE: self._module.target_triple,
            ModuleCode.DATALAYOUT: str(self._module.data_layout),
            ModuleCode.ASM: self._module.module_asm,
            ModuleCode.SOURCE_FILENAME: self._module.source_filename,
        }

    # Globals

    def read_symbols(self) -> None:
        """Make the globals and comdats, with their operands and bodies deferred."""
        tables = self._tables
        tables.forget_globals()
        with without_collection(growth_of(self._module)):
            self._read_definitions(GlobalReader(tables))
            self._defer_operands()
            if tables.implicit_comdats:
                add_implicit_comdats(self._module, tables.implicit_comdats)
            self._pair_bodies()
            self.upgrade.upgrade_declarations()

    def symbol_names(self) -> list[str]:
        """Return the names of all globals, without making them."""
        return symbol_names(self._tables)

    def identified_structs(self) -> Sequence[StructType]:
        """Return all identified structs of the file, used or not."""
        return self._tables.file_types.identified_structs()

    def linker_symbols(self) -> LinkerSymbols:
        """Return the symbols that linkers resolve, without creating globals."""
        return linker_symbols(self._tables)

    def _read_definitions(self, reader: GlobalReader) -> None:
        tables = self._tables
        has_strtab, keeps_type_ids = tables.has_strtab, tables.file_types.has_typed_pointers
        names = {} if has_strtab else old_names(tables)
        values, string, read = tables.values, tables.string, reader.read
        with tables.records.placed():
            for number, (row, code, operands) in enumerate(tables.definitions()):
                tables.row = row
                if has_strtab:
                    made, type_id = read(code, operands[2:], string(operands[0], operands[1]))
                else:
                    made, type_id = read(code, operands, names.get(number, ""))
                values[number] = made
                if keeps_type_ids:
                    tables.type_ids[number] = type_id
        self._constant_names = ConstantNames(tables, names)
        self._module.extend(values[: tables.global_count])

    def _pair_bodies(self) -> None:
        values = self._tables.values
        self._rows = {values[value_id]: row for value_id, row in self.bodies.rows.items()}
        lock, read = self._tables.context.lock, self.read_body
        for function in self._rows:
            defer_body(function, DeferredStep(lock, read, function))

    @cached_property
    def bodies(self) -> Bodies:
        """Pairs of bodies and functions; no globals are read for it."""
        return pair_bodies(self._tables, self._offset_base)

    @property
    def _offset_base(self) -> int:
        """The bit offset that offsets of blocks count from."""
        return self.place.start - len(self.frame.identification) * 8 - _WORD

    @cached_property
    def _batch(self) -> BodyBatch:
        return BodyBatch(self._tables.records, self._rows.values())

    # Operands of globals

    def read_globals(self) -> None:
        """Read the constants and the operands of globals."""
        tables = self._tables
        self._constants.make_all()
        tables.has_expandables = any(isinstance(value, Expandable) for value in tables.values)
        for value in tables.values[: tables.global_count]:
            complete_operands(value)
        self._constant_names.give(self._constants)
        for place in tables.places(BlockId.USELIST_BLOCK):
            self._module.preserves_use_list_order = True
            order_uses(place.decode(), tables.values, tables.shared_uses)

    def _defer_operands(self) -> None:
        lock, read = self._tables.context.lock, self.read_operands
        for holder, operands in self._tables.operands.items():
            defer_operands(holder, DeferredStep(lock, read, holder, operands))
        self._tables.operands.clear()

    def read_operands(self, holder: GlobalValue, operands: list[tuple[str, int, int]]) -> None:
        """Read the operands of a global: their roles, value ids and the row of the global."""
        for role, value_id, row in operands:
            with self._tables.records.placed(row):
                set_operand(holder, role, self._value(value_id), value_id)

    @cached_property
    def _constants(self) -> ConstantReader:
        """The module's constants, enumerated."""
        tables = self._tables
        reader = ConstantReader(tables, tables.values, tables.type_ids)
        for place in tables.places(BlockId.CONSTANTS_BLOCK):
            reader.enumerate(place.decode())
        return reader

    def _constant(self, value_id: int) -> Value | None:
        """Return a constant, None if no constant of the module has that number."""
        tables, constants = self._tables, self._constants
        if not tables.global_count <= value_id < constants.end:
            return None
        constants.make(value_id)
        found: Value = tables.values[value_id]
        tables.has_expandables |= isinstance(found, Expandable)
        return found

    def _value(self, value_id: int) -> Value | None:
        """Return a global or constant, None if neither has that number."""
        tables, constants = self._tables, self._constants
        if value_id < tables.global_count:
            materialize_symbols(self._module)
        elif value_id < constants.end:
            constants.make(value_id)
        else:
            return None
        return tables.values[value_id]  # type: ignore[no-any-return]

    # Bodies

    def read_body(self, function: Function) -> None:
        """Read the body of a function.

        The constants of the module are made as the first body needs them; a program that reads a second one will need
        most of them.
        """
        if self._wanted_whole is function:
            self._read_body(function)
        else:
            with without_collection(growth_of(self._module)):
                self._read_body(function)

    def _read_body(self, function: Function) -> None:
        row = self._rows[function]
        place = self._batch.place(row)
        values, make_constant = self._values_for_bodies()
        self._batch.prepare_in_order(row)
        records = self._batch.take_body(place) or decode_body(place)
        context = self._tables, self._metadata
        known = self._kept_metadata.pop(function, None)
        reader = FunctionReader(*context, function, place, records, self._batch, values, make_constant, known)
        try:
            reader.read()
            self._finish_body(function, reader)
        except BaseException:
            reader.discard()
            raise

    def records_of_body(self, function: Function) -> tuple[BlockPlace, Records, BodyBatch]:
        """Return the position of an unread body, its records, and the batch with its metadata blocks."""
        row = self._rows[function]
        self._batch.prepare(row)
        place = self._batch.place(row)
        return place, self._batch.take_body(place) or decode_body(place), self._batch

    def keep_metadata(self, function: Function, metadata: FunctionMetadata) -> None:
        """Keep metadata of a function that has been created before, for reading its body."""
        self._kept_metadata[function] = metadata

    def _finish_body(self, function: Function, reader: FunctionReader) -> None:
        extras = reader.extras
        self._has_debug_records |= extras.has_records
        has_any = extras.has_any or deferred_metadata(function) is not None
        drops_debug_info = has_any and self.upgrade.drops_debug_info
        is_wanted_whole = self._wanted_whole is function
        is_read = (is_wanted_whole or drops_debug_info) and extras.read()
        if not is_read:
            extras.defer()
            if not drops_debug_info:
                self._metadata.leave(reader.metadata)
            self._tables.shared_uses.expect_wrapped(function, reader.wrapping)
        elif is_wanted_whole:
            self._wanted_whole = None
        self.upgrade.upgrade_body(
            function, has_old_expressions=reader.has_old_expressions, drops_debug_info=drops_debug_info
        )
        if not is_read:
            reader.keep_places()
        if self._has_debug_records and self.upgrade.has_debug_calls:
            raise self._tables.records.inner(self._rows[function]).error(-1, Reason.MIXED_DEBUG_INFO())

    def _values_for_bodies(self) -> tuple[list[Any], Callable[[int], Value | None]]:
        """Return the values of the module by value id, and a function that makes a constant that is None among them."""
        tables = self._tables
        is_first, self._has_read_a_body = not self._has_read_a_body, True
        if is_first and not tables.file_types.has_typed_pointers:
            _ = self._constants
            return tables.values.copy(), self._constant
        materialize_globals(self._module)
        return tables.values, self._constant

    # Parts kept unchanged

    def raw_parts(self) -> tuple[RawPart, ...]:
        """Return summaries, and the table of symbols for linkers."""
        return raw_parts(self._tables, self._symtab)

    def summary(self) -> ModuleSummaryIndex | None:
        """Return the summary index of this module, or of several modules, for link-time optimization."""
        if not self.has_summaries:
            return None
        from bitcodec.bitcode.reader.summaries import read_summary  # noqa: PLC0415 - few modules need to wait for it

        return read_summary(self._tables)

    # Metadata

    def metadata_kinds(self) -> Iterable[str]:
        """Return the names of kinds of attached metadata, in order."""
        return self._metadata.kinds.values()

    @cached_property
    def _metadata(self) -> ModuleMetadata:
        tables = self._tables
        blocks, kinds = tables.places(BlockId.METADATA_BLOCK), tables.places(BlockId.METADATA_KIND_BLOCK)
        return ModuleMetadata(tables.context, blocks, kinds, tables.file_types.of, self.wrapped_value)

    def wrapped_value(self, type_id: int, value_id: int) -> Value | None:
        """Return the global or constant that metadata wraps, None for one of type void.

        Raises:
            Malformed: it does not exist, or has another type.
        """
        tables = self._tables
        type_ = tables.file_types.of(type_id)
        if type_ is tables.types.void:
            return None
        value = self._value(value_id)
        if value is None:
            raise Malformed(Reason.NO_VALUE(number=value_id))
        value = of_type(value, value_id, type_)
        return tables.constants.poison(value.type) if isinstance(value, Expandable) else value

    def read_attachments(self) -> None:
        """Read the metadata attached to globals."""
        tables, attached = self._tables, self._metadata.nodes_of_globals()
        if attached and max(attached) >= self.value_count:
            raise tables.records.error(-1, Reason.NO_ATTACHED_VALUE(number=max(attached)))
        for value_id, nodes in attached.items():
            value = tables.values[value_id] if value_id < tables.global_count else None
            if isinstance(value, GlobalObject):
                defer_attachments(value, nodes)

    def named_metadata(self) -> dict[str, NamedMetadata]:
        """Return the named metadata, by name and in order."""
        return self.upgrade.upgraded_metadata()

    def read_metadata(self) -> None:
        """Read the metadata that is the module's own."""
        self._constants.make_integers()
        self._metadata.read_all()

    def read_deferred_metadata(self) -> None:
        """Read the content of all nodes that have been made without it."""
        self._metadata.read_left()
        self._metadata.read_deferred()

    def read_whole(self, function: Function) -> None:
        """Read the body of a function, and the locations, attachments and debug records of its instructions.

        Callers pause the collector.
        """
        self._wanted_whole = function
        try:
            if not function.is_materialized:
                self._batch.prepare(self._rows[function])
                function.materialize()
            if self._wanted_whole is function:
                self._metadata.read_left()
                resolve_all(function.instructions)
        finally:
            self._wanted_whole = None
        complete_metadata(function)

    @property
    def has_settled_uses(self) -> bool:
        """Whether reading metadata adds and moves no uses."""
        return not (self._tables.file_types.has_typed_pointers or self.upgrade.replaced)

    def read_rest(self) -> None:
        """Read everything that has not been read, and finish the parts that depend on the whole module."""
        tables = self._tables
        self._batch.clear()
        tables.attribute_lists.all()
        check_symbol_table(tables, self._offset_base, self.value_count)
        if self.bodies.refusal is not None:
            raise copy_error(self.bodies.refusal)
        for block_id in (BlockId.OPERAND_BUNDLE_TAGS_BLOCK, BlockId.SYNC_SCOPE_NAMES_BLOCK):
            tables.names(block_id)
        for named in self._module.named_metadata.values():
            _ = named.operands
        for value in (*self._module.global_variables, *self._module.ifuncs):
            complete_metadata(value)
        for function in self._module.functions:
            _ = function.attributes
        self._metadata.read_left()
        self._metadata.read_deferred()
        for function in self.upgrade.upgrade_rest():
            self.read_whole(function)  # malformed files contain old intrinsics with a body

    def close(self) -> None:
        """Release references that keep the reader alive."""
        self._metadata.forget_values()

    @cached_property
    def upgrade(self) -> ModuleUpgrade:
        """Brings the module up to date."""
        return ModuleUpgrade(self._module, self._metadata, self._tables.attribute_lists, is_in_parts=self.is_in_parts)

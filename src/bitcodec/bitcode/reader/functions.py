"""Reads FUNCTION_BLOCK: the body of a function.

Rules: docs/reference/records.md, 7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.attachments import (
    AttachmentSource,
    DeferredFunctionMetadata,
    decode_body,
)
from bitcodec.bitcode.reader.body import BodyReader
from bitcodec.bitcode.reader.constants import ConstantReader
from bitcodec.bitcode.reader.extras import InstructionExtras
from bitcodec.bitcode.reader.function_state import FunctionState
from bitcodec.bitcode.reader.metadata_order import MetadataOrder
from bitcodec.bitcode.reader.symbols import name_locals
from bitcodec.bitcode.reader.use_lists import order_uses
from bitcodec.bitcode.reader.wrapped_values import WrappedValues
from bitcodec.bitcode.schema.blocks import BlockId, ValueSymtabCode
from bitcodec.ir.construction.deferring import complete_body, defer_metadata, discard_body
from bitcodec.ir.construction.present import deferred_metadata, present_blocks
from bitcodec.ir.construction.setting import adopt_blocks
from bitcodec.reasons import Reason
from bitcodec.upgrade.expansion import SpareBlock, expand

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.reader.attachments import DeferredRecords
    from bitcodec.bitcode.reader.batches import BodyBatch
    from bitcodec.bitcode.reader.blocks import BlockPlace, Records
    from bitcodec.bitcode.reader.metadata import FunctionMetadata, ModuleMetadata
    from bitcodec.bitcode.reader.module_tables import ModuleTables
    from bitcodec.ir.functions import BasicBlock, Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.values import Value

__all__ = ["FunctionReader"]


_OF_WHOLE_BODY = {BlockId.VALUE_SYMTAB_BLOCK, BlockId.USELIST_BLOCK}
"""Blocks that are read when all instructions are there, wherever they are, except for uses before instructions."""


class FunctionReader:
    """Reads one body, and keeps the sources of its metadata.

    Args:
        module: tables of the module.
        module_metadata: its metadata.
        function: the function with the body.
        place: the body.
        records: its records.
        batch: has its metadata blocks, if it was decoded together with others.
        values: the values of the module by value id; the list is restored when the body has been read.
        make_constant: makes a constant of the module that is None among them.
        known_metadata: metadata of the body of which some has been made before; None if none has.

    Attributes:
        extras: locations, debug records and attachments of the instructions, to be read or deferred.
    """

    def __init__(
        self,
        module: ModuleTables,
        module_metadata: ModuleMetadata,
        function: Function,
        place: BlockPlace,
        records: Records,
        batch: BodyBatch,
        values: list[Any],
        make_constant: Callable[[int], Value | None],
        known_metadata: FunctionMetadata | None = None,
    ) -> None:
        self._module = module
        self._function = function
        self._place = place
        self._values = values
        self._state = FunctionState(module, function, values, make_constant)
        self._wrapped = WrappedValues(self._state, module_metadata)
        self._source = AttachmentSource(module_metadata, place, self._wrapped, known_metadata)
        self._records = records
        self._batch = batch
        self.extras = InstructionExtras(self._source, function, self._records)
        self._metadata_order: MetadataOrder | None = None
        self._has_expandables = False
        self._spare_block: SpareBlock | None = None
        self._instructions: list[Instruction] = []

    def read(self) -> None:
        """Read the body.

        Raises:
            BitcodecError: it is malformed.
        """
        state, values, records = self._state, self._state.values, self._records
        body = BodyReader(state, self._declared_blocks, self.extras, records)
        self._instructions = body.instructions
        try:
            if state.keeps_type_ids:
                state.value_type_ids += self._module.parameter_ids(self._function)
            values += self._function.arguments
            of_whole_body: list[tuple[Records, int]] = []
            for span in records.spans():
                if isinstance(span, range):
                    if of_whole_body:
                        of_whole_body = self._order_early(of_whole_body)
                    body.read(span)
                elif span.id in _OF_WHOLE_BODY:
                    self._check_named_blocks(span)
                    of_whole_body.append((span, len(values)))
                else:
                    self._read_block(span)
            if of_whole_body:
                self._finish_body()
            for span, value_count in of_whole_body:
                self._read_of_whole_body(span, value_count)
            self._finish(records)
            own = self._wrapped.own = values[state.first_own :]
        finally:
            del values[state.first_own :]
            del state.value_type_ids[state.first_own :]
            if self._spare_block is not None:
                self._spare_block.give_up()
        state.keep_own(own)

    def discard(self) -> None:
        """Remove the parts read of a malformed body from the function, and from the users of shared values."""
        discard_body(self._function, self._state.blocks, self._instructions)

    def _declared_blocks(self, count: int) -> list[BasicBlock]:
        if not count:
            raise Malformed(Reason.NO_BLOCKS())
        if count > self._records.row_count + self._module.empty_blocks_left:
            raise Malformed(Reason.MANY_BLOCKS(count=count, records=self._records.row_count))
        return self._module.declared_blocks(self._function, count)

    # Inner blocks

    def _read_block(self, records: Records) -> None:
        state, block_id = self._state, records.id
        if block_id == BlockId.CONSTANTS_BLOCK:
            known = len(state.values)
            constants = ConstantReader(self._module, state.values, state.value_type_ids, state.known_value)
            constants.enumerate(records)
            constants.make_all()
            self._has_expandables |= constants.has_expandables
            if state.forward.waiting:
                for number in range(known, len(state.values)):
                    state.forward.define(number, state.values[number])
        elif block_id == BlockId.METADATA_BLOCK:
            if self._metadata_order is None:
                self._metadata_order = MetadataOrder(self._source, self.extras, self._state)
            self._metadata_order.check(records)
            place = records.place()
            self._source.places.append(place)
            self._source.blocks.append(self._batch.take_metadata(place) or place)
        elif block_id == BlockId.METADATA_ATTACHMENT_BLOCK:
            for row, pairs in self.extras.add_attachments(records, self._instructions):
                self._attach_to_function(row, pairs)

    def _check_named_blocks(self, records: Records) -> None:
        """Check that names of blocks follow the record that declares the blocks: LLVM names them at once."""
        if records.id == BlockId.VALUE_SYMTAB_BLOCK and not self._state.blocks:
            for row, code, _ in records:
                if code == ValueSymtabCode.BBENTRY:
                    raise records.error(row, Reason.BEFORE_BLOCKS())

    def _read_of_whole_body(self, records: Records, value_count: int) -> None:
        """Read names or orders of uses; in LLVM names are of values that are defined before them."""
        state = self._state
        if records.id == BlockId.VALUE_SYMTAB_BLOCK:
            name_locals(records, self._function.symbols, state, value_count, self._reserve_edge_name)
        else:
            self._module.module.preserves_use_list_order = True
            order_uses(records, state.values, self._module.shared_uses, state)

    def _order_early(self, blocks: list[tuple[Records, int]]) -> list[tuple[Records, int]]:
        """Order the uses made so far by the blocks before instructions; return the other blocks."""
        shared = self._module.shared_uses
        for records, _ in blocks:
            if records.id == BlockId.USELIST_BLOCK:
                self._module.module.preserves_use_list_order = True
                shared.follow(self._function, self._instructions)
                order_uses(records, self._state.values, shared, self._state, len(self._instructions))
        return [each for each in blocks if each[0].id != BlockId.USELIST_BLOCK]

    def _reserve_edge_name(self) -> None:
        if self._spare_block is None:
            self._spare_block = SpareBlock(self._function, self._module.types)
            self._spare_block.prepare_for_phis()

    def _attach_to_function(self, row: int, pairs: list[int]) -> None:
        attached = deferred_metadata(self._function)
        if not isinstance(attached, DeferredFunctionMetadata):
            attached = DeferredFunctionMetadata(self._source)
            defer_metadata(self._function, attached)
        attached.add(row - self._records.first_row, pairs)

    # Metadata

    @property
    def metadata(self) -> FunctionMetadata:
        """The metadata of the function."""
        return self._source.metadata

    @property
    def wrapping(self) -> list[DeferredRecords]:
        """The deferred debug records that wrap constants with operands, or uncreated constants of the module."""
        extras = self.extras
        if not extras.wrapped_ids:
            return extras.wrapping
        wrappers = self.metadata.wrappers(self._values, self._wrapped.own)
        return extras.wrapping + [records for metadata_id, records in extras.wrapped_ids if metadata_id in wrappers]

    def keep_places(self) -> None:
        """Drop the records of its metadata blocks, because they are read later."""
        self._source.keep_places()

    @property
    def has_old_expressions(self) -> bool:
        """Whether the function's own metadata has old expressions, as in `ModuleMetadata.has_old_expressions`."""
        return self._source.has_old_expressions

    # The end

    def _finish(self, records: Records) -> None:
        state = self._state
        last = records.first_row + records.row_count - 1
        if state.forward.waiting:
            raise records.error(last, Reason.NEVER_DEFINED(number=min(state.forward.waiting)))
        if state.bundles:
            raise records.error(last, Reason.BUNDLES_WITHOUT_CALL())
        self._finish_body()
        with records.placed(last):
            if state.pending_metadata:
                state.complete_metadata(self._source.node)
            self._module.note_blocks(self._function, state.blocks)
        complete_body(self._function)

    def _finish_body(self) -> None:
        """Resolve the forward references of the instructions."""
        function = self._function
        if not present_blocks(function):
            adopt_blocks(function, self._state.blocks)
            if self._has_expandables or self._module.has_expandables:
                self.extras.defer()  # because they move with the instruction
                spare = self._spare_block = SpareBlock(function, self._module.types)
                try:
                    expand(function, spare, self._module.budget)
                except Malformed as error:
                    raise decode_body(self._place).error(-1, error.reason) from None

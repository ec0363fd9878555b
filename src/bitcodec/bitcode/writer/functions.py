"""Bodies of functions.  Rules: docs/reference/records.md, 7; docs/reference/writer.md, 11.8."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode, MetadataAttachmentCode
from bitcodec.bitcode.writer.bodies import BodyOperands
from bitcodec.bitcode.writer.boundary import writing
from bitcodec.bitcode.writer.collected import Collected
from bitcodec.bitcode.writer.constants import constants_block
from bitcodec.bitcode.writer.instruction_records import InstructionWriter
from bitcodec.bitcode.writer.metadata_records import function_metadata
from bitcodec.bitcode.writer.rows import BlockRows, Rows
from bitcodec.errors import quote_name
from bitcodec.ir.constants import Constant
from bitcodec.ir.construction.present import present_uses
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.metadata import MDNode
from bitcodec.object_numbers import ObjectNumbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.bitcode.writer.metadata_ids import Key
    from bitcodec.bitcode.writer.numbers import Numbers
    from bitcodec.bitcode.writer.use_lists import BodyUseLists, UseLists
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value

__all__ = ["BodyWriter"]

_WIDTH = 5
_SYMTAB_WIDTH = 4
_ATTACHMENT_WIDTH = 3


class BodyWriter:
    """Writes the bodies of functions.

    Args:
        module: the module.
        numbers: numbers of the module; while a body is written, of its values and metadata too.
    """

    def __init__(self, module: Module, numbers: Numbers) -> None:
        self._context = module.context
        self._numbers = numbers
        self._values = numbers.values
        self._known_types = ObjectNumbers()
        self._instructions = InstructionWriter(numbers, module.data_layout.alloca_address_space)

    def block(self, function: Function, keys: Sequence[Key], use_lists: UseLists | BodyUseLists | None) -> BlockRows:
        """Return the block that holds a body.

        Args:
            function: a definition.
            keys: the metadata of its block.
            use_lists: orders of uses, of the module or of this body, None if they do not matter.

        Raises:
            EncodingError: the body refers to something that the module does not contain.
        """
        blocks = self._numbers.block_numbers(function)
        with writing(f"the body of @{quote_name(function.name)}"):
            return self._block(self._body(function), blocks, keys, use_lists)

    def check(self, function: Function, keys: Sequence[Key]) -> None:
        """Raise the errors of `block`, and assign its numbers, without making the records of instructions.

        Instructions raise no errors, except for metadata that an instruction other than a call refers to.
        Some types get numbers with the records of instructions only: if the version lacks types, records are made.

        Args:
            function: a definition.
            keys: the metadata of its block.
        """
        with writing(f"the body of @{quote_name(function.name)}"):
            body = self._body(function)
            if body.has_stray_metadata or self._numbers.dialect.lacks_types:
                self._block(body, self._numbers.block_numbers(function), keys, None)
                return
            first_value = len(self._values)
            for _ in self._tables(body, keys):
                pass
            self._forget(body, keys, first_value)

    def _body(self, function: Function) -> BodyOperands:
        written = self._numbers.dialect.written_in(function)
        return BodyOperands(function, self._context, written, self._known_types)

    def _block(
        self,
        body: BodyOperands,
        blocks: dict[BasicBlock, int],
        keys: Sequence[Key],
        use_lists: UseLists | BodyUseLists | None,
    ) -> BlockRows:
        block = BlockRows(BlockId.FUNCTION_BLOCK, _WIDTH)
        values, function = self._values, body.function
        first_value = len(values)
        block.rows().add(FunctionCode.DECLAREBLOCKS, [len(blocks)])
        block.items += self._tables(body, keys)
        rows = Rows()
        self._instructions.write(body, blocks, len(values) - len(body.results), rows)
        self._add_block_address_users(rows, body, blocks)
        orders = None if use_lists is None else use_lists.block(function, values, blocks)
        block.items += filter(None, (rows, self._symbol_table(body), self._attachments(body), orders))
        self._forget(body, keys, first_value)
        return block.pack()

    def _forget(self, body: BodyOperands, keys: Sequence[Key], first_value: int) -> None:
        """Discard the numbers of the body's own entities; its values have the numbers from `first_value` on."""
        self._values.truncate(first_value)
        if keys or body.local or body.lists:
            self._numbers.metadata_ids.forget(_local_metadata(body, keys))

    # Numbers

    def _tables(self, body: BodyOperands, keys: Sequence[Key]) -> Iterator[BlockRows]:
        """Give numbers to the function's values and metadata; yield the blocks of its constants and metadata."""
        values, types, numbers = self._values, self._numbers.types, self._numbers
        values.add_all(body.function.arguments, len(values))
        constants = self._constants(body, keys)
        values.add_all(constants, len(values))
        for type_ in body.types:
            _ = types[type_]
        values.add_all(body.results, len(values))
        if constants:
            yield constants_block(constants, numbers, is_module=False)
        if keys or body.local or body.lists:
            numbers.metadata_ids.add_all(_local_metadata(body, keys), numbers.metadata_count)
            lists = body.lists if numbers.dialect.keeps_argument_lists else ()
            metadata = function_metadata(keys, body.local, lists, numbers)
            if metadata is not None:
                yield metadata

    def _constants(self, body: BodyOperands, keys: Sequence[Key]) -> list[Value]:
        found, types = Collected(self._values), self._numbers.types
        body.add_constants(found, self._values)
        # Strings come first, then constants.
        for key in keys:
            if isinstance(key, Constant):
                found.add(types.written(key))
            elif isinstance(key, MDNode):
                break
        return found.in_order(types, is_sorted=self._numbers.sorts_constants)

    def _add_block_address_users(self, rows: Rows, body: BodyOperands, blocks: dict[BasicBlock, int]) -> None:
        """Add the other functions that use addresses of blocks here: a reader of this function must read them too."""
        users: dict[Function, None] = {}
        for address in body.block_addresses(blocks):
            users.update(dict.fromkeys(_functions_using(address)))
        users.pop(body.function, None)
        if users:
            rows.add(FunctionCode.BLOCKADDR_USERS, [self._values[function] for function in users])

    # Blocks after the instructions

    def _symbol_table(self, body: BodyOperands) -> BlockRows | None:
        if not (body.named or body.named_blocks or any(argument.name for argument in body.function.arguments)):
            return None
        block = BlockRows(BlockId.VALUE_SYMTAB_BLOCK, _SYMTAB_WIDTH)
        rows = Rows()
        body.add_names(rows, self._values)
        if not rows:
            return None
        block.items.append(rows)
        return block

    def _attachments(self, body: BodyOperands) -> BlockRows | None:
        own = body.function.metadata
        if not (own or body.attached):
            return None
        block = BlockRows(BlockId.METADATA_ATTACHMENT_BLOCK, _ATTACHMENT_WIDTH)
        rows = Rows()
        if own:
            rows.add(MetadataAttachmentCode.ATTACHMENT, self._numbers.attached(own.items()))
        self._instructions.write_attachments(MetadataAttachmentCode.ATTACHMENT, rows)
        if not rows:
            return None
        block.items.append(rows)
        return block


def _local_metadata(body: BodyOperands, keys: Sequence[Key]) -> Iterator[Any]:
    """Return everything that has an id in a function only, in the order of ids."""
    return chain(keys, body.local, body.lists)


def _functions_using(constant: Constant) -> Iterator[Function]:
    """Yield the functions whose instructions use a constant, directly or through others, the newest use first."""
    pending: list[Value] = [constant]
    seen: set[Value] = {constant}
    while pending:
        for user in reversed([*present_uses(pending.pop())]):
            if isinstance(user, Instruction):
                if user.function is not None:
                    yield user.function
            elif isinstance(user, Constant) and not isinstance(user, GlobalValue) and user not in seen:
                seen.add(user)
                pending.append(user)

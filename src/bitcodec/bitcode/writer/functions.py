"""Bodies of functions.  Rules: bitcode record reference, section 7; writer reference, section 11.8."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode, MetadataAttachmentCode, ValueSymtabCode
from bitcodec.bitcode.writer.abbreviations import SymtabAbbreviation
from bitcodec.bitcode.writer.bodies import Body
from bitcodec.bitcode.writer.boundary import writing
from bitcodec.bitcode.writer.collected import Collected
from bitcodec.bitcode.writer.constants import constants_block
from bitcodec.bitcode.writer.instruction_records import InstructionWriter
from bitcodec.bitcode.writer.metadata_records import function_metadata
from bitcodec.bitcode.writer.rows import BlockRows, Rows, encoded
from bitcodec.bitstream.abbreviations import CHAR6_ALPHABET
from bitcodec.errors import quote_name
from bitcodec.ir.constants import Constant
from bitcodec.ir.construction import present_uses
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions import Instruction

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.bitcode.writer.metadata_ids import Key
    from bitcodec.bitcode.writer.numbers import Numbers
    from bitcodec.bitcode.writer.use_lists import BodyUseLists, UseLists
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value

__all__ = ["BodyWriter"]

_WIDTH = 5
_SYMTAB_WIDTH = 4
_ATTACHMENT_WIDTH = 3
_CHAR6 = frozenset(CHAR6_ALPHABET)


class BodyWriter:
    """Writes the body of one function.

    Args:
        module: the module.
        function: which is defined there.
        keys: the metadata of its block.
        numbers: numbers of the module; while a body is written, of its values and metadata too.
        use_lists: orders of uses, those of the module or of this body, None if they do not matter.
    """

    def __init__(
        self,
        module: Module,
        function: Function,
        keys: Sequence[Key],
        numbers: Numbers,
        use_lists: UseLists | BodyUseLists | None,
    ) -> None:
        self._module = module
        self._function = function
        self._numbers = numbers
        self._use_lists = use_lists
        self._keys = keys
        self._values = numbers.values
        self._blocks = numbers.block_numbers(function)
        self._body = Body(function, module.context, numbers.dialect.replacements)

    def block(self) -> BlockRows:
        """Return the block that holds the body.

        Raises:
            EncodingError: the body refers to something that the module does not contain.
        """
        with writing(f"the body of @{quote_name(self._function.name)}"):
            return self._block()

    def _block(self) -> BlockRows:
        block = BlockRows(BlockId.FUNCTION_BLOCK, _WIDTH)
        values, body = self._values, self._body
        first_value = len(values)
        block.rows().add(FunctionCode.DECLAREBLOCKS, [len(self._blocks)])
        block.items += self._tables()
        rows = Rows()
        first_result = len(values) - len(body.results)
        space = self._module.data_layout.alloca_address_space
        instructions = InstructionWriter(body, self._numbers, self._blocks, space, rows)
        instructions.write(first_result)
        self._add_block_address_users(rows)
        block.items.append(rows)
        block.items += filter(None, (self._symbol_table(), self._attachments(instructions), self._orders()))
        values.truncate(first_value)
        self._numbers.metadata_ids.forget(self._metadata())
        return block.pack()

    # Numbers

    def _tables(self) -> Iterator[BlockRows]:
        """Give numbers to the function's values and metadata; yield the blocks of its constants and metadata."""
        values, types, body, numbers = self._values, self._numbers.types, self._body, self._numbers
        values.add_all(self._function.arguments, len(values))
        constants = self._constants()
        values.add_all(constants, len(values))
        for type_ in body.types:
            _ = types[type_]
        values.add_all(body.results, len(values))
        if constants:
            yield constants_block(constants, numbers, is_module=False)
        numbers.metadata_ids.add_all(self._metadata(), numbers.metadata_count)
        metadata = function_metadata(self._keys, body.local, body.lists, numbers)
        if metadata is not None:
            yield metadata

    def _metadata(self) -> Iterator[Any]:
        """Return everything that has an id in this function only, in the order of ids."""
        return chain(self._keys, self._body.local, self._body.lists)

    def _constants(self) -> list[Value]:
        found, types = Collected(self._values), self._numbers.types
        self._body.add_constants(found, self._values)
        for key in self._keys:
            if isinstance(key, Constant):
                found.add(types.written(key))
        return found.in_order(types)

    def _add_block_address_users(self, rows: Rows) -> None:
        """Tell who else takes addresses of blocks here: whoever reads it alone has to read this function too."""
        users: dict[Function, None] = {}
        for address in self._body.block_addresses(self._blocks):
            users.update(dict.fromkeys(_functions_using(address)))
        users.pop(self._function, None)
        if users:
            rows.add(FunctionCode.BLOCKADDR_USERS, [self._values[function] for function in users])

    # What follows them

    def _symbol_table(self) -> BlockRows | None:
        block = BlockRows(BlockId.VALUE_SYMTAB_BLOCK, _SYMTAB_WIDTH)
        rows = Rows()
        named = [argument for argument in self._function.arguments if argument.name]
        for value in (*named, *self._body.named):
            # What has no value has no number either, and so no name in a file.
            if value in self._values:
                _symbol_entry(rows, self._values[value], value.name)
        for basic_block, number in self._body.named_blocks:
            _symbol_entry(rows, number, basic_block.name, is_block=True)
        if not rows:
            return None
        block.items.append(rows)
        return block

    def _orders(self) -> BlockRows | None:
        return None if self._use_lists is None else self._use_lists.block(self._function, self._values, self._blocks)

    def _attachments(self, instructions: InstructionWriter) -> BlockRows | None:
        block = BlockRows(BlockId.METADATA_ATTACHMENT_BLOCK, _ATTACHMENT_WIDTH)
        rows = Rows()
        own = self._function.metadata
        if own:
            rows.add(MetadataAttachmentCode.ATTACHMENT, self._numbers.attached(own.items()))
        instructions.write_attachments(MetadataAttachmentCode.ATTACHMENT, rows)
        if not rows:
            return None
        block.items.append(rows)
        return block


def _symbol_entry(rows: Rows, number: int, name: str, *, is_block: bool = False) -> None:
    """Add the record that names a value or a block."""
    text = encoded(name)
    code = ValueSymtabCode.BBENTRY if is_block else ValueSymtabCode.ENTRY
    if _CHAR6.issuperset(text):
        abbreviation = SymtabAbbreviation.BBENTRY_CHAR6 if is_block else SymtabAbbreviation.ENTRY_CHAR6
    else:
        is_seven_bit = text.isascii() and not is_block
        abbreviation = SymtabAbbreviation.ENTRY_7 if is_seven_bit else SymtabAbbreviation.ENTRY_8
    rows.add(code, [number, *text], abbreviation)


def _functions_using(constant: Constant) -> Iterator[Function]:
    """Yield the functions whose instructions use a constant, directly or through others."""
    pending: list[Value] = [constant]
    seen: set[Value] = set()
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        for user in present_uses(current):
            if isinstance(user, Instruction):
                if user.function is not None:
                    yield user.function
            elif isinstance(user, Constant) and not isinstance(user, GlobalValue):
                pending.append(user)

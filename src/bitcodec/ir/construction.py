"""The door for packages that construct parts of a module: the reader, upgrades and the builder.

These functions check nothing, enter no names and materialize nothing: their callers have checked the data.  Together
they must leave the model consistent, so that each operand of a user is an entry in the list of uses of that operand.
The first ones return what is there already.  Loops that are compiled read the slots themselves.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

from bitcodec.ir.attachments import Attachments
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.basic_blocks import complete_blocks, set_parents
from bitcodec.ir.constants import ConstantData
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import instruction as loops
from bitcodec.ir.uses import listed_uses

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from bitcodec.host.collection import ObjectGrowth
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.constant_expressions import NoCFIValue
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.debug_info import DILocation
    from bitcodec.ir.globals import GlobalObject, GlobalValue, GlobalVariable
    from bitcodec.ir.instruction_list import Instructions
    from bitcodec.ir.instructions import Instruction, Phi
    from bitcodec.ir.lazy import Deferred
    from bitcodec.ir.metadata import MDNode, ValueAsMetadata
    from bitcodec.ir.module import Module
    from bitcodec.ir.sources import LinkerSymbols, RawPart, Source
    from bitcodec.ir.uses import Uses
    from bitcodec.ir.values import User, Value

__all__ = [
    "adopt_blocks",
    "apply_use_orders",
    "assembly_records",
    "attach_source",
    "begin_blocks",
    "complete_body",
    "complete_metadata",
    "complete_operands",
    "copy_attachments",
    "copy_location",
    "count_empty_blocks",
    "defer_attachments",
    "defer_attributes",
    "defer_body",
    "defer_metadata",
    "defer_operands",
    "deferred_metadata",
    "detach",
    "discard_body",
    "drop_all_operands",
    "erase_wrapper",
    "every_name",
    "expect_initializer",
    "first_instruction",
    "growth_of",
    "has_unread_symbols",
    "ignore_debug_info",
    "instructions_between",
    "instructions_with_attachments",
    "instructions_with_extras",
    "instructions_with_records",
    "keep_no_users",
    "keep_numbers",
    "kept_numbers",
    "materialize_globals",
    "materialize_symbols",
    "move_debug_records",
    "neighbours",
    "no_cfi_of",
    "present_attributes",
    "present_blocks",
    "present_instructions",
    "present_instructions_of",
    "present_location",
    "present_metadata",
    "present_uses",
    "present_wrapper",
    "raw_parts",
    "replace_uses",
    "replace_wrapped",
    "set_assembly",
    "set_blocks",
    "set_incoming_blocks",
    "set_instructions",
    "set_name",
    "set_operands",
    "set_users",
    "set_uses",
    "source_of",
    "symbol_changes",
    "unread_symbols",
]


def present_blocks(function: Function) -> Sequence[BasicBlock]:
    """Return the blocks of a function that have been read."""
    return function._blocks


def present_instructions(block: BasicBlock) -> Instructions[Instruction]:
    """Return the instructions of a block that have been read."""
    return block._instructions


def count_empty_blocks(blocks: Iterable[BasicBlock]) -> int:
    """Return how many blocks have no instructions, of those that have been read."""
    return len([block for block in blocks if not block._instructions])


def instructions_with_extras(function: Function) -> list[Instruction]:
    """Return the instructions that have been read and have, read or not, a location, attachments or debug records."""
    return loops.select_with_extras(function._blocks)


def instructions_with_attachments(function: Function, kinds: frozenset[str]) -> list[Instruction]:
    """Return the instructions that have been read and have attachments of some kinds, or attachments not yet read."""
    return loops.select_with_attachments(function._blocks, kinds)


def instructions_with_records(function: Function) -> list[Instruction]:
    """Return the instructions that have been read and have debug records, read or not."""
    return loops.select_with_records(function._blocks)


def neighbours(instruction: Instruction) -> tuple[Instruction | None, Instruction | None]:
    """Return what is before and after an instruction in its block, however long that is; None for nothing."""
    assert instruction.parent is not None, "it is in a block"  # noqa: S101
    return instruction.parent._neighbours(instruction)


def first_instruction(block: BasicBlock) -> Instruction:
    """Return the first instruction of a block that has one, however long that is."""
    return block._first()


def instructions_between(block: BasicBlock, first: Instruction | None, last: Instruction | None) -> list[Instruction]:
    """Return the instructions of a block behind one and in front of another; None is before or behind all."""
    return block._between(first, last)


def present_instructions_of(function: Function, kinds: frozenset[type[Instruction]]) -> list[Instruction]:
    """Return the instructions of a function that have been read and are of some classes."""
    return loops.select_of_kinds(function._blocks, kinds)


def no_cfi_of(constants: ConstantTable, value: Constant) -> NoCFIValue:
    """Return `no_cfi` of a function, or of a constant that stands for one until it is known."""
    return constants._no_cfi(value)


def present_uses(value: Value) -> Uses:
    """Return the users of a value that have been read: one entry for each use."""
    return value._uses


def present_location(instruction: Instruction) -> DILocation | Deferred[DILocation | None] | None:
    """Return the debug location of an instruction, or what reads it."""
    return instruction._location


def present_wrapper(value: Value) -> ValueAsMetadata | None:
    """Return the metadata that wraps a value, None if none was made."""
    return value._as_metadata


def present_attributes(function: Function) -> AttributeList | None:
    """Return the attributes of a function, None if they have not been read."""
    attributes = function._attributes
    return attributes if isinstance(attributes, AttributeList) else None


def present_metadata(value: GlobalObject) -> Attachments | None:
    """Return the metadata attached to a global, None if it has not been read or there is none."""
    metadata = value._metadata
    return metadata if isinstance(metadata, Attachments) else None


def ignore_debug_info(module: Module, version: int | None) -> None:
    """Note that debug information of another version was dropped from a module, None that it was not."""
    module._ignored_debug_info_version = version


def complete_metadata(value: GlobalObject) -> None:
    """Read the metadata attached to a global, if there is some that was not read yet."""
    if value.parent is not None:
        value.parent._materialize_attachments()
    if value._metadata is not None or (isinstance(value, Function) and value._body_metadata is not None):
        _ = value.metadata


def deferred_metadata(function: Function) -> Deferred[list[tuple[str, MDNode]]] | None:
    """Return the metadata attached to a function in its body, None if it has been read or there is none."""
    return function._body_metadata


def source_of(module: Module) -> Source | None:
    """Return the source of the parts that have not been read yet, None if all have been read."""
    return module._source


def every_name(module: Module) -> list[str]:
    """Return the names of all globals, including intrinsics, without making globals.

    Raises:
        BitcodecError: a name is malformed.
    """
    return module._every_name()


def unread_symbols(module: Module) -> LinkerSymbols | None:
    """Return what linkers resolve symbols by, without making globals; None if they have been made.

    Raises:
        BitcodecError: a symbol is malformed.
    """
    source = module._source
    if source is None or not module._has_unread_symbols:
        return None
    return module.context.lock.run(source.linker_symbols)


def set_assembly(module: Module, text: str, records: Iterable[tuple[int, tuple[int, ...]]]) -> None:
    """Set the assembly text beside the IR, and keep the records that it was read from."""
    module.module_asm = text
    module._assembly_records = tuple(records)


def assembly_records(module: Module) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the records that the assembly text beside the IR was read from."""
    return module._assembly_records


def raw_parts(module: Module) -> tuple[RawPart, ...]:
    """Return the parts that are kept as the file has them: summaries, the symbol table for linkers.

    Raises:
        BitcodecError: one of them is malformed.
    """
    return module._read_raw_parts()


def growth_of(module: Module) -> ObjectGrowth:
    """Return the count of the objects that are made when a module is read."""
    return module._growth


def kept_numbers(module: Module) -> object:
    """Return the numbers that the printer keeps, None if there are none; it knows when they are out of date."""
    return module._kept_numbers


def keep_numbers(module: Module, numbers: object) -> None:
    """Keep numbers for the printer."""
    module._kept_numbers = numbers


# Parts that are read later


def defer_body(function: Function, body: Deferred[None]) -> None:
    """Let the body of a function be read at first access."""
    function._unread_body = body


def defer_operands(value: GlobalValue, operands: Deferred[None]) -> None:
    """Let the constants that a global holds be read at first access."""
    value._unread_operands = operands


def complete_operands(value: GlobalValue) -> None:
    """Read the constants that a global holds, if they were not read yet."""
    value._complete()


def defer_attributes(function: Function, attributes: Deferred[AttributeList]) -> None:
    """Let the attributes of a function be read at first access."""
    function._attributes = attributes


def defer_metadata(function: Function, metadata: Deferred[list[tuple[str, MDNode]]]) -> None:
    """Let the metadata attached to a function in its body be read at first access."""
    function._body_metadata = metadata


def defer_attachments(value: GlobalObject, metadata: Deferred[list[tuple[str, MDNode]]]) -> None:
    """Let the metadata attached to a global be read at first access."""
    value._metadata = metadata


def expect_initializer(variable: GlobalVariable) -> None:
    """Make a definition of a variable, whose initializer will follow."""
    variable._has_initializer = True


def apply_use_orders(module: Module, *, is_lazy: bool = False) -> object:
    """Do what `Module.order_uses` does, and return what `UseOrders.apply` returns; None if the uses were in order.

    Args:
        module: the module.
        is_lazy: whether to order them as programs of LLVM that open a file lazily, such as `llvm-dis`, find them.
    """
    return module._order_uses(is_lazy=is_lazy)


# Bodies


def complete_body(function: Function) -> None:
    """End the construction of a body: its blocks and instructions become tuples."""
    blocks = function._blocks = tuple(function._blocks)
    complete_blocks(blocks)


def discard_body(function: Function, blocks: Iterable[BasicBlock], made: Iterable[Instruction]) -> None:
    """Remove what has been read of a malformed body from the function, and from the uses of other values.

    Args:
        function: the function.
        blocks: its blocks.
        made: the instructions that were made, in order; others may have been inserted into the blocks.
    """
    inserted = [instruction for block in blocks for instruction in block._instructions]
    for user in reversed(dict.fromkeys([*made, *inserted])):
        # An exception from outside may have come between an operand and its use, and must not be hidden here.
        with suppress(LookupError, ValueError):
            user._drop_operands()
    for block in blocks:
        block._instructions = []
        block.parent = None
    # Else a second reading would find its names taken.
    function._symbols = None
    for argument in function._arguments or ():
        argument._name = ""
    function._blocks = ()
    function._body_metadata = None
    function._unread_records = ()


def adopt_blocks(function: Function, blocks: Iterable[BasicBlock]) -> None:
    """Give a function without blocks these, which are in no function yet."""
    adopted = function._blocks = tuple(blocks)
    set_parents(adopted, function)


def begin_blocks(function: Function) -> list[BasicBlock]:
    """Return the list of blocks of a body that is being made; `complete_body` ends that."""
    blocks = function._blocks = [*function._blocks]
    return blocks


def set_blocks(function: Function, blocks: Iterable[BasicBlock]) -> None:
    """Replace the blocks of a function, whose body has been read or is being read."""
    function._blocks = tuple(blocks)


def set_instructions(block: BasicBlock, instructions: Iterable[Instruction]) -> None:
    """Replace the instructions of a block; their parents stay as they are."""
    block._set_instructions(instructions)


def set_operands(user: User, operands: Sequence[Value]) -> None:
    """Replace the operands of a user."""
    user._set_operands(operands)


def set_incoming_blocks(phi: Phi, blocks: Iterable[BasicBlock]) -> None:
    """Replace the blocks that a phi has values for."""
    phi._incoming_blocks[:] = blocks


def set_name(value: Value, name: str) -> None:
    """Set the name of a value that is in no symbol table yet."""
    value._name = name


def replace_wrapped(old: Value, new: Value) -> None:
    """Let metadata that wraps a value wrap another."""
    wrapper, old._as_metadata = old._as_metadata, None
    if wrapper is not None:
        wrapper._value_replaced(new)


def copy_location(source: Instruction, target: Instruction) -> None:
    """Give an instruction the debug location of another, which need not have been read."""
    target._location = source._location


def replace_uses(old: Instruction, new: Value) -> None:
    """Let all users of an instruction use another value, which may be of another type."""
    old._read_metadata_uses()
    old._hand_over_uses(new)


def copy_attachments(source: Instruction, target: Instruction) -> None:
    """Give an instruction the attached metadata of another, which is going away; it need not have been read."""
    target._attachments = source._attachments


def move_debug_records(source: Instruction, target: Instruction) -> None:
    """Move debug records, which need not have been read, to an instruction that has none."""
    target._records, source._records = source._records, None


def detach(instruction: Instruction) -> None:
    """End the life of an instruction that is in no list of a block any more; metadata loses its value."""
    instruction._records = None
    instruction.parent = None
    erase_wrapper(instruction)


def erase_wrapper(value: Value) -> None:
    """Let metadata that wraps a value, which is going away, wrap nothing."""
    if value._as_metadata is not None:
        value._as_metadata._value_erased(None)


def attach_source(module: Module, source: Source) -> None:
    """Let a module read its parts from a source."""
    module._attach_source(source)


def has_unread_symbols(module: Module) -> bool:
    """Return whether the globals of a module have not been read yet."""
    return module._has_unread_symbols


def materialize_symbols(module: Module) -> None:
    """Read the globals of a module, without what they hold."""
    module._materialize_symbols()


def materialize_globals(module: Module) -> None:
    """Read the globals of a module, and what they hold."""
    module._materialize_globals()


def symbol_changes(function: Function) -> int:
    """Return a number that changes with the names and numbers of the values of a function."""
    return function._symbol_changes


def set_uses(value: Value, uses: Iterable[tuple[User, int]]) -> None:
    """Replace the list of uses of a value by these in this order: each user, and which of its operands the value is."""
    value._uses = listed_uses(uses)


def set_users(value: Value, users: Sequence[User]) -> None:
    """Replace the list of uses of a value by one use by each of these users in this order; no user occurs twice."""
    value._uses = [*users]


def keep_no_users(value: Value) -> None:
    """Let a value, which has no users yet, keep no list of them: a placeholder."""
    value._uses = ConstantData._UNTRACKED


def drop_all_operands(users: Collection[User]) -> None:
    """Remove the operands of many users, in time that is linear in the number of uses of these operands.

    Args:
        users: the users; what is not hashed, as a list, is searched for each use.
    """
    counts: Counter[Value] = Counter()
    for user in users:
        for number, operand in enumerate(user._operands):
            uses = operand._uses
            if isinstance(uses, list):
                counts[operand] += 1
            else:
                uses.remove(user, number)
    for operand, count in counts.items():
        if isinstance(operand._uses, list):
            _drop_last(operand._uses, users, count)
    for user in users:
        user._operands = ()


def _drop_last(uses: list[User], users: Collection[User], count: int) -> None:
    """Remove the last uses by some users, as many as are given: users that were just read are near the end."""
    kept: list[User] = []
    index = len(uses)
    while count and index:
        index -= 1
        if uses[index] in users:
            count -= 1
        else:
            kept.append(uses[index])
    uses[index:] = reversed(kept)

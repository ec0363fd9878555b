# cython: language_level=3, annotation_typing=False, nonecheck=True, auto_pickle=False
# ruff: noqa: ANN001, ANN201, ANN202, F821, SLF001
"""The order in which LLVM's reader creates the users of values.

Constants with operands are created when their first user is read: operands of globals first, the last
global first, then the operands of instructions, function by function.

Rules: docs/reference/records.md, 9.4.
"""

from __future__ import annotations

from bitcodec.host import native
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.constants import ConstantData, ConstantWithOperands
from bitcodec.ir.construction import present
from bitcodec.ir.construction.setting import set_users
from bitcodec.ir.debug_records import DbgVariableRecord
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions import LandingPad, Select, Store
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.lazy import Deferred
from bitcodec.ir.metadata import LocalAsMetadata, wrapped_values
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.uses import NumberedUses, numbered_uses
from bitcodec.object_numbers import ObjectNumbers

_STEP = 1 << 32
"""From instruction to instruction: between them there is room for the constants that are made for one of them."""
_AWAITED = -2
"""Stands for the number of an instruction that uses something shared and has not been made."""
_FEW = 64
"""Users that are sorted by insertion, in arrays of this length."""


class CreationOrder:
    """The users that LLVM's reader has made so far, with numbers in the order in which they were made.

    Most instructions use only what their own function has.  They have no number here: the order of such uses follows
    from the positions in the function, which `local_orders` numbers in a table that stays small.

    Args:
        module: the module, which has been read to the end.
        late_holders: functions that get their operand, a personality, only with their first `landingpad`.
        wrapping: by function, debug records that have not been read and wrap constants with operands; other unread
            ones wrap none.

    Attributes:
        late_holders: as above.
    """

    def __init__(self, module, late_holders=(), wrapping=None) -> None:
        self.late_holders = late_holders
        self._wrapping = wrapping or {}
        self._module = module
        self._numbers = ObjectNumbers()
        self._next = 0
        self._constants = list(module.context.constants.with_operands())
        self._holds_wrapped = any(present.present_wrapper(constant) is not None for constant in self._constants)
        users = [user for constant in self._constants for user in present.present_uses(constant)]
        self._mentioning = {user for user in users if isinstance(user, Instruction)}
        self._addressed = set()
        self._await_users()

    def __contains__(self, user) -> bool:
        return self._is_made(user)

    def _await_users(self):
        """Find the instructions that use something shared."""
        numbers = self._numbers
        for value in self.shared():
            if isinstance(value, BasicBlock):
                self._addressed.add(value)
            for user in present.present_uses(value):
                if isinstance(user, Instruction):
                    numbers.put(user, _AWAITED)
        return 0

    def _is_made(self, user):
        return self._numbers.find(user) >= 0

    def make_all(self):
        """Create the users in the whole module, and return this."""
        self.make_globals()
        for function in self._module.functions:
            self.make_function(function)
        return self

    def make_globals(self):
        """Create the constants that globals use."""
        module = self._module
        for holders in (module.global_variables, module.ifuncs, module.aliases, module.functions):
            for holder in reversed(holders):
                if present.operands_of(holder) and holder not in self.late_holders:
                    self._make_user(holder, present.operands_of(holder))

    def make_function(self, function):
        """Create the users in a function."""
        if function.is_declaration:
            return
        blocks = function.blocks
        if self._holds_wrapped or function in self._wrapping:
            unread = self._wrapping.get(function, ())
            for block in blocks:
                self._make_wrapped(present.present_instructions(block), unread)
        is_late = function in self.late_holders
        numbers = self._numbers
        number = -(-self._next // _STEP) * _STEP
        for block in blocks:
            for instruction in present.present_instructions(block):
                if is_late and isinstance(instruction, LandingPad):
                    self._next = number + 1
                    self._make_user(function, present.operands_of(function))
                if numbers.find(instruction) == _AWAITED:
                    if instruction in self._mentioning:
                        # Constants created for the instruction are numbered already.
                        self._next = max(self._next, number + 1)
                        self._make_constants(_read_order(instruction))
                    numbers.put(instruction, number + _STEP)
                number += _STEP
        self._next = number + _STEP

    def is_shared(self, value):
        """Return whether a value is a block whose address a constant holds, or no block at all."""
        return not isinstance(value, BasicBlock) or value in self._addressed

    def sort_made(self, users):
        """Return the users that have been made, in the order in which they were made."""
        numbers = self._numbers
        return sorted([user for user in users if numbers.find(user) >= 0], key=numbers.number_of)

    def uses(self, value):
        """Return the uses of a value that have been made: the users, and which operands they are, in order."""
        uses = self._all_uses(value)
        numbers = [self._numbers.find(user) for user, _ in uses]
        places = [place for place in range(len(numbers)) if numbers[place] >= 0]
        if isinstance(present.present_uses(value), NumberedUses):
            places = [place for _, _, place in sorted([(numbers[place], uses[place][1], place) for place in places])]
        else:
            # The uses of one user are in the order of its operands, which a stable sort keeps.
            places.sort(key=numbers.__getitem__)
        return [uses[place] for place in places]

    def numbers_of(self, uses):
        """Return the numbers of the users in uses that have been made; those that `uses` returns rise."""
        return [self._numbers.find(user) for user, _ in uses]

    def limits(self, instructions):
        """Return the highest number assigned before each of the instructions of the last function.

        Args:
            instructions: all of them in order, those that have been replaced or removed since included.
        """
        limit = self._next
        found = [limit] * len(instructions)
        for place in range(len(instructions) - 1, -1, -1):
            number = self._numbers.find(instructions[place])
            if number >= 0:
                limit = number - _STEP
            found[place] = limit
        return found

    def sort_uses(self, value):
        """Put the uses of a value in the order in which they were made, those that have not been made first.

        Returns:
            Whether that was possible: it is not if a user uses the value twice.
        """
        users = [*present.present_uses(value)]
        if len(set(users)) < len(users):
            return False
        numbers = self._numbers
        made = [user for user in users if self._is_made(user)]
        made.sort(key=numbers.__getitem__)
        set_users(value, [user for user in users if not self._is_made(user)] + made)
        return True

    def order(self, value):
        """Return the place of each created use in the order of the value's uses; both count from the newest.

        The list is empty if they are in the order in which they were made.
        """
        return self._order(value, -1, self._numbers)

    def local_orders(self, arguments, blocks):
        """Return the values of a function whose uses are in another order, and those orders.

        Args:
            arguments: the arguments of the function.
            blocks: its blocks and their numbers.

        Returns:
            The numbers of blocks and the orders of their uses; arguments and instructions, and the orders of theirs.
        """
        positions = ObjectNumbers()
        found_blocks = []
        found = []
        position = 0
        for block in blocks:
            position += len(present.present_instructions(block))
        positions.reserve(position)
        position = 0
        for block in blocks:
            for instruction in present.present_instructions(block):
                positions.put(instruction, position)
                position += 1
        for block, number in blocks.items():
            if len(present.present_uses(block)) > 1:
                # Constants, too, use blocks whose address is taken.
                order = self._order(block, -1, self._numbers if block in self._addressed else positions)
                if order:
                    found_blocks.append((number, order))
        for argument in arguments:
            order = self._order(argument, -1, positions)
            if order:
                found.append((argument, order))
        for block in blocks:
            self._add_orders(present.present_instructions(block), positions, found)
        return found_blocks, found

    def _add_orders(self, instructions, positions, found):
        for instruction in instructions:
            # Most are used once, if at all.
            if len(present.present_uses(instruction)) > 1:
                # Users made before it wait for it, and are served last to first.
                order = self._order(instruction, positions.number_of(instruction), positions)
                if order:
                    found.append((instruction, order))
        return 0

    def is_in_order(self, value):
        """Return whether all uses of a value are in the order in which they were made, and no user has two."""
        return self._is_rising(present.present_uses(value), -1, self._numbers)

    def shared_orders(self):
        """Return the orders, as `order` does, of values shared by functions whose users have been created.

        Values that are in order, and blocks, are left out.
        """
        found = {}
        for value in self.shared():
            if len(present.present_uses(value)) < 2 or isinstance(value, BasicBlock):
                continue
            for user in present.present_uses(value):
                if self._is_made(user):
                    order = self._order(value, -1, self._numbers)
                    if order:
                        found[value] = order
                    break
        return found

    def shared(self):
        """Return values shared by functions: globals, constants with operands, assembly; and blocks with an address."""
        found = list(self._module.globals)
        for constant in self._constants:
            found.append(constant)
            if isinstance(constant, BlockAddress):
                found.append(constant.block)
        found += self._module.context.constants.assembly()
        return found

    def _is_rising(self, uses, after, numbers):
        """Return whether the numbers of users, negative for those not made, rise from a number on."""
        last = after
        if len(uses) < 2:
            return True
        for user in uses:
            if native.COMPILED:  # noqa: SIM108 - C has one of the two
                number = numbers.find(user)
            else:
                number = numbers.get(user, -1)
            if number <= last:
                return False
            last = number
        return True

    def _order(self, value, after, made):
        """Return the order of uses by the numbers of users; those up to number `after` wait for the value."""
        uses = present.present_uses(value)
        if self._is_rising(uses, after, made):
            return ()
        if native.COMPILED and type(uses) is list and len(uses) <= _FEW:
            return self._order_of_few(uses, after, made)
        numbers = [number for number in [made.find(user) for user in uses] if number >= 0]
        wanted = numbers
        if isinstance(uses, NumberedUses) and len(set(numbers)) < len(numbers):
            wanted = [(made.number_of(user), operand) for user, operand in numbered_uses(value) if made.find(user) >= 0]
        # In other lists the uses of one user are in the order of its operands, which a stable sort keeps.
        count = len(wanted)
        read = sorted(range(count), key=wanted.__getitem__)
        early = len([number for number in numbers if number <= after])
        if early:
            read[:early] = read[:early][::-1]
        order = [count - 1 - place for place in reversed(read)]
        return () if order == list(range(count)) else order

    def _order_of_few(self, users, after, made):
        """Do as `_order` for a plain list of few users, which are sorted where C has them; of the compiled form."""
        count = 0
        early = 0
        is_changed = False
        for user in users:
            number = made.find(user)
            if number < 0:
                continue
            early += number <= after
            # Behind those that are not greater: uses by one user stay in the order of its operands.
            numbers[count] = number
            place = count
            while place > 0 and numbers[read[place - 1]] > number:
                read[place] = read[place - 1]
                place -= 1
            read[place] = count
            count += 1
        for place in range(count):
            last = count - 1 - place
            numbers[place] = count - 1 - read[early - 1 - last if last < early else last]
            is_changed |= numbers[place] != place
        return [numbers[place] for place in range(count)] if is_changed else ()

    def _all_uses(self, value):
        """Return the same as `numbered_uses`; most values are used by each user once."""
        uses = present.present_uses(value)
        if isinstance(uses, NumberedUses):
            return list(numbered_uses(value))
        users = [*uses]
        if len(set(users)) == len(users):
            return [(user, _find_operand(user, value, 0)) for user in users]
        found = []
        nexts = {}
        for user in users:
            number = _find_operand(user, value, nexts.get(user, 0))
            nexts[user] = number + 1
            found.append((user, number))
        return found

    def _make_user(self, user, operands):
        self._make_constants(operands)
        self._make(user)

    def _make(self, user):
        if self._numbers.find(user) < 0:
            self._numbers.put(user, self._next)
            self._next += 1

    def _make_constants(self, values):
        for value in values:
            if isinstance(value, ConstantWithOperands) and not self._is_made(value):
                self._make_constant(value)

    def _make_constant(self, constant):
        pending = [constant]
        while pending:
            current = pending[-1]
            missing = [part for part in present.operands_of(current) if _has_parts(part) and not self._is_made(part)]
            if missing and not self._is_made(current):
                pending += reversed(missing)
            else:
                self._make(current)
                pending.pop()

    def _make_wrapped(self, instructions, unread):
        """Create the constants wrapped by metadata of instructions: LLVM reads metadata first.

        Args:
            instructions: the instructions.
            unread: the debug records to read; others that have not been read stay unread.
        """
        for instruction in instructions:
            records = instruction._records
            if records and (not isinstance(records, Deferred) or records in unread):
                for record in instruction.debug_records:
                    if isinstance(record, DbgVariableRecord):
                        variable = record
                        if type(present.present_value(variable)) is not LocalAsMetadata:
                            self._make_wrapped_by(variable.value)
                        if present.present_address(variable) is not None:
                            self._make_wrapped_by(variable.address)
            if isinstance(instruction, CallBase):
                for operand in present.operands_of(instruction):
                    if type(operand) is MetadataAsValue:
                        self._make_wrapped_by(operand.metadata)

    def _make_wrapped_by(self, metadata):
        # Most wrap a value of the function, which is no constant.
        if metadata is not None and type(metadata) is not LocalAsMetadata:
            self._make_constants(wrapped_values(metadata))


def _find_operand(user, value, first):
    """Return the number of the operand of a user that is a value, the first one from a number on."""
    operands = present.operands_of(user)
    for number in range(first, len(operands)):
        if operands[number] is value:
            return number
    raise ValueError(f"{value!r} is not an operand of {user!r}")


def _has_parts(value):
    return not isinstance(value, ConstantData | GlobalValue | BasicBlock)


def _read_order(instruction):
    """Return the operands of an instruction in the order in which its record has them."""
    operands = present.operands_of(instruction)
    if isinstance(instruction, CallBase):
        count = present.argument_count(instruction)
        return [*operands[count:], *operands[:count]]
    if isinstance(instruction, Store):
        return operands[::-1]
    if isinstance(instruction, Select):
        return [*operands[1:], operands[0]]
    return operands

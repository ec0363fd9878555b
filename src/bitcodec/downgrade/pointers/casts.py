# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False
# ruff: noqa: ANN001, ANN201, ANN202, C901, PLR0911
"""Instructions with typed pointers: casts are put behind values whose uses disagree.

An instruction whose operands have the types that it needs is written itself, by the types that `PointerTypes` returns.
Rules for classes that few programs have are in `rare_casts`.
"""

from __future__ import annotations

from itertools import islice

from bitcodec.bitcode.writer.bodies import with_casts
from bitcodec.bitcode.writer.types import TypedPointerType
from bitcodec.downgrade.pointers import pointees as pointee_nodes
from bitcodec.downgrade.pointers import types as typed_types
from bitcodec.downgrade.pointers.fields import leading_fields
from bitcodec.downgrade.pointers.rare_casts import RARE_RULES, callee_in_type, destination_of
from bitcodec.errors import EncodingError, quote_name
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import Constant, ConstantInt, ConstantWithOperands, InlineAsm
from bitcodec.ir.construction import copies, present
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.instructions.arithmetic import BinaryOperator, Cast, ICmp, Select
from bitcodec.ir.instructions.calls import Call, CallBase
from bitcodec.ir.instructions.control_flow import Branch, Phi, Return
from bitcodec.ir.instructions.exceptions import CatchSwitch
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.instructions.memory import Alloca, GetElementPtr, Load, Store
from bitcodec.ir.types import MetadataType, PointerType, StructType

_ARGUMENT, _FUNCTION, _METADATA = Argument, Function, MetadataType
_NUMBER, _TYPED_POINTER = ConstantInt, TypedPointerType


class BodyCasts:
    """Creates the instructions that replace the instructions of bodies.

    Args:
        values: the types of values.
        constants: makes constants.

    Attributes:
        types: the types of values, by their nodes.
        function: the function whose body is written.
    """

    def __init__(self, values, constants) -> None:
        self.types = values.record_types
        self.values = values
        self.constants = constants
        self._rare = RARE_RULES
        self._numbers_of_paths, self._paths = values.numbers_of_paths, values.paths
        self._agreement, self._lowered_blocks = values.agreement, values.lowered
        self._byte = values.types.byte_pointer.pointee
        self._steps = [None] * len(values.paths)
        self._numbers = constants.index
        self._front = []
        self._leading = {}
        self._typed = {}

    def made(self, function, lowered):
        """Return by block the instructions that are written, and the instructions whose values they have.

        Args:
            function: the function whose body it is.
            lowered: by instruction, the instructions that are written in its place.

        Raises:
            EncodingError: a cast is needed where no instruction can be.
        """
        found = []
        self.function = function
        self.types.enter_body(function)
        self._agreement.enter(function)
        self._found = {}
        self._casts = {}
        self._returned = self.types.signature(function)[1].return_type
        for block in present.present_blocks(function):
            self._block = block
            is_lowered = self._lowered_blocks.find(block) >= 0
            found.append(self._made_block(present.listed_instructions(block), lowered if is_lowered else None))
        if self._casts:
            for number, block in enumerate(present.present_blocks(function)):
                casts = self._casts.get(block)
                if casts is not None:
                    found[number] = with_casts(*found[number], casts, casts.get(block) or [])
        return found

    def _made_block(self, own, lowered):
        """Return the instructions that replace those of a block, and the instructions whose values they have."""
        written = None
        values = None
        for number, original in enumerate(own):
            before = None if lowered is None else lowered.get(original)
            if before is None:
                made = original if self._agreement.holds(original) else self._made(original, original)
                instead = self._front
            else:
                instead = self._made_in_order(before, original)
                made = instead.pop()
            if instead:
                if values is None:
                    written = [*islice(own if written is None else written, number)]
                    values = [*islice(own, number)]
                written.extend(instead)
                values.extend(instead)
                instead.clear()
            if values is not None:
                written.append(made)
                values.append(original)
            elif made is not original:
                # Most are written one for one: the values are those of the block then.
                if written is None:
                    written = [*own]
                written[number] = made
        return own if written is None else written, own if values is None else values

    def _made_in_order(self, before, original):
        """Return the replacements of several instructions that may refer to each other."""
        copies = {}
        made = []
        last = before[len(before) - 1]
        for each in before:
            instruction = each
            if copies:
                instruction = self.copied(
                    each, [copies.get(operand, operand) for operand in present.operands_of(instruction)]
                )
            found = self._made(instruction, original if each is last else instruction)
            made += self._front
            self._front.clear()
            made.append(found)
            if found is not each and each is not last:
                copies[each] = found
                if pointee_nodes.is_pointers(found.type):
                    self.types.set_pointee(found, typed_types.pointee_of(self.types.type_of(each)))
        return made

    def _made(self, instruction, original):
        """Return the replacement of an instruction that has the value of another."""
        kind = type(instruction)
        if kind is Load:
            return self._load(instruction, original)
        if kind is GetElementPtr:
            return self._address(instruction, original)
        if kind is Store:
            return self._store(instruction)
        if kind is ICmp:
            return self._comparison(instruction)
        if kind is Phi:
            return self._incoming(instruction, original)
        if kind is Cast:
            return self._cast(instruction, original)
        if kind is Alloca:
            return self._alloca(instruction, original)
        if kind is Branch or kind is BinaryOperator:
            return self.plain(instruction)
        if kind is Return:
            return self._return(instruction)
        if kind is Select:
            return self.same(instruction, original)
        if kind is Call:
            return self.call(instruction, original)
        rule = self._rare.get(kind)
        if rule is not None:
            return rule(self, instruction, original)
        return self.call(instruction, original) if isinstance(instruction, CallBase) else self.plain(instruction)

    def refuse(self, value):
        """Raise the error of a cast that has no place."""
        where = f"in @{quote_name(self.function.name)}"
        raise EncodingError(f"{where}, the cast of a pointer that LLVM before 15 needs has no place: {value}")

    # Values

    def in_type(self, value, wanted):
        """Return a value in a type."""
        typed = value
        if type(wanted) is _TYPED_POINTER:
            pointee = self.types.known_pointee(value)
            if pointee is wanted.pointee and pointee is not None:
                return value
        elif wanted is typed.type:
            return self.plainly(value)
        if isinstance(value, Instruction):
            return value if self.types.type_of(value) is wanted else self._cast_of(value, wanted)
        if isinstance(value, Constant):
            key = value, wanted
            found = self._typed.get(key)
            if found is None:
                found = self._typed[key] = self.constants.typed(value, wanted)
            return found
        if type(value) is BasicBlock or isinstance(value, InlineAsm) or self.types.type_of(value) is wanted:
            return value
        return self._cast_of(value, wanted)

    def _pointing(self, value, pointee):
        """Return a pointer, or vector of pointers, that points to a type."""
        typed = value
        if self.types.known_pointee(value) is pointee:
            return value
        return self.in_type(value, self.types.pointer_to(typed.type, pointee))

    def _cast_of(self, value, wanted):
        found = self._found.get((value, wanted))
        if found is None:
            found = self._found[value, wanted] = self._new_cast_of(value, wanted)
            self._put_behind(value, found)
        return found

    def _new_cast_of(self, value, wanted):
        """Return a cast, or the address of the first field of the struct that a pointer points to."""
        typed = value
        whole = self.types.known_pointee(value)
        if type(wanted) is not _TYPED_POINTER or not isinstance(whole, StructType):
            return copies.unlisted_cast("bitcast", value, wanted)
        key = whole, wanted.pointee
        count = self._leading.get(key)
        if count is None:
            count = self._leading[key] = leading_fields(whole, wanted.pointee)
        if not count or type(typed.type) is not PointerType:
            return copies.unlisted_cast("bitcast", value, wanted)
        return copies.unlisted_address((value, *[self._numbers(0)] * (count + 1)), whole, wanted)

    def plainly(self, value):
        """Return a value in the type that it has by itself."""
        if isinstance(value, Instruction) or not isinstance(value, ConstantWithOperands):
            return value
        return self.constants.written(value)

    def type_of(self, value):
        """Return the type of a value, by itself."""
        return self.types.type_of(self.plainly(value))

    def _put_behind(self, value, cast):
        """Put a cast behind a value, or at the begin of the first block where the value is known."""
        behind = value
        if type(value) is _ARGUMENT:
            behind = block = present.present_blocks(self.function)[0]
        else:
            instruction = value
            block = self._block if instruction.parent is None else instruction.parent
            if isinstance(instruction, CallBase):
                destination = destination_of(instruction)
                if destination is not None:
                    behind = block = destination
            elif type(instruction) is Phi:
                for each in present.present_instructions(block):
                    if type(each) is not Phi:
                        if type(each) is CatchSwitch:
                            self.refuse(value)
                        break
        self._casts.setdefault(block, {}).setdefault(behind, []).append(cast)
        return 0

    # Instructions

    def copied(self, instruction, operands):
        """Return a copy of an instruction with these operands, itself if they are its own."""
        own = present.operands_of(instruction)
        if len(operands) == len(own):
            for index in range(len(operands)):
                if operands[index] is not own[index]:
                    break
            else:
                return instruction
        return copies.copy_with(instruction, tuple(operands), instruction.type)

    def plain(self, instruction):
        """Return an instruction that takes any pointers."""
        for operand in present.operands_of(instruction):
            if type(operand) is BasicBlock or type(operand) is _NUMBER or isinstance(operand, Instruction):
                continue
            if isinstance(operand, ConstantWithOperands):
                return self.copied(instruction, [self.plainly(each) for each in present.operands_of(instruction)])
        return instruction

    def _load(self, load, original):
        type_ = self.types.type_of(original)
        operands = present.operands_of(load)
        pointer = self._pointing(operands[0], type_)
        if load is original and pointer is operands[0]:
            return load
        return copies.copy_with(load, (pointer,), type_)

    def _store(self, store):
        operands = present.operands_of(store)
        value = operands[0]
        pointer = operands[1]
        if pointee_nodes.is_pointers(value.type):
            pointee = self.types.known_pointee(pointer)
            if pointee is None:
                pointee = typed_types.pointee_of(self.type_of(pointer))
            if not typed_types.is_like(pointee, value.type):
                pointee = self.type_of(value)
        else:
            pointee = self.types.typed(value.type)
        return self.copied(store, (self.in_type(value, pointee), self._pointing(pointer, pointee)))

    def _alloca(self, alloca, original):
        if alloca is original:
            return alloca
        copy = copies.copy_of(alloca)
        copy.allocated_type = self.types.explicit_type(original)
        return copy

    def _address(self, address, original):
        operands = present.operands_of(address)
        number = self._numbers_of_paths.find(original)
        if number >= 0 and address.source_element_type is self._byte:
            source, indices = self._steps_of(number)
            source = self.types.known_pointee(original) if source is None else source
            copy = copies.copy_with(address, (self._pointing(operands[0], source), *indices), address.type)
            copy.source_element_type = source
            return copy
        source = self.types.explicit_type(original) if type(original) is GetElementPtr else address.source_element_type
        base = self._pointing(operands[0], self.types.typed(source))
        made = self.plain(address)
        if address is original and len(operands) == 2 and not pointee_nodes.is_pointers(source):
            pointee = self.types.known_pointee(original)
            if pointee is not self.types.typed(source):
                copy = copies.copy_with(address, (base, operands[1]), address.type)
                self._front.append(copy)
                return copies.unlisted_cast("bitcast", copy, self.types.type_of(original))
        if made is address and base is operands[0] and address is original:
            return address
        copy = copies.copy_with(made, (base, *present.operands_of(made)[1:]), made.type)
        copy.source_element_type = self.types.typed(source)
        return copy

    def _steps_of(self, number):
        """Return the type that an address is an element of, None if it is one of several wholes, and its indices."""
        steps = self._steps[number]
        if steps is None:
            path = self._paths[number]
            source = None if len(path.indices) == 1 else self.types.typed(path.source)
            steps = self._steps[number] = source, tuple([self._numbers(each) for each in path.indices])
        return steps

    def same(self, instruction, original):
        """Return an instruction whose pointer operands have the pointee of its result."""
        if not pointee_nodes.is_pointers(instruction.type):
            return self.aggregates(instruction)
        pointee = self.types.known_pointee(original)
        return self.copied(
            instruction,
            [
                self._pointing(operand, pointee) if pointee_nodes.is_pointers(operand.type) else operand
                for operand in present.operands_of(instruction)
            ],
        )

    def aggregates(self, instruction):
        """Return an instruction whose operands have the types that they have anywhere."""
        return self.copied(
            instruction,
            [
                self.in_type(operand, self.types.typed(operand.type))
                if pointee_nodes.is_pointers(operand.type)
                else self.plainly(operand)
                for operand in present.operands_of(instruction)
            ],
        )

    def _incoming(self, phi, original):
        type_ = self.types.type_of(original)
        if type_ is phi.type:
            return self.plain(phi)
        made = self.copied(phi, [self.in_type(operand, type_) for operand in present.operands_of(phi)])
        if made is original:
            return made
        copy = copies.copy_of(phi) if made is phi else made
        copy.type = type_
        return copy

    def _cast(self, cast, original):
        made = self.plain(cast)
        if made is original or not pointee_nodes.is_pointers(cast.type):
            return made
        copy = copies.copy_of(cast) if made is cast else made
        copy.type = self.types.type_of(original)
        return copy

    def _comparison(self, comparison):
        operands = present.operands_of(comparison)
        lhs = operands[0]
        rhs = operands[1]
        if not pointee_nodes.is_pointers(lhs.type):
            return self.plain(comparison)
        type_ = self.type_of(rhs if isinstance(lhs, Constant) else lhs)
        return self.copied(comparison, (self.in_type(lhs, type_), self.in_type(rhs, type_)))

    def _return(self, ret):
        operands = present.operands_of(ret)
        return self.copied(ret, (self.in_type(operands[0], self._returned),)) if operands else ret

    def call(self, call, original):
        """Return a call with the types of its callee."""
        operands = present.operands_of(call)
        changed = None
        last = len(operands) - 1
        callee = operands[last]
        is_direct = False
        declared = call.function_type
        if type(callee) is _FUNCTION:
            signature = self.types.signature(callee)
            if signature[0] is declared:
                is_direct, declared = True, signature[1]
        type_ = declared if is_direct else self.values.call_type(call)
        if pointee_nodes.is_pointers(call.type):
            result = self.types.type_of(original)
            if result is not type_.return_type:
                type_ = self.values.types.function(result, type_.parameter_types, is_vararg=type_.is_vararg)
        parameters = type_.parameter_types
        typed = min(present.argument_count(call), len(parameters))
        for index in range(last):
            operand = operands[index]
            if type(operand) is _NUMBER:
                continue
            if index >= typed:
                found = self.plainly(operand)
            elif type(parameters[index]) is not _METADATA and type(operand) is not BasicBlock:
                found = self.in_type(operand, parameters[index])
            else:
                continue
            if found is not operand:
                changed = changed or list(operands)
                changed[index] = found
        if not is_direct or type_ is not declared:
            changed = list(operands) if changed is None else changed
            changed[last] = callee_in_type(self, callee, type_)
        if changed is None and call is original and is_direct:
            return call
        copy = copies.copy_with(call, operands if changed is None else tuple(changed), call.type)
        copy.function_type = type_
        return copy

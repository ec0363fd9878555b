"""Instructions with typed pointers: casts are put behind values whose uses disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.downgrade.pointers.pointees import is_pointer
from bitcodec.bitcode.downgrade.pointers.values import is_like, pointee_of
from bitcodec.errors import EncodingError, quote_name
from bitcodec.ir import instructions as ir
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import Constant, ConstantWithOperands, InlineAsm
from bitcodec.ir.construction import unlisted_cast, unlisted_copy
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.types import MetadataType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bitcodec.bitcode.downgrade.pointers.constants import TypedConstants
    from bitcodec.bitcode.downgrade.pointers.values import TypedValues
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["BodyCasts"]

_BEHIND = (ir.Phi, ir.LandingPad, ir.CatchPad, ir.CleanupPad)
"""What begins a block: nothing can be put in front of it."""


class BodyCasts:
    """Makes the instructions that are written in the place of those of a body.

    Args:
        function: whose body it is.
        values: the types of values.
        constants: makes constants.
        declared: returns the function that is declared in the place of another.
        replacements: by instruction, those that are written in its place; receives what is made.
    """

    def __init__(
        self,
        function: Function,
        values: TypedValues,
        constants: TypedConstants,
        declared: Callable[[Any], Any],
        replacements: dict[Instruction, tuple[Instruction, ...]],
    ) -> None:
        self._function = function
        self._values = values
        self._types = values.types
        self._constants = constants
        self._declared = declared
        self._replacements = replacements
        self._casts: dict[tuple[Value, Type], Instruction] = {}
        self._in_front: dict[Instruction, list[Instruction]] = {}
        self._places: dict[BasicBlock, dict[Instruction, int]] = {}
        self._original: Instruction | None = None

    def make(self) -> None:
        """Make them.

        Raises:
            EncodingError: a cast is needed where no instruction can be.
        """
        self._choose_types_of_invokes()
        replacements = self._replacements
        for block in self._function.blocks:
            for original in block.instructions:
                before = replacements.get(original)
                if before is None:
                    made = self._made(original, original)
                    if made is not original:
                        replacements[original] = (made,)
                else:
                    replacements[original] = self._made_in_order(before, original)
        for place, casts in self._in_front.items():
            replacements[place] = (*casts, *replacements.get(place, (place,)))

    def _made_in_order(self, before: tuple[Instruction, ...], original: Instruction) -> tuple[Instruction, ...]:
        """Return what is written for several instructions: they may refer to each other."""
        copies: dict[Value, Instruction] = {}
        made: list[Instruction] = []
        for each in before:
            current = each
            if any(operand in copies for operand in each.operands):
                current = unlisted_copy(each, _operands=tuple(copies.get(part, part) for part in each.operands))
            made.append(self._made(current, original if each is before[-1] else each))
            if made[-1] is not each:
                copies[each] = made[-1]
                self._values.set_type(made[-1], self._values.type_of(each))
        return tuple(made)

    def _made(self, instruction: Instruction, original: Instruction) -> Instruction:
        """Return what is written for an instruction that has the value of another."""
        self._original = original
        rule = _RULES.get(type(instruction))
        return self._plain(instruction) if rule is None else rule(self, instruction)

    def _choose_types_of_invokes(self) -> None:
        """Let the result of an invoke have the type that phis want: on the edge to them a cast has no place."""
        for block in self._function.blocks:
            last = block.terminator
            if isinstance(last, ir.Invoke | ir.CallBranch) and is_pointer(last.type):
                wanted = {self._values.type_of(phi) for phi in _phis_of(last)}
                if len(wanted) > 1:
                    self._refuse(last)
                if wanted and next(iter(wanted)) is not self._values.type_of(last):
                    self._values.set_type(last, wanted.pop())

    def _refuse(self, value: Value) -> None:
        where = f"in @{quote_name(self._function.name)}"
        raise EncodingError(f"{where}, there is no place for a cast of a pointer, which LLVM before 15 needs: {value}")

    # Values

    def _as(self, value: Value, wanted: Type) -> Value:
        """Return a value in a type."""
        if isinstance(value, Constant):
            return self._constants.typed(value, wanted)
        if self._values.type_of(value) is wanted or isinstance(value, BasicBlock | InlineAsm):
            return value
        key = value, wanted
        found = self._casts.get(key)
        if found is None:
            found = self._casts[key] = unlisted_cast("bitcast", value, wanted)
            self._values.set_type(found, wanted)
            self._in_front.setdefault(self._place_behind(value), []).append(found)
        return found

    def _plainly(self, value: Value) -> Value:
        """Return a value in the type that it has by itself."""
        return self._constants.written(value) if isinstance(value, Constant) else value

    def _type_of(self, value: Value) -> Type:
        return self._values.type_of(self._plainly(value))

    def _place_behind(self, value: Value) -> Instruction:
        """Return the first instruction behind a value that another can be put in front of."""
        skipped: tuple[type, ...] = _BEHIND
        if isinstance(value, Argument):
            block, start = self._function.blocks[0], 0
            skipped = (*skipped, ir.Alloca)
        elif isinstance(value, ir.Invoke):
            block, start = value.normal_destination, 0
        elif isinstance(value, ir.CallBranch):
            block, start = value.default_destination, 0
        else:
            assert isinstance(value, ir.Instruction)  # noqa: S101 - nothing else is not a constant
            found = value.parent
            assert found is not None  # noqa: S101 - it is in a body
            block = found
            start = self._places_in(block)[value] + 1
            if isinstance(value, ir.Alloca):
                skipped = (*skipped, ir.Alloca)
        instructions = block.instructions
        while isinstance(instructions[start], skipped):
            start += 1
        if isinstance(instructions[start], ir.CatchSwitch):
            self._refuse(value)
        return instructions[start]

    def _places_in(self, block: BasicBlock) -> dict[Instruction, int]:
        found = self._places.get(block)
        if found is None:
            found = self._places[block] = {each: number for number, each in enumerate(block.instructions)}
        return found

    def _result(self) -> Type:
        assert self._original is not None  # noqa: S101 - set before each rule
        return self._values.type_of(self._original)

    # Instructions

    def _with(self, instruction: Instruction, operands: Iterable[Value], **changes: Any) -> Instruction:
        """Return an instruction with operands and attributes, itself if they are its own."""
        found = tuple(operands)
        # No class of values has an equality of its own.
        if found != instruction.operands:
            return unlisted_copy(instruction, _operands=found, **changes)
        for name, value in changes.items():
            if getattr(instruction, name) is not value:
                return unlisted_copy(instruction, **changes)
        return instruction

    def _plain(self, instruction: Instruction) -> Instruction:
        """Return an instruction that takes any pointers."""
        for operand in instruction.operands:
            if isinstance(operand, ConstantWithOperands):
                return self._with(instruction, map(self._plainly, instruction.operands))
        return instruction

    def _load(self, load: Any) -> Instruction:
        (pointer,) = load.operands
        type_ = self._result()
        return self._with(load, [self._as(pointer, self._types.to(pointer.type, type_))], type=type_)

    def _store(self, store: Any) -> Instruction:
        value, pointer = store.operands
        pointee = pointee_of(self._type_of(pointer))
        if is_pointer(value.type):
            if not is_like(pointee, value.type):
                pointee = self._type_of(value)
        else:
            pointee = self._types.typed(value.type)
        return self._with(store, [self._as(value, pointee), self._as(pointer, self._types.to(pointer.type, pointee))])

    def _alloca(self, alloca: Any) -> Instruction:
        type_ = self._result()
        return self._with(alloca, alloca.operands, allocated_type=pointee_of(type_))

    def _address(self, address: Any) -> Instruction:
        base, *indices = address.operands
        original = self._original
        if len(indices) == 1 and isinstance(original, ir.GetElementPtr):
            source = self._values.source_type(original)
        else:
            source = self._types.typed(address.source_element_type)
        base = self._as(base, self._types.to(base.type, source))
        return self._with(address, [base, *map(self._plainly, indices)], source_element_type=source)

    def _same(self, instruction: Any) -> Instruction:
        """Return an instruction whose operands that are pointers have the type of its result."""
        type_ = self._result()
        if not is_pointer(instruction.type):
            return self._aggregates(instruction)
        operands = [
            self._as(operand, self._types.to(operand.type, pointee_of(type_))) if is_pointer(operand.type) else operand
            for operand in instruction.operands
        ]
        return self._with(instruction, operands)

    def _incoming(self, phi: Any) -> Instruction:
        type_ = self._result()
        if not is_pointer(phi.type):
            type_ = self._types.typed(phi.type)
        return self._with(phi, [self._as(operand, type_) for operand in phi.operands], type=type_)

    def _aggregates(self, instruction: Any) -> Instruction:
        """Return an instruction whose operands have the types that they have anywhere."""
        types = self._types
        operands = [
            self._plainly(operand) if not is_pointer(operand.type) else self._as(operand, types.typed(operand.type))
            for operand in instruction.operands
        ]
        return self._with(instruction, operands)

    def _cast(self, cast: Any) -> Instruction:
        operand = self._plainly(cast.operands[0])
        return self._with(cast, [operand], type=self._result() if is_pointer(cast.type) else cast.type)

    def _comparison(self, comparison: Any) -> Instruction:
        lhs, rhs = comparison.operands
        if not is_pointer(lhs.type):
            return self._plain(comparison)
        type_ = self._type_of(rhs if isinstance(lhs, Constant) else lhs)
        return self._with(comparison, [self._as(lhs, type_), self._as(rhs, type_)])

    def _return(self, ret: Any) -> Instruction:
        if not ret.operands:
            return ret  # type: ignore[no-any-return]
        type_ = self._values.value_type(self._function).element_types[0]
        return self._with(ret, [self._as(ret.operands[0], type_)])

    def _exchange(self, operation: Any) -> Instruction:
        """Return an atomic operation on what a pointer points to."""
        pointer, *values = operation.operands
        type_ = self._types.typed(values[0].type)
        operands = [self._as(each, type_) for each in values]
        return self._with(operation, [self._as(pointer, self._types.to(pointer.type, type_)), *operands])

    def _insert_value(self, insert: Any) -> Instruction:
        aggregate, value = insert.operands
        type_ = self._types.typed(aggregate.type)
        for index in insert.indices:
            type_ = self._types.element(type_, index)
        return self._with(insert, [self._plainly(aggregate), self._as(value, type_)])

    def _variable_argument(self, argument: Any) -> Instruction:
        (pointer,) = argument.operands
        return self._with(argument, [self._as(pointer, self._types.typed(pointer.type))], type=self._result())

    def _landing_pad(self, pad: Any) -> Instruction:
        operands = [
            self._as(clause, self._types.typed(clause.type)) if is_pointer(clause.type) else self._plainly(clause)
            for clause in pad.operands
        ]
        return self._with(pad, operands, type=self._types.typed(pad.type))

    def _call(self, call: Any) -> Instruction:
        values, callee = self._values, call.callee
        is_direct = values.is_direct(call)
        declared = self._declared(callee) if is_direct else None
        type_ = values.call_type(call, declared)
        result = self._result() if is_pointer(call.type) else type_.return_type
        if result is not type_.return_type:
            type_ = self._types.function(result, type_.parameter_types, is_vararg=type_.is_vararg)  # type: ignore[assignment]
        count = call._argument_count  # noqa: SLF001 - the writer needs the same
        operands = [
            operand
            if isinstance(parameter, MetadataType) or isinstance(operand, BasicBlock)
            else self._as(operand, parameter)
            for operand, parameter in zip(call.operands[:count], type_.parameter_types, strict=False)
        ]
        operands += map(self._plainly, call.operands[len(operands) : -1])
        operands.append(self._callee(callee, type_))
        return self._with(call, operands, function_type=type_)

    def _branch(self, call: Any) -> Instruction:
        """Return a call that may jump, which passes the addresses of the blocks as LLVM before 15 wants."""
        made = self._call(call)
        callee = call.callee
        if not isinstance(callee, InlineAsm) or "!i" not in callee.constraints:
            return made
        addresses = [self._constants.block_address(self._function, block) for block in call.indirect_destinations]
        old = made.function_type  # type: ignore[attr-defined]
        parameters = (*old.parameter_types, *[self._types.byte_pointer] * len(addresses))
        type_ = self._types.function(old.return_type, parameters, is_vararg=False)
        count = call._argument_count  # noqa: SLF001 - the writer needs the same
        assembly = self._constants.assembly(callee, type_, callee.constraints.replace("!i", "i"))  # type: ignore[arg-type]
        operands = (*made.operands[:count], *addresses, *made.operands[count:-1], assembly)
        return unlisted_copy(made, _operands=operands, function_type=type_, _argument_count=count + len(addresses))

    def _callee(self, callee: Value, type_: Any) -> Value:
        if isinstance(callee, InlineAsm):
            return self._constants.assembly(callee, type_)
        wanted = self._types.pointer(type_, callee.type.address_space)  # type: ignore[attr-defined]
        if isinstance(callee, Function) and self._values.value_type(self._declared(callee)) is type_:
            return callee
        return self._as(callee, wanted)


def _phis_of(call: ir.Invoke | ir.CallBranch) -> list[ir.Phi]:
    """Return the phis that have the result of a call on the edge that the call makes."""
    destination = call.normal_destination if isinstance(call, ir.Invoke) else call.default_destination
    found = []
    for instruction in destination.instructions:
        if not isinstance(instruction, ir.Phi):
            break
        for value, block in zip(instruction.operands, instruction.incoming_blocks, strict=True):
            if value is call and block is call.parent:
                found.append(instruction)
    return found


_RULES: dict[type[Instruction], Callable[[BodyCasts, Any], Instruction]] = {
    ir.Load: BodyCasts._load,  # noqa: SLF001 - a table of its own methods
    ir.Store: BodyCasts._store,  # noqa: SLF001
    ir.Alloca: BodyCasts._alloca,  # noqa: SLF001
    ir.GetElementPtr: BodyCasts._address,  # noqa: SLF001
    ir.Phi: BodyCasts._incoming,  # noqa: SLF001
    ir.Select: BodyCasts._same,  # noqa: SLF001
    ir.Freeze: BodyCasts._same,  # noqa: SLF001
    ir.ExtractElement: BodyCasts._same,  # noqa: SLF001
    ir.InsertElement: BodyCasts._same,  # noqa: SLF001
    ir.ShuffleVector: BodyCasts._same,  # noqa: SLF001
    ir.Cast: BodyCasts._cast,  # noqa: SLF001
    ir.ICmp: BodyCasts._comparison,  # noqa: SLF001
    ir.Return: BodyCasts._return,  # noqa: SLF001
    ir.AtomicRMW: BodyCasts._exchange,  # noqa: SLF001
    ir.AtomicCmpXchg: BodyCasts._exchange,  # noqa: SLF001
    ir.ExtractValue: BodyCasts._aggregates,  # noqa: SLF001
    ir.InsertValue: BodyCasts._insert_value,  # noqa: SLF001
    ir.VAArg: BodyCasts._variable_argument,  # noqa: SLF001
    ir.LandingPad: BodyCasts._landing_pad,  # noqa: SLF001
    ir.IndirectBranch: BodyCasts._aggregates,  # noqa: SLF001
    ir.Call: BodyCasts._call,  # noqa: SLF001
    ir.Invoke: BodyCasts._call,  # noqa: SLF001
    ir.CallBranch: BodyCasts._branch,  # noqa: SLF001
}
"""By class; all others take pointers to anything."""

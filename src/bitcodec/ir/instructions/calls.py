# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: for speed
"""Calls: `call`, `invoke`, `callbr`.

Their operands are the arguments, the inputs of operand bundles, the blocks they may go to, and last the callee.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.attribute_spelling import with_function_attribute
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.constants import Constant
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions.exceptions import LandingPad
from bitcodec.ir.instructions.instruction import Instruction, Terminator
from bitcodec.ir.members import expose_members, slots
from bitcodec.ir.operand_property import OperandProperty
from bitcodec.ir.values import Value
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables import calling_conventions
from bitcodec.tables.instruction_flags import NO_FAST_MATH
from bitcodec.tables.opcodes import TailCallKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.assignments import Checked
    from bitcodec.ir.attribute_spelling import AttributeLike, AttributeValueLike
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.types import FunctionType
    from bitcodec.tables.instruction_flags import FastMathFlags

__all__ = ["Call", "CallBase", "CallBranch", "Invoke", "OperandBundle", "make_call", "statepoint_of"]


_NO_ATTRIBUTES = AttributeList()


class OperandBundle(NamedTuple):
    """Further inputs of a call, for a purpose that the tag names."""

    tag: str
    inputs: tuple[Value, ...]


class CallBase(Instruction):
    """Base class of calls.

    Attributes:
        function_type: the parameter types and return type of the callee.
        calling_convention: a number of `tables.calling_conventions`.
        attributes: of this call, its result and its arguments.
    """

    __slots__ = slots("_argument_count", "_bundles", "attributes", "calling_convention", "function_type")

    callee: OperandProperty[Value] = OperandProperty(-1, "The called value.")

    calling_convention: Checked[int, int | str]

    def __init__(
        self,
        function_type: FunctionType,
        callee: Value,
        arguments: Sequence[Value],
        destinations: Sequence[BasicBlock],
        bundles: Sequence[OperandBundle],
        calling_convention: int,
        attributes: AttributeList | None,
    ) -> None:
        inputs = [value for bundle in bundles for value in bundle.inputs] if bundles else ()
        self._begin(function_type.return_type, (*arguments, *inputs, *destinations, callee))
        self.function_type = function_type
        self.calling_convention = calling_convention
        self.attributes = _NO_ATTRIBUTES if attributes is None else attributes
        self._argument_count = len(arguments)
        self._bundles = tuple((bundle.tag, len(bundle.inputs)) for bundle in bundles) if bundles else ()

    @property
    def argument_count(self) -> int:
        """The number of its arguments."""
        return self._argument_count

    @property
    def arguments(self) -> tuple[Value, ...]:
        """Its arguments."""
        return tuple(self._operands[: self._argument_count])

    @property
    def bundle_count(self) -> int:
        """The number of its operand bundles."""
        return len(self._bundles)

    @property
    def bundles(self) -> tuple[OperandBundle, ...]:
        """Its operand bundles, in order."""
        found = []
        first = self._argument_count
        for tag, count in self._bundles:
            found.append(OperandBundle(tag, tuple(self._operands[first : first + count])))
            first += count
        return tuple(found)

    @property
    def called_function(self) -> Function | None:
        """The function it calls directly, None if it is not known, or of another type."""
        callee = self._operands[-1]
        if isinstance(callee, Function) and callee.value_type is self.function_type:
            return callee
        return None

    @property
    def is_indirect(self) -> bool:
        """Whether the program computes the address of the callee: it is neither a constant nor inline assembly.

        >>> module = bitcodec.open("examples/shapes/shapes.bc")
        >>> calls = [each for each in module.functions["measure"].instructions if each.opcode == "call"]
        >>> [call.is_indirect for call in calls]
        [True]
        """
        return not isinstance(self._operands[-1], Constant)

    def has_attribute(self, name: str) -> bool:
        """Return whether the call itself has an attribute."""
        return name in self.attributes.for_function

    def add_attribute(self, name: AttributeLike, value: AttributeValueLike | None = None) -> None:
        """Add an attribute to the call itself; one of the same name is replaced; see `Function.add_attribute`.

        Raises:
            ValueError: no attribute of functions has this name, or it has another kind of value.
        """
        self.attributes = with_function_attribute(self.attributes, name, value)

    def remove_attribute(self, name: str) -> None:
        """Remove an attribute from the call itself, if it has it."""
        self.attributes = self.attributes.with_function(self.attributes.for_function.without(name))


class Call(CallBase):
    """Calls a function.

    Attributes:
        tail_kind: the tail-call marker.
        fast_math: its fast-math flags.
    """

    __match_args__ = ("callee", "arguments")
    __slots__ = slots("fast_math", "tail_kind")

    opcode = "call"

    tail_kind: Checked[TailCallKind, TailCallKind | str]
    fast_math: Checked[FastMathFlags, FastMathFlags | str]

    def __init__(
        self,
        function_type: FunctionType,
        callee: Value,
        arguments: Sequence[Value] = (),
        *,
        bundles: Sequence[OperandBundle] = (),
        calling_convention: int = calling_conventions.C,
        attributes: AttributeList | None = None,
        tail_kind: TailCallKind = TailCallKind.NONE,
        fast_math: FastMathFlags = NO_FAST_MATH,
    ) -> None:
        CallBase.__init__(self, function_type, callee, arguments, (), bundles, calling_convention, attributes)
        self.tail_kind = tail_kind
        self.fast_math = fast_math


class Invoke(CallBase, Terminator):
    """Calls a function that may unwind into this one; `successors` has the normal destination first."""

    __match_args__ = ("callee", "arguments", "normal_destination", "unwind_destination")
    __slots__ = ()

    opcode = "invoke"
    normal_destination: OperandProperty[BasicBlock] = OperandProperty(-3, "The destination if the callee returns.")
    unwind_destination: OperandProperty[BasicBlock] = OperandProperty(-2, "The destination if the callee unwinds.")

    def __init__(
        self,
        function_type: FunctionType,
        callee: Value,
        arguments: Sequence[Value],
        normal_destination: BasicBlock,
        unwind_destination: BasicBlock,
        *,
        bundles: Sequence[OperandBundle] = (),
        calling_convention: int = calling_conventions.C,
        attributes: AttributeList | None = None,
    ) -> None:
        destinations = (normal_destination, unwind_destination)
        CallBase.__init__(self, function_type, callee, arguments, destinations, bundles, calling_convention, attributes)

    @property
    def _successor_indices(self) -> range:
        callee = len(self._operands) - 1
        return range(callee - 2, callee)


class CallBranch(CallBase, Terminator):
    """`callbr`: calls assembly text that may jump into this function; `successors` has the default block first."""

    __match_args__ = ("callee", "arguments", "default_destination", "indirect_destinations")
    __slots__ = ("_destination_count",)

    opcode = "callbr"

    def __init__(
        self,
        function_type: FunctionType,
        callee: Value,
        arguments: Sequence[Value],
        default_destination: BasicBlock,
        indirect_destinations: Sequence[BasicBlock],
        *,
        bundles: Sequence[OperandBundle] = (),
        calling_convention: int = calling_conventions.C,
        attributes: AttributeList | None = None,
    ) -> None:
        destinations = (default_destination, *indirect_destinations)
        CallBase.__init__(self, function_type, callee, arguments, destinations, bundles, calling_convention, attributes)
        self._destination_count = len(destinations)

    @property
    def default_destination(self) -> BasicBlock:
        """Destination if the text does not jump."""
        return self.successors[0]

    @property
    def indirect_destinations(self) -> tuple[BasicBlock, ...]:
        """Blocks that the text may jump to."""
        return self.successors[1:]

    @property
    def _successor_indices(self) -> range:
        callee = len(self._operands) - 1
        return range(callee - self._destination_count, callee)


def statepoint_of(token: Value) -> CallBase | None:
    """Return the call that the token of a relocation is of: where it unwinds to, the one of the block in front."""
    if isinstance(token, LandingPad) and token.parent is not None:
        predecessors = token.parent.predecessors
        token = predecessors[0].instructions[-1] if predecessors else token
    return token if isinstance(token, CallBase) else None


def make_call(
    function_type: FunctionType,
    operands: tuple[Value, ...],
    calling_convention: int,
    attributes: AttributeList,
    tail_kind: TailCallKind,
    fast_math: FastMathFlags,
) -> Call:
    """Return a `call` without operand bundles of the last operand with the others as arguments."""
    made = Call.__new__(Call)
    made._begin(function_type.return_type, operands)
    made.function_type = function_type
    made.calling_convention = calling_convention
    made.attributes = attributes
    made._argument_count = len(operands) - 1
    made._bundles = ()
    made.tail_kind = tail_kind
    made.fast_math = fast_math
    return made


expose_members(CallBase, Call)

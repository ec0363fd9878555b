"""How values are used, and so what they point to."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.downgrade.pointers.intrinsics import pointee_of_parameter, points_to_nothing
from bitcodec.bitcode.downgrade.pointers.overloads import Overloads, type_attribute
from bitcodec.bitcode.downgrade.pointers.pointees import NO_NODE, is_pointer
from bitcodec.ir import instructions as ir
from bitcodec.ir.constants import ConstantAggregateZero, ConstantDataSequential, ConstantInt
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.types import ArrayType, IntegerType, StructType, VectorType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bitcodec.bitcode.downgrade.pointers.pointees import Pointees
    from bitcodec.bitcode.downgrade.pointers.types import TypedTypes
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["Evidence", "constant_index"]


def constant_index(index: Value) -> int:
    """Return the number of a field of a struct, which an index gives."""
    if isinstance(index, ConstantInt):
        return index.unsigned
    if isinstance(index, ConstantDataSequential):
        return index.elements[0]
    return 0 if isinstance(index, ConstantAggregateZero) else constant_index(index.operands[0])  # type: ignore[attr-defined]


class Evidence:
    """Looks at all uses of a module's pointers.

    What loads, stores and addresses say comes first, then what values must agree; calls of functions that are only
    declared are counted; bytes are what is left.

    Args:
        module: the module, which is not changed.
        pointees: receives what is found.
        types: types with typed pointers.
        declared: returns the function that is declared in the place of another.
        replacements: by instruction, those that are written in its place.
        overloads: intrinsics whose calls say what pointers point to.

    Attributes:
        nodes: by value, the node of what it points to.
        results: by function, the node of what its result points to.
    """

    def __init__(
        self,
        module: Module,
        pointees: Pointees,
        types: TypedTypes,
        declared: Callable[[Any], Any],
        replacements: Mapping[Instruction, Sequence[Instruction]],
        overloads: Overloads,
    ) -> None:
        self._overloaded = overloads.pointees
        self.nodes: dict[Value, int] = {}
        self.results: dict[Function, int] = {}
        self._pointees = pointees
        self._types = types
        self._declared = declared
        self._nothing = module.context.types.struct(())
        self._byte = module.context.types.integer(8)
        self._local: list[tuple[int, int]] = []
        self._calls: list[tuple[int, int]] = []
        self._votes: dict[int, list[int]] = {}
        self._bytes: list[int] = []
        for variable in module.global_variables:
            self.nodes[variable] = pointees.new(variable.value_type)
        for function in module.functions:
            self._enter_function(function)
        for made, function in overloads.added.items():
            if function in self.results:
                self.results[made] = self.results[function]
        for function in module.functions:
            for block in function.blocks:
                self._look(block.instructions, function, replacements)
        self._conclude()

    def node(self, value: Value) -> int:
        """Return the node of what a value points to, `NO_NODE` if it is a constant that anything fits."""
        found = self.nodes.get(value)
        if found is None:
            if not isinstance(value, ir.Instruction | Argument):
                return NO_NODE
            found = self.nodes[value] = self._pointees.new()
        return found

    def is_direct(self, call: ir.CallBase) -> bool:
        """Return whether a call passes what its callee, a function, takes."""
        callee = call.callee
        return isinstance(callee, Function) and call.function_type is self._declared(callee).value_type

    def _enter_function(self, function: Function) -> None:
        pointees, attributes = self._pointees, function.attributes
        is_intrinsic = function.is_intrinsic
        for argument in function.arguments:
            if is_pointer(argument.type):
                type_ = type_attribute(attributes.for_parameter(argument.index))
                if is_intrinsic:
                    type_ = type_ or self._overloaded.get((function, argument.index))
                    type_ = type_ or pointee_of_parameter(function.name, function.value_type, argument.index)
                    if points_to_nothing(function.name, argument.index):
                        type_ = self._nothing
                    self.nodes[argument] = pointees.bytes if type_ is None else pointees.new(type_, pointees.bytes)
                elif type_ is not None:
                    self.nodes[argument] = pointees.new(type_)
                elif "swifterror" in attributes.for_parameter(argument.index):
                    self.nodes[argument] = pointees.new(argument.type)
        if is_pointer(function.value_type.return_type):
            if is_intrinsic:
                has_none = points_to_nothing(function.name, None)
                self.results[function] = pointees.new(self._nothing) if has_none else pointees.bytes
            else:
                self.results[function] = pointees.new()

    def _look(
        self,
        instructions: Iterable[Instruction],
        function: Function,
        replacements: Mapping[Instruction, Sequence[Instruction]],
    ) -> None:
        rules = _RULES
        for original in instructions:
            instruction = replacements[original][-1] if original in replacements else original
            rule = rules.get(type(instruction))
            if rule is not None:
                rule(self, instruction, original, function)

    def _conclude(self) -> None:
        pointees = self._pointees
        for pairs in (self._local, self._calls):
            for one, other in pairs:
                pointees.agree(one, other)
        for node, others in self._votes.items():
            self._count(node, others)
        for node in self._bytes:
            pointees.use(node, self._byte)
        pointees.settle()

    def _count(self, node: int, others: list[int]) -> None:
        """Let a parameter of a function without a body point to what most calls pass."""
        shapes = Counter(self._pointees.shape(other) for other in others)
        shapes.pop(None, None)
        if shapes:
            ((shape, count),) = shapes.most_common(1)
            if count * 2 > shapes.total():
                for other in others:
                    if self._pointees.shape(other) is shape:
                        self._pointees.agree(node, other)

    def _agree(self, one: int, value: Value) -> None:
        """Let a pointer agree with a value, unless that is a constant that is cast without an instruction."""
        other = self._operand(value)
        if NO_NODE not in (one, other):
            self._local.append((one, other))

    def _operand(self, value: Value) -> int:
        if isinstance(value, GlobalVariable):
            return NO_NODE if isinstance(value.value_type, ArrayType) else self.nodes.get(value, NO_NODE)
        if isinstance(value, Function):
            return NO_NODE
        return self.node(value)

    def _use(self, value: Value, shape: Type) -> int:
        """Let a value point to a type; return the content of its node."""
        node = self.node(value)
        if node == NO_NODE:
            return NO_NODE
        if type(shape) is IntegerType and shape.bit_width == 8:
            self._bytes.append(node)
            return NO_NODE
        return self._pointees.use(node, shape)

    # Rules: of an instruction that is written in the place of another, in a function

    def _load(self, load: Any, original: Instruction, _function: Function) -> None:
        content = self._use(load.operands[0], load.type)
        if content != NO_NODE:
            self._local.append((content, self.node(original)))

    def _store(self, store: Any, _original: Instruction, _function: Function) -> None:
        value, pointer = store.operands
        content = self._use(pointer, value.type)
        if content != NO_NODE:
            self._agree(content, value)

    def _alloca(self, alloca: Any, original: Instruction, _function: Function) -> None:
        self.nodes[original] = self._pointees.new(alloca.allocated_type)

    def _address(self, address: Any, original: Instruction, _function: Function) -> None:
        base, *indices = address.operands
        source = address.source_element_type
        self._use(base, source)
        if len(indices) == 1:
            node = self.nodes[original] = self._pointees.new(source)
            if is_pointer(source):
                self._agree(node, base)
            return
        type_, content = self._element(
            source, [constant_index(each) if _is_number(each) else 0 for each in indices[1:]]
        )
        if content == NO_NODE and is_pointer(type_):
            content = self._pointees.bytes
        self.nodes[original] = self._pointees.new(type_, content)

    def _element(self, type_: Type, indices: Iterable[int]) -> tuple[Type, int]:
        """Return the type of an element, and the node of what it points to if it is a field of a named struct."""
        node = NO_NODE
        for index in indices:
            node = NO_NODE
            if isinstance(type_, StructType):
                element = type_.element_types[index]
                if not type_.is_literal and is_pointer(element) and not isinstance(element, VectorType):
                    node = self._types.field(type_, index)
                type_ = element
            else:
                type_ = type_.element_types[0]
        return type_, node

    def _extract_value(self, extract: Any, original: Instruction, _function: Function) -> None:
        if is_pointer(extract.type):
            _, node = self._element(extract.operands[0].type, extract.indices)
            self.nodes[original] = self._pointees.bytes if node == NO_NODE else node

    def _insert_value(self, insert: Any, _original: Instruction, _function: Function) -> None:
        aggregate, value = insert.operands
        if is_pointer(value.type):
            _, node = self._element(aggregate.type, insert.indices)
            self._agree(node, value)

    def _same(self, instruction: Any, original: Instruction, _function: Function) -> None:
        """Let the result agree with all operands that are pointers."""
        if is_pointer(instruction.type):
            node = self.node(original)
            for operand in instruction.operands:
                if is_pointer(operand.type):
                    self._agree(node, operand)

    def _comparison(self, comparison: Any, _original: Instruction, _function: Function) -> None:
        lhs, rhs = comparison.operands
        if is_pointer(lhs.type):
            self._agree(self._operand(lhs), rhs)

    def _return(self, ret: Any, _original: Instruction, function: Function) -> None:
        if ret.operands and function in self.results:
            self._agree(self.results[function], ret.operands[0])

    def _atomic(self, operation: Any, _original: Instruction, _function: Function) -> None:
        self._use(operation.operands[0], operation.operands[1].type)

    def _call(self, call: Any, original: Instruction, _function: Function) -> None:
        if not self.is_direct(call):
            if is_pointer(call.type):
                self.nodes[original] = self._pointees.bytes
            return
        callee = call.callee
        if callee in self.results:
            self.nodes[original] = self.results[callee]
        if callee.is_intrinsic:
            return
        pairs = None if callee.is_declaration else self._calls
        for value, argument in zip(call.arguments, callee.arguments, strict=False):
            if not is_pointer(argument.type):
                continue
            other = self._operand(value)
            if other == NO_NODE or (isinstance(value, ir.Alloca) and isinstance(value.allocated_type, ArrayType)):
                continue
            node = self.node(argument)
            if pairs is None:
                self._votes.setdefault(node, []).append(other)
            else:
                pairs.append((node, other))


def _is_number(index: Value) -> bool:
    return isinstance(index, ConstantInt | ConstantDataSequential | ConstantAggregateZero) or not isinstance(
        index, ir.Instruction | Argument
    )


_RULES: dict[type[Instruction], Callable[[Evidence, Any, Instruction, Function], None]] = {
    ir.Load: Evidence._load,  # noqa: SLF001 - a table of its own methods
    ir.Store: Evidence._store,  # noqa: SLF001
    ir.Alloca: Evidence._alloca,  # noqa: SLF001
    ir.GetElementPtr: Evidence._address,  # noqa: SLF001
    ir.ExtractValue: Evidence._extract_value,  # noqa: SLF001
    ir.InsertValue: Evidence._insert_value,  # noqa: SLF001
    ir.Phi: Evidence._same,  # noqa: SLF001
    ir.Select: Evidence._same,  # noqa: SLF001
    ir.Freeze: Evidence._same,  # noqa: SLF001
    ir.ExtractElement: Evidence._same,  # noqa: SLF001
    ir.InsertElement: Evidence._same,  # noqa: SLF001
    ir.ShuffleVector: Evidence._same,  # noqa: SLF001
    ir.Cast: Evidence._same,  # noqa: SLF001
    ir.ICmp: Evidence._comparison,  # noqa: SLF001
    ir.Return: Evidence._return,  # noqa: SLF001
    ir.AtomicRMW: Evidence._atomic,  # noqa: SLF001
    ir.AtomicCmpXchg: Evidence._atomic,  # noqa: SLF001
    ir.Call: Evidence._call,  # noqa: SLF001
    ir.Invoke: Evidence._call,  # noqa: SLF001
    ir.CallBranch: Evidence._call,  # noqa: SLF001
}
"""By class."""

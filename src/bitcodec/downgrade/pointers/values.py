# cython: language_level=3, annotation_typing=False, auto_pickle=False
"""The types that values have in records with typed pointers, and the numbers of these types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import proxy

from bitcodec.bitcode.writer.types import TypedPointerType, TypeNumbers
from bitcodec.downgrade.pointers.agreement import Agreement
from bitcodec.downgrade.pointers.evidence import Evidence
from bitcodec.downgrade.pointers.fields import constant_index
from bitcodec.downgrade.pointers.intrinsics import pointee_of_parameter, pointee_of_result
from bitcodec.downgrade.pointers.overloads import Overloads, type_attribute
from bitcodec.downgrade.pointers.pointees import NO_NODE, Pointees, PointerTypes, is_pointers
from bitcodec.downgrade.pointers.rare_casts import phis_of
from bitcodec.downgrade.pointers.types import TypedTypes, pointee_of
from bitcodec.errors import EncodingError, quote_name
from bitcodec.ir import instructions as ir
from bitcodec.ir.constant_expressions import DSOLocalEquivalent, NoCFIValue
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.globals import GlobalValue, GlobalVariable
from bitcodec.ir.types import ArrayType, StructType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import Value

__all__ = ["TypedTypeNumbers", "TypedValues"]


_STRUCTORS = {"llvm.global_ctors", "llvm.global_dtors"}


class TypedValues:
    """The types of values with typed pointers.

    declared: returns the function that is declared in the place of another.
        replacements: by instruction, the instructions that are written in its place.
        replaced_types: by type, the type that is written for it. Default: every type is written itself.
        replacements: by instruction, those that are written in its place.
        replaced_types: by type, the type that is written for it. Default: every type is written itself.

    Attributes:
        types: makes types with typed pointers.
        record_types: the types of values, by the nodes of their pointees.
        paths, numbers_of_paths: paths to fields, and the number of its path by address that is a number of bytes behind
            a pointer.
        agreement: knows instructions whose operands have the types that they need.
        lowered: the blocks in which something is written in the place of instructions.
        overloads: intrinsics whose calls define pointees.
    """

    def __init__(
        self,
        module: Module,
        declared: Callable[[Any], Any],
        replacements: dict[Instruction, tuple[Instruction, ...]],
        replaced_types: Mapping[Type, Type] | None = None,
    ) -> None:
        types = module.context.types
        self._void = types.void
        self._untyped = types
        self._declared = declared
        pointees = Pointees(types.integer(8))
        self.types = TypedTypes(types, pointees, replaced_types)
        self.overloads = Overloads(module, replacements)
        self._evidence = Evidence(module, pointees, self.types, declared, replacements, self.overloads)
        self._of_globals: dict[GlobalValue, Type] = {}
        self._parameters: dict[tuple[FunctionType, AttributeList], tuple[Type, ...]] = {}
        evidence = self._evidence
        plain = types.pointer()
        # Types of values outlive no values: without a circle everything is freed as soon as the module is written.
        self.record_types = PointerTypes(evidence.nodes, evidence.locals, pointees, self.types, plain, proxy(self))
        self.paths, self.numbers_of_paths = evidence.fields.paths, evidence.fields.numbers_of_paths
        self.lowered = evidence.lowered
        self.agreement = Agreement(self.record_types, evidence.order, evidence.starts)
        for address in evidence.fields.lost():
            self.record_types.enter(address.function)
            if address in self.numbers_of_paths:
                del self.numbers_of_paths[address]
                continue
            element = self.element(self.types.typed(address.source_element_type), address.operands[2:])
            self.record_types.set_pointee(address, element)
        for variable in module.global_variables:
            if variable.name in _STRUCTORS:
                self.record_types.set_pointee(variable, self.value_type(variable))
        for call in self._evidence.invokes:
            self._choose_type(call)

    def type_of(self, value: Value) -> Type:
        """Return the type of a value."""
        return self.record_types.type_of(value)

    def signature(self, callee: Function) -> tuple[Type, Type]:
        """Return the type that calls of a function have, and with typed pointers."""
        declared = self._declared(callee)
        return declared.value_type, self.value_type(declared)

    def _choose_type(self, call: ir.Invoke | ir.CallBranch) -> None:
        """Let the result of an invoke have the type that phis want: on the edge to them a cast has no place."""
        self.record_types.enter(call.function)
        wanted = {self.type_of(phi) for phi in phis_of(call)}
        if len(wanted) > 1:
            where = "" if call.function is None else f"in @{quote_name(call.function.name)}, "
            raise EncodingError(f"{where}the cast of a pointer that LLVM before 15 needs has no place: {call}")
        for type_ in wanted:
            self.record_types.set_pointee(call, pointee_of(type_))

    def find(self, value: Value) -> Type:
        """Return the type of a value that has no node."""
        types = self.types
        if isinstance(value, GlobalValue):
            return types.to(value.type, self.value_type(value))
        if not is_pointers(value.type):
            return types.typed(value.type)
        if isinstance(value, DSOLocalEquivalent | NoCFIValue):
            return self.type_of(value.global_value)
        return types.typed(value.type)

    def element(self, type_: Type, indices: Iterable[Value]) -> Type:
        """Return the type of an element, whose indices are values."""
        for index in indices:
            type_ = self.types.element(type_, constant_index(index) if isinstance(type_, StructType) else 0)
        return type_

    def value_type(self, value: GlobalValue) -> Type:
        """Return the value type of a global."""
        found = self._of_globals.get(value)
        if found is None:
            found = self._of_globals[value] = self._value_type(value)
        return found

    def set_value_type(self, value: GlobalValue, type_: Type) -> None:
        """Let a global be the address of a type."""
        self._of_globals[value] = type_

    def _value_type(self, value: GlobalValue) -> Type:
        if isinstance(value, Function):
            return self._function_type(value)
        if isinstance(value, GlobalVariable) and is_pointers(value.value_type):
            node = self._evidence.nodes.get(value, NO_NODE)
            if node != NO_NODE:
                return self.types.pointee(node)
        if value.name in _STRUCTORS and isinstance(value.value_type, ArrayType):
            return self._structors(value.value_type)
        return self.types.typed(value.value_type)

    def _structors(self, type_: ArrayType) -> Type:
        """Return the type of a list of functions, with the priority and the data of each."""
        types = self.types
        number, *others = types.typed(type_.element_type).element_types
        void = types.pointer(types.function(self._void, (), is_vararg=False), 0)
        return types.array(type_.count, types.struct((number, void, *others[1:])))

    def _function_type(self, function: Function) -> Type:
        type_, types = function.value_type, self.types
        if function.parent is None:
            return self._declared_type(function)
        if function in self.overloads.added:
            parameters = [self._overloaded(function, argument) for argument in function.arguments]
        else:
            parameters = list(map(self.record_types.type_of, function.arguments))
        node = self._evidence.results.get(function, NO_NODE)
        result = type_.return_type
        typed = types.typed(result) if node == NO_NODE else types.to(result, types.pointee(node))
        return types.function(typed, parameters, is_vararg=type_.is_vararg)

    def _overloaded(self, function: Function, argument: Argument) -> Type:
        """Return the type of a parameter of an intrinsic for another type than the module's own declaration is for."""
        pointee = self.overloads.pointees.get((function, argument.index))
        return self.type_of(argument) if pointee is None else self.types.to(argument.type, self.types.typed(pointee))

    def _declared_type(self, function: Function) -> Type:
        """Return the type of an intrinsic that the module itself does not have."""
        type_, types = function.value_type, self.types
        parameters = []
        for index, parameter in enumerate(type_.parameter_types):
            is_found = is_pointers(parameter)
            pointee = pointee_of_parameter(function.name, type_, index, self._untyped) if is_found else None
            typed = types.typed(parameter)
            parameters.append(typed if pointee is None else types.to(parameter, types.typed(pointee)))
        result = type_.return_type
        pointee = pointee_of_result(function.name, type_, self._untyped) if is_pointers(result) else None
        typed = types.typed(result) if pointee is None else types.to(result, types.typed(pointee))
        return types.function(typed, parameters, is_vararg=type_.is_vararg)

    def call_type(self, call: ir.CallBase) -> FunctionType:
        """Return the function type of a callee that is unknown or takes other arguments."""
        type_, types = call.function_type, self.types
        key = type_, call.attributes
        parameters = self._parameters.get(key)
        if parameters is None:
            parameters = self._parameters[key] = tuple(self._parameters_of_calls(*key))
        result = self.type_of(call) if is_pointers(call.type) else types.typed(type_.return_type)
        return types.function(result, parameters, is_vararg=type_.is_vararg)

    def _parameters_of_calls(self, type_: FunctionType, attributes: AttributeList) -> Iterator[Type]:
        """Yield the types of the values that calls with some attributes pass."""
        types = self.types
        for index, parameter in enumerate(type_.parameter_types):
            pointee = type_attribute(attributes.for_parameter(index)) if is_pointers(parameter) else None
            yield types.typed(parameter) if pointee is None else types.to(parameter, types.typed(pointee))


class TypedTypeNumbers(TypeNumbers):
    """Type ids of types with typed pointers; a type without has the id of the one that is written for it.

    Args:
        values: the types of values.
        written: returns the constant that is written for another.
    """

    is_typed = True

    def __init__(self, values: TypedValues, written: Callable[[Value], Value]) -> None:
        super().__init__()
        self.record_types = values.record_types
        self._typed = values.types.typed
        self._listed: list[Type] = []
        self._written = written

    def written(self, value: Value) -> Value:
        """Return the constant that is written for another."""
        return self._written(value)

    def listed(self) -> Sequence[Type]:
        """Return the types in the order of their ids."""
        return self._listed

    def __missing__(self, type_: Type) -> int:
        typed = self._typed(type_)
        if typed is not type_:
            number = self[type_] = self[typed]
            return number
        if all(map(self.__contains__, _parts(type_))):
            number = self[type_] = len(self._listed)
            self._listed.append(type_)
            return number
        # Only named structs can be referred to before they are defined.
        opened: set[Type] = set()
        pending = [type_]
        while pending:
            current = pending[-1]
            if current in self:
                pending.pop()
                continue
            missing = [part for part in _parts(current) if part not in self and part not in opened]
            if missing and current not in opened:
                if isinstance(current, StructType) and not current.is_literal:
                    opened.add(current)
                pending += reversed(missing)
                continue
            self[pending.pop()] = len(self._listed)
            self._listed.append(current)
        return self[type_]


def _parts(type_: Type) -> tuple[Type, ...]:
    return (type_.pointee,) if isinstance(type_, TypedPointerType) else type_.element_types

"""Evidence from rare instructions, and from declarations: see `evidence`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

from bitcodec.downgrade.pointers.intrinsics import pointee_of_parameter, pointee_of_result, points_to_nothing
from bitcodec.downgrade.pointers.overloads import type_attribute
from bitcodec.downgrade.pointers.pointees import NO_NODE, is_pointers
from bitcodec.ir import instructions as ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bitcodec.downgrade.pointers.pointees import Pointees
    from bitcodec.downgrade.pointers.types import TypedTypes
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.object_numbers import ObjectNumbers

    class _Evidence(Protocol):
        @property
        def nodes(self) -> ObjectNumbers: ...
        @property
        def silent(self) -> ObjectNumbers: ...
        @property
        def results(self) -> dict[Function, int]: ...
        @property
        def pointees(self) -> Pointees: ...
        @property
        def types(self) -> TypedTypes: ...
        @property
        def nothing(self) -> Type: ...
        def put(self, instruction: Instruction, node: int) -> int: ...
        def agree(self, one: int, value: Value) -> int: ...
        def use(self, value: Value, shape: Type) -> int: ...
        def same(self, instruction: Instruction, original: Instruction) -> int: ...


__all__ = ["RARE_EVIDENCE", "count_votes", "element_of", "enter_function"]


def enter_function(
    evidence: _Evidence, function: Function, overloaded: Mapping[tuple[Function, int], Type], types: TypeTable
) -> None:
    """Enter the pointees of a function's parameters and result.

    Args:
        evidence: receives the nodes.
        function: the function.
        overloaded: by function and number of a parameter, the pointee that calls of it give.
        types: of the module.
    """
    pointees, attributes, nodes = evidence.pointees, function.attributes, evidence.nodes
    is_intrinsic = function.is_intrinsic
    nothing = evidence.nothing
    if is_intrinsic:
        for argument in function.arguments:
            if not is_pointers(argument.type):
                continue
            type_ = type_attribute(attributes.for_parameter(argument.index))
            type_ = type_ or overloaded.get((function, argument.index))
            type_ = type_ or pointee_of_parameter(function.name, function.value_type, argument.index, types)
            if points_to_nothing(function.name, argument.index):
                type_ = nothing
            nodes[argument] = pointees.bytes if type_ is None else pointees.new(type_, pointees.bytes)
    else:
        _enter_parameters(evidence, function)
    if is_pointers(function.value_type.return_type):
        if is_intrinsic:
            type_ = pointee_of_result(function.name, function.value_type, types)
            type_ = nothing if points_to_nothing(function.name, None) else type_
            evidence.results[function] = pointees.bytes if type_ is None else pointees.new(type_, pointees.bytes)
        else:
            evidence.results[function] = pointees.new()


def _enter_parameters(evidence: _Evidence, function: Function) -> None:
    """Enter the pointees that attributes of parameters give."""
    arguments, lists = function.arguments, evidence.silent
    attributes = function.attributes
    if lists.get(attributes) is not None:
        return
    is_silent = True
    for index, own in attributes.parameters.items():
        type_ = type_attribute(own)
        has_none = type_ is None and "swifterror" not in own
        if not has_none:
            is_silent = False
            if index < len(arguments) and is_pointers(arguments[index].type):
                evidence.nodes[arguments[index]] = evidence.pointees.new(type_ or arguments[index].type)
    if is_silent:
        lists[attributes] = 0


def count_votes(votes: Mapping[int, list[int]], pointees: Pointees) -> None:
    """Let parameters of functions without a body have the pointees of most calls."""
    for node, others in votes.items():
        shapes = Counter([pointees.shape(other) for other in others])
        shapes.pop(None, None)
        if shapes:
            ((shape, count),) = shapes.most_common(1)
            if count * 2 > shapes.total():
                for other in others:
                    if pointees.shape(other) is shape:
                        pointees.agree(node, other)


def element_of(evidence: _Evidence, type_: Type, indices: Iterable[int]) -> tuple[Type, int]:
    """Return the type of an element, and the node of its pointee if it is a field of a named struct."""
    node = NO_NODE
    for index in indices:
        type_, node = evidence.types.element_of(type_, index)
    return type_, node


def _extract_value(evidence: _Evidence, extract: Any, original: Instruction) -> None:
    if is_pointers(extract.type):
        _, node = element_of(evidence, extract.operands[0].type, extract.indices)
        evidence.put(original, evidence.pointees.bytes if node == NO_NODE else node)


def _insert_value(evidence: _Evidence, insert: Any, _original: Instruction) -> None:
    aggregate, value = insert.operands
    if is_pointers(value.type):
        _, node = element_of(evidence, aggregate.type, insert.indices)
        evidence.agree(node, value)


def _atomic(evidence: _Evidence, operation: Any, _original: Instruction) -> None:
    evidence.use(operation.operands[0], operation.operands[1].type)


def _same(evidence: _Evidence, instruction: Any, original: Instruction) -> None:
    evidence.same(instruction, original)


RARE_EVIDENCE: dict[type[Instruction], Callable[[_Evidence, Any, Instruction], None]] = {
    ir.AtomicCmpXchg: _atomic,
    ir.AtomicRMW: _atomic,
    ir.ExtractElement: _same,
    ir.ExtractValue: _extract_value,
    ir.Freeze: _same,
    ir.InsertElement: _same,
    ir.InsertValue: _insert_value,
    ir.ShuffleVector: _same,
}
"""By class, the function that enters the facts from an instruction that replaces an original."""

"""NVVM annotations of functions, which become attributes and calling conventions.

Rules: docs/reference/upgrades.md, 10.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.attributes import IntegerAttribute, StringAttribute
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.metadata import MDString, MDTuple, constant_integer, wrapped_constant
from bitcodec.tables import calling_conventions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.ir.metadata import MDNode, Metadata
    from bitcodec.ir.module import Module

__all__ = ["upgrade_nvvm_annotations"]

_ANNOTATIONS = "nvvm.annotations"


def upgrade_nvvm_annotations(module: Module) -> None:
    """Apply the annotations of functions; annotations of unknown kinds stay."""
    named = module.named_metadata.get(_ANNOTATIONS)
    if named is None:
        return
    kept: list[MDNode] = []
    for node in dict.fromkeys(named.operands):
        first, *annotations = node if isinstance(node, MDTuple) and len(node) else (None,)
        annotated = wrapped_constant(first)
        rest = _unknown(annotated, annotations) if isinstance(annotated, GlobalValue) else []
        if rest:
            kept.append(module.context.metadata.tuple([first, *rest]))
    named.operands = kept


def _unknown(annotated: GlobalValue, annotations: list[Metadata | None]) -> list[Metadata | None]:
    """Apply annotations, which are names with a value each, and return those that were not."""
    rest: list[Metadata | None] = []
    for name, value in zip(annotations[::2], annotations[1::2], strict=False):
        known = isinstance(annotated, Function) and isinstance(name, MDString) and _apply(annotated, name.text, value)
        if not known:
            rest += (name, value)
    return rest


def _apply(function: Function, name: str, value: Metadata | None) -> bool:
    """Apply an annotation; return whether its kind is known."""
    if name == "grid_constant":
        return _grid_constants(function, value)
    number = _integer(value)
    rule = _RULES.get(name)
    return number is not None and rule is not None and rule(function, number)


def _integer(value: Metadata | None) -> int | None:
    constant = constant_integer(value)
    return None if constant is None else constant.unsigned


def _kernel(function: Function, number: int) -> bool:
    if number:
        function.calling_convention = calling_conventions.PTX_KERNEL
    return True


def _alignment(function: Function, number: int) -> bool:
    """Apply an alignment, in the bits below the index of a parameter, counted from 1; 0 is the result."""
    index, alignment = number >> 16 & 0xFFFF_FFFF, number & 0xFFFF
    if not alignment or alignment & (alignment - 1) or index > len(function.value_type.parameter_types):
        return False
    attribute = IntegerAttribute("alignstack", alignment)
    attributes = function.attributes
    if index:
        parameter = attributes.for_parameter(index - 1)
        function.attributes = attributes.with_parameter(index - 1, parameter.with_(attribute))
    else:
        function.attributes = attributes.with_return(attributes.for_return.with_(attribute))
    return True


def _grid_constants(function: Function, value: Metadata | None) -> bool:
    """Mark parameters, counted from 1, as constant for the whole grid."""
    indices = [_integer(operand) for operand in value] if isinstance(value, MDTuple) else [None]
    count = len(function.value_type.parameter_types)
    if any(index is None or not 1 <= index <= count for index in indices):
        return False
    for index in filter(None, indices):
        parameter = function.attributes.for_parameter(index - 1).with_(StringAttribute("nvvm.grid_constant"))
        function.attributes = function.attributes.with_parameter(index - 1, parameter)
    return True


def _text(attribute: str) -> Callable[[Function, int], bool]:
    """Return a rule that gives a function an attribute with a number."""

    def apply(function: Function, number: int) -> bool:
        _set(function, attribute, str(number))
        return True

    return apply


def _dimension(attribute: str, index: int) -> Callable[[Function, int], bool]:
    """Return a rule that sets one of up to three numbers of an attribute; the numbers before it are 1 at first."""

    def apply(function: Function, number: int) -> bool:
        old = function.attributes.for_function.string(attribute)
        numbers = [part.strip() for part in old.split(",")][:3] if old else []
        numbers += ["1"] * (index + 1 - len(numbers))
        numbers[index] = str(number)
        _set(function, attribute, ",".join(numbers))
        return True

    return apply


def _set(function: Function, attribute: str, value: str) -> None:
    attributes = function.attributes
    function.attributes = attributes.with_function(attributes.for_function.with_(StringAttribute(attribute, value)))


_VECTORS = {"cluster_dim_": "nvvm.cluster_dim", "maxntid": "nvvm.maxntid", "reqntid": "nvvm.reqntid"}

_RULES: Mapping[str, Callable[[Function, int], bool]] = {
    **{
        f"{name}{axis}": _dimension(attribute, index)
        for name, attribute in _VECTORS.items()
        for index, axis in enumerate("xyz")
    },
    "align": _alignment,
    "cluster_max_blocks": _text("nvvm.maxclusterrank"),
    "kernel": _kernel,
    "maxclusterrank": _text("nvvm.maxclusterrank"),
    "maxnreg": _text("nvvm.maxnreg"),
    "minctasm": _text("nvvm.minctasm"),
}

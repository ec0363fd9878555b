"""`elementtype` where typed pointers used to give it.  Rules: docs/reference/records.md, 7.4."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from bitcodec.ir.attributes import TypeAttribute
from bitcodec.ir.constants import InlineAsm
from bitcodec.ir.functions import Function
from bitcodec.malformed import Malformed
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["element_type_arguments", "with_element_types"]

_ARGUMENT_OF = (
    r"llvm\.(?:"
    r"(?P<first>preserve\.(?:array|struct)\.access\.index|aarch64\.lda?xr|arm\.lda?ex|arm\.ldrex)"
    r"|(?P<second>aarch64\.stl?xr|arm\.stl?ex|arm\.strex)"
    r")(?:\.|\Z)"
)


def with_element_types(
    attributes: AttributeList, callee: Value, pointee_of_argument: Callable[[int], Type | None]
) -> AttributeList:
    """Return the attributes of a call, `elementtype` among them where the callee needs it and it is missing.

    Raises:
        Malformed: the type is missing, and no typed pointer has it.
    """
    for index in element_type_arguments(callee):
        present = attributes.for_parameter(index)
        if "elementtype" in present:
            continue
        pointee = pointee_of_argument(index)
        if pointee is None:
            raise Malformed(Reason.NO_ARGUMENT_ELEMENT_TYPE(number=index))
        attributes = attributes.with_parameter(index, present.with_(TypeAttribute("elementtype", pointee)))
    return attributes


def element_type_arguments(callee: Value) -> Iterable[int]:
    """Return the arguments of a callee that need an element type.

    An intrinsic without such an argument is left to the verifier.
    """
    if isinstance(callee, Function):
        index = _argument_of(callee.name) if callee.is_intrinsic else None
        return () if index is None or index >= len(callee.value_type.parameter_types) else (index,)
    return _indirect_arguments(callee.constraints) if isinstance(callee, InlineAsm) else ()


@lru_cache(maxsize=1 << 10)
def _argument_of(name: str) -> int | None:
    match = re.match(_ARGUMENT_OF, name)
    if match is None:
        return None
    return 0 if match["first"] else 1


def _indirect_arguments(constraints: str) -> Iterator[int]:
    """Yield the arguments that assembly text takes by address: `*` after `=` or at the beginning."""
    index = 0
    for constraint in constraints.split(","):
        is_output = constraint.startswith("=")
        is_indirect = constraint.removeprefix("=").startswith("*")
        if constraint.startswith(("~", "!")) or (is_output and not is_indirect):
            continue
        if is_indirect:
            yield index
        index += 1

"""Intrinsics that libNVVM lacks: computed with instructions, or called in libdevice, or left out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bitcodec.downgrade.constructs import Way
from bitcodec.downgrade.profiles import expansions
from bitcodec.downgrade.profiles.editing import (
    by_element,
    calls_of,
    editor,
    intrinsics_of,
    name_of,
    replace,
)
from bitcodec.downgrade.profiles.nvvm import rows
from bitcodec.ir.attribute_values import MemoryEffects
from bitcodec.ir.types import FloatingPointType, IntegerType, MetadataType, VectorType, VoidType
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.attributes import MemoryAccess
from bitcodec.tables.intrinsics import PREFIX, base_in, intrinsic_rows
from bitcodec.tables.libnvvm import OTHER_TARGETS, is_known

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.builder import Builder
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import CallBase
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

    Make = Callable[[Builder, Sequence[Value]], Value]

__all__ = ["has_lowering", "lower_intrinsics"]


class _NvvmRow(NamedTuple):
    """Replacement of an intrinsic.

    Attributes:
        make: returns the result for scalars.
        instead: the name of the replacement in reports.
        is_needed: returns whether libNVVM lacks the intrinsic for a type; None: for all types.
        message: the message with which libNVVM refuses it; None: as unsupported.
    """

    make: Make
    instead: str = "instructions"
    is_needed: Callable[[Type], bool] | None = None
    message: str | None = None


_LIBDEVICE = {
    name: name
    for name in (
        "acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "exp10", "exp2", "log", "log10", "log2", "pow", "sin",
        "sinh", "tan", "tanh", "powi", "ldexp",
    )
}  # fmt: skip
"""By name of an intrinsic, the function of libdevice without `__nv_`; that for float ends with `f`."""

_OVERFLOWING = {f"{sign}{name}.with.overflow": (sign, name) for sign in "su" for name in ("add", "sub", "mul")}
_MAX_WIDTH = 1024
"""The widest integers that are handled word by word: a few bytes of a file can name wider ones."""
_COUNTED = frozenset({8, 16, 32, 64})
_SWAPPED = frozenset({16, 32, 64})


def _is_odd(type_: Type) -> bool:
    scalar = type_.scalar_type
    return isinstance(scalar, IntegerType) and scalar.bit_width not in _COUNTED


def _is_not_swapped(type_: Type) -> bool:
    return not isinstance(type_, IntegerType) or type_.bit_width not in _SWAPPED


_WIDTHS = "Invalid type for ctpop/ctlz/cttz"
_ROWS: dict[str, _NvvmRow] = {
    "canonicalize": _NvvmRow(expansions.canonicalize, message="unsupported operation"),
    "ceil": _NvvmRow(expansions.by_nvvm("ceil"), "llvm.nvvm.ceil"),
    "copysign": _NvvmRow(expansions.copy_sign),
    "fabs": _NvvmRow(expansions.absolute),
    "floor": _NvvmRow(expansions.by_nvvm("floor"), "llvm.nvvm.floor"),
    "nearbyint": _NvvmRow(expansions.by_nvvm("round"), "llvm.nvvm.round"),
    "nvvm.fabs": _NvvmRow(expansions.absolute),
    "readcyclecounter": _NvvmRow(expansions.clock, "llvm.nvvm.read.ptx.sreg.clock64"),
    "rint": _NvvmRow(expansions.by_nvvm("round"), "llvm.nvvm.round"),
    "round": _NvvmRow(expansions.round_away),
    "roundeven": _NvvmRow(expansions.by_nvvm("round"), "llvm.nvvm.round"),
    "trunc": _NvvmRow(expansions.by_nvvm("trunc"), "llvm.nvvm.trunc"),
    "bswap": _NvvmRow(expansions.swap_bytes, is_needed=_is_not_swapped, message="Invalid type for bswap"),
    "ctlz": _NvvmRow(expansions.leading_zeros, is_needed=_is_odd, message=_WIDTHS),
    "ctpop": _NvvmRow(expansions.population, is_needed=_is_odd, message=_WIDTHS),
    "cttz": _NvvmRow(expansions.trailing_zeros, is_needed=_is_odd, message=_WIDTHS),
}
"""By name without prefix and types."""
_REFUSED = frozenset({
    "eh.typeid.for",
    "frameaddress",
    "init.trampoline",
    "localescape",
    "returnaddress",
    "thread.pointer",
})  # fmt: skip
"""Intrinsics of no target that have no meaning on a GPU."""


def lower_intrinsics(module: Module, losses: Losses) -> None:
    """Lower all intrinsics; refuse the ones that libNVVM takes for functions of another module."""
    for function, name in intrinsics_of(module):
        base, lower = _find(name)
        if name.partition(".")[0] in OTHER_TARGETS:
            lower = _refuse_unsupported if is_known(name) else _refuse
        if lower is None and name.startswith("nvvm.") and not is_known(name):
            lower = _refuse
        if lower is None and _takes_metadata(function) and not _is_named(name):
            lower = _refuse_metadata
        if lower is not None:
            for call in calls_of(function):
                lower(call, base, losses)
            if not function.is_used:
                function.erase_from_parent()


def has_lowering(name: str) -> bool:
    """Return whether calls of an intrinsic are lowered, by its name without prefix."""
    return _find(name)[1] is not None


def _find(name: str) -> tuple[str, Callable[[CallBase, str, Losses], None] | None]:
    """Return how a name begins, up to types, and the function that lowers its calls; None for no lowering."""
    base = base_in(name, _LOWERINGS)
    return (base, _LOWERINGS[base]) if base else (name, None)


def _sine_and_cosine(call: CallBase, base: str, losses: Losses) -> None:
    """Let two functions of libdevice compute the results of one intrinsic of LLVM 20."""
    scalar = call.arguments[0].type.scalar_type
    if not isinstance(scalar, FloatingPointType) or scalar.spelling not in {"float", "double"}:
        _refuse(call, base, losses)
        return
    names = [f"__nv_{name}{base.removeprefix('sincos')}" for name in ("sin", "cos")]
    losses.add(rows.intrinsic(PREFIX + base, f"{names[0]} and {names[1]} of libdevice"), name_of(call), call)
    builder = editor(call)
    made: Value = builder.constants.poison(call.type)
    for index, name in enumerate(names):
        make = _library_function(builder, name, scalar)
        made = builder.insertvalue(made, by_element(builder, call.arguments[0].type, call.arguments, make), index)
    replace(call, made)


def _library_function(builder: Builder, name: str, scalar: FloatingPointType) -> Callable[[Sequence[Value]], Value]:
    """Return a function that calls libdevice."""

    def make(parts: Sequence[Value]) -> Value:
        type_ = builder.types.function(scalar, [part.type for part in parts])
        function = builder.module.get_or_insert_function(name + "f" * (scalar.spelling == "float"), type_)
        return builder.call(function, list(parts), attributes=["nounwind"])

    return make


def _round_to_integer(call: CallBase, base: str, losses: Losses) -> None:
    """Round in the current mode, or halves away from zero, and convert."""
    value = call.arguments[0]
    if str(value.type.scalar_type) not in {"float", "double"}:
        _refuse(call, base, losses)
        return
    losses.add(rows.intrinsic(PREFIX + base, "rounding and fptosi"), name_of(call), call)
    builder = editor(call)
    make = expansions.round_away if "round" in base else expansions.by_nvvm("round")
    rounded = by_element(builder, value.type, [value], partial(make, builder))
    replace(call, builder.fptosi(rounded, call.type))


def _refuse(call: CallBase, base: str, losses: Losses) -> None:
    losses.add(rows.unknown_intrinsic(PREFIX + base), name_of(call), call)


def _is_named(name: str) -> bool:
    """Return whether an intrinsic has this name, up to types."""
    return bool(base_in(name, intrinsic_rows()))


def _takes_metadata(function: Function) -> bool:
    return any(isinstance(type_, MetadataType) for type_ in function.function_type.parameter_types)


def _refuse_metadata(call: CallBase, _: str, losses: Losses) -> None:
    losses.add(rows.METADATA_CALL, name_of(call), call)


def _refuse_unsupported(call: CallBase, base: str, losses: Losses) -> None:
    """Refuse an intrinsic that reaches the code generator; unused ones are removed before."""
    memory = call.attributes.for_function.memory
    if memory is None and call.called_function is not None:
        memory = call.called_function.attributes.for_function.memory
    if call.is_used or memory is None or (memory & _WRITTEN).raw:
        losses.add(rows.intrinsic(PREFIX + base, "", Way.REFUSE, _message_about(call)), name_of(call), call)


_WRITTEN = MemoryEffects.everywhere(MemoryAccess.WRITE)


def _message_about(call: CallBase) -> str:
    """Return the code generator's message about a call: it takes vectors apart first."""
    results = [part for part in (call.type, *call.type.element_types) if isinstance(part, VectorType)]
    if results:
        return rows.SCALARIZED_RESULT if results[0].count == 1 else rows.SPLIT_RESULT
    has_vector = any(isinstance(argument.type, VectorType) for argument in call.arguments)
    return rows.SPLIT_OPERAND if has_vector else rows.UNSUPPORTED


def _expand(call: CallBase, base: str, losses: Losses) -> None:
    found = _ROWS[base]
    if found.is_needed is not None and not found.is_needed(call.type):
        return
    scalar = call.type.scalar_type
    if isinstance(scalar, IntegerType) and scalar.bit_width > _MAX_WIDTH:
        _refuse(call, base, losses)
        return
    losses.add(rows.intrinsic(PREFIX + base, found.instead, message=found.message), name_of(call), call)
    builder = editor(call)
    replace(call, by_element(builder, call.type, call.arguments, lambda parts: found.make(builder, parts)))


def _call_libdevice(call: CallBase, base: str, losses: Losses) -> None:
    scalar = call.type.scalar_type
    if not isinstance(scalar, FloatingPointType) or scalar.spelling not in {"float", "double"}:
        losses.add(rows.unknown_intrinsic(PREFIX + base), name_of(call), call)
        return
    name = f"__nv_{_LIBDEVICE[base]}{'f' if scalar.spelling == 'float' else ''}"
    losses.add(rows.intrinsic(PREFIX + base, f"{name} of libdevice"), name_of(call), call)
    builder = editor(call)
    make = _library_function(builder, f"__nv_{_LIBDEVICE[base]}", scalar)
    replace(call, by_element(builder, call.type, call.arguments, make))


_OVERFLOW = "Invalid type for arithmetic overflow intrinsic"


def _lower_overflow(call: CallBase, base: str, losses: Losses) -> None:
    type_ = call.arguments[0].type
    if isinstance(type_, IntegerType) and type_.bit_width in _SWAPPED:
        return
    builder = editor(call)
    sign, operation = _OVERFLOWING[base]
    pair = expansions.overflowing(builder, sign, operation, call.arguments)
    if pair is None:
        _refuse(call, base, losses)
        return
    losses.add(rows.intrinsic(PREFIX + base, "instructions", message=_OVERFLOW), name_of(call), call)
    made = builder.insertvalue(builder.constants.poison(call.type), pair[0], 0)
    replace(call, builder.insertvalue(made, pair[1], 1))


def _split(call: CallBase, base: str, losses: Losses) -> None:
    """Return the parts of a number behind and before the point, both with its sign."""
    value = call.arguments[0]
    if str(value.type.scalar_type) not in {"float", "double"}:
        _refuse(call, base, losses)
        return
    losses.add(rows.intrinsic(PREFIX + base, "instructions"), name_of(call), call)
    builder = editor(call)
    makes = (partial(expansions.fraction, builder), partial(expansions.by_nvvm("trunc"), builder))
    made: Value = builder.constants.poison(call.type)
    for index, make in enumerate(makes):
        part = by_element(builder, value.type, [value], make)
        made = builder.insertvalue(made, part, index)
    replace(call, made)


def _give_unknown_size(call: CallBase, base: str, losses: Losses) -> None:
    losses.add(rows.intrinsic(PREFIX + base, "an unknown size"), name_of(call), call)
    is_least = call.arguments[1].operand_text == "true"
    replace(call, editor(call).constant(call.type, 0 if is_least else -1))


def _drop(call: CallBase, base: str, losses: Losses) -> None:
    losses.add(rows.intrinsic(PREFIX + base, "", Way.DROP), name_of(call), call)
    replace(call, None if isinstance(call.type, VoidType) else editor(call).constants.null(call.type))


_LOWERINGS: dict[str, Callable[[CallBase, str, Losses], None]] = {
    **dict.fromkeys(_ROWS, _expand),
    **dict.fromkeys(_LIBDEVICE, _call_libdevice),
    **dict.fromkeys(_OVERFLOWING, _lower_overflow),
    **dict.fromkeys(_REFUSED, _refuse),
    **dict.fromkeys(("type.checked.load", "type.test"), _refuse_unsupported),
    **dict.fromkeys(("lrint", "llrint", "lround", "llround"), _round_to_integer),
    "modf": _split,
    **dict.fromkeys(("sincos", "sincospi"), _sine_and_cosine),
    "objectsize": _give_unknown_size,
    # Memory of variables that the stack pointer is restored for is freed when the function returns.
    "prefetch": _drop,
    "stackrestore": _drop,
    "stacksave": _drop,
}
"""By name without prefix and types."""

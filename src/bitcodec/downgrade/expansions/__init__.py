"""Replacements of calls of intrinsics that a version of LLVM does not know: one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.downgrade.constructs import Way
from bitcodec.downgrade.expansions import (
    constrained,
    fixed_point,
    floats,
    hints,
    integers,
    libraries,
    predicated,
    targets,
    vectors,
)
from bitcodec.ir.types import FloatingPointType, IntegerType
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.building import UnlistedBuilder
    from bitcodec.ir.instructions import Call
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["EXPANSIONS", "ExpansionRow"]


class ExpansionRow(NamedTuple):
    """A row.

    Attributes:
        make: makes the instructions that are written for a call and returns the value of it; None if it cannot.
        instead: the replacement, in words.
        way: whether something is lost.
        otherwise: treatment of calls without a replacement.
        since: the first version that needs no expansion; 0: the first that knows the name (`tables/intrinsic_history`).
            Others count from when another name had the same meaning, from when another form of arguments was gone, or
            from when the code generator for x86 selects right instructions (LLVM 7 has wrong ones for `fshl` of odd
            widths, LLVM 20 and 21 for `maximumnum`, versions before LLVM 17 none for `maximum`).
    """

    make: Callable[[UnlistedBuilder, Call], Value | None]
    instead: str
    way: Way = Way.LOWER
    otherwise: Way = Way.KEEP
    since: int = 0


_CHOICE = "icmp and select"
_ARITHMETIC = "integer arithmetic"
_SHIFTS = "shifts"
_COMPARISONS = "fcmp and select"
_CHAIN = "one operation for each element"
_SHUFFLE = "shufflevector"

_C_FUNCTIONS = (
    "acos", "asin", "atan", "atan2", "cosh", "exp10", "ldexp", "llrint", "llround", "lrint", "lround", "sinh", "tan",
    "tanh",
)  # fmt: skip
"""Functions that C and LLVM give the same names."""

_REDUCTIONS: dict[str, vectors.Combine] = {
    **{name: vectors.by_operation(name) for name in ("add", "mul", "and", "or", "xor", "fadd", "fmul")},
    "smax": vectors.by_order("sgt"),
    "smin": vectors.by_order("slt"),
    "umax": vectors.by_order("ugt"),
    "umin": vectors.by_order("ult"),
    "fmax": vectors.by_order_of_numbers("ogt"),
    "fmin": vectors.by_order_of_numbers("olt"),
    "fmaximum": vectors.by_order_of_zeros(is_maximum=True),
    "fminimum": vectors.by_order_of_zeros(is_maximum=False),
}

_REDUCTIONS_SINCE = {"fadd": 9, "fmul": 9, "fmaximum": 17, "fminimum": 17}
"""By name, the first version that has a reduction, by its older name or this one, if it is not LLVM 5."""


def _elements(name: str) -> type[Type]:
    """Return the kind of types that an operation takes: an `f` begins the names of floating-point ones."""
    return FloatingPointType if name.startswith("f") else IntegerType


_OBJECTIVE_C = [
    "autorelease",
    "autoreleasePoolPop",
    "autoreleasePoolPush",
    "autoreleaseReturnValue",
    "copyWeak",
    "destroyWeak",
    "initWeak",
    "loadWeak",
    "loadWeakRetained",
    "moveWeak",
    "release",
    "retain",
    "retain.autorelease",
    "retainAutorelease",
    "retainAutoreleaseReturnValue",
    "retainAutoreleasedReturnValue",
    "retainBlock",
    "retainedObject",
    "storeStrong",
    "storeWeak",
    "sync.enter",
    "sync.exit",
    "unretainedObject",
    "unretainedPointer",
    "unsafeClaimAutoreleasedReturnValue",
]

_CONSTRAINED: dict[str, Callable[[UnlistedBuilder, Call], Value | None]] = {
    **{name: constrained.operation(name) for name in ("fadd", "fsub", "fmul", "fdiv", "frem")},
    **{name: constrained.converted(name) for name in ("fpext", "fptrunc", "fptosi", "fptoui", "sitofp", "uitofp")},
    **{
        name: constrained.intrinsic(name)
        for name in [
            "ceil",
            "cos",
            "exp",
            "exp2",
            "floor",
            "fma",
            "log",
            "log10",
            "log2",
            "maxnum",
            "minnum",
            "nearbyint",
            "pow",
            "powi",
            "rint",
            "round",
            "sin",
            "sqrt",
            "trunc",
        ]
    },
    "fcmp": constrained.compared,
    "fcmps": constrained.compared,
    "fmuladd": constrained.sum_of_product,
    "roundeven": constrained.intrinsic("nearbyint"),
}

_WITH_MODE_BEFORE = ("ceil", "floor", "maxnum", "minnum", "round", "trunc")
"""Constrained operations that LLVM 8 and 9 give another argument."""
_RECAST = (
    (22, targets.BYTE_PRODUCTS, "vectors of i32", 32),
    (16, targets.BFLOAT_PRODUCTS, "vectors of i32", 32),
    (16, targets.BFLOAT_VECTORS, "vectors of i16", 16),
)
"""Intrinsics of targets that take vectors of other elements before a version."""

_DROP = Way.DROP

EXPANSIONS: dict[str, ExpansionRow] = {
    "abs": ExpansionRow(integers.absolute, _CHOICE),
    **{
        f"aarch64.sve.ld{count}.sret": ExpansionRow(
            vectors.loaded_structures(count), f"llvm.aarch64.sve.ld{count}", otherwise=Way.REFUSE
        )
        for count in (2, 3, 4)
    },
    "allow.runtime.check": ExpansionRow(hints.always(1), "true", _DROP),
    "allow.ubsan.check": ExpansionRow(hints.always(1), "true", _DROP),
    "arithmetic.fence": ExpansionRow(hints.first_argument, "its operand", _DROP),
    "codeview.annotation": ExpansionRow(hints.nothing, "llvm.donothing", _DROP),
    "expect.with.probability": ExpansionRow(libraries.renamed_to("llvm.expect.", count=2), "llvm.expect", _DROP),
    **{
        f"experimental.convergence.{name}": ExpansionRow(hints.nothing, "llvm.donothing", _DROP)
        for name in ("anchor", "entry", "loop")
    },
    "experimental.noalias.scope.decl": ExpansionRow(hints.nothing, "llvm.donothing", _DROP),
    "experimental.widenable.condition": ExpansionRow(hints.always(1), "true", _DROP),
    "fake.use": ExpansionRow(hints.nothing, "llvm.donothing", _DROP),
    "fptosi.sat": ExpansionRow(floats.saturated(is_signed=True), "fptosi and select"),
    "fptoui.sat": ExpansionRow(floats.saturated(is_signed=False), "fptoui and select"),
    "frexp": ExpansionRow(floats.split_exponent, _ARITHMETIC),
    "fshl": ExpansionRow(integers.funnel_shift(is_left=True), _SHIFTS, since=8),
    "fshr": ExpansionRow(integers.funnel_shift(is_left=False), _SHIFTS, since=8),
    "is.constant": ExpansionRow(hints.is_constant, "whether its operand is a number"),
    "is.fpclass": ExpansionRow(floats.is_class, _ARITHMETIC),
    "maximum": ExpansionRow(floats.extreme(is_maximum=True), _COMPARISONS, since=17),
    "maximumnum": ExpansionRow(floats.extreme_number(is_maximum=True), _COMPARISONS, since=22),
    "memcpy.inline": ExpansionRow(libraries.without_length, "llvm.memcpy", _DROP),
    "memset.inline": ExpansionRow(libraries.without_length, "llvm.memset", _DROP),
    "minimum": ExpansionRow(floats.extreme(is_maximum=False), _COMPARISONS, since=17),
    "minimumnum": ExpansionRow(floats.extreme_number(is_maximum=False), _COMPARISONS, since=22),
    "modf": ExpansionRow(floats.split, "llvm.trunc and fsub"),
    "objc.clang.arc.use": ExpansionRow(libraries.renamed_to("clang.arc.use"), "clang.arc.use"),
    "pseudoprobe": ExpansionRow(hints.nothing, "llvm.donothing", _DROP),
    "ptrmask": ExpansionRow(integers.masked_pointer, "ptrtoint, and, inttoptr"),
    "roundeven": ExpansionRow(libraries.other_intrinsic("nearbyint"), "llvm.nearbyint"),
    "sadd.sat": ExpansionRow(integers.add_signed, _ARITHMETIC),
    "scmp": ExpansionRow(integers.compared("sgt", "slt"), "icmp and sub"),
    "sideeffect": ExpansionRow(hints.nothing, "llvm.donothing", _DROP),
    "sincos": ExpansionRow(libraries.sine_and_cosine, "llvm.sin and llvm.cos"),
    "smax": ExpansionRow(integers.chosen("sgt"), _CHOICE),
    "smin": ExpansionRow(integers.chosen("slt"), _CHOICE),
    "sshl.sat": ExpansionRow(integers.shift_signed, _ARITHMETIC),
    "ssub.sat": ExpansionRow(integers.subtract_signed, _ARITHMETIC),
    "threadlocal.address": ExpansionRow(hints.first_argument, "the variable itself"),
    "uadd.sat": ExpansionRow(integers.add_unsigned, _ARITHMETIC),
    "ubsantrap": ExpansionRow(libraries.renamed_to("llvm.trap", count=0), "llvm.trap", _DROP),
    "ucmp": ExpansionRow(integers.compared("ugt", "ult"), "icmp and sub"),
    "umax": ExpansionRow(integers.chosen("ugt"), _CHOICE),
    "umin": ExpansionRow(integers.chosen("ult"), _CHOICE),
    "ushl.sat": ExpansionRow(integers.shift_unsigned, _ARITHMETIC),
    "usub.sat": ExpansionRow(integers.subtract_unsigned, _ARITHMETIC),
    **{
        f"{sign}mul.fix{ending}": ExpansionRow(
            fixed_point.product(is_signed=sign == "s", saturates=bool(ending)), _ARITHMETIC
        )
        for sign in "su"
        for ending in ("", ".sat")
    },
    **{
        f"{sign}div.fix{ending}": ExpansionRow(
            fixed_point.quotient(is_signed=sign == "s", saturates=bool(ending)), _ARITHMETIC
        )
        for sign in "su"
        for ending in ("", ".sat")
    },
    "vector.extract": ExpansionRow(vectors.extracted, _SHUFFLE, since=12),
    "vector.insert": ExpansionRow(vectors.inserted, _SHUFFLE, since=12),
    "vector.splice.left": ExpansionRow(vectors.spliced(is_left=True), _SHUFFLE, since=13),
    "vector.splice.right": ExpansionRow(vectors.spliced(is_left=False), _SHUFFLE, since=13),
    "vector.deinterleave2": ExpansionRow(vectors.picked, _SHUFFLE, since=17),
    "vector.interleave2": ExpansionRow(vectors.interleaved, _SHUFFLE, since=17),
    "vector.partial.reduce.add": ExpansionRow(vectors.partial_sum("add", IntegerType), "additions of parts", since=20),
    "vector.partial.reduce.fadd": ExpansionRow(vectors.partial_sum("fadd", FloatingPointType), "additions of parts"),
    "vector.reverse": ExpansionRow(vectors.reversed_order, _SHUFFLE, since=13),
    **{
        f"vector.reduce.{name}": ExpansionRow(
            vectors.reduced(combine, _elements(name)), _CHAIN, since=_REDUCTIONS_SINCE.get(name, 5)
        )
        for name, combine in _REDUCTIONS.items()
    },
    **{name: ExpansionRow(libraries.c_function(name), f"the function `{name}` of C") for name in _C_FUNCTIONS},
    **{
        f"objc.{name}": ExpansionRow(libraries.renamed_to(function), function)
        for name in _OBJECTIVE_C
        for function in [f"objc_{name.replace('.', '_')}"]
    },
    **{
        name: ExpansionRow(targets.recast(width), other, otherwise=Way.REFUSE, since=since)
        for since, names, other, width in _RECAST
        for name in names
    },
    **{
        f"experimental.constrained.{name}": ExpansionRow(
            constrained.in_default_environment(make),
            f"a plain `{name}`",
            otherwise=Way.REFUSE,
            since=10 if name in _WITH_MODE_BEFORE else 0,
        )
        for name, make in _CONSTRAINED.items()
    },
}
"""By name without `llvm.` and types."""

_PREDICATED: dict[str, Callable[[UnlistedBuilder, Call], Value | None]] = {
    **{
        name: predicated.operation(name, _elements(name))
        for name in (
            "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "fadd", "fsub", "fmul", "fdiv", "frem",
        )
    },
    **{name: predicated.divided(name) for name in ("sdiv", "udiv", "srem", "urem")},
    **{
        name: constrained.converted(name)
        for name in (
            "sext", "zext", "trunc", "fpext", "fptrunc", "fptosi", "fptoui", "sitofp", "uitofp", "inttoptr", "ptrtoint",
        )
    },
    **{
        name: predicated.by_intrinsic(name)
        for name in (
            "bitreverse", "ceil", "copysign", "ctpop", "fabs", "floor", "fma", "fmuladd",
            "maxnum", "minnum", "nearbyint", "rint", "round", "sqrt",
        )
    },
    **{
        name: predicated.unmasked(name, EXPANSIONS[name].make)
        for name in (
            "fshl", "fshr", "maximum", "minimum", "sadd.sat", "smax", "smin", "ssub.sat", "uadd.sat", "umax",
            "umin", "usub.sat",
        )
    },
    "bswap": predicated.bytes_swapped,
    "fcmp": predicated.compared,
    "icmp": predicated.compared,
    "merge": predicated.merged,
    "roundeven": predicated.by_intrinsic("nearbyint"),
    "roundtozero": predicated.by_intrinsic("trunc"),
    "select": predicated.chosen,
    **{f"reduce.{name}": predicated.reduced(combine, _elements(name)) for name, combine in _REDUCTIONS.items()},
}  # fmt: skip
EXPANSIONS.update({f"vp.{name}": ExpansionRow(make, "an operation on all lanes") for name, make in _PREDICATED.items()})

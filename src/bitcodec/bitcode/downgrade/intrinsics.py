"""Intrinsics that older versions of LLVM declare in another form.  Rules: older readers reference, section 4.

Reading such a form upgrades it again: `upgrade.intrinsics` has the rows for the other direction.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from bitcodec.bitcode.downgrade import constructs
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.constants import Constant, ConstantInt
from bitcodec.ir.construction import moved_to, rebuilt_call, set_name, unlisted_cast, unlisted_copy
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import CallBase
from bitcodec.ir.mangling import mangled
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.intrinsics import PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from bitcodec.bitcode.downgrade.losses import Losses
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["IntrinsicLowering"]

Passed: TypeAlias = "int | Callable[[CallBase, Module], Constant]"
"""An argument of the older form: the number of an argument of the call, or a function that makes it."""


class _Row(NamedTuple):
    """An intrinsic in the form of LLVM 22, and what is declared and called for older versions.

    Attributes:
        since: the first version of LLVM that has this form.
        base: the older name, without `llvm.` and types; "" for the same.
        has_types: whether the older name ends with types; if not, the form is for the default address space only.
        passed: the arguments of the older form with their types; None for the same arguments.
        result: the type of its result if it has another, as `TypeTable.integer` takes it; 0 for the same.
        is_one_type: whether the older name ends with the first type only.
        has_result_type: whether the types of the older name begin with that of the result.
        condition: whether a call can be lowered so; another row is tried if any cannot.
    """

    since: int
    base: str = ""
    has_types: bool = True
    passed: tuple[tuple[Passed, int], ...] | None = None
    result: int = 0
    condition: Callable[[CallBase], bool] | None = None
    is_one_type: bool = False
    has_result_type: bool = False


def _alignment(place: int) -> Callable[[CallBase, Module], Constant]:
    """Return a function that makes the alignment that a call states for an argument."""

    def make(call: CallBase, module: Module) -> Constant:
        alignment = call.attributes.for_parameter(place).integer("align") or 1
        return module.context.constants.integer(module.context.types.integer(32), alignment)

    return make


def _smaller_alignment(call: CallBase, module: Module) -> Constant:
    """Return the smaller alignment of the places that a call copies between."""
    alignments = [call.attributes.for_parameter(place).integer("align") or 1 for place in (0, 1)]
    return module.context.constants.integer(module.context.types.integer(32), min(alignments))


def _number(value: int, width: int) -> Callable[[CallBase, Module], Constant]:
    return lambda _call, module: module.context.constants.integer(module.context.types.integer(width), value)


def _negated(call: CallBase, module: Module) -> Constant:
    (*_, offset) = call.arguments
    value = -offset.signed if isinstance(offset, ConstantInt) else 0
    return module.context.constants.integer(module.context.types.integer(32), value)


def _is_barrier_0(call: CallBase) -> bool:
    (number,) = call.arguments
    return isinstance(number, ConstantInt) and not number.value


def _has_no_token(call: CallBase) -> bool:
    return call.arguments[-1].operand_text == "none"


_ONE_METADATA = 10
"""The first version whose rounding functions do not say how to round."""
_SAME = 0
"""In the place of a width: the type of the argument itself."""
_I32, _I64 = 32, 64
_MARKED = _Row(22, passed=((_number(-1, 64), _I64), (0, _SAME)))
_LISTED = _Row(19, has_types=False)
_COPIED = _Row(7, passed=((0, _SAME), (1, _SAME), (2, _SAME), (_smaller_alignment, _I32), (3, _SAME)))

_ROWS: dict[str, tuple[_Row, ...]] = {
    "coro.end": (
        _Row(18, passed=((0, _SAME), (1, _SAME)), result=1, condition=_has_no_token),
        _Row(22, passed=((0, _SAME), (1, _SAME), (2, _SAME)), result=1),
    ),
    "eh.typeid.for": (_LISTED,),
    "get.rounding": (_Row(16, "flt.rounds"),),
    "lifetime.end": (_Row(5, has_types=False, passed=_MARKED.passed), _MARKED),
    "lifetime.start": (_Row(5, has_types=False, passed=_MARKED.passed), _MARKED),
    "masked.gather": (_Row(22, passed=((0, _SAME), (_alignment(0), _I32), (1, _SAME), (2, _SAME))),),
    "masked.load": (_Row(22, passed=((0, _SAME), (_alignment(0), _I32), (1, _SAME), (2, _SAME))),),
    "masked.scatter": (_Row(22, passed=((0, _SAME), (1, _SAME), (_alignment(1), _I32), (2, _SAME))),),
    "masked.store": (_Row(22, passed=((0, _SAME), (1, _SAME), (_alignment(1), _I32), (2, _SAME))),),
    "memcpy": (_COPIED,),
    "memmove": (_COPIED,),
    "memset": (_Row(7, passed=((0, _SAME), (1, _SAME), (2, _SAME), (_alignment(0), _I32), (3, _SAME))),),
    "nvvm.barrier.cta.sync.aligned.all": (
        _Row(21, "nvvm.barrier0", passed=(), condition=_is_barrier_0),
        _Row(21, "nvvm.barrier.n"),
    ),
    "objectsize": (
        _Row(5, passed=((0, _SAME), (1, _SAME))),
        _Row(9, passed=((0, _SAME), (1, _SAME), (2, _SAME))),
    ),
    "addressofreturnaddress": (_Row(10, has_types=False),),
    "frameaddress": (_Row(10, has_types=False),),
    "prefetch": (_Row(10, has_types=False),),
    "ptr.annotation": (
        _Row(13, passed=((0, _SAME), (1, _SAME), (2, _SAME), (3, _SAME)), is_one_type=True),
        _Row(16, is_one_type=True),
    ),
    "stackrestore": (_Row(18, has_types=False),),
    "stacksave": (_Row(18, has_types=False),),
    "stepvector": (_Row(20, "experimental.stepvector"),),
    "thread.pointer": (_Row(21, has_types=False),),
    "va_copy": (_LISTED,),
    "va_end": (_LISTED,),
    "va_start": (_LISTED,),
    "var.annotation": (
        _Row(13, has_types=False, passed=((0, _SAME), (1, _SAME), (2, _SAME), (3, _SAME))),
        _Row(16, has_types=False),
    ),
    "vector.deinterleave2": (_Row(19, "experimental.vector.deinterleave2"),),
    "vector.interleave2": (_Row(19, "experimental.vector.interleave2"),),
    "vector.reduce.add": (_Row(12, "experimental.vector.reduce.add"),),
    "vector.reduce.and": (_Row(12, "experimental.vector.reduce.and"),),
    "vector.reduce.fmax": (_Row(12, "experimental.vector.reduce.fmax"),),
    "vector.reduce.fmin": (_Row(12, "experimental.vector.reduce.fmin"),),
    "vector.reduce.mul": (_Row(12, "experimental.vector.reduce.mul"),),
    "vector.reduce.or": (_Row(12, "experimental.vector.reduce.or"),),
    "vector.reduce.smax": (_Row(12, "experimental.vector.reduce.smax"),),
    "vector.reduce.smin": (_Row(12, "experimental.vector.reduce.smin"),),
    "vector.reduce.umax": (_Row(12, "experimental.vector.reduce.umax"),),
    "vector.reduce.umin": (_Row(12, "experimental.vector.reduce.umin"),),
    "vector.reduce.xor": (_Row(12, "experimental.vector.reduce.xor"),),
    "vector.reduce.fadd": (_Row(12, "experimental.vector.reduce.v2.fadd", has_result_type=True),),
    "vector.reduce.fmul": (_Row(12, "experimental.vector.reduce.v2.fmul", has_result_type=True),),
    "vector.reverse": (_Row(19, "experimental.vector.reverse"),),
    "vector.splice.left": (
        _Row(19, "experimental.vector.splice"),
        _Row(22, "vector.splice"),
    ),
    "vector.splice.right": (
        _Row(19, "experimental.vector.splice", passed=((0, _SAME), (1, _SAME), (_negated, _I32))),
        _Row(22, "vector.splice", passed=((0, _SAME), (1, _SAME), (_negated, _I32))),
    ),
}
"""By name without `llvm.` and types; the first row that a version and the calls need is taken."""

_THREAD_LOCAL, _SINCE_THREAD_LOCAL = "threadlocal.address", 15

_NEW = {
    5: "coro.alloc experimental.constrained.fadd memcpy.element.unordered.atomic xray.customevent",
    6: "codeview.annotation memmove.element.unordered.atomic memset.element.unordered.atomic sideeffect",
    7: "fshl fshr icall.branch.funnel launder.invariant.group strip.invariant.group xray.typedevent",
    8: "experimental.widenable.condition is.constant maximum minimum sadd.sat smul.fix ssub.sat uadd.sat usub.sat",
    9: "lrint lround llrint llround preserve.array.access.index preserve.struct.access.index "
    "preserve.union.access.index smul.fix.sat umul.fix",
    10: "ptrmask sdiv.fix udiv.fix umul.fix.sat vscale",
    11: "call.preallocated.setup get.active.lane.mask memcpy.inline roundeven sdiv.fix.sat udiv.fix.sat",
    12: "abs call.preallocated.teardown experimental.noalias.scope.decl fptosi.sat fptoui.sat get.rounding "
    "pseudoprobe smax smin sshl.sat ubsantrap umax umin ushl.sat vector.extract vector.insert",
    13: "arithmetic.fence seh.scope.begin seh.scope.end seh.try.begin seh.try.end swift.async.context.addr",
    15: "experimental.vp.splice is.fpclass memset.inline",
    17: "callbr.landingpad experimental.get.vector.length frexp get.fpenv ldexp reset.fpenv set.fpenv",
    18: "exp10 experimental.cttz.elts experimental.vp.reverse get.fpmode reset.fpmode set.fpmode",
    19: "acos allow.runtime.check allow.ubsan.check asin atan cosh experimental.vector.compress "
    "experimental.vector.histogram.add readsteadycounter scmp sinh tan tanh ucmp",
    20: "atan2 experimental.memset.pattern experimental.vector.extract.last.active experimental.vector.match fake.use "
    "maximumnum minimumnum sincos",
    21: "experimental.vector.histogram.uadd.sat experimental.vector.histogram.umax experimental.vector.histogram.umin "
    "modf sincospi",
    22: "alloc.token.id clmul loop.dependence.raw.mask loop.dependence.war.mask protected.field.ptr reloc.none "
    "stackaddress",
}
_FIRST_VERSIONS = {name: since for since, names in _NEW.items() for name in names.split()}
"""By name without `llvm.` and types, the first version that knows an intrinsic of no target; other ones are older."""


_OTHERS = (
    (re.compile(r"aarch64\.sve\.ld[234]\.sret\."), 10, 14),
    (re.compile(r"experimental\.constrained\.(?:ceil|floor|maxnum|minnum|round|trunc)\."), 8, _ONE_METADATA),
)
"""Names of intrinsics that versions from one on have in another form, and the first version that has this form."""


class IntrinsicLowering:
    """Finds older forms for the intrinsics of a module.

    Args:
        module: the module, which is not changed.
        losses: receives what is lowered.
        replacements: by instruction, those that are written in its place; receives what is written for calls.

    Attributes:
        declarations: by function, the one that is declared in its place.
    """

    def __init__(
        self, module: Module, losses: Losses, replacements: dict[Instruction, tuple[Instruction, ...]]
    ) -> None:
        self.declarations: dict[Function, Function] = {}
        self.replacements = replacements
        self._module = module
        self._losses = losses

    def survey(self) -> None:
        """Look at all intrinsics."""
        for function in self._module.functions:
            if function.name.startswith(PREFIX):
                if self._losses.version < constructs.OPAQUE_POINTERS and _is_left_over(function):
                    own = AttributeList(function.attributes.for_function)
                    self.declarations[function] = unlisted_copy(
                        function, attributes=own, _name=f"unused.{function.name}"
                    )
                else:
                    self._survey(function)

    def _survey(self, function: Function) -> None:
        name = function.name.removeprefix(PREFIX)
        self._refuse(function, name)
        base = _known_base(name, _ROWS) or (_THREAD_LOCAL if name.startswith(_THREAD_LOCAL) else "")
        if not base:
            self._survey_new(function, name)
        if base == _THREAD_LOCAL and self._losses.version < _SINCE_THREAD_LOCAL:
            self._let_go(function)
            return
        calls = [user for user in function.users if isinstance(user, CallBase)] if base else []
        for row in _ROWS.get(base, ()):
            if row.since > self._losses.version and all(map(row.condition, calls) if row.condition else ()):
                self._lower(function, base, row, calls)
                return

    def _refuse(self, function: Function, name: str) -> None:
        """Refuse an intrinsic that has the name of another one in older versions, which takes or returns more."""
        for pattern, first, since in _OTHERS:
            if first <= self._losses.version < since and pattern.match(name):
                for user in function.users:
                    place = user.function if isinstance(user, CallBase) else None
                    construct = constructs.other_intrinsic(function.name, since)
                    self._losses.add(construct, "" if place is None else place.name, user)

    def _survey_new(self, function: Function, name: str) -> None:
        since = _FIRST_VERSIONS.get(_known_base(name, _FIRST_VERSIONS), 0)
        if since > self._losses.version:
            construct = constructs.new_intrinsic(PREFIX + _known_base(name, _FIRST_VERSIONS), since)
            for user in function.users:
                if isinstance(user, CallBase) and user.function is not None:
                    self._losses.add(construct, user.function.name, user)

    def _let_go(self, function: Function) -> None:
        """Write what calls pass in the place of their result: variables of threads have no intrinsic yet."""
        construct = constructs.intrinsic(function.name, _SINCE_THREAD_LOCAL, "the variable itself")
        for call in function.users:
            if isinstance(call, CallBase) and call.function is not None:
                self.replacements[call] = (moved_to(call, unlisted_cast("bitcast", call.arguments[0], call.type)),)
                self._losses.add(construct, call.function.name, call)

    def _lower(self, function: Function, base: str, row: _Row, calls: list[CallBase]) -> None:
        types = function.name.removeprefix(PREFIX + base)
        if not row.has_types and set(types.split(".")) - {"", "p0"}:
            return
        if row.has_result_type:
            types = f".{mangled(function.value_type.return_type)}{types}"
        if row.is_one_type and types:
            types = "." + types.split(".")[1]
        name = PREFIX + (row.base or base) + (types if row.has_types and row.passed != () else "")
        declared = self._declared(function, name, row)
        self.declarations[function] = declared
        construct = constructs.intrinsic(function.name, row.since, name)
        for call in calls:
            user = call.function
            place = "" if user is None else user.name
            if _lost_arguments(call, row):
                self._losses.add(constructs.arguments(function.name, row.since), place, call)
            if row.passed is not None:
                self.replacements[call] = (self._rebuilt(call, declared, row.passed),)
            self._losses.add(construct, place, call)

    def _declared(self, function: Function, name: str, row: _Row) -> Function:
        types = self._module.context.types
        old = function.value_type
        parameters = list(old.parameter_types)
        if row.passed is not None:
            parameters = list(_parameters(self._module, old.parameter_types, row.passed))
        result = types.integer(row.result) if row.result else old.return_type
        made = Function(function.type, types.function(result, parameters, is_vararg=old.is_vararg), function.linkage)
        set_name(made, name)
        made.calling_convention = function.calling_convention
        made.attributes = _attributes(function.attributes, row.passed)
        return made

    def _rebuilt(self, call: CallBase, declared: Function, passed: tuple[tuple[Passed, int], ...]) -> CallBase:
        old = call.arguments
        arguments: list[Value] = [
            old[each] if isinstance(each, int) else each(call, self._module) for each, _ in passed
        ]
        made = rebuilt_call(call, declared.value_type, arguments)
        made.attributes = _attributes(call.attributes, passed)
        return made


def _lost_arguments(call: CallBase, row: _Row) -> bool:
    """Return whether a call passes more than zeros that the older form has no place for."""
    if row.passed is None or row.since >= _FIRST_REWRITTEN:
        return False
    kept = {each for each, _ in row.passed if isinstance(each, int)}
    return any(
        isinstance(argument, Constant) and not argument.is_null
        for index, argument in enumerate(call.arguments)
        if index not in kept
    )


_FIRST_REWRITTEN = 16
"""The first version whose rows put arguments in another form, so that no argument is lost."""


def _is_left_over(function: Function) -> bool:
    """Return whether a declaration is what an upgrade has left of one: `llvm.lifetime.end.i64`."""
    is_marker = function.name.startswith(("llvm.lifetime.start.i", "llvm.lifetime.end.i"))
    return is_marker and not function.is_used


def _known_base(name: str, rows: Mapping[str, object]) -> str:
    """Return how a name begins, up to a dot or its end, if it has a row; "" if it has none."""
    while name and name not in rows:
        name = name.rpartition(".")[0]
    return name


def _parameters(module: Module, old: tuple[Type, ...], passed: tuple[tuple[Passed, int], ...]) -> Iterator[Type]:
    for each, width in passed:
        yield old[each] if isinstance(each, int) else module.context.types.integer(width)


def _attributes(attributes: AttributeList, passed: tuple[tuple[Passed, int], ...] | None) -> AttributeList:
    """Return a list for the older form; an alignment that is passed is no attribute."""
    if passed is None:
        return attributes
    has_alignment = any(not isinstance(each, int) and width == _I32 for each, width in passed)
    parameters = {}
    for new, (each, _) in enumerate(passed):
        if isinstance(each, int):
            found = attributes.for_parameter(each)
            parameters[new] = found.without("align") if has_alignment else found
    return AttributeList(attributes.for_function, attributes.for_return, parameters)

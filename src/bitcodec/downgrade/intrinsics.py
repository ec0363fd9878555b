"""Finds the replacements of intrinsics in older versions of LLVM.  Rules: docs/reference/older-readers.md, 4."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.downgrade.building import UnlistedBuilder
from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.downgrade.expansions import EXPANSIONS
from bitcodec.downgrade.intrinsic_forms import lacking_form
from bitcodec.downgrade.intrinsic_versions import first_version, shorter_base
from bitcodec.downgrade.older_intrinsics import I32, ROWS
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.constants import Constant
from bitcodec.ir.construction.copies import unlisted_cast
from bitcodec.ir.construction.present import present_uses
from bitcodec.ir.construction.setting import set_name
from bitcodec.ir.construction.unlisted import changed, moved_to, rebuilt_call, unlisted_copy
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Call, CallBase
from bitcodec.ir.intrinsic_signatures import Misfit, intrinsic_base, matched
from bitcodec.ir.mangling import mangled
from bitcodec.ir.types import VectorType
from bitcodec.tables.intrinsics import PREFIX, base_in, intrinsic_rows
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.downgrade.expansions import ExpansionRow
    from bitcodec.downgrade.losses import Losses
    from bitcodec.downgrade.older_intrinsics import IntrinsicConstruct, Passed
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import User, Value

__all__ = ["IntrinsicLowering", "is_regular"]

_UNUSED = PREFIX + "unused."
"""Begins the names of declarations that nothing uses, and that old readers would take for another intrinsic."""


class IntrinsicLowering:
    """Finds older forms for the intrinsics of a module.

    Args:
        module: the module, which is not changed.
        losses: receives the lowered intrinsics.
        replacements: by instruction, the instructions that are written in its place; receives the ones for calls.

    Attributes:
        declarations: by function, the one that is declared in its place.
        orders_uses: whether calls are looked at in LLVM's order.
        makes_calls: whether calls are made of intrinsics in an older form; else they are only looked at.
    """

    def __init__(
        self, module: Module, losses: Losses, replacements: dict[Instruction, tuple[Instruction, ...]]
    ) -> None:
        self.orders_uses = self.makes_calls = True
        self.declarations: dict[Function, Function] = {}
        self.replacements = replacements
        self._added: dict[str, Function] = {}
        self._surveyed: Function | None = None
        self._lists: dict[tuple[AttributeList, tuple[tuple[Passed, int], ...]], AttributeList] = {}
        self._module = module
        self._losses = losses

    def survey(self) -> None:
        """Examine all intrinsics."""
        for function in self._module.functions:
            if function.name.startswith(PREFIX):
                if _is_left_over(function):
                    self.declarations[function] = _unused(function, AttributeList(function.attributes.for_function))
                else:
                    self._survey(function)

    def _users(self, function: Function) -> Iterable[User]:
        return function.users if self.orders_uses else tuple(present_uses(function))

    def _survey(self, function: Function) -> None:
        name = function.name.removeprefix(PREFIX)
        new = base_in(name, intrinsic_rows())
        since = first_version(new, function.value_type)
        if since > self._losses.version:
            self._survey_new(function, new, since)
            return
        base = _base_of(function)
        if base and isinstance(matched(base, function.value_type), Misfit):
            base = ""  # it is not in the form of LLVM 22, which rows are about
        calls = [user for user in self._users(function) if isinstance(user, CallBase)] if base else []
        called = {call.function_type for call in calls}
        if called and called != {function.value_type}:
            # Rows are about the form of LLVM 22: the verifier refuses these calls.
            if len(called) == 1:
                self.declarations[function] = _declared_as_called(function, *called)
                return
            base = ""
        for row in ROWS.get(base, ()):
            if row.since > self._losses.version and all(map(row.condition, calls) if row.condition else ()):
                if self._lower(function, base, row, calls):
                    return
                break
        self._survey_form(function)

    def _survey_form(self, function: Function) -> None:
        """Report calls of an intrinsic that the version does not have, and refuse one that it has in another form.

        Readers of profiles have further intrinsics, which `profiles` knows.
        """
        construct = lacking_form(function, self._losses.version)
        if construct is None or (self._losses.reader and (construct.way is Way.KEEP or _is_of_profile(function))):
            return
        for user in self._users(function):
            if isinstance(user, CallBase) and user.function is not None:
                self._losses.add(construct, user.function.name, user)

    def _survey_new(self, function: Function, base: str, since: int) -> None:
        """Write something else for calls of an intrinsic that the version does not know."""
        self._surveyed = function
        expansion = EXPANSIONS.get(base) if is_regular(function, base) else None
        is_needed = False
        for call in self._users(function):
            if not isinstance(call, CallBase) or call.function is None or call.callee is not function:
                is_needed = True  # by an operand bundle, or by metadata
                continue
            if expansion is None or not self._expand(call, base, since, expansion):
                self._losses.add(self._unknown(base, since), call.function.name, call)
                is_needed = True
        if not is_needed:
            # Older readers may know another intrinsic whose name begins like this one's.
            self.declarations[function] = _unused(function, AttributeList())

    def _unknown(self, base: str, since: int) -> Construct:
        """Return the row of an intrinsic that is not expanded."""
        if shorter_base(base, intrinsic_rows(), self._losses.version):
            return Construct(PREFIX + base, since, Way.REFUSE)
        expansion = EXPANSIONS.get(base)
        return Construct(PREFIX + base, since, Way.KEEP if expansion is None else expansion.otherwise)

    def _expand(self, call: CallBase, base: str, since: int, expansion: ExpansionRow) -> bool:
        """Write the instructions of an expansion for a call, unless there are none for it."""
        if not isinstance(call, Call) or call.function is None or call.called_function is None:
            return False
        builder = UnlistedBuilder(call, self._module, self._declare)
        value = expansion.make(builder, call)
        if value is None:
            return False
        place = call.function.name
        if not builder.made or builder.made[-1] is not value:
            builder.made.append(unlisted_cast("bitcast", value, call.type))
        last = builder.made[-1] = self._in_older_form(builder.made[-1])
        moved_to(call, last)
        if last.type is not call.type:
            changed(last, name="")
        if not isinstance(last, Call) and call.metadata:
            changed(last, metadata=None)
            self._losses.add(Construct(f"metadata of {PREFIX}{base}", since, Way.DROP), place, call)
        if not isinstance(last, Call) and call.fast_math:
            self._losses.add(Construct(f"fast-math flags of {PREFIX}{base}", since, Way.DROP), place, call)
        self.replacements[call] = tuple(builder.made)
        self._losses.add(Construct(PREFIX + base, since, expansion.way, expansion.instead), place, call)
        return True

    def _declare(self, name: str, type_: FunctionType) -> Function | None:
        """Return a function by name and type, None if the module has another one of that name that stays."""
        found = self._module.get(name)
        surveyed = self._surveyed
        if found is None or (surveyed is not None and found is surveyed and surveyed.value_type is not type_):
            added = self._added.get(name)
            if added is None:
                space = self._module.data_layout.program_address_space
                added = Function(self._module.context.types.pointer(space), type_, Linkage.EXTERNAL)
                set_name(added, name)
                self._added[name] = added
            return added if added.value_type is type_ else None
        return found if isinstance(found, Function) and found.value_type is type_ else None

    @property
    def added(self) -> tuple[Function, ...]:
        """Declarations that the module lacks."""
        return tuple(self.declarations.get(function, function) for function in self._added.values())

    def _in_older_form(self, made: Instruction) -> Instruction:
        """Return a call that was made as the version has it: it may pass other arguments."""
        callee = made.called_function if isinstance(made, Call) else None
        base = "" if callee is None else _base_of(callee)
        for row in ROWS.get(base, ()):
            if callee is not None and row.since > self._losses.version and row.passed is not None:
                declared = self.declarations.get(callee) or self._declared(callee, callee.name, row)
                self.declarations[callee] = declared
                older = self._rebuilt(cast("Call", made), declared, row.passed)
                target = declared if callee.name in self._added else callee
                return unlisted_copy(older, operands=(*older.operands[:-1], target))
        return made

    def _lower(self, function: Function, base: str, row: IntrinsicConstruct, calls: list[CallBase]) -> bool:
        """Declare and call an intrinsic in its older form; return whether there is one for its types."""
        types = function.name.removeprefix(PREFIX + base)
        if not row.has_types and set(types.split(".")) - {"", "p0"}:
            return False
        if row.has_result_type:
            types = f".{mangled(function.value_type.return_type)}{types}"
        if row.is_one_type and types:
            types = "." + types.split(".")[1]
        name = PREFIX + (row.base or base) + (types if row.has_types and row.passed != () else "")
        declared = self._declared(function, name, row)
        self.declarations[function] = declared
        instead = "its older form" if name == function.name else name
        construct = Construct(function.name, row.since, Way.LOWER, instead)
        for call in calls:
            user = call.function
            place = "" if user is None else user.name
            if _lost_arguments(call, row):
                self._losses.add(Construct(f"arguments of {function.name}", row.since, Way.DROP), place, call)
            if row.passed is not None and self.makes_calls:
                # Bundles and flags that the version lacks are gone from it already.
                source = cast("CallBase", self.replacements.get(call, (call,))[-1])
                self.replacements[call] = (self._rebuilt(source, declared, row.passed),)
            self._losses.add(construct, place, call)
        return True

    def _declared(self, function: Function, name: str, row: IntrinsicConstruct) -> Function:
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
        if declared.value_type.is_vararg:
            arguments += old[len(call.function_type.parameter_types) :]
        made = rebuilt_call(call, declared.value_type, arguments)
        # Most calls have one of few lists.
        key = call.attributes, passed
        found = self._lists.get(key)
        if found is None:
            found = self._lists[key] = _attributes(*key)
        made.attributes = found
        return made


def _declared_as_called(function: Function, type_: FunctionType) -> Function:
    made = Function(function.type, type_, function.linkage)
    set_name(made, function.name)
    made.calling_convention = function.calling_convention
    made.attributes = AttributeList(function.attributes.for_function)
    return made


def _base_of(function: Function) -> str:
    """Return the name in `ROWS` of an intrinsic, "" if it has no rows."""
    base = intrinsic_base(function.name)
    return base if base in ROWS else ""


def _is_of_profile(function: Function) -> bool:
    return function.name.startswith(f"{PREFIX}nvvm.")


def _lost_arguments(call: CallBase, row: IntrinsicConstruct) -> bool:
    """Return whether a call passes more than zeros that the older form has no place for."""
    if row.passed is None or row.since >= _FIRST_REWRITTEN or len(row.passed) >= len(call.arguments):
        return False
    kept = {each for each, _ in row.passed if isinstance(each, int)}
    return any(
        isinstance(argument, Constant) and not argument.is_null
        for index, argument in enumerate(call.arguments)
        if index not in kept
    )


_FIRST_REWRITTEN = 16
"""The first version whose rows put arguments in another form, so that no argument is lost."""


def _unused(function: Function, attributes: AttributeList) -> Function:
    """Return the declaration that replaces an unused intrinsic."""
    _ = function.arguments  # the copy is to have the same: what they point to is known
    return unlisted_copy(function, attributes=attributes, name=_UNUSED + function.name.removeprefix(PREFIX))


def _is_left_over(function: Function) -> bool:
    """Return whether a declaration was left over by an upgrade: `llvm.lifetime.end.i64`."""
    is_marker = function.name.startswith(("llvm.lifetime.start.i", "llvm.lifetime.end.i"))
    return is_marker and not function.is_used


_MAX_ELEMENTS = 4096
"""The largest number of elements of vectors for whose intrinsics instructions are written."""


def is_regular(function: Function, base: str) -> bool:
    """Return whether a function has a type that the intrinsic of its name may have, without huge vectors."""
    if isinstance(matched(base, function.value_type), Misfit):
        return False
    parts = [part for type_ in function.value_type.element_types for part in (type_, *type_.element_types)]
    return all(part.count <= _MAX_ELEMENTS for part in parts if isinstance(part, VectorType))


def _parameters(module: Module, old: tuple[Type, ...], passed: tuple[tuple[Passed, int], ...]) -> Iterator[Type]:
    for each, width in passed:
        yield old[each] if isinstance(each, int) else module.context.types.integer(width)


def _attributes(attributes: AttributeList, passed: tuple[tuple[Passed, int], ...] | None) -> AttributeList:
    """Return a list for the older form; an alignment that is passed is not an attribute."""
    if passed is None:
        return attributes
    has_alignment = any(not isinstance(each, int) and width == I32 for each, width in passed)
    parameters = {}
    for new, (each, _) in enumerate(passed):
        if isinstance(each, int):
            found = attributes.for_parameter(each)
            parameters[new] = found.without("align") if has_alignment else found
    return AttributeList(attributes.for_function, attributes.for_return, parameters)

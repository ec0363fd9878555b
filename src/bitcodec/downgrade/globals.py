"""Properties of globals that older versions of LLVM lack: one row each.  Rules: docs/reference/older-readers.md, 7."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import ModuleCode
from bitcodec.bitcode.schema.globals import GLOBAL_LAYOUTS
from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalObject, GlobalVariable
from bitcodec.ir.instructions import CallBase
from bitcodec.ir.values import User
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.globals import FIELDS
from bitcodec.tables.linkage import Linkage, Visibility

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.globals import GlobalIFunc, GlobalValue
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.tables.global_rows import GlobalField

__all__ = ["ROWS", "GlobalConstruct", "ifunc_length", "older_attachments", "older_linkage", "survey_globals"]


class GlobalConstruct(NamedTuple):
    """A row.

    Attributes:
        construct: the construct.
        globals_of: returns the globals of a module that may have it.
        has: returns whether a global has it, or the user of it that has.
    """

    construct: Construct
    globals_of: Callable[[Module], Iterable[Any]]
    has: Callable[[Any], object]


def survey_globals(module: Module, losses: Losses) -> None:
    """Examine properties of globals that are fields of their records.

    Args:
        module: the module.
        losses: receives the properties that the version lacks.

    Raises:
        EncodingError: the module cannot be written for the version.
    """
    for construct, globals_of, has in ROWS:
        if losses.version < construct.since:
            for value in globals_of(module):
                found = has(value)
                if found:
                    losses.add(construct, value.name, found if isinstance(found, User) else None)


def ifunc_length(version: int) -> int | None:
    """Return how many operands ifuncs have, None for all; LLVM 4 to 6 read further ones as properties of aliases."""
    return _SHORT_IFUNC if version < _LOCAL_IFUNC.since else None


def older_linkage(value: GlobalValue, losses: Losses) -> Linkage:
    """Return how a global is linked in a version."""
    linkage = value.linkage
    is_lowered = linkage is Linkage.PRIVATE and losses.version < _PRIVATE_COMDAT.since
    if is_lowered and isinstance(value, GlobalObject) and value.comdat is not None:
        losses.add(_PRIVATE_COMDAT, value.name)
        return Linkage.INTERNAL
    return linkage


def older_attachments(
    value: GlobalObject, attached: list[tuple[str, MDNode]], losses: Losses
) -> list[tuple[str, MDNode]]:
    """Return the metadata that a version has attached to a global without a body."""
    if not isinstance(value, Function) or losses.version >= _ATTACHED_TO_DECLARATION.since:
        return attached
    kept = [(kind, node) for kind, node in attached if kind != "dbg"]
    if len(kept) < len(attached):
        losses.add(_ATTACHED_TO_DECLARATION, value.name)
    return kept


_SHORT_IFUNC = GLOBAL_LAYOUTS[ModuleCode.IFUNC]._fields.index("dso_local")
_LOCAL_IFUNC = Construct("flag `dso_local` of an ifunc", 7, Way.DROP)
_PRIVATE_COMDAT = Construct("private global in a comdat", 10, Way.LOWER, "an internal one")
_ATTACHED_TO_DECLARATION = Construct("debug information of a declaration", 9, Way.DROP)


def _all_globals(module: Module) -> Iterable[GlobalValue]:
    return (*module.global_variables, *module.functions, *module.aliases, *module.ifuncs)


def _objects(module: Module) -> Iterable[GlobalObject]:
    return (*module.global_variables, *module.functions)


def _variables(module: Module) -> Iterable[GlobalVariable]:
    return module.global_variables


def _functions(module: Module) -> Iterable[Function]:
    return module.functions


_GLOBALS: dict[str, Callable[[Module], Iterable[GlobalValue]]] = {
    "GlobalValue": _all_globals,
    "GlobalObject": _objects,
    "GlobalVariable": _variables,
    "Function": _functions,
}


def _rows_of_fields() -> Iterator[GlobalConstruct]:
    for name in dict.fromkeys(field.construct for field in FIELDS if field.construct):
        fields = [field for field in FIELDS if field.construct == name]
        yield GlobalConstruct(Construct(name, fields[0].since, Way.DROP), _GLOBALS[fields[0].owner], _has_any(fields))


def _has_any(fields: list[GlobalField]) -> Callable[[GlobalValue], bool]:
    return lambda value: any(getattr(value, field.attribute) != field.initial for field in fields)


def _is_stated_local(ifunc: GlobalIFunc) -> bool:
    """Return whether `dso_local` does not follow from linkage or visibility."""
    return ifunc.is_dso_local and not ifunc.linkage.is_local and ifunc.visibility is Visibility.DEFAULT


def _use_of_address(function: Function) -> User | None:
    """Return the first user, except direct calls, of the address of a function that moves to address space 0."""
    for use in function.uses if function.address_space else ():
        user = use.user
        if not isinstance(user, CallBase) or user.callee is not function or use.operand_number < user.argument_count:
            return user
    return None


ROWS: tuple[GlobalConstruct, ...] = (
    *_rows_of_fields(),
    GlobalConstruct(_LOCAL_IFUNC, lambda module: module.ifuncs, _is_stated_local),
    GlobalConstruct(
        Construct("function in an address space other than 0", 8, Way.LOWER, "a function in address space 0"),
        _functions,
        lambda function: function.address_space,
    ),
    GlobalConstruct(
        Construct("address of a function in an address space other than 0", 8, Way.REFUSE),
        _functions,
        _use_of_address,
    ),
)
"""All of them, in the order in which they are reported."""

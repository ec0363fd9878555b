"""Globals for older versions of LLVM: properties that these lack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.globals import IFuncRecord
from bitcodec.downgrade import constructs
from bitcodec.ir.instructions import CallBase
from bitcodec.tables.linkage import Visibility

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bitcodec.downgrade.constructs import Construct
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalIFunc, GlobalValue, GlobalVariable
    from bitcodec.ir.module import Module

__all__ = ["ifunc_length", "survey_globals"]

_SHORT_IFUNC = IFuncRecord._fields.index("dso_local")


def ifunc_length(version: int) -> int | None:
    """Return how many operands ifuncs have, None for all; LLVM 4 to 6 read further ones as properties of aliases."""
    return _SHORT_IFUNC if version < constructs.LOCAL_IFUNC.since else None


def survey_globals(module: Module, losses: Losses) -> None:
    """Look at properties of globals that are fields of their records.

    Args:
        module: the module.
        losses: receives what the version lacks.

    Raises:
        EncodingError: the module cannot be written for the version.
    """
    for construct, globals_of, has_it in _ROWS:
        if losses.version < construct.since:
            for value in globals_of(module):
                if has_it(value):
                    losses.add(construct, value.name)
    if losses.version < constructs.FUNCTION_SPACE.since:
        for function in module.functions:
            if function.address_space:
                _survey_uses(function, losses)


def _all_globals(module: Module) -> Iterable[GlobalValue]:
    return (*module.global_variables, *module.functions, *module.aliases, *module.ifuncs)


def _has_sanitizer_flags(variable: GlobalVariable) -> bool:
    return (
        variable.no_sanitize_address
        or variable.no_sanitize_hwaddress
        or variable.sanitize_memtag
        or variable.sanitize_address_dyninit
    )


def _is_stated_local(ifunc: GlobalIFunc) -> bool:
    """Return whether `dso_local` does not follow from linkage or visibility."""
    return ifunc.is_dso_local and not ifunc.linkage.is_local and ifunc.visibility is Visibility.DEFAULT


_ROWS: tuple[tuple[Construct, Callable[[Module], Iterable[GlobalValue]], Callable[[Any], object]], ...] = (
    (constructs.PARTITION, _all_globals, lambda value: value.partition),
    (constructs.CODE_MODEL, lambda module: module.global_variables, lambda variable: variable.code_model is not None),
    (constructs.SANITIZER, lambda module: module.global_variables, _has_sanitizer_flags),
    (constructs.PREFERRED_ALIGNMENT, lambda module: module.functions, lambda function: function.preferred_alignment),
    (constructs.LOCAL_IFUNC, lambda module: module.ifuncs, _is_stated_local),
)
"""Constructs, the globals that may have them, and whether one has it."""


def _survey_uses(function: Function, losses: Losses) -> None:
    """Refuse a function that moves to address space 0 if anything else than direct calls depends on its address."""
    losses.add(constructs.FUNCTION_SPACE, function.name)
    for use in function.uses:
        user = use.user
        if not isinstance(user, CallBase) or user.callee is not function or use.operand_number < user.argument_count:
            losses.add(constructs.FUNCTION_ADDRESS, function.name, user)

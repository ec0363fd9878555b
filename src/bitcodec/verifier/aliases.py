"""Rules of aliases, ifuncs and comdats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constant_expressions import ConstantExpr
from bitcodec.ir.constants import ConstantWithOperands
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalValue
from bitcodec.ir.type_properties import is_pointer
from bitcodec.tables.linkage import Linkage
from bitcodec.verifier.callees import is_interposable
from bitcodec.verifier.constants import check_constant
from bitcodec.verifier.globals import check_global, is_linked_declaration
from bitcodec.verifier.rules import first_broken

if TYPE_CHECKING:
    from bitcodec.ir.globals import Comdat, GlobalIFunc
    from bitcodec.ir.values import Value
    from bitcodec.verifier.rules import Rules
    from bitcodec.verifier.verifier import Verifier

__all__ = ["check_alias", "check_comdat", "check_ifunc"]

_REPLACING = {
    Linkage.EXTERNAL,
    Linkage.INTERNAL,
    Linkage.PRIVATE,
    Linkage.LINKONCE,
    Linkage.LINKONCE_ODR,
    Linkage.WEAK,
    Linkage.WEAK_ODR,
}

_ALIAS: Rules = (
    (
        (
            "Alias should have private, internal, linkonce, weak, linkonce_odr, weak_odr, external, or "
            "available_externally linkage!"
        ),
        lambda alias: alias.linkage in _REPLACING or alias.linkage is Linkage.AVAILABLE_EXTERNALLY,
    ),
    ("Aliasee cannot be NULL!", lambda alias: alias.operands),
    ("Alias and aliasee types should match!", lambda alias: alias.type is alias.aliasee.type),
    (
        "Aliasee should be either GlobalValue or ConstantExpr",
        lambda alias: isinstance(alias.aliasee, (GlobalValue, ConstantExpr)),
    ),
)
_IFUNC: Rules = (
    (
        "IFunc should have private, internal, linkonce, weak, linkonce_odr, weak_odr, or external linkage!",
        lambda ifunc, _: ifunc.linkage in _REPLACING,
    ),
    ("IFunc must have a Function resolver", lambda *both: _resolver(*both) is not None),
    (
        "IFunc resolver must be a definition",
        lambda *both: not is_linked_declaration(_resolver(*both)),
    ),
    (
        "IFunc resolver must return a pointer",
        lambda *both: is_pointer(_resolver(*both).return_type),
    ),
    (
        "IFunc resolver has incorrect type",
        lambda ifunc, _: is_pointer(ifunc.resolver.type) and ifunc.resolver.type.address_space == ifunc.address_space,
    ),
)


def _resolver(ifunc: GlobalIFunc, verifier: Verifier) -> Any:
    """Return the function that chooses, through aliases and casts; None without one."""
    found = verifier.bases.of(ifunc.resolver) if ifunc.operands else None
    return found if isinstance(found, Function) else None


def check_alias(alias: GlobalAlias, verifier: Verifier) -> None:
    """Check an alias and its aliasee."""
    verifier.where = alias
    problem = first_broken(_ALIAS, alias) or _aliasee_problem(alias, verifier)
    if problem is not None:
        verifier.report(problem, alias)
    else:
        check_constant(alias.aliasee, alias, verifier)
        check_global(alias, verifier)


def _aliasee_problem(alias: GlobalAlias, verifier: Verifier) -> str | None:
    """Return the error in the globals that an alias refers to, directly or through others; they may form cycles."""
    if alias.linkage is Linkage.AVAILABLE_EXTERNALLY:
        aliasee = alias.aliasee
        is_available = isinstance(aliasee, GlobalValue) and aliasee.linkage is Linkage.AVAILABLE_EXTERNALLY
        return None if is_available else "available_externally alias must point to available_externally global value"
    known = verifier.aliasee_problems
    seen: set[Value] = {alias}
    pending: list[Value] = [alias.aliasee]
    problem, is_chain = None, True
    while pending and problem is None:
        current = pending.pop()
        if current in known:
            problem = known[current]
            continue
        problem = _part_problem(current, seen, verifier)
        if isinstance(current, (GlobalAlias, ConstantWithOperands)) and current not in seen:
            # An alias behind an alias is skipped, as in LLVM: it is looked at on its own account.
            pending += (part.aliasee if isinstance(part, GlobalAlias) else part for part in current.operands)
            is_chain = is_chain and len(current.operands) == 1
        seen.add(current)
    if problem is None or is_chain:
        known.update(dict.fromkeys(seen - {alias}, problem))
    return problem


def _part_problem(part: Value, seen: set[Value], verifier: Verifier) -> str | None:
    """Return the error in one part of the aliasee of an alias, None if it is valid."""
    if isinstance(part, GlobalValue) and is_linked_declaration(part):
        return "Alias must point to a definition"
    if isinstance(part, GlobalAlias) and part in seen:
        return "Aliases cannot form a cycle"
    if isinstance(part, GlobalAlias) and is_interposable(part, verifier):
        return "Alias cannot point to an interposable alias"
    return None


def check_ifunc(ifunc: GlobalIFunc, verifier: Verifier) -> None:
    """Check an ifunc and the function that chooses for it."""
    verifier.where = ifunc
    check_global(ifunc, verifier)
    for kind, node in ifunc.metadata.items():
        if kind in _NOT_ON_IFUNC:
            verifier.report(f"an ifunc may not have a !{kind} attachment", ifunc)
            return
        verifier.metadata.visit(node, with_locations=False)
    problem = first_broken(_IFUNC, ifunc, verifier)
    if problem is not None:
        verifier.report(problem, ifunc)


_NOT_ON_IFUNC = ("dbg", "prof")
"""Kinds of attachments."""


def check_comdat(comdat: Comdat, verifier: Verifier) -> None:
    """Check a comdat: in COFF its name must be the name of a symbol."""
    verifier.where = comdat
    value = verifier.module.get(comdat.name)
    is_private = value is not None and value.linkage is Linkage.PRIVATE
    if is_private and _has_coff_symbols(verifier.module.target_triple):
        verifier.report("comdat global value has private linkage", value)


def _has_coff_symbols(triple: str) -> bool:
    parts = triple.split("-")
    system = parts[2] if len(parts) > 2 else ""
    if len(parts) > 3 and parts[-1] in {"elf", "macho", "wasm", "coff", "xcoff"}:
        return parts[-1] == "coff"
    return system.startswith(("windows", "win32", "uefi", "cygwin", "mingw32"))

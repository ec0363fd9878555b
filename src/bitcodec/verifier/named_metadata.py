"""Rules of named metadata, and of the compile units that a module has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.debug_info import DICompileUnit
from bitcodec.ir.metadata import MDString
from bitcodec.verifier.rules import first_broken
from bitcodec.verifier.tbaa import access_problems

if TYPE_CHECKING:
    from bitcodec.ir.metadata import NamedMetadata
    from bitcodec.verifier.rules import Rules
    from bitcodec.verifier.verifier import Verifier

__all__ = ["UNIT_NOT_LISTED", "check_entries", "check_named_metadata", "check_tags_of_errno", "check_units"]

_UNITS = "llvm.dbg.cu"
UNIT_NOT_LISTED = "DICompileUnit not listed in llvm.dbg.cu"
"""Not reported where modules share types of debug information, which may be of another module's unit."""
_ERRNO = "llvm.errno.tbaa"


def _strings(name: str) -> Rules:
    """Return the rules of entries that consist of one string."""
    return (
        (f"incorrect number of operands in {name} metadata", lambda node: len(node.operands) == 1),
        (
            f"invalid value for {name} metadata entry operand(the operand should be a string)",
            lambda node: isinstance(node.operands[0], MDString),
            lambda node: (node.operands[0],),
        ),
    )


_ENTRIES: dict[str, Rules] = {
    "llvm.ident": _strings("llvm.ident"),
    "llvm.commandline": _strings("llvm.commandline"),
}
_UNKNOWN = "unrecognized named metadata node in the llvm.dbg namespace"


def check_named_metadata(named: NamedMetadata, verifier: Verifier) -> None:
    """Check the nodes of named metadata, and everything that they refer to."""
    verifier.where = named
    if named.name.startswith("llvm.dbg.") and named.name != _UNITS:
        verifier.report(_UNKNOWN, named, is_debug_info=True)
        return
    for node in named.operands:
        if named.name == _UNITS and not isinstance(node, DICompileUnit):
            verifier.report("invalid compile unit", named, node, is_debug_info=True)
            return
        verifier.metadata.visit(node, with_locations=True)


def check_entries(verifier: Verifier) -> None:
    """Check the entries of named metadata that consist of strings, after all other metadata."""
    entry: Any
    for name, rules in _ENTRIES.items():
        named = verifier.module.named_metadata.get(name)
        if named is None:
            continue
        verifier.where = named
        for entry in named.operands:
            problem = first_broken(rules, entry)
            if problem is not None:
                verifier.report(problem, entry)
                break


def check_tags_of_errno(verifier: Verifier) -> None:
    """Check the `!tbaa` tags of accesses to `errno`."""
    named = verifier.module.named_metadata.get(_ERRNO)
    if named is None:
        return
    verifier.where = named
    if not named.operands:
        verifier.report(f"{_ERRNO} must have at least one operand", named)
    for tag in named.operands:
        for problem in access_problems(None, tag, verifier.tbaa_types):
            verifier.report(problem, tag)


def check_units(verifier: Verifier) -> None:
    """Check that all compile units that were visited are listed."""
    verifier.where = verifier.module
    named = verifier.module.named_metadata.get(_UNITS)
    listed = set(named.operands) if named is not None else set()
    for unit in verifier.metadata.units:
        if unit not in listed:
            verifier.report(UNIT_NOT_LISTED, unit, is_debug_info=True)
            return

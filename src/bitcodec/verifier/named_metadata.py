"""Rules of named metadata, and of the compile units that a module has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.debug_info import DICompileUnit
from bitcodec.ir.metadata import MDString
from bitcodec.verifier.rules import first_broken
from bitcodec.verifier.tbaa import tag_problem

if TYPE_CHECKING:
    from bitcodec.ir.metadata import NamedMetadata
    from bitcodec.verifier.rules import Rules
    from bitcodec.verifier.verifier import Verifier

__all__ = ["check_named_metadata", "check_tags_of_errno", "check_units"]

_UNITS = "llvm.dbg.cu"
_ERRNO = "llvm.errno.tbaa"


def _strings(name: str) -> Rules:
    """Return the rules of entries that consist of one string."""
    return (
        (f"incorrect number of operands in {name} metadata", lambda node: len(node.operands) == 1),
        (
            f"invalid value for {name} metadata entry operand(the operand should be a string)",
            lambda node: isinstance(node.operands[0], MDString),
        ),
    )


_ENTRIES: dict[str, Rules] = {
    "llvm.ident": _strings("llvm.ident"),
    "llvm.commandline": _strings("llvm.commandline"),
}
_NAMED: Rules = (
    (
        "unrecognized named metadata node in the llvm.dbg namespace",
        lambda named: not named.name.startswith("llvm.dbg.") or named.name == _UNITS,
    ),
    (
        "invalid compile unit",
        lambda named: named.name != _UNITS or all(isinstance(node, DICompileUnit) for node in named.operands),
    ),
)


def check_named_metadata(named: NamedMetadata, verifier: Verifier) -> None:
    """Check the nodes of named metadata, and everything that they refer to."""
    verifier.where = named
    problem = first_broken(_NAMED, named)
    if problem is not None:
        verifier.report(problem, named)
        return
    for node in named.operands:
        verifier.metadata.visit(node, with_locations=True)
    entry: Any
    for entry in named.operands if named.name in _ENTRIES else ():
        problem = first_broken(_ENTRIES[named.name], entry)
        if problem is not None:
            verifier.report(problem, entry)
            return


def check_tags_of_errno(verifier: Verifier) -> None:
    """Check the `!tbaa` tags of accesses to `errno`."""
    named = verifier.module.named_metadata.get(_ERRNO)
    if named is None:
        return
    verifier.where = named
    if not named.operands:
        verifier.report(f"{_ERRNO} must have at least one operand", named)
    for tag in named.operands:
        problem = tag_problem(tag, verifier.tbaa_types)
        if problem is not None:
            verifier.report(problem, tag)


def check_units(verifier: Verifier) -> None:
    """Check that all compile units that were met are listed."""
    verifier.where = verifier.module
    named = verifier.module.named_metadata.get(_UNITS)
    listed = set(named.operands) if named is not None else set()
    for unit in verifier.metadata.units:
        if unit not in listed:
            verifier.report("DICompileUnit not listed in llvm.dbg.cu", unit)
            return

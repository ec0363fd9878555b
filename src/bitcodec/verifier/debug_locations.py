# cython: language_level=3, annotation_typing=False
"""Rules of debug locations: each belongs to the subprogram of the function that it stands in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bitcodec.ir.debug_info import DILexicalBlock, DILexicalBlockFile, DILocalScope, DILocation, DISubprogram

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import Operand
    from bitcodec.verifier.reporter import Reporter

    class _Verifier(Reporter, Protocol):
        """What the rules of locations require of the verifier."""

        scopes: Scopes

        def subprogram_of(self, function: Function) -> DISubprogram | None: ...


__all__ = ["Scopes", "check_locations"]


_ATOM_WITHOUT_KEY_INSTRUCTIONS = "DbgLoc uses atomGroup but DISubprogram doesn't have Key Instructions enabled"


class Scopes:
    """Tells which subprogram scopes and locations belong to; chains of them are gone through once."""

    def __init__(self) -> None:
        self._subprograms: dict[Operand, DISubprogram | None] = {}
        self._outermost: dict[DILocation, DILocation] = {}

    def subprogram_of(self, scope: Operand) -> DISubprogram | None:
        """Return the subprogram that a local scope is in, None if its chain of scopes is broken or a circle."""
        known, path = self._subprograms, []
        while scope not in known and isinstance(scope, (DILexicalBlock, DILexicalBlockFile)):
            known[scope] = None  # what a circle comes back to
            path.append(scope)
            scope = scope.scope
        found = scope if isinstance(scope, DISubprogram) else known.get(scope)
        known.update(dict.fromkeys(path, found))
        return found

    def outermost(self, location: DILocation) -> DILocation:
        """Return the location in the function itself that something was inlined at; in a circle, any of it."""
        known, path = self._outermost, []
        while location not in known and isinstance(location.inlined_at, DILocation):
            known[location] = location  # what a circle comes back to
            path.append(location)
            location = location.inlined_at
        found = known.get(location, location)
        known.update(dict.fromkeys(path, found))
        return found


def check_locations(function: Function, verifier: _Verifier) -> None:
    """Check the debug locations of a function that has debug information, until one is wrong."""
    subprogram = verifier.subprogram_of(function)
    if subprogram is None:
        return
    scopes = verifier.scopes
    seen: set[Operand] = set()
    checked: set[tuple[Operand, Operand]] = set()
    for instruction in function.instructions:
        location = instruction.debug_location
        if isinstance(location, DILocation) and location.atom_group and not _has_known_atom(location, scopes):
            verifier.report(_ATOM_WITHOUT_KEY_INSTRUCTIONS, instruction)
        for found in _locations(instruction, location):
            if not isinstance(found, DILocation):
                continue
            place = found.scope, found.inlined_at
            if place in checked or found in seen:
                continue
            problem = _problem(found, subprogram, seen, scopes)
            if problem is not None:
                verifier.report(problem, instruction)
                return
            checked.add(place)


def _locations(instruction: Instruction, location: Operand) -> tuple[Operand, ...]:
    """Return the location of an instruction, and what may be those of the loop it goes round."""
    if not instruction._attachments:  # noqa: SLF001 - `metadata` would make a mapping for each instruction
        return (location,)
    loop = instruction.metadata.get("llvm.loop")
    return (location,) if loop is None else (location, *loop.operands[1:])


def _problem(location: DILocation, subprogram: DISubprogram, seen: set[Operand], scopes: Scopes) -> str | None:
    if not isinstance(location.scope, DILocalScope):
        return "DILocation's scope must be a DILocalScope"
    scope = scopes.outermost(location).scope
    found = scopes.subprogram_of(scope)
    is_known = scope in seen or found is None or (found is not scope and found in seen)
    seen.update((scope, found))
    if is_known:
        return None  # a broken chain of scopes is told of the scope
    if found is not subprogram:
        return "!dbg attachment points at wrong subprogram for function"
    return None


def _has_known_atom(location: DILocation, scopes: Scopes) -> bool:
    """Return whether a location in an atom is one of a subprogram that has them."""
    own = scopes.subprogram_of(location.scope)
    return own is None or own.key_instructions

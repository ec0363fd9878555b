# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Rules of debug locations: each belongs to the subprogram of the function that contains it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from bitcodec.ir.construction import present
from bitcodec.ir.debug_info import DILexicalBlock, DILexicalBlockFile, DILocalScope, DILocation, DISubprogram
from bitcodec.ir.lazy import Deferred
from bitcodec.ir.metadata import content_of
from bitcodec.verifier.rules import Problem

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.metadata import Operand
    from bitcodec.verifier.reporter import Reporter

    class _Verifier(Reporter, Protocol):
        """Interface of the verifier that the rules of locations use."""

        scopes: SubprogramScopes
        has_broken_debug_info: bool

        def subprogram_of(self, function: Function) -> DISubprogram | None: ...


__all__ = ["SubprogramScopes", "check_locations"]


_PLACES = {name: place for place, name in enumerate(DILocation.__match_args__)}
_SCOPE, _INLINED_AT = _PLACES["scope"], _PLACES["inlined_at"]


class SubprogramScopes:
    """Finds the subprograms of scopes and locations; follows each chain of scopes once."""

    __slots__ = ("_outermost", "_subprograms")

    def __init__(self) -> None:
        self._subprograms: dict[Operand, DISubprogram | None] = {}
        self._outermost: dict[DILocation, DILocation] = {}

    def subprogram_of(self, scope: Operand) -> DISubprogram | None:
        """Return the subprogram that a local scope is in, None if its chain of scopes is broken or a circle."""
        known = self._subprograms
        if scope in known:
            return known[scope]
        path: list[Operand] = []
        while scope not in known and isinstance(scope, (DILexicalBlock, DILexicalBlockFile)):
            known[scope] = None  # what a circle comes back to
            path.append(scope)
            scope = scope.scope
        found = scope if isinstance(scope, DISubprogram) else known.get(scope)
        known.update(dict.fromkeys(path, found))
        return found

    def outermost(self, location: DILocation) -> DILocation:
        """Return the location in the function itself that something was inlined at; in a circle, any of it."""
        if content_of(location)[_INLINED_AT] is None:
            return location
        known = self._outermost
        path: list[DILocation] = []
        while location not in known:
            outer = content_of(location)[_INLINED_AT]
            if not isinstance(outer, DILocation):
                break
            known[location] = location  # what a circle comes back to
            path.append(location)
            location = outer
        found = known.get(location, location)
        for each in path:
            known[each] = found
        return found


class _Locations:
    """The debug locations of a function that has debug information.

    Attributes:
        _passed: locations without problems.
        _seen: the scopes and subprograms that have been looked at.
        _checked: pairs of a scope and a place of inlining that have been.
    """

    __slots__ = ("_checked", "_passed", "_scopes", "_seen", "_subprogram", "_verifier")

    def __init__(self, subprogram: DISubprogram, verifier: _Verifier) -> None:
        self._subprogram = subprogram
        self._verifier = verifier
        self._scopes = verifier.scopes
        self._passed: set[Operand] = set()
        self._seen: set[Operand] = set()
        self._checked: set[tuple[Operand, Operand]] = set()

    def check_block(self, instructions: tuple[Instruction, ...]) -> bool:
        """Check instructions until a location is wrong; return whether none is."""
        previous: object = None
        for instruction in instructions:
            location: Any = present.present_location(instruction)
            if location is not None and location is not previous and location not in self._passed:
                if isinstance(location, Deferred):
                    location = instruction.debug_location
                if isinstance(location, DILocation) and not self._check_own(instruction, location):
                    return False
            elif location is not None:
                previous = location
            if present.has_attachments(instruction) and not self._check_loop(instruction):
                return False
        return True

    def _check_own(self, instruction: Instruction, location: DILocation) -> bool:
        """Check the location of an instruction; return whether those behind it are to be checked."""
        content = content_of(location)
        if not self._check(instruction, location, content):
            return False
        self._passed.add(location)
        return True

    def _check_loop(self, instruction: Instruction) -> bool:
        """Check the operands of a loop's metadata that may be its locations; return whether they are valid."""
        loop = instruction.metadata.get("llvm.loop")
        for location in () if loop is None else loop.operands[1:]:
            if isinstance(location, DILocation) and not self._check(instruction, location, content_of(location)):
                return False
        return True

    def _check(self, instruction: Instruction, location: DILocation, content: tuple[Any, ...]) -> bool:
        """Report the error in a location; return whether it is valid."""
        place = content[_SCOPE], content[_INLINED_AT]
        if place in self._checked or location in self._seen:
            return True
        problem = self._problem(instruction, location, content[_SCOPE])
        if problem is not None:
            self._verifier.report(problem, instruction, is_debug_info=True)
            return False
        self._checked.add(place)
        return True

    def _problem(self, instruction: Instruction, location: DILocation, scope: Operand) -> Problem | None:
        place = self._subprogram, instruction.function, instruction, location
        if not isinstance(scope, DILocalScope):
            return Problem("DILocation's scope must be a DILocalScope", *place, scope)
        scope = content_of(self._scopes.outermost(location))[_SCOPE]
        found = self._scopes.subprogram_of(scope)
        is_known = scope in self._seen or found is None or (found is not scope and found in self._seen)
        self._seen.add(scope)
        self._seen.add(found)
        if is_known:
            return None  # a broken chain of scopes is reported of the scope
        if found is not self._subprogram:
            return Problem("!dbg attachment points at wrong subprogram for function", *place, scope, found)
        return None


def check_locations(function: Function, verifier: _Verifier) -> None:
    """Check the debug locations of a function that has debug information, until one is wrong."""
    subprogram = verifier.subprogram_of(function)
    if subprogram is None:
        return
    locations = _Locations(subprogram, verifier)
    if verifier.has_broken_debug_info:
        # LLVM asks this after each instruction.
        for block in function.blocks[:1]:
            locations.check_block(block.instructions[:1])
        return
    for block in function.blocks:
        if not locations.check_block(block.instructions):
            return

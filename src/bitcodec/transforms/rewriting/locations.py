"""Source location of an instruction that replaces two, or that was moved.

Rules: `DILocation::getMergedLocation` and `Instruction::dropLocation` of LLVM 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from bitcodec.ir.debug_info import DILexicalBlock, DILexicalBlockFile, DILocalScope, DILocation, DISubprogram
from bitcodec.ir.instructions import CallBase
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.context import Context
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import Metadata, Operand

__all__ = ["dropped_location", "merged_location"]

_Scope: TypeAlias = "DILexicalBlock | DILexicalBlockFile | DISubprogram"
_LOCAL = (DILexicalBlock, DILexicalBlockFile, DISubprogram)


_RUNTIME_CALLS = "llvm.objc."
"""Prefix of intrinsics that may become calls of functions."""


def dropped_location(instruction: Instruction) -> DILocation | None:
    """Return the location of an instruction whose location no longer applies.

    It is None; but a call gets line 0 of its function, because inlined code needs a scope.
    """
    function, module = instruction.function, instruction.module
    if instruction.debug_location is None or function is None or module is None or not _is_call(instruction):
        return None
    subprogram = function.subprogram
    return None if subprogram is None else module.context.metadata.unique(DILocation(scope=subprogram))


def _is_call(instruction: Instruction) -> bool:
    """Return whether an instruction calls a function, or may."""
    if not isinstance(instruction, CallBase):
        return False
    callee = instruction.called_function
    return callee is None or not callee.is_intrinsic or callee.name.startswith(_RUNTIME_CALLS)


def merged_location(first: DILocation | None, second: DILocation | None, context: Context) -> DILocation | None:
    """Return a location that is true of both instructions: their common scope, their line if they have the same.

    None if one of them is not known.
    """
    if first is second or first is None or second is None:
        return first if first is second else None
    ours, theirs = list(_inlined(first)), list(_inlined(second))
    start = _common_start(ours, theirs)
    merged: DILocation | None = None
    if start is not None:
        merged = _inlined_at(ours[start[0]])
        for our, their in zip(ours[start[0] :: -1], theirs[start[1] :: -1], strict=False):
            keeps_atoms = merged is _inlined_at(first) is _inlined_at(second)
            found = _Merger(our, their, merged, context).location(keeps_atoms=keeps_atoms)
            if found is None:
                break
            merged = found
    return merged or context.metadata.unique(DILocation(scope=first.scope))


class _Merger(NamedTuple):
    """Makes one location of two that are inlined at the same place.

    Attributes:
        inlined_at: the place, None if they are not inlined.
    """

    first: DILocation
    second: DILocation
    inlined_at: DILocation | None
    context: Context

    def location(self, *, keeps_atoms: bool) -> DILocation | None:
        """Return the location, None if the two are of different subprograms."""
        first, second = self.first, self.second
        if first is second:
            return self._made(first.line, first.column, first.scope, first.atom_group, first.atom_rank)
        if _subprogram(first) is not _subprogram(second):
            return None
        scope = next((each for each in _scopes(second) if each in set(_scopes(first))), None)
        if scope is None:
            return None
        if not (_file(scope) is _file(first.scope) is _file(second.scope)):
            including, place = self._common_place(scope)
            if including is not None:
                scope = including
            if not (_file(scope) is _file(first.scope) is _file(second.scope)):
                return self._made(*place, scope, is_implicit_code=False)
        if first.line != second.line:
            return self._made(0, 0, scope)
        column = first.column if first.column == second.column else 0
        return self._made(first.line, column, scope, *self._atom(keeps_atoms=keeps_atoms))

    def _made(
        self,
        line: int,
        column: int,
        scope: DILocalScope,
        group: int = 0,
        rank: int = 0,
        *,
        is_implicit_code: bool = True,
    ) -> DILocation:
        is_implicit_code = is_implicit_code and self.first.is_implicit_code and self.second.is_implicit_code
        return self.context.metadata.unique(
            DILocation(
                line=line,
                column=column,
                scope=scope,
                inlined_at=self.inlined_at,
                is_implicit_code=is_implicit_code,
                atom_group=group,
                atom_rank=rank,
            )
        )

    def _common_place(self, scope: _Scope) -> tuple[_Scope | None, tuple[int, int]]:
        """Return where text was included that both come from, if it was, and the scope around that."""
        known: dict[tuple[Operand, tuple[int, int]], list[_Scope]] = {}
        for each, place in _places(self.first):
            known.setdefault((_file(each), place), []).append(each)
        for each, place in _places(self.second):
            matching = known.get((_file(each), place))
            if matching:
                found = each if each in matching else matching[0]
                if isinstance(found, (DILexicalBlock, DILexicalBlockFile)) and found is not scope:
                    found = self._in_scope(found, scope)
                return found, place
        return None, (self.second.line, self.second.column)

    def _in_scope(self, block: DILexicalBlock | DILexicalBlockFile, scope: _Scope) -> _Scope:
        """Return a block as one of another scope."""
        content = dict(zip(block.defaults, block.key(), strict=True)) | {"scope": scope}
        return self.context.metadata.unique(type(block)(**content))

    def _atom(self, *, keeps_atoms: bool) -> tuple[int, int]:
        """Return group and rank of the source atom: the lower of both, or new ones if inlining differs."""
        first, second = self.first, self.second
        if not first.atom_group and not second.atom_group:
            return 0, 0
        if not keeps_atoms:
            known = self.context.metadata.nodes(DILocation).values()
            return 1 + max(each.atom_group for each in (first, second, *known)), 1
        ranked = ((each.atom_rank or _LAST, each.atom_group or _LAST, each) for each in (first, second))
        chosen = min(ranked, key=lambda found: found[:2])[2]
        return chosen.atom_group, chosen.atom_rank


_LAST = 1 << 64
"""More than any group or rank: none comes last."""


def _inlined_at(location: DILocation) -> DILocation | None:
    return location.inlined_at if isinstance(location.inlined_at, DILocation) else None


def _inlined(location: DILocation) -> Iterator[DILocation]:
    """Yield a location, where that was inlined, and so on."""
    seen: set[DILocation] = set()
    found: DILocation | None = location
    while found is not None and found not in seen:
        seen.add(found)
        yield found
        found = _inlined_at(found)


def _common_start(ours: list[DILocation], theirs: list[DILocation]) -> tuple[int, int] | None:
    """Return the places of the first locations that are of one subprogram, inlined at one place; None if none are."""
    known: dict[tuple[object, ...], int] = {}
    for place, location in enumerate(ours):
        known.setdefault((_subprogram(location), _inlined_at(location)), place)
    for place, location in enumerate(theirs):
        found = known.get((_subprogram(location), _inlined_at(location)))
        if found is not None:
            return found, place
    return None


def _scopes(location: DILocation) -> Iterator[_Scope]:
    """Yield the scopes around a location, innermost first, its subprogram last."""
    seen: set[Metadata] = set()
    scope: Metadata | None = location.scope
    while isinstance(scope, _LOCAL) and scope not in seen:
        seen.add(scope)
        yield scope
        scope = None if isinstance(scope, DISubprogram) else scope.scope


def _places(location: DILocation) -> Iterator[tuple[_Scope, tuple[int, int]]]:
    """Yield the scopes around a location, each with its line and column."""
    place = location.line, location.column
    for scope in _scopes(location):
        if isinstance(scope, DILexicalBlock):
            place = scope.line, scope.column
        elif isinstance(scope, DISubprogram):
            place = scope.line, 0
        yield scope, place


def _subprogram(location: DILocation) -> DISubprogram | None:
    return next((scope for scope in _scopes(location) if isinstance(scope, DISubprogram)), None)


def _file(scope: Metadata | None) -> Operand:
    return scope.file if isinstance(scope, _LOCAL) else None

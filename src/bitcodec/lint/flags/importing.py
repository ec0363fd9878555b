"""Imports between ThinLTO modules: LLVM 22's decisions, from the summaries of the modules.

Rules: LLVM 22's function importing with its default limits: 100 instructions, 0.7 of that for each call further away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.summary import AliasSummary, FunctionSummary, GlobalVarSummary
from bitcodec.tables.linkage import Linkage
from bitcodec.tables.summaries import FunctionFlag, Hotness, SummaryFlag, VariableFlag

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.ir.summary import GlobalValueSummary, ModuleSummaryIndex, ValueInfo

__all__ = ["import_sources"]

_LIMIT = 100.0
_FURTHER = 0.7
"""Factor of the limit for calls by imported functions, unless these are hot."""
_MULTIPLIERS = {Hotness.HOT: 10.0, Hotness.CRITICAL: 100.0, Hotness.COLD: 0.0}
_INTERPOSABLE = {Linkage.WEAK, Linkage.LINKONCE, Linkage.COMMON, Linkage.EXTERN_WEAK}


class _Definition:
    """A global that a module defines."""

    __slots__ = ("module", "summary")

    def __init__(self, module: int, summary: GlobalValueSummary) -> None:
        self.module = module
        self.summary = summary


class _Program:
    """The definitions of all modules, by GUID and in order."""

    def __init__(self, indexes: Sequence[ModuleSummaryIndex]) -> None:
        self.definitions: dict[int, list[_Definition]] = {}
        self.by_module: list[dict[int, GlobalValueSummary]] = []
        for number, index in enumerate(indexes):
            own: dict[int, GlobalValueSummary] = {}
            for value in index.values.values():
                for summary in value.summaries:
                    own.setdefault(value.guid, summary)
                    self.definitions.setdefault(value.guid, []).append(_Definition(number, summary))
            self.by_module.append(own)


def import_sources(indexes: Sequence[ModuleSummaryIndex]) -> list[set[int]]:
    """Return for each module the numbers of the modules that it imports from, if the linker keeps every symbol.

    Linkers that remove unused symbols import from no more modules.

    Args:
        indexes: the summaries of the modules, in the order in which they are linked.
    """
    program = _Program(indexes)
    return [_sources_of(number, program) for number in range(len(indexes))]


def _sources_of(number: int, program: _Program) -> set[int]:
    own = program.by_module[number]
    sources: set[int] = set()
    limits: dict[int, float] = {}
    chosen: dict[int, FunctionSummary] = {}
    variables: set[int] = set()
    pending = [(base, _LIMIT) for summary in own.values() if isinstance(base := _base(summary), FunctionSummary)]
    while pending:
        function, limit = pending.pop()
        sources.update(_imported_variables(function, own, program, variables))
        for call in function.calls:
            guid = call.callee.guid
            allowed = limit * _MULTIPLIERS.get(call.hotness, 1.0)
            if guid in own or allowed <= limits.get(guid, -1.0):
                continue
            limits[guid] = allowed
            callee = chosen.get(guid)
            if callee is None:
                found = _callee(call.callee, allowed, number, program)
                if found is None:
                    continue
                sources.add(found[0])
                callee = chosen[guid] = found[1]
            pending.append((callee, limit if call.hotness is Hotness.HOT else limit * _FURTHER))
    return sources - {number}


def _base(summary: GlobalValueSummary) -> GlobalValueSummary | None:
    """Return the summary of an alias's aliasee, else the summary itself."""
    if not isinstance(summary, AliasSummary):
        return summary
    aliasee = summary.aliasee
    return None if aliasee is None else aliasee.summary_in(summary.module)


def _callee(value: ValueInfo, allowed: float, caller: int, program: _Program) -> tuple[int, FunctionSummary] | None:
    """Return the definition of a function that is imported, and its module; None if none is."""
    candidates = program.definitions.get(value.guid, [])
    for candidate in candidates:
        base = _base(candidate.summary)
        if not isinstance(base, FunctionSummary) or not _may_be_imported(candidate.summary, base):
            continue
        if base.flags.linkage.is_local and len(candidates) > 1 and candidate.module != caller:
            continue
        flags = base.function_flags
        is_small = int(base.instruction_count) <= int(allowed) or FunctionFlag.ALWAYS_INLINE in flags
        if is_small and FunctionFlag.NO_INLINE not in flags:
            return candidate.module, base
    return None


def _may_be_imported(summary: GlobalValueSummary, base: GlobalValueSummary) -> bool:
    return summary.flags.linkage not in _INTERPOSABLE and SummaryFlag.NOT_ELIGIBLE_TO_IMPORT not in base.flags.flags


def _imported_variables(
    user: GlobalValueSummary, own: dict[int, GlobalValueSummary], program: _Program, seen: set[int]
) -> Iterator[int]:
    """Yield the modules of variables that are imported because something refers to them."""
    pending = [user]
    while pending:
        for reference in pending.pop().references:
            guid = reference.value.guid
            if guid in own or guid in seen:
                continue
            seen.add(guid)
            found = next((each for each in program.definitions.get(guid, []) if _is_importable_variable(each)), None)
            if found is not None:
                yield found.module
                pending.append(found.summary)


def _is_importable_variable(definition: _Definition) -> bool:
    variable = definition.summary
    if not isinstance(variable, GlobalVarSummary) or not _may_be_imported(variable, variable):
        return False
    return not variable.references or VariableFlag.CONSTANT in variable.variable_flags

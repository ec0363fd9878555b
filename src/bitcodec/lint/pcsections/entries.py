"""Checks of the entries of PC sections: PCs against code, entries against each other."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from itertools import islice
from operator import lt
from typing import TYPE_CHECKING

from bitcodec.errors import ContainerError
from bitcodec.ir import Linkage
from bitcodec.lint.pcsections.sections import version_of
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.machine_code.encodings import Coding, coding_of
from bitcodec.pcsections.machine_code.starts import misplaced
from bitcodec.pcsections.metadata.selecting import has_code
from bitcodec.pcsections.objects.code_ranges import CodeRanges

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitcodec.containers.elf_file import Section
    from bitcodec.ir.module import Module
    from bitcodec.lint.pcsections.inspected import Inspected
    from bitcodec.pcsections.decoding.columns import EntryColumns
    from bitcodec.pcsections.decoding.sections import DecodedSection

__all__ = ["ProblemEntries", "duplicates", "misplaced_pcs", "outside_functions", "uncovered_functions"]

_ATOMICS, _COVERED = "sanmd_atomics", "sanmd_covered"


class ProblemEntries(NamedTuple):
    """Entries of a section that have one problem.

    Attributes:
        section: the section.
        rows: of the entries, ascending.
        message: the error.
        subject: the function that it is about, "" if it is about the section.
    """

    section: DecodedSection
    rows: Sequence[int]
    message: str
    subject: str = ""


def outside_functions(inspected: Inspected) -> Iterator[ProblemEntries]:
    """PCs outside all functions, in a file that records where its functions are.

    Private functions have no symbol: their own entries, or lines of debug information, show that there is code.  If a
    module has such functions, PCs without a symbol may be theirs.
    """
    has_symbols = bool(len(inspected.code.starts)) and not any(map(_has_private, inspected.modules))
    private = _without_symbol(inspected)
    for _, section in inspected.sections:
        columns = section.columns
        if min(columns.function, default=0) >= 0:
            continue
        rows = [row for row, function in enumerate(columns.function) if function < 0]
        if not has_symbols:
            rows = [row for row in rows if inspected.code_section(columns.section[row], columns.pc[row]) is None]
        else:
            rows = [row for row in rows if not private.contain(columns.section[row], columns.pc[row])]
            rows = [row for row in rows if not inspected.has_line(columns.section[row], columns.pc[row])]
        if rows:
            yield ProblemEntries(section, rows, f"{_pcs(rows)} in no function")


def _has_private(module: Module) -> bool:
    """Return whether a module has functions that objects have no symbols of."""
    return any(each.linkage is Linkage.PRIVATE and has_code(each) for each in module.functions)


def _without_symbol(inspected: Inspected) -> CodeRanges:
    """Return the places of functions that have an entry, but no symbol."""
    found: dict[int | None, list[range]] = {}
    for _, section in inspected.sections:
        columns = section.columns
        if min(columns.function, default=0) >= 0:
            continue
        cells = zip(columns.section, columns.pc, columns.function, columns.size, strict=True)
        for index, pc, function, size in cells:
            if function < 0 and size:
                found.setdefault(index, []).append(range(pc, pc + size))
    return CodeRanges(found)


def misplaced_pcs(inspected: Inspected) -> Iterator[ProblemEntries]:
    """PCs at which no instruction begins."""
    coding = coding_of(inspected.file.header)
    if coding is Coding.UNKNOWN:
        return
    for _, section in inspected.sections:
        wrong = set(_misplaced(inspected, section.columns, coding))
        if wrong:
            cells = zip(section.columns.section, section.columns.pc, strict=True)
            rows = [row for row, cell in enumerate(cells) if cell in wrong]
            yield ProblemEntries(section, rows, f"{_pcs(rows)} within an instruction, not at the start of one")


def _misplaced(inspected: Inspected, columns: EntryColumns, coding: Coding) -> Iterator[tuple[int, int]]:
    """Yield section and PC where no instruction begins, of the functions that the PCs are in."""
    code = inspected.code
    is_big = inspected.file.header.byte_order == "big"
    for index, pcs in _by_section(columns).items():
        first, last = bisect_left(code.sections, index), bisect_left(code.sections, index + 1)
        for extent in range(first, last):
            start, end = code.starts[extent], code.ends[extent]
            low, high = bisect_left(pcs, start), bisect_left(pcs, end)
            # Code continues behind data within it, but nothing specifies where its next instruction begins.
            if low == high or code.entries[extent] != start:
                continue
            section = inspected.code_section(index, start)
            content = None if section is None else _content(inspected, section)
            if section is None or content is None:
                continue
            base = section.address if inspected.is_linked else 0
            places = array("Q", [pc - base for pc in pcs[low:high]])
            found = misplaced(content, start - base, end - base, places, coding, is_big)
            yield from ((index, pcs[low + row]) for row, is_wrong in enumerate(found) if is_wrong)


def _by_section(columns: EntryColumns) -> dict[int, array[int]]:
    """Return the PCs of each section of code, once each, ascending."""
    indices = set(columns.section)
    if len(indices) == 1:
        pcs = columns.pc if _ascend(columns.pc) else sorted(set(columns.pc))
        return {indices.pop(): array("Q", pcs)}
    found: dict[int, set[int]] = {}
    for index, pc in zip(columns.section, columns.pc, strict=True):
        found.setdefault(index, set()).add(pc)
    return {index: array("Q", sorted(pcs)) for index, pcs in found.items()}


def _ascend(numbers: Sequence[int]) -> bool:
    """Return whether numbers ascend, without two that are equal: most linkers keep entries in the order of the code."""
    return all(map(lt, numbers, islice(numbers, 1, None)))


def _content(inspected: Inspected, section: Section) -> memoryview | None:
    try:
        return inspected.file.content(section)
    except ContainerError:
        return None


def duplicates(inspected: Inspected) -> Iterator[ProblemEntries]:
    """Entries that are equal to an earlier one of their section."""
    for _, section in inspected.sections:
        columns = section.columns
        if len(set(columns.section)) <= 1 and _ascend(columns.pc):
            continue
        cells = list(zip(columns.section, columns.pc, columns.kind, strict=True))
        if len(set(cells)) == len(cells):
            continue
        rows = list(_repeated(section, cells))
        if rows:
            yield ProblemEntries(
                section, rows, f"{_entries(rows)} repeated: PC and constants are those of an earlier entry"
            )


def _repeated(section: DecodedSection, cells: Iterable[tuple[int, int, int]]) -> Iterator[int]:
    """Yield the rows that repeat others; PCs in front of constants that they share have the row of the constants."""
    seen: set[tuple[int, int, int, bytes]] = set()
    constants, columns = b"", section.columns
    data = section.data
    for row, (index, pc, kind) in reversed(list(enumerate(cells))):
        if kind >= 0:
            constants = bytes(data[columns.aux_start[row] : columns.aux_end[row]])
        cell = index, pc, kind, constants
        if cell in seen:
            yield row
        seen.add(cell)


def uncovered_functions(inspected: Inspected) -> Iterator[ProblemEntries]:
    """Functions that list atomic operations, but not themselves: readers take their list as incomplete."""
    covered: dict[int, set[int]] = {}
    for _, section in inspected.sections:
        version = version_of(section.name)
        if version is not None and section.name.startswith(_COVERED):
            covered.setdefault(version, set()).update(section.columns.function)
    for _, section in inspected.sections:
        version = version_of(section.name)
        if version is None or not section.name.startswith(_ATOMICS):
            continue
        if any(each.name == section.name.replace(_ATOMICS, _COVERED) for each in inspected.unreadable):
            continue
        known = covered.get(version, set())
        functions = set(section.columns.function) - known - {-1}
        if functions:
            missing = [row for row, function in enumerate(section.columns.function) if function in functions]
            name = section.name.replace(_ATOMICS, _COVERED)
            count = len(functions)
            what = "1 function has" if count == 1 else f"{count:,} functions have"
            message = f"{what} entries here, but none in {name}"
            yield ProblemEntries(section, missing, message)


def _pcs(rows: Sequence[int]) -> str:
    return "1 PC is" if len(rows) == 1 else f"{len(rows):,} PCs are"


def _entries(rows: Sequence[int]) -> str:
    return "1 entry is" if len(rows) == 1 else f"{len(rows):,} entries are"

"""Checks of how PC sections are stored: their names, flags, links and relocations.

Rules: docs/reference/pc-sections.md, 2.4, 2.5 and 3.3.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.containers.elf_file import SectionFlag
from bitcodec.tables.elf_machines import RelocationKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.lint.pcsections.inspected import Inspected
    from bitcodec.pcsections.objects.pieces import Piece

__all__ = [
    "Problem",
    "described",
    "mixed_versions",
    "not_kept",
    "unreadable",
    "unreferenced",
    "unresolved",
    "version_of",
]

Problem = tuple[str, str]
"""Subject and message."""

_SANITIZER = re.compile(r"sanmd_(?:covered|atomics)(\d*)")
_VERSION = 0xFFFF
_LARGE = 0x10000
"""A bit of the version that marks PCs of 8 bytes."""


def version_of(name: str) -> int | None:
    """Return the version that the name of a sanitizer's section has, None for others."""
    match = _SANITIZER.fullmatch(name)
    return None if match is None else int(match[1] or 1)


def mixed_versions(inspected: Inspected) -> Iterator[Problem]:
    """Sections of the sanitizers that differ in version or in the size of PCs."""
    found = {version: name for name in inspected.names if (version := version_of(name)) is not None}
    if len(found) > 1:
        texts = [f"{name} ({described(version)})" for version, name in sorted(found.items())]
        yield texts[0].partition(" ")[0], f"it has sections of different versions: {', '.join(texts)}"


def described(version: int) -> str:
    """Return a version of the sanitizers' sections in words."""
    return f"version {version & _VERSION}, PCs of {8 if version & _LARGE else 4} bytes"


def unreadable(inspected: Inspected) -> Iterator[Problem]:
    """Sections that cannot be read."""
    for each in inspected.unreadable:
        yield each.name, each.reason


def not_kept(inspected: Inspected) -> Iterator[Problem]:
    """Sections of an object that a linker does not keep or drop together with the code that they are about."""
    if inspected.is_linked:
        return
    for piece, section in inspected.sections:
        reason = _link_problem(inspected, piece, set(section.columns.section))
        if reason:
            yield piece.name, reason


def _link_problem(inspected: Inspected, piece: Piece, targets: set[int]) -> str:
    sections = inspected.file.sections
    own = sections[piece.index]
    if not own.link:
        if own.flags & (SectionFlag.GROUP | SectionFlag.GNU_RETAIN):
            return ""
        return "it is linked to no code (sh_link is 0): --gc-sections drops it, whatever happens to the code"
    if own.link >= len(sections):
        return f"expected sh_link to be a section, found {own.link} of {len(sections)} sections: the object is damaged"
    if others := sorted(target for target in targets - {own.link} if 0 < target < len(sections)):
        count = len(others)
        return (
            f"it is linked to {sections[own.link].name} alone, but has PCs in {count + 1} sections, as after `ld -r`:"
            f" --gc-sections keeps or drops the entries of {sections[others[0]].name} with the wrong code"
        )
    if sections[own.link].flags & SectionFlag.GROUP and not own.flags & SectionFlag.GROUP:
        return (
            f"its code {sections[own.link].name} is in a COMDAT group, and it is not: it stays when the code is dropped"
        )
    return ""


def unresolved(inspected: Inspected) -> Iterator[Problem]:
    """Sections of a linked file with PCs that are left to the loader."""
    if not inspected.is_linked:
        return
    for piece in inspected.pieces:
        own = inspected.file.sections[piece.index]
        span = range(own.address, own.address + own.size)
        places = [
            address - own.address
            for table in inspected.file.dynamic_relocations
            for address, kind in zip(table.offsets, table.types, strict=True)
            if address in span and _is_relative(piece, kind)
        ]
        if places:
            count = len(places)
            what = (
                "1 PC field has a dynamic relocation, at"
                if count == 1
                else f"{count:,} PC fields have one, the first at"
            )
            yield piece.name, f"{what} byte {min(places)}"


def _is_relative(piece: Piece, kind: int) -> bool:
    row = piece.machine.relocations.get(kind)
    return row is not None and row.kind is RelocationKind.PC_RELATIVE


def unreferenced(inspected: Inspected) -> Iterator[Problem]:
    """Sections of a linked file that no code can find."""
    names = inspected.symbol_names
    if not inspected.is_linked or not names:
        return
    for name in inspected.names:
        if f"__start_{name}" not in names and name.isidentifier():
            yield name, f"nothing in the program refers to it: the symbol __start_{name} is missing"

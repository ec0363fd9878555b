"""The PCs of an ELF file, in the terms in which a module can be compared with it.

There nodes are gone: each group of a node has its entries, known by section, by whether they are of functions, and by
the bytes of the constants.  What has the same bytes is counted together.  What sanitizers request is known by its
section alone, for the back end changes the constants.

Rules: docs/reference/pc-sections.md, 2, 3.3 and 6.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bitcodec.pcsections.auditing.carriers import FUNCTION, UNKNOWN, Carriers, Group, Wanted
from bitcodec.pcsections.auditing.requests import NodeTerms
from bitcodec.pcsections.decoding.decode import decode_file
from bitcodec.pcsections.objects.pieces import pieces
from bitcodec.pcsections.objects.symbols import FunctionSymbols
from bitcodec.pcsections.schemas.kinds import Field, Kind, SectionSchema
from bitcodec.pcsections.schemas.known_kinds import KnownKinds
from bitcodec.pcsections.schemas.sanitizers import SANITIZERS
from bitcodec.pcsections.schemas.schema import Schema
from bitcodec.symbols.mangling import Mangler

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.containers.elf_file import ElfFile
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.ir.pcsections import PCSection
    from bitcodec.pcsections.auditing.requests import AttachedNode
    from bitcodec.pcsections.decoding.sections import DecodedSection
    from bitcodec.pcsections.encoding.targets import Target

__all__ = ["ObjectTerms", "carriers_of_object", "other_pc_sizes"]

_OTHER = Kind(is_function=False, fields=(Field(None, None),))
"""Constants that the module does not have: all bytes up to the next PC."""
_OTHER_CONSTANTS = "other constants"
_NOWHERE = "?"
"""The function of a PC that no symbol gives the function of."""


class ObjectTerms:
    """Groups of nodes, as the entries of an object can be distinguished.

    Args:
        module: the module that the object was compiled from.
        target: the target of the object.
    """

    __slots__ = ("_by_bytes", "_by_function", "_kinds", "_known", "_mangler", "_nodes", "_target")

    def __init__(self, module: Module, target: Target) -> None:
        self._target = target
        self._nodes = NodeTerms(module)
        self._known = KnownKinds(target)
        self._mangler = Mangler()
        self._kinds: dict[str, dict[Kind, Wanted]] = {}
        self._by_bytes: dict[tuple[object, ...], Wanted] = {}
        self._by_function: dict[str, dict[str, set[Kind]]] = {}

    def function(self, function: Function) -> str:
        """Return the name of its symbol."""
        return self._mangler.name(function, self._target.data_layout)

    def wanted(self, request: AttachedNode) -> Iterator[Wanted]:
        """Yield the terms for each group of the node.

        Raises:
            PCSectionsError: a constant has no bytes for the target.
        """
        if request.asked is None:
            yield from self._nodes.wanted(request)
            return
        for section in request.asked:
            yield self._of(section, self.function(request.function), is_function=request.instruction is None)

    def of_kind(self, section: str, kind: Kind | None) -> Wanted:
        """Return the terms for an entry; `kind` is None if unknown."""
        is_function = kind is not None and kind.is_function
        if section in SANITIZERS or kind is None:
            return Wanted(is_function, (Group(section),))
        known = self._kinds.get(section)
        if known is None:
            return Wanted(is_function, (Group(section),))
        return known.get(kind) or Wanted(is_function, (Group(section, (_OTHER_CONSTANTS,)),))

    def schema(self, *, with_others: bool) -> Schema:
        """Return the schema of the sections that were requested.

        Args:
            with_others: whether constants that were not requested may be there too.
        """
        sections = {}
        for name, kinds in self._kinds.items():
            numbers = {kind: number for number, kind in enumerate(kinds)}
            by_function = {
                function: tuple(sorted(numbers[kind] for kind in wanted))
                for function, wanted in self._by_function[name].items()
            }
            all_kinds = (*kinds, _OTHER) if with_others else tuple(kinds)
            sections[name] = SectionSchema(all_kinds, by_function, "backend", self._target.pc_size)
        return Schema(sections)

    def _of(self, section: PCSection, function: str, *, is_function: bool) -> Wanted:
        if section.name in SANITIZERS:
            return Wanted(is_function, (Group(section.name),))
        kind = self._known.of(section, is_function=is_function)
        kinds = self._kinds.setdefault(section.name, {})
        if kind not in kinds:
            kinds[kind] = self._by_bytes.setdefault(
                self._bytes_of(section.name, kind), Wanted(is_function, (self._nodes.group(section),))
            )
        self._by_function.setdefault(section.name, {}).setdefault(function, set()).add(kind)
        return kinds[kind]

    def _bytes_of(self, section: str, kind: Kind) -> tuple[object, ...]:
        steps = kind.steps(self._target.pointer_size, self._target.byte_order)
        return section, kind.is_function, kind.is_function and kind.is_compressed, tuple(steps)


def carriers_of_object(
    file: ElfFile, data: bytes | memoryview, terms: ObjectTerms, functions: Iterable[str]
) -> Carriers:
    """Return the PCs of functions as carriers.

    Args:
        file: the file.
        data: its bytes.
        terms: the terms of the module, all of whose requests have been made.
        functions: the functions of the module: their names are used where several aliases have the same address.

    Raises:
        PCSectionsError: a section does not fit the requests of the module.
        ContainerError: the file is malformed.
    """
    carriers = Carriers(FunctionSymbols(file).places)
    schema = terms.schema(with_others=file.is_relocatable)
    names = None if file.is_relocatable else schema.names & {section.name for section in file.sections}
    if names is not None and not names:
        return carriers
    sections = decode_file(data, [schema], names, lines=False).sections
    called = {row: name for name in functions for row in sections[0].code.named(name)} if sections else {}
    for section in sections:
        for (function, kind), count in _counts(section).items():
            name = _NOWHERE if function < 0 else called.get(function) or section.code.name(function)
            wanted = terms.of_kind(section.name, section.kinds[kind] if kind >= 0 else None)
            carriers.add(name, wanted, FUNCTION if wanted.of_function else UNKNOWN, count)
    return carriers


def other_pc_sizes(file: ElfFile, target: Target) -> set[int]:
    """Return in how many bytes PC fields of an object are, where the target has them in another number.

    Raises:
        PCSectionsError: the contents of a section cannot be PCs.
        ContainerError: the file is malformed.
    """
    if not file.is_relocatable:
        return set()
    sizes = {size for piece in pieces(file) if piece.pcs is not None for size in set(piece.pcs.sizes)}
    return sizes - {target.pc_size}


def _counts(section: DecodedSection) -> Counter[tuple[int, int]]:
    """Count the PCs of each function and kind; of a run that shares constants the last one gives the kind."""
    counts: Counter[tuple[int, int]] = Counter()
    columns, shared = section.columns, -1
    for function, kind in zip(reversed(columns.function), reversed(columns.kind), strict=True):
        shared = kind if kind >= 0 else shared
        counts[function, shared] += 1
    return counts

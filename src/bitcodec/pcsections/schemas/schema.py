"""Schemas: layout of the data behind PCs in a file.  Rules: docs/reference/pc-sections.md, 3.2 and 3.3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import PCSectionsError, quote, quote_name
from bitcodec.pcsections.encoding.targets import Target
from bitcodec.pcsections.schemas.kinds import SectionSchema
from bitcodec.pcsections.schemas.known_kinds import KnownKinds
from bitcodec.pcsections.schemas.sanitizers import SANITIZERS
from bitcodec.pcsections.schemas.schema_text import parse_schema
from bitcodec.symbols.mangling import Mangler

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.ir.pcsections import PCSections
    from bitcodec.pcsections.encoding.encode import Layout
    from bitcodec.pcsections.schemas.kinds import Kind

__all__ = ["Schema"]


class Schema:
    """Possible contents of sections behind the PCs, by name.

    Sections of the sanitizers have built-in schemas, unless they are in `sections`.

    >>> Schema.of("hot=instruction:i32").sections["hot"].kinds[0].fields[0].type
    'i32'
    """

    __slots__ = ("sections",)

    def __init__(self, sections: Mapping[str, SectionSchema] | None = None) -> None:
        self.sections = dict(sections or {})

    @classmethod
    def of(cls, text: str, *, layout: Layout = "backend") -> Schema:
        """Return the schema that a text describes; `bitcodec.pcsections.schemas.schema_text` has the grammar.

        Args:
            text: `hot=instruction:i32,i64`, or `sanitizer` for the sections of the sanitizers.
            layout: position of constants: once after a run of PCs, or after each PC.

        Raises:
            PCSectionsError: it does not describe a schema.
        """
        if text == "sanitizer":
            return cls(SANITIZERS)
        name, section = parse_schema(text)
        return cls({name: section._replace(layout=layout)})

    @classmethod
    def of_module(cls, module: Module, target: Target | None = None, *, layout: Layout = "backend") -> Schema:
        """Return the schema of a module's requests: for each function the kinds of its entries, with known constants.

        Requests of the sanitizers are left out, as the back end adds to them.

        Args:
            module: the module that a file was compiled from.
            target: the file's target, if it is not the module's.

        Raises:
            PCSectionsError: a node is malformed, or the target has no PC sections.
            BitcodeError: the module is malformed.
        """
        collector = _Collector(Target.of_module(module) if target is None else target)
        for function in module.functions:
            if not function.is_declaration:
                try:
                    collector.add(function)
                except PCSectionsError as error:
                    raise PCSectionsError(f"@{quote_name(function.name)}: {error}") from None
        return cls(collector.sections(layout))

    @classmethod
    def merged(cls, schemas: Iterable[Schema]) -> Schema:
        """Return a schema for files that were made from several modules.

        Raises:
            PCSectionsError: two have different layouts for one section.
        """
        sections: dict[str, SectionSchema] = {}
        for schema in schemas:
            for name, section in schema.sections.items():
                sections[name] = _merged(name, sections[name], section) if name in sections else section
        return cls(sections)

    def find(self, section: str) -> SectionSchema | None:
        """Return the schema of a section, None if unknown."""
        return self.sections.get(section, SANITIZERS.get(section))

    @property
    def names(self) -> set[str]:
        """The sections that something is known of."""
        return {*self.sections, *SANITIZERS}

    def __repr__(self) -> str:
        return f"<Schema of {', '.join(self.sections) or 'no sections but those of sanitizers'}>"


class _Collector:
    """Collects the requests of the functions of a module."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._known = KnownKinds(target)
        self._mangler = Mangler()
        self._kinds: dict[str, dict[Kind, int]] = {}
        self._by_function: dict[str, dict[str, dict[int, None]]] = {}

    def add(self, function: Function) -> None:
        name = self._mangler.name(function, self._target.data_layout)
        for is_function, wanted in _wanted(function):
            for section in wanted:
                if section.name in SANITIZERS:
                    continue
                kind = self._known.of(section, is_function=is_function)
                kinds = self._kinds.setdefault(section.name, {})
                number = kinds.setdefault(kind, len(kinds))
                self._by_function.setdefault(section.name, {}).setdefault(name, {})[number] = None

    def sections(self, layout: Layout) -> dict[str, SectionSchema]:
        return {
            name: SectionSchema(
                tuple(kinds),
                {function: tuple(numbers) for function, numbers in self._by_function[name].items()},
                layout,
                self._target.pc_size,
            )
            for name, kinds in self._kinds.items()
        }


def _wanted(function: Function) -> Iterator[tuple[bool, PCSections]]:
    """Yield the requests of a function and its instructions, and whether each is the function's."""
    wanted = function.pcsections
    if wanted is not None:
        yield True, wanted
    seen = set()
    for instruction in function.instructions:
        wanted = instruction.pcsections
        if wanted is not None and wanted not in seen:
            seen.add(wanted)
            yield False, wanted


def _merged(name: str, first: SectionSchema, second: SectionSchema) -> SectionSchema:
    """Return the schema of a section that may have the contents of two schemas."""
    if first.layout != second.layout:
        raise PCSectionsError(
            f"section {quote(name)}: one schema has constants after each PC, another after runs of PCs"
        )
    numbers = {kind: number for number, kind in enumerate(dict.fromkeys((*first.kinds, *second.kinds)))}
    by_function: dict[str, tuple[int, ...]] | None = None
    if first.by_function is not None and second.by_function is not None:
        by_function = {}
        for schema in (first, second):
            for function, kinds in (schema.by_function or {}).items():
                more = (numbers[schema.kinds[kind]] for kind in kinds)
                by_function[function] = tuple(dict.fromkeys((*by_function.get(function, ()), *more)))
    pc_size = first.pc_size if first.pc_size == second.pc_size else None
    return SectionSchema(tuple(numbers), by_function, first.layout, pc_size)

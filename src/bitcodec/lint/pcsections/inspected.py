"""An ELF file whose PC sections are to be checked: each is read by itself, as one may be malformed."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from bitcodec.errors import PCSectionsError
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.decoding.decode import FileDecoder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.containers.elf_file import ElfFile, Section
    from bitcodec.ir.module import Module
    from bitcodec.pcsections.decoding.sections import DecodedSection
    from bitcodec.pcsections.objects.pieces import Piece
    from bitcodec.pcsections.schemas.schema import Schema

__all__ = ["Inspected", "Unreadable"]


class Unreadable(NamedTuple):
    """A section that cannot be read.

    Attributes:
        name: of the section.
        reason: why.
    """

    name: str
    reason: str


class Inspected:
    """A file, and the contents of its PC sections.

    Args:
        file: an object or a linked file.
        name: its name in messages.
        schemas: layout of the data behind PCs, as in `decode_file`.
        modules: the modules that it was compiled from, if known.

    Attributes:
        code: the functions of the file.
        lines: of the file.
        pieces: the stored sections.
        sections: the readable sections, with their pieces.
        unreadable: the others.

    Raises:
        PCSectionsError: it has no PC sections that can be recognised.
        ContainerError: it is malformed.
    """

    def __init__(
        self, file: ElfFile, name: str, schemas: Iterable[Schema | str | Module] = (), modules: Sequence[Module] = ()
    ) -> None:
        self.file, self.name, self.modules = file, name, modules
        decoder = FileDecoder(file, [*schemas, *modules])
        self.code, self.lines, self.pieces = decoder.code, decoder.lines, decoder.pieces
        self.sections: list[tuple[Piece, DecodedSection]] = []
        self.unreadable: list[Unreadable] = []
        for piece in decoder.pieces:
            try:
                self.sections.append((piece, decoder.decode(piece)))
            except PCSectionsError as error:
                self.unreadable.append(Unreadable(piece.name, str(error)))

    @property
    def is_linked(self) -> bool:
        """Whether PCs are addresses, not offsets in sections of an object."""
        return not self.file.is_relocatable

    @property
    def names(self) -> list[str]:
        """The names of the PC sections, once each, in the order of the file."""
        return list(
            dict.fromkeys([*(piece.name for piece, _ in self.sections), *(each.name for each in self.unreadable)])
        )

    @cached_property
    def symbol_names(self) -> frozenset[str]:
        """The names of all symbols; empty if the file was stripped to the dynamic symbols."""
        table = self.file.symbol_table
        if table is None or self.file.sections[table].name == ".dynsym":
            return frozenset()
        symbols = self.file.symbols(table)
        return frozenset(symbols.name(row) for row in range(len(symbols.values)))

    def code_section(self, index: int, address: int) -> Section | None:
        """Return the section that has the code of a PC.

        Args:
            index: of the section in an object, 0 in a linked file.
            address: of the PC in a linked file.
        """
        if not self.is_linked:
            return self.file.sections[index] if 0 < index < len(self.file.sections) else None
        found = (each for each in self._executable if each.address <= address < each.address + each.size)
        return next(found, None)

    def has_line(self, index: int, address: int) -> bool:
        """Return whether debug information has a line for a PC; see `code_section`."""
        return self.lines is not None and self.lines.find(None if self.is_linked else index, address) is not None

    @cached_property
    def _executable(self) -> list[Section]:
        return [section for section in self.file.sections if section.is_executable and section.size]

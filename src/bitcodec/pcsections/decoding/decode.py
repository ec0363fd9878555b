"""PC sections decoded: from bytes, from relocatable objects, executables and shared objects.

Rules: PC Sections Metadata, "Binary Encoding"; docs/reference/pc-sections.md, 2 and 3.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from bitcodec.containers import is_assembly
from bitcodec.containers.detection import FileKind, detect
from bitcodec.containers.elf_file import ElfFile
from bitcodec.errors import PCSectionsError, quote_name
from bitcodec.files import read_file
from bitcodec.pcsections.decoding.code import Code, CodeFunction
from bitcodec.pcsections.decoding.reading import SectionBytes, SectionReader
from bitcodec.pcsections.decoding.relaxation import with_lengths
from bitcodec.pcsections.decoding.sections import DecodedSection
from bitcodec.pcsections.encoding.targets import Target
from bitcodec.pcsections.objects.pieces import pieces
from bitcodec.pcsections.objects.symbols import FunctionSymbols
from bitcodec.pcsections.schemas.kinds import CUT, SectionSchema
from bitcodec.pcsections.schemas.schema import Schema

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Iterable, Iterator, Sequence

    import pyarrow as pa
    from typing_extensions import Buffer

    from bitcodec.containers.elf_headers import ByteOrder
    from bitcodec.ir.module import Module
    from bitcodec.pcsections.debug_info.lines import Lines
    from bitcodec.pcsections.decoding.entries import Entry
    from bitcodec.pcsections.decoding.lookup import Found
    from bitcodec.pcsections.objects.pieces import Piece

__all__ = ["Decoded", "FileDecoder", "check_head", "decode", "decode_file", "elf_file"]

_ADDRESSES = 1 << 64
_MAX_PC_SIZE = 8
_POINTER_SIZES = (4, 8)
_SCHEMA = "give a schema, such as --schema MODULE.bc or --schema NAME=instruction:i32"

_MODULE = "`bitcodec pcsections show` lists the requests of a module, `compile` makes an object of it"
_MEMBERS = "take its members out first, as with `ar x`"
_ADVICE = {
    FileKind.BITSTREAM: _MODULE,
    FileKind.WRAPPER: _MODULE,
    FileKind.ARCHIVE: _MEMBERS,
    FileKind.THIN_ARCHIVE: _MEMBERS,
}

_NARROW = 4
"""Bytes of a PC field, but for code models that are larger than most."""

_WIDE_BY_DEFAULT = {"powerpc64", "sparcv9"}
"""Processors for which code models with PCs as wide as addresses are the default."""


class Decoded:
    """Contents of the PC sections of a file: iterate over it for the entries of all.

    Attributes:
        sections: in the order of the file; in an object, several may have one name.
        code: the functions of the file.
        is_linked: whether PCs are addresses, not offsets in sections of an object.
    """

    def __init__(
        self, sections: Sequence[DecodedSection], code: Code, lines: Lines | None = None, *, is_linked: bool
    ) -> None:
        self.sections = tuple(sections)
        self.is_linked = is_linked
        self.code = code
        self._lines = lines

    @property
    def is_ambiguous(self) -> bool:
        """Whether a section can be read in another way too."""
        return any(section.is_ambiguous for section in self.sections)

    @property
    def lines_problem(self) -> str | None:
        """Reason why debug info could not be fully read, once entries have been requested; None if it could."""
        return None if self._lines is None else self._lines.warning

    def to_arrow(self) -> pa.Table:
        """Return a table with a row for each PC; see `bitcodec.pcsections.decoding.arrow`.

        Raises:
            ImportError: pyarrow is not installed.
        """
        from bitcodec.pcsections.decoding.arrow import to_arrow  # noqa: PLC0415 - an extra

        return to_arrow(self.sections)

    def lookup(self, addresses: Iterable[int], displacement: int = 0) -> list[Found]:
        """Return the function, line, and entries for addresses of a linked file.

        Args:
            addresses: in the running program.
            displacement: difference between these and the addresses in the file, unless that has a fixed address; see
                `displacement` in `bitcodec.pcsections.objects.memory_maps`.

        Raises:
            PCSectionsError: the file is an object, whose code has no addresses yet.
        """
        if not self.is_linked:
            raise PCSectionsError("an object has no addresses before it is linked: `decode` prints its PCs by function")
        from bitcodec.pcsections.decoding.lookup import lookup  # noqa: PLC0415 - few need it

        return lookup(self.sections, self.code, self._lines, [each - displacement for each in addresses])

    def __iter__(self) -> Iterator[Entry]:
        return chain.from_iterable(self.sections)

    def __len__(self) -> int:
        return sum(map(len, self.sections))


def decode(
    data: Buffer,
    address: int,
    schema: Schema | SectionSchema | str,
    *,
    name: str | None = None,
    byte_order: ByteOrder = "little",
    pc_size: int | None = None,
    pointer_size: int = 8,
    functions: Iterable[CodeFunction] = (),
) -> DecodedSection:
    """Decode the bytes of a linked section, or of a section in the memory of a program.

    If functions are given, each PC is in one of them.  If not, a PC may be anywhere, and of several readings that with
    the shortest runs is taken.

    Args:
        data: the bytes.
        address: of the first byte.
        schema: layout of the data behind PCs; text as in `Schema.of`.
        name: of the section, if the schema is for several.
        byte_order: of numbers.
        pc_size: bytes of a PC field; None for the schema's, or 4.
        pointer_size: bytes of an address.
        functions: of the program.

    Raises:
        PCSectionsError: the bytes do not fit the schema.
        ValueError: the address, byte order or size is invalid.
    """
    _check_arguments(address, byte_order, pc_size, pointer_size)
    name, section = _chosen(schema, name)
    sizes = (pc_size or section.pc_size or _NARROW,)
    source = SectionBytes(name, memoryview(data).cast("B"), address, byte_order, pointer_size, sizes)
    code = Code.of_functions(functions)
    return DecodedSection(source, section.kinds, SectionReader(code).read(source, section), code)


def _check_arguments(address: int, byte_order: str, pc_size: int | None, pointer_size: int) -> None:
    """Refuse numbers that the loops, which are compiled, cannot hold.

    Raises:
        ValueError: one of them is out of range.
    """
    if not 0 <= address < _ADDRESSES:
        raise ValueError(f"address {address} is not in 0..2**64-1")
    if byte_order not in ("little", "big"):
        raise ValueError(f"expected the byte order 'little' or 'big', got {byte_order!r}")
    if pc_size is not None and not 1 <= pc_size <= _MAX_PC_SIZE:
        raise ValueError(f"a PC field of {pc_size} bytes is not in 1..{_MAX_PC_SIZE}")
    if pointer_size not in _POINTER_SIZES:
        raise ValueError(f"expected a pointer size of 4 or 8 bytes, got {pointer_size}")


def decode_file(
    source: str | os.PathLike[str] | bytes | memoryview,
    schemas: Iterable[Schema | str | Module] = (),
    sections: Collection[str] | None = None,
    *,
    lines: bool = True,
) -> Decoded:
    """Decode PC sections of an ELF file: a relocatable object, an executable or a shared object.

    In relocatable objects, relocations give places of PCs; without a schema, all else is bytes.  Of linked files, only
    sections that a schema is for can be decoded.

    Args:
        source: the file, or its content.
        schemas: layout of the data behind PCs: as text, or the modules that the file was compiled from, or schemas of
            them. Schemas of the sanitizers are built in.  The file gives the target of a module without one.
        sections: the names of the sections to decode; None for every decodable one.
        lines: whether to look for source lines.

    Raises:
        PCSectionsError: it is not an ELF file, a section does not exist, or it does not fit its schema.
        ContainerError: the file is malformed.
        OSError: it cannot be read.
    """
    file = elf_file(source if isinstance(source, bytes | memoryview) else read_file(source, check_head=check_head))
    decoder = FileDecoder(file, schemas, sections, lines=lines)
    decoded = [decoder.decode(piece) for piece in decoder.pieces]
    return Decoded(decoded, decoder.code, decoder.lines, is_linked=not file.is_relocatable)


class FileDecoder:
    """Decodes the PC sections of an ELF file one by one.

    Args:
        file, schemas, sections, lines: as in `decode_file`.

    Attributes:
        pieces: the sections to decode.
        code: the functions of the file.
        lines: of the file, None if they are not requested.

    Raises:
        PCSectionsError: a section does not exist.
        ContainerError: the file is malformed.
    """

    def __init__(
        self,
        file: ElfFile,
        schemas: Iterable[Schema | str | Module] = (),
        sections: Collection[str] | None = None,
        *,
        lines: bool = True,
    ) -> None:
        self._schema = Schema.merged(_schema(each, file) for each in schemas)
        self.code = Code.of_symbols(FunctionSymbols(file))
        self.pieces = _wanted(file, self._schema, sections)
        self.lines = _lines(file) if lines and self.pieces else None
        self._reader = SectionReader(self.code)

    def decode(self, piece: Piece) -> DecodedSection:
        """Return the contents of a section.

        Raises:
            PCSectionsError: it does not fit its schema.
        """
        return _decoded(piece, self._schema, self._reader, self.code, self.lines)


def _schema(given: Schema | str | Module, file: ElfFile) -> Schema:
    if isinstance(given, Schema):
        return given
    if isinstance(given, str):
        return Schema.of(given)
    return Schema.of_module(given, None if given.target_triple else Target.of_elf(file.header))


def check_head(head: bytes | memoryview) -> None:
    """Refuse a file that is not an ELF file by its first bytes, with advice.

    Raises:
        PCSectionsError: it is not an ELF file.
    """
    kind = detect(head)
    if kind is not FileKind.ELF:
        label, advice = kind.label, _ADVICE.get(kind, "PC sections are in ELF objects and programs")
        if is_assembly(head):
            label, advice = "LLVM assembly", _MODULE
        raise PCSectionsError(f"no ELF file, but of another kind ({label}): {advice}")


def elf_file(data: bytes | memoryview) -> ElfFile:
    """Return an ELF file by its content.

    Raises:
        PCSectionsError: it is none.
    """
    check_head(data)
    return ElfFile(data)


def _lines(file: ElfFile) -> Lines:
    from bitcodec.pcsections.debug_info.lines import Lines  # noqa: PLC0415 - it takes a library that not all need

    return Lines(file)


def _wanted(file: ElfFile, schema: Schema, sections: Collection[str] | None) -> list[Piece]:
    """Return the sections to decode.

    Raises:
        PCSectionsError: there are none.
    """
    names = schema.names if sections is None and not file.is_relocatable else sections
    found = pieces(file, names)
    missing = sorted(set(sections or ()) - {piece.name for piece in found})
    if missing:
        there = ", ".join(sorted({section.name for section in file.sections if section.name})) or "none"
        raise PCSectionsError(f"no section {missing[0]!r}; the file has: {there}")
    unknown = [] if file.is_relocatable else [piece.name for piece in found if schema.find(piece.name) is None]
    if unknown:
        name = quote_name(unknown[0])
        raise PCSectionsError(f"{name}: a linked file does not state the schema of the section: {_SCHEMA}")
    if not found and not file.is_relocatable and not schema.sections:
        raise PCSectionsError(f"the file is linked, and no section of it is one of the sanitizers: {_SCHEMA}")
    return found


def _decoded(piece: Piece, schema: Schema, reader: SectionReader, code: Code, lines: Lines | None) -> DecodedSection:
    section = schema.find(piece.name) or CUT
    data = with_lengths(piece, section.kinds) if piece.lengths else piece.data
    pcs = piece.pcs
    if pcs is not None:
        sizes = sorted(set(pcs.sizes)) or [_NARROW]
        if len(sizes) > 1:
            raise PCSectionsError(f"{quote_name(piece.name)}: it has PC fields of {sizes[0]} and of {sizes[1]} bytes")
    else:
        sizes = _likely_sizes(piece, section)
    source = SectionBytes(piece.name, data, piece.address, piece.byte_order, piece.pointer_size, sizes, pcs)
    return DecodedSection(source, section.kinds, reader.read(source, section), code, piece.references, lines)


def _likely_sizes(piece: Piece, section: SectionSchema) -> list[int]:
    """Return possible sizes in bytes of a PC field of a linked file, the likely ones first.

    The module's code model may not apply: compilers take others from their command line.
    """
    usual = [_NARROW, piece.pointer_size]
    if piece.machine.name in _WIDE_BY_DEFAULT:
        usual.reverse()
    return list(dict.fromkeys([section.pc_size or usual[0], *usual]))


def _chosen(schema: Schema | SectionSchema | str, name: str | None) -> tuple[str, SectionSchema]:
    """Return name and schema of a section.

    Raises:
        PCSectionsError: it is not clear which is meant.
    """
    if isinstance(schema, SectionSchema):
        return name or "the section", schema
    known = Schema.of(schema) if isinstance(schema, str) else schema
    if name is None and len(known.sections) == 1:
        (name,) = known.sections
    found = None if name is None else known.find(name)
    if name is None or found is None:
        names = ", ".join(map(quote_name, sorted(known.names)))
        raise PCSectionsError(f"expected the name of a section: the schema has {names}")
    return name, found

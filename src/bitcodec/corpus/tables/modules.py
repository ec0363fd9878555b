"""Tables about files and whole modules: `files`, `modules`, `flags`, `metadata_kinds`, `debug_sources`, `types`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.corpus.columns import KEY, Column, Reads, Table, from_subject
from bitcodec.corpus.texts import brief_body
from bitcodec.ir.constants import Constant
from bitcodec.ir.metadata import MDString, MDTuple, ValueAsMetadata
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.debug_info_flags import ChecksumKind, EmissionKind
from bitcodec.tables.dwarf import Language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitcodec.corpus.opened import OpenedModule
    from bitcodec.ir.module_flags import ModuleFlag
    from bitcodec.ir.types import StructType

__all__ = ["DEBUG_SOURCES", "FILES", "FLAGS", "METADATA_KINDS", "MODULES", "TYPES"]

_SYMBOL_BLOCKS = (BlockId.VALUE_SYMTAB_BLOCK, BlockId.STRTAB_BLOCK, BlockId.SYMTAB_BLOCK)
_METADATA_BLOCKS = (BlockId.METADATA_BLOCK, BlockId.METADATA_ATTACHMENT_BLOCK, BlockId.METADATA_KIND_BLOCK)
_DEBUG_UNITS = "llvm.dbg.cu"


def _of_place(name: str) -> Callable[[OpenedModule], object]:
    return lambda opened: getattr(opened.place, name)


def _of_module(name: str) -> Callable[[OpenedModule], object]:
    return lambda opened: getattr(opened.module, name)


def _count_of(name: str) -> Callable[[OpenedModule], int]:
    return lambda opened: len(getattr(opened.module, name))


def _bits_of(*ids: BlockId) -> Callable[[OpenedModule], int]:
    return lambda opened: sum(opened.statistics[each].bits for each in ids if each in opened.statistics)


def _defined_functions(opened: OpenedModule) -> int:
    return sum(not function.is_declaration for function in opened.functions)


FILES = Table(
    "files",
    "A module in a file, or a bitstream that is not LLVM IR. Duplicates have a row each.",
    (
        Column("file", "string", Reads.STREAM, "Path of the file, as it was found.", from_subject("file")),
        Column(
            "member",
            "string",
            Reads.STREAM,
            "Path of the bitstream inside the file: archive member, section, slice. Empty if the file is one.",
            from_subject("member"),
        ),
        Column(
            "number",
            "int32",
            Reads.STREAM,
            "Number of the module in the bitstream, from 1; 0 if the bitstream is not LLVM IR.",
            from_subject("number"),
        ),
        Column(
            "module",
            "string",
            Reads.STREAM,
            "Key of the module, as in all other tables; null if the bitstream is not LLVM IR.",
            from_subject("module"),
        ),
        Column("kind", "string", Reads.STREAM, "Kind of the bitstream, such as `LLVM IR`.", from_subject("kind")),
        Column("bytes", "int64", Reads.STREAM, "Size of the bitstream.", from_subject("size"), "bytes"),
    ),
    None,
    ("file", "member", "number", "module"),
)

MODULES = Table(
    "modules",
    "A distinct module. Its file is the first one that contains it.",
    (
        KEY,
        Column("file", "string", Reads.STREAM, "Path of the file.", _of_place("file")),
        Column("member", "string", Reads.STREAM, "Path of the bitstream inside the file.", _of_place("member")),
        Column("number", "int32", Reads.STREAM, "Number of the module in the bitstream, from 1.", _of_place("number")),
        Column(
            "bytes",
            "int64",
            Reads.STREAM,
            "Size of the bitstream that contains the module.",
            _of_place("size"),
            "bytes",
        ),
        Column(
            "producer", "string", Reads.MODULE, "Program that wrote it, such as `LLVM19.1.7`.", _of_module("producer")
        ),
        Column("source_filename", "string", Reads.MODULE, "File it was compiled from.", _of_module("source_filename")),
        Column("target_triple", "string", Reads.MODULE, "Target; empty if unset.", _of_module("target_triple")),
        Column(
            "data_layout",
            "string",
            Reads.MODULE,
            "Data layout, after LLVM 22's upgrades; empty if unset.",
            lambda opened: opened.module.data_layout.text,
        ),
        Column(
            "functions",
            "int32",
            Reads.MODULE,
            "Functions, declarations included.",
            lambda opened: len(opened.functions),
        ),
        Column("defined_functions", "int32", Reads.MODULE, "Functions with a body.", _defined_functions),
        Column("variables", "int32", Reads.MODULE, "Global variables.", _count_of("global_variables")),
        Column("aliases", "int32", Reads.MODULE, "Aliases.", _count_of("aliases")),
        Column("ifuncs", "int32", Reads.MODULE, "Indirect functions.", _count_of("ifuncs")),
        Column(
            "assembly_bytes",
            "int64",
            Reads.MODULE,
            "Size of the module-level assembly text.",
            lambda opened: len(opened.module.module_asm.encode("utf-8", "surrogateescape")),
            "bytes",
        ),
        Column(
            "has_debug_info",
            "bool",
            Reads.METADATA,
            "Whether it has compile units of debug information.",
            lambda opened: _DEBUG_UNITS in opened.module.named_metadata,
        ),
        Column(
            "records",
            "int64",
            Reads.RECORDS,
            "Records of the bitstream.",
            lambda opened: sum(block.record_count for block in opened.statistics.values()),
        ),
        Column(
            "function_bits",
            "int64",
            Reads.RECORDS,
            "Size of bodies, blocks inside them excluded, as `llvm-bcanalyzer` prints it for FUNCTION_BLOCK.",
            _bits_of(BlockId.FUNCTION_BLOCK),
            "bits",
        ),
        Column(
            "metadata_bits",
            "int64",
            Reads.RECORDS,
            "Size of metadata, attachments and kinds, blocks inside them excluded.",
            _bits_of(*_METADATA_BLOCKS),
            "bits",
        ),
        Column(
            "constant_bits",
            "int64",
            Reads.RECORDS,
            "Size of constants, blocks inside them excluded.",
            _bits_of(BlockId.CONSTANTS_BLOCK),
            "bits",
        ),
        Column(
            "symbol_bits",
            "int64",
            Reads.RECORDS,
            "Size of symbol tables and string tables.",
            _bits_of(*_SYMBOL_BLOCKS),
            "bits",
        ),
    ),
    lambda opened: (opened,),
)


def _flags(opened: OpenedModule) -> Iterable[tuple[int, ModuleFlag]]:
    return opened.module.flags.entries.items()


def _flag_text(item: tuple[int, ModuleFlag]) -> str:
    value = item[1].value
    match value:
        case MDString(text=text):
            return text
        case ValueAsMetadata(value=Constant() as constant):
            return constant.operand_text
        case MDTuple(operands=operands):
            return f"{len(operands)} entries"
    return ""


def _flag_part(name: str) -> Callable[[tuple[int, ModuleFlag]], object]:
    return lambda item: getattr(item[1], name)


FLAGS = Table(
    "flags",
    "A well-formed module flag.",
    (
        KEY,
        Column("flag", "int32", Reads.METADATA, "Position in `!llvm.module.flags`, from 0.", lambda item: item[0]),
        Column("key", "string", Reads.METADATA, "Name of the flag.", _flag_part("key")),
        Column(
            "behavior",
            "string",
            Reads.METADATA,
            "What linking does with it, such as `Error`, `Override` or `Max`.",
            lambda item: item[1].behavior.spelling,
        ),
        Column("value", "string", Reads.METADATA, "Value as text.", _flag_text),
        Column(
            "integer",
            "int64",
            Reads.METADATA,
            "Value as a number; null if it is not an integer of up to 64 bits.",
            lambda item: _in_64_bits(item[1].integer),
        ),
    ),
    _flags,
    ("module", "flag"),
)


def _in_64_bits(number: int | None) -> int | None:
    return number if number is not None and -(1 << 63) <= number < 1 << 63 else None


class _KindCount(NamedTuple):
    kind: str
    holder: str
    total: int


def _metadata_kinds(opened: OpenedModule) -> Iterator[_KindCount]:
    counts: Counter[tuple[str, str]] = Counter()
    module = opened.module
    for variable in module.global_variables:
        counts.update((kind, "variable") for kind in variable.metadata)
    for position, function in enumerate(opened.functions):
        with opened.reporting("metadata_kinds", position):
            counts.update((kind, "function") for kind in function.metadata)
            for instruction in function.instructions:
                if instruction.has_attachments:
                    counts.update((kind, "instruction") for kind in instruction.metadata)
                if instruction.debug_location is not None:
                    counts["dbg", "instruction"] += 1
    for (kind, holder), count in sorted(counts.items()):
        yield _KindCount(kind, holder, count)


METADATA_KINDS = Table(
    "metadata_kinds",
    "A kind of attached metadata that a module uses.",
    (
        KEY,
        Column("kind", "string", Reads.BODIES, "Kind, such as `tbaa` or `prof`.", from_subject("kind")),
        Column(
            "holder",
            "string",
            Reads.BODIES,
            "What it is attached to: `instruction`, `function` or `variable`.",
            from_subject("holder"),
        ),
        Column("count", "int64", Reads.BODIES, "Number of attachments.", from_subject("total")),
    ),
    _metadata_kinds,
    ("module", "kind", "holder"),
)


class _DebugSource(NamedTuple):
    number: int
    file: Any
    unit: Any


def _debug_sources(opened: OpenedModule) -> Iterator[_DebugSource]:
    _ = opened.functions  # those from before upgrades
    found = opened.module.debug_info
    units = {unit.file: unit for unit in reversed(found.compile_units)}
    for number, file in enumerate(found.files):
        yield _DebugSource(number, file, units.get(file))


def _of_unit(read: Callable[[Any], object]) -> Callable[[_DebugSource], object]:
    return lambda source: None if source.unit is None else read(source.unit)


DEBUG_SOURCES = Table(
    "debug_sources",
    "A source file that debug information names.",
    (
        KEY,
        Column(
            "source", "int32", Reads.EVERYTHING, "Number of the file in the module, from 0.", from_subject("number")
        ),
        Column("filename", "string", Reads.EVERYTHING, "Name.", lambda source: source.file.filename),
        Column("directory", "string", Reads.EVERYTHING, "Folder.", lambda source: source.file.directory),
        Column(
            "checksum_kind",
            "string",
            Reads.EVERYTHING,
            "`MD5`, `SHA1` or `SHA256`; null if there is no checksum.",
            lambda source: _checksum_kind(source.file.checksum_kind),
        ),
        Column(
            "checksum",
            "string",
            Reads.EVERYTHING,
            "Checksum in hexadecimal digits; null if there is none.",
            lambda source: source.file.checksum or None,
        ),
        Column(
            "is_compile_unit",
            "bool",
            Reads.EVERYTHING,
            "Whether it is the file of a compile unit, not only included.",
            lambda source: source.unit is not None,
        ),
        Column(
            "language",
            "string",
            Reads.EVERYTHING,
            "Language of the compile unit, such as `DW_LANG_C11`.",
            _of_unit(lambda unit: Language.spelling_of(unit.language) if unit.language else None),
        ),
        Column(
            "producer",
            "string",
            Reads.EVERYTHING,
            "Compiler of the compile unit.",
            _of_unit(lambda unit: unit.producer),
        ),
        Column(
            "is_optimized",
            "bool",
            Reads.EVERYTHING,
            "Whether the compile unit was optimized.",
            _of_unit(lambda unit: bool(unit.is_optimized)),
        ),
        Column(
            "emission_kind",
            "string",
            Reads.EVERYTHING,
            "How much debug information the compile unit requests, such as `FullDebug`.",
            _of_unit(lambda unit: EmissionKind.spelling_of(unit.emission_kind)),
        ),
    ),
    _debug_sources,
    ("module", "source"),
)


def _checksum_kind(number: int | None) -> str | None:
    return ChecksumKind.spelling_of(number).removeprefix("CSK_") if number else None


class _TypeRow(NamedTuple):
    number: int
    struct: StructType
    opened: OpenedModule


def _types(opened: OpenedModule) -> Iterator[_TypeRow]:
    from bitcodec.ir.type_finder import TypeFinder  # noqa: PLC0415 - few tables need it

    _ = opened.functions  # those from before upgrades
    opened.module.materialize()
    finder = TypeFinder()
    finder.find_in(opened.module)
    for number, struct in enumerate(finder.structs):
        yield _TypeRow(number, struct, opened)


def _type_size(row: _TypeRow) -> int | None:
    size = row.opened.module.data_layout.alloc_size(row.struct) if row.struct.is_sized else None
    return _in_64_bits(size)


TYPES = Table(
    "types",
    "An identified struct that the module uses, in LLVM's order.",
    (
        KEY,
        Column("type", "int32", Reads.EVERYTHING, "Number of the type in the module, from 0.", from_subject("number")),
        Column(
            "name",
            "string",
            Reads.EVERYTHING,
            "Name without `%`; null if it has none.",
            lambda row: row.struct.name,
        ),
        Column(
            "body",
            "string",
            Reads.EVERYTHING,
            "Elements as text, or `opaque`; the first 1,024 characters.",
            lambda row: brief_body(row.struct),
        ),
        Column("elements", "int32", Reads.EVERYTHING, "Elements.", lambda row: len(row.struct.element_types)),
        Column("is_packed", "bool", Reads.EVERYTHING, "Whether it has no padding.", lambda row: row.struct.is_packed),
        Column("is_opaque", "bool", Reads.EVERYTHING, "Whether it has no body.", lambda row: row.struct.is_opaque),
        Column(
            "bytes",
            "int64",
            Reads.EVERYTHING,
            "Size in memory, padding included; null if it is unknown.",
            _type_size,
            "bytes",
        ),
    ),
    _types,
    ("module", "type"),
)

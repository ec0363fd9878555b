"""What a module is, at a glance: who wrote it, for what target, and which symbols it has.

Function bodies, types, constants and metadata are passed over.  Rules: bitcode record reference, sections 1.3, 3 and 9.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from bitcodec.bitcode.schema.blocks import BlockId, IdentificationCode, ModuleCode, StrtabCode, ValueSymtabCode
from bitcodec.bitcode.schema.linkage import linkage_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from bitcodec.bitstream import Bitstream, Columns

__all__ = ["ModuleSummary", "Symbol", "summarize"]

_WANTED = frozenset(
    {BlockId.IDENTIFICATION_BLOCK, BlockId.MODULE_BLOCK, BlockId.VALUE_SYMTAB_BLOCK, BlockId.STRTAB_BLOCK}
)
_LEVELS = 2
_VERSION_WITH_STRTAB = 2


class _GlobalLayout(NamedTuple):
    """Where a record of a global has what is needed here, string table offset and size not counted."""

    kind: str
    linkage: int
    is_definition: Callable[[Sequence[int]], bool]


_GLOBALS = {
    ModuleCode.GLOBALVAR: _GlobalLayout("variable", 3, lambda fields: fields[2] != 0),
    ModuleCode.FUNCTION: _GlobalLayout("function", 3, lambda fields: fields[2] == 0),
    ModuleCode.ALIAS_OLD: _GlobalLayout("alias", 2, lambda _: True),
    ModuleCode.ALIAS: _GlobalLayout("alias", 3, lambda _: True),
    ModuleCode.IFUNC: _GlobalLayout("ifunc", 3, lambda _: True),
}
_NEEDED_FIELDS = 4
_NAME_BEGINS: dict[int, int] = {ValueSymtabCode.ENTRY: 1, ValueSymtabCode.FNENTRY: 2}
"""Which operand begins the name, in records of a symbol table."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A global of a module; `kind` is function, variable, alias or ifunc."""

    name: str
    kind: str
    linkage: str
    is_definition: bool

    @property
    def is_intrinsic(self) -> bool:
        """Whether the compiler itself stands for it."""
        return self.name.startswith("llvm.")

    @property
    def is_local(self) -> bool:
        """Whether other modules cannot see it."""
        return self.linkage in ("internal", "private")


@dataclass(slots=True)
class ModuleSummary:
    """A module at a glance; what an old file does not say is None."""

    producer: str | None = None
    epoch: int | None = None
    version: int = 0
    triple: str | None = None
    data_layout: str | None = None
    source_filename: str | None = None
    symbols: list[Symbol] = field(default_factory=list)


def summarize(stream: Bitstream) -> list[ModuleSummary]:
    """Return a summary of each module of a stream of LLVM IR.

    Raises:
        BitstreamError: the stream is malformed in a part that is needed.
    """
    columns = stream.decode(max_depth=_LEVELS, skipped=_AllBut(_WANTED))
    reader = _SummaryReader(stream, columns)
    for row in range(len(columns.records)):
        reader.read(row)
    if columns.error is not None:
        raise columns.error
    return reader.finish()


class _AllBut:
    """Holds every number but a few."""

    def __init__(self, excluded: frozenset[int]) -> None:
        self._excluded = excluded

    def __contains__(self, number: object) -> bool:
        return number not in self._excluded


@dataclass(slots=True)
class _Pending:
    """A module whose names are not known yet: its summary, and by value id its globals and names."""

    summary: ModuleSummary
    globals: list[tuple[int, list[int]]] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)


class _SummaryReader:
    def __init__(self, stream: Bitstream, columns: Columns) -> None:
        self._stream = stream
        self._columns = columns
        self._producer: str | None = None
        self._epoch: int | None = None
        self._modules: dict[int, _Pending] = {}
        self._done: list[ModuleSummary] = []

    def read(self, row: int) -> None:
        """Take notice of one record."""
        records, blocks = self._columns.records, self._columns.blocks
        block = records.block[row]
        code = records.code[row]
        operands = self._columns.operands[records.first_operand[row] : records.first_operand[row + 1]].tolist()
        block_id = blocks.id[block]
        if block_id == BlockId.IDENTIFICATION_BLOCK:
            self._read_identification(code, operands)
        elif block_id == BlockId.MODULE_BLOCK:
            self._read_module(self._module(block), code, operands)
        elif block_id == BlockId.VALUE_SYMTAB_BLOCK and blocks.parent[block] >= 0:
            self._read_name(self._module(blocks.parent[block]), code, operands)
        elif block_id == BlockId.STRTAB_BLOCK and code == StrtabCode.BLOB:
            self._name_by_strtab(row)

    def finish(self) -> list[ModuleSummary]:
        """Return the summaries, those of modules without a string table named as far as they can be."""
        self._name_all(b"")
        return self._done

    def _read_identification(self, code: int, operands: list[int]) -> None:
        if code == IdentificationCode.STRING:
            self._producer = _text(operands)
        elif code == IdentificationCode.EPOCH and operands:
            self._epoch = operands[0]

    def _module(self, block: int) -> _Pending:
        if block not in self._modules:
            self._modules[block] = _Pending(ModuleSummary(self._producer, self._epoch))
            self._producer = self._epoch = None
        return self._modules[block]

    def _read_module(self, module: _Pending, code: int, operands: list[int]) -> None:
        summary = module.summary
        if code == ModuleCode.VERSION and operands:
            summary.version = operands[0]
        elif code == ModuleCode.TRIPLE:
            summary.triple = _text(operands)
        elif code == ModuleCode.DATALAYOUT:
            summary.data_layout = _text(operands)
        elif code == ModuleCode.SOURCE_FILENAME:
            summary.source_filename = _text(operands)
        elif code in _GLOBALS:
            module.globals.append((code, operands))

    def _read_name(self, module: _Pending, code: int, operands: list[int]) -> None:
        skipped = _NAME_BEGINS.get(code, 0)
        if skipped and len(operands) > skipped:
            module.names[operands[0]] = _text(operands[skipped:])

    def _name_by_strtab(self, row: int) -> None:
        start, size = self._columns.blobs.of_record(row) or (0, 0)
        self._name_all(bytes(self._stream.payload[start : start + size]))

    def _name_all(self, strtab: bytes) -> None:
        for module in self._modules.values():
            module.summary.symbols.extend(_symbols(module, strtab))
            self._done.append(module.summary)
        self._modules.clear()


def _symbols(module: _Pending, strtab: bytes) -> Iterator[Symbol]:
    for value_id, (code, operands) in enumerate(module.globals):
        name = module.names.get(value_id, "")
        fields = operands
        if module.summary.version >= _VERSION_WITH_STRTAB:
            fields = operands[2:]
            name = strtab[operands[0] : sum(operands[:2])].decode("utf-8", "backslashreplace") if operands else ""
        if len(fields) < _NEEDED_FIELDS:
            continue
        layout = _GLOBALS[ModuleCode(code)]
        yield Symbol(name, layout.kind, linkage_name(fields[layout.linkage]), layout.is_definition(fields))


def _text(characters: Sequence[int]) -> str:
    return bytes(character & 0xFF for character in characters).decode("utf-8", "backslashreplace")

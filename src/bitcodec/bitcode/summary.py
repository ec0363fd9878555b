"""Producer and target of a module, from its records, without opening the module.

Records before the fault of a malformed stream count, too.  Rules: docs/reference/records.md, 1.3 and 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, IdentificationCode, ModuleCode
from bitcodec.bitstream.blocks import text_of

if TYPE_CHECKING:
    from bitcodec.bitstream import Bitstream, Columns

__all__ = ["ModuleSummary", "summarize"]

_WANTED = frozenset({BlockId.IDENTIFICATION_BLOCK, BlockId.MODULE_BLOCK})


@dataclass(slots=True)
class ModuleSummary:
    """Origin of a module; fields that an old file lacks are None.

    The data layout is unchanged from the file; in an opened module it is auto-upgraded to LLVM 22.
    """

    producer: str | None = None
    epoch: int | None = None
    version: int = 0
    triple: str | None = None
    data_layout: str | None = None
    source_filename: str | None = None


_TEXTS = {
    ModuleCode.TRIPLE: "triple",
    ModuleCode.DATALAYOUT: "data_layout",
    ModuleCode.SOURCE_FILENAME: "source_filename",
}


def summarize(stream: Bitstream) -> list[ModuleSummary]:
    """Return a summary of each module of a stream of LLVM IR; of a malformed one, of those before the fault."""
    columns = stream.decode(max_depth=1, skipped=_AllBut(_WANTED))
    reader = _SummaryReader(columns)
    for row in range(len(columns.records)):
        reader.read(row)
    return list(reader.modules.values())


class _AllBut:
    """Holds every number but a few."""

    def __init__(self, excluded: frozenset[int]) -> None:
        self._excluded = excluded

    def __contains__(self, number: object) -> bool:
        return number not in self._excluded


class _SummaryReader:
    def __init__(self, columns: Columns) -> None:
        self.modules: dict[int, ModuleSummary] = {}
        self._columns = columns
        self._identity = ModuleSummary()

    def read(self, row: int) -> None:
        """Take notice of one record."""
        records, blocks = self._columns.records, self._columns.blocks
        block, code = records.block[row], records.code[row]
        operands = self._columns.operands_of(row).tolist()
        if blocks.id[block] == BlockId.IDENTIFICATION_BLOCK:
            self._read_identification(code, operands)
        elif blocks.id[block] == BlockId.MODULE_BLOCK:
            self._read_module(self._module(block), code, operands)

    def _read_identification(self, code: int, operands: list[int]) -> None:
        if code == IdentificationCode.STRING:
            self._identity.producer = text_of(operands)
        elif code == IdentificationCode.EPOCH and operands:
            self._identity.epoch = operands[0]

    def _module(self, block: int) -> ModuleSummary:
        if block not in self.modules:
            self.modules[block], self._identity = self._identity, ModuleSummary()
        return self.modules[block]

    def _read_module(self, module: ModuleSummary, code: int, operands: list[int]) -> None:
        if code == ModuleCode.VERSION and operands:
            module.version = operands[0]
        elif code in _TEXTS:
            setattr(module, _TEXTS[ModuleCode(code)], text_of(operands))

"""Resolves the numbers in summaries: value ids, and the ids of modules in an index of several.

In the summary of one module value ids count its globals; in an index of several, records give them GUIDs.
Rules: LLVM 22's module summary index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed, require_operands
from bitcodec.bitcode.reader.symbols import global_names
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode, ModuleStrtabCode, ValueSymtabCode
from bitcodec.bitcode.schema.globals import OLD_LINKAGES
from bitcodec.bitcode.text import characters
from bitcodec.ir.guid import global_identifier, guid_of
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.blocks import BlockPlace
    from bitcodec.bitcode.reader.module_tables import ModuleTables
    from bitcodec.ir.summary import ModuleSummaryIndex, SummarizedModule, ValueInfo

__all__ = ["SummarizedValue", "SummaryValues"]

_GLOBALS = frozenset({ModuleCode.GLOBALVAR, ModuleCode.FUNCTION, ModuleCode.ALIAS})
"""Records that value ids count; ifuncs come after all others, and have no summaries."""

_LINKAGE = 3
"""Index of the linkage operand in all of them, the place of the name not counted."""

_LOCAL_SPELLINGS = {linkage.spelling for linkage in Linkage if linkage.is_local}
_LOCAL_LINKAGES = frozenset(
    {linkage.code for linkage in Linkage if linkage.is_local}
    | {code for code, spelling in OLD_LINKAGES.items() if spelling in _LOCAL_SPELLINGS}
)

_HASH_SIZE = 5
_HASH_MASK = 0xFFFF_FFFF


class SummarizedValue(NamedTuple):
    """The value of a value id, and the GUID of its name alone."""

    value: ValueInfo
    original_guid: int


class SummaryValues:
    """The values and modules of an index, by the numbers that its file has for them.

    Args:
        tables: of the module that the index is in.
        index: the index that they are added to.
    """

    def __init__(self, tables: ModuleTables, index: ModuleSummaryIndex) -> None:
        self._tables = tables
        self._index = index
        self._source_filename = ""
        self._hash: tuple[int, ...] = ()
        self._values: dict[int, SummarizedValue] = {}
        self._modules: dict[int, SummarizedModule] = {}
        self._local: list[bool] = []

    def read(self) -> None:
        """Read the numbers of values and modules, except from the records of summaries.

        Raises:
            BitcodeError: it is malformed.
        """
        records = self._tables.records
        with records.placed():
            for _, code, operands in records:
                self._read_record(code, operands)
        if self._source_filename:
            self.own_module.hash = self._hash or self.own_module.hash
        for place in self._tables.places(BlockId.MODULE_STRTAB_BLOCK):
            self._read_modules(place)
        if not self._tables.has_strtab:
            for place in self._tables.places(BlockId.VALUE_SYMTAB_BLOCK):
                self._read_symbols(place)

    # Looking up

    @property
    def own_module(self) -> SummarizedModule:
        """The module that the file itself holds."""
        return self._index.add_module(self._tables.module.identifier)

    def value(self, value_id: int) -> SummarizedValue:
        """Return the value of a value id.

        Raises:
            Malformed: the id is unknown.
        """
        found = self._values.get(value_id)
        if found is None:
            raise Malformed(Reason.NO_SUMMARIZED_VALUE(number=value_id))
        return found

    def get(self, value_id: int) -> ValueInfo | None:
        """Return the value of an id, None if the index leaves it out."""
        found = self._values.get(value_id)
        return None if found is None else found.value

    def module(self, module_id: int) -> SummarizedModule:
        """Return a module of an index of several.

        Raises:
            Malformed: the id is unknown.
        """
        found = self._modules.get(module_id)
        if found is None:
            raise Malformed(Reason.NO_INDEXED_MODULE(number=module_id))
        return found

    def define(self, value_id: int, guid: int) -> None:
        """Assign a value id to the global of a GUID."""
        self._values[value_id] = SummarizedValue(self._index.add_value(guid), guid)

    # Reading

    def _read_record(self, code: int, operands: list[int]) -> None:
        if code in _GLOBALS:
            self._read_global(operands)
        elif code == ModuleCode.SOURCE_FILENAME:
            self._source_filename = characters(operands)
        elif code == ModuleCode.HASH:
            self._hash = _hash(operands)

    def _read_global(self, operands: list[int]) -> None:
        if not self._tables.has_strtab:
            require_operands(operands, 1 + _LINKAGE)
            self._local.append(operands[_LINKAGE] in _LOCAL_LINKAGES)
            return
        require_operands(operands, 3 + _LINKAGE)
        number = len(self._local)
        self._local.append(operands[2 + _LINKAGE] in _LOCAL_LINKAGES)
        self._name(number, self._tables.string(operands[0], operands[1]))

    def _name(self, value_id: int, name: str) -> None:
        is_local = self._local[value_id]
        guid = guid_of(global_identifier(name, self._source_filename, is_local=is_local))
        value = self._index.add_value(guid)
        value.name = name
        self._values[value_id] = SummarizedValue(value, guid_of(name) if is_local else guid)

    def _read_symbols(self, place: BlockPlace) -> None:
        records = place.decode()
        for value_id, name in global_names(records):
            if value_id < len(self._local):
                self._name(value_id, name)
        with records.placed():
            for _, code, operands in records:
                if code == ValueSymtabCode.COMBINED_ENTRY:
                    require_operands(operands, 2)
                    self.define(operands[0], operands[1])

    def _read_modules(self, place: BlockPlace) -> None:
        records = place.decode()
        latest: SummarizedModule | None = None
        with records.placed():
            for _, code, operands in records:
                if code == ModuleStrtabCode.ENTRY:
                    require_operands(operands, 1)
                    latest = self._modules[operands[0]] = self._index.add_module(characters(operands[1:]))
                elif code == ModuleStrtabCode.HASH:
                    if latest is None:
                        raise Malformed(Reason.HASH_WITHOUT_MODULE())
                    latest.hash = _hash(operands)
                    latest = None


def _hash(operands: list[int]) -> tuple[int, ...]:
    if len(operands) != _HASH_SIZE:
        raise Malformed(Reason.HASH_SIZE(count=len(operands), expected=_HASH_SIZE))
    return tuple(operand & _HASH_MASK for operand in operands)

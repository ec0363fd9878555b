"""Records of MODULE_BLOCK: what the module says of itself, comdats, globals.

Rules: docs/reference/records.md, 3; docs/reference/writer.md, 11.1 and 11.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import ModuleCode
from bitcodec.bitcode.schema.globals import (
    VARIABLE_EXPLICIT_TYPE,
    AliasRecord,
    FunctionRecord,
    IFuncRecord,
    VariableRecord,
)
from bitcodec.bitcode.writer.rows import UNABBREVIATED, Rows, characters
from bitcodec.bitstream.abbreviations import CHAR6_ALPHABET, Abbreviation, array, char6, fixed, vbr
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.construction import assembly_records
from bitcodec.tables.versions import MODEL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitcodec.bitcode.writer.numbers import Numbers
    from bitcodec.bitcode.writer.rows import Item
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import Comdat, GlobalAlias, GlobalIFunc, GlobalObject, GlobalValue, GlobalVariable
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value

__all__ = ["ModuleRecords"]

_ADDRESS_SPACE_SHIFT = 2
_SHORT = VariableRecord._fields.index("visibility")
"""How many fields a variable has that has nothing special about it."""
_HELD = ("prologue", "prefix", "personality")
_NO_PARTITION = {"partition_offset": 0, "partition_size": 0}
_CHAR6 = frozenset(CHAR6_ALPHABET)


class ModuleRecords:
    """Makes the records of a module.

    Args:
        module: which is read to the end.
        numbers: its numbers.
    """

    def __init__(self, module: Module, numbers: Numbers) -> None:
        self._module = module
        self._numbers = numbers
        self._dialect = numbers.dialect
        self._originals: dict[GlobalValue, GlobalValue] = {}
        if not self._dialect.has_string_table:
            self._originals = {self._dialect.declared(function): function for function in module.functions}
        self._sections, self._collectors = numbers.sections, numbers.collectors
        for variable in module.global_variables:
            _ = variable.section and self._sections[variable.section]
        for function in module.functions:
            _ = function.section and self._sections[function.section]
            _ = function.garbage_collector and self._collectors[function.garbage_collector]
        # As in LLVM, a comdat without a member is not written.
        members = (value.comdat for value in (*module.global_variables, *module.functions))
        used = dict.fromkeys(comdat for comdat in members if comdat is not None)
        self._comdats: dict[Comdat | None, int] = {comdat: number for number, comdat in enumerate(used, 1)}

    def head(self, comdats: Iterable[list[int]]) -> list[Item]:
        """Return the records that precede globals.

        Args:
            comdats: what `comdats` returned, before other names got places in the string table.
        """
        rows = Rows()
        for operands in comdats:
            rows.add(ModuleCode.COMDAT, operands)
        module = self._module
        texts = {
            ModuleCode.TRIPLE: module.target_triple,
            ModuleCode.DATALAYOUT: self._dialect.data_layout(module),
            ModuleCode.ASM: module.module_asm,
        }
        for code, text in texts.items():
            if code == ModuleCode.ASM and self._dialect.version > MODEL:
                for kept, numbers in _assembly(module):
                    rows.add(kept, numbers)
            elif text:
                rows.add(code, characters(text))
        for section in self._sections:
            rows.add(ModuleCode.SECTIONNAME, characters(section))
        for collector in self._collectors:
            rows.add(ModuleCode.GCNAME, characters(collector))
        return [rows]

    def comdats(self) -> list[list[int]]:
        """Return the operands of the records of comdats."""
        if not self._dialect.has_string_table:
            texts = {comdat: characters(comdat.name) for comdat in self._comdats if comdat is not None}
            return [[comdat.selection_kind.code, len(text), *text] for comdat, text in texts.items()]
        place = self._numbers.strings.place
        return [[*place(comdat.name), comdat.selection_kind.code] for comdat in self._comdats if comdat is not None]

    def of_globals(self) -> Iterator[tuple[ModuleCode, list[int]]]:
        """Yield code and operands of each global's record, in the order of their value ids."""
        module = self._module
        for variable in module.global_variables:
            yield ModuleCode.GLOBALVAR, self._variable(variable)
        for function in module.functions:
            yield ModuleCode.FUNCTION, self._function(self._dialect.declared(function))
        for function in self._dialect.added:
            yield ModuleCode.FUNCTION, self._function(function)
        for alias in module.aliases:
            yield ModuleCode.ALIAS, self._alias(alias)
        for ifunc in module.ifuncs:
            yield ModuleCode.IFUNC, self._ifunc(ifunc)

    def globals(self) -> tuple[list[Item], int]:
        """Return the globals, with the abbreviations for them; and how many of these there are."""
        module, items = self._module, []
        abbreviation_id = UNABBREVIATED
        if module.global_variables:
            abbreviation_id = 4
            items.append(self._variable_abbreviation())
        rows, name = Rows(), characters(module.source_filename)
        element = char6 if _CHAR6.issuperset(name) else fixed(7 if bytes(name).isascii() else 8)
        items.append(Abbreviation.of(ModuleCode.SOURCE_FILENAME, array, element))
        rows.add(ModuleCode.SOURCE_FILENAME, name, 4 + len(items) - 1)
        count_of_short = _SHORT + 2 * self._dialect.has_string_table
        for code, operands in self.of_globals():
            is_short = code == ModuleCode.GLOBALVAR and not any(operands[count_of_short:])
            if is_short:
                del operands[count_of_short:]
            rows.add(code, operands, abbreviation_id if is_short else UNABBREVIATED)
        count = len(items)
        return [*items, rows], count

    def _variable_abbreviation(self) -> Abbreviation:
        module = self._module
        alignments = [value.alignment or 0 for value in module.global_variables]
        widest = max((self._type(variable) for variable in module.global_variables), default=0)
        alignment = max(alignments, default=0).bit_length()
        place = (vbr(8), vbr(8)) if self._dialect.has_string_table else ()
        return Abbreviation.of(
            ModuleCode.GLOBALVAR,
            *place,
            fixed(widest.bit_length()),
            vbr(6),
            vbr(6),
            fixed(5),
            fixed(alignment.bit_length()) if alignment else 0,
            fixed(len(self._sections).bit_length()) if self._sections else 0,
        )

    def _variable(self, variable: GlobalVariable) -> list[int]:
        numbers = self._numbers
        place = self._place(variable)
        initializer = variable.initializer
        flags = variable.is_constant | VARIABLE_EXPLICIT_TYPE | variable.address_space << _ADDRESS_SPACE_SHIFT
        record = VariableRecord(
            type=self._type(variable),
            flags=flags,
            initializer=0 if initializer is None else numbers.values[self._dialect.held(variable, initializer)] + 1,
            linkage=self._dialect.linkage(variable).code,
            alignment=(variable.alignment or 0).bit_length(),
            section=self._section(variable),
            visibility=variable.visibility.code,
            thread_local=variable.thread_local_mode.code,
            unnamed_addr=variable.unnamed_address.code,
            externally_initialized=variable.is_externally_initialized,
            dll_storage_class=variable.dll_storage_class.code,
            comdat=self._comdats.get(variable.comdat, 0),
            attributes=numbers.attributes[AttributeList(variable.attributes)] if variable.attributes else 0,
            dso_local=variable.is_dso_local,
            sanitizer=variable.no_sanitize_address
            | variable.no_sanitize_hwaddress << 1
            | variable.sanitize_memtag << 2
            | variable.sanitize_address_dyninit << 3,
            code_model=0 if variable.code_model is None else variable.code_model.code,
        )
        operands = _plain(record)
        if variable.partition or any(operands[_SHORT:]):
            operands = _plain(record._replace(**self._partition(variable)))
        return [*place, *operands]

    def _function(self, function: Function) -> list[int]:
        numbers, values = self._numbers, self._numbers.values
        place = self._place(function)
        # Most hold nothing.
        held = dict.fromkeys(_HELD, 0)
        if function.operands:
            for role, value in zip(
                _HELD, (function.prologue_data, function.prefix_data, function.personality), strict=True
            ):
                held[role] = 0 if value is None else values[self._dialect.held(function, value)] + 1
        collector = function.garbage_collector
        record = FunctionRecord(
            type=self._type(function),
            calling_convention=function.calling_convention,
            is_declaration=function.is_declaration,
            linkage=self._dialect.linkage(function).code,
            attributes=numbers.attributes[function.attributes],
            alignment=(function.alignment or 0).bit_length(),
            section=self._section(function),
            visibility=function.visibility.code,
            gc=self._collectors[collector] + 1 if collector else 0,
            unnamed_addr=function.unnamed_address.code,
            dll_storage_class=function.dll_storage_class.code,
            comdat=self._comdats.get(function.comdat, 0),
            **held,
            dso_local=function.is_dso_local,
            address_space=function.address_space,
            **self._partition(function),
            preferred_alignment=(function.preferred_alignment or 0).bit_length(),
        )
        operands = [*place, *_plain(record)]
        return operands if function.preferred_alignment else operands[:-1]

    def _alias(self, alias: GlobalAlias) -> list[int]:
        place = self._place(alias)
        record = AliasRecord(
            **self._indirect(alias, alias.aliasee),
            dll_storage_class=alias.dll_storage_class.code,
            thread_local=alias.thread_local_mode.code,
            unnamed_addr=alias.unnamed_address.code,
        )
        return [*place, *_plain(record)]

    def _ifunc(self, ifunc: GlobalIFunc) -> list[int]:
        place = self._place(ifunc)
        operands = _plain(IFuncRecord(**self._indirect(ifunc, ifunc.resolver)))
        return [*place, *operands[: self._dialect.ifunc_length]]

    def _indirect(self, value: GlobalAlias | GlobalIFunc, aliasee: Value) -> dict[str, int]:
        """Return the fields that aliases and ifuncs have in common."""
        return {
            "type": self._type(value),
            "address_space": value.address_space,
            "aliasee": self._numbers.values[self._dialect.held(value, aliasee)],
            "linkage": value.linkage.code,
            "visibility": value.visibility.code,
            "dso_local": value.is_dso_local,
            **self._partition(value),
        }

    def _type(self, value: GlobalValue) -> int:
        return self._numbers.types[self._dialect.value_type(value)]

    def _section(self, value: GlobalObject) -> int:
        return self._sections[value.section] + 1 if value.section else 0

    def _place(self, value: GlobalValue) -> tuple[int, ...]:
        """Return the operands that say where the name of a global is, none if it is in a table of symbols."""
        if self._dialect.has_string_table:
            return self._numbers.strings.place(value.name)
        if value.name:
            self._numbers.symbols[self._numbers.values[self._originals.get(value, value)]] = value.name
        return ()

    def _partition(self, value: GlobalValue) -> dict[str, int]:
        is_named = value.partition or self._numbers.places_empty_names
        if not is_named or not self._dialect.has_string_table:
            return _NO_PARTITION
        offset, size = self._numbers.strings.place(value.partition)
        return {"partition_offset": offset, "partition_size": size}


def _plain(record: Sequence[int | None]) -> list[int]:
    return [int(field or 0) for field in record]


def _assembly(module: Module) -> Iterable[tuple[int, Sequence[int]]]:
    """Yield code and operands of the records of assembly text, with the properties that it had in the file."""
    kept = assembly_records(module)
    text = [operand for code, operands in kept if code == ModuleCode.ASM for operand in operands]
    if text == list(characters(module.module_asm)):
        yield from kept
    elif module.module_asm:
        yield ModuleCode.ASM, characters(module.module_asm)

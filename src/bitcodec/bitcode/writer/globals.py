"""Records of MODULE_BLOCK: what the module says of itself, comdats, globals.

Rules: docs/reference/records.md, 3; docs/reference/writer.md, 11.1 and 11.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import ModuleCode
from bitcodec.bitcode.writer.global_forms import SHORT_VARIABLE, GlobalNumbers, record_of, type_number
from bitcodec.bitcode.writer.rows import UNABBREVIATED, Rows, characters
from bitcodec.bitstream.abbreviations import CHAR6_ALPHABET, Abbreviation, array, char6, fixed, vbr
from bitcodec.ir.construction import assembly_records
from bitcodec.tables.versions import MODEL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitcodec.bitcode.writer.numbers import Numbers
    from bitcodec.bitcode.writer.rows import Item
    from bitcodec.ir.globals import Comdat, GlobalValue
    from bitcodec.ir.module import Module

__all__ = ["ModuleRecords"]

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
        self._of_globals = GlobalNumbers(numbers, self._dialect, self._comdats)

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
        module, dialect = self._module, self._dialect
        for variable in module.global_variables:
            yield ModuleCode.GLOBALVAR, self._record(ModuleCode.GLOBALVAR, variable)
        for function in (*map(dialect.declared, module.functions), *dialect.added):
            yield ModuleCode.FUNCTION, self._record(ModuleCode.FUNCTION, function)
        for alias in module.aliases:
            yield ModuleCode.ALIAS, self._record(ModuleCode.ALIAS, alias)
        for ifunc in module.ifuncs:
            yield ModuleCode.IFUNC, self._record(ModuleCode.IFUNC, ifunc, dialect.ifunc_length)

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
        count_of_short = SHORT_VARIABLE + 2 * self._dialect.has_string_table
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
        widest = max((type_number(variable, self._of_globals) for variable in module.global_variables), default=0)
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

    def _record(self, code: ModuleCode, value: GlobalValue, length: int | None = None) -> list[int]:
        """Return the operands of a global: all, or `length` behind the place of the name."""
        place = self._place(value)
        return [*place, *record_of(code, value, self._of_globals)[:length]]

    def _place(self, value: GlobalValue) -> tuple[int, ...]:
        """Return the operands that say where the name of a global is, none if it is in a table of symbols."""
        if self._dialect.has_string_table:
            return self._numbers.strings.place(value.name)
        if value.name:
            self._numbers.symbols[self._numbers.values[self._originals.get(value, value)]] = value.name
        return ()


def _assembly(module: Module) -> Iterable[tuple[int, Sequence[int]]]:
    """Yield code and operands of the records of assembly text, with the properties that it had in the file."""
    kept = assembly_records(module)
    text = [operand for code, operands in kept if code == ModuleCode.ASM for operand in operands]
    if text == list(characters(module.module_asm)):
        yield from kept
    elif module.module_asm:
        yield ModuleCode.ASM, characters(module.module_asm)

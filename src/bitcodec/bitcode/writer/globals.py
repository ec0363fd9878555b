"""Records of MODULE_BLOCK: properties of the module, comdats, globals.

Rules: docs/reference/records.md, 3; docs/reference/writer.md, 11.1 and 11.4.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import ModuleCode
from bitcodec.bitcode.schema.globals import GLOBAL_LAYOUTS, GLOBAL_RECORDS, VARIABLE_EXPLICIT_TYPE
from bitcodec.bitcode.writer.rows import UNABBREVIATED, Rows, characters
from bitcodec.bitstream.abbreviations import CHAR6_ALPHABET, Abbreviation, array, char6, fixed, vbr
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.construction.present import assembly_records
from bitcodec.tables.global_rows import GlobalFieldKind as K
from bitcodec.tables.globals import fields_in
from bitcodec.tables.versions import MODEL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitcodec.bitcode.writer.numbers import Numbers
    from bitcodec.bitcode.writer.rows import Item
    from bitcodec.ir.globals import Comdat, GlobalValue
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value
    from bitcodec.tables.global_rows import GlobalField

__all__ = ["ModuleRecords"]

_SHORT = GLOBAL_LAYOUTS[ModuleCode.GLOBALVAR]._fields.index("visibility")
"""How many fields a variable has that has nothing special about it."""
_ADDRESS_SPACE_SHIFT = 2
_CHAR6 = frozenset(CHAR6_ALPHABET)


class ModuleRecords:
    """Makes the records of a module.

    Args:
        module: a module that is read to the end.
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
        self._computed: dict[str, Callable[[Any], int]] = {
            "type": self._type,
            "flags": lambda variable: VARIABLE_EXPLICIT_TYPE | variable.address_space << _ADDRESS_SPACE_SHIFT,
            "address_space": lambda value: value.address_space,
            "initializer": lambda variable: self._held(variable, variable.initializer) + 1,
            "aliasee": lambda value: self._held(value, value.operands[0]),
            "calling_convention": lambda function: function.calling_convention,
            "is_declaration": lambda function: function.is_declaration,
            "attributes": self._attributes,
            "linkage": lambda value: self._dialect.linkage(value).code,
        }
        self._encoders: dict[K, Callable[[GlobalValue, GlobalField, Any], int]] = {
            K.BOOLEAN: lambda _value, field, _given: 1 << (field.bit[1] if field.bit else 0),
            K.MEMBER: lambda _value, _field, given: int(given.code),
            K.ALIGNMENT: lambda _value, _field, given: int(given.bit_length()),
            K.SECTION: lambda _value, _field, given: self._sections[given] + 1,
            K.COLLECTOR: lambda _value, _field, given: self._collectors[given] + 1,
            K.COMDAT: lambda _value, _field, given: self._comdats[given],
            K.CONSTANT: lambda value, _field, given: self._held(value, given) + 1,
        }

    def head(self, comdats: Iterable[list[int]]) -> list[Item]:
        """Return the records that precede globals.

        Args:
            comdats: the result of `comdats`, before other names got places in the string table.
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

    def _record(self, code: ModuleCode, value: GlobalValue, length: int | None = None) -> list[int]:
        """Return the operands of a global: all, or `length` after the place of the name."""
        place, has_string_table = self._place(value), self._dialect.has_string_table
        computed, encoded, texts, operands, required = _fields(code, max(self._dialect.version, MODEL))
        operands = operands.copy()
        for at, name in computed:
            operands[at] = self._computed[name](value)
        for at, field, attribute, default in encoded:
            given = getattr(value, attribute)
            if given != default:
                operands[at] |= self._encoders[field.kind](value, field, given)
        is_long = code != ModuleCode.GLOBALVAR or any(operands[_SHORT:])
        for at, attribute in texts:
            text = getattr(value, attribute)
            if has_string_table and (text or (is_long and self._numbers.places_empty_names)):
                operands[at : at + 2] = self._numbers.strings.place(text)
        while len(operands) > required and not operands[-1]:
            del operands[-1]
        return [*place, *operands[:length]]

    def _type(self, value: GlobalValue) -> int:
        return self._numbers.types[self._dialect.value_type(value)]

    def _held(self, value: GlobalValue, held: Value | None) -> int:
        """Return the number of a constant that a global holds, -1 for none."""
        return -1 if held is None else self._numbers.values[self._dialect.held(value, held)]

    def _attributes(self, value: Any) -> int:
        attributes = value.attributes
        is_list = isinstance(attributes, AttributeList)
        return self._numbers.attributes[attributes if is_list else AttributeList(attributes)]

    def _place(self, value: GlobalValue) -> tuple[int, ...]:
        """Return the operands for the place of a global's name, empty if it is in a table of symbols."""
        if self._dialect.has_string_table:
            return self._numbers.strings.place(value.name)
        if value.name:
            self._numbers.symbols[self._numbers.values[self._originals.get(value, value)]] = value.name
        return ()


@cache
def _fields(
    code: int, version: int
) -> tuple[list[tuple[int, str]], list[tuple[int, GlobalField, str, object]], list[tuple[int, str]], list[int], int]:
    """Return places of operands in records that a version writes, zeros for them, and how many each record has.

    The operands are those that are computed of the whole global, attributes with their defaults, and texts.
    """
    record = GLOBAL_RECORDS[code]
    fields = [(getattr(field, record), field) for field in fields_in(record) if field.since <= version]
    length = max(at + 1 + (field.kind is K.TEXT) for at, field in fields)
    return (
        [(at, field.name) for at, field in fields if field.kind is K.OTHER],
        [(at, field, field.attribute, field.initial) for at, field in fields if field.kind not in (K.OTHER, K.TEXT)],
        [(at, field.attribute) for at, field in fields if field.kind is K.TEXT],
        [0] * length,
        min((at for at, field in fields if field.is_optional), default=length),
    )


def _assembly(module: Module) -> Iterable[tuple[int, Sequence[int]]]:
    """Yield code and operands of the records of assembly text, with the properties that it had in the file."""
    kept = assembly_records(module)
    text = [operand for code, operands in kept if code == ModuleCode.ASM for operand in operands]
    if text == list(characters(module.module_asm)):
        yield from kept
    elif module.module_asm:
        yield ModuleCode.ASM, characters(module.module_asm)

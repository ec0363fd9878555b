"""The symbol table for linkers, SYMTAB_BLOCK, which LLVM calls irsymtab: the data to resolve symbols.

A linker uses a table only if version and producer match the linker's own LLVM, and otherwise builds its own.  So the
table has LLVM 22's format, and files for other versions lack it: the release of the linker is unknown.  Modules with
assembly lack it too, as in llvm-as and llvm-link, because only an assembler knows the symbols of the assembly.  The
table is always built from the module.

Rules: LLVM 22's writer, and `llvm/Object/IRSymtab.h` of that version.
"""

from __future__ import annotations

import re
import sys
from array import array
from itertools import chain
from struct import Struct
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, SymtabCode
from bitcodec.bitcode.writer.rows import BlobRecord, BlockRows
from bitcodec.bitstream.abbreviations import Abbreviation, blob
from bitcodec.ir.constant_expressions import ConstantExpr
from bitcodec.ir.constants import Constant, ConstantAggregate
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalIFunc, GlobalValue, GlobalVariable
from bitcodec.ir.metadata import MDNode, MDString
from bitcodec.symbols.base_objects import BaseObjects
from bitcodec.symbols.linker_flags import linker_flags
from bitcodec.symbols.mangling import Mangler
from bitcodec.symbols.module_symbols import GLOBAL_OFFSET_TABLE, flag_bits
from bitcodec.symbols.runtime_calls import is_runtime_call
from bitcodec.symbols.symbol import SymbolFlags
from bitcodec.symbols.targets import ObjectFormat, TripleTarget
from bitcodec.tables.linkage import CodeModel, DLLStorageClass, Linkage, ThreadLocalMode, UnnamedAddress
from bitcodec.tables.module_flags import CODE_MODEL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.bitcode.writer.strings import StringTable
    from bitcodec.ir.globals import Comdat
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value

__all__ = ["symbols_block"]

_WIDTH = 3
_VERSION = 3
_PRODUCER = "22.1.8"
"""The producer that a release of LLVM writes is its version; this one unless the file names its own LLVM 22."""
_RELEASE = re.compile(r"LLVM(22\.[1-9].*)")
_HEADER = Struct("<19I")
_NO_COMDAT = 0xFFFF_FFFF
_USED_LISTS = ("llvm.used", "llvm.compiler.used")
_LARGE_MODELS = {CodeModel.MEDIUM.code - 1, CodeModel.LARGE.code - 1}
"""As module flags number them."""

# Flags of symbols; the visibility is in the lowest two bits
_HAS_UNCOMMON = 1 << 2
_USED = 1 << 7
_THREAD_LOCAL = 1 << 8
_MAY_OMIT = 1 << 9
_UNNAMED_ADDRESS = 1 << 12
_BITS = {
    SymbolFlags.UNDEFINED: 1 << 3,
    SymbolFlags.WEAK: 1 << 4,
    SymbolFlags.COMMON: 1 << 5,
    SymbolFlags.INDIRECT: 1 << 6,
    SymbolFlags.GLOBAL: 1 << 10,
    SymbolFlags.FORMAT_SPECIFIC: 1 << 11,
    SymbolFlags.EXECUTABLE: 1 << 13,
}
_UNDEFINED, _COMMON = int(SymbolFlags.UNDEFINED), int(SymbolFlags.COMMON)
_WEAK_ALIAS = int(SymbolFlags.WEAK | SymbolFlags.INDIRECT)


def symbols_block(module: Module, strings: StringTable) -> BlockRows | None:
    """Return the table of a module; None if LLVM writes none, and for assembly text, whose symbols only it knows.

    Args:
        module: the module.
        strings: the string table; receives the strings of the table.

    Raises:
        BitcodecError: something in the module that is read for this is malformed.
    """
    if not str(module.data_layout) or module.module_asm:
        return None
    data = _SymbolRows(module, strings).data()
    if data is None:
        return None
    block = BlockRows(BlockId.SYMTAB_BLOCK, _WIDTH)
    block.items.append(BlobRecord(SymtabCode.BLOB, (), data, Abbreviation.of(SymtabCode.BLOB, blob)))
    return block


class _UnknownBaseError(Exception):
    """The aliasee of an alias is unknown, so LLVM writes no table."""


class _SymbolRows:
    def __init__(self, module: Module, strings: StringTable) -> None:
        self._module = module
        self._layout = module.data_layout
        self._triple = str(module.target_triple)
        self._target = TripleTarget.of(self._triple)
        self._format = self._target.object_format
        self._place = strings.place
        self._bases = BaseObjects()
        self._mangler = Mangler(self._bases)
        self._exports = Mangler(self._bases)
        self._used = _used_globals(module)
        self._translated: dict[int, int] = {}
        self._comdats: dict[Comdat, int] = {}
        self._comdat_words = array("I")
        self._symbols = array("I")
        self._uncommons = array("I")
        self._linker_options: list[str] = []

    def data(self) -> bytes | None:
        """Return the table as bytes, None if LLVM writes none."""
        module, place = self._module, self._place
        release = _RELEASE.fullmatch(module.producer)
        head = [*place(release[1] if release else _PRODUCER)]
        names = [*place(self._triple), *place(module.source_filename)]
        libraries = array("I", chain.from_iterable(map(place, self._dependent_libraries())))
        self._linker_options += self._options_of_module()
        try:
            for value in chain(module.functions, module.global_variables, module.aliases, module.ifuncs):
                self._add(value)
        except _UnknownBaseError:
            return None
        if self._needs_global_offset_table():
            flags = _BITS[SymbolFlags.UNDEFINED] | _BITS[SymbolFlags.GLOBAL] | _USED
            self._symbols.extend((*place(GLOBAL_OFFSET_TABLE), *place(""), _NO_COMDAT, flags))
        names += place("".join(f" {option}" for option in self._linker_options))
        modules = array("I", [0, len(self._symbols) // 6, 0])
        return self._joined(head, names, [modules, self._comdat_words, self._symbols, self._uncommons, libraries])

    def _joined(self, head: list[int], names: list[int], parts: list[array[int]]) -> bytes:
        """Return header and parts, with the place and the count of each part in the header."""
        ranges, offset = [], _HEADER.size
        for part, words in zip(parts, (3, 3, 6, 6, 2), strict=True):
            ranges += [offset, len(part) // words]
            offset += 4 * len(part)
        *ranges, libraries, count = ranges
        header = _HEADER.pack(_VERSION, *head, *ranges, *names, libraries, count)
        return b"".join([header, *(_little_endian(part) for part in parts)])

    # Module-level strings and dependent libraries

    def _dependent_libraries(self) -> Iterator[str]:
        if self._format is ObjectFormat.ELF:
            for node in self._nodes("llvm.dependent-libraries"):
                yield from _strings(node.operands[:1])

    def _options_of_module(self) -> Iterator[str]:
        if self._format is ObjectFormat.COFF:
            for node in self._nodes("llvm.linker.options"):
                yield from _strings(node.operands)

    def _nodes(self, name: str) -> Iterator[MDNode]:
        named = self._module.named_metadata.get(name)
        return iter(() if named is None else named.operands)

    def _needs_global_offset_table(self) -> bool:
        """Return whether code of the module may refer to the global offset table, though the IR does not."""
        if self._format is not ObjectFormat.ELF or not self._target.is_x86:
            return False
        return self._target.is_x86_32 or self._module.flags.integer(CODE_MODEL) in _LARGE_MODELS

    # Symbols

    def _add(self, value: GlobalValue) -> None:
        """Add the symbol of a global.

        Raises:
            _UnknownBaseError: it is an alias of nothing known.
        """
        place, flags = self._place, flag_bits(value, self._bases)
        imported = "__imp_" if value.dll_storage_class is DLLStorageClass.IMPORT else ""
        offset, size = place(imported + self._mangler.name(value, self._layout))
        ir_offset, ir_size = place(value.name)
        number = self._number(value, flags)
        uncommon: list[int] | None = None
        base = value if isinstance(value, (GlobalVariable, Function)) else self._bases.of(value)
        if base is None:
            raise _UnknownBaseError
        if flags & _COMMON and isinstance(value, GlobalVariable):
            uncommon = self._new_uncommon()
            uncommon[:2] = self._layout.alloc_size(value.value_type), value.alignment or 0
        is_indirect = isinstance(base, GlobalIFunc)
        comdat = None if is_indirect else base.comdat
        comdat_index = _NO_COMDAT if comdat is None else self._comdat_index(comdat)
        if self._format is ObjectFormat.COFF:
            self._linker_options += linker_flags(value, self._target, self._exports, self._layout)
            if flags & _WEAK_ALIAS == _WEAK_ALIAS:
                uncommon = uncommon or self._new_uncommon()
                uncommon[2:4] = place(self._fallback(value))
        if not is_indirect and base.section:
            uncommon = uncommon or self._new_uncommon()
            uncommon[4:6] = place(base.section)
        if uncommon is not None:
            number |= _HAS_UNCOMMON
            self._uncommons.extend(uncommon)
        self._symbols.extend((offset, size, ir_offset, ir_size, comdat_index, number))

    def _number(self, value: GlobalValue, flags: int) -> int:
        """Return the flags of a symbol in the table's encoding, except for the flag of rare properties."""
        number = self._translated.get(flags)
        if number is None:
            number = sum(bit for flag, bit in _BITS.items() if flags & flag)
            self._translated[flags] = number
        if value in self._used or is_runtime_call(value.name, self._triple):
            number |= _USED
        if value.thread_local_mode is not ThreadLocalMode.NOT_THREAD_LOCAL:
            number |= _THREAD_LOCAL
        if value.unnamed_address is UnnamedAddress.GLOBAL:
            number |= _UNNAMED_ADDRESS
        if value.linkage is Linkage.LINKONCE_ODR and _may_be_omitted(value):
            number |= _MAY_OMIT
        return number | value.visibility.code

    def _new_uncommon(self) -> list[int]:
        return [0, 0, *self._place(""), *self._place("")]

    def _comdat_index(self, comdat: Comdat) -> int:
        """Return the number of a comdat, which may be added.

        Raises:
            _UnknownBaseError: in COFF, it has no leader.
        """
        found = self._comdats.get(comdat)
        if found is not None:
            return found
        name = comdat.name
        if self._format is ObjectFormat.COFF:
            leader = self._module.get(name)
            if leader is None:
                raise _UnknownBaseError
            if leader.linkage.is_local:
                self._comdats[comdat] = _NO_COMDAT
                return _NO_COMDAT
            name = self._exports.name(leader, self._layout)
        index = self._comdats[comdat] = len(self._comdat_words) // 3
        self._comdat_words.extend((*self._place(name), comdat.selection_kind.code - 1))
        return index

    def _fallback(self, alias: GlobalValue) -> str:
        """Return the name of the symbol that a weak alias resolves to if no other module defines the alias.

        Raises:
            _UnknownBaseError: the aliasee is not a symbol.
        """
        value = _stripped(alias.operands[0])
        if not isinstance(value, GlobalValue):
            raise _UnknownBaseError
        return self._mangler.name(value, self._layout)


def _used_globals(module: Module) -> set[Value]:
    """Return the globals that the module lists as used."""
    used: set[Value] = set()
    for name in _USED_LISTS:
        listed = module.get(name)
        initializer = listed.initializer if isinstance(listed, GlobalVariable) else None
        if isinstance(initializer, ConstantAggregate):
            used.update(map(_stripped, initializer.operands))
    return used


def _stripped(value: Value) -> Value:
    """Return an address without casts and offsets of zero."""
    while isinstance(value, ConstantExpr):
        is_cast = value.opcode in ("bitcast", "addrspacecast")
        offsets = value.operands[1:] if value.opcode == "getelementptr" else value.operands
        is_same = all(isinstance(each, Constant) and each.is_null for each in offsets)
        if not (is_cast or is_same):
            break
        value = value.operands[0]
    return value


def _may_be_omitted(value: GlobalValue) -> bool:
    """Return whether a symbol with linkage `linkonce_odr` need not be in the symbol table of a program."""
    if value.unnamed_address is UnnamedAddress.GLOBAL:
        return True
    if isinstance(value, GlobalVariable) and not value.is_constant:
        return False
    return value.unnamed_address is UnnamedAddress.LOCAL


def _strings(operands: Sequence[object]) -> Iterator[str]:
    for operand in operands:
        if isinstance(operand, MDString):
            yield operand.text


def _little_endian(words: array[int]) -> bytes:
    if sys.byteorder == "big":
        words = words[:]
        words.byteswap()
    return words.tobytes()

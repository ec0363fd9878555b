"""Symbols of module-level assembly: defined by its labels, assignments and directives, or referenced.

Only the common syntax of assemblers is parsed: no macros, no conditions.  All operands of instructions are
searched for x86 only, where a mark distinguishes registers from symbols; elsewhere only calls and jumps.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.symbols.statements import statements
from bitcodec.symbols.symbol import SymbolFlags
from bitcodec.symbols.targets import TripleTarget
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from bitcodec.ir.module import Module

__all__ = ["assembly_symbols", "symbol_versions"]

_NAME = r'"(?:[^"\\]|\\.)*(?:"|$)|[^\W\d][\w.$]*|[.$][\w.$]+'
_LABEL = re.compile(rf"\s*({_NAME}|\d+)\s*:")
_ASSIGNMENT = re.compile(rf"\s*({_NAME})\s*==?(?!=)(.*)", re.DOTALL)
_STATEMENT = re.compile(r"\s*(?:(?:lock|rep[nez]*|notrack|bnd)\s+)?(\.?\w[\w.]*)(.*)", re.DOTALL)
_REFERENCE = re.compile(rf"(?<![\w.$@%])(?:{_NAME})")
_WHOLE_NAME = re.compile(_NAME)
_NOT_SYMBOLS_ON_X86 = re.compile(r"%\w+|\{[^{}]*\}|(?<![\w.])\$")
_HERE = re.compile(r"(?<![\w.$])\.(?![\w.$])")
_FORWARD = re.compile(r"(?<![\w.$])(\d+)f\b")
_NAME_OF_HERE = ""
"""The place of a `.` becomes a symbol without a name."""


class _Said(Enum):
    """Property that a text gives a symbol."""

    USED = auto()
    DEFINED = auto()
    GLOBAL = auto()
    WEAK = auto()


class _Naming(NamedTuple):
    """Property that a directive gives the symbols among its operands, and the range of these operands."""

    said: _Said
    operands: slice = slice(None)


_NAMING = {
    ".globl": _Naming(_Said.GLOBAL),
    ".global": _Naming(_Said.GLOBAL),
    ".weak": _Naming(_Said.WEAK),
    ".lazy_reference": _Naming(_Said.USED),
    ".comm": _Naming(_Said.DEFINED, slice(1)),
    ".zerofill": _Naming(_Said.DEFINED, slice(2, 3)),
}
_JUMPS = {"b", "bl", "call", "j", "jal", "tail"}
"""Instructions of other targets than x86 whose last operand is a symbol."""
_ASSIGNING = {".set", ".equ", ".equiv"}
_OF_EXPRESSIONS = {
    *(".byte", ".2byte", ".4byte", ".8byte", ".short", ".hword", ".value", ".word", ".int", ".long", ".quad"),
    *(".xword", ".dword", ".octa", ".dc.a", ".dc.b", ".dc.w", ".dc.l"),
}


def assembly_symbols(module: Module) -> dict[str, SymbolFlags]:
    """Return the symbols of a module's assembly text, in its order."""
    if not module.module_asm:
        return {}
    reader = _Reader(module)
    for statement in statements(module.module_asm, reader.target):
        reader.read(statement)
    reader.read_versions()
    return {name: _flags(said) for name, said in reader.symbols.items()}


def symbol_versions(module: Module) -> list[tuple[str, str]]:
    """Return symbols that a module's assembly text gives versions, each with its name with the version, in order."""
    if ".symver" not in module.module_asm:
        return []
    reader = _Reader(module)
    for statement in statements(module.module_asm, reader.target):
        reader.read(statement)
    return reader.versions


def _flags(said: set[_Said]) -> SymbolFlags:
    if _Said.DEFINED not in said:
        return SymbolFlags.UNDEFINED | (SymbolFlags.WEAK if _Said.WEAK in said else SymbolFlags.GLOBAL)
    if _Said.WEAK in said:
        return SymbolFlags.GLOBAL | SymbolFlags.WEAK
    return SymbolFlags.GLOBAL if _Said.GLOBAL in said else SymbolFlags(0)


class _Reader:
    def __init__(self, module: Module) -> None:
        self.target = TripleTarget.of(module.target_triple)
        self.symbols: dict[str, set[_Said]] = {}
        self._module = module
        self.versions: list[tuple[str, str]] = []
        self._expected: dict[str, str] = {}
        self._temporaries = 0

    def read(self, statement: str) -> None:
        """Take notice of a statement."""
        start = 0
        while label := _LABEL.match(statement, start):
            self._label(label[1])
            start = label.end()
        statement = statement[start:]
        if assignment := _ASSIGNMENT.fullmatch(statement):
            self._assign(assignment[1], assignment[2])
        elif parts := _STATEMENT.fullmatch(statement):
            word, rest = parts.groups()
            if word.startswith("."):
                self._directive(word.lower(), rest)
            else:
                self._instruction(word, rest)

    def read_versions(self) -> None:
        """Take notice of versions of symbols, which depend on all the rest."""
        for name, version in self.versions:
            self._note(name, _Said.USED)
            said = self.symbols[name]
            value = self._module.get(name)
            is_defined = _Said.DEFINED in said or (value is not None and not value.is_declaration)
            # Three of them leave it to the assembler which is meant.
            symbol = version.replace("@@@", "@@" if is_defined else "@", 1)
            if is_defined:
                self._note(symbol, _Said.DEFINED)
            if not said & {_Said.WEAK, _Said.GLOBAL} and value is not None and not value.linkage.is_local:
                said = {_Said.GLOBAL if value.linkage is Linkage.EXTERNAL else _Said.WEAK}
            for binding in said & {_Said.WEAK, _Said.GLOBAL}:
                self._note(symbol, binding)

    def _note(self, name: str, said: _Said) -> None:
        if name.startswith('"'):
            name = re.sub(r"\\(.)", r"\1", name[1:].removesuffix('"'))
        self.symbols.setdefault(name, set()).add(said)

    def _directive(self, word: str, operands: str) -> None:
        if word in _NAMING:
            naming = _NAMING[word]
            for name in map(str.strip, operands.split(",")[naming.operands]):
                if _WHOLE_NAME.fullmatch(name):
                    self._note(name, naming.said)
        elif word in _OF_EXPRESSIONS:
            self._refer(operands)
        elif word == ".size":
            self._expect(operands)
        elif word in _ASSIGNING or word == ".symver":
            name, _, value = map(str.strip, operands.partition(","))
            if not _WHOLE_NAME.fullmatch(name):
                return
            if word in _ASSIGNING:
                self._assign(name, value)
            else:
                self.versions.append((name, value.partition(",")[0].strip()))

    def _label(self, name: str) -> None:
        if name.isdigit():
            name = self._expected.pop(name, "") or self._new_temporary()
        self._note(name, _Said.DEFINED)

    def _new_temporary(self) -> str:
        self._temporaries += 1
        prefix = "L" if self._module.data_layout.mangling == "o" else ".L"
        return f"{prefix}tmp{self._temporaries - 1}"

    def _assign(self, name: str, value: str) -> None:
        self._refer(value)
        self._note(name, _Said.DEFINED)

    def _refer(self, expression: str) -> None:
        """Record the symbols that an expression refers to."""
        self._expect(expression)
        for name in _REFERENCE.findall(expression):
            self._note(name, _Said.USED)

    def _expect(self, text: str) -> None:
        """Take notice of references that make labels: to `.`, and to number labels that come later, as `1f`."""
        if _HERE.search(text):
            self._note(_NAME_OF_HERE, _Said.DEFINED)
        for number in _FORWARD.findall(text):
            if number not in self._expected:
                self._expected[number] = self._new_temporary()

    def _instruction(self, word: str, operands: str) -> None:
        if self.target.is_x86:
            self._refer(_NOT_SYMBOLS_ON_X86.sub(" ", operands))
        elif word in _JUMPS:
            self._refer(operands.rpartition(",")[2])
        else:
            self._expect(operands)

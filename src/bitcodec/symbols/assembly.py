"""Symbols of assembly text beside the IR: what its labels, assignments and directives make, and what it refers to.

Only what all assemblers share is understood: macros are not expanded, conditions not decided, and operands of
instructions are looked into for x86 alone, where what is no symbol has a mark.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TYPE_CHECKING

from bitcodec.symbols.statements import statements
from bitcodec.symbols.targets import Target

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.module import Module

__all__ = ["AssemblySymbol", "assembly_symbols"]


class AssemblySymbol(Enum):
    """What assembly text says of a symbol."""

    DEFINED = auto()
    DEFINED_GLOBAL = auto()
    DEFINED_WEAK = auto()
    GLOBAL = auto()
    WEAK = auto()
    USED = auto()


_State = AssemblySymbol

_WHEN_DEFINED = {
    None: _State.DEFINED,
    _State.USED: _State.DEFINED,
    _State.GLOBAL: _State.DEFINED_GLOBAL,
    _State.WEAK: _State.DEFINED_WEAK,
}
_WHEN_GLOBAL = {None: _State.GLOBAL, _State.USED: _State.GLOBAL, _State.DEFINED: _State.DEFINED_GLOBAL}
_WHEN_WEAK = {
    None: _State.WEAK,
    _State.USED: _State.WEAK,
    _State.GLOBAL: _State.WEAK,
    _State.DEFINED: _State.DEFINED_WEAK,
    _State.DEFINED_GLOBAL: _State.DEFINED_WEAK,
}
_WHEN_USED = {None: _State.USED}
"""What becomes of a symbol of which nothing was said (None), or this; of others nothing becomes."""

_NAME = r'"(?:[^"\\]|\\.)*"|[A-Za-z_.$?\x80-\U0010ffff][\w.$?\x80-\U0010ffff]*'
_SYMBOL = re.compile(_NAME)
_LABEL = re.compile(rf"\s*({_NAME}|\d+)\s*:")
_ASSIGNMENT = re.compile(rf"\s*({_NAME})\s*==?(?!=)(.*)", re.DOTALL)
_MNEMONIC = re.compile(r"\s*([\w.]+)(.*)", re.DOTALL)
_PREFIXES = {"lock", "rep", "repe", "repne", "repnz", "repz", "notrack", "bnd", "data16"}
_REGISTERS = re.compile(r"%\w+(\(\d\))?|\{[^}]*\}")
_VARIANT = re.compile(r"@[\w]+")
_FORWARD = re.compile(r"(?<![\w.$])(\d+)f\b")
_HERE = "."
_VERSION_CHOSEN_HERE = "@@@"


def assembly_symbols(module: Module) -> dict[str, AssemblySymbol]:
    """Return the symbols of a module's assembly text, in the order of the text."""
    if not module.module_asm:
        return {}
    reader = _Reader(module)
    for statement in statements(module.module_asm, Target.of(module.target_triple)):
        reader.read(statement)
    reader.finish()
    return reader.symbols


class _Reader:
    def __init__(self, module: Module) -> None:
        self.symbols: dict[str, AssemblySymbol] = {}
        self._module = module
        self._is_x86 = Target.of(module.target_triple).is_x86
        self._temporary = "Ltmp" if module.data_layout.mangling == "o" else ".Ltmp"
        self._temporaries = 0
        self._forward: dict[str, str] = {}
        self._versions: list[tuple[str, str]] = []

    def read(self, statement: str) -> None:
        """Take notice of a statement."""
        while label := _LABEL.match(statement):
            self._label(label[1])
            statement = statement[label.end() :]
        if assignment := _ASSIGNMENT.fullmatch(statement):
            self._assign(assignment[1], assignment[2])
        elif mnemonic := _MNEMONIC.fullmatch(statement):
            word, rest = mnemonic.groups()
            if word in _PREFIXES and (after := _MNEMONIC.fullmatch(rest)):
                word, rest = after.groups()
            _DIRECTIVES.get(word.lower(), _Reader._other)(self, rest)

    def finish(self) -> None:
        """Take notice of what could not be decided before all was read: versions of symbols."""
        for name, version in self._versions:
            state = self.symbols.get(name)
            value = self._module.get(name)
            is_defined = state in _DEFINED or (value is not None and not value.is_declaration)
            if _VERSION_CHOSEN_HERE in version:
                version = version.replace(_VERSION_CHOSEN_HERE, "@@" if is_defined else "@", 1)  # noqa: PLW2901
            if is_defined:
                self._mark(version, _WHEN_DEFINED)
            if state in _SEEN_GLOBAL or (state not in _SEEN_WEAK and value is not None and not value.linkage.is_local):
                self._mark(version, _WHEN_GLOBAL)
            elif state in _SEEN_WEAK:
                self._mark(version, _WHEN_WEAK)

    def _mark(self, name: str, changes: dict[AssemblySymbol | None, AssemblySymbol]) -> None:
        if name.startswith('"'):
            name = name[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        state = self.symbols.get(name)
        if state in changes:
            self.symbols[name] = changes[state]

    def _label(self, name: str) -> None:
        if name.isdigit():
            name = self._forward.pop(name, "") or self._new_temporary()
        self._mark(name, _WHEN_DEFINED)

    def _new_temporary(self) -> str:
        self._temporaries += 1
        return f"{self._temporary}{self._temporaries - 1}"

    def _assign(self, name: str, value: str) -> None:
        if name == _HERE:
            return
        self._use(value)
        self._mark(name, _WHEN_DEFINED)

    def _use(self, expression: str) -> None:
        self._expect(expression)
        for match in _SYMBOL.finditer(_VARIANT.sub("", _strings_apart(expression))):
            name = match[0]
            if name == _HERE:
                self._mark("", _WHEN_DEFINED)
            elif not expression[: match.start()][-1:].isalnum():
                self._mark(name, _WHEN_USED)

    def _expect(self, text: str) -> None:
        """Number the labels to come that a text refers to, as `1f`."""
        for number in _FORWARD.findall(text):
            if number not in self._forward:
                self._forward[number] = self._new_temporary()

    def _other(self, rest: str) -> None:
        """Read an instruction, or a directive that says nothing of symbols."""
        if self._is_x86:
            self._use(_REGISTERS.sub(" ", rest))
        else:
            self._expect(rest)

    def _nothing(self, rest: str) -> None:
        """Pass over a directive whose operands are no expressions."""

    def _names(self, rest: str, changes: dict[AssemblySymbol | None, AssemblySymbol]) -> None:
        for name in rest.split(","):
            if _SYMBOL.fullmatch(name.strip()):
                self._mark(name.strip(), changes)

    def _global(self, rest: str) -> None:
        self._names(rest, _WHEN_GLOBAL)

    def _weak(self, rest: str) -> None:
        self._names(rest, _WHEN_WEAK)

    def _lazy(self, rest: str) -> None:
        self._names(rest, _WHEN_USED)

    def _set(self, rest: str) -> None:
        name, _, value = rest.partition(",")
        if _SYMBOL.fullmatch(name.strip()):
            self._assign(name.strip(), value)

    def _common(self, rest: str) -> None:
        self._names(rest.partition(",")[0], _WHEN_DEFINED)

    def _zerofill(self, rest: str) -> None:
        self._names("".join(rest.split(",")[2:3]), _WHEN_DEFINED)

    def _size(self, rest: str) -> None:
        self._use_here(rest.partition(",")[2])

    def _use_here(self, expression: str) -> None:
        if re.search(r"(?<![\w.$])\.(?![\w.$])", expression):
            self._mark("", _WHEN_DEFINED)

    def _version(self, rest: str) -> None:
        name, _, version = rest.partition(",")
        if name.strip() and version.strip():
            self._versions.append((name.strip(), version.partition(",")[0].strip()))

"""Details of instructions, constants and types: whole lines of llvm-dis 22 beside lines made of our module.

Numbers that text gives to groups of attributes and to nodes of metadata are replaced by what these say: a group whole,
a node without the nodes it refers to, so that a debug location has line, column, and name of its scope.
Rules: docs/reference/text.md, 3 and 9 to 13.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from bitcodec import ir

from .global_text import alias_text, function_text, ifunc_text, label_text, record_text, variable_text
from .instruction_text import instruction_text
from .value_text import NODE_FIELDS, ValueText
from .views import Difference, differences


class InstructionDetails(NamedTuple):
    """An instruction; `records` stand in front of it."""

    opcode: str
    text: str
    location: str
    attachments: tuple[str, ...]
    records: tuple[str, ...]


class FunctionDetails(NamedTuple):
    """A function; `labels` are the lines in front of its blocks, which tell where control comes from, newest first."""

    name: str
    head: str
    attachments: tuple[str, ...]
    labels: tuple[str, ...]
    instructions: tuple[InstructionDetails, ...]


class GlobalDetails(NamedTuple):
    name: str
    text: str
    attachments: tuple[str, ...]


class TypeDetails(NamedTuple):
    name: str
    body: str


class ModuleDetails(NamedTuple):
    types: tuple[TypeDetails, ...]
    globals: tuple[GlobalDetails, ...]
    functions: tuple[FunctionDetails, ...]


# What llvm-dis printed

_NODE = re.compile(r"!(\d+) = (.*)")
_GROUP = re.compile(r"attributes #(\d+) = (\{.*\})")
_TYPE = re.compile(r'(%(?:"[^"]*"|(?!\d)[-\w.]+)) = type (.*)')
_NAME = re.compile(r'[^@"]*(?:"[^"]*"[^@"]*)*(@(?:"[^"]*"|[-\w.]+))')
_OPCODE = re.compile(r'(?:%(?:"[^"]*"|[-\w.]+) = )?(?:(?:tail|musttail|notail) )?(\w+)')
_ATTACHMENTS = re.compile(r"((?:,? ![-\w$.\\]+ !\d+)+)( #\d+)?$")
_ATTACHMENT = re.compile(r"!([-\w$.\\]+) !(\d+)")
_LIVE_POINTERS = re.compile(r" ; \([^;]*\)$")
_COMMENT = re.compile(r" +; ")
_REFERENCE = re.compile(r'"[^"]*"|/\*.*?\*/ |!(?P<node>\d+)|#(?P<group>\d+)')
_FIELD = re.compile(r'(\w+): ("[^"]*"|[^,"()]*)')
_STRING_OR_NODE = re.compile(r'("[^"]*")|!\d+')
_UNNAMED_TYPE = re.compile(r"^%\d+ = type ", re.MULTILINE)
_NUMBER_OR_UNNAMED_TYPE = re.compile(r'%\d+\b|%""')


def details_of_text(text: str) -> ModuleDetails:
    """Return the details of what llvm-dis printed."""
    reader = _TextReader(text.split("\n"))
    types = sorted(TypeDetails(*found.groups()) for found in map(_TYPE.fullmatch, reader.lines) if found)
    return ModuleDetails(tuple(types), tuple(reader.globals()), tuple(reader.functions()))


class _TextReader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self._nodes = dict(found.groups() for found in map(_NODE.fullmatch, lines) if found)
        self._groups = dict(found.groups() for found in map(_GROUP.fullmatch, lines) if found)
        self._told: dict[str, str] = {}

    def globals(self) -> Iterator[GlobalDetails]:
        for line in self.lines:
            if line.startswith("@"):
                yield GlobalDetails(*self._global(line))

    def functions(self) -> Iterator[FunctionDetails]:
        lines = iter(self.lines)
        for line in lines:
            if line.startswith("declare "):
                yield FunctionDetails(*self._declaration(line), (), ())
            elif line.startswith("define "):
                labels: list[str] = []
                instructions = tuple(self._instructions(lines, labels))
                yield FunctionDetails(*self._global(line.removesuffix(" {")), tuple(labels), instructions)

    def _declaration(self, line: str) -> tuple[str, str, tuple[str, ...]]:
        """Take apart a line that has its attachments in front."""
        attachments = []
        rest = line.removeprefix("declare ")
        while found := _ATTACHMENT.match(rest):
            attachments.append(self._attachment(*found.groups()))
            rest = rest[found.end() + 1 :]
        name, text, _ = self._global(f"declare {rest}")
        return name, text, tuple(sorted(attachments))

    def _global(self, line: str) -> tuple[str, str, tuple[str, ...]]:
        name = _NAME.match(line)
        assert name, line
        text, attachments = self._without_attachments(line)
        return name[1], self._resolved(text), tuple(sorted(self._attachment(*one) for one in attachments))

    def _instructions(self, lines: Iterator[str], labels: list[str]) -> Iterator[InstructionDetails]:
        """Yield the instructions up to the end of a function: each from its first line to the first of the next."""
        records: list[str] = []
        parts: list[str] = []
        for line in lines:
            if not _is_of_instruction(line):
                if parts:
                    yield self._instruction(" ".join(parts), records)
                    parts, records = [], []
                if line == "}":
                    return
                if line.startswith(" "):
                    records.append(self._resolved(line.strip()))
                elif line:
                    labels.append(_COMMENT.sub(" ; ", line))
            elif _is_first_line(line) and parts:
                yield self._instruction(" ".join(parts), records)
                parts, records = [line.strip()], []
            else:
                parts.append(line.strip())

    def _instruction(self, line: str, records: list[str]) -> InstructionDetails:
        opcode = _OPCODE.match(line)
        assert opcode, line
        text, found = self._without_attachments(_LIVE_POINTERS.sub("", line) if "gc.relocate" in line else line)
        location = ""
        if found and found[0][0] == "dbg":
            location = self.told(found.pop(0)[1])
        attachments = tuple(sorted(self._attachment(*one) for one in found))
        return InstructionDetails(opcode[1], self._resolved(text), location, attachments, tuple(records))

    def _without_attachments(self, line: str) -> tuple[str, list[tuple[str, str]]]:
        found = _ATTACHMENTS.search(line)
        if not found:
            return line, []
        return line[: found.start()] + (found[2] or ""), _ATTACHMENT.findall(found[1])

    def _attachment(self, kind: str, number: str) -> str:
        return f"!{kind} {self.told(number)}"

    def _resolved(self, line: str) -> str:
        """Return a line without comments, and with contents in place of numbers."""
        return _REFERENCE.sub(self._reference, line)

    def _reference(self, found: re.Match[str]) -> str:
        if found["node"]:
            return self.told(found["node"])
        if found["group"]:
            return f"#{self._groups[found['group']]}"
        return found[0] if found[0].startswith('"') else ""

    def told(self, number: str) -> str:
        """Return what is told of a node."""
        told = self._told.get(number)
        if told is None:
            told = self._told[number] = self._tell(self._nodes[number])
        return told

    def _tell(self, line: str) -> str:
        head, parenthesis, fields = line.partition("(")
        if "{" in head or not parenthesis:
            return _STRING_OR_NODE.sub(lambda found: found[1] or "!", line)
        found = dict(_FIELD.findall(fields))
        parts = [f"{field}: {found[field]}" for field in NODE_FIELDS if found.get(field, "0") not in {"0", '""'}]
        if head.endswith("!DILocation"):
            parts += [f"{field}: {self.told(found[field][1:])}" for field in ("scope", "inlinedAt") if field in found]
        return f"{head}({', '.join(parts)})"


def _is_of_instruction(line: str) -> bool:
    return line.startswith("  ") and not line.startswith("    #dbg_")


def _is_first_line(line: str) -> bool:
    return line[2] not in " ]"


# The same of our module


def details_of_module(module: Any) -> ModuleDetails:
    """Return the details of our module, all of which is read."""
    module.materialize()
    text = ValueText(module)
    variables = [_global(value, text_of(value, text), text) for values, text_of in _globals(module) for value in values]
    functions = [_function(function, text) for function in module.functions]
    return ModuleDetails(tuple(sorted(_types(text.types))), tuple(variables), tuple(functions))


def _globals(module: Any) -> Iterable[tuple[Iterable[Any], Callable[[Any, ValueText], str]]]:
    yield module.global_variables, variable_text
    yield module.aliases, alias_text
    yield module.ifuncs, ifunc_text


def _global(value: Any, line: str, text: ValueText) -> GlobalDetails:
    return GlobalDetails(text.value(value), line, _attachments(getattr(value, "metadata", {}).items(), text))


def _function(function: Any, text: ValueText) -> FunctionDetails:
    text.enter(function)
    return FunctionDetails(
        text.value(function),
        function_text(function, text),
        _attachments(function.metadata.items(), text),
        tuple(filter(None, (label_text(block, text) for block in function.blocks))),
        tuple(_instruction(instruction, text) for instruction in function.instructions),
    )


def _instruction(instruction: Any, text: ValueText) -> InstructionDetails:
    location = instruction.debug_location
    return InstructionDetails(
        instruction.opcode,
        instruction_text(instruction, text),
        "" if location is None else text.node(location),
        _attachments(instruction.metadata.items(), text),
        tuple(record_text(record, text) for record in instruction.debug_records),
    )


def _attachments(attachments: Iterable[tuple[str, Any]], text: ValueText) -> tuple[str, ...]:
    return tuple(sorted(f"!{kind} {text.node(node)}" for kind, node in attachments))


def _types(used: Iterable[Any]) -> Iterator[TypeDetails]:
    """Yield the structs that have a name of their own among the types and what these are made of."""
    seen = dict.fromkeys(used)
    pending = list(seen)
    while pending:
        type = pending.pop()
        if isinstance(type, ir.StructType) and type.name:
            yield TypeDetails(str(type), type.body)
        for element in type.element_types:
            if element not in seen:
                seen[element] = None
                pending.append(element)


# Both


def differences_of_details(module: Any, text: str) -> Iterator[Difference]:
    """Yield what our module and the text that llvm-dis printed of it say differently."""
    ours, theirs = details_of_module(module), details_of_text(text)
    if _UNNAMED_TYPE.search(text):
        ours, theirs = _without_numbers(ours), _without_numbers(theirs)
    return differences(ours, theirs)


def _without_numbers(details: Any) -> Any:
    """Return details without the numbers of locals, for modules in which types have numbers too: ours have none."""
    if isinstance(details, str):
        return _NUMBER_OR_UNNAMED_TYPE.sub('%""', details)
    parts = map(_without_numbers, details)
    return type(details)(*parts) if hasattr(details, "_fields") else tuple(parts)

# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# ruff: noqa: C901, PLR0911
"""Attributes.  Rules: docs/reference/text.md, 11 and 17.9; messages match llvm-as 22.

`ATTRIBUTE_KINDS` has the names, where each may be, and the kind of value; the words inside values come from the
tables from which values are printed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.attribute_values import INTEGERS, parse_range, parse_ranges, parse_size
from bitcodec.asm.parser.dialects.words import OLD_ATTRIBUTES, OLD_MEMORY
from bitcodec.asm.parser.phrases import (
    accept,
    expect,
    parse_string,
)
from bitcodec.asm.parser.tokens import (
    ATTRIBUTE_GROUP,
    EQUAL,
    LEFT_BRACE,
    LEFT_PARENTHESIS,
    RIGHT_BRACE,
    RIGHT_PARENTHESIS,
    STRING,
    WORD,
)
from bitcodec.asm.parser.types import parse_type
from bitcodec.ir.attribute_values import MemoryEffects
from bitcodec.ir.attributes import (
    NO_ATTRIBUTES,
    Attribute,
    AttributeList,
    AttributeSet,
    EnumAttribute,
    IntegerAttribute,
    RangeAttribute,
    RangeListAttribute,
    StringAttribute,
    TypeAttribute,
)
from bitcodec.ir.functions import Function
from bitcodec.tables.attributes import (
    ATTRIBUTE_KINDS,
    AttributeKind,
    AttributePosition,
    AttributeValue,
)
from bitcodec.upgrade.attributes import BECAME_MEMORY

if TYPE_CHECKING:
    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = [
    "OF_PARAMETERS",
    "OF_RESULTS",
    "FunctionAttributes",
    "apply_groups",
    "parse_attribute_group",
    "parse_function_attributes",
    "parse_optional_attributes",
]

_KINDS = {name.encode(): kind for name, kind in ATTRIBUTE_KINDS.items()}
_POSITIONS = {name.encode(): kind.positions.value for name, kind in ATTRIBUTE_KINDS.items()}
_OF_FUNCTIONS = AttributePosition.FUNCTION.value
OF_RESULTS, OF_PARAMETERS = AttributePosition.RETURN.value, AttributePosition.PARAMETER.value
_FLAGS = {
    name.encode(): EnumAttribute(name) for name, kind in ATTRIBUTE_KINDS.items() if kind.value is AttributeValue.FLAG
}
for _old, _today in OLD_ATTRIBUTES.items():
    _FLAGS[_old], _POSITIONS[_old] = _FLAGS[_today], _POSITIONS[_today]
_MEMORY_WORDS = {name.encode(): effects for name, effects in BECAME_MEMORY.items()}
_NO_CAPTURE = IntegerAttribute("captures", 0)
_ONCE_UNTYPED = ("byval", "inalloca", "sret")
"""Until LLVM 11 the pointer gave the type."""
_PLACES = {
    _OF_FUNCTIONS: "functions",
    OF_PARAMETERS: "parameters",
    OF_RESULTS: "return values",
}

_ALL_MEMORY = MemoryEffects(MemoryEffects.ALL)


class FunctionAttributes:
    """The attributes of a function or call itself.

    Attributes:
        attributes: attributes outside of groups, in the order of the text.
        groups: numbers of the groups.
        builtin: the position of `builtin`, -1 if it is absent.
    """

    __slots__ = ("attributes", "builtin", "groups")

    def __init__(self) -> None:
        self.attributes: list[Attribute] = []
        self.groups: list[int] = []
        self.builtin = -1

    def own(self) -> AttributeSet:
        """Return the set of those that are written out."""
        return AttributeSet(self.attributes) if self.attributes else NO_ATTRIBUTES


# Parameters and results


def parse_optional_attributes(state: ModuleState, position: int) -> AttributeSet:
    """Return the attributes of a parameter or result: `position` is `OF_PARAMETERS` or `OF_RESULTS`.

    Raises:
        AssemblyError: an attribute may not be there, or is malformed.
    """
    lexer = state.lexer
    kind = lexer.kind
    if kind not in (WORD, STRING):
        return NO_ATTRIBUTES
    found: list[Attribute] = []
    first = lexer.start
    while True:
        if lexer.kind == STRING:
            found.append(_parse_string_attribute(lexer))
            continue
        if lexer.kind != WORD:
            break
        word = lexer.text()
        row = _KINDS.get(word)
        if row is None:
            if word != b"nocapture":
                break
            lexer.advance()
            found.append(_NO_CAPTURE)
            continue
        start = lexer.start
        found.append(_parse_attribute(state, word, row, in_group=False))
        allowed = _POSITIONS[word]
        if not allowed & position:
            lexer.refuse(f"this attribute does not apply to {_PLACES[position]}", start)
    return state.spelled_set(lexer.text_between(first, lexer.start), found) if found else NO_ATTRIBUTES


def _parse_string_attribute(lexer: Lexer) -> StringAttribute:
    key = parse_string(lexer)
    return StringAttribute(key, parse_string(lexer) if accept(lexer, EQUAL) else "")


# Functions and calls


def parse_function_attributes(state: ModuleState, in_group: bool = False) -> FunctionAttributes:
    """Return the attributes after the parameters of a function or the arguments of a call, or in a group.

    Raises:
        AssemblyError: an attribute may not be there, or is malformed.
    """
    lexer = state.lexer
    made = FunctionAttributes()
    memory: MemoryEffects | None = None
    problem: tuple[str, int] | None = None  # the last one is reported, and a malformed attribute before it
    while True:
        kind = lexer.kind
        if kind == ATTRIBUTE_GROUP:
            if in_group:
                problem = ("cannot have an attribute group reference in an attribute group", lexer.start)
            made.groups.append(lexer.number())
            lexer.advance()
        elif kind == STRING:
            made.attributes.append(_parse_string_attribute(lexer))
        elif kind == WORD:
            word, start = lexer.text(), lexer.start
            effects = _MEMORY_WORDS.get(word)
            if effects is not None:
                lexer.advance()
                memory = effects if memory is None else memory & effects
                continue
            row = _KINDS.get(word) or _old_kind(state, word)
            if row is None:
                break
            made.builtin = start if word == b"builtin" else made.builtin
            made.attributes.append(_parse_attribute(state, word, row, in_group=in_group))
            if not _POSITIONS[word] & _OF_FUNCTIONS and row.name != "align":
                problem = ("this attribute does not apply to functions", start)
        else:
            break
    if in_group and lexer.kind != RIGHT_BRACE:
        problem = ("unterminated attribute group", lexer.start)
    if problem is not None:
        lexer.refuse(*problem)
    if memory is not None and memory.raw != _ALL_MEMORY.raw:
        made.attributes.append(IntegerAttribute("memory", memory.raw))
    return made


def parse_attribute_group(state: ModuleState) -> None:
    """Read `attributes #N = { ... }`.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    start = lexer.start
    lexer.advance()
    if lexer.kind != ATTRIBUTE_GROUP:
        lexer.refuse("expected attribute group id")
    number = lexer.number()
    lexer.advance()
    expect(lexer, EQUAL, "expected '=' here")
    expect(lexer, LEFT_BRACE, "expected '{' here")
    made = parse_function_attributes(state, in_group=True)
    expect(lexer, RIGHT_BRACE, "expected end of attribute group")
    if not made.attributes:
        lexer.refuse("attribute group has no attributes", start)
    state.groups[number] = tuple(made.attributes)


def apply_groups(state: ModuleState) -> None:
    """Give functions, variables and calls the attributes of their groups, when all groups are known."""
    merged: dict[tuple[AttributeSet, tuple[int, ...]], AttributeSet] = {}
    lists: dict[tuple[AttributeList, AttributeSet], AttributeList] = {}

    def with_groups(own: AttributeSet, groups: tuple[int, ...]) -> AttributeSet:
        found = merged.get((own, groups))
        if found is None:
            added = [attribute for number in groups for attribute in state.groups.get(number, ())]
            found = merged[own, groups] = state.attribute_set([*own, *added])
        return found

    for value, groups in state.group_users:
        attributes = value.attributes
        if isinstance(attributes, AttributeSet):
            value.attributes = with_groups(attributes, groups)
            continue
        merged_set = with_groups(attributes.for_function, groups)
        if isinstance(value, Function):
            alignment = merged_set.integer("align")
            if alignment is not None:
                value.alignment = alignment
                merged_set = merged_set.without("align")
        key = (attributes, merged_set)
        found = lists.get(key)
        if found is None:
            found = lists[key] = attributes.with_function(merged_set)
        value.attributes = found
    state.group_users.clear()


# One attribute


def _old_kind(state: ModuleState, word: bytes) -> AttributeKind | None:
    """Return the kind of an attribute by the name that it had in older LLVMs, None if the word is none."""
    if word in OLD_ATTRIBUTES and state.dialect.accepts(state.lexer, "expected top-level entity"):
        return _KINDS[OLD_ATTRIBUTES[word]]
    return None


def _parse_attribute(state: ModuleState, word: bytes, row: AttributeKind, in_group: bool) -> Attribute:
    lexer = state.lexer
    flag = _FLAGS.get(word)
    if flag is not None:
        if (
            row.also is AttributeValue.INTEGER
            and not state.dialect.is_strict
            and lexer.data[lexer.end : lexer.end + 1] == b"("
        ):
            return IntegerAttribute(row.name, parse_size(lexer, row.name, in_group=in_group))
        lexer.advance()
        return flag
    if row.value is AttributeValue.TYPE:
        lexer.advance()
        is_untyped = row.name in _ONCE_UNTYPED and lexer.kind != LEFT_PARENTHESIS
        if is_untyped and state.dialect.accepts(lexer, "expected '('"):
            return TypeAttribute(row.name, None)
        expect(lexer, LEFT_PARENTHESIS, "expected '('")
        type_ = parse_type(state)
        expect(lexer, RIGHT_PARENTHESIS, "expected ')'")
        return TypeAttribute(row.name, type_)
    if row.value is AttributeValue.INTEGER:
        parse = INTEGERS.get(row.name)
        value = parse(lexer) if parse is not None else parse_size(lexer, row.name, in_group=in_group)
        if state.dialect.is_old and row.name == "memory":
            value &= OLD_MEMORY
        return IntegerAttribute(row.name, value)
    if row.value is AttributeValue.RANGE:
        return RangeAttribute(row.name, parse_range(state))
    return RangeListAttribute(row.name, parse_ranges(lexer))

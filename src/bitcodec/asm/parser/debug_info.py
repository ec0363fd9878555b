# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
"""Specialised nodes: `!DILocation(...)` and the other classes of debug information, and `!DIExpression`.

A class is read by a program made from its rows in `tables.debug_info`, as the printer's are.
Rules: docs/reference/text.md, 13 and 17.10; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.asm.parser.dialects.debug_info import (
    OLD_DEFAULTS,
    OLD_FLAGS,
    OLD_NODES,
    adapt_old_fields,
    is_always_distinct,
    keep_old_fields,
    old_field,
)
from bitcodec.asm.parser.metadata_state import ParsedNode
from bitcodec.asm.parser.node_fields import (
    numbers_of,
    parse_boolean,
    parse_checksum_kind,
    parse_field_string,
    parse_flags,
    parse_integer,
    parse_named,
    parse_signed,
    parse_unsigned,
)
from bitcodec.asm.parser.node_programs import (
    UNSET,
    FieldStep,
    NodeParseProgram,
    ParseStep,
    node_program,
    operator_numbers,
)
from bitcodec.asm.parser.open_nodes import Needs, OpenNode, is_node_number, parse_node_number
from bitcodec.asm.parser.phrases import accept, decoded, expect, is_integer, is_unsigned, is_word
from bitcodec.asm.parser.tokens import COMMA, LABEL, LEFT_PARENTHESIS, RIGHT_PARENTHESIS, WORD
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.debug_info import DIAssignID, DICompositeType, DIExpression
from bitcodec.ir.metadata import ConstantAsMetadata
from bitcodec.tables.dwarf import TypeEncoding
from bitcodec.upgrade.expressions import expression_version, upgraded_expression

if TYPE_CHECKING:
    from typing import NoReturn

    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.asm.parser.metadata_state import Reference
    from bitcodec.asm.parser.module_state import ModuleState

__all__ = ["OpenSpecializedNode", "begin_specialized_node"]

_MAX_64 = 0xFFFF_FFFF_FFFF_FFFF
_NODE, _LIST, _INTEGER, _SIGNED_INTEGER = ParseStep.NODE, ParseStep.LIST, ParseStep.INTEGER, ParseStep.SIGNED_INTEGER
_BOUND_CONSTANT, _LAST_WITH_METADATA = ParseStep.BOUND_CONSTANT, ParseStep.LAST_WITH_METADATA
_NUMBER, _STRING, _NAMED, _FLAGS, _BOOLEAN = (
    ParseStep.NUMBER,
    ParseStep.STRING,
    ParseStep.NAMED,
    ParseStep.FLAGS,
    ParseStep.BOOLEAN,
)
_SIGNED, _CHECKSUM_KIND = ParseStep.SIGNED, ParseStep.CHECKSUM_KIND
_NEEDS_NOTHING, _NEEDS_METADATA, _NEEDS_LIST = Needs.NOTHING, Needs.METADATA, Needs.LIST
_WORD_BITS = 64


def begin_specialized_node(state: ModuleState, is_distinct: bool = False) -> OpenNode | Reference:
    """Return a specialised node, whose name is the current token; one that has fields is only begun.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    name = lexer.content()
    if name == b"DIExpression":
        return _parse_expression(state, is_distinct=is_distinct)
    if name == b"DIAssignID":
        return _parse_assign_id(lexer, is_distinct=is_distinct)
    program = node_program(name)
    if program is None and name in OLD_NODES and state.dialect.accepts(lexer, "expected metadata type"):
        program = node_program(OLD_NODES[name])
    if program is None:
        lexer.refuse("expected metadata type")
    if program.must_be_distinct and not is_distinct:
        message = f"missing 'distinct', required for !{program.name}"
        if not state.dialect.accepts(lexer, message):
            lexer.refuse(message)
        is_distinct = True
    return OpenSpecializedNode(lexer, program, is_distinct=is_distinct)


def _parse_assign_id(lexer: Lexer, is_distinct: bool) -> ParsedNode:
    if not is_distinct:
        lexer.refuse("missing 'distinct', required for !DIAssignID()")
    reference = ParsedNode(lexer.start)
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '(' here")
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' here")
    reference.define(DIAssignID, (), is_distinct=True)
    return reference


def _parse_expression(state: ModuleState, is_distinct: bool) -> Reference:
    lexer = state.lexer
    start = lexer.start
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '(' here")
    elements: list[int] = []
    if lexer.kind != RIGHT_PARENTHESIS:
        elements.append(_parse_element(lexer))
        while accept(lexer, COMMA):
            elements.append(_parse_element(lexer))
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' here")
    if state.dialect.is_before(5):
        elements = upgraded_expression(expression_version(state.dialect.newest), elements)
    content = tuple(elements)
    if not is_distinct:
        return state.metadata.table.node(DIExpression, content)
    reference = ParsedNode(start)
    reference.define(DIExpression, content, is_distinct=True)
    return reference


def _parse_element(lexer: Lexer) -> int:
    """Return an operator or an argument of an expression."""
    if lexer.kind == WORD:
        word = lexer.text()
        number = operator_numbers().get(word)
        if number is None:
            number = numbers_of(TypeEncoding).get(word)
            if number is None:
                _refuse_element(lexer, decoded(word))
    else:
        if not is_unsigned(lexer):
            lexer.refuse("expected unsigned integer")
        number = lexer.number()
        if number > _MAX_64:
            lexer.refuse(f"element too large, limit is {_MAX_64}")
    lexer.advance()
    return number


def _refuse_element(lexer: Lexer, word: str) -> NoReturn:
    if word.startswith("DW_OP_"):
        lexer.refuse(f"invalid DWARF op '{word}'")
    if word.startswith(TypeEncoding.prefix):
        lexer.refuse(f"invalid DWARF attribute encoding '{word}'")
    lexer.refuse("expected unsigned integer")


class OpenSpecializedNode(OpenNode):
    """A node with fields that has been begun; its name is the current token."""

    __slots__ = ("_end", "_field", "_is_begun", "_is_distinct", "_program", "_start", "_values")

    def __init__(self, lexer: Lexer, program: NodeParseProgram, *, is_distinct: bool) -> None:
        self._start = lexer.start
        self._end = 0
        self._program = program
        self._is_distinct = is_distinct
        self._values: list[Any] = [UNSET] * program.size
        self._field: Any = None
        self._is_begun = False
        lexer.advance()
        expect(lexer, LEFT_PARENTHESIS, "expected '(' here")

    def read(self, state: ModuleState) -> int:
        """Read up to a field whose metadata is more than a number, or past the closing parenthesis."""
        lexer, values = state.lexer, self._values
        if not self._is_begun:
            self._is_begun = True
            if lexer.kind == RIGHT_PARENTHESIS:
                return self._close(lexer)
        elif not accept(lexer, COMMA):
            return self._close(lexer)
        while True:
            field = self._label(state)
            if field.step <= _LAST_WITH_METADATA:
                needs = self._begin_metadata(state, field)
                if needs != _NEEDS_NOTHING:
                    self._field = field
                    return needs
            else:
                values[field.place] = self._value(state, field)
            if not accept(lexer, COMMA):
                return self._close(lexer)

    def _label(self, state: ModuleState) -> FieldStep:
        """Go past the label of a field and return the field."""
        lexer = state.lexer
        if lexer.kind != LABEL:
            lexer.refuse("expected field label here")
        field: FieldStep | None = self._program.fields.get(lexer.text_between(lexer.start, lexer.end - 1))
        if field is None:
            label = lexer.content()  # which may be in quotes
            field = self._program.fields.get(label)
            if field is None:
                field = old_field(state, self._program, self._values, label)
            if field is None:
                lexer.refuse(f"invalid field '{decoded(label)}'")
        if self._values[field.place] is not UNSET:
            lexer.refuse(f"field '{field.name}' cannot be specified more than once")
        lexer.advance()
        return field

    def _begin_metadata(self, state: ModuleState, field: FieldStep) -> int:
        """Read the metadata of a field if that is a number or `null`; otherwise return the kind of item needed."""
        lexer, step, place = state.lexer, field.step, field.place
        if is_node_number(state):
            lexer.advance()
            self._values[place] = parse_node_number(state)
            return _NEEDS_NOTHING
        if step == _LIST:
            return _NEEDS_LIST
        if step != _NODE and is_integer(lexer):
            self._values[place] = self._integer(state, field)
            return _NEEDS_NOTHING
        if is_word(lexer, b"null"):
            if not field.may_be_empty:
                lexer.refuse(f"'{field.name}' cannot be null")
            lexer.advance()
            self._values[place] = None
            return _NEEDS_NOTHING
        return _NEEDS_METADATA

    def _integer(self, state: ModuleState, field: FieldStep) -> Any:
        """Return a number where metadata could be too."""
        lexer = state.lexer
        if field.step == _INTEGER:
            return parse_unsigned(lexer, field.name, field.limit)
        number = parse_signed(lexer, field.name, field.minimum, field.limit)
        if field.step == _SIGNED_INTEGER:
            return number
        table = state.metadata.table
        if field.step == _BOUND_CONSTANT:
            return table.value(state.constants.integer(state.types.integer(_WORD_BITS), number))
        return table.node(DIExpression, (operator_numbers()[b"DW_OP_consts"], number & _MAX_64))

    def _value(self, state: ModuleState, field: FieldStep) -> Any:  # noqa: PLR0911 - one for each kind
        """Return the value of a field that cannot be metadata."""
        lexer, step = state.lexer, field.step
        if step == _NUMBER:
            number = parse_unsigned(lexer, field.name, field.limit)
            return number if number <= field.mask else number & field.mask
        if step == _STRING:
            return parse_field_string(lexer, field.name, may_be_empty=field.may_be_empty)
        if step == _NAMED:
            return parse_named(lexer, field.name, field.names) & field.mask
        if step == _FLAGS:
            return parse_flags(lexer, field.names, OLD_FLAGS if state.is_old else {})
        if step == _BOOLEAN:
            return parse_boolean(lexer)
        if step == _SIGNED:
            number = parse_signed(lexer, field.name, field.minimum, field.limit) & field.mask
            return number - field.mask - 1 if number > field.mask >> 1 else number
        if step == _CHECKSUM_KIND:
            return parse_checksum_kind(lexer, field.name, field.names)
        number, width, unsigned = parse_integer(lexer)
        self._values[self._program.width_places[field.place]] = (width, unsigned)
        return number

    def _close(self, lexer: Lexer) -> int:
        self._end = lexer.start
        expect(lexer, RIGHT_PARENTHESIS, "expected ')' here")
        return _NEEDS_NOTHING

    def take(self, part: Any) -> None:
        """Take the value of the field that needed metadata."""
        field = self._field
        if isinstance(part, ConstantAsMetadata) and field.step in (_INTEGER, _SIGNED_INTEGER):
            constant = part.value
            if isinstance(constant, ConstantInt) and constant.type.bit_width == _WORD_BITS:
                part = constant.unsigned if field.step == _INTEGER else constant.signed
        self._values[field.place] = part

    def finish(self, state: ModuleState) -> ParsedNode:
        """Return the node with the default values of all fields that the text does not have."""
        lexer, program, values = state.lexer, self._program, self._values
        if state.is_old:
            adapt_old_fields(state, program, values)
            self._is_distinct = self._is_distinct or is_always_distinct(program, values)
        for place, name in program.required:
            if values[place] is UNSET:
                message = f"missing required field '{name}'"
                if (program.name, name.encode()) in OLD_DEFAULTS:
                    state.dialect.accepts(lexer, message, self._end)
                lexer.refuse(message, self._end)
        if program.check is not None:
            program.check(state, values, self._start, self._is_distinct)
        defaults, unset = program.defaults, UNSET
        content = values[: len(defaults)]
        for place in range(len(defaults)):
            if content[place] is unset:
                content[place] = defaults[place]
        reference = ParsedNode(self._start)
        reference.define(program.kind, tuple(content), is_distinct=self._is_distinct)
        if len(values) > program.size:
            keep_old_fields(state, program, values, reference.content)
        if program.kind is DICompositeType:
            state.metadata.composites.append(reference)
        return reference

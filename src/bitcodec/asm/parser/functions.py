"""Functions: declarations, definitions, bodies.

Rules: docs/reference/text.md, 7, 8 and 17.6; messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.attributes import (
    OF_PARAMETERS,
    OF_RESULTS,
    FunctionAttributes,
    parse_function_attributes,
    parse_optional_attributes,
)
from bitcodec.asm.parser.bodies import parse_body
from bitcodec.asm.parser.calling_conventions import parse_optional_calling_convention
from bitcodec.asm.parser.dialects.pointees import last_pointee
from bitcodec.asm.parser.globals import enter_global, parse_fields
from bitcodec.asm.parser.linkage import Words, parse_optional_unnamed_address, parse_words
from bitcodec.asm.parser.metadata import parse_attachment
from bitcodec.asm.parser.phrases import accept, decoded, expect
from bitcodec.asm.parser.tokens import (
    COMMA,
    DOTS,
    GLOBAL_ID,
    GLOBAL_NAME,
    LEFT_PARENTHESIS,
    LOCAL_ID,
    LOCAL_NAME,
    METADATA_NAME,
    RIGHT_PARENTHESIS,
    WORD,
)
from bitcodec.asm.parser.type_rules import ARGUMENT
from bitcodec.asm.parser.types import parse_optional_address_space, parse_type
from bitcodec.ir.attributes import NO_ATTRIBUTES, AttributeSet
from bitcodec.ir.functions import Function
from bitcodec.ir.types import FunctionType, LabelType, MetadataType
from bitcodec.tables.linkage import Linkage, UnnamedAddress

if TYPE_CHECKING:
    from bitcodec.asm.parser.metadata_state import Reference
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.types import Type

__all__ = ["parse_declaration", "parse_definition"]


class _Parameter:
    """A parameter as the header of a function has it."""

    __slots__ = ("attributes", "key", "pointee", "start", "type")

    def __init__(
        self, type: Type, attributes: AttributeSet, key: bytes | int, start: int, pointee: Type | None
    ) -> None:
        self.type = type
        self.attributes = attributes
        self.key = key
        self.start = start
        self.pointee = pointee


def parse_declaration(state: ModuleState) -> None:
    """Parse a declaration after `declare`.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    attached: list[tuple[str, Reference]] = []
    while lexer.kind == METADATA_NAME:
        attached.append(parse_attachment(state))
    function, key, _ = _parse_header(state, is_definition=False)
    state.metadata.globals += [(function, kind, node) for kind, node in attached]
    waiting = state.waiting_addresses.get(key)
    if waiting is not None:
        lexer.refuse("cannot take blockaddress inside a declaration", next(iter(waiting.values()))[1][1])


def parse_definition(state: ModuleState) -> None:
    """Parse a definition after `define`.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    function, key, parameters = _parse_header(state, is_definition=True)
    while lexer.kind == METADATA_NAME:
        kind, node = parse_attachment(state)
        state.metadata.globals.append((function, kind, node))
    names = [(parameter.key, parameter.start) for parameter in parameters]
    parse_body(state, function, key, names)


def _parse_header(state: ModuleState, *, is_definition: bool) -> tuple[Function, bytes | int, list[_Parameter]]:
    lexer = state.lexer
    words = parse_words(lexer, state.dialect)
    convention = parse_optional_calling_convention(lexer, state.dialect)
    returned = parse_optional_attributes(state, OF_RESULTS)
    type_start = lexer.start
    result = parse_type(state, "expected type", allow_void=True)
    linkage = _checked_linkage(state, words, is_definition=is_definition)
    words = words.of_linkage(state, linkage, words.start)
    if result is not state.void and isinstance(result, FunctionType | LabelType | MetadataType):
        lexer.refuse("invalid function return type", type_start)
    start, name, number = _parse_name(state)
    parameters, is_vararg = _parse_parameters(state)
    unnamed = parse_optional_unnamed_address(lexer)
    space = parse_optional_address_space(state, state.program_space)
    attributes = parse_function_attributes(state)
    types = [parameter.type for parameter in parameters]
    if is_vararg:
        function_type = state.types.function(result, types, is_vararg=True)
    else:
        function_type = state.function_of(result, types)
    made = Function(state.types.pointer(space) if space else state.ptr, function_type, linkage)
    if lexer.kind == WORD:
        parse_fields(state, made, decoded(name))
    if attributes.builtin >= 0:
        lexer.refuse("'builtin' attribute not valid on function", attributes.builtin)
    _check_new(state, name, number, made, start)
    if convention:
        made.calling_convention = convention
    if unnamed is not UnnamedAddress.NONE:
        made.unnamed_address = unnamed
    words.apply(made)
    _set_attributes(state, made, returned, attributes, parameters)
    enter_global(state, made, name, number)
    return made, name or number, parameters


def _checked_linkage(state: ModuleState, words: Words, *, is_definition: bool) -> Linkage:
    lexer, start = state.lexer, words.start
    linkage = words.linkage or Linkage.EXTERNAL
    if linkage is Linkage.EXTERN_WEAK:
        if is_definition:
            lexer.refuse("invalid linkage for function definition", start)
    elif linkage in (Linkage.APPENDING, Linkage.COMMON):
        lexer.refuse("invalid function linkage type", start)
    elif linkage is not Linkage.EXTERNAL and not is_definition:
        lexer.refuse("invalid linkage for function declaration", start)
    return linkage


def _parse_name(state: ModuleState) -> tuple[int, bytes, int]:
    """Return position, name and number of a function."""
    lexer = state.lexer
    start, name, number = lexer.start, b"", state.next_number
    if lexer.kind == GLOBAL_NAME:
        name = lexer.content()
    elif lexer.kind == GLOBAL_ID:
        number = lexer.number()
        if number < state.next_number:
            lexer.refuse(f"function expected to be numbered '@{state.next_number}' or greater", start)
    else:
        lexer.refuse("expected function name")
    lexer.advance()
    return start, name, number


def _parse_parameters(state: ModuleState) -> tuple[list[_Parameter], bool]:
    lexer = state.lexer
    if lexer.kind != LEFT_PARENTHESIS:
        lexer.refuse("expected '(' in function argument list")
    lexer.advance()
    parameters: list[_Parameter] = []
    number, is_vararg = 0, False
    has_more = lexer.kind != RIGHT_PARENTHESIS
    while has_more:
        if accept(lexer, DOTS):
            is_vararg = True
            break
        start = lexer.start
        type_ = parse_type(state)
        pointee = last_pointee(state, type_) if state.is_old else None
        attributes = parse_optional_attributes(state, OF_PARAMETERS)
        key: bytes | int = number
        if lexer.kind == LOCAL_NAME:
            start_of_name, key = lexer.start, lexer.content()
            lexer.advance()
        else:
            start_of_name = lexer.start
            if lexer.kind == LOCAL_ID:
                key = lexer.number()
                if key < number:
                    lexer.refuse(f"argument expected to be numbered '%{number}' or greater", start)
                lexer.advance()
        if isinstance(key, int) or not key:
            key = key or number
            number = int(key) + 1
        if not state.traits_of(type_) & ARGUMENT:
            lexer.refuse("invalid type for function argument", start)
        parameters.append(_Parameter(type_, attributes, key, start_of_name, pointee))
        has_more = accept(lexer, COMMA)
    expect(lexer, RIGHT_PARENTHESIS, "expected ')' at end of argument list")
    return parameters, is_vararg


def _check_new(state: ModuleState, name: bytes, number: int, made: Function, start: int) -> None:
    lexer, text = state.lexer, decoded(name)
    state.note_place("@", text, start)
    known = state.globals.get(name) if name else None
    if isinstance(known, Function):
        lexer.refuse(f"invalid redefinition of function '{text}'", start)
    if known is not None:
        lexer.refuse(f"redefinition of function '@{text}'", start)
    forward = state.forward_globals.get(name or number)
    if forward is not None and forward.type is not made.type:
        if not name:
            lexer.refuse(
                f"type of definition and forward reference of '@{number}' disagree: "
                f"expected '{made.type}' but was '{forward.type}'",
                start,
            )
        message = f"invalid forward reference to function '{text}' with wrong type: "
        lexer.refuse(f"{message}expected '{made.type}' but was '{forward.type}'", forward.position)


def _set_attributes(
    state: ModuleState,
    made: Function,
    returned: AttributeSet,
    own: FunctionAttributes,
    parameters: list[_Parameter],
) -> None:
    sets = {
        index: parameter.attributes
        for index, parameter in enumerate(parameters)
        if parameter.attributes is not NO_ATTRIBUTES
    }
    attributes = own.own()
    alignment = attributes.integer("align")
    if alignment is not None:  # it may be among the attributes
        made.alignment = alignment
        attributes = attributes.without("align")
    if attributes or returned or sets:
        made.attributes = state.attribute_list(attributes, returned, sets)
    if state.is_old:
        state.parameter_pointees[made] = [parameter.pointee for parameter in parameters]
    if own.groups:
        state.group_users.append((made, tuple(own.groups)))

# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
# ruff: noqa: SLF001
"""Metadata: nodes, named metadata, attachments.  Rules: docs/reference/text.md, 12 and 17.10.

Nodes are made when the whole text has been read, by `metadata_state`.  `debug_info` reads the specialised nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from bitcodec.asm.parser.constants import parse_value
from bitcodec.asm.parser.debug_info import begin_specialized_node
from bitcodec.asm.parser.metadata_state import ParsedNode
from bitcodec.asm.parser.open_nodes import Needs, OpenNode, OpenTuple, parse_node_number
from bitcodec.asm.parser.phrases import accept, accept_word, decoded, expect, is_word, parse_uint32
from bitcodec.asm.parser.shared_types import adopt_shared_types
from bitcodec.asm.parser.tokens import (
    COMMA,
    EQUAL,
    EXCLAIM,
    INTEGER_TYPE,
    LEFT_BRACE,
    LEFT_PARENTHESIS,
    LOCAL_ID,
    LOCAL_NAME,
    METADATA_NAME,
    RIGHT_BRACE,
    RIGHT_PARENTHESIS,
    STRING,
)
from bitcodec.asm.parser.types import parse_type
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.debug_records import DbgVariableRecord
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.metadata import DIArgList, MDNode, MDTuple, NamedMetadata
from bitcodec.ir.metadata_values import MetadataAsValue, as_argument
from bitcodec.ir.types import MetadataType
from bitcodec.upgrade.expansion import Expandable

if TYPE_CHECKING:
    from bitcodec.asm.parser.metadata_state import MetadataState, Reference
    from bitcodec.asm.parser.module_state import ModuleState
    from bitcodec.ir.metadata import ValueAsMetadata
    from bitcodec.ir.values import Value

__all__ = [
    "complete_metadata",
    "parse_attachment",
    "parse_metadata",
    "parse_metadata_value",
    "parse_named_metadata",
    "parse_node",
    "parse_numbered_node",
]


_FEWEST_PARTS = 3
_NOTHING, _LIST = Needs.NOTHING, Needs.LIST
_ROUND_TRIP = "invalid metadata-value-metadata roundtrip"

# Reading


def parse_metadata(state: ModuleState, allow_locals: bool = False) -> Reference:
    """Return metadata as an operand: a node, a string, or a value after its type.

    Args:
        state: the parser.
        allow_locals: whether the value may be one of the function.

    Raises:
        AssemblyError: it is missing or malformed.
    """
    begun = _begin_metadata(state, allow_locals=allow_locals)
    return _completed(state, begun) if isinstance(begun, OpenNode) else begun


def _begin_element(state: ModuleState, node: OpenNode) -> Reference | OpenNode:
    """Return an element of a tuple, which had its type in front until LLVM 3.5, or the value of a field."""
    if not isinstance(node, OpenTuple):
        return _begin_metadata(state)
    if is_word(state.lexer, b"metadata") and state.dialect.accepts(state.lexer, _ROUND_TRIP):
        state.lexer.advance()
    if node.allows_locals and _begins_tuple(state):
        return OpenTuple(state, allows_locals=True)
    return _begin_metadata(state, allow_locals=node.allows_locals)


def _begins_tuple(state: ModuleState) -> bool:
    """Return whether `!{` is next; go past the exclamation mark."""
    lexer = state.lexer
    if lexer.kind != EXCLAIM or lexer.data[lexer.end : lexer.end + 1] != b"{":
        return False
    lexer.advance()
    return True


def _begin_metadata(state: ModuleState, allow_locals: bool = False) -> Reference | OpenNode:
    """Return metadata; a node with parts is only begun."""
    lexer = state.lexer
    if lexer.kind == METADATA_NAME:
        if lexer.content() == b"DIArgList":
            return _parse_argument_list(state, allow_locals=allow_locals)
        return begin_specialized_node(state)
    if lexer.kind != EXCLAIM:
        return _parse_value_as_metadata(state, "expected metadata operand", allow_locals=allow_locals)
    lexer.advance()
    if lexer.kind == STRING:
        text = state.metadata.table.string(decoded(lexer.content()))
        lexer.advance()
        return text
    return OpenTuple(state) if lexer.kind == LEFT_BRACE else parse_node_number(state)


def _completed(state: ModuleState, node: OpenNode) -> ParsedNode:
    """Return a node that has been begun, read to its end with all nodes inside it."""
    open_nodes = [node]
    while True:
        node = open_nodes[-1]
        needs = node.read(state)
        if needs == _NOTHING:
            made = node.finish(state)
            open_nodes.pop()
            if not open_nodes:
                return cast("ParsedNode", made)
            open_nodes[-1].take(made)
            continue
        begun = OpenTuple(state, is_list=True) if needs == _LIST else _begin_element(state, node)
        if isinstance(begun, OpenNode):
            open_nodes.append(begun)
        else:
            node.take(begun)


def _parse_argument_list(state: ModuleState, allow_locals: bool) -> DIArgList:
    lexer = state.lexer
    lexer.advance()
    expect(lexer, LEFT_PARENTHESIS, "expected '(' here")
    arguments: list[ValueAsMetadata] = []
    if not accept(lexer, RIGHT_PARENTHESIS):
        while True:
            arguments.append(
                _parse_value_as_metadata(state, "expected value-as-metadata operand", allow_locals=allow_locals)
            )
            if not accept(lexer, COMMA):
                break
        expect(lexer, RIGHT_PARENTHESIS, "expected ')' here")
    key = tuple(arguments)
    found: DIArgList | None = state.metadata.argument_lists.get(key)
    if found is None:
        found = state.metadata.argument_lists[key] = DIArgList(key)
    return found


def _parse_value_as_metadata(state: ModuleState, message: str, allow_locals: bool) -> ValueAsMetadata:
    lexer, start = state.lexer, state.lexer.start
    type_ = parse_type(state, message)
    if isinstance(type_, MetadataType):
        lexer.refuse(_ROUND_TRIP, start)
    function = state.function
    if not allow_locals:
        if state.function is not None and lexer.kind in (LOCAL_NAME, LOCAL_ID):
            state.dialect.accepts(lexer, "invalid use of function-local name")
        state.function = None
    try:
        value = parse_value(state, type_)
    finally:
        state.function = function
    if isinstance(value, Expandable):
        value = state.constants.poison(type_)
    return state.metadata.table.value(value)


def parse_metadata_value(state: ModuleState) -> Value:
    """Return metadata as an argument of a call.

    Raises:
        AssemblyError: it is missing or malformed.
    """
    made = MetadataAsValue(state.types.metadata)
    if state.dialect.is_old and _begins_tuple(state):
        found: Reference = _completed(state, OpenTuple(state, is_argument=True))
    else:
        found = parse_metadata(state, allow_locals=True)
    state.metadata.values.append((made, found))
    return made


def parse_node(state: ModuleState) -> Reference:
    """Return a node: `!N`, `!{...}` or a specialised one.

    Raises:
        AssemblyError: it is missing or malformed.
    """
    lexer = state.lexer
    if lexer.kind == METADATA_NAME:
        return _parse_specialized(state)
    expect(lexer, EXCLAIM, "expected '!' here")
    if lexer.kind == LEFT_BRACE:
        return _completed(state, OpenTuple(state))
    return parse_node_number(state)


def _parse_specialized(state: ModuleState, is_distinct: bool = False) -> Reference:
    begun = begin_specialized_node(state, is_distinct=is_distinct)
    return _completed(state, begun) if isinstance(begun, OpenNode) else begun


def parse_numbered_node(state: ModuleState) -> None:
    """Read `!N = ...`, of which the exclamation mark is the current token.

    Raises:
        AssemblyError: it is malformed, or the number is taken.
    """
    lexer = state.lexer
    lexer.advance()
    start = lexer.start
    number = parse_uint32(lexer)
    expect(lexer, EQUAL, "expected '=' here")
    if lexer.kind == INTEGER_TYPE or (lexer.kind not in (METADATA_NAME, EXCLAIM) and _is_old_node(state)):
        message = "unexpected type in metadata definition"
        if not is_word(lexer, b"metadata") or not state.dialect.accepts(lexer, message):
            lexer.refuse(message)
        lexer.advance()
    is_distinct = accept_word(lexer, b"distinct")
    if lexer.kind == METADATA_NAME:
        made = _parse_specialized(state, is_distinct=is_distinct)
    else:
        expect(lexer, EXCLAIM, "Expected '!' here")
        made = _completed(state, OpenTuple(state, is_distinct=is_distinct))
    reference = state.metadata.reference(number, start)
    if reference.kind is not None or reference.node is not None:
        lexer.refuse("Metadata id is already used")
    if isinstance(made, ParsedNode):
        known = made
        if known.kind is None:
            lexer.refuse("Expected '!' here", start)
        reference.define(known.kind, known.content, is_distinct=known.is_distinct)
        if known.kind is MDTuple and not known.is_distinct:
            state.metadata.note_tuple(reference)
        composites = state.metadata.composites
        if composites and composites[-1] is known:
            composites[-1] = reference
    elif isinstance(made, MDNode):
        reference.kind, reference.node = type(made), made


def _is_old_node(state: ModuleState) -> bool:
    """Return whether a type is next, as in texts of LLVM 3.5 and older."""
    return state.lexer.text() in state.primitive_types


def parse_named_metadata(state: ModuleState) -> None:
    """Read `!name = !{...}`.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    name = decoded(lexer.content())
    state.note_place("!", name, lexer.start)
    lexer.advance()
    expect(lexer, EQUAL, "expected '=' here")
    expect(lexer, EXCLAIM, "Expected '!' here")
    expect(lexer, LEFT_BRACE, "Expected '{' here")
    nodes = state.metadata.named.setdefault(name, [])
    if accept(lexer, RIGHT_BRACE):
        return
    while True:
        if lexer.kind == METADATA_NAME and lexer.content() == b"DIExpression":
            nodes.append(_parse_specialized(state))
        else:
            expect(lexer, EXCLAIM, "Expected '!' here")
            nodes.append(parse_node_number(state))
        if not accept(lexer, COMMA):
            break
    expect(lexer, RIGHT_BRACE, "expected end of metadata node")


def parse_attachment(state: ModuleState) -> tuple[str, Reference]:
    """Return the kind and the node of `!kind !N`.

    Raises:
        AssemblyError: it is malformed.
    """
    lexer = state.lexer
    kind = decoded(lexer.content())
    state.metadata.kinds.setdefault(kind)
    lexer.advance()
    return kind, parse_node(state)


# The end


def complete_metadata(state: ModuleState) -> None:
    """Make all nodes, and give them to everything that refers to them.

    Raises:
        AssemblyError: a node is not defined.
    """
    metadata = state.metadata
    for number in sorted(metadata.numbered):
        reference = metadata.numbered[number]
        if reference.kind is None:
            state.lexer.refuse(f"use of undefined metadata '!{number}'", reference.position)
    shared_types = state.module.context.shared_types
    if shared_types is not None:
        adopt_shared_types(metadata, shared_types)
    named = state.module.named_metadata
    for name, nodes in metadata.named.items():
        named[name] = NamedMetadata(name, [metadata.resolved(node) for node in nodes])
    _assign_nodes(metadata)


def _assign_nodes(metadata: MetadataState) -> None:
    """Give nodes to everything that refers to them."""
    instruction: Instruction
    for variable, kind, node in metadata.globals:
        variable.metadata.add(kind, metadata.resolved(node))
    for instruction, node in metadata.locations:
        location = metadata.resolved(node)
        if isinstance(location, DILocation):
            instruction._location = location
        else:
            instruction.metadata["dbg"] = location  # the verifier reports it
    for instruction, kind, node in metadata.attachments:
        instruction.metadata[kind] = metadata.resolved(node)
    for value, node in metadata.values:
        value.metadata = as_argument(metadata.resolved(node), metadata.table)
    for record, node, parts in metadata.records:
        if isinstance(record, DbgVariableRecord):
            _complete_variable(metadata, record, node, parts)
        else:
            label: Any = record
            label.label = metadata.resolved(parts[0])
            label.location = metadata.resolved(node)


def _complete_variable(
    metadata: MetadataState, record: DbgVariableRecord, location: Reference, parts: list[Reference]
) -> None:
    record._value = metadata.resolved(parts[0])
    record.variable = metadata.resolved(parts[1])
    record.expression = metadata.resolved(parts[2])
    if len(parts) > _FEWEST_PARTS:
        record.assign_id = metadata.resolved(parts[3])
        record._address = metadata.resolved(parts[4])
        record.address_expression = metadata.resolved(parts[5])
    record.location = metadata.resolved(location)

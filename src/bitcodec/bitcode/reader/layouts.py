"""Turns layouts into decoders: the rows of a layout become the text of one Python function, compiled at its first use.

Of `pointer` (VALUE), `type` (TYPE, if 3 operands remain), `alignment` (ALIGNMENT) and `is_volatile` (FLAG) becomes:

    def decode(state, operands):
        values = state.values
        count = len(values)
        types = state.type_list
        pointer_ = values[-n] if 0 < (n := operands[0]) <= count else state.value(n, operands, 1)
        if len(operands) == 1 + 3:
            type_ = types[type__id] if (type__id := operands[1]) < len(types) else state.type_of_id(type__id)
            at = 2
        else:
            type_ = type__id = None
            at = 1
        alignment_ = alignments[operands[at]]
        is_volatile_ = operands[at + 1] != 0
        return {"pointer": pointer_, "type": type_, "type id": type__id, "alignment": alignment_, ...}

With a maker `load(state, pointer, type, alignment, is_volatile)`, which names the fields that it takes, the end is
`return make(state, pointer_, type_, alignment_, is_volatile_)`.

A value that is defined later has a type id behind it; `state.value` takes that out, and the places of the others stay.
Rules: bitcode record reference, section 7.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from bitcodec.bitcode.reader.layout_parts import ALIGNMENTS, PARTS
from bitcodec.bitcode.schema.fields import Kind, TypeRule

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.schema.fields import Field, Layout
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import Value

__all__ = ["Decoder", "Fields", "State", "alignment"]

Fields = dict[str, Any]
"""Decoded fields by name.

Beside a type `x` stands its id as `x id`.  Beside a value `x` of a module with typed pointers stands its type id as
`x type`.
"""


class State(Protocol):
    """What fields of kinds that name something are looked up in; `is_direct` decoders look into the lists first."""

    values: list[Value]
    type_list: list[Type]
    blocks: list[BasicBlock]
    is_direct: bool

    @property
    def types(self) -> TypeTable:
        """Makes types."""

    @property
    def boolean(self) -> Type:
        """`i1`."""

    fields: Fields
    operand_type_ids: list[int]

    @property
    def last_type_id(self) -> int:
        """The type id of the value read last, in modules with typed pointers."""

    def type_of_id(self, type_id: int) -> Type:
        """Return a type."""

    def block(self, number: int) -> BasicBlock:
        """Return a basic block."""

    def scope(self, number: int) -> str:
        """Return the name of a synchronization scope."""

    def attribute_list(self, index: int) -> AttributeList:
        """Return an attribute list."""

    def absolute(self, number: int, type: Type | None) -> Any:
        """Return the value of an id, of a type if that is known."""

    def value(self, number: int, operands: list[int], index: int) -> Value:
        """Return a value; if it is defined later, its type id is taken out of the operands at an index."""

    def typed_value(self, number: int, type: Type) -> Value:
        """Return a value of a type that is known."""

    def incoming_value(self, number: int, type: Type) -> Value:
        """Return the value of an edge of a phi."""

    def pointee(self, type_id: int) -> Type:
        """Return what a typed pointer points to."""

    def argument_values(self, operands: list[int], function_type: Any) -> list[Value]:
        """Return the arguments of a call to a function of a type."""

    def called_type(self, type: Any, type_id: Any, callee_id: int) -> tuple[FunctionType, int]:
        """Return the type of the function that is called and its type id."""


class Decoder:
    """Decodes records of one layout.

    Args:
        layout: the fields.
        is_direct: whether the lists of the state are all there is to know: value ids are relative, pointers opaque.
            Otherwise the state is asked for everything, and type ids stand beside values.
        make: what makes something of the fields: a function that takes the state, then fields by their names.
        is_exact: whether operands after the last field are refused.

    Attributes:
        decode: returns what is made of a record's fields, or the fields; its operands are used up by that.  Raises
            `Malformed` if a field makes no sense, `IndexError` or `StopIteration` if there are too few operands.
            Where the state is not direct, a maker finds all fields in `state.fields` too.
    """

    __slots__ = ("_is_direct", "_is_exact", "_layout", "_make", "decode")

    decode: Callable[[Any, list[int]], Any]

    def __init__(
        self,
        layout: Layout,
        *,
        is_direct: bool = False,
        make: Callable[..., Any] | None = None,
        is_exact: bool = False,
    ) -> None:
        self._layout = layout
        self._is_exact = is_exact
        self._is_direct = is_direct
        self._make = make
        self.decode = self._compile_and_decode

    @property
    def text(self) -> str:
        """The Python function that it is compiled from."""
        return _Text(self._layout, is_direct=self._is_direct).function(self._taken, is_exact=self._is_exact)

    @property
    def _taken(self) -> tuple[str, ...] | None:
        """Names of the fields that the maker takes."""
        if self._make is None:
            return None
        code = self._make.__code__
        return code.co_varnames[1 : code.co_argcount]

    def _compile_and_decode(self, state: State, operands: list[int]) -> Any:
        self.decode = self.compiled()
        return self.decode(state, operands)

    def compiled(self) -> Callable[[Any, list[int]], Any]:
        """Return the function that `decode` becomes at its first use."""
        names = PARTS | {"make": self._make}
        exec(self.text, names)  # noqa: S102 - its text comes from tables of ours alone
        decode: Callable[[Any, list[int]], Any] = names["decode"]
        return decode


def alignment(code: int) -> int | None:
    """Return an alignment in bytes, None if the target decides.

    Raises:
        Malformed: it is too large.
    """
    return ALIGNMENTS[code]


_READ: dict[Kind, str] = {
    Kind.NUMBER: "{operand}",
    Kind.FLAG: "{operand} != 0",
    Kind.ALIGNMENT: "alignments[{operand}]",
    Kind.ORDERING: "orderings[{operand}]",
    Kind.SCOPE: "state.scope({operand})",
    Kind.ATTRIBUTES: "state.attribute_list({operand})",
    Kind.TYPE: "state.type_of_id({name}__id := {operand})",
    Kind.BLOCK: "state.block({operand})",
    Kind.VALUE: "state.value({operand}, operands, {next})",
    Kind.TYPED_VALUE: "state.typed_value({operand}, {type})",
    Kind.ABSOLUTE: "state.absolute({operand}, {of})",
}
"""How the operand of a field is read."""

_KNOWN = "0 < (n := {operand}) <= count"
_READ_DIRECTLY: dict[Kind, str] = _READ | {
    Kind.TYPE: "types[{name}__id] if ({name}__id := {operand}) < len(types) else state.type_of_id({name}__id)",
    Kind.BLOCK: "blocks[n] if (n := {operand}) < len(blocks) else state.block(n)",
    Kind.VALUE: f"values[-n] if {_KNOWN} else state.value(n, operands, {{next}})",
    Kind.TYPED_VALUE: (
        f"found if {_KNOWN} and (found := values[-n]).type is {{type}} else state.typed_value(n, {{type}})"
    ),
}

_TYPE_OF: dict[TypeRule, str] = {
    TypeRule.SAME: "{of}.type",
    TypeRule.GIVEN: "{of}",
    TypeRule.ELEMENT: "element_type({of})",
    TypeRule.POINTEE: "state.pointee({of}_type)",
    TypeRule.BOOLEAN: "state.boolean",
    TypeRule.TOKEN: "state.types.token",
}
"""The type of a typed value; `{of}` is the field that the rule depends on."""

_READ_SOME: dict[Kind, str] = {
    Kind.RANGE: "one_range(operands, {index})",
    Kind.COUNTED_VALUES: "counted_values(state, operands, {index})",
    Kind.COUNTED_BLOCKS: "counted_blocks(state, operands, {index})",
    Kind.CLAUSES: "clauses(state, operands, {index})",
}
"""How operands are read that are as many as they say themselves; with what they mean comes the index behind them."""

_READ_REST: dict[Kind, str] = {
    Kind.NUMBERS: "operands[{index}:]",
    Kind.VALUES: "all_values(state, operands[{index}:])",
    Kind.BLOCKS: "[state.block(number) for number in operands[{index}:]]",
    Kind.ABSOLUTES: "[state.absolute(number, None) for number in operands[{index}:]]",
    Kind.TYPED_ABSOLUTES: "pairs(operands[{index}:])",
    Kind.INCOMING: "incoming(state, operands[{index}:], {of})",
    Kind.CASES: "cases(state, operands[{index}:], {of})",
    Kind.ARGUMENTS: "state.argument_values(operands[{index}:], {of})",
}
"""How all operands that remain are read, by the last field of a layout."""

_LISTS: dict[str, frozenset[Kind]] = {
    "values = state.values": frozenset({Kind.VALUE, Kind.TYPED_VALUE}),
    "count = len(values)": frozenset({Kind.VALUE, Kind.TYPED_VALUE}),
    "types = state.type_list": frozenset({Kind.TYPE}),
    "blocks = state.blocks": frozenset({Kind.BLOCK}),
}
"""What direct reading needs at hand."""


class _Text:
    """The text of a decoder, line by line.

    The next operand stands at `at + offset`, or at `offset` as long as all fields are one operand each.
    """

    def __init__(self, layout: Layout, *, is_direct: bool) -> None:
        # What a typed pointer points to is a matter of type ids.
        self._is_direct = is_direct and all(field.rule is not TypeRule.POINTEE for field in layout)
        self._read = _READ_DIRECTLY if self._is_direct else _READ
        self._layout = layout
        self._lines: list[str] = []
        self._variables: dict[str, str] = {}
        self._has_at = False
        self._offset = 0

    def function(self, taken: tuple[str, ...] | None, *, is_exact: bool = False) -> str:
        """Return it.

        Args:
            taken: names of the fields that a maker takes, None if there is no maker.
            is_exact: whether operands after the last field are refused.
        """
        for field in self._layout:
            if field.kind in _READ_REST:
                self._add_rest(field)
            else:
                self._add(field)
        if is_exact:
            self._lines.append(f"if len(operands) > {self._index()}: refuse_rest(operands)")
        kinds = {field.kind for field in self._layout} if self._is_direct else set()
        lists = [line for line, needed_by in _LISTS.items() if kinds & needed_by]
        return "\n    ".join(["def decode(state, operands):", *lists, *self._lines, *self._ending(taken)])

    def _ending(self, taken: tuple[str, ...] | None) -> list[str]:
        """Return the lines that make something of the variables."""
        fields = "{" + ", ".join(f'"{key}": {variable}' for key, variable in self._variables.items()) + "}"
        if taken is None:
            return [f"return {fields}"]
        named = {key.replace(" ", "_"): variable for key, variable in self._variables.items()}
        making = "return make(" + ", ".join(["state", *[named[name] for name in taken if name in named]]) + ")"
        return [making] if self._is_direct else [f"state.fields = {fields}", making]

    def _add_rest(self, field: Field) -> None:
        of = f"{field.of}_"
        if field.kind is Kind.ARGUMENTS and not self._is_direct:
            self._lines.append(f"{of}, {of}_id = state.called_type({of}, {of}_id, callee__type)")
        self._lines.append(f"{field.name}_ = " + _READ_REST[field.kind].format(index=self._index(), of=of))
        self._variables[field.name] = f"{field.name}_"

    def _add(self, field: Field) -> None:
        variables = self._variables_of(field)
        self._variables |= variables
        index = self._index()
        condition = self._condition(field)
        reading = self._reading(field)
        if not condition:
            self._lines += reading
            return
        missing = [f"{variable} = None" for variable in variables.values()]
        missing[0] = f"{field.name}_ = {field.default}"
        if field.if_bit is not None or field.if_remaining:
            reading.append(f"at = {self._index()}")
            missing.append(f"at = {index}")
            self._has_at, self._offset = True, 0
        self._lines += [f"if {condition}:", *map(_indented, reading), "else:", *map(_indented, missing)]

    def _condition(self, field: Field) -> str:
        """Return the condition on which a field stands there, "" if it always does."""
        if field.if_bit is not None:
            return f"{field.if_bit[0]}_ >> {field.if_bit[1]} & 1"
        if field.if_remaining < 0:
            return f"len(operands) - ({self._index()}) & 1"
        if field.if_remaining:
            return f"len(operands) == {self._index(field.if_remaining)}"
        is_needed = field.default is None and not field.is_optional
        return "" if is_needed else f"len(operands) > {self._index()}"

    def _reading(self, field: Field) -> list[str]:
        """Return the lines that read a field, and go on behind it."""
        if field.kind in _READ_SOME:
            line = f"{field.name}_, at = " + _READ_SOME[field.kind].format(index=self._index())
            self._has_at, self._offset = True, 0
            return [line]
        of = f"{field.of}_" if field.of else "None"
        expression = self._read[field.kind].format(
            name=field.name,
            operand=f"operands[{self._index()}]",
            next=self._index(1),
            of=of,
            type=_TYPE_OF[field.rule].format(of=of) if field.rule else "",
        )
        self._offset += 1
        type_id = [f"{field.name}__type = state.last_type_id"] if f"{field.name} type" in self._variables else []
        return [f"{field.name}_ = {expression}", *type_id]

    def _index(self, ahead: int = 0) -> str:
        offset = self._offset + ahead
        return f"at + {offset}" if self._has_at else str(offset)

    def _variables_of(self, field: Field) -> dict[str, str]:
        """Return the variables that a field is read into, by the keys that they will have."""
        found = {field.name: f"{field.name}_"}
        if field.kind is Kind.TYPE:
            found[f"{field.name} id"] = f"{field.name}__id"
        elif field.kind in (Kind.VALUE, Kind.TYPED_VALUE) and not self._is_direct:
            found[f"{field.name} type"] = f"{field.name}__type"
        return found


def _indented(line: str) -> str:
    return f"    {line}"

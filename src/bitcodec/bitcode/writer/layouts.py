"""From instructions to records: functions made from the layouts of `schema.instructions`, which readers work by too.

What a field is of an instruction stands in `instructions`; how it is written stands here, once for each kind of field.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.fields import Field, Kind
from bitcodec.bitcode.schema.instructions import INSTRUCTION_LAYOUTS
from bitcodec.bitcode.writer.rows import UNABBREVIATED, rotated
from bitcodec.ir.types import LabelType
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.bitcode.schema.blocks import FunctionCode

    Write = Callable[[Any, Any], None]

__all__ = ["Form", "compiled"]


class Form(NamedTuple):
    """How a class of instructions is written.

    Attributes:
        code: of its record.
        sources: what each field is, as an expression of the instruction (`i`); by default its attribute of that name.
        abbreviation: the id to write it by, if each value stands before it and no optional field is there.
        is_always: whether that id can be used whatever comes later.
        with_flags: the id to write it by if the optional field is there.
    """

    code: FunctionCode
    sources: Mapping[str, str] = {}
    abbreviation: int = UNABBREVIATED
    with_flags: int = UNABBREVIATED
    is_always: bool = False


_MASK = 0xFFFF_FFFF
"""Relative ids of values to come are negative numbers of 32 bits."""

_WRITE: dict[Kind, str] = {
    Kind.NUMBER: "add({source})",
    Kind.FLAG: "add({source})",
    Kind.ALIGNMENT: "add(({source} or 0).bit_length())",
    Kind.ORDERING: "add({source}.code)",
    Kind.SCOPE: "add(state.scopes[{source}])",
    Kind.ATTRIBUTES: "add(state.attributes[{source}])",
    Kind.TYPE: "add(types[{source}])",
    Kind.BLOCK: "add(blocks[{source}])",
    Kind.TYPED_VALUE: f"add(n - values[{{source}}] & {_MASK})",
    Kind.ABSOLUTE: "add(values[{source}])",
    Kind.COUNTED_VALUES: "plain &= counted_values(state, {source})",
    Kind.VALUES: "plain &= some_values(state, {source})",
    Kind.BLOCKS: "operands += [blocks[block] for block in {source}]",
    Kind.COUNTED_BLOCKS: "add(len({source})); operands += [blocks[block] for block in {source}]",
    Kind.NUMBERS: "operands += {source}",
    Kind.INCOMING: "incoming(state, i)",
    Kind.CASES: "cases(state, i)",
    Kind.CLAUSES: "clauses(state, i)",
    Kind.ARGUMENTS: "arguments(state, i)",
}
"""How a field is written; VALUE, which takes several lines, is not among them."""

_VALUE = f"""\
v = {{source}}
number = n - values[v]
if number > 0:
    add(number)
else:
    add(number & {_MASK})
    add(types[v.type])
    plain = False"""


def compiled(forms: Mapping[str, Form], names_of_sources: Mapping[str, Any]) -> Write:
    """Return what writes instructions of a class: a function of the state of a body and the instruction.

    Args:
        forms: by condition, an expression of the instruction (`i`): the first whose condition holds is taken.
        names_of_sources: what conditions and sources call by name.
    """
    names: dict[str, Any] = {**_PARTS, **names_of_sources}
    exec(_text(forms), names)  # noqa: S102 - its text comes from tables of ours alone
    write: Write = names["write"]
    return write


def _text(forms: Mapping[str, Form]) -> str:
    lines = ["rows = state.rows", "operands = rows.operands", "add = operands.append"]
    lines += ["n, values, types, blocks = state.number, state.values, state.types, state.blocks", "plain = True"]
    keyword = "if"
    for condition, form in forms.items():
        lines += [f"{keyword} {condition}:", *(f"    {line}" for line in _form_lines(form))]
        keyword = "elif"
    lines.append("rows.ends.append(len(operands))")
    return "def write(state, i):\n" + "".join(f"    {line}\n" for line in lines)


def _form_lines(form: Form) -> list[str]:
    lines = [f"abbreviation = {int(form.abbreviation)}"]
    for field in INSTRUCTION_LAYOUTS[form.code]:
        lines += _lines(field, form)
    return [
        *lines,
        f"rows.codes.append({int(form.code)})",
        f"rows.ids.append(abbreviation{'' if form.is_always else f' if plain else {UNABBREVIATED}'})",
    ]


def _lines(field: Field, form: Form) -> list[str]:
    source = form.sources.get(field.name, f"i.{field.name}")
    lines = (_VALUE if field.kind is Kind.VALUE else _WRITE[field.kind]).format(source=source).split("\n")
    condition = _condition(field, source)
    if not condition:
        return lines
    if form.with_flags != UNABBREVIATED:
        lines.append(f"abbreviation = {int(form.with_flags)}")
    return [f"if {condition}:", *(f"    {line}" for line in lines)]


def _condition(field: Field, source: str) -> str:
    """Return the condition on which a field is written, "" if it always is."""
    if field.if_bit is not None:
        name, bit = field.if_bit
        return f"operands[-1] >> {bit} & 1" if name == "flags" and field.name == "fast_math" else ""
    if field.is_optional:
        return f"{source} is not None"
    return source if field.default is not None and field.kind is Kind.NUMBER else ""


def _some_values(state: Any, found: Any) -> bool:
    """Write values, with the types of those to come; return whether there are none of these."""
    n, values, types, add = state.number, state.values, state.types, state.rows.operands.append
    is_plain = True
    for value in found:
        number = n - values[value]
        add(number & _MASK)
        if number <= 0:
            add(types[value.type])
            is_plain = False
    return is_plain


def _counted_values(state: Any, found: Any) -> bool:
    state.rows.operands.append(len(found))
    return _some_values(state, found)


def _incoming(state: Any, phi: Any) -> None:
    n, values, blocks, add = state.number, state.values, state.blocks, state.rows.operands.append
    for value, block in zip(phi._operands, phi._incoming_blocks, strict=True):
        add(rotated(n - values[value]))
        add(blocks[block])
    if phi.fast_math:
        add(int(phi.fast_math))


def _cases(state: Any, switch: Any) -> None:
    values, blocks, add = state.values, state.blocks, state.rows.operands.append
    for number, block in switch.cases:
        add(values[number])
        add(blocks[block])


def _clauses(state: Any, pad: Any) -> None:
    add = state.rows.operands.append
    add(len(pad._operands))
    for is_filter, value in pad.clauses:
        add(int(is_filter))
        _some_values(state, (value,))


def _arguments(state: Any, call: Any) -> None:
    """Write arguments: those that the function type names without types, then any number with."""
    n, values, add = state.number, state.values, state.rows.operands.append
    parameters = call.function_type.parameter_types
    arguments = call._operands[: call._argument_count]
    for value, type_ in zip(arguments, parameters, strict=False):
        add(state.blocks[value] if type(type_) is LabelType else n - values[value] & _MASK)
    _some_values(state, arguments[len(parameters) :])


_PARTS: dict[str, Any] = {
    "some_values": _some_values,
    "counted_values": _counted_values,
    "incoming": _incoming,
    "cases": _cases,
    "clauses": _clauses,
    "arguments": _arguments,
}
"""By the name that the text of functions has for each."""

"""From records of debug information to what nodes hold, by the layouts of `schema.metadata`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.schema.metadata import layout_of
from bitcodec.bitcode.upgrade.debug_info_records import Number, is_upgraded
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.debug_info import DIGlobalVariableExpression
from bitcodec.ir.metadata import ConstantAsMetadata, MDNode
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.bitcode.schema.metadata import Layout
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.types import Type

__all__ = ["Form", "Made", "completed", "form_of"]


class Made(Protocol):
    """Where a record finds what it refers to."""

    def __getitem__(self, metadata_id: int, /) -> Metadata:
        """Return the metadata of an id."""

    @property
    def empty_expression(self) -> Metadata:
        """What a variable has that has no expression."""

    def string(self, metadata_id: int, /) -> str:
        """Return the text of a string."""

    def type_of(self, type_id: int, /) -> Type:
        """Return the type of a type id."""

    def value(self, type_id: int, value_id: int, /) -> Metadata:
        """Return what stands for a value."""


class Form(NamedTuple):
    """How the nodes of a record code are made from the operands of their records.

    Attributes:
        kind: their class.
        distinct: the bits of a record's first operand any of which makes the node distinct; 0 if the code decides that.
        length: records of so many operands are as LLVM 22 writes them; others need a look.
        references: returns the metadata ids that a record refers to, those of names left out.
        contents: returns what the node holds, as `MDNode.key` does; all references have been made.
    """

    kind: type[MDNode]
    distinct: int
    length: int
    references: Callable[[Any, list[int]], Sequence[int]]
    contents: Callable[[Any, list[int]], tuple[Any, ...]]


def completed(layout: Layout, operands: list[int]) -> list[int]:
    """Return the operands of a record in LLVM 22's order with those added that it lacks.

    Raises:
        Malformed: it lacks some that it must have.
    """
    missing = layout.missing
    if len(operands) < len(missing):
        if len(operands) < layout.shortest:
            raise Malformed("has too few operands")
        operands += missing[len(operands) :]
    return operands


@cache
def form_of(code: int) -> Form:
    """Return how nodes are made from the records of a code, their operands in LLVM 22's order and complete.

    Raises:
        KeyError: it is no code of debug information.
    """
    layout = layout_of(code)
    # Reading debug information is mostly this: one function for each layout, without a loop over its fields.
    return Form(
        layout.node,
        layout.distinct,
        _NEVER if is_upgraded(code) else len(layout.missing),
        _compiled("[raw - 1 for raw in (" + "".join(_references(layout)) + ") if raw and type(raw) is int]"),
        _compiled("(" + "".join(f"{source}, " for source in _contents(layout)) + ")"),
    )


def _compiled(source: str) -> Any:
    """Return a function of what is made (`m`) and of operands (`o`)."""
    # It consists of the numbers in the table, and nothing that stands in a file.
    return eval(f"lambda m, o: {source}", {"integer": _integer})  # noqa: S307


def _references(layout: Layout) -> list[str]:
    found = [f"o[{position}], " for position in layout.references]
    found += [f"o[{position}] + 1, " for _, position in layout.node_ids]
    return found + ([f"*o[{layout.rest[0]}:], "] if layout.rest else [])


_NEVER = 1 << 64
"""More operands than any record has."""

_SIGN = 1 << 31
_WORD = 0xFFFF_FFFF
_COLUMNS = 1 << 16
"""LLVM does not know columns from here on."""


def _contents(layout: Layout) -> list[str]:
    """Return what each field is, in the order of the fields."""
    sources: dict[str, str] = {}
    for names, source in (
        (layout.wide_numbers, "o[{0}]"),
        (layout.columns, f"(n if (n := o[{{0}}]) < {_COLUMNS} or (n := n & {_WORD}) < {_COLUMNS} else 0)"),
        (layout.booleans, "o[{0}] != 0"),
        (layout.signed, f"((o[{{0}}] + {_SIGN}) & {2 * _SIGN - 1}) - {_SIGN}"),
        (layout.nodes, "m[raw - 1] if (raw := o[{0}]) else None"),
        (layout.node_ids, "m[o[{0}]]"),
        (layout.strings, "m.string(raw - 1) if (raw := o[{0}]) else ''"),
        (layout.optional_strings, "m.string(raw - 1) if (raw := o[{0}]) else None"),
        (layout.unsigned_integers, "integer(m, o[{0}], False)"),
        (layout.signed_integers, "integer(m, o[{0}], True)"),
    ):
        sources |= {name: source.format(position) for name, position in names}
    for name, position in layout.numbers:
        mask = (1 << layout.widths[name]) - 1
        # Most numbers are small, and a comparison makes no new one.
        sources[name] = f"(n if (n := o[{position}]) <= {mask} else n & {mask})"
    for name, position, shift, mask, is_boolean in layout.bits:
        sources[name] = f"o[{position}] >> {shift} & {mask}" + " != 0" * is_boolean
    for name, position, absent, bias in layout.optional_numbers:
        sources[name] = f"None if o[{position}] == {absent} else o[{position}] + {bias} & {_WORD}"
    if layout.node is DIGlobalVariableExpression:
        sources["expression"] = sources["expression"].replace("None", "m.empty_expression")
    if layout.rest:
        position, name = layout.rest
        sources[name] = f"tuple([m[raw - 1] if raw else None for raw in o[{position}:]])"
    return [sources[name] for name in layout.node.__match_args__]


def _integer(made: Made, raw: int, is_signed: bool) -> int | Metadata | None:  # noqa: FBT001 - called from what is compiled
    """Return the number of a constant `i64`, other metadata as it is."""
    if type(raw) is Number:
        return int(raw)
    if not raw:
        return None
    metadata = made[raw - 1]
    if isinstance(metadata, ConstantAsMetadata):
        value = metadata.value
        if isinstance(value, ConstantInt) and value.type.bit_width == 64:
            return value.signed if is_signed else value.unsigned
    return metadata

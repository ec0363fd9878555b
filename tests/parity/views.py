"""Plain views of a module, and what differs between two of them.

A view is made of named tuples, so that two are equal if they say the same, and `differences` needs no word of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Any, NamedTuple

ValueKind = IntEnum(
    "ValueKind",
    "argument basic_block memory_use memory_def memory_phi function global_alias global_ifunc global_variable "
    "block_address constant_expr constant_array constant_struct constant_vector undef_value constant_aggregate_zero "
    "constant_data_array constant_data_vector constant_int constant_fp constant_pointer_null constant_token_none "
    "metadata_as_value inline_asm instruction poison_value constant_target_none constant_ptr_auth wrapper_of_a_global",
    start=0,
)
"""Kinds of values as `LLVMValueKind` of LLVM's C interface numbers them.

The last is our word for `dso_local_equivalent` and `no_cfi`, which it does not know.
"""


class OperandView(NamedTuple):
    """An operand; `which` tells locals, unnamed globals and integers apart."""

    kind: str
    name: str
    type: str
    which: str


def case_view(width: int, value: int) -> OperandView:
    """Return the view of a value that a switch tells apart."""
    return OperandView(ValueKind.constant_int.name, "", f"i{width}", str(value % (1 << width)))


class InstructionView(NamedTuple):
    """An instruction.

    `attributes` are those that a call gives its function.  Operands of a phi are followed by the blocks control comes
    from, condition and successors of a switch by the values of its cases.
    """

    opcode: str
    type: str
    name: str
    attributes: str
    operands: tuple[OperandView, ...]


class BlockView(NamedTuple):
    name: str
    instructions: tuple[InstructionView, ...]


class ArgumentView(NamedTuple):
    name: str
    type: str
    attributes: str


class FunctionView(NamedTuple):
    name: str
    linkage: str
    visibility: str
    dll_storage_class: str
    type: str
    is_declaration: bool
    attributes: str
    arguments: tuple[ArgumentView, ...]
    blocks: tuple[BlockView, ...]


class GlobalView(NamedTuple):
    name: str
    linkage: str
    visibility: str
    dll_storage_class: str
    type: str
    is_declaration: bool
    attributes: str


class ModuleView(NamedTuple):
    source_filename: str
    data_layout: str
    triple: str
    globals: tuple[GlobalView, ...]
    functions: tuple[FunctionView, ...]


class Difference(NamedTuple):
    """One field that two views give another value."""

    place: tuple[str, ...]
    field: str
    ours: object
    theirs: object

    @property
    def kind(self) -> str:
        """The field, whatever the place: what a summary counts by."""
        steps = [step.split(" ", 1)[0] for step in self.place]
        return ".".join([*steps[-1:], self.field])

    def __str__(self) -> str:
        return f"{', '.join((*self.place, self.field))}: ours {self.ours!r}, theirs {self.theirs!r}"


def differences(ours: Any, theirs: Any, place: tuple[str, ...] = ()) -> Iterator[Difference]:
    """Yield what two views of the same kind say differently, in the order of their fields."""
    for field, our_value, their_value in zip(theirs._fields, ours, theirs, strict=True):
        if our_value == their_value:
            continue
        if _is_list(our_value) or _is_list(their_value):
            yield from _differences_of_lists(our_value, their_value, place, field)
        else:
            yield Difference(place, field, our_value, their_value)


def _is_list(value: object) -> bool:
    return isinstance(value, tuple)


def _differences_of_lists(ours: Any, theirs: Any, place: tuple[str, ...], field: str) -> Iterator[Difference]:
    """Compare item by item; where the lengths differ, up to the first item that is another one altogether."""
    end = len(theirs)
    if len(ours) != len(theirs):
        end = _first_other(ours, theirs)
        yield Difference(place, f"number of {field}", len(ours), len(theirs))
        yield Difference((*place, _label(field, end)), "what it is", _head(ours, end), _head(theirs, end))
    for index in range(end):
        if ours[index] == theirs[index]:
            continue
        if _is_list(theirs[index]):
            yield from differences(ours[index], theirs[index], (*place, _label(field, index, _head(theirs, index))))
        else:
            yield Difference(place, _label(field, index), ours[index], theirs[index])


def _first_other(ours: Any, theirs: Any) -> int:
    return next(index for index in range(max(len(ours), len(theirs))) if _head(ours, index) != _head(theirs, index))


def _head(items: Any, index: int) -> str | None:
    """Return what an item is: its first field, a text itself, None beyond the last one."""
    if index >= len(items):
        return None
    return str(items[index][0] if _is_list(items[index]) else items[index])


def _label(field: str, index: int, head: str | None = "") -> str:
    return f"{field.removesuffix('s')} {index} {head}".rstrip()

"""Layouts as programs: lists of small numbers that one loop follows, a step for each field.

Rules: docs/reference/records.md, 7.1.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.fields import WordKind

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bitcodec.bitcode.schema.fields import Layout, RecordField

__all__ = [
    "AMOUNT",
    "BOXED_NUMBER",
    "CODE_COUNT",
    "CONDITION",
    "CONDITION_SLOT",
    "DEFAULT",
    "ENTRY_CELLS",
    "IF_BIT",
    "IF_MORE",
    "IF_ODD",
    "IF_REMAINING",
    "MUST_END",
    "OF",
    "RULE",
    "SLOT",
    "STEP_CELLS",
    "Programs",
]

CODE_COUNT = 256
"""Codes from here on have no layout."""
ENTRY_CELLS = 3
"""Cells of an entry of `Programs.entries`: first cell, end of the cells, and flags."""
MUST_END = 1
"""A flag of an entry: no operand may follow the fields."""
SLOT, OF, RULE, CONDITION, CONDITION_SLOT, AMOUNT, DEFAULT = range(1, 8)
"""Cells of a step after its kind: slot, slot of the field that it depends on, rule of its type, condition, slot and
number of the condition, default."""
STEP_CELLS = 8

BOXED_NUMBER = -1
"""The kind of a number that is needed as an object."""

IF_BIT, IF_REMAINING, IF_ODD, IF_MORE = range(1, 5)
"""Conditions: a bit of another field is set, so many operands remain, an odd number remains, any operand remains."""

_NO_SLOT = -1


class Programs:
    """The programs of the layouts of one kind of block.

    Args:
        layouts: by record code.
        exact: codes of the records that may have no operands after their fields.
        unboxed: codes of the records whose reader takes numbers as C integers.

    Attributes:
        slots: the number of each field, by its name.
        layouts: as above.
        entries: for each record code, `ENTRY_CELLS` cells; the first of a code without a layout is -1.
        cells: the steps of all programs.
    """

    __slots__ = ("cells", "entries", "layouts", "slots")

    def __init__(
        self,
        layouts: Mapping[Any, Layout],
        *,
        exact: Collection[int] = (),
        unboxed: Collection[int] = (),
    ) -> None:
        self.layouts: dict[int, Layout] = {int(code): layout for code, layout in layouts.items()}
        names = dict.fromkeys(field.name for layout in layouts.values() for field in layout)
        self.slots: dict[str, int] = {name: slot for slot, name in enumerate(names)}
        self.entries = array("q", [-1]) * (CODE_COUNT * ENTRY_CELLS)
        self.cells = array("q")
        for code, layout in self.layouts.items():
            first = len(self.cells)
            for field in layout:
                self.cells.extend(self._step(field, is_unboxed=code in unboxed))
            entry = code * ENTRY_CELLS
            self.entries[entry : entry + ENTRY_CELLS] = array("q", [first, len(self.cells), MUST_END * (code in exact)])
        self.cells.append(0)  # a buffer without cells is none

    def _step(self, field: RecordField, *, is_unboxed: bool) -> tuple[int, ...]:
        may_be_none = field.default is None and (field.is_optional or field.if_bit is not None)
        kind: int = field.kind.value
        if field.kind is WordKind.NUMBER and (may_be_none or not is_unboxed):
            kind = BOXED_NUMBER
        rule = 0 if field.rule is None else field.rule.value
        default = -1 if field.default is None else field.default
        of = self.slots[field.of] if field.of else _NO_SLOT
        return kind, self.slots[field.name], of, rule, *self._condition(field), default

    def _condition(self, field: RecordField) -> tuple[int, int, int]:
        """Return the condition under which a record has a field (0 if it always does), its slot and its number."""
        if field.if_bit is not None:
            name, bit = field.if_bit
            return IF_BIT, self.slots[name], bit
        if field.if_remaining < 0:
            return IF_ODD, _NO_SLOT, 0
        if field.if_remaining:
            return IF_REMAINING, _NO_SLOT, field.if_remaining
        is_required = field.default is None and not field.is_optional
        return 0 if is_required else IF_MORE, _NO_SLOT, 0

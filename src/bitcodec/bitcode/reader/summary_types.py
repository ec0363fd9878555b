"""Reads type information in summaries: type tests of functions, their tables, and resolutions.

Rules: LLVM 22's module summary index.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.malformed import Malformed, require_operands, take_operand
from bitcodec.bitcode.schema.blocks import GlobalValueSummaryCode as Code
from bitcodec.bitcode.schema.summaries import VERSION_OF_CFI_GUIDS
from bitcodec.ir.guid import guid_of
from bitcodec.ir.summary import (
    ByArgument,
    CompatibleVTable,
    ConstVCall,
    Devirtualization,
    TypeIdInfo,
    TypeIdSummary,
    TypeTest,
    VFuncId,
)
from bitcodec.reasons import Reason
from bitcodec.tables.summaries import ByArgumentKind, DevirtualizationKind, TypeTestKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from enum import Enum
    from typing import TypeVar

    from bitcodec.bitcode.reader.summary_values import SummaryValues
    from bitcodec.ir.summary import ModuleSummaryIndex

    E = TypeVar("E", bound=Enum)

__all__ = ["TypeSummaryReader", "member"]

_BYTE = 0xFF
_WORD = 0xFFFF_FFFF


def member(kind: type[E], number: int) -> E:
    """Return the row of a number.

    Raises:
        Malformed: the number is unknown.
    """
    try:
        return kind(number)
    except ValueError:
        raise Malformed(Reason.NO_MEMBER(what=kind.__name__, number=number)) from None


class TypeSummaryReader:
    """Reads the records that are about types.

    Args:
        index: the index that they are read into.
        values: the values of value ids.
        string: returns a string of the string table, given its offset and size.

    Attributes:
        version: of the block that is just read.
        handlers: readers of records, by code.
    """

    def __init__(self, index: ModuleSummaryIndex, values: SummaryValues, string: Callable[[int, int], str]) -> None:
        self._index = index
        self._values = values
        self._string = string
        self._asked: dict[str, list[Any]] = {}
        self.version = 0
        self.handlers: dict[int, Callable[[list[int]], None]] = {
            Code.TYPE_TESTS: lambda operands: self._ask("type_tests", operands),
            Code.TYPE_TEST_ASSUME_VCALLS: lambda operands: self._ask("type_test_assume_vcalls", _vcalls(operands)),
            Code.TYPE_CHECKED_LOAD_VCALLS: lambda operands: self._ask("type_checked_load_vcalls", _vcalls(operands)),
            Code.TYPE_TEST_ASSUME_CONST_VCALL: lambda operands: self._ask(
                "type_test_assume_const_vcalls", [_const_vcall(operands)]
            ),
            Code.TYPE_CHECKED_LOAD_CONST_VCALL: lambda operands: self._ask(
                "type_checked_load_const_vcalls", [_const_vcall(operands)]
            ),
            Code.TYPE_ID: self._read_type_id,
            Code.TYPE_ID_METADATA: self._read_compatible_vtables,
            Code.CFI_FUNCTION_DEFS: lambda operands: self._read_names(index.cfi_function_definitions, operands),
            Code.CFI_FUNCTION_DECLS: lambda operands: self._read_names(index.cfi_function_declarations, operands),
        }

    def take(self) -> TypeIdInfo | None:
        """Return and reset the type information of the next function, None if there is nothing."""
        if not self._asked:
            return None
        asked, self._asked = self._asked, {}
        return TypeIdInfo(**{name: tuple(found) for name, found in asked.items()})

    def _ask(self, name: str, found: Sequence[object]) -> None:
        if found:
            self._asked.setdefault(name, []).extend(found)

    def _read_names(self, names: list[str], operands: list[int]) -> None:
        left = iter(operands)
        if self.version >= VERSION_OF_CFI_GUIDS:
            names += [self._string(take_operand(left), take_operand(left)) for _ in left]
            return
        names += [self._string(offset, take_operand(left)) for offset in left]

    def _read_compatible_vtables(self, operands: list[int]) -> None:
        require_operands(operands, 2)
        tables = self._index.compatible_vtables.setdefault(self._string(operands[0], operands[1]), [])
        left = iter(operands[2:])
        for offset in left:
            tables.append(CompatibleVTable(offset, self._values.value(take_operand(left)).value))

    def _read_type_id(self, operands: list[int]) -> None:
        left = iter(operands)
        take = partial(take_operand, left)
        name = self._string(take(), take())
        kind = member(TypeTestKind, take())
        test = TypeTest(kind, take() & _WORD, take(), take(), take() & _BYTE, take())
        summary = self._index.type_ids.setdefault(name, TypeIdSummary(name, guid_of(name), test))
        summary.test = test
        for offset in left:
            self._read_devirtualization(summary.devirtualizations.setdefault(offset, Devirtualization()), take)

    def _read_devirtualization(self, result: Devirtualization, take: Callable[[], int]) -> None:
        result.kind = member(DevirtualizationKind, take())
        result.single_implementation = self._string(take(), take())
        for _ in range(take()):
            arguments = tuple([take() for _ in range(take())])
            result.by_arguments[arguments] = ByArgument(
                member(ByArgumentKind, take()), take(), take() & _WORD, take() & _WORD
            )


def _vcalls(operands: list[int]) -> list[VFuncId]:
    left = iter(operands)
    return [VFuncId(guid, take_operand(left)) for guid in left]


def _const_vcall(operands: list[int]) -> ConstVCall:
    require_operands(operands, 2)
    return ConstVCall(VFuncId(operands[0], operands[1]), tuple(operands[2:]))

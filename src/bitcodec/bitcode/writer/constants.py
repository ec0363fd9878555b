"""Records of constants.

Rules: docs/reference/records.md, 6; docs/reference/writer.md, 11.4 and 11.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode
from bitcodec.bitcode.schema.constants import CONSTANT_LAYOUTS
from bitcodec.bitcode.schema.fields import WordKind
from bitcodec.bitcode.writer.abbreviations import ConstantAbbreviation, id_width
from bitcodec.bitcode.writer.collected import shuffle_mask
from bitcodec.bitcode.writer.rows import UNABBREVIATED, BlockRows, characters, range_operands, rotated, wide
from bitcodec.bitstream.abbreviations import CHAR6_ALPHABET, Abbreviation, array, char6, fixed
from bitcodec.ir import constant_expressions as expressions
from bitcodec.ir import constants as plain
from bitcodec.ir.constants import ConstantAggregate, ConstantInt, InlineAsm
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bitcodec.bitcode.writer.dialect import BitcodeDialect
    from bitcodec.bitcode.writer.rows import Rows
    from bitcodec.bitcode.writer.types import TypeNumbers
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.functions import Function
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.object_numbers import ObjectNumbers

    class _Numbers(Protocol):
        """The ids of entities that constants refer to."""

        dialect: BitcodeDialect
        types: TypeNumbers
        values: ObjectNumbers

        def block_numbers(self, function: Function) -> dict[BasicBlock, int]: ...


__all__ = ["CONSTANT_WRITERS", "TABLED", "constants_block", "record_writer"]

_WIDTH = 4
_WORD_BITS = 64
# Members of enumerations take long to look up.
_NUMBER, _ABSOLUTE, _TYPE = WordKind.NUMBER, WordKind.ABSOLUTE, WordKind.TYPE


def constants_block(constants: Sequence[Value], numbers: _Numbers, *, is_module: bool) -> BlockRows:
    """Return the table of constants that have numbers, in the order of these."""
    block = BlockRows(BlockId.CONSTANTS_BLOCK, _WIDTH)
    if is_module:
        block.items += [
            Abbreviation.of(ConstantsCode.AGGREGATE, array, fixed(id_width(len(numbers.values)))),
            Abbreviation.of(ConstantsCode.STRING, array, fixed(8)),
            Abbreviation.of(ConstantsCode.CSTRING, array, fixed(7)),
            Abbreviation.of(ConstantsCode.CSTRING, array, char6),
        ]
    rows = block.rows()
    last = None
    record = _ConstantRows(rows, numbers, is_module=is_module)
    write = numbers.dialect.constant_writers or CONSTANT_WRITERS
    for constant in constants:
        if constant.type is not last:
            last = constant.type
            rows.add(ConstantsCode.SETTYPE, [numbers.types[last]], ConstantAbbreviation.SETTYPE)
        write[type(constant)](record, constant)
    return block


class _ConstantRows:
    """Adds the records of constants to rows."""

    def __init__(self, rows: Rows, numbers: _Numbers, *, is_module: bool) -> None:
        self._add = rows.add
        self._values = numbers.values
        self.types = numbers.types
        self.numbers = numbers
        self._is_module = is_module

    def integer(self, constant: ConstantInt) -> None:
        if not constant.value:
            self._add(ConstantsCode.NULL, ())
        elif constant.type.bit_width <= _WORD_BITS:
            self._add(ConstantsCode.INTEGER, [rotated(constant.signed)], ConstantAbbreviation.INTEGER)
        else:
            count = (constant.type.bit_width + _WORD_BITS - 1) // _WORD_BITS
            # Words that are all zeros above the highest that is not are left out.
            used = max((constant.unsigned.bit_length() + _WORD_BITS - 1) // _WORD_BITS, 1)
            self._add(ConstantsCode.WIDE_INTEGER, wide(constant.unsigned, min(used, count)))

    def floating(self, constant: plain.ConstantFP) -> None:
        bits, width = constant.bits, constant.type.bit_width
        if not bits:
            self._add(ConstantsCode.NULL, ())
        elif constant.type.spelling == "x86_fp80":
            self._add(ConstantsCode.FLOAT, [bits >> 16, bits & 0xFFFF])
        elif width <= _WORD_BITS:
            self._add(ConstantsCode.FLOAT, [bits])
        else:
            self._add(ConstantsCode.FLOAT, [bits & (1 << _WORD_BITS) - 1, bits >> _WORD_BITS])

    def data(self, constant: plain.ConstantDataSequential) -> None:
        elements = constant.elements
        if not (isinstance(elements, bytes) and isinstance(constant, plain.ConstantDataArray)):
            self._add(ConstantsCode.DATA, elements)
        elif elements[-1:] == b"\0" and 0 not in elements[:-1]:
            text = elements[:-1]
            self._add(ConstantsCode.CSTRING, text, self._string_abbreviation(text))
        else:
            self._add(ConstantsCode.STRING, elements, self._of_module(ConstantAbbreviation.STRING))

    def _string_abbreviation(self, text: bytes) -> int:
        if _CHAR6.issuperset(text):
            return self._of_module(ConstantAbbreviation.CSTRING_CHAR6)
        return self._of_module(ConstantAbbreviation.CSTRING_7) if text.isascii() else UNABBREVIATED

    def _of_module(self, abbreviation_id: int) -> int:
        return abbreviation_id if self._is_module else UNABBREVIATED

    def aggregate(self, constant: ConstantAggregate) -> None:
        self.add_record(ConstantsCode.AGGREGATE, constant, self._of_module(ConstantAbbreviation.AGGREGATE))

    def cast(self, constant: expressions.ConstantCast) -> None:
        self.add_record(ConstantsCode.CE_CAST, constant, ConstantAbbreviation.CE_CAST)

    def get_element_ptr(self, constant: expressions.ConstantGetElementPtr) -> None:
        code = ConstantsCode.CE_GEP if constant.in_range is None else ConstantsCode.CE_GEP_WITH_INRANGE
        self.add_record(code, constant)

    def shuffle_vector(self, constant: expressions.ConstantShuffleVector) -> None:
        is_same = constant.type is constant.lhs.type
        self.add_record(ConstantsCode.CE_SHUFFLEVEC if is_same else ConstantsCode.CE_SHUFVEC_EX, constant)

    def add_record(
        self, code: ConstantsCode, constant: Any, abbreviation_id: int = UNABBREVIATED, /, **given: Any
    ) -> None:
        """Add a record by the layout that the reader follows too; a field that has its default is omitted.

        Args:
            code: of the record.
            constant: has the fields as attributes, or `_SOURCES` finds them.
            abbreviation_id: of the record.
            given: fields that are others than those of the constant.
        """
        operands: list[int] = []
        for field in CONSTANT_LAYOUTS[code]:
            name, default = field.name, field.default
            if name in given:
                part = given[name]
            elif name in _SOURCES:
                part = _SOURCES[name](self, constant)
            else:
                part = getattr(constant, name, default)
            if default is None or part != default:
                kind = field.kind
                if kind is _NUMBER:
                    operands.append(int(part))
                elif kind is _ABSOLUTE:
                    operands.append(self._values[part])
                elif kind is _TYPE:
                    operands.append(self.types[part])
                else:
                    operands += self._operands(kind, part)
        self._add(code, operands, abbreviation_id)

    def _operands(self, kind: WordKind, part: Any) -> Iterable[int]:
        """Return the operands of a field that has any number of them."""
        types, values = self.types, self._values
        if kind is WordKind.ABSOLUTES:
            return [values[value] for value in part]
        if kind is WordKind.TYPED_ABSOLUTES:
            return [number for value in part for number in (types.of(value), values[value])]
        return range_operands(part) if kind is WordKind.RANGE else part  # NUMBERS


_CHAR6 = frozenset(CHAR6_ALPHABET)
_OPCODES = {
    **{row.integer: number for number, row in enumerate(BINARY_OPCODES)},
    **{opcode: number for number, opcode in enumerate(CAST_OPCODES)},
}


def _texts(_rows: _ConstantRows, asm: InlineAsm) -> list[int]:
    text, constraints = characters(asm.assembly), characters(asm.constraints)
    return [len(text), *text, len(constraints), *constraints]


def _type_of_first(rows: _ConstantRows, constant: Any) -> Type:
    is_block = isinstance(constant, expressions.BlockAddress)
    return rows.types.type_of(constant.function if is_block else constant.operands[0])


_SOURCES: dict[str, Callable[[_ConstantRows, Any], Any]] = {
    "opcode": lambda _, constant: _OPCODES[constant.opcode],
    "elements": lambda _, constant: constant.operands,
    "type": _type_of_first,
    "operand_type": _type_of_first,
    "vector_type": _type_of_first,
    "index_type": lambda _, constant: constant.index.type,
    "mask": lambda _, constant: shuffle_mask(constant, constant.table),
    "texts": _texts,
    "block": lambda rows, constant: rows.numbers.block_numbers(constant.function)[constant.block],
}
"""By name: fields of records that constants do not have as attributes."""


def record_writer(code: ConstantsCode) -> Callable[[Any, Any], None]:
    """Return a function that adds a constant to rows as a record with a code."""
    return lambda rows, constant: rows.add_record(code, constant)


CONSTANT_WRITERS: dict[type[Value], Callable[[Any, Any], None]] = {
    plain.ConstantInt: _ConstantRows.integer,
    plain.ConstantFP: _ConstantRows.floating,
    plain.ConstantPointerNull: record_writer(ConstantsCode.NULL),
    plain.ConstantTokenNone: record_writer(ConstantsCode.NULL),
    plain.ConstantTargetNone: record_writer(ConstantsCode.NULL),
    plain.ConstantAggregateZero: record_writer(ConstantsCode.NULL),
    plain.UndefValue: record_writer(ConstantsCode.UNDEF),
    plain.PoisonValue: record_writer(ConstantsCode.POISON),
    plain.ConstantDataArray: _ConstantRows.data,
    plain.ConstantDataVector: _ConstantRows.data,
    plain.ConstantArray: _ConstantRows.aggregate,
    plain.ConstantStruct: _ConstantRows.aggregate,
    plain.ConstantVector: _ConstantRows.aggregate,
    expressions.ConstantCast: _ConstantRows.cast,
    expressions.ConstantBinary: record_writer(ConstantsCode.CE_BINOP),
    expressions.ConstantGetElementPtr: _ConstantRows.get_element_ptr,
    expressions.ConstantExtractElement: record_writer(ConstantsCode.CE_EXTRACTELT),
    expressions.ConstantInsertElement: record_writer(ConstantsCode.CE_INSERTELT),
    expressions.ConstantShuffleVector: _ConstantRows.shuffle_vector,
    expressions.BlockAddress: record_writer(ConstantsCode.BLOCKADDRESS),
    expressions.DSOLocalEquivalent: record_writer(ConstantsCode.DSO_LOCAL_EQUIVALENT),
    expressions.NoCFIValue: record_writer(ConstantsCode.NO_CFI_VALUE),
    expressions.ConstantPtrAuth: record_writer(ConstantsCode.PTRAUTH2),
    InlineAsm: record_writer(ConstantsCode.INLINEASM),
}
"""By class."""

TABLED = frozenset(CONSTANT_WRITERS)
"""The classes that tables of constants contain."""

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
from bitcodec.ir.constants import Constant, ConstantAggregate, ConstantInt, InlineAsm
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bitcodec.bitcode.writer.dialect import BitcodeDialect
    from bitcodec.bitcode.writer.rows import Rows
    from bitcodec.bitcode.writer.types import TypeNumbers
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.functions import Function
    from bitcodec.ir.values import Value
    from bitcodec.object_numbers import ObjectNumbers

    class _Numbers(Protocol):
        """The ids of entities that constants refer to."""

        dialect: BitcodeDialect
        types: TypeNumbers
        values: ObjectNumbers

        def block_numbers(self, function: Function) -> dict[BasicBlock, int]: ...


__all__ = ["CONSTANT_WRITERS", "TABLED", "constants_block"]

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
        self._types = numbers.types
        self._numbers = numbers
        self._is_module = is_module

    def null(self, _constant: Constant) -> None:
        self._add(ConstantsCode.NULL, ())

    def undef(self, _constant: Constant) -> None:
        self._add(ConstantsCode.UNDEF, ())

    def poison(self, _constant: Constant) -> None:
        self._add(ConstantsCode.POISON, ())

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
        abbreviation_id = self._of_module(ConstantAbbreviation.AGGREGATE)
        self.add_fields(ConstantsCode.AGGREGATE, abbreviation_id, elements=constant.operands)

    def cast(self, constant: expressions.ConstantCast) -> None:
        operand = constant.operand
        self.add_fields(
            ConstantsCode.CE_CAST,
            ConstantAbbreviation.CE_CAST,
            opcode=CAST_OPCODES.index(constant.opcode),
            operand_type=self._types.type_of(operand),
            operand=operand,
        )

    def binary(self, constant: expressions.ConstantBinary) -> None:
        lhs, rhs = constant.operands
        opcode = _BINARY[constant.opcode]
        self.add_fields(ConstantsCode.CE_BINOP, opcode=opcode, lhs=lhs, rhs=rhs, flags=int(constant.flags))

    def get_element_ptr(self, constant: expressions.ConstantGetElementPtr) -> None:
        fields: dict[str, Any] = {
            "source_element_type": constant.source_element_type,
            "flags": int(constant.flags),
            "operands": constant.operands,
        }
        if constant.in_range is None:
            self.add_fields(ConstantsCode.CE_GEP, **fields)
        else:
            self.add_fields(ConstantsCode.CE_GEP_WITH_INRANGE, in_range=constant.in_range, **fields)

    def extract_element(self, constant: expressions.ConstantExtractElement) -> None:
        vector, index = constant.operands
        self.add_fields(
            ConstantsCode.CE_EXTRACTELT,
            vector_type=self._types.type_of(vector),
            vector=vector,
            index_type=index.type,
            index=index,
        )

    def insert_element(self, constant: expressions.ConstantInsertElement) -> None:
        vector, element, index = constant.operands
        self.add_fields(ConstantsCode.CE_INSERTELT, vector=vector, element=element, index_type=index.type, index=index)

    def shuffle_vector(self, constant: expressions.ConstantShuffleVector) -> None:
        lhs, rhs = constant.operands
        mask = shuffle_mask(constant, constant.table)
        if constant.type is lhs.type:
            self.add_fields(ConstantsCode.CE_SHUFFLEVEC, lhs=lhs, rhs=rhs, mask=mask)
        else:
            self.add_fields(
                ConstantsCode.CE_SHUFVEC_EX, operand_type=self._types.type_of(lhs), lhs=lhs, rhs=rhs, mask=mask
            )

    def inline_asm(self, asm: InlineAsm, *, has_type: bool = True) -> None:
        text, constraints = characters(asm.assembly), characters(asm.constraints)
        self.add_fields(
            ConstantsCode.INLINEASM if has_type else ConstantsCode.INLINEASM_OLD2,
            function_type=asm.function_type,
            flags=int(asm.flags),
            texts=[len(text), *text, len(constraints), *constraints],
        )

    def block_address(self, address: expressions.BlockAddress) -> None:
        function = address.function
        block = self._numbers.block_numbers(function)[address.block]
        self.add_fields(ConstantsCode.BLOCKADDRESS, type=self._types.type_of(function), function=function, block=block)

    def dso_local_equivalent(self, constant: expressions.DSOLocalEquivalent) -> None:
        value = constant.global_value
        self.add_fields(ConstantsCode.DSO_LOCAL_EQUIVALENT, type=self._types.type_of(value), value=value)

    def no_cfi(self, constant: expressions.NoCFIValue) -> None:
        value = constant.global_value
        self.add_fields(ConstantsCode.NO_CFI_VALUE, type=self._types.type_of(value), value=value)

    def ptr_auth(self, constant: expressions.ConstantPtrAuth) -> None:
        names = [field.name for field in CONSTANT_LAYOUTS[ConstantsCode.PTRAUTH2]]
        self.add_fields(ConstantsCode.PTRAUTH2, **dict(zip(names, constant.operands, strict=True)))

    def add_fields(self, code: ConstantsCode, abbreviation_id: int = UNABBREVIATED, /, **fields: Any) -> None:
        """Add a record by the layout that the reader follows too; a field that has its default is omitted."""
        operands: list[int] = []
        for field in CONSTANT_LAYOUTS[code]:
            part: Any = fields.get(field.name, field.default)
            if field.default is None or part != field.default:
                kind = field.kind
                if kind is _NUMBER:
                    operands.append(part)
                elif kind is _ABSOLUTE:
                    operands.append(self._values[part])
                elif kind is _TYPE:
                    operands.append(self._types[part])
                else:
                    operands += self._operands(kind, part)
        self._add(code, operands, abbreviation_id)

    def _operands(self, kind: WordKind, part: Any) -> Iterable[int]:
        """Return the operands of a field that has any number of them."""
        types, values = self._types, self._values
        if kind is WordKind.ABSOLUTES:
            return [values[value] for value in part]
        if kind is WordKind.TYPED_ABSOLUTES:
            return [number for value in part for number in (types.of(value), values[value])]
        return range_operands(part) if kind is WordKind.RANGE else part  # NUMBERS


_CHAR6 = frozenset(CHAR6_ALPHABET)
_BINARY = {row.integer: number for number, row in enumerate(BINARY_OPCODES)}


CONSTANT_WRITERS: dict[type[Value], Callable[[Any, Any], None]] = {
    plain.ConstantInt: _ConstantRows.integer,
    plain.ConstantFP: _ConstantRows.floating,
    plain.ConstantPointerNull: _ConstantRows.null,
    plain.ConstantTokenNone: _ConstantRows.null,
    plain.ConstantTargetNone: _ConstantRows.null,
    plain.ConstantAggregateZero: _ConstantRows.null,
    plain.UndefValue: _ConstantRows.undef,
    plain.PoisonValue: _ConstantRows.poison,
    plain.ConstantDataArray: _ConstantRows.data,
    plain.ConstantDataVector: _ConstantRows.data,
    plain.ConstantArray: _ConstantRows.aggregate,
    plain.ConstantStruct: _ConstantRows.aggregate,
    plain.ConstantVector: _ConstantRows.aggregate,
    expressions.ConstantCast: _ConstantRows.cast,
    expressions.ConstantBinary: _ConstantRows.binary,
    expressions.ConstantGetElementPtr: _ConstantRows.get_element_ptr,
    expressions.ConstantExtractElement: _ConstantRows.extract_element,
    expressions.ConstantInsertElement: _ConstantRows.insert_element,
    expressions.ConstantShuffleVector: _ConstantRows.shuffle_vector,
    expressions.BlockAddress: _ConstantRows.block_address,
    expressions.DSOLocalEquivalent: _ConstantRows.dso_local_equivalent,
    expressions.NoCFIValue: _ConstantRows.no_cfi,
    expressions.ConstantPtrAuth: _ConstantRows.ptr_auth,
    InlineAsm: _ConstantRows.inline_asm,
}
"""By class."""

TABLED = frozenset(CONSTANT_WRITERS)
"""The classes that tables of constants contain."""

# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
# compiled: for speed
"""Makes the instructions of which bodies mostly consist, from fields that have just been read.

All other instructions are made by the functions of `instructions`.  Rules: docs/reference/records.md, 7.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.expressions import (
    binary_opcode,
    cast_opcode,
    check_cast,
    check_gep,
    gep_type,
    predicate_of,
)
from bitcodec.bitcode.reader.field_reader import FieldReader, alignment
from bitcodec.bitcode.reader.function_state import check_callee
from bitcodec.bitcode.reader.instructions import INSTRUCTION_MAKERS
from bitcodec.bitcode.reader.instructions.calls import (
    depends_on_pointees,
    fitting_attributes,
    take_bundles,
)
from bitcodec.bitcode.reader.instructions.memory import check_stored, gep_source, loaded_type
from bitcodec.bitcode.reader.programs import Programs
from bitcodec.bitcode.reader.types import NO_TYPE_ID
from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.instructions import (
    ALIGNMENT_HIGH_SHIFT,
    ALLOCA_ALIGNMENT_LOW_MASK,
    ALLOCA_EXPLICIT_TYPE,
    CALL_CONVENTION_SHIFT,
    CALL_MUST_TAIL_BIT,
    CALL_NO_TAIL_BIT,
    CALL_TAIL_BIT,
    CONVENTION_MASK,
    EXACT_RECORDS,
    INSTRUCTION_LAYOUTS,
)
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions.arithmetic import FCmp, make_binary, make_cast, make_icmp, make_select
from bitcodec.ir.instructions.calls import Call, make_call
from bitcodec.ir.instructions.control_flow import make_branch, make_phi, make_return
from bitcodec.ir.instructions.memory import make_alloca, make_get_element_ptr, make_load, make_store
from bitcodec.ir.type_properties import holds_floating_point
from bitcodec.ir.types import IntegerType, PointerType, SequentialType, StructType, VectorType
from bitcodec.reasons import Reason
from bitcodec.tables.instruction_flags import (
    FAST_MATH_OF,
    NO_ACCESS_FLAGS,
    NO_CAST_FLAGS,
    NO_CMP_FLAGS,
    NO_FAST_MATH,
    NO_INTEGER_FLAGS,
    fast_math_by_number,
    flags_by_number,
    flags_of_opcode,
)
from bitcodec.tables.opcodes import (
    BINARY_OPCODES,
    CAST_OPCODES,
    AtomicOrdering,
    FCmpPredicate,
    ICmpPredicate,
    TailCallKind,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.bitstream.columns import Columns
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["INSTRUCTION_PROGRAMS", "InstructionMaker"]

_BINOP, _CAST = int(FunctionCode.INST_BINOP), int(FunctionCode.INST_CAST)
_CMP, _CMP2 = int(FunctionCode.INST_CMP), int(FunctionCode.INST_CMP2)
_SELECT, _VSELECT = int(FunctionCode.INST_SELECT), int(FunctionCode.INST_VSELECT)
_ALLOCA, _GEP = int(FunctionCode.INST_ALLOCA), int(FunctionCode.INST_GEP)
_GEP_OLD, _INBOUNDS_GEP_OLD = int(FunctionCode.INST_GEP_OLD), int(FunctionCode.INST_INBOUNDS_GEP_OLD)
_LOAD, _STORE, _STORE_OLD = int(FunctionCode.INST_LOAD), int(FunctionCode.INST_STORE), int(FunctionCode.INST_STORE_OLD)
_PHI, _CALL = int(FunctionCode.INST_PHI), int(FunctionCode.INST_CALL)
_BR, _RET = int(FunctionCode.INST_BR), int(FunctionCode.INST_RET)

INSTRUCTION_PROGRAMS = Programs(
    INSTRUCTION_LAYOUTS,
    exact=EXACT_RECORDS,
    unboxed=(_BINOP, _CAST, _CMP, _CMP2, _VSELECT, _ALLOCA, _LOAD, _STORE, _STORE_OLD, _GEP, _CALL),
)

_SLOTS = INSTRUCTION_PROGRAMS.slots
_POINTER_SLOT, _VALUE_SLOT, _TYPE_SLOT = _SLOTS["pointer"], _SLOTS["value"], _SLOTS["type"]
_ALIGNMENT_SLOT = _SLOTS["alignment"]
_LHS_SLOT, _RHS_SLOT, _OPERAND_SLOT = _SLOTS["lhs"], _SLOTS["rhs"], _SLOTS["operand"]
_OPCODE_SLOT, _FLAGS_SLOT, _PREDICATE_SLOT = _SLOTS["opcode"], _SLOTS["flags"], _SLOTS["predicate"]
_TRUE_SLOT, _FALSE_SLOT, _CONDITION_SLOT = _SLOTS["true_value"], _SLOTS["false_value"], _SLOTS["condition"]
_SIZE_SLOT, _ADDRESS_SPACE_SLOT = _SLOTS["array_size"], _SLOTS["address_space"]
_SOURCE_SLOT, _OPERANDS_SLOT, _INCOMING_SLOT = _SLOTS["source_element_type"], _SLOTS["operands"], _SLOTS["incoming"]
_TARGET_SLOT, _OTHERWISE_SLOT = _SLOTS["target"], _SLOTS["otherwise"]
_ATTRIBUTES_SLOT, _FAST_MATH_SLOT, _FUNCTION_TYPE_SLOT = (
    _SLOTS["attributes"],
    _SLOTS["fast_math"],
    _SLOTS["function_type"],
)
_CALLEE_SLOT, _ARGUMENTS_SLOT = _SLOTS["callee"], _SLOTS["arguments"]

_INTEGER_OPCODES = tuple(row.integer for row in BINARY_OPCODES)
_INTEGER_OPCODE_COUNT = len(_INTEGER_OPCODES)
_CASTS = CAST_OPCODES
_CAST_COUNT = len(_CASTS)
_BINARY_FLAGS = {row.integer: flags_by_number(row.integer) for row in BINARY_OPCODES if flags_of_opcode(row.integer)}
_CAST_FLAGS = {opcode: flags_by_number(opcode) for opcode in CAST_OPCODES if flags_of_opcode(opcode)}
_FAST_MATH = {opcode: fast_math_by_number(opcode) for opcode in FAST_MATH_OF}
_CMP_FLAGS, _GEP_FLAGS = flags_by_number("icmp"), flags_by_number("getelementptr")
_ALLOCA_FLAGS, _LOAD_FLAGS, _STORE_FLAGS = map(flags_by_number, ("alloca", "load", "store"))
_INTEGER_PREDICATES = {predicate.code: predicate for predicate in ICmpPredicate}

_ALLOCA_LOW, _ALLOCA_HIGH_SHIFT = ALLOCA_ALIGNMENT_LOW_MASK, ALIGNMENT_HIGH_SHIFT
_ALLOCA_TYPED = ALLOCA_EXPLICIT_TYPE
_CONVENTION_SHIFT, _CONVENTION_MASK = CALL_CONVENTION_SHIFT, CONVENTION_MASK
_TAIL, _MUST_TAIL, _NO_TAIL = 1 << CALL_TAIL_BIT, 1 << CALL_MUST_TAIL_BIT, 1 << CALL_NO_TAIL_BIT
_NOT_ATOMIC = AtomicOrdering.NOT_ATOMIC
_NO_TAIL_KIND = TailCallKind.NONE
_INDEX_BITS = 32
"""Width of the indices of structs."""


def _general_makers() -> dict[int, tuple[Callable[..., Instruction], list[int]]]:
    """Return the functions that make other instructions, and the slots of the fields that each of them names."""
    found = {}
    for code, make in INSTRUCTION_MAKERS.items():
        taken = make.__code__.co_varnames[1 : make.__code__.co_argcount]
        names = {field.name for field in INSTRUCTION_LAYOUTS[code]}
        required = taken[: len(taken) - len(make.__defaults__ or ())]
        if not names.issuperset(required):
            raise AssertionError(f"{make.__name__} takes {required}, and the record {code.name} has {names}")
        found[int(code)] = make, [_SLOTS[name] for name in taken if name in names]
    return found


_MAKERS = _general_makers()


class InstructionMaker(FieldReader):
    """Reads records of instructions and makes the instructions."""

    def __init__(self, state: FunctionState, columns: Columns) -> None:
        super().__init__(INSTRUCTION_PROGRAMS, state, columns)
        self._sized = state.module.sized
        self._void = state.void
        self._layout = state.module.module.data_layout
        self.attribute_lists = state.module.attribute_lists.made
        self._bundles = state.bundles

    def make(self, code: int) -> Instruction:  # noqa: C901, PLR0911 - one branch for each
        """Read a record of an instruction, from `at` on, and return the instruction.

        Raises:
            Malformed, IndexError: it is malformed or too short.
        """
        self.read_fields(code)
        if code == _LOAD:
            return self._load()
        if code == _STORE:
            return self._store()
        if code == _BR:
            return self._branch()
        if code == _CALL:
            return self._call()
        if code == _GEP:
            return self._get_element_ptr()
        if code in (_CMP2, _CMP):
            return self._compare()
        if code == _BINOP:
            return self._binary()
        if code == _CAST:
            return self._cast()
        if code == _PHI:
            return self._phi()
        if code == _ALLOCA:
            return self._alloca()
        return self._make_rarely(code)

    def _make_rarely(self, code: int) -> Instruction:
        if code == _RET:
            return self._return()
        if code == _VSELECT:
            return self._select(self.numbers[_FLAGS_SLOT])
        if code == _SELECT:
            return self._select(0)
        if code == _STORE_OLD:
            return self._store()
        if code in (_GEP_OLD, _INBOUNDS_GEP_OLD):
            pointer_id = self.type_ids[_OPERANDS_SLOT] if self._keeps_type_ids else NO_TYPE_ID
            type_id = gep_source(self.state, self.objects[_OPERANDS_SLOT], pointer_id)
            self._set_pointee(_SOURCE_SLOT, type_id)
            self.numbers[_FLAGS_SLOT] = code == _INBOUNDS_GEP_OLD
            return self._get_element_ptr()
        make, slots = _MAKERS[code]
        objects = self.objects
        return make(self.state, *[objects[slot] for slot in slots])

    # Memory

    def _load(self) -> Instruction:
        pointer, type_, bytes_ = self.objects[_POINTER_SLOT], self.objects[_TYPE_SLOT], self.objects[_ALIGNMENT_SLOT]
        if type_ is None or type_ not in self._sized or not isinstance(pointer.type, PointerType):
            type_ = loaded_type(self.state, pointer, type_)
        if bytes_ is None:
            bytes_ = self._layout.abi_alignment(type_)
        number = self.numbers[_FLAGS_SLOT]
        flags = _LOAD_FLAGS[number] if number else NO_ACCESS_FLAGS
        return make_load(type_, pointer, bytes_, flags, _NOT_ATOMIC, "")

    def _store(self) -> Instruction:
        pointer, value, bytes_ = self.objects[_POINTER_SLOT], self.objects[_VALUE_SLOT], self.objects[_ALIGNMENT_SLOT]
        if value.type not in self._sized or not isinstance(pointer.type, PointerType):
            check_stored(self.state, pointer, value)
        if bytes_ is None:
            bytes_ = self._layout.abi_alignment(value.type)
        number = self.numbers[_FLAGS_SLOT]
        flags = _STORE_FLAGS[number] if number else NO_ACCESS_FLAGS
        return make_store(self._void, (value, pointer), bytes_, flags, _NOT_ATOMIC, "")

    def _alloca(self) -> Instruction:
        """Make an `alloca`; old files have the type of the pointer instead of the memory's."""
        state, type_, size = self.state, self.objects[_TYPE_SLOT], self.objects[_SIZE_SLOT]
        flags, address_space = self.numbers[_FLAGS_SLOT], self.objects[_ADDRESS_SPACE_SLOT]
        if not flags & _ALLOCA_TYPED:
            if not isinstance(type_, PointerType):
                raise Malformed(Reason.ALLOCA_POINTER(type=type_.brief))
            self._set_pointee(_TYPE_SLOT, self._pointee_id(self.type_ids[_TYPE_SLOT]) if self._keeps_type_ids else -1)
            type_ = self.objects[_TYPE_SLOT]
            if type_ is None:
                raise Malformed(Reason.UNKNOWN_POINTEE())
        if address_space is None:
            address_space = self._layout.alloca_address_space
        if not type_.is_first_class or (type_ not in self._sized and not state.module.is_sized(type_)):
            raise Malformed(Reason.ALLOCA_TYPE(type=type_.brief))
        code = flags & _ALLOCA_LOW | (flags >> _ALLOCA_HIGH_SHIFT & 7) << 5
        if not isinstance(size.type, IntegerType):
            raise Malformed(Reason.ALLOCA_COUNT(type=size.type.brief))
        pointer = state.pointer if address_space == 0 else state.types.pointer(address_space)
        bytes_ = alignment(code) or self._layout.preferred_alignment(type_)
        return make_alloca(pointer, type_, size, bytes_, _ALLOCA_FLAGS[flags])

    def _get_element_ptr(self) -> Instruction:
        source, operands = self.objects[_SOURCE_SLOT], self.objects[_OPERANDS_SLOT]
        if not operands:
            raise Malformed(Reason.NO_ADDRESS_OPERANDS())
        first = operands[0]
        type_ = first.type
        if (
            not isinstance(type_, PointerType)
            or source not in self._sized
            or not self._leads_to_element(source, operands)
        ):
            pointer, *indices = operands
            check_gep(self.state.module, source, pointer, indices)
            type_ = gep_type(self.state.module, pointer, indices)
        return make_get_element_ptr(type_, source, tuple(operands), _GEP_FLAGS[self.numbers[_FLAGS_SLOT]])

    def _leads_to_element(self, type_: Type, operands: list[Value]) -> bool:
        """Return whether scalar indices lead to an element; False if that takes a closer look."""
        for index in range(1, len(operands)):
            operand = operands[index]
            if type(operand.type) is not IntegerType and isinstance(operand.type, VectorType):
                return False
            if index == 1:
                continue
            if isinstance(type_, SequentialType):
                type_ = type_.element_type
                continue
            if not isinstance(type_, StructType) or not isinstance(operand, ConstantInt):
                return False
            elements, position = type_.elements, operand.value
            if elements is None or operand.type.bit_width != _INDEX_BITS or not 0 <= position < len(elements):
                return False
            type_ = elements[position]
        return True

    # Operations

    def _binary(self) -> Instruction:
        lhs, rhs = self.objects[_LHS_SLOT], self.objects[_RHS_SLOT]
        number, flags = self.numbers[_OPCODE_SLOT], self.numbers[_FLAGS_SLOT]
        type_ = lhs.type
        if isinstance(type_, IntegerType) and number < _INTEGER_OPCODE_COUNT:
            opcode = _INTEGER_OPCODES[number]
        else:
            opcode = binary_opcode(number, type_)
        promises, math = NO_INTEGER_FLAGS, NO_FAST_MATH
        if flags:
            if opcode in _BINARY_FLAGS:
                promises = _BINARY_FLAGS[opcode][flags]
            elif opcode in _FAST_MATH:
                math = _FAST_MATH[opcode][flags]
        return make_binary(opcode, (lhs, rhs), promises, math)

    def _cast(self) -> Instruction:
        operand, type_ = self.objects[_OPERAND_SLOT], self.objects[_TYPE_SLOT]
        number, flags = self.numbers[_OPCODE_SLOT], self.numbers[_FLAGS_SLOT]
        opcode = _CASTS[number] if number < _CAST_COUNT else cast_opcode(number)
        key, known = (number, operand.type, type_), self.state.module.casts
        if key not in known:
            check_cast(opcode, operand.type, type_)
            known.add(key)
        promises, math = NO_CAST_FLAGS, NO_FAST_MATH
        if flags:
            if opcode in _CAST_FLAGS:
                promises = _CAST_FLAGS[opcode][flags]
            if opcode in _FAST_MATH:
                math = _FAST_MATH[opcode][flags]
        return make_cast(opcode, operand, type_, promises, math)

    def _compare(self) -> Instruction:
        lhs, rhs = self.objects[_LHS_SLOT], self.objects[_RHS_SLOT]
        flags = self.numbers[_FLAGS_SLOT]
        type_ = lhs.type
        result: Any = self.boolean
        predicate: Any = None
        if isinstance(type_, (IntegerType, PointerType)):
            predicate = _INTEGER_PREDICATES.get(self.numbers[_PREDICATE_SLOT])
        if predicate is None:
            result = self.state.types.like(type_, result)
            predicate = predicate_of(self.numbers[_PREDICATE_SLOT], type_)
            if isinstance(predicate, FCmpPredicate):
                return FCmp(result, predicate, lhs, rhs, _FAST_MATH["fcmp"][flags])
        return make_icmp(result, predicate, (lhs, rhs), _CMP_FLAGS[flags] if flags else NO_CMP_FLAGS)

    def _select(self, flags: int) -> Instruction:
        condition, value, other = self.objects[_CONDITION_SLOT], self.objects[_TRUE_SLOT], self.objects[_FALSE_SLOT]
        shape = condition.type
        if shape is not self.boolean and (not isinstance(shape, VectorType) or shape.element_type is not self.boolean):
            raise Malformed(Reason.CONDITION_TYPE(type=shape.brief))
        math = _FAST_MATH["select"][flags] if flags and holds_floating_point(value.type) else NO_FAST_MATH
        return make_select((condition, value, other), math)

    # Control flow

    def _phi(self) -> Instruction:
        type_, incoming = self.objects[_TYPE_SLOT], self.objects[_INCOMING_SLOT]
        values, blocks, flags = incoming
        if len(set(blocks)) < len(blocks):
            first: dict[BasicBlock, Value] = {}
            values = [first.setdefault(block, value) for block, value in zip(blocks, values, strict=True)]
        if not type_.is_first_class:
            raise Malformed(Reason.PHI_TYPE(type=type_.brief))
        math = _FAST_MATH["phi"][flags] if flags and holds_floating_point(type_) else NO_FAST_MATH
        return make_phi(type_, tuple(values), blocks, math)

    def _branch(self) -> Instruction:
        target, other = self.objects[_TARGET_SLOT], self.objects[_OTHERWISE_SLOT]
        condition = self.objects[_CONDITION_SLOT]
        if other is None:
            return make_branch(self._void, (target,))
        if condition is None:
            raise Malformed(Reason.NO_CONDITION())
        return make_branch(self._void, (condition, other, target))

    def _return(self) -> Instruction:
        value = self.objects[_VALUE_SLOT]
        return make_return(self._void, () if value is None else (value,))

    def _call(self) -> Instruction:
        state, flags = self.state, self.numbers[_FLAGS_SLOT]
        function_type, callee = self.objects[_FUNCTION_TYPE_SLOT], self.objects[_CALLEE_SLOT]
        arguments, number = self.objects[_ARGUMENTS_SLOT], self.numbers[_FAST_MATH_SLOT]
        if not isinstance(callee.type, PointerType):
            check_callee(callee)
        math = NO_FAST_MATH
        bundles = take_bundles(state) if self._bundles else ()
        attributes = self._call_attributes(function_type, callee, arguments)
        if number:
            if not holds_floating_point(function_type.return_type):
                raise Malformed(Reason.CALL_FLAGS(type=function_type.return_type.brief))
            math = _FAST_MATH["call"][number]
        tail = _tail_kind(flags) if flags & (_TAIL | _MUST_TAIL | _NO_TAIL) else _NO_TAIL_KIND
        convention = flags >> _CONVENTION_SHIFT & _CONVENTION_MASK
        if not bundles:
            return make_call(function_type, (*arguments, callee), convention, attributes, tail, math)
        return Call(
            function_type,
            callee,
            arguments,
            bundles=bundles,
            calling_convention=convention,
            attributes=attributes,
            tail_kind=tail,
            fast_math=math,
        )

    def _call_attributes(self, function_type: Any, callee: Value, arguments: list[Value]) -> Any:
        """Return the attributes of a call, upgraded to LLVM 22; calls of one callee mostly share them."""
        attributes = self.objects[_ATTRIBUTES_SLOT]
        if len(arguments) != len(function_type.parameter_types) or not isinstance(callee, Function):
            return fitting_attributes(self.state, attributes, function_type, callee, arguments)
        known = self.state.module.call_attributes
        key = (self.numbers[_ATTRIBUTES_SLOT], function_type, callee)
        found = known.get(key)
        if found is None:
            if self._keeps_type_ids and depends_on_pointees(self.state, attributes, callee):
                return fitting_attributes(self.state, attributes, function_type, callee, arguments)
            # The attributes of an intrinsic may depend on its name.
            general = key if callee.is_intrinsic else (self.numbers[_ATTRIBUTES_SLOT], function_type, None)
            found = known.get(general)
            if found is None:
                found = known[general] = fitting_attributes(self.state, attributes, function_type, callee, arguments)
            known[key] = found
        return found


def _tail_kind(flags: int) -> TailCallKind:
    if flags & _NO_TAIL:
        return TailCallKind.NOTAIL
    return TailCallKind.MUSTTAIL if flags & _MUST_TAIL else TailCallKind.TAIL

"""From the fields of a record to an instruction: one function for each kind of instruction that few bodies have.

Its parameters are named like the fields.  `instruction_maker` makes all other instructions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.instructions import arithmetic, calls, control_flow, exceptions, memory, vectors
from bitcodec.bitcode.schema.blocks import FunctionCode

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.instructions import Instruction

__all__ = ["INSTRUCTION_MAKERS"]

INSTRUCTION_MAKERS: dict[FunctionCode, Callable[..., Instruction]] = {
    FunctionCode.INST_UNOP: arithmetic.unary,
    FunctionCode.INST_FREEZE: arithmetic.freeze,
    FunctionCode.INST_EXTRACTELT: vectors.extract_element,
    FunctionCode.INST_INSERTELT: vectors.insert_element,
    FunctionCode.INST_SHUFFLEVEC: vectors.shuffle_vector,
    FunctionCode.INST_EXTRACTVAL: vectors.extract_value,
    FunctionCode.INST_INSERTVAL: vectors.insert_value,
    FunctionCode.INST_LOADATOMIC: memory.load_atomic,
    FunctionCode.INST_STOREATOMIC: memory.store_atomic,
    FunctionCode.INST_STOREATOMIC_OLD: memory.store_atomic,
    FunctionCode.INST_VAARG: memory.va_arg,
    FunctionCode.INST_FENCE: memory.fence,
    FunctionCode.INST_CMPXCHG: memory.cmpxchg,
    FunctionCode.INST_CMPXCHG_OLD: memory.cmpxchg,
    FunctionCode.INST_ATOMICRMW: memory.atomic_rmw,
    FunctionCode.INST_ATOMICRMW_OLD: memory.atomic_rmw,
    FunctionCode.INST_SWITCH: control_flow.switch,
    FunctionCode.INST_INDIRECTBR: control_flow.indirect_branch,
    FunctionCode.INST_UNREACHABLE: control_flow.unreachable,
    FunctionCode.INST_INVOKE: calls.invoke,
    FunctionCode.INST_CALLBR: calls.call_branch,
    FunctionCode.INST_RESUME: exceptions.resume,
    FunctionCode.INST_LANDINGPAD: exceptions.landing_pad,
    FunctionCode.INST_LANDINGPAD_OLD: exceptions.landing_pad_old,
    FunctionCode.INST_CLEANUPRET: exceptions.cleanup_return,
    FunctionCode.INST_CATCHRET: exceptions.catch_return,
    FunctionCode.INST_CATCHPAD: exceptions.catch_pad,
    FunctionCode.INST_CLEANUPPAD: exceptions.cleanup_pad,
    FunctionCode.INST_CATCHSWITCH: exceptions.catch_switch,
}
"""By record code; each takes the state of the body, and fields of the record by the names that its layout has."""

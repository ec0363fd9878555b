# What compiled files read instead of `present.py`, of what their loops use: C functions without a call.

cimport cython

from bitcodec.ir.basic_blocks cimport BasicBlock
from bitcodec.ir.debug_records cimport DbgVariableRecord
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.metadata cimport MDNode, ValueAsMetadata
from bitcodec.ir.values cimport User, Value


@cython.nonecheck(True)
cdef inline operands_of(User user):
    return user._operands


@cython.nonecheck(True)
cdef inline Py_ssize_t argument_count(CallBase call) except -1:
    return call._argument_count


@cython.nonecheck(True)
cdef inline name_of(Value value):
    return value._name


cdef inline present_blocks(function):
    return function._blocks


@cython.nonecheck(True)
cdef inline present_instructions(BasicBlock block):
    return block._instructions


@cython.nonecheck(True)
cdef inline listed_instructions(BasicBlock block):
    instructions = block._instructions
    return instructions if type(instructions) is list or type(instructions) is tuple else block.instructions


@cython.nonecheck(True)
cdef inline present_uses(Value value):
    return value._uses


@cython.nonecheck(True)
cdef inline present_wrapper(Value value):
    return value._as_metadata


@cython.nonecheck(True)
cdef inline present_content(MDNode node):
    return node._content


@cython.nonecheck(True)
cdef inline present_location(Instruction instruction):
    return instruction._location


@cython.nonecheck(True)
cdef inline bint has_attachments(Instruction instruction) except -1:
    return instruction._attachments is not None and bool(instruction._attachments)


@cython.nonecheck(True)
cdef inline bint has_debug_records(Instruction instruction) except -1:
    return instruction._records is not None and bool(instruction._records)


@cython.nonecheck(True)
cdef inline present_value(DbgVariableRecord record):
    return record._value


@cython.nonecheck(True)
cdef inline present_address(DbgVariableRecord record):
    return record._address


cdef inline in_record(metadata):
    if isinstance(metadata, ValueAsMetadata) and (<ValueAsMetadata>metadata)._poison is not None:
        return metadata.in_record()
    return metadata


@cython.nonecheck(True)
cdef inline attached_to(Instruction instruction):
    attached = instruction._attachments
    return attached if type(attached) is dict else instruction.metadata


@cython.nonecheck(True)
cdef inline records_of(Instruction instruction):
    records = instruction._records
    return records if type(records) is list else instruction.debug_records

"""The translator from LLVM IR to SPIR-V, `llvm-spirv`, of LLVM 14, 15 and 16.

The one of LLVM 15 crashes without typed pointers, so LLVM 14's bitcode is written for it.  Rules: messages of
`llvm-spirv` of LLVM 14 and 15 for single constructs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.writer.types import TypedPointerType
from bitcodec.downgrade.constructs import Way
from bitcodec.downgrade.profiles import expansions
from bitcodec.downgrade.profiles.editing import calls_of, editor, intrinsics_of, name_of, replace
from bitcodec.downgrade.profiles.mangled_parameters import pointees_of
from bitcodec.downgrade.profiles.profile import Order, Profile, row
from bitcodec.downgrade.profiles.spirv_debug_info import EXPRESSION, lower_debug_info
from bitcodec.ir import instructions as ir
from bitcodec.ir.attributes import TypeAttribute
from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.constants import InlineAsm
from bitcodec.ir.functions import Function
from bitcodec.ir.types import IntegerType, PointerType, StructType, TargetExtensionType, VectorType, VoidType
from bitcodec.tables.intrinsics import PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.instructions import CallBase, Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type

__all__ = ["SPIRV_14", "SPIRV_15", "SPIRV_16"]

_DROP, _LOWER, _, _REFUSE = Way
_UNTRANSLATED = "InvalidInstruction: Can't translate llvm instruction:"
_UNEXPECTED = "InvalidFunctionCall: Unexpected llvm intrinsic:"
_TARGET = row("target other than spir, spir64, spirv32 and spirv64", _REFUSE, "", "InvalidTargetTriple: Expects spir")
_FREEZE = row("freeze", _DROP, "its operand", _UNTRANSLATED)
_WIDTH = row(
    "integer type of other than 8, 16, 32 or 64 bits", _REFUSE, "", "InvalidBitWidth: Invalid bit width in input"
)
_VECTOR = row("vector of other than 2, 3, 4, 8 or 16 elements", _REFUSE)
_ASSEMBLY = row("inline assembly", _REFUSE)
_INDIRECT_CALL = row("call of a function pointer", _REFUSE, "", "FunctionPointers: Can't translate function pointer:")
_BLOCK_ADDRESS = row("address of a block", _REFUSE)
_OPERATION = {
    name: row(f"atomicrmw {name}", _REFUSE, "", _UNTRANSLATED) for name in ("nand", "fadd", "fsub", "fmax", "fmin")
}
_INSTRUCTIONS = {
    name: row(name, _REFUSE, "", _UNTRANSLATED)
    for name in (
        "indirectbr", "invoke", "landingpad", "resume", "callbr", "va_arg", "catchswitch", "catchpad", "cleanuppad",
    )
}  # fmt: skip
"""By opcode."""
_TYPE = row("target extension type", _LOWER, "a pointer to an opaque struct")

_WIDTHS = frozenset({1, 8, 16, 32, 64})
_COUNTS = frozenset({2, 3, 4, 8, 16})
_OVERFLOWING = {f"{sign}{name}.with.overflow": (sign, name) for sign in "su" for name in ("add", "sub", "mul")}
_DROPPED = frozenset({"stacksave", "stackrestore"})
_CANONICALIZE = "canonicalize"
_REDUCTION = re.compile(r"vector\.reduce\.(add|mul|and|or|xor)\.")

_DIMENSIONS = ("1d", "2d", "3d", "", "", "1d_buffer")
_ACCESSES = ("ro", "wo", "rw")
_OBJECTS = {
    "spirv.DeviceEvent": "clk_event_t",
    "spirv.Event": "event_t",
    "spirv.Queue": "queue_t",
    "spirv.ReserveId": "reserve_id_t",
}
_GLOBAL, _CONSTANT = 1, 2


def _lower(module: Module, losses: Losses) -> None:
    if not re.match(r"(?:spir|spir64|spirv32|spirv64)(?:-(?!unknown-vulkan)|$)", module.target_triple):
        losses.add(_TARGET, "", module.target_triple or "no target")
    for function in module.functions:
        for block in function.blocks:
            for instruction in list(block.instructions):
                _instruction(instruction, losses, function.name)
    for function, name in intrinsics_of(module):
        for call in calls_of(function):
            _intrinsic(call, name, losses)
        if not function.is_used:
            function.erase_from_parent()
    lower_debug_info(module, losses)


def _lower_typed_module(module: Module, losses: Losses) -> None:
    _lower(module, losses)
    for function in module.functions:
        _declare_pointees(function)


def _declare_pointees(function: Function) -> None:
    """Let parameters of OpenCL's own functions have the pointees in their names: the translator checks both."""
    if function.parent is None or not function.is_declaration:
        return
    attributes = function.attributes
    for index, type_ in enumerate(pointees_of(function.name, function.parent.context.types)):
        parameters = function.function_type.parameter_types
        if type_ is not None and index < len(parameters) and isinstance(parameters[index], PointerType):
            known = attributes.for_parameter(index)
            attributes = attributes.with_parameter(index, known.with_(TypeAttribute("elementtype", type_)))
    function.attributes = attributes


def _instruction(instruction: Instruction, losses: Losses, place: str) -> None:
    for value in (instruction, *instruction.operands):
        _type(value.type, instruction, losses, place)
        if isinstance(value, BlockAddress):
            losses.add(_BLOCK_ADDRESS, place, instruction)
    construct = _INSTRUCTIONS.get(instruction.opcode)
    if construct is None and isinstance(instruction, ir.AtomicRMW):
        construct = _OPERATION.get(instruction.operation.spelling)
    if construct is None and isinstance(instruction, ir.Call) and not isinstance(instruction.callee, Function):
        construct = _ASSEMBLY if isinstance(instruction.callee, InlineAsm) else _INDIRECT_CALL
    if construct is not None:
        losses.add(construct, place, instruction)
    if isinstance(instruction, ir.Freeze):
        losses.add(_FREEZE, place, instruction)
        replace(instruction, instruction.operands[0])


def _type(type_: Type, instruction: Instruction, losses: Losses, place: str) -> None:
    scalar = type_.scalar_type
    if isinstance(scalar, IntegerType) and scalar.bit_width not in _WIDTHS:
        losses.add(_WIDTH, place, instruction)
    if isinstance(type_, VectorType) and type_.count not in _COUNTS:
        losses.add(_VECTOR, place, instruction)


def _intrinsic(call: CallBase, name: str, losses: Losses) -> None:
    lower, base = _lowering(name)
    if lower is None:
        return
    place, text = name_of(call), str(call)
    way, instead = (_DROP, "") if base in _DROPPED else (_LOWER, "instructions")
    if not lower(call, base):
        way, instead = _REFUSE, ""
    losses.add(row(PREFIX + base, way, instead, f"{_UNEXPECTED} {PREFIX}{base}"), place, text)


def _lowering(name: str) -> tuple[Callable[[CallBase, str], bool] | None, str]:
    """Return the function that lowers a call of an intrinsic, None for no lowering, and the name without types."""
    reduction = _REDUCTION.match(name)
    if reduction:
        return _reduce, reduction[0].removesuffix(".")
    base = name.rpartition(".")[0] or name
    if base in _OVERFLOWING:
        return _check_overflow, base
    if base == _CANONICALIZE:
        return _canonicalize, base
    base = next((each for each in _DROPPED if name == each or name.startswith(f"{each}.")), "")
    return (_drop, base) if base else (None, name)


def _check_overflow(call: CallBase, base: str) -> bool:
    sign, operation = _OVERFLOWING[base]
    scalar = call.arguments[0].type.scalar_type
    # The product is checked in twice as many bits.
    if operation == "mul" and (not isinstance(scalar, IntegerType) or 2 * scalar.bit_width not in _WIDTHS):
        return False
    builder = editor(call)
    pair = expansions.overflowing(builder, sign, operation, call.arguments)
    if pair is None:
        return False
    made = builder.insertvalue(builder.constants.poison(call.type), pair[0], 0)
    replace(call, builder.insertvalue(made, pair[1], 1))
    return True


def _canonicalize(call: CallBase, _: str) -> bool:
    replace(call, expansions.canonicalize(editor(call), call.arguments))
    return True


def _reduce(call: CallBase, base: str) -> bool:
    operation = base.rpartition(".")[2]
    builder: Any = editor(call)
    make = getattr(builder, operation if operation in {"add", "mul", "xor"} else f"{operation}_")
    (vector,) = call.arguments
    if vector.type.is_scalable or vector.type.count not in _COUNTS:  # type: ignore[attr-defined]
        return False
    parts = [builder.extractelement(vector, index) for index in range(vector.type.count)]  # type: ignore[attr-defined]
    result = parts[0]
    for part in parts[1:]:
        result = make(result, part)
    replace(call, result)
    return True


def _drop(call: CallBase, _: str) -> bool:
    replace(call, None if isinstance(call.type, VoidType) else editor(call).constants.null(call.type))
    return True


# Types


def _typed(module: Module) -> dict[Type, Type]:
    """Return pointers to opaque structs for the types of OpenCL, as clang 14 has them."""
    structs: dict[str, StructType] = {}
    found: dict[Type, Type] = {}
    for type_ in module.context.types.target_extensions():
        known = _opaque(type_)
        if known is not None:
            name, space = known
            struct = structs.setdefault(name, StructType(None, name=f"opencl.{name}"))
            found[type_] = TypedPointerType(struct, space)
    return found


def _opaque(type_: TargetExtensionType) -> tuple[str, int] | None:
    """Return the name of a type of OpenCL, and the address space of pointers to it; None for another type."""
    name, numbers = type_.name, type_.integer_parameters
    if name == "spirv.Sampler":
        return "sampler_t", _CONSTANT
    if name == "spirv.Pipe" and numbers and numbers[0] < len(_ACCESSES):
        return f"pipe_{_ACCESSES[numbers[0]]}_t", _GLOBAL
    if name == "spirv.Image":
        return _image(numbers)
    return (_OBJECTS[name], 0) if name in _OBJECTS else None


def _image(numbers: tuple[int, ...]) -> tuple[str, int] | None:
    if len(numbers) < 7:
        return None
    dimension, depth, is_array, samples, _, _, access = numbers[:7]
    if dimension >= len(_DIMENSIONS) or not _DIMENSIONS[dimension] or access >= len(_ACCESSES):
        return None
    flags = ("_array" if is_array else "") + ("_msaa" if samples else "") + ("_depth" if depth else "")
    return f"image{_DIMENSIONS[dimension]}{flags}_{_ACCESSES[access]}_t", _GLOBAL


def _same(_: Module) -> dict[Type, Type]:
    return {}


_TARGETS = ("spir",)
_TYPED_POINTERS = 14
_CRASHING = frozenset({_VECTOR, _ASSEMBLY, _BLOCK_ADDRESS, _INSTRUCTIONS["va_arg"], EXPRESSION})
SPIRV_14, SPIRV_15, SPIRV_16 = (
    Profile(
        f"spirv-{number}",
        f"llvm-spirv {number}",
        version,
        _lower_typed_module if version == _TYPED_POINTERS else _lower,
        _typed if version == _TYPED_POINTERS else _same,
        _TARGETS,
        order=Order(module=(_TARGET,)),
        crashing=_CRASHING,
    )
    for number, version in ((14, 14), (15, 14), (16, 16))
)

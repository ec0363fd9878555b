"""Instructions for libNVVM: fences, atomic accesses, casts between address spaces.

PTX's memory model gives volatile accesses the strength of relaxed ones with the scope of the system, and `membar` that
of a fence that is sequentially consistent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.downgrade.profiles.editing import assembly, editor, replace
from bitcodec.downgrade.profiles.nvvm import rows
from bitcodec.downgrade.profiles.nvvm.atomics import can_loop, expand_exchange, expand_operation
from bitcodec.downgrade.profiles.nvvm.global_values import SPACES
from bitcodec.ir import instructions as ir
from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.instructions.memory import SINGLE_THREAD, SYSTEM
from bitcodec.ir.types import FloatingPointType, IntegerType, PointerType
from bitcodec.tables.opcodes import AtomicOrdering

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.builder import Builder
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["lower_instructions"]

_MAX_ALIGNMENT = 1 << 23
_BARRIERS = {"block": "llvm.nvvm.membar.cta", "device": "llvm.nvvm.membar.gl", "cluster": "llvm.nvvm.membar.gl"}
"""By scope, the narrowest barrier that includes it."""
_SCOPES = {"block": "cta", "device": "gpu", "cluster": "gpu"}
"""By scope, PTX's."""
_SPACE_NAMES = {0: "", 1: ".global", 3: ".shared"}
_RELEASING = frozenset({"release", "acq_rel", "seq_cst"})
_ACQUIRING = frozenset({"acquire", "acq_rel", "seq_cst"})
_BITS = {"i16": "b16", "i32": "b32", "i64": "b64"}
_REGISTERS = {"i16": "h", "i32": "r", "i64": "l", "float": "f", "double": "d"}
_OPERATIONS = {
    ("fadd", "float"): "add.f32",
    ("fadd", "double"): "add.f64",
    ("fadd", "half"): "add.noftz.f16",
    ("fadd", "bfloat"): "add.noftz.bf16",
    ("uinc_wrap", "i32"): "inc.u32",
    ("udec_wrap", "i32"): "dec.u32",
}
"""By operation of atomicrmw and type that libNVVM has no instruction for, the end of the name of PTX's `atom`."""
_KEPT_TYPES = frozenset({"i32", "i64"})
_KEPT_OPERATIONS = frozenset({"xchg", "add", "sub", "and", "or", "xor", "max", "min", "umax", "umin"})


def lower_instructions(module: Module, losses: Losses) -> None:
    """Lower the instructions of all functions; refuse the ones without another form."""
    for function in module.functions:
        _expand_atomics(function, losses)
        for block in function.blocks:
            for instruction in list(block.instructions):
                _survey(instruction, losses, function.name)
                lower = _RULES.get(type(instruction))
                if lower is not None:
                    lower(instruction, losses, function.name)


def _expand_atomics(function: Function, losses: Losses) -> None:
    """Replace operations without an instruction of PTX by loops."""
    for instruction in [each for block in function.blocks for each in block.instructions]:
        if isinstance(instruction, ir.AtomicRMW) and _needs_loop(instruction):
            is_nand = instruction.operation.spelling == "nand"
            losses.add(rows.ATOMIC_NAND if is_nand else rows.ATOMIC_LOOP, function.name, instruction)
            expand_operation(instruction)
        elif isinstance(instruction, ir.AtomicCmpXchg) and _is_of_byte(instruction):
            losses.add(rows.EXCHANGE_LOOP, function.name, instruction)
            expand_exchange(instruction)


def _is_of_byte(exchange: ir.AtomicCmpXchg) -> bool:
    return str(exchange.compare.type) == "i8" and _space_of(exchange) in _SPACE_NAMES


def _needs_loop(operation: ir.AtomicRMW) -> bool:
    is_known = _is_kept(operation) or _ending_of(operation) is not None
    return not is_known and _space_of(operation) in _SPACE_NAMES and can_loop(operation)


def _space_of(instruction: ir.AtomicRMW | ir.AtomicCmpXchg) -> int:
    space: int = instruction.pointer.type.address_space  # type: ignore[attr-defined]
    return space


def _survey(instruction: Instruction, losses: Losses, place: str) -> None:
    found = rows.INSTRUCTIONS.get(instruction.opcode)
    if found is not None:
        losses.add(found, place, instruction)
    for value in (instruction, *instruction.operands):
        scalar = value.type.scalar_type
        if isinstance(scalar, FloatingPointType) and scalar.spelling in rows.FLOATING_TYPES:
            losses.add(rows.FLOATING_TYPES[scalar.spelling], place, instruction)
        if isinstance(value, BlockAddress):
            losses.add(rows.BLOCK_ADDRESS, place, instruction)


def _barrier(builder: Builder, scope: str) -> None:
    if scope == SINGLE_THREAD:
        assembly(builder, "", "~{memory}", builder.types.void)
    else:
        builder.intrinsic(_BARRIERS.get(scope, "llvm.nvvm.membar.sys"), builder.types.void)


def _fence(fence: ir.Fence, losses: Losses, place: str) -> None:
    losses.add(rows.FENCE, place, fence)
    _barrier(editor(fence), fence.sync_scope)
    fence.erase_from_parent()


def _access(access: ir.Load | ir.Store, losses: Losses, place: str) -> None:
    if not access.is_atomic:
        return
    losses.add(rows.ORDERED_ACCESS, place, access)
    ordering, scope = access.ordering, access.sync_scope
    builder = editor(access)
    is_load = isinstance(access, ir.Load)
    if ordering is AtomicOrdering.SEQUENTIALLY_CONSISTENT or (not is_load and ordering.spelling in _RELEASING):
        _barrier(builder, scope)
    if is_load and ordering.spelling in _ACQUIRING:
        builder.after(access)
        _barrier(builder, scope)
    access.ordering, access.sync_scope, access.is_volatile = AtomicOrdering.NOT_ATOMIC, SYSTEM, True


def _cast(cast: ir.Cast, losses: Losses, place: str) -> None:
    if cast.opcode != "addrspacecast":
        return
    (operand,) = cast.operands
    source, target = (type_.scalar_type for type_ in (operand.type, cast.type))
    assert isinstance(source, PointerType)  # noqa: S101 - casts of other values have other names
    assert isinstance(target, PointerType)  # noqa: S101
    if not {source.address_space, target.address_space} <= SPACES:
        losses.add(rows.ADDRESS_SPACE, place, cast)
    elif source.address_space and target.address_space:
        losses.add(rows.DISTANT_CAST, place, cast)
        builder = editor(cast)
        generic = builder.types.ptr
        between = builder.addrspacecast(operand, _like(builder, cast.type, generic))
        replace(cast, builder.addrspacecast(between, cast.type))


def _like(builder: Builder, type_: Type, scalar: Type) -> Type:
    """Return a type, or a vector of it like another vector."""
    return scalar if isinstance(type_, PointerType) else builder.types.vector(type_.count, scalar)  # type: ignore[attr-defined]


def _alloca(alloca: ir.Alloca, losses: Losses, place: str) -> None:
    if (alloca.alignment or 0) > _MAX_ALIGNMENT:
        losses.add(rows.LARGE_ALIGNMENT, place, alloca)
        alloca.alignment = _MAX_ALIGNMENT


def _compare_exchange(exchange: ir.AtomicCmpXchg, losses: Losses, place: str) -> None:
    """Replace it by PTX's `atom.cas`: libNVVM's own instruction has no ordering, and the scope of the device."""
    pointer, expected, value = exchange.operands
    space = pointer.type.address_space  # type: ignore[attr-defined]
    bits = _BITS.get(str(_as_integer(exchange, value.type)))
    if bits is None or space not in _SPACE_NAMES:
        losses.add(rows.ATOMIC_SPACE if space not in _SPACE_NAMES else rows.ATOMIC_TYPE, place, exchange)
        return
    is_kept = str(value.type) in _KEPT_TYPES
    losses.add(rows.ATOMIC_ORDERING if is_kept else rows.EXCHANGE_TYPE, place, exchange)
    text = f"atom.{_scope_of(exchange)}{_SPACE_NAMES[space]}.cas.{bits} $0, [$1], $2, $3;"
    orderings = {exchange.success_ordering.spelling, exchange.failure_ordering.spelling}
    builder = editor(exchange)
    if orderings & _RELEASING:
        _barrier(builder, exchange.sync_scope)
    old = _called(builder, text, pointer, expected, value)
    if orderings & _ACQUIRING:
        _barrier(builder, exchange.sync_scope)
    made = builder.insertvalue(builder.constants.poison(exchange.type), old, 0)
    replace(exchange, builder.insertvalue(made, builder.icmp("eq", old, expected), 1))


def _scope_of(operation: Any) -> str:
    return _SCOPES.get(operation.sync_scope, "cta" if operation.sync_scope == SINGLE_THREAD else "sys")


def _as_integer(instruction: Instruction, type_: Type) -> Type:
    module = instruction.module
    assert module is not None  # noqa: S101 - it is in a function of the module
    if isinstance(type_, PointerType):
        return module.context.types.integer(module.data_layout.pointer_size(type_.address_space) * 8)
    return type_


def _called(builder: Builder, text: str, pointer: Value, *operands: Value) -> Value:
    """Call PTX that takes an address and values of one type, and returns one of these."""
    wanted = operands[0].type
    type_ = wanted
    if isinstance(wanted, PointerType):
        type_ = builder.types.integer(builder.module.data_layout.pointer_size(wanted.address_space) * 8)
        operands = tuple(builder.ptrtoint(each, type_) for each in operands)
    elif isinstance(wanted, FloatingPointType) and wanted.spelling in rows.HALVES:
        type_ = builder.types.integer(16)
        operands = tuple(builder.bitcast(each, type_) for each in operands)
    letter = _REGISTERS[str(type_)]
    constraints = ",".join([f"={letter}", "l", *[letter] * len(operands), "~{memory}"])
    result = assembly(builder, text, constraints, type_, [pointer, *operands])
    if isinstance(wanted, PointerType):
        return builder.inttoptr(result, wanted)
    return result if type_ is wanted else builder.bitcast(result, wanted)


def _read_modify_write(operation: ir.AtomicRMW, losses: Losses, place: str) -> None:
    pointer, value = operation.operands
    space, ending = _space_of(operation), _ending_of(operation)
    if _is_kept(operation) and space in _SPACE_NAMES:
        return
    if ending is None or space not in _SPACE_NAMES:
        is_wide = str(value.type) == "i128" and operation.operation.spelling not in {"nand", "xchg"}
        construct = rows.ATOMIC_WIDE if is_wide else rows.ATOMIC_TYPE
        losses.add(rows.ATOMIC_SPACE if space not in _SPACE_NAMES else construct, place, operation)
        return
    losses.add(rows.ATOMIC_OPERATION, place, operation)
    # LLVM's own back end gives these instructions neither an ordering nor a wider scope than the device.
    text = f"atom{_SPACE_NAMES[space]}.{ending} $0, [$1], $2;"
    replace(operation, _called(editor(operation), text, pointer, value))


def _is_kept(operation: ir.AtomicRMW) -> bool:
    return operation.operation.spelling in _KEPT_OPERATIONS and str(operation.value.type) in _KEPT_TYPES


def _ending_of(operation: ir.AtomicRMW) -> str | None:
    """Return the end of the name of PTX's instruction for an operation, None without such an instruction."""
    name, type_ = operation.operation.spelling, operation.value.type
    if name == "xchg" and isinstance(type_, FloatingPointType | PointerType):
        return {32: "exch.b32", 64: "exch.b64"}.get(_width(operation, type_))
    return _OPERATIONS.get((name, str(type_)))


def _width(instruction: Instruction, type_: Type) -> int:
    type_ = _as_integer(instruction, type_)
    return type_.bit_width if isinstance(type_, IntegerType | FloatingPointType) else 0


_RULES: dict[type[Instruction], Callable[[Any, Losses, str], None]] = {
    ir.Fence: _fence,
    ir.Load: _access,
    ir.Store: _access,
    ir.Cast: _cast,
    ir.Alloca: _alloca,
    ir.AtomicCmpXchg: _compare_exchange,
    ir.AtomicRMW: _read_modify_write,
}
"""By class."""

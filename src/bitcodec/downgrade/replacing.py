"""Instructions that old versions of LLVM lack, and those that are written in their place.

Rules: docs/reference/older-readers.md, 6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.downgrade import constructs
from bitcodec.downgrade.statepoints import is_statepoint, with_inline_operands
from bitcodec.ir import instructions as ir
from bitcodec.ir.instructions.memory import SINGLE_THREAD, SYSTEM
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.types import ArrayType, FloatingPointType, PointerType, StructType, VectorType, VoidType
from bitcodec.ir.unlisted import moved_to, unlisted, unlisted_cast, unlisted_copy, with_bundles
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.instruction_flags import NO_FAST_MATH, NO_INTEGER_FLAGS, FastMathFlags
from bitcodec.tables.opcodes import AtomicOrdering

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["Replacements"]


class Rules(NamedTuple):
    """What is written for the instructions of a class.

    Attributes:
        make: returns what is written for an instruction in a function of a name, None for itself.
        harmless: by attribute, the values that show that nothing is to be done, if each attribute has one of them.
    """

    make: Callable[[Any, str], tuple[Instruction, ...] | None]
    harmless: Mapping[str, Sequence[object]]


class Replacements:
    """Makes the instructions that a version has for those that it lacks.

    Args:
        module: the module, which is not changed.
        losses: receives what the version lacks.
    """

    def __init__(self, module: Module, losses: Losses) -> None:
        self._module = module
        self._losses = losses
        self._version = losses.version

    def rules(self) -> dict[type[Instruction], Rules]:
        """Return by class, what is written for instructions; as an attribute, bound methods would be a circle."""
        found: dict[type[Instruction], Rules] = {}
        for row in _ROWS:
            if row.since > self._version:
                for kind in row.kinds:
                    rules = found.get(kind)
                    found[kind] = _both(rules, row, self) if rules else Rules(row.make.__get__(self), row.harmless)
        return found

    def _freeze(self, freeze: ir.Freeze, place: str) -> tuple[Instruction, ...]:
        if isinstance(freeze.type, StructType | ArrayType):
            self._losses.add(constructs.FREEZE_AGGREGATE, place, freeze)
        self._losses.add(constructs.FREEZE, place, freeze)
        return (_same_value(freeze, freeze.operands[0]),)

    def _negation(self, negation: ir.UnaryOperator, place: str) -> tuple[Instruction, ...]:
        self._losses.add(constructs.FNEG, place, negation)
        (operand,) = negation.operands
        made = unlisted(
            ir.BinaryOperator,
            operand.type,
            (self._negative_zero(operand.type), operand),
            opcode="fsub",
            flags=NO_INTEGER_FLAGS,
            fast_math=_older_flags(negation.fast_math, self._version),
        )
        return (moved_to(negation, made),)

    def _negative_zero(self, type_: Type) -> Value:
        constants = self._module.context.constants
        scalar: Any = type_.scalar_type
        if scalar.spelling == "ppc_fp128":
            zero = constants.floating(scalar, 1 << 63)
        else:
            zero = constants.floating(scalar, 1 << scalar.bit_width - 1)
        return constants.splat(type_, zero) if isinstance(type_, VectorType) else zero

    def _phi(self, phi: ir.Phi, place: str) -> tuple[Instruction, ...] | None:
        if not phi.fast_math:
            return None
        self._losses.add(constructs.FAST_MATH_PHI, place, phi)
        return (unlisted_copy(phi, fast_math=NO_FAST_MATH),)

    def _select(self, select: ir.Select, place: str) -> tuple[Instruction, ...] | None:
        if not select.fast_math:
            return None
        self._losses.add(constructs.FAST_MATH_SELECT, place, select)
        return (unlisted_copy(select, fast_math=NO_FAST_MATH),)

    def _fast_math(self, operation: Any, place: str) -> tuple[Instruction, ...] | None:
        flags = operation.fast_math
        older = _older_flags(flags, self._version)
        if older is flags:
            return None
        if flags != FastMathFlags.FAST:
            self._losses.add(constructs.FAST_MATH_FLAGS, place, operation)
        return (unlisted_copy(operation, fast_math=older),)

    def _aggregate(self, operation: Any, place: str) -> tuple[Instruction, ...] | None:
        """Leave out the flags of an operation on several numbers."""
        row = _FLAGS_OF_AGGREGATES.get(type(operation.type))
        if row is None or row.since <= self._version or not operation.fast_math:
            return None
        self._losses.add(row, place, operation)
        return (unlisted_copy(operation, fast_math=NO_FAST_MATH),)

    def _exchange(self, exchange: ir.AtomicRMW, place: str) -> tuple[Instruction, ...] | None:
        pointer, value = exchange.operands
        if isinstance(value.type, FloatingPointType) and self._version < constructs.FLOATING_EXCHANGE.since:
            return self._floating_exchange(exchange, place)
        if not isinstance(value.type, PointerType):
            return None
        self._losses.add(constructs.POINTER_EXCHANGE, place, exchange)
        number = self._module.context.types.integer(self._module.data_layout.pointer_size(value.type.address_space) * 8)
        before = unlisted_cast("ptrtoint", value, number)
        made = unlisted_copy(exchange, type=number, _operands=(pointer, before), _name="", _attachments=None)
        return before, made, moved_to(exchange, unlisted_cast("inttoptr", made, value.type))

    def _floating_exchange(self, exchange: ir.AtomicRMW, place: str) -> tuple[Instruction, ...]:
        self._losses.add(constructs.FLOATING_EXCHANGE, place, exchange)
        pointer, value = exchange.operands
        number = self._module.context.types.integer(self._module.data_layout.store_size(value.type) * 8)
        before = unlisted_cast("bitcast", value, number)
        made = unlisted_copy(exchange, type=number, _operands=(pointer, before), _name="", _attachments=None)
        return before, made, moved_to(exchange, unlisted_cast("bitcast", made, value.type))

    def _compare_exchange(self, exchange: ir.AtomicCmpXchg, place: str) -> tuple[Instruction, ...] | None:
        success, failure = exchange.success_ordering, exchange.failure_ordering
        if _STRENGTHS[failure.spelling] <= _STRENGTHS[success.spelling] and not (
            failure.spelling == "acquire" and success.spelling == "release"
        ):
            return None
        self._losses.add(constructs.STRONGER_FAILURE, place, exchange)
        is_acquire = failure.spelling == "acquire"
        stronger = AtomicOrdering.ACQUIRE_RELEASE if is_acquire and success.spelling == "release" else failure
        return (unlisted_copy(exchange, success_ordering=stronger),)

    def _aligned(self, instruction: Any, place: str) -> tuple[Instruction, ...] | None:
        if instruction.alignment is None or instruction.alignment <= _MAX_ALIGNMENT:
            return None
        self._losses.add(constructs.LARGE_ALIGNMENT, place, instruction)
        return (unlisted_copy(instruction, alignment=_MAX_ALIGNMENT),)

    def _branch(self, call: ir.CallBranch, place: str) -> None:
        if self._version < constructs.CALLBR.since:
            self._losses.add(constructs.CALLBR, place, call)
        if not isinstance(call.type, VoidType):
            self._losses.add(constructs.CALLBR_RESULT, place, call)

    def _bundle(self, call: ir.CallBase, place: str) -> tuple[Instruction, ...] | None:
        if self._version < _STATEPOINT_BUNDLES and is_statepoint(call):
            self._losses.add(constructs.BUNDLES["gc-live"], place, call)
            return (with_inline_operands(call, self._module),)
        kept = []
        for bundle in call.bundles:
            if self._version < constructs.METADATA_INPUT.since and any(map(_is_metadata, bundle.inputs)):
                self._losses.add(constructs.METADATA_INPUT, place, call)
            row = constructs.BUNDLES.get(bundle.tag)
            if row is None or row.since <= self._version:
                kept.append(bundle)
            else:
                self._losses.add(row, place, call)
        return (with_bundles(call, kept),) if len(kept) < call.bundle_count else None

    def _scope(self, operation: Any, place: str) -> tuple[Instruction, ...] | None:
        if operation.sync_scope in (SINGLE_THREAD, SYSTEM):
            return None
        self._losses.add(constructs.SYNC_SCOPE, place, operation)
        return (unlisted_copy(operation, sync_scope=SYSTEM),)

    def _shuffle(self, shuffle: ir.ShuffleVector, place: str) -> None:
        if shuffle.type.is_scalable:  # type: ignore[attr-defined]
            self._losses.add(constructs.SCALABLE_SHUFFLE, place, shuffle)


def _is_metadata(value: Value) -> bool:
    return isinstance(value, MetadataAsValue)


_MAX_ALIGNMENT = 1 << 29
_STATEPOINT_BUNDLES = constructs.BUNDLES["gc-live"].since
_STRENGTHS = {"": 0, "unordered": 1, "monotonic": 2, "acquire": 3, "release": 3, "acq_rel": 4, "seq_cst": 5}


def _both(rules: Rules, row: _Row, owner: Replacements) -> Rules:
    """Return rules that do what two do; the second is for what the first writes that is of the same class."""
    first: Callable[[Any, str], tuple[Instruction, ...] | None] = rules.make
    second: Callable[[Any, str], tuple[Instruction, ...] | None] = row.make.__get__(owner)

    def make(instruction: Any, place: str) -> tuple[Instruction, ...] | None:
        made = first(instruction, place)
        if made is None:
            return second(instruction, place)
        last = len(made) - 1
        for index, each in enumerate(made):
            changed = second(each, place) if type(each) is type(instruction) else None
            if changed is not None:
                assert index == last  # noqa: S101 - else what follows would refer to what is replaced
                return (*made[:index], *changed)
        return made

    return Rules(make, {**rules.harmless, **row.harmless} if rules.harmless and row.harmless else {})


def _same_value(instruction: Instruction, value: Value) -> Instruction:
    """Return a cast that changes nothing, in the place of an instruction."""
    return moved_to(instruction, unlisted_cast("bitcast", value, value.type))


def _older_flags(flags: FastMathFlags, version: int) -> FastMathFlags:
    if version >= constructs.FAST_MATH_FLAGS.since or not flags:
        return flags
    if flags & FastMathFlags.FAST == FastMathFlags.FAST:
        return FastMathFlags.UNSAFE_ALGEBRA
    known = FastMathFlags.NNAN | FastMathFlags.NINF | FastMathFlags.NSZ | FastMathFlags.ARCP
    if version >= _CONTRACT:
        known |= FastMathFlags.CONTRACT
    return flags if not flags & ~known else flags & known


_FLAGS_OF_AGGREGATES: Mapping[type[Type], constructs.Construct] = {
    ArrayType: constructs.FAST_MATH_ARRAY,
    StructType: constructs.FAST_MATH_STRUCT,
}
"""By the type of a call, a phi or a select, the row of its fast-math flags."""
_CONTRACT = 5
"""The first version that has `contract`."""


class _Row(NamedTuple):
    """What is written for instructions of some classes.

    Attributes:
        since: the first version that has them.
        kinds: the classes.
        make: returns what is written.
        harmless: as of `Rules`; if there are none, each instruction is looked at.
    """

    since: int
    kinds: tuple[type[Instruction], ...]
    make: Any
    harmless: Mapping[str, Sequence[object]] = {}


_NO_FAST_MATH: Mapping[str, Sequence[object]] = {"fast_math": [NO_FAST_MATH]}

_ROWS = (
    _Row(constructs.FREEZE.since, (ir.Freeze,), Replacements._freeze),  # noqa: SLF001 - a table of its methods
    _Row(constructs.FNEG.since, (ir.UnaryOperator,), Replacements._negation),  # noqa: SLF001
    _Row(constructs.FAST_MATH_PHI.since, (ir.Phi,), Replacements._phi, _NO_FAST_MATH),  # noqa: SLF001
    _Row(constructs.FAST_MATH_SELECT.since, (ir.Select,), Replacements._select, _NO_FAST_MATH),  # noqa: SLF001
    _Row(
        constructs.FAST_MATH_STRUCT.since,
        (ir.Call, ir.Phi, ir.Select),
        Replacements._aggregate,  # noqa: SLF001
        _NO_FAST_MATH,
    ),
    _Row(
        constructs.FAST_MATH_FLAGS.since,
        (ir.BinaryOperator, ir.FCmp, ir.Call),
        Replacements._fast_math,  # noqa: SLF001
        _NO_FAST_MATH,
    ),
    _Row(
        constructs.SYNC_SCOPE.since,
        (ir.AtomicRMW, ir.AtomicCmpXchg, ir.Load, ir.Store, ir.Fence),
        Replacements._scope,  # noqa: SLF001
        {"sync_scope": [SYSTEM, SINGLE_THREAD]},
    ),
    _Row(constructs.POINTER_EXCHANGE.since, (ir.AtomicRMW,), Replacements._exchange),  # noqa: SLF001
    _Row(constructs.STRONGER_FAILURE.since, (ir.AtomicCmpXchg,), Replacements._compare_exchange),  # noqa: SLF001
    _Row(
        constructs.LARGE_ALIGNMENT.since,
        (ir.Alloca, ir.Load, ir.Store),
        Replacements._aligned,  # noqa: SLF001
        {"alignment": [None, *(1 << power for power in range(9))]},
    ),
    _Row(
        max(row.since for row in constructs.BUNDLES.values()),
        (ir.Call, ir.Invoke),
        Replacements._bundle,  # noqa: SLF001
        {"_bundles": [()]},
    ),
    _Row(constructs.CALLBR_RESULT.since, (ir.CallBranch,), Replacements._branch),  # noqa: SLF001
    _Row(constructs.SCALABLE_SHUFFLE.since, (ir.ShuffleVector,), Replacements._shuffle),  # noqa: SLF001
)

"""Calls: `call`, `invoke`, `callbr`, and calls of intrinsics."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from bitcodec.builder.arithmetic import fast_math_for
from bitcodec.builder.attributes import attribute_list
from bitcodec.builder.inserting import Inserter
from bitcodec.builder.kinds import PASSED, POINTER, require
from bitcodec.builder.metadata import metadata_value
from bitcodec.builder.words import calling_convention as convention_of
from bitcodec.builder.words import row_of
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.constants import InlineAsm
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions import Call, CallBranch, Invoke
from bitcodec.ir.intrinsic_attributes import intrinsic_name
from bitcodec.ir.metadata import Metadata
from bitcodec.ir.types import FunctionType, MetadataType, VoidType
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables import calling_conventions
from bitcodec.tables.instruction_flags import NO_FAST_MATH
from bitcodec.tables.opcodes import TailCallKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.builder.attributes import AttributeLike
    from bitcodec.builder.inserting import ValueLike
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.instructions import OperandBundle
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.tables.instruction_flags import FastMathFlags

__all__ = ["ArgumentLike", "CallBuilder"]

ArgumentLike: TypeAlias = "ValueLike | Metadata"
"""An argument: a value, a Python number for a parameter, metadata for a parameter of that type."""


class _CheckedCallee(NamedTuple):
    """Callee and arguments of any call, checked."""

    type: FunctionType
    arguments: list[Value]
    convention: int
    attributes: AttributeList


class CallBuilder(Inserter):
    """Makes calls.

    Common to all: `function_type` is the callee's where it is known: for globals and assembly text;
    so is `calling_convention`, for functions.  `attributes` are an `AttributeList`, or attributes of the call itself as
    `attributes.attribute_set` takes them.
    """

    __slots__ = ()

    def call(
        self,
        callee: Value,
        arguments: Sequence[ArgumentLike] = (),
        *,
        function_type: FunctionType | None = None,
        calling_convention: int | str | None = None,
        attributes: AttributeList | Iterable[AttributeLike] = (),
        bundles: Sequence[OperandBundle] = (),
        tail: TailCallKind | str = TailCallKind.NONE,
        fast_math: FastMathFlags | str = NO_FAST_MATH,
        name: str = "",
    ) -> Call:
        """Call a function; `tail` may be spelled: `"tail"`, `"musttail"`, `"notail"`."""
        checked = self._callee("call", callee, arguments, function_type, calling_convention, attributes, name)
        made = Call(
            checked.type,
            callee,
            checked.arguments,
            bundles=bundles,
            calling_convention=checked.convention,
            attributes=checked.attributes,
            tail_kind=row_of(TailCallKind, tail),
            fast_math=fast_math_for(checked.type.return_type, fast_math, "call"),
        )
        return self.insert(made, name)

    def invoke(
        self,
        callee: Value,
        arguments: Sequence[ArgumentLike],
        normal_destination: BasicBlock,
        unwind_destination: BasicBlock,
        *,
        function_type: FunctionType | None = None,
        calling_convention: int | str | None = None,
        attributes: AttributeList | Iterable[AttributeLike] = (),
        bundles: Sequence[OperandBundle] = (),
        name: str = "",
    ) -> Invoke:
        """Call a function that may unwind into this one."""
        checked = self._callee("invoke", callee, arguments, function_type, calling_convention, attributes, name)
        made = Invoke(
            checked.type,
            callee,
            checked.arguments,
            self._block(normal_destination, "invoke", "normal destination"),
            self._block(unwind_destination, "invoke", "unwind destination"),
            bundles=bundles,
            calling_convention=checked.convention,
            attributes=checked.attributes,
        )
        return self.insert(made, name)

    def callbr(
        self,
        callee: Value,
        arguments: Sequence[ArgumentLike],
        default_destination: BasicBlock,
        indirect_destinations: Sequence[BasicBlock],
        *,
        function_type: FunctionType | None = None,
        calling_convention: int | str | None = None,
        attributes: AttributeList | Iterable[AttributeLike] = (),
        bundles: Sequence[OperandBundle] = (),
        name: str = "",
    ) -> CallBranch:
        """Call assembly text that may jump into this function."""
        checked = self._callee("callbr", callee, arguments, function_type, calling_convention, attributes, name)
        made = CallBranch(
            checked.type,
            callee,
            checked.arguments,
            self._block(default_destination, "callbr", "default destination"),
            [self._block(block, "callbr", "indirect destination") for block in indirect_destinations],
            bundles=bundles,
            calling_convention=checked.convention,
            attributes=checked.attributes,
        )
        return self.insert(made, name)

    def intrinsic(
        self,
        intrinsic: str,
        return_type: Type,
        arguments: Sequence[ArgumentLike] = (),
        *,
        attributes: AttributeList | Iterable[AttributeLike] = (),
        fast_math: FastMathFlags | str = NO_FAST_MATH,
        name: str = "",
    ) -> Call:
        """Call an intrinsic, which is declared, with the attributes that LLVM gives it, if it is not yet.

        Args:
            intrinsic: its whole name, types included: `"llvm.umax.i32"`.
            return_type: type of the result.
            arguments: the arguments; Python's True and False are of type `i1`.
            attributes: of the call.
            fast_math: assumptions that the call may make.
            name: of the result.

        Raises:
            ValueError: LLVM 22 has no such intrinsic.
            TypeError: it is declared already, for other types.
        """
        if intrinsic_name(intrinsic) is None:
            raise ValueError(f"unknown intrinsic {intrinsic!r}")
        listed = _listed(attributes)
        flags = fast_math_for(return_type, fast_math, intrinsic)
        values = [self._typed(argument, intrinsic, index) for index, argument in enumerate(arguments)]
        type_ = self.types.function(return_type, [value.type for value in values])
        function = self.module.get_or_insert_function(intrinsic, type_)
        return self.call(function, values, attributes=listed, fast_math=flags, name=name)

    def _callee(
        self,
        opcode: str,
        callee: Value,
        arguments: Sequence[ArgumentLike],
        function_type: FunctionType | None,
        convention: int | str | None,
        attributes: AttributeList | Iterable[AttributeLike],
        name: str,
    ) -> _CheckedCallee:
        require(POINTER, self._value(callee, opcode, "callee").type, opcode, "callee")
        type_ = function_type or _function_type(callee)
        if type_ is None:
            raise TypeError(f"{opcode} of {callee!r}: its type is unknown; give `function_type`")
        what = f"{opcode} of @{callee.name}" if isinstance(callee, GlobalValue) else opcode
        if name and isinstance(type_.return_type, VoidType):
            raise ValueError(f"{what} gives nothing that could be named {name!r}")
        values = self._arguments(type_, arguments, what)
        if convention is None:
            convention = callee.calling_convention if isinstance(callee, Function) else calling_conventions.C
        return _CheckedCallee(type_, values, convention_of(convention), _listed(attributes))

    def _arguments(self, type: FunctionType, arguments: Sequence[ArgumentLike], what: str) -> list[Value]:
        """Return the arguments as values, if the callee takes them."""
        count = len(type.parameter_types)
        if len(arguments) < count or (len(arguments) > count and not type.is_vararg):
            raise TypeError(f"{what} takes {count} arguments{' or more' * type.is_vararg}, not {len(arguments)}")
        values = []
        for index, argument in enumerate(arguments):
            if index >= count:
                values.append(self._typed(argument, what, index))
            elif isinstance(argument, Metadata) and isinstance(type.parameter_types[index], MetadataType):
                values.append(metadata_value(self.module, argument))
            else:
                values.append(self._value_of(type.parameter_types[index], argument, what, f"argument {index}"))
        return values

    def _typed(self, argument: ArgumentLike, what: str, index: int) -> Value:
        """Return an argument as a value where no parameter gives its type."""
        if isinstance(argument, Metadata):
            return metadata_value(self.module, argument)
        if isinstance(argument, bool):
            return self.constants.boolean(value=argument)
        value = self._value(argument, what, f"argument {index}")
        require(PASSED, value.type, what, f"argument {index}")
        return value


def _listed(attributes: AttributeList | Iterable[AttributeLike]) -> AttributeList:
    return attributes if isinstance(attributes, AttributeList) else attribute_list(function=attributes)


def _function_type(callee: Value) -> FunctionType | None:
    """Return the function type of a callee, None if unknown."""
    type_ = None
    if isinstance(callee, InlineAsm):
        type_ = callee.function_type
    elif isinstance(callee, GlobalValue) and isinstance(callee.value_type, FunctionType):
        type_ = callee.value_type
    return type_

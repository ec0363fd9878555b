"""State that the records of a function body are read with: its values so far, its blocks, the module's tables.

Rules: docs/reference/records.md, 7.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from bitcodec.bitcode.integers import rotated
from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.forward import ForwardReferences
from bitcodec.bitcode.reader.types import NO_TYPE_ID
from bitcodec.bitcode.schema.instructions import METADATA_INPUT
from bitcodec.ir.functions import BasicBlock
from bitcodec.ir.metadata_values import MetadataAsValue, as_argument
from bitcodec.ir.types import LabelType, MetadataType, PointerType
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.reader.module_tables import ModuleTables
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import OperandBundle
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import Value

__all__ = ["FunctionState", "check_callee"]

_MASK = 0xFFFF_FFFF


def _refuse(number: int) -> Value | None:
    """Make no constant."""
    raise Malformed(Reason.NO_VALUE(number=number))


def check_callee(callee: Value) -> None:
    """Check that a value can be called.

    Raises:
        Malformed: it is not a pointer.
    """
    if not isinstance(callee.type, PointerType):
        raise Malformed(Reason.CALLEE_POINTER(type=callee.type.brief))


class OperandSource(Protocol):
    """Operands of a record, of which `at` is the next and `end` the end."""

    at: int
    end: int

    def take(self) -> int:
        """Return the next operand.

        Raises:
            IndexError: the record has no more operands.
        """


class FunctionState:
    """A function body in the making.

    Attributes:
        module: the module it is in.
        function: the function.
        values: all values so far: the module's, None for constants that have not been made yet (`known_value` makes
            them); then the function's own.
        value_type_ids: their type ids, in modules with typed pointers.
        first_own: id of the first value of the function's own.
        blocks: its blocks.
        type_list: the types of the module, by id.
        type_parts, part_ends: ids of their contained types, and the end of each type's, in modules with typed
            pointers.
        keeps_type_ids: whether pointers are typed.
        is_relative: whether records give values relative to the next one.
        is_direct: whether the reader of fields finds most values in lists itself; see `FieldReader`.
        bundles: operand bundles of the call to come.
        boolean, void, pointer: `i1`, `void` and `ptr`.
        sized: the module's types that are known to have a size.
        last_type_id: type id of the value that `value` returned last, in modules with typed pointers.
        called_type_id: type id of the function that was called last, there too.
        pending_metadata: operands that are metadata, and their metadata ids, until all values are there.
    """

    __slots__ = (
        "_make_constant",
        "_variadic_type_ids",
        "blocks",
        "boolean",
        "bundles",
        "called_type_id",
        "first_own",
        "forward",
        "function",
        "is_direct",
        "is_relative",
        "keeps_type_ids",
        "last_type_id",
        "module",
        "part_ends",
        "pending_metadata",
        "pointer",
        "sized",
        "type_list",
        "type_of_id",
        "type_parts",
        "types",
        "value_type_ids",
        "values",
        "void",
    )

    def __init__(
        self,
        module: ModuleTables,
        function: Function,
        values: list[Any],
        make_constant: Callable[[int], Value | None],
    ) -> None:
        self.module = module
        self.function = function
        self.types = module.types
        self.boolean: Type = module.types.integer(1)
        self.void = module.types.void
        self.pointer = module.types.ptr
        self.sized = module.sized
        self.values: list[Any] = values
        self._make_constant = make_constant
        self.value_type_ids: list[int] = module.type_ids
        self.type_list: list[Type] = module.file_types.types
        self.type_parts, self.part_ends = module.file_types.parts, module.file_types.part_ends
        self.type_of_id = module.file_types.of
        self.keeps_type_ids = module.file_types.has_typed_pointers
        self.first_own = len(self.values)
        self.blocks: list[BasicBlock] = []
        self.bundles: list[OperandBundle] = []
        self.forward = ForwardReferences()
        self.last_type_id = self.called_type_id = NO_TYPE_ID
        self._variadic_type_ids: list[int] = []
        self.is_relative = module.version >= 1
        self.is_direct = True
        self.pending_metadata: list[tuple[MetadataAsValue, int]] = []

    # Values by number

    def known_value(self, number: int) -> Value:
        """Return the value of a number that is less than there are values."""
        value = self.values[number]
        if value is None:
            value = self.values[number] = self._make_constant(number)
        return cast("Value", value)

    def keep_own(self, values: list[Value]) -> None:
        """Keep only the values of the function; the module's are needed for other bodies."""
        self.values = values
        self._make_constant = _refuse

    def value(self, number: int, source: OperandSource) -> Value:
        """Return a value; if it is defined later, the next operand is its type id."""
        values = self.values
        if self.is_relative:
            number = len(values) - number & _MASK
        if number < len(values):
            if self.keeps_type_ids:
                self.last_type_id = self.value_type_ids[number]
            return self.known_value(number)
        type_id = self.last_type_id = source.take()
        type_ = self.type_of_id(type_id)
        if isinstance(type_, MetadataType):
            return self._metadata(number, type_)
        return self.forward.to(number, type_)

    def typed_value(self, number: int, type: Type) -> Value:
        """Return the value of a number, relative or not, of a type that is known."""
        if self.is_relative:
            number = len(self.values) - number & _MASK
        return self.absolute(number, type)

    def incoming_value(self, number: int, type: Type) -> Value:
        """Return the value of an edge of a phi, where relative numbers are signed."""
        return self.absolute(len(self.values) - rotated(number) if self.is_relative else number, type)

    def absolute(self, number: int, type: Type | None) -> Value:
        """Return the value of an id.

        Raises:
            Malformed: it has another type.
        """
        if isinstance(type, MetadataType):
            return self._metadata(number, type)
        if 0 <= number < len(self.values):
            value = self.known_value(number)
            if type is not None and value.type is not type:
                raise Malformed(Reason.WRONG_VALUE_TYPE(type=value.type.brief, expected=type.brief))
            return value
        if type is None or number < 0:
            raise Malformed(Reason.NO_VALUE(number=number))
        return self.forward.to(number, type)

    def bundle_inputs(self, source: OperandSource) -> list[Value]:
        """Return the inputs of an operand bundle: values, or metadata, whose id is relative in every file."""
        inputs: list[Value] = []
        while source.at < source.end:
            number = source.take()
            if number & _MASK == METADATA_INPUT:
                inputs.append(self._metadata(len(self.values) - source.take() & _MASK, self.types.metadata))
            else:
                inputs.append(self.value(number, source))
        return inputs

    def complete_metadata(self, node: Callable[[int], Metadata]) -> None:
        """Resolve operands that are metadata, when all values that metadata may wrap are defined.

        Raises:
            Malformed: the metadata does not exist.
        """
        table = self.module.context.metadata
        for value, number in self.pending_metadata:
            value.metadata = as_argument(node(number), table)
        self.pending_metadata.clear()

    def _metadata(self, number: int, type: MetadataType) -> Value:
        value = MetadataAsValue(type)
        self.pending_metadata.append((value, number))
        return value

    # The rest of what layouts look things up with

    def block(self, number: int) -> BasicBlock:
        """Return a basic block.

        Raises:
            Malformed: no block has that number.
        """
        if number >= len(self.blocks):
            raise Malformed(Reason.NO_BLOCK(number=number))
        return self.blocks[number]

    def scope(self, number: int) -> str:
        """Return the name of a synchronization scope."""
        return self.module.sync_scope(number)

    def attribute_list(self, index: int) -> AttributeList:
        """Return an attribute list."""
        return self.module.attribute_lists[index]

    def argument_values(self, source: OperandSource, callee: Value, function_type: FunctionType) -> list[Value]:
        """Return the arguments of a call: one per parameter, then any number if the function is variadic.

        Raises:
            Malformed: they do not match, or the callee is not a pointer.
        """
        check_callee(callee)
        if source.end - source.at < len(function_type.parameter_types):
            raise Malformed(Reason.TOO_FEW_OPERANDS())
        type_ids = self._variadic_type_ids = []
        arguments: list[Value] = []
        for parameter in function_type.parameter_types:
            number = source.take()
            if isinstance(parameter, LabelType):
                arguments.append(self.block(number))
            else:
                arguments.append(self.typed_value(number, parameter))
        if source.at < source.end and not function_type.is_vararg:
            raise Malformed(Reason.MORE_ARGUMENTS())
        while source.at < source.end:
            arguments.append(self.value(source.take(), source))
            type_ids.append(self.last_type_id)
        return arguments

    def pointee_of_argument(self, index: int) -> Type | None:
        """Return the pointee type of an argument of the call read last, None if it is unknown."""
        if not self.keeps_type_ids:
            return None
        file_types, called = self.module.file_types, self.called_type_id
        function_type = cast("FunctionType", file_types.of(called))
        first_variadic = len(function_type.parameter_types)
        try:
            if index < first_variadic:
                return file_types.pointee(file_types.contained(called, index + 1))
            return file_types.pointee(self._variadic_type_ids[index - first_variadic])
        except Malformed:
            return None

"""Follows the references of linked definitions, in LLVM's order, and maps types to the destination's.

The definition scheduled last is followed first, as in LLVM.  Constants, which nest to any depth, use a worklist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.bitcode.carrying.bodies import CarriedBody
from bitcodec.ir.constant_expressions import BlockAddress, ConstantGetElementPtr
from bitcodec.ir.constants import (
    Constant,
    ConstantFP,
    ConstantInt,
    ConstantPointerNull,
    ConstantWithOperands,
    InlineAsm,
)
from bitcodec.ir.construction.record_bodies import record_body
from bitcodec.ir.construction.setting import change_operand, set_type
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc, GlobalObject, GlobalValue, GlobalVariable
from bitcodec.ir.instructions import Alloca, CallBase, GetElementPtr
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.types import ArrayType
from bitcodec.linker.attributes import AttributeMapper
from bitcodec.linker.bodies import BodyScanner
from bitcodec.linker.constants import ConstantMapper
from bitcodec.linker.metadata import MetadataReferences, NodesByValue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.context import Context
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.linker.appending import Appending
    from bitcodec.linker.types import TypeMapper

__all__ = ["References"]

_PLAIN = frozenset((ConstantInt, ConstantFP, ConstantPointerNull))
"""Constants that refer to nothing and whose types never change."""


class References:
    """Follows references.

    Args:
        counterpart: called with each global that is referred to, whether an alias does.
        types: finds types of the destination.
        nodes: the metadata nodes of the destination that wrap constants.
        wrapper_count: how many constants metadata wrapped before the source was read.
        context: of the modules.

    Attributes:
        metadata: follows metadata.
    """

    def __init__(
        self,
        counterpart: Callable[[GlobalValue, bool], Constant | None],
        types: TypeMapper,
        nodes: NodesByValue,
        wrapper_count: int,
        context: Context,
    ) -> None:
        self._counterpart = counterpart
        self._types = types
        self._attributes = AttributeMapper(types)
        self._context = context
        self._pending: list[GlobalValue | Appending] = []
        self._seen: dict[bool, set[Value]] = {False: set(), True: set()}
        self._constants = ConstantMapper(types, context)
        self.metadata = MetadataReferences(self._follow, self._constants.get, nodes, wrapper_count, context)
        self._scanner = BodyScanner(self, self.metadata)

    def schedule(self, value: GlobalValue) -> None:
        """Schedule the references of a definition to be followed later."""
        self._pending.append(value)

    def schedule_elements(self, joined: Appending) -> None:
        """Schedule the references of new elements of an appending variable to be followed later."""
        self._pending.append(joined)

    def follow_all(self) -> None:
        """Follow everything that is scheduled, now and meanwhile."""
        while self._pending:
            each = self._pending.pop()
            if isinstance(each, Function):
                self._function(each)
            elif isinstance(each, GlobalVariable):
                self._variable(each)
            elif isinstance(each, GlobalAlias | GlobalIFunc):
                self._indirect(each)
            else:
                self._elements(cast("Appending", each))

    # Globals

    def _function(self, function: Function) -> None:
        for index, operand in enumerate(function.operands):
            self._operand(function, index, cast("Constant", operand))
        self._attached(function)
        body = record_body(function)
        if isinstance(body, CarriedBody):
            if body.follow(self):
                return
            function.materialize()
        self._scanner.scan(function, has_metadata=self.metadata.may_lead_to_globals)

    def _variable(self, variable: GlobalVariable) -> None:
        for index, operand in enumerate(variable.operands):
            self._operand(variable, index, cast("Constant", operand))
        self._attached(variable)

    def _indirect(self, value: GlobalAlias | GlobalIFunc) -> None:
        target = cast("Constant", value.operands[0])
        for_alias = True
        self._follow(target, for_alias=for_alias)
        replaced = {
            part: copy
            for part in self._globals_in(target)
            if (copy := self._counterpart(part, for_alias)) is not None and copy is not part
        }
        mapped = self._constants.get(self._constants.substituted(target, replaced))
        if mapped is not target:
            change_operand(value, 0, mapped)
        if isinstance(value, GlobalIFunc):
            self._attached(value)

    def _elements(self, joined: Appending) -> None:
        table = self._context.constants
        elements = [*joined.before]
        for constant in joined.added:
            self._follow(constant)
            mapped = self._constants.get(constant)
            elements.append(self._with_third_field(mapped) if joined.is_old else mapped)
        type_ = cast("ArrayType", joined.variable.value_type)
        joined.variable.initializer = table.aggregate(type_, elements)

    def _with_third_field(self, entry: Constant) -> Constant:
        table = self._context.constants
        fields = [cast("Constant", field) for field in entry.operands]
        type_ = table.types.struct([*entry.type.element_types, table.types.ptr])
        return table.aggregate(type_, [*fields, table.null(table.types.ptr)]) if fields else table.null(type_)

    def _attached(self, value: GlobalObject) -> None:
        if self.metadata.may_lead_to_globals:
            self.metadata.follow_attachments(value)

    # Bodies that stay records

    def follow_constant(self, constant: Constant) -> Constant:
        """Follow a constant, and return the one that takes its place."""
        self._follow(constant)
        return self._constants.get(constant)

    def follow_type(self, type: Type) -> Type:
        """Return the type that takes the place of one."""
        return self._types.get(type)

    def follow_parts(self, found: list[int], place: int, parts: dict[int, Metadata]) -> tuple[int, bool]:
        """Follow the metadata that is found from a place on; see `CarriedBody`."""
        return self.metadata.follow_parts(found, place, parts, self.metadata.may_lead_to_globals)

    def follow_attributes(self, attributes: AttributeList) -> AttributeList:
        """Return the attributes that a call has instead of some."""
        return self._attributes.of_call(attributes)

    def adopt(self, function: Function, replaced: dict[Constant, Constant]) -> None:
        """Give a body that has been read late the references that an early one gets at once; see `CarriedBody`."""
        BodyScanner(_LateFollower(self, self._constants, replaced), self.metadata).scan(function, has_metadata=False)

    # Instructions

    def follow_operand(self, instruction: Instruction, index: int, operand: Value) -> bool:
        """Follow an operand that was not followed before; return whether it need not be followed again."""
        if isinstance(operand, Constant):
            return self._operand(instruction, index, operand)
        if isinstance(operand, InlineAsm):
            return self.map_assembly(instruction, index, operand)
        if isinstance(operand, MetadataAsValue) and self.metadata.may_lead_to_globals:
            self.metadata.follow_argument(operand)
        return not isinstance(operand, MetadataAsValue)

    def map_types(self, instruction: Instruction) -> bool:
        """Give an instruction its types and attributes; return whether they are unchanged."""
        types = self._types
        is_same = True
        if isinstance(instruction, CallBase):
            mapped = types.get(instruction.function_type)
            if mapped is not instruction.function_type:
                instruction.function_type = mapped  # type: ignore[assignment] # of a function type, it is one
                is_same = False
            attributes = self._attributes.of_call(instruction.attributes)
            if attributes is not instruction.attributes:
                instruction.attributes = attributes
                is_same = False
        elif isinstance(instruction, Alloca):
            allocated = types.get(instruction.allocated_type)
            is_same = allocated is instruction.allocated_type
            instruction.allocated_type = allocated
        elif isinstance(instruction, GetElementPtr):
            source = types.get(instruction.source_element_type)
            is_same = source is instruction.source_element_type
            instruction.source_element_type = source
        type_ = types.get(instruction.type)
        if type_ is not instruction.type:
            set_type(instruction, type_)
            is_same = False
        return is_same

    def map_assembly(self, instruction: Instruction, index: int, assembly: InlineAsm) -> bool:
        """Give assembly text its type; return whether that stays."""
        mapped = self._types.get(assembly.function_type)
        is_same = mapped is assembly.function_type
        if not is_same:
            change_operand(instruction, index, self._constants.assembly(assembly))
        return is_same

    # Constants

    def _operand(self, user: Instruction | GlobalValue, index: int, constant: Constant) -> bool:
        """Follow an operand, and give it its types; return whether it stays."""
        self._follow(constant)
        mapped = self._constants.get(constant)
        if mapped is not constant:
            change_operand(user, index, mapped)
        return mapped is constant

    def _follow(self, root: Constant, *, for_alias: bool = False) -> None:
        """Follow the globals that a constant refers to, and its types, in the order of operands."""
        if isinstance(root, GlobalValue):
            self._counterpart(root, for_alias)
            return
        seen = self._seen[for_alias]
        if root in seen:
            return
        seen.add(root)
        pending: list[tuple[Constant, Iterator[Value]]] = [(root, iter(_parts(root)))]
        while pending:
            constant, parts = pending[-1]
            inner = self._next_part(parts, seen, for_alias=for_alias)
            if inner is not None:
                seen.add(inner)
                pending.append((inner, iter(_parts(inner))))
            else:
                pending.pop()
                self._types.get(constant.type)
                if isinstance(constant, ConstantGetElementPtr):
                    self._types.get(constant.source_element_type)

    def _next_part(self, parts: Iterator[Value], seen: set[Value], *, for_alias: bool) -> Constant | None:
        """Follow parts of a constant up to one that has parts itself; return that."""
        for part in parts:
            if isinstance(part, GlobalValue):
                self._counterpart(part, for_alias)
            elif isinstance(part, Constant) and type(part) not in _PLAIN and part not in seen:
                return part
        return None

    def _globals_in(self, root: Constant) -> Iterable[GlobalValue]:
        found: dict[GlobalValue, None] = {}
        pending: list[Value] = [root]
        entered: set[Value] = set()
        while pending:
            part = pending.pop()
            if isinstance(part, GlobalValue):
                found[part] = None
            elif isinstance(part, ConstantWithOperands) and part not in entered:
                entered.add(part)
                pending += part.operands
        return found


class _LateFollower:
    """Gives bodies that are read after they were linked their references."""

    def __init__(self, references: References, constants: ConstantMapper, replaced: dict[Constant, Constant]) -> None:
        self.map_types = references.map_types
        self._map_assembly = references.map_assembly
        self._constants = constants
        self._replaced = replaced

    def follow_operand(self, instruction: Instruction, index: int, operand: Value) -> bool:
        """Change an operand; return whether it stays."""
        if isinstance(operand, InlineAsm):
            return self._map_assembly(instruction, index, operand)
        if not isinstance(operand, Constant):
            return not isinstance(operand, MetadataAsValue)
        found = self._replaced.get(operand) or self._constants.replaced(operand, self._replaced)
        if found is not operand:
            change_operand(instruction, index, found)
        return found is operand


def _parts(constant: Constant) -> Sequence[Value]:
    """Return the constants that a constant is made of."""
    if isinstance(constant, BlockAddress):
        return (constant.function,)
    return constant.operands if isinstance(constant, ConstantWithOperands) else ()

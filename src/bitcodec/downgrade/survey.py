"""Plans how a module is written for an older version of LLVM: the constructs it lacks, and their replacements."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.writer.bodies import replaced
from bitcodec.bitcode.writer.dialect import BitcodeDialect
from bitcodec.downgrade import calls, memory, operations
from bitcodec.downgrade.alias_scopes import JOINT_DOMAIN, lower_domains
from bitcodec.downgrade.annotations import lower_annotations
from bitcodec.downgrade.attributes import AttributeLowering
from bitcodec.downgrade.constants import constant_writers, may_refuse
from bitcodec.downgrade.constructs import OPAQUE_POINTERS
from bitcodec.downgrade.data_layouts import older_data_layout, unreadable_parts
from bitcodec.downgrade.debug_info import NodeChecks
from bitcodec.downgrade.debug_records import DEBUG_RECORDS, DebugRecords
from bitcodec.downgrade.expressions import (
    ARGUMENT_LISTS,
    first_version,
    fragment_of,
    has_one_argument,
    lacked_operators,
    older_elements,
)
from bitcodec.downgrade.globals import ifunc_length, older_attachments, older_linkage, survey_globals
from bitcodec.downgrade.instructions import InstructionPrograms
from bitcodec.downgrade.intrinsics import IntrinsicLowering
from bitcodec.downgrade.modules import keeps_summaries, lower_flags, survey_module
from bitcodec.downgrade.node_programs import OlderNodePrograms
from bitcodec.downgrade.nodes import field, name_variables
from bitcodec.downgrade.pointers.lowering import PointerLowering
from bitcodec.downgrade.rows import Plan, watches_of
from bitcodec.downgrade.scanning import Scan, Watch
from bitcodec.downgrade.types import lacked_types
from bitcodec.ir.alias_scopes import flags_of_domains, has_flags
from bitcodec.ir.debug_info import DIGlobalVariableExpression, DILocation
from bitcodec.ir.instructions import CallBranch, CatchSwitch, Invoke
from bitcodec.ir.metadata import MDTuple
from bitcodec.tables.versions import MODEL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bitcodec.bitcode.writer.dialect import Written
    from bitcodec.bitcode.writer.types import TypeNumbers
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.debug_info import DIExpression
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import GlobalObject, GlobalValue
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode, Metadata
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.tables.linkage import Linkage

__all__ = ["OlderDialect"]

_STRING_TABLE = 5
"""The first version that has a table of names."""


class OlderDialect(BitcodeDialect):
    """Bitcode of a module for an older version of LLVM.

    Args:
        module: the module, which has been read to the end and is not changed.
        losses: receives the constructs that the version lacks.
        replaced_types: by type, the one that is written for it; no instruction computes with values of these. Default:
            every type is written itself.
        is_check: whether the module is only looked at: typed pointers are left out if each cast has a place.

    Raises:
        EncodingError: the module cannot be written for that version.
    """

    def __init__(
        self,
        module: Module,
        losses: Losses,
        replaced_types: Mapping[Type, Type] | None = None,
        *,
        is_check: bool = False,
    ) -> None:
        self.version = losses.version
        self.keeps_use_list_orders = self.version >= MODEL
        self.keeps_summaries = keeps_summaries(module, self.version)
        self._module = module
        self._losses = losses
        self._types: list[Type] = []
        self._attributes = AttributeLowering(losses, module.data_layout.pointer_size())
        self.instruction_programs = InstructionPrograms(self.version)
        self.node_programs = OlderNodePrograms(self.version)
        contents: dict[MDNode, tuple[Any, ...]] = {}
        self.node_programs.contents = self._contents = contents
        self.node_programs.nothing = MDTuple()
        self._nodes = NodeChecks(losses, contents, self.node_programs.lost, self._domain_flags())
        self.keeps_argument_lists = self.version >= ARGUMENT_LISTS
        self._replaced_types = replaced_types or {}
        self.constant_writers = constant_writers(losses, self._replaced_types)
        self.attributes = self._attributes.lowered
        self.has_string_table = self.version >= _STRING_TABLE
        self.ifunc_length = ifunc_length(self.version)
        self.location_length = sum(field.since <= self.version for field in DILocation.layout.fields)
        lower_flags(module, contents, losses)
        name_variables(module, contents, losses)
        survey_module(module, losses)
        survey_globals(module, losses)
        self._edges: set[type[Instruction]] = set()
        self._survey_functions()
        intrinsics = IntrinsicLowering(module, losses, self.replacements)
        intrinsics.orders_uses = not is_check
        intrinsics.survey()
        self._declarations = intrinsics.declarations
        self.added = (*self.added, *intrinsics.added)
        self.lacks_types = self._may_lack_types()
        self.refuses_late = (
            self.lacks_types or self._has_misplaced or may_refuse(module.context.constants, self.version)
        )
        self._pointers = None
        has_places = is_check and not (self.refuses_late or self._edges)
        if self.version < OPAQUE_POINTERS and not has_places:
            # A bound method would be a circle, which keeps everything until garbage is collected.
            declared = partial(_declared, self._declarations)
            self._pointers = PointerLowering(module, declared, self.replacements, self._replaced_types)
            self._declarations.update(self._pointers.declarations)
            self.added = (*self.added, *self._pointers.added)
        self.casts_pointers = self._pointers is not None

    def declared(self, value: GlobalValue) -> Any:
        """Return the global that is declared in the place of another."""
        return _declared(self._declarations, value)

    def value_type(self, value: GlobalValue) -> Type:
        """Return the value type of a global."""
        return super().value_type(value) if self._pointers is None else self._pointers.value_type(value)

    def linkage(self, value: GlobalValue) -> Linkage:
        """Return how a global is linked."""
        return older_linkage(value, self._losses)

    def attached_to(self, value: GlobalObject) -> list[tuple[str, MDNode]]:
        """Return kind and node of the metadata that is written for a global without a body."""
        attached = [each for each in super().attached_to(value) if not self._is_lost(each[1])]
        return older_attachments(value, attached, self._losses)

    def _is_lost(self, node: MDNode) -> bool:
        """Return whether a node locates a global variable by operators that the version lacks."""
        expression = node.expression if isinstance(node, DIGlobalVariableExpression) else None
        return expression is not None and first_version(expression) > self.version

    def written_in(self, function: Function) -> Written | None:
        """Return the written instructions of the blocks of a body, None for its own instructions."""
        if self._pointers is not None:
            return self._pointers.written_in(function)
        return replaced(function, self.replacements) if self.replacements else None

    def held(self, value: GlobalValue, operand: Value) -> Value:
        """Return the replacement of a constant that a global refers to."""
        return operand if self._pointers is None else self._pointers.held(value, operand)

    def type_numbers(self) -> TypeNumbers:
        """Return a new, empty numbering of types."""
        return super().type_numbers() if self._pointers is None else self._pointers.type_numbers()

    def data_layout(self, module: Module) -> str:
        """Return the data layout that the version has for the target of a module."""
        for construct in unreadable_parts(str(module.data_layout), self.version):
            self._losses.add(construct, "")
        return older_data_layout(str(module.data_layout), module.target_triple, self._types, self.version)

    def survey_metadata(self, own: Iterable[object], of_functions: Mapping[Function, Iterable[object]]) -> None:
        """Examine the metadata of the module and of its functions.

        Raises:
            EncodingError: the version lacks something in it.
        """
        self._nodes.survey(own, "")
        for function, keys in of_functions.items():
            self._nodes.survey(keys, function.name)
        if self._nodes.annotations:
            lower_annotations(self._module, self._nodes.annotations, self._contents, self._losses)
        if self._nodes.domains:
            lower_domains(self._module, self._nodes.domains, self._contents, self._losses)

    def survey_types(self, types: Iterable[Type]) -> None:
        """Examine the types that records use.

        Raises:
            EncodingError: the version lacks one of them.
        """
        self._types = list(types)
        rows = lacked_types(self.version)
        for type_ in self._types:
            for construct, is_it in rows:
                if is_it(type_) and type_ not in self._replaced_types:
                    self._losses.add(construct, "", type_)

    def _may_lack_types(self) -> bool:
        """Return whether a type exists that the version lacks; a module of the same context may have it alone."""
        rows = lacked_types(self.version)
        return any(row.is_it(type_) for type_ in self._module.context.types.newer_types() for row in rows)

    def _check_expression(self, expression: DIExpression, place: str) -> None:
        """Lower an expression; if the version does not know an operator in it, its variable gets no location."""
        since = first_version(expression)
        if since > self.version:
            self._losses.add(lacked_operators(since), place, expression)
            self._contents[expression] = fragment_of(expression)
            self.node_programs.lost.add(expression)
            return
        older = older_elements(expression, self.version)
        if older is not None:
            self._contents[expression] = older
            if has_one_argument(expression):
                self.node_programs.of_first.add(expression)

    def _domain_flags(self) -> Mapping[Metadata, int]:
        context = self._module.context
        return flags_of_domains(context) if self.version < JOINT_DOMAIN.since and has_flags(context) else {}

    def _survey_functions(self) -> None:
        """Examine all functions, and plan the replacements of the debug records in them."""
        attributes, losses = self._attributes, self._losses
        on_location = self._add_implicit if self.location_length <= _IMPLICIT else None
        has_records = self.version >= DEBUG_RECORDS.since
        records = DebugRecords(self._module, losses, self._check_expression)
        scan = Scan(self._watches(), attributes.survey, on_location, _IMPLICIT, records.survey)
        for function in self._module.functions:
            name = function.name
            attributes.survey(function.attributes, name)
            count = scan.look(function, name)
            if count and not has_records:
                losses.add(DEBUG_RECORDS, name, times=count)
        self.replacements, self._has_misplaced = scan.replacements, scan.has_misplaced
        records.lower()
        self.debug_codes, self.dropped_kinds = records.codes, records.dropped_kinds
        self.debug_calls, self.added, self.offset = records.calls, records.added, records.offset

    def _watches(self) -> dict[type[Instruction], list[Watch]]:
        """Return the rules for instructions that the version lacks something of, by class."""
        watches = watches_of(
            chain.from_iterable(family.ROWS for family in (operations, memory, calls)),
            Plan(self._module, self._losses),
        )
        if self.version < OPAQUE_POINTERS:
            for kind in _EDGES:
                watches.setdefault(kind, []).append(Watch(kind, {}, self._note_edge))
        return watches

    def _note_edge(self, instruction: Instruction, _place: str) -> None:
        self._edges.add(type(instruction))

    def _add_implicit(self, instruction: Instruction, place: str) -> None:
        self._losses.add(_IS_IMPLICIT, place, instruction)


_EDGES = (Invoke, CallBranch, CatchSwitch)
"""Instructions behind or in front of which a cast of a pointer may have no place."""


def _declared(declarations: Mapping[Any, Any], value: Any) -> Any:
    return declarations.get(value, value)


_IMPLICIT = list(DILocation.defaults).index("is_implicit_code")
_IS_IMPLICIT = field("DILocation", "isImplicitCode", DILocation.layout.fields[_IMPLICIT].since)

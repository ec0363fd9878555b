"""Plans how a module is written for an older version of LLVM: what it lacks, and what is written instead."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.downgrade import constructs
from bitcodec.bitcode.downgrade.attributes import AttributeLowering
from bitcodec.bitcode.downgrade.constants import constant_writers
from bitcodec.bitcode.downgrade.data_layouts import older_data_layout
from bitcodec.bitcode.downgrade.debug_info import NodeChecks, OlderNodePrograms
from bitcodec.bitcode.downgrade.instructions import CHECKS, InstructionPrograms
from bitcodec.bitcode.downgrade.intrinsics import IntrinsicLowering
from bitcodec.bitcode.writer.dialect import Dialect
from bitcodec.ir.construction import raw_parts, set_name
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableKind
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import CallBase
from bitcodec.ir.types import TargetExtensionType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bitcodec.bitcode.downgrade.losses import Losses
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type

__all__ = ["OlderDialect"]

_INTRINSICS = {
    DbgVariableKind.VALUE: "llvm.dbg.value",
    DbgVariableKind.DECLARE: "llvm.dbg.declare",
    DbgVariableKind.ASSIGN: "llvm.dbg.assign",
    None: "llvm.dbg.label",
}
_PARAMETER_COUNTS = {"llvm.dbg.value": 3, "llvm.dbg.declare": 3, "llvm.dbg.assign": 6, "llvm.dbg.label": 1}
_ASSIGN_ID = "DIAssignID"


class OlderDialect(Dialect):
    """Bitcode of a module for an older version of LLVM.

    Args:
        module: the module, which has been read to the end and is not changed.
        losses: receives what the version lacks.

    Raises:
        EncodingError: the module cannot be written for that version.
    """

    keeps_summaries = False
    keeps_use_list_orders = False

    def __init__(self, module: Module, losses: Losses) -> None:
        self.version = losses.version
        self._module = module
        self._losses = losses
        self._types: list[Type] = []
        self._attributes = AttributeLowering(losses)
        self._nodes = NodeChecks(losses)
        self.instruction_programs = InstructionPrograms(self.version)
        self.node_programs = OlderNodePrograms(self.version)
        self.constant_writers = constant_writers(losses)
        self.attributes = self._attributes.lowered
        self.location_length = sum(field.since <= self.version for field in DILocation.layout.fields)
        self._lower_debug_records()
        self._survey_module()
        self._survey_functions()
        intrinsics = IntrinsicLowering(module, losses)
        intrinsics.survey()
        self._declarations = intrinsics.declarations
        self.replacements = intrinsics.replacements

    def declared(self, value: GlobalValue) -> Any:
        """Return the global that is declared in the place of another."""
        return self._declarations.get(value, value)  # type: ignore[call-overload]

    def data_layout(self, module: Module) -> str:
        """Return the data layout that the version has for the target of a module."""
        return older_data_layout(str(module.data_layout), module.target_triple, self._types, self.version)

    def survey_metadata(self, own: Iterable[object], of_functions: Mapping[Function, Iterable[object]]) -> None:
        """Look at the metadata of the module and of its functions.

        Raises:
            EncodingError: the version lacks something in it.
        """
        self._nodes.survey(own, "")
        for function, keys in of_functions.items():
            self._nodes.survey(keys, function.name)

    def survey_types(self, types: Iterable[Type]) -> None:
        """Look at the types that records use.

        Raises:
            EncodingError: the version lacks one of them.
        """
        self._types = list(types)
        if self.version < constructs.TARGET_TYPE.since:
            for type_ in self._types:
                if isinstance(type_, TargetExtensionType):
                    self._losses.add(constructs.TARGET_TYPE, "", type_)

    # Debug records

    def _lower_debug_records(self) -> None:
        codes = {kind: kind.code for kind in DbgVariableKind}
        kinds = self._record_kinds()
        if self.version < constructs.DECLARE_VALUES.since:
            codes[DbgVariableKind.DECLARE_VALUE] = DbgVariableKind.VALUE.code
        self.debug_codes = codes
        if self.version < constructs.ASSIGNMENTS.since:
            self.dropped_kinds = frozenset({_ASSIGN_ID})
        if self.version < constructs.DEBUG_RECORDS.since and kinds:
            self._declare_debug_intrinsics(kinds)

    def _record_kinds(self) -> dict[DbgVariableKind | None, None]:
        """Return the kinds of debug records in the module; add those that the version lacks to the losses."""
        found: dict[DbgVariableKind | None, None] = {}
        for function in self._module.functions:
            count = 0
            for instruction in chain.from_iterable(block.instructions for block in function.blocks):
                if not instruction.has_debug_records:
                    continue
                for record in instruction.debug_records:
                    kind = None if isinstance(record, DbgLabelRecord) else record.kind  # type: ignore[attr-defined]
                    found[kind] = None
                    count += 1
                    row = _ROWS_OF_KINDS.get(kind) if kind else None
                    if row is not None and row.since > self.version:
                        self._losses.add(row, function.name, record)
            if count and self.version < constructs.DEBUG_RECORDS.since:
                self._losses.add(constructs.DEBUG_RECORDS, function.name, times=count)
        return found

    def _declare_debug_intrinsics(self, kinds: Iterable[DbgVariableKind | None]) -> None:
        functions: dict[str, Function] = {}
        calls: dict[DbgVariableKind | None, Function] = {}
        for kind in kinds:
            name = _INTRINSICS[self._older_kind(kind)]
            if name not in functions:
                functions[name] = self._debug_intrinsic(name)
            calls[kind] = functions[name]
        self.added = tuple(functions.values())
        self.debug_calls = calls

    def _older_kind(self, kind: DbgVariableKind | None) -> DbgVariableKind | None:
        is_lost = kind is DbgVariableKind.ASSIGN and self.version < constructs.ASSIGNMENTS.since
        return DbgVariableKind.VALUE if is_lost or kind is DbgVariableKind.DECLARE_VALUE else kind

    def _debug_intrinsic(self, name: str) -> Function:
        types = self._module.context.types
        parameters = [types.metadata] * _PARAMETER_COUNTS[name]
        space = self._module.data_layout.program_address_space
        function = Function(types.pointer(space), types.function(types.void, parameters))
        set_name(function, name)
        return function

    # What the module has

    def _survey_module(self) -> None:
        module, add = self._module, self._losses.add
        if any(part.name != "SYMTAB_BLOCK" for part in raw_parts(module)):
            add(constructs.SUMMARIES, "")
        if module.preserves_use_list_order:
            add(constructs.USE_LIST_ORDERS, "")
        for variable in module.global_variables:
            if variable.code_model is not None and self.version < constructs.CODE_MODEL.since:
                add(constructs.CODE_MODEL, variable.name)

    def _survey_functions(self) -> None:
        checks = {check.kind: check.find for check in CHECKS if check.since > self.version}
        attributes, losses = self._attributes, self._losses
        for function in self._module.functions:
            name = function.name
            attributes.survey(function.attributes, name)
            if function.preferred_alignment:
                losses.add(constructs.PREFERRED_ALIGNMENT, name)
            for block in function.blocks:
                self._survey_block(block.instructions, checks, name)

    def _survey_block(
        self,
        instructions: Iterable[Instruction],
        checks: dict[type[Instruction], Callable[[Any, Losses, str], None]],
        place: str,
    ) -> None:
        losses, survey = self._losses, self._attributes.survey
        for instruction in instructions:
            find = checks.get(type(instruction))
            if find is not None:
                find(instruction, losses, place)
            if isinstance(instruction, CallBase) and instruction.attributes:
                survey(instruction.attributes, place, instruction)


_ROWS_OF_KINDS = {
    DbgVariableKind.ASSIGN: constructs.ASSIGNMENTS,
    DbgVariableKind.DECLARE_VALUE: constructs.DECLARE_VALUES,
}

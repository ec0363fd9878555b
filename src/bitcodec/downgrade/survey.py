"""Plans how a module is written for an older version of LLVM: what it lacks, and what is written instead."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from bitcodec.bitcode.schema.blocks import SUMMARY_BLOCKS, GlobalValueSummaryCode, ModuleCode
from bitcodec.bitcode.schema.summaries import SUMMARY_VERSION
from bitcodec.bitcode.writer.bodies import replaced
from bitcodec.bitcode.writer.dialect import Dialect
from bitcodec.downgrade import constructs
from bitcodec.downgrade.alias_scopes import lower_domains
from bitcodec.downgrade.annotations import lower_annotations
from bitcodec.downgrade.attributes import AttributeLowering
from bitcodec.downgrade.constants import constant_writers, may_refuse
from bitcodec.downgrade.data_layouts import older_data_layout, unreadable_parts
from bitcodec.downgrade.debug_info import NodeChecks, OlderNodePrograms
from bitcodec.downgrade.expressions import first_version, fragment_of, has_one_argument, older_elements
from bitcodec.downgrade.globals import ifunc_length, survey_globals
from bitcodec.downgrade.instructions import CHECKS, InstructionPrograms
from bitcodec.downgrade.intrinsics import IntrinsicLowering
from bitcodec.downgrade.pointers.lowering import PointerLowering
from bitcodec.downgrade.replacing import Replacements
from bitcodec.downgrade.scanning import Scan, Watch
from bitcodec.ir.alias_scopes import flags_of_domains, has_flags
from bitcodec.ir.construction import assembly_records, content_of, raw_parts, set_name
from bitcodec.ir.debug_info import DICompileUnit, DIGlobalVariable, DIGlobalVariableExpression, DILocation
from bitcodec.ir.debug_records import DbgVariableKind
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalObject
from bitcodec.ir.instructions import CallBranch, CatchSwitch, Invoke
from bitcodec.ir.metadata import ConstantAsMetadata, MDString, MDTuple
from bitcodec.ir.type_properties import is_scalable
from bitcodec.ir.types import FloatingPointType, TargetExtensionType, X86AMXType
from bitcodec.tables.linkage import Linkage
from bitcodec.tables.module_flags import Behavior
from bitcodec.tables.versions import MODEL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bitcodec.bitcode.writer.dialect import Written
    from bitcodec.bitcode.writer.types import TypeNumbers
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.constants import ConstantInt
    from bitcodec.ir.context import Context
    from bitcodec.ir.debug_info import DIExpression
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode, Metadata
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["OlderDialect"]

_INTRINSICS = {
    DbgVariableKind.VALUE: "llvm.dbg.value",
    DbgVariableKind.DECLARE: "llvm.dbg.declare",
    DbgVariableKind.ASSIGN: "llvm.dbg.assign",
    None: "llvm.dbg.label",
}
_PARAMETER_COUNTS = {"llvm.dbg.value": 3, "llvm.dbg.declare": 3, "llvm.dbg.assign": 6, "llvm.dbg.label": 1}
_SINCE_NO_OFFSET = 6
"""The first version whose `llvm.dbg.value` has no offset."""
_STRING_TABLE = 5
"""The first version that has a table of names."""
_ASSIGN_ID = "DIAssignID"


class OlderDialect(Dialect):
    """Bitcode of a module for an older version of LLVM.

    Args:
        module: the module, which has been read to the end and is not changed.
        losses: receives what the version lacks.
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
        self.keeps_summaries = self.version >= MODEL and not _has_newer_summary(module)
        self._module = module
        self._losses = losses
        self._types: list[Type] = []
        self._attributes = AttributeLowering(losses, module.data_layout.pointer_size())
        self.instruction_programs = InstructionPrograms(self.version)
        self.node_programs = OlderNodePrograms(self.version)
        contents = self.node_programs.contents = {}
        self.node_programs.nothing = MDTuple()
        self._nodes = NodeChecks(losses, contents, self.node_programs.lost, self._domain_flags())
        self.keeps_argument_lists = self.version >= constructs.ARGUMENT_LISTS
        self._replaced_types = replaced_types or {}
        self.constant_writers = constant_writers(losses, self._replaced_types)
        self.attributes = self._attributes.lowered
        self.has_string_table = self.version >= _STRING_TABLE
        self.ifunc_length = ifunc_length(self.version)
        self.location_length = sum(field.since <= self.version for field in DILocation.layout.fields)
        self._lower_flags()
        if self.version < constructs.NAMELESS_VARIABLE.since:
            self._name_variables()
        self._rules = Replacements(module, losses).rules()
        self._survey_module()
        self._edges: set[type[Instruction]] = set()
        self._lower_debug_records(self._survey_functions())
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
        if self.version < constructs.OPAQUE_POINTERS and not has_places:
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
        """Return the type of what a global is the address of."""
        return super().value_type(value) if self._pointers is None else self._pointers.value_type(value)

    def linkage(self, value: GlobalValue) -> Linkage:
        """Return how a global is linked."""
        linkage = value.linkage
        is_lowered = linkage is Linkage.PRIVATE and self.version < constructs.PRIVATE_COMDAT.since
        if is_lowered and isinstance(value, GlobalObject) and value.comdat is not None:
            self._losses.add(constructs.PRIVATE_COMDAT, value.name)
            return Linkage.INTERNAL
        return linkage

    def attached_to(self, value: GlobalObject) -> list[tuple[str, MDNode]]:
        """Return kind and node of the metadata that is written for a global without a body."""
        attached = [each for each in super().attached_to(value) if not self._is_lost(each[1])]
        if isinstance(value, Function) and self.version < constructs.ATTACHED_TO_DECLARATION.since:
            kept = [(kind, node) for kind, node in attached if kind != "dbg"]
            if len(kept) < len(attached):
                self._losses.add(constructs.ATTACHED_TO_DECLARATION, value.name)
            return kept
        return attached

    def _is_lost(self, node: MDNode) -> bool:
        """Return whether a node says where a global variable is by operators that the version lacks."""
        expression = node.expression if isinstance(node, DIGlobalVariableExpression) else None
        return expression is not None and first_version(expression) > self.version

    def written_in(self, function: Function) -> Written | None:
        """Return what is written for the blocks of a body, None for their own instructions."""
        if self._pointers is not None:
            return self._pointers.written_in(function)
        return replaced(function, self.replacements) if self.replacements else None

    def held(self, value: GlobalValue, operand: Value) -> Value:
        """Return what is written for a constant that a global holds."""
        return operand if self._pointers is None else self._pointers.held(value, operand)

    def type_numbers(self) -> TypeNumbers:
        """Return the numbers of types, which has none yet."""
        return super().type_numbers() if self._pointers is None else self._pointers.type_numbers()

    def data_layout(self, module: Module) -> str:
        """Return the data layout that the version has for the target of a module."""
        for since, part, instead in unreadable_parts(str(module.data_layout), self.version):
            self._losses.add(constructs.data_layout_part(part, since, instead), "")
        return older_data_layout(str(module.data_layout), module.target_triple, self._types, self.version)

    def survey_metadata(self, own: Iterable[object], of_functions: Mapping[Function, Iterable[object]]) -> None:
        """Look at the metadata of the module and of its functions.

        Raises:
            EncodingError: the version lacks something in it.
        """
        self._nodes.survey(own, "")
        for function, keys in of_functions.items():
            self._nodes.survey(keys, function.name)
        contents = self.node_programs.contents
        if self._nodes.annotations and contents is not None:
            lower_annotations(self._module, self._nodes.annotations, contents, self._losses)
        if self._nodes.domains and contents is not None:
            lower_domains(self._module, self._nodes.domains, contents, self._losses)

    def survey_types(self, types: Iterable[Type]) -> None:
        """Look at the types that records use.

        Raises:
            EncodingError: the version lacks one of them.
        """
        self._types = list(types)
        rows = self._lacked_types()
        for type_ in self._types:
            for construct, is_it in rows:
                if is_it(type_) and type_ not in self._replaced_types:
                    self._losses.add(construct, "", type_)

    def _lacked_types(self) -> list[tuple[constructs.Construct, Callable[[Type], bool]]]:
        return [row for row in _TYPES if row[0].since > self.version]

    def _may_lack_types(self) -> bool:
        """Return whether a type exists that the version lacks; a module of the same context may have it alone."""
        rows = self._lacked_types()
        return any(is_it(type_) for type_ in self._module.context.types.newer_types() for _, is_it in rows)

    # Debug records

    def _lower_debug_records(self, kinds: dict[DbgVariableKind | None, None]) -> None:
        codes = {kind: kind.code for kind in DbgVariableKind}
        if self.version < constructs.DECLARE_VALUES.since:
            codes[DbgVariableKind.DECLARE_VALUE] = DbgVariableKind.VALUE.code
        self.debug_codes = codes
        if self.version < constructs.ASSIGNMENTS.since:
            self.dropped_kinds = frozenset({_ASSIGN_ID})
        has_records = bool(kinds)
        if self.version < constructs.LABELS.since:
            kinds.pop(None, None)
        if self.version < constructs.DEBUG_RECORDS.since and has_records:
            self._declare_debug_intrinsics(kinds)

    def _survey_record(
        self, found: dict[DbgVariableKind | None, None]
    ) -> Callable[[Any, DbgVariableKind | None, str], bool]:
        """Return what adds to the losses what the version lacks of debug records, and receives their kinds."""
        checked: set[DIExpression] = set()

        def survey(record: Any, kind: DbgVariableKind | None, place: str) -> bool:
            found[kind] = None
            for expression in () if kind is None else (record.expression, record.address_expression):
                if expression is not None and expression not in checked:
                    checked.add(expression)
                    self._check_expression(expression, place)
            row = _ROWS_OF_KINDS.get(kind) if kind else constructs.LABELS
            if row is None or row.since <= self.version:
                return False
            self._losses.add(row, place, record)
            return True

        return survey

    def _check_expression(self, expression: DIExpression, place: str) -> None:
        """Let what an expression describes have no location if the version does not know an operator in it."""
        since, contents = first_version(expression), self.node_programs.contents
        if contents is not None and since > self.version:
            self._losses.add(constructs.EXPRESSION_OPERATORS[since], place, expression)
            contents[expression] = fragment_of(expression)
            self.node_programs.lost.add(expression)
            return
        older = older_elements(expression, self.version)
        if older is not None and contents is not None:
            contents[expression] = older
            if has_one_argument(expression):
                self.node_programs.of_first.add(expression)

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
        parameters: list[Type] = [types.metadata] * _PARAMETER_COUNTS[name]
        if name == "llvm.dbg.value" and self.version < _SINCE_NO_OFFSET:
            parameters.insert(1, types.integer(64))
            self.offset = self._module.context.constants.integer(types.integer(64), 0)
        space = self._module.data_layout.program_address_space
        function = Function(types.pointer(space), types.function(types.void, parameters))
        set_name(function, name)
        return function

    # What the module has

    def _domain_flags(self) -> Mapping[Metadata, int]:
        context = self._module.context
        return flags_of_domains(context) if self.version < constructs.JOINT_DOMAIN.since and has_flags(context) else {}

    def _lower_flags(self) -> None:
        """Let `min` be what LLVM before 15 has: reading it as LLVM 15 or later does makes it `min` again."""
        contents = self.node_programs.contents
        named = self._module.named_metadata.get("llvm.module.flags")
        if named is None or contents is None or self.version >= constructs.MIN_BEHAVIOR.since:
            return
        context = self._module.context
        for node in named.operands:
            behavior, key, *_ = cast("MDTuple", node).operands
            if not isinstance(behavior, ConstantAsMetadata):
                continue
            is_level = isinstance(key, MDString) and key.text == "PIC Level"
            older = None
            if behavior.value is _constant(context, Behavior.MIN):
                older = Behavior.MAX if is_level and self.version >= constructs.MAX_BEHAVIOR.since else Behavior.ERROR
                self._losses.add(constructs.RESTORED_MIN_BEHAVIOR if is_level else constructs.MIN_BEHAVIOR, "", node)
            elif behavior.value is _constant(context, Behavior.MAX) and self.version < constructs.MAX_BEHAVIOR.since:
                older = Behavior.ERROR
                self._losses.add(constructs.MAX_BEHAVIOR, "", node)
            if older is not None:
                contents[node] = (ConstantAsMetadata(_constant(context, older)), *cast("MDTuple", node).operands[1:])

    def _survey_module(self) -> None:
        module, add = self._module, self._losses.add
        if not self.keeps_summaries and _has_summary(module):
            add(constructs.SUMMARIES, "")
        if any(code == ModuleCode.ASM_PROPERTY for code, _ in assembly_records(module)):
            add(constructs.ASSEMBLY_PROPERTIES, "")
        survey_globals(module, self._losses)

    def _name_variables(self) -> None:
        """Give a name to variables in debug information that have none."""
        contents = self.node_programs.contents
        units = self._module.named_metadata.get("llvm.dbg.cu")
        if units is None or contents is None:
            return
        place = list(DIGlobalVariable.defaults).index("name")
        # Of malformed debug information, any of them may be another node.
        for unit in units.operands:
            for expression in (unit.globals or ()) if isinstance(unit, DICompileUnit) else ():
                variable = expression.variable if isinstance(expression, DIGlobalVariableExpression) else None
                if isinstance(variable, DIGlobalVariable) and not variable.name:
                    self._losses.add(constructs.NAMELESS_VARIABLE, "", variable)
                    content = content_of(variable)
                    contents[variable] = (*content[:place], ".unnamed", *content[place + 1 :])

    def _survey_functions(self) -> dict[DbgVariableKind | None, None]:
        """Look at all functions; return the kinds of debug records in them."""
        attributes, losses = self._attributes, self._losses
        on_location = self._add_implicit if self.location_length <= _IMPLICIT else None
        has_records = self.version >= constructs.DEBUG_RECORDS.since
        kinds: dict[DbgVariableKind | None, None] = {}
        scan = Scan(self._watches(), attributes.survey, on_location, _IMPLICIT, self._survey_record(kinds))
        for function in self._module.functions:
            name = function.name
            attributes.survey(function.attributes, name)
            count = scan.look(function, name)
            if count and not has_records:
                losses.add(constructs.DEBUG_RECORDS, name, times=count)
        self.replacements, self._has_misplaced = scan.replacements, scan.has_misplaced
        return kinds

    def _watches(self) -> dict[type[Instruction], list[Watch]]:
        """Return the rules for instructions that the version lacks something of, by class."""
        watches: dict[type[Instruction], list[Watch]] = {}
        for check in CHECKS:
            if check.since > self.version:
                rule = partial(self._has_found if check.harmless else self._check, check.find)
                watches.setdefault(check.kind, []).append(
                    Watch(check.kind, check.harmless, rule, counts=bool(check.harmless))
                )
        for kind, rules in self._rules.items():
            watches.setdefault(kind, []).append(Watch(kind, rules.harmless, rules.make))
        if self.version < constructs.OPAQUE_POINTERS:
            for kind in _EDGES:
                watches.setdefault(kind, []).append(Watch(kind, {}, self._note_edge))
        return watches

    def _note_edge(self, instruction: Instruction, _place: str) -> None:
        self._edges.add(type(instruction))

    def _check(self, find: Callable[..., None], instruction: Instruction, place: str) -> None:
        find(instruction, self._losses, place, 1)

    def _has_found(self, find: Callable[..., None], instruction: Instruction, place: str, times: int) -> bool:
        """Look for what the version lacks in instructions that are alike; return whether there is something."""
        before = self._losses.count
        find(instruction, self._losses, place, times)
        return self._losses.count > before

    def _add_implicit(self, instruction: Instruction, place: str) -> None:
        self._losses.add(_IS_IMPLICIT, place, instruction)


_EDGES = (Invoke, CallBranch, CatchSwitch)
"""Instructions behind or in front of which a cast of a pointer may have no place."""


def _declared(declarations: Mapping[Any, Any], value: Any) -> Any:
    return declarations.get(value, value)


def _constant(context: Context, number: int) -> ConstantInt:
    return context.constants.integer(context.types.integer(32), number)


_IMPLICIT = list(DILocation.defaults).index("is_implicit_code")
_IS_IMPLICIT = constructs.field("DILocation", "isImplicitCode", 8)

_TYPES: tuple[tuple[constructs.Construct, Callable[[Type], bool]], ...] = (
    (constructs.TARGET_TYPE, lambda type_: isinstance(type_, TargetExtensionType)),
    (constructs.BFLOAT, lambda type_: isinstance(type_, FloatingPointType) and type_.spelling == "bfloat"),
    (constructs.X86_AMX, lambda type_: isinstance(type_, X86AMXType)),
    (constructs.SCALABLE_VECTOR, is_scalable),
)
"""Types that versions lack, and how to know them."""

_ROWS_OF_KINDS = {
    DbgVariableKind.ASSIGN: constructs.ASSIGNMENTS,
    DbgVariableKind.DECLARE_VALUE: constructs.DECLARE_VALUES,
}


def _has_summary(module: Module) -> bool:
    """Return whether a module has ThinLTO summaries, of its file or of its text."""
    return module.summary is not None or any(part.name != "SYMTAB_BLOCK" for part in raw_parts(module))


def _has_newer_summary(module: Module) -> bool:
    """Return whether a module has a ThinLTO summary of a version that LLVM 22 refuses."""
    return any(
        code == GlobalValueSummaryCode.VERSION and operands and operands[0] > SUMMARY_VERSION
        for part in raw_parts(module)
        if part.name in _SUMMARY_BLOCKS
        for code, operands in part.records
    )


_SUMMARY_BLOCKS = frozenset(block.name for block in SUMMARY_BLOCKS)

"""State that the rules of a module share: the module, the findings, the metadata visited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.findings import Finding
from bitcodec.ir.metadata import constant_integer
from bitcodec.ir.module_flags import MODULE_FLAGS
from bitcodec.ir.types import scalable_types, unsized_types
from bitcodec.verifier.assignments import Assignments
from bitcodec.verifier.debug_locations import SubprogramScopes
from bitcodec.verifier.frames import Frames
from bitcodec.verifier.kinds import AliasBases
from bitcodec.verifier.metadata import MetadataWalk
from bitcodec.verifier.rules import NumberedProblem, Problem, form_of
from bitcodec.verifier.target_types import types_not_for_globals, types_not_for_stack
from bitcodec.verifier.tbaa import TypeNodes

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bitcodec.ir.attributes import AttributeList, AttributeSet
    from bitcodec.ir.debug_info import DISubprogram
    from bitcodec.ir.functions import Function
    from bitcodec.ir.globals import Comdat, GlobalValue
    from bitcodec.ir.metadata import MDNode, NamedMetadata, Operand
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import Value
    from bitcodec.verifier.callees import KnownIntrinsic

__all__ = ["Verifier"]

_FREE_PAD_VISITS = 1 << 20
"""Visits to users of nested pads, one for each pad around them, that any module may need."""
_FREE_REGION_VISITS = 1 << 22
"""Visits to live convergence control tokens and to edges in cycles that any module may need."""


class Verifier:
    """A module under inspection.

    Attributes:
        module: the module.
        layout: how its target lays out types.
        findings: the findings, in order.
        has_broken_debug_info: whether a finding concerns debug information only.
        where: the subject of the rules: a global, a comdat, named metadata, or the module as a whole.
        metadata: visits nodes, each once.
        attached: the function that each subprogram was first attached to.
        attribute_problems: errors in attributes that many calls share.
        sound_globals: facts that the rules of all globals depend on, of globals without problems.
        sound_signatures: facts that the rules of types and attributes of functions depend on, of valid functions.
        value_problems: errors in attributes of a value of a type.
        whole_problems: errors in attributes of functions as a whole.
        value_dependent_arguments: of pairs of a call's and its callee's attributes, the arguments whose values matter.
        sound_shapes: shapes of instructions without problems, and the rules left to be applied to each instruction.
        callee_facts: of callees, the facts that the rules of calls depend on.
        called_functions: of equal facts about functions, the function that had them first.
        sound_attachments: facts that the rules of attached metadata depend on, of attachments without problems.
        sound_records: facts that the rules of debug records depend on, of records without problems.
        value_types: types that an instruction may have, apart from `void` and `metadata`.
        aliasee_problems: errors in aliasees, None for valid ones.
        bases: bases of pointers, through aliases.
        frames: the allocas that functions share with others.
        constants: the constants with operands that have been visited.
        intrinsics: the intrinsics that are called, None for functions unknown to LLVM.
        users: the users of globals that have been visited.
        node_problems: errors in nodes that many instructions share, by the kind of attachment.
        range_problems: errors in lists of ranges of a type.
        tbaa_types: facts about the types in tags.
        scopes: finds the subprograms of scopes.
        scopes_of_atoms: scopes in which locations may be in atoms.
        pad_visits_left: visits to users of nested pads that the bodies read so far allow.
        region_visits_left: visits to live tokens and to edges in cycles that the bodies read so far allow.
        is_unsized: whether a type has no size.
        is_scalable: whether a type holds scalable vectors.
        is_not_for_globals, is_not_for_stack: whether a type holds target types that may not be there.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.layout = module.data_layout
        self.findings: list[Finding] = []
        self.has_broken_debug_info = False
        self.where: GlobalValue | Comdat | NamedMetadata | Module = module
        self.metadata = MetadataWalk(self)
        self.attached: dict[DISubprogram, Function] = {}
        self.attribute_problems: dict[tuple[AttributeList, FunctionType, bool, bool], tuple[str, ...]] = {}
        self.sound_globals: set[tuple[object, ...]] = set()
        self.sound_signatures: set[tuple[object, ...]] = set()
        self.value_problems: dict[tuple[AttributeSet, Type], tuple[str, ...]] = {}
        self.whole_problems: dict[tuple[AttributeSet, bool, FunctionType | None], tuple[str, ...]] = {}
        self.value_dependent_arguments: dict[tuple[AttributeList, AttributeList | None], tuple[int, ...]] = {}
        self.sound_shapes: dict[tuple[object, ...], tuple[tuple[Callable[[Any, Any], str | None], ...], bool]] = {}
        self.callee_facts: dict[Value, object] = {}
        self.called_functions: dict[tuple[object, ...], Function] = {}
        self.sound_attachments: set[tuple[object, ...]] = set()
        self.sound_records: set[tuple[object, ...]] = set()
        self.value_types: set[Type] = set()
        self.node_problems: dict[tuple[str, MDNode], tuple[str, ...]] = {}
        self.range_problems: dict[tuple[MDNode, Type | None], str | None] = {}
        self.tbaa_types = TypeNodes()
        self.scopes = SubprogramScopes()
        self.scopes_of_atoms: set[Operand] = set()
        self.pad_visits_left = _FREE_PAD_VISITS
        self.region_visits_left = _FREE_REGION_VISITS
        self.is_unsized = unsized_types()
        self.is_scalable = scalable_types()
        self.is_not_for_globals = types_not_for_globals()
        self.is_not_for_stack = types_not_for_stack()
        self.aliasee_problems: dict[Value, str | None] = {}
        self.bases = AliasBases()
        self.frames = Frames()
        self.constants: set[Value] = set()
        self.intrinsics: dict[Function, KnownIntrinsic | None] = {}
        self.users: set[Value] = set()
        self._assignments: Assignments | None = None
        self._subprograms: dict[Function, DISubprogram | None] = {}
        self._has_interposition: bool | None = None

    def report(self, message: str, *values: object, is_debug_info: bool = False) -> None:
        """Add a finding about the current subject of the verifier.

        Args:
            message: the error, in LLVM's words.
            values: the values that LLVM prints below it, unless the message is a `Problem`, which has values; the first
                one is the subject of the finding.  Without values, the subject is the verifier's current one.
            is_debug_info: whether the module is sound without debug information, as far as the rule is concerned.
        """
        printed = message.values if isinstance(message, Problem) else values
        subject = values[0] if values else self.where
        self.has_broken_debug_info |= is_debug_info
        has_own_numbers = isinstance(message, NumberedProblem)
        form = form_of(message)
        self.findings.append(Finding(str(message), self.where, subject, printed, is_debug_info, has_own_numbers, form))

    def subprogram_of(self, function: Function) -> DISubprogram | None:
        """Return the debug information of a function, None without any."""
        if function not in self._subprograms:
            self._subprograms[function] = function.subprogram
        return self._subprograms[function]

    @property
    def assignments(self) -> Assignments:
        """Users of the `DIAssignID` nodes of the module, collected at first access."""
        if self._assignments is None:
            self._assignments = Assignments(self.module)
        return self._assignments

    @property
    def has_interposition(self) -> bool:
        """Whether another shared object may take the place of any symbol that is not local to this one."""
        if self._has_interposition is None:
            self._has_interposition = self._flag_is_set("SemanticInterposition")
        return self._has_interposition

    def _flag_is_set(self, name: str) -> bool:
        flags = self.module.named_metadata.get(MODULE_FLAGS)
        for flag in flags.operands if flags is not None else ():
            match flag.operands:
                case (_, identifier, value) if getattr(identifier, "text", None) == name:
                    number = constant_integer(value)
                    return number is not None and number.value != 0
        return False

"""Module flags of a build checked against the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.flags.diagnostics import DiagnosticKind
from bitcodec.flags.explaining import meaning_of
from bitcodec.flags.merging import LINKED, Merger
from bitcodec.flags.spelling import spelled
from bitcodec.ir.context import Context
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.metadata import MDString, MDTuple
from bitcodec.ir.module import Module
from bitcodec.lint.findings import Finding, Fix, Severity, Side
from bitcodec.lint.flags.disagreements import disagreement_of
from bitcodec.lint.flags.faults import FlagFault, Statement, faults_of, key_views
from bitcodec.lint.flags.module_rules import module_faults
from bitcodec.lint.flags.options import options_of, setting
from bitcodec.lint.flags.predicting import llvm_link
from bitcodec.lint.flags.profiles import BuildProfile, idents_of, profile_key
from bitcodec.lint.flags.rules import rule_of
from bitcodec.lint.flags.thin_lto import lld, lto_input
from bitcodec.lint.flags.traits import traits_of, unit_of
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.known_flags import KNOWN_FLAGS
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from bitcodec.flags.diagnostics import Diagnostic
    from bitcodec.flags.merging import Merge
    from bitcodec.ir.module_flags import ModuleFlag
    from bitcodec.lint.flags.disagreements import Disagreement
    from bitcodec.lint.flags.faults import KeyView
    from bitcodec.lint.flags.module_rules import ModuleFault
    from bitcodec.lint.flags.predicting import Prediction
    from bitcodec.lint.flags.rows import FlagCheck
    from bitcodec.lint.flags.thin_lto import LTOInput

__all__ = ["FlagLinter", "FlagReport"]

_LONGEST = 80
"""Characters of a value in a sentence."""


class FlagReport(NamedTuple):
    """Report on the module flags of a build.

    Attributes:
        inputs: number of modules.
        findings: the findings, the worst first.
        merge: the flags of the linked module, and every conflict on the way.
        predictions: expected messages of linkers.
    """

    inputs: int
    findings: tuple[Finding, ...]
    merge: Merge
    predictions: tuple[Prediction, ...]


class FlagLinter:
    """Looks at one module of a build after another, in the order in which they are linked.

    Args:
        disabled: identifiers of rules to leave out.
        most_names: how many inputs to name for each value.
        predicts_thin_lto: whether to predict ThinLTO too, from the summaries of the modules.
    """

    MOST_NAMES = 100
    """Names of inputs for each value, if nothing else is requested."""

    def __init__(
        self, *, disabled: Iterable[str] = (), most_names: int = MOST_NAMES, predicts_thin_lto: bool = False
    ) -> None:
        self._disabled = frozenset(disabled)
        self._most_names = most_names
        self._context = Context()
        self._merger = Merger(module=Module(LINKED, DataLayout(""), self._context))
        self._profiles: dict[Hashable, BuildProfile] = {}
        self._count = 0
        self._split: tuple[str, str] | None = None  # the last module, if another part of its file may follow
        self._predicts_thin_lto = predicts_thin_lto
        self._lto_inputs: list[LTOInput] = []

    def add(self, module: Module, name: str | None = None) -> None:
        """Add one more module, which may be closed afterwards.

        Args:
            module: the module.
            name: its name in findings. Default: its own name.

        Raises:
            BitcodecError: metadata of the module is malformed.
        """
        name = module.identifier if name is None else name
        flags, idents, traits = module.flags, idents_of(module), traits_of(module, self._split)
        self._split = unit_of(module) if traits.is_thin and flags.integer("EnableSplitLTOUnit") else None
        key = profile_key(module, flags, idents, traits)
        profile = self._profiles.get(key)
        if profile is None:
            profile = self._profiles[key] = BuildProfile(module, flags, idents, traits, self._context)
        profile.inputs.append(name)
        self._merger.add(profile.alike or flags, name)
        self._count += 1
        if self._predicts_thin_lto:
            self._lto_inputs.append(lto_input(module, name, key))

    def report(self) -> FlagReport:
        """Return the report on the modules so far."""
        merge = self._merger.merged()
        found = [finding for finding in self._findings(merge) if finding.rule not in self._disabled]
        order = list(Severity)
        found.sort(key=lambda finding: order.index(finding.severity))
        predictions = (llvm_link(merge), *([lld(self._lto_inputs)] if self._predicts_thin_lto else []))
        return FlagReport(self._count, tuple(found), merge, predictions)

    def _findings(self, merge: Merge) -> Iterator[Finding]:
        profiles = [*self._profiles.values()]
        kinds = _kinds_by_key(merge.diagnostics)
        for view in key_views(profiles, merge.flags.items()):
            seen: set[str] = set()
            faults = faults_of(view, kinds.get(view.key, ()))
            for fault in FlagFault:
                rule = rule_of(view.key, fault) if fault in faults else None
                if rule is not None and rule.identifier not in seen and rule.applies(view):
                    finding = self._finding(rule, fault, view)
                    if finding is not None:
                        seen.add(rule.identifier)
                        yield finding
        found: dict[tuple[str, ...], tuple[ModuleFault, list[BuildProfile]]] = {}
        for profile in profiles:
            for each in module_faults(profile):
                same = (each.rule.identifier, each.key, each.message)
                found.setdefault(same, (each, []))[1].append(profile)
        for fault_of_module, affected in found.values():
            yield self._single_finding(fault_of_module, affected)

    def _single_finding(self, fault: ModuleFault, profiles: list[BuildProfile]) -> Finding:
        """Return the finding for a fault of single modules."""
        flag = profiles[0].flags.get(fault.key)
        side = self._side(Statement(flag, profiles), is_odd=True)
        rule = fault.rule
        return Finding(rule.identifier, rule.severity, fault.key, fault.message, (side,), "", Fix({}, fault.steps))

    def _finding(self, rule: FlagCheck, fault: FlagFault, view: KeyView) -> Finding | None:
        """Return the finding of a rule about a key, None if no input is to change."""
        found = disagreement_of(view, fault, rule)
        if found is None:
            return None
        compilers = {name for each in found.odd for profile in each.profiles for name in profile.compilers}
        versions = [profile.llvm for each in found.odd for profile in each.profiles if profile.llvm is not None]
        options = options_of(view.key, found.wanted.value, compilers, min(versions, default=None))
        fix = Fix(options, _steps(rule, found))
        sides = [self._side(each, is_odd=False) for each in found.others]
        sides += [self._side(each, is_odd=True) for each in found.odd]
        sides.sort(key=lambda side: -side.size)
        result = "" if view.merged is None or fault.leaves_no_value else _text(view.merged)
        return Finding(rule.identifier, rule.faults[fault], view.key, _MESSAGES[fault], tuple(sides), result, fix)

    def _side(self, statement: Statement, *, is_odd: bool) -> Side:
        names = [name for profile in statement.profiles for name in profile.inputs]
        producers = dict.fromkeys(profile.producer for profile in statement.profiles if profile.producer)
        text = "absent" if statement.flag is None else _text(statement.flag)
        return Side(text, tuple(names[: self._most_names]), len(names), tuple(producers), is_odd)


def _steps(rule: FlagCheck, found: Disagreement) -> tuple[tuple[str, ...], ...]:
    """Return steps that fix inputs without compilation, none if the flag describes code, which would not change."""
    if rule.is_removed:
        return (("remove", found.wanted.key),)
    row = KNOWN_FLAGS.get(found.wanted.key)
    is_same = all(each.flag is not None and each.flag.value == found.wanted.value for each in found.odd)
    return (setting(found.wanted),) if row is None or row.is_settable or is_same else ()


_MESSAGES = {
    FlagFault.VALUES: "inputs have different values, which stops the link",
    FlagFault.OVERRIDES: "inputs override each other's values, which stops the link",
    FlagFault.BEHAVIORS: "inputs have behaviors that cannot be merged, which stops the link",
    FlagFault.UNMET: "a requirement is not met, which stops the link",
    FlagFault.MISSING: "some inputs lack the flag that the linked module has",
    FlagFault.LOST: "the linked module has a lower value than some inputs",
    FlagFault.RAISED: "the linked module has a higher value than some inputs",
    FlagFault.CHOSEN: "inputs have different values, and the linker keeps one of them",
    FlagFault.FORCED: "some inputs override the values of others",
    FlagFault.APART: "inputs for ThinLTO and other inputs have different values; linkers do not compare them",
}


def _kinds_by_key(diagnostics: Iterable[Diagnostic]) -> dict[str, dict[DiagnosticKind, None]]:
    found: dict[str, dict[DiagnosticKind, None]] = {}
    for each in diagnostics:
        key, kind = each.key, each.kind
        pair = each.source.value
        if kind is DiagnosticKind.BROKEN and each.source.behavior is Behavior.REQUIRE and isinstance(pair, MDTuple):
            # The verifier of the linked module names the requirement, not the flag that it is about.
            key, kind = _key_of(pair), DiagnosticKind.UNMET_REQUIREMENT
        found.setdefault(key, {})[kind] = None
    return found


def _key_of(pair: MDTuple) -> str:
    key = pair.operands[0]
    return key.text if isinstance(key, MDString) else ""


def _text(flag: ModuleFlag) -> str:
    if flag.value is None:
        return flag.behavior.spelling
    meaning = meaning_of(flag.key, flag.value)
    text = f"{spelled(flag.value, most_characters=_LONGEST)} ({flag.behavior.spelling})"
    return text if meaning is None else f"{text}: {meaning.text}"

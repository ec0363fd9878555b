"""Diagnostics about flags of two modules that conflict.  Words: docs/reference/flags.md, 4.2; LLVM 22's."""

from __future__ import annotations

from enum import Enum

from bitcodec.flags.spelling import spelled
from bitcodec.frozen import Frozen
from bitcodec.ir.metadata import Metadata
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.module_flags import Behavior

__all__ = ["Diagnostic", "DiagnosticKind", "Side"]


class _DiagnosticRow(NamedTuple):
    """A kind of diagnostic: whether it is an error, and its words."""

    is_error: bool
    words: str


class DiagnosticKind(Enum):
    """Kinds of conflicts of flags: a row of whether it is an error, and of its words."""

    CONFLICTING_BEHAVIORS = _DiagnosticRow(
        is_error=True,
        words="linking module flags '{key}': IDs have conflicting behaviors in '{source}' and '{destination}'",
    )
    CONFLICTING_OVERRIDES = _DiagnosticRow(
        is_error=True,
        words="linking module flags '{key}': IDs have conflicting override values in '{source}' and '{destination}'",
    )
    CONFLICTING_VALUES = _DiagnosticRow(
        is_error=True,
        words="linking module flags '{key}': IDs have conflicting values: "
        "'{source_value}' from {source}, and '{destination_value}' from {destination}",
    )
    DIFFERENT_VALUES = _DiagnosticRow(
        is_error=False,
        words="linking module flags '{key}': IDs have conflicting values "
        "('{source_value}' from {source} with '{destination_value}' from {destination})",
    )
    UNMET_REQUIREMENT = _DiagnosticRow(
        is_error=True, words="linking module flags '{key}': does not have the required value"
    )

    # What LLVM has no words for: it crashes, takes it for something else, or notices when all is linked.
    CONFLICTING_REQUIREMENTS = _DiagnosticRow(
        is_error=True,
        words="linking module flags '{key}': IDs require different values: "
        "'{source_value}' in {source}, and '{destination_value}' in {destination}",
    )
    NOT_MERGEABLE = _DiagnosticRow(
        is_error=True,
        words="linking module flags '{key}': '{source_value}' from {source} and '{destination_value}' from "
        "{destination} are not what the behavior requires",
    )
    MALFORMED = _DiagnosticRow(is_error=True, words="{source}: {problem}")
    BROKEN = _DiagnosticRow(is_error=True, words="{problem}")

    @property
    def is_error(self) -> bool:
        """Whether it stops a link; the others are warnings."""
        return self.value.is_error


class Side(NamedTuple):
    """The flag of one module.

    Attributes:
        module: name of the module.
        behavior: its behaviour, None if the module lacks the flag.
        value: its value, None if that is null, or if the module lacks the flag.
    """

    module: str
    behavior: Behavior | None = None
    value: Metadata | None = None

    @property
    def text(self) -> str:
        """Its value as text."""
        return spelled(self.value)


class Diagnostic(Frozen):
    """A conflict.  `str` is the message of `llvm-link` 22, without `error: ` or `warning: `.

    For nodes LLVM prints addresses, which differ from run to run; here they are spelled out.

    Attributes:
        kind: the kind of conflict.
        key: of the flag.
        source: the flag of the module that was linked in.
        destination: the earlier flag: the input that it comes from, its behaviour, its value.  For a requirement
            that is not met, the flag that it is about; for a flag that is wrong by itself, empty.
        linked: name of the earlier modules in the message: `llvm-link`, as its command has it.
        problem: the error in a flag by itself, in the words of LLVM's verifier.
    """

    __match_args__ = ("kind", "key", "source", "destination", "linked", "problem")
    __slots__ = __match_args__

    kind: DiagnosticKind
    key: str
    source: Side
    destination: Side
    linked: str
    problem: str

    def __init__(
        self, kind: DiagnosticKind, key: str, source: Side, destination: Side, linked: str, problem: str = ""
    ) -> None:
        for name, given in zip(self.__match_args__, (kind, key, source, destination, linked, problem), strict=True):
            object.__setattr__(self, name, given)

    @property
    def is_error(self) -> bool:
        """Whether it stops a link."""
        return self.kind.is_error

    def __str__(self) -> str:
        return self.kind.value.words.format(
            key=self.key,
            source=self.source.module,
            source_value=self.source.text,
            destination=self.linked,
            destination_value=self.destination.text,
            problem=self.problem,
        )

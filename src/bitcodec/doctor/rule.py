"""The parts of a row of the table of rules: a construct, the versions that do not read it, and the effect on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.plain_enum import PlainEnum

if TYPE_CHECKING:
    from bitcodec.doctor.keys import ConstructKind, Key

__all__ = ["Effect", "Remedy", "Rule"]


class Effect(PlainEnum):
    """Effect of an unknown construct on a reader."""

    REFUSES = "refuses"
    """It prints an error and reads nothing."""
    CRASHES = "crashes"
    """It fails an assertion; without assertions, its behavior is undefined."""
    MISREADS = "misreads"
    """It accepts the file, but the module means something else."""
    REJECTS = "rejects"
    """It reads the file, and its verifier finds the module broken."""


class Remedy(PlainEnum):
    """Remedies other than a newer LLVM."""

    DOWNGRADE = "downgrade"
    """Writing the module for the older version."""
    STRIP = "strip"
    """Removing debug information."""
    TYPED_POINTERS = "typed-pointers"
    """Compiling with typed pointers."""
    OPAQUE_POINTER_MODE = "opaque-pointer-mode"
    """An option of LLVM 14's tools."""
    NO_SUMMARY = "no-summary"
    """Writing the module without ThinLTO summary."""
    NONE = "none"
    """The program needs the construct."""


class Rule(NamedTuple):
    """A row.

    Attributes:
        identifier: of the construct.
        kind: of the construct.
        number: number of the construct within its kind; None for all others of that kind.
        oldest: the first version that does not read it.
        newest: the last version that does not read it.
        effect: their effect on these versions.
        message: LLVM's, without the name of the file; `{0}` is the number of the key, `{1}` its length.
        construct: the description, in the words of LLVM IR.
        remedy: the remedy.
        lengths: of metadata records, the numbers of operands that these versions accept; None: they accept no record.
    """

    identifier: str
    kind: ConstructKind
    number: int | None
    oldest: int
    newest: int
    effect: Effect
    message: str
    construct: str
    remedy: Remedy = Remedy.DOWNGRADE
    lengths: frozenset[int] | None = None

    def covers(self, version: int, key: Key) -> bool:
        """Return whether a version does not read a construct that this row describes."""
        return self.oldest <= version <= self.newest and (self.lengths is None or key.length not in self.lengths)

    def message_about(self, key: Key) -> str:
        """Return LLVM's message about a construct."""
        return self.message.format(key.number, key.length)

    def describe(self, key: Key) -> str:
        """Return the description of a construct, in the words of LLVM IR."""
        return self.construct.format(key.number, key.length)

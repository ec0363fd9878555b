"""Problems of links, in the words of llvm-link 22.  Rules: docs/reference/linking.md, 5, 6, 10 and 12."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from bitcodec.errors import BitcodecError
from bitcodec.named_tuple import NamedTuple
from bitcodec.printing import one_line
from bitcodec.tables.known_flags import KNOWN_FLAGS

if TYPE_CHECKING:
    from bitcodec.flags.diagnostics import Diagnostic
    from bitcodec.flags.merging import Merger
    from bitcodec.ir.module import Module

__all__ = ["LINKED", "LinkError", "LinkProblem", "ProblemKind"]

LINKED = "llvm-link"
"""The name of the module that all others are linked into."""

_SYMBOL = "Linking globals named '{name}': "
_COMDAT = "Linking COMDATs named '{name}': "
_MODULES = (
    "Linking two modules of different {what}: '{source}' is '{source_value}' whereas '{linked}' is '{there_value}'\n"
)
_MAX_SHOWN = 5
"""Errors that the text of a `LinkError` contains."""
_MAX_CHARACTERS = 300
"""Characters of each of them."""

_SAME = "declare it the same way in both"
_ONE_SOURCE = "compile both from the same source with the same options"
_ONE_TARGET = "compile both for the same target, with compilers of one version"


class _Words(NamedTuple):
    """A kind of problem: its words, whether it stops the link, and advice."""

    words: str
    is_error: bool = True
    advice: str = ""


class ProblemKind(Enum):
    """Reasons why modules do not link: a row each of the message, of whether the link fails, and of the advice."""

    MULTIPLY_DEFINED = _Words(
        _SYMBOL + "symbol multiply defined!",
        advice="leave out one of the files, make one definition static, or give the file that should win to --override",
    )
    NOT_APPENDING = _Words(
        _SYMBOL + "can only link appending global with another appending global!",
        advice="give one of the two another name",
    )
    APPENDING_CONSTANTS = _Words("Appending variables linked with different const'ness!", advice=_SAME)
    APPENDING_ALIGNMENTS = _Words("Appending variables with different alignment need to be linked!", advice=_SAME)
    APPENDING_VISIBILITIES = _Words("Appending variables with different visibility need to be linked!", advice=_SAME)
    APPENDING_UNNAMED_ADDRESSES = _Words(
        "Appending variables with different unnamed_addr need to be linked!", advice=_SAME
    )
    APPENDING_SECTIONS = _Words("Appending variables with different section name need to be linked!", advice=_SAME)
    APPENDING_ADDRESS_SPACES = _Words(
        "Appending variables with different address spaces need to be linked!", advice=_SAME
    )
    APPENDING_ELEMENTS = _Words("Appending variables with different element types!", advice=_SAME)
    SELECTION_KINDS = _Words(_COMDAT + "invalid selection kinds!", advice=_ONE_TARGET)
    EXACT_MATCH = _Words(_COMDAT + "ExactMatch violated!", advice=_ONE_SOURCE)
    SAME_SIZE = _Words(_COMDAT + "SameSize violated!", advice=_ONE_SOURCE)
    NO_VARIABLE = _Words(_COMDAT + "GlobalVariable required for data dependent selection!")
    ALIAS_SIZE = _Words(_COMDAT + "COMDAT key involves incomputable alias size.")
    NOT_CLONED = _Words("linking '{name}': non-variables in comdat nodeduplicate are not handled", is_error=False)
    LAYOUTS = _Words(_MODULES.replace("{what}", "data layouts"), is_error=False, advice=_ONE_TARGET)
    TRIPLES = _Words(_MODULES.replace("{what}", "target triples"), is_error=False, advice=_ONE_TARGET)
    BEFORE_ITS_USERS = _Words(
        "Archive {source} precedes the files that need {source_value} of it",
        is_error=False,
        advice="put archives after the files that need them, or use --whole-archive",
    )
    NOTHING_NEEDED = _Words(
        "Nothing of archive {source} is linked: no file before it needs a member",
        is_error=False,
        advice="put archives after the files that need them, or use --whole-archive",
    )
    NOT_IMPORTED = _Words("Ignoring import request for non-existent function {name} from {source}", is_error=False)
    NOT_IMPORTED_WEAK = _Words("Ignoring import request for weak-any function {name} from {source}", is_error=False)
    ONLY_DECLARED = _Words(
        "Function {name} cannot be imported from {source}, which only declares it",
        advice="name the file that defines it",
    )
    PSEUDO_PROBES = _Words(
        "Pseudo-probe ignored: source module '{source}' is compiled with -fpseudo-probe-for-profiling while "
        "destination module '{linked}' is not\n",
        is_error=False,
    )
    IGNORED_DEBUG_INFO = _Words(
        "{source_value}", is_error=False, advice="compile the file with LLVM 3.6 or later to keep its debug information"
    )
    FLAGS = _Words("{text}")
    DIFFERENT_FLAGS = _Words("{text}", is_error=False)
    TOO_MANY_ELEMENTS = _Words(_SYMBOL + "an appending variable without elements of its own is too long to be joined")

    @property
    def is_error(self) -> bool:
        """Whether it stops the link; the others are warnings."""
        return self.value.is_error


class LinkProblem(NamedTuple):
    """A problem of a link.  `str` is the message of llvm-link 22, without `error: ` or `warning: `.

    Attributes:
        kind: the reason.
        name: the symbol or comdat, "" if it is about neither.
        source: the module that was linked in.
        destination: the module that the symbol, comdat or flag of the destination came from, "" if unknown.
        source_value, destination_value: the conflicting properties of the two modules: definitions, triples, layouts.
        text: the message, for module flags.
    """

    kind: ProblemKind
    name: str
    source: str
    destination: str = ""
    source_value: str = ""
    destination_value: str = ""
    text: str = ""

    @property
    def is_error(self) -> bool:
        """Whether it stops the link."""
        return self.kind.is_error

    @property
    def detail(self) -> str:
        """Both sides: the definitions or values, and the files that they are in."""
        there = f"{self.destination_value or 'this'} in {self.destination}" if self.destination else ""
        arriving = f"{self.source_value or 'this'} in {self.source}"
        if not there and self.source in str(self):
            return ""
        sides = f"{there}, {arriving}" if there else arriving
        # Some messages of LLVM do not name the symbol.
        return f"@{self.name}: {sides}" if self.name and f"'{self.name}'" not in str(self) else sides

    @property
    def advice(self) -> str:
        """Advice for the user, "" if the only remedy is to change one of the definitions."""
        if self.kind is ProblemKind.MULTIPLY_DEFINED and self.source == self.destination:
            return "name each file once"
        if not self.text:
            return self.kind.value.advice
        row = KNOWN_FLAGS.get(self.name)
        same = f"compile both with the same {row.option}; " if row is not None and row.option else ""
        return f"{same}`bitcodec flags lint` for these files lists all steps"

    @classmethod
    def of_flag(cls, diagnostic: Diagnostic, source: str) -> LinkProblem:
        """Return the problem of a module flag of a source."""
        kind = ProblemKind.FLAGS if diagnostic.is_error else ProblemKind.DIFFERENT_FLAGS
        sides = diagnostic.destination.module, diagnostic.source.text, diagnostic.destination.text
        return cls(kind, diagnostic.key, source, *sides, str(diagnostic))

    def __str__(self) -> str:
        return self.kind.value.words.format(
            name=self.name,
            source=self.source,
            source_value=self.source_value,
            there_value=self.destination_value,
            linked=LINKED,
            text=self.text,
        )


class LinkError(BitcodecError):
    """Modules do not link.  `str(error)` is the first errors on one line, shortened, and the number of the others.

    Attributes:
        problems: all problems that were found, errors and warnings, in order.
    """

    def __init__(self, problems: tuple[LinkProblem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems

    @property
    def errors(self) -> tuple[LinkProblem, ...]:
        """The problems that stop the link."""
        return tuple(problem for problem in self.problems if problem.is_error)

    def __str__(self) -> str:
        errors = self.errors
        shown = [_shorten(f"{problem} ({problem.detail})") for problem in errors[:_MAX_SHOWN]]
        hidden = len(errors) - len(shown)
        return "; ".join([*shown, f"and {hidden} more"] if hidden else shown)


def _shorten(text: str) -> str:
    """Return a text on one line; of a long one, such as a message about a long name, the beginning."""
    line = one_line(text)
    return line if len(line) <= _MAX_CHARACTERS else f"{line[:_MAX_CHARACTERS]}..."


def merge_flags(merger: Merger, source: Module) -> list[LinkProblem]:
    """Merge the module flags of a source into those before it; return their problems."""
    known = len(merger.diagnostics)
    merger.add(source)
    return [LinkProblem.of_flag(each, source.identifier) for each in merger.diagnostics[known:]]

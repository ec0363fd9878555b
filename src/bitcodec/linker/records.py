"""Resolutions of the symbols of linked modules: the origin of each, the rejected candidates, and the reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.linker.problems import LinkProblem, ProblemKind
from bitcodec.linker.resolution import Standing, standing_of
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module

__all__ = ["COMDAT_LOST", "Candidate", "PassedOver", "Resolutions", "archive_of", "definitions_of"]


class Candidate(NamedTuple):
    """A definition of a symbol.

    Attributes:
        module: the module that has it.
        standing: its kind.
        is_linked: whether it was linked when its module was; a later module may have replaced it.
        other: the module of the definition that it was resolved against, "" for none.
        other_standing: the kind of that definition, None for none.
        new_name: the name that it was linked under, "" if that is its own.
        reason: why it was not linked, if no other definition is the reason.
    """

    module: str
    standing: Standing
    is_linked: bool
    other: str = ""
    other_standing: Standing | None = None
    new_name: str = ""
    reason: str = ""

    def __str__(self) -> str:
        article = "an" if self.standing.value[0] in "aeiou" else "a"
        new_name = f" as {self.new_name}" if self.new_name else ""
        outcome = f"linked{new_name}" if self.is_linked else "not linked"
        text = f"{self.module}: {article} {self.standing.value}, {outcome}"
        if self.reason:
            return f"{text}; {self.reason}"
        if self.other_standing is None:
            return text
        reason = f"the {self.other_standing.value} in {self.other or 'an earlier module'}"
        return f"{text}; it {'replaces' if self.is_linked else 'loses against'} {reason}"


NOTHING_REFERS = "nothing that is linked refers to it"
COMDAT_LOST = "its comdat is that of an earlier module"
NOT_NEEDED = "nothing before its archive needs the member"


_NEVER_NEEDED = {Standing.LOCAL, Standing.APPENDING, Standing.AVAILABLE, Standing.DECLARATION, Standing.EXTERN_WEAK}


class PassedOver:
    """The symbols of members of archives that are not linked."""

    def __init__(self) -> None:
        self._archives: dict[str, str] = {}

    def add(self, member: Module, symbols: Iterable[tuple[str, Standing]]) -> None:
        """Record the symbols of a member that is not linked."""
        archive = archive_of(member)
        for name, standing in symbols:
            if standing not in _NEVER_NEEDED:
                self._archives.setdefault(name, archive)

    def warnings(self, is_undefined: Callable[[str], bool]) -> Iterator[LinkProblem]:
        """Yield a warning of each archive that precedes the files that need it.

        Args:
            is_undefined: whether a symbol is undefined when everything is linked.
        """
        found: dict[str, list[str]] = {}
        for name, archive in self._archives.items():
            if is_undefined(name):
                found.setdefault(archive, []).append(name)
        for archive, symbols in found.items():
            others = f" and {len(symbols) - 1} other symbols" if len(symbols) > 1 else ""
            needed = f"'{symbols[0]}'{others}"
            yield LinkProblem(ProblemKind.BEFORE_ITS_USERS, symbols[0], archive, source_value=needed)


def archive_of(member: Module) -> str:
    """Return the archive of a member: its name without the name of the member."""
    return member.identifier.rpartition("(")[0]


class Resolutions:
    """The definitions of all symbols, by name and in the order of the modules.

    Attributes:
        passed_over: the symbols of members of archives that are not linked.
    """

    def __init__(self) -> None:
        self._candidates: dict[str, list[Candidate]] = {}
        self._origins: dict[GlobalValue, str] = {}
        self.passed_over = PassedOver()

    def origin(self, value: GlobalValue) -> str:
        """Return the name of the module that a global of the result came from, "" if it is unknown."""
        return self._origins.get(value, "")

    @property
    def origins(self) -> Mapping[GlobalValue, str]:
        """The names of the modules that the globals of the result came from."""
        return self._origins

    def add(
        self,
        module: Callable[[GlobalValue], str],
        definitions: Sequence[tuple[GlobalValue, str, Standing]],
        meetings: Mapping[GlobalValue, Candidate],
        moved: Collection[GlobalValue],
        joined: Iterable[GlobalValue],
    ) -> None:
        """Record the resolutions of the symbols of a module.

        Args:
            module: returns its name, or the name of the member of an archive that a global came from.
            definitions: its definitions, with names and kinds before it was linked.
            meetings: the definitions that were resolved against other symbols.
            moved: the globals of the result that came from it.
            joined: the appending variables that it was the last to add elements to.
        """
        self._origins.update([(value, module(value)) for value in (*joined, *moved)])
        for value, name, standing in definitions:
            is_linked = value in moved
            candidate = meetings.get(value)
            if candidate is None:
                new_name = value.name if is_linked and value.name != name else ""
                reason = "" if is_linked else NOTHING_REFERS
                candidate = Candidate(module(value), standing, is_linked, new_name=new_name, reason=reason)
            elif is_linked and not candidate.is_linked:
                candidate = candidate._replace(is_linked=True)
            self._add(name, candidate)

    def add_member(self, member: Module) -> None:
        """Record the definitions of a member of an archive that is not linked."""
        definitions = [(name, standing) for _, name, standing in definitions_of(member)]
        for name, standing in definitions:
            self._add(name, Candidate(member.identifier, standing, is_linked=False, reason=NOT_NEEDED))
        self.passed_over.add(member, definitions)

    def _add(self, name: str, candidate: Candidate) -> None:
        self._candidates.setdefault(name, []).append(candidate)

    def candidates(self, name: str) -> tuple[Candidate, ...]:
        """Return the definitions of a symbol, in the order of the modules; declarations are not among them."""
        return tuple(self._candidates.get(name, ()))


def definitions_of(module: Module) -> list[tuple[GlobalValue, str, Standing]]:
    """Return the definitions of a module that have names, with names and kinds, without appending variables."""
    named = [value for value in module.globals if value.name and not value.is_declaration]
    found = [(value, value.name, standing_of(value)) for value in named]
    return [each for each in found if each[2] is not Standing.APPENDING]

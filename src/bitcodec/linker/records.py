"""What became of the symbols of linked modules: where each came from, who lost, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.linker.resolution import Standing, standing_of
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.ir.globals import GlobalValue

__all__ = ["Candidate", "Resolutions"]


class Candidate(NamedTuple):
    """A definition of a symbol.

    Attributes:
        module: the module that has it.
        standing: its kind.
        is_linked: whether it was linked when its module was; a later module may have replaced it.
        other: the module of the definition that it met, "" if it met none.
        other_standing: the kind of that definition, None if it met none.
    """

    module: str
    standing: Standing
    is_linked: bool
    other: str = ""
    other_standing: Standing | None = None

    def __str__(self) -> str:
        article = "an" if self.standing.value[0] in "aeiou" else "a"
        text = f"{self.module}: {article} {self.standing.value}, {'linked' if self.is_linked else 'not linked'}"
        if self.other_standing is None:
            return text
        reason = f"the {self.other_standing.value} in {self.other or 'an earlier module'}"
        return f"{text}; it {'replaces' if self.is_linked else 'loses against'} {reason}"


class Resolutions:
    """The definitions of all symbols, by name and in the order of the modules."""

    def __init__(self) -> None:
        self._candidates: dict[str, list[Candidate]] = {}
        self._origins: dict[GlobalValue, str] = {}

    def origin(self, value: GlobalValue) -> str:
        """Return the name of the module that a global of the result came from, "" if it is unknown."""
        return self._origins.get(value, "")

    def add(
        self,
        module: str,
        meetings: Sequence[tuple[GlobalValue, Candidate]],
        moved: Iterable[GlobalValue],
        joined: Iterable[GlobalValue],
    ) -> None:
        """Note what became of the symbols of a module.

        Args:
            module: its name.
            meetings: the definitions that met other symbols.
            moved: the globals of the result that came from it.
            joined: the appending variables that it was the last to add elements to.
        """
        self._origins.update(dict.fromkeys(joined, module))
        for value, candidate in meetings:
            self._add(value.name, candidate)
        met = {value for value, _ in meetings}
        for value in moved:
            self._origins[value] = module
            if value not in met and value.name and not value.is_declaration:
                self._add(value.name, Candidate(module, standing_of(value), is_linked=True))

    def _add(self, name: str, candidate: Candidate) -> None:
        self._candidates.setdefault(name, []).append(candidate)

    def candidates(self, name: str) -> tuple[Candidate, ...]:
        """Return the definitions of a symbol, in the order of the modules; declarations are not among them."""
        return tuple(self._candidates.get(name, ()))

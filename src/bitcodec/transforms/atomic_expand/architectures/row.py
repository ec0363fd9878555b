"""A row of the table of architectures."""

from __future__ import annotations

from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from bitcodec.tables.triple_components import Triple
    from bitcodec.transforms.atomic_expand.description import AtomicTarget

__all__ = ["NO_IMPLICIT_FLOAT", "Architecture", "Features", "each", "processors"]

Features = frozenset[str]
"""Names; `-name` is a feature that was taken away."""

NO_IMPLICIT_FLOAT = "noimplicitfloat"
"""Belongs to the features of a function that has the attribute."""


class Architecture:
    """An architecture.

    Only features that atomic accesses depend on are listed; all others change nothing.

    Args:
        describe: makes the description of a target from its features.
        processors: the features of processors, "" for the default of the architecture.
        implied: features that others bring with them, directly; taking one away takes those away that imply it.
        unknown: sets of features with which the expansion is unknown here.
        of_triple: returns the features that a triple adds to a processor, and the features of its default processor.
        processor_of: returns the processor of a triple, where none is named; "" for the default of the architecture.
    """

    def __init__(
        self,
        describe: Callable[..., AtomicTarget],
        processors: Mapping[str, Features],
        implied: Mapping[str, Features] = MappingProxyType({}),
        unknown: tuple[Features, ...] = (),
        of_triple: Callable[[Triple], tuple[Features, Features]] = lambda _: (frozenset(), frozenset()),
        processor_of: Callable[[Triple], str] = lambda _: "",
    ) -> None:
        self.describe = describe
        self.processors = processors
        self.unknown = unknown
        self._directly_implied = implied
        self._of_triple = of_triple
        self._processor_of = processor_of

    @cached_property
    def implied(self) -> Mapping[str, Features]:
        """Features that each feature implies, directly or through others."""
        found: dict[str, Features] = {}
        for feature in self._directly_implied:
            reached, waiting = set[str](), [feature]
            while waiting:
                new = self._directly_implied.get(waiting.pop(), frozenset()) - reached
                reached |= new
                waiting += new
            found[feature] = frozenset(reached)
        return found

    @cached_property
    def implying(self) -> Mapping[str, Features]:
        """Features that imply each feature."""
        found: dict[str, set[str]] = {}
        for feature, others in self.implied.items():
            for other in others:
                found.setdefault(other, set()).add(feature)
        return {feature: frozenset(others) for feature, others in found.items()}

    def features(self, triple: Triple, processor: str, changes: Iterable[str]) -> Features:
        """Return the features of a processor after changes, each spelled `+feature` or `-feature`.

        A feature that is taken away is there as `-feature`.

        Raises:
            ValueError: the processor is unknown, a change is not spelled so, or the expansion is unknown
                with these features.
        """
        processor = processor or self._processor_of(triple)
        if processor not in self.processors:
            from difflib import get_close_matches  # noqa: PLC0415 - for a misspelled name only

            close = get_close_matches(processor, self.processors)
            known = f"; did you mean {' or '.join(close)}?" if close else ""
            raise ValueError(f"unknown processor {processor!r} for {triple.architecture}{known}")
        added, default = self._of_triple(triple)
        found = set(added | self.processors[processor] | (default if processor in ("", "generic") else frozenset()))
        for feature in tuple(found):
            found |= self.implied.get(feature, frozenset())
        for change in changes:
            sign, feature = change[:1], change[1:]
            if sign not in ("+", "-") or not feature:
                raise ValueError(f"a feature is spelled +{change} or -{change}, not {change!r}")
            if sign == "+":
                found |= {feature} | self.implied.get(feature, frozenset())
                found.discard(f"-{feature}")
            else:
                found -= {feature} | self.implying.get(feature, frozenset())
                found.add(change)
        for together in self.unknown:
            if together <= found:
                names = " and ".join(name if name.startswith("-") else f"+{name}" for name in sorted(together))
                raise ValueError(f"atomic accesses with {names} are not known here")
        return frozenset(found)


def each(*names: str) -> tuple[Features, ...]:
    """Return a set for each name."""
    return tuple(frozenset({name}) for name in names)


def processors(rows: Mapping[str, str]) -> dict[str, Features]:
    """Return the features of processors from rows of features and names, both separated by spaces."""
    return {name: frozenset(features.split()) for features, names in rows.items() for name in names.split()}

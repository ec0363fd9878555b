"""Finds the differences of two modules."""

from __future__ import annotations

from enum import Enum
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeVar

from bitcodec.diff.categories import Category
from bitcodec.diff.marks import rendered
from bitcodec.diff.renaming import renamed
from bitcodec.diff.texts import ComparedModule, NamedPart
from bitcodec.diff.unified import unified_lines
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalAlias, GlobalIFunc, GlobalVariable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from bitcodec.ir.module import Module

__all__ = ["Change", "Difference", "differences", "unified_diff"]

_Key = TypeVar("_Key")


class Change(Enum):
    """Kind of change; the value is its sign."""

    REMOVED = "-"
    ADDED = "+"
    CHANGED = "~"

    def __str__(self) -> str:
        return self.name.lower()


class Difference:
    """A difference of two modules.

    Attributes:
        category: its category.
        name: its name in the model; "" for a fact of the module, and for a part without a name.
        label: its label: `@main`, `%struct.point`, `target triple`.
    """

    __match_args__ = ("change", "category", "name")
    __slots__ = ("_after", "_before", "category", "label", "name")

    def __init__(self, part: NamedPart, before: list[str] | None, after: list[str] | None) -> None:
        self.category, self.label, self.name = part
        self._before = before
        self._after = after

    @property
    def change(self) -> Change:
        """The kind of change."""
        if self._before is None:
            return Change.ADDED
        return Change.REMOVED if self._after is None else Change.CHANGED

    @property
    def before(self) -> str | None:
        """Its text in the first module; None if that does not have it."""
        return None if self._before is None else "\n".join(rendered(self._before))

    @property
    def after(self) -> str | None:
        """Its text in the second module, with the numbers of the first as far as it has the same; None if none."""
        if self._after is None:
            return None
        numbers = {} if self._before is None else renamed(self._before, self._after)
        return "\n".join(rendered(self._after, numbers))

    def __repr__(self) -> str:
        return f"<Difference: {self.label} {self.change}>"


def differences(
    before: Module, after: Module, *, functions: Collection[str] | None = None, debug_info: bool = True
) -> Iterator[Difference]:
    """Yield the differences: facts of the modules, then globals, then debug information that has a name.

    Each kind comes in the order of the first module; additions of the second come last.

    Args:
        before, after: the modules; the compared parts are read during the comparison.
        functions: names of the functions to compare, if nothing else is to be compared, and read.
        debug_info: whether debug information counts: locations, records, the nodes they refer to.

    Raises:
        BitcodeError: something that is compared is malformed, or its metadata is out of all proportion.
    """
    old, new = ComparedModule(before, debug_info=debug_info), ComparedModule(after, debug_info=debug_info)
    if functions is None:
        yield from _facts(old, new)
        yield from _named_metadata(old, new)
    yield from _symbols(old, new, functions)
    if functions is None and debug_info:
        yield from _debug_information(old, new)


def unified_diff(difference: Difference, context: int = 3) -> Iterator[str]:
    """Yield the lines of a unified diff of a difference, without line ends.

    Args:
        difference: a result of `differences`.
        context: how many lines to show around each change.
    """
    before, after = difference.before, difference.after
    yield "--- /dev/null" if before is None else f"--- a/{difference.label}"
    yield "+++ /dev/null" if after is None else f"+++ b/{difference.label}"
    yield from unified_lines(_lines(before), _lines(after), context)


def _lines(text: str | None) -> list[str]:
    return [] if text is None else text.split("\n")


def _facts(old: ComparedModule, new: ComparedModule) -> Iterator[Difference]:
    before, after = old.facts(), new.facts()
    ranks = {category: rank for rank, category in enumerate(Category)}
    for part in sorted(_united(before, after), key=lambda part: ranks[part.category]):
        lines, others = before.get(part), after.get(part)
        if lines != others:
            yield Difference(part, lines, others)


def _named_metadata(old: ComparedModule, new: ComparedModule) -> Iterator[Difference]:
    """Compare named metadata by digests: it may lead to most nodes of a module, and so have a long text."""
    before, after = old.named_metadata(), new.named_metadata()
    digests = {part: _digest(old.named_metadata_lines(named)) for part, named in before.items()}
    others = {part: _digest(new.named_metadata_lines(named)) for part, named in after.items()}
    for part in _united(before, after):
        if digests.get(part) != others.get(part):
            yield Difference(
                part,
                list(old.named_metadata_lines(before[part])) if part in before else None,
                list(new.named_metadata_lines(after[part])) if part in after else None,
            )


def _symbols(old: ComparedModule, new: ComparedModule, functions: Collection[str] | None) -> Iterator[Difference]:
    """Compare globals, one after the other, so that no more than the texts of two are in memory."""
    before, after = old.symbols(), new.symbols()
    for label in _united(before, after):
        value = before[label] if label in before else after[label]
        if functions is not None and not (isinstance(value, Function) and value.name in functions):
            continue
        lines = old.symbol_lines(before[label]) if label in before else None
        others = new.symbol_lines(after[label]) if label in after else None
        if lines != others:
            yield Difference(
                NamedPart(_CATEGORIES[type(value)], label, "" if value is None else value.name), lines, others
            )


_CATEGORIES = {
    type(None): Category.VARIABLE,
    GlobalVariable: Category.VARIABLE,
    Function: Category.FUNCTION,
    GlobalAlias: Category.ALIAS,
    GlobalIFunc: Category.IFUNC,
}


def _debug_information(old: ComparedModule, new: ComparedModule) -> Iterator[Difference]:
    before = {name: _digest(lines) for name, lines in old.named_nodes()}
    after = {name: _digest(lines) for name, lines in new.named_nodes()}
    for name in _united(before, after):
        if before.get(name) != after.get(name):
            lines = list(old.named_node(name)) if name in before else None
            others = list(new.named_node(name)) if name in after else None
            yield Difference(NamedPart(Category.DEBUG_INFO, f"!{name}", name), lines, others)


def _digest(lines: Iterable[str]) -> bytes:
    found = blake2b(digest_size=16)
    for line in lines:
        found.update(f"{line}\n".encode("utf-8", "surrogatepass"))
    return found.digest()


def _united(before: Mapping[_Key, object], after: Mapping[_Key, object]) -> dict[_Key, None]:
    """Return the keys of both, additions of the second last."""
    return dict.fromkeys((*before, *after))

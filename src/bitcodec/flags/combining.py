"""Values of two flags made into one.  Rules: docs/reference/flags.md, 3.4 and 3.6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.flags.rules import Choice
from bitcodec.ir.metadata import MDTuple, constant_integer
from bitcodec.tables.module_flags import Behavior

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.ir.context import Context
    from bitcodec.ir.metadata import Metadata
    from bitcodec.ir.module_flags import ModuleFlag

__all__ = ["Combiner"]


class Combiner:
    """Makes the flags that result where two modules have one.

    Lists grow in place, as they do in LLVM, but their nodes are given the elements by `finish`: so a list of many
    modules is not copied for each of them.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._lists: dict[MDTuple, _GrowingList] = {}

    def combined(self, choice: Choice, destination: ModuleFlag, source: ModuleFlag) -> ModuleFlag | None:
        """Return the flag that results, None if the values are not such that one can."""
        match choice:
            case Choice.DESTINATION:
                return destination
            case Choice.SOURCE:
                return source
            case Choice.GREATER:
                return self._number(Behavior.MAX, destination, source)
            case Choice.LESSER:
                return self._number(Behavior.MIN, destination, source)
        return self._appended(destination, source, is_unique=choice is Choice.BOTH_ONCE)

    def zero(self, flag: ModuleFlag) -> ModuleFlag:
        """Return a flag with a number, with zero in its place."""
        number = constant_integer(flag.value)
        if number is None:
            return flag
        zero = self._context.metadata.value(self._context.constants.integer(number.type, 0))
        return self._flag(flag, zero)

    def finish(self) -> None:
        """Set the elements of the nodes of lists."""
        for node, grown in self._lists.items():
            node.set_operands(grown.elements)

    def _number(self, behavior: Behavior, destination: ModuleFlag, source: ModuleFlag) -> ModuleFlag | None:
        ours, theirs = constant_integer(destination.value), constant_integer(source.value)
        if ours is None or theirs is None:
            return None
        is_theirs = theirs.unsigned > ours.unsigned if behavior is Behavior.MAX else theirs.unsigned < ours.unsigned
        behaving = destination if destination.behavior is behavior else source
        return self._flag(behaving, (source if is_theirs else destination).value)

    def _flag(self, behaving: ModuleFlag, value: Metadata | None) -> ModuleFlag:
        """Return a flag with the behaviour of another, spelled as there."""
        behavior, key, _ = behaving.node
        return behaving._replace(value=value, node=self._context.metadata.tuple([behavior, key, value]))

    def _appended(self, destination: ModuleFlag, source: ModuleFlag, *, is_unique: bool) -> ModuleFlag | None:
        ours, theirs = destination.value, source.value
        if not isinstance(ours, MDTuple) or not isinstance(theirs, MDTuple):
            return None
        if not ours.is_distinct:
            # Others may share the nodes.
            ours = MDTuple(ours, is_distinct=True)
            behavior, key, _ = destination.node
            destination = destination._replace(value=ours, node=MDTuple((behavior, key, ours), is_distinct=True))
        if ours not in self._lists:
            self._lists[ours] = _GrowingList(ours)
        self._lists[ours].append(theirs.operands, is_unique=is_unique)
        return destination


class _GrowingList:
    """The elements of a list that others are added to."""

    __slots__ = ("_known", "elements")

    def __init__(self, elements: Iterable[Metadata | None]) -> None:
        self.elements = list(elements)
        self._known: dict[Metadata | None, None] = {}

    def append(self, added: Sequence[Metadata | None], *, is_unique: bool) -> None:
        """Add elements, all or the missing ones.

        Each repeat among the existing ones causes the loss of one new element: LLVM takes all unique elements, and
        adds the ones behind as many as existed.
        """
        if is_unique:
            known = self._known or dict.fromkeys(self.elements)
            added = [element for element in dict.fromkeys(added) if element not in known]
            added = added[len(self.elements) - len(known) :]
            known.update(dict.fromkeys(added))
            self._known = known
        self.elements += added

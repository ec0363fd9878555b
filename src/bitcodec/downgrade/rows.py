"""Rows of constructs that instructions have, and the rules for `scanning` that follow from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.downgrade.constructs import Construct
from bitcodec.downgrade.scanning import Watch
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.versions import OLDEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module

__all__ = ["Family", "InstructionConstruct", "Plan", "watches_of"]


class Plan(NamedTuple):
    """Context in which rows write instructions.

    Attributes:
        module: the module, which is not changed.
        losses: receives the constructs that the version lacks.
    """

    module: Module
    losses: Losses

    @property
    def version(self) -> int:
        """The version of LLVM that is written for."""
        return self.losses.version


class InstructionConstruct(NamedTuple):
    """A construct.

    Attributes:
        construct: the construct.
        kinds: the classes of instructions that may have it.
        harmless: by attribute, the values of instructions without it, if each attribute has one of them.  If nothing
            else is written for those that have it, instructions with the same values are alike, and one of them is
            examined.  If there are no attributes, each instruction is examined.
        has: returns whether an instruction has it that may have it; None: all have it.
        write: returns the replacement of one that has it, so that the last has its value; None: the instruction, in
            the form that `InstructionPrograms` has for the version.
        oldest: the first version that lacks it.
    """

    construct: Construct
    kinds: tuple[type[Instruction], ...]
    harmless: Mapping[str, Sequence[object]] = {}
    has: Callable[[Any], object] | None = None
    write: Callable[[Any, Plan], tuple[Instruction, ...]] | None = None
    oldest: int = OLDEST

    @property
    def since(self) -> int:
        """The first version of LLVM that has it."""
        return self.construct.since

    @property
    def counts(self) -> bool:
        """Whether instructions that are alike are counted."""
        return bool(self.harmless) and self.write is None

    def apply(self, instruction: Any, plan: Plan, place: str, times: int) -> tuple[Instruction, ...] | None:
        """Add an instruction to the losses if it has the construct; return its replacement, None for itself."""
        if self.has is not None and not self.has(instruction):
            return None
        plan.losses.add(self.construct, place, instruction, times)
        return None if self.write is None else self.write(instruction, plan)


class Family(NamedTuple):
    """Constructs of the same instructions, of which one or several values decide.

    Attributes:
        since: the first version of LLVM that has all of them.
        kinds, harmless: as of `InstructionConstruct`.
        apply: adds the losses of an instruction, and returns its replacement, None for itself.
    """

    since: int
    kinds: tuple[type[Instruction], ...]
    apply: Callable[[Any, Plan, str, int], tuple[Instruction, ...] | None]
    harmless: Mapping[str, Sequence[object]] = {}
    oldest: int = OLDEST
    counts: bool = False


def watches_of(rows: Iterable[InstructionConstruct | Family], plan: Plan) -> dict[type[Instruction], list[Watch]]:
    """Return the rules for a version by class of instructions: at most one that counts, and one that does not."""
    found: dict[type[Instruction], dict[bool, list[InstructionConstruct | Family]]] = {}
    for row in rows:
        if row.oldest <= plan.version < row.since:
            for kind in row.kinds:
                found.setdefault(kind, {}).setdefault(row.counts, []).append(row)
    return {
        kind: [
            Watch(kind, _harmless(of_kind), _rule(of_kind, plan, counts=counts), counts=counts)
            for counts, of_kind in groups.items()
        ]
        for kind, groups in found.items()
    }


def _harmless(rows: list[InstructionConstruct | Family]) -> dict[str, list[object]]:
    """Return the values of attributes that instructions without the constructs of some rows have."""
    found: dict[str, list[object]] = {}
    for row in rows:
        for name, values in row.harmless.items():
            found[name] = [value for value in values if value in found.get(name, values)]
    return found if all(row.harmless for row in rows) else {}


def _rule(
    rows: list[InstructionConstruct | Family], plan: Plan, *, counts: bool
) -> Callable[..., tuple[Instruction, ...] | bool | None]:
    """Return the rule that applies rows; each later row is for replacements by the one before, of the same class."""

    def count(instruction: Any, place: str, times: int) -> bool:
        before = plan.losses.count
        for row in rows:
            row.apply(instruction, plan, place, times)
        return plan.losses.count > before

    def replace(instruction: Any, place: str) -> tuple[Instruction, ...] | None:
        made: tuple[Instruction, ...] | None = None
        for row in rows:
            parts = (instruction,) if made is None else made
            for index, each in enumerate(parts):
                changed = row.apply(each, plan, place, 1) if type(each) is type(instruction) else None
                if changed is not None:
                    assert index == len(parts) - 1  # noqa: S101 - else what follows would refer to what is replaced
                    made = (*parts[:index], *changed)
        return made

    return count if counts else replace

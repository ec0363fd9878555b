"""Rules of the regions between a convergence control token and its uses: how they nest, and where cycles use tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.analysis.cycles import Cycles
from bitcodec.errors import BitcodecError
from bitcodec.ir.instructions import CallBase, Terminator
from bitcodec.verifier.convergence import LOOP, control_of
from bitcodec.verifier.rules import NumberedProblem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.analysis.cycles import Cycle
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.verifier.bodies import Body

__all__ = ["check_regions"]

_VISITS_PER_EDGE = 64


def check_regions(body: Body) -> None:
    """Check the uses of tokens in a function with controlled convergence."""
    _Regions(body).check()


class _Regions:
    """The tokens that are live in a function, block after block, in reverse post-order."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._tokens = body.convergence.tokens
        self._live_at: dict[BasicBlock, tuple[CallBase, ...]] = {}
        self._hearts: dict[Cycle, CallBase] = {}
        body.verifier.region_visits_left += _VISITS_PER_EDGE * sum(map(len, body.successors.values()))
        self._cycles = Cycles(body.blocks[0], body.successors, _predecessors, self._count_visit)

    def check(self) -> None:
        """Check all reachable blocks."""
        done: set[BasicBlock] = set()
        for block in reversed(list(self._post_order())):
            done.add(block)
            before = self._live_at.pop(block, ())
            live = list(before)
            for instruction in block.instructions:
                if isinstance(instruction, CallBase):
                    self._check_call(instruction, live)
            after = before if len(live) == len(before) and all(map(_is_same, live, before)) else tuple(live)
            self._count_visits(len(live))
            for successor in self._body.successors[block]:
                if successor not in done:
                    self._propagate(after, successor)

    def _check_call(self, call: CallBase, live: list[CallBase]) -> None:
        """Check the token that a call uses, and add the one that it makes."""
        token = self._tokens.get(call)
        if token is not None:
            problem = self._problem(token, call, live)
            if problem is not None:
                self._body.report(problem, call)
        if control_of(call) is not None:
            live.append(call)

    def _problem(self, token: CallBase, call: CallBase, live: list[CallBase]) -> NumberedProblem | None:
        """Return the problem of a use of a token, if it has one; end the regions inside the token's region."""
        block, defined_in = call.parent, token.parent
        if block is None or defined_in is None or not self._dominates(defined_in, block):
            return NumberedProblem("Convergence control token must dominate all its uses.", token, call)
        self._count_visits(len(live))
        if not any(found is token for found in live):
            return NumberedProblem("Convergence region is not well-nested.", token, call)
        while live[-1] is not token:
            live.pop()
        return self._cycle_problem(call, block, defined_in)

    def _cycle_problem(self, call: CallBase, block: BasicBlock, defined_in: BasicBlock) -> NumberedProblem | None:
        """Return the error in a use of a token in a cycle that does not contain its definition."""
        inner = self._cycles.innermost(block)
        cycle = None if inner is None else self._outermost_without(inner, defined_in)
        if inner is None or cycle is None:
            return None
        if control_of(call) != LOOP:
            return NumberedProblem(
                "Convergence token used by an instruction other than llvm.experimental.convergence.loop in a cycle "
                "that does not contain the token's definition.",
                call,
                inner,
            )
        if not cycle.is_reducible or block is not cycle.header:
            return NumberedProblem("Cycle heart must dominate all blocks in the cycle.", call, block, cycle)
        heart = self._hearts.setdefault(cycle, call)
        if heart is call:
            return None
        return NumberedProblem(
            "Two static convergence token uses in a cycle that does not contain either token's definition.",
            call,
            heart,
            cycle,
        )

    def _outermost_without(self, inner: Cycle, defined_in: BasicBlock) -> Cycle | None:
        """Return the outermost cycle around one that does not contain a block, None if that one contains it."""
        own = self._cycles.innermost(defined_in)
        around = set() if own is None else set(own.around())
        self._count_visits(len(around))
        found = None
        for cycle in inner.around():
            self._count_visit()
            if cycle in around:
                break
            found = cycle
        return found

    def _propagate(self, live: tuple[CallBase, ...], successor: BasicBlock) -> None:
        """Record the tokens that are live at the end of a predecessor."""
        known = self._live_at.get(successor)
        if known is live:
            return
        self._count_visits(len(live))
        if known is None:
            count = 0
            while count < len(live) and self._dominates(live[count].parent, successor):
                count += 1
            self._live_at[successor] = live if count == len(live) else live[:count]
        else:
            self._count_visits(len(known))
            self._live_at[successor] = _partition(known, frozenset(live))

    def _dominates(self, block: BasicBlock | None, other: BasicBlock) -> bool:
        dominators = self._body.dominators
        return block is other or (
            block is not None and dominators.is_reachable(block) and dominators.dominates(block, other)
        )

    def _post_order(self) -> Iterator[BasicBlock]:
        """Yield the reachable blocks, each after its successors, apart from those at the end of back edges."""
        successors = self._body.successors
        entry = self._body.blocks[0]
        seen = {entry}
        pending = [(entry, iter(successors[entry]))]
        while pending:
            block, following = pending[-1]
            for found in following:
                if found not in seen:
                    seen.add(found)
                    pending.append((found, iter(successors[found])))
                    break
            else:
                pending.pop()
                yield block

    def _count_visit(self) -> None:
        self._count_visits(1)

    def _count_visits(self, count: int) -> None:
        """Count visits to tokens, cycles and predecessors.

        Raises:
            BitcodecError: too many for the size of the module: many tokens are live in many blocks, or cycles with
                several entries are nested too deep.
        """
        verifier = self._body.verifier
        verifier.region_visits_left -= count
        if verifier.region_visits_left < 0:
            raise BitcodecError("convergence regions or cycles are nested too deep to be checked")


def _is_same(token: CallBase, other: CallBase) -> bool:
    return token is other


def _predecessors(block: BasicBlock) -> Iterator[BasicBlock]:
    """Yield the predecessors of a block in LLVM's order: the newest edge first."""
    for user in reversed(block.users):
        if isinstance(user, Terminator) and user.parent is not None:
            yield user.parent


def _partition(tokens: tuple[CallBase, ...], kept: frozenset[CallBase]) -> tuple[CallBase, ...]:
    """Return the tokens that are kept, in the order of `std::partition`: the last ones fill the gaps."""
    if kept.issuperset(tokens):
        return tokens
    found = list(tokens)
    first, last = 0, len(found)
    while True:
        while first < last and found[first] in kept:
            first += 1
        last -= 1
        while first < last and found[last] not in kept:
            last -= 1
        if first >= last:
            return tuple(found[:first])
        found[first], found[last] = found[last], found[first]
        first += 1

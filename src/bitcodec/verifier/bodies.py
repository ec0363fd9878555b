"""Facts that the rules of one function body share, such as the dominator tree."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from bitcodec.analysis.dominators import Dominators
from bitcodec.errors import BitcodecError
from bitcodec.ir.instructions import CallBase, CatchPad, CatchSwitch, CleanupPad, Invoke, LandingPad, Phi
from bitcodec.verifier.convergence import Convergence

if TYPE_CHECKING:
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.debug_info import DILocalVariable, DISubprogram
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.verifier.verifier import Verifier

__all__ = ["ATTACHED_CALL", "Body", "is_eh_pad"]

ATTACHED_CALL = "clang.arc.attachedcall"
"""The tag of bundles that name the function to call right after a call."""

_PAD_VISITS_PER_BLOCK = 16
_EH_PADS = (LandingPad, CatchPad, CleanupPad, CatchSwitch)


class Body:
    """The body of a function under inspection; each of its blocks has a terminator.

    Attributes:
        function: the function.
        verifier: the state that the module shares.
        blocks: its blocks.
        subprogram: the debug information of the function, None without any.
        siblings: pads that unwind to a pad with the same parent, and the terminators by which they do.
        variables: the variable of each parameter, by its number, as debug records have it.
        convergence: checks its convergent calls.
        scope_declarations: its calls that declare alias scopes.
        previous: the instruction before the one that is checked, in its block.
        funclet_blocks: blocks that control reaches inside a `catchpad` or `cleanuppad`, None until a rule needs them.
    """

    def __init__(self, function: Function, verifier: Verifier) -> None:
        self.function = function
        self.verifier = verifier
        self.layout = verifier.layout
        self.blocks = function.blocks
        self.subprogram: DISubprogram | None = verifier.subprogram_of(function)
        self.siblings: dict[Instruction, Instruction] = {}
        self.variables: dict[int, DILocalVariable] = {}
        self.convergence = Convergence(function)
        self.scope_declarations: list[CallBase] = []
        self.previous: Instruction | None = None
        verifier.pad_visits_left += _PAD_VISITS_PER_BLOCK * len(self.blocks)
        self.funclet_blocks: frozenset[BasicBlock] | None = None
        self._dominators: Dominators | None = None
        self._orders: dict[BasicBlock, tuple[tuple[Instruction, ...], dict[Instruction, int]]] = {}
        self._landing_type: Type | None = None
        self._first: dict[BasicBlock, Instruction | None] = {}
        self._returns_alone: dict[Invoke, bool] = {}
        self._bundle_operands: dict[CallBase, frozenset[int]] = {}

    @cached_property
    def successors(self) -> dict[BasicBlock, tuple[BasicBlock, ...]]:
        """The successors of each block: one entry for each way that leads out of it."""
        return {block: block.successors for block in self.blocks}

    @cached_property
    def predecessors(self) -> dict[BasicBlock, list[BasicBlock]]:
        """The predecessors of each block that has any: one entry for each way that leads to it."""
        found: dict[BasicBlock, list[BasicBlock]] = {}
        for block, successors in self.successors.items():
            for successor in successors:
                found.setdefault(successor, []).append(block)
        return found

    @property
    def dominators(self) -> Dominators:
        """Its dominators, computed at first access."""
        if self._dominators is None:
            self._dominators = Dominators(self.blocks[0], self.successors, self.predecessors)
        return self._dominators

    def is_reachable(self, block: BasicBlock) -> bool:
        """Return whether a block is reachable."""
        return block is self.blocks[0] or self.dominators.is_reachable(block)

    def report(self, message: str, *values: object, is_debug_info: bool = False) -> None:
        """Add a finding in this function; see `Verifier.report`."""
        self.verifier.report(message, *values, is_debug_info=is_debug_info)

    def count_nested_pad_user(self) -> None:
        """Count a visit to a user of a pad that is nested in another.

        Raises:
            BitcodecError: too many visits for the size of the module; cleanups are nested too deep.
        """
        self.verifier.pad_visits_left -= 1
        if self.verifier.pad_visits_left < 0:
            raise BitcodecError("exception-handling pads are nested too deep to be checked")

    def agrees_on_landing(self, type_: Type) -> bool:
        """Return whether a type is the one that the first landing pad, or `resume`, of the function has."""
        if self._landing_type is None:
            self._landing_type = type_
        return self._landing_type is type_

    def dominates_use(self, definition: Instruction, user: Instruction, operand: int) -> bool:
        """Return whether a value dominates a use of it.

        A phi uses its values at the end of the blocks they come from; where control never comes all is well.  What an
        `invoke` returns is there on the way to its normal destination alone.  The caller has checked whether the value
        is defined before its user in the same block.
        """
        used_in = user.incoming_block(operand) if isinstance(user, Phi) else user.parent
        defined_in = definition.parent
        dominators = self.dominators
        if used_in is None or not dominators.is_reachable(used_in):
            return True
        if defined_in is None or not dominators.is_reachable(defined_in):
            return False
        if isinstance(definition, Invoke):
            return self._is_behind_return(definition, user, used_in)
        if defined_in is not used_in:
            return dominators.dominates(defined_in, used_in)
        return isinstance(user, Phi)

    def _is_behind_return(self, invoke: Invoke, user: Instruction, used_in: BasicBlock) -> bool:
        """Return whether the normal edge of an `invoke` dominates a use."""
        end = invoke.normal_destination
        if end is invoke.unwind_destination:
            return True  # which is refused already
        if isinstance(user, Phi) and user.parent is end and used_in is invoke.parent:
            return True
        if not self.dominators.dominates(end, used_in):
            return False
        if invoke not in self._returns_alone:
            self._returns_alone[invoke] = self._is_only_way(invoke.parent, end)
        return self._returns_alone[invoke]

    def _is_only_way(self, start: BasicBlock | None, end: BasicBlock) -> bool:
        """Return whether one edge from `start` is the only way into `end`, except from blocks that it dominates."""
        dominators = self.dominators
        others = [block for block in self.predecessors[end] if block is not start]
        return len(self.predecessors[end]) - len(others) == 1 and all(
            not dominators.is_reachable(block) or dominators.dominates(end, block) for block in others
        )

    def attached_call_operands(self, call: CallBase) -> frozenset[int]:
        """Return the indices of the operands in bundles that name the function to call right after a call."""
        found = self._bundle_operands.get(call)
        if found is None:
            indices: list[int] = []
            first = len(call.arguments)
            for bundle in call.bundles:
                behind = first + len(bundle.inputs)
                if bundle.tag == ATTACHED_CALL:
                    indices += range(first, behind)
                first = behind
            found = self._bundle_operands[call] = frozenset(indices)
        return found

    def first_behind_phis(self, block: BasicBlock) -> Instruction | None:
        """Return the first instruction of a block that is not a phi."""
        if block not in self._first:
            self._first[block] = next((found for found in block.instructions if not isinstance(found, Phi)), None)
        return self._first[block]

    def beside(self, instruction: Instruction, distance: int) -> Instruction | None:
        """Return the instruction so many places behind another in its block, None behind the end."""
        instructions, places = self._order(instruction)
        place = places[instruction] + distance
        return instructions[place] if 0 <= place < len(instructions) else None

    def _order(self, instruction: Instruction) -> tuple[tuple[Instruction, ...], dict[Instruction, int]]:
        """Return the instructions of a block, and the place of each."""
        block = instruction.parent
        assert block is not None, "an instruction that uses or is used has a block"  # noqa: S101 - checked before
        if block not in self._orders:
            instructions = block.instructions
            self._orders[block] = instructions, {found: place for place, found in enumerate(instructions)}
        return self._orders[block]


def is_eh_pad(instruction: Instruction | None) -> bool:
    """Return whether unwinding may arrive at an instruction."""
    return isinstance(instruction, _EH_PADS)

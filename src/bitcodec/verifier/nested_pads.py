"""Unwinding out of a pad: all ways out of it, and out of the cleanups nested in it, end at one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantTokenNone
from bitcodec.ir.instructions import (
    Call,
    CatchPad,
    CatchReturn,
    CatchSwitch,
    CleanupPad,
    CleanupReturn,
    Invoke,
)
from bitcodec.verifier.bodies import is_eh_pad
from bitcodec.verifier.rules import Problem

if TYPE_CHECKING:
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.values import Value
    from bitcodec.verifier.bodies import Body

__all__ = ["FUNCLETS", "enclosing", "funclet_problem", "note_sibling", "parent_of"]

FUNCLETS = (CatchPad, CleanupPad, CatchSwitch)


def parent_of(pad: Value | None) -> Value | None:
    """Return the pad around a pad, None for the function itself."""
    return enclosing(pad.parent_pad) if isinstance(pad, FUNCLETS) else None


def enclosing(token: Value | None) -> Value | None:
    """Return the pad that a token operand names, None for `none`."""
    return None if isinstance(token, ConstantTokenNone) else token


def funclet_problem(pad: CatchPad | CleanupPad, body: Body) -> str | None:
    """Return the first problem of the users of a pad and of the cleanups nested in it."""
    search = _Search(pad, body)
    problem = search.run()
    if problem is not None or search.first_exit is None:
        return problem
    switch = pad.parent_pad
    if isinstance(switch, CatchSwitch):
        destination = switch.unwind_destination
        expected = None if destination is None else body.first_behind_phis(destination)
        if search.target is not expected:
            message = "Unwind edges out of a catch must have the same unwind dest as the parent catchswitch"
            return Problem(message, pad, search.first_exit, switch)
    return None


def note_sibling(switch: CatchSwitch, body: Body) -> None:
    """Record that a `catchswitch` unwinds to a pad with the same parent."""
    if switch.unwind_destination is not None:
        target = body.first_behind_phis(switch.unwind_destination)
        if is_eh_pad(target) and parent_of(target) is parent_of(switch):
            body.siblings[switch] = switch


class _Search:
    """A search for the ways out of a pad.

    LLVM visits all users of the pad, but users of a nested cleanup only up to the first way out.

    Attributes:
        first_exit: the first user found by which unwinding leaves the pad.
        target: the pad to which that user unwinds, None for the caller.
    """

    def __init__(self, pad: CatchPad | CleanupPad, body: Body) -> None:
        self._pad = pad
        self._body = body
        self._pending: list[Value] = [pad]
        self.first_exit: Instruction | None = None
        self.target: Instruction | None = None

    def run(self) -> str | None:
        """Visit the pad and the cleanups nested in it; return the first problem."""
        seen: set[Value] = set()
        while self._pending:
            current = self._pending.pop()
            if current in seen:
                return Problem("FuncletPadInst must not be nested within itself", current)
            seen.add(current)
            resolved, problem = self._visit(current)
            if problem is not None:
                return problem
            if resolved and current is not self._pad:
                self._drop_resolved(resolved)
        return None

    def _visit(self, current: Value) -> tuple[list[Value], str | None]:
        """Visit the users of a pad; return the pads whose unwind destination is known now, and the first problem."""
        resolved: list[Value] = []
        # The use made last is the first one in LLVM's list.
        for user in reversed(current.users):
            if current is not self._pad:
                self._body.count_nested_pad_user()
            if isinstance(user, CleanupPad):
                self._pending.append(user)
                continue
            if _cannot_unwind(user):
                continue
            if not isinstance(user, (CatchSwitch, CleanupReturn, Invoke)):
                return resolved, Problem("Bogus funclet pad use", user)
            destination = user.unwind_destination
            target = None if destination is None else self._body.first_behind_phis(destination)
            if destination is not None and (not is_eh_pad(target) or parent_of(target) is current):
                continue
            resolved = self._exited(current, target)
            if resolved[-1] is self._pad:
                problem = self._note_exit(user, target)
                if problem is not None:
                    return resolved, problem
            if current is not self._pad:
                break
        return resolved, None

    def _exited(self, current: Value, target: Instruction | None) -> list[Value]:
        """Return the pads that an edge leaves, from the innermost one to the one of the search at most."""
        outer = parent_of(target)
        found = [current]
        while found[-1] is not self._pad:
            self._body.count_nested_pad_user()
            parent = parent_of(found[-1])
            if parent is None or (target is not None and parent is outer):
                break
            found.append(parent)
        return found

    def _note_exit(self, user: Instruction, target: Instruction | None) -> str | None:
        """Record a user that leaves the pad; return a problem if an earlier one unwinds to another place."""
        pad = self._pad
        if self.first_exit is None:
            self.first_exit, self.target = user, target
            if isinstance(pad, CleanupPad) and target is not None and parent_of(target) is parent_of(pad):
                self._body.siblings[pad] = user
        elif self.target is not target:
            message = "Unwind edges out of a funclet pad must have the same unwind dest"
            return Problem(message, pad, user, self.first_exit)
        return None

    def _drop_resolved(self, resolved: list[Value]) -> None:
        """Drop the pending cleanups whose parent has a known unwind destination."""
        known = set(resolved) - {self._pad}
        while self._pending and parent_of(self._pending[-1]) in known:
            self._pending.pop()


def _cannot_unwind(user: Value) -> bool:
    """Return whether a user of a pad never counts as a way out; calls may be in pads that unwind elsewhere."""
    if isinstance(user, CatchSwitch):
        return not user.has_unwind_destination
    return isinstance(user, (Call, CatchReturn))

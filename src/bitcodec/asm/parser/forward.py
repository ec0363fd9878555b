"""Values that are used before they are defined.

A local value is replaced in the instructions that use it when it is defined.  Globals may be used by constants, which
are shared: these are rebuilt once each, all together, when the whole text has been read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constant_replacement import replace_constants
from bitcodec.ir.constants import Constant, ConstantData, ConstantWithOperands
from bitcodec.ir.construction.present import present_uses
from bitcodec.ir.construction.replacing import replace_wrapped
from bitcodec.ir.construction.setting import keep_no_users, set_uses
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.uses import numbered_uses
from bitcodec.ir.values import Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.uses import Places
    from bitcodec.ir.values import User

__all__ = ["ForwardConstant", "ForwardValue", "PendingConstants"]


_MAX_EARLY = 1 << 16
"""When so many operands have been looked at before the end of the text, the others are replaced then."""


class ForwardValue(Value):
    """Stands for an argument or instruction to come.

    Attributes:
        position: the position of its first use.
        sites: instructions and the indices of their operands, in the order in which they were read.
    """

    __slots__ = ("position", "sites")

    def __init__(self, type: Type, position: int) -> None:
        super().__init__(type)
        keep_no_users(self)
        self.position = position
        self.sites: list[tuple[Instruction, int]] = []

    def become(self, value: Value) -> None:
        """Let everything that uses it use a value of the same type, the last use first, as LLVM does."""
        sites = self.sites
        sites.reverse()
        for instruction, index in sites:
            instruction.set_operand(index, value)
        if len(sites) > 1 and not isinstance(value, ConstantData):
            set_uses(value, sites)
        replace_wrapped(self, value)


class ForwardConstant(Constant):
    """Placeholder of a global, or of a constant that uses one, that is defined later in the text.

    Attributes:
        position: the position of its first use.
    """

    __slots__ = ("position",)

    def __init__(self, type: Type, position: int) -> None:
        super().__init__(type, ())
        self.position = position


class PendingConstants:
    """Placeholders of constants, until the text has been read."""

    __slots__ = ("_early", "_known", "_makers", "_outside", "_replaced", "_settled")

    def __init__(self) -> None:
        self._early = 0
        self._known: dict[Constant, Constant] = {}
        self._replaced: dict[Constant, Constant] = {}
        self._settled: set[Constant] = set()
        self._outside: set[Constant] = set()
        self._makers: dict[Constant, tuple[ForwardConstant, Callable[[], Constant]]] = {}

    def settle(self, forward: ForwardConstant, constant: Constant) -> None:
        """Remember the constant that replaces a forward reference."""
        self._known[forward] = constant
        self._settled.add(constant)

    def settle_outside(self, constants: dict[Constant, Constant]) -> None:
        """Replace some constants, and everything that they replace, by constants outside this text."""
        for forward, constant in self._known.items():
            if constant in constants:
                self._known[forward] = constants[constant]
        self._known.update(constants)
        self._outside.update(constants.values())

    def made_later(self, part: Constant, make: Callable[[], Constant], position: int) -> ForwardConstant:
        """Return a placeholder of the constant around another one that is not defined yet; it is created at the end."""
        known = self._makers.get(part)
        if known is None:
            known = self._makers[part] = ForwardConstant(part.type, position), make
        return known[0]

    def resolved(self, constant: Constant) -> Constant:
        """Return the constant that replaces a placeholder, or the constant itself if it is known already."""
        constant = self._replaced.get(constant, constant)
        return self._known.get(constant, constant)

    def has_all_uses(self, value: Constant) -> bool:
        """Return whether all uses of a constant so far are among its uses; uses of its placeholders are moved there.

        Printed text needs that once or a few times.  In other text, constants could be rebuilt over and over.
        """
        if self._known and not (isinstance(value, GlobalValue) and value not in self._settled):
            if self._early >= _MAX_EARLY:
                return False
            self._early += 1 + self._replace()
        return True

    def replace_all(self) -> None:
        """Replace all placeholders.

        Raises:
            AssemblyError: one of them does not exist.
        """
        for forward, make in self._makers.values():
            self._known[forward] = make()
        self._replace()

    def _replace(self) -> int:
        """Replace the constants that are known; return how much was to be done."""
        known = self._known
        if not known:
            return 0
        places: Places = {}
        uses = [
            (value, _as_replaced(forward, places), [*numbered_uses(value, places)])
            for forward, value in known.items()
            if value not in self._outside
        ]
        count = replace_constants(known, keeps_order=True)
        for value, waiting, own in uses:
            # Constants of the placeholder and of the value itself may be the same now.
            order = dict.fromkeys(
                (known.get(user, user) if isinstance(user, ConstantWithOperands) else user, number)
                for user, number in (*waiting, *own)
            )
            if len(order) > 1 and len(order) == len(present_uses(value)):
                set_uses(value, order)
        self._replaced.update(known)
        known.clear()
        self._settled.clear()
        return count


def _as_replaced(forward: Constant, operand_places: Places) -> list[tuple[User, int]]:
    """Return the uses of a placeholder in the order in which LLVM replaces it by the constant.

    It begins with the last use. A constant that uses the value gets it for all operands at once.
    """
    uses = [*numbered_uses(forward, operand_places)]
    places: dict[User, list[int]] = {}
    for user, number in uses:
        places.setdefault(user, []).append(number)
    found: dict[tuple[User, int], None] = {}
    for user, number in reversed(uses):
        is_constant = isinstance(user, ConstantWithOperands)
        found.update(dict.fromkeys([(user, each) for each in (places.pop(user, ()) if is_constant else (number,))]))
    return [*found]

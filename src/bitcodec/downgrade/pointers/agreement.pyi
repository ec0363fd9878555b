from collections.abc import Mapping

from bitcodec.downgrade.pointers.integers import Integers
from bitcodec.downgrade.pointers.pointees import PointerTypes
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Instruction

class Agreement:
    def __init__(self, types: PointerTypes, order: Integers, starts: Mapping[Function, int]) -> None: ...
    def enter(self, function: Function) -> None: ...
    def holds(self, instruction: Instruction) -> bool: ...

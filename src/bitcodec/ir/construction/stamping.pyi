from collections.abc import Sequence

from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.metadata import MDNode
from bitcodec.ir.symbols import SymbolTable
from bitcodec.ir.values import Value

class Ending:
    def __init__(self, block: BasicBlock) -> None: ...
    def cut(self, instruction: Instruction) -> None: ...
    def take(self) -> list[Instruction]: ...
    def restore(self) -> None: ...

class StampedStep:
    additions: list[tuple[int, int, int]]
    def __init__(
        self,
        prototype: Instruction | BasicBlock,
        operands: Sequence[int | Value] = (),
        incoming: Sequence[int] = (),
        attached: Sequence[tuple[str, MDNode | None]] = (),
        *,
        has_location: bool = False,
    ) -> None: ...

class Stamp:
    def __init__(
        self,
        steps: Sequence[StampedStep],
        layout: Sequence[Sequence[int]],
        blocks: Sequence[int],
        result: int,
        halves: Sequence[int],
        changes: Sequence[tuple[str, object]] | None,
        before: int,
    ) -> None: ...
    def apply(self, original: Instruction, ending: Ending, table: SymbolTable) -> list[BasicBlock]: ...

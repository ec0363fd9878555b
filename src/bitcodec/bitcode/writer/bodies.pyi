from collections.abc import Iterable, Mapping, Sequence

from bitcodec.bitcode.writer.collected import Collected
from bitcodec.bitstream.rows import Rows
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.constants import Constant
from bitcodec.ir.context import Context
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import Instruction, ShuffleVector
from bitcodec.ir.metadata import DIArgList
from bitcodec.ir.types import Type
from bitcodec.ir.values import Value
from bitcodec.object_numbers import ObjectNumbers

class BodyOperands:
    function: Function
    instructions: list[Instruction]
    results: list[Instruction]
    types: list[Type]
    held: ObjectNumbers
    masks: Mapping[ShuffleVector, Constant]
    local: Mapping[Value, None]
    lists: Mapping[DIArgList, None]
    named: list[Instruction]
    named_blocks: list[tuple[BasicBlock, int]]
    attached: list[int]
    has_stray_metadata: bool
    def __init__(
        self,
        function: Function,
        context: Context,
        written: Sequence[tuple[list[Instruction], list[Instruction]]] | None,
        known_types: ObjectNumbers,
    ) -> None: ...
    def add_constants(self, found: Collected, known: ObjectNumbers) -> None: ...
    def add_names(self, rows: Rows, values: ObjectNumbers) -> None: ...
    def block_addresses(self, blocks: Iterable[BasicBlock]) -> list[BlockAddress]: ...

def replaced(
    function: Function, replacements: Mapping[Instruction, tuple[Instruction, ...]]
) -> list[tuple[list[Instruction], list[Instruction]]]: ...
def with_casts(
    written: list[Instruction],
    values: list[Instruction],
    casts: Mapping[Value, list[Instruction]],
    pending: list[Instruction],
) -> tuple[list[Instruction], list[Instruction]]: ...

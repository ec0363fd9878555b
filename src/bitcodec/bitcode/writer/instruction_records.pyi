from collections.abc import Mapping

from bitcodec.bitcode.writer.bodies import Body
from bitcodec.bitcode.writer.numbers import Numbers
from bitcodec.bitcode.writer.rows import Rows
from bitcodec.ir.basic_blocks import BasicBlock

COMPILED: bool

class InstructionWriter:
    def __init__(
        self, body: Body, numbers: Numbers, blocks: Mapping[BasicBlock, int], alloca_space: int, rows: Rows
    ) -> None: ...
    def write(self, number: int) -> None: ...
    def write_attachments(self, code: int, rows: Rows) -> None: ...

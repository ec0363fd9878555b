from collections.abc import Mapping

from bitcodec.bitcode.writer.bodies import BodyOperands
from bitcodec.bitcode.writer.debug_records import DebugRecordWriter
from bitcodec.bitcode.writer.numbers import Numbers
from bitcodec.bitcode.writer.rows import Rows
from bitcodec.ir.basic_blocks import BasicBlock

class InstructionWriter(DebugRecordWriter):
    def __init__(self, numbers: Numbers, alloca_space: int) -> None: ...
    def write(self, body: BodyOperands, blocks: Mapping[BasicBlock, int], number: int, rows: Rows) -> None: ...
    def write_attachments(self, code: int, rows: Rows) -> None: ...

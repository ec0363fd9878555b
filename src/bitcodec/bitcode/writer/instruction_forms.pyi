from bitcodec.bitcode.writer.programs import Choice
from bitcodec.ir.instructions import Instruction

COMPILED: bool

class InstructionForm:
    def __init__(self, kind: type[Instruction], choice: Choice) -> None: ...

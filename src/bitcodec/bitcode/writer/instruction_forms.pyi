from bitcodec.bitcode.writer.programs import FormProgram
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.types import Type
from bitcodec.ir.values import Value

class RecordTypes:
    def type_of(self, value: Value) -> Type: ...
    def explicit_type(self, _instruction: Instruction) -> Type: ...

class InstructionForm:
    def __init__(self, kind: type[Instruction], program: FormProgram) -> None: ...

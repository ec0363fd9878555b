from bitcodec.ir.instructions import Cast, Instruction
from bitcodec.ir.types import Type
from bitcodec.ir.values import Value

COMPILED: bool

def new_cast(value: Value, type_: Type) -> Cast: ...
def copy_of(instruction: Instruction) -> Instruction: ...

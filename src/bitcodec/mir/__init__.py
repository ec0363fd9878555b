"""Machine IR: `.mir` files read, changed and written without losses.

>>> from bitcodec import mir
>>> module = mir.open("examples/atomics.mir")
>>> [function.name for function in module.functions]
['add', 'load']

A file is LLVM IR, which `MachineModule.module` is as a module, and a YAML document for each machine function, with a
body in MIR syntax.  `module` has files, `function`, `blocks` and `instruction` their parts,
`operands`, `registers` and `memory_operands` the operands of instructions; `lexer` and the `..._parser`s read,
`body_printer` writes.  Unchanged parts keep their characters.  `ir_text` writes a changed module, and `renaming` adapts
machine functions.  `rewriting` changes instructions by the rules of PC sections, `builder` makes new ones.

`save` and `open` handle files, `loads` and `dumps` text; `parse_instruction` reads one line of a body.
"""

from bitcodec.mir.blocks import LiveIn, MachineBasicBlock, Successor
from bitcodec.mir.builder import MIBuilder, MIMetadata
from bitcodec.mir.function import MachineFunction
from bitcodec.mir.instruction import MachineInstr
from bitcodec.mir.instruction_parser import parse_instruction
from bitcodec.mir.memory_operands import MachineMemOperand
from bitcodec.mir.module import MachineModule, dumps, loads, open, save  # noqa: A004 - `mir.open`, like `bitcodec.open`
from bitcodec.mir.operand import MachineOperand
from bitcodec.mir.operands import (
    BlockReference,
    CImmediate,
    ExternalSymbol,
    FrameIndex,
    GlobalAddress,
    Immediate,
    ImmediateMnemonic,
    InlineNode,
    NodeAddress,
    NodeReference,
)
from bitcodec.mir.registers import NO_REGISTER, Register, RegisterFlag
from bitcodec.mir.rewriting import MachineRewriter

__all__ = [
    "NO_REGISTER",
    "BlockReference",
    "CImmediate",
    "ExternalSymbol",
    "FrameIndex",
    "GlobalAddress",
    "Immediate",
    "ImmediateMnemonic",
    "InlineNode",
    "LiveIn",
    "MIBuilder",
    "MIMetadata",
    "MachineBasicBlock",
    "MachineFunction",
    "MachineInstr",
    "MachineMemOperand",
    "MachineModule",
    "MachineOperand",
    "MachineRewriter",
    "NodeAddress",
    "NodeReference",
    "Register",
    "RegisterFlag",
    "Successor",
    "dumps",
    "loads",
    "open",
    "parse_instruction",
    "save",
]

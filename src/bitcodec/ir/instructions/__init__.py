"""Instructions: one class for each kind, grouped as LLVM's reference groups them."""

from bitcodec.host.code_copies import copy_to_subclasses
from bitcodec.ir.instructions.arithmetic import BinaryOperator, Cast, FCmp, Freeze, ICmp, Select, UnaryOperator
from bitcodec.ir.instructions.calls import Call, CallBase, CallBranch, Invoke, OperandBundle
from bitcodec.ir.instructions.checks import check_instructions
from bitcodec.ir.instructions.control_flow import Branch, IndirectBranch, Phi, Return, Switch, Unreachable
from bitcodec.ir.instructions.exceptions import (
    CatchPad,
    CatchReturn,
    CatchSwitch,
    Clause,
    CleanupPad,
    CleanupReturn,
    LandingPad,
    Resume,
)
from bitcodec.ir.instructions.instruction import Instruction, Terminator
from bitcodec.ir.instructions.memory import (
    Alloca,
    AtomicCmpXchg,
    AtomicRMW,
    Fence,
    GetElementPtr,
    Load,
    Store,
    VAArg,
)
from bitcodec.ir.instructions.vectors import (
    ExtractElement,
    ExtractValue,
    InsertElement,
    InsertValue,
    ShuffleVector,
)

__all__ = [
    "Alloca",
    "AtomicCmpXchg",
    "AtomicRMW",
    "BinaryOperator",
    "Branch",
    "Call",
    "CallBase",
    "CallBranch",
    "Cast",
    "CatchPad",
    "CatchReturn",
    "CatchSwitch",
    "Clause",
    "CleanupPad",
    "CleanupReturn",
    "ExtractElement",
    "ExtractValue",
    "FCmp",
    "Fence",
    "Freeze",
    "GetElementPtr",
    "ICmp",
    "IndirectBranch",
    "InsertElement",
    "InsertValue",
    "Instruction",
    "Invoke",
    "LandingPad",
    "Load",
    "OperandBundle",
    "Phi",
    "Resume",
    "Return",
    "Select",
    "ShuffleVector",
    "Store",
    "Switch",
    "Terminator",
    "UnaryOperator",
    "Unreachable",
    "VAArg",
]

check_instructions()
copy_to_subclasses(Instruction, "_begin")

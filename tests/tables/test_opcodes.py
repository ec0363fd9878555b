"""Words and numbers of opcodes, predicates and orderings are those of LLVM 22."""

from __future__ import annotations

import subprocess
from typing import Any

import bitcodec
from answers import recall
from bitcodec import bitstream
from bitcodec.bitcode.schema.blocks import BlockId

BINARY = ["add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor"]
FLOATING = ["fadd", "fsub", "fmul", "fdiv", "frem"]
PREDICATES = ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"]
FLOATING_PREDICATES = [
    "false",
    "oeq",
    "ogt",
    "oge",
    "olt",
    "ole",
    "one",
    "ord",
    "uno",
    "ueq",
    "ugt",
    "uge",
    "ult",
    "ule",
    "une",
    "true",
]
EXCHANGES = [
    "xchg",
    "add",
    "sub",
    "and",
    "nand",
    "or",
    "xor",
    "max",
    "min",
    "umax",
    "umin",
    "uinc_wrap",
    "udec_wrap",
    "usub_cond",
    "usub_sat",
]
FLOATING_EXCHANGES = ["fadd", "fsub", "fmax", "fmin", "fmaximum", "fminimum"]
ORDERINGS = ["monotonic", "acquire", "release", "acq_rel", "seq_cst"]
CASTS = {
    **dict.fromkeys(("zext", "sext"), ("i32 %a", "i64")),
    **dict.fromkeys(("fptoui", "fptosi"), ("float %x", "i32")),
    **dict.fromkeys(("uitofp", "sitofp"), ("i32 %a", "float")),
    "trunc": ("i32 %a", "i8"),
    "fptrunc": ("float %x", "half"),
    "fpext": ("float %x", "double"),
    "ptrtoint": ("ptr %p", "i64"),
    "ptrtoaddr": ("ptr %p", "i64"),
    "inttoptr": ("i32 %a", "ptr"),
    "bitcast": ("i32 %a", "float"),
    "addrspacecast": ("ptr %p", "ptr addrspace(1)"),
}
LINES = [
    *(f"{opcode} i32 %a, %a" for opcode in BINARY),
    *(f"{opcode} float %x, %x" for opcode in FLOATING),
    *(f"icmp {predicate} i32 %a, 7" for predicate in PREDICATES),
    *(f"fcmp {predicate} float %x, %x" for predicate in FLOATING_PREDICATES),
    *(f"atomicrmw {operation} ptr %p, i32 %a monotonic, align 4" for operation in EXCHANGES),
    *(f"atomicrmw {operation} ptr %p, float %x monotonic, align 4" for operation in FLOATING_EXCHANGES),
    *(f"atomicrmw add ptr %p, i32 %a {ordering}, align 4" for ordering in ORDERINGS),
    "load atomic i32, ptr %p unordered, align 4",
    *(f"{opcode} {value} to {type_}" for opcode, (value, type_) in CASTS.items()),
    *(f"{kind}call i32 @g()" for kind in ("", "tail ", "notail ")),
    "musttail call i32 @h(i32 %a, float %x, ptr %p)",
]
BODY = "".join(f"  %v{number} = {line}\n" for number, line in enumerate(LINES))
TEXT = (
    f"declare i32 @g()\n\ndeclare i32 @h(i32, float, ptr)\n\n"
    f"define i32 @f(i32 %a, float %x, ptr %p) {{\n{BODY}  ret i32 %v{len(LINES) - 1}\n}}\n"
)


def records(data: bytes) -> list[Any]:
    """Return the records of the function."""
    block = bitstream.loads(data).edit().block(BlockId.MODULE_BLOCK).block(BlockId.FUNCTION_BLOCK)
    return [[record.code, *record.operands] for record in block.records]


def answers() -> list[Any]:
    """Return the records that LLVM 22 writes, and the text that it prints of them."""
    data = subprocess.run(["llvm-as-22", "-", "-o", "-"], input=TEXT.encode(), capture_output=True, check=True).stdout
    text = subprocess.run(["llvm-dis-22", "-", "-o", "-"], input=data, capture_output=True, check=True).stdout.decode()
    return [records(data), text[text.index("define") :]]


def test_words_and_numbers() -> None:
    made, printed = recall(["llvm-as-22, llvm-dis-22", TEXT], answers)
    data = bitcodec.dumps(bitcodec.parse_assembly(TEXT))

    assert records(data) == made
    text = str(bitcodec.loads(data))
    assert text[text.index("define") :] == printed
    assert all(f" = {line}\n" in printed for line in LINES)

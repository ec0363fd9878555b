"""Records the registers that code generators choose for operands of inline assembly in `assembly_registers.txt`.

`python -m tests.downgrade.make_assembly_registers` needs `llc-22`, and libNVVM, which `shared/oracles` beside
the checkout has.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import bitcodec
from libnvvm import compile_to_ptx

__all__ = ["CONSTRAINTS", "KINDS", "RECORD", "TYPES", "registers_of", "text_of"]

RECORD = Path(__file__).parent / "assembly_registers.txt"
HEADER = """\
# Registers of operands of inline assembly, recorded with llc of LLVM 22.1.8 and libNVVM of CUDA 12.4 by
# make_assembly_registers.py.  A line: the code generator, a constraint, a type, whether it is an argument ("in"), a
# result ("out") or a result with a tied argument ("tied"), and the register without its number, "none" if refused.
"""
CONSTRAINTS = "bchrlfdq"
KINDS = ("in", "out", "tied")
_SCALARS = ("i1", "i8", "i16", "i32", "i64", "i128", "i24", "half", "bfloat", "float", "double", "ptr")
_VECTORS = (
    *("<2 x i1>", "<8 x i1>", "<32 x i1>", "<2 x i8>", "<3 x i8>", "<4 x i8>", "<8 x i8>", "<2 x i16>", "<4 x i16>"),
    *("<2 x i32>", "<4 x i32>", "<2 x i64>", "<1 x half>", "<2 x half>", "<3 x half>", "<4 x half>", "<8 x half>"),
    *("<2 x bfloat>", "<4 x bfloat>", "<2 x float>", "<4 x float>", "<2 x double>", "<1 x i32>", "<1 x i64>"),
)
TYPES = (*_SCALARS, *_VECTORS)
_PASSED = ("i8", "i16", "i32", "i64", "float", "double", "ptr")
_LAYOUT = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
    "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
)


def text_of(constraint: str, type_: str, kind: str) -> str:
    """Return a module with a call of assembly."""
    call = {
        "in": f'call void asm sideeffect "USE $0;", "{constraint}"({type_} %v)',
        "out": f'%r = call {type_} asm sideeffect "USE $0;", "={constraint}"()',
        "tied": f'%r = call {type_} asm sideeffect "USE $0;", "={constraint},0"({type_} %v)',
    }[kind]
    stored = "" if kind == "in" else f"store {type_} %r, ptr %p\n"
    return (
        f'target datalayout = "{_LAYOUT}"\ntarget triple = "nvptx64-nvidia-cuda"\n'
        f"define void @f(ptr %p) {{\n%v = load {type_}, ptr %p\n{call}\n{stored}ret void\n}}\n"
    )


def registers_of(ptx: str) -> str:
    """Return the register that the assembly uses, without its number."""
    found = re.search(r"USE (%[a-z]+)\d+;", ptx)
    return found[1] if found else "none"


def by_llc(text: str) -> str:
    command = ["llc-22", "-mcpu=sm_90", "-mattr=+ptx84", "-o", "-"]
    run = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    return "none" if run.returncode else registers_of(run.stdout)


def by_libnvvm(text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "assembly.bc"
        path.write_bytes(bitcodec.dumps(bitcodec.parse_assembly(text), profile="nvvm"))
        return registers_of(compile_to_ptx(path, "75").ptx)


def lines() -> Iterator[str]:
    for constraint in CONSTRAINTS:
        for kind in KINDS:
            for type_ in TYPES:
                yield f"llc {constraint} {type_} {kind} {by_llc(text_of(constraint, type_, kind))}\n"
            for type_ in _PASSED if constraint != "q" else ():
                yield f"libnvvm {constraint} {type_} {kind} {by_libnvvm(text_of(constraint, type_, kind))}\n"


if __name__ == "__main__":
    RECORD.write_text(HEADER + "".join(lines()), encoding="utf-8")

"""A grid of `atomicrmw` for AMDGPU, and letters for what becomes of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product

from bitcodec.ir.module import Module

from .comparing import comparable

__all__ = ["decision_text", "decisions"]

_OPERATIONS = {
    "float": ("fadd", "fmin", "fsub"),
    "double": ("fadd", "fmax"),
    "half": ("fadd",),
    "<2 x half>": ("fadd",),
    "<2 x bfloat>": ("fadd",),
    "i32": ("xchg", "add", "or", "sub", "usub_cond", "usub_sat", "uinc_wrap", "nand"),
    "i64": ("add", "or", "max"),
    "i8": ("add", "or"),
}
_SIZES = {"double": 8, "i64": 8, "half": 2, "i8": 1}
_FINE, _REMOTE, _DENORMAL = "amdgpu.no.fine.grained.memory", "amdgpu.no.remote.memory", "amdgpu.ignore.denormal.mode"
_MARKS = ((), (_FINE,), (_FINE, _DENORMAL), (_REMOTE,))
_STEP = 11


def decision_text(start: int, head: str) -> str:
    """Return the text of a module with one of so many accesses of the grid in each function."""
    return "\n".join([head, *islice(_functions(), start % _STEP, None, _STEP), "!99 = !{}"])


def _functions() -> Iterator[str]:
    kinds = [(type_, operation) for type_, operations in _OPERATIONS.items() for operation in operations]
    grid = product(
        kinds, (0, 1, 3, 5, 6, 7), ("", ' syncscope("agent")'), _MARKS, (False, True), ("%v", "zeroinitializer")
    )
    for number, ((type_, operation), space, scope, kinds_of_memory, is_used, value) in enumerate(grid):
        marks = "".join(f", !{kind} !99" for kind in kinds_of_memory)
        pointer = f"ptr addrspace({space})"
        words = f"atomicrmw {operation} {pointer} %p, {type_} {value}{scope} monotonic"
        use = f"\n  store {type_} %r, {pointer} %p" * is_used
        access = f"  %r = {words}, align {_SIZES.get(type_, 4)}{marks}{use}"
        yield f"define void @f{number}({pointer} %p, {type_} %v) {{\n{access}\n  ret void\n}}"


_LETTERS = {
    "s": "atomicrmw.shared:",
    "p": "atomicrmw.private:",
    "c": " = cmpxchg ",
    "l": " = load atomic ",
    "a": " = atomicrmw add ",
    "r": " = atomicrmw (?!add )",
}
"""Checks for shared and private memory, a loop, an atomic load, an addition, another operation."""


def decisions(module: Module) -> str:
    """Return letters for what the functions of a module contain, in order."""
    texts = comparable(module)[0]
    return " ".join(
        "".join(letter for letter, pattern in _LETTERS.items() if re.search(pattern, texts[function.name])) or "-"
        for function in module.functions
        if not function.is_declaration
    )

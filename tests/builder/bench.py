"""A function to build in, and LLVM beside it."""

from __future__ import annotations

import hashlib
import re
import subprocess
from types import SimpleNamespace

import bitcodec
from answers import recall
from answers.tools import path_of
from bitcodec.builder import Builder, add_block, add_function, add_struct, add_variable, new_module
from bitcodec.ir import Module

LAYOUT = "e-m:e-p1:32:32-i64:64-i128:128-n8:16:32:64-S128-A5-P0-G1"
"""Rooms lie in address space 5, variables in 1, where pointers have 32 bits."""


class Bench:
    """A module, a builder at the end of an empty block, and values of many types.

    Attributes:
        values: arguments of the function, by name.
    """

    def __init__(self, layout: str = "e-m:e-i64:64-i128:128-n8:16:32:64-S128") -> None:
        self.module = new_module("bench", data_layout=layout)
        self.types = types = self.module.context.types
        self.i1, self.i8, self.i32, self.i64 = (types.integer(width) for width in (1, 8, 32, 64))
        self.pair = add_struct(self.module, "pair", [self.i32, types.ptr])
        self.v4 = types.vector(4, self.i32)
        parameters = {
            "a": self.i32,
            "b": self.i32,
            "l": self.i64,
            "c": self.i1,
            "x": types.float,
            "y": types.float,
            "d": types.double,
            "p": types.ptr,
            "q": types.ptr,
            "v": self.v4,
            "w": self.v4,
            "m": types.vector(4, self.i1),
            "s": self.pair,
            "n": types.struct([self.i32, types.array(2, self.i8)]),
            "sv": types.vector(2, self.i32, is_scalable=True),
            "pv": types.vector(4, types.ptr),
            "sp": types.pointer(1),
            "f": types.ptr,
        }
        self.function = add_function(
            self.module,
            "bench",
            types.function(types.void, list(parameters.values())),
            argument_names=list(parameters),
        )
        self.values = SimpleNamespace(**dict(zip(parameters, self.function.arguments, strict=True)))
        self.variable = add_variable(self.module, "variable", self.i32, 7, address_space=0)
        self.callee = add_function(self.module, "callee", types.function(self.i32, [self.i32, types.ptr]))
        self.print = add_function(self.module, "print", types.function(types.void, [types.ptr], is_vararg=True))
        self.sine = add_function(self.module, "sine", types.function(types.float, [types.float]))
        self.fast = add_function(self.module, "fast", types.function(types.void), calling_convention="fastcc")
        self.entry = add_block(self.function, "entry")
        self.builder = Builder(self.entry)


def text_of(module: Module) -> str:
    return bitcodec.print_assembly(module)


def assert_llvm_accepts(module: Module) -> None:
    """Compare a module with what LLVM 22 verifies, writes and prints of its text."""
    text = re.sub(r"(?<=^; ModuleID = ').*/", "", text_of(module))
    assert recall(["llvm-as-22", "llvm-dis-22", text], lambda: _answer_of_llvm(text)) == ["", _digest(text)]


def _answer_of_llvm(text: str) -> list[str]:
    """Return LLVM's message, and the digest of what it prints."""
    made = subprocess.run([str(path_of("llvm-as-22"))], input=text.encode(), check=False, capture_output=True)
    printed = subprocess.run([str(path_of("llvm-dis-22"))], input=made.stdout, check=False, capture_output=True)
    return [made.stderr.decode(), _digest(printed.stdout.decode())]


def _digest(text: str) -> str:
    return hashlib.sha256(_compared(text).encode()).hexdigest()


def _compared(text: str) -> str:
    """Return text without what it does not keep: the module's name, and the order of predecessors, in comments."""
    return re.sub(r"^; ModuleID = .*| *; preds = .*", "", text, flags=re.MULTILINE)

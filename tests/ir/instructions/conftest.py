"""Every kind of instruction, from a file that llvm-as 22 made."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.ir import Instruction, Module

EVERY = Path(__file__).with_name("every.bc")


class Found:
    """The instructions of a module: by name, or by opcode and position among those of a function."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._named = {found.name: found for function in module.functions for found in function.instructions}

    def __getitem__(self, name: str) -> Instruction:
        return self._named[name]

    def of(self, function: str, opcode: str) -> list[Instruction]:
        return [found for found in self.module.functions[function].instructions if found.opcode == opcode]


@pytest.fixture
def found() -> Found:
    return Found(bitcodec.loads(EVERY.read_bytes()))

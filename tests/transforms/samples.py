"""Modules that several tests change, and what of LLVM's tools they need."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import bitcodec
from answers import Digest, ask
from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.bitstream import Bitstream
from bitcodec.bitstream.abbreviations import AbbreviationId
from bitcodec.builder import Builder, add_block, add_function, new_module
from corpus import FOLDER

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module

ROOT = Path(__file__).parents[2]
QUEUE = ROOT / "examples" / "queue.bc"
DATA = ROOT / "tests" / "data"
MODULES = FOLDER / "modules"


def queue() -> Module:
    """Return the module of the example."""
    return bitcodec.open(QUEUE)


def broken_queue() -> bytes:
    """Return the example with its last function broken."""
    draft = Bitstream(QUEUE.read_bytes()).edit()
    bodies = [block for one in draft.blocks for block in one.blocks if block.id == BlockId.FUNCTION_BLOCK]
    blocks = bodies[-1].records[0]
    blocks.operands, blocks.abbreviation_id = (0,), AbbreviationId.UNABBREV_RECORD
    return draft.dumps()


def small_module() -> Module:
    """Return an empty module for a target that all LLVM tools know."""
    return new_module("a.c", target_triple="x86_64-unknown-linux-gnu")


def add_caller(module: Module, name: str, *callees: Function) -> Function:
    """Add `void name()`, which calls others like it."""
    function = add_function(module, name, module.context.types.function(module.context.types.void))
    builder = Builder(add_block(function))
    for callee in callees:
        builder.call(callee, [])
    builder.ret()
    return function


def text_of(module: Module) -> str:
    """Return the text of a module, after seeing to it that its bitcode says the same."""
    text = str(module)
    again = bitcodec.loads(bitcodec.dumps(module), module.identifier)
    assert str(again) == text
    return text


def run_tool(name: str, *arguments: str, stdin: bytes, keeps: str = "digest") -> str | Digest | None:
    """Return the text that one of LLVM's tools prints of a module, None if it refuses the module."""
    done = ask([name, *arguments, "-S", "-o", "-", "-"], input=stdin, keeps=keeps, text=True)
    printed: str | Digest = done.stdout
    return printed if done.returncode == 0 else None


def sound_text(module: Module) -> str | Digest | None:
    """Return what `opt` prints of the bitcode of a module, None if it is not sound."""
    return run_tool("opt-22", stdin=bitcodec.dumps(module))

"""What comes of the cases: as LLVM's passes do it, and as the rewriter does.  Each is told by the name of a function."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator

import bitcodec
from bitcodec.builder import Builder
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.module import Module
from bitcodec.transforms import Rewriter

from . import alone, pairs
from .locations import place_of
from .pairs import pair_in
from .spelling import Spelling

__all__ = [
    "DIFFERENCES",
    "Outcomes",
    "assembled",
    "is_there",
    "ours",
    "ours_of_locations",
    "passed",
    "theirs",
    "theirs_of_locations",
]

Outcomes = dict[str, dict[str, str]]
"""For each function the nodes of the instruction that is left, by kind."""

DIFFERENCES = {
    "pcsections": "LLVM loses what it does not know in these passes; the rules of PC sections keep it",
    "invariant.group": "LLVM 22 takes it over from the other instruction, which promises too much on the other's way",
    "mmra": "the order of tags is that of a hash table",
    "range": "LLVM 22 leaves ranges that touch where the last one wraps around, which its own verifier refuses",
}
"""Kinds that may differ, and why."""

_LLVM_AS, _OPT = shutil.which("llvm-as-22"), shutil.which("opt-22")


def is_there() -> bool:
    """Return whether LLVM's tools are installed."""
    return _LLVM_AS is not None and _OPT is not None


def assembled(text: str) -> bytes:
    """Return the bitcode of a text, as `llvm-as` makes it."""
    assert _LLVM_AS
    done = subprocess.run([_LLVM_AS, "-", "-o", "-"], input=text.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def passed(bitcode: bytes, passes: str) -> Module:
    """Return what `opt` makes of a module; it may not be sound (see `DIFFERENCES`)."""
    assert _OPT
    command = [_OPT, "-disable-verify", f"-passes={passes}", "-", "-o", "-"]
    done = subprocess.run(command, input=bitcode, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return bitcodec.loads(done.stdout)


def theirs(bitcode: bytes) -> Outcomes:
    """Return what LLVM's passes leave in the functions that tell by their names what they are for."""
    found: Outcomes = {}
    for how, passes in (pairs.PASSES | alone.PASSES).items():
        if f"{how}.".encode() in bitcode:
            module = passed(bitcode, passes)
            spelling = Spelling(module)
            for function in module.functions:
                if function.name.startswith(how):
                    first, *rest = next(iter(function.blocks)).instructions
                    assert sum(each.opcode == first.opcode for each in rest) == (first.opcode == "call"), function.name
                    found[function.name] = spelling.attached(first)
    return found


def ours(bitcode: bytes) -> Outcomes:
    """Return what the rewriter leaves in the same functions."""
    module = bitcodec.loads(bitcode)
    spelling = Spelling(module)
    rewriter = Rewriter()
    changes = {"stays": _merge, "moves": _merge, "hoists": _hoist, "retypes": _retype}
    return {
        function.name: spelling.attached(changes[function.name.partition(".")[0]](rewriter, function))
        for function in module.functions
        if not function.is_declaration
    }


def _merge(rewriter: Rewriter, function: bitcodec.ir.Function) -> Instruction:
    kept, gone = pair_in(function)
    moves = function.name.startswith("moves")
    if moves:
        kept.move_before(next(iter(function.blocks)).instructions[-1])
    rewriter.merge(kept, gone, moves=moves)
    return kept


def _hoist(rewriter: Rewriter, function: bitcodec.ir.Function) -> Instruction:
    first, second, *_ = function.blocks
    rewriter.hoist(found := second.instructions[0], first.instructions[-1])
    return found


def _retype(rewriter: Rewriter, function: bitcodec.ir.Function) -> Instruction:
    old, cast, *_ = next(iter(function.blocks)).instructions
    builder = Builder(cast.parent)
    with builder.before(old):
        new = builder.load(cast.type, old.pointer, alignment=old.alignment)
        back = builder.bitcast(new, old.type)
    rewriter.replace(old, new, back)
    return new


def theirs_of_locations(bitcode: bytes) -> Outcomes:
    """Return the locations that LLVM leaves, by pairs."""
    module = passed(bitcode, pairs.PASSES["moves"])
    spelling = Spelling(module)
    return {str(place): {"dbg": spelling.node(each.debug_location)} for place, each in _placed(module)}


def ours_of_locations(bitcode: bytes) -> Outcomes:
    """Return the locations that the rewriter leaves, by pairs."""
    module = bitcodec.loads(bitcode)
    spelling = Spelling(module)
    rewriter = Rewriter()
    placed = list(_placed(module))
    for (_, kept), (_, gone) in zip(placed[::2], placed[1::2], strict=True):
        rewriter.merge(kept, gone, moves=True)
    return {str(place): {"dbg": spelling.node(kept.debug_location)} for place, kept in placed[::2]}


def _placed(module: Module) -> Iterator[tuple[int, Instruction]]:
    for function in module.functions:
        for each in function.instructions:
            place = place_of(each)
            if place is not None:
                yield place, each

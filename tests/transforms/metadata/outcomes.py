"""What comes of the cases, told by names of functions: as LLVM's passes do it, and as the rewriter does."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import bitcodec
from bitcodec.builder import Builder
from bitcodec.ir.functions import Function
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
    "differing",
    "differing_kinds",
    "is_there",
    "ours",
    "ours_of_locations",
    "passed",
    "theirs",
    "theirs_of_locations",
]

Outcomes: TypeAlias = dict[str, dict[str, str]]
"""For each function the nodes of the instruction that is left, by kind."""


class Difference(NamedTuple):
    """A node that is ours and one that is theirs, None if there is none."""

    function: str
    kind: str
    ours: str | None
    theirs: str | None


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
                    first, *rest = function.instructions
                    assert not first.is_terminator
                    # What chooses after a hoist may be a `select` too.
                    assert how == "hoists" or all(
                        each.opcode != first.opcode or each.type is not first.type for each in rest
                    )
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


def _merge(rewriter: Rewriter, function: Function) -> Instruction:
    kept, gone = pair_in(function)
    moves = function.name.startswith("moves")
    if moves:
        kept.move_before(next(iter(function.blocks)).instructions[-1])
    rewriter.merge(kept, gone, moves=moves)
    return kept


def _hoist(rewriter: Rewriter, function: Function) -> Instruction:
    first, second, *_ = function.blocks
    rewriter.hoist(found := second.instructions[0], first.instructions[-1])
    return found


def _retype(rewriter: Rewriter, function: Function) -> Instruction:
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


def differing(ours: Outcomes, theirs: Outcomes) -> list[Difference]:
    """Return what differs without a reason."""
    return [each for each in _all_differing(ours, theirs) if not _is_known(*each)]


def differing_kinds(ours: Outcomes, theirs: Outcomes) -> set[str]:
    """Return the kinds of all that differs."""
    return {each.kind for each in _all_differing(ours, theirs)}


def _all_differing(ours: Outcomes, theirs: Outcomes) -> list[Difference]:
    assert ours.keys() == theirs.keys()
    return [
        Difference(name, kind, ours[name].get(kind), theirs[name].get(kind))
        for name in ours
        for kind in sorted(ours[name] | theirs[name])
        if ours[name].get(kind) != theirs[name].get(kind)
    ]


def _is_known(name: str, kind: str, our: str | None, their: str | None) -> bool:
    """Return whether a difference is one of `DIFFERENCES`."""
    match kind:
        case "pcsections":
            return their is None
        case "invariant.group":
            return our is None and name.startswith(("stays", "moves"))
        case "mmra":
            return sorted(our or "") == sorted(their or "")
        case "range":
            bounds = re.findall(r"i\d+ (-?\d+)", their or "")
            starts, ends = bounds[::2], bounds[1::2]
            return any(end == start for end, start in zip(ends, [*starts[1:], starts[0]], strict=True))
    return False

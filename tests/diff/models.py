"""Modules to compare: the examples, opened again each time, and texts."""

from __future__ import annotations

from pathlib import Path

import bitcodec
from bitcodec.diff import Difference, differences, unified_diff
from bitcodec.ir.module import Module

EXAMPLES = Path(__file__).parents[2] / "examples"
DATA = Path(__file__).parents[1] / "data"


def queue() -> Module:
    return bitcodec.open(EXAMPLES / "queue.bc")


def hello() -> Module:
    return bitcodec.open(EXAMPLES / "hello.bc")


def assembled(text: str) -> Module:
    """Return the module of a text, as a reader of bitcode gets it."""
    return bitcodec.loads(bitcodec.dumps(bitcodec.parse_assembly(text.encode("utf-8", "surrogateescape"))))


def labels(found: list[Difference]) -> list[str]:
    return [f"{one.change.value} {one.label}" for one in found]


def compared(before: Module, after: Module, *, debug_info: bool = True) -> list[str]:
    return labels(list(differences(before, after, debug_info=debug_info)))


def hunks(before: Module, after: Module, label: str, context: int = 0) -> list[str]:
    """Return the changed lines of what is called so, without headers."""
    (found,) = (one for one in differences(before, after) if one.label == label)
    return [line for line in list(unified_diff(found, context))[2:] if not line.startswith("@@")]

"""How bitcodec and LLVM differ on a module, in terms that group what has one cause."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["CLASSES", "Difference"]

CLASSES = {
    "accepted": "bitcodec reads what LLVM refuses",
    "missed": "bitcodec's verifier is clean, LLVM's is not",
    "refused": "bitcodec refuses what LLVM reads, and verifies",
    "refused-broken": "bitcodec refuses what LLVM reads, though its verifier rejects it",
    "extra": "bitcodec's verifier reports what LLVM's does not",
    "text": "the text of a valid module differs",
    "text-broken": "the text of a module differs that both verifiers reject",
    "written": "LLVM refuses what bitcodec wrote, or prints it differently",
    "raised": "bitcodec raised an exception of another kind",
}
"""Kinds of differences."""


class Difference(NamedTuple):
    """A difference between bitcodec and LLVM.

    Attributes:
        kind: one of CLASSES.
        llvm: what LLVM reports; its line of text if texts differ.
        ours: what bitcodec reports; its line of text if texts differ.
    """

    kind: str
    llvm: str
    ours: str

    @property
    def group(self) -> tuple[str, str, str]:
        """The kind and both messages without numbers and names, so that differences of one cause look the same."""
        return self.kind, _general(self.llvm), _general(self.ours)


_GENERAL = [
    (re.compile(r" \(Producer.*"), ""),
    (re.compile(r'"[^"]*"|\'[^\']*\''), "'...'"),
    (re.compile(r"[@%!$#][\w.$-]+"), "@..."),
    (re.compile(r"-?\d+"), "N"),
]


def _general(message: str) -> str:
    for pattern, replacement in _GENERAL:
        message = pattern.sub(replacement, message)
    return message[:160]

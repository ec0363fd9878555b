"""What comes of merging: as `llvm-link` tells it, and as bitcodec does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from answers import ask
from bitcodec.flags import Merge, merge, spelled

from .text import Flags, assembly, inline, made, parsed

__all__ = ["Outcome", "ours", "theirs", "told"]

NAMES = ("a.ll", "b.ll", "c.ll", "d.ll")

_ADDRESS = re.compile(r"'(?:<(?:0x|address)|!\{|distinct !\{).*?' from")
_BROKEN = "llvm-link-22: error: linked module is broken!"


class Outcome(NamedTuple):
    """What comes of merging.

    Attributes:
        flags: the merged list, each flag with its nodes written out; None if the module has no list.
        messages: warnings and, as the last, the error that stops the link.
    """

    flags: list[str] | None
    messages: list[str]


def theirs(modules: Sequence[Flags], folder: Path) -> Outcome:
    """Return what `llvm-link` makes of modules."""
    names = NAMES[: len(modules)]
    for name, flags in zip(names, modules, strict=True):
        (folder / name).write_text(assembly(flags))
    done = ask(["llvm-link-22", "-S", *names], cwd=folder, text=True)
    assert done.returncode in (0, 1), done.stderr
    messages = [line for line in done.stderr.splitlines() if line.startswith(("error: ", "warning: "))]
    if _BROKEN in done.stderr:
        messages.append("error: " + _broken_message(done.stderr.splitlines()))
    flags = parsed(done.stdout) if done.returncode == 0 else None
    return Outcome(
        None if flags is None else [inline(flag) for flag in flags], [_without_nodes(message) for message in messages]
    )


def _broken_message(lines: Sequence[str]) -> str:
    """Return the first message of the verifier; the offending node follows each."""
    return next(line for line in lines if "module flag" in line or "requirement" in line)


def ours(modules: Sequence[Flags]) -> Outcome:
    """Return what bitcodec makes of modules."""
    return told(merge(*(made(flags, name) for flags, name in zip(modules, NAMES, strict=False))))


def told(merged: Merge) -> Outcome:
    """Return what LLVM tells of a merge: it stops at the first error."""
    messages = []
    for each in merged.diagnostics:
        messages.append(f"{'error' if each.is_error else 'warning'}: {each}")
        if each.is_error:
            break
    flags = [spelled(node) for node in merged.flags.nodes] if merged.flags.is_present else None
    return Outcome(None if merged.errors else flags, [_without_nodes(message) for message in messages])


def _without_nodes(message: str) -> str:
    """Return a message without nodes, of which LLVM prints the address."""
    return _ADDRESS.sub("NODE from", message)

"""Takes attached metadata out, by kind."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from bitcodec.ir.globals import GlobalObject
from bitcodec.transforms.reading import read_for_change

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.module import Module

__all__ = ["strip_metadata"]


def strip_metadata(module: Module, kinds: Iterable[str]) -> Counter[str]:
    """Remove attached metadata of some kinds (`tbaa`, `prof`, ...) from instructions, functions, variables and ifuncs.

    Args:
        module: the module.
        kinds: the kinds, by name; a single one may be a string.

    Returns:
        Number of attachments of each kind.

    Raises:
        ValueError: one of the kinds is `dbg`: debug information can only be removed as a whole (`strip_debug_info`).
        BitcodecError: something in the module is malformed; it is then unchanged.
    """
    chosen = {kinds} if isinstance(kinds, str) else set(kinds)
    if "dbg" in chosen:
        raise ValueError("dbg cannot be taken out alone: strip_debug_info takes debug information out as a whole")
    read_for_change(module)
    gone = Counter(dict.fromkeys(sorted(chosen), 0))
    for value in module.globals:
        if isinstance(value, GlobalObject):
            gone.update(kind for kind in value.metadata if kind in chosen)
            for kind in chosen.intersection(value.metadata):
                del value.metadata[kind]
    for function in module.functions:
        for instruction in function.instructions:
            attached = instruction.metadata
            for kind in chosen.intersection(attached):
                gone[kind] += 1
                del attached[kind]
    return gone

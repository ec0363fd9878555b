"""Functions of runtime libraries, whose symbols LLVM 22 marks as used: its code generators may call them.

The names are in `tables/runtime_calls.txt`.
"""

from __future__ import annotations

from functools import cache
from os.path import dirname, join

import bitcodec.tables
from bitcodec.symbols.runtime_targets import target_numbers

__all__ = ["is_runtime_call"]


@cache
def _masks() -> dict[str, str]:
    """Return the sets of systems by name of the function."""
    name = join(dirname(bitcodec.tables.__file__), "runtime_calls.txt")  # noqa: PTH118, PTH120 - pathlib takes longer
    with open(name, encoding="ascii") as file:  # noqa: PTH123 - to import
        text = file.read()
    found = {}
    for group in text.split("\n\n")[1:]:
        masks, *lines = group.splitlines()
        for line in lines:
            found.update(dict.fromkeys(line.split(), masks))
    return found


def is_runtime_call(name: str, triple: str) -> bool:
    """Return whether code generated for a target may call a function, though the module does not."""
    masks = _masks().get(name)
    if masks is None:
        return False
    architecture, system = target_numbers(triple)
    return bool(int(masks.split()[architecture], 16) >> system & 1)

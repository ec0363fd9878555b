"""Modules read and written, beside llvmlite's `parse_bitcode` and `as_bitcode`, in processes of their own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from benchmarks.measure import interleaved, printed_by
from benchmarks.model import BITCODEC, LLVMLITE, can_measure
from benchmarks.results import ratio

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.inputs import Input
    from benchmarks.results import Result

__all__ = ["SAVING_ROWS"]

_WRITE = """
module.materialize()
bitcodec.dumps(module, copies_unchanged=False)
"""

_COPY = """
bitcodec.dumps(module)
"""

_SET_FLAG = """
nodes = module.named_metadata["llvm.module.flags"].operands
node = next(node for node in nodes if node.operands[1].text == "wchar_size")
two = module.context.constants.integer(module.context.types.integer(32), 2)
node.set_operand(2, module.context.metadata.value(two))
bitcodec.dumps(module)
"""

_WARM_UP = 'bitcodec.dumps(bitcodec.open("examples/hello.bc"), copies_unchanged=False)\nstart ='


def saving(source: Input, runs: int, _folder: Path) -> Iterator[Result]:
    """Read a module to the end and write it anew; change one flag; change nothing."""
    if not can_measure(source):
        return
    path = str(source.path)
    programs = {"read, write": _WRITE, "set a flag": _SET_FLAG, "copy": _COPY}
    actions = {
        name: partial(printed_by, BITCODEC.format(work=work).replace("start =", _WARM_UP, 1), path)
        for name, work in programs.items()
    }
    actions["llvmlite"] = partial(printed_by, LLVMLITE.format(work="module.as_bitcode()"), path)
    times = interleaved(actions, runs)
    most = 2.0 if source.has_debug_info else 3.5
    for name, bar in (("read, write", most), ("set a flag", 0.2), ("copy", None)):
        yield ratio(f"{name} / llvmlite's parse and write", source, times, name, "llvmlite", bar=bar)


SAVING_ROWS = (saving,)

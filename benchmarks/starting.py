"""What the smallest jobs take, mostly imports: processor time of whole processes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measure import bitcodec_command, interleaved, llvm_tool, processor_time
from benchmarks.results import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.inputs import Input

__all__ = ["STARTING_ROWS"]

_EXAMPLE = str(Path(__file__).parents[1] / "examples" / "queue.bc")
_COMMANDS: dict[str, tuple[tuple[str, ...], float | None]] = {
    "--version": (("--version",), 40),
    "dis": (("dis", _EXAMPLE), 80),
    "info": (("info", _EXAMPLE), None),
    "nm": (("nm", _EXAMPLE), None),
    "flags show": (("flags", "show", _EXAMPLE), None),
}
"""Arguments, and the bar in milliseconds."""
_measured: list[str] = []


def starting(_source: Input, runs: int, _folder: Path) -> Iterator[Result]:
    """Run commands on a small file; once, for it is the same whatever is measured beside."""
    if _measured:
        return
    _measured.append(_EXAMPLE)
    actions: dict[str, Callable[[], object]] = {
        name: processor_time(bitcodec_command(*arguments)) for name, (arguments, _) in _COMMANDS.items()
    }
    tool = llvm_tool("llvm-dis")
    if tool is not None:
        actions["llvm-dis"] = processor_time([tool, _EXAMPLE, "-o", "-"])
    times = interleaved(actions, runs)
    for name, (_, bar) in _COMMANDS.items():
        beside = ("llvm-dis",) if name == "dis" else ()
        taken = {each: times[each] for each in (name, *beside) if each in times}
        median, least = times[name].median * 1e3, times[name].least * 1e3
        yield Result(f"{name} of a small file, CPU", "queue.bc", "ms", median, least, bar, taken)


STARTING_ROWS = (starting,)
"""The comparisons, one function each: what is run, and what is to come out."""

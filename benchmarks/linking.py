"""Modules linked into one, beside `llvm-link`, and conflicts looked for without linking.

The modules are the functions of a file, some in each, as if they had been compiled by themselves.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import bitcodec
from benchmarks.inputs import MADE_UP
from benchmarks.measure import bitcodec_command, interleaved, llvm_tool, printed_by, processor_time
from benchmarks.results import Result, ratio
from bitcodec.transforms import extract_functions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from benchmarks.inputs import Input

__all__ = ["LINKING_ROWS"]

_STEPS = 10
_COUNT = _STEPS**2

_SURVEY = """
import sys, time
from bitcodec.host.collection import collect_rarely
from bitcodec.linker import Survey
from bitcodec.linker.inputs import open_input

def survey():
    found = Survey()
    for path in sys.argv[1:]:
        for module in open_input(path)[0]:
            found.add(module)
    found.finish()

collect_rarely()  # as the command does
survey()  # the time is that of modules, not of imports
start = time.process_time()
survey()
print(time.process_time() - start)
"""


def linking(source: Input, runs: int, folder: Path) -> Iterator[Result]:
    """Link the modules, a whole process beside another; look for conflicts, per module."""
    if source.name == MADE_UP:
        return
    files = [str(path) for path in _parts(source, folder)]
    output = str(folder / "linked.bc")
    actions: dict[str, Callable[[], object]] = {
        "link": processor_time(bitcodec_command("link", *files, "-o", output)),
        "dry run": partial(printed_by, _SURVEY, *files),
    }
    reference = llvm_tool("llvm-link")
    if reference is not None:
        actions["llvm-link"] = processor_time([reference, *files, "-o", output])
    times = interleaved(actions, runs)
    # The bar is for modules of about 20 MB together: those with debug information.
    bar = 2.0 if source.has_debug_info else None
    yield ratio(f"link {_COUNT} modules / llvm-link, CPU", source, times, "link", "llvm-link", bar=bar)
    took = times["dry run"]
    value, least = took.median / _COUNT * 1e3, took.least / _COUNT * 1e3
    # The bar is for modules as they are; each of these declares everything that the whole file has.
    yield Result("link --dry-run, a module", source.name, "ms", value, least, None, {"dry run": took})


def _parts(source: Input, folder: Path) -> list[Path]:
    """Write the modules, and return their files.  Parts of parts take less time than parts of the whole."""
    return [path for part in _split(source.path, folder) for path in _split(part, folder)]


def _split(source: Path, folder: Path) -> list[Path]:
    names = [function.name for function in bitcodec.open(source).functions if not function.is_declaration]
    paths = []
    for number in range(_STEPS):
        module = bitcodec.open(source)
        extract_functions(module, names[number::_STEPS])
        paths.append(folder / f"{source.stem}-{number}.bc")
        bitcodec.save(module, paths[-1])
    return paths


LINKING_ROWS = (linking,)

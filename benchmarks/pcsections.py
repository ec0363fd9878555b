"""PC sections of a million entries: columns of a linked section and of an object, and entries one by one."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from benchmarks.measure import interleaved, llvm_tool
from benchmarks.results import Result
from bitcodec.pcsections.decoding.code import CodeFunction
from bitcodec.pcsections.decoding.decode import decode, decode_file
from bitcodec.pcsections.encoding.constants import uleb128

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from benchmarks.inputs import Input
    from benchmarks.measure import Times

__all__ = ["PC_SECTION_ROWS"]

_COUNT = 1_000_000
_FUNCTIONS = 20_000
_FUNCTION_SIZE = 4096
_TEXT, _ADDRESS = 0x400000, 0x8000000
_FUNCTION_ENTRIES = "sanmd_covered2!C=function:i64"
_RUNS = "hot=function:i64|instruction:i32:7|instruction:i8:3,i64"
_OBJECT = f"""
.text
.type f,@function
f: .zero {_FUNCTION_SIZE}
.size f, {_FUNCTION_SIZE}
.section hot,"awo",@progbits,.text
.rept {_COUNT // 4}
.long f-., f+1-., f+2-., 7, f+3-., 7
.endr
"""
_measured: list[object] = []


def pcsections(_source: Input, runs: int, folder: Path) -> Iterator[Result]:
    """Decode a million PCs; once, for they are the same whatever is measured beside."""
    if _measured:
        return
    _measured.append(folder)
    functions = [CodeFunction(f"f{row}", _TEXT + row * _FUNCTION_SIZE, _FUNCTION_SIZE) for row in range(_FUNCTIONS)]
    entries, shared = _function_entries(), _runs()
    actions: dict[str, Callable[[], object]] = {
        "entries of functions": lambda: decode(entries, _ADDRESS, _FUNCTION_ENTRIES, functions=functions),
        "runs": lambda: decode(shared, _ADDRESS, _RUNS, functions=functions),
    }
    section = decode(shared, _ADDRESS, _RUNS, functions=functions)
    made = _object(folder)
    if made is not None:
        actions["runs of an object"] = lambda: decode_file(made, [_RUNS], lines=False)
        actions["an object without a schema"] = lambda: decode_file(made, lines=False)
    times = interleaved(actions | {"one by one": lambda: sum(1 for _ in section)}, runs)
    for name in actions:
        yield _result(f"pcsections decode, {name}", times[name], bar=1.0)
    yield _result("pcsections, entries one by one", times["one by one"])


def _result(title: str, took: Times, bar: float | None = None) -> Result:
    return Result(title, f"{_COUNT:,} PCs", "s", took.median, took.least, bar, {title: took})


def _function_entries() -> bytes:
    data = bytearray()
    size = uleb128(_FUNCTION_SIZE) + b"\3"
    for row in range(_COUNT):
        data += _pc(_TEXT + row % _FUNCTIONS * _FUNCTION_SIZE, len(data)) + size
    return bytes(data)


def _runs() -> bytes:
    """Return runs of three PCs and of one."""
    data = bytearray()
    for row in range(_COUNT):
        data += _pc(_TEXT + row // 4 % _FUNCTIONS * _FUNCTION_SIZE + row % 4, len(data))
        if row % 4 > 1:
            data += b"\7\0\0\0"
    return bytes(data)


def _pc(address: int, offset: int) -> bytes:
    return (address - _ADDRESS - offset).to_bytes(4, "little", signed=True)


def _object(folder: Path) -> Path | None:
    """Return an object with a million relocations, None if there is nothing to assemble it."""
    tool = llvm_tool("llvm-mc")
    if tool is None:
        return None
    path = folder / "million.o"
    command = [tool, "-triple=x86_64-linux-gnu", "-filetype=obj", "-o", str(path)]
    subprocess.run(command, input=_OBJECT, text=True, check=True)
    return path


PC_SECTION_ROWS = (pcsections,)

"""PTX for operations on matrices that a warp keeps in its registers: their names describe the PTX.

Rules: PTX ISA 8.4, "Warp Level Matrix Instructions"; names and operands of the intrinsics: LLVM's NVPTX usage guide.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.downgrade.profiles.nvvm.ptx import Ptx

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["matrix_ptx"]

_SHAPE = r"(?P<shape>m(?P<m>\d+)n(?P<n>\d+)k(?P<k>\d+))"
_TYPES = r"(?P<types>\w+(?:\.\w+)?)"
_PLACE = r"(?P<layout>row|col)\.(?P<stride>stride\.)?(?P<types>\w+)\.p(?P<space>\d+)"
_LOAD = re.compile(rf"nvvm\.wmma\.{_SHAPE}\.load\.(?P<part>[abc])\.{_PLACE}")
_STORE = re.compile(rf"nvvm\.wmma\.{_SHAPE}\.store\.d\.{_PLACE}")
_WMMA = re.compile(
    rf"nvvm\.wmma\.{_SHAPE}\.mma(?P<bits>\.(?:and|xor)\.popc)?\.(?P<layouts>(?:row|col)\.(?:row|col))"
    rf"(?P<rounding>\.r[nzmp])?\.(?P<types>\w+(?:\.(?!satfinite)\w+)?)(?P<saturating>\.satfinite)?"
)
_MMA = re.compile(
    rf"nvvm\.mma(?P<bits>\.(?:and|xor)\.popc)?\.{_SHAPE}\.(?P<layouts>(?:row|col)\.(?:row|col))"
    rf"(?P<saturating>\.satfinite)?\.{_TYPES}"
)
_LDMATRIX = re.compile(r"nvvm\.ldmatrix\.sync\.aligned\.m8n8\.(?P<form>x[124](?:\.trans)?)\.b16\.p(?P<space>\d+)")

_SPACES = {"0": "", "1": ".global", "3": ".shared"}
_WIDTHS = {"f16": 16, "bf16": 16, "tf32": 32, "f64": 64, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}
"""Bits by type of the factors."""
_LANES, _REGISTER = 32, 32
_HALVES_OF_WMMA = 8
"""Registers of a matrix of `f16` in each lane, of any shape: lanes hold parts twice."""
_SUMS = {"bf16": "f32", "tf32": "f32", "f64": "f64"}
"""Type of the sums by type of the factors; integers for others."""


def matrix_ptx(name: str, results: int, operands: int) -> Ptx | None:
    """Return PTX for an intrinsic, None if it is not of matrices.

    Args:
        name: without prefix.
        results: number of parts of its result.
        operands: number of its operands.
    """
    for pattern, make in _FORMS:
        found = pattern.fullmatch(name)
        if found:
            return make(found, results, operands)
    return None


def _registers(first: int, count: int) -> str:
    return "{" + ", ".join(f"${index}" for index in range(first, first + count)) + "}"


def _load(found: re.Match[str], results: int, _: int) -> Ptx | None:
    space = _SPACES.get(found["space"])
    if space is None:
        return None
    text = f"wmma.load.{found['part']}.sync.aligned.{found['layout']}.{found['shape']}{space}.{found['types']}"
    stride = f", ${results + 1}" if found["stride"] else ""
    return Ptx(f"{text} {_registers(0, results)}, [${results}]{stride};", clobbers_memory=True)


def _store(found: re.Match[str], _: int, operands: int) -> Ptx | None:
    space = _SPACES.get(found["space"])
    if space is None:
        return None
    text = f"wmma.store.d.sync.aligned.{found['layout']}.{found['shape']}{space}.{found['types']}"
    count = operands - 1 - bool(found["stride"])
    # The stride is the last operand of the intrinsic, behind the registers.
    stride = f", ${count + 1}" if found["stride"] else ""
    return Ptx(f"{text} [$0], {_registers(1, count)}{stride};", clobbers_memory=True)


def _ldmatrix(found: re.Match[str], results: int, _: int) -> Ptx | None:
    space = _SPACES.get(found["space"])
    if space is None:
        return None
    text = f"ldmatrix.sync.aligned.m8n8.{found['form']}{space}.b16"
    return Ptx(f"{text} {_registers(0, results)}, [${results}];", clobbers_memory=True)


def _types_of(signature: str, *, is_wmma: bool) -> tuple[str, str, str, str] | None:
    """Return the types of sums, of both factors and of the addend, as PTX has them."""
    first, _, second = signature.partition(".")
    if first in {"f16", "f32"} and second in {"f16", "f32"}:
        return first, "f16", "f16", second
    if first not in _WIDTHS or first == "f16" or (second and (is_wmma or second not in _WIDTHS)):
        return None
    total = _SUMS.get(first, "s32")
    return total, first, second or first, total


def _multiply(found: re.Match[str], results: int, operands: int, *, is_wmma: bool) -> Ptx | None:
    types = _types_of(found["types"], is_wmma=is_wmma)
    if types is None:
        return None
    m, n, k = (int(found[each]) for each in "mnk")
    left, right = (_count(rows, k, type_, is_wmma=is_wmma) for rows, type_ in ((m, types[1]), (n, types[2])))
    if left + right >= operands:
        return None
    starts = (results, results + left, results + left + right)
    counts = (left, right, operands - left - right)
    groups = ", ".join([_registers(0, results), *map(_registers, starts, counts)])
    return Ptx(f"{_spelling(found, types, is_wmma=is_wmma)} {groups};")


def _count(rows: int, columns: int, type_: str, *, is_wmma: bool) -> int:
    """Return how many registers of a lane hold its part of a factor."""
    if type_ == "f16" and is_wmma:
        return _HALVES_OF_WMMA
    width = _WIDTHS[type_]
    count = rows * columns * width // (_LANES * max(width, _REGISTER))
    # Each quarter of a warp multiplies matrices of its own if they are so small.
    return count or 4 * rows * columns * width // (_LANES * _REGISTER)


def _spelling(found: re.Match[str], types: tuple[str, str, str, str], *, is_wmma: bool) -> str:
    bits, shape, layouts, saturating = (found[each] or "" for each in ("bits", "shape", "layouts", "saturating"))
    saturating = saturating and ".satfinite"
    if not is_wmma:
        return f"mma.sync.aligned.{shape}.{layouts}{saturating}.{'.'.join(types)}{bits}"
    words = (types[0], types[3]) if types[1] == "f16" else types
    rounding = found["rounding"] or ""
    return f"wmma.mma{bits}.sync.aligned.{layouts}.{shape}{rounding}.{'.'.join(words)}{saturating}"


def _of_wmma(found: re.Match[str], results: int, operands: int) -> Ptx | None:
    return _multiply(found, results, operands, is_wmma=True)


def _of_mma(found: re.Match[str], results: int, operands: int) -> Ptx | None:
    return _multiply(found, results, operands, is_wmma=False)


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], int, int], Ptx | None]], ...] = (
    (_LOAD, _load),
    (_STORE, _store),
    (_LDMATRIX, _ldmatrix),
    (_WMMA, _of_wmma),
    (_MMA, _of_mma),
)

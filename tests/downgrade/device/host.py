"""Runs kernels on the host: both the originals and what is written for libNVVM, compiled by clang for x86-64."""

from __future__ import annotations

import ctypes
import random
import re
import subprocess
from typing import TYPE_CHECKING

from .kernels import SLOT, width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from .kernels import Kernel

__all__ = ["ROWS", "comparable", "compile_library", "for_host", "inputs", "outputs", "written_for_host"]

ROWS = 48
"""How many rows of operands a kernel is run with."""
_LAYOUT = re.compile(r"^target (?:datalayout|triple) = .*\n", re.MULTILINE)
_HOST = (
    'target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"\n'
    'target triple = "x86_64-unknown-linux-gnu"\n'
)
_HOST_FUNCTIONS = {
    f"llvm.nvvm.{name}.{letter}": function + "f" * (letter == "f")
    for name, function in (("ceil", "ceil"), ("floor", "floor"), ("round", "rint"), ("trunc", "trunc"))
    for letter in "fd"
} | {
    "llvm.fma.f16": "host_fma_f16",
    "llvm.fma.bf16": "host_fma_bf16",
}
"""The host's functions for intrinsics."""
_ASSEMBLY = re.compile(r'call (\w+) asm (?:sideeffect )?"([^"]*)", "[^"]*"\(([^)]*)\)')
_OTHER_LINES = re.compile(r"^(?:(?:attributes|!|;|source_filename).*)?\n", re.MULTILINE)
_DECLARATION = re.compile(r"^declare .*\n", re.MULTILINE)
_OPERATION = re.compile(r"(?:fma|atom|mov)[.\w]+(?= \$0, )")
_OPTIONS = ("-O1", "-w", "-ffp-contract=off", "-fno-math-errno", "-mfma", "-mf16c", "-shared", "-fPIC")
_HELPERS = r"""
typedef unsigned short u16;
typedef unsigned u32;
typedef unsigned long u64;
float fmaf(float, float, float);
__bf16 __truncsfbf2(float x) {
  union { float number; u32 bits; } from = {x};
  // The code generator moves numbers of 16 bits through those of 32: it must not change what is not a number.
  u32 quiet = from.bits >> 16 | (from.bits & 0x7f0000 ? 0 : 64);
  u32 rounded = x != x ? quiet : (from.bits + 0x7fff + (from.bits >> 16 & 1)) >> 16;
  union { u16 bits; __bf16 number; } r = {rounded};
  return r.number;
}
__bf16 __truncdfbf2(double x) {
  union { float number; u32 bits; } near = {(float)x};
  double back = near.number;
  int is_inexact = back != x && x == x && !(near.bits & 1);
  if (is_inexact) near.bits += (back < 0 ? -back : back) > (x < 0 ? -x : x) ? -1 : 1;
  return __truncsfbf2(near.number);
}
_Float16 host_fma_f16(_Float16 a, _Float16 b, _Float16 c) { return (_Float16)((__float128)a * b + c); }
__bf16 host_fma_bf16(__bf16 a, __bf16 b, __bf16 c) { return (__bf16)fmaf((float)a, (float)b, (float)c); }
#define FMA(type, suffix) \
  u16 host_asm_fma_rn_##suffix(u16 a, u16 b, u16 c) { \
    union { u16 bits; type number; } x = {a}, y = {b}, z = {c}, r; \
    r.number = host_fma_##suffix(x.number, y.number, z.number); \
    return r.bits; \
  } \
  u32 host_asm_fma_rn_##suffix##x2(u32 a, u32 b, u32 c) { \
    return host_asm_fma_rn_##suffix(a, b, c) | (u32)host_asm_fma_rn_##suffix(a >> 16, b >> 16, c >> 16) << 16; \
  }
u64 host_asm_mov_b64(u64 word) { return word; }
FMA(_Float16, f16)
FMA(__bf16, bf16)
#define ATOMIC(name, bits, type, new) \
  bits host_asm_atom_##name(void *pointer, bits operand) { \
    union { bits raw; type number; } old, value = {operand}, next; \
    old.raw = *(bits *)pointer; \
    next.number = new; \
    *(bits *)pointer = next.raw; \
    return old.raw; \
  }
#define OLD old.number
#define VALUE value.number
ATOMIC(exch_b32, u32, u32, VALUE)
ATOMIC(exch_b64, u64, u64, VALUE)
ATOMIC(inc_u32, u32, u32, OLD >= VALUE ? 0 : OLD + 1)
ATOMIC(dec_u32, u32, u32, OLD == 0 || OLD > VALUE ? VALUE : OLD - 1)
ATOMIC(add_noftz_f16, u16, _Float16, OLD + VALUE)
ATOMIC(add_noftz_bf16, u16, __bf16, OLD + VALUE)
#define ATOMIC_FLOAT(name, letter, type) \
  type host_asm_atom_add_##name(type *pointer, type operand) { \
    type old = *pointer; \
    *pointer = old + operand; \
    return old; \
  }
#define EXCHANGE_FLOAT(size, type) \
  type host_asm_atom_exch_b##size##_##type(type *pointer, type operand) { \
    type old = *pointer; \
    *pointer = operand; \
    return old; \
  }
EXCHANGE_FLOAT(32, float)
EXCHANGE_FLOAT(64, double)
ATOMIC_FLOAT(f32, f, float)
ATOMIC_FLOAT(f64, d, double)
// Callers need not extend 16 bits.
#define EXCHANGE(size, type, passed) \
  type host_asm_atom_sys_cas_b##size(type *pointer, passed expected, passed value) { \
    type old = *pointer; \
    if (old == (type)expected) *pointer = value; \
    return old; \
  }
EXCHANGE(16, u16, u32)
EXCHANGE(32, u32, u32)
EXCHANGE(64, u64, u64)
"""
_SPECIAL_EXPONENTS = (0, 0, 1, -1, -2)


def _number(generator: random.Random, scalar: str) -> int:
    """Return the bits of a scalar; every third is an extreme one."""
    width = width_of(scalar)
    fraction = {"half": 10, "bfloat": 7, "float": 23, "double": 52}.get(scalar)
    if fraction is None:
        top = 1 << width - 1
        kinds = (0, 1, top, top - 1, 2 * top - 1, 2, top + 1, generator.getrandbits(8), -generator.getrandbits(4))
        return generator.choice([*kinds, *(generator.getrandbits(width) for _ in range(5))]) % (1 << width)
    mantissa = generator.choice((0, 0, 1, (1 << fraction) - 1, 1 << fraction - 1, generator.getrandbits(fraction)))
    sign = generator.getrandbits(1) << width - 1
    highest = (1 << width - 1 - fraction) - 1
    special = generator.choice(_SPECIAL_EXPONENTS) % (highest + 1)
    near = highest // 2 + generator.randrange(-9, 20)
    exponent = special if generator.randrange(3) == 0 else min(max(near, 0), highest - 1)
    return sign | exponent << fraction | mantissa


def inputs(kernel: Kernel) -> Iterator[bytes]:
    """Yield the operands of each row."""
    generator = random.Random(kernel.name)
    for _ in range(ROWS):
        yield b"".join(_number(generator, each).to_bytes(SLOT, "little") for each in kernel.operands)


def for_host(text: str) -> str:
    """Return the text of a module for the host."""
    for name, function in _HOST_FUNCTIONS.items():
        text = text.replace(f"@{name}(", f"@{function}(")
    return _HOST + _LAYOUT.sub("", text)


def written_for_host(text: str) -> str:
    """Return the text of what is written for libNVVM for the host: its assembly calls functions."""
    declarations: dict[str, str] = {}

    def called(found: re.Match[str]) -> str:
        operation = _OPERATION.match(found[2])
        assert operation is not None, found[2]
        name = "host_asm_" + operation[0].replace(".", "_")
        name += f"_{found[1]}" if "exch" in found[2] and not found[1].startswith("i") else ""
        types = ", ".join(each.split()[0] for each in found[3].split(", "))
        declarations[name] = f"declare {found[1]} @{name}({types})\n"
        return f"call {found[1]} @{name}({found[3]})"

    changed = _ASSEMBLY.sub(called, text)
    return for_host(changed + "".join(declarations.values()))


def joined(texts: Iterable[str]) -> str:
    """Return modules as one: each defines one function."""
    bodies: list[str] = []
    declarations: set[str] = set()
    for text in texts:
        plain = re.sub(r" #\d+", "", _OTHER_LINES.sub("", text))
        declarations.update(_DECLARATION.findall(plain))
        bodies.append(_DECLARATION.sub("", _LAYOUT.sub("", plain)))
    by_name = {re.search(r"@([\w.$]+)", each)[1]: each for each in sorted(declarations)}  # type: ignore[index]
    return _HOST + "".join(bodies) + "".join(by_name.values())


def compile_library(text: str, folder: Path, name: str) -> ctypes.CDLL:
    """Compile a module for the host and load it."""
    source, helpers, library = folder / f"{name}.ll", folder / "helpers.c", folder / f"{name}.so"
    source.write_text(text)
    helpers.write_text(_HELPERS)
    subprocess.run(["clang-22", *_OPTIONS, source, helpers, "-lm", "-o", library], check=True)
    return ctypes.CDLL(str(library))


def outputs(kernel: Kernel, library: ctypes.CDLL) -> list[tuple[int, ...]]:
    """Return the bits of the results of each row."""
    function = getattr(library, kernel.name)
    function.argtypes, function.restype = [ctypes.c_void_p] * 2, None
    made = (ctypes.c_char * (SLOT * len(kernel.results) + 2 * SLOT))()
    operands = (ctypes.c_char * (SLOT * len(kernel.operands) + 2 * SLOT))()
    start, first = (-ctypes.addressof(each) % SLOT for each in (made, operands))
    found = []
    for row in inputs(kernel):
        operands[first : first + len(row)] = row  # type: ignore[assignment]
        ctypes.memset(made, 0, len(made))
        function(ctypes.addressof(operands) + first, ctypes.addressof(made) + start)
        data = made.raw[start:]
        found.append(
            tuple(
                int.from_bytes(data[SLOT * place : SLOT * (place + 1)], "little")
                for place in range(len(kernel.results))
            )
        )
    return found


def comparable(kernel: Kernel, rows: Iterable[tuple[int, ...]]) -> list[tuple[int | str, ...]]:
    """Return results without what is not specified: payloads of what is not a number, the sign of some zeros."""
    return [
        tuple(_comparable(bits, type_, kernel.is_zero_signed) for bits, type_ in zip(row, kernel.results, strict=True))
        for row in rows
    ]


def _comparable(bits: int, scalar: str, is_zero_signed: bool) -> int | str:
    fraction = {"half": 10, "bfloat": 7, "float": 23, "double": 52}.get(scalar)
    if fraction is None:
        return bits
    magnitude = bits & (1 << width_of(scalar) - 1) - 1
    if magnitude > (1 << width_of(scalar) - 1) - (1 << fraction):
        return "nan"
    return 0 if not magnitude and not is_zero_signed else bits

"""Makes `tables/intrinsics.txt` of what LLVM 22 itself says: `python tests/tables/make_intrinsics.py`.

It compiles `intrinsics.cpp` with the headers and the library of Debian's package `llvm-22-dev`.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import bitcodec.tables

HERE = Path(__file__).parent
LLVM = Path("/usr/lib/llvm-22")
TABLE = Path(bitcodec.tables.__file__).with_name("intrinsics.txt")

HEAD = """\
# The intrinsics of LLVM {version}, made by tests/tables/make_intrinsics.py.
#
# First, numbered from 0 by their order, attributes: those of the function ("none": no attributes), then those of its
# return value and of its parameters (from 1); iN is the integer type of the parameter.
#
# Then, numbered likewise, types: result(parameters), "..." for further arguments.  Each is spelled as names of
# intrinsics spell it, or is
#   A:*, A:i, A:f, A:v, A:p   the type that the name gives first (then B, C...): any, of integers, of floating-point
#                             numbers, a vector, a pointer; integers and floating-point numbers may be vectors too
#   B:p/A                     a vector of pointers, of as many elements as A
#   A                         the type that A is
#   A.wide, A.narrow          A with elements of twice or half as many bits
#   A.element                 what A is a vector of
#   A.1of3                    A with a third of the elements
#   A.halves, A.quarters      A with each element cut into two or four
#   A.bits                    A with integers of as many bits for elements
#   i1/A                      i1 (or another type), in a vector of as many elements if A is a vector
#   {{A,i1}}                    a literal struct; only results are
#
# Then, sorted, the names behind "llvm.", each with the numbers of its attributes and of its type.  A digit says how
# many words (they end with dots) a name shares with the one before it; only the others follow.
"""

FIXED = {0: "void", 2: "v1i64", 3: "token", 4: "Metadata", 5: "f16", 6: "bf16", 7: "f32", 8: "f64", 9: "f128"}
FIXED |= {24: "x86amx", 25: "ppcf128", 26: "taarch64.svcountt"}
VARARG, INTEGER, VECTOR, POINTER, STRUCT, OVERLOADED, PART, LIKE, POINTERS = 1, 10, 11, 12, 13, 14, 17, 18, 19
MADE_OF = {15: "wide", 16: "narrow", 20: "element", 21: "halves", 22: "quarters", 23: "bits"}
MAX_SHARED = 9
"""A digit contains the number of words that a name shares with the one before it."""
KINDS = {0: ":*", 1: ":i", 2: ":f", 3: ":v", 4: ":p", 7: ""}


def letter(index: int) -> str:
    return "ABCDEFGHIJ"[index]


def spelled(descriptors: Iterator[list[int]]) -> str:
    """Return the next type that descriptors describe."""
    kind, number, *scalable = next(descriptors)
    if kind in FIXED:
        return FIXED[kind]
    if kind == VARARG:
        return "..."
    if kind in {INTEGER, POINTER}:
        return f"{'i' if kind == INTEGER else 'p'}{number}"
    if kind == VECTOR:
        return f"{'nx' if scalable[0] else ''}v{number}{spelled(descriptors)}"
    if kind == STRUCT:
        return "{" + ",".join(spelled(descriptors) for _ in range(number)) + "}"
    if kind == OVERLOADED:
        return letter(number >> 3) + KINDS[number & 7]
    if kind == PART:
        return f"{letter(number & 0xFFFF)}.1of{number >> 16}"
    if kind == LIKE:
        return f"{spelled(descriptors)}/{letter(number >> 3)}"
    if kind == POINTERS:
        return f"{letter(number >> 16)}:p/{letter(number & 0xFFFF)}"
    return f"{letter(number >> 3)}.{MADE_OF[kind]}"


def signature(descriptors: Iterator[list[int]]) -> str:
    """Return the result and all parameters."""
    result = spelled(descriptors)
    parameters = []
    while True:
        try:
            parameters.append(spelled(descriptors))
        except StopIteration:
            return f"{result}({','.join(parameters)})"


def printed() -> list[str]:
    """Return the lines that LLVM's own functions say."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "intrinsics"
        flags = ["-std=c++17", "-fno-rtti", f"-I{LLVM}/include", f"-L{LLVM}/lib", "-lLLVM-22", f"-Wl,-rpath,{LLVM}/lib"]
        subprocess.run(["c++", HERE / "intrinsics.cpp", "-o", program, *flags], check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()


def words_of(name: str) -> list[str]:
    return name.split(".")


def shortened(names: Iterable[list[str]]) -> Iterator[str]:
    """Yield names without the words that they share with the name before, and their number instead."""
    before: list[str] = []
    for words in names:
        equal = [first == second for first, second in zip(before[:MAX_SHARED], words, strict=False)]
        shared = [*equal, False].index(False)
        yield f"{shared}{'.'.join(words[shared:])}"
        before = words


def table() -> str:
    version, *lines = printed()
    rows = {}
    for line in lines:
        name, attributes, descriptors = line.split("\t")
        words = [[int(number) for number in word.split(":")] for word in descriptors.split()]
        attributes = attributes.replace("(i32 ", "(iN ")
        if attributes[:1] in {"", ";"}:
            attributes = f"none{attributes}"
        rows[name.removeprefix("llvm.")] = attributes, signature(iter(words))
    columns = [sorted({row[place] for row in rows.values()}) for place in range(2)]
    numbers = [{text: number for number, text in enumerate(column)} for column in columns]
    names = [
        f"{name} {numbers[0][rows[whole][0]]} {numbers[1][rows[whole][1]]}"
        for whole, name in zip(sorted(rows, key=words_of), shortened(sorted(map(words_of, rows))), strict=True)
    ]
    parts = [HEAD.format(version=version).rstrip("\n"), *("\n".join(column) for column in columns), "\n".join(names)]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")

"""Hostile text: one error or a module, and work in proportion to the text however it is nested."""

from __future__ import annotations

import pytest

import bitcodec
from amounts import amount

COUNT = amount(9_000, 20_000)
"""What takes time in proportion to its square takes minutes with so many parts."""


def refusal(text: str | bytes) -> str:
    """Return the error of a text, empty if it is a module."""
    try:
        bitcodec.parse_assembly(text)
    except bitcodec.AssemblyError as error:
        return str(error)
    return ""


def lines(line: str, count: int = COUNT) -> str:
    """Return a line so many times, `{0}` being its number and `{1}` the next one."""
    return "".join(f"{line.format(index, index + 1)}\n" for index in range(count))


DOUBLED = lines("%t{1} = type {{ %t{0}, %t{0} }}", 1000)
CHAIN = lines("%t{1} = type {{ %t{0} }}")
ADDRESSES = lines("  %v{0} = getelementptr %t{0}, ptr %p, i64 0, i32 0")

NAMES = ", ".join(f"ptr @x{index}" for index in range(2000))
ORDERS = lines("@x{0} = global i32 0\nuselistorder ptr @x{0}, {{ 1, 0 }}", 2000)

SOUND = [
    f"@a = constant [2000 x ptr] [{NAMES}]\n@b = constant [2001 x ptr] [ptr null, {NAMES}]\n{ORDERS}",
    f"%t0 = type {{ i32 }}\n{DOUBLED}@x = global %t1000 zeroinitializer",
    f"%t0 = type {{ i8 }}\n{CHAIN}define void @f(ptr %p) {{\n{ADDRESSES}  ret void\n}}",
    lines("%t{0} = type <{{ i8 }}>"),
    "@x = external global " + "{" * COUNT + "}" * COUNT,
    "@x = external global " + "[1 x " * COUNT + "i8" + "]" * COUNT,
    "@x = global ptr " + "getelementptr (i8, ptr " * COUNT + "@x" + ", i64 1)" * COUNT,
    "!0 = " + "!{" * COUNT + "}" * COUNT,
    lines('module asm "nop"'),
    "@x = global i32 " + "9" * COUNT,
    f"@{'a' * COUNT} = global i32 0",
    "\0" * COUNT,
    "".join(f"!{index} = !{{!{index + 1}}}\n" for index in range(COUNT)) + f"!{COUNT} = !{{!0}}",
    "@x = external global i8" + "*" * COUNT,
    f"@a = global [{COUNT} x ptr] [{', '.join(f'ptr @f{index}' for index in range(COUNT))}]\n"
    + lines("@f{0} = global i8 0"),
    (
        f"@a = global [{COUNT} x ptr] [{', '.join(f'ptr blockaddress(@f, %b{index})' for index in range(COUNT))}]\n"
        f"define void @f() {{\n  br label %b0\n{lines('b{0}:  br label %b{1}')}b{COUNT}:  ret void\n}}"
    ),
]


@pytest.mark.parametrize("index", range(len(SOUND)))
def test_modules(index: int) -> None:
    assert refusal(SOUND[index]) == ""


BROKEN = [
    ("@x = external global " + "{" * COUNT, f"1:{COUNT + 22}: expected type"),
    ("@x = global i64 " + "add (i64 1, i64 " * COUNT, f"1:{16 * COUNT + 17}: expected value token"),
    ("!0 = " + "!{" * COUNT, f"1:{2 * COUNT + 6}: expected metadata operand"),
    ("!0 = " + "!DILocation(scope: " * COUNT, f"1:{19 * COUNT + 6}: expected metadata operand"),
    ("@x = global i32 " + "9" * 2_600_000, "1:17: integer has more digits than a type can hold"),
    ("@x = global [1 x i8] c" + '"' + "a" * COUNT, "1:23: end of file in string constant"),
    ('@"' + "a" * COUNT, "1:1: end of file in global variable name"),
    ("/*" + "*a" * COUNT, "1:1: unterminated comment"),
    ("@" + "9" * COUNT + " = global i32 0", "1:1: constant bigger than 64 bits detected"),
    ("@4294967296 = global i32 0", "1:1: invalid value number (too large)"),
    (
        "define void @f() {\n" + lines("  %x{0} = add i32 %y{0}, 1") + "  ret void\n}",
        "2:17: use of undefined value '%y0'",
    ),
    ("@x = global [2 x ptr] [ptr @a, ptr @b]", "1:28: use of undefined value '@a'"),
    (lines("@x{0} = external global %t{0}"), "1:23: use of undefined type named 't0'"),
    ("%a = type { %b }\n%b = type { [2 x %a] }", "2:23: identified structure type 'b' is recursive"),
    (
        "define i32 @f(i32 %x) {\n ret i32 %1\n %2 = add i32 %x, 1\n ret i32 %2\n}",
        "3:2: unable to create block numbered '1'",
    ),
    ("%a = type { %a }", "1:17: identified structure type 'a' is recursive"),
    ("%a = type { %b }\n%c = type { %a }\n%b = type { %c }", "3:17: identified structure type 'b' is recursive"),
]


@pytest.mark.parametrize("index", range(len(BROKEN)))
def test_errors(index: int) -> None:
    text, error = BROKEN[index]
    assert refusal(text) == error

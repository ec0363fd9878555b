"""Intrinsics for structs without a name: the numbers that LLVM 22 puts behind their names."""

from __future__ import annotations

import re

import pytest

import bitcodec

_COPY = "declare {type} @llvm.ssa.copy.{name}({type})\n"
_CALL = (
    "define {type} @f{number}({type} %x) {{\n  %y = call {type} @llvm.ssa.copy.{name}({type} %x)\n  ret {type} %y\n}}\n"
)
_STRUCTS = "%0 = type { i64, ptr }\n%1 = type { i32, ptr }\n"

pytestmark = pytest.mark.same_in_both


def _text(*declared: tuple[str, str]) -> str:
    lines = [_COPY.format(type=type_, name=name) for type_, name in declared]
    calls = [_CALL.format(type=type_, name=name, number=number) for number, (type_, name) in enumerate(declared)]
    return _STRUCTS + "".join(lines + calls)


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ([("%0", "s_s")], ["s_s.0"]),
        ([("%0", "s_s"), ("%1", "s_s.0")], ["s_s.1", "s_s.0"]),
        ([("%0", "s_s.7"), ("%1", "s_s.0")], ["s_s.1", "s_s.0"]),
        ([("[2 x %0]", "a2s_s"), ("{ %1 }", "sl_s_ss")], ["a2s_s.0", "sl_s_ss.0"]),
    ],
)
def test_numbers(declared: list[tuple[str, str]], expected: list[str]) -> None:
    parsed = bitcodec.parse_assembly(_text(*declared))
    for module in (parsed, bitcodec.loads(bitcodec.dumps(parsed))):
        found = [
            re.findall(r"copy\.([\w.]+)\(", str(module.functions[f"f{number}"])) for number in range(len(declared))
        ]
        assert found == [[name] for name in expected]
        assert module.verify() == []

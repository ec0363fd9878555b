"""Types and intrinsics that get other names in the module that they are linked into, as llvm-link 22 names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bitcodec
from answers import ask

if TYPE_CHECKING:
    from pathlib import Path

_COPY = """
define {type} @{function}({type} %x) {{
  %y = call {type} @llvm.ssa.copy.s_{name}s({type} %x)
  ret {type} %y
}}
declare {type} @llvm.ssa.copy.s_{name}s({type})
"""


def _copies(types: dict[str, str], suffix: str) -> str:
    """Return a text with structs, and for each a function that calls an intrinsic whose name contains it."""
    definitions = [f"%{name} = type {body}\n" for name, body in types.items()]
    functions = [_COPY.format(type=f"%{name}", name=name, function=f"{name}{suffix}") for name in types]
    return "".join(definitions + functions)


def _unnamed(types: dict[str, str], suffix: str) -> str:
    """Return a text with structs that have no name, and for each a function that calls an intrinsic with a number."""
    definitions = [f"%{number} = type {body}\n" for number, body in enumerate(types.values())]
    functions = [
        _COPY.replace("_{name}s", f"_s{name}").format(type=f"%{number}", function=f"f{number}{suffix}")
        for number, name in enumerate(types)
    ]
    return "".join(definitions + functions)


_TEXTS = {
    "one without a name": _unnamed({"": "{ i32, i64 }"}, "5"),
    "two without names": _unnamed({"": "{ i32, i32 }", ".0": "{ i32, i64 }"}, "6"),
    "T": _copies({"T": "{ i32, i64 }"}, "1"),
    "U": _copies({"U": "{ i32, i64 }"}, "2"),
    "other T": _copies({"T": "{ i32, i32 }"}, "3"),
    "T with U": _copies({"T": "{ i32, %U }", "U": "{ i32, i64 }"}, "4"),
    "used before defined": "%T = type { %U }\n%U = type { %V, i8 }\n%V = type { i8 }\n@u = global %U zeroinitializer\n"
    "@t = global %T zeroinitializer\n",
    "T, U, V": "%T = type { i1 }\n%U = type { i2 }\n%V = type { i3 }\n@a = global %T zeroinitializer\n"
    "@b = global %U zeroinitializer\n@c = global %V zeroinitializer\n",
}


@pytest.mark.parametrize(
    "names",
    [
        ("T", "U"),
        ("T", "other T"),
        ("U", "T", "other T", "T with U"),
        ("T with U", "T"),
        ("T, U, V", "used before defined"),
        ("one without a name", "two without names"),
        ("two without names", "T", "one without a name"),
    ],
    ids=" + ".join,
)
def test_names_are_those_of_llvm(names: tuple[str, ...], tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.ll" for number in range(len(names))]
    for path, name in zip(paths, names, strict=True):
        path.write_text(_TEXTS[name])
    done = ask(["llvm-link-22", "-S", *paths, "-o", "-"], text=True, check=True)
    assert bitcodec.print_assembly(bitcodec.link(paths)) == done.stdout

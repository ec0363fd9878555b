"""Files that tests of reports read, and a module whose names are hostile."""

from __future__ import annotations

from pathlib import Path

import bitcodec
from bitcodec.builder import Builder, add_block, add_function, add_module_flag, new_module
from bitcodec.ir import Module

ROOT = Path(__file__).parents[2]
EXAMPLES, DATA = ROOT / "examples", ROOT / "tests/data"
HELLO, QUEUE, TAGGED = (EXAMPLES / f"{name}.bc" for name in ("hello", "queue", "tagged"))

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    '"><b>',
    "'+alert(3)+'",
    "<!--<script>",
    "a\u2028b\u2029c",
    "&lt;&amp;",
    "\x00\x01\x1b[31m",
    "\u202eevil",
    "not utf8 \udcff",
    "${alert(4)}`",
    "__proto__",
    "constructor",
    "@@DATA@@",
    "x" * 100_000,
]


def module_of(*names: str, flags: bool = False) -> Module:
    """Return a module with a function for each name; each calls the first."""
    module = new_module("module", target_triple="x86_64-unknown-linux-gnu")
    types = module.context.types
    first = None
    for number, name in enumerate(names):
        function = add_function(module, name, types.function(types.void, []))
        builder = Builder(add_block(function))
        for _ in range(number):
            assert first is not None
            builder.call(first, [])
        builder.ret()
        first = first or function
    if flags:
        for name in names:
            add_module_flag(module, "warning", name, 1)
    return module


def bytes_of(*names: str, flags: bool = False) -> bytes:
    return bitcodec.dumps(module_of(*names, flags=flags))

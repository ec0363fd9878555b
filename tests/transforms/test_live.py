"""Stripped modules and extracted functions are equal to the output of LLVM's tools, and sound."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import bitcodec
from bitcodec.ir.module import Module
from bitcodec.tables.linkage import Linkage
from bitcodec.transforms import extract_functions, strip_debug_info, strip_names
from corpus import needs_corpus

from .samples import MODULES, run_tool, sound_text

REFUSED = {"lto-splitunit-19.bc", "lto-splitunit-22.bc"}
"""Files of two modules."""
FILES = {
    version: [path for path in sorted(MODULES.glob(f"*-{version}.bc")) if path.name not in REFUSED]
    for version in (19, 22)
}
NEED_THEIR_PARENT = {"?fin$0@0@seh@@"}
"""Functions that look into the frame of another; `llvm-extract` leaves them without it, and then gives up."""
EXTRACTED = (
    "classes-O0g-22.bc",
    "coro-O2-22.bc",
    "cuda-nvptx-22.bc",
    "debuginfo-dw5-22.bc",
    "indirect-O0g-22.bc",
    "ir_attrs-22.bc",
    "ir_types-22.bc",
    "linkage-O2-22.bc",
    "lto-thin-22.bc",
    "objc-arc-19.bc",
    "seh-wing-22.bc",
    "templates-O0g-14.bc",
)
RECURSIVE = ("ctors-O0g-22.bc", "exceptions-O2-19.bc", "lto2-full-22.bc", "tls-O0g-22.bc")
MOST = 12
"""Functions of one file."""

pytestmark = needs_corpus


def opened(path: Path) -> Module:
    """Open a module under the name that it has for tools that read standard input."""
    return bitcodec.loads(path.read_bytes(), "<stdin>")


def strip_all(module: Module) -> None:
    strip_debug_info(module)
    strip_names(module)


@pytest.mark.parametrize(
    ("path", "strip", "option"),
    [
        pytest.param(path, strip, option, id=f"{path.name} {option}")
        for version, strip, option in (
            (22, strip_debug_info, "--strip-debug"),
            (19, strip_all, "-passes=strip"),
            (22, strip_names, "-passes=strip-nondebug"),
        )
        for path in FILES[version]
    ],
)
def test_strip(path: Path, strip: Callable[[Module], None], option: str) -> None:
    """`opt` has data layouts and types of its own accord, and so what we leave goes through it, too."""
    theirs = run_tool("opt-22", option, stdin=path.read_bytes())
    module = opened(path)
    strip(module)
    assert theirs is not None
    assert sound_text(module) == theirs


@pytest.mark.parametrize(
    ("name", "recursive"), [*((name, False) for name in EXTRACTED), *((name, True) for name in RECURSIVE)]
)
def test_extract(name: str, recursive: bool) -> None:
    path = MODULES / name
    functions = [each for each in opened(path).functions if each.name and not each.is_declaration]
    for function in functions[:: -(-len(functions) // MOST)]:
        is_left_out = function.linkage is Linkage.AVAILABLE_EXTERNALLY
        options = [f"--func={function.name}", *["--recursive"] * recursive]
        keeps = "whole" if is_left_out else "digest"
        theirs = run_tool("llvm-extract-22", *options, stdin=path.read_bytes(), keeps=keeps)
        module = opened(path)
        extract_functions(module, [function.name], recursive=recursive)
        assert sound_text(module) is not None
        if function.name in NEED_THEIR_PARENT:
            assert theirs is None
        elif is_left_out:
            # `llvm-extract` takes it away again, because nothing uses it.
            assert isinstance(theirs, str)
            assert f"@{function.name}(" not in theirs
        else:
            assert str(module) == theirs

"""Files whose compiled form checks no indices: an index that is negative there reads memory in front of a list."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src"
SWITCHED_OFF = "wraparound=False"
READ_INSTEAD = {"native.py", "present.py", "words.py"}
"""Files of whose constants and functions compiled code has others: those of C in their `.pxd`."""
FROM_PACKAGE = re.compile(r"^from (bitcodec[\w.]*) cimport (.*)$", re.MULTILINE)
IMPORTS_CYTHON = re.compile(r"^\s*(import|from) cython", re.MULTILINE)
WITH_SOURCES_IN_C = {"integers.py", "object_numbers.py", "rows.py", "text_buffer.py"}
"""Files whose compiled form is another data structure, written in a `.pyx` file beside them."""


def unchecked_files() -> list[Path]:
    """Return the files whose header switches the check of negative indices off."""
    found = []
    for path in sorted(SOURCES.rglob("*.py")):
        head = path.read_text(encoding="utf-8").splitlines()[:4]
        if any(line.startswith("# cython:") and SWITCHED_OFF in line for line in head):
            found.append(path)
    return found


def is_negative(index: ast.expr) -> bool:
    return isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub)


def mistakes(tree: ast.AST) -> Iterator[str]:
    """Yield the lines and expressions that C computes otherwise than Python: negative indices, and fractions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and is_negative(node.slice):
            yield f"{node.lineno}: {ast.unparse(node)}: write the length, less one"
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield f"{node.lineno}: {ast.unparse(node)}: write `//`, loops have no fractions"


def test_files_with_c_types_are_compiled() -> None:
    declared = [path.with_suffix(".py") for path in SOURCES.rglob("*.pxd") if path.with_suffix(".py").exists()]
    assert len(declared) > 60
    plain = {path.name for path in declared if not path.read_text(encoding="utf-8").startswith("# cython:")}
    assert plain == READ_INSTEAD | WITH_SOURCES_IN_C
    assert {path.with_suffix(".py").name for path in SOURCES.rglob("*.pyx")} == WITH_SOURCES_IN_C


def test_plain_python_names_no_c_types() -> None:
    """C types are in the `.pxd` alone, so that the interpreted form needs no Cython."""
    found = {path.name for path in SOURCES.rglob("*.py") if IMPORTS_CYTHON.search(path.read_text(encoding="utf-8"))}
    assert found == set()


def test_changed_declarations_are_seen() -> None:
    """`cythonize` compiles what depends on a changed `.pxd`, but does not see `from package cimport module`."""
    hidden = [
        f"{path.relative_to(SOURCES)}: cimport {package}.{name.strip()}"
        for path in [*SOURCES.rglob("*.pxd"), *SOURCES.rglob("*.pyx")]
        for package, names in FROM_PACKAGE.findall(path.read_text(encoding="utf-8"))
        for name in names.split(",")
        if SOURCES.joinpath(*package.split("."), f"{name.split()[0]}.pxd").exists()
    ]
    assert hidden == []


def test_there_are_such_files() -> None:
    assert len(unchecked_files()) >= 25
    assert len([*mistakes(ast.parse("a[-1]\nb = c / 2\nd /= 2\ne[:-1]\nf[len(f) - 1]\ng[-h]"))]) == 4


def test_they_have_no_negative_indices_and_no_fractions() -> None:
    found = {path.name: [*mistakes(ast.parse(path.read_text(encoding="utf-8")))] for path in unchecked_files()}

    assert {name: lines for name, lines in found.items() if lines} == {}

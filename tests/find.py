"""Finds the tests of a source file: `python -m tests.find src/bitcodec/bitcode/reader/pairing.py`.

CONTRIBUTING has the rule for places.  The files are printed in this order: the one with the name of the module, those
that import it, and the others of the folders around, each with the first line of its docstring.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

__all__ = ["SOURCES", "TESTS", "find_tests", "first_line", "folders_around", "imported_modules", "name_of"]

TESTS = Path(__file__).resolve().parent
SOURCES = TESTS.parent / "src" / "bitcodec"
ELSEWHERE = {"corpus": "corpus_tables"}
"""Packages whose folder of tests has another name: `tests/corpus.py` has the files of the corpus."""


def folders_around(module: Path) -> list[Path]:
    """Return the folders of tests of a module's package and of the packages around it, the nearest first."""
    parts = list(module.relative_to(SOURCES).parent.parts)
    parts[:1] = [ELSEWHERE.get(part, part) for part in parts[:1]]
    folders = [TESTS.joinpath(*parts[:depth]) for depth in range(len(parts), 0, -1)]
    return [folder for folder in folders if any(folder.glob("test_*.py"))] or [TESTS]


@cache
def _parsed(test: Path) -> ast.Module:
    return ast.parse(test.read_text(encoding="utf-8"))


@cache
def imported_modules(test: Path) -> frozenset[str]:
    """Return the names of the modules of bitcodec that a test file imports."""
    found = set()
    for node in ast.walk(_parsed(test)):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
        elif isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
    return frozenset(name for name in found if name.startswith("bitcodec."))


def name_of(module: Path) -> str:
    """Return the name by which programs import a module."""
    parts = module.relative_to(SOURCES.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def find_tests(module: Path) -> Iterator[Path]:
    """Yield the test files of a module, those first that are about it alone."""
    folders = folders_around(module)
    named = folders[0] / f"test_{module.stem}.py"
    importing = [test for test in sorted(TESTS.rglob("test_*.py")) if name_of(module) in imported_modules(test)]
    importing.sort(key=lambda test: not test.is_relative_to(folders[-1]))
    around = [test for folder in folders for test in sorted(folder.glob("test_*.py"))]
    yield from dict.fromkeys([*([named] if named.exists() else []), *importing, *around])


def first_line(test: Path) -> str:
    """Return the first line of a file's docstring, "" if it has none."""
    return (ast.get_docstring(_parsed(test)) or "").partition("\n")[0]


def main() -> int:
    for argument in sys.argv[1:]:
        module = Path(argument).resolve()
        if not module.is_relative_to(SOURCES) or not module.exists():
            print(f"expected a file in {SOURCES}, got {argument}", file=sys.stderr)
            return 2
        for test in find_tests(module):
            print(f"{test.relative_to(TESTS.parent)}: {first_line(test)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Where the guides use a public name: links for the entries of the API reference."""

from __future__ import annotations

import ast
import doctest
import functools
import importlib
import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["GUIDES", "example_links"]

ROOT = Path(__file__).parents[1]
GUIDES = {
    "analysis": "look-at-control-flow",
    "asm": "read-ir-as-text",
    "bitcode": "change-a-record",
    "bitstream": "change-a-record",
    "builder": "build-a-module",
    "corpus": "tables",
    "containers": "walk-a-module",
    "diff": "compare-modules",
    "doctor": "which-llvm-reads-a-file",
    "errors": "walk-a-module",
    "flags": "module-flags",
    "ir": "walk-a-module",
    "linker": "link-modules",
    "lint": "lint-module-flags",
    "mir": "machine-ir",
    "pcsections": "pc-sections",
    "report": "report-on-a-build",
    "symbols": "walk-a-module",
    "tables": "walk-a-module",
    "transforms": "strip-and-extract",
    "verifier": "build-a-module",
}
"""The guide to a package, for names that no session uses."""
MAX_LINKS = 3


def example_links(path: str) -> str:
    """Return Markdown links to the guides that use the object defined at a path, or to the guide of its package."""
    package = path.split(".")[1]
    pages = _pages_by_path().get(path, [])[:MAX_LINKS] or [GUIDES[package]]
    return ", ".join(f"[{_title(page)}](../{page}.md)" for page in pages)


@functools.cache
def _pages_by_path() -> dict[str, list[str]]:
    """Return the pages whose sessions use an object, by the path where the object is defined."""
    found: dict[str, list[str]] = defaultdict(list)
    for page in sorted((ROOT / "docs").glob("*.md")):
        source = "".join(each.source for each in doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8")))
        for path in dict.fromkeys(_used_paths(ast.parse(source))):
            found[path].append(page.stem)
    return found


def _used_paths(tree: ast.AST) -> Iterator[str]:
    """Yield the paths where objects of bitcodec are defined that a program imports or finds in an imported package."""
    modules = {"bitcodec": "bitcodec"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "bitcodec":
            for name in node.names:
                modules[name.name] = f"{node.module}.{name.name}"
                yield _defining_path(str(node.module), name.name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield _defining_path(modules[node.value.id], node.attr)


def _defining_path(module: str, name: str) -> str:
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError):  # an attribute of a class, or a module
        return f"{module}.{name}"
    return f"{getattr(found, '__module__', module)}.{getattr(found, '__qualname__', name)}"


@functools.cache
def _title(page: str) -> str:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    found = re.match(r"# (.*)", text)
    return found[1] if found else page

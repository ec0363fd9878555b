"""One name means one thing: each class of the package has a name of its own."""

from __future__ import annotations

import ast
import importlib
from collections import defaultdict
from pathlib import Path

from docs_build.api_pages import PACKAGES, public_names

SRC = Path(__file__).parents[1] / "src"


def classes() -> dict[str, set[str]]:
    """Return the modules that define a class of each name."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in SRC.rglob("*.py"):
        parts = path.relative_to(SRC).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name].add(module)
    return found


def public_classes() -> dict[str, set[str]]:
    """Return the modules that define a public class of each name: in different packages, users can tell these apart."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for package in PACKAGES:
        for name in public_names(package):
            value = getattr(importlib.import_module(package), name)
            if isinstance(value, type):
                found[name].add(value.__module__)
    return found


def test_each_class_has_a_name_of_its_own() -> None:
    public = public_classes()
    assert {
        name: sorted(modules) for name, modules in classes().items() if len(modules) > 1 and not modules <= public[name]
    } == {}

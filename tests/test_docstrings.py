"""The sessions in docstrings run, from the folder of the examples' paths, and signatures are shown."""

from __future__ import annotations

import doctest
import importlib
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from docs_build.api_pages import PACKAGES, public_names

import bitcodec

SOURCES = Path(bitcodec.__file__).parent
ROOT = Path(__file__).parents[1]


def modules() -> list[str]:
    """Return the names of the modules that have sessions."""
    found = [path for path in sorted(SOURCES.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]
    names = [path.relative_to(SOURCES.parent).with_suffix("").parts for path in found]
    return [".".join(parts[:-1] if parts[-1] == "__init__" else parts) for parts in names]


@pytest.mark.parametrize("name", modules())
def test_sessions_in_docstrings(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder(recurse=True, exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    sessions = finder.find(module, name, module=module, extraglobs={"bitcodec": bitcodec})
    assert any(session.examples for session in sessions), "no session was found"
    for session in sessions:
        runner.run(session)
    assert runner.failures == 0


def public_functions() -> dict[str, Callable[..., object]]:
    """Return the functions and methods of all public packages, by their full names."""
    found: dict[str, Any] = {}
    for package in PACKAGES:
        for name in public_names(package):
            public = getattr(importlib.import_module(package), name)
            found[f"{package}.{name}"] = public
            if inspect.isclass(public):
                found |= {f"{package}.{name}.{each}": method for each, method in vars(public).items() if each[0] != "_"}
    found = {name: getattr(each, "__func__", each) for name, each in found.items()}
    return {name: each for name, each in found.items() if inspect.isroutine(each) and callable(each)}


def test_public_functions_show_their_signatures() -> None:
    """Also if they are compiled: `setup.py` lists the packages with signatures."""
    functions = public_functions()
    assert len(functions) > 300
    for name, function in functions.items():
        try:
            inspect.signature(function)
        except ValueError as error:
            raise AssertionError(f"{name} has no signature") from error

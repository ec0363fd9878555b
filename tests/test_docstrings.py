"""The sessions in docstrings run, from the folder of the examples' paths."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

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

"""Functions note that they are reached, and do what they did."""

from __future__ import annotations

import ast
import sys
from types import ModuleType

import pytest

from .marking import marked

SOURCE = '''"""Docstring."""
from __future__ import annotations

@decorated
def plain(x):
    """Docstring é."""
    if x:
        return 1
    return 2

def short(x): return "é" and x

class Some:
    def method(self):
        @decorated
        def inner():
            yield 3
        return inner

def empty():
    """Docstring."""
'''


def test_marked_functions_note_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[int] = []
    notes = ModuleType("bitcodec_reached")
    notes.note = noted.append  # type: ignore[attr-defined]
    notes.seen = noted  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "bitcodec_reached", notes)
    bodies = [node for node in ast.walk(ast.parse(SOURCE)) if isinstance(node, ast.FunctionDef)]
    text = marked(SOURCE.encode(), dict(enumerate(bodies)))
    names = {body.name: number for number, body in enumerate(bodies)}
    found: dict[str, object] = {"decorated": lambda function: function}
    exec(compile(text, "marked", "exec"), found)

    assert found["plain"](1) == 1  # type: ignore[operator]
    assert found["short"](7) == 7  # type: ignore[operator]
    assert found["plain"](0) == 2  # type: ignore[operator]
    assert [*found["Some"]().method()()] == [3]  # type: ignore[operator]
    assert found["empty"]() is None  # type: ignore[operator]
    assert found["plain"].__doc__ == "Docstring é."
    assert noted == [names[name] for name in ("plain", "short", "method", "inner")]

"""Fixtures: both forms of the package, and how much memory something takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .forms import Form, installed, interpreted

NOT_COMPILED = "this install has no compiled modules"


@pytest.fixture(params=["compiled", "interpreted"])
def form(request: pytest.FixtureRequest) -> Iterator[Form]:
    """Return the package in one of its two forms."""
    form = interpreted() if request.param == "interpreted" else _compiled()
    with form.active():
        yield form


@pytest.fixture(scope="session")
def both_forms() -> tuple[Form, Form]:
    """Return the package compiled and interpreted; neither is active."""
    return _compiled(), interpreted()


def _compiled() -> Form:
    form = installed()
    if form.name != "compiled":
        pytest.skip(NOT_COMPILED)
    return form


_PEAK_RESET = Path("/proc/self/clear_refs")


@pytest.fixture
def peak_megabytes() -> Callable[[Callable[[], object]], float]:
    """Return a function that runs another one and tells how many megabytes of memory it took at most.

    `tracemalloc` would not do: large columns are mapped, which it does not see.
    """
    try:
        _PEAK_RESET.write_text("5", encoding="ascii")
    except OSError:
        pytest.skip("this system does not tell the peak of memory used")

    def measure(run: Callable[[], object]) -> float:
        _PEAK_RESET.write_text("5", encoding="ascii")
        before = _peak_kilobytes()
        run()
        return (_peak_kilobytes() - before) / 1024

    return measure


def _peak_kilobytes() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))

"""Progress: on a terminal alone, after a delay, and gone in the end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bitcodec.cli import progress

pty = pytest.importorskip("pty")

EXAMPLES = Path(__file__).parents[2] / "examples"
QUEUE, HELLO = EXAMPLES / "queue.bc", EXAMPLES / "hello.bc"
PROGRAM = """
import sys
from bitcodec.cli import main, progress
progress.DELAY = float(sys.argv.pop(1))
sys.argv[0] = "bitcodec"
main()
"""


def shown(delay: float, *arguments: str | Path) -> tuple[bytes, str]:
    """Return standard output, and what a terminal gets as standard error."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-c", PROGRAM, str(delay), *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=follower, check=False)
    os.close(follower)
    text = b""
    try:
        while piece := os.read(leader, 1 << 16):
            text += piece
    except OSError:  # Linux says so that nobody has the other end open
        pass
    os.close(leader)
    return done.stdout, text.decode()


@pytest.mark.parametrize(
    ("arguments", "title"),
    [
        (["info", QUEUE, HELLO], "reading"),
        (["dis", QUEUE], "queue.bc"),
        (["flags", "conflicts", QUEUE, HELLO], "reading flags"),
    ],
)
def test_a_bar_is_shown_after_the_delay(arguments: list[str | Path], title: str) -> None:
    quick, nothing = shown(1000, *arguments)
    slow, bar = shown(0, *arguments)
    assert quick == slow
    assert nothing == ""
    assert title in bar
    assert bar.endswith("\x1b[2K")  # the line is erased


def test_files_and_bytes_a_second_are_shown(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    text, bar = shown(0, "table", QUEUE, HELLO, "-o", tmp_path / "out", "--tables", "flags", "--jobs", "1")
    assert text.startswith(b"2 files; 2 modules")
    for title in ("finding modules", "reading modules"):
        assert f"{title}: 0 of 2" in bar
    assert "MB/s" in bar
    assert bar.endswith("\x1b[2K")


def test_work_without_a_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    updates = []
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(progress._Bar, "update", lambda bar, done=None: updates.append((bar._title, done)))
    with progress.shown_while("writing"):
        while not updates:
            pass
    assert updates == [("writing", None)]


class Recorder:
    """Stands in for rich's bar."""

    def __init__(self) -> None:
        self.updates: list[int] = []

    def update(self, _task: object, *, completed: int) -> None:
        self.updates.append(completed)

    def stop(self) -> None:
        self.updates.append(-1)


def test_bars_do_not_nest(monkeypatch: pytest.MonkeyPatch) -> None:
    recorders: dict[str, Recorder] = {}

    def show(bar: progress._Bar) -> None:
        bar._shown = recorders.setdefault(bar._title, Recorder())
        progress._Screen.is_taken = True

    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(progress._Bar, "_show", show)
    for number in progress.counted("outer", range(2)):
        for _ in progress.counted("inner", range(2)):
            assert progress._Screen.is_taken, number
    assert {title: recorder.updates for title, recorder in recorders.items()} == {"outer": [0, 1, -1]}
    assert not progress._Screen.is_taken


def test_nothing_is_shown_where_no_terminal_is() -> None:
    with progress.shown_progress("reading", 1 << 40) as update:
        assert update is None
    assert list(progress.counted("reading", range(3))) == [0, 1, 2]

"""A test that starts a reference tool on its own fails."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from .starting import permit, reference_tool
from .ways import current

MESSAGE = (
    "expected recorded answers of llvm-none-22, but this test starts the tool: "
    "call answers.ask, recall or build, or mark the test as live"
)
STARTS: dict[str, Callable[[], object]] = {
    "run": lambda: subprocess.run(["llvm-none-22", "-"], check=False),
    "path": lambda: subprocess.run([Path("/usr/bin/llvm-none-22")], check=False),
    "executable": lambda: subprocess.run(["x"], executable="llvm-none-22", check=False),
    "shell": lambda: subprocess.run("true | llvm-none-22 -", shell=True, check=False),
    "system": lambda: os.system("llvm-none-22 < a.bc"),
    "spawn": lambda: os.posix_spawn("/usr/bin/llvm-none-22", ["llvm-none-22"], {}),
    "exec": lambda: os.execv("/usr/bin/llvm-none-22", ["llvm-none-22"]),
    "thread": lambda: ThreadPoolExecutor(1).submit(STARTS["run"]).result(),
}


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_a_tool_does_not_start(start: Callable[[], object]) -> None:
    with pytest.raises(pytest.fail.Exception) as caught:
        start()
    assert str(caught.value) == MESSAGE


def test_a_question_or_a_live_test_may_start_a_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    with permit(), pytest.raises(FileNotFoundError):
        STARTS["run"]()
    with pytest.raises(pytest.fail.Exception):
        STARTS["run"]()
    monkeypatch.setattr(current(), "is_live_test", True)
    with pytest.raises(FileNotFoundError):
        STARTS["run"]()


@pytest.mark.parametrize(
    "command",
    [
        "clang-22 -c a.c",
        "clang++ a.cpp",
        "clang-cl-19 a.c",
        "/usr/bin/opt-13.0 a.bc",
        "lli a.bc",
        "ld.lld-22 a.o",
        "bugpoint a.bc",
        "gcc a.c",
        "x86_64-linux-gnu-gcc-12 a.c",
        "powerpc64-linux-gnu-ld a.o",
        "ld.bfd a.o",
        "/usr/lib/llvm-22/bin/count 1",
        "/home/me/.cache/new-llvm/24/bin/not x",
        "/home/me/.cache/wheel-llvm/13/bin/python x.py",
        "env A=1 llc-22 a.bc",
    ],
)
def test_reference_tools(command: str) -> None:
    assert reference_tool(command.split()) is not None


@pytest.mark.parametrize(
    "line", ["cat a.bc | llvm-dis-22", "A=1 clang-22 -c a.c", "true && (opt a.bc)", "if true; then llc-22 a.bc; fi"]
)
def test_reference_tools_in_lines_of_a_shell(line: str) -> None:
    assert reference_tool(["/bin/sh", "-c", line]) is not None


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-m", "bitcodec", "nm", "a.bc"],
        ["bitcodec", "llvm-nm"],
        ["option", "x"],
        ["git", "clang"],
        ["jq", "."],
        ["sh", "-c", "bitcodec nm a.bc | jq -c '.as' > clang"],
    ],
)
def test_other_programs(command: list[str]) -> None:
    assert reference_tool(command) is None

"""Commands without FILE read standard input, as LLVM's tools do, unless it is a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from answers import ask

from .running import process, run, succeed

TEXT = b'source_filename = "a.c"\n\ndefine void @empty() {\n  ret void\n}\n'
BITCODE = (Path(__file__).parents[2] / "examples" / "hello.bc").read_bytes()
COMMANDS = [["as", "-o", "-"], ["dis"], ["verify", "--json"], ["dump"], ["analyze"], ["strip", "-o", "-"]]


@pytest.mark.parametrize("command", COMMANDS, ids=[command for command, *_ in COMMANDS])
def test_no_file_is_standard_input(command: list[str]) -> None:
    data = TEXT if command[0] == "as" else BITCODE
    expected = succeed(*command, "-", stdin=data)
    assert expected
    assert succeed(*command, stdin=data) == expected
    assert process(*command, stdin=data).stdout == expected


@pytest.mark.same_in_both
@pytest.mark.parametrize("tool", ["llvm-as-22", "llvm-dis-22"])
def test_llvm_reads_standard_input_too(tool: str, tmp_path: Path) -> None:
    data = TEXT if tool == "llvm-as-22" else BITCODE
    assert ask([tool], input=data, check=True, cwd=tmp_path, keeps="digest").returncode == 0


@pytest.mark.parametrize("words", [["as"], ["verify"], ["dis", "--"]])
def test_nothing_is_read_from_a_terminal(words: list[str]) -> None:
    controller, terminal = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "bitcodec", *words], stdin=terminal, capture_output=True, text=True, check=False
        )
    finally:
        os.close(controller)
        os.close(terminal)
    assert done.returncode == 2
    assert done.stderr.startswith("bitcodec: error: missing argument 'FILE")


def test_an_empty_name_is_no_standard_input() -> None:
    assert "No such file" in run("dis", "", stdin=BITCODE).stderr
    assert "No such file" in run("verify", "", stdin=BITCODE).stderr


def test_other_commands_require_a_file() -> None:
    assert run("wrap", stdin=BITCODE).exit_code == 2

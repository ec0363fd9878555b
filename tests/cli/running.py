"""Running the command line, in this process or in one of its own, and LLVM's tools beside it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from answers import ask
from bitcodec.cli import cli

from . import forking

BITCODEC = [sys.executable, "-m", "bitcodec"]
LLVM = 22
SHELL = re.compile(r"[|&;<>$`*?~#{]|^(?!bitcodec )")
"""Characters that a shell reads in its own way, or another command."""
PYTHON_PATHS = ("PYTHONHOME", "PYTHONPATH")
ERROR_LINE = re.compile(
    r"bitcodec: error: (?P<file>.+?): (?P<message>.+) \(bit (?P<bit>\d+)[^,]*, (?P<trail>[^()]+)\)\n"
)


def run(*arguments: str | Path, stdin: bytes = b"") -> Result:
    """Run a command in this process; what it raises beside an exit is raised here."""
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments], input=stdin, prog_name="bitcodec")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def succeed(*arguments: str | Path, stdin: bytes = b"") -> bytes:
    """Return what a command prints that has no fault to find."""
    result = run(*arguments, stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout_bytes


def fail(*arguments: str | Path, stdin: bytes = b"", code: int = 1) -> str:
    """Return the one line that a command prints that cannot do its work."""
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == code
    assert result.stderr.startswith("bitcodec: error: ")
    assert result.stderr.endswith("\n")
    assert result.stderr.count("\n") == 1
    return result.stderr


def process(
    *arguments: str | Path, stdin: bytes = b"", folder: Path | None = None, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own, forked from one that has imported the package where that is the same."""
    command = [*BITCODEC, *(str(argument) for argument in arguments)]
    variables = {**os.environ, **(environment or {})}
    is_same = not stdin and all(
        variables.get(name) == os.environ.get(name) for name in ("PYTHONPATH", "PYTHONSAFEPATH")
    )
    if forking.IS_POSSIBLE and is_same:
        code, output, errors = forking.run_forked(command[len(BITCODEC) :], folder=folder, environment=variables)
        return subprocess.CompletedProcess(command, code, output, errors)
    return subprocess.run(command, input=stdin, cwd=folder, env=variables, capture_output=True, check=False)


def run_line(
    line: str, folder: Path, environment: dict[str, str], stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run a command line of `bitcodec`: by a shell where it has something for one."""
    if SHELL.search(line) is None:
        return process(*shlex.split(line)[1:], stdin=stdin, folder=folder, environment=environment)
    line = re.sub(r"(^|\| )bitcodec ", rf"\1{shlex.join(BITCODEC)} ", line)
    command = ["bash", "-o", "pipefail", "-c", line]
    return subprocess.run(command, input=stdin, cwd=folder, env=environment, capture_output=True, check=False)


def llvm_process(
    name: str, *arguments: str | Path, folder: Path | None = None, keeps: str = "whole"
) -> subprocess.CompletedProcess[bytes]:
    """Return what one of LLVM's tools answers."""
    return ask([f"{name}-{LLVM}", *arguments], cwd=folder, keeps=keeps)

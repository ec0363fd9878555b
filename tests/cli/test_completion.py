"""Completion of command lines by shells: commands, options, their values, names of files."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .running import process, run, succeed

SHELLS = ("bash", "zsh", "fish")


def completed(line: str) -> list[str]:
    """Return what a shell is told for a command line whose last word is completed."""
    words = line.split(" ")
    variables = {"_BITCODEC_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    done = process(environment=variables)
    assert done.stderr == b""
    return done.stdout.decode().splitlines()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("bitcodec ve", ["plain,verify"]),
        ("bitcodec flags sh", ["plain,show"]),
        ("bitcodec dis exa", ["file,exa"]),
        ("bitcodec dis -o ", ["file,"]),
        ("bitcodec dis a.bc --color a", ["plain,auto", "plain,always"]),
        ("bitcodec dis --pre", ["plain,--preserve-ll-uselistorder"]),
        ("bitcodec nm a.bc b", ["file,b"]),
        ("bitcodec diff a.bc b", ["file,b"]),
        ("bitcodec extract a.o -o d", ["dir,d"]),
        ("bitcodec pcsections audit a.bc b", ["file,b"]),
        ("bitcodec pcsections decode a.o --schema m", ["file,m"]),
        ("bitcodec completion z", ["plain,zsh"]),
    ],
)
def test_words(line: str, found: list[str]) -> None:
    assert completed(line) == found


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts(shell: str) -> None:
    script = succeed("completion", shell).decode()
    assert f"_BITCODEC_COMPLETE={shell}_complete" in script
    interpreter = shutil.which(shell)
    if interpreter is None:
        pytest.skip(f"{shell} is not installed")
    subprocess.run([interpreter, "-n"], input=script, text=True, check=True)


def test_bash_completes(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    program = tmp_path / "bitcodec"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bitcodec "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = f"""
    PATH="{tmp_path}:$PATH"
    compopt() {{ echo "files: $1 $2"; }}
    {succeed("completion", "bash").decode()}
    COMP_WORDS=(bitcodec fl) COMP_CWORD=1
    _bitcodec_completion bitcodec
    echo "${{COMPREPLY[@]}}"
    COMP_WORDS=(bitcodec dis a) COMP_CWORD=2
    _bitcodec_completion bitcodec
    """
    done = subprocess.run([bash, "--norc"], input=script, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("flags\nfiles: -o default\n", "")


def test_an_unknown_shell() -> None:
    result = run("completion", "tcsh")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in result.stderr


def test_help_says_how_to_install_it() -> None:
    text = run("completion", "--help").stdout
    assert all(f'eval "$(bitcodec completion {shell})"' in text for shell in ("bash", "zsh"))
    assert "completions/bitcodec.fish" in text

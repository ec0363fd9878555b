# ruff: noqa: INP001 - no module of a package: Pyodide runs it
"""Runs commands of bitcodec in the browser, as the command line does; loaded by `worker.js`."""

import gc
import importlib
import os
from pathlib import Path

from click.testing import CliRunner

from bitcodec.cli import cli

gc.set_threshold(100_000)  # as the command line does
_FOLDER = Path("/home/pyodide/files")
_FOLDER.mkdir(parents=True, exist_ok=True)
os.chdir(_FOLDER)


def put(name: str, data: object) -> str:
    """Store the file that is looked at, in place of the one before, and return its path."""
    for old in _FOLDER.iterdir():
        old.unlink()
    (_FOLDER / name).write_bytes(data.to_bytes())  # type: ignore[attr-defined] # a proxy of a JavaScript buffer
    return f"./{name}" if name.startswith(("-", "@")) else name


def prepare() -> None:
    """Import what the commands need, while nobody waits for it."""
    for name in ("cli.info_modules", "cli.flags.show", "cli.dis", "asm.module", "report.collecting", "report.drawing"):
        importlib.import_module(f"bitcodec.{name}")


def run(*arguments: str) -> tuple[str, str, int]:
    """Return what a command prints on standard output and on standard error, and its exit code."""
    result = CliRunner().invoke(cli, arguments, prog_name="bitcodec")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    output = result.stdout_bytes.decode("utf-8", "backslashreplace")
    errors = result.stderr_bytes.decode("utf-8", "backslashreplace")
    return output, errors, result.exit_code

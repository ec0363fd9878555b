"""What a command costs to start: nothing heavy is imported where no terminal is shown to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("rich", "pyarrow", "lief", "numpy", "llvmlite", "elftools", "hypothesis")
PROBE = """
import json, sys
sys.argv[0] = "bitcodec"
from bitcodec.cli import cli
try:
    cli()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def imported(*arguments: str) -> set[str]:
    """Return the modules there are when a command ends in a process of its own."""
    done = subprocess.run([sys.executable, "-c", PROBE, *arguments], capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["--help"],
        ["dump"],
        ["dump", "--json"],
        ["analyze"],
        ["info"],
        ["dis"],
        ["nm"],
        ["extract", "--list"],
    ],
    ids=" ".join,
)
def test_nothing_heavy_is_imported(arguments: list[str], small_file: Path) -> None:
    files = [] if arguments[0].startswith("--") else [str(small_file)]
    modules = imported(*arguments, *files)
    assert "click" in modules
    assert not modules & set(HEAVY)


def test_a_command_imports_no_other(small_file: Path) -> None:
    modules = imported("analyze", str(small_file))
    others = {"info", "nm", "dump", "wrap", "unwrap", "extract"}
    assert not {f"bitcodec.cli.{name}" for name in others} & modules


def test_streams_that_are_no_modules_need_no_model(tmp_path: Path) -> None:
    path = tmp_path / "a.dia"
    path.write_bytes(b"DIAG" + bytes(4))
    assert not {name for name in imported("info", str(path)) if name.startswith(("bitcodec.ir", "bitcodec.symbols"))}

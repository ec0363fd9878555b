"""Files that are cut off before their first module: every command refuses them, as llvm-dis 22 does."""

from __future__ import annotations

from pathlib import Path

import pytest

from .running import run

WHOLE = Path(__file__).parents[2] / "examples" / "hello.bc"
SIZES = {
    10: "expected a module, found 6 bytes without one; the file seems to be cut off (bit 32, top level)",
    40: "expected a module after the IDENTIFICATION block, found the end of the data; "
    "the file seems to be cut off (bit 256, top level)",
}
"""Messages by the number of bytes that are left. llvm-dis 22 refuses both files with status 1."""
OUTPUT = ["-o", "output.bc"]
COMMANDS = [
    ["info"],
    ["dis"],
    ["dis", "--function", "main"],
    ["nm"],
    ["verify"],
    ["strip", "--debug", *OUTPUT],
    ["downgrade", "--llvm", "14", *OUTPUT],
    ["extract-function", "main", *OUTPUT],
    ["transform", "atomic-expand", *OUTPUT],
    ["link", *OUTPUT],
    ["flags", "show"],
    ["flags", "lint"],
    ["pcsections", "show"],
    ["diff", str(WHOLE)],
    ["report", "--json"],
]
OF_FUNCTIONS = ("extract-function",)
"""Commands whose last argument is the name of a function."""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_commands_refuse_it(command: list[str], size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cut.bc").write_bytes(WHOLE.read_bytes()[:size])
    name, *options = command
    result = run(name, "cut.bc", *options) if name in OF_FUNCTIONS else run(name, *options, "cut.bc")
    assert result.exit_code != 0
    assert f"cut.bc: {SIZES[size]}" in result.stderr
    assert not Path("output.bc").exists()

"""Types of the public interface, as a user's checker sees them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SCRIPT = HERE / "walking.py"
FILE = HERE.parent / "ir" / "instructions" / "every.bc"


def test_a_users_script_passes_the_type_checker(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(tmp_path), str(SCRIPT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout == "Success: no issues found in 1 source file\n"


def test_a_users_script_passes_pyright(tmp_path: Path) -> None:
    pyright = shutil.which("pyright")
    if pyright is None:
        pytest.skip("pyright is not installed")
    command = [pyright, "--pythonpath", sys.executable, str(SCRIPT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.splitlines()[-1:] == ["0 errors, 0 warnings, 0 informations"], done.stdout


def test_a_users_script_runs() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), str(FILE)], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert "    reads a i32 at p" in lines
    assert "    calls callee with argument 0 of type i32" in lines
    assert "    n from entry or call from left" in lines
    assert "    2 cases by merged, else done" in lines
    assert lines.count("    calls hook with <ConstantInt i32 7>") == 1
    assert lines[-1] == "internal 9"
    assert lines[-3] == "add is used by ['BinaryOperator']"

"""Types of the builder, as a user's checker sees them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from . import making
from .bench import assert_llvm_accepts, text_of

SCRIPT = Path(__file__).with_name("making.py")


def test_a_users_script_passes_the_type_checker(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir", str(tmp_path), str(SCRIPT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout == "Success: no issues found in 1 source file\n"


def test_a_users_script_runs() -> None:
    lines = text_of(making.module).splitlines()
    assert "define internal fastcc i32 @function(i32 %0, ptr nonnull align 4 %1) #1 !dbg !5 {" in lines
    assert "  %3 = call i32 @callee(i32 %total, ptr %1) #2" in lines
    assert "!named = !{!4}" in lines
    assert_llvm_accepts(making.module)

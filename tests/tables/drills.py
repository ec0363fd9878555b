"""Drills: a change of one table, in a copy of the sources."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import bitcodec

if TYPE_CHECKING:
    from collections.abc import Iterable

PACKAGE = Path(bitcodec.__file__).parent


def check_drill(folder: Path, table: str, changes: Iterable[tuple[str, str]], program: str) -> None:
    """Change a table in a copy of the sources, and check that a program runs with it.

    Args:
        folder: receives the copy.
        table: path of the table inside the package.
        changes: text that the table has once, and what takes its place.
        program: prints "done" at its end.
    """
    copy = folder / "bitcodec"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("*.so", "*.pxd", "__pycache__"))
    path = copy / table
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")

    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)

    assert (done.stdout, done.stderr) == ("done\n", ""), done.stderr

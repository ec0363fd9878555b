"""The repository itself: nothing in it that a merge brought along."""

from __future__ import annotations

import shutil
import subprocess
from itertools import dropwhile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAX_TRACKED_BYTES = 1_000_000
MAX_LINES = 500
AT_THE_ROOT = {
    ".ci",
    ".gitignore",
    ".pre-commit-hooks.yaml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "MANIFEST.in",
    "README.md",
    "action.yml",
    "benchmarks",
    "docs",
    "docs_build",
    "examples",
    "mkdocs.yml",
    "pyproject.toml",
    "setup.py",
    "src",
    "tests",
}


def tracked_files() -> list[Path]:
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a checkout: there is no list of tracked files")
    listed = subprocess.run([git, "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [ROOT / name for name in listed.decode().split("\0") if name]


def test_no_tracked_file_is_large() -> None:
    large = {path.name: path.stat().st_size for path in tracked_files() if path.is_file()}

    assert {name: size for name, size in large.items() if size > MAX_TRACKED_BYTES} == {}


def test_no_built_file_is_tracked() -> None:
    built = {".whl", ".so", ".pyd", ".o", ".egg"}

    assert [path.name for path in tracked_files() if path.suffix in built and "data" not in path.parts] == []


def test_nothing_strange_lies_at_the_root() -> None:
    """Tools leave their output where they run."""
    assert {path.relative_to(ROOT).parts[0] for path in tracked_files()} <= AT_THE_ROOT


def test_files_are_short() -> None:
    sources = [path for path in tracked_files() if path.suffix in {".py", ".pxd"} and path.is_file()]
    # Without the header, whose lines are for Cython, `setup.py` and ruff.
    bodies = {path: dropwhile(lambda line: line.startswith(b"# "), path.read_bytes().splitlines()) for path in sources}
    lines = {str(path.relative_to(ROOT)): len([*body]) for path, body in bodies.items()}

    assert {name: count for name, count in lines.items() if count > MAX_LINES} == {}

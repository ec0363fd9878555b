"""Every Python session of the README and of `docs` passes the type checkers that users run."""

from __future__ import annotations

import doctest
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    page for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if ">>> " in page.read_text("utf-8")
]

MYPY_SETTINGS = "[mypy]\nstrict = True\n[mypy-llvmlite.*,numpy.*]\nignore_missing_imports = True\n"
PYRIGHT_SETTINGS = (
    '{"reportUnusedExpression": false, "reportMissingImports": false, "reportMissingModuleSource": false}'
)
"""A session prints the value of an expression; llvmlite may be absent."""


def module_of(page: Path) -> str:
    """Return the source of a page's sessions as one function; each piece follows the line of the page it comes from."""
    examples = doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8"))
    pieces = [f"# {page.name}:{example.lineno + 1}\n{example.source}" for example in examples]
    return "def session() -> None:\n" + textwrap.indent("".join(pieces), "    ")


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a module for each page."""
    folder = tmp_path_factory.mktemp("sessions")
    for page in PAGES:
        name = page.stem.replace("-", "_").lower()
        (folder / f"session_{name}.py").write_text(module_of(page), encoding="utf-8")
    (folder / "mypy.ini").write_text(MYPY_SETTINGS, encoding="utf-8")
    (folder / "pyrightconfig.json").write_text(PYRIGHT_SETTINGS, encoding="utf-8")
    return folder


def test_sessions_pass_mypy(sessions: Path) -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(sessions / ".cache"), "."]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=sessions)

    assert done.stdout == f"Success: no issues found in {len(PAGES)} source files\n"


def test_sessions_pass_pyright(sessions: Path) -> None:
    pyright = shutil.which("pyright")
    if pyright is None:
        pytest.skip("pyright is not installed")
    command = [pyright, "--pythonpath", sys.executable, "--project", str(sessions)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=sessions)

    assert done.stdout.splitlines()[-1:] == ["0 errors, 0 warnings, 0 informations"], done.stdout

"""How the package is built: all modules are compiled, or none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = """\
[project]
name = "sample"
version = "1"
[tool.setuptools]
packages = ["sample"]
package-dir = { "" = "src" }
[[tool.setuptools.ext-modules]]
name = "sample.good"
sources = ["src/sample/good.py"]
optional = true
[[tool.setuptools.ext-modules]]
name = "sample.bad"
sources = ["src/sample/bad.py"]
optional = true
"""
COMPILER = """\
#!/bin/sh
case "$*" in *bad*) exit 1 ;; esac
exec cc "$@"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project of two modules, and a compiler that refuses one of them."""
    pytest.importorskip("Cython")
    if shutil.which("cc") is None:
        pytest.skip("needs a C compiler")
    package = tmp_path / "src/sample"
    package.mkdir(parents=True)
    for name in ("__init__", "good", "bad"):
        (package / f"{name}.py").write_text("x = 1\n")
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    shutil.copy(ROOT / "setup.py", tmp_path)
    (tmp_path / "compiler").write_text(COMPILER)
    (tmp_path / "compiler").chmod(0o755)
    return tmp_path


def built(project: Path, compiler: str, *options: str) -> set[str]:
    """Build the project, and return the names of the modules that are compiled."""
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "-j1", *options],
        cwd=project,
        env=os.environ | {"CC": compiler},
        check=True,
        capture_output=True,
    )
    folder = project / ("src/sample" if "--inplace" in options else "build/lib/sample")
    return {file.name.split(".")[0] for file in folder.glob("*") if file.suffix in {".so", ".pyd"}}


@pytest.mark.parametrize("options", [("--inplace",), ("--build-lib", "build/lib")])
def test_all_modules_are_compiled_or_none(project: Path, options: tuple[str, ...]) -> None:
    assert built(project, "cc", *options) == {"good", "bad", "_cython"}
    assert built(project, str(project / "compiler"), "--force", *options) == set()


def test_what_has_not_changed_is_not_compiled_again(project: Path) -> None:
    built(project, "cc", "--inplace")
    (good,) = (project / "src/sample").glob("good.*.so")
    before = good.stat().st_mtime_ns
    assert built(project, str(project / "compiler"), "--inplace") == {"good", "bad", "_cython"}
    assert good.stat().st_mtime_ns == before


def test_the_source_distribution_carries_docs_and_examples_but_no_tests(tmp_path: Path) -> None:
    pytest.importorskip("Cython")
    for folder in ("src", "docs", "examples"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.so", "*.egg-info"))
    (tmp_path / "tests").mkdir()
    shutil.copy(ROOT / "tests/test_building.py", tmp_path / "tests")
    for name in (
        "setup.py",
        "pyproject.toml",
        "MANIFEST.in",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
    ):
        shutil.copy(ROOT / name, tmp_path)
    command = [sys.executable, "-W", "ignore", "setup.py", "-q", "sdist", "-d", "made"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    with tarfile.open(next((tmp_path / "made").iterdir())) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"docs/architecture.md", "examples/hello.bc", "CHANGELOG.md", "src/bitcodec/ir/values.pxd"} <= names
    assert not [name for name in names if name.startswith("tests/test_") or name.endswith((".so", ".c"))]

"""How the package is built: all modules are compiled, or none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib import import_module
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAX_WHEEL = 4_390_000
"""Bytes: the compiled modules take less than half of it."""
PROJECT = """\
[project]
name = "sample"
version = "1"
[tool.setuptools]
packages = ["sample"]
package-dir = { "" = "src" }
"""
HEADER = "# cython: language_level=3\n"
"""The first line of a file that is compiled."""
COMPILER = """\
#!/bin/sh
echo "$*" >>"$(dirname "$0")/commands"
case "$*" in *"bad.c "*) exit 1 ;; esac
exec cc "$@"
"""
"""A compiler that refuses one module, and writes down its commands."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project of two modules, and a compiler that refuses one of them."""
    pytest.importorskip("Cython")
    if shutil.which("cc") is None:
        pytest.skip("needs a C compiler")
    package = tmp_path / "src/sample"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    for name in ("good", "bad"):
        (package / f"{name}.py").write_text(f"{HEADER}x = 1\n")
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


@pytest.mark.parametrize(
    ("options", "expected"),
    [(("--inplace",), {"good", "bad", "_cython"}), (("--build-lib", "build/lib"), {"_native"})],
)
def test_all_modules_are_compiled_or_none(project: Path, options: tuple[str, ...], expected: set[str]) -> None:
    assert built(project, "cc", *options) == expected
    assert built(project, str(project / "compiler"), "--force", *options) == set()


def test_what_has_not_changed_is_not_compiled_again(project: Path) -> None:
    built(project, "cc", "--inplace")
    (good,) = (project / "src/sample").glob("good.*.so")
    before = good.stat().st_mtime_ns
    assert built(project, str(project / "compiler"), "--inplace") == {"good", "bad", "_cython"}
    assert good.stat().st_mtime_ns == before


def test_a_wheel_that_has_not_changed_is_not_built_again(project: Path) -> None:
    options = ("--build-lib", "build/lib")
    built(project, "cc", *options)
    (bundle,) = (project / "build/lib/sample").glob("_native.*")
    before = bundle.stat().st_mtime_ns
    assert built(project, str(project / "compiler"), *options) == {"_native"}
    assert bundle.stat().st_mtime_ns == before
    # The compiler refuses one module, but compiles the other, and links both.
    (project / "src/sample/good.py").write_text(f"{HEADER}x = 20\n")
    assert built(project, str(project / "compiler"), *options) == {"_native"}
    assert bundle.stat().st_mtime_ns > before


def test_modules_of_a_published_wheel_are_optimized_together(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = ("--build-lib", "build/lib")
    (project / "compiler").write_text(COMPILER.replace("bad", "none"))
    (project / "commands").write_text("")

    def commands() -> list[str]:
        assert built(project, str(project / "compiler"), *options) == {"_native"}
        lines = (project / "commands").read_text().splitlines()
        (project / "commands").write_text("")
        return [line for line in lines if "sample" in line]

    from_source = commands()
    monkeypatch.setenv("BITCODEC_RELEASE", "1")
    published = commands()
    monkeypatch.delenv("BITCODEC_RELEASE")
    again = commands()

    version = subprocess.run([project / "compiler", "--version"], capture_output=True, text=True, check=True).stdout
    assert len(from_source) == len(published) == 4, "three modules, and the file of all"
    assert not any("-flto" in line for line in from_source)
    if sys.platform == "linux" and "Free Software" in version:
        assert all("-flto" in line for line in published)
    (link,) = again
    assert "_native" in link, "objects of the other kind are still there"


@pytest.mark.parametrize(
    ("line", "option"), [("", "-Og"), ("# compiled: with loops\n", "-O1"), ("# compiled: for speed\n", "-O2")]
)
def test_the_header_of_a_file_requests_optimization(project: Path, line: str, option: str) -> None:
    (project / "src/sample/good.py").write_text(f"{HEADER}{line}x = 1\n")
    (project / "compiler").write_text(COMPILER.replace("bad", "none"))
    built(project, str(project / "compiler"), "--build-lib", "build/lib")
    (command,) = [each for each in (project / "commands").read_text().splitlines() if "good.c " in each]
    assert [word for word in command.split() if word in {"-O0", "-Og", "-O1", "-O2", "-O3", "-Os"}][-1] == option


def test_options_of_the_user_win(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CFLAGS", "-O0")
    (project / "compiler").write_text(COMPILER.replace("bad", "none"))
    built(project, str(project / "compiler"), "--build-lib", "build/lib")
    commands = [each.split() for each in (project / "commands").read_text().splitlines() if "good.c " in each]
    assert [[word for word in words if word.startswith("-O")][-1] for words in commands] == ["-O0"]


def test_the_build_reports_progress(project: Path) -> None:
    command = [sys.executable, "setup.py", "build_ext", "-j1", "--build-lib", "build/lib"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BITCODEC_")}
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=True)
    lines = (done.stdout + done.stderr).splitlines()
    assert {"compiling sample.good (2 of 3)", "compiling sample.bad (3 of 3)", "linking 3 modules"} <= set(lines)
    done = subprocess.run(
        command, cwd=project, env=environment | {"BITCODEC_PURE": "1"}, capture_output=True, text=True, check=True
    )
    assert "BITCODEC_PURE is set: nothing is compiled" in done.stdout + done.stderr


@pytest.mark.parametrize("options", [("--inplace",), ("--build-lib", "build/lib")])
@pytest.mark.parametrize(("compiler", "is_pure"), [("false", False), ("cc", True)])
def test_nothing_is_translated_to_c_in_vain(
    project: Path, options: tuple[str, ...], compiler: str, is_pure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The modules of an earlier build are removed, too: they do not fit sources that change later."""
    built(project, "cc", *options)
    shutil.rmtree(next((project / "build").glob("temp*")))
    if is_pure:
        monkeypatch.setenv("BITCODEC_PURE", "1")
    assert built(project, compiler, *options) == set()
    assert not list(project.rglob("*.c"))


def test_modules_of_a_wheel_are_in_one_file(project: Path) -> None:
    """Modules of two packages may have the same last name; each gets its own contents, and errors name its file."""
    package = project / "src/sample"
    (package / "inner").mkdir()
    (package / "__init__.py").write_text(
        "from sample import compiled_modules\ncompiled_modules.import_compiled_modules('sample')\n"
    )
    shutil.copy(ROOT / "src/bitcodec/compiled_modules.py", package)
    (package / "inner/__init__.py").write_text("")
    (package / "inner/good.py").write_text(f"{HEADER}x = 2\ndef fail():\n    raise ValueError\n")
    (project / "pyproject.toml").write_text(PROJECT.replace('["sample"]', '["sample", "sample.inner"]'))
    command = [sys.executable, "-W", "ignore", "setup.py", "-q", "bdist_wheel", "-d", "made"]
    subprocess.run(command, cwd=project, check=True, capture_output=True)
    with zipfile.ZipFile(next((project / "made").iterdir())) as wheel:
        wheel.extractall(project / "installed")
    assert [file.name.split(".")[0] for file in (project / "installed").rglob("*.so")] == ["_native"]

    code = """if True:
        import importlib.util, traceback
        import sample.good, sample.bad, sample.inner.good as inner
        for module in (sample.good, inner):
            spec = repr(module.__spec__)
            print(module.__name__, module.x, module.__package__, "_native" in module.__file__, "_native" in spec)
        try:
            inner.fail()
        except ValueError:
            print(traceback.format_exc())
        print(importlib.util.find_spec("sample.inner").origin)
    """
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=project / "installed", capture_output=True, text=True, check=True
    )
    first, second, *rest = done.stdout.splitlines()
    assert first == "sample.good 1 sample True True"
    assert second == "sample.inner.good 2 sample.inner True True"
    assert any('sample/inner/good.py", line 4, in' in line for line in rest)
    assert rest[-1].endswith("__init__.py")


def test_a_wheel_is_small(tmp_path: Path) -> None:
    if find_spec("bitcodec._native") is None or "together" not in str(import_module("bitcodec._native").__doc__):
        pytest.skip("needs bitcodec installed from a wheel that is built with BITCODEC_RELEASE=1")
    with zipfile.ZipFile(tmp_path / "wheel.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for file in distribution("bitcodec").files or ():
            if file.suffix != ".pyc" and ".." not in file.parts:
                wheel.write(file.locate(), file)
    assert (tmp_path / "wheel.whl").stat().st_size <= MAX_WHEEL


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

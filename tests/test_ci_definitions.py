"""The GitHub Action and the pre-commit hook run what they should."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "lint-in-ci.md").read_text(encoding="utf-8")
HELLO = "examples/hello.bc"

pytestmark = pytest.mark.skipif(not (ROOT / "action.yml").exists(), reason="not a checkout")


def action() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    return found


def lint_step() -> dict[str, Any]:
    found: dict[str, Any] = action()["runs"]["steps"][-1]
    return found


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which `bitcodec` runs this bitcodec."""
    program = tmp_path / "bin" / "bitcodec"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m bitcodec "$@"\n')
    program.chmod(0o755)
    return {**os.environ, "PATH": os.pathsep.join([str(program.parent), os.environ["PATH"]])}


@pytest.mark.skipif(shutil.which("bash") is None or os.name == "nt", reason="the action runs bash")
def test_the_action_lints(environment: dict[str, str], tmp_path: Path) -> None:
    log, other = tmp_path / "log.sarif", tmp_path / "other.bc"
    shutil.copy(ROOT / HELLO, other)
    command = ["bitcodec", "flags", "remove", str(other), "PIC Level", "--in-place"]
    subprocess.run(command, env=environment, check=True)
    inputs = {name: str(each.get("default", "")) for name, each in action()["inputs"].items()}
    inputs |= {"files": f"examples/h*.bc {other}", "sarif": str(log)}

    codes = []
    for changes in ({}, {"error-on": "note warning"}, {"error-on": "warning", "disable": "pic-level-mixed"}):
        values = {**inputs, **changes}
        given = {name: values[text[len("${{ inputs.") : -len(" }}")]] for name, text in lint_step()["env"].items()}
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", lint_step()["run"]]
        codes.append(subprocess.run(shell, cwd=ROOT, env={**environment, **given}, check=False).returncode)

    assert codes == [0, 1, 0]
    assert json.loads(log.read_text())["runs"][0]["results"] == []


def test_the_page_has_the_inputs_of_the_action() -> None:
    for name, each in action()["inputs"].items():
        assert f"| `{name}` | " in PAGE
        assert str(each.get("default", "")) in PAGE


@pytest.mark.parametrize(
    ("number", "file", "last"),
    [(0, HELLO, "1 module: no findings"), (1, "tests/data/pcsections/lines-x86_64.o", "1 file: no findings")],
)
def test_the_hooks_lint(environment: dict[str, str], number: int, file: str, last: str) -> None:
    hook = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))[number]

    done = subprocess.run(
        [*shlex.split(hook["entry"]), file], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, last)
    assert f"id: {hook['id']}" in PAGE
    assert hook["require_serial"]


def test_every_step_of_ci_is_run_and_described() -> None:
    steps = {path.name: path for path in (ROOT / ".ci/steps").glob("*")}
    described = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    lists = re.findall(r"^(?:run|beside) ([^#\n]+)", (ROOT / ".ci/run").read_text(encoding="utf-8"), re.MULTILINE)
    needed = {name for path in steps.values() for name in re.findall(r"^need (\S+)$", path.read_text(), re.MULTILINE)}

    ran = " ".join(lists).replace('"', " ").split()
    assert len(ran) == len({*ran})
    assert {*ran} | needed == {*steps}
    assert [name for name in ran if f"`{name}`" not in described] == []
    assert [name for name, path in steps.items() if not os.access(path, os.X_OK)] == []


@pytest.mark.parametrize(
    "path", [ROOT / ".ci/run", *sorted((ROOT / ".ci/steps").glob("*"))], ids=lambda path: path.name
)
def test_no_failure_in_ci_is_overlooked(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    # `command -v` of two programs succeeds if one is there.
    assert re.findall(r"command -v \S+ [^>|;)]", text) == []
    # A failure on the left of `&&` ends no script, in spite of `set -e`.
    assert [line for line in text.splitlines() if " && " in line and not re.match(r"\s*(if|root=|#) ?", line)] == []

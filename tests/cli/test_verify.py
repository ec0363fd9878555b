"""`bitcodec verify`."""

from __future__ import annotations

from pathlib import Path

import bitcodec
from bitcodec.builder import Builder, add_block, add_function, new_module

from .documents import document
from .running import llvm_process, run, succeed

_ROOT = Path(__file__).parents[2]
HELLO, QUEUE = _ROOT / "examples" / "hello.bc", _ROOT / "examples" / "queue.bc"


def broken(path: Path) -> Path:
    """Write a module with two findings: two blocks without an end."""
    module = new_module("broken")
    types = module.context.types
    function = add_function(module, "f", types.function(types.void, []))
    Builder(add_block(function, "entry")).fence("acquire")
    second = add_function(module, "g", types.function(types.void, []))
    Builder(add_block(second, "entry")).fence("release")
    bitcodec.save(module, path)
    return path


def test_sound_modules() -> None:
    assert succeed("verify", HELLO, QUEUE) == b""
    assert document(succeed("verify", HELLO, "--json")) == {
        "schema": "bitcodec/verify/1",
        "modules": [{"file": str(HELLO), "member": None, "module": 1, "findings": []}],
    }


def test_findings(tmp_path: Path) -> None:
    path = broken(tmp_path / "broken.bc")
    result = run("verify", HELLO, path)
    lines = result.stdout.splitlines()
    assert (result.exit_code, result.stderr, len(lines)) == (1, "", 2)
    assert all(line.startswith(f"{path}: function @") for line in lines)
    found = document(run("verify", path, "--json").stdout)["modules"][0]["findings"]
    assert [f"{path}: {each['text']}" for each in found] == lines
    assert all(each["message"] in line for each, line in zip(found, lines, strict=True))
    checked = llvm_process("opt", "-passes=verify", path, "-o", tmp_path / "out.bc")
    assert all(each["message"] in checked.stderr.decode() for each in found)
    assert run("verify", "--quiet", path).stdout == ""
    assert run("verify", "--quiet", path).exit_code == 1


def test_trouble(tmp_path: Path) -> None:
    path, damaged = broken(tmp_path / "broken.bc"), tmp_path / "damaged.bc"
    damaged.write_bytes(HELLO.read_bytes()[:-200])
    result = run("verify", damaged, path, HELLO)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"bitcodec: error: {damaged}: ")
    assert f"{path}: function @" in result.stdout

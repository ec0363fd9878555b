"""The examples that `--help` prints work as they are printed."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import bitcodec
from amounts import some
from bitcodec.builder import Builder, add_alias, add_block, add_function, add_module_flag, add_variable, new_module
from bitcodec.cli import _root
from bitcodec.cli.declaring import Command, CommandGroup
from bitcodec.ir import Module
from containers.builders import gnu_archive

from .running import BITCODEC, run, run_line

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests/data"
TARGET = "x86_64-unknown-linux-gnu"
NAMES = ["main", "parse", "parse_line", "emit", "emit1", "test_one", "inflate", "load", "_ZN5queue4pushEi"]
READERS = re.compile(r"\| (?:less|llvm-dis(?:-\d+)?)\b[^|]*")
"""Programs that read the output of a command; here it is dropped."""
ELSEWHERE = {
    "bitcodec pcsections decode program --schema main.bc --schema util.bc",
    "bitcodec pcsections lint program",
    "bitcodec pcsections lint program --sarif pcsections.sarif",
    "bitcodec pcsections diff tagged.o program --json | jq -r '.changes[].function'",
    "bitcodec pcsections lookup program 0x13ef",
    "bitcodec pcsections lookup libqueue.so 7f31c2a013ef 7f31c2a013b6 --base 7f31c2a00000",
    "bitcodec pcsections lookup program 55d0c1f4a3ef --maps core.1234 --schema main.bc",
    'bitcodec table tables --sql "SELECT producer, count(*) FROM modules GROUP BY producer"',
}
"""Examples that need a program with sections of its own or of a process, or tables: tests of the commands have them."""
NEEDS = {
    "duckdb": re.compile(r"--sql "),
    "llvmlite": re.compile(r"pcsections (compile|map) "),
    "pyarrow": re.compile(r"bitcodec table "),
    "pycxxfilt": re.compile(r"-C |::"),
}
ANSWERS = (
    "diff", "doctor", "flags conflicts", "flags lint", "flags merge", "pcsections audit", "pcsections diff",
    "pcsections lint", "report",
)  # fmt: skip
"""Commands that may end with 1, because they find something in these files."""


def commands(group: CommandGroup = _root, path: str = "") -> Iterator[tuple[str, Command]]:
    for name in group.names:
        found = group.find(name)
        if isinstance(found, CommandGroup):
            yield from commands(found, f"{path}{name} ")
        else:
            yield f"{path}{name}", found


def examples() -> list[pytest.param]:
    """Return the examples of all commands; one that needs an extra that is not installed is skipped."""
    found = []
    for name, _ in commands():
        lines = run(*name.split(), "--help").stdout.partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
        for line in lines:
            if line.strip() in ELSEWHERE:
                continue
            missing = [
                extra for extra, use in NEEDS.items() if use.search(line) and importlib.util.find_spec(extra) is None
            ]
            marks = [pytest.mark.skip(reason=f"{extra} is not installed") for extra in missing]
            found.append(pytest.param(line.strip(), id=line.strip(), marks=marks))
    return found


def sample(target: str = TARGET) -> Module:
    """Return a module with the functions that the examples name."""
    module = new_module("module.bc", target_triple=target)
    types = module.context.types
    add_alias(module, "table_v1", add_variable(module, "table", types.integer(32), 7))
    for name in NAMES:
        function = add_function(module, name, types.function(types.void, [types.ptr]))
        builder = Builder(add_block(function))
        builder.load(types.integer(32), function.arguments[0])
        builder.fence("seq_cst")
        builder.ret()
    for flag in ("PIC Level", "PIE Level", "EnableSplitLTOUnit", "ThinLTO"):
        add_module_flag(module, "max", flag, 1)
    return module


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files that the examples name, and with the programs."""
    place = tmp_path_factory.mktemp("examples")
    module = bitcodec.dumps(sample())
    tagged = (ROOT / "examples/tagged.bc").read_bytes()
    files = {
        **dict.fromkeys(["module.bc", "a.bc", "b.bc", "old.bc", "new.bc", "main.bc", "util.bc"], module),
        **dict.fromkeys(["libfoo.a", "library.a", "lib.a", "old.a", "new.a"], gnu_archive(("m.o", module))),
        **dict.fromkeys(["tagged.bc", "optimized.bc"], tagged),
        "kernels.bc": bitcodec.dumps(sample("nvptx64-nvidia-cuda")),
        "combined.bc": (DATA / "multi-cat-22.bc").read_bytes(),
        "wrapped.bc": (DATA / "wrapper-darwin-22.bc").read_bytes(),
        "program.o": (DATA / "embed-elf-22.o").read_bytes(),
        "build/a.o": (DATA / "embed-elf-22.o").read_bytes(),
        "link.rsp": b"a.bc build/a.o",
        "module.ll": b"@x = global i32 1\n",
        "old.ll": b"@x = global i32 1\n@p = global i32* @x\n",
        "program": (DATA / "pcsections/lines-x86_64.out").read_bytes(),
        **dict.fromkeys(["tagged.o", "old.o", "new.o"], (DATA / "pcsections/lines-x86_64.o").read_bytes()),
        "tagged.mir": (ROOT / "examples/atomics.mir").read_bytes(),
    }
    for name, data in files.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(data)
    programs = place / "bin"
    programs.mkdir()
    script(programs / "bitcodec", f'exec {" ".join(BITCODEC)} "$@"')
    if shutil.which("jq") is None:
        script(programs / "jq", "cat > /dev/null")
    return place


def script(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32" or shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("example", some(examples(), 64))
def test_an_example_works(example: str, folder: Path, tmp_path: Path) -> None:
    if "completion" in example and ">" in example:
        (tmp_path / ".zfunc").mkdir()
    shutil.copytree(folder, tmp_path / "work")
    environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "HOME": str(tmp_path)}
    done = run_line(READERS.sub("| cat > /dev/null", example), tmp_path / "work", environment)
    allowed = {0, 1} if any(f"bitcodec {command} " in example for command in ANSWERS) else {0}
    assert done.returncode in allowed, done.stderr
    assert b"error" not in done.stderr
    assert b"Traceback" not in done.stderr

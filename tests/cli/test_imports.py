"""What a command costs to start: nothing heavy is imported where no terminal is shown to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
HEAVY = ("rich", "pyarrow", "lief", "numpy", "llvmlite", "elftools", "hypothesis")
PROBE = """
import json, sys
sys.argv[0] = "bitcodec"
from bitcodec.cli import cli
try:
    cli()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def imported(*arguments: str) -> set[str]:
    """Return the modules there are when a command ends in a process of its own."""
    done = subprocess.run([sys.executable, "-c", PROBE, *arguments], capture_output=True, text=True, check=True)
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["--help"],
        ["dump"],
        ["dump", "--json"],
        ["analyze"],
        ["info"],
        ["report", "--json"],
        ["dis"],
        ["nm"],
        ["extract", "--list"],
    ],
    ids=" ".join,
)
def test_nothing_heavy_is_imported(arguments: list[str], small_file: Path) -> None:
    files = [] if arguments[0].startswith("--") else [str(small_file)]
    modules = imported(*arguments, *files)
    assert "click" in modules
    assert not modules & set(HEAVY)


def test_a_command_imports_no_other(small_file: Path) -> None:
    modules = imported("analyze", str(small_file))
    others = {"info", "nm", "dump", "wrap", "unwrap", "extract"}
    assert not {f"bitcodec.cli.{name}" for name in others} & modules


def test_streams_that_are_no_modules_need_no_model(tmp_path: Path) -> None:
    path = tmp_path / "a.dia"
    path.write_bytes(b"DIAG" + bytes(4))
    assert not {name for name in imported("info", str(path)) if name.startswith(("bitcodec.ir", "bitcodec.symbols"))}


READING = ("bitcodec.bitcode", "bitcodec.ir", "bitcodec.containers", "bitcodec.tables", "bitcodec.asm")
BESIDE_READING = (
    "bitcodec.downgrade",
    "bitcodec.bitcode.writer",
    "bitcodec.builder",
    "bitcodec.corpus",
    "bitcodec.diff",
    "bitcodec.flags",
    "bitcodec.mir",
    "bitcodec.pcsections",
    "bitcodec.report",
    "bitcodec.symbols",
    "bitcodec.transforms",
    "bitcodec.verifier",
)
PROCESS = """
import os, sys
leave = os._exit
def report(code):
    print(*sorted(sys.modules), file=sys.stderr, flush=True)
    leave(code)
os._exit = report
sys.argv[0] = "bitcodec"
from bitcodec.cli import main
main()
"""


def imported_by_process(*arguments: str) -> set[str]:
    """Return the modules there are when a command has done its work, as users run it."""
    done = subprocess.run([sys.executable, "-c", PROCESS, *arguments], capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines()[-1].split())


def within(modules: set[str], packages: tuple[str, ...]) -> set[str]:
    return {
        name for name in modules if name.startswith(tuple(f"{package}." for package in packages)) or name in packages
    }


def test_the_version_needs_no_reader() -> None:
    modules = imported_by_process("--version")
    assert not within(modules, (*READING, *BESIDE_READING))
    assert not {f"bitcodec.bitstream.{name}" for name in ("reader", "decoding", "stream", "blocks")} & modules
    assert not modules & {"click", "inspect", "dataclasses", "json"}


@pytest.mark.parametrize("arguments", [["dis"], ["dis", "--function", "main", "-o", "-"]], ids=" ".join)
def test_text_needs_nothing_but_what_reads_and_prints(arguments: list[str]) -> None:
    modules = imported_by_process(*arguments, str(EXAMPLES / "hello.bc"))
    assert within(modules, ("bitcodec.asm", "bitcodec.bitcode.reader"))
    assert not within(modules, BESIDE_READING)
    assert not modules & {"click", "inspect", "dataclasses", "json", "difflib"}


def test_setting_a_flag_needs_no_text_and_no_transforms(tmp_path: Path) -> None:
    modules = imported_by_process(
        "flags", "set", str(EXAMPLES / "queue.bc"), "PIC Level=1", "-o", str(tmp_path / "a.bc")
    )
    packages = tuple(sorted({*BESIDE_READING, "bitcodec.asm"} - {"bitcodec.flags", "bitcodec.bitcode.writer"}))
    assert not within(modules, packages)
    assert not modules & {"click", "inspect", "dataclasses", "json"}


def test_an_expansion_needs_one_architecture_and_no_summaries(tmp_path: Path) -> None:
    modules = imported_by_process(
        "transform", "atomic-expand", str(EXAMPLES / "queue.bc"), "--target", "riscv64", "-o", str(tmp_path / "a.bc")
    )
    architectures = "bitcodec.transforms.atomic_expand.architectures"
    assert within(modules, (architectures,)) == {architectures} | {
        f"{architectures}.{name}" for name in ("operations", "riscv", "row")
    }
    assert not within(modules, ("bitcodec.transforms.rewriting", "bitcodec.ir.summary", "bitcodec.asm"))
    assert not modules & {"click", "inspect", "dataclasses", "json", "difflib"}


@pytest.mark.parametrize("arguments", [["info"], ["verify"], ["flags", "show"], ["flags", "conflicts"]], ids=" ".join)
def test_plain_lines_need_no_click(arguments: list[str]) -> None:
    modules = imported_by_process(*arguments, str(EXAMPLES / "queue.bc"))
    assert "click" not in modules
    assert not within(modules, ("bitcodec.downgrade", "bitcodec.bitcode.writer", "bitcodec.corpus"))


def test_verifying_bitcode_needs_no_text() -> None:
    modules = imported_by_process("verify", str(EXAMPLES / "queue.bc"))
    assert not within(modules, ("bitcodec.asm", "bitcodec.bitcode.creation_order"))


def test_linking_needs_no_transforms(tmp_path: Path) -> None:
    modules = imported_by_process("link", str(EXAMPLES / "queue.bc"), "-o", str(tmp_path / "a.bc"))
    assert not within(modules, ("bitcodec.transforms", "bitcodec.builder", "pathlib"))


def test_the_line_on_a_file_that_cannot_be_read_needs_no_click(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROCESS, "info", str(tmp_path / "no.bc")], capture_output=True, text=True, check=False
    )
    line, modules = done.stderr.splitlines()
    assert line.startswith("bitcodec: error: ")
    assert "click" not in modules.split()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["wrap"], "missing argument 'FILE'"),
        (["dis", "--nonsense"], "no such option '--nonsense'"),
        (["dis", "--color", "red", "x"], "invalid value for '--color': 'red' is not one of 'auto', 'always', 'never'"),
        (["flags", "set", "x"], "missing argument 'KEY=VALUE...'"),
        (["flags", "set", "x", "a=1", "--output"], "option '--output' requires an argument"),
        (["nonsense"], "no such command 'nonsense'"),
        (["examples/hello.bc"], "expected a command before 'examples/hello.bc': bitcodec info examples/hello.bc"),
        (["flags", "examples/hello.bc"], "expected a command before 'examples/hello.bc': bitcodec flags show "),
        (["strip", "x"], "expected -o FILE, or --in-place to replace the input"),
        (["strip", "x\ny", "-gno"], "no such option '-n'"),
        (["flags", "set", "--behavior=a\x1bb", "examples/hello.bc", "A=1", "-i"], "--behavior a\\1Bb: "),
    ],
)
def test_wrong_usage_is_one_line_and_a_hint(arguments: list[str], message: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bitcodec", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=EXAMPLES.parent,
    )
    assert (done.returncode, done.stdout) == (2, "")
    error, hint = done.stderr.splitlines()
    assert error.startswith(f"bitcodec: error: {message}")
    command = " ".join(word for word in arguments if word in {"dis", "flags", "set", "strip", "wrap"})
    assert hint == f"Try '{f'bitcodec {command}'.strip()} --help' for help."


def test_the_way_past_click_reports_wrong_usage_in_the_same_way() -> None:
    quick, slow = (
        subprocess.run([sys.executable, "-m", "bitcodec", *words], capture_output=True, check=False).stderr
        for words in (["strip", "x"], ["strip", "-g", "--metadata=tbaa", "--", "x"])
    )
    assert quick == slow

"""Exit codes, files that cannot be read or written, and that nothing is ever half written."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from bitcodec import __version__
from bitcodec.bitstream import COMPILED
from bits import Bits
from containers.builders import gnu_archive

from .running import BITCODEC, fail, process, run, succeed

COMMANDS = {
    "info": [],
    "dis": [],
    "nm": [],
    "analyze": [],
    "dump": [],
    "extract": ["--list"],
    "wrap": ["-o", "-"],
    "unwrap": ["-o", "-"],
    "strip": ["-o", "-"],
    "extract-function": ["main", "-o", "-"],
    "link": ["-o", "-"],
    "transform atomic-expand": ["-o", "-", "--target", "aarch64-linux-gnu"],
    "flags show": [],
    "flags check": [],
    "flags merge": [],
    "flags conflicts": [],
    "flags lint": [],
    "flags set": ["key=1", "-o", "-"],
    "flags remove": ["key", "-o", "-"],
    "pcsections attach": ["--select", "all", "--section", "s", "-o", "-"],
    "pcsections show": [],
    "pcsections compile": ["-o", "-"],
    "pcsections map": [],
    "verify": [],
    "report": ["-o", "-"],
    "downgrade": ["--llvm", "18", "-o", "-"],
    "doctor": [],
}
TROUBLE = dict.fromkeys(
    ("flags check", "flags merge", "flags conflicts", "flags lint", "pcsections show", "verify", "doctor"), 2
)
"""Exit code for files that cannot be read, of commands that answer a question."""
OR_STANDARD_INPUT = {"analyze", "dis", "dump", "verify"}
"""Commands that need no name of a file."""


def test_these_are_all_commands() -> None:
    listed = run("--help").stdout.partition("Commands:\n")[2]
    assert {line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "} == {
        command.split()[0] for command in COMMANDS
    } | {"as", "diff", "completion", "table"}  # text; two files, and codes of its own; none; many


def test_help_tells_what_files_may_be_and_has_examples() -> None:
    text = run("--help").stdout
    assert "Every FILE may be bitcode of any LLVM version" in text
    assert "Examples:\n    bitcodec info module.bc\n    bitcodec dump library.a | less\n" in text


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(command: str) -> None:
    result = run(*command.split(), "--help")
    examples = result.stdout.partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
    assert result.exit_code == 0
    assert len(examples) >= 2
    assert all(f"bitcodec {command} " in line for line in examples)
    assert run(*command.split(), "-h").stdout == result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_file(command: str, tmp_path: Path) -> None:
    line = fail(*command.split(), tmp_path / "missing.bc", *COMMANDS[command], code=TROUBLE.get(command, 1))
    assert line == f"bitcodec: error: {tmp_path / 'missing.bc'}: No such file or directory\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder(command: str, tmp_path: Path) -> None:
    line = fail(*command.split(), tmp_path, *COMMANDS[command], code=TROUBLE.get(command, 1))
    assert line == f"bitcodec: error: {tmp_path}: Is a directory\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_an_empty_file(command: str, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    for file in (tmp_path / "empty", "-"):
        line = fail(*command.split(), file, *COMMANDS[command], code=TROUBLE.get(command, 1))
        assert line == f"bitcodec: error: {file}: the file is empty (bit 0, top level)\n"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["frobnicate"],
        ["--frobnicate"],
        *([command] for command in COMMANDS if command not in OR_STANDARD_INPUT),
        ["dump", "a", "b"],
        ["dump", "--frobnicate", "a"],
        ["wrap", "a"],
        ["unwrap", "a"],
    ],
)
def test_wrong_usage(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert ("Try 'bitcodec" if arguments else "Usage: bitcodec") in result.stderr
    assert result.stdout == ""


def test_exit_codes_of_a_process(small_file: Path, tmp_path: Path) -> None:
    assert process("info", small_file).returncode == 0
    assert process("info", tmp_path / "missing").returncode == 1
    assert process("info").returncode == 2


def test_version_tells_which_form_runs() -> None:
    form = "compiled" if COMPILED else "interpreted"
    assert process("--version").stdout.decode().split() == ["bitcodec", __version__, f"({form})"]


def test_a_failed_write_leaves_the_old_file_alone(small_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.bc"
    target.write_bytes(b"precious")
    bad = tmp_path / "bad.bc"
    bad.write_bytes(b"BC")
    before = sorted(tmp_path.iterdir())
    for command, source in (("unwrap", small_file), ("wrap", bad), ("unwrap", tmp_path / "missing")):
        run(*command.split(), source, "-o", target)
        assert sorted(tmp_path.iterdir()) == before
    assert target.read_bytes() == b"precious"


def test_a_target_in_no_folder(small_file: Path, tmp_path: Path) -> None:
    target = tmp_path / "nowhere" / "out.bc"
    assert fail("wrap", small_file, "-o", target) == f"bitcodec: error: {target}: No such file or directory\n"
    assert not target.parent.exists()


def test_a_malformed_stream_is_not_extracted_in_part(tmp_path: Path) -> None:
    good = Bits().enter_block(8).unabbreviated(1, [2]).end_block().stream()
    bad = Bits().enter_block(8).unabbreviated(1, [2]).end_block(words=500).stream()
    (tmp_path / "lib.a").write_bytes(gnu_archive(("a", good), ("b", bad)))
    fail("extract", tmp_path / "lib.a", "-o", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_output_replaces_a_file_whole_and_keeps_its_permissions(small_file: Path, small: bytes, tmp_path: Path) -> None:
    target = tmp_path / "out.bc"
    target.write_bytes(b"x" * 1000)
    target.chmod(0o640)
    succeed("wrap", small_file, "-o", target, "--align", "1")
    assert target.read_bytes()[20:] == small
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", ["dump", "unwrap"])
def test_a_full_device(command: str, small: bytes, tmp_path: Path) -> None:
    path = tmp_path / "wrapped.bc"
    path.write_bytes(succeed("wrap", "-", "-o", "-", stdin=small))
    options = ["-o", "-"] if command == "unwrap" else []
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*BITCODEC, command, path, *options], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"bitcodec: error: ")
    assert done.stderr.splitlines()[0].endswith(b": No space left on device")
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="file names are text here")
def test_file_names_that_are_no_text(small: bytes, tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.bc"
    Path(os.fsdecode(path)).write_bytes(small)
    done = process("analyze", os.fsdecode(path))
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"Summary of " + path.replace(b"\xff", b"\\FF") + b":\n")
    assert process("info", "--json", os.fsdecode(path)).returncode == 0

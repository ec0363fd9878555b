"""Whatever names are in a file, and whatever the file is called: only text is printed, on terminals and in pipes."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from bits import Bits
from containers.builders import archive, member

from . import forking
from .running import llvm_process, process

DATA = Path(__file__).parents[1] / "data"
HELLO = Path(__file__).parents[2] / "examples" / "hello.bc"
NAMES = DATA / "hostile" / "names-22.bc"
HOSTILE = b"\x1b[31m\n\r\xe2\x80\xae\xff\x9b\x7f\t\x0bz"
"""What every name of the file contains."""
COLOR = re.compile(r"\x1b\[[0-9;]*m")
COMMANDS = [
    "info {}",
    "info --symbols --instructions {}",
    "info --json {}",
    "dis {}",
    "dis --preserve-ll-uselistorder {}",
    "diff {} {hello}",
    "diff {hello} {}",
    "diff --brief {} {hello}",
    "diff --json {} {hello}",
    "nm {}",
    "nm -a -A {} {hello}",
    "nm -a -P -A {}",
    "nm -a -j {}",
    "nm --json {}",
    "analyze {}",
    "analyze --json {}",
    "dump {}",
    "dump --non-symbolic --show-binary-blobs {}",
    "dump --json {}",
    "flags show {}",
    "flags show --json {}",
    "flags check {}",
    "flags merge {} {hello}",
    "flags conflicts {} {}",
    "flags lint {} {}",
    "flags set {} key=1 -o -",
    "flags remove {} absent -o {out}",
    "pcsections show {}",
    "pcsections show --json {}",
    "pcsections audit {} {hello}",
    "pcsections audit --json {} {hello}",
    "pcsections attach {} --select nothing --section s -o {out}",
    "pcsections attach {} --select loads --section {} -o {out}",
    "pcsections map {}",
    "pcsections map {} --json",
    "pcsections map {} --html -",
    "pcsections compile {} -o {out}",
    "pcsections decode {}",
    "pcsections lookup {} 0",
    "pcsections lint {}",
    "pcsections lint {hello} --module {}",
    "pcsections diff {} {}",
    "pcsections decode {hello} --schema {}",
    "transform atomic-expand {} -o {out}",
    "transform atomic-expand {} --target {} -o {out}",
    "extract {} --list",
    "extract {} --list --json",
    "extract-function {} nothing -o {out}",
    "link {} -o {out}",
    "link {} --dry-run",
    "strip {} -o {out}",
    "strip {} --metadata {} -o {out}",
    "wrap {} -o {out}",
    "unwrap {} -o {out}",
    "dis {} surplus",
    "as {} -o {out}",
    "{}",
    "info --{}",
    "flags {}",
    "info {out}/{}",
]
BINARY = {"flags set {} key=1 -o -"}
"""Commands that write a file to standard output."""


def impure(text: bytes) -> list[str]:
    """Return the characters of a text that are neither printable nor line ends nor tabs."""
    return [c for c in text.decode("utf-8", "surrogateescape") if not (c.isprintable() or c in "\n\t")]


def arguments_of(command: str, file: Path, out: Path) -> list[str]:
    return [
        word.replace("{}", str(file)).replace("{hello}", str(HELLO)).replace("{out}", str(out))
        for word in command.split()
    ]


@pytest.fixture
def hostile_file(tmp_path: Path) -> Path:
    """Return a file of hostile names that has such a name itself."""
    path = tmp_path / os.fsdecode(HOSTILE + b".bc")
    shutil.copy(NAMES, path)
    return path


def test_the_file_has_all_of_it_in_names() -> None:
    assert NAMES.read_bytes().count(HOSTILE) >= 10


@pytest.mark.skipif(os.name != "posix", reason="file names are text here")
@pytest.mark.parametrize("command", COMMANDS)
def test_pipes_get_text_alone(command: str, hostile_file: Path, tmp_path: Path) -> None:
    done = process(*arguments_of(command, hostile_file, tmp_path / "out"))
    assert b"Traceback" not in done.stderr
    assert impure(done.stderr) == []
    assert command in BINARY or impure(done.stdout) == []


@pytest.mark.skipif(os.name != "posix", reason="terminals as POSIX has them")
@pytest.mark.parametrize(
    "command", [command for command in COMMANDS if command not in BINARY and "json" not in command]
)
def test_terminals_get_text_and_colors_alone(command: str, hostile_file: Path, tmp_path: Path) -> None:
    text = terminal_output(*arguments_of(command, hostile_file, tmp_path / "out"))
    assert "Traceback" not in text
    assert impure(COLOR.sub("", text).encode("utf-8", "surrogateescape")) == []


def terminal_output(*arguments: str) -> str:
    """Return what a command prints to a terminal, standard output and standard error together."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    with Path(os.devnull).open("rb") as nothing:
        forking.send([*arguments], None, dict(os.environ), [nothing.fileno(), follower, follower])
    os.close(follower)
    pieces = []
    try:
        while piece := os.read(leader, 1 << 16):
            pieces.append(piece)
    except OSError:  # Linux reports that nobody has the other end open
        pass
    forking.receive()
    os.close(leader)
    return b"".join(pieces).decode("utf-8", "surrogateescape").replace("\r\n", "\n")


@pytest.mark.parametrize("command", ["analyze", "dump", "info", "extract --list"])
def test_names_of_archive_members(command: str, tmp_path: Path) -> None:
    path = tmp_path / "lib.a"
    module = Bits().enter_block(8).unabbreviated(1, [2]).end_block().stream()
    path.write_bytes(archive(member(b"#1/%d" % len(HOSTILE), HOSTILE + module)))
    done = process(*command.split(), path)
    assert (done.returncode, impure(done.stdout + done.stderr)) == (0, [])
    assert b"\\1B[31m\\0A\\0D\\E2\\80\\AE\\FF\\9B\\7F\\09\\0Bz" in done.stdout


@pytest.mark.parametrize("command", ["analyze", "dump", "info"])
def test_names_that_a_stream_gives_its_blocks_and_records(command: str, tmp_path: Path) -> None:
    bits = Bits(b"ABCD").enter_block(0).unabbreviated(1, [9]).unabbreviated(2, HOSTILE)
    bits.unabbreviated(3, bytes([1]) + HOSTILE).end_block().enter_block(9).unabbreviated(1, [1]).end_block()
    path = tmp_path / "stream"
    path.write_bytes(bits.stream())
    done = process(command, path)
    assert (done.returncode, impure(done.stdout + done.stderr)) == (0, [])
    assert b"\\1B[31m" in done.stdout


def test_llvm_reads_escaped_text_as_the_same_module(tmp_path: Path) -> None:
    text = tmp_path / "a.ll"
    text.write_bytes(process("dis", NAMES.name, folder=NAMES.parent).stdout)
    assert llvm_process("llvm-as", text, "-o", tmp_path / "a.bc").returncode == 0
    ours, theirs = (llvm_process("llvm-dis", path, "-o", "-").stdout for path in (tmp_path / "a.bc", NAMES))
    assert ours.partition(b"\n")[2] == theirs.partition(b"\n")[2]

"""Every command, on hostile files: in this process, and now and then in one of its own."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from click.testing import CliRunner

from bitcodec.cli import cli

from . import inputs, texts
from .entries import FEATURES, TRIPLES

Pieces = Iterator[str | bytes]

BITCODE, OTHER, ELF, MIR, LIST = "in.bc", "other.bc", "in.o", "in.mir", "files.txt"
"""Names of files; a command line names those that it reads."""

COMMANDS = [
    "info in.bc",
    "info --symbols --instructions in.bc",
    "info --json in.bc",
    "dis in.bc",
    "dis --preserve-ll-uselistorder in.bc -o out.ll",
    "dis --function main in.bc",
    "diff in.bc other.bc",
    "diff -g --brief in.bc other.bc",
    "diff --json -U 0 other.bc in.bc",
    "doctor in.bc",
    "doctor --json --llvm 14 in.bc",
    "nm in.bc",
    "nm -a -A -n in.bc other.bc",
    "nm --json in.bc",
    "nm -C --json in.bc",
    "nm -P -j -r in.o",
    "flags show in.bc",
    "flags show --json in.bc",
    "flags check in.bc",
    "flags check --json in.bc",
    "flags merge in.bc other.bc",
    "flags merge --json --dialect 2012 --upgrade-requirements other.bc in.bc -o out.bc",
    "flags conflicts in.bc other.bc",
    "flags conflicts --json --all @files.txt",
    "flags lint in.bc other.bc",
    "flags lint --json --all @files.txt",
    "flags lint --sarif - other.bc in.bc",
    "flags set in.bc FLAG -o out.bc",
    "flags remove in.bc TEXT -o out.bc",
    "flags explain TEXT",
    "pcsections attach in.bc --select SELECT --section TEXT -o out.bc",
    "pcsections attach in.bc --select all --section hot --aux CONSTANTS -o out.bc",
    "pcsections decode in.o",
    "pcsections lookup in.o 0 1000",
    "pcsections lookup in.o 1000 --maps in.o",
    "pcsections lint in.o --sizes",
    "pcsections lint in.o --module in.bc --schema SCHEMA --json",
    "pcsections diff in.o in.o --json",
    "pcsections decode in.o --schema SCHEMA --json",
    "pcsections decode in.o --schema in.bc --no-lines",
    "pcsections show in.bc",
    "pcsections show --json in.bc",
    "pcsections audit in.bc in.o",
    "pcsections audit in.bc in.mir --json",
    "pcsections audit in.bc other.bc --fail-on lost",
    "report in.bc -o out.html",
    "report in.o other.bc --json",
    "report --compare other.bc in.bc --fail-over 2%",
    "analyze in.bc",
    "analyze --json in.bc",
    "dump in.bc",
    "as in.bc -o out.bc",
    "dump --non-symbolic --show-binary-blobs --dump-blockinfo in.bc",
    "dump --json in.bc",
    "wrap in.bc -o out.bc --cpu TEXT",
    "wrap in.bc -o out.bc --align 16",
    "unwrap in.bc -o out.bc",
    "extract in.bc -o out",
    "extract --list --json in.bc",
    "strip in.bc -g --names -o out.bc",
    "strip in.bc --metadata tbaa -o out.bc",
    "extract-function in.bc main -o out.bc",
    "extract-function -r in.bc TEXT -o out.bc",
    "extract-function --delete --glob TEXT in.bc -o out.bc",
    "transform atomic-expand in.bc --target TRIPLE --features FEATURES -o out.bc",
]

_EXIT_CODES = (0, 1, 2)
_ENVIRONMENT = {"TERM": "dumb", "COLUMNS": "100"}


class CommandError(Exception):
    """A command ended in another way than commands do."""


@cache
def _folder() -> Path:
    """Make a folder for this process; what earlier workers left behind is gone with the machine's memory."""
    shared = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="hostile-", dir=shared if shared.is_dir() else None))


def remove_folder() -> None:
    if _folder.cache_info().currsize:
        shutil.rmtree(_folder(), ignore_errors=True)


def make_arguments(source: random.Random) -> list[str]:
    """Return a command line, its texts changed at random."""
    made = []
    for word in source.choice(COMMANDS).split():
        if word == "TEXT":
            made.append(texts.changed(["main", "PIC Level", "hot", "", "@files.txt", "a\0b", "\udcff"], source))
        elif word == "FLAG":
            made.append(texts.changed([f"PIC Level={value}" for value in (*texts.FLAGS, 7, "text")], source))
        elif word == "SELECT":
            made.append(texts.changed(texts.SELECTIONS, source))
        elif word == "CONSTANTS":
            made.append(texts.changed(texts.CONSTANTS, source))
        elif word == "SCHEMA":
            made.append(texts.changed(texts.SCHEMAS, source))
        elif word == "TRIPLE":
            made.append(source.choice(TRIPLES))
        elif word == "FEATURES":
            made.append(texts.changed(FEATURES, source))
        else:
            made.append(word)
    return made


def make_files(arguments: list[str], source: random.Random) -> dict[str, bytes]:
    """Return the files that a command line reads."""
    files = {}
    for argument in arguments:
        if argument == BITCODE:
            files[argument] = inputs.hostile_file(source).data
        elif argument == OTHER:
            files[argument] = inputs.sound_module(source).data
        elif argument == ELF:
            files[argument] = inputs.hostile_elf(source).data
        elif argument == MIR:
            files[argument] = inputs.hostile_mir(source).encode(errors="surrogatepass")
        elif argument == f"@{LIST}":
            text = texts.changed(["in.bc other.bc\n", "'in.bc' \"other.bc\"", "in.bc # a comment"], source)
            files[LIST] = text.encode(errors="surrogatepass")
            files[BITCODE] = inputs.hostile_file(source).data
            files[OTHER] = inputs.sound_module(source).data
    return files


def run_command(arguments: list[str], files: dict[str, bytes], *, in_process: bool = True) -> Pieces:
    """Run a command in a folder with these files, and yield what it printed and wrote.

    Raises:
        CommandError: it ended with another exit code than 0, 1 or 2, or a message is not one line.
    """
    folder = _folder()
    for old in folder.iterdir():
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield from _in_process(arguments) if in_process else _in_own_process(arguments)
        for path in sorted(each for each in folder.rglob("*") if each.is_file() and each.name not in files):
            yield path.relative_to(folder).as_posix()
            yield path.read_bytes()
    finally:
        os.chdir(before)


def _in_process(arguments: list[str]) -> Pieces:
    result = CliRunner(env=_ENVIRONMENT).invoke(cli, arguments, prog_name="bitcodec")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    _check(arguments, result.exit_code, result.stderr)
    yield f"exit code {result.exit_code}"
    yield result.stdout_bytes
    yield result.stderr_bytes


def _in_own_process(arguments: list[str]) -> Pieces:
    if any("\0" in argument for argument in arguments):
        return  # no process can be given it
    encoded = [argument.encode(errors="surrogateescape" if argument.isascii() else "replace") for argument in arguments]
    command: list[str | bytes] = [sys.executable, "-m", "bitcodec", *encoded]
    result = subprocess.run(command, capture_output=True, timeout=120, check=False, env=os.environ | _ENVIRONMENT)
    stderr = result.stderr.decode(errors="replace")
    _check(arguments, result.returncode, stderr)
    if "Traceback" in stderr:
        raise CommandError(f"{arguments}: {stderr[-500:]}")
    yield result.stdout


def _check(arguments: list[str], exit_code: int, stderr: str) -> None:
    if exit_code not in _EXIT_CODES:
        raise CommandError(f"{arguments}: exit code {exit_code}")
    if exit_code == 1 and len(stderr) > 20_000:
        raise CommandError(f"{arguments}: {len(stderr)} characters of messages")

"""Every command, and paths that lead nowhere, or where no command can work: one line each, and nothing else."""

from __future__ import annotations

import os
import subprocess
from itertools import product
from pathlib import Path

import pytest

from amounts import some

from .running import BITCODEC, process, run
from .test_outcomes import COMMANDS

HELLO = Path(__file__).parents[2] / "examples" / "hello.bc"

if os.name != "posix":
    pytest.skip("paths as POSIX has them", allow_module_level=True)

READERS = {
    **{command: [command, "{}", *options] for command, options in COMMANDS.items()},
    "diff": ["diff", "{}", str(HELLO)],
    "diff, second": ["diff", str(HELLO), "{}"],
    "pcsections decode": ["pcsections decode", "{}"],
    "pcsections decode, schema": ["pcsections decode", str(HELLO), "--schema", "{}"],
    "pcsections lookup": ["pcsections lookup", "{}", "0"],
    "pcsections lint": ["pcsections lint", "{}"],
    "pcsections diff": ["pcsections diff", "{}", str(HELLO)],
    "pcsections audit": ["pcsections audit", "{}", str(HELLO)],
    "pcsections audit, second": ["pcsections audit", str(HELLO), "{}"],
    "flags show, list": ["flags show", "@{}"],
    "flags conflicts, list": ["flags conflicts", "@{}"],
}
WRITERS = {
    "dis": ["dis", "{in}", "-o", "{}"],
    "strip": ["strip", "{in}", "-o", "{}"],
    "wrap": ["wrap", "{in}", "-o", "{}"],
    "unwrap": ["unwrap", "{wrapped}", "-o", "{}"],
    "extract": ["extract", "{in}", "-o", "{}"],
    "extract-function": ["extract-function", "{in}", "main", "-o", "{}"],
    "link": ["link", "{in}", "-o", "{}"],
    "transform atomic-expand": ["transform atomic-expand", "{in}", "-o", "{}"],
    "flags merge": ["flags merge", "{in}", "{in}", "-o", "{}"],
    "flags set": ["flags set", "{in}", "PIC Level=1", "-o", "{}"],
    "flags remove": ["flags remove", "{in}", "PIC Level", "-o", "{}"],
    "pcsections attach": ["pcsections attach", "{in}", "--select", "all", "--section", "s", "-o", "{}"],
}
QUESTIONS = (
    "diff", "verify", "doctor", "flags check", "flags conflicts", "flags lint", "flags merge", "pcsections audit",
    "pcsections diff", "pcsections lint", "pcsections show",
)  # fmt: skip
EXIT_CODES = {command: {2} for name in QUESTIONS for command in (name, f"{name}, second", f"{name}, list")} | {
    "list": {2},
    "flags show, list": {1, 2},  # a file of the list, or the list
}


def filled(words: list[str], path: str) -> list[str]:
    first, *rest = words
    return [*first.split(), *(word.replace("{}", path) for word in rest)]


def assert_one_line(command: str, code: int, output: bytes, errors: bytes, *, mention: str = "") -> None:
    text = errors.decode("utf-8", "surrogateescape")
    assert (output, text.count("\n")) == (b"", 1), text
    assert code in EXIT_CODES.get(command, {1})
    assert text.startswith("bitcodec: error: ")
    assert mention in text


def sparse(path: Path, size: int, head: bytes = b"") -> Path:
    with path.open("wb") as file:
        file.write(head)
        file.truncate(size)
    return path


@pytest.fixture
def unreadable(tmp_path: Path) -> dict[str, tuple[str, str]]:
    """Return what is wrong with paths: a path for each, and a part of the message."""
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nowhere")
    return {
        "nothing": ("", "No such file"),
        "NUL": ("a\0b", "a\\00b: no file can have this name"),
        "too long": ("x" * 5000, "File name too long"),
        "too long, with =": ("s=" + "x" * 5000, ""),
        "below a file": (f"{HELLO}/x", "Not a directory"),
        "folder": (str(tmp_path), "Is a directory"),
        "no text": (os.fsdecode(os.fsencode(tmp_path) + b"/\xff"), "\\FF: No such file"),
        "line end": (f"{tmp_path}/a\nb", "a\\0Ab: No such file"),
        "loop": (f"{tmp_path}/loop", "symbolic links"),
        "dangling": (f"{tmp_path}/dangling", "No such file"),
        "without an end": ("/dev/zero", ""),
        "sparse": (str(sparse(tmp_path / "sparse", 10 << 30)), ""),
        "sparse bitcode": (str(sparse(tmp_path / "sparse.bc", 10 << 30, HELLO.read_bytes())), "File too large"),
    }


CASES = [
    "nothing",
    "NUL",
    "too long",
    "too long, with =",
    "below a file",
    "folder",
    "no text",
    "line end",
    "loop",
    "dangling",
    "without an end",
    "sparse",
    "sparse bitcode",
]


@pytest.mark.parametrize(("command", "case"), some([*product(READERS, CASES)], 150))
def test_input(command: str, case: str, unreadable: dict[str, tuple[str, str]]) -> None:
    path, mention = unreadable[case]
    result = run(*filled(READERS[command], path))
    if "schema" in command and "=" in path:
        mention = ""
    elf = {"pcsections decode", "pcsections lookup", "pcsections lint", "pcsections diff"}
    if command in elf and case == "sparse bitcode":
        mention = "no ELF file"
    if "list" in command and case in {"sparse", "sparse bitcode", "without an end"}:
        mention = "File too large"
    # These two go on with the other files, and then report on all of them.
    output = b"" if command in {"flags merge", "flags conflicts"} else result.stdout_bytes
    assert_one_line(command, result.exit_code, output, result.stderr_bytes, mention=mention)


@pytest.mark.parametrize("command", WRITERS)
@pytest.mark.parametrize("case", ["NUL", "too long", "below a file", "loop", "folder", "missing folder", "full device"])
def test_output(command: str, case: str, unreadable: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    run("wrap", HELLO, "-o", inputs / "wrapped.bc")
    path, mention = {
        **unreadable,
        "missing folder": (f"{tmp_path}/missing/out", "No such file"),
        "full device": ("/dev/full", "No space left"),
    }[case]
    if command == "extract":
        if case in {"folder", "missing folder"}:
            pytest.skip("it takes folders, and makes them")
        mention = "" if case in {"loop", "full device"} else mention
    before = sorted(tmp_path.rglob("*"))
    words = [
        word.replace("{in}", str(HELLO)).replace("{wrapped}", str(inputs / "wrapped.bc")) for word in WRITERS[command]
    ]
    result = run(*filled(words, path))
    errors = result.stderr_bytes.splitlines(keepends=True)[-1]  # what was attached is told before it is written
    output = b"" if command == "flags merge" else result.stdout_bytes
    assert_one_line(command, result.exit_code, output, errors, mention=mention)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("command", WRITERS)
def test_output_that_is_the_input(command: str, tmp_path: Path) -> None:
    if command == "extract":
        pytest.skip("it takes a folder")
    path, other = tmp_path / "a.bc", tmp_path / "b.bc"
    run("wrap", HELLO, "-o", path) if command == "unwrap" else path.write_bytes(HELLO.read_bytes())
    words = [word.replace("{in}", str(path)).replace("{wrapped}", str(path)) for word in WRITERS[command]]
    assert run(*filled(words, str(other))).exit_code == 0
    assert run(*filled(words, str(path))).exit_code == 0
    assert sorted(tmp_path.iterdir()) == [path, other]
    assert path.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("target", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_names_of_standard_output(target: str) -> None:
    if not Path(target).parent.exists():
        pytest.skip("no such name here")
    done = process("strip", HELLO, "-o", target)
    assert (done.returncode, done.stdout) == (0, process("strip", HELLO, "-o", "-").stdout)


@pytest.mark.parametrize("command", ["show", "check", "merge", "conflicts"])
def test_a_list_that_contains_itself(command: str, tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text(f"@{path}", encoding="utf-8")
    result = run("flags", command, f"@{path}")
    mention = f"recursive expansion of: '{path}'"
    assert_one_line("list", result.exit_code, result.stdout_bytes, result.stderr_bytes, mention=mention)


@pytest.mark.parametrize("text", ["s=instruction:i32" + ",i32" * 100, "s=instruction:i32" + ",i32" * 20_000])
def test_a_schema_that_is_longer_than_names_may_be(text: str) -> None:
    decoded = Path(__file__).parents[1] / "data" / "hello.bc"
    result = run("pcsections", "decode", decoded.parent / "embed-elf-22.o", "--schema", text, "--json")
    assert "too long" not in result.stderr
    assert "standard output" not in result.stderr


def test_endless_inputs_take_no_memory() -> None:
    command = f"ulimit -v 4000000; cat /dev/zero | {' '.join(BITCODEC)} info -"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert_one_line("info", done.returncode, done.stdout, done.stderr, mention="-: no bitcode")


def test_bitcode_without_an_end_is_refused_or_too_much() -> None:
    command = f"ulimit -v 700000; (cat {HELLO}; cat /dev/zero) | {' '.join(BITCODEC)} info -"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert_one_line("info", done.returncode, done.stdout, done.stderr, mention="-: not enough memory")

"""`strip`: what goes, where it is written, and what is said when it cannot be."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

import pytest
from click.testing import CliRunner

import bitcodec
from bitcodec.cli import cli
from bitcodec.containers import open_streams
from bits import wrapped
from containers.builders import gnu_archive

from .running import fail, run, succeed

ROOT = Path(__file__).parents[2]
QUEUE = ROOT / "examples" / "queue.bc"
DATA = ROOT / "tests" / "data"


def text(data: bytes) -> str:
    return str(bitcodec.loads(data))


def test_debug_information_goes_if_nothing_is_said(tmp_path: Path) -> None:
    output = tmp_path / "out.bc"
    assert succeed("strip", QUEUE, "-o", output) == b""
    stripped = text(output.read_bytes())
    assert "!dbg" not in stripped
    assert "@lock" in stripped
    assert output.stat().st_size < QUEUE.stat().st_size
    assert succeed("strip", "-g", QUEUE, "-o", "-") == output.read_bytes()


def test_names() -> None:
    stripped = text(succeed("strip", "--names", QUEUE, "-o", "-"))
    assert "@lock" not in stripped
    assert "!dbg" in stripped
    both = text(succeed("strip", "--names", "--debug", QUEUE, "-o", "-"))
    assert ("@lock" in both, "!dbg" in both) == (False, False)


def test_metadata() -> None:
    stripped = text(succeed("strip", "--metadata", "tbaa", "--metadata", "llvm.loop", QUEUE, "-o", "-"))
    assert ("!tbaa" in stripped, "!llvm.loop " in stripped, "!dbg" in stripped) == (False, False, True)


def test_kinds_that_nothing_has() -> None:
    result = run("strip", "--metadata", "tbba", QUEUE, "-o", "-")
    assert (result.exit_code, result.stderr) == (0, "bitcodec: warning: nothing has metadata of kind tbba\n")


def test_in_place(tmp_path: Path) -> None:
    path = tmp_path / "queue.bc"
    path.write_bytes(QUEUE.read_bytes())
    path.chmod(0o640)
    assert succeed("strip", "--in-place", path) == b""
    assert path.read_bytes() == succeed("strip", QUEUE, "-o", "-")
    assert path.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["queue.bc"]


def test_standard_input() -> None:
    assert succeed("strip", "-", "-o", "-", stdin=QUEUE.read_bytes()) == succeed("strip", QUEUE, "-o", "-")


def test_what_was_there_stays_when_something_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "broken.bc"
    path.write_bytes(QUEUE.read_bytes()[:-1024])
    assert str(path) in fail("strip", "--in-place", path)
    assert path.read_bytes() == QUEUE.read_bytes()[:-1024]


def test_a_wrapper_stays() -> None:
    bare = succeed("strip", QUEUE, "-o", "-")
    data = succeed("strip", "-", "-o", "-", stdin=wrapped(QUEUE.read_bytes(), cpu_type=7))
    assert struct.unpack_from("<5I", data) == (0x0B17C0DE, 0, 20, len(bare), 7)
    assert data[20:] == bare + bytes(-(20 + len(bare)) % 16)


def test_a_module_in_an_archive(tmp_path: Path) -> None:
    archive, output = tmp_path / "lib.a", tmp_path / "out.bc"
    archive.write_bytes(gnu_archive(("queue.o", QUEUE.read_bytes())))
    assert succeed("strip", archive, "-o", output) == b""
    assert output.read_bytes() == succeed("strip", QUEUE, "-o", "-")
    assert succeed("strip", "--in-place", archive) == b""
    assert bitcodec.open(archive).functions["push"].subprogram is None


def test_several_modules(tmp_path: Path) -> None:
    archive = tmp_path / "lib.a"
    archive.write_bytes(gnu_archive(("a.o", QUEUE.read_bytes()), ("b.o", QUEUE.read_bytes())))
    assert fail("strip", archive, "-o", "-").endswith(
        "there are 2 bitstreams of LLVM IR; `bitcodec extract` takes them apart\n"
    )
    assert "`bitcodec extract` takes them apart" in fail("strip", DATA / "multi-cat-22.bc", "-o", "-")


def test_what_holds_no_module(tmp_path: Path) -> None:
    diagnostics = tmp_path / "a.dia"
    diagnostics.write_bytes(b"DIAG" + bytes(4))
    assert "expected LLVM IR" in fail("strip", diagnostics, "-o", "-")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([QUEUE], "expected -o FILE, or --in-place"),
        ([QUEUE, "--in-place", "-o", "out.bc"], "expected -o FILE, or --in-place"),
        (["-", "--in-place"], "standard input cannot be changed in place"),
        ([QUEUE, "-o", "-", "--metadata", "dbg"], "--debug, not --metadata dbg"),
    ],
)
def test_wrong_use(arguments: list[str | Path], reason: str) -> None:
    result = run("strip", *arguments)
    assert (result.exit_code, result.stdout_bytes) == (2, b"")
    assert reason in result.stderr


def test_an_archive_in_place(tmp_path: Path) -> None:
    path = tmp_path / "lib.a"
    shutil.copy(Path(__file__).parents[1] / "data/lib-gnu.a", path)
    before = [module.symbol_names for module in bitcodec.open_all(path)]
    result = CliRunner().invoke(cli, ["strip", "--in-place", str(path)])
    assert (result.exit_code, result.output) == (0, "")
    modules = bitcodec.open_all(path)
    assert [module.symbol_names for module in modules] == before
    assert not any(function.subprogram for module in modules for function in module.functions)
    result = CliRunner().invoke(cli, ["flags", "set", "--in-place", str(path), "mine=3"])
    assert result.exit_code == 0, result.output
    assert [module.flags.integer("mine") for module in bitcodec.open_all(path)] == [3] * len(modules)
    result = CliRunner().invoke(cli, ["flags", "remove", "--in-place", str(path), "mine"])
    assert result.exit_code == 0, result.output
    assert [module.flags.integer("mine") for module in bitcodec.open_all(path)] == [None] * len(modules)


@pytest.mark.parametrize(
    "arguments",
    [
        ["strip", "FILE"],
        ["flags", "set", "FILE", "mine=3"],
        ["pcsections", "attach", "FILE", "--select", "functions", "--section", "mine"],
        ["transform", "atomic-expand", "FILE"],
    ],
)
@pytest.mark.parametrize("in_archive", [False, True])
def test_sections_of_an_object_in_place(tmp_path: Path, arguments: list[str], *, in_archive: bool) -> None:
    data = (Path(__file__).parents[1] / "data/embed-elf-22.o").read_bytes()
    path, bare, expected = tmp_path / "in_place", tmp_path / "a.bc", tmp_path / "expected.bc"
    path.write_bytes(gnu_archive(("a.o", data)) if in_archive else data)
    bitcodec.save(bitcodec.open(path), bare)
    at = arguments.index("FILE")
    assert run(*arguments[:at], path, *arguments[at + 1 :], "--in-place").exit_code == 0
    assert run(*arguments[:at], bare, *arguments[at + 1 :], "-o", expected).exit_code == 0
    (found,) = open_streams(memoryview(path.read_bytes()))
    assert found.path == ("a.o:" if in_archive else "") + ".llvmbc"
    changed = str(bitcodec.open(path)).splitlines()[1:]
    assert changed == str(bitcodec.open(expected)).splitlines()[1:]


def test_a_section_of_another_object_is_not_replaced() -> None:
    path = Path(__file__).parents[1] / "data/embed-macho.o"
    assert "llvm-objcopy --update-section" in fail("strip", "--in-place", path)

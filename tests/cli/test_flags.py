"""`flags`: what is shown, merged, found in conflict and changed, and what is said when it cannot be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import bitcodec
from bitcodec.builder import add_module_flag, new_module
from bitcodec.flags import Behavior
from bits import wrapped
from containers.builders import gnu_archive

from .documents import document
from .running import fail, process, run, succeed

ROOT = Path(__file__).parents[2]
QUEUE, HELLO = ROOT / "examples" / "queue.bc", ROOT / "examples" / "hello.bc"
OLD = ROOT / "tests" / "data" / "control-O2-16.bc"
CONFLICT = "linking module flags 'wchar_size': IDs have conflicting values: 'i32 2' from {}, and 'i32 4' from llvm-link"


@pytest.fixture
def short(tmp_path: Path) -> Path:
    path = tmp_path / "short.bc"
    succeed("flags", "set", QUEUE, "wchar_size=2", "-o", path)
    return path


def test_show() -> None:
    lines = succeed("flags", "show", QUEUE).decode().splitlines()
    assert lines[0] == f"{QUEUE}: 7 module flags"
    assert [line.split()[:3] for line in lines[1:3]] == [["behavior", "key", "value"], ["0", "Max", "Dwarf"]]
    assert lines[4].split()[:3] == ["2", "Error", "wchar_size"]
    assert lines[4].endswith("  wchar_t is 4 bytes: -fno-short-wchar")


def test_show_as_json() -> None:
    (found,) = document(succeed("flags", "show", "--json", QUEUE))["modules"]
    assert found["flags"][2] == {"key": "wchar_size", "behavior": "error", "value": "i32 4"}
    assert (found["file"], found["member"], found["module"], found["findings"]) == (str(QUEUE), None, 1, [])
    modules = document(succeed("flags", "show", "--json", QUEUE, HELLO))["modules"]
    assert [module["file"] for module in modules] == [str(QUEUE), str(HELLO)]


def test_nodes_stand_inline(tmp_path: Path) -> None:
    path = tmp_path / "lists.bc"
    succeed("flags", "set", HELLO, 'riscv-isa=!{!"rv64i2p1", !{i8 -1, null}}', "-o", path)
    flags = document(succeed("flags", "show", "--json", path))["modules"][0]["flags"]
    assert flags[-1] == {"behavior": "append_unique", "key": "riscv-isa", "value": '!{!"rv64i2p1", !{i8 -1, null}}'}


def test_merge(short: Path) -> None:
    agreed = document(succeed("flags", "merge", "--json", HELLO, QUEUE))
    assert [flag["key"] for flag in agreed["flags"]][:3] == list(bitcodec.open(HELLO).flags)[:3]
    result = run("flags", "merge", HELLO, short)
    assert result.exit_code == 1
    assert f"error: {CONFLICT.format(short)}\n" in result.stderr
    assert "wchar_t is 2 bytes" in result.stderr
    found = document(run("flags", "merge", "--json", HELLO, short).stdout)
    assert found["findings"] == [{"severity": "error", "message": CONFLICT.format(short)}]


def test_merged_flags_are_written(tmp_path: Path, short: Path) -> None:
    output = tmp_path / "merged.bc"
    succeed("flags", "merge", HELLO, QUEUE, "-o", output)
    merged = bitcodec.open(output)
    (shown,) = document(succeed("flags", "show", "--json", output))["modules"]
    assert list(merged.flags) == [flag["key"] for flag in shown["flags"]]
    assert "debug-info-assignment-tracking" in merged.flags
    assert [f.name for f in merged.functions] == [f.name for f in bitcodec.open(HELLO).functions]
    output.unlink()
    run("flags", "merge", HELLO, short, "-o", output)
    assert not output.exists()


def test_conflicts(tmp_path: Path, short: Path) -> None:
    archive = tmp_path / "lib.a"
    archive.write_bytes(gnu_archive(("member.o", QUEUE.read_bytes())))
    listed = tmp_path / "link.rsp"
    listed.write_text(f"{HELLO} {archive}\n{short}")
    result = run("flags", "conflicts", f"@{listed}")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "wchar_size: error: conflicting values",
        "  inputs  value  behavior  meaning",
        "  2       i32 4  Error     wchar_t is 4 bytes: -fno-short-wchar",
        "  1       i32 2  Error     wchar_t is 2 bytes: -fshort-wchar",
        f"  i32 4: {HELLO}, {archive}(member.o)",
        f"  i32 2: {short}",
        "  1 input against 2: compile with -fno-short-wchar. It comes from -f[no-]short-wchar.",
        "3 modules: 1 flag in conflict",
    ]
    report = document(run("flags", "conflicts", "--json", HELLO, archive, short).stdout)
    assert report["input_count"] == 3
    (conflict,) = report["conflicts"]
    assert (conflict["key"], conflict["error"], conflict["minority"]) == ("wchar_size", True, "i32 2")
    assert conflict["values"][1]["inputs"] == [str(short)]


def test_no_conflicts() -> None:
    assert succeed("flags", "conflicts", HELLO, QUEUE) == b"2 modules: no flags in conflict\n"


def test_a_file_that_cannot_be_read_does_not_stop_the_others(short: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.o"
    empty.touch()
    result = run("flags", "conflicts", empty, HELLO, short)
    assert result.exit_code == 2
    assert result.stderr == f"bitcodec: error: {empty}: the file is empty (bit 0, top level)\n"
    assert "wchar_size: error" in result.stdout


def test_objects_without_bitcode_are_counted(short: Path, tmp_path: Path) -> None:
    native = tmp_path / "libnative.a"
    native.write_bytes(gnu_archive(("readme.txt", b"nothing for a linker")))
    result = run("flags", "conflicts", native, HELLO, QUEUE)
    assert (result.exit_code, result.stdout) == (0, "2 modules: no flags in conflict\n")
    assert result.stderr == "bitcodec: note: passed over 1 of 3 files: they hold no bitcode\n"
    assert run("flags", "conflicts", native, HELLO, short).exit_code == 1
    result = run("flags", "conflicts", native)
    assert (result.exit_code, result.stderr) == (2, "bitcodec: error: expected bitcode in the files, found none\n")
    result = run("flags", "show", native, HELLO)
    assert result.exit_code == 1
    assert "no bitstream in this archive" in result.stderr
    assert "wchar_size" in result.stdout


def test_remove_a_malformed_flag(tmp_path: Path) -> None:
    path = tmp_path / "malformed.bc"
    text = '!llvm.module.flags = !{!0, !1}\n!0 = !{i32 7, !"a", !"many"}\n!1 = !{i32 1, !"b", i32 4}\n'
    path.write_bytes(bitcodec.dumps(bitcodec.parse_assembly(text)))
    assert f"bitcodec flags remove {path} a --in-place" in run("flags", "lint", path).stdout
    succeed("flags", "remove", path, "a", "-i")
    assert list(bitcodec.open(path).flags) == ["b"]
    succeed("flags", "lint", path)


def test_set_in_place_and_remove(short: Path) -> None:
    succeed("flags", "set", short, "wchar_size=4", "--in-place")
    assert short.read_bytes() == QUEUE.read_bytes()
    succeed("flags", "remove", short, "uwtable", "PIE Level", "-i")
    left = [key for key in bitcodec.open(QUEUE).flags if key not in ("uwtable", "PIE Level")]
    assert list(bitcodec.open(short).flags) == left


def test_the_version_of_a_file_stays_where_it_can(tmp_path: Path) -> None:
    output = tmp_path / "old.bc"
    succeed("flags", "set", OLD, "PIC Level=1", "-o", output)
    assert bitcodec.open(output).producer == bitcodec.open(OLD).producer
    result = run("flags", "set", OLD, "wchar_size=2", "Code Model=3", "-o", output)
    assert result.exit_code == 0
    assert result.stderr.startswith("bitcodec: warning: ")
    assert result.stderr.endswith("to LLVM 22\n")
    assert bitcodec.open(output).flags.integer("Code Model") == 3


def test_a_wrapper_stays(tmp_path: Path) -> None:
    path = tmp_path / "wrapped.bc"
    path.write_bytes(wrapped(QUEUE.read_bytes()))
    succeed("flags", "set", path, "PIC Level=1", "-i")
    assert bitcodec.bitstream.open(path).wrapper is not None
    assert bitcodec.open(path).flags.integer("PIC Level") == 1


def test_behaviors_and_texts(tmp_path: Path) -> None:
    path = tmp_path / "flags.bc"
    succeed("flags", "set", HELLO, "mine=2", "--behavior", "MAX", "-o", path)
    succeed("flags", "set", path, "target-abi=lp64d", "stack-protector-guard=tls", "-i")
    flags = bitcodec.open(path).flags
    assert (flags["mine"].behavior.spelling, flags.integer("mine")) == ("Max", 2)
    assert (flags.string("target-abi"), flags.string("stack-protector-guard")) == ("lp64d", "tls")


def test_values_that_no_compiler_writes(tmp_path: Path) -> None:
    result = run("flags", "set", QUEUE, "PIC Level=3", "-o", tmp_path / "out.bc")
    assert result.exit_code == 0
    assert result.stderr == f"bitcodec: warning: {QUEUE}: PIC Level: i32 3 is not one of the values 0, 1, 2\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["set", QUEUE, "PIC Level=x", "-i"],
            "PIC Level=x: module flag 'PIC Level': invalid value for 'min' module flag",
        ),
        (["set", QUEUE, "x=!{i32 1", "-i"], "x=!{i32 1: '!{i32 1' is no value (at its end)"),
        (["set", QUEUE, "x=!{,}", "-i"], "x=!{,}: '!{,}' is no value (at ',}')"),
        (["set", QUEUE, "wchar_size=5000000000", "-i"], "wchar_size=5000000000: 5000000000 does not fit into an i32"),
        (["remove", QUEUE, "nothing", "-i"], f"{QUEUE}: no flag 'nothing'; the module has Dwarf Version, "),
        (["explain", "wchar"], "unknown module flag 'wchar' (unknown flags are allowed); did you mean 'wchar_size'?"),
    ],
    ids=lambda each: each if isinstance(each, str) else each[-1],
)
def test_what_is_refused(arguments: list[str | Path], message: str) -> None:
    before = QUEUE.read_bytes()
    assert fail("flags", *arguments).startswith(f"bitcodec: error: {message}")
    assert QUEUE.read_bytes() == before


@pytest.mark.parametrize("arguments", [["set", QUEUE, "novalue"], ["set", QUEUE, "a=1", "--behavior", "require"]])
def test_wrong_usage(arguments: list[str | Path]) -> None:
    assert run("flags", *arguments).exit_code == 2


def test_members_are_changed_in_place(tmp_path: Path) -> None:
    archive = tmp_path / "lib.a"
    archive.write_bytes(gnu_archive(("member.o", QUEUE.read_bytes())))
    assert succeed("flags", "set", archive, "PIC Level=1", "-i") == b""
    assert bitcodec.open(archive).flags.integer("PIC Level") == 1


def test_check(tmp_path: Path) -> None:
    assert succeed("flags", "check", QUEUE, HELLO) == b""
    module = new_module("broken")
    add_module_flag(module, 8, "PIC Level", 3)
    flags = module.flags
    flags.require("needs", "PIC Level", 2)
    path = tmp_path / "broken.bc"
    bitcodec.save(module, path)
    result = run("flags", "check", path)
    assert (result.exit_code, result.stdout) == (
        1,
        f"{path}: module flag 1 'needs': invalid requirement on flag, flag does not have the required value\n",
    )
    assert result.stderr == f"bitcodec: warning: {path}: PIC Level: i32 3 is not one of the values 0, 1, 2\n"


def test_explain() -> None:
    assert succeed("flags", "explain", "wchar_size").startswith(b"wchar_size: size of wchar_t\n")
    assert len(succeed("flags", "explain").splitlines()) > 80


def test_commands_start_without_what_they_do_not_need() -> None:
    code = "import sys, bitcodec.cli.flags; print([m for m in sys.modules if m.startswith('bitcodec.flags')])"
    assert process("flags", "--help").returncode == 0
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"[]\n"


def test_keys_of_any_length(tmp_path: Path) -> None:
    paths = [tmp_path / "one.bc", tmp_path / "other.bc"]
    module = new_module("long")
    for number, path in enumerate(paths):
        module.flags.set("k" * 10_000_000, number, Behavior.ERROR)
        bitcodec.save(module, path)
    assert all(len(line) < 200 for line in succeed("flags", "show", paths[0]).decode().splitlines())
    result = run("flags", "conflicts", *paths)
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{'k' * 57}...: error: conflicting values\n")
    assert all(len(line) < 200 for line in result.stdout.splitlines())


def test_all_inputs_are_named_if_wanted(tmp_path: Path, short: Path) -> None:
    copies = [tmp_path / f"{number}.bc" for number in range(120)]
    for copy in copies:
        copy.write_bytes(short.read_bytes())
    assert ", and 112 more\n" in run("flags", "conflicts", *copies, QUEUE).stdout
    assert str(copies[-1]) in run("flags", "conflicts", "--all", *copies, QUEUE).stdout

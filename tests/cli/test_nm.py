"""`nm`: the text of `llvm-nm`, from committed goldens and live, over all the files that it reads as bitcode."""

from __future__ import annotations

import json
import os
import re
import subprocess
from hashlib import sha256
from itertools import groupby
from pathlib import Path

import pytest

from answers import ask, recall
from bits import Bits
from containers.builders import archive, gnu_archive, member
from corpus import FOLDER, needs_corpus

from .documents import document
from .running import BITCODEC, fail, llvm_process, process, run, succeed

DATA = Path(__file__).parents[1] / "data"
SYMBOLS = DATA / "symbols"
GOLDENS = sorted(SYMBOLS.glob("*.nm"))

NOT_AS_LLVM = {
    "containers/package.offload": "llvm-nm does not look into offload binaries",
    "containers/lib-gnulong.a": "a member is machine code",
    "invalid/invalid-alias-type-mismatch.bc": "a module with a body too many is refused",
    "invalid/invalid-no-function-block.bc": "a module with a body too few is refused",
}
"""Who makes one the same strikes it out here."""

NOT_READ = {"embedded-object", "pch", "diagnostics", "remarks", "profile"}
OPTIONS = ["-g", "-u", "-U", "-W", "-A", "-n", "-rn", "-P", "-AP", "-j"]


def files_of_the_corpus() -> list[str]:
    if not (FOLDER / "manifest.json").is_file():
        return []
    entries = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))["files"]
    # Of other objects llvm-nm prints the symbols of its machine code, but for the section that linkers choose.
    return [one["file"] for one in entries if one["kind"] not in NOT_READ or "fatlto" in one["file"]]


def with_ties_sorted(text: bytes) -> list[bytes]:
    """Return the lines, those of symbols of one name in order: LLVM has no order for them."""
    groups = groupby(text.splitlines(), key=lambda line: line.rpartition(b" ")[2])
    return [line for _, group in groups for line in sorted(group)]


def quoted(name: re.Match[bytes]) -> bytes:
    """Return a name as LLVM IR quotes it."""
    escaped = re.sub(rb"[^ !#-\[\]-~]", lambda byte: b"\\%02X" % ord(byte[0]), name[0])
    return b'"%b"' % escaped


def with_names_quoted(text: bytes) -> bytes:
    """Return text of llvm-nm with names quoted that have control characters: it prints them raw."""
    return re.sub(rb"[^ \n]*[\x00-\x09\x0b-\x1f\x7f][^ \n]*", quoted, text)


def lines_digest(text: bytes) -> str:
    return sha256(b"\n".join(with_ties_sorted(text))).hexdigest()[:16]


def assert_as_llvm(file: str, *options: str) -> None:
    def compute() -> tuple[str, str] | None:
        theirs = llvm_process("llvm-nm", *options, file)
        if theirs.returncode:  # of a target that LLVM is built without, for one
            return None
        return lines_digest(with_names_quoted(theirs.stdout)), theirs.stderr.decode()

    theirs = recall([" ".join(["llvm-nm-22", *options, file]), Path(file).read_bytes()], compute)
    ours = run("nm", *options, file)
    if theirs is None:
        assert ours.exit_code in (0, 1)
        return
    is_same = ([lines_digest(ours.stdout_bytes), ours.stderr], ours.exit_code) == (list(theirs), 0)
    assert is_same == (file not in NOT_AS_LLVM)


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.name)
def test_text_is_that_of_llvm(golden: Path) -> None:
    name, every = re.fullmatch(r"(.*?)(\.all)?\.nm", golden.name).groups()
    options = ["-a"] if every else []
    assert succeed("nm", *options, SYMBOLS / f"{name}.bc") == golden.read_bytes()


@needs_corpus
@pytest.mark.parametrize("file", files_of_the_corpus() or [""])
def test_text_is_that_of_llvm_live(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    assert_as_llvm(file)


@needs_corpus
@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("file", files_of_the_corpus()[::40] or [""])
def test_options_are_those_of_llvm_live(file: str, option: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    assert_as_llvm(file, option)


@pytest.mark.parametrize("name", ["linkage.bc", "win32.bc", "macos.bc"])
def test_the_order_of_the_module_live(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SYMBOLS)
    for options in (["-p"], ["-ap"]):
        assert succeed("nm", *options, name) == llvm_process("llvm-nm", *options, name).stdout


def test_several_files_live(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SYMBOLS)
    for options in ([], ["-A"], ["-j"], ["-g"]):
        arguments = [*options, "linkage.bc", "../lib-gnu.a", "../index-22.thinlto.bc", "macos.bc"]
        theirs = llvm_process("llvm-nm", *arguments)
        ours = run("nm", *arguments)
        assert (ours.stdout_bytes, ours.stderr_bytes) == (theirs.stdout, theirs.stderr)


def test_a_thin_archive_live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["linkage.bc", "win32.bc"]
    for name in names:
        (tmp_path / name).write_bytes((SYMBOLS / name).read_bytes())

    def compute() -> list[str]:
        subprocess.run(["llvm-ar-22", "rcT", "thin.a", *names], check=True)
        printed = subprocess.run(["llvm-nm-22", "thin.a"], check=True, capture_output=True, text=True).stdout
        return [Path("thin.a").read_bytes().hex(), printed]

    archive, expected = recall(["llvm-ar-22 rcT, llvm-nm-22", *(Path(name).read_bytes() for name in names)], compute)
    Path("thin.a").write_bytes(bytes.fromhex(archive))
    assert succeed("nm", "thin.a").decode() == expected


def test_lines_of_each_kind() -> None:
    text = succeed("nm", SYMBOLS / "linkage.bc").decode()
    assert text.splitlines()[:4] == [
        "         U _GLOBAL_OFFSET_TABLE_",
        "-------- D __unnamed_1",
        "-------- D appended",
        "-------- t choose",
    ]
    assert "-------- C common\n" in text
    assert "         w maybe\n" in text
    assert "private" not in text
    assert "llvm." not in text


def test_a_file_of_several_streams_has_a_header_for_each() -> None:
    text = succeed("nm", DATA / "lib-gnu.a").decode()
    assert re.findall(r"^\n(.*):$", text, re.MULTILINE) == ["a22.bc", "b22.bc", "a14.bc"]


def test_what_has_no_symbols_says_so(tmp_path: Path, small_file: Path, small: bytes) -> None:
    result = run("nm", small_file)
    assert (result.stdout, result.stderr, result.exit_code) == ("", f"{small_file}: no symbols\n", 0)
    assert succeed("nm", "--quiet", small_file) == b""
    archive = tmp_path / "lib.a"
    archive.write_bytes(gnu_archive(("x.bc", small)))
    result = run("nm", archive)
    assert (result.stdout, result.stderr) == ("\nx.bc:\n", f"{archive}:x.bc: no symbols\n")


def test_a_bad_file_does_not_keep_others_from_being_listed(tmp_path: Path) -> None:
    missing = tmp_path / "missing.bc"
    result = run("nm", "-A", missing, SYMBOLS / "linkage.bc")
    assert result.exit_code == 1
    assert result.stderr == f"bitcodec: error: {missing}: No such file or directory\n"
    assert f"{SYMBOLS / 'linkage.bc'}: -------- D appended\n" in result.stdout


def test_a_stream_that_is_no_module_is_an_error() -> None:
    assert fail("nm", DATA / "bad-22.dia").endswith("expected LLVM IR, found Clang Serialized Diagnostics\n")


def test_an_error_names_its_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.bc"
    path.write_bytes(Bits().enter_block(8).unabbreviated(1, [2]).unabbreviated(8, [0, 1]).end_block().stream())
    assert re.search(r"bad\.bc: FUNCTION record: .* \(bit \d+, MODULE_BLOCK\)\n", fail("nm", path))


def test_json() -> None:
    (listing,) = document(succeed("nm", "--json", "-U", SYMBOLS / "win32.bc"))["streams"]
    assert (listing["file"], listing["member"]) == (str(SYMBOLS / "win32.bc"), None)
    (found,) = (one for one in listing["symbols"] if one["name"] == "@fast@8")
    assert found == {
        "name": "@fast@8",
        "letter": "T",
        "defined": True,
        "global": True,
        "weak": False,
        "linkage": "external",
        "visibility": "default",
    }
    assert all(one["defined"] for one in listing["symbols"])


def module_with_function(name: bytes) -> bytes:
    bits = Bits().enter_block(8).unabbreviated(1, [2])
    bits.enter_block(17).unabbreviated(1, [2]).unabbreviated(2, []).unabbreviated(21, [0, 0]).end_block()
    bits.unabbreviated(8, [0, len(name), 1, 0, 1, 0, 0, 0, 0, 0]).end_block()
    return bits.enter_block(23).define(1, "blob").abbreviated(4, [1, "blob"], [1], name).end_block().stream()


def test_names_that_are_not_printable_are_quoted(tmp_path: Path) -> None:
    path = tmp_path / "a.bc"
    path.write_bytes(module_with_function(b"a\x80\x1b[31mb"))
    assert succeed("nm", path) == b'         U "a\\80\\1B[31mb"\n'
    assert succeed("nm", "-j", path) == b'"a\\80\\1B[31mb"\n'
    assert succeed("nm", "-P", path) == b'"a\\80\\1B[31mb" U 0 0\n'
    (listing,) = document(succeed("nm", "--json", path))["streams"]
    assert listing["symbols"][0]["name"] == "a\\x80\x1b[31mb"


def test_on_a_terminal_names_are_escaped(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    path = tmp_path / "a.bc"
    path.write_bytes(module_with_function(b"a\x1b[31mb\nc"))
    leader, follower = pty.openpty()
    done = subprocess.run([*BITCODEC, "nm", str(path)], stdout=follower, stderr=subprocess.PIPE, check=False)
    os.close(follower)
    text = os.read(leader, 1 << 16)
    os.close(leader)
    assert (done.returncode, done.stderr) == (0, b"")
    assert text == b'         U "a\\1B[31mb\\0Ac"\r\n'


def test_standard_input() -> None:
    data = (SYMBOLS / "linkage.bc").read_bytes()
    assert process("nm", "-", stdin=data).stdout == (SYMBOLS / "linkage.nm").read_bytes()
    assert b"<stdin>: -------- D appended\n" in process("nm", "-A", "-", stdin=data).stdout


# Options that few need; expected text: llvm-nm 22.1.8.

KINDS = SYMBOLS / "kinds.ll"
OWN_OPTIONS = ["-m", "-mA", "-mg", "--without-aliases", "--export-symbols", "--export-symbols -r", "-X32", "-X64"]


def test_darwin_format() -> None:
    assert succeed("nm", "-m", KINDS) == (SYMBOLS / "kinds-darwin.txt").read_bytes()


def test_exported_symbols() -> None:
    names = succeed("nm", "--export-symbols", KINDS, KINDS).decode().split()
    assert names == ["_al", "_c", "_cm", "_d", "_f", "_hc", "_hd", "_hf", "_wal", "_wd", "_wf", "_whd"]
    shown = succeed("nm", "--export-symbols", "--without-aliases", KINDS).decode().split()
    assert shown == [name for name in names if not name.endswith("al")]


def test_width_of_addresses() -> None:
    assert succeed("nm", "-X32", KINDS) == b""
    assert succeed("nm", "-X", "64", KINDS) == succeed("nm", KINDS)


def test_archive_map(tmp_path: Path) -> None:
    content = succeed("as", KINDS, "-o", "-")
    table = (2).to_bytes(4, "big") + 2 * (8 + 60 + 12 + 16).to_bytes(4, "big") + b"_al\0_c\0".ljust(16, b"\0")
    data = archive(member(b"/", table), member(b"kinds.bc/", content))
    (tmp_path / "lib.a").write_bytes(data)
    text = succeed("nm", "--print-armap", tmp_path / "lib.a").decode()
    assert text.startswith("Archive map\n_al in kinds.bc\n_c in kinds.bc\n\n\nkinds.bc:\n")
    found = document(succeed("nm", "-M", "--json", tmp_path / "lib.a"))
    assert [row["symbols"] for row in found["archive_maps"]] == [
        [{"name": "_al", "member": "kinds.bc"}, {"name": "_c", "member": "kinds.bc"}]
    ]


@pytest.mark.parametrize("form", ["gnu", "bsd", "darwin", "coff"])
@pytest.mark.parametrize("options", [*OWN_OPTIONS, "-M", "-MAP"])
def test_archives_as_llvm(tmp_path: Path, form: str, options: str) -> None:
    module, library = tmp_path / "a_long_name_of_a_member.bc", tmp_path / "lib.a"
    module.write_bytes(succeed("as", "-", "-o", "-", stdin=KINDS.read_bytes()))
    ask(["llvm-ar-22", f"--format={form}", "rcs", library, module], check=True, writes=library)
    expected = ask(["llvm-nm-22", *options.split(), library], check=True).stdout
    assert succeed("nm", *options.split(), library) == expected

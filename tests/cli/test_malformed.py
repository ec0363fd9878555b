"""Malformed input: the exit code of llvm-bcanalyzer, what comes before the fault, and one line that says where."""

from __future__ import annotations

from pathlib import Path

import pytest

from bits import Bits
from containers.builders import gnu_archive
from corpus import (
    FOLDER,
    File,
    accepted_streams,
    expected_of_invalid,
    needs_corpus,
    parameters,
    refused_streams,
    streams,
)

from .running import ERROR_LINE, llvm_process, process, run

INVALID = [file for file in streams() if file.kind == "invalid"]
REFUSED = refused_streams()

EXPECTED_DIFFERENCES = {
    "dump invalid-code-len-width.bc": "a block of 262143-bit abbreviation ids is refused before it is shown, not after",
}
"""Where standard output is not llvm-bcanalyzer's; who makes one disappear strikes it out here."""


@pytest.mark.parametrize("command", ["dump", "analyze"])
@pytest.mark.parametrize("file", parameters(INVALID))
def test_exit_code_is_that_of_llvm(file: File, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER / "invalid")
    expected = expected_of_invalid()[file.name]["llvm-bcanalyzer --dump"]["exit"]
    assert run(command, file.name).exit_code == expected


@pytest.mark.parametrize("command", ["dump", "analyze"])
@pytest.mark.parametrize("file", parameters(REFUSED))
def test_one_line_says_what_and_where(file: File, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir((FOLDER / file.path).parent)
    result = run(command, file.name)
    error = ERROR_LINE.fullmatch(result.stderr)
    assert error
    assert error["file"] == file.name
    assert int(error["bit"]) <= len(file.data) * 8
    assert result.exit_code == 1
    assert "Summary of" not in result.stdout


@pytest.mark.parametrize("command", ["dump", "analyze"])
@pytest.mark.parametrize("file", parameters(INVALID))
def test_output_up_to_the_fault_live(file: File, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options = ["--dump"] if command == "dump" else []
    expected = llvm_process("llvm-bcanalyzer", *options, file.name, folder=FOLDER / "invalid", keeps="digest")
    monkeypatch.chdir(FOLDER / "invalid")
    is_same = run(command, file.name).stdout_bytes == expected.stdout
    assert is_same == (f"{command} {file.name}" not in EXPECTED_DIFFERENCES)


@pytest.mark.parametrize("command", ["info", "nm", "extract"])
@pytest.mark.parametrize("file", parameters(INVALID))
def test_other_commands_end_in_order(file: File, command: str, tmp_path: Path) -> None:
    options = {"extract": ["-o", tmp_path], "nm": ["--quiet"], "info": []}
    result = run(command, FOLDER / file.path, *options[command])
    assert result.exit_code in (0, 1)
    assert (result.exit_code == 0) == (result.stderr == "")
    assert result.stderr.count("\n") <= 1
    if command == "extract":
        assert (result.exit_code == 0) == (result.stdout != "")


@needs_corpus
@pytest.mark.parametrize(
    "name",
    [
        "modules/structs-O0g-22.bc",
        "legacy/aggregateInstructions.3.2.ll.bc",
        "containers/small-22.pch",
        "containers/bad-22.dia",
    ],
)
def test_a_file_cut_short_is_dumped_up_to_there(name: str, tmp_path: Path) -> None:
    (file,) = (one for one in accepted_streams() if one.path == name)
    golden = file.golden_dump()
    cut = tmp_path / "cut"
    sizes = []
    for words in range(10, len(file.data) // 4, max(len(file.data) // 4 // 40, 1)):
        cut.write_bytes(file.data[: words * 4])
        result = run("dump", cut)
        if result.exit_code:
            assert golden.startswith(result.stdout_bytes)
            assert ERROR_LINE.fullmatch(result.stderr)
            sizes.append(len(result.stdout_bytes))
    assert len(sizes) > 20
    assert sizes == sorted(sizes)
    assert sizes[-1] > 10 * sizes[0]


def test_the_whole_line(tmp_path: Path) -> None:
    bits = Bits().enter_block(8).unabbreviated(1, [2]).enter_block(12).id(5)
    path = tmp_path / "bad.bc"
    path.write_bytes(bits.stream())
    place = 32 + 64 + 32 + 64
    line = (
        f"{path}: abbreviation id 5 is not defined in this block; none is (bit {place}, MODULE_BLOCK > FUNCTION_BLOCK)"
    )
    done = process("dump", path)
    assert done.stderr.decode() == f"bitcodec: error: {line}\n"
    assert done.stdout.splitlines() == [
        b"<MODULE_BLOCK NumWords=0 BlockCodeSize=3>",
        b"  <VERSION op0=2/>",
        b"  <FUNCTION_BLOCK NumWords=0 BlockCodeSize=3>",
    ]
    assert done.returncode == 1


def test_in_a_member_the_line_says_where_its_stream_begins(tmp_path: Path) -> None:
    stream = Bits().enter_block(8).id(5).stream()
    path = tmp_path / "lib.a"
    path.write_bytes(gnu_archive(("x.bc", stream)))
    for command in ("dump", "analyze", "info"):
        result = run(command, path)
        message = "abbreviation id 5 is not defined in this block; none is"
        place = f"bit 96 of the stream at byte {path.read_bytes().index(stream)}, MODULE_BLOCK"
        assert result.stderr == f"bitcodec: error: {path}(x.bc): {message} ({place})\n"


def test_json_of_a_malformed_stream_is_none_at_all(tmp_path: Path) -> None:
    path = tmp_path / "bad.bc"
    path.write_bytes(Bits().enter_block(8).unabbreviated(1, [2]).id(5).stream())
    for command in ("dump", "analyze"):
        result = run(command, "--json", path)
        assert (result.exit_code, result.stdout) == (1, "")


def test_a_length_that_lies_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "lying.bc"
    path.write_bytes(Bits().enter_block(8).unabbreviated(1, [2]).end_block(words=5).stream())
    for command in ("dump", "analyze"):
        result = run(command, path)
        assert result.exit_code == 0
        warning = "block 8 states a length of 5 words, but ends after 1 (bit 32)"
        assert result.stderr == f"bitcodec: warning: {path}: {warning}\n"

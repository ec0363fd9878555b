"""`dump`: the text of llvm-bcanalyzer --dump, byte for byte."""

from __future__ import annotations

import os
import subprocess

import pytest

from answers import ask
from corpus import FOLDER, File, accepted_streams, parameters

from .running import BITCODEC, llvm_process, process, run, succeed

ALL = accepted_streams()
GOLDEN = [file for file in ALL if "dump" in file.goldens]
SAMPLE = [
    file for number, file in enumerate(ALL) if number % 12 == 0 or file.kind not in {"module", "wrapper", "invalid"}
]
OPTIONS = {
    "--non-symbolic": "--non-symbolic",
    "--show-binary-blobs": "--show-binary-blobs",
    "--dump-blockinfo": "--dump-blockinfo",
    "--no-histogram": "--disable-histogram",
}
"""Ours, and how llvm-bcanalyzer spells it."""

folder_of = {file.path: (FOLDER / file.path).parent for file in ALL}


@pytest.mark.parametrize("file", parameters(GOLDEN))
def test_text_is_that_of_llvm(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder_of[file.path])
    assert succeed("dump", file.name) == file.golden_dump()


@pytest.mark.parametrize("file", parameters(GOLDEN[::120]))
def test_text_of_a_process_is_the_same(file: File) -> None:
    done = process("dump", file.name, folder=folder_of[file.path])
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == file.golden_dump()


@pytest.mark.parametrize("file", parameters(SAMPLE))
def test_options_live(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of[file.path]
    monkeypatch.chdir(folder)
    for ours, theirs in OPTIONS.items():
        expected = llvm_process("llvm-bcanalyzer", "--dump", theirs, file.name, folder=folder, keeps="digest")
        assert (ours, run("dump", ours, file.name).stdout_bytes) == (ours, expected.stdout)


@pytest.mark.parametrize("file", parameters(SAMPLE[::5]))
def test_all_options_together_live(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of[file.path]
    expected = llvm_process("llvm-bcanalyzer", "--dump", *OPTIONS.values(), file.name, folder=folder, keeps="digest")
    monkeypatch.chdir(folder)
    assert run("dump", *OPTIONS, file.name).stdout_bytes == expected.stdout


def test_standard_input(small: bytes) -> None:
    assert b"<MODULE_BLOCK NumWords=1 BlockCodeSize=3>\n  <VERSION op0=2/>\n</MODULE_BLOCK>\n" in succeed(
        "dump", "-", stdin=small
    )
    assert b"Summary of -:\n" in succeed("dump", "-", stdin=small)


def test_standard_input_live(small: bytes) -> None:
    expected = ask(["llvm-bcanalyzer-22", "--dump", "-"], input=small, check=True)
    assert process("dump", "-", stdin=small).stdout == expected.stdout


@pytest.mark.skipif(os.name != "posix", reason="no SIGPIPE here")
def test_a_reader_that_has_seen_enough_ends_it_without_a_word(small: bytes) -> None:
    many = small[:4] + small[4:] * 20_000
    with subprocess.Popen(
        [*BITCODEC, "dump", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(many)
        running.stdin.close()
        assert running.stdout.readline() == b"<MODULE_BLOCK NumWords=1 BlockCodeSize=3>\n"
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait() != 0

"""`wrap` and `unwrap`: a header around a bitstream, and off again."""

from __future__ import annotations

import struct
from hashlib import sha256
from pathlib import Path

import pytest

from answers import recall
from bits import wrapped
from containers.builders import gnu_archive
from corpus import FOLDER, File, accepted_streams, parameters

from .running import fail, llvm_process, process, run, succeed

BARE = [file for file in accepted_streams() if file.kind not in {"wrapper", "invalid"}]
WRAPPED = [file for file in accepted_streams() if file.kind == "wrapper"]


@pytest.mark.parametrize("file", parameters(BARE[::8]))
def test_there_and_back(file: File) -> None:
    there = succeed("wrap", FOLDER / file.path, "-o", "-")
    assert succeed("unwrap", "-", "-o", "-", stdin=there) == file.data


@pytest.mark.parametrize("file", parameters(WRAPPED))
def test_wrappers_of_others_come_off(file: File, tmp_path: Path) -> None:
    offset, size = struct.unpack_from("<II", file.data, 8)
    succeed("unwrap", FOLDER / file.path, "-o", tmp_path / "out.bc")
    assert (tmp_path / "out.bc").read_bytes() == file.data[offset : offset + size]


@pytest.mark.parametrize("file", parameters(BARE[::60]))
def test_llvm_takes_it_for_the_same_live(file: File, tmp_path: Path) -> None:
    succeed("wrap", FOLDER / file.path, "-o", tmp_path / file.name)

    def compute() -> str:
        there = llvm_process("llvm-bcanalyzer", "--dump", file.name, folder=tmp_path)
        assert there.returncode == 0
        return blocks_digest(there.stdout.partition(b"\n")[2])

    found = recall([f"llvm-bcanalyzer-22 --dump {file.name}", (tmp_path / file.name).read_bytes()], compute)
    assert found == blocks_digest(file.golden_dump())


def blocks_digest(dump: bytes) -> str:
    return sha256(dump.partition(b"\n\nSummary of ")[0]).hexdigest()


def test_fields(small_file: Path, small: bytes, tmp_path: Path) -> None:
    succeed("wrap", small_file, "-o", tmp_path / "out.bc")
    data = (tmp_path / "out.bc").read_bytes()
    assert struct.unpack_from("<5I", data) == (0x0B17C0DE, 0, 20, len(small), 0xFFFF_FFFF)
    assert data[20:] == small + bytes(-(20 + len(small)) % 16)


@pytest.mark.parametrize(
    ("cpu", "number"),
    [("x86_64", 0x0100_0007), ("arm64", 0x0100_000C), ("x86", 7), ("0x123", 0x123), ("4294967295", 0xFFFF_FFFF)],
)
def test_cpu(cpu: str, number: int, small: bytes) -> None:
    assert succeed("wrap", "-", "-o", "-", "--cpu", cpu, "--align", "1", stdin=small) == wrapped(small, cpu_type=number)


@pytest.mark.parametrize("align", [1, 4, 16, 4096])
def test_align(align: int, small: bytes) -> None:
    data = succeed("wrap", "-", "-o", "-", "--align", str(align), stdin=small)
    assert len(data) == -(-(20 + len(small)) // align) * align
    assert not any(data[20 + len(small) :])


def test_a_wrapper_with_anything_around_the_stream(small: bytes) -> None:
    around = wrapped(small, before=b"anything", after=b"padding.")
    assert succeed("unwrap", "-", "-o", "-", stdin=around) == small


def test_twice_is_refused(small: bytes, tmp_path: Path) -> None:
    line = fail("wrap", "-", "-o", tmp_path / "out", stdin=wrapped(small))
    assert "has a wrapper already; `bitcodec unwrap` takes it off" in line
    assert not (tmp_path / "out").exists()


def test_without_a_wrapper_unwrap_refuses(small: bytes, tmp_path: Path) -> None:
    assert "the bitstream has no wrapper" in fail("unwrap", "-", "-o", tmp_path / "out", stdin=small)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["wrap", "unwrap"])
def test_several_streams_are_for_extract(command: str, small: bytes, tmp_path: Path) -> None:
    line = fail(command, "-", "-o", tmp_path / "out", stdin=gnu_archive(("a", small), ("b", small)))
    assert "there are 2 bitstreams; `bitcodec extract` takes them apart" in line


@pytest.mark.parametrize(
    "options", [["--cpu", "z80"], ["--cpu", "-1"], ["--cpu", "0x100000000"], ["--align", "0"], ["--align", "x"]]
)
def test_options_out_of_range(options: list[str], small: bytes, tmp_path: Path) -> None:
    result = run("wrap", "-", "-o", tmp_path / "out", *options, stdin=small)
    assert result.exit_code == 2
    assert "Try 'bitcodec wrap --help' for help." in result.stderr
    assert not (tmp_path / "out").exists()


def test_nothing_but_the_stream_is_on_standard_output(small: bytes) -> None:
    done = process("wrap", "-", "-o", "-", stdin=small)
    assert (done.returncode, done.stderr) == (0, b"")
    back = process("unwrap", "-", "-o", "-", stdin=done.stdout)
    assert (back.returncode, back.stderr, back.stdout) == (0, b"", small)

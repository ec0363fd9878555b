"""What a user can prove without LLVM: the files in `tests/data` read, printed and written as LLVM's own tools do."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from bitcodec import bitstream
from bitcodec.cli import cli

DATA = Path(__file__).parent / "data"
EXAMPLES = Path(__file__).parents[1] / "examples"
GOLDENS = sorted(DATA.glob("*.dump.gz"))
STREAMS = [golden.name.removesuffix(".dump.gz") for golden in GOLDENS]
ORDERED = [golden.name.removesuffix(".uselistorder.gz") for golden in sorted(DATA.glob("*.uselistorder.gz"))]
MODULES = [golden.name.removesuffix(".ll.gz") for golden in sorted(DATA.glob("*.ll.gz"))]


def folder_of(name: str) -> Path:
    return DATA if (DATA / name).exists() else EXAMPLES


@pytest.mark.parametrize("name", STREAMS)
def test_dump_is_what_llvm_prints(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    golden = gzip.decompress((DATA / f"{name}.dump.gz").read_bytes())
    monkeypatch.chdir(folder_of(name))

    result = CliRunner().invoke(cli, ["dump", name])

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout_bytes.replace(b"\r\n", b"\n") == golden


@pytest.mark.parametrize("name", MODULES)
def test_dis_is_what_llvm_prints(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    golden = gzip.decompress((DATA / f"{name}.ll.gz").read_bytes())
    monkeypatch.chdir(folder_of(name))

    result = CliRunner().invoke(cli, ["dis", name])

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout_bytes.replace(b"\r\n", b"\n") == golden


@pytest.mark.parametrize("name", ORDERED)
def test_use_list_orders_are_what_llvm_prints(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    golden = gzip.decompress((DATA / f"{name}.uselistorder.gz").read_bytes())
    monkeypatch.chdir(DATA)

    result = CliRunner().invoke(cli, ["dis", name, "--preserve-ll-uselistorder"])

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout_bytes.replace(b"\r\n", b"\n") == golden


@pytest.mark.parametrize("name", STREAMS)
def test_analyze_is_the_end_of_what_llvm_prints(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    golden = gzip.decompress((DATA / f"{name}.dump.gz").read_bytes())
    monkeypatch.chdir(folder_of(name))

    result = CliRunner().invoke(cli, ["analyze", name])

    assert result.exit_code == 0
    assert result.stdout_bytes == golden[golden.index(b"Summary of ") :]


@pytest.mark.parametrize("name", STREAMS)
def test_every_field_written_anew_gives_the_same_bytes(name: str) -> None:
    stream = bitstream.open(folder_of(name) / name)

    assert bitstream.encode(stream.payload, stream.columns) == bytes(stream.payload)
    assert stream.dumps() == (folder_of(name) / name).read_bytes()


@pytest.mark.parametrize(
    ("name", "count"),
    [("embed-elf-22.o", 1), ("embed-macho.o", 1), ("embed-coff.obj", 1), ("embed-wasm.o", 1), ("lib-gnu.a", 3)],
)
def test_every_command_takes_containers(name: str, count: int, tmp_path: Path) -> None:
    for command in (["info"], ["nm"], ["analyze"], ["dump"], ["extract", "-o", os.fspath(tmp_path)]):
        result = CliRunner().invoke(cli, [*command, os.fspath(DATA / name)])
        assert (result.exit_code, result.stderr) == (0, "")
    assert len(list(tmp_path.glob("*.bc"))) == count

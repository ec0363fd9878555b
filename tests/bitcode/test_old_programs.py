"""Programs that LLVM 4 to 12 wrote as bitcode: read, printed as `llvm-dis` 22 does, written again."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec import doctor

DATA = Path(__file__).parents[1] / "data" / "old"
FILES = sorted(DATA.glob("*.bc"))


def version_of(path: Path) -> int:
    return int(path.stem.rsplit("-", 1)[1])


def golden(path: Path) -> str:
    return gzip.decompress(Path(f"{path}.ll.gz").read_bytes()).decode()


def test_every_version_is_there() -> None:
    assert {version_of(path) for path in FILES} == {*range(4, 13)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_text(path: Path) -> None:
    module = bitcodec.loads(path.read_bytes(), path.name)
    assert module.producer.startswith(f"LLVM{version_of(path)}.")
    assert bitcodec.print_assembly(module) == golden(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_written_again(path: Path, tmp_path: Path) -> None:
    written = bitcodec.dumps(bitcodec.loads(path.read_bytes(), path.name))
    assert bitcodec.print_assembly(bitcodec.loads(written, path.name)) == golden(path)
    (tmp_path / path.name).write_bytes(written)
    run = ask(["llvm-dis-22", path.name, "-o", "-"], cwd=tmp_path, check=True, keeps="digest")
    assert run.stdout.decode() == golden(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_version_that_wrote_it_reads_it(path: Path) -> None:
    (diagnosis,) = doctor.diagnose(path.read_bytes(), [version_of(path)])
    assert diagnosis.verdicts[0].is_clean

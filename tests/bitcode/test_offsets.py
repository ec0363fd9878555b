"""After an edit the offsets that LLVM IR keeps of its own blocks are right again."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from answers import ask
from bitcodec import bitcode, bitstream
from bitstream.forms import installed
from bitstream.reference import analyzer_text
from corpus import FOLDER, File, accepted_streams, parameters

MODULES = [
    file
    for file in accepted_streams()
    if file.kind in {"module", "wrapper", "thinlto", "split-lto-unit", "multi-module"}
]
TRIPLE = 2
LONGER = "x86_64-a_rather_long_vendor-linux-gnu"


@pytest.mark.parametrize("file", parameters(MODULES[::5]))
def test_without_a_change_nothing_changes(file: File) -> None:
    assert bitcode.dumps(bitstream.open(FOLDER / file.path).edit()) == file.data


@pytest.mark.parametrize(
    "file", parameters([file for file in MODULES if re.search(r"(O0g|O2|dw5)-\d+\.bc$", file.path)][::6])
)
def test_llvm_reads_what_was_edited(file: File, tmp_path: Path) -> None:
    draft = bitstream.open(FOLDER / file.path).edit()
    draft.block(8).record(TRIPLE).text = LONGER
    (tmp_path / file.name).write_bytes(bitcode.dumps(draft))
    expected = gzip.decompress(FOLDER.joinpath(f"{file.path}.ll.gz").read_bytes()).decode()
    expected = re.sub(r'(?m)^target triple = ".*"', f'target triple = "{LONGER}"', expected)
    done = ask(["llvm-dis-22", file.name, "-o", "-"], cwd=tmp_path, check=True, keeps="digest")
    assert done.stdout.decode() == expected
    dump, _ = analyzer_text(installed(), (tmp_path / file.name).read_bytes(), file.name)
    assert b"offset mismatch" not in dump
    done = ask(["llvm-bcanalyzer-22", "--dump", file.name], cwd=tmp_path, check=True, keeps="digest")
    assert done.stdout == dump

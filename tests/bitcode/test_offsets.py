"""After an edit the offsets that LLVM IR keeps of its own blocks are right again."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bitcodec import bitcode, bitstream
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
def test_llvm_reads_what_was_edited_live(file: File, tmp_path: Path) -> None:
    tools = [shutil.which(f"llvm-{name}-22") for name in ("dis", "bcanalyzer")]
    if None in tools:
        pytest.skip("llvm-dis-22 and llvm-bcanalyzer-22 are not installed")
    draft = bitstream.open(FOLDER / file.path).edit()
    draft.block(8).record(TRIPLE).text = LONGER
    (tmp_path / file.name).write_bytes(bitcode.dumps(draft))
    texts = []
    for folder in (FOLDER / "modules", tmp_path):
        done = subprocess.run(
            [str(tools[0]), file.name, "-o", "-"], cwd=folder, capture_output=True, text=True, check=True
        )
        texts.append(done.stdout)
    assert texts[1] == re.sub(r'(?m)^target triple = ".*"', f'target triple = "{LONGER}"', texts[0])
    dump = subprocess.run(
        [str(tools[1]), "--dump", file.name], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    assert "offset mismatch" not in dump

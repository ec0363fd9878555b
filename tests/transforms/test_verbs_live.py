"""Modules with debug information can be written after anything was done to them; LLVM 22 finds them sound.

`BITCODEC_VERBS=all` tries all modules of the corpus, and each with several parts read first.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import bitcodec
from bitcodec.ir.module import Module
from bitcodec.verifier import verify
from corpus import is_there

from .samples import MODULES
from .verbs import READ_FIRST, VERBS

ALL = os.environ.get("BITCODEC_VERBS") == "all"

CHOSEN = ("debuginfo-dw5-22.bc", "debuginfo-codeview-16.bc", "exceptions-O0g-22.bc")


def has_records(path: Path) -> bool:
    """Return whether LLVM 22 finds debug records in a module."""
    text = path.with_name(f"{path.name}.ll.gz")
    return text.is_file() and b"#dbg_" in gzip.decompress(text.read_bytes())


DESCRIBED = [MODULES / name for name in CHOSEN] if not ALL else [*filter(has_records, sorted(MODULES.glob("*.bc")))]
"""Modules with debug records."""

pytestmark = [
    pytest.mark.skipif(not is_there(), reason="no corpus"),
    pytest.mark.skipif(shutil.which("opt-22") is None, reason="LLVM's tools are not installed"),
]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("path", DESCRIBED, ids=lambda path: path.name)
def test_what_was_changed_is_written(path: Path, verb: str, tmp_path: Path) -> None:
    for read_first in READ_FIRST if ALL else READ_FIRST[:2]:
        module = changed(path, VERBS[verb], read_first)
        written = tmp_path / "changed.bc"
        written.write_bytes(bitcodec.dumps(module))
        again = bitcodec.loads(written.read_bytes())
        assert [*map(str, verify(again))] == []
        assert said_by("opt-22", "-passes=verify", "-disable-output", str(written)) == ""
        text = said_by("llvm-dis-22", str(written), "-o", "-")
        assert text.partition("\n")[2] == str(again).partition("\n")[2]


def said_by(tool: str, *arguments: str) -> str:
    """Return what a tool prints; it does not complain."""
    done = subprocess.run([tool, *arguments], capture_output=True, text=True, errors="surrogateescape", check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def changed(path: Path, verb: Callable[[Module], None], read_first: Callable[[Module], None]) -> Module:
    module = bitcodec.open(path)
    read_first(module)
    verb(module)
    return module

"""Modules with debug information can be written after anything was done to them; LLVM 22 finds them sound.

`BITCODEC_VERBS=all` tries all modules of the corpus, and each with several parts read first.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.ir.module import Module
from bitcodec.verifier import verify
from corpus import needs_corpus

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

pytestmark = needs_corpus


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("path", DESCRIBED, ids=lambda path: path.name)
def test_what_was_changed_is_written(path: Path, verb: str) -> None:
    for read_first in READ_FIRST if ALL else READ_FIRST[:2]:
        module = changed(path, VERBS[verb], read_first)
        written = bitcodec.dumps(module)
        again = bitcodec.loads(written, "<stdin>")
        assert [*map(str, verify(again))] == []
        for command in (["opt-22", "-passes=verify", "-disable-output", "-"], ["llvm-dis-22", "-", "-o", "-"]):
            done = ask(command, input=written, keeps="digest", text=True)
            assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == str(again)


def changed(path: Path, verb: Callable[[Module], None], read_first: Callable[[Module], None]) -> Module:
    module = bitcodec.open(path)
    read_first(module)
    verb(module)
    return module

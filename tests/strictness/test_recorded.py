"""A few mutations of small files: bitcodec reads, reports and prints what LLVM 22 does, by its recorded answers."""

from __future__ import annotations

import hashlib
import random

import pytest

from answers import recall
from mutations import DATA, with_records_changed
from strictness.comparing import Comparer, outcome_of
from strictness.reference import CRASHED, READ

FILES = ("atomics-O2-22", "control-O2-16", "exceptions-O2-19", "ir_metadata-22", "ir_types-22", "structs-i386-14")
COUNT = 24
NAMES_THE_FILE = ("; ModuleID", "source_filename = ", "^0 = module: (path: ")


def digest_of(text: str) -> str:
    """Return the digest of a text without the lines that name its file."""
    lines = [line for line in text.split("\n") if not line.startswith(NAMES_THE_FILE)]
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()[:24]


def ask_llvm(data: bytes) -> tuple[str, bool, str]:
    """Return LLVM's answer: its status, whether the verifier rejects the module, and the digest of the text."""

    def compute() -> tuple[str, bool, str]:
        with Comparer() as comparer:
            answer = comparer.ask(data)
        return answer.status, bool(answer.findings), digest_of(answer.text)

    status, is_broken, digest = recall(["libLLVM 22", data], compute)
    return status, is_broken, digest


@pytest.mark.parametrize("number", range(COUNT))
def test_mutations(number: int) -> None:
    source = random.Random(f"strictness of records {number}")
    original = (DATA / f"{FILES[number % len(FILES)]}.bc").read_bytes()
    data = with_records_changed(original, source)
    ours = outcome_of(data)
    status, is_broken, digest = ask_llvm(data)
    if status == CRASHED:
        return  # there is nothing to compare with
    assert (status == READ, is_broken) == (not ours.error, bool(ours.findings))
    if status == READ:
        assert digest_of(ours.text) == digest

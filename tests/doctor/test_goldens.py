"""What the real readers of LLVM 4 to 23 said of small files: sound ones of many versions, and mutated ones."""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache
from typing import Any

import pytest

from bitcodec.doctor import VERSIONS, Verdict, diagnose

from .make_goldens import GOLDENS
from .readers import READERS

DIFFERENT = {
    "x053_function-local-metadata.3.5.ll.bc": "LLVM without assertions reads past the end of a node that is too short",
    "i_invalid-no-proper-module.bc": "llvm-dis prints nothing for a file without a module; other tools refuse it",
}
"""Files that some version reads and the table says that it does not, with reasons."""
LEAST_SHARE = 0.95
"""Of messages that are LLVM's: what is damaged has more causes than the table of faults knows."""


@cache
def recorded() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress(GOLDENS.read_bytes()))
    return found


@cache
def verdicts(name: str) -> tuple[Verdict, ...]:
    (diagnosis,) = diagnose(base64.b64decode(recorded()[name]["data"]))
    return diagnosis.verdicts


def test_every_version_was_asked() -> None:
    assert len(recorded()) > 60
    for one in recorded().values():
        assert sorted(map(int, one["answers"])) == [*READERS]


@pytest.mark.parametrize("version", READERS)
def test_readers(version: int) -> None:
    """Each version reads the files that it is said to read."""
    wrong = {
        name
        for name, one in recorded().items()
        if verdicts(name)[version - VERSIONS[0]].reads != one["answers"][str(version)][0]
    }
    assert wrong <= DIFFERENT.keys()


def test_differences_are_needed() -> None:
    for name in DIFFERENT:
        answers = recorded()[name]["answers"]
        assert any(verdict.reads != answers[str(verdict.version)][0] for verdict in verdicts(name))


def test_messages() -> None:
    """A refused file is refused with the message of the real reader; one that crashes has none."""
    same = different = 0
    for name, one in recorded().items():
        for verdict in verdicts(name)[: len(READERS)]:
            reads, message, crashes = one["answers"][str(verdict.version)]
            if not (reads or crashes or verdict.reads):
                is_same = verdict.message == message
                same, different = same + is_same, different + (not is_same)
                # Sound files are refused by rows of the table alone, which have the exact messages.
                assert is_same or name[0] in "xi", (name, verdict.version, message, verdict.message)
    assert same / (same + different) > LEAST_SHARE

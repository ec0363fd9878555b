"""Reasons of errors: each has a name that is used, and a sentence that keeps it."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path

import bitcodec
from bitcodec.errors import BitcodeError
from bitcodec.reasons import Reason

SOURCES = Path(bitcodec.__file__).parent


def test_each_reason_is_used() -> None:
    used = {
        name
        for path in SOURCES.rglob("*.py")
        if path.name != "reasons.py"
        for name in re.findall(r"\bReason\.([A-Z_]+)", path.read_text(encoding="utf-8"))
    }
    assert used == {reason.name for reason in Reason}


def test_a_sentence_keeps_its_reason() -> None:
    error = BitcodeError(Reason.NO_VALUE(number=3).about("INST_RET"), 64, (8, 12)).in_file("a.bc")
    for each in (error, pickle.loads(pickle.dumps(error))):
        reason = each.reason
        assert str(reason) == "a.bc: INST_RET record: value 3 does not exist"
        assert reason.identity is Reason.NO_VALUE
        assert (reason.name, reason.parameters, reason.record) == ("no-value", {"number": 3}, "INST_RET")
        assert str(reason.bare) == "INST_RET record: value 3 does not exist"


def test_the_bare_sentence_lacks_the_likely_cause() -> None:
    assert str(Reason.CUT_BLOCK()) == "the stream ends inside this block; the file seems to be cut off"
    assert str(Reason.CUT_BLOCK().in_file("a.bc").bare) == "the stream ends inside this block"


def test_a_text_without_a_reason_has_no_name() -> None:
    assert BitcodeError("bad luck", 0).reason.name == ""


def test_the_page_on_names_is_that_of_the_rows() -> None:
    root = Path(__file__).parents[1]
    command = [
        sys.executable,
        "-c",
        "import sys, reason_page; sys.stdout.buffer.write(reason_page.reason_page().encode())",
    ]
    made = subprocess.run(command, cwd=root / "docs_build", capture_output=True, check=True)
    page = root / "docs" / "names-of-errors.md"
    assert page.read_bytes() == made.stdout, "python docs_build/reason_page.py writes it again"


def test_sentences_state_what_is_expected_and_found() -> None:
    vague = re.compile(r"\b(is no|are no|there is|there are no|says?|stands?|has none|turns out|what(?!}))\b")
    assert [reason.name for reason in Reason if vague.search(reason.value)] == []

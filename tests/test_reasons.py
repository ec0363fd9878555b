"""Reasons of errors: each has a name that is used, and a sentence that keeps it."""

from __future__ import annotations

import pickle
import re
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
        assert str(reason) == "a.bc: INST_RET record: there is no value 3"
        assert reason.identity is Reason.NO_VALUE
        assert (reason.name, reason.parameters, reason.record) == ("no-value", {"number": 3}, "INST_RET")
        assert str(reason.bare) == "INST_RET record: there is no value 3"


def test_the_bare_sentence_lacks_the_likely_cause() -> None:
    assert str(Reason.CUT_BLOCK()) == "the stream ends inside this block; the file seems to be cut off"
    assert str(Reason.CUT_BLOCK().in_file("a.bc").bare) == "the stream ends inside this block"


def test_a_text_without_a_reason_has_no_name() -> None:
    assert BitcodeError("bad luck", 0).reason.name == ""

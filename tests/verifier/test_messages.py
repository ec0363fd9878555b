"""The table of the messages of LLVM's verifier, held against the snippets and the rules."""

from __future__ import annotations

import pytest

from .messages import Message, has_rule, is_recorded, messages, pattern_of, rule_messages
from .snippets import all_snippets


def _with_status(status: str) -> list[Message]:
    return [message for message in messages() if message.status == status]


def test_statuses() -> None:
    assert {message.status for message in messages()} <= {"recorded", "rule", "never", "missing"}
    assert all(message.reason for status in ("never", "missing") for message in _with_status(status))


def test_recorded_messages_have_a_snippet() -> None:
    assert [message.text for message in _with_status("recorded") if not is_recorded(message.text)] == []
    assert len(_with_status("recorded")) > 650


def test_snippets_are_in_the_table() -> None:
    patterns = [pattern_of(message.text) for message in _with_status("recorded")]
    texts = {snippet.message for snippet in all_snippets()}
    assert [text for text in texts if not any(pattern.fullmatch(text) for pattern in patterns)] == []


@pytest.mark.same_in_both
def test_other_rules_are_in_the_sources() -> None:
    rules = rule_messages()
    assert [message.text for message in _with_status("rule") if not has_rule(message.text, rules)] == []


def test_no_rule_is_missing() -> None:
    assert _with_status("missing") == []

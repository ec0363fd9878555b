"""The names of rules that older verifiers lack are names of rules of the verifier."""

from __future__ import annotations

import ast
from pathlib import Path

import bitcodec.verifier
from bitcodec.doctor import newer_rules
from bitcodec.ir.findings import rule_name


def test_each_name_is_that_of_a_message() -> None:
    sources = Path(bitcodec.verifier.__file__).parent.rglob("*.py")
    nodes = [node for path in sources for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    names = {rule_name(text) for text in texts}
    assert [name for name in (*newer_rules.FIRST_TO_CHECK, *newer_rules.PROFILES) if name not in names] == []

"""First versions of operators in expressions are those of the verifiers of LLVM."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest

import bitcodec
from bitcodec.downgrade.expressions import first_version
from bitcodec.ir.debug_info import DIExpression
from bitcodec.tables.dwarf import OPERATORS

from .oracles import verify

TWO = "16, 7, 16, 7, "
"""Two constants, which some operators take from the stack."""
FIRST = 0x1003
"""The operator that must be the first."""
OLDEST_READER = 5
"""The first version that reads names in a string table."""


def expressions() -> list[str]:
    """Return an expression with each operator that not all versions have."""
    return [
        f"!DIExpression({TWO * (number != FIRST)}{number}{', 1' * row.arguments})" for number, row in OPERATORS.items()
    ]


def since_of(text: str) -> int:
    node = bitcodec.parse_assembly(f"!n = !{{!0}}\n!0 = {text}\n").named_metadata["n"].operands[0]
    assert isinstance(node, DIExpression)
    return first_version(node)


BY_VERSION = {since: [*texts] for since, texts in groupby(sorted(expressions(), key=since_of), since_of)}


@pytest.mark.parametrize("since", [since for since in BY_VERSION if since])
def test_first_versions_of_operators(since: int, tmp_path: Path) -> None:
    texts = BY_VERSION[since]
    lines = [f"!{number} = {text}" for number, text in enumerate(texts)]
    names = ", ".join(f"!{number}" for number in range(len(texts)))
    module = bitcodec.parse_assembly("\n".join([f"!n = !{{{names}}}", *lines, ""]))
    path = tmp_path / "module.bc"
    path.write_bytes(bitcodec.dumps(module, llvm_version=since))

    assert verify(since, path) == ""
    if since > OLDEST_READER:
        assert verify(since - 1, path).count("invalid expression") == len(texts)

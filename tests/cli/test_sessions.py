"""Command lines of the documentation are split at the commands of reference tools."""

from __future__ import annotations

import pytest

from .sessions import _parts


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("bitcodec nm a.bc", [("", "bitcodec nm a.bc")]),
        ("jq '.a | .b' x && true | cat", [("", "jq '.a | .b' x && true | cat")]),
        (
            "clang-22 -c a.c -o - | bitcodec x --schema 'a=b|c' | bitcodec y - | ld.lld-22 - | jq -c '.[] | .a'; cat b",
            [
                ("", "clang-22 -c a.c -o -"),
                ("|", "bitcodec x --schema 'a=b|c' | bitcodec y -"),
                ("|", "ld.lld-22 -"),
                ("|", "jq -c '.[] | .a' ; cat b"),
            ],
        ),
        ("opt-22 a && opt-22 b", [("", "opt-22 a"), ("&&", "opt-22 b")]),
    ],
)
def test_parts(line: str, parts: list[tuple[str, str]]) -> None:
    assert _parts(line) == parts

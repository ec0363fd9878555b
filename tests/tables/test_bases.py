"""Names of intrinsics begin with a name that a table has; names that are too long for one are cut first."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

import bitcodec
from bitcodec.downgrade.expansions import EXPANSIONS
from bitcodec.tables.intrinsic_pointees import pointees
from bitcodec.tables.intrinsics import MAX_BASE_LENGTH, base_in, intrinsic_rows, short_part


@pytest.mark.parametrize("names", [intrinsic_rows(), pointees(), EXPANSIONS], ids=["rows", "pointees", "expansions"])
def test_no_name_of_a_table_is_too_long(names: Iterable[str]) -> None:
    assert max(map(len, names)) <= MAX_BASE_LENGTH


def test_the_longest_beginning() -> None:
    table = {"a", "a.b", "c"}
    names = ["a.b.i32", "a.b", "a.bc", "a", "ab", "c.", "d.a", ""]
    assert [base_in(name, table) for name in names] == ["a.b", "a.b", "a", "a", "", "c", "", ""]
    assert base_in("c.i32", {"a"}, {"c"}) == "c"


def test_a_long_name_is_cut_between_words() -> None:
    word = "a" * MAX_BASE_LENGTH
    assert short_part(word) == short_part(f"{word}.i32") == word
    assert short_part(f"{word}b.i32") == ""
    assert short_part(f"b.{word}") == "b"


def test_a_name_of_many_words_is_written_for_older_versions() -> None:
    name = "llvm.x" + "." * 300_000
    module = bitcodec.parse_assembly(f"declare ptr @{name}(ptr)\n", dialect="14")
    assert name in str(bitcodec.loads(bitcodec.dumps(module, llvm_version=14)))

"""`@FILE`: the arguments that LLVM's tools find in a file."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from bitcodec.cli.problems import Trouble
from bitcodec.cli.response_files import with_response_files


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        # `cl::TokenizeGNUCommandLine` of LLVM 22
        (b"a b\n\tc\r\n", ["a", "b", "c"]),
        (b'\'a b\'"c\\d\\"" e\\ f', ['a bcd"', "e f"]),
        (b"'it\\'s' x", ["it's", "x"]),
        (b"'' a \"\"b", ["a", "b"]),
        (b'"no end', ["no end"]),
        (b"back\\", ["back\\"]),
        (b"a#b # c", ["a#b", "#", "c"]),
        (b"\xef\xbb\xbf-v", ["-v"]),
        ("a ü".encode("utf-16"), ["a", "ü"]),
        (b"", []),
        (b"@missing", ["@missing"]),
    ],
)
def test_tokens(tmp_path: Path, text: bytes, arguments: list[str]) -> None:
    file = tmp_path / "list"
    file.write_bytes(text)
    assert with_response_files(["x", f"@{file}", "y"]) == ["x", *arguments, "y"]


def test_files_name_files(tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    inner.write_text("b c")
    outer.write_text(f"a @{inner} d @{inner}")
    assert with_response_files([f"@{outer}", "e"]) == [*"abcd", *"bce"]


def test_circle(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text(f"a @{second}")
    second.write_text(f"@{tmp_path}/../{tmp_path.name}/first")
    with pytest.raises(Trouble, match=r"recursive expansion of: '.*first'"):
        with_response_files([f"@{first}"])


def test_many_times_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that name others twice, and these others twice, come to an end."""
    monkeypatch.setattr("bitcodec.cli.response_files._MAX_SIZE", 20_000)
    names = [tmp_path / f"file{number}" for number in range(30)]
    for name, following in pairwise(names):
        name.write_text(f"@{following} @{following}")
    names[-1].write_text("a")
    with pytest.raises(Trouble, match="file"):
        with_response_files([f"@{names[0]}"])

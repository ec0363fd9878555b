"""Names inside the input come from anywhere: they neither leave the folder, nor meet, nor forge lines."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from bits import Bits
from containers.builders import archive, member

from .documents import document
from .running import fail, run, succeed

HOSTILE = [
    "../../evil.bc",
    "..\\..\\evil.bc",
    "/etc/passwd",
    "..",
    ".",
    "-",
    "a.bc",
    "A.bc",
    "a",
    "a-2",
    "a.bc",
    "a/b/c",
    "a\nb",
    "a\x1b[31m",
    "C:evil",
    "x" * 300,
    "y" * 99 + "/1",
    "z" * 99 + "/2",
    "é" * 200,
    "日" * 150,
    "\U0001d518" * 120,
    "\u202ecb.x",
    ".hidden",
    "~root",
    "$HOME",
    "*",
    "con",
    "NUL.txt",
    "com1.bc",
    "lpt\u00b2",
    "cafe\u0301",
    "caf\u00e9",
    "\ufb01le",
    "file",
    "stra\u00dfe",
    "STRASSE",
    "a\0b",
    "\x9b",
    "trailing. ",
]


def archive_of(names: list[str], contents: list[bytes]) -> bytes:
    """Return an archive in BSD's form, where a name is any bytes before the content."""
    stored = [name.encode() for name in names]
    return archive(*(member(b"#1/%d" % len(name), name + data) for name, data in zip(stored, contents, strict=True)))


def module_of(version: int) -> bytes:
    return Bits().enter_block(8).unabbreviated(1, [version]).end_block().stream()


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    path = tmp_path / "deep" / "er" / "lib.a"
    path.parent.mkdir(parents=True)
    path.write_bytes(archive_of(HOSTILE, [module_of(number) for number in range(len(HOSTILE))]))
    return path


def test_every_member_gets_a_file_of_its_own_in_the_folder(hostile: Path, tmp_path: Path) -> None:
    out = hostile.parent / "out"
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    pieces = document(succeed("extract", hostile, "-o", out, "--json"))["streams"]
    after = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert [Path(piece["output"]).read_bytes() for piece in pieces] == [
        module_of(number) for number in range(len(HOSTILE))
    ]
    assert {path.parent for path in after - before} == {out}
    assert len({unicodedata.normalize("NFKC", path.name.casefold()) for path in out.iterdir()}) == len(HOSTILE)


def test_file_names_hold_nothing_special(hostile: Path) -> None:
    pieces = document(succeed("extract", hostile, "--list", "--json"))["streams"]
    for piece in pieces:
        name = Path(piece["output"]).name
        assert not set(name) & set('/\\:*?"<>|$~\n\x1b\u202e')
        assert not name.startswith(".")
        assert len(name.encode()) <= 255
        assert not re.match(r"(con|prn|aux|nul|(com|lpt)[0-9\u00b9\u00b2\u00b3])(\.|$)", name, re.IGNORECASE)


@pytest.mark.parametrize("command", ["info", "analyze", "extract"])
def test_names_of_members_forge_no_lines(command: str, tmp_path: Path) -> None:
    path = tmp_path / "lib.a"
    path.write_bytes(archive_of(["a\nbitcodec: error: forged\x1b[31m"], [module_of(2)]))
    options = ["--list"] if command == "extract" else []
    text = succeed(command, path, *options).decode()
    assert "\x1b" not in text
    assert not any(line.startswith("bitcodec") for line in text.splitlines())


def test_names_of_members_forge_no_lines_in_errors(tmp_path: Path) -> None:
    path = tmp_path / "lib.a"
    path.write_bytes(archive_of(["a\nbitcodec: error: forged\x1b[31m"], [module_of(2)[:-4]]))
    line = fail("analyze", path)
    assert "\x1b" not in line


def test_a_name_that_is_no_text_is_shown_all_the_same(tmp_path: Path) -> None:
    bits = Bits().enter_block(8).unabbreviated(1, [2]).unabbreviated(2, b"\xff\xfe")
    bits.enter_block(17).unabbreviated(1, [1]).unabbreviated(7, [8]).end_block().unabbreviated(
        7, [0, 2, 0, 3, 0, 0, 0, 0]
    ).end_block()
    bits.enter_block(23).define(1, "blob").abbreviated(4, [1, "blob"], [1], b"\x80f").end_block()
    path = tmp_path / "a.bc"
    path.write_bytes(bits.stream())
    text = succeed("info", path).decode()
    assert "target     \\xff\\xfe\n" in text
    assert 'needs      1 variable: "\\80f"\n' in text
    (stream,) = document(run("info", "--json", path).stdout)["streams"]
    assert stream["modules"][0]["symbols"][0]["name"] == "\\x80f"
